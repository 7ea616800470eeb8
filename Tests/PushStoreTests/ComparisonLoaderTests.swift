import PushModel
import TestSupport
import Testing

@testable import PushStore

private let old = "5.1.0(5101)"
private let new = "5.2.0(5201)"

private func twoReleases() throws -> StoreFixture {
  let fixture = try StoreFixture()
  let day = StoreFixture.day
  for day in [day - 2, day - 1, day] { try fixture.installations(day: day, seen: 1) }
  try fixture.count(90, day: day - 2, of: "release", old, group: .rich)
  try fixture.count(
    10, day: day - 2, of: "release", old, group: .rich, .broken, .mediaDownload, .mediaHttpStatus)
  try fixture.count(40, day: day - 1, of: "release", old)
  try fixture.count(70, of: "release", new, group: .rich)
  try fixture.count(
    25, of: "release", new, group: .rich, .broken, .mediaDownload, .mediaHttpStatus)
  try fixture.count(5, of: "release", new, group: .rich, .cannotTell, .apnsAccepted)
  try fixture.count(2, of: "release", new, .broken, .topic, .topicWrong)
  // Another app that has the older version only.
  try fixture.count(8, app: "com.example.other", of: "release", "5.1.0(77)")
  return fixture
}

private func loader(_ fixture: StoreFixture) -> ComparisonLoader {
  var concerns = StepConcerns()
  concerns[.mediaDownload, .plain] = false
  var reach = StepConcerns.Reach()
  reach.isSettledByAcceptance = true
  concerns.set(reach, of: .topic)
  return ComparisonLoader(database: fixture.database, concerns: concerns)
}

@Test func bothSidesOfAComparisonAreCountedByHand() throws {
  let fixture = try twoReleases()
  try fixture.database.execute(
    """
    INSERT INTO day_timing VALUES (\(StoreFixture.day - 2), 'com.example.app', '\(old)', \
    'download', 20, 3), (\(StoreFixture.day - 1), 'com.example.app', '\(old)', 'download', 20, 4), \
    (\(StoreFixture.day), 'com.example.app', '\(new)', 'handler', 9, 5)
    """)
  var ids: [(id: String, row: Int64)] = []
  for (key, version) in ["5.2.0", "5.1.0", "5.2.0"].enumerated() {
    var row = StoreFixture.Row(key: Int64(key), at: StoreFixture.midnight + Int64(key))
    row.version = version
    row.build = version == "5.2.0" ? "5201" : "5101"
    row.judgement = 1
    row.step = "media-download"
    row.cause = "media_http_status"
    row.apnsID = "A-\(key)"
    try fixture.insert(row)
    ids.append(("A-\(key)", row.id))
  }
  try fixture.index(ids)
  let tables = try loader(fixture).load(baseline: "5.1.0", candidate: "5.2.0")
  #expect(tables.baseline.bundle == "com.example.app")
  #expect(tables.baseline.build == "5101")
  #expect(tables.baseline.notifications == 140)
  #expect(tables.candidate.judgements == JudgementCounts(asMeant: 70, broken: 27, cannotTell: 5))
  let twoDays: Int64 = 172_800_000_000
  #expect(tables.baseline.from == StoreFixture.midnight - twoDays)
  #expect(tables.baseline.to == StoreFixture.midnight - 1)
  // These counts are in no roll-up, and three rows are not all of them.
  #expect(tables.mixes.isEmpty)
  #expect(tables.baseline.installationsSeen == nil)

  #expect(tables.causes.map(\.step) == [.topic, .mediaDownload])
  let download = try #require(tables.causes.last)
  #expect(download.baseline == Tally(broken: 10, concerned: 100, undetermined: 0))
  #expect(download.candidate == Tally(broken: 25, concerned: 100, undetermined: 5))
  #expect(download.examples.map(\.id) == ["A-2", "A-0"])
  let topic = try #require(tables.causes.first)
  #expect(topic.baseline == Tally(broken: 0, concerned: 140, undetermined: 0))
  #expect(topic.candidate == Tally(broken: 2, concerned: 102, undetermined: 0))

  #expect(tables.timings.map(\.baseline.total) == [7, 0])
  #expect(tables.timings.map(\.candidate.total) == [0, 5])
}

