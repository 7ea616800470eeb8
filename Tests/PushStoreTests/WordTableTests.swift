import PushStore
import TestSupport
import Testing

/// Timelines hold words by their numbers, which the table `word` gives.
@Suite struct WordTableTests {
  private let folder: ScratchFolder
  private var path: String { folder.path + "/push.db" }

  init() throws {
    folder = try ScratchFolder()
    _ = try Database(path: folder.path + "/push.db", mode: .write)
  }

  private func change(_ sql: String) throws {
    try Database(path: path, mode: .write).execute(sql)
  }

  @Test(arguments: [Database.Mode.read, .write])
  func aFileWithWordsOfANewerProgramIsRefused(_ mode: Database.Mode) throws {
    try change("INSERT INTO word SELECT max(code) + 1, 'nse.of_tomorrow' FROM word")
    let error = #expect(throws: StoreError.self) { try Database(path: path, mode: mode) }
    guard case .tooNew? = error?.kind else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  /// An older file gets the words that it lacks, unless its own have other numbers.
  @Test func anOlderFileGetsTheWordsThatItLacks() throws {
    try change("DELETE FROM word WHERE code > 100")
    let database = try Database(path: path, mode: .write)
    let rows = try database.prepare("SELECT count(*) > 400, max(code) + 1 = count(*) FROM word")
    #expect(try rows.step())
    #expect(rows.integer(0) == 1 && rows.integer(1) == 1)
  }

  @Test func aFileWhoseWordsHaveOtherNumbersIsRefused() throws {
    try change("DELETE FROM word WHERE code > 100; UPDATE word SET text = 'x' WHERE code = 50")
    let error = #expect(throws: StoreError.self) { try Database(path: path, mode: .write) }
    #expect(error?.kind == .damaged)
  }
}
