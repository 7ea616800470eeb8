import Foundation
import TestSupport
import Testing

private struct Answer: Decodable {
  struct Verdict: Decodable {
    var step: String?
    var cause: String?
    var undetermined: Bool
    var needs: [String]
    var confidence: String?
  }
  struct Cause: Decodable {
    var id: String
    var step: String
    var confidence: String
    var support: [String]
  }
  struct Step: Decodable {
    var step: String
    var outcome: String
    var needs: [String]
  }
  var version: Int
  var verdict: Verdict
  var causes: [Cause]
  var steps: [Step]
}

/// Runs `check` on files that are written first.
private func check(
  _ words: [String], files: [String: String]
) throws -> (run: BuiltProgram.Run, answer: Answer?) {
  let scratch = try ScratchFolder()
  for (name, text) in files {
    try Data(text.utf8).write(to: scratch.url.appending(path: name))
  }
  let run = try BuiltProgram.pushtriage.run(["check"] + words, in: scratch.url)
  return (run, try? JSONDecoder().decode(Answer.self, from: Data(run.output.utf8)))
}

@Test func aCaseFileGivesAVerdictInTheStatedShape() throws {
  let text = """
    {"evidence":{"extensions":[{"kind":"service","min_os":"17.2"}],"device":{"os":"16.5"},
    "symptom":"plain-instead-of-rich"}}
    """
  let (run, answer) = try check(["case.json", "--format", "json"], files: ["case.json": text])
  #expect(run.exitCode == 0)
  #expect(run.error == "")
  let found = try #require(answer)
  #expect(found.version == 1)
  #expect(found.verdict.step == "extension-minimum-os")
  #expect(found.verdict.cause == "ext_min_os")
  #expect(!found.verdict.undetermined)
  #expect(["certain", "likely"].contains(found.verdict.confidence))
  #expect(found.causes.first?.id == "ext_min_os")
  #expect(found.causes.first?.support.isEmpty == false)
  #expect(found.steps.contains { $0.step == "extension-minimum-os" && $0.outcome == "broken" })
}

@Test func withoutTheDecidingPartItAsksForIt() throws {
  let text = """
    {"evidence":{"extensions":[{"kind":"service","min_os":"17.2"}],
    "symptom":"plain-instead-of-rich"}}
    """
  let (_, answer) = try check(["case.json", "--format", "json"], files: ["case.json": text])
  let found = try #require(answer)
  #expect(found.verdict.cause == nil && found.verdict.undetermined)
  #expect(
    found.steps.contains { $0.step == "extension-minimum-os" && $0.needs.contains("device.os") })
  #expect((1...6).contains(found.verdict.needs.count))
}

@Test func aWrongTypeNamesItsPath() throws {
  let text = #"{"evidence":{"send":{"headers":{"apns-priority":[10]}}}}"#
  let (run, _) = try check(["case.json"], files: ["case.json": text])
  #expect(run.exitCode == 1)
  #expect(run.output == "")
  #expect(run.error.contains("'evidence.send.headers.apns-priority' is an array"))
  #expect(run.error.contains("case.json"))
  #expect(run.error.contains("expected a number or a string"))
}

@Test func aFaultNamesItsLine() throws {
  let wrong = """
    {"evidence": {
      "send": {
        "headers": {"apns-topic": "com.example.courier",
          "apns-priority": true}
      }
    }}
    """
  #expect(try check(["case.json"], files: ["case.json": wrong]).run.error.contains("case.json:4"))
  let broken: [(String, Int, String)] = [
    ("{\n\"evidence\": {\n},\n}", 4, "a comma stands before '}'"),
    ("{\n\"evidence\": {}\n\"title\": 1}", 3, "',' or '}' is expected"),
    ("{\"evidence\": {\"symptom\": no-image}}", 1, "without quotes"),
    ("{\"evidence\": {\n\"symptom\": \"late}}", 2, "not closed"),
    ("{\"evidence\": {}", 1, "the text ends"),
  ]
  for (text, line, reason) in broken {
    let error = try check(["case.json"], files: ["case.json": text]).run.error
    #expect(error.contains("case.json:\(line)"), "\(error)")
    #expect(error.contains(reason), "\(error)")
  }
}

