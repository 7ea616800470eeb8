import Foundation
import PushModel
import TestSupport
import Testing

@testable import PushStore

/// Steps of the extension matter for rich notifications only.
private let concerns: StepConcerns = {
  var concerns = StepConcerns()
  for step in [StepID.mediaDownload, .didReceive] {
    for group in [MeantGroup.plain, .silent, .other] { concerns[step, group] = false }
  }
  var reach = StepConcerns.Reach()
  reach.isSettledByReceipt = true
  concerns.set(reach, of: .tokenCurrent)
  reach.isSettledByAcceptance = true
  concerns.set(reach, of: .tokenEnvironment)
  reach.dependsOnPhone = false
  concerns.set(reach, of: .tokenShape)
  return concerns
}()

private func loader(_ fixture: StoreFixture) -> DailyLoader {
  DailyLoader(
    database: fixture.database, concerns: concerns,
    side: { $0 == "send-log" ? .sends : .devices },
    absence: { $0 == "send-log" ? .neverProves(because: "sampled") : nil })
}

@Test func aTallyCountsConcernedAndUndeterminedByHand() throws {
  let fixture = try StoreFixture()
  try fixture.installations(seen: 1)
  try fixture.count(50, group: .rich, stage: 5)
  try fixture.count(
    7, group: .rich, .broken, .mediaDownload, .mediaHttpStatus, .likely, stage: 4)
  try fixture.count(
    2, group: .rich, .broken, .mediaDownload, .mediaHttpStatus, .certain, stage: 4)
  try fixture.count(4, .broken, .tokenCurrent, .tokenUnregistered, stage: 1)
  try fixture.count(30)
  // Sight was lost behind acceptance, behind didReceive, and nowhere in particular.
  try fixture.count(11, group: .rich, .cannotTell, .apnsAccepted, stage: 2)
  try fixture.count(13, group: .rich, .cannotTell, .didReceive, stage: 4)
  try fixture.count(3, group: .rich, .cannotTell, stage: 1)
  try fixture.count(5, .cannotTell, .apnsAccepted, stage: 2)
  try fixture.count(1, group: .rich, .conflicting, .handlerTiming, stage: 6)

  let tables = try loader(fixture).load(utcDay: StoreFixture.day)
  #expect(tables.date == "2026-11-29")
  #expect(tables.causes.map(\.step) == [.tokenCurrent, .mediaDownload])

  let download = try #require(tables.causes.last)
  #expect(download.cause == .mediaHttpStatus)
  #expect(download.certain == 2)
  #expect(download.likely == 7)
  #expect(download.possible == 0)
  // Concerned: all rich, 50 + 9 + 11 + 13 + 3 + 1. Undetermined: those of which sight was lost
  // before the download, 11 + 13 + 3; the conflict lies behind it.
  #expect(download.tally == Tally(broken: 9, concerned: 87, undetermined: 27))

  let token = try #require(tables.causes.first)
  // Concerned: all 126. The phone has a part in it, and only what it received settles it: open are those
  // lost before, 11 + 3 + 5; 13 + 1 were received.
  #expect(token.tally == Tally(broken: 4, concerned: 126, undetermined: 19))

  let rich = try #require(tables.judgements.first { $0.group == .rich }).counts
  #expect(rich == JudgementCounts(asMeant: 50, broken: 9, cannotTell: 27, conflicting: 1))
  #expect(tables.funnel.row(.received, .rich).shown == 50 + 9 + 13 + 1)
  #expect(tables.funnel.row(.accepted, .plain).last == 35)
  #expect(tables.coverage.notifications == 126)
}

