import PushModel
import PushReport

/// Made-up tables for the tests of reports: a busy day, one broken notification, two releases.
enum Sample {
  static let wording = CauseWording(
    title: { step in
      switch step {
      case .apnsAccepted: "APNs accepted the send"
      case .tokenCurrent: "The token is the installation's current one"
      case .tokenEnvironment: "Token and host name one environment"
      case .mutableContent: "The service extension is asked for"
      case .didReceive: "The service extension ran"
      case .mediaDownload: "The media was downloaded"
      case .mediaFile: "The media file can be attached"
      case .handlerTiming: "The handler was called in time"
      case .visibleAlert: "There is something to show"
      default: step.rawValue
      }
    },
    meaning: { cause in
      switch cause {
      case .tokenUnregistered: "APNs says that the token is no longer active"
      case .mediaHttpStatus: "The media server answered with an error"
      case .mutableContentOff: "The payload does not ask for the service extension"
      case .contentHandlerNever: "A path through the extension never calls the handler"
      case .tokenEnvMismatch: "Token and host belong to different environments"
      case .downloadTooSlow: "The download outlasts the extension's time"
      case .fileExtensionMissing: "The file's name has no ending and no type hint was given"
      default: ""
      }
    },
    repair: { cause in
      switch cause {
      case .mediaHttpStatus:
        "Open the media address with the phone's rights; signed addresses must outlive the send."
      case .tokenUnregistered: "Drop the token; the app sends a new one at its next launch."
      default: ""
      }
    },
    need: { need in
      switch need {
      case .eventsExtension: "records of the service extension on this device"
      case .deviceSettings: "the notification settings of the device"
      default: need.text
      }
    })

  /// 2026-11-29T00:00:00Z in microseconds: 20,786 days after 1970-01-01.
  static let midnight: Int64 = 20_786 * 86_400_000_000

  static func days(_ broken: [Int], of concerned: Int, unknown: Int = 0) -> [DayTally] {
    broken.enumerated().map {
      DayTally(
        date: "2026-11-\(22 + $0.offset)",
        tally: Tally(broken: $0.element, concerned: concerned, undetermined: unknown))
    }
  }

  static func histogram(_ values: [(milliseconds: Int64, count: Int64)]) -> Histogram {
    var histogram = Histogram()
    for value in values { histogram.add(value.milliseconds * 1000, count: value.count) }
    return histogram
  }

