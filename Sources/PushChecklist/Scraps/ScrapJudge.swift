import PushModel

/// Everything that a rule over a scrap of evidence looks at. A class, since forty rules are handed it
/// and it is large.
final class Look {
  let chain: Chain
  let seen: Sightings
  /// Facts of the case; empty where only system lines made somebody look.
  let facts: CaseFacts
  let comparing: Comparing
  let suspects: [Suspect]

  init(_ chain: Chain, _ seen: Sightings) {
    self.chain = chain
    self.seen = seen
    // Lines of the phone's log without a case file: there is nothing to compare.
    facts = chain.scrap?.facts ?? Look.noFacts
    comparing = chain.scrap == nil ? Look.nothingToCompare : Comparing(facts)
    suspects = chain.scrap == nil ? [] : comparing.suspects(chain, seen)
  }

  private static let noFacts = CaseFacts()
  private static let nothingToCompare = Comparing(noFacts)

  /// Place of the first event of one of these names.
  func line(_ words: Word...) -> Int? {
    for place in chain.events.indices
    where words.contains(where: { chain.events[place].name == $0 }) {
      return place
    }
    return nil
  }

  /// Evidence of an event.
  func at(_ place: Int) -> Evidence { Evidence(.event, place) }

  /// What was seen to be wrong.
  var symptom: Symptom? { facts.symptom }

  /// Whether a state of the app at arrival is known to be this.
  func isInState(_ state: String) -> Bool { facts.app.state.value == state }

  /// The text of a known symbol of an event's attribute, by the words that rules know.
  func word(_ key: Word, _ place: Int) -> Word? { chain.text(key, of: place)?.word }

  /// The event in the case file behind an event of the chain; nil for lines of a log.
  func written(_ place: Int) -> CaseValue? {
    let reference = chain.events[place].reference
    guard reference.source == 2 else { return nil }
    return facts.evidence["events"]?[Int(reference.line) - 1]
  }

  /// Whether an event that only an extension's own process shows comes from a line of another one.
  func isOfApp(_ place: Int) -> Bool {
    let own: [Word] = [
      .nseDownloadFinished, .nseKeychainFailed, .nseSharedStorageFailed, .systemLibraryMissing,
    ]
    let event = chain.events[place]
    guard event.reference.source == 4, own.contains(where: { event.name == $0 }),
      let line = facts.evidence["log"]?[Int(event.reference.line) - 1]
    else { return false }
    // The loader names the program that wanted the library.
    if let message = line["message"]?.text, let from = message.firstRange(of: "Referenced from:") {
      let path = message[from.upperBound...]
      if path.contains(".appex/") { return false }
      if path.contains(".app/") { return true }
    }
    guard let process = line["process"]?.text.map(ProcessName.init), !process.isEmpty,
      !process.isOfSystem
    else { return false }
    return !process.isExtension(of: facts)
  }

  /// Milliseconds after the beginning of the run at which an event was recorded, where both are known.
  func elapsed(_ place: Int) -> Int64? {
    if let given = chain.integer(.elapsedMs, of: place) { return given }
    guard case .known(let at) = chain.events[place].recordedAt else { return nil }
    guard let start = line(.nseDidReceive, .systemExtensionStarted, .systemReplacementRequested),
      case .known(let from) = chain.events[start].recordedAt
    else { return at / 1000 }
    return (at - from) / 1000
  }

  /// What the case says of the network at arrival, word by word: there is an "off" in every "office".
  private var networkWords: [Substring] {
    guard case .known(let text) = facts.device.text("network") else { return [] }
    return text.lowercased().split { !$0.isLetter && !$0.isNumber }
  }

  /// A lasting lack of network at arrival, in the words that reports use.
  var isNetworkPoor: Bool {
    let poor: Set<Substring> = [
      "poor", "slow", "weak", "edge", "2g", "3g", "bad", "lossy", "throttled",
    ]
    return !poor.isDisjoint(with: networkWords)
  }

  /// No network at all at arrival, in the words that reports use.
  var isNetworkOff: Bool {
    let off: Set<Substring> = ["off", "offline", "none", "airplane", "aeroplane", "flight"]
    let words = networkWords
    if !off.isDisjoint(with: words) { return true }
    // There are things that nobody misses: "wifi, no proxy".
    let missed: Set<Substring> = [
      "network", "internet", "connection", "connectivity", "signal", "service", "coverage",
      "reception", "data", "mobile", "cellular", "cell", "wifi", "wi",
    ]
    return words.indices.contains { place in
      words[place] == "no" && (place + 1 == words.count || missed.contains(words[place + 1]))
    }
  }
}

