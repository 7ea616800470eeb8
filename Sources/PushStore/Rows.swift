public import PushModel

/// One row of `notification_row`; texts are ranges of the rows' ``ByteOutput`` or symbols of the pool.
public struct NotificationRow: Sendable {
  /// Day, installation and key in one number, see ``RowID``.
  public var id: Int64 = 0
  /// Installation.
  public var installation: Int64 = 0
  /// First send, or first event.
  public var sentAt: Int64 = 0
  /// Checklist.
  public var kind: ChainKind = .richAlert
  /// What was meant.
  public var meant: Meaning = []
  /// How that is known.
  public var meantBy: MeaningSource = .none
  /// The verdict.
  public var verdict = Verdict()
  /// Stages seen beside the last: bits 1 extension ran, 2 modified, 4 presented, 8 expanded.
  public var seen: UInt8 = 0
  /// What ties the two sides.
  public var link: LinkKey = .own
  /// Whether a later send replaced it.
  public var isReplaced = false
  /// Whether a gapless run of the installation's counter lies around it.
  public var isCovered = false
  /// Attempts.
  public var sends: Int32 = 0
  /// Device events.
  public var events: Int32 = 0
  /// Last answer's status; `Int32.min` = none.
  public var status: Int32 = .min
  /// Last answer's reason.
  public var reason: TextValue = .absent
  /// Environment of the last send.
  public var environment: TextValue = .absent
  /// Topic of the last send.
  public var topic: TextValue = .absent
  /// Campaign.
  public var campaign: TextValue = .absent
  /// Bundle id of the app; `empty` = not known (this and the next four).
  public var app = Symbol(.empty)
  /// App version.
  public var version = Symbol(.empty)
  /// Build.
  public var build = Symbol(.empty)
  /// OS version.
  public var os = Symbol(.empty)
  /// Device model.
  public var model = Symbol(.empty)
  /// The sender's own id.
  public var notificationID: TextRange = .none
  /// `apns-id`.
  public var apnsID: TextRange = .none
  /// Collapse id.
  public var collapseID: TextRange = .none
  /// Request identifier, if it is not the collapse id.
  public var requestID: TextRange = .none
  /// Token of the last send.
  public var token: TokenRecord = .none
  /// Duration of the download, microseconds; -1 = not known.
  public var download: Int64 = -1
  /// Time until the handler was called, microseconds; -1 = not known.
  public var handler: Int64 = -1
  /// Number of its block of stored lines within this batch, from 0; -1 = none.
  public var rawBlock: Int32 = -1
  /// Block of stored lines it already has; 0 = none.
  public var storedRawBlock: Int64 = 0
  /// What its columns refer to.
  public var numbers = RowNumbers()
  /// Timeline.
  public var timeline: TextRange = .none
  /// Judgement of the stored row that this one replaces, or nil.
  public var storedJudgement: Judgement?

  /// An empty row.
  public init() {}
}

/// A broken step of a notification.
public struct BrokenStepRow: Sendable {
  /// Notification.
  public var notification: Int64
  /// 0 = the verdict.
  public var place: Int64
  /// Step.
  public var step: StepID
  /// Cause.
  public var cause: CauseID?
  /// How sure.
  public var confidence: Confidence
  /// Time of the notification.
  public var sentAt: Int64

  /// A row.
  public init(
    notification: Int64, place: Int64, step: StepID, cause: CauseID?, confidence: Confidence,
    sentAt: Int64
  ) {
    self.notification = notification
    self.place = place
    self.step = step
    self.cause = cause
    self.confidence = confidence
    self.sentAt = sentAt
  }
}

/// One row of `installation_day`.
public struct InstallationDayRow: Sendable {
  /// Day and installation.
  public var id: Int64
  /// Installation.
  public var installation: Int64
  /// Number of records.
  public var records: Int64
  /// How many of them no notification claims.
  public var unlinked: Int64
  /// Timeline; an empty range deletes the row.
  public var timeline: TextRange

  /// A row.
  public init(id: Int64, installation: Int64, records: Int64, unlinked: Int64, timeline: TextRange)
  {
    self.id = id
    self.installation = installation
    self.records = records
    self.unlinked = unlinked
    self.timeline = timeline
  }
}