  static var daily: DailyTables {
    var tables = DailyTables(date: "2026-11-29", zone: "UTC", app: "com.example.courier")
    tables.coverage = coverage
    tables.funnel.add(180, seen: [.sent], group: .rich)
    tables.funnel.add(9_420, seen: [.accepted], group: .rich)
    tables.funnel.add(1_100, seen: [.received], group: .rich)
    tables.funnel.add(900, seen: [.extensionRan], group: .rich)
    tables.funnel.add(14_700, seen: [.modified], group: .rich)
    tables.funnel.add(2_900, seen: [.modified, .presented], group: .rich)
    tables.funnel.add(800, seen: [.modified, .presented, .acted], group: .rich)
    tables.funnel.add(60, seen: [.sent], group: .plain)
    tables.funnel.add(14_000, seen: [.accepted], group: .plain)
    tables.funnel.add(3_000, seen: [.presented], group: .plain)
    tables.funnel.add(940, seen: [.acted], group: .plain)
    tables.funnel.add(500, seen: [.accepted], group: .silent)
    tables.funnel.add(720, seen: [.woken], group: .silent)
    tables.funnel.add(480, seen: [.handled], group: .silent)
    tables.judgements = [
      MeantJudgements(
        group: .rich,
        counts: JudgementCounts(
          asMeant: 18_400, broken: 2_160, cannotTell: 9_420, conflicting: 20, replaced: 310)),
      MeantJudgements(
        group: .plain,
        counts: JudgementCounts(asMeant: 17_940, broken: 60, replaced: 12, onlyAccepted: 4_100)),
      MeantJudgements(
        group: .silent, counts: JudgementCounts(asMeant: 1_195, broken: 5, cannotTell: 500)),
    ]
    tables.previousDays = days(
      [1_610, 1_580, 1_702, 1_655, 1_490, 1_640, 1_660], of: 50_100, unknown: 7_900)
    tables.causes = causes
    tables.refusals = RefusalTable(
      notifications: 48_750,
      rows: [
        RefusalTable.Row(
          status: 410, reason: "Unregistered", notifications: 168,
          previous: days([150, 171, 160, 158, 149, 177, 162], of: 50_400),
          examples: [ExampleRow(id: "n-77120"), ExampleRow(id: "n-77008")]),
        RefusalTable.Row(
          status: 400, reason: "BadDeviceToken", notifications: 72,
          previous: days([0, 0, 0, 0, 0, 0, 0], of: 50_400), examples: [ExampleRow(id: "n-77341")]),
        RefusalTable.Row(
          status: 0, reason: nil, notifications: 9,
          previous: days([11, 4, 7, 9, 13, 8, 6], of: 50_400)),
      ])
    tables.breakdowns = breakdowns
    tables.timings = [
      TimingRow(
        kind: .download,
        day: histogram([
          (40, 200), (120, 4_000), (260, 9_000), (700, 4_200), (1_900, 800), (9_000, 310),
          (28_000, 60),
        ]),
        previous: histogram([
          (40, 1_900), (120, 30_000), (260, 61_000), (700, 24_000), (1_900, 3_900), (9_000, 900),
        ])),
      TimingRow(
        kind: .handler,
        day: histogram([(90, 900), (300, 11_000), (900, 5_400), (2_500, 900), (29_500, 130)]),
        previous: histogram([(90, 7_000), (300, 80_000), (900, 34_000), (2_500, 4_000)])),
    ]
    tables.lateChanges = [
      LateChangeRow(date: "2026-11-28", from: .cannotTell, to: .asMeant, count: 4_310),
      LateChangeRow(date: "2026-11-28", from: .cannotTell, to: .broken, count: 212),
      LateChangeRow(date: "2026-11-26", from: nil, to: .cannotTell, count: 3),
    ]
    tables.notes = [
      IngestNoteRow(
        source: "device-03.ndjson.gz", reason: "ts: not a time", count: 41, firstLine: 1_204,
        firstText: "{\"ts\":\"yesterday\",\"event\":\"nse.did_receive\",\"seq\":88}"),
      IngestNoteRow(
        source: "provider.ndjson", reason: "cut off in the middle of a string", count: 1,
        firstLine: 50_012),
    ]
    return tables
  }

  private static var coverage: CoverageTable {
    var coverage = CoverageTable()
    coverage.sources = [
      SourceRow(
        name: "provider.ndjson", adapter: "send-log-1", side: .sends, from: midnight + 2_000_000,
        to: midnight + 86_398_000_000, linesRead: 50_012, linesKept: 50_010, linesDuplicate: 1,
        linesNoted: 1, absence: .neverProves(because: "accepted sends may be sampled")),
      SourceRow(
        name: "device-01.ndjson.gz", adapter: "device-log-1", side: .devices,
        from: midnight - 40_000_000_000, to: midnight + 80_000_000_000, linesRead: 140_233,
        linesKept: 138_020, linesDuplicate: 2_213,
        absence: .proves(within: "two records with no gap between them")),
      SourceRow(
        name: "device-03.ndjson.gz", adapter: "device-log-1", side: .devices, from: midnight,
        to: midnight + 79_000_000_000, linesRead: 91_800, linesKept: 91_700, linesNoted: 41,
        linesSkipped: 59,
        absence: .neverProves(because: "no record carries a number of a counter")),
      SourceRow(
        name: "old.log", adapter: "older-log", side: .other, from: midnight, to: midnight,
        linesRead: 12, linesKept: 12),
    ]
    coverage.formats = [
      FormatCoverage(
        adapter: "device-log-1", sources: 2, records: 229_720,
        absence: .proves(within: "two records with no gap between them")),
      FormatCoverage(adapter: "older-log", sources: 1, records: 12, absence: nil),
      FormatCoverage(
        adapter: "send-log-1", sources: 1, records: 50_010,
        absence: .neverProves(because: "accepted sends may be sampled")),
    ]
    coverage.installationsSeen = 9_870
    coverage.installationsLogging = 8_010
    coverage.installationsGapless = 6_904
    coverage.sent = 48_750
    coverage.answered = 48_741
    coverage.successShare = 1
    coverage.notifications = 49_700
    coverage.linkedExactly = 24_000
    coverage.linkedByGuess = 630
    coverage.withoutDeviceRecord = 24_120
    coverage.onlyDeviceRecords = 950
    coverage.unlinkedRecords = 1_377
    return coverage
  }

