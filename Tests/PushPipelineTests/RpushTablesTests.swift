import CSQLite
import Foundation
import PushIngest
import PushPipeline
import TestSupport
import Testing

/// rpush's tables in a SQLite file give what their dump as CSV gives, and nothing else is looked at.
@Suite struct RpushTablesTests {
  private let formats: FormatFiles
  private var file: String { formats.folder.path + "/production.sqlite3" }

  init() throws { formats = try FormatFiles() }

  private func make(_ statements: [String]) throws {
    var database: OpaquePointer?
    try #require(sqlite3_open(file, &database) == SQLITE_OK)
    defer { sqlite3_close(database) }
    for statement in statements {
      var message: UnsafeMutablePointer<CChar>?
      let code = sqlite3_exec(database, statement, nil, nil, &message)
      try #require(code == SQLITE_OK, "\(message.map { String(cString: $0) } ?? "")")
    }
  }

  /// The rows of `Tests/Formats/rpush.csv` that are whole, as rpush's migrations type them.
  private static let tables = [
    """
    CREATE TABLE rpush_apps (id INTEGER PRIMARY KEY, name TEXT, environment TEXT, certificate TEXT,
      password TEXT, bundle_id TEXT, apn_key TEXT)
    """,
    "INSERT INTO rpush_apps VALUES (1, 'courier', 'production', 'PEM-OF-A-TEAM', 'pass', 'b', 'KEY')",
    "CREATE TABLE rpush_feedback (id INTEGER PRIMARY KEY, device_token TEXT, failed_at datetime)",
    """
    CREATE TABLE rpush_notifications (id INTEGER PRIMARY KEY, badge INTEGER, device_token TEXT,
      sound TEXT, alert TEXT, data TEXT, expiry INTEGER DEFAULT 86400, delivered boolean,
      delivered_at datetime, failed boolean, failed_at datetime, error_code INTEGER,
      error_description TEXT, created_at datetime, updated_at datetime, type TEXT, app_id INTEGER,
      retries INTEGER DEFAULT 0, content_available boolean, mutable_content boolean, thumb BLOB)
    """,
    """
    INSERT INTO rpush_notifications (id, type, app_id, device_token, alert, data, delivered,
      delivered_at, failed, failed_at, error_code, error_description, retries, content_available,
      mutable_content, created_at, thumb) VALUES
    (914, 'Rpush::Client::ActiveRecord::Apnsp8::Notification', 1,
      '46509a0312bcebd9c24cc006547bdc1946951ab1a308516ab4339fc93154ef78', 'Hi',
      '{"headers":{"apns-priority":"5"},"__rpush_mutable_content__":true}', 1,
      '2026-03-01 10:00:01', 0, NULL, NULL, NULL, 0, 0, NULL, '2026-03-01 09:59:58.100000', NULL),
    (912, 'Rpush::Client::ActiveRecord::Apnsp8::Notification', 1,
      '46509a0312bcebd9c24cc006547bdc1946951ab1a308516ab4339fc93154ef78', 'Your parcel moved',
      '{"order":48213}', 't', '2026-03-01 10:00:00.220000', 'f', NULL, NULL, NULL, 0, 'f', 't',
      '2026-03-01 09:59:58.100000', x'00ff'),
    (913, 'Rpush::Client::ActiveRecord::Apnsp8::Notification', 1,
      '51c435c3a019fe20a9d5fc60012b9a81865c2228dc42ea9d62af58162667162b',
      'Your parcel' || char(10) || 'moved, again', '{"order":48214}', 'f', NULL, 't',
      '2026-03-01 10:00:00.390000', 400, 'BadDeviceToken', 2, 'f', 't',
      '2026-03-01 09:59:58.100000', NULL),
    (915, 'Rpush::Client::ActiveRecord::Gcm::Notification', 1, NULL, 'x', NULL, 't',
      '2026-03-01 10:00:00', 'f', NULL, NULL, NULL, 0, 'f', 't', '2026-03-01 09:59:58', NULL)
    """,
  ]

  private func records(_ path: String) throws -> (lines: [String], source: DryRun.Source?) {
    var lines: [String] = []
    let result = try DryRun.run(formats.options([path], "none")) {
      lines.append($0.replacingOccurrences(of: path, with: "file"))
    }
    #expect(result.problems == [])
    return (lines, result.sources.first)
  }