/// What APNs accepted and nothing more is known of is as meant as far as that tells; whether the phone
/// showed it is open. What APNs refused may be refused for a reason that the app has a part in.
@Test func whatIsOnlyAcceptedIsOpenWhereThePhoneDecides() throws {
  let fixture = try StoreFixture()
  try fixture.installations(seen: 1)
  try fixture.count(40, stage: 6)
  try fixture.count(20, .asMeant, nil, nil, .possible, stage: 2)
  // Of these only the request is judged, which the answer settles.
  try fixture.count(9, group: .other, .asMeant, nil, nil, .possible, stage: 2)
  try fixture.count(1, .broken, .notificationSettings, .notificationsDenied, stage: 3)
  try fixture.count(1, .broken, .tokenEnvironment, .tokenEnvMismatch, stage: 1)
  try fixture.count(1, .broken, .tokenShape, .tokenMalformed, stage: 1)
  try fixture.count(1, .broken, .tokenCurrent, .staleToken200, stage: 2)
  // Refused, and nothing tells why; accepted, and lost then.
  try fixture.count(3, .cannotTell, .apnsAccepted, stage: 1)
  try fixture.count(5, .cannotTell, .apnsAccepted, stage: 2)

  let tables = try loader(fixture).load(utcDay: StoreFixture.day)
  let plain = try #require(tables.judgements.first { $0.group == .plain }).counts
  #expect(plain == JudgementCounts(asMeant: 60, broken: 4, cannotTell: 8, onlyAccepted: 20))
  #expect(plain.undetermined == 28)
  #expect(
    try #require(tables.judgements.first { $0.group == .other }).counts
      == JudgementCounts(asMeant: 9))
  func open(_ step: StepID) throws -> Int {
    try #require(tables.causes.first { $0.step == step }).tally.undetermined
  }
  #expect(try open(.notificationSettings) == 20 + 3 + 5)
  #expect(try open(.tokenCurrent) == 20 + 3 + 5)
  #expect(try open(.tokenEnvironment) == 3)
  #expect(try open(.tokenShape) == 0)
}

@Test func theSevenDaysBeforeAreInOrderAndMissingOnesAreZero() throws {
  let fixture = try StoreFixture()
  try fixture.installations(seen: 1)
  try fixture.count(10)
  try fixture.count(1, .broken, .topic, .topicWrong)
  try fixture.count(20, day: StoreFixture.day - 2)
  try fixture.count(3, day: StoreFixture.day - 2, .broken, .topic, .topicWrong)
  try fixture.count(99, day: StoreFixture.day - 8)
  try fixture.answer(11, status: 200)
  try fixture.answer(4, day: StoreFixture.day - 2, status: 403, reason: "Forbidden")
  try fixture.answer(1, status: 403, reason: "Forbidden")
  let tables = try loader(fixture).load(utcDay: StoreFixture.day)
  #expect(tables.previousDays.map(\.date).first == "2026-11-22")
  #expect(tables.previousDays.map(\.date).last == "2026-11-28")
  let tallies = tables.previousDays.map(\.tally)
  #expect(tallies.map(\.concerned) == [0, 0, 0, 0, 0, 23, 0])
  #expect(tallies.map(\.broken) == [0, 0, 0, 0, 0, 3, 0])
  let cause = try #require(tables.causes.first)
  #expect(cause.previous.map(\.tally.broken) == [0, 0, 0, 0, 0, 3, 0])
  let refusal = try #require(tables.refusals.rows.first)
  #expect(refusal.notifications == 1)
  #expect(tables.refusals.notifications == 12)
  #expect(refusal.previous.map(\.tally.broken) == [0, 0, 0, 0, 0, 4, 0])
  #expect(refusal.previous.map(\.tally.concerned) == [0, 0, 0, 0, 0, 4, 0])
}

