public import PushModel

/// Results of all steps of one chain, and the verdict. One value is reused from chain to chain.
public struct Walk: Sendable {
  /// Which checklist was walked.
  public internal(set) var kind = ChainKind.richAlert
  /// One result for each step of the checklist, in its order.
  public internal(set) var results: ContiguousArray<StepResult> = []
  /// What one pass over the records showed.
  public internal(set) var seen = Sightings()
  /// Steps that a record calls broken and that a sighting settles.
  public internal(set) var conflicts: StepSet = []
  /// The judgement over all outcomes.
  public internal(set) var verdict = Verdict()
  /// Places of broken and of unknown results, as the steps said.
  var brokenPlaces = Places()
  var unknownPlaces = Places()

  /// A walk with room for the longest checklist.
  public init() { results.reserveCapacity(Checklist.rich.steps.count) }

  /// Notes where results are broken or unknown, after some were changed.
  mutating func notePlaces() {
    brokenPlaces = Places()
    unknownPlaces = Places()
    for place in results.indices {
      switch results[place].outcome {
      case .broken: brokenPlaces.insert(place)
      case .unknown: unknownPlaces.insert(place)
      case .holds, .notApplicable: break
      }
    }
  }

  /// Makes room for the results of another checklist.
  mutating func resize(to count: Int) {
    results.removeAll(keepingCapacity: true)
    for _ in 0..<count { results.append(.notApplicable) }
  }

  /// The result of a step, nil if its checklist does not have it.
  public subscript(step: StepID) -> StepResult? {
    guard let place = Checklist.of(kind).steps.firstIndex(where: { $0.id == step }) else {
      return nil
    }
    return results[place]
  }

  /// All broken steps in the order of the path, those with conflicting evidence included.
  public var broken: [(step: StepID, result: StepResult)] {
    var found: [(step: StepID, result: StepResult)] = []
    guard results.contains(where: { $0.outcome == .broken }) else { return found }
    let steps = Checklist.of(kind).steps
    for place in results.indices where results[place].outcome == .broken {
      found.append((steps[place].id, results[place]))
    }
    return found
  }
}

/// Places in a list of steps as one word of bits: most results need no second look.
struct Places: Sendable, BitwiseCopyable, Sequence, IteratorProtocol {
  private var bits: UInt64 = 0

  mutating func insert(_ place: Int) { bits |= 1 &<< UInt64(place) }

  /// Those before a place.
  func before(_ place: Int) -> Places {
    var part = self
    part.bits &= (1 &<< UInt64(place)) &- 1
    return part
  }

  /// The lowest, which is taken out.
  mutating func next() -> Int? {
    guard bits != 0 else { return nil }
    let place = bits.trailingZeroBitCount
    bits &= bits - 1
    return place
  }
}

/// An ordered list of steps. The order in this file is the order of the path and of the report.
public struct Checklist: Sendable {
  /// Which chains walk it.
  public let kind: ChainKind
  /// Its steps, in the order of the path.
  public let steps: [ChecklistStep]
  /// What the engine reads of each step.
  let judges: ContiguousArray<Judge>

  struct Judge: Sendable {
    let step: StepID
    let matters: Meaning
  }

  private init(_ kind: ChainKind, _ steps: [ChecklistStep]) {
    self.kind = kind
    self.steps = steps
    judges = ContiguousArray(
      steps.map { Judge(step: $0.id, matters: $0.matters) })
  }

  /// The main chain: an alert, rich or plain.
  public static let rich = Checklist(
    .richAlert,
    [
      .registration, .providerAuth, .tokenShape, .tokenEnvironment, .tokenCurrent, .topic,
      .pushType, .priorityAndExpiration, .requestShape, .apnsAccepted, .visibleAlert,
      .mutableContent, .category, .pathToDevice, .notificationSettings, .extensionEmbedded,
      .extensionPoint, .extensionMinimumOs, .extensionLoads, .didReceive, .extensionRouting,
      .sharedStorage, .mediaDownload, .mediaFile, .extensionMemory, .communicationIntent,
      .handlerTiming, .contentApplied, .presentation, .contentExtension,
    ])

  /// A silent notification.
  public static let background = Checklist(
    .background,
    [
      .registration, .providerAuth, .tokenShape, .tokenEnvironment, .tokenCurrent, .topic,
      .pushType, .priorityAndExpiration, .requestShape, .apnsAccepted, .backgroundPayload,
      .pathToDevice, .backgroundMode, .appWakeable, .backgroundHandled,
    ])

  /// An update of a Live Activity.
  public static let liveActivity = Checklist(
    .liveActivity,
    [
      .providerAuth, .tokenShape, .tokenEnvironment, .tokenCurrent, .topic, .pushType,
      .priorityAndExpiration, .requestShape, .apnsAccepted, .laSupported, .laPayload, .laBudget,
      .laState,
    ])