  private static var causes: [CauseRow] {
    [
      CauseRow(
        step: .mediaDownload, cause: .mediaHttpStatus, certain: 1_204, likely: 66,
        tally: Tally(broken: 1_270, concerned: 21_200, undetermined: 6_800),
        previous: days([610, 590, 640, 655, 602, 633, 615], of: 21_000, unknown: 4_100),
        examples: [
          ExampleRow(id: "n-77412", sentAt: midnight + 86_300_000_000),
          ExampleRow(id: "n-77409", sentAt: midnight + 86_200_000_000),
          ExampleRow(id: "5b0f4c1e-7a39-4d58-9a60-2f1d6c0be1aa", sentAt: midnight),
        ]),
      CauseRow(
        step: .mutableContent, cause: .mutableContentOff, certain: 410,
        tally: Tally(broken: 410, concerned: 30_000),
        previous: days([402, 431, 390, 415, 422, 398, 409], of: 30_100),
        examples: [ExampleRow(id: "n-76990")]),
      CauseRow(
        step: .handlerTiming, cause: .contentHandlerNever, certain: 90, likely: 120, possible: 44,
        tally: Tally(broken: 254, concerned: 30_000, undetermined: 9_420),
        previous: days([300, 310, 280, 305, 150, 290, 312], of: 30_100, unknown: 7_700),
        examples: [ExampleRow(id: "n-77001"), ExampleRow(id: "n-77000")]),
      CauseRow(
        step: .tokenCurrent, cause: .tokenUnregistered, certain: 161,
        tally: Tally(broken: 161, concerned: 49_700, undetermined: 0),
        previous: days([150, 171, 160, 158, 149, 177, 162], of: 50_100),
        examples: [ExampleRow(id: "n-77120"), ExampleRow(id: "n-77008")]),
      CauseRow(
        step: .tokenEnvironment, cause: .tokenEnvMismatch, certain: 70,
        tally: Tally(broken: 70, concerned: 49_700, undetermined: 9),
        previous: days([0, 0, 0, 0, 0, 0, 0], of: 50_100), examples: [ExampleRow(id: "n-77341")]),
      CauseRow(
        step: .mediaFile, cause: .fileExtensionMissing, likely: 55,
        tally: Tally(broken: 55, concerned: 21_200, undetermined: 7_100),
        previous: days([140, 133, 129, 151, 138, 147, 142], of: 21_000, unknown: 4_300),
        examples: [ExampleRow(id: "n-77130")]),
      CauseRow(
        step: .didReceive, cause: nil, possible: 5,
        tally: Tally(broken: 5, concerned: 30_000, undetermined: 9_420),
        previous: Array(days([2, 6, 3, 4, 0, 5, 1], of: 30_100, unknown: 7_700).dropFirst(5))),
    ]
  }