/// One row of `installation`.
public struct InstallationRow: Sendable {
  /// Hash of its id, see ``RowID/installation(hash:)``.
  public var id: Int64
  /// Device id as logged; an empty range = known by its token only.
  public var deviceID: TextRange
  /// First record.
  public var firstAt: Int64
  /// Last record.
  public var lastAt: Int64
  /// Whether it ever logged.
  public var hasEvents: Bool
  /// Days of its own records.
  public var days: [Int32]

  /// A row.
  public init(
    id: Int64, deviceID: TextRange, firstAt: Int64, lastAt: Int64, hasEvents: Bool, days: [Int32]
  ) {
    self.id = id
    self.deviceID = deviceID
    self.firstAt = firstAt
    self.lastAt = lastAt
    self.hasEvents = hasEvents
    self.days = days
  }
}

/// How ids of rows are made from content.
public enum RowID {
  /// Microseconds of a day.
  public static let microsecondsOfDay: Int64 = 86_400_000_000

  /// Days since 1970 of a time; never negative, so that ids stay ordered.
  @inline(__always) public static func day(of microseconds: Int64) -> Int64 {
    let day = microseconds >= 0 ? microseconds / microsecondsOfDay : 0
    return min(day, 32767)
  }

  /// An installation's id from the 64-bit hash of its device id or token digest.
  @inline(__always) public static func installation(hash: UInt64) -> Int64 {
    let id = Int64(hash >> 1)
    return id == 0 ? 1 : id
  }

  /// The 20 bits of an installation in the ids of its rows.
  @inline(__always) public static func bits(of installation: Int64) -> Int64 { installation >> 43 }

  /// These bits of a row's id.
  @inline(__always) static func installationBits(of row: Int64) -> Int64 {
    row >> 28 & (1 << 20 - 1)
  }

  /// The smallest id of an installation's rows of a day.
  @inline(__always) public static func first(day: Int64, installation: Int64) -> Int64 {
    day << 48 | bits(of: installation) << 28
  }

  /// What the ids of an installation's rows of a day have beside ``first(day:installation:)``, at most.
  public static let ofInstallation: Int64 = (1 << 28) - 1

  /// The id of a notification; `key` is the hash of what identifies it within its installation.
  @inline(__always) public static func notification(day: Int64, installation: Int64, key: UInt64)
    -> Int64
  {
    first(day: day, installation: installation)
      | Int64(StableHash.mix(key ^ UInt64(bitPattern: installation), StableHash.k1) >> 36)
  }
}

/// A key of `day_rollup`.
public struct RollupKey: CountKey {
  /// Dimensions, in the order of the words in the database.
  public enum Dimension: UInt8, Sendable, CaseIterable { case all, release, os, topic, campaign }
  /// Day.
  public var day: Int32
  /// App.
  public var app: Symbol
  /// Dimension.
  public var dimension: Dimension
  /// Its value.
  public var value: Symbol
  /// Second part of a release: its build.
  public var build: Symbol
  /// 0 rich, 1 plain, 2 silent.
  public var meaningClass: UInt8
  /// Judgement.
  public var judgement: Judgement
  /// Step.
  public var step: StepID?
  /// Cause.
  public var cause: CauseID?
  /// Confidence.
  public var confidence: Confidence
  /// Stage and, in its higher four bits, stages seen beside it; nil unless the dimension is `all`.
  public var stage: UInt8?

  /// A key.
  public init(
    day: Int32, app: Symbol, dimension: Dimension, value: Symbol, build: Symbol = Symbol(.empty),
    meaningClass: UInt8, judgement: Judgement, step: StepID?, cause: CauseID?,
    confidence: Confidence, stage: UInt8?
  ) {
    self.day = day
    self.app = app
    self.dimension = dimension
    self.value = value
    self.build = build
    self.meaningClass = meaningClass
    self.judgement = judgement
    self.step = step
    self.cause = cause
    self.confidence = confidence
    self.stage = stage
  }

  /// Whether both are the same.
  public static func == (a: RollupKey, b: RollupKey) -> Bool {
    a.day == b.day && a.app.index == b.app.index && a.dimension == b.dimension
      && a.value.index == b.value.index && a.build.index == b.build.index
      && a.meaningClass == b.meaningClass && a.judgement == b.judgement && a.step == b.step
      && a.cause == b.cause && a.confidence == b.confidence && a.stage == b.stage
  }

