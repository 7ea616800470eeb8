public import PushModel

/// Words of the checklist by the hash of their text; the enums' own look-up compares one text after
/// the other, and thousands of rows need no text made.
struct StepWords {
  private let steps: [UInt64: StepID]
  private let causes: [UInt64: CauseID]

  init() {
    steps = Dictionary(uniqueKeysWithValues: StepID.allCases.map { (StepWords.hash($0), $0) })
    causes = Dictionary(uniqueKeysWithValues: CauseID.allCases.map { (StepWords.hash($0), $0) })
  }

  private static func hash(_ word: some RawRepresentable<String>) -> UInt64 {
    StableHash.of(word.rawValue)
  }

  /// The step in a column; nil for '', for NULL and for one that only a newer program knows.
  func step(_ row: Statement, _ column: Int) -> StepID? {
    row.hash(column).flatMap { steps[$0] }
  }

  /// The cause in a column.
  func cause(_ row: Statement, _ column: Int) -> CauseID? {
    row.hash(column).flatMap { causes[$0] }
  }
}

extension Statement {
  /// The hash of a text column, nil for '' and NULL.
  func hash(_ column: Int) -> UInt64? {
    withText(column) { bytes in
      guard let base = bytes.baseAddress, bytes.count > 0 else { return nil }
      return StableHash.of(base, bytes.count)
    }
  }
}

/// A step and one of its causes.
struct StepAndCause: Hashable, Comparable {
  var step: StepID
  var cause: CauseID?

  /// In the order of the path, then by name.
  static func < (left: StepAndCause, right: StepAndCause) -> Bool {
    (left.step.place, left.cause?.rawValue ?? "") < (right.step.place, right.cause?.rawValue ?? "")
  }
}

extension StepID {
  /// Place in the order of the path.
  var place: Int {
    // A case without payload is stored as its ordinal: one byte, since there are under 256.
    Int(unsafeBitCast(self, to: UInt8.self))
  }
}

/// Judgements of some notifications, counted by meaning, step and cause.
struct StepCounts {
  /// Broken for one cause, by how sure that is.
  struct Broken {
    var certain = 0
    var likely = 0
    var possible = 0
    var all: Int { certain + likely + possible }
  }
  private(set) var judgements: [MeantGroup: JudgementCounts] = [:]
  private(set) var broken: [StepAndCause: Broken] = [:]
  private(set) var funnel = FunnelTable()
  /// Undetermined notifications of each group: those of which no step is named, then by the place
  /// of the step behind which sight was lost.
  private var lost: [[Int]]
  /// The same, only those of which it is known that APNs did not accept them; 0 where rows say no stage.
  private var lostUnaccepted: [[Int]]

  init() {
    lost = Array(
      repeating: Array(repeating: 0, count: StepID.allCases.count + 1),
      count: MeantGroup.allCases.count)
    lostUnaccepted = lost
  }

  /// Adds the rows of `day_counts`, `span_counts` or `release_counts`.
  mutating func add(_ rows: Statement, words: StepWords, countsStages: Bool) throws(StoreError) {
    defer { rows.reset() }
    var stages: [MeantGroup: [UInt8: Int]] = [:]
    while try rows.step() {
      guard let group = addRow(of: rows, words: words) else { continue }
      if countsStages {
        let stage = UInt8(truncatingIfNeeded: max(0, rows.integer(5)))
        stages[group, default: [:]][stage, default: 0] += Int(rows.integer(6))
      }
    }
    for (group, counts) in stages {
      for (code, count) in counts {
        var seen = [Stage(rawValue: code & 15) ?? .none]
        let beside: [Stage] = [.extensionRan, .modified, .presented, .expanded]
        for (bit, stage) in beside.enumerated() where code >> 4 & (1 << bit) != 0 {
          seen.append(stage)
        }
        funnel.add(count, seen: seen, group: group)
      }
    }
  }

  /// Adds the row that a statement stands at, but for its stage; returns its group, nil if it is of
  /// no judgement that this program knows.
  @discardableResult
  mutating func addRow(of rows: Statement, words: StepWords) -> MeantGroup? {
    let count = Int(rows.integer(6))
    guard let judgement = Judgement(rawValue: UInt8(truncatingIfNeeded: rows.integer(1))) else {
      return nil
    }
    let group = MeantGroup(rawValue: UInt8(truncatingIfNeeded: rows.integer(0))) ?? .other
    judgements[group, default: JudgementCounts()][judgement] += count
    let step = words.step(rows, 2)
    switch judgement {
    case .broken:
      guard let step else { break }
      let key = StepAndCause(step: step, cause: words.cause(rows, 3))
      switch Confidence(rawValue: UInt8(truncatingIfNeeded: rows.integer(4))) {
      case .certain: broken[key, default: Broken()].certain += count
      case .likely: broken[key, default: Broken()].likely += count
      case .possible, nil: broken[key, default: Broken()].possible += count
      }
    case .cannotTell, .conflicting:
      let place = step.map { $0.place + 1 } ?? 0
      lost[Int(group.rawValue)][place] += count
      let stage = rows.integer(5)
      if stage >= 0, stage & 15 < Int64(Stage.accepted.rawValue) {
        lostUnaccepted[Int(group.rawValue)][place] += count
      }
    case .asMeant:
      // As meant by an answer of APNs alone: the policy is as sure of it as of what is possible. Of
      // pushes of other types only the request is judged, which that answer settles.
      if group != .other, rows.integer(4) == Int64(Confidence.possible.rawValue) {
        judgements[group]?.onlyAccepted += count
      }
    }
    return group
  }

