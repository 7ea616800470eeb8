/// A numerator with everything that must be shown beside it.
public struct Tally: Equatable, Sendable {
  /// Notifications that are shown to be broken in this way.
  public var broken: Int
  /// Notifications of the cohort for which the question arises: the denominator.
  public var concerned: Int
  /// Of those, notifications of which it cannot be told whether they are broken in this way.
  public var undetermined: Int

  /// A tally of three counts.
  public init(broken: Int = 0, concerned: Int = 0, undetermined: Int = 0) {
    self.broken = broken
    self.concerned = concerned
    self.undetermined = undetermined
  }
}

/// A tally of one day.
public struct DayTally: Equatable, Sendable {
  /// The day, `2026-11-29`.
  public var date: String
  /// Its counts; `concerned` is 0 for a day without sends.
  public var tally: Tally

  /// The tally of a day.
  public init(date: String, tally: Tally) {
    self.date = date
    self.tally = tally
  }
}

/// How many notifications got which judgement.
public struct JudgementCounts: Equatable, Sendable {
  /// As meant, those included that a newer send with their collapse id replaced.
  public var asMeant: Int
  /// Broken at a step.
  public var broken: Int
  /// Cannot tell.
  public var cannotTell: Int
  /// Conflicting evidence.
  public var conflicting: Int
  /// Of those as meant, the ones that a newer send replaced.
  public var replaced: Int
  /// Of those as meant, the ones of which nothing but APNs' acceptance is known: whether the phone
  /// showed them cannot be told.
  public var onlyAccepted: Int

  /// Counts per judgement.
  public init(
    asMeant: Int = 0, broken: Int = 0, cannotTell: Int = 0, conflicting: Int = 0,
    replaced: Int = 0, onlyAccepted: Int = 0
  ) {
    self.asMeant = asMeant
    self.broken = broken
    self.cannotTell = cannotTell
    self.conflicting = conflicting
    self.replaced = replaced
    self.onlyAccepted = onlyAccepted
  }

  /// Those of which it cannot be told whether they are broken: conflicting evidence, and what is as
  /// meant as far as APNs' answer tells, included.
  public var undetermined: Int { cannotTell + conflicting + onlyAccepted }

  /// Number of judged notifications.
  public var total: Int { asMeant + broken + cannotTell + conflicting }

  /// The count of one judgement.
  public subscript(judgement: Judgement) -> Int {
    get {
      switch judgement {
      case .asMeant: asMeant
      case .broken: broken
      case .cannotTell: cannotTell
      case .conflicting: conflicting
      }
    }
    set {
      switch judgement {
      case .asMeant: asMeant = newValue
      case .broken: broken = newValue
      case .cannotTell: cannotTell = newValue
      case .conflicting: conflicting = newValue
      }
    }
  }

  /// Adds other counts.
  public mutating func add(_ other: JudgementCounts) {
    asMeant += other.asMeant
    broken += other.broken
    cannotTell += other.cannotTell
    conflicting += other.conflicting
    replaced += other.replaced
    onlyAccepted += other.onlyAccepted
  }
}

/// The groups of meanings that reports tell apart; roll-ups hold their raw values.
public enum MeantGroup: UInt8, Sendable, BitwiseCopyable, CaseIterable {
  /// Anything beyond text: changed by the extension, media, communication, actions, custom view.
  case rich
  /// Text, with or without a sound.
  case plain
  /// To wake the app.
  case silent
  /// Live Activities, calls, hand-offs, requests of other push types.
  case other

  /// The word used in output.
  public var text: String {
    switch self {
    case .rich: "rich"
    case .plain: "plain"
    case .silent: "silent"
    case .other: "other"
    }
  }

  /// The group of a meaning on a checklist.
  public init(kind: ChainKind, meaning: Meaning) {
    switch kind {
    case .liveActivity, .voip, .requestOnly, .response, .handoff: self = .other
    case .background: self = .silent
    case .richAlert:
      if !meaning.isDisjoint(with: [.liveActivity, .call]) {
        self = .other
      } else if !meaning.isDisjoint(with: [
        .modified, .media, .communication, .actions, .customView,
      ]) {
        self = .rich
      } else {
        self = meaning.contains(.silent) ? .silent : .plain
      }
    }
  }
}

/// Durations that are measured on the device.
public enum TimingKind: UInt8, Sendable, BitwiseCopyable, CaseIterable {
  /// From the start of the media download to its end.
  case download
  /// From `didReceive` to the call of the content handler.
  case handler

  /// The word used in output.
  public var text: String {
    switch self {
    case .download: "download"
    case .handler: "handler"
    }
  }
}