  /// Two words instead of eleven fields: this runs several times for each notification.
  public var mixed: UInt64 {
    var low = UInt64(value.index) << 32 | UInt64(build.index) << 8
    low ^= UInt64(meaningClass) << 4 | UInt64(judgement.rawValue)
    var high = UInt64(UInt32(bitPattern: day)) << 40 | UInt64(app.index) << 20
    high ^= UInt64(dimension.rawValue) << 12 | UInt64(confidence.rawValue) << 8
    high ^= UInt64(stage ?? 255)
    high ^= UInt64(cause.map { unsafeBitCast($0, to: UInt8.self) } ?? 255) << 24
    return StableHash.mix(low ^ StableHash.k0, high ^ StableHash.k1)
  }
}

/// A key of `day_phone`.
public struct PhoneKey: CountKey {
  /// Key of the release's row in `day_rollup`.
  public var release: RollupKey
  /// OS version.
  public var os: Symbol
  /// Device model.
  public var model: Symbol

  /// A key.
  public init(release: RollupKey, os: Symbol, model: Symbol) {
    self.release = release
    self.os = os
    self.model = model
  }

  /// The release's row with OS and model.
  public var mixed: UInt64 {
    StableHash.mix(
      release.mixed, (UInt64(os.index) << 32 | UInt64(model.index)) ^ StableHash.k2)
  }
}

/// A key of `day_replaced`.
public struct ReplacedKey: CountKey {
  /// Release and phone.
  public var phone: PhoneKey
  /// Topic, `empty` if none.
  public var topic: Symbol
  /// Campaign, `empty` if none.
  public var campaign: Symbol

  /// A key.
  public init(phone: PhoneKey, topic: Symbol, campaign: Symbol) {
    self.phone = phone
    self.topic = topic
    self.campaign = campaign
  }

  /// The phone with topic and campaign.
  public var mixed: UInt64 {
    StableHash.mix(
      phone.mixed, (UInt64(topic.index) << 32 | UInt64(campaign.index)) ^ StableHash.k2)
  }
}

/// A key of `release_installation`.
public struct InstallationKey: CountKey, Comparable {
  /// Id of the release and kind of phone in `installed_app`.
  public var app: Int64
  /// Installation.
  public var installation: Int64
  /// As in ``RollupKey``.
  public var meaningClass: UInt8
  /// Judgement.
  public var judgement: Judgement
  /// Step.
  public var step: StepID?
  /// Cause.
  public var cause: CauseID?
  /// As in ``AnswerKey``.
  public var link: UInt8
  /// Whether a gapless run of the installation's counter lies around the notification.
  public var isCovered: Bool
  /// Whether it is as meant, and nothing but APNs' acceptance is known of it.
  public var isOnlyAccepted: Bool

  /// A key.
  public init(
    app: Int64, installation: Int64, meaningClass: UInt8, judgement: Judgement, step: StepID?,
    cause: CauseID?, link: UInt8, isCovered: Bool, isOnlyAccepted: Bool
  ) {
    self.app = app
    self.installation = installation
    self.meaningClass = meaningClass
    self.judgement = judgement
    self.step = step
    self.cause = cause
    self.link = link
    self.isCovered = isCovered
    self.isOnlyAccepted = isOnlyAccepted
  }

  /// All fields but the two ids in one word.
  private var rest: UInt64 {
    UInt64(step.map { unsafeBitCast($0, to: UInt8.self) } ?? 255) << 32
      | UInt64(cause.map { unsafeBitCast($0, to: UInt8.self) } ?? 255) << 24
      | UInt64(meaningClass) << 16 | UInt64(judgement.rawValue) << 8 | UInt64(link) << 2
      | (isCovered ? 2 : 0) | (isOnlyAccepted ? 1 : 0)
  }

  /// All its fields.
  public var mixed: UInt64 {
    StableHash.mix(
      UInt64(bitPattern: app) ^ StableHash.k0 ^ rest,
      UInt64(bitPattern: installation) ^ StableHash.k1)
  }

  /// Near the order in which the rows are stored: by release, then by installation.
  public static func < (left: InstallationKey, right: InstallationKey) -> Bool {
    (left.app, left.installation, left.rest) < (right.app, right.installation, right.rest)
  }
}

