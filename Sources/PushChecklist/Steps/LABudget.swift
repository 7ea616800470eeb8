import PushModel

extension ChecklistStep {
  /// Asks whether the hourly budget allows the update.
  static let laBudget = ChecklistStep(
    id: .laBudget,
    title: "The update is within its budget",
    question: "Few enough updates of priority 10 in the hour?",
    decidedBy: "By an update that the phone recorded; one notification cannot show the budget.",
    facts: ["F9.5", "F9.6"],
    needs: [.observed, .sendHeaders],
    outcomes: [
      OutcomeText(.holds, "The update was taken."),
      OutcomeText(.broken, "Live at first and frozen later, with updates of priority 10."),
      OutcomeText(.unknown, "The other updates of that hour would have to be counted."),
    ],
    causes: [
      Cause(
        .laBudget,
        meaning: "Too many updates of priority 10 in an hour; iOS holds back the rest.",
        toldApartBy: """
          200 throughout, live at first and frozen later, many updates with priority 10 or none, no \
          decoding failure.
          """,
        repair: "Send most updates with priority 5, and add the key for frequent updates.",
        facts: ["F9.5", "F9.6"])
    ],
    nextAction: "Count updates per activity, hour and priority.",
    knownLimits: "The size of the budget is not published.",
    examples: [
      Example("updated", .holds, from: .liveActivity),
      Example("nothing recorded", .unknown, from: .liveActivity) { $0.events = [] },
      Example("live at first, frozen later, priority 10", .broken, .laBudget, from: .liveActivity) {
        $0.freeze(priority: 10)
      },
      Example(
        "live at first, frozen later, priority 5", .unknown, nearMiss: .laBudget,
        from: .liveActivity
      ) {
        $0.freeze(priority: 5)
      },
    ],
    explain: { _, result, _ in
      result.outcome == .broken
        ? "Updates were taken at first and not later, and they count against the budget."
        : result.plainSentence(
          holds: "The update was taken.", unknown: "The updates of that hour are not known.")
    })
}

extension ExampleChain {
  /// Updates were taken in the first minutes and not later.
  mutating func freeze(priority: Int64) {
    events = []
    send.priority = .known(.number(priority))
    complain(.notUpdated)
    compare([("send.sent_at", .text("the first minutes"))], "arrived", true)
    compare([("send.sent_at", .text("later in the hour"))], "arrived", false)
  }
}

func judgeLABudget(_: Chain, _ seen: Sightings) -> StepResult {
  seen.presented >= 0
    ? StepResult(.holds, evidence: Evidence(.event, seen.presented))
    : StepResult(.unknown, needs: [Needs(.sendHeaders), Needs(.observed)])
}
