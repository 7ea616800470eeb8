/// Everything that the daily failure report shows; counts only, nothing computed from them.
///
/// A day is the day of the (first) send in ``zone``. Times are whole UTC microseconds.
public struct DailyTables: Equatable, Sendable {
  /// The day, `2026-11-29`.
  public var date: String
  /// Time zone of the day, `UTC` or an IANA name.
  public var zone: String
  /// Bundle id that the report is limited to; nil for all apps.
  public var app: String?
  /// Whether the rows of the day were pruned, so that only its counts are left.
  public var isPruned = false
  /// What the numbers rest on.
  public var coverage = CoverageTable()
  /// How far notifications came.
  public var funnel = FunnelTable()
  /// Judgements per group of meanings; at most one row a group.
  public var judgements: [MeantJudgements] = []
  /// The seven days before, oldest first: all notifications, broken in any way.
  public var previousDays: [DayTally] = []
  /// Broken notifications by cause, in any order.
  public var causes: [CauseRow] = []
  /// Notifications of the day whose last answer is not 200.
  public var refusals = RefusalTable()
  /// Judgements by release, OS version, topic, campaign.
  public var breakdowns: [Breakdown] = []
  /// Durations measured on the devices.
  public var timings: [TimingRow] = []
  /// Earlier days whose judgements changed since their last report.
  public var lateChanges: [LateChangeRow] = []
  /// Lines that were not understood, in the sources of this day.
  public var notes: [IngestNoteRow] = []

  /// A report without numbers.
  public init(date: String, zone: String = "UTC", app: String? = nil) {
    self.date = date
    self.zone = zone
    self.app = app
  }
}

/// One source that holds records of the day.
public struct SourceRow: Equatable, Sendable {
  /// Which side a source's records come from.
  public enum Side: UInt8, Sendable, BitwiseCopyable, CaseIterable {
    case sends, devices, other

    /// The word used in output.
    public var text: String {
      switch self {
      case .sends: "sends"
      case .devices: "devices"
      case .other: "other"
      }
    }
  }
  /// Its name, without the folders of the machine that read it.
  public var name: String
  /// Id of the adapter that read it.
  public var adapter: String
  /// Which side it is.
  public var side: Side
  /// First and last moment of its records, UTC microseconds; nil if no record has a time.
  public var from: Int64?
  /// Last moment of its records.
  public var to: Int64?
  /// Lines read; the sum of the four that follow.
  public var linesRead: Int
  /// Lines that became records.
  public var linesKept: Int
  /// Lines that were there already.
  public var linesDuplicate: Int
  /// Lines that were not understood.
  public var linesNoted: Int
  /// Lines that are no records: blank, comments, foreign lines.
  public var linesSkipped: Int
  /// Whether what is missing in it proves anything; nil if the format is not known.
  public var absence: Absence?

  /// A source.
  public init(
    name: String, adapter: String, side: Side, from: Int64? = nil, to: Int64? = nil,
    linesRead: Int, linesKept: Int, linesDuplicate: Int = 0, linesNoted: Int = 0,
    linesSkipped: Int = 0, absence: Absence? = nil
  ) {
    self.name = name
    self.adapter = adapter
    self.side = side
    self.from = from
    self.to = to
    self.linesRead = linesRead
    self.linesKept = linesKept
    self.linesDuplicate = linesDuplicate
    self.linesNoted = linesNoted
    self.linesSkipped = linesSkipped
    self.absence = absence
  }
}

/// The sources of one format that hold records of the day.
public struct FormatCoverage: Equatable, Sendable {
  /// Id of the adapter that read them.
  public var adapter: String
  /// Number of sources.
  public var sources: Int
  /// Records that they gave, of all days.
  public var records: Int
  /// Whether what is missing in them proves anything; nil if no adapter of this id is known.
  public var absence: Absence?

  /// The sources of a format.
  public init(adapter: String, sources: Int, records: Int, absence: Absence?) {
    self.adapter = adapter
    self.sources = sources
    self.records = records
    self.absence = absence
  }
}

/// What the numbers of a day rest on.
public struct CoverageTable: Equatable, Sendable {
  /// Sources with records of the day.
  public var sources: [SourceRow] = []
  /// The same by format, in the order of their ids.
  public var formats: [FormatCoverage] = []
  /// Installations that were sent to on the day.
  public var installationsSeen = 0
  /// Of those, installations with a device record of one of the day's notifications.
  public var installationsLogging = 0
  /// Of those sent to, installations whose device log has no gap around any of them.
  public var installationsGapless = 0
  /// Notifications of the day that the send log has.
  public var sent = 0
  /// Of those, notifications whose last send was answered (with any status).
  public var answered = 0
  /// Share of accepted sends that the send log records, 0 to 1; nil where that is not known.
  public var successShare: Double?
  /// Notifications of the day.
  public var notifications = 0
  /// Of the sent ones, with device records that an id ties to them.
  public var linkedExactly = 0
  /// Of the sent ones, with device records that only a guess ties to them.
  public var linkedByGuess = 0
  /// Of the sent ones, without any device record.
  public var withoutDeviceRecord = 0
  /// Notifications of the day of which no send is known, only device records.
  public var onlyDeviceRecords = 0
  /// Device records of the day that no notification claims.
  public var unlinkedRecords = 0

  /// Notifications of the day with device records.
  public var withDeviceRecord: Int { linkedExactly + linkedByGuess + onlyDeviceRecords }

  /// Nothing is covered.
  public init() {}
}

/// Judgements of the notifications that were meant to be alike.
public struct MeantJudgements: Equatable, Sendable {
  /// What they were meant to be.
  public var group: MeantGroup
  /// Their judgements.
  public var counts: JudgementCounts