  /// A VoIP call.
  public static let voip = Checklist(
    .voip,
    [
      .providerAuth, .tokenShape, .tokenEnvironment, .tokenCurrent, .topic, .pushType,
      .priorityAndExpiration, .requestShape, .apnsAccepted, .callReported,
    ])

  /// Every other push type: the request only.
  public static let requestOnly = Checklist(
    .requestOnly,
    [
      .providerAuth, .tokenShape, .tokenEnvironment, .tokenCurrent, .topic, .pushType,
      .priorityAndExpiration, .requestShape, .apnsAccepted,
    ])

  /// A response: a button, a text reply, a tap.
  public static let response = Checklist(
    .response, [.category, .actionsOffered, .responseRouted, .responseHandled])

  /// A hand-off from a share or action extension to its app.
  public static let handoff = Checklist(
    .handoff,
    [
      .activationRule, .itemsLoaded, .stagedInGroup, .mailboxWritten, .hostOpened, .urlReceived,
      .mailboxDrained, .requestCompleted,
    ])

  /// All lists, in the order of ``ChainKind``.
  public static let all = [rich, background, liveActivity, voip, requestOnly, response, handoff]

  /// The list that a kind of chain walks.
  public static func of(_ kind: ChainKind) -> Checklist {
    switch kind {
    case .richAlert: rich
    case .background: background
    case .liveActivity: liveActivity
    case .voip: voip
    case .requestOnly: requestOnly
    case .response: response
    case .handoff: handoff
    }
  }

  /// Every step that stands in some list, once, in the order of the path.
  public static let allSteps: [ChecklistStep] = {
    var found: [StepID: ChecklistStep] = [:]
    for list in all { for step in list.steps { found[step.id] = step } }
    return StepID.allCases.compactMap { found[$0] }
  }()

  /// A step by its id, nil if no list has it.
  public static func step(_ id: StepID) -> ChecklistStep? { allSteps.first { $0.id == id } }

  /// A cause by its id, with the step that it stands under.
  public static func cause(_ id: CauseID) -> (step: ChecklistStep, cause: Cause)? {
    for step in allSteps { if let cause = step.cause(id) { return (step, cause) } }
    return nil
  }

  /// Judges a chain: all steps of its list, then the verdict. Allocates nothing once `walk` has
  /// been used.
  public static func walk(_ chain: borrowing Chain, into walk: inout Walk) {
    let list = of(chain.kind)
    let seen = Sightings(of: chain)
    walk.kind = chain.kind
    walk.seen = seen
    walk.conflicts = []
    if walk.results.count != list.judges.count { walk.resize(to: list.judges.count) }
    judgeSteps(list.judges, chain, seen, &walk)
    if chain.scrap != nil || seen.holdsSystemLines {
      ScrapJudge.judge(list, chain, seen, &walk.results)
      walk.notePlaces()
    }
    VerdictPolicy.decide(chain, list, seen, &walk)
  }

  /// Judges a notification, and what a person answered to it: where the notification is as meant and
  /// its response is shown to have broken, the chain becomes one of kind `response`.
  public static func judge(_ chain: inout Chain, into result: inout Walk) {
    walk(chain, into: &result)
    guard chain.kind == .richAlert, result.verdict.judgement == .asMeant,
      result.seen.holds(.appAction) || result.seen.holds(.appReplied)
        || result.seen.holds(.contentExtAction)
    else { return }
    let meaning = chain.meaning
    chain.kind = .response
    // That a button was used says that there was to be one.
    chain.meaning.insert(.actions)
    walk(chain, into: &result)
    if result.verdict.judgement == .broken { return }
    chain.kind = .richAlert
    chain.meaning = meaning
    walk(chain, into: &result)
  }

  private static func judgeSteps(
    _ judges: ContiguousArray<Judge>, _ chain: borrowing Chain, _ seen: Sightings,
    _ walk: inout Walk
  ) {
    let meaning = chain.meaning
    let steps = judges.span
    var broken = Places()
    var unknown = Places()
    var written = walk.results.mutableSpan
    for place in steps.indices {
      guard !steps[place].matters.isDisjoint(with: meaning) else {
        written[place] = .notApplicable
        continue
      }
      steps[place].step.judge(chain, seen, into: &written[place])
      switch written[place].outcome {
      case .broken: broken.insert(place)
      case .unknown: unknown.insert(place)
      case .holds, .notApplicable: break
      }
    }
    walk.brokenPlaces = broken
    walk.unknownPlaces = unknown
  }

  /// Judges a chain into a new walk, for single chains.
  public static func walk(_ chain: Chain) -> Walk {
    var result = Walk()
    walk(chain, into: &result)
    return result
  }
}
