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
        facts: ["F9.5", "F9.6"], isJudged: false)
    ],
    nextAction: "Count updates per activity, hour and priority.",
    knownLimits: "The size of the budget is not published.",
    examples: [
      Example("updated", .holds, from: .liveActivity),
      Example("nothing recorded", .unknown, from: .liveActivity) { $0.events = [] },
    ],
    judge: { _, seen in
      seen.presented >= 0
        ? StepResult(.holds, evidence: Evidence(.event, seen.presented))
        : StepResult(.unknown, needs: [Needs(.sendHeaders), Needs(.observed)])
    },
    explain: { _, result, _ in
      result.plainSentence(
        holds: "The update was taken.", unknown: "The updates of that hour are not known.")
    })
}
