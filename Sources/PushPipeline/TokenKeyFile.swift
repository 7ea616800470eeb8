import Foundation
import Glibc
public import PushIngest
import PushModel

/// The key of a database's token digests: 16 bytes in a file beside it, mode 0600.
public enum TokenKeyFile {
  /// Path of the key file of a database.
  public static func path(ofDatabase path: String) -> String { path + "-key" }

  /// The key at a path; made if it is missing and `create` is set.
  public static func key(at path: String, create: Bool) throws(PipelineError) -> (
    key: TokenKey, name: String
  ) {
    if let data = FileManager.default.contents(atPath: path) {
      let bytes = Array(data)
      guard let key = TokenKey(bytes: bytes) else {
        throw .keyFile(path: path, reason: "it must hold 16 bytes and holds \(bytes.count)")
      }
      return (key, name(of: bytes))
    }
    guard create else { throw .keyFileMissing(path: path) }
    var generator = SystemRandomNumberGenerator()
    let bytes = (0..<16).map { _ in UInt8.random(in: 0...255, using: &generator) }
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw .keyFile(path: path, reason: String(cString: strerror(errno)))
    }
    defer { close(descriptor) }
    guard write(descriptor, bytes, 16) == 16, fsync(descriptor) == 0,
      let key = TokenKey(bytes: bytes)
    else { throw .keyFile(path: path, reason: String(cString: strerror(errno))) }
    return (key, name(of: bytes))
  }

  /// A name of a key that does not give it away.
  private static func name(of bytes: [UInt8]) -> String {
    String(StableHash.of("key " + bytes.map(String.init).joined(separator: ",")), radix: 16)
  }
}
