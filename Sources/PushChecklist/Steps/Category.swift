import PushModel

extension ChecklistStep {
  /// Asks whether the category leads anywhere.
  static let category = ChecklistStep(
    id: .category,
    title: "The category leads to buttons or a view",
    question: "Does `aps.category` name a category that is registered or claimed?",
    decidedBy: """
      By `aps.category`, the set of categories that the app registered (buttons), and the list in \
      the content extension's Info.plist (a view of its own). The category is a name that ties a \
      notification to its buttons or its view.
      """,
    facts: ["F7.3", "F7.7", "F7.8", "F7.9", "F7.10", "F3.4", "F3.39", "§3.2"],
    needs: [.sendPayload, .appCategories, .extensionInfo],
    matters: [.actions, .customView],
    outcomes: [
      OutcomeText(.holds, "The category is registered, or a content extension claims it."),
      OutcomeText(.broken, "No category, or a name that nobody knows."),
      OutcomeText(.unknown, "The registered set, or the extension's list, is not known."),
      OutcomeText(.notApplicable, "Neither buttons nor a view were meant."),
    ],
    causes: [
      Cause(
        .categoryMissing,
        meaning: """
          Nothing sets `aps.category`, so iOS has no name by which to find buttons or a view.
          """,
        toldApartBy: """
          The whole payload is known and `aps.category` is not in it; a key of that name beside \
          `aps` is custom data and does nothing.
          """,
        repair: "Send the name as `aps.category`.",
        facts: ["§3.2", "F3.4", "F3.39"]),
      Cause(
        .categoryNotRegistered,
        meaning: """
          The category is named, but the app has not registered it, so there are no buttons. Each \
          call of `setNotificationCategories` replaces the whole set.
          """,
        toldApartBy: "The payload's category is not among those that the app registered last.",
        repair: "Register the whole set, in one call, at each launch of the app.",
        facts: ["F7.9", "F7.8", "F7.10", "§3.2"], alsoAt: [.actionsOffered]),
      Cause(
        .categoryNotInPlist,
        meaning: "The category is named, but no content extension of the app claims it.",
        toldApartBy: """
          The payload's category is not in `UNNotificationExtensionCategory`, or differs in case, or \
          that key has a wrong type.
          """,
        repair: """
          List the name exactly, as a string or an array of strings, and install the app anew.
          """,
        facts: ["F7.3", "F7.7"], alsoAt: [.contentExtension]),
    ],
    nextAction: "Compare the name in the payload with the app's list, letter by letter.",
    knownLimits: """
      Whether a view also needs the category to be registered is contested. No record shows that \
      buttons were there.
      """,
    examples: [
      Example("registered", .holds, from: .actions),
      Example("the registered set is not known", .unknown, from: .actions) {
        $0.chain.installation.categoryRegistered = .unknown
      },
      Example("a plain notification needs none", .notApplicable, from: .plain),
      Example("no category", .broken, .categoryMissing, from: .actions) {
        $0.payload.category = .missing
      },
      Example("the payload is not known", .unknown, nearMiss: .categoryMissing, from: .actions) {
        $0.payload = Payload()
      },
      Example("not among the registered", .broken, .categoryNotRegistered, from: .actions) {
        $0.chain.installation.categoryRegistered = .known(false)
      },
      Example(
        "not among the registered, and a button was used all the same", .holds,
        nearMiss: .categoryNotRegistered, from: .actions
      ) {
        $0.chain.installation.categoryRegistered = .known(false)
        $0.add(.appAction, at: 60_000, [(.action, .text("reply"))])
      },
      Example("a response whose notification is not known", .holds, from: .response, inDocs: false)
      {
        $0.payload = Payload()
      },
      Example("not among the registered, perhaps for a view", .unknown, from: .actions) {
        $0.mean(.actions, .guess)
        $0.chain.installation.categoryRegistered = .known(false)
      },
      Example("no content extension claims it", .broken, .categoryNotInPlist, from: .customView) {
        $0.chain.release.categoryClaimed = .known(false)
        $0.drop(.contentExtDidReceive)
      },
      Example(
        "a content extension claims it", .holds, nearMiss: .categoryNotInPlist, from: .customView),
    ],
    explain: { _, result, _ in
      switch result.cause {
      case .categoryMissing: "The payload has no `aps.category`."
      case .categoryNotRegistered: "The app has not registered the payload's category."
      case .categoryNotInPlist: "No content extension claims the payload's category."
      default:
        result.plainSentence(
          holds: "The category is known to the app.",
          unknown: "The payload, the registered set or the extension's list is not known.")
      }
    })
}

func judgeCategory(_ chain: Chain, _ seen: Sightings) -> StepResult {
  // A button that was used proves the category that it belongs to, payload known or not.
  if chain.kind == .response, let used = chain.usedAction() {
    return StepResult(.holds, evidence: Evidence(.event, used))
  }
  let evidence = chain.payloadEvidence(seen)
  switch seen.payload.category {
  case .missing: return StepResult(.broken, cause: .categoryMissing, evidence: evidence)
  case .unknown: return StepResult(.unknown, needs: Needs(.sendPayload))
  case .known: break
  }
  if chain.meaning.contains(.customView) {
    switch chain.release.categoryClaimed {
    case .known(true): break
    case .unknown:
      return StepResult(.unknown, evidence: evidence, needs: Needs(.extensionInfo))
    case .known(false), .missing:
      return StepResult(
        .broken, cause: .categoryNotInPlist, evidence: evidence, Evidence(.release))
    }
  }
  if chain.meaning.contains(.actions) {
    if let used = chain.usedAction() {
      return StepResult(.holds, evidence: Evidence(.event, used))
    }
    switch chain.installation.categoryRegistered {
    case .known(true): return StepResult(.holds, evidence: Evidence(.categories))
    case .unknown: return StepResult(.unknown, evidence: evidence, needs: Needs(.appCategories))
    case .known(false), .missing:
      // A category may be there for a view alone; only guessed buttons are not missed then.
      if seen.guessed.contains(.actions), chain.release.categoryClaimed != .known(false),
        chain.release.contentExtensions != .known(0)
      {
        return StepResult(
          .unknown, evidence: evidence, Evidence(.categories),
          needs: [Needs(.sendExpects), Needs(.extensionInfo)],
          candidates: (.categoryNotRegistered, nil))
      }
      return StepResult(
        .broken, cause: .categoryNotRegistered, evidence: evidence, Evidence(.categories))
    }
  }
  return StepResult(.holds, evidence: Evidence(.release))
}
