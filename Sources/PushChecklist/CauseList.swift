public import PushModel

/// Every cause that something supports, best first, and the answer over them: what `check` says.
public struct CauseList: Sendable {
  /// One cause and what supports it.
  public struct Entry: Sendable {
    /// The cause.
    public let cause: CauseID
    /// The step at which it stands.
    public let step: StepID
    /// How sure that is: `possible` for one that merely fits.
    public let confidence: Confidence
    /// Whether it breaks its step, or merely fits what is known.
    public let isBroken: Bool
    /// What it rests on.
    public let support: [Evidence]
  }

  /// What is said as a whole.
  public let judgement: Judgement
  /// The first broken step; nil where no single step can be named.
  public let step: StepID?
  /// Its cause; nil where the evidence does not tell.
  public let cause: CauseID?
  /// How sure that is.
  public let confidence: Confidence
  /// What would decide, cheapest first.
  public let needs: [Need]
  /// All causes that something supports, best first.
  public let entries: [Entry]
  /// Whether something is known to be wrong, and what it is cannot be told.
  public var isUndetermined: Bool { judgement == .cannotTell || judgement == .conflicting }

  /// The list for one chain.
  public init(of chain: Chain, _ walk: Walk) {
    let look = chain.scrap == nil ? nil : Look(chain, walk.seen)
    var list = Ranking(chain, walk, look)
    list.rank()
    entries = list.entries
    let verdict = walk.verdict
    if verdict.judgement == .broken, let cause = verdict.cause {
      judgement = .broken
      step = verdict.step
      self.cause = cause
      confidence = verdict.confidence
      needs = []
      return
    }
    // A complaint is there, so "as meant" would say too much.
    let isComplaint = look?.symptom != nil
    judgement = verdict.judgement == .asMeant && isComplaint ? .cannotTell : verdict.judgement
    cause = nil
    confidence = .possible
    step = list.openStep
    needs = judgement == .asMeant ? [] : list.deciding()
  }
}

/// The work of ranking: broken steps in the order of the path, then what merely fits.
private struct Ranking {
  let chain: Chain
  let walk: Walk
  let look: Look?
  var entries: [CauseList.Entry] = []
  /// Steps that are unknown and name candidates, in the order of the path.
  var openSteps: [(step: StepID, result: StepResult)] = []

  init(_ chain: Chain, _ walk: Walk, _ look: Look?) {
    self.chain = chain
    self.walk = walk
    self.look = look
  }

  mutating func rank() {
    let rows = Array(zip(Checklist.of(walk.kind).steps.map(\.id), walk.results))
    if let step = walk.verdict.step, let cause = walk.verdict.cause,
      walk.verdict.judgement == .broken
    {
      add(cause, step, walk.verdict.confidence, isBroken: true, walk[step])
    }
    for (step, result) in rows where result.outcome == .broken {
      if let cause = result.cause, !walk.conflicts.contains(StepSet(step)) {
        add(cause, step, result.confidence, isBroken: true, result)
      }
    }
    for other in otherWalks() {
      for (step, result) in other.broken where walk[step] == nil {
        if let cause = result.cause { add(cause, step, result.confidence, isBroken: true, result) }
      }
    }
    for (step, result) in rows
    where result.outcome == .unknown || (result.outcome == .broken && result.cause == nil) {
      let candidates = [result.candidates.0, result.candidates.1].compactMap { $0 }
      guard !candidates.isEmpty else { continue }
      openSteps.append((step, result))
      for cause in candidates { add(cause, step, .possible, isBroken: false, result) }
    }
    for (step, result) in rows where result.outcome == .broken && result.cause != nil {
      for cause in [result.candidates.0, result.candidates.1].compactMap({ $0 }) {
        add(cause, step, .possible, isBroken: true, result)
      }
    }
    for suspect in look?.suspects ?? [] {
      let step = suspect.step
      guard walk[step].map({ $0.outcome != .holds }) ?? true else { continue }
      addEntry(
        CauseList.Entry(
          cause: suspect.cause, step: step, confidence: .possible, isBroken: false,
          support: [Evidence(.comparison, suspect.place)]))
    }
  }

  /// A notification that shows something and wakes the app besides is walked as both.
  private func otherWalks() -> [Walk] {
    guard chain.scrap != nil, chain.kind == .richAlert,
      walk.seen.payload.contentAvailable.isOn == true
    else { return [] }
    var silent = chain
    silent.kind = .background
    silent.meaning = .silent
    return [Checklist.walk(silent)]
  }

  private mutating func add(
    _ cause: CauseID, _ step: StepID, _ confidence: Confidence, isBroken: Bool,
    _ result: StepResult?
  ) {
    let evidence = [result?.evidence.0, result?.evidence.1, result?.evidence.2]
      .compactMap { $0 }.filter { $0 != .none }
    addEntry(
      CauseList.Entry(
        cause: cause, step: step, confidence: confidence, isBroken: isBroken, support: evidence))
  }

  private mutating func addEntry(_ entry: CauseList.Entry) {
    guard !entries.contains(where: { $0.cause == entry.cause }) else { return }
    entries.append(entry)
  }

  /// The one step at which something is open; nil where several are, or none.
  var openStep: StepID? {
    if walk.verdict.judgement != .asMeant,
      let broken = walk.results.firstIndex(where: { $0.outcome == .broken && $0.cause == nil }),
      case let step = Checklist.of(walk.kind).steps[broken].id,
      !walk.conflicts.contains(StepSet(step))
    {
      // A refusal is about an earlier step, where that step has something to say.
      if step == .apnsAccepted, let first = openSteps.first(where: { $0.step != step }) {
        return first.step
      }
      return step
    }
    if walk.verdict.judgement == .conflicting { return walk.verdict.step }
    let steps = Set(openSteps.map(\.step) + suspectSteps)
    return steps.count == 1 ? steps.first : nil
  }