/// Judging of scraps: case files, and lines of the system log wherever they come from.
///
/// Runs after a step's own rule and only for chains that hold such evidence, so that nothing of it
/// costs a pipeline anything.
enum ScrapJudge {
  /// Applies the rule of a step to what its own says. A switch that writes to where the result stays:
  /// closures would be counted, and each result taken apart and put together again.
  @inline(__always)
  private static func apply(_ step: StepID, _ look: Look, to result: inout StepResult) {
    switch step {
    case .registration: result = registration(look, result)
    case .providerAuth: result = providerAuth(look, result)
    case .tokenShape: result = tokenShape(look, result)
    case .tokenEnvironment: result = tokenEnvironment(look, result)
    case .tokenCurrent: result = tokenCurrent(look, result)
    case .topic: result = topic(look, result)
    case .pushType: result = pushType(look, result)
    case .priorityAndExpiration: result = priorityAndExpiration(look, result)
    case .requestShape: result = requestShape(look, result)
    case .apnsAccepted: result = apnsAccepted(look, result)
    case .visibleAlert: result = visibleAlert(look, result)
    case .mutableContent: result = mutableContent(look, result)
    case .pathToDevice: result = pathToDevice(look, result)
    case .notificationSettings: result = notificationSettings(look, result)
    case .extensionEmbedded: result = extensionEmbedded(look, result)
    case .extensionPoint: result = extensionPoint(look, result)
    case .extensionLoads: result = extensionLoads(look, result)
    case .didReceive: result = didReceive(look, result)
    case .extensionRouting: result = extensionRouting(look, result)
    case .sharedStorage: result = sharedStorage(look, result)
    case .mediaDownload: result = mediaDownload(look, result)
    case .mediaFile: result = mediaFile(look, result)
    case .extensionMemory: result = extensionMemory(look, result)
    case .communicationIntent: result = communicationIntent(look, result)
    case .handlerTiming: result = handlerTiming(look, result)
    case .contentApplied: result = contentApplied(look, result)
    case .presentation: result = presentation(look, result)
    case .contentExtension: result = contentExtension(look, result)
    case .backgroundPayload: result = backgroundPayload(look, result)
    case .appWakeable: result = appWakeable(look, result)
    case .backgroundHandled: result = backgroundHandled(look, result)
    case .laSupported: result = laSupported(look, result)
    case .laPayload: result = laPayload(look, result)
    case .laBudget: result = laBudget(look, result)
    case .laState: result = laState(look, result)
    case .callReported: result = callReported(look, result)
    case .activationRule: result = activationRule(look, result)
    case .hostOpened: result = hostOpened(look, result)
    case .requestCompleted: result = requestCompleted(look, result)
    case .mailboxWritten, .urlReceived, .mailboxDrained: result = listed(look, result)
    default: break
    }
  }

  /// Looks at every step of a list once more.
  static func judge(
    _ list: Checklist, _ chain: Chain, _ seen: Sightings,
    _ results: inout ContiguousArray<StepResult>
  ) {
    let look = Look(chain, seen)
    for place in list.judges.indices
    where !list.judges[place].matters.isDisjoint(with: chain.meaning) {
      judge(list.judges[place].step, look, &results[place])
    }
  }

  /// Turns what a step's own rule says into what it says with a scrap.
  private static func judge(_ step: StepID, _ look: Look, _ result: inout StepResult) {
    apply(step, look, to: &result)
    doubtForeignLines(look, &result)
    if !look.suspects.isEmpty { result = compare(step, look, result) }
  }

  /// What a step says with a scrap of a single chain, as examples ask it.
  static func judge(_ step: StepID, _ chain: Chain, _ result: StepResult) -> StepResult {
    var result = result
    judge(step, Look(chain, Sightings(of: chain)), &result)
    return result
  }

  /// A line that the app's own process wrote shows nothing of the extension: its requests, its
  /// keychain and its libraries fail for themselves.
  private static func doubtForeignLines(_ look: Look, _ result: inout StepResult) {
    guard look.chain.scrap != nil, result.isDecided, result.evidence.0.kind == .event,
      look.isOfApp(Int(result.evidence.0.place))
    else { return }
    result = StepResult(
      .unknown, evidence: result.evidence.0, needs: [Needs(.eventsExtension), Needs(.log)],
      candidates: (result.cause, nil))
  }

  /// Whether a result rests on what only a scrap holds, so that the step's own words may not fit.
  static func speaksFor(_ result: StepResult) -> Bool {
    [result.evidence.0, result.evidence.1, result.evidence.2].contains {
      $0.kind == .fact || $0.kind == .comparison
    }
  }

  /// What comparisons add: a cause that a single difference names, or candidates that fit.
  private static func compare(_ step: StepID, _ look: Look, _ result: StepResult) -> StepResult {
    let here = look.suspects.filter { $0.step == step }
    guard !here.isEmpty else { return result }
    let isOpen =
      result.outcome == .unknown || (result.outcome == .broken && result.cause == nil)
      || result.outcome == .notApplicable
    guard isOpen else { return result }
    if let named = here.first(where: \.isNamed) {
      return StepResult(
        .broken, cause: named.cause, confidence: .likely,
        evidence: Evidence(.comparison, named.place), result.evidence.0)
    }
    guard result.outcome != .notApplicable else { return result }
    var result = result
    for suspect in here { result.suggest(suspect.cause) }
    if result.evidence.0 == .none { result.evidence.0 = Evidence(.comparison, here[0].place) }
    return result
  }
}

extension StepResult {
  /// Adds a candidate, if there is room and it is not there yet.
  mutating func suggest(_ cause: CauseID) {
    if candidates.0 == cause || candidates.1 == cause { return }
    if candidates.0 == nil {
      candidates.0 = cause
    } else if candidates.1 == nil {
      candidates.1 = cause
    }
  }

  /// The same result, with more needs and candidates where it is open.
  func open(
    _ needs: Needs, _ first: CauseID? = nil, _ second: CauseID? = nil, evidence: Evidence? = nil
  ) -> StepResult {
    guard outcome == .unknown || outcome == .notApplicable else { return self }
    var result = self
    result.outcome = .unknown
    result.needs = needs.union(outcome == .unknown ? self.needs : [])
    if let first { result.suggest(first) }
    if let second { result.suggest(second) }
    if let evidence, result.evidence.0 == .none { result.evidence.0 = evidence }
    return result
  }

  /// Whether the step's own rule already named a cause.
  var isDecided: Bool { outcome == .broken && cause != nil }
}

extension Checklist {
  /// The step under which a cause stands.
  static let stepOfCause: [CauseID: StepID] = {
    var found: [CauseID: StepID] = [:]
    for step in allSteps { for cause in step.causes { found[cause.id] = step.id } }
    return found
  }()
}
