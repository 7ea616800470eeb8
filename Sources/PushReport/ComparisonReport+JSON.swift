import PushAnalysis
import PushModel

extension ComparisonReport {
  /// Version of the JSON form; it changes when a key goes or changes its meaning.
  static let jsonVersion = 1

  static func json(_ tables: ComparisonTables, _ wording: CauseWording) -> JSONValue {
    let comparison = ReleaseComparison(tables)
    return .object([
      ("version", JSONValue(jsonVersion)), ("report", "compare"),
      ("baseline", json(tables.baseline)), ("candidate", json(tables.candidate)),
      ("is_regression", .boolean(comparison.isRegression)),
      (
        "all",
        .object(json(comparison.all, tables.baseline.spread, tables.candidate.spread))
      ),
      (
        "causes",
        .array(
          comparison.causes.map { row in
            let cause = row.counts.cause
            return .object(
              [
                ("step", .text(row.counts.step.rawValue)),
                ("step_title", .text(wording.title(row.counts.step))),
                ("cause", JSONValue(cause?.rawValue)),
                ("cause_meaning", JSONValue(cause.map(wording.meaning))),
                ("repair", JSONValue(cause.map(wording.repair))),
              ] + json(row.rate, row.counts.baselineSpread, row.counts.candidateSpread)
                + [("examples", .examples(row.counts.examples))])
          })
      ),
      ("os_versions", json(tables.mixes.first { $0.kind == .osVersion }, "os_version")),
      ("device_models", json(tables.mixes.first { $0.kind == .deviceModel }, "device_model")),
      (
        "timings",
        .array(
          tables.timings.sorted { $0.kind.rawValue < $1.kind.rawValue }.map {
            .object([
              ("what", .text($0.kind.text)), ("baseline", .histogram($0.baseline)),
              ("candidate", .histogram($0.candidate)),
            ])
          })
      ),
      (
        "facts",
        .array(
          tables.facts.sorted { $0.name < $1.name }.map {
            .object([
              ("name", .text($0.name)), ("baseline", json($0.baseline)),
              ("candidate", json($0.candidate)),
            ])
          })
      ),
    ])
  }

  /// Rows of a mix; null where they were not counted.
  private static func json(_ mix: ReleaseMix?, _ key: String) -> JSONValue {
    guard let mix else { return .null }
    return .array(
      ordered(mix).map {
        .object([
          (key, JSONValue($0.value)), ("baseline", .judgements($0.baseline)),
          ("candidate", .judgements($0.candidate)),
        ])
      })
  }

  private static func json(_ side: ReleaseSide) -> JSONValue {
    .object([
      ("bundle_id", .text(side.bundle)), ("app_version", .text(side.version)),
      ("build", JSONValue(side.build)), ("from", JSONValue(instant: side.from)),
      ("to", JSONValue(instant: side.to)), ("notifications", JSONValue(side.notifications)),
      ("installations_seen", JSONValue(side.installationsSeen)),
      ("installations_ever_logged", JSONValue(side.installationsEverLogged)),
      ("installations_gapless", JSONValue(side.installationsGapless)),
      ("linked_exactly", JSONValue(side.linkedExactly)),
      ("linked_by_guess", JSONValue(side.linkedByGuess)),
      ("without_device_record", JSONValue(side.withoutDeviceRecord)),
      ("judgements", .judgements(side.judgements)), ("has_facts", .boolean(side.hasFacts)),
    ])
  }

  private static func json(
    _ rate: ComparedRate, _ baseline: PhoneSpread?, _ candidate: PhoneSpread?
  ) -> [(key: String, value: JSONValue)] {
    func side(_ tally: Tally, _ spread: PhoneSpread?, _ around: Interval?) -> JSONValue {
      .object(
        JSONValue.tally(tally) + [
          ("told", JSONValue(tally.told)), ("share_of_told", JSONValue(tally.shareOfTold)),
          ("interval", interval(around)),
          ("installations_told", JSONValue(spread?.installations)),
          ("installations_broken", JSONValue(spread?.carriers.count)),
        ])
    }
    func interval(_ interval: Interval?) -> JSONValue {
      interval.map { .object([("low", .real($0.low)), ("high", .real($0.high))]) } ?? .null
    }
    return [
      ("baseline", side(rate.baseline, baseline, rate.intervals.baseline)),
      ("candidate", side(rate.candidate, candidate, rate.intervals.candidate)),
      ("difference", JSONValue(rate.difference)),
      ("difference_interval", interval(rate.interval)),
      ("probability", .real(rate.rawProbability)),
      ("probability_by_installation", JSONValue(rate.probabilityOfPhones)),
      ("probability_adjusted", .real(rate.probability)), ("word", .text(rate.word.rawValue)),
      ("holds_whatever_unknown", .boolean(rate.holdsWhateverUnknown)),
      ("mix", JSONValue(rate.mix?.text)),
      (
        "alike",
        .array(
          MixKind.allCases.compactMap { kind in
            rate.alike[kind].map {
              .object([
                ("by", .text(kind.text)), ("difference", .real($0.difference)),
                ("difference_interval", interval($0.interval)),
                ("probability", .real($0.probabilityOfNotifications)),
                ("probability_by_installation", JSONValue($0.probabilityOfPhones)),
              ])
            }
          })
      ),
    ]
  }

  /// A fact: `known` with its value, or why there is none.
  private static func json(_ value: Known<String>) -> JSONValue {
    switch value {
    case .unknown: .object([("known", .boolean(false)), ("value", .null)])
    case .missing: .object([("known", .boolean(true)), ("value", .null)])
    case .known(let text): .object([("known", .boolean(true)), ("value", .text(text))])
    }
  }
}