@Test func coverageComesFromAnswersInstallationsAndSources() throws {
  let fixture = try StoreFixture()
  let noon = StoreFixture.midnight + 43_200_000_000
  try fixture.installations(seen: 9, logging: 6, gapless: 4)
  try fixture.count(21)
  try fixture.answer(10, status: 200, link: 0)
  try fixture.answer(2, status: 200, link: 1)
  try fixture.answer(4, status: 200, link: 2)
  try fixture.answer(3, status: 0, link: 2)
  try fixture.answer(2, status: -1, link: 3)
  try fixture.source(1, "/srv/logs/b.ndjson", from: noon, to: noon + 1)
  try fixture.source(2, "a.ndjson", adapter: "send-log", from: 0, to: StoreFixture.midnight - 1)
  try fixture.source(
    3, "c.ndjson", adapter: "send-log", from: StoreFixture.midnight - 5, to: StoreFixture.midnight)
  try fixture.source(4, "empty.ndjson", noted: 3)
  try fixture.database.execute(
    """
    INSERT INTO installation_day (id, installation_id, records, unlinked, timeline) VALUES \
    (\(StoreFixture.day << 48 | 5), 5, 9, 2, '{}'), (\((StoreFixture.day + 1) << 48), 5, 9, 7, '{}')
    """)
  try fixture.database.execute(
    """
    INSERT INTO ingest_note (source_id, line, field, reason, is_line) VALUES \
    (1, 7, 'line', 'is no JSON', 1), (1, 5, 'line', 'is no JSON', 1), \
    (1, 3, 'ts', 'is absent', 1), (1, 4, 'seq', 'is no number', 0), (2, 1, 'line', 'is empty', 1), \
    (4, 0, 'line', 'is of no known format', 1)
    """)
  let tables = try loader(fixture).load(utcDay: StoreFixture.day)
  let coverage = tables.coverage
  #expect(coverage.installationsSeen == 9)
  #expect(coverage.installationsLogging == 6)
  #expect(coverage.installationsGapless == 4)
  #expect(coverage.sent == 19)
  #expect(coverage.answered == 16)
  #expect(coverage.linkedExactly == 10)
  #expect(coverage.linkedByGuess == 2)
  #expect(coverage.withoutDeviceRecord == 7)
  #expect(coverage.onlyDeviceRecords == 2)
  #expect(coverage.unlinkedRecords == 2)
  // Folders of the machine are left out; a source that ends before the day is not of it.
  #expect(coverage.sources.map(\.name) == ["b.ndjson", "c.ndjson"])
  #expect(coverage.sources.map(\.side) == [.devices, .sends])
  #expect(coverage.formats.map(\.adapter) == ["device-log", "send-log"])
  #expect(coverage.formats.map(\.sources) == [1, 1])
  #expect(coverage.formats.map(\.absence) == [nil, .neverProves(because: "sampled")])
  #expect(
    tables.notes == [
      IngestNoteRow(source: "b.ndjson", reason: "is no JSON", count: 2, firstLine: 5),
      IngestNoteRow(source: "b.ndjson", reason: "ts is absent", count: 1, firstLine: 3),
      IngestNoteRow(
        source: "empty.ndjson", reason: "is of no known format", count: 1, firstLine: 0),
    ])
}

@Test func examplesAreTheNewestOfEachCauseAndOfEachAnswer() throws {
  let fixture = try StoreFixture()
  try fixture.installations(seen: 1)
  try fixture.count(5, .broken, .tokenCurrent, .tokenUnregistered)
  try fixture.answer(4, status: 410, reason: "Unregistered")
  var ids: [(id: String, row: Int64)] = []
  for place in 1...5 {
    var row = StoreFixture.Row(key: Int64(place), at: StoreFixture.midnight + Int64(place) * 1000)
    row.judgement = 1
    row.step = "token-current"
    row.cause = "token_unregistered"
    row.installation = place < 3 ? 1 : 7
    row.status = place == 5 ? 200 : 410
    row.reason = place == 5 ? nil : "Unregistered"
    row.apnsID = place == 3 ? nil : "A-\(place)"
    row.notificationID = "n-\(place)"
    try fixture.insert(row)
    ids += [row.apnsID, row.notificationID].compactMap { $0 }.map { ($0, row.id) }
  }
  try fixture.index(ids)
  let tables = try loader(fixture).load(utcDay: StoreFixture.day)
  // The apns-id comes first.
  #expect(tables.causes.first?.examples.map(\.id) == ["A-5", "A-4", "n-3"])
  #expect(tables.causes.first?.installations == 2)
  #expect(tables.refusals.rows.first?.examples.map(\.id) == ["A-4", "n-3", "A-2"])
}