@Test func phonesOfBothReleasesAreCountedByHand() throws {
  let fixture = try StoreFixture()
  let day = StoreFixture.day
  for day in [day - 1, day] { try fixture.installations(day: day, seen: 1) }
  // 5 % broken on 17.5 and 20 % on 18.1, before and after; most had 17.5 before, 18.1 after.
  let phones: [(release: String, os: String, model: String, fine: Int, broken: Int)] = [
    (old, "17.5", "iPhone12,1", 855, 45), (old, "18.1", "iPhone12,1", 80, 20),
    (new, "17.5", "iPhone12,1", 95, 5), (new, "18.1", "iPhone12,1", 360, 90),
    (new, "18.1", "", 360, 90),
  ]
  for phone in phones {
    let day = phone.release == old ? day - 1 : day
    try fixture.phones(phone.fine, day: day, of: phone.release, os: phone.os, model: phone.model)
    try fixture.phones(
      phone.broken, day: day, of: phone.release, os: phone.os, model: phone.model, .broken,
      .mediaDownload, .mediaHttpStatus)
  }
  let tables = try loader(fixture).load(baseline: "5.1.0", candidate: "5.2.0")
  #expect(tables.mixes.map(\.kind) == [.osVersion, .deviceModel])
  #expect(
    tables.mixes[0].rows == [
      MixRow(
        value: "17.5", baseline: JudgementCounts(asMeant: 855, broken: 45),
        candidate: JudgementCounts(asMeant: 95, broken: 5)),
      MixRow(
        value: "18.1", baseline: JudgementCounts(asMeant: 80, broken: 20),
        candidate: JudgementCounts(asMeant: 720, broken: 180)),
    ])
  #expect(
    tables.mixes[1].rows == [
      MixRow(
        value: nil, baseline: JudgementCounts(),
        candidate: JudgementCounts(asMeant: 360, broken: 90)),
      MixRow(
        value: "iPhone12,1", baseline: JudgementCounts(asMeant: 935, broken: 65),
        candidate: JudgementCounts(asMeant: 455, broken: 95)),
    ])
  let cause = try #require(tables.causes.first)
  #expect(cause.baseline == Tally(broken: 65, concerned: 1000))
  #expect(cause.candidate == Tally(broken: 185, concerned: 1000))
  #expect(
    cause.strata.first?.pairs == [
      Strata.Pair(
        baseline: Tally(broken: 45, concerned: 900), candidate: Tally(broken: 5, concerned: 100)),
      Strata.Pair(
        baseline: Tally(broken: 20, concerned: 100), candidate: Tally(broken: 180, concerned: 900)),
    ])
}