  /// Judgements of a group.
  public init(group: MeantGroup, counts: JudgementCounts) {
    self.group = group
    self.counts = counts
  }
}

/// A notification to open as an example.
public struct ExampleRow: Equatable, Sendable {
  /// An id by which `triage` finds it.
  public var id: String
  /// When it was sent, UTC microseconds; nil if only device records are there.
  public var sentAt: Int64?

  /// An example.
  public init(id: String, sentAt: Int64? = nil) {
    self.id = id
    self.sentAt = sentAt
  }
}

/// Notifications of the day that broke for one cause.
public struct CauseRow: Equatable, Sendable {
  /// The step where they broke.
  public var step: StepID
  /// The cause; nil where the step is broken and no cause is determined.
  public var cause: CauseID?
  /// Of `tally.broken`, those whose cause is certain.
  public var certain: Int
  /// Of `tally.broken`, those whose cause is likely.
  public var likely: Int
  /// Of `tally.broken`, those whose cause is possible.
  public var possible: Int
  /// Broken for this cause; concerned: the notifications for which the step mattered, given what
  /// they were meant to be; undetermined: those of them that cannot be told at this step.
  public var tally: Tally
  /// The same of the seven days before, oldest first.
  public var previous: [DayTally]
  /// Installations with a broken one; nil where the rows of the day are not there to count them.
  public var installations: Int?
  /// The newest examples, newest first, up to three.
  public var examples: [ExampleRow]

  /// A row.
  public init(
    step: StepID, cause: CauseID?, certain: Int = 0, likely: Int = 0, possible: Int = 0,
    tally: Tally, previous: [DayTally] = [], installations: Int? = nil, examples: [ExampleRow] = []
  ) {
    self.step = step
    self.cause = cause
    self.certain = certain
    self.likely = likely
    self.possible = possible
    self.tally = tally
    self.previous = previous
    self.installations = installations
    self.examples = examples
  }
}

/// Notifications whose last send APNs, or a gateway, did not answer with 200.
public struct RefusalTable: Equatable, Sendable {
  /// Notifications with one last answer.
  public struct Row: Equatable, Sendable {
    /// HTTP status; 0 means that no answer came.
    public var status: Int
    /// The reason as it was written; nil where none was given.
    public var reason: String?
    /// Notifications with this last answer.
    public var notifications: Int
    /// The seven days before, oldest first: `broken` counts notifications with this last answer,
    /// `concerned` all that were sent on the day.
    public var previous: [DayTally]
    /// The newest examples, newest first, up to three.
    public var examples: [ExampleRow]

    /// A row.
    public init(
      status: Int, reason: String?, notifications: Int, previous: [DayTally] = [],
      examples: [ExampleRow] = []
    ) {
      self.status = status
      self.reason = reason
      self.notifications = notifications
      self.previous = previous
      self.examples = examples
    }
  }
  /// All notifications of the day with a send, whatever the answer.
  public var notifications: Int
  /// Rows in any order.
  public var rows: [Row]

  /// Refusals of a day.
  public init(notifications: Int = 0, rows: [Row] = []) {
    self.notifications = notifications
    self.rows = rows
  }
}

/// Judgements by one property of the notification.
public struct Breakdown: Equatable, Sendable {
  /// Which property.
  public enum Dimension: UInt8, Sendable, BitwiseCopyable, CaseIterable {
    case release, osVersion, topic, campaign

    /// The word used in output.
    public var text: String {
      switch self {
      case .release: "release"
      case .osVersion: "os-version"
      case .topic: "topic"
      case .campaign: "campaign"
      }
    }
  }
  /// One value of the property.
  public struct Row: Equatable, Sendable {
    /// The value; nil for notifications of which it is not known.
    public var key: String?
    /// Judgements of its notifications.
    public var counts: JudgementCounts

    /// A row.
    public init(key: String?, counts: JudgementCounts) {
      self.key = key
      self.counts = counts
    }
  }
  /// Which property.
  public var dimension: Dimension
  /// All its values, in any order.
  public var rows: [Row]

  /// A breakdown.
  public init(dimension: Dimension, rows: [Row]) {
    self.dimension = dimension
    self.rows = rows
  }
}

/// Durations of one kind.
public struct TimingRow: Equatable, Sendable {
  /// What was measured.
  public var kind: TimingKind
  /// Durations of the day.
  public var day: Histogram
  /// Durations of the seven days before, added up.
  public var previous: Histogram

  /// A row.
  public init(kind: TimingKind, day: Histogram, previous: Histogram = Histogram()) {
    self.kind = kind
    self.day = day
    self.previous = previous
  }
}

/// Notifications of an earlier day whose judgement changed because of records that came late.
public struct LateChangeRow: Equatable, Sendable {
  /// The earlier day, `2026-11-27`.
  public var date: String
  /// Judgement before; nil if the notification was not there.
  public var from: Judgement?
  /// Judgement now.
  public var to: Judgement
  /// Number of notifications.
  public var count: Int

  /// A row.
  public init(date: String, from: Judgement?, to: Judgement, count: Int) {
    self.date = date
    self.from = from
    self.to = to
    self.count = count
  }
}

/// Lines of one source that could not be understood for one reason.
public struct IngestNoteRow: Equatable, Sendable {
  /// Name of the source.
  public var source: String
  /// What is wrong, with the field where there is one.
  public var reason: String
  /// Number of lines.
  public var count: Int
  /// First of these lines, 1-based; 0 where the note is about the whole source.
  public var firstLine: Int
  /// Text of that line without private values; nil if it was not kept.
  public var firstText: String?

  /// A row.
  public init(source: String, reason: String, count: Int, firstLine: Int, firstText: String? = nil)
  {
    self.source = source
    self.reason = reason
    self.count = count
    self.firstLine = firstLine
    self.firstText = firstText
  }
}
