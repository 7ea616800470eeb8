import Foundation
import TestSupport
import Testing

/// Numbers and times at the ends of what there is, in every field and in any order of files: whatever they
/// are taken for, no command may trap.
@Suite struct HostileNumbersTests {
  private static let numbers = [
    "0", "1", "-1", "2147483648", "-2147483649", "9007199254740993", "9223372036854775807",
    "-9223372036854775808", "1e300", "-1e300", "0.5",
  ]
  private static let times =
    ["-62135596800000", "253402300799999", "0", #""0001-01-01T00:00:00Z""#]
    + (-40..<40).map { "\(1_795_305_600_000 + $0 * 5_400_000)" }
  private static let names = [
    "nse.did_receive", "nse.handler.called", "nse.download.finished", "app.presented", "app.opened",
    "app.registered", "app.settings", "device.heartbeat", "app.background_launch",
    "handoff.mailbox_written", "handoff.url_received", "nse.crashed",
  ]
  private static let attributes = [
    "attempt", "process_uptime_ms", "elapsed_ms", "duration_ms", "bytes", "status", "attachments",
  ]

  private static func sends(_ generator: inout SeededGenerator) -> [String] {
    (0..<60).map { _ in
      let id = Int.random(in: 0..<20, using: &generator)
      var line = #"{"ts":\#(pick(times, &generator)),"status":\#(pick(["200", "429"], &generator))"#
      line += #","device_token":"\#(String(repeating: pick(["ab", "cd"], &generator), count: 32))""#
      line += #","notification_id":"n\#(id)","collapse_id":"c\#(id % 4)""#
      for key in ["priority", "expiration", "attempt", "jwt_issued_at", "duration_ms"] {
        line += #","\#(key)":\#(pick(numbers, &generator))"#
      }
      let badge = pick(numbers, &generator)
      return line + #","payload":{"aps":{"alert":"x","badge":\#(badge),"timestamp":\#(badge)}}}"#
    }
  }

  private static func events(_ generator: inout SeededGenerator) -> [String] {
    (0..<160).map { _ in
      let device = Int.random(in: 0..<4, using: &generator)
      let counter =
        Bool.random(using: &generator)
        ? pick(numbers, &generator) : "\(Int.random(in: 0..<50, using: &generator))"
      var line = #"{"ts":\#(pick(times, &generator)),"event":"\#(pick(names, &generator))""#
      line += #","seq":\#(counter),"log_id":"\#(pick(["a", "b"], &generator))""#
      line += #","device_id":"5d2f7c1e-0001-4a7b-9c3d-00000000000\#(device)""#
      line += #","bundle_id":"com.example.courier","app_version":"5.1.0","build":"1""#
      line += #","os_version":"18.1","device_model":"iPhone15,2""#
      line += #","notification_id":"n\#(Int.random(in: 0..<20, using: &generator))","attrs":{"#
      line += attributes.map { #""\#($0)":\#(pick(numbers, &generator))"# }.joined(separator: ",")
      return line + "}}"
    }
  }

  private static func pick(_ values: [String], _ generator: inout SeededGenerator) -> String {
    values.randomElement(using: &generator) ?? ""
  }

  /// SEED=n tries another one.
  @Test(arguments: [1, 2, 3, 4, 5])
  func noCommandTraps(_ number: UInt64) throws {
    let seed = ProcessInfo.processInfo.environment["SEED"].flatMap { UInt64($0) } ?? number
    var generator = SeededGenerator(seed: seed)
    let folder = try ScratchFolder()
    var files: [String] = []
    for (name, lines) in [("p", Self.sends(&generator)), ("d", Self.events(&generator))] {
      for part in 0..<2 {
        let file = "\(name)\(part).ndjson"
        let own = lines[(lines.count * part / 2)..<(lines.count * (part + 1) / 2)]
        try (own.joined(separator: "\n") + "\n").write(
          to: folder.url.appending(path: file), atomically: true, encoding: .utf8)
        files.append(file)
      }
    }
    files.shuffle(using: &generator)
    let commands =
      files.map { ["ingest", $0] } + [
        ["query", "verdicts"], ["query", "days"], ["report", "daily"],
        ["report", "daily", "--date", "2026-11-22", "--zone", "Asia/Kathmandu"],
        ["compare", "5.1.0", "5.2.0"], ["triage", "n1"], ["triage", "c1"],
        ["prune", "--before", "2026-11-22"], ["report", "daily"],
      ]
    for command in commands {
      let run = try BuiltProgram.pushtriage.run(command + ["--db", "push.db"], in: folder.url)
      // A program that a signal ends has none of these.
      #expect(
        [0, 1, 2, 3].contains(run.exitCode), "seed \(seed): \(command): \(run.error.suffix(300))")
    }
  }
}
