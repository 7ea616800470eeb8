import Foundation
import TestSupport
import Testing

@Test func explainAnswersEveryKindOfName() throws {
  // One of each table, with a word that its page has to have.
  let names = [
    ("BadDeviceToken", "token_env_mismatch"), ("410", "Unregistered"),
    ("apns-expiration", "Unix seconds"), ("aps.mutable-content", "number 1"),
    ("com.apple.usernotifications.service", "wrong_extension_point"), ("101", "media-file"),
    ("-1022", "ats_blocked"), ("0xbaadca11", "voip_not_reported"), ("jetsam", "ext_memory"),
    ("host-opened", "completed_before_open"), ("true_predicate", "F12.5"), ("F4.20", "30 s"),
    ("location", ".location-query"), ("SomethingQuiteNew", "in no table"),
    ("FeatureNotEnabled", "developer site"),
  ]
  for (name, word) in names {
    let run = try BuiltProgram.pushtriage.run(["explain", name])
    #expect(run.exitCode == 0, "\(name): \(run.error)")
    #expect(run.output.contains(word), "\(name): \(run.output)")
    #expect(run.error.isEmpty)
  }
}

@Test func aMistypedNameGetsTheNearestOnes() throws {
  let run = try BuiltProgram.pushtriage.run(["explain", "content_handler_nevr"])
  #expect(run.exitCode == 1)
  #expect(run.output.isEmpty)
  #expect(run.error.contains("content_handler_never"))
  #expect(run.error.contains("--list"))
}

@Test func theListOfExplanationsHasEverything() throws {
  let run = try BuiltProgram.pushtriage.run(["explain", "--list"])
  #expect(run.exitCode == 0)
  for word in [
    "media", "live-activity-start", "handler-timing", "os_bug", "Unregistered", "apns-topic",
    "aps.alert", "com.apple.share-services", "UNErrorDomain 102", "0x8badf00d",
  ] {
    #expect(run.output.contains(word), "\(word)")
  }
  let conflict = try BuiltProgram.pushtriage.run(["explain", "media", "--list"])
  #expect(conflict.exitCode == 64)
  let missing = try BuiltProgram.pushtriage.run(["explain", "--case"])
  #expect(missing.exitCode == 64)
  let other = try BuiltProgram.pushtriage.run(["explain", "BadTopic", "--case"])
  #expect(other.exitCode == 1)
  #expect(other.error.contains("live-activity-start"))
}

/// The two own logs that a printed example would have left.
private func logs(of caseFile: String) throws -> (send: String, events: [String]) {
  let root = try JSONSerialization.jsonObject(with: Data(caseFile.utf8)) as? [String: Any]
  let evidence = try #require(root?["evidence"] as? [String: Any])
  let given = try #require(evidence["send"] as? [String: Any])
  var send: [String: Any] = ["ts": given["sent_at"] ?? "", "status": 200]
  for key in ["provider", "environment", "headers", "payload", "token_kind"] {
    send[key] = given[key]
  }
  send["device_token"] = given["token"]
  if given["token"] != nil { send["installation_id"] = "phone-1" }
  let payload = given["payload"] as? [String: Any]
  let id = payload?["notification_id"] as? String ?? "example-1"
  send["notification_id"] = id
  var lines: [String] = []
  for (place, event) in ((evidence["events"] as? [[String: Any]]) ?? []).enumerated() {
    lines.append(
      try line([
        "ts": event["ts"] ?? "", "event": event["event"] ?? "", "attrs": event["attrs"] ?? [:],
        "device_id": "phone-1", "notification_id": id, "seq": place + 1,
        "bundle_id": "com.example.courier", "app_version": "1.0",
      ]))
  }
  return (try line(send), lines)
}

private func line(_ object: [String: Any]) throws -> String {
  String(
    decoding: try JSONSerialization.data(withJSONObject: object, options: [.sortedKeys]),
    as: UTF8.self)
}

