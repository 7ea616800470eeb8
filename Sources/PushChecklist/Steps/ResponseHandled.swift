import PushModel

extension ChecklistStep {
  /// Asks whether the app did something with the response.
  static let responseHandled = ChecklistStep(
    id: .responseHandled,
    title: "The app acted on the response",
    question: "Did the app know the action, pass the answer on and call the completion?",
    decidedBy: """
      By the app's record of the action or reply: whether it knew the action, whether its own \
      request went through, and whether it called the completion handler.
      """,
    facts: ["F7.18"],
    needs: [.eventsApp],
    matters: .actions,
    outcomes: [
      OutcomeText(.holds, "The app acted on it and called the completion."),
      OutcomeText(.broken, "The app got it and did nothing with it."),
      OutcomeText(.unknown, "The app's record does not say what became of it."),
      OutcomeText(.notApplicable, "No buttons were meant."),
    ],
    causes: [
      Cause(
        .responseNotPassedOn,
        meaning: """
          The app got the answer and did nothing with it: it does not know the action's id, its own \
          request failed, or a path ends without the completion.
          """,
        toldApartBy: """
          The app recorded the action or reply with an unknown id, without completion, or with an \
          error of its own request. Without any record of the app the response did not reach it.
          """,
        repair: """
          Compare the action ids of category and code, call the completion on every path, and keep \
          the text until it is sent.
          """,
        facts: ["F7.18"])
    ],
    nextAction: "Read the app's record of the action: its id, its completion, its error.",
    knownLimits: "What the app's server made of the answer is not seen.",
    examples: [
      Example("completed", .holds, from: .response),
      Example("a reply, completed", .holds, from: .response, inDocs: false) {
        $0.drop(.appAction)
        $0.add(.appReplied, at: 60_000, [(.completed, .bool(true))])
      },
      Example("the content extension acted itself", .holds, from: .response, inDocs: false) {
        $0.takeInView(.dismiss)
        $0.set(.contentExtAction, .completed, .bool(true))
      },
      Example("nothing recorded", .unknown, from: .response) { $0.drop(.appAction) },
      Example("a plain notification has no buttons", .notApplicable, from: .plain),
      Example("no completion", .broken, .responseNotPassedOn, from: .response) {
        $0.set(.appAction, .completed, .bool(false))
      },
      Example(
        "an action that the app does not know", .broken, .responseNotPassedOn, from: .response
      ) {
        $0.set(.appAction, .completed, nil)
        $0.set(.appAction, .recognised, .bool(false))
      },
      Example("the app's own request failed", .broken, .responseNotPassedOn, from: .response) {
        $0.drop(.appAction)
        $0.add(
          .appReplied, at: 60_000,
          [(.errorDomain, .word(.nsurlErrorDomain)), (.errorCode, .int(-1009))])
      },
      Example(
        "whether it was completed is not known", .unknown, nearMiss: .responseNotPassedOn,
        from: .response
      ) { $0.set(.appAction, .completed, nil) },
      Example(
        "the response did not reach the app", .unknown, nearMiss: .responseNotPassedOn,
        from: .response
      ) { $0.takeInView(.dismiss) },
    ],
    explain: { _, result, _ in
      result.outcome == .broken
        ? "The app got the response and did not finish with it."
        : result.plainSentence(
          holds: "The app acted on the response.",
          unknown: "No record says what the app did with the response.")
    })
}

func judgeHandling(_ chain: Chain, _ seen: Sightings) -> StepResult {
  var held = -1
  var seenOne = -1
  for place in chain.events.indices {
    let name = chain.events[place].name
    guard name == .appAction || name == .appReplied || name == .contentExtAction else { continue }
    if name == .contentExtAction {
      if chain.boolean(.completed, of: place) == true { held = place }
      continue
    }
    seenOne = place
    let failed = chain.integer(.errorCode, of: place).map { $0 != 0 } ?? false
    if failed || chain.boolean(.recognised, of: place) == false
      || chain.boolean(.completed, of: place) == false
    {
      return StepResult(.broken, cause: .responseNotPassedOn, evidence: Evidence(.event, place))
    }
    if chain.boolean(.completed, of: place) == true { held = place }
  }
  if held >= 0 { return StepResult(.holds, evidence: Evidence(.event, held)) }
  return StepResult(
    .unknown, evidence: seenOne >= 0 ? Evidence(.event, seenOne) : .none, needs: Needs(.eventsApp))
}
