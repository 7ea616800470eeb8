public import PushModel

/// A stretch of an installation's counter without a gap.
public struct CoverageRun: Hashable, Sendable {
  /// Which log the counter belongs to; `absent` where records name none.
  public var log: TextValue
  /// First counter value.
  public var first: Int64
  /// Last counter value.
  public var last: Int64
  /// Device time of the first record, UTC microseconds.
  public var firstAt: Int64
  /// Device time of the last record.
  public var lastAt: Int64
  /// Whether records of the app are in it.
  public var holdsApp: Bool
  /// Whether records of an extension are in it.
  public var holdsExtension: Bool
  /// Where the first record stands.
  public var firstReference: RecordReference
  /// Where the last record stands.
  public var lastReference: RecordReference

  /// A run.
  public init(
    log: TextValue, first: Int64, last: Int64, firstAt: Int64, lastAt: Int64, holdsApp: Bool,
    holdsExtension: Bool, firstReference: RecordReference, lastReference: RecordReference
  ) {
    self.log = log
    self.first = first
    self.last = last
    self.firstAt = firstAt
    self.lastAt = lastAt
    self.holdsApp = holdsApp
    self.holdsExtension = holdsExtension
    self.firstReference = firstReference
    self.lastReference = lastReference
  }

  /// A counter that goes back while time goes on has started anew: such runs are never joined.
  private static let slack: Int64 = 3600 * 1_000_000

  /// Joins runs that touch or overlap, per log; the result does not depend on the order given.
  public static func merge(_ runs: inout [CoverageRun]) {
    guard runs.count > 1 else { return }
    runs.sort {
      ($0.log.code, $0.log.code < 2 ? $0.firstAt : 0, $0.first, $0.last, $0.firstAt)
        < ($1.log.code, $1.log.code < 2 ? $1.firstAt : 0, $1.first, $1.last, $1.firstAt)
    }
    var kept = 0
    for index in 1..<runs.count {
      let run = runs[index]
      let touches =
        runs[kept].log == run.log && run.first &- 1 <= runs[kept].last
        && run.first >= runs[kept].first && run.firstAt >= runs[kept].firstAt - slack
        && (run.log.code >= 2 || run.first > runs[kept].last &- 1
          || run.firstAt <= runs[kept].lastAt)
      if touches {
        if run.last > runs[kept].last {
          runs[kept].last = run.last
          runs[kept].lastAt = run.lastAt
          runs[kept].lastReference = run.lastReference
        }
        runs[kept].holdsApp = runs[kept].holdsApp || run.holdsApp
        runs[kept].holdsExtension = runs[kept].holdsExtension || run.holdsExtension
      } else {
        kept += 1
        runs[kept] = run
      }
    }
    runs.removeLast(runs.count - kept - 1)
  }
}
