extension Stage {
  /// The earlier stages that a sighting of this stage presupposes.
  ///
  /// A presented notification says nothing about the extension, so ``Stage/presented`` does not
  /// presuppose ``Stage/extensionRan`` or ``Stage/modified``.
  public var presupposed: [Stage] {
    switch self {
    case .none, .sent: []
    case .accepted: [.sent]
    case .received: [.sent, .accepted]
    case .extensionRan, .presented, .woken: [.sent, .accepted, .received]
    case .modified: [.sent, .accepted, .received, .extensionRan]
    case .expanded, .acted: [.sent, .accepted, .received, .presented]
    case .handled: [.sent, .accepted, .received, .woken]
    }
  }
}

/// How far the notifications of a day came, by what they were meant to be.
public struct FunnelTable: Equatable, Sendable {
  /// One stage of one group.
  public struct Row: Equatable, Sendable {
    /// What they were meant to be.
    public var group: MeantGroup
    /// The stage.
    public var stage: Stage
    /// Notifications that a record shows at this stage, or at a later one that presupposes it.
    public var shown: Int
    /// Notifications whose last stage seen is this one.
    public var last: Int

    /// A row.
    public init(group: MeantGroup, stage: Stage, shown: Int, last: Int) {
      self.group = group
      self.stage = stage
      self.shown = shown
      self.last = last
    }
  }

  /// Rows in order of group, then stage; stages that nothing reached may be absent.
  public private(set) var rows: [Row] = []

  /// A funnel without notifications.
  public init() {}

  /// A funnel of rows in any order.
  public init(rows: [Row]) {
    self.rows = rows
    sort()
  }

  /// Counts notifications of which records show these stages; earlier ones that they presuppose
  /// are added. The highest stage counts as the last one seen.
  public mutating func add(_ count: Int, seen: [Stage], group: MeantGroup) {
    var shown = Set(seen.filter { $0 != .none })
    for stage in seen { shown.formUnion(stage.presupposed) }
    let last = shown.max()
    for stage in shown.isEmpty ? [Stage.none] : shown.sorted() {
      let isLast = last == nil || stage == last
      if let place = rows.firstIndex(where: { $0.group == group && $0.stage == stage }) {
        rows[place].shown += count
        rows[place].last += isLast ? count : 0
      } else {
        rows.append(Row(group: group, stage: stage, shown: count, last: isLast ? count : 0))
      }
    }
    sort()
  }

  private mutating func sort() {
    rows.sort { ($0.group.rawValue, $0.stage.rawValue) < ($1.group.rawValue, $1.stage.rawValue) }
  }

  /// The row of a stage of a group; zeros if there is none.
  public func row(_ stage: Stage, _ group: MeantGroup) -> Row {
    rows.first { $0.group == group && $0.stage == stage }
      ?? Row(group: group, stage: stage, shown: 0, last: 0)
  }

  /// Number of notifications of a group.
  public func total(_ group: MeantGroup) -> Int {
    rows.reduce(0) { $0 + ($1.group == group ? $1.last : 0) }
  }
}
