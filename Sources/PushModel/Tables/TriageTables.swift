/// Everything that is shown of one notification. Times are whole UTC microseconds.
public struct TriageTables: Equatable, Sendable {
  /// The id that was asked for.
  public var asked: String
  /// Who it is.
  public var identity = IdentityTable()
  /// What the sources are known to have recorded around it.
  public var coverage = TriageCoverage()
  /// What tied its records together, best key first.
  public var links: [LinkRow] = []
  /// Its sends, oldest first. The last answer counts.
  public var attempts: [AttemptRow] = []
  /// All records in the order in which they happened.
  public var timeline: [TimelineRow] = []
  /// All steps of its checklist, in order of the path.
  public var steps: [StepRow] = []
  /// The verdict.
  public var verdict = VerdictTable()
  /// Other notifications that the asked id fits (the same id on several devices).
  public var otherMatches: [MatchRow] = []
  /// Further matches that ``otherMatches`` leaves out, by their judgement.
  public var otherMatchesLeftOut = JudgementCounts()

  /// All other notifications that the asked id fits, by their judgement.
  public var others: JudgementCounts {
    otherMatches.reduce(into: otherMatchesLeftOut) { $0[$1.judgement] += 1 }
  }

  /// Nothing is known of it yet.
  public init(asked: String) {
    self.asked = asked
  }
}

/// A place in a source and what stands there.
public struct StoredLine: Equatable, Sendable {
  /// Where the shown text comes from.
  public enum Origin: UInt8, Sendable, BitwiseCopyable, CaseIterable {
    /// The line as stored, without private values.
    case stored
    /// Read again from the source, which is still there.
    case source
    /// The line was not kept; this is its parsed record, written out.
    case record
    /// Not a line: a fact of a release, an installation or a derived value.
    case fact

    /// The word used in output.
    public var text: String {
      switch self {
      case .stored: "stored"
      case .source: "source"
      case .record: "record"
      case .fact: "fact"
      }
    }
  }
  /// Name of the source, without the folders of the machine that read it; nil where there is none.
  public var file: String?
  /// Line, 1-based; 0 for "not a line".
  public var line: Int
  /// What stands there.
  public var text: String?
  /// Where ``text`` comes from.
  public var origin: Origin

  /// A line.
  public init(file: String?, line: Int, text: String? = nil, origin: Origin = .stored) {
    self.file = file
    self.line = line
    self.text = text
    self.origin = origin
  }
}

/// The ids of a notification, its device, and what it was meant to be.
public struct IdentityTable: Equatable, Sendable {
  /// The sender's own id.
  public var notificationID: String?
  /// Answer headers `apns-id`, one per accepted send.
  public var apnsIDs: [String] = []
  /// The sender's collapse id.
  public var collapseID: String?
  /// `UNNotificationRequest.identifier` on the device.
  public var requestID: String?
  /// Installation id.
  public var deviceID: String?
  /// Shortened token: never the whole.
  public var token: String?
  /// Id of the hand-off job or the Live Activity.
  public var jobID: String?
  /// Bundle id of the app.
  public var bundle: String?
  /// Version of the app.
  public var version: String?
  /// Build of the app.
  public var build: String?
  /// OS version of the device.
  public var osVersion: String?
  /// Model of the device.
  public var model: String?
  /// Topic of the last send.
  public var topic: String?
  /// Campaign of the send.
  public var campaign: String?
  /// Which checklist it walks.
  public var kind: ChainKind = .richAlert
  /// What it was meant to be.
  public var meaning: Meaning = []
  /// How that is known.
  public var meaningSource: MeaningSource = .none
  /// Estimated offset of the device's clock, microseconds (device minus server); nil if not known.
  public var clockOffset: Int64?
  /// Error of ``clockOffset``, microseconds.
  public var clockError: Int64?

  /// Nothing is known.
  public init() {}
}

/// What the sources are known to have recorded around one notification.
public struct TriageCoverage: Equatable, Sendable {
  /// Whether the installation has ever logged anything; nil if that is not known.
  public var installationLogs: Bool?
  /// Whether a run of the device's counter without a gap covers the notification.
  public var isGapless = false
  /// First moment of that run, server clock.
  public var runFrom: Int64?
  /// Last moment of that run, server clock.
  public var runTo: Int64?
  /// Whether the run holds records of the service extension.
  public var holdsExtension = false
  /// Whether the run holds records of the app.
  public var holdsApp = false
  /// Whether the send log records every accepted send; nil if that is not known.
  public var sendLogComplete: Bool?
  /// Sources of its records whose times do not say everything themselves.
  public var assumedClocks: [AssumedClock] = []

  /// Nothing is covered.
  public init() {}
}

/// What was taken for the times of a source that do not say it themselves.
public struct AssumedClock: Equatable, Sendable {
  /// Name of the source, without the folders of the machine that read it.
  public var file: String
  /// Zone of times without one, as a person writes it; nil if all have one.
  public var zone: String?
  /// Time of records without one; nil if all have one.
  public var time: Int64?
  /// Year of times without one; nil if all have one.
  public var year: Int?

  /// What was taken for a source.
  public init(file: String, zone: String?, time: Int64?, year: Int? = nil) {
    self.year = year
    self.file = file
    self.zone = zone
    self.time = time
  }
}

/// Records of one side that one key ties to the notification.
public struct LinkRow: Equatable, Sendable {
  /// The key.
  public var key: LinkKey
  /// Which side the records come from.
  public var side: SourceRow.Side
  /// Number of records.
  public var records: Int

  /// A row.
  public init(key: LinkKey, side: SourceRow.Side, records: Int) {
    self.key = key
    self.side = side
    self.records = records
  }
}

