import Foundation
import PushModel
import PushStore

/// The content of a database as text, table by table in key order: everything but where records
/// stand (sources, lines, blocks), the history of runs, and the index of ids, in which rows that moved
/// leave entries behind.
public enum DatabaseDump {
  /// One line a row.
  public static func lines(path: String) throws -> [String] {
    let database = try Database(path: path, mode: .read)
    var lines: [String] = []
    for (table, sql) in queries {
      let statement = try database.prepare(sql)
      while try statement.step() {
        var cells: [String] = []
        for column in 0..<statement.columnCount {
          switch statement.type(column) {
          case 5: cells.append("∅")
          case 4:
            cells.append(
              statement.blob(column).map { String($0, radix: 16) }.joined(separator: "."))
          default: cells.append(statement.text(column))
          }
        }
        lines.append(table + "|" + cells.joined(separator: "|"))
      }
      statement.reset()
    }
    return lines
  }

  /// The kept lines of all notifications, "id of the notification, line", in order of both.
  public static func keptLines(path: String) throws -> [String] {
    let database = try Database(path: path, mode: .read)
    let stored = StoredRows(database: database, pool: TextPool())
    let rows = try database.prepare(
      "SELECT id, raw_block FROM notification_row WHERE raw_block IS NOT NULL ORDER BY raw_block")
    var lines: [String] = []
    var block: (id: Int64, lines: [StoredLines.Line]) = (0, [])
    while try rows.step() {
      if rows.integer(1) != block.id {
        block = (rows.integer(1), try StoredLines(database).lines(block: rows.integer(1)))
      }
      let records = RecordSet()
      guard let row = try stored.notification(rows.integer(0), into: records) else { continue }
      let own = Set(
        row.sends.map { records.sends[Int($0)].reference }
          + row.events.map { records.events[Int($0)].reference })
      for line in block.lines where own.contains(line.reference) {
        lines.append("\(rows.integer(0)) \(line.text)")
      }
    }
    return lines.sorted()
  }

  private static let queries: [(String, String)] = [
    (
      "notification",
      """
      SELECT id, installation_id, sent_at, kind, meant, meant_by, judgement, step, cause, \
      confidence, stage, needs, link, replaced, covered, sends, events, status, reason, \
      environment, topic, campaign, app, app_version, build, os_version, device_model, \
      notification_id, apns_id, collapse_id, request_id, token, token_ends, download_us, handler_us \
      FROM notification ORDER BY id
      """
    ),
    (
      "send",
      "SELECT notification, place, sent_at, profile, payload_shape, details FROM send ORDER BY 1, 2"
    ),
    (
      "device_event",
      "SELECT notification, place, event, recorded_at, seq, attrs FROM device_event ORDER BY 1, 2"
    ),
    (
      "installation_event",
      """
      SELECT installation_day, place, event, recorded_at, seq, attrs FROM installation_event \
      ORDER BY 1, 2
      """
    ),
    (
      "installation_day",
      "SELECT id, installation_id, records, unlinked FROM installation_day ORDER BY id"
    ),
    ("step_outcome", "SELECT * FROM step_outcome ORDER BY 1, 2"),
    ("installation", "SELECT * FROM installation ORDER BY id"),
    (
      "installation_token",
      """
      SELECT token, installation_id, ends, kind, environment, first_at, last_at \
      FROM installation_token ORDER BY 1, 2
      """
    ),
    (
      "coverage",
      """
      SELECT installation_id, log, first_seq, last_seq, first_at, last_at, processes \
      FROM coverage ORDER BY 1, 2, 3, 5
      """
    ),
    ("waiting", "SELECT * FROM waiting_identifier ORDER BY 1, 2"),
    ("payload_shape", "SELECT * FROM payload_shape ORDER BY 1"),
    ("origin", "SELECT * FROM origin ORDER BY 1"),
    ("installed_app", "SELECT * FROM installed_app ORDER BY 1"),
    ("attribute_set", "SELECT * FROM attribute_set ORDER BY 1"),
    ("day_rollup", "SELECT * FROM day_rollup ORDER BY 1, 3, 2, 4, 5, 6, 7, 8, 9, 10"),
    ("day_phone", "SELECT * FROM day_phone ORDER BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10"),
    ("day_replaced", "SELECT * FROM day_replaced ORDER BY 1, 2, 3, 4, 5, 6, 7, 8"),
    (
      "release_installation",
      "SELECT * FROM release_installation ORDER BY 1, 2, 3, 4, 5, 6, 7, 8, 9"
    ),
    ("day_answer", "SELECT * FROM day_answer ORDER BY 1, 2, 3, 4, 5"),
    ("day_timing", "SELECT * FROM day_timing ORDER BY 1, 2, 3, 4, 5"),
    ("day_installation", "SELECT * FROM day_installation ORDER BY 1"),
    ("release_fact", "SELECT bundle, version, build, facts FROM release_fact ORDER BY 1, 2, 3"),
    (
      "ingest_note",
      "SELECT field, reason, is_line, count(*) FROM ingest_note GROUP BY 1, 2, 3 ORDER BY 1, 2, 3"
    ),
  ]
}
