import PushModel

extension ChecklistStep {
  /// Asks whether the buttons that were meant could be seen.
  static let actionsOffered = ChecklistStep(
    id: .actionsOffered,
    title: "The buttons were offered",
    question: "Does the registered category have these actions, and was there room for them?",
    decidedBy: """
      By a button that was used, else by the set of categories that the app registered last and by \
      the room where the notification stood. An action is one button of a category.
      """,
    facts: ["F7.8", "F7.9", "F7.10", "F7.17", "§3.2"],
    needs: [.appCategories, .eventsApp, .observed],
    matters: .actions,
    outcomes: [
      OutcomeText(.holds, "The button was used, or it is registered and there was room for it."),
      OutcomeText(.broken, "The button is not registered, or stands behind those that are shown."),
      OutcomeText(.unknown, "The registered set, or the room for it, is not known."),
      OutcomeText(.notApplicable, "No buttons were meant."),
    ],
    causes: [
      Cause(
        .actionsTooMany,
        meaning: """
          The category has more actions than are shown where the notification stands, so some \
          buttons are missing: two where room is short, ten else.
          """,
        toldApartBy: """
          The expected action is registered, and its place in the list is behind the number that \
          there was room for. An action that is not registered at all is no question of room.
          """,
        repair: "Put the important actions first; keep two for every place, ten at most.",
        facts: ["F7.17"])
    ],
    nextAction: """
      Count the actions of the category in the order in which they are registered; look at the \
      banner and at the expanded notification.
      """,
    knownLimits: """
      Nothing is recorded when buttons are shown; only their use, or what the app registered, tells. \
      The device log lists the categories that were registered, not the actions in them: that too \
      many are registered shows only in a case file or in the code.
      """,
    examples: [
      Example("the button was used", .holds, from: .response),
      Example("registered, first of two, nobody used it", .holds, from: .response) {
        $0.drop(.appAction)
      },
      Example("nothing known of the registered set", .unknown, from: .response) {
        $0.drop(.appAction)
        $0.chain.installation.registeredActions = .unknown
        $0.chain.installation.actionRegistered = .unknown
        $0.chain.installation.actionPlace = .unknown
      },
      Example("a plain notification has none", .notApplicable, from: .plain),
      Example(
        "third of five where there is room for two", .broken, .actionsTooMany, from: .response
      ) {
        $0.drop(.appAction)
        $0.registerActions(5, place: 3, room: 2)
      },
      Example(
        "third of five where there is room for ten", .holds, nearMiss: .actionsTooMany,
        from: .response
      ) {
        $0.drop(.appAction)
        $0.registerActions(5, place: 3, room: 10)
      },
      Example("eleventh of twelve", .broken, .actionsTooMany, from: .response) {
        $0.drop(.appAction)
        $0.registerActions(12, place: 11, room: nil)
      },
      Example("third of five, the room is not known", .unknown, from: .response) {
        $0.drop(.appAction)
        $0.registerActions(5, place: 3, room: nil)
      },
      Example("five and room for two, the place is not known", .unknown, from: .response) {
        $0.drop(.appAction)
        $0.registerActions(5, place: nil, room: 2)
      },
      Example(
        "the category is registered without this action", .broken, .categoryNotRegistered,
        nearMiss: .actionsTooMany, from: .response
      ) {
        $0.drop(.appAction)
        $0.registerActions(5, place: nil, room: 2)
        $0.chain.installation.actionRegistered = .known(false)
      },
    ],
    explain: { chain, result, _ in
      switch result.cause {
      case .actionsTooMany:
        "The action is number \(result.value) of its category, behind those that are shown."
      case .categoryNotRegistered:
        "The category was registered without this action, or not at all."
      default:
        result.plainSentence(
          holds: "The buttons were there.",
          unknown: "The registered actions, or the room for them, are not known.")
      }
    })
}

/// Actions that are shown where there is most room, and where it is short (F7.17).
private let mostActions: Int64 = 10
private let fewestActions: Int64 = 2

func judgeActions(_ chain: Chain, _ seen: Sightings) -> StepResult {
  if let used = chain.usedAction() { return StepResult(.holds, evidence: Evidence(.event, used)) }
  let installation = chain.installation
  let evidence = Evidence(.categories)
  if installation.actionRegistered == .known(false)
    || installation.categoryRegistered == .known(false)
  {
    return StepResult(.broken, cause: .categoryNotRegistered, evidence: evidence)
  }
  guard case .known(let place) = installation.actionPlace else {
    if case .known(let count) = installation.registeredActions, count <= fewestActions,
      installation.actionRegistered == .known(true)
    {
      return StepResult(.holds, evidence: evidence)
    }
    let room = installation.actionRoom.value ?? mostActions
    let isCrowded = (installation.registeredActions.value ?? 0) > room
    return StepResult(
      .unknown, evidence: evidence, needs: [Needs(.appCategories), Needs(.observed)],
      candidates: (isCrowded ? .actionsTooMany : nil, nil))
  }
  let room = min(installation.actionRoom.value ?? mostActions, mostActions)
  if place > room {
    return StepResult(.broken, cause: .actionsTooMany, evidence: evidence, value: place)
  }
  if place > fewestActions, installation.actionRoom.value == nil {
    return StepResult(
      .unknown, evidence: evidence, needs: Needs(.observed), candidates: (.actionsTooMany, nil),
      value: place)
  }
  return StepResult(.holds, evidence: evidence, value: place)
}

extension Chain {
  /// Place of the first record of a button or text reply that was used, nil if there is none.
  func usedAction() -> Int? {
    for place in events.indices {
      let name = events[place].name
      if name == .appAction || name == .appReplied || name == .contentExtAction { return place }
    }
    return nil
  }
}

extension ExampleChain {
  /// The category has this many actions, and the expected one stands at this place.
  mutating func registerActions(_ count: Int64, place: Int64?, room: Int64?) {
    chain.installation.registeredActions = .known(count)
    chain.installation.actionPlace = Known(optional: place)
    chain.installation.actionRoom = Known(optional: room)
  }
}
