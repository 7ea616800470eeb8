import PushModel
import Queries

/// The schema and its migrations: files `Queries/schema/vNNN_….sql`, in order, never edited after a
/// release, only added to.
enum Schema {
  /// "push" in ASCII; tells a database of this tool from any other.
  static let applicationID: Int64 = 0x7075_7368

  /// Number and text of each migration, in order.
  static var migrations: [(version: Int, sql: String)] {
    QueryCatalogue.files.compactMap { file in
      guard file.path.hasPrefix("schema/v"), file.path.hasSuffix(".sql") else { return nil }
      let digits = file.path.dropFirst("schema/v".count).prefix(3)
      return Int(digits).map { ($0, file.text) }
    }.sorted { $0.version < $1.version }
  }

  /// The version that a new database begins with; what is older is read no longer.
  static var oldest: Int { migrations.first?.version ?? 0 }

  /// Version of a database that has all of them.
  static var newest: Int { migrations.last?.version ?? 0 }

  /// Runs what is missing, each migration in one transaction with the number that records it.
  static func migrate(_ database: Database, from version: Int) throws(StoreError) {
    for migration in migrations where migration.version > version {
      try database.execute("BEGIN IMMEDIATE")
      do {
        try database.execute(migration.sql)
        if migration.version == oldest { try fillWords(database) }
        try database.execute("PRAGMA application_id = \(applicationID)")
        try database.execute("PRAGMA user_version = \(migration.version)")
        try database.execute("COMMIT")
      } catch {
        try? database.execute("ROLLBACK")
        throw error
      }
    }
    if version > 0 { try fillWords(database) }
  }

  /// The words of timelines; later versions of the program only add to them.
  private static func fillWords(_ database: Database) throws(StoreError) {
    let count = try database.scalar("SELECT count(*) FROM word") ?? 0
    guard count < Int64(Word.allCases.count) else { return }
    // A file whose words have other numbers would be read wrongly.
    let known = try database.prepare("SELECT code, text FROM word")
    while try known.step() {
      let code = Int(known.integer(0))
      guard code < Word.allCases.count, Word.allCases[code].rawValue == known.text(1) else {
        throw StoreError(
          .damaged, message: "its word \(code) is not the one that this program knows",
          path: database.path)
      }
    }
    let insert = try database.prepare("INSERT OR IGNORE INTO word (code, text) VALUES (?1, ?2)")
    for word in Word.allCases {
      insert.bind(1, Int64(word.ordinal))
      insert.bind(2, word.rawValue)
      try insert.run()
    }
  }
}