/// Phone 1: 4 as meant and 2 broken on 17.5, then 1 broken on 18.1. Phone 2: 3 as meant on 17.5, and 2
/// of which sight was lost at APNs. Phone 3: 1 as meant, never logged for it.
@Test func spreadsOverInstallationsAreCountedByHand() throws {
  let fixture = try StoreFixture()
  try fixture.installations(seen: 3)
  try fixture.installation(1, device: "one", logs: true)
  try fixture.installation(3, device: "three", logs: true)
  let http = ("media-download", "media_http_status")
  for (id, os) in [(11, "17.5"), (12, "18.1")] {
    try fixture.database.execute(
      "INSERT INTO installed_app VALUES (\(id), 'com.example.app', '5.1.0', '5101', '\(os)', '', 1)"
    )
  }
  let rows:
    [(app: Int, phone: Int, judgement: Judgement, (String, String), link: Int, gapless: Int, Int)] =
      [
        (11, 1, .asMeant, ("", ""), 0, 1, 4), (11, 1, .broken, http, 0, 1, 2),
        (12, 1, .broken, http, 1, 1, 1), (11, 2, .asMeant, ("", ""), 0, 1, 3),
        (11, 2, .cannotTell, ("apns-accepted", ""), 2, 0, 2), (11, 3, .asMeant, ("", ""), 2, 1, 1),
      ]
  for row in rows {
    try fixture.database.execute(
      """
      INSERT INTO release_installation VALUES (\(row.app), \(row.phone), 0, \(row.judgement.rawValue), \
      '\(row.3.0)', '\(row.3.1)', \(row.link), \(row.gapless), 0, \(row.6))
      """)
  }
  // Two more to phone 3 of which only APNs' answer is known: nothing is told by them.
  try fixture.database.execute(
    "INSERT INTO release_installation VALUES (11, 3, 0, 0, '', '', 2, 1, 1, 2)")
  try fixture.phones(10, of: old, os: "17.5", model: "")
  try fixture.phones(2, of: old, os: "17.5", model: "", .broken, .mediaDownload, .mediaHttpStatus)
  try fixture.phones(1, of: old, os: "18.1", model: "", .broken, .mediaDownload, .mediaHttpStatus)
  try fixture.phones(2, of: old, os: "17.5", model: "", .cannotTell, .apnsAccepted)
  try fixture.phones(9, of: new, os: "17.5", model: "")
  let side = try loader(fixture).load(baseline: "5.1.0", candidate: "5.2.0").baseline
  #expect(side.installationsSeen == 3)
  // Phone 3 logged, but for none of these; phone 2 has a gap.
  #expect(side.installationsEverLogged == 3)
  #expect(side.installationsGapless == 1)
  #expect(side.linkedExactly == 9)
  #expect(side.linkedByGuess == 1)
  #expect(side.withoutDeviceRecord == 5)

  // Of the candidate nothing is known by installation, so nothing is spread.
  #expect(side.spread == nil)
  try fixture.database.execute(
    """
    INSERT INTO installed_app VALUES (13, 'com.example.app', '5.2.0', '5201', '17.5', '', 1);
    INSERT INTO release_installation VALUES (13, 2, 0, 0, '', '', 0, 1, 0, 9)
    """)
  let tables = try loader(fixture).load(baseline: "5.1.0", candidate: "5.2.0")
  // Told of are 7, 3 and 1.
  let spread = PhoneSpread(
    installations: 3, squares: 49 + 9 + 1, carriers: [PhoneSpread.Carrier(broken: 3, told: 7)])
  #expect(tables.baseline.spread == spread)
  let cause = try #require(tables.causes.first)
  #expect(cause.baselineSpread == spread)
  #expect(cause.candidateSpread == PhoneSpread(installations: 1, squares: 81))
  let pairs = try #require(cause.strata.first { $0.kind == .osVersion }?.pairs)
  #expect(
    pairs.map(\.baselineSpread) == [
      PhoneSpread(
        installations: 3, squares: 36 + 9 + 1, carriers: [PhoneSpread.Carrier(broken: 2, told: 6)]),
      PhoneSpread(
        installations: 1, squares: 1, carriers: [PhoneSpread.Carrier(broken: 1, told: 1)]),
    ])
  #expect(tables.mixes.first?.rows.map(\.baselineSpread) == pairs.map(\.baselineSpread))
}

@Test func installationsOfSomeDaysAreReadFromTheRows() throws {
  let fixture = try StoreFixture()
  let day = StoreFixture.day
  for day in [day - 1, day] { try fixture.installations(day: day, seen: 1) }
  try fixture.count(1, day: day - 1, of: "release", old)
  try fixture.count(2, of: "release", old)
  try fixture.count(1, of: "release", new)
  for (key, version) in ["5.1.0", "5.1.0", "5.2.0"].enumerated() {
    var row = StoreFixture.Row(key: Int64(key), at: StoreFixture.midnight + Int64(key))
    row.version = version
    row.build = version == "5.2.0" ? "5201" : "5101"
    try fixture.insert(row)
  }
  // Of the day before nothing is left, so the whole is not known, but the last day is.
  let loader = loader(fixture)
  let whole = try loader.load(baseline: "5.1.0", candidate: "5.2.0")
  #expect(whole.baseline.installationsSeen == nil)
  #expect(whole.candidate.installationsSeen == 1)
  let last = try loader.load(baseline: "5.1.0", candidate: "5.2.0", from: day)
  #expect(last.baseline.installationsSeen == 1)
  #expect(last.baseline.spread?.installations == 1)
}