/// One send and its answer. Header values are shown as they were written; nil is not known.
public struct AttemptRow: Equatable, Sendable {
  /// Which attempt, from 1.
  public var attempt: Int
  /// When it was sent.
  public var sentAt: Int64?
  /// Gateway or `apns`.
  public var provider: String?
  /// Environment or host.
  public var environment: String?
  /// Header `apns-topic`.
  public var topic: String?
  /// Header `apns-push-type`.
  public var pushType: String?
  /// Header `apns-priority`.
  public var priority: String?
  /// Header `apns-expiration`.
  public var expiration: String?
  /// HTTP status of the answer; 0 means that no answer came; nil that none was logged.
  public var status: Int?
  /// Reason as it was written, or the transport error.
  public var reason: String?
  /// Time until the answer, microseconds.
  public var answeredAfter: Int64?
  /// Its line.
  public var line: StoredLine

  /// A send.
  public init(
    attempt: Int, sentAt: Int64? = nil, provider: String? = nil, environment: String? = nil,
    topic: String? = nil, pushType: String? = nil, priority: String? = nil,
    expiration: String? = nil, status: Int? = nil, reason: String? = nil,
    answeredAfter: Int64? = nil, line: StoredLine
  ) {
    self.attempt = attempt
    self.sentAt = sentAt
    self.provider = provider
    self.environment = environment
    self.topic = topic
    self.pushType = pushType
    self.priority = priority
    self.expiration = expiration
    self.status = status
    self.reason = reason
    self.answeredAfter = answeredAfter
    self.line = line
  }
}

/// A key and its value, as shown.
public struct ShownAttribute: Equatable, Sendable {
  /// The key.
  public var key: String
  /// The value as text.
  public var value: String

  /// An attribute.
  public init(_ key: String, _ value: String) {
    self.key = key
    self.value = value
  }
}

/// One record of the timeline.
public struct TimelineRow: Equatable, Sendable {
  /// How the time is known.
  public enum Clock: UInt8, Sendable, BitwiseCopyable, CaseIterable {
    /// The server's clock.
    case server
    /// The device's clock, corrected by its offset.
    case corrected
    /// The device's clock as it was; it may be wrong.
    case device

    /// The word used in output.
    public var text: String {
      switch self {
      case .server: "server"
      case .corrected: "corrected"
      case .device: "device"
      }
    }
  }
  /// When; nil if no time is known.
  public var time: Int64?
  /// How that is known.
  public var clock: Clock
  /// Duration since the row before, microseconds, by the best clock that both have; nil if none.
  public var sincePrevious: Int64?
  /// Name of the device event, or `sent`, `answered`.
  public var what: String
  /// Its attributes.
  public var attributes: [ShownAttribute]
  /// What tied it to the notification.
  public var link: LinkKey
  /// Its line.
  public var line: StoredLine

  /// A row.
  public init(
    time: Int64?, clock: Clock, sincePrevious: Int64? = nil, what: String,
    attributes: [ShownAttribute] = [], link: LinkKey = .own, line: StoredLine
  ) {
    self.time = time
    self.clock = clock
    self.sincePrevious = sincePrevious
    self.what = what
    self.attributes = attributes
    self.link = link
    self.line = line
  }
}

/// What one step says.
public struct StepRow: Equatable, Sendable {
  /// The step.
  public var step: StepID
  /// What it says.
  public var outcome: Outcome
  /// The same as a sentence.
  public var sentence: String
  /// Why it is broken.
  public var cause: CauseID?
  /// How sure that is; nil unless broken.
  public var confidence: Confidence?
  /// What it rests on.
  public var evidence: [StoredLine]
  /// What is missing, if the outcome is unknown.
  public var missing: [Need]
  /// Whether this step is the one the verdict names.
  public var isDecisive: Bool

  /// A step.
  public init(
    step: StepID, outcome: Outcome, sentence: String, cause: CauseID? = nil,
    confidence: Confidence? = nil, evidence: [StoredLine] = [], missing: [Need] = [],
    isDecisive: Bool = false
  ) {
    self.step = step
    self.outcome = outcome
    self.sentence = sentence
    self.cause = cause
    self.confidence = confidence
    self.evidence = evidence
    self.missing = missing
    self.isDecisive = isDecisive
  }
}

/// The verdict as it is shown.
public struct VerdictTable: Equatable, Sendable {
  /// What is said as a whole.
  public var judgement: Judgement = .cannotTell
  /// The first broken step that matters, or the step behind which sight was lost.
  public var step: StepID?
  /// The cause.
  public var cause: CauseID?
  /// How sure that is.
  public var confidence: Confidence = .possible
  /// Last stage seen.
  public var stage: Stage = .none
  /// Evidence that is missing and would decide.
  public var needs: [Need] = []
  /// Whether a newer send with its collapse id replaced it.
  public var isReplaced = false

  /// Nothing is decided.
  public init() {}
}

/// Another notification that fits the same id.
public struct MatchRow: Equatable, Sendable {
  /// Installation id, or the shortened token where that is all there is.
  public var device: String?
  /// When it was sent.
  public var sentAt: Int64?
  /// An id by which `triage` finds this one alone.
  public var id: String
  /// Its judgement.
  public var judgement: Judgement
  /// Its step.
  public var step: StepID?
  /// Its cause.
  public var cause: CauseID?

  /// A match.
  public init(
    device: String?, sentAt: Int64?, id: String, judgement: Judgement, step: StepID? = nil,
    cause: CauseID? = nil
  ) {
    self.device = device
    self.sentAt = sentAt
    self.id = id
    self.judgement = judgement
    self.step = step
    self.cause = cause
  }
}