  private static var breakdowns: [Breakdown] {
    [
      Breakdown(
        dimension: .release,
        rows: [
          Breakdown.Row(
            key: "5.2.0 (5203)",
            counts: JudgementCounts(
              asMeant: 9_100, broken: 1_420, cannotTell: 2_700, conflicting: 11)),
          Breakdown.Row(
            key: "5.1.0 (5101)",
            counts: JudgementCounts(
              asMeant: 24_300, broken: 640, cannotTell: 5_900, conflicting: 9)),
          Breakdown.Row(
            key: nil, counts: JudgementCounts(asMeant: 4_135, broken: 165, cannotTell: 1_320)),
        ]),
      Breakdown(
        dimension: .osVersion,
        rows: (0..<7).map {
          Breakdown.Row(
            key: "26.\($0)",
            counts: JudgementCounts(
              asMeant: 5_300 - 100 * $0, broken: 300 + 5 * $0, cannotTell: 1_400))
        }),
      Breakdown(
        dimension: .topic,
        rows: [
          Breakdown.Row(
            key: "com.example.courier",
            counts: JudgementCounts(
              asMeant: 37_535, broken: 2_225, cannotTell: 9_920, conflicting: 20))
        ]),
      Breakdown(
        dimension: .campaign,
        rows: [
          Breakdown.Row(
            key: "black-friday-preview",
            counts: JudgementCounts(asMeant: 3_000, broken: 900, cannotTell: 800)),
          Breakdown.Row(
            key: "digest", counts: JudgementCounts(asMeant: 9_000, broken: 200, cannotTell: 1_800)),
          Breakdown.Row(key: "test-to-one", counts: JudgementCounts(broken: 1)),
        ]),
    ]
  }

  static var triage: TriageTables {
    let id = "5b0f4c1e-7a39-4d58-9a60-2f1d6c0be1aa"
    let sent = midnight + 29_702_120_000
    let send = StoredLine(
      file: "provider.ndjson", line: 17_310,
      text: "{\"ts\":\"2026-11-29T08:15:02.120Z\",\"status\":200,\"apns_id\":\"\(id)\","
        + "\"topic\":\"com.example.courier\",\"push_type\":\"alert\",\"priority\":10,"
        + "\"mutable_content\":1,\"has_alert\":true}")
    let finished = StoredLine(
      file: "device-01.ndjson.gz", line: 40_122,
      text: "{\"ts\":\"2026-11-29T08:15:03.404Z\",\"event\":\"nse.download.finished\",\"seq\":5113,"
        + "\"attrs\":{\"status\":403,\"bytes\":243,\"mime\":\"application/xml\",\"duration_ms\":212.5}}"
    )
    var tables = TriageTables(asked: id)
    tables.identity.notificationID = "n-77412"
    tables.identity.apnsIDs = [id]
    tables.identity.requestID = "0D1D4CE4-90F7-4B38-9C8E-0F5D8A8B6A11"
    tables.identity.deviceID = "inst-0042"
    tables.identity.token = "9f3a…c41e"
    tables.identity.bundle = "com.example.courier"
    tables.identity.version = "5.2.0"
    tables.identity.build = "5203"
    tables.identity.osVersion = "26.1"
    tables.identity.model = "iPhone17,1"
    tables.identity.topic = "com.example.courier"
    tables.identity.campaign = "black-friday-preview"
    tables.identity.meaning = [.modified, .media]
    tables.identity.meaningSource = .payload
    tables.identity.clockOffset = 75_200_000
    tables.identity.clockError = 900_000
    tables.coverage.installationLogs = true
    tables.coverage.isGapless = true
    tables.coverage.assumedClocks = [
      AssumedClock(file: "phone.log", zone: "+01:00", time: nil, year: 2026)
    ]
    tables.coverage.runFrom = sent - 3_600_000_000
    tables.coverage.runTo = sent + 7_200_000_000
    tables.coverage.holdsExtension = true
    tables.coverage.sendLogComplete = true
    tables.links = [
      LinkRow(key: .own, side: .sends, records: 1),
      LinkRow(key: .notificationID, side: .devices, records: 2),
      LinkRow(key: .sameRun, side: .devices, records: 3),
      LinkRow(key: .timeGuess, side: .devices, records: 1),
    ]
    tables.attempts = [
      AttemptRow(
        attempt: 1, sentAt: sent - 1_500_000, provider: "apns", environment: "production",
        topic: "com.example.courier", pushType: "alert", priority: "10", expiration: "0",
        status: 503,
        reason: "ServiceUnavailable", answeredAfter: 950_000,
        line: StoredLine(file: "provider.ndjson", line: 17_301)),
      AttemptRow(
        attempt: 2, sentAt: sent, provider: "apns", environment: "production",
        topic: "com.example.courier", pushType: "alert", priority: "10", expiration: "0",
        status: 200,
        answeredAfter: 41_300, line: send),
    ]
    tables.timeline = timeline(sent: sent, send: send, finished: finished)
    tables.steps = steps(send: send, finished: finished)
    tables.verdict.judgement = .broken
    tables.verdict.step = .mediaDownload
    tables.verdict.cause = .mediaHttpStatus
    tables.verdict.confidence = .certain
    tables.verdict.stage = .presented
    tables.otherMatches = [
      MatchRow(
        device: "inst-0043", sentAt: sent + 5_000, id: "n-77413", judgement: .asMeant),
      MatchRow(
        device: nil, sentAt: nil, id: "n-77414", judgement: .cannotTell, step: .didReceive),
    ]
    tables.otherMatchesLeftOut = JudgementCounts(asMeant: 100, broken: 11, cannotTell: 7)
    return tables
  }