/// Phone 2 has one notification on the day before, phone 1 one there and two on the day asked for.
@Test func installationsOfOtherDaysAreTakenOffTheCounts() throws {
  let fixture = try StoreFixture()
  let day = StoreFixture.day
  for day in [day - 1, day] { try fixture.installations(day: day, seen: 2) }
  try fixture.count(2, day: day - 1, of: "release", old)
  try fixture.count(2, of: "release", old)
  try fixture.count(1, of: "release", new)
  let notifications: [(at: Int64, phone: Int64, version: String)] = [
    (-5, 2, "5.1.0"), (-4, 1, "5.1.0"), (1, 1, "5.1.0"), (2, 1, "5.1.0"), (3, 1, "5.2.0"),
  ]
  for (key, notification) in notifications.enumerated() {
    var row = StoreFixture.Row(key: Int64(key), at: StoreFixture.midnight + notification.at)
    row.installation = notification.phone
    row.version = notification.version
    row.build = row.version == "5.2.0" ? "5201" : "5101"
    try fixture.insert(row)
  }
  try fixture.database.execute(
    """
    INSERT INTO release_installation
    SELECT app_id, installation_id, 1, 0, '', '', 2, 0, 0, count(*) FROM notification_row GROUP BY 1, 2
    """)
  let loader = loader(fixture)
  let whole = try loader.load(baseline: "5.1.0", candidate: "5.2.0")
  #expect(whole.baseline.spread == PhoneSpread(installations: 2, squares: 9 + 1))
  let last = try loader.load(baseline: "5.1.0", candidate: "5.2.0", from: day)
  #expect(last.baseline.installationsSeen == 1)
  #expect(last.baseline.spread == PhoneSpread(installations: 1, squares: 4))
}

@Test func examplesAreLookedForOnAllDaysOfTheRelease() throws {
  let fixture = try StoreFixture()
  let day = StoreFixture.day
  for day in [day - 2, day - 1, day] { try fixture.installations(day: day, seen: 1) }
  try fixture.count(1, day: day - 2, of: "release", old)
  for day in [day - 2, day - 1] {
    try fixture.count(
      2, day: day, of: "release", new, group: .rich, .broken, .mediaDownload, .mediaHttpStatus)
  }
  try fixture.count(1, of: "release", new)
  for (key, daysBefore) in [2, 2, 1, 1].enumerated() {
    var row = StoreFixture.Row(
      key: Int64(key), at: StoreFixture.midnight - Int64(daysBefore) * 86_400_000_000 + Int64(key))
    row.version = "5.2.0"
    row.build = "5201"
    row.judgement = 1
    row.step = "media-download"
    row.cause = "media_http_status"
    row.apnsID = "A-\(key)"
    try fixture.insert(row)
  }
  let tables = try loader(fixture).load(baseline: "5.1.0", candidate: "5.2.0")
  #expect(tables.causes.first?.examples.map(\.id) == ["A-3", "A-2", "A-1"])
}

@Test func daysLimitWhatIsCompared() throws {
  let tables = try loader(twoReleases()).load(
    baseline: "5.1.0", candidate: "5.2.0", from: StoreFixture.day - 1)
  #expect(tables.baseline.notifications == 40)
}

/// A phone whose clock is years off, and one that had the release before it was sent to.
@Test func daysWithoutSendsAreComparedOnlyWhereThereIsNoOther() throws {
  let fixture = try twoReleases()
  let day = StoreFixture.day
  try fixture.installations(day: day + 1460, seen: 1)
  try fixture.count(
    9, day: day + 1460, of: "release", "5.2.0(5201)", .broken, .mediaDownload, .mediaHttpStatus)
  try fixture.count(4, day: day + 1460, of: "release", "6.0.0(6001)")
  for day in [day - 2, day - 1, day] { try fixture.answer(1, day: day, status: 200) }
  try fixture.answer(13, day: day + 1460, status: -1, link: 3)
  let loader = loader(fixture)
  let tables = try loader.load(baseline: "5.1.0", candidate: "5.2.0")
  #expect(tables.candidate.notifications == 102)
  #expect(tables.candidate.to == StoreFixture.midnight + 86_400_000_000 - 1)
  let asked = try loader.load(baseline: "5.1.0", candidate: "5.2.0", to: day + 1460)
  #expect(asked.candidate.notifications == 111)
  let only = try loader.load(baseline: "5.1.0", candidate: "6.0.0")
  #expect(only.candidate.notifications == 4)
}