/// A key of `day_answer`.
public struct AnswerKey: CountKey {
  /// Day.
  public var day: Int32
  /// App.
  public var app: Symbol
  /// Last answer's status, -1 without a send.
  public var status: Int32
  /// Last answer's reason, `empty` if none.
  public var reason: Symbol
  /// 0 exact, 1 guess, 2 no device record, 3 no send.
  public var link: UInt8

  /// A key.
  public init(day: Int32, app: Symbol, status: Int32, reason: Symbol, link: UInt8) {
    self.day = day
    self.app = app
    self.status = status
    self.reason = reason
    self.link = link
  }

  /// All its fields.
  public var mixed: UInt64 {
    StableHash.mix(
      (UInt64(UInt32(bitPattern: day)) << 32 | UInt64(app.index)) ^ StableHash.k0,
      (UInt64(UInt32(bitPattern: status)) << 40 ^ UInt64(reason.index) << 8 ^ UInt64(link))
        ^ StableHash.k1)
  }
}

/// A key of `day_timing`.
public struct TimingKey: CountKey {
  /// Day.
  public var day: Int32
  /// App.
  public var app: Symbol
  /// App version.
  public var version: Symbol
  /// Build.
  public var build: Symbol
  /// Whether it is the download; else the handler.
  public var isDownload: Bool
  /// Bucket.
  public var bucket: Int16

  /// A key.
  public init(
    day: Int32, app: Symbol, version: Symbol, build: Symbol, isDownload: Bool, bucket: Int16
  ) {
    self.day = day
    self.app = app
    self.version = version
    self.build = build
    self.isDownload = isDownload
    self.bucket = bucket
  }

  /// All its fields.
  public var mixed: UInt64 {
    let release = UInt64(version.index) << 32 | UInt64(build.index)
    let measure = UInt64(UInt16(bitPattern: bucket)) << 1 | (isDownload ? 1 : 0)
    let day = UInt64(UInt32(bitPattern: day)) << 40 ^ UInt64(app.index) << 18
    return StableHash.mix(release ^ StableHash.k0, (day ^ measure) ^ StableHash.k1)
  }
}

/// Counts to add to the roll-ups; negative where a row was replaced.
public struct RollupDelta: Sendable {
  /// For `day_rollup`, its dimension `all`.
  public var totals = CountTable<RollupKey>()
  /// For `day_rollup`, topics.
  public var topics = CountTable<RollupKey>()
  /// For `day_rollup`, campaigns.
  public var campaigns = CountTable<RollupKey>()
  /// For `day_phone`; its sums are the rows of releases and OS versions in `day_rollup`.
  public var phones = CountTable<PhoneKey>()
  /// For `day_replaced`.
  public var replaced = CountTable<ReplacedKey>()
  /// For `release_installation`.
  public var releaseInstallations = CountTable<InstallationKey>()
  /// For `day_answer`.
  public var answers = CountTable<AnswerKey>()
  /// For `day_timing`.
  public var timings = CountTable<TimingKey>()
  /// For `day_installation`.
  public var installations: [Int32: (seen: Int64, logging: Int64, gapless: Int64)] = [:]
  /// For `installed_app`, by its id.
  public var apps: [Int64: Int64] = [:]
  /// For `late_change`.
  public var changes: [ChangeKey: Int64] = [:]

  /// All rows for `day_rollup`.
  var allCounts: CountTable<RollupKey> {
    var all = totals
    all.add(topics)
    all.add(campaigns)
    for (key, value) in phones.counted {
      all.add(key.release, value)
      var os = key.release
      os.dimension = .os
      os.value = key.os
      os.build = Symbol(.empty)
      all.add(os, value)
    }
    return all
  }

  /// A changed judgement.
  public struct ChangeKey: Hashable, Sendable {
    /// Day.
    public var day: Int32
    /// Before.
    public var from: Judgement
    /// After.
    public var to: Judgement
    /// A change.
    public init(day: Int32, from: Judgement, to: Judgement) {
      self.day = day
      self.from = from
      self.to = to
    }
  }

  /// No counts.
  public init() {}
}