  private var suspectSteps: [StepID] {
    (look?.suspects ?? []).map(\.step)
      .filter { walk[$0].map { $0.outcome != .holds } ?? true }
  }

  // MARK: What would decide

  /// Parts of a case, cheapest first: what the open steps and the causes that still fit ask for.
  func deciding() -> [Need] {
    var asked = openSteps.map(\.result.needs) + suspectSteps.map(of)
    asked += walk.results.filter { $0.outcome == .broken && $0.cause == nil }.map(\.needs)
    if let look { asked += look.comparing.needs(of: look.facts) }
    asked += rivalNeeds()
    if asked.allSatisfy(\.isEmpty) {
      asked = openNeeds()
      // The step that would show what was meant weighs more than those on the way to it.
      if !asked.isEmpty {
        asked += repeatElement(walk.verdict.needs, count: Ranking.weightOfDecidingStep)
      }
    }
    if asked.allSatisfy(\.isEmpty) { asked = [walk.verdict.needs] }
    if isBare || asked.allSatisfy(\.isEmpty) {
      asked = [[Needs(.receivedPayload), Needs(.eventsExtension), Needs(.log)]]
    }
    let given = chain.given(walk.seen)
    let missing = asked.map { $0.subtracting(given) }
    return Ranking.cheapest(missing.allSatisfy(\.isEmpty) ? asked : missing)
  }

  /// What an extension dies of on its way to the handler leaves its traces in the same two places,
  /// so where several such causes fit, both are asked for.
  private func rivalNeeds() -> [Needs] {
    guard walk.seen.extensionRan < 0 else { return [] }
    let fitting = entries.filter { !$0.isBroken }
    let isOfRun = fitting.contains {
      $0.step.ordinal >= StepID.extensionLoads.ordinal
        && $0.step.ordinal <= StepID.handlerTiming.ordinal
    }
    return isOfRun && fitting.count > 1 ? [[Needs(.eventsExtension), Needs(.log)]] : []
  }

  private func of(_ step: StepID) -> Needs {
    if let result = walk[step], result.outcome == .unknown { return result.needs }
    var needs: Needs = []
    for need in Checklist.step(step)?.needs ?? [] { needs.formUnion(Needs(need)) }
    return needs
  }

  /// Whether there is nothing but claims and what kind of phone it is.
  private var isBare: Bool {
    guard let evidence = look?.facts.evidence else { return false }
    return evidence.members.allSatisfy { member in
      switch member.key {
      case "claims", "symptom": true
      case "device": member.value.members.allSatisfy { $0.key == "os" || $0.key == "model" }
      default: false
      }
    }
  }

  /// Needs of the unknown steps that still matter: what was seen on the phone leaves the sender out.
  private func openNeeds() -> [Needs] {
    if let file = fileNeeds() { return [file] }
    var needs: [Needs] = []
    let passed = wasPresented ? Settling.presented : []
    // Where something was shown and its content is missed, only what makes the content matters.
    let isAboutContent =
      wasPresented && look?.symptom.map { !$0.meaning.isDisjoint(with: .needsExtension) } ?? false
    for (place, step) in Checklist.of(walk.kind).steps.enumerated() {
      let result = walk.results[place]
      guard result.outcome == .unknown, !passed.contains(StepSet(step.id)) else { continue }
      if isAboutContent, step.matters.contains(.plain) { continue }
      needs.append(result.needs)
    }
    // What a gateway makes of a request is shown by what arrived.
    if isAboutContent, walk.seen.isGateway, walk.seen.extensionRan < 0 {
      needs.append(Needs(.receivedPayload))
    }
    return needs
  }

  /// Who describes the file asks about the file: what its own steps lack comes first.
  private func fileNeeds() -> Needs? {
    guard let look, look.facts.evidence["media"] != nil, chain.meaning.contains(.media) else {
      return nil
    }
    var needs: Needs = []
    for step in [StepID.mediaDownload, .mediaFile] {
      if let result = walk[step], result.outcome == .unknown { needs.formUnion(result.needs) }
    }
    return needs.isEmpty ? nil : needs
  }

  /// Whether the symptom itself says that something was shown.
  private var wasPresented: Bool {
    switch look?.symptom {
    case .plainInsteadOfRich?, .noAvatar?, .noImage?, .noActions?, .noCustomUI?, .noSound?,
      .duplicate?:
      true
    default: walk.seen.presented >= 0
    }
  }

  /// The three cheapest parts of a case file, then those that most open questions wait for, up to
  /// six, all by their cost; several needs of one part count once.
  static func cheapest(_ asked: [Needs]) -> [Need] {
    var parts: [(need: Need, waiting: Int)] = []
    for need in Need.byCost {
      let waiting = asked.count { $0.contains(Needs(need)) }
      guard waiting > 0 else { continue }
      if let place = parts.firstIndex(where: { $0.need.casePath == need.casePath }) {
        parts[place].waiting += waiting
      } else {
        parts.append((need, waiting))
      }
    }
    let rest = parts.dropFirst(leading).enumerated()
      .sorted { ($1.element.waiting, $0.offset) < ($0.element.waiting, $1.offset) }
      .prefix(most - leading)
    let kept = parts.prefix(leading).map(\.need) + rest.map(\.element.need)
    return Need.byCost.filter(kept.contains)
  }

  private static let weightOfDecidingStep = 3
  private static let leading = 3
  private static let most = 6
}
