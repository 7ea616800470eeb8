import CZstd

/// Decodes a zstd stream of any number of frames.
///
/// libarchive could do it too, but gives up a whole block of readable content when the stream is
/// cut, and copies once more.
final class ZstdBytes: ByteStream {
  private let inner: any ByteStream
  private let decoder: OpaquePointer?
  private let compressed: UnsafeMutableRawBufferPointer
  private var usedBytes = 0
  private var filledBytes = 0
  private var isInsideFrame = false
  private var pendingFailure: StreamFailure?

  init(_ inner: any ByteStream) {
    self.inner = inner
    decoder = ZSTD_createDStream()
    compressed = .allocate(byteCount: max(ZSTD_DStreamInSize(), 1 << 17), alignment: 64)
  }

  deinit {
    ZSTD_freeDStream(decoder)
    compressed.deallocate()
  }

  func read(into target: UnsafeMutableRawBufferPointer) throws(StreamFailure) -> Int {
    if let pendingFailure { throw pendingFailure }
    var output = ZSTD_outBuffer(dst: target.baseAddress, size: target.count, pos: 0)
    while output.pos < output.size {
      let usedBefore = usedBytes
      let producedBefore = output.pos
      var code = 0
      var input = ZSTD_inBuffer(src: compressed.baseAddress, size: filledBytes, pos: usedBytes)
      // At a frame's end the decoder must not be asked for a new frame without input.
      if isInsideFrame || usedBytes < filledBytes {
        code = ZSTD_decompressStream(decoder, &output, &input)
        isInsideFrame = code != 0
      }
      usedBytes = input.pos
      if ZSTD_isError(code) != 0 {
        let detail = String(cString: ZSTD_getErrorName(code))
        // The library's fixed text; its error numbers are in a header that is not imported.
        let kind: ReadingProblem.Kind =
          detail.contains("too much memory")
          ? .needsTooMuchMemory(format: "zstd", windowBytes: nil)
          : .damaged(format: "zstd", detail: detail)
        return try give(output.pos, StreamFailure(kind: kind))
      }
      if usedBytes > usedBefore || output.pos > producedBefore { continue }
      do {
        usedBytes = 0
        filledBytes = 0
        filledBytes = try inner.read(into: compressed)
      } catch {
        return try give(output.pos, error)
      }
      if filledBytes == 0 {
        if !isInsideFrame { break }
        return try give(output.pos, StreamFailure(kind: .truncated(format: "zstd")))
      }
    }
    return output.pos
  }

  /// Hands out what was decoded first, the failure on the next call.
  private func give(_ count: Int, _ failure: StreamFailure) throws(StreamFailure) -> Int {
    pendingFailure = failure
    if count == 0 { throw failure }
    return count
  }
}
