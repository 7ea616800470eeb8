import Foundation
import PushStore
import TestSupport
import Testing

/// One connection at a time is open for writing: what a run builds on is read before its first transaction.
@Suite struct WriterLockTests {
  private let folder: ScratchFolder
  private var path: String { folder.path + "/push.db" }

  init() throws { folder = try ScratchFolder() }

  @Test func aSecondWriterIsToldWhoHoldsIt() throws {
    let first = try Database(path: path, mode: .write)
    let error = #expect(throws: StoreError.self) { try Database(path: path, mode: .write) }
    #expect(error?.kind == .locked)
    #expect(
      error?.message.contains("process \(ProcessInfo.processInfo.processIdentifier) (") == true)
    // Readers do not wait.
    _ = try Database(path: path, mode: .read)
    withExtendedLifetime(first) {}
  }

  @Test func theSameFileByAnotherNameIsLockedToo() throws {
    let other = folder.path + "/other.db"
    let first = try Database(path: path, mode: .write)
    try FileManager.default.createSymbolicLink(atPath: other, withDestinationPath: path)
    #expect(throws: StoreError.self) { try Database(path: other, mode: .write) }
    withExtendedLifetime(first) {}
  }

  /// Also after a holder that was killed and left its file behind.
  @Test func itIsFreeAgainAfterwards() throws {
    do { _ = try Database(path: path, mode: .write) }
    #expect(!FileManager.default.fileExists(atPath: path + "-writer"))
    try Data("process 1 (pushtriage ingest)".utf8).write(to: URL(fileURLWithPath: path + "-writer"))
    _ = try Database(path: path, mode: .write)
  }

  /// A writer that waits begins when the one before it is done, without an error.
  @Test func aWaitingWriterComesNext() async throws {
    let path = path
    var first: Database? = try Database(path: path, mode: .write)
    let second = Task.detached { try Database(path: path, mode: .write).path }
    try await Task.sleep(for: .milliseconds(300))
    withExtendedLifetime(first) {}
    first = nil
    #expect(try await second.value == path)
  }
}