@Test func examplesOfACauseAreBrokenAndOpenByTheirOwnIdAlone() throws {
  let fixture = try StoreFixture()
  try fixture.installations(seen: 1)
  try fixture.count(3, .broken, .tokenCurrent, .tokenUnregistered)
  try fixture.count(1, .conflicting, .tokenCurrent, .tokenUnregistered)
  try fixture.count(1, .cannotTell, .tokenCurrent)
  try fixture.answer(5, status: 410, reason: "Unregistered")
  // Of one campaign, whose id all but the second have; the fourth is conflicting, of the fifth nothing can be told.
  var rows: [StoreFixture.Row] = []
  for (place, judgement) in [1, 1, 1, 3, 2].enumerated() {
    var row = StoreFixture.Row(
      key: Int64(place), at: StoreFixture.midnight + Int64(place) * 1000)
    row.judgement = judgement
    row.step = "token-current"
    row.cause = judgement == 2 ? nil : "token_unregistered"
    row.status = 410
    row.reason = "Unregistered"
    row.notificationID = "spring"
    rows.append(row)
  }
  rows[2].apnsID = "A-2"
  rows[1].notificationID = "n-1"
  for row in rows { try fixture.insert(row) }
  try fixture.index(
    [0, 2, 3, 4].map { ("spring", rows[$0].id) } + [("n-1", rows[1].id), ("A-2", rows[2].id)])
  let tables = try loader(fixture).load(utcDay: StoreFixture.day)
  let shown = ["A-2", "n-1", String(rows[0].id)]
  #expect(tables.causes.first?.examples.map(\.id) == shown)
  // Whatever the verdict, it was refused.
  #expect(
    tables.refusals.rows.first?.examples.map(\.id)
      == [String(rows[4].id), String(rows[3].id), "A-2"])
  let finder = NotificationFinder(database: fixture.database)
  #expect(try shown.map { try finder.find($0).map(\.row) } == [2, 1, 0].map { [rows[$0].id] })
}

@Test func lateChangesAreThoseOfTheRunsOfThatDay() throws {
  let fixture = try StoreFixture()
  let day = StoreFixture.day
  try fixture.installations(day: day, seen: 1)
  try fixture.installations(day: day - 1, seen: 1)
  try fixture.count(1)
  // The third run has a record of a clock that is years ahead.
  try fixture.database.execute(
    "INSERT INTO ingest_run VALUES (1, \(day - 1)), (2, \(day)), (3, \(day + 2000))")
  try fixture.database.execute(
    """
    INSERT INTO late_change VALUES (1, \(day - 3), 2, 0, 50), (2, \(day - 3), 2, 1, 4), \
    (3, \(day - 3), 2, 1, 3), (3, \(day), 2, 1, 9), (2, \(day - 2), 1, 3, 1)
    """)
  let tables = try loader(fixture).load(utcDay: day)
  #expect(
    tables.lateChanges == [
      LateChangeRow(date: "2026-11-27", from: .broken, to: .conflicting, count: 1),
      LateChangeRow(date: "2026-11-26", from: .cannotTell, to: .broken, count: 7),
    ])
  let before = try loader(fixture).load(utcDay: day - 1)
  #expect(
    before.lateChanges == [
      LateChangeRow(date: "2026-11-26", from: .cannotTell, to: .asMeant, count: 50)
    ])
}

@Test func breakdownsTellReleasesOfSeveralAppsApart() throws {
  let fixture = try StoreFixture()
  try fixture.installations(seen: 1)
  try fixture.count(4, of: "release", "5.1.0(5101)")
  try fixture.count(1, of: "release", "5.1.0(5101)", .broken, .topic, .topicWrong)
  try fixture.count(2, app: "com.example.other", of: "release", "5.1.0(5101)")
  try fixture.count(3, app: "", of: "release", "")
  try fixture.count(6, of: "campaign", "spring")
  try fixture.count(7, app: "com.example.other", of: "campaign", "spring", .cannotTell)
  let tables = try loader(fixture).load(utcDay: StoreFixture.day)
  let releases = try #require(tables.breakdowns.first { $0.dimension == .release })
  #expect(
    releases.rows == [
      Breakdown.Row(key: nil, counts: JudgementCounts(asMeant: 3)),
      Breakdown.Row(
        key: "com.example.app 5.1.0(5101)", counts: JudgementCounts(asMeant: 4, broken: 1)),
      Breakdown.Row(key: "com.example.other 5.1.0(5101)", counts: JudgementCounts(asMeant: 2)),
    ])
  let campaigns = try #require(tables.breakdowns.first { $0.dimension == .campaign })
  #expect(
    campaigns.rows == [
      Breakdown.Row(key: "spring", counts: JudgementCounts(asMeant: 6, cannotTell: 7))
    ])
}

