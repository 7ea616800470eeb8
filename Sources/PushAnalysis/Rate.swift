public import PushModel

extension Tally {
  /// Notifications of which it can be told whether they are broken in this way.
  public var told: Int { max(0, concerned - undetermined) }

  /// The share that would be broken if every unknown were fine; nil without a denominator.
  public var shareIfUnknownFine: Double? {
    concerned > 0 ? Double(min(concerned, broken)) / Double(concerned) : nil
  }

  /// The share that would be broken if every unknown were broken; nil without a denominator.
  public var shareIfUnknownBroken: Double? {
    concerned > 0 ? Double(min(concerned, broken + undetermined)) / Double(concerned) : nil
  }

  /// The share of those of which it can be told; nil if there are none.
  public var shareOfTold: Double? {
    told > 0 ? Double(min(broken, told)) / Double(told) : nil
  }

  /// What chance alone leaves open around ``shareOfTold``, 95 %; nil if it can be told of none.
  public var interval: Interval? { Proportion.wilson(min(broken, told), of: told) }

  /// The same if the variance is larger by this factor than that of independent notifications.
  func interval(designEffect: Double) -> Interval? {
    shareOfTold.map { Proportion.wilson($0, of: Double(told) / designEffect) }
  }

  /// Both tallies added up.
  public func adding(_ other: Tally) -> Tally {
    Tally(
      broken: broken + other.broken, concerned: concerned + other.concerned,
      undetermined: undetermined + other.undetermined)
  }
}

extension JudgementCounts {
  /// Broken in any way.
  public var tally: Tally {
    Tally(broken: broken, concerned: total, undetermined: undetermined)
  }
}
