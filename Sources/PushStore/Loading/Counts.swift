import PushModel

/// Words of the checklist by their text; the enums' own look-up compares one after the other.
struct StepWords {
  private let steps: [String: StepID]
  private let causes: [String: CauseID]

  init() {
    steps = Dictionary(uniqueKeysWithValues: StepID.allCases.map { ($0.rawValue, $0) })
    causes = Dictionary(uniqueKeysWithValues: CauseID.allCases.map { ($0.rawValue, $0) })
  }

  /// Nil for '' and for a step that only a newer program knows.
  func step(_ text: String) -> StepID? { steps[text] }
  func cause(_ text: String) -> CauseID? { causes[text] }
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
  var place: Int { StepCounts.places[self] ?? 0 }
}

/// Judgements of some notifications, counted by meaning, step and cause.
struct StepCounts {
  fileprivate static let places = Dictionary(
    uniqueKeysWithValues: StepID.allCases.enumerated().map { ($0.element, $0.offset) })

  /// Broken for one cause, by how sure that is.
  struct Broken {
    var certain = 0
    var likely = 0
    var possible = 0
    var all: Int { certain + likely + possible }
  }
  /// Undetermined notifications of one group, by the step behind which sight was lost.
  private struct Lost: Hashable {
    var group: MeantGroup
    var step: StepID?
  }

  private(set) var judgements: [MeantGroup: JudgementCounts] = [:]
  private(set) var broken: [StepAndCause: Broken] = [:]
  private(set) var funnel = FunnelTable()
  private var lost: [Lost: Int] = [:]

  init() {}

  /// Adds the rows of `day_counts`, `span_counts` or `release_counts`.
  mutating func add(_ rows: Statement, words: StepWords, countsStages: Bool) throws(StoreError) {
    defer { rows.reset() }
    var stages: [MeantGroup: [Stage: Int]] = [:]
    while try rows.step() {
      let count = Int(rows.integer(6))
      guard let judgement = Judgement(rawValue: UInt8(truncatingIfNeeded: rows.integer(1))) else {
        continue
      }
      let group = MeantGroup(rawValue: UInt8(truncatingIfNeeded: rows.integer(0))) ?? .other
      judgements[group, default: JudgementCounts()][judgement] += count
      let step = words.step(rows.text(2))
      switch judgement {
      case .broken:
        guard let step else { break }
        let key = StepAndCause(step: step, cause: words.cause(rows.text(3)))
        switch Confidence(rawValue: UInt8(truncatingIfNeeded: rows.integer(4))) {
        case .certain: broken[key, default: Broken()].certain += count
        case .likely: broken[key, default: Broken()].likely += count
        case .possible, nil: broken[key, default: Broken()].possible += count
        }
      case .cannotTell, .conflicting:
        lost[Lost(group: group, step: step), default: 0] += count
      case .asMeant: break
      }
      if countsStages {
        let stage = Stage(rawValue: UInt8(truncatingIfNeeded: max(0, rows.integer(5)))) ?? .none
        stages[group, default: [:]][stage, default: 0] += count
      }
    }
    for (group, counts) in stages {
      for (stage, count) in counts { funnel.add(count, seen: [stage], group: group) }
    }
  }

  /// All judgements together.
  var total: JudgementCounts {
    judgements.values.reduce(into: JudgementCounts()) { $0.add($1) }
  }

  /// Broken for one cause, of the notifications whose meaning the step matters for.
  ///
  /// Roll-ups say of an undetermined notification only behind which step sight was lost. So at
  /// that step and at all later ones it counts as undetermined, except that a step which the
  /// request alone decides is told once sight went beyond it.
  func tally(_ key: StepAndCause, concerns: (StepID, MeantGroup) -> Bool) -> Tally {
    var tally = Tally(broken: broken[key]?.all ?? 0)
    for (group, counts) in judgements where concerns(key.step, group) {
      tally.concerned += counts.total
    }
    for (lost, count) in lost where concerns(key.step, lost.group) {
      if isOpen(key.step, lostBehind: lost.step) { tally.undetermined += count }
    }
    return tally
  }

  private func isOpen(_ step: StepID, lostBehind lost: StepID?) -> Bool {
    guard let lost else { return true }
    if lost == step { return true }
    return lost.place < step.place && step.place >= StepID.pathToDevice.place
  }
}
