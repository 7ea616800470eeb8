import PushAnalysis
import PushModel

extension JSONValue {
  /// A tally with its bounds; the bounds are null without a denominator.
  static func tally(_ tally: Tally) -> [(key: String, value: JSONValue)] {
    [
      ("broken", JSONValue(tally.broken)), ("concerned", JSONValue(tally.concerned)),
      ("undetermined", JSONValue(tally.undetermined)),
      ("share_if_unknown_fine", JSONValue(tally.shareIfUnknownFine)),
      ("share_if_unknown_broken", JSONValue(tally.shareIfUnknownBroken)),
    ]
  }

  /// Judgements with their bounds.
  static func judgements(_ counts: JudgementCounts) -> JSONValue {
    .object([
      ("total", JSONValue(counts.total)), ("as_meant", JSONValue(counts.asMeant)),
      ("as_meant_only_accepted", JSONValue(counts.onlyAccepted)),
      ("replaced", JSONValue(counts.replaced)), ("broken", JSONValue(counts.broken)),
      ("conflicting", JSONValue(counts.conflicting)),
      ("cannot_tell", JSONValue(counts.cannotTell)),
      ("share_broken_if_unknown_fine", JSONValue(counts.tally.shareIfUnknownFine)),
      ("share_broken_if_unknown_broken", JSONValue(counts.tally.shareIfUnknownBroken)),
    ])
  }

  static func days(_ days: [DayTally]) -> JSONValue {
    .array(days.map { .object([("date", .text($0.date))] + tally($0.tally)) })
  }

  static func change(_ change: Change) -> JSONValue {
    .object([
      ("word", .text(change.word.rawValue)), ("expected", JSONValue(change.expected)),
      ("days_before", JSONValue(change.daysBefore)), ("probability", .real(change.probability)),
    ])
  }

  static func examples(_ examples: [ExampleRow]) -> JSONValue {
    .array(
      examples.map {
        .object([("id", .text($0.id)), ("sent_at", JSONValue(instant: $0.sentAt))])
      })
  }

  /// A histogram with its quantiles as the ends of their buckets, and the buckets that hold
  /// something.
  static func histogram(_ histogram: Histogram) -> JSONValue {
    .object(
      [("count", .integer(histogram.total))]
        + DailyReport.shares.map { name, share in
          let quantile = histogram.quantile(share)
          return (
            "\(name)_microseconds",
            quantile.map {
              .object([
                ("from", .integer($0.low)), ("below", $0.high.map { .integer($0) } ?? .null),
              ])
            } ?? .null
          )
        }
        + [
          (
            "buckets",
            .array(
              histogram.counts.indices.filter { histogram.counts[$0] != 0 }.map {
                .object([
                  ("from", .integer(Histogram.lowerBound(of: $0))),
                  ("below", Histogram.upperBound(of: $0).map { .integer($0) } ?? .null),
                  ("count", .integer(histogram.counts[$0])),
                ])
              })
          )
        ])
  }
}

extension DailyReport {
  /// Version of the JSON form; it changes when a key goes or changes its meaning.
  static let jsonVersion = 1

