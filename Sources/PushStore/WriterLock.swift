import Foundation
import Glibc

/// The right to write into a database, from what a program reads of it first to its last commit.
///
/// SQLite's own lock is held for one transaction only. What an ingest builds on (numbers of sources, of
/// blocks, of words, tokens) is read before its first one, so two of them at once would write over each
/// other. A file beside the database is locked for as long, and says who holds it; the system releases
/// the lock of a process that is killed.
final class WriterLock {
  private let path: String
  private let descriptor: Int32

  /// How long it is waited for, and between two tries, microseconds.
  private static let longestWait: UInt32 = 5_000_000
  private static let pause: UInt32 = 50_000

  /// Waits for another writer for five seconds; nil where no file can be made, and SQLite has its
  /// own say.
  init?(database: String) throws(StoreError) {
    let path = URL(fileURLWithPath: database).resolvingSymlinksInPath().path + "-writer"
    var waited: UInt32 = 0
    while true {
      let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
      guard descriptor >= 0 else { return nil }
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 {
        // Its holder removes the file at its end: the lock must be of the one that is there now.
        var own = stat()
        var current = stat()
        if fstat(descriptor, &own) == 0, stat(path, &current) == 0, own.st_ino == current.st_ino {
          self.path = path
          self.descriptor = descriptor
          tellHolder()
          return
        }
        close(descriptor)
        continue
      }
      let reason = errno
      let holder = WriterLock.holder(descriptor)
      close(descriptor)
      // Some file systems know no locks.
      guard reason == EWOULDBLOCK || reason == EINTR else { return nil }
      guard waited < WriterLock.longestWait else {
        throw StoreError(.locked, message: holder, path: database)
      }
      usleep(WriterLock.pause)
      waited += WriterLock.pause
    }
  }

  deinit {
    unlink(path)
    close(descriptor)
  }

  private func tellHolder() {
    let words = CommandLine.arguments.prefix(2)
    let program = words.first.map { ($0 as NSString).lastPathComponent } ?? ""
    let command = ([program] + words.dropFirst()).joined(separator: " ")
    let since = Date().formatted(.iso8601)
    let text = Array("process \(getpid()) (\(command)) is writing to it since \(since)".utf8)
    _ = ftruncate(descriptor, 0)
    _ = pwrite(descriptor, text, text.count, 0)
  }

  private static func holder(_ descriptor: Int32) -> String {
    var text = [UInt8](repeating: 0, count: 512)
    let count = pread(descriptor, &text, text.count, 0)
    return count > 0
      ? String(decoding: text[..<count], as: UTF8.self) : "another program is writing to it"
  }
}