  private static func timeline(sent: Int64, send: StoredLine, finished: StoredLine)
    -> [TimelineRow]
  {
    func row(
      _ after: Int64, _ since: Int64?, _ what: String, _ line: Int,
      _ attributes: [ShownAttribute] = [], link: LinkKey = .sameRun
    ) -> TimelineRow {
      TimelineRow(
        time: sent + after, clock: .corrected, sincePrevious: since, what: what,
        attributes: attributes, link: link,
        line: StoredLine(file: "device-01.ndjson.gz", line: line))
    }
    return [
      TimelineRow(
        time: sent - 1_500_000, clock: .server, what: "sent",
        attributes: [ShownAttribute("attempt", "1")],
        line: StoredLine(file: "provider.ndjson", line: 17_301)),
      TimelineRow(
        time: sent, clock: .server, sincePrevious: 1_500_000, what: "sent",
        attributes: [ShownAttribute("attempt", "2")], line: send),
      row(
        880_000, 880_000, "nse.did_receive", 40_120, [ShownAttribute("attempt", "1")],
        link: .notificationID),
      row(
        1_071_500, 191_500, "nse.download.started", 40_121,
        [ShownAttribute("url", "https, host cdn.example, 88 characters, ending jpg")]),
      TimelineRow(
        time: sent + 1_284_000, clock: .corrected, sincePrevious: 212_500,
        what: "nse.download.finished",
        attributes: [ShownAttribute("status", "403"), ShownAttribute("mime", "application/xml")],
        link: .sameRun, line: finished),
      row(
        1_290_000, 6_000, "nse.handler.called", 40_123,
        [ShownAttribute("attachments", "0"), ShownAttribute("fallback", "true")]),
      TimelineRow(
        time: sent + 86_400_000_000, clock: .device, sincePrevious: 86_398_710_000,
        what: "app.presented", attributes: [ShownAttribute("by", "delivered_list")],
        link: .timeGuess, line: StoredLine(file: "device-01.ndjson.gz", line: 40_490)),
    ]
  }

  private static func steps(send: StoredLine, finished: StoredLine) -> [StepRow] {
    [
      StepRow(
        step: .tokenEnvironment, outcome: .holds,
        sentence: "APNs accepted it, so token and host name one environment.", evidence: [send]),
      StepRow(
        step: .apnsAccepted, outcome: .holds, sentence: "APNs answered 200 to attempt 2.",
        evidence: [send]),
      StepRow(step: .category, outcome: .notApplicable, sentence: "No category was meant."),
      StepRow(
        step: .notificationSettings, outcome: .unknown,
        sentence: "No settings of this device are known at that time.",
        missing: [.deviceSettings]),
      StepRow(
        step: .mutableContent, outcome: .holds, sentence: "The flag is 1, in aps.",
        evidence: [send]),
      StepRow(
        step: .didReceive, outcome: .holds, sentence: "The extension recorded didReceive.",
        evidence: [
          StoredLine(
            file: "device-01.ndjson.gz", line: 40_120,
            text: "nse.did_receive attempt=1 mutable_content=1", origin: .record)
        ]),
      StepRow(
        step: .mediaDownload, outcome: .broken, sentence: "The media server answered 403.",
        cause: .mediaHttpStatus, confidence: .certain, evidence: [finished], isDecisive: true),
      StepRow(
        step: .handlerTiming, outcome: .holds,
        sentence: "The handler was called after 410 ms, without an attachment.",
        evidence: [StoredLine(file: "device-01.ndjson.gz", line: 40_123)]),
    ]
  }