@Test(arguments: [
  "alert", "media", "communication", "reply", "custom-view", "time-sensitive", "critical",
  "background", "live-activity-start", "live-activity-update", "live-activity-end", "voip",
  "location", "complication", "fileprovider", "mdm", "pushtotalk", "widgets", "controls",
  "broadcast",
])
func theExampleOfAKindOfPushIsAsMeantOnceIngested(_ id: String) throws {
  let shown = try BuiltProgram.pushtriage.run(["explain", id, "--case"])
  #expect(shown.exitCode == 0, "\(shown.error)")
  let logs = try logs(of: shown.output)
  let folder = try ScratchFolder()
  try Data((logs.send + "\n").utf8).write(to: folder.url.appending(path: "send.ndjson"))
  var files = ["send.ndjson"]
  if !logs.events.isEmpty {
    try Data((logs.events.joined(separator: "\n") + "\n").utf8).write(
      to: folder.url.appending(path: "device.ndjson"))
    files.append("device.ndjson")
  }
  let ingest = try BuiltProgram.pushtriage.run(["ingest"] + files, in: folder.url)
  #expect(ingest.exitCode == 0, "\(ingest.error)")
  let run = try BuiltProgram.pushtriage.run(
    ["query", "verdicts", "--format", "ndjson"], in: folder.url)
  let verdicts = run.output.split(separator: "\n")
  #expect(verdicts.count == 1, "\(run.output)")
  let verdict =
    try JSONSerialization.jsonObject(with: Data((verdicts.first ?? "").utf8)) as? [String: Any]
  #expect(verdict?["step"] is NSNull || verdict?["step"] == nil, "\(run.output)")
  #expect(verdict?["cause"] is NSNull || verdict?["cause"] == nil, "\(run.output)")
  #expect((verdict?["undetermined"] as? Bool) == false, "\(run.output)")
}

@Test func aHandoffIsJoinedByItsJobAndJudged() throws {
  let names = [
    "handoff.activated", "handoff.items_loaded", "handoff.staged", "handoff.mailbox_written",
    "handoff.open_requested", "handoff.open_result", "handoff.completed", "handoff.url_received",
    "handoff.mailbox_read", "handoff.drained",
  ]
  /// Ten records of one job; every second one by the app's other process, the extension.
  func log(job: String, without missing: String? = nil, day: Int) throws -> [String] {
    var lines: [String] = []
    for (place, name) in names.enumerated() where name != missing {
      var attrs: [String: Any] = ["job_id": job]
      if name == "handoff.items_loaded" || name == "handoff.staged" { attrs["items"] = 1 }
      if name == "handoff.staged" { attrs["in_group"] = true }
      if name == "handoff.open_result" { attrs["opened"] = true }
      lines.append(
        try line([
          "ts": "2026-01-0\(day)T10:00:0\(place)Z", "event": name, "attrs": attrs,
          "device_id": "phone-1", "seq": (day - 1) * 100 + lines.count + 1,
          "bundle_id": place < 7 ? "com.example.courier.share" : "com.example.courier",
        ]))
    }
    // The app goes on: a heartbeat two minutes later shows that nothing is missing.
    lines.append(
      try line([
        "ts": "2026-01-0\(day)T10:02:00Z", "event": "device.heartbeat", "device_id": "phone-1",
        "seq": (day - 1) * 100 + lines.count + 1, "bundle_id": "com.example.courier",
      ]))
    return lines
  }
  let folder = try ScratchFolder()
  let lines = try log(job: "job-1", day: 1) + log(job: "job-2", without: names[6], day: 2)
  try Data((lines.joined(separator: "\n") + "\n").utf8).write(
    to: folder.url.appending(path: "device.ndjson"))
  let ingest = try BuiltProgram.pushtriage.run(["ingest", "device.ndjson"], in: folder.url)
  #expect(ingest.exitCode == 0, "\(ingest.error)")
  let run = try BuiltProgram.pushtriage.run(
    ["query", "verdicts", "--format", "ndjson"], in: folder.url)
  var found: [String: String] = [:]
  for text in run.output.split(separator: "\n") {
    let verdict = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
    found[verdict?["notification_id"] as? String ?? ""] = verdict?["cause"] as? String ?? "none"
  }
  #expect(found == ["job-1": "none", "job-2": "request_not_completed"], "\(run.output)")
}
