import Foundation
import PushPipeline
import PushStore
import TestSupport

/// Lines of one app on one phone in the two own formats, and the database that they go into.
struct HandWrittenLogs {
  let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  var databasePath: String { folder.path + "/push.db" }

  static let device = "5d2f7c1e-0001-4a7b-9c3d-000000000001"
  static let token = String(repeating: "a1", count: 32)
  static let otherToken = String(repeating: "b2", count: 32)

  /// Ingests one file with these lines.
  func ingest(_ name: String, _ lines: [String]) throws { try ingest([name: lines]) }

  /// Ingests files with these lines in one call.
  func ingest(_ files: [String: [String]]) throws {
    let inputs = try files.sorted(by: { $0.key < $1.key }).map { try write($0.key, $0.value) }
    _ = try IngestRun.run(IngestOptions(inputs: inputs, databasePath: databasePath))
  }

  /// Writes a file with these lines; returns its path.
  func write(_ name: String, _ lines: [String]) throws -> String {
    let path = folder.path + "/" + name
    try (lines.joined(separator: "\n") + "\n").write(
      toFile: path, atomically: true, encoding: .utf8)
    return path
  }

  /// Judgement, step, cause and stage of the only notification with an own id.
  func verdict(_ id: String = "n-1") throws -> [String] {
    let database = try Database(path: databasePath, mode: .read)
    let rows = try database.prepare(
      """
      SELECT judgement, coalesce(step, ''), coalesce(cause, ''), stage FROM notification
      WHERE notification_id = '\(id)'
      """)
    guard try rows.step() else { return [] }
    return [rows.text(1), rows.text(2), "\(rows.integer(0))", "\(rows.integer(3))"]
  }

  func send(
    _ at: String, id: String = "n-1", token: String = HandWrittenLogs.token, status: Int = 200,
    expiration: Int? = nil, topic: String = "com.example.courier", reason: String? = nil,
    aps: String = #""alert":{"title":"t","body":"b"},"mutable-content":1"#,
    rest: String = #","media-url":"https://media.example.com/a.jpg""#, expects: String = "null"
  ) -> String {
    """
    {"ts":"\(at)","status":\(status),"apns_id":"9f1c0000-0000-4000-8000-0000000000\(id.suffix(1))0",\
    "notification_id":"\(id)","device_token":"\(token)","installation_id":"\(Self.device)",\
    "environment":"production","topic":"\(topic)","push_type":"alert","priority":10,\
    \(expiration.map { #""expiration":\#($0),"# } ?? "")\(reason.map { #""reason":"\#($0)","# } ?? "")\
    "expects":\(expects),"payload":{"aps":{\(aps)}\(rest)}}
    """
  }

  func event(
    _ at: String, _ seq: Int, _ name: String, id: String? = "n-1", attributes: String = "",
    bundle: String = "com.example.courier", version: String = "5.3.0"
  ) -> String {
    let own = id.map { #""notification_id":"\#($0)","# } ?? ""
    return """
      {"ts":"\(at)","event":"\(name)","seq":\(seq),"log_id":"log1","device_id":"\(Self.device)",\
      \(own)"bundle_id":"\(bundle)","app_version":"\(version)","build":"5300",\
      "os_version":"18.1","device_model":"iPhone15,2","attrs":{\(attributes)}}
      """
  }

  func registered(_ at: String, _ seq: Int, _ token: String) -> String {
    event(
      at, seq, "app.registered", id: nil,
      attributes: #""device_token":"\#(token)","aps_environment":"production","kind":"alert""#)
  }
}
