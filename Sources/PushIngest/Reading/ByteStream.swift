import Glibc

/// Bytes that come in order: of a file, of a pipe, out of a decoder, of an archive member.
protocol ByteStream: AnyObject {
  /// Fills as much of `target` as there is at hand, at least one byte; 0 only at the end.
  ///
  /// A failure is thrown only after everything that came before it was handed out.
  func read(into target: UnsafeMutableRawBufferPointer) throws(StreamFailure) -> Int
}

extension ByteStream {
  /// Reads until `target` is full or the stream ends.
  ///
  /// - Returns: the bytes read, and the failure that ended the stream, if one did.
  func fill(_ target: UnsafeMutableRawBufferPointer) -> (count: Int, failure: StreamFailure?) {
    var count = 0
    while count < target.count {
      do {
        let got = try read(into: UnsafeMutableRawBufferPointer(rebasing: target[count...]))
        if got == 0 { break }
        count += got
      } catch {
        return (count, error)
      }
    }
    return (count, nil)
  }
}

/// The C library's words for an error number.
func systemErrorText(_ code: Int32) -> String {
  String(cString: strerror(code))
}

/// An open file: a regular one, which can be read anywhere, or a pipe, which cannot.
final class FileBytes: ByteStream {
  private let descriptor: Int32
  private let closesDescriptor: Bool
  /// Size when it was opened; nil for pipes.
  let sizeBytes: Int64?
  /// Where the next `read` starts.
  private(set) var positionBytes: Int64 = 0
  /// How much has been read or passed over, for progress.
  private(set) var accountedBytes: Int64 = 0

  var isRegular: Bool { sizeBytes != nil }

  /// Opens a path (without a trailing zero byte).
  init(path: [UInt8]) throws(StreamFailure) {
    let opened = (path + [0]).withUnsafeBytes { bytes in
      bytes.withMemoryRebound(to: CChar.self) { text in
        text.baseAddress.map { open($0, O_RDONLY | O_CLOEXEC) } ?? -1
      }
    }
    guard opened >= 0 else {
      throw StreamFailure(kind: .cannotOpen(detail: systemErrorText(errno)))
    }
    descriptor = opened
    closesDescriptor = true
    sizeBytes = FileBytes.regularSize(of: opened)
    if isRegular { _ = posix_fadvise(opened, 0, 0, POSIX_FADV_SEQUENTIAL) }
  }

  /// Reads from a descriptor that somebody else closes, such as standard input.
  init(descriptor: Int32) {
    self.descriptor = descriptor
    closesDescriptor = false
    // Standard input may be a file whose position is not its beginning; it is read as a stream.
    sizeBytes = nil
  }

  deinit {
    if closesDescriptor { close(descriptor) }
  }

  func read(into target: UnsafeMutableRawBufferPointer) throws(StreamFailure) -> Int {
    guard target.count > 0 else { return 0 }
    while true {
      let got =
        isRegular
        ? pread(descriptor, target.baseAddress, target.count, off_t(positionBytes))
        : Glibc.read(descriptor, target.baseAddress, target.count)
      if got >= 0 {
        positionBytes += Int64(got)
        accountedBytes += Int64(got)
        return got
      }
      if errno != EINTR { throw StreamFailure.system(errno) }
    }
  }

  /// Reads at an offset of a regular file without moving; short only at the end or on an error.
  func read(at offset: Int64, into target: UnsafeMutableRawBufferPointer) -> Int {
    var count = 0
    while count < target.count {
      let got = pread(
        descriptor, target.baseAddress?.advanced(by: count), target.count - count,
        off_t(offset) + count)
      if got < 0 && errno == EINTR { continue }
      if got <= 0 { break }
      count += got
    }
    return count
  }

  /// Moves to an offset of a regular file.
  func move(to offset: Int64) {
    positionBytes = offset
  }

  /// Counts bytes as done that nobody needs to read.
  func accountFor(_ bytes: Int64) {
    accountedBytes += bytes
  }

  private static func regularSize(of descriptor: Int32) -> Int64? {
    var information = stat()
    guard fstat(descriptor, &information) == 0, information.st_mode & S_IFMT == S_IFREG else {
      return nil
    }
    return Int64(information.st_size)
  }
}

/// A stream whose first bytes have been looked at and will come again.
final class PeekedBytes: ByteStream {
  private let inner: any ByteStream
  private(set) var head: [UInt8] = []
  private var handedOut = 0
  private var failure: StreamFailure?
  /// True once the end of the stream (or its failure) lies within `head`.
  private(set) var endIsInHead = false

  /// Looks at the first `headBytes` of `inner`; its failure, if any, comes behind those bytes.
  init(_ inner: any ByteStream, headBytes: Int) {
    self.inner = inner
    extendHead(to: headBytes)
  }

  /// True if the head holds the whole content and it ended well.
  var headIsWhole: Bool { endIsInHead && failure == nil }

  /// Looks further, so that the head holds `count` bytes; before anything was read.
  func extendHead(to count: Int) {
    guard !endIsInHead, count > head.count else { return }
    let missing = count - head.count
    var got = (count: 0, failure: StreamFailure?.none)
    head += [UInt8](unsafeUninitializedCapacity: missing) { target, initialised in
      got = inner.fill(UnsafeMutableRawBufferPointer(target))
      initialised = got.count
    }
    failure = got.failure
    endIsInHead = got.count < missing
  }

  func read(into target: UnsafeMutableRawBufferPointer) throws(StreamFailure) -> Int {
    if handedOut < head.count {
      let count = min(target.count, head.count - handedOut)
      head.withUnsafeBytes { bytes in
        target.copyMemory(
          from: UnsafeRawBufferPointer(rebasing: bytes[handedOut..<handedOut + count]))
      }
      handedOut += count
      return count
    }
    if let failure {
      self.failure = nil
      throw failure
    }
    return endIsInHead ? 0 : try inner.read(into: target)
  }
}

/// A content that cannot be read.
final class FailingBytes: ByteStream {
  private let failure: StreamFailure

  init(_ failure: StreamFailure) { self.failure = failure }

  func read(into target: UnsafeMutableRawBufferPointer) throws(StreamFailure) -> Int {
    throw failure
  }
}