/// Rows of many kinds around a day, and the roll-ups that belong to them.
private func filled(seed: UInt64) throws -> StoreFixture {
  let fixture = try StoreFixture()
  var state = seed
  func below(_ bound: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(state >> 33) % bound
  }
  let outcomes: [(judgement: Int, step: String?, cause: String?)] = [
    (0, nil, nil), (0, nil, nil), (1, "topic", "topic_wrong"),
    (1, "media-download", "media_http_status"), (2, "apns-accepted", nil), (2, nil, nil),
    (3, "handler-timing", nil),
  ]
  var installations: [Int64: [Int64: (logs: Bool, covered: Bool)]] = [:]
  for key in 0..<400 {
    let day = StoreFixture.day - Int64(below(9))
    var row = StoreFixture.Row(
      key: Int64(key), at: day * 86_400_000_000 + Int64(below(86_400)) * 1_000_000)
    row.installation = Int64(1 + below(20))
    let outcome = outcomes[below(outcomes.count)]
    (row.judgement, row.step, row.cause) = outcome
    row.meant = [1, 2, 4, 65, 128, 256][below(6)]
    row.kind = below(8) == 0 ? 1 + below(3) : 0
    row.confidence = below(3)
    row.stage = below(7)
    row.seen = below(16)
    row.sends = below(10) == 0 ? 0 : 1
    row.events = below(3)
    row.link = below(5) == 0 ? 6 : 0
    row.covered = below(2)
    row.status = row.sends == 0 ? nil : [200, 410, 0][below(3)]
    row.reason = row.status == 410 ? "Unregistered" : nil
    row.build = below(4) == 0 ? nil : "5101"
    row.version = row.build == nil && below(2) == 0 ? nil : "5.1.0"
    row.os = below(5) == 0 ? nil : "18.\(below(3))"
    row.campaign = below(2) == 0 ? nil : "c-\(below(3))"
    row.download = below(3) == 0 ? Int64(below(5_000_000)) : nil
    row.handler = below(3) == 0 ? Int64(below(5_000_000)) : nil
    row.notificationID = "n-\(key)"
    try fixture.insert(row)
    let known = installations[day]?[row.installation]
    installations[day, default: [:]][row.installation] = (
      (known?.logs ?? false) || row.events > 0, (known?.covered ?? true) && row.covered == 1
    )
    try rollUp(row, day, fixture)
  }
  for (day, seen) in installations {
    try fixture.installations(
      day: day, seen: seen.count, logging: seen.values.count { $0.logs },
      gapless: seen.values.count { $0.logs && $0.covered })
  }
  return fixture
}

private func rollUp(_ row: StoreFixture.Row, _ day: Int64, _ fixture: StoreFixture) throws {
  let group = MeantGroup(
    kind: ChainKind(rawValue: UInt8(row.kind)) ?? .richAlert,
    meaning: Meaning(rawValue: UInt16(row.meant)))
  let release = row.version.map { $0 + (row.build.map { "(\($0))" } ?? "") } ?? ""
  for (dimension, value) in [
    ("all", ""), ("release", release), ("os", row.os ?? ""), ("topic", row.topic ?? ""),
    ("campaign", row.campaign ?? ""),
  ] {
    try fixture.database.execute(
      """
      INSERT INTO day_rollup (day, app, dimension, value, class, judgement, step, cause, \
      confidence, stage, notifications) VALUES (\(day), '\(row.app ?? "")', '\(dimension)', \
      '\(value)', \(group.rawValue), \(row.judgement), '\(row.step ?? "")', \
      '\(row.cause ?? "")', \(row.confidence), \
      \(dimension == "all" ? row.stage + 16 * row.seen : -1), 1) \
      ON CONFLICT DO UPDATE SET notifications = notifications + 1
      """)
  }
  let isGuess = row.link == 6
  let link = row.sends == 0 ? 3 : row.events == 0 ? 2 : isGuess ? 1 : 0
  try fixture.database.execute(
    """
    INSERT INTO day_answer (day, app, status, reason, link, notifications) VALUES (\(day), \
    '\(row.app ?? "")', \(row.sends == 0 ? -1 : row.status ?? 0), '\(row.reason ?? "")', \
    \(link), 1) ON CONFLICT DO UPDATE SET notifications = notifications + 1
    """)
  for (measure, duration) in [("download", row.download), ("handler", row.handler)] {
    guard let duration else { continue }
    try fixture.database.execute(
      """
      INSERT INTO day_timing (day, app, value, measure, bucket, notifications) VALUES (\(day), \
      '\(row.app ?? "")', '\(release)', '\(measure)', \(Histogram.bucket(of: duration)), 1) \
      ON CONFLICT DO UPDATE SET notifications = notifications + 1
      """)
  }
}