/// Everything that a part of a batch writes, in the order in which it is written.
public final class RowSet: @unchecked Sendable {
  /// Texts of the rows.
  public let texts = ByteOutput(capacity: 1 << 20)
  /// Rows, in any order.
  public var notifications: ContiguousArray<NotificationRow> = []
  /// Places of the rows in the order in which they are written: by id.
  public var order: [Int32] = []
  /// Rows that are gone: the notification has another id now, or none.
  public var goneNotifications: [Int64] = []
  /// Rows whose stored broken steps are replaced.
  public var staleSteps: [Int64] = []
  /// Broken steps.
  public var steps: ContiguousArray<BrokenStepRow> = []
  /// Days of installations.
  public var installationDays: ContiguousArray<InstallationDayRow> = []
  /// Installations.
  public var installations: ContiguousArray<InstallationRow> = []
  /// Tokens: installation and span.
  public var tokens: [(installation: Int64, span: TokenSpanRow)] = []
  /// Runs of an installation's counter that are there no longer as they were, and those that are new.
  public var coverage: [(installation: Int64, gone: [CoverageRow], added: [CoverageRow])] = []
  /// Ids: 48-bit hash and notification.
  public var identifiers: ContiguousArray<(hash: UInt64, notification: Int64)> = []
  /// Ids that wait for a send: to add, and notifications that wait no longer.
  public var waiting: ContiguousArray<(hash: UInt64, notification: Int64)> = []
  /// Notifications whose waiting ids go.
  public var notWaiting: [(hash: UInt64, notification: Int64)] = []
  /// Installations that were known by their token only and now have a device id.
  public var goneInstallations: [Int64] = []
  /// Blocks of stored lines, before compression, as ranges of ``rawTexts``.
  public var rawBlocks: [TextRange] = []
  /// Texts of stored lines.
  public let rawTexts = ByteOutput(capacity: 1 << 16)
  /// Rows that timelines refer to.
  public var definitions = TimelineWriter.Definitions()

  /// No rows.
  public init() {}

  /// Empties it, keeping its memory.
  public func removeAll() {
    texts.removeAll()
    notifications.removeAll(keepingCapacity: true)
    order.removeAll(keepingCapacity: true)
    goneNotifications.removeAll(keepingCapacity: true)
    staleSteps.removeAll(keepingCapacity: true)
    steps.removeAll(keepingCapacity: true)
    installationDays.removeAll(keepingCapacity: true)
    installations.removeAll(keepingCapacity: true)
    tokens.removeAll(keepingCapacity: true)
    coverage.removeAll(keepingCapacity: true)
    identifiers.removeAll(keepingCapacity: true)
    waiting.removeAll(keepingCapacity: true)
    notWaiting.removeAll(keepingCapacity: true)
    goneInstallations.removeAll(keepingCapacity: true)
    rawBlocks.removeAll(keepingCapacity: true)
    rawTexts.removeAll()
    definitions = TimelineWriter.Definitions()
  }
}

/// When a token was registered, as stored.
public struct TokenSpanRow: Sendable, Hashable {
  /// Token.
  public var token: TokenRecord
  /// First registration.
  public var firstAt: Int64
  /// Last registration.
  public var lastAt: Int64
  /// Kind.
  public var kind: TextValue
  /// Environment.
  public var environment: TextValue
  /// Where the first one stands.
  public var reference: RecordReference

  /// A span.
  public init(
    token: TokenRecord, firstAt: Int64, lastAt: Int64, kind: TextValue, environment: TextValue,
    reference: RecordReference
  ) {
    self.token = token
    self.firstAt = firstAt
    self.lastAt = lastAt
    self.kind = kind
    self.environment = environment
    self.reference = reference
  }
}

/// A stretch of a counter without a gap, as stored.
public struct CoverageRow: Sendable, Hashable {
  /// Log id.
  public var log: TextValue
  /// First counter value.
  public var first: Int64
  /// Last counter value.
  public var last: Int64
  /// Device time of the first record.
  public var firstAt: Int64
  /// Device time of the last record.
  public var lastAt: Int64
  /// 1 app, 2 extension, 3 both.
  public var processes: Int64
  /// Where the first record stands.
  public var firstReference: RecordReference
  /// Where the last record stands.
  public var lastReference: RecordReference

  /// A stretch.
  public init(
    log: TextValue, first: Int64, last: Int64, firstAt: Int64, lastAt: Int64, processes: Int64,
    firstReference: RecordReference, lastReference: RecordReference
  ) {
    self.log = log
    self.first = first
    self.last = last
    self.firstAt = firstAt
    self.lastAt = lastAt
    self.processes = processes
    self.firstReference = firstReference
    self.lastReference = lastReference
  }
}