  /// Installations of which some have so many broken each; the squares are a quarter above those of
  /// installations that all have as many notifications.
  private static func spread(
    _ phones: (all: Int, carriers: Int, broken: Int, told: Int), of tally: Tally
  ) -> PhoneSpread {
    let told = tally.concerned - tally.undetermined
    return PhoneSpread(
      installations: phones.all, squares: told * told * 5 / 4 / max(1, phones.all),
      carriers: Array(
        repeating: PhoneSpread.Carrier(broken: phones.broken, told: phones.told),
        count: phones.carriers))
  }

  static var comparison: ComparisonTables {
    var baseline = ReleaseSide(bundle: "com.example.courier", version: "5.1.0", build: "5101")
    baseline.from = midnight - 14 * 86_400_000_000
    baseline.to = midnight + 80_000_000_000
    baseline.installationsSeen = 8_120
    baseline.installationsEverLogged = 6_800
    baseline.installationsGapless = 5_100
    baseline.notifications = 310_400
    baseline.linkedExactly = 201_000
    baseline.linkedByGuess = 3_100
    baseline.withoutDeviceRecord = 106_300
    baseline.judgements = JudgementCounts(
      asMeant: 243_000, broken: 6_400, cannotTell: 60_900, conflicting: 100)
    baseline.hasFacts = true
    var candidate = ReleaseSide(bundle: "com.example.courier", version: "5.2.0", build: "5203")
    candidate.from = midnight - 3 * 86_400_000_000
    candidate.to = midnight + 86_300_000_000
    candidate.installationsSeen = 2_410
    candidate.installationsEverLogged = 2_080
    candidate.installationsGapless = 1_655
    candidate.notifications = 39_700
    candidate.linkedExactly = 26_100
    candidate.linkedByGuess = 350
    candidate.withoutDeviceRecord = 13_250
    candidate.judgements = JudgementCounts(
      asMeant: 29_800, broken: 2_400, cannotTell: 7_480, conflicting: 20)
    candidate.hasFacts = true
    var tables = ComparisonTables(baseline: baseline, candidate: candidate)
    tables.causes = [
      ComparedCause(
        step: .mediaDownload, cause: .mediaHttpStatus,
        baseline: Tally(broken: 2_100, concerned: 130_000, undetermined: 31_000),
        candidate: Tally(broken: 260, concerned: 16_700, undetermined: 3_900)),
      ComparedCause(
        step: .handlerTiming, cause: .contentHandlerNever,
        baseline: Tally(broken: 420, concerned: 180_000, undetermined: 52_000),
        candidate: Tally(broken: 1_220, concerned: 23_000, undetermined: 6_100),
        examples: [ExampleRow(id: "n-77001"), ExampleRow(id: "n-77000")]),
      ComparedCause(
        step: .mediaFile, cause: .fileExtensionMissing,
        baseline: Tally(broken: 900, concerned: 130_000, undetermined: 33_000),
        candidate: Tally(broken: 12, concerned: 16_700, undetermined: 4_000),
        examples: [ExampleRow(id: "n-77130")]),
      ComparedCause(
        step: .tokenEnvironment, cause: .tokenEnvMismatch,
        baseline: Tally(broken: 2, concerned: 310_400),
        candidate: Tally(broken: 11, concerned: 39_700)),
      ComparedCause(
        step: .didReceive, cause: nil, baseline: Tally(),
        candidate: Tally(broken: 1, concerned: 3)),
    ]
    // By cause and side: installations, those with a broken one, and of each of these broken and told.
    let spreads: [((Int, Int, Int, Int), (Int, Int, Int, Int))] = [
      ((7_000, 2_100, 1, 14), (2_300, 260, 1, 6)), ((8_000, 420, 1, 16), (2_350, 610, 2, 8)),
      ((7_000, 300, 3, 15), (2_300, 6, 2, 6)), ((8_120, 1, 2, 40), (2_410, 1, 11, 20)),
      ((0, 0, 0, 0), (1, 1, 1, 3)),
    ]
    for (index, both) in spreads.enumerated() {
      tables.causes[index].baselineSpread = spread(both.0, of: tables.causes[index].baseline)
      tables.causes[index].candidateSpread = spread(both.1, of: tables.causes[index].candidate)
    }
    tables.mixes = [
      ReleaseMix(
        kind: .osVersion,
        rows: [
          MixRow(
            value: "26.1",
            baseline: JudgementCounts(asMeant: 90_000, broken: 2_400, cannotTell: 22_000),
            candidate: JudgementCounts(asMeant: 21_000, broken: 1_700, cannotTell: 4_000)),
          MixRow(
            value: "18.6",
            baseline: JudgementCounts(asMeant: 153_000, broken: 4_000, cannotTell: 39_000),
            candidate: JudgementCounts(asMeant: 8_800, broken: 700, cannotTell: 3_500)),
          MixRow(
            value: nil, baseline: JudgementCounts(), candidate: JudgementCounts(cannotTell: 20)),
        ]),
      ReleaseMix(
        kind: .deviceModel,
        rows: [
          MixRow(
            value: "iPhone17,1",
            baseline: JudgementCounts(asMeant: 243_000, broken: 6_400, cannotTell: 61_000),
            candidate: JudgementCounts(asMeant: 29_800, broken: 2_400, cannotTell: 7_520))
        ]),
    ]
    tables.timings = [
      ComparedTiming(
        kind: .handler, baseline: histogram([(90, 7_000), (300, 80_000), (900, 34_000)]),
        candidate: histogram([(90, 500), (300, 7_000), (900, 9_000), (29_500, 1_100)]))
    ]
    tables.facts = [
      FactDifference(
        name: "extension.minimum_os", baseline: .known("17.0"), candidate: .known("26.0")),
      FactDifference(
        name: "app.entitlements.app_groups", baseline: .known("group.com.example.courier"),
        candidate: .missing),
      FactDifference(
        name: "extension.links.Sharing.framework", baseline: .unknown, candidate: .known("yes")),
    ]
    return tables
  }