  static func json(_ tables: DailyTables, _ wording: CauseWording) -> JSONValue {
    let total = total(tables)
    return .object([
      ("version", JSONValue(jsonVersion)), ("report", "daily"), ("date", .text(tables.date)),
      ("zone", .text(tables.zone)), ("app", JSONValue(tables.app)),
      ("pruned", .boolean(tables.isPruned)), ("coverage", json(tables.coverage)),
      (
        "funnel",
        .array(
          tables.funnel.rows.map {
            .object([
              ("meant", .text($0.group.text)), ("stage", .text($0.stage.text)),
              ("shown", JSONValue($0.shown)), ("last_seen", JSONValue($0.last)),
              ("of", JSONValue(tables.funnel.total($0.group))),
            ])
          })
      ),
      ("judgements", .judgements(total)),
      (
        "judgements_by_meant",
        .array(
          tables.judgements.sorted { $0.group.rawValue < $1.group.rawValue }.map {
            .object([("meant", .text($0.group.text)), ("judgements", .judgements($0.counts))])
          })
      ),
      ("previous_days", .days(tables.previousDays)),
      ("change", .change(Change.over([(total.tally, tables.previousDays)])[0])),
      (
        "causes",
        .array(
          orderedCauses(tables).map { row, change in
            .object(
              [
                ("step", .text(row.step.rawValue)), ("step_title", .text(wording.title(row.step))),
                ("cause", JSONValue(row.cause?.rawValue)),
                ("cause_meaning", JSONValue(row.cause.map(wording.meaning))),
                ("repair", JSONValue(row.cause.map(wording.repair))),
                ("certain", JSONValue(row.certain)), ("likely", JSONValue(row.likely)),
                ("possible", JSONValue(row.possible)),
              ] + JSONValue.tally(row.tally) + [
                ("installations", JSONValue(row.installations)),
                ("previous_days", .days(row.previous)), ("change", .change(change)),
                ("examples", .examples(row.examples)),
              ])
          })
      ),
      (
        "refusals",
        .object([
          ("notifications", JSONValue(tables.refusals.notifications)),
          (
            "rows",
            .array(
              orderedRefusals(tables.refusals).map { row, change in
                .object([
                  ("http_status", JSONValue(row.status)), ("reason", JSONValue(row.reason)),
                  ("notifications", JSONValue(row.notifications)),
                  ("previous_days", .days(row.previous)), ("change", .change(change)),
                  ("examples", .examples(row.examples)),
                ])
              })
          ),
        ])
      ),
      (
        "breakdowns",
        .array(
          tables.breakdowns.sorted { $0.dimension.rawValue < $1.dimension.rawValue }.map {
            .object([
              ("dimension", .text($0.dimension.text)),
              (
                "rows",
                .array(
                  $0.worstFirst.map {
                    .object([
                      ("value", JSONValue($0.row.key)), ("judgements", .judgements($0.row.counts)),
                      ("against_rest", .text($0.rate.word.rawValue)),
                      ("probability", .real($0.rate.probability)),
                    ])
                  })
              ),
            ])
          })
      ),
      (
        "timings",
        .array(
          tables.timings.sorted { $0.kind.rawValue < $1.kind.rawValue }.map {
            .object([
              ("what", .text($0.kind.text)), ("day", .histogram($0.day)),
              ("previous_days", .histogram($0.previous)),
            ])
          })
      ),
      (
        "late_changes",
        .array(
          orderedLate(tables.lateChanges).map {
            .object([
              ("date", .text($0.date)), ("from", JSONValue($0.from?.text)),
              ("to", .text($0.to.text)), ("count", JSONValue($0.count)),
            ])
          })
      ),
      (
        "ingest_notes",
        .array(
          orderedNotes(tables.notes).map {
            .object([
              ("source", .text($0.source)), ("reason", .text($0.reason)),
              ("lines", JSONValue($0.count)), ("first_line", JSONValue($0.firstLine)),
              ("first_text", JSONValue($0.firstText)),
            ])
          })
      ),
    ])
  }

  private static func json(_ coverage: CoverageTable) -> JSONValue {
    .object([
      ("notifications", JSONValue(coverage.notifications)),
      ("sent", JSONValue(coverage.sent)), ("answered", JSONValue(coverage.answered)),
      ("success_share_recorded", JSONValue(coverage.successShare)),
      ("installations_seen", JSONValue(coverage.installationsSeen)),
      ("installations_logging", JSONValue(coverage.installationsLogging)),
      ("installations_gapless", JSONValue(coverage.installationsGapless)),
      ("linked_exactly", JSONValue(coverage.linkedExactly)),
      ("linked_by_guess", JSONValue(coverage.linkedByGuess)),
      ("without_device_record", JSONValue(coverage.withoutDeviceRecord)),
      ("only_device_records", JSONValue(coverage.onlyDeviceRecords)),
      ("unlinked_records", JSONValue(coverage.unlinkedRecords)),
      (
        "formats",
        .array(
          coverage.formats.map {
            .object([
              ("adapter", .text($0.adapter)), ("sources", JSONValue($0.sources)),
              ("records", JSONValue($0.records)),
              ("absence_can_prove", JSONValue($0.absence?.canProve)),
              ("because", JSONValue($0.absence?.text)),
            ])
          })
      ),
      (
        "sources",
        .array(
          coverage.sources.sorted { ($0.side.rawValue, $0.name) < ($1.side.rawValue, $1.name) }.map
          {
            .object([
              ("name", .text($0.name)), ("adapter", .text($0.adapter)),
              ("side", .text($0.side.text)), ("from", JSONValue(instant: $0.from)),
              ("to", JSONValue(instant: $0.to)), ("lines_read", JSONValue($0.linesRead)),
              ("lines_kept", JSONValue($0.linesKept)),
              ("lines_duplicate", JSONValue($0.linesDuplicate)),
              ("lines_noted", JSONValue($0.linesNoted)),
              ("lines_skipped", JSONValue($0.linesSkipped)),
              ("absence_can_prove", JSONValue($0.absence?.canProve)),
              ("because", JSONValue($0.absence?.text)),
            ])
          })
      ),
    ])
  }
}

extension JSONValue: ExpressibleByStringLiteral {
  init(stringLiteral value: String) { self = .text(value) }
}
