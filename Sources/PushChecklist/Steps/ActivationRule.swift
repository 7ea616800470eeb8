import PushModel

extension ChecklistStep {
  /// Asks whether iOS offers the share or action extension where it should.
  static let activationRule = ChecklistStep(
    id: .activationRule,
    title: "The extension is offered",
    question: "Does the activation rule fit what is shared, and has the extension a name?",
    decidedBy: """
      By the extension's first record (then it was offered), else by `NSExtensionActivationRule` in \
      its Info.plist and its display names. The rule says for which kinds and numbers of items iOS \
      shows the extension in another app's share sheet.
      """,
    facts: ["F12.2", "F12.3", "F12.4", "F12.5", "F12.6", "F12.7"],
    needs: [.eventsExtension, .extensionInfo, .appDistribution, .observed],
    outcomes: [
      OutcomeText(.holds, "The extension was started, or its rule is true for what is shared."),
      OutcomeText(.broken, "The rule cannot be true, does not fit, or may not be shipped."),
      OutcomeText(.unknown, "Neither a record nor the rule is known."),
    ],
    causes: [
      Cause(
        .truePredicate,
        meaning: """
          The activation rule is `TRUEPREDICATE`: fine for debugging, refused when the app is \
          uploaded.
          """,
        toldApartBy: """
          The literal predicate stands in the plist of a build that is to be shipped. In a debug \
          build it is no fault, and the row always shows.
          """,
        repair: "Ship a dictionary rule, or a predicate that was tested.",
        facts: ["F12.5"]),
      Cause(
        .activationRuleMismatch,
        meaning: """
          The rule is sound, but does not fit what the other app offers: a kind that it does not \
          name, another number of items, a mixture.
          """,
        toldApartBy: """
          The row is missing for some apps or selections only, and the rule, read against what they \
          offer, is false.
          """,
        repair: """
          Name abstract types where apps differ, count exactly by predicate, and filter again in \
          extension and app.
          """,
        facts: ["F12.3", "F12.4", "F12.7"]),
      Cause(
        .displayNameMissing,
        meaning: """
          The extension has no display name in a language that the app has, so its row is empty or \
          shows the file's name there.
          """,
        toldApartBy: """
          `InfoPlist.strings` of that language is absent, or has no `CFBundleDisplayName`, for this \
          target only; the rule itself is in order.
          """,
        repair: "Make the names of all targets and languages from one table.",
        facts: []),
      Cause(
        .activationPredicateMalformed,
        meaning: """
          The predicate cannot be read, or asks for a variable that does not exist, so the row never \
          appears; iOS says nothing.
          """,
        toldApartBy: """
          Quotes or parentheses do not balance, or it runs over `NSExtensionItems` instead of \
          `extensionItems`.
          """,
        repair: """
          Write it over `extensionItems`; to test, loosen it to `TRUEPREDICATE` in a debug build.
          """,
        facts: ["F12.6"]),
    ],
    nextAction: """
      Share one item of each kind from two apps; then read the rule in the built extension's plist.
      """,
    knownLimits: """
      How strict matching and the second version of the dictionary differ is thinly documented; a \
      predicate that is sound may still be false for an app's own types. An extension that is not \
      offered records nothing, so logs alone never show a rule that does not fit: any record of a \
      hand-off shows that this one did. Comparisons in a case file tell, and inspection of the app.
      """,
    examples: activationExamples,
    explain: { _, result, _ in
      switch result.cause {
      case .truePredicate: "The activation rule is `TRUEPREDICATE`, which cannot be shipped."
      case .activationRuleMismatch: "The activation rule does not fit what was offered."
      case .displayNameMissing: "The extension has no display name in a language of the app."
      case .activationPredicateMalformed:
        "The activation predicate cannot be read, or asks for a variable that does not exist."
      default:
        result.plainSentence(
          holds: "The extension is offered.",
          unknown: "No record of the extension, and its rule or what was offered is not known.")
      }
    })
}