@Test func headersThatAreNoneAreRefused() throws {
  let (run, _) = try check(["--headers", "p.json"], files: ["p.json": #"{"aps":{"alert":"x"}}"#])
  #expect(run.exitCode == 1)
  #expect(run.error.contains("'p.json' holds no header"))
  #expect(run.error.contains("--payload"))
}

@Test func aWordThatIsReadAsNothingIsNoted() throws {
  let text = #"{"evidence":{"symptom":"no image","send":{"sent_at":"yesterday"}}}"#
  let (run, _) = try check(["case.json"], files: ["case.json": text])
  #expect(run.exitCode == 0)
  #expect(run.error.contains("evidence.symptom 'no image' is not known"))
  #expect(run.error.contains("evidence.send.sent_at is no time"))
}

@Test func whatABuiltAppAndALogSayIsReadTogetherWithTheComparison() throws {
  let log = """
    {"ts":"2026-03-01T10:00:00Z","event":"app.categories","attrs":{"identifiers":["JOB"],\
    "actions":{"JOB":["TAKE","PASS","CALL"]}}}
    """
  let seen = """
    {"evidence":{"symptom":"no-actions","payload":{"aps":{"alert":"New job","category":"JOB"}},
    "observed":[{"with":{"action":"PASS"},"actions":true},{"with":{"action":"CALL"},"actions":false}]}}
    """
  let (_, buttons) = try check(
    ["case.json", "--log", "app.ndjson", "--format", "json"],
    files: ["case.json": seen, "app.ndjson": log])
  #expect(buttons?.verdict.cause == "actions_too_many")
  #expect(buttons?.verdict.step == "actions-offered")

  let facts = """
    {"bundle_id":"com.example.courier","extensions":[{"file":"Share.appex","kind":"share",
    "info":{"NSExtension":{"NSExtensionPointIdentifier":"com.apple.share-services",
    "NSExtensionAttributes":{"NSExtensionActivationRule":
    {"NSExtensionActivationSupportsImageWithMaxCount":1}}}}}]}
    """
  let offered = """
    {"evidence":{"symptom":"other","observed":[
    {"with":{"handoff.items":2,"handoff.type":"public.heic"},"arrived":false}]}}
    """
  let (_, row) = try check(
    ["case.json", "--bundle", "facts.json", "--format", "json"],
    files: ["case.json": offered, "facts.json": facts])
  #expect(row?.verdict.cause == "activation_rule_mismatch")
  #expect(row?.verdict.step == "activation-rule")
}

@Test func headersAloneSayWhatTheyAre() throws {
  let text = "apns-push-type: background\napns-priority: 10\n"
  let (_, answer) = try check(["--headers", "h.txt", "--format", "json"], files: ["h.txt": text])
  let found = try #require(answer)
  #expect(found.verdict.cause == nil && found.verdict.undetermined)
  #expect(found.causes.map(\.id).contains("priority_background"))
  #expect(found.verdict.needs == ["send.payload"])
}

@Test func anUnknownKeyIsNotedAndTheRestIsRead() throws {
  let text = #"{"evidence":{"send":{"colour":"red","response":{"reason":"BadPath"}}}}"#
  let (run, answer) = try check(["case.json", "--format", "json"], files: ["case.json": text])
  #expect(run.exitCode == 0)
  #expect(run.error.contains("evidence.send.colour"))
  #expect(answer?.verdict.cause == "request_malformed")
}

@Test(arguments: ["", "{", "[1]", "{\"a\":1}", "\u{0}"])
func whatIsNoCaseFileIsRefused(_ text: String) throws {
  let (run, _) = try check(["case.json"], files: ["case.json": text])
  #expect(run.exitCode == 1)
  #expect(run.error.contains("case.json"))
  #expect(run.error.contains("error:"))
}

@Test func piecesMakeOneChain() throws {
  let headers = """
    > POST /3/device/740f4707bebcf74f9b7c25d48e3358945f6aa01da5ddb387462c7eaf61bb78ad HTTP/2
    > Host: api.push.apple.com
    > apns-topic: com.example.courier
    > apns-push-type: voip
    """
  let response = """
    HTTP/2 400
    apns-id: 1D6C3A0B-0E35-4F4A-9B3C-7A1B2C3D4E5F

    {"reason":"TopicDisallowed"}
    """
  let (run, answer) = try check(
    ["--headers", "h.txt", "--response", "r.txt", "--format", "json"],
    files: ["h.txt": headers, "r.txt": response])
  #expect(run.exitCode == 0)
  #expect(answer?.verdict.cause == "topic_suffix")
}

@Test func aPayloadAndALogAreReadTogether() throws {
  let log = """
    2026-03-01 10:00:00.100 SpringBoard(UserNotificationsServer)[57:1a2b] [com.example.courier] \
    Received remote notification request 1A2B-3C4D [ hasAlertContent: 1 hasMutableContent: 1 ]
    2026-03-01 10:00:00.101 kernel[0] something else altogether
    2026-03-01 10:00:02.000 kernel[0] EXC_RESOURCE -> PushService[812] exceeded mem limit: \
    ActiveHard 24 MB (fatal)
    """
  let (run, answer) = try check(
    [
      "--payload", "p.apns", "--log", "phone.log", "--symptom", "no-image", "--device-os", "17.4",
      "--format", "json",
    ],
    files: [
      "p.apns":
        #"{"aps":{"alert":"Hi","mutable-content":1},"image":"https://a.example.test/b.jpg"}"#,
      "phone.log": log,
    ])
  #expect(run.exitCode == 0)
  #expect(run.error.contains("2 of 3 lines"))
  #expect(answer?.verdict.cause == "ext_memory")
}

@Test func aWrongHeaderLineIsNamed() throws {
  let (run, _) = try check(
    ["--headers", "h.txt"], files: ["h.txt": "apns-topic: com.example.courier\nno colon here\n"])
  #expect(run.exitCode == 1)
  #expect(run.error.contains("line 2"))
}

@Test func nothingGivenIsWrongUse() throws {
  let (run, _) = try check([], files: [:])
  #expect(run.exitCode == 64)
  let (other, _) = try check(["--symptom", "purple"], files: [:])
  #expect(other.exitCode == 64)
  #expect(other.error.contains("plain-instead-of-rich"))
}

@Test func aCaseComesFromStandardInputToo() throws {
  let scratch = try ScratchFolder()
  let text = #"{"evidence":{"send":{"response":{"reason":"MissingTopic"}}}}"#
  try Data(text.utf8).write(to: scratch.url.appending(path: "case.json"))
  let program = BuiltProgram.buildFolder.appending(path: "pushtriage").path
  let run = try BuiltProgram(at: URL(fileURLWithPath: "/bin/sh")).run(
    ["-c", "'\(program)' check - --format json < case.json"], in: scratch.url)
  #expect(run.exitCode == 0)
  #expect(run.output.contains("\"cause\": \"topic_missing\""))
}

@Test func aBuiltAppIsLookedAt() throws {
  let plist = """
    <?xml version="1.0" encoding="UTF-8"?><plist version="1.0"><dict>
    <key>CFBundleIdentifier</key><string>com.example.courier.service</string>
    <key>CFBundlePackageType</key><string>XPC!</string>
    <key>MinimumOSVersion</key><string>17.0</string>
    <key>NSExtension</key><dict>
    <key>NSExtensionPointIdentifier</key><string>com.apple.usernotifications.service</string>
    <key>NSExtensionPrincipalClass</key><string>Service.NotificationService</string>
    </dict></dict></plist>
    """
  // F4.9: an extension above the phone's OS is not run; at its OS it is.
  for (os, cause) in [("16.4", "ext_min_os"), ("17.0", nil)] {
    let (run, answer) = try check(
      [
        "--bundle", "Info.plist", "--device-os", os, "--symptom", "plain-instead-of-rich",
        "--format", "json",
      ],
      files: ["Info.plist": plist])
    #expect(run.exitCode == 0, "\(run.error)")
    #expect(try #require(answer).verdict.cause == cause, "iOS \(os)")
  }
}

@Test func aMemoryReportIsReadAsALog() throws {
  let head =
    #"{"bug_type":"298","timestamp":"2026-03-01 11:00:04.00 +0100","#
    + #""os_version":"iPhone OS 18.3 (22D63)","incident_id":"B1B2C3D4-0000-4000-8000-0123456789AB"}"#
  let body =
    #"{"product":"iPhone15,2","date":"2026-03-01 11:00:04.12 +0100","#
    + #""memoryStatus":{"pageSize":16384},"processes":[{"name":"PushService","pid":812,"#
    + #""rpages":1540,"reason":"per-process-limit"}]}"#
  let (run, answer) = try check(
    ["--log", "JetsamEvent.ips", "--symptom", "no-image", "--format", "json"],
    files: ["JetsamEvent.ips": head + "\n" + body + "\n"])
  #expect(run.exitCode == 0, "\(run.error)")
  // F4.26, F4.27: a kill at the process's own limit.
  #expect(try #require(answer).verdict.cause == "ext_memory")
}

@Test func aLogOfSeveralNotificationsIsTakenApart() throws {
  let lines = [
    "SpringBoard: [com.example.courier] Received remote notification request 0319-FF7A "
      + "[ hasAlertContent: 1 hasMutableContent: 1 pushType: Alert ]",
    "SpringBoard: [com.example.courier] No valid extension available for bundle",
    "SpringBoard: [com.example.courier] Received remote notification request DC15-EBDB "
      + "[ hasAlertContent: 1 hasMutableContent: 1 pushType: Alert ]",
    "SpringBoard: [com.example.courier] Remote notification request DC15-EBDB can be modified: 0",
  ]
  let files = ["phone.log": lines.joined(separator: "\n") + "\n"]
  let words = ["--log", "phone.log", "--symptom", "plain-instead-of-rich", "--format", "json"]
  // The second one alone is broken: alerts are off for the app (F4.2).
  let (run, answer) = try check(words, files: files)
  #expect(run.error.contains("the logs hold 2 notifications"), "\(run.error)")
  #expect(try #require(answer).verdict.cause == "notifications_denied")
  #expect(run.output.contains("\"short_id\": \"0319-FF7A\""), "\(run.output)")
  // order-4711 is 0319-FF7A (F11.6); of a missing extension several causes are known.
  let (_, first) = try check(words + ["--id", "order-4711"], files: files)
  #expect(try #require(first).verdict.step == "extension-embedded")
  #expect(try #require(first).verdict.cause == nil)
  // The sender's headers choose as well.
  let (_, sent) = try check(
    words + ["--headers", "headers.txt"],
    files: files.merging(["headers.txt": "apns-collapse-id: order-4711\n"]) { $1 })
  #expect(try #require(sent).verdict.cause == nil)
  let (none, _) = try check(words + ["--id", "order-1"], files: files)
  #expect(none.exitCode == 1)
  #expect(none.error.contains("'order-1'"))
}