  /// Text that would break out of any format that does not quote it.
  static let hostile =
    "<script>alert('x')</script>\"&amp;|`**_[a](b)\u{1B}[31m\u{202E}\n# h\u{0}{{body}}"

  static var hostileDaily: DailyTables {
    var tables = daily
    tables.app = hostile
    tables.coverage.sources[0].name = hostile
    tables.coverage.sources[0].adapter = hostile
    tables.causes[0].examples[0].id = hostile
    tables.refusals.rows[0].reason = hostile
    tables.breakdowns[0].rows[0].key = hostile
    tables.notes[0].source = hostile
    tables.notes[0].reason = hostile
    tables.notes[0].firstText = hostile
    return tables
  }

  static var hostileTriage: TriageTables {
    var tables = triage
    tables.asked = hostile
    tables.identity.notificationID = hostile
    tables.identity.apnsIDs = [hostile]
    tables.identity.deviceID = hostile
    tables.identity.bundle = hostile
    tables.identity.campaign = hostile
    tables.attempts[0].reason = hostile
    tables.attempts[0].topic = hostile
    tables.timeline[0].what = hostile
    tables.timeline[0].attributes = [ShownAttribute(hostile, hostile)]
    tables.timeline[0].line.file = hostile
    tables.steps[0].sentence = hostile
    tables.steps[0].evidence = [StoredLine(file: hostile, line: 1, text: hostile)]
    tables.otherMatches[0].id = hostile
    tables.otherMatches[0].device = hostile
    return tables
  }

  static var hostileComparison: ComparisonTables {
    var tables = comparison
    tables.candidate.version = hostile
    tables.candidate.bundle = hostile
    tables.causes[0].examples = [ExampleRow(id: hostile)]
    tables.mixes[0].rows[0].value = hostile
    tables.facts[0] = FactDifference(
      name: hostile, baseline: .known(hostile), candidate: .known(hostile))
    return tables
  }
}