@Test(arguments: [1, 2, 3] as [UInt64])
func rowsAndRollUpsGiveTheSameTables(_ seed: UInt64) throws {
  let fixture = try filled(seed: seed)
  let loader = loader(fixture)
  let day = DaySpan(utcDay: StoreFixture.day)
  let before = (1...7).reversed().map { DaySpan(utcDay: StoreFixture.day - Int64($0)) }
  let fromRollups = try loader.load(day, before: before, zone: "UTC")
  // The same days, but not told to be UTC's: a span that is one microsecond off is counted by rows.
  func shifted(_ span: DaySpan) -> DaySpan {
    DaySpan(
      date: span.date,
      microseconds: span.microseconds.lowerBound - 1..<span.microseconds.upperBound - 1)
  }
  var fromRows = try loader.load(shifted(day), before: before.map(shifted), zone: "UTC")
  #expect(shifted(day).utcDay == nil)
  #expect(fromRollups.coverage.notifications > 20, "seed \(seed)")
  fromRows.coverage.unlinkedRecords = fromRollups.coverage.unlinkedRecords
  #expect(fromRows.judgements == fromRollups.judgements, "seed \(seed)")
  #expect(fromRows.funnel == fromRollups.funnel, "seed \(seed)")
  #expect(fromRows.previousDays == fromRollups.previousDays, "seed \(seed)")
  #expect(fromRows.causes == fromRollups.causes, "seed \(seed)")
  #expect(fromRows.refusals == fromRollups.refusals, "seed \(seed)")
  #expect(fromRows.breakdowns == fromRollups.breakdowns, "seed \(seed)")
  #expect(fromRows.timings == fromRollups.timings, "seed \(seed)")
  #expect(fromRows.coverage == fromRollups.coverage, "seed \(seed)")
}

@Test func aDayOfAnotherZoneHoldsTheNotificationsBetweenItsMidnights() throws {
  let fixture = try StoreFixture()
  // Berlin's 29th of November lasts from 23:00 UTC of the 28th to 23:00 UTC.
  let from = StoreFixture.midnight - 3_600_000_000
  for (key, at) in [from - 1, from, from + 86_399_999_999, from + 86_400_000_000].enumerated() {
    try fixture.insert(StoreFixture.Row(key: Int64(key), at: at))
  }
  let span = DaySpan(date: "2026-11-29", microseconds: from..<from + 86_400_000_000)
  let tables = try loader(fixture).load(span, before: [], zone: "Europe/Berlin")
  #expect(tables.coverage.notifications == 2)
  #expect(tables.zone == "Europe/Berlin")
  #expect(try !loader(fixture).isEmpty(span))
}

@Test func anEmptyDatabaseHasNoNewestDay() throws {
  let fixture = try StoreFixture()
  #expect(try loader(fixture).newestDay() == nil)
  try fixture.installations(day: 5, seen: 1)
  try fixture.installations(day: 7, seen: 1)
  #expect(try loader(fixture).newestDay() == 7)
  #expect(try loader(fixture).daysWithData() == [5, 7])
}

@Test func aDayThatOnlyAPhoneSpeaksOfIsNotTheNewest() throws {
  let fixture = try StoreFixture()
  let day = StoreFixture.day
  for day in [day - 1, day, day + 1] { try fixture.installations(day: day, seen: 1) }
  try fixture.answer(3, day: day - 1, status: 200)
  // No answer was logged: it was sent all the same.
  try fixture.answer(1, status: 0)
  try fixture.answer(5, day: day + 1, status: -1, link: 3)
  #expect(try loader(fixture).newestDay() == day)
  var row = StoreFixture.Row(key: 1, at: StoreFixture.midnight + 86_400_000_000 + 1)
  row.sends = 0
  try fixture.insert(row)
  #expect(try loader(fixture).isEmpty(DaySpan(utcDay: day + 1)))
  row.key = 2
  row.sends = 1
  try fixture.insert(row)
  #expect(try !loader(fixture).isEmpty(DaySpan(utcDay: day + 1)))
}