  @Test func theTableGivesWhatItsDumpGives() throws {
    try make(Self.tables)
    let before = try FileManager.default.contentsOfDirectory(atPath: formats.folder.path).sorted()
    let found = try records(file)
    #expect(found.source?.format == "rpush")
    #expect(found.source?.skipped == 2)
    #expect(found.source?.noted == 0)
    #expect(found.lines.count == 3)
    // A dump of one table knows nothing of the app.
    let ofApp = #""environment":"production","topic":"b","#
    #expect(found.lines.allSatisfy { $0.contains(ofApp) })
    #expect(
      found.lines.map { $0.replacing(ofApp, with: "") }
        == (try records(FormatFiles.path("Tests/Formats/rpush.csv")).lines))
    let after = try FileManager.default.contentsOfDirectory(atPath: formats.folder.path).sorted()
    #expect(after == before)
  }

  @Test func secretsOfOtherTablesStayWhereTheyAre() throws {
    try make(Self.tables)
    let summary = try IngestRun.run(formats.options([file], "stored"))
    #expect(summary.kept == 3)
    let bytes = try Data(contentsOf: URL(fileURLWithPath: formats.database("stored")))
    for secret in ["PEM-OF-A-TEAM", "46509a0312bcebd9", "Your parcel"] {
      #expect(bytes.range(of: Data(secret.utf8)) == nil, "\(secret)")
    }
    // Unchanged it is known; changed it adds what is new.
    #expect(try IngestRun.run(formats.options([file], "stored")).kept == 0)
    try make([
      "UPDATE rpush_notifications SET id = 917, delivered_at = '2026-03-01 10:00:09' WHERE id = 912"
    ])
    #expect(try IngestRun.run(formats.options([file], "stored")).kept == 1)
  }

  @Test func appsAndFeedbackSayWhatIsNoSecret() throws {
    let real = Self.tables.filter { !$0.contains("rpush_apps") && !$0.contains("rpush_feedback") }
    try make(
      real + [
        """
        CREATE TABLE rpush_apps (id INTEGER PRIMARY KEY, name TEXT, environment TEXT,
          certificate TEXT, password TEXT, bundle_id TEXT, apn_key TEXT, apn_key_id TEXT,
          team_id TEXT, auth_key TEXT)
        """,
        """
        INSERT INTO rpush_apps VALUES (1, 'courier', 'development', 'PEM-OF-A-TEAM', 'pass-word',
          'com.example.courier', 'KEY-OF-A-TEAM', 'K123456789', 'ABCDE12345', 'AUTH-KEY')
        """,
        """
        CREATE TABLE rpush_feedback (id INTEGER PRIMARY KEY, device_token TEXT, failed_at datetime,
          app_id INTEGER)
        """,
        """
        INSERT INTO rpush_feedback (device_token, failed_at, app_id) VALUES
        ('51c435c3a019fe20a9d5fc60012b9a81865c2228dc42ea9d62af58162667162b', '2026-02-27 08:00:00', 1),
        ('51c435c3a019fe20a9d5fc60012b9a81865c2228dc42ea9d62af58162667162b', '2026-02-28 09:30:00.5', 1),
        ('51c435c3a019fe20a9d5fc60012b9a81865c2228dc42ea9d62af58162667162b', '2026-02-28 23:00:00', 2),
        ('46509a0312bcebd9c24cc006547bdc1946951ab1a308516ab4339fc93154ef78', '2026-02-28 09:00:00', 1)
        """,
      ])
    let lines = try records(file).lines
    // One row a notification, whatever stands in the other tables.
    #expect(lines.count == 3)
    for line in lines {
      for fact in [
        #""environment":"sandbox""#, #""topic":"com.example.courier""#,
        #""key_id":"K123456789""#, #""team_id":"ABCDE12345""#,
      ] { #expect(line.contains(fact), "\(fact) not in \(line)") }
    }
    let refused = try #require(lines.first { $0.contains("BadDeviceToken") })
    #expect(refused.contains(#""unregistered_at":"2026-02-28T09:30:00.500000Z""#), "\(refused)")
    // What was delivered is not said to have failed.
    #expect(lines.filter { $0.contains("unregistered_at") } == [refused])
    _ = try IngestRun.run(formats.options([file], "apps"))
    let bytes = try Data(contentsOf: URL(fileURLWithPath: formats.database("apps")))
    for secret in ["PEM-OF-A-TEAM", "pass-word", "KEY-OF-A-TEAM", "AUTH-KEY"] {
      #expect(bytes.range(of: Data(secret.utf8)) == nil, "\(secret)")
    }
  }

  @Test func rowsOfALogBesideItAreReadToo() throws {
    var database: OpaquePointer?
    try #require(sqlite3_open(file, &database) == SQLITE_OK)
    defer { sqlite3_close(database) }
    for statement in ["PRAGMA journal_mode = WAL"] + Self.tables {
      try #require(sqlite3_exec(database, statement, nil, nil, nil) == SQLITE_OK)
    }
    #expect(FileManager.default.fileExists(atPath: file + "-wal"))
    #expect(try records(file).lines.count == 3)
  }

  @Test(
    "a database without the table is named with what to do",
    arguments: [
      "CREATE TABLE users (id INTEGER PRIMARY KEY)",
      "CREATE VIEW rpush_notifications AS SELECT 1 AS id, 't' AS delivered",
    ])
  func others(statement: String) throws {
    try make([statement])
    let result = try DryRun.run(formats.options([file], "none"))
    #expect(result.sources.isEmpty)
    let problem = try #require(result.problems.first)
    #expect(problem.reason == "is a SQLite database without a table rpush_notifications, not a log")
    #expect(problem.advice.contains("sqlite3 -header -csv"))
  }
}
