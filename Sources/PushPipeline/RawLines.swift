import Foundation
import Glibc
import PushModel

/// Where the chunks of a batch can be read again: in the file itself if it is plain, else in a copy
/// of its uncompressed content that lives as long as the batch.
final class RawLines: @unchecked Sendable {
  private struct Place {
    var descriptor: Int32
    var offset: Int64
  }

  private var places: [Place] = []
  private var descriptors: [Int32] = []
  private let folder: String
  private let copy: Int32
  private var copySize: Int64 = 0

  init(folder: String) throws(PipelineError) {
    self.folder = folder
    var template = Array((folder + "/.pushtriage-lines-XXXXXX").utf8CString)
    copy = template.withUnsafeMutableBufferPointer { buffer in
      buffer.baseAddress.map { mkstemp($0) } ?? -1
    }
    guard copy >= 0 else {
      throw .temporaryFile(folder: folder, reason: String(cString: strerror(errno)))
    }
    _ = template.withUnsafeBufferPointer { buffer in buffer.baseAddress.map { unlink($0) } }
  }

  deinit {
    for descriptor in descriptors { close(descriptor) }
    close(copy)
  }

  /// A descriptor of a plain file, kept open; nil if it cannot be opened.
  func open(_ path: String) -> Int32? {
    let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    descriptors.append(descriptor)
    return descriptor
  }

  /// Adds a chunk of a plain file; returns its number.
  func add(descriptor: Int32, offset: Int64) -> UInt32 {
    places.append(Place(descriptor: descriptor, offset: offset))
    return UInt32(places.count - 1)
  }

  /// Adds a chunk of a stream by copying it; returns its number.
  func add(copying bytes: UnsafeRawBufferPointer) throws(PipelineError) -> UInt32 {
    var written = 0
    while written < bytes.count {
      guard let base = bytes.baseAddress else { break }
      let count = pwrite(
        copy, base + written, bytes.count - written, off_t(copySize) + off_t(written))
      if count <= 0 {
        if count < 0, errno == EINTR { continue }
        throw .temporaryFile(folder: folder, reason: String(cString: strerror(errno)))
      }
      written += count
    }
    places.append(Place(descriptor: copy, offset: copySize))
    copySize += Int64(bytes.count)
    return UInt32(places.count - 1)
  }

  /// Reads what lies at and behind a place into `target`; the number of bytes read, at least those of the
  /// place unless it cannot be read.
  private func read(_ place: RawPlace, into target: UnsafeMutableRawPointer, atMost size: Int)
    -> Int
  {
    let chunk = places[Int(place.chunk)]
    var done = 0
    while done < Int(place.length) {
      let count = pread(
        chunk.descriptor, target + done, size - done,
        off_t(chunk.offset) + off_t(place.offset) + off_t(done))
      if count <= 0 {
        if count < 0, errno == EINTR { continue }
        return 0
      }
      done += count
    }
    return done
  }

  /// Lines near each other, read at once: those of one notification mostly stand together. One per
  /// thread.
  final class Window {
    private var memory = UnsafeMutableRawPointer.allocate(
      byteCount: Window.size + Window.padding, alignment: 16)
    private var capacity = Window.size
    private var chunk = UInt32.max
    private var offset = 0
    private var count = 0
    /// What is read at least: a run of an extension writes less.
    private static let size = 2048
    /// Bytes that a parser may read behind a line.
    private static let padding = 64

    deinit { memory.deallocate() }

    /// A line, valid until the next call; nil if it cannot be read.
    func line(_ place: RawPlace, of raw: RawLines) -> UnsafeRawBufferPointer? {
      guard Int(place.chunk) < raw.places.count else { return nil }
      let length = Int(place.length)
      let start = Int(place.offset) - offset
      if place.chunk == chunk, start >= 0, start + length <= count {
        return UnsafeRawBufferPointer(start: memory + start, count: length)
      }
      if capacity < length {
        memory.deallocate()
        capacity = length * 2
        memory = .allocate(byteCount: capacity + Window.padding, alignment: 16)
      }
      chunk = .max
      count = raw.read(place, into: memory, atMost: max(length, Window.size))
      guard count >= length else { return nil }
      chunk = place.chunk
      offset = Int(place.offset)
      return UnsafeRawBufferPointer(start: memory, count: length)
    }
  }

  /// Forgets the chunks of the batch that is done; open files stay open.
  func removeChunks() {
    places.removeAll(keepingCapacity: true)
    copySize = 0
    _ = ftruncate(copy, 0)
  }
}