@Test func factsThatDifferAreNamedWithBothValues() throws {
  let fixture = try twoReleases()
  try fixture.database.execute(
    """
    INSERT INTO release_fact VALUES \
    ('com.example.app', '5.1.0', '', '{"app":{"os":"17","same":true,"min_os":"15.0",\
    "entitlements":{"com.example.on":true}},"gone":1}', 'f'), \
    ('com.example.app', '5.2.0', '', '{"app":{"os":"16"}}', 'f'), \
    ('com.example.app', '5.2.0', '5201', \
    '{"app":{"os":"18","same":true,"min_os":"16.0","entitlements":{"com.example.on":false}},\
    "kinds":["a","b"],"point":null}', 'f')
    """)
  let tables = try loader(fixture).load(baseline: "5.1.0", candidate: "5.2.0")
  #expect(tables.baseline.hasFacts && tables.candidate.hasFacts)
  #expect(
    tables.facts == [
      FactDifference(
        name: "app.entitlements.com.example.on", baseline: .known("true"),
        candidate: .known("false")),
      FactDifference(name: "app.min_os", baseline: .known("15.0"), candidate: .known("16.0")),
      FactDifference(name: "app.os", baseline: .known("17"), candidate: .known("18")),
      FactDifference(name: "gone", baseline: .known("1"), candidate: .unknown),
      FactDifference(name: "kinds[0]", baseline: .unknown, candidate: .known("a")),
      FactDifference(name: "kinds[1]", baseline: .unknown, candidate: .known("b")),
      FactDifference(name: "point", baseline: .unknown, candidate: .missing),
    ])
}

@Test func releasesThatCannotBeComparedAreTold() throws {
  let fixture = try twoReleases()
  let loader = loader(fixture)
  #expect(throws: ComparisonProblem.notARelease("5.1.0(")) {
    try loader.load(baseline: "5.1.0(", candidate: "5.2.0")
  }
  #expect(throws: ComparisonProblem.sameRelease("5.1.0(5101)")) {
    try loader.load(baseline: "5.1.0(5101)", candidate: "5.1.0 (5101)")
  }
  #expect {
    try loader.load(baseline: "5.1.0", candidate: "6.0.0")
  } throws: { error in
    guard case ComparisonProblem.unknownRelease("6.0.0", nil, let known) = error else {
      return false
    }
    return known.contains("5.2.0(5201) of com.example.app")
  }
  #expect {
    try loader.load(baseline: "5.1.0", candidate: "5.2.0", from: 40_000, to: 40_001)
  } throws: { error in
    guard case ComparisonProblem.notInDays("5.1.0", let first, let last) = error else {
      return false
    }
    return first <= last && last < 40_000
  }
  #expect(
    throws: ComparisonProblem.noCommonApp(baseline: "5.1.0(77)", candidate: "5.2.0")
  ) {
    try loader.load(baseline: "5.1.0(77)", candidate: "5.2.0")
  }
  try fixture.count(1, app: "com.example.other", of: "release", "5.2.0(78)")
  #expect(throws: ComparisonProblem.severalApps(["com.example.app", "com.example.other"])) {
    try loader.load(baseline: "5.1.0", candidate: "5.2.0")
  }
  let chosen = try loader.load(
    baseline: "5.1.0", candidate: "5.2.0", app: "com.example.other")
  #expect(chosen.baseline.notifications == 8)
  try fixture.count(1, of: "release", "5.2.0(5202)")
  #expect(
    throws: ComparisonProblem.severalBuilds("5.2.0", builds: ["5.2.0(5201)", "5.2.0(5202)"])
  ) {
    try loader.load(baseline: "5.1.0", candidate: "5.2.0", app: "com.example.app")
  }
}

@Test(
  arguments: [
    ("5.1.0", "5.1.0", nil), ("5.1.0(5101)", "5.1.0", "5101"), ("5.1.0 (5101)", "5.1.0", "5101"),
  ] as [(String, String, String?)])
func aReleaseIsAVersionWithOrWithoutABuild(_ text: String, _ version: String, _ build: String?) {
  #expect(ReleaseName(text)?.version == version)
  #expect(ReleaseName(text)?.build == build)
}
