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
  private let copy: Int32
  private var copySize: Int64 = 0

  init(folder: String) throws(PipelineError) {
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
        throw .temporaryFile(folder: "", reason: String(cString: strerror(errno)))
      }
      written += count
    }
    places.append(Place(descriptor: copy, offset: copySize))
    copySize += Int64(bytes.count)
    return UInt32(places.count - 1)
  }

  /// Reads a line into `target`, which must have room for it; false if it cannot be read.
  func read(_ place: RawPlace, into target: UnsafeMutableRawPointer) -> Bool {
    guard Int(place.chunk) < places.count else { return false }
    let chunk = places[Int(place.chunk)]
    var done = 0
    while done < Int(place.length) {
      let count = pread(
        chunk.descriptor, target + done, Int(place.length) - done,
        off_t(chunk.offset) + off_t(place.offset) + off_t(done))
      if count <= 0 {
        if count < 0, errno == EINTR { continue }
        return false
      }
      done += count
    }
    return true
  }

  /// Forgets the chunks of the batch that is done; open files stay open.
  func removeChunks() {
    places.removeAll(keepingCapacity: true)
    copySize = 0
    _ = ftruncate(copy, 0)
  }
}