private let activationExamples: [Example] = [
  Example("it was started", .holds, from: .handoff),
  Example("not started, and the rule fits", .holds, from: .handoff) {
    $0.events = []
    $0.chain.release.handoff.ruleFits = .known(true)
  },
  Example("not started, rule not known", .unknown, from: .handoff) {
    $0.events = []
    $0.chain.release.handoff.rule = .unknown
  },
  Example("not started, a sound predicate", .unknown, from: .handoff, inDocs: false) {
    $0.events = []
    $0.chain.release.handoff.rule = .known(.predicate)
  },
  Example("TRUEPREDICATE in a build for the App Store", .broken, .truePredicate, from: .handoff) {
    $0.events = []
    $0.chain.release.handoff.rule = .known(.truePredicate)
  },
  Example(
    "TRUEPREDICATE in a debug build", .holds, nearMiss: .truePredicate, from: .handoff
  ) {
    $0.events = []
    $0.chain.release.handoff.rule = .known(.truePredicate)
    $0.chain.release.distribution = .known(Symbol(.debug))
  },
  Example(
    "TRUEPREDICATE, and how the app is distributed is not known", .unknown,
    nearMiss: .truePredicate, from: .handoff
  ) {
    $0.events = []
    $0.chain.release.handoff.rule = .known(.truePredicate)
    $0.chain.release.distribution = .unknown
  },
  Example("two pictures, the rule takes one", .broken, .activationRuleMismatch, from: .handoff) {
    $0.events = []
    $0.chain.release.handoff.ruleFits = .known(false)
  },
  Example(
    "what was offered is not known", .unknown, nearMiss: .activationRuleMismatch, from: .handoff
  ) { $0.events = [] },
  Example(
    "a rule that cannot be read is no question of what is offered", .broken,
    .activationPredicateMalformed, nearMiss: .activationRuleMismatch, from: .handoff
  ) {
    $0.events = []
    $0.chain.release.handoff.rule = .known(.unreadable)
    $0.chain.release.handoff.ruleFits = .known(false)
  },
  Example("over NSExtensionItems", .broken, .activationPredicateMalformed, from: .handoff) {
    $0.events = []
    $0.chain.release.handoff.rule = .known(.wrongVariable)
  },
  Example(
    "a sound predicate that is false for what is offered", .broken, .activationRuleMismatch,
    nearMiss: .activationPredicateMalformed, from: .handoff
  ) {
    $0.events = []
    $0.chain.release.handoff.rule = .known(.predicate)
    $0.chain.release.handoff.ruleFits = .known(false)
  },
  Example("no name in German", .broken, .displayNameMissing, from: .handoff) {
    $0.events = []
    $0.chain.release.handoff.hasAllDisplayNames = .known(false)
  },
  Example("names in all languages", .holds, nearMiss: .displayNameMissing, from: .handoff) {
    $0.events = []
    $0.chain.release.handoff.ruleFits = .known(true)
  },
]

func judgeActivation(_ chain: Chain, _ seen: Sightings) -> StepResult {
  if let first = chain.events.indices.first(where: { isHandoff(chain, $0) }) {
    return StepResult(.holds, evidence: Evidence(.event, first))
  }
  let facts = chain.release.handoff
  let evidence = Evidence(.release)
  if case .known(let rule) = facts.rule {
    if ActivationRule.isMalformed(rule) {
      return StepResult(.broken, cause: .activationPredicateMalformed, evidence: evidence)
    }
    if rule == .truePredicate { return judgeTruePredicate(chain, evidence) }
  }
  if facts.ruleFits == .known(false) {
    return StepResult(.broken, cause: .activationRuleMismatch, evidence: evidence)
  }
  if facts.hasAllDisplayNames == .known(false) {
    return StepResult(
      .broken, cause: .displayNameMissing, confidence: .likely, evidence: evidence)
  }
  if facts.ruleFits == .known(true) { return StepResult(.holds, evidence: evidence) }
  return StepResult(
    .unknown, evidence: facts.rule.isUnknown ? .none : evidence,
    needs: [Needs(.eventsExtension), Needs(.extensionInfo), Needs(.observed)])
}

/// Always true, so the row shows; the question is only whether the build may be shipped.
private func judgeTruePredicate(_ chain: Chain, _ evidence: Evidence) -> StepResult {
  guard case .known(let distribution) = chain.release.distribution else {
    return StepResult(
      .unknown, evidence: evidence, needs: Needs(.appDistribution),
      candidates: (.truePredicate, nil))
  }
  if distribution == .debug || distribution == .simulator {
    return StepResult(.holds, evidence: evidence)
  }
  return StepResult(.broken, cause: .truePredicate, evidence: evidence)
}

private func isHandoff(_ chain: Chain, _ place: Int) -> Bool {
  let ordinal = chain.events[place].name.index
  return ordinal < 64 && Settling.handoffExtensionEvents & (1 << UInt64(ordinal)) != 0
}
