/// Everything that a comparison of two releases shows; counts only.
public struct ComparisonTables: Equatable, Sendable {
  /// The release compared against.
  public var baseline: ReleaseSide
  /// The release in question.
  public var candidate: ReleaseSide
  /// Counts by cause, for every cause that either side has; in any order.
  public var causes: [ComparedCause] = []
  /// Judgements by what the phones of the two releases may differ in, at most one entry a kind;
  /// empty where they were not counted by release and phone together.
  public var mixes: [ReleaseMix] = []
  /// Durations.
  public var timings: [ComparedTiming] = []
  /// Facts of the two built apps that differ.
  public var facts: [FactDifference] = []

  /// A comparison without numbers.
  public init(baseline: ReleaseSide, candidate: ReleaseSide) {
    self.baseline = baseline
    self.candidate = candidate
  }
}

/// One release and what its numbers rest on. Times are whole UTC microseconds.
public struct ReleaseSide: Equatable, Sendable {
  /// Bundle id of the app.
  public var bundle: String
  /// Version.
  public var version: String
  /// Build; nil where all builds of the version are taken together.
  public var build: String?
  /// First send.
  public var from: Int64?
  /// Last send.
  public var to: Int64?
  /// Installations sent to; nil where not all of them are known (this, the next five and
  /// ``spread``): their rows were pruned, and the days asked for are not all of the release's.
  public var installationsSeen: Int?
  /// Of those, installations that have ever logged anything.
  public var installationsEverLogged: Int?
  /// Of those, installations with a device record of one of its notifications whose log has no gap
  /// around any of them.
  public var installationsGapless: Int?
  /// Notifications.
  public var notifications = 0
  /// Of those, with device records that an id ties to them.
  public var linkedExactly: Int?
  /// Of those, with device records that only a guess ties to them.
  public var linkedByGuess: Int?
  /// Of those, without any device record.
  public var withoutDeviceRecord: Int?
  /// Their judgements.
  public var judgements = JudgementCounts()
  /// The broken ones among them, over installations.
  public var spread: PhoneSpread?
  /// Whether facts of the built app are in the database.
  public var hasFacts = false

  /// A release.
  public init(bundle: String, version: String, build: String? = nil) {
    self.bundle = bundle
    self.version = version
    self.build = build
  }
}

/// Counts of one cause on both sides.
public struct ComparedCause: Equatable, Sendable {
  /// The step.
  public var step: StepID
  /// The cause; nil where the step is broken and no cause is determined.
  public var cause: CauseID?
  /// The release compared against.
  public var baseline: Tally
  /// The release in question.
  public var candidate: Tally
  /// Newest examples of the release in question, up to three.
  public var examples: [ExampleRow]
  /// The baseline's counts over installations; nil as in ``ReleaseSide/installationsSeen``.
  public var baselineSpread: PhoneSpread?
  /// The candidate's.
  public var candidateSpread: PhoneSpread?
  /// The same counts on phones of one kind each; empty where they were not counted so.
  public var strata: [Strata] = []

  /// A row.
  public init(
    step: StepID, cause: CauseID?, baseline: Tally, candidate: Tally, examples: [ExampleRow] = []
  ) {
    self.step = step
    self.cause = cause
    self.baseline = baseline
    self.candidate = candidate
    self.examples = examples
  }
}

/// What the phones of two releases may differ in, so that rates differ without the app's doing.
public enum MixKind: UInt8, Sendable, BitwiseCopyable, CaseIterable {
  /// OS version.
  case osVersion
  /// Device model.
  case deviceModel

  /// The words used in output.
  public var text: String {
    switch self {
    case .osVersion: "OS version"
    case .deviceModel: "device model"
    }
  }
}

/// Counts of both sides on phones that are alike in one respect, one pair for each value.
public struct Strata: Equatable, Sendable {
  /// Both sides on phones of one value.
  public struct Pair: Equatable, Sendable {
    /// The release compared against.
    public var baseline: Tally
    /// The release in question.
    public var candidate: Tally
    /// The baseline's counts over installations; nil where they are not known.
    public var baselineSpread: PhoneSpread?
    /// The candidate's.
    public var candidateSpread: PhoneSpread?

    /// A pair.
    public init(
      baseline: Tally, candidate: Tally, baselineSpread: PhoneSpread? = nil,
      candidateSpread: PhoneSpread? = nil
    ) {
      self.baseline = baseline
      self.candidate = candidate
      self.baselineSpread = baselineSpread
      self.candidateSpread = candidateSpread
    }
  }
  /// In which respect.
  public var kind: MixKind
  /// In any order.
  public var pairs: [Pair]

  /// Pairs of one kind.
  public init(kind: MixKind, pairs: [Pair]) {
    self.kind = kind
    self.pairs = pairs
  }
}

/// Judgements of both sides by OS version, or by device model.
public struct ReleaseMix: Equatable, Sendable {
  /// In which respect.
  public var kind: MixKind
  /// One row a value, in any order.
  public var rows: [MixRow]

  /// A mix.
  public init(kind: MixKind, rows: [MixRow]) {
    self.kind = kind
    self.rows = rows
  }
}

/// Notifications of one OS version, or one device model, on both sides.
public struct MixRow: Equatable, Sendable {
  /// OS version or device model; nil where it is not known.
  public var value: String?
  /// Judgements of the release compared against.
  public var baseline: JudgementCounts
  /// Judgements of the release in question.
  public var candidate: JudgementCounts
  /// The baseline's broken ones over installations; nil where they are not known.
  public var baselineSpread: PhoneSpread?
  /// The candidate's.
  public var candidateSpread: PhoneSpread?

  /// A row.
  public init(
    value: String?, baseline: JudgementCounts, candidate: JudgementCounts,
    baselineSpread: PhoneSpread? = nil, candidateSpread: PhoneSpread? = nil
  ) {
    self.value = value
    self.baseline = baseline
    self.candidate = candidate
    self.baselineSpread = baselineSpread
    self.candidateSpread = candidateSpread
  }
}

/// Durations of one kind on both sides.
public struct ComparedTiming: Equatable, Sendable {
  /// What was measured.
  public var kind: TimingKind
  /// The release compared against.
  public var baseline: Histogram
  /// The release in question.
  public var candidate: Histogram

  /// A row.
  public init(kind: TimingKind, baseline: Histogram, candidate: Histogram) {
    self.kind = kind
    self.baseline = baseline
    self.candidate = candidate
  }
}

/// A fact of the built app that is not the same in both releases.
public struct FactDifference: Equatable, Sendable {
  /// Name of the fact, for example `extension.point`.
  public var name: String
  /// Value in the release compared against.
  public var baseline: Known<String>
  /// Value in the release in question.
  public var candidate: Known<String>

  /// A difference.
  public init(name: String, baseline: Known<String>, candidate: Known<String>) {
    self.name = name
    self.baseline = baseline
    self.candidate = candidate
  }
}
