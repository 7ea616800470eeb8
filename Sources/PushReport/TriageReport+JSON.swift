import PushModel

extension TriageReport {
  /// Version of the JSON form; it changes when a key goes or changes its meaning.
  static let jsonVersion = 1

  static func json(_ tables: TriageTables, _ wording: CauseWording) -> JSONValue {
    let verdict = tables.verdict
    return .object([
      ("version", JSONValue(jsonVersion)), ("report", "triage"), ("asked", .text(tables.asked)),
      (
        "verdict",
        .object([
          ("judgement", .text(verdict.judgement.text)), ("step", JSONValue(verdict.step?.rawValue)),
          ("step_title", JSONValue(verdict.step.map(wording.title))),
          ("cause", JSONValue(verdict.cause?.rawValue)),
          ("cause_meaning", JSONValue(verdict.cause.map(wording.meaning))),
          (
            "confidence",
            verdict.judgement == .broken || verdict.judgement == .conflicting
              ? .text(verdict.confidence.text) : .null
          ),
          ("stage", .text(verdict.stage.text)),
          ("needs", .array(verdict.needs.map { .text($0.text) })),
          ("is_replaced", .boolean(verdict.isReplaced)),
          ("repair", JSONValue(verdict.cause.map(wording.repair))),
        ])
      ),
      ("coverage", json(tables.coverage)), ("identity", json(tables.identity)),
      (
        "links",
        .array(
          tables.links.map {
            .object([
              ("key", .text($0.key.text)), ("is_guess", .boolean($0.key.isGuess)),
              ("side", .text($0.side.text)), ("records", JSONValue($0.records)),
            ])
          })
      ),
      ("attempts", .array(tables.attempts.map(json))),
      (
        "timeline",
        .array(
          tables.timeline.map {
            .object([
              ("at", JSONValue(instant: $0.time)), ("clock", .text($0.clock.text)),
              ("since_previous_microseconds", $0.sincePrevious.map { .integer($0) } ?? .null),
              ("what", .text($0.what)),
              (
                "attributes",
                .array(
                  $0.attributes.map {
                    .object([("key", .text($0.key)), ("value", .text($0.value))])
                  })
              ),
              ("link", .text($0.link.text)), ("is_guess", .boolean($0.link.isGuess)),
              ("record", json($0.line)),
            ])
          })
      ),
      (
        "steps",
        .array(
          tables.steps.map {
            .object([
              ("step", .text($0.step.rawValue)), ("title", .text(wording.title($0.step))),
              ("outcome", .text($0.outcome.text)), ("sentence", .text($0.sentence)),
              ("cause", JSONValue($0.cause?.rawValue)),
              ("confidence", JSONValue($0.confidence?.text)),
              ("is_decisive", .boolean($0.isDecisive)),
              ("missing", .array($0.missing.map { .text($0.text) })),
              ("evidence", .array($0.evidence.map(json))),
            ])
          })
      ),
      (
        "other_matches",
        .array(
          tables.otherMatches.map {
            .object([
              ("id", .text($0.id)), ("device_id", JSONValue($0.device)),
              ("sent_at", JSONValue(instant: $0.sentAt)),
              ("judgement", .text($0.judgement.text)), ("step", JSONValue($0.step?.rawValue)),
              ("cause", JSONValue($0.cause?.rawValue)),
            ])
          })
      ),
      ("other_matches_left_out", JSONValue(tables.otherMatchesLeftOut.total)),
      ("other_matches_broken", JSONValue(tables.others.broken)),
    ])
  }

  private static func json(_ line: StoredLine) -> JSONValue {
    .object([
      ("file", JSONValue(line.file)), ("line", line.line > 0 ? JSONValue(line.line) : .null),
      ("text", JSONValue(line.text)), ("origin", .text(line.origin.text)),
    ])
  }

  private static func json(_ coverage: TriageCoverage) -> JSONValue {
    .object([
      ("installation_logs", JSONValue(coverage.installationLogs)),
      ("is_gapless", .boolean(coverage.isGapless)),
      ("run_from", JSONValue(instant: coverage.runFrom)),
      ("run_to", JSONValue(instant: coverage.runTo)),
      ("holds_extension", .boolean(coverage.holdsExtension)),
      ("holds_app", .boolean(coverage.holdsApp)),
      ("send_log_complete", JSONValue(coverage.sendLogComplete)),
      (
        "assumed_clocks",
        .array(
          coverage.assumedClocks.map {
            .object([
              ("source", .text($0.file)), ("zone", JSONValue($0.zone)),
              ("time", JSONValue(instant: $0.time)), ("year", JSONValue($0.year)),
            ])
          })
      ),
    ])
  }

  private static func json(_ identity: IdentityTable) -> JSONValue {
    .object([
      ("notification_id", JSONValue(identity.notificationID)),
      ("apns_ids", .array(identity.apnsIDs.map { .text($0) })),
      ("collapse_id", JSONValue(identity.collapseID)),
      ("request_id", JSONValue(identity.requestID)), ("device_id", JSONValue(identity.deviceID)),
      ("token_shortened", JSONValue(identity.token)), ("job_id", JSONValue(identity.jobID)),
      ("bundle_id", JSONValue(identity.bundle)), ("app_version", JSONValue(identity.version)),
      ("build", JSONValue(identity.build)), ("os_version", JSONValue(identity.osVersion)),
      ("device_model", JSONValue(identity.model)), ("topic", JSONValue(identity.topic)),
      ("campaign_id", JSONValue(identity.campaign)), ("checklist", .text(identity.kind.text)),
      ("meant", .array(identity.meaning.texts.map { .text($0) })),
      ("meant_known_by", .text(identity.meaningSource.text)),
      ("clock_offset_microseconds", identity.clockOffset.map { .integer($0) } ?? .null),
      ("clock_error_microseconds", identity.clockError.map { .integer($0) } ?? .null),
    ])
  }

  private static func json(_ row: AttemptRow) -> JSONValue {
    .object([
      ("attempt", JSONValue(row.attempt)), ("sent_at", JSONValue(instant: row.sentAt)),
      ("provider", JSONValue(row.provider)), ("environment", JSONValue(row.environment)),
      ("topic", JSONValue(row.topic)), ("push_type", JSONValue(row.pushType)),
      ("priority", JSONValue(row.priority)), ("expiration", JSONValue(row.expiration)),
      ("http_status", JSONValue(row.status)), ("reason", JSONValue(row.reason)),
      ("answered_after_microseconds", row.answeredAfter.map { .integer($0) } ?? .null),
      ("record", json(row.line)),
    ])
  }
}
