import Glibc

/// Bytes that are read in ascending order, so that a member of an archive can serve too.
protocol ByteSource: AnyObject {
  /// Size in bytes if it is known beforehand.
  var sizeBytes: Int? { get }
  /// Up to `count` bytes from `offset`; fewer only at the end. An offset below that of the end of
  /// the last read is served only from the first 256 KiB.
  func read(at offset: Int, count: Int) throws(BundleProblem) -> [UInt8]
}

/// Bytes in memory.
final class MemorySource: ByteSource {
  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var sizeBytes: Int? { bytes.count }

  func read(at offset: Int, count: Int) throws(BundleProblem) -> [UInt8] {
    guard offset >= 0, count > 0, offset < bytes.count else { return [] }
    return Array(bytes[offset..<min(bytes.count, offset + count)])
  }
}

/// A file.
final class FileSource: ByteSource {
  private let descriptor: Int32
  private let place: String
  let sizeBytes: Int?

  /// `place` names the file in problems. Links are not followed.
  init(path: String, place: String, followsLink: Bool = false) throws(BundleProblem) {
    self.place = place
    descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | (followsLink ? 0 : O_NOFOLLOW))
    guard descriptor >= 0 else {
      throw BundleProblem(errno == ELOOP && !followsLink ? .link : .system(errno), at: place)
    }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      let code = errno
      close(descriptor)
      throw BundleProblem(.system(code), at: place)
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw BundleProblem(.notABundle, at: place)
    }
    sizeBytes = Int(status.st_size)
  }

  deinit { close(descriptor) }

  func read(at offset: Int, count: Int) throws(BundleProblem) -> [UInt8] {
    guard offset >= 0, count > 0, let sizeBytes, offset < sizeBytes else { return [] }
    let wanted = min(count, sizeBytes - offset)
    var failure: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: wanted) { buffer, filled in
      while filled < wanted {
        let got = pread(
          descriptor, buffer.baseAddress.map { $0 + filled }, wanted - filled,
          off_t(offset + filled))
        if got == 0 { break }
        if got < 0 {
          if errno == EINTR { continue }
          failure = errno
          break
        }
        filled += got
      }
    }
    if failure != 0 { throw BundleProblem(.system(failure), at: place) }
    return bytes
  }
}
