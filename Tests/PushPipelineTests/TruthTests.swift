import Foundation
import PushPipeline
import PushSimulator
import PushStore
import Queries
import TestSupport
import Testing

/// Verdicts against what was planted. The truth is written by the simulator from the platform's
/// facts, never by the judge; `decidable` says whether every line that tells a cause from its
/// neighbours is in the logs.
@Suite struct TruthTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private struct Verdict {
    var step: String?
    var cause: String?
    var confidence: Int64
    var isUndetermined: Bool
  }

  private struct Score {
    var decidable = 0
    var right = 0
    /// Definite blame for something else than was planted, where a deciding line was lost.
    var falseBlame: [String] = []
    var perCause: [String: (decidable: Int, right: Int)] = [:]
    /// Causes that were named, with how often.
    var named: [String: Int] = [:]
    /// Notifications of which no row was found; each is among the decidable ones too.
    var notFound = 0

    mutating func count(_ planted: String?, isRight: Bool) {
      decidable += 1
      right += isRight ? 1 : 0
      let known = perCause[planted ?? "as meant"] ?? (0, 0)
      perCause[planted ?? "as meant"] = (known.decidable + 1, known.right + (isRight ? 1 : 0))
    }
  }

  /// Simulates, ingests and compares.
  private func score(_ name: String, _ configuration: SimulatorConfiguration) throws -> Score {
    let corpus = folder.path + "/" + name
    _ = try Simulator.run(configuration, to: corpus)
    let options = IngestOptions(
      inputs: ["provider.ndjson", "device.ndjson", "facts.json"].map { corpus + "/" + $0 },
      databasePath: folder.path + "/" + name + ".db")
    _ = try IngestRun.run(options)
    let verdicts = try Verdicts(path: options.databasePath)
    var score = Score()
    for line in try Data(contentsOf: URL(fileURLWithPath: corpus + "/truth.ndjson"))
      .split(separator: 0x0A)
    {
      let truth = try #require(
        try JSONSerialization.jsonObject(with: line) as? [String: Any])
      let planted = truth["cause"] as? String
      guard let verdict = verdicts.find(truth) else {
        // Sampling left it out of the log of sends. Any other that is not there has no right verdict.
        if truth["why"] as? String != "not_logged" {
          score.count(planted, isRight: false)
          score.notFound += 1
        }
        continue
      }
      if let cause = verdict.cause { score.named[cause, default: 0] += 1 }
      let isRight =
        verdict.cause == planted && verdict.step == truth["step"] as? String
        && (planted != nil || !verdict.isUndetermined)
      if truth["decidable"] as? Bool == true {
        score.count(planted, isRight: isRight)
      } else if let cause = verdict.cause, !isRight, verdict.confidence == 2,
        ["event_lost", "no_coverage", "seq_restart", "no_sequence_numbers"]
          .contains(truth["why"] as? String)
      {
        score.falseBlame.append("\(planted ?? "as meant") called \(cause)")
      }
    }
    return score
  }

  /// Verdicts of a database by the ids that a truth names.
  private struct Verdicts {
    private var byID: [String: Verdict] = [:]

    init(path: String) throws {
      let database = try Database(path: path, mode: .read)
      let rows = try database.prepare(
        """
        SELECT n.notification_id, n.apns_id, i.device_id, n.judgement, n.step, n.cause, n.confidence
        FROM notification AS n JOIN installation AS i ON i.id = n.installation_id
        """)
      while try rows.step() {
        let judgement = rows.integer(3)
        let verdict = Verdict(
          step: judgement == 1 ? rows.text(4) : nil, cause: judgement == 1 ? rows.text(5) : nil,
          confidence: rows.integer(6), isUndetermined: judgement > 1)
        if !rows.isNull(0) {
          byID[rows.text(0) + "/" + (rows.isNull(2) ? "" : rows.text(2))] = verdict
        }
        if !rows.isNull(1) { byID[rows.text(1).lowercased()] = verdict }
      }
    }

    func find(_ truth: [String: Any]) -> Verdict? {
      if let id = truth["notification_id"] as? String, let device = truth["device_id"] as? String,
        let verdict = byID[id + "/" + device]
      {
        return verdict
      }
      for id in truth["apns_ids"] as? [String] ?? [] {
        if let verdict = byID[id.lowercased()] { return verdict }
      }
      return nil
    }
  }

  @Test(arguments: [UInt64(2207), 31_991])
  func decidableOnesAreRightAndLostLinesBlameNobody(seed: UInt64) throws {
    let score = try score(
      "lossy", SimulatorConfiguration(notifications: 6000, seed: seed, lostDeviceEvents: 0.2))
    #expect(score.decidable > 4000)
    #expect(
      Double(score.right) >= 0.99 * Double(score.decidable),
      "seed \(seed): \(score.right) of \(score.decidable), \(score.notFound) not found")
    // No cause is right by being the commonest. Few of a kind say little about a rate.
    for (cause, counts) in score.perCause where counts.decidable >= 15 {
      #expect(
        Double(counts.right) >= 0.85 * Double(counts.decidable),
        "seed \(seed), \(cause): \(counts.right) of \(counts.decidable)")
    }
    #expect(score.falseBlame.isEmpty, "seed \(seed)")
  }

  @Test func withoutACounterOnlyPositiveEvidenceBlames() throws {
    let score = try score(
      "no-counter",
      SimulatorConfiguration(
        notifications: 6000, seed: 5150, lostDeviceEvents: 0.2, sequenceNumbers: false))
    // These say that something did not happen; nothing but a counter without a gap shows that.
    for cause in [
      "content_handler_never", "expired_while_offline", "overwritten_in_storage",
      "ext_crash_at_launch", "background_not_completed", "intent_not_applied",
    ] {
      #expect(score.named[cause] == nil, "\(cause): \(score.named[cause] ?? 0)")
    }
    // What a record shows is still said.
    for cause in ["media_http_status", "mutable_content_off", "keychain_locked"] {
      #expect(score.named[cause, default: 0] > 0, "\(cause)")
    }
    #expect(score.falseBlame.isEmpty)
  }
}