  /// Says of notifications as meant, which are counted already, that a newer send replaced them.
  mutating func addReplaced(_ count: Int, group: MeantGroup) {
    judgements[group, default: JudgementCounts()].replaced += count
  }

  /// All judgements together.
  var total: JudgementCounts {
    judgements.values.reduce(into: JudgementCounts()) { $0.add($1) }
  }

  /// Broken for one cause, of the notifications whose meaning the step matters for.
  ///
  /// Roll-ups say of an undetermined notification only behind which step sight was lost, and on the
  /// whole which stage was seen: ``StepConcerns`` says which steps are open then.
  func tally(_ key: StepAndCause, concerns: StepConcerns) -> Tally {
    var tally = Tally(broken: broken[key]?.all ?? 0)
    for group in MeantGroup.allCases where concerns[key.step, group] {
      tally.concerned += judgements[group]?.total ?? 0
      let lost = lost[Int(group.rawValue)]
      let lostUnaccepted = lostUnaccepted[Int(group.rawValue)]
      for other in lost.indices where lost[other] > 0 {
        let behind = other > 0 ? StepID.allCases[other - 1] : nil
        if concerns.isOpen(key.step, behind: behind, isUnaccepted: false) {
          tally.undetermined += lost[other]
        } else if concerns.isOpen(key.step, behind: behind, isUnaccepted: true) {
          tally.undetermined += lostUnaccepted[other]
        }
      }
      if concerns.isOpenIfOnlyAccepted(key.step) {
        tally.undetermined += judgements[group]?.onlyAccepted ?? 0
      }
    }
    return tally
  }
}

/// For the notifications of which groups of meanings each step matters, and what tells its answer.
public struct StepConcerns: Sendable {
  /// What tells the answer of a step.
  public struct Reach: Sendable, BitwiseCopyable {
    /// The phone or the app has a part in it: the request does not suffice.
    public var dependsOnPhone = true
    /// That APNs accepted the send settles it.
    public var isSettledByAcceptance = false
    /// That the phone received it settles it.
    public var isSettledByReceipt = false

    /// Nothing but what the step itself reads.
    public init() {}
  }

  private var groups: [Bool]
  private var reaches: [Reach]

  /// Every step matters for all, until said otherwise.
  public init() {
    groups = Array(repeating: true, count: StepID.allCases.count * MeantGroup.allCases.count)
    reaches = Array(repeating: Reach(), count: StepID.allCases.count)
  }

  /// What tells the answer of a step.
  public func reach(of step: StepID) -> Reach { reaches[step.place] }

  /// Whether a step is open for a notification of which sight was lost behind `other`; nil if that is not
  /// known. `isUnaccepted` says that APNs is known not to have accepted it.
  ///
  /// It is open at that step and at all later ones, except that a step which the request alone decides is
  /// told once sight went beyond it. An earlier step that the phone or the app has a part in is open too,
  /// unless what was seen settles it.
  func isOpen(_ step: StepID, behind other: StepID?, isUnaccepted: Bool) -> Bool {
    guard let other, other != step else { return true }
    let path = StepID.pathToDevice.place
    if step.place >= path { return other.place < step.place }
    let reach = reach(of: step)
    guard reach.dependsOnPhone else { return false }
    return reach.isSettledByAcceptance
      ? isUnaccepted : other.place < path || !reach.isSettledByReceipt
  }

  /// Whether a step is open for a notification of which nothing but APNs' acceptance is known: all are
  /// that it does not settle.
  func isOpenIfOnlyAccepted(_ step: StepID) -> Bool {
    let reach = reach(of: step)
    return step.place >= StepID.pathToDevice.place
      || (reach.dependsOnPhone && !reach.isSettledByAcceptance)
  }

  /// Says what tells the answer of a step.
  public mutating func set(_ reach: Reach, of step: StepID) { reaches[step.place] = reach }

  /// Whether a step matters for a group.
  public subscript(step: StepID, group: MeantGroup) -> Bool {
    get { groups[step.place * MeantGroup.allCases.count + Int(group.rawValue)] }
    set { groups[step.place * MeantGroup.allCases.count + Int(group.rawValue)] = newValue }
  }
}
