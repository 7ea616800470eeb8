import PushModel

extension CaseBuilder {
  /// Whether a case is about a hand-off though it lists none of its events: it describes a share or
  /// action extension and no send.
  var isAboutHandoff: Bool {
    guard chain.sends.isEmpty, facts.evidence["payload"] == nil else { return false }
    return handoffExtension != nil
  }

  /// Whether a case is about what a person answered: it lists such events, and none of a run of the
  /// service extension.
  var isAboutResponse: Bool {
    let answers: [Word] = [.appAction, .appReplied, .contentExtAction]
    // That the app was opened is of use only where somebody says who listens in it.
    let isOpened =
      chain.firstEvent(.appOpened) != nil && facts.evidence.value(at: "app.delegate") != nil
    guard isOpened || answers.contains(where: { chain.firstEvent($0) != nil }) else { return false }
    return !chain.events.contains { $0.name.word.map { $0.rawValue.hasPrefix("nse.") } ?? false }
  }

  /// The share or action extension, by its kind or its point.
  private var handoffExtension: ExtensionFacts? {
    let points = ["com.apple.share-services", "com.apple.ui-services", "com.apple.services"]
    return facts.extensions.first { appex in
      if let kind = appex.kind.value { return kind == "share" || kind == "action" }
      return appex.point.value.map(points.contains) ?? false
    }
  }

  /// Reads what the steps of a hand-off and of a response ask of app and extension.
  mutating func readHandoff() {
    if let appex = handoffExtension { readHandoffRelease(appex) }
    readDelegate()
    if chain.kind == .handoff { coverHandoff() }
  }

  private mutating func readHandoffRelease(_ appex: ExtensionFacts) {
    var handoff = chain.release.handoff
    switch appex.attribute("NSExtensionActivationRule") {
    case .known(.text(let text)): handoff.rule = .known(ActivationRule.form(ofPredicate: text))
    case .known(.object(let members)):
      handoff.rule = .known(.dictionary)
      handoff.ruleFits = Known(optional: ruleFits(.object(members)))
    case .missing: handoff.rule = .missing
    case .known, .unknown: break
    }
    // A comparison in which one selection is offered and another is not shows that the rule fits
    // the one and not the other.
    let offered = facts.comparisons.compactMap { $0.result("arrived") }
    if offered.contains(true), offered.contains(false), !handoff.rule.isUnknown {
      handoff.ruleFits = .known(false)
    }
    // Apple documents opening the app for Today and iMessage extensions only (F12.9).
    handoff.mayOpenApp = .known(false)
    if case .known(.list(let languages)) = appex.part.known("missing_names") {
      handoff.hasAllDisplayNames = .known(languages.isEmpty)
    }
    if case .known(.list(let schemes)) = appex.part.known("unregistered_schemes") {
      handoff.schemeRegistered = .known(schemes.isEmpty)
    }
    let selector = appex.part.bool("old_open_selector")
    if !selector.isUnknown { handoff.usesOldOpenSelector = selector }
    if appex.info("CFBundleDisplayName").isMissing { handoff.hasAllDisplayNames = .known(false) }
    handoff.sharedAppGroup = CaseBuilder.sharedGroups(
      facts.app.entitlement("com.apple.security.application-groups"),
      appex.entitlement("com.apple.security.application-groups"))
    let lines = (facts.evidence["log"]?.items ?? []).compactMap { $0["message"]?.text }
    if lines.contains(where: { $0.contains("BUG IN CLIENT OF UIKIT") && $0.contains("openURL") }) {
      handoff.usesOldOpenSelector = .known(true)
    }
    if facts.app.info("CFBundleURLTypes").isMissing { handoff.schemeRegistered = .known(false) }
    chain.release.handoff = handoff
  }

  /// Whether two lists of groups have one in common; unknown where one side is not known.
  private static func sharedGroups(_ app: Known<CaseValue>, _ appex: Known<CaseValue>) -> Known<
    Bool
  > {
    func groups(_ value: Known<CaseValue>) -> [String]? {
      switch value {
      case .unknown: nil
      case .missing: []
      case .known(let value): value.items.compactMap(\.text)
      }
    }
    guard let app = groups(app), let appex = groups(appex) else { return .unknown }
    return .known(app.contains(where: appex.contains))
  }

  private mutating func readDelegate() {
    let delegate = facts.evidence.value(at: "app.delegate")
    switch delegate {
    case .null?: chain.release.responseDelegate = .known(.absent)
    case .object?:
      if delegate?["set"]?.text == "after-launch" {
        chain.release.responseDelegate = .known(.late)
      } else if case .null? = delegate?["owner"] {
        chain.release.responseDelegate = .known(.absent)
      } else if case .text(let owner)? = delegate?["owner"] {
        chain.release.responseDelegate = .known(owner == "app" ? .app : .library)
      }
    default: break
    }
  }

  /// The list of a hand-off's records is taken as whole between its first and its last record, as
  /// far as their counter does not show a gap. It goes on behind the last one only where somebody
  /// says what was seen to be wrong: then the log ended there.
  private mutating func coverHandoff() {
    let numbers = (facts.evidence["events"]?.items ?? []).map { $0["seq"]?.whole }
    let counted = numbers.compactMap { $0 }
    if counted.count == numbers.count, !counted.isEmpty {
      for (place, number) in counted.enumerated() where place < chain.events.count {
        chain.events[place].sequence = .known(number)
      }
    } else if !counted.isEmpty {
      return
    }
    let ordered = chain.events.compactMap(\.sequence.value)
    for (before, after) in zip(ordered, ordered.dropFirst()) where after != before + 1 { return }
    let second: Int64 = 1_000_000
    var last: Int64 = 0
    for place in chain.events.indices {
      last = max(chain.events[place].recordedAt.value ?? last, last)
      chain.events[place].correctedAt = .known(last)
    }
    chain.coverage.isGapless = true
    chain.coverage.runFrom = (chain.events.first?.correctedAt.value ?? 0) - 3600 * second
    chain.coverage.runTo = last + (facts.symptom == nil ? 0 : 3600 * second)
    chain.coverage.clockError = 0
    chain.coverage.holdsExtension = true
    let ofApp: [Word] = [.handoffUrlReceived, .handoffMailboxRead, .handoffDrained]
    chain.coverage.holdsApp = ofApp.contains { chain.firstEvent($0) != nil }
    let distinct = facts.comparisons.compactMap { $0.result("arrived") }
    if distinct.contains(true) { chain.traffic.otherHandoffsOpened = .known(true) }
  }
}
