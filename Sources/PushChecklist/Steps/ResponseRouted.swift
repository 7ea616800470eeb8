import PushModel

extension ChecklistStep {
  /// Asks whether a person's response went to whoever is to get it.
  static let responseRouted = ChecklistStep(
    id: .responseRouted,
    title: "The response reached the app",
    question: "Did the app, or the content extension that acts for it, get the response?",
    decidedBy: """
      By what app and content extension recorded of the response. With a view of its own the content \
      extension may get all actions first, and then decides whether the app gets them too.
      """,
    facts: ["F7.16", "F7.18"],
    needs: [.eventsApp, .eventsContentExtension, .appDelegate, .eventsSequence],
    matters: .actions,
    outcomes: [
      OutcomeText(.holds, "The app got it, or the content extension acted on it."),
      OutcomeText(.broken, "The content extension kept it, or nobody in the app listens."),
      OutcomeText(.unknown, "No record shows who got it."),
      OutcomeText(.notApplicable, "No buttons were meant."),
    ],
    causes: [
      Cause(
        .responseKeptByContentExtension,
        meaning: """
          The content extension takes the action and does not pass it on, so the app never hears of \
          it.
          """,
        toldApartBy: """
          The content extension recorded the action with an answer other than dismiss-and-forward, \
          and nothing shows that it acted itself. From the collapsed notification it works.
          """,
        repair: "Answer `dismissAndForwardAction`, or do the work in the content extension.",
        facts: ["F7.16"]),
      Cause(
        .responseDelegateMissing,
        meaning: """
          Nobody in the app listens: the notification centre has no delegate, it is set only after \
          launch, or a library has replaced it.
          """,
        toldApartBy: """
          The app was opened for the response and did not get the action: the delegate is known to \
          be absent, late or a library's, or a whole log has the passed-on action and no answer to it.
          """,
        repair: """
          Set the delegate of `UNUserNotificationCenter` before launch ends, and hand on what a \
          library takes.
          """,
        facts: []),
    ],
    nextAction: "Press the button once collapsed and once expanded, and compare what is recorded.",
    knownLimits: """
      That the app was opened does not show that a button was used: a tap opens it too. Neither \
      the logs nor the facts of a release say who listens in the app; a case file may.
      """,
    examples: responseExamples,
    explain: { _, result, _ in
      switch result.cause {
      case .responseKeptByContentExtension:
        "The content extension took the action and did not pass it on."
      case .responseDelegateMissing:
        "The app was opened for the response, and nobody in it got the action."
      default:
        result.plainSentence(
          holds: "The response reached the app.", unknown: "No record shows who got the response.")
      }
    })
}

private let responseExamples: [Example] = [
  Example("the app got it", .holds, from: .response),
  Example("nothing recorded", .unknown, from: .response) { $0.drop(.appAction) },
  Example("a plain notification has no buttons", .notApplicable, from: .plain),
  Example(
    "the content extension answered dismiss", .broken, .responseKeptByContentExtension,
    from: .response
  ) { $0.takeInView(.dismiss) },
  Example(
    "the content extension passed it on, and the app has it", .holds,
    nearMiss: .responseKeptByContentExtension, from: .response
  ) {
    $0.add(.contentExtAction, at: 59_900, [(.answer, .word(.dismissAndForward))])
  },
  Example(
    "the content extension acted itself", .holds, nearMiss: .responseKeptByContentExtension,
    from: .response
  ) {
    $0.takeInView(.dismiss)
    $0.set(.contentExtAction, .completed, .bool(true))
  },
  Example("the content extension's answer is not known", .unknown, from: .response) {
    $0.takeInView(nil)
  },
  Example(
    "passed on, the app opened, no answer, log whole", .broken, .responseDelegateMissing,
    nearMiss: .responseKeptByContentExtension, from: .response
  ) {
    $0.chain.release.responseDelegate = .unknown
    $0.takeInView(.dismissAndForward)
    $0.add(.appOpened, at: 60_000, [(.coldStart, .bool(true))])
  },
  Example(
    "passed on, the app opened, the record was lost", .unknown,
    nearMiss: .responseDelegateMissing, from: .response
  ) {
    $0.chain.release.responseDelegate = .unknown
    $0.lose(.appAction)
    $0.add(.contentExtAction, at: 60_000, [(.answer, .word(.dismissAndForward))])
    $0.add(.appOpened, at: 60_100, [(.coldStart, .bool(true))])
  },
  Example(
    "the app opened, and its delegate is set after launch", .broken, .responseDelegateMissing,
    from: .response
  ) {
    $0.drop(.appAction)
    $0.add(.appOpened, at: 60_000, [(.coldStart, .bool(true))])
    $0.chain.release.responseDelegate = .known(.late)
  },
  Example(
    "a late delegate is no fault for an app that runs", .unknown,
    nearMiss: .responseDelegateMissing, from: .response
  ) {
    $0.drop(.appAction)
    $0.add(.appOpened, at: 60_000, [(.coldStart, .bool(false))])
    $0.chain.release.responseDelegate = .known(.late)
  },
  Example(
    "the app opened, and it has no delegate", .broken, .responseDelegateMissing, from: .response
  ) {
    $0.drop(.appAction)
    $0.add(.appOpened, at: 60_000)
    $0.chain.release.responseDelegate = .known(.absent)
  },
]

func judgeResponseRouting(_ chain: Chain, _ seen: Sightings) -> StepResult {
  if let place = chain.firstHeld(seen, .appAction, .appReplied) {
    return StepResult(.holds, evidence: Evidence(.event, place))
  }
  let opened = seen.holds(.appOpened) ? chain.firstEvent(.appOpened) : nil
  if seen.holds(.contentExtAction), let place = chain.lastEvent(.contentExtAction) {
    return judgeView(chain, place, opened)
  }
  let needs: Needs = [Needs(.eventsApp), Needs(.eventsContentExtension), Needs(.appDelegate)]
  guard let opened else { return StepResult(.unknown, needs: needs) }
  return judgeDelegate(chain, opened, forwarded: nil)
    ?? StepResult(
      .unknown, evidence: Evidence(.event, opened), needs: needs,
      candidates: (.responseDelegateMissing, nil))
}

/// The content extension got the action.
private func judgeView(_ chain: Chain, _ place: Int, _ opened: Int?) -> StepResult {
  let evidence = Evidence(.event, place)
  if chain.boolean(.completed, of: place) == true { return StepResult(.holds, evidence: evidence) }
  guard let answer = chain.text(.answer, of: place) else {
    return StepResult(
      .unknown, evidence: evidence, needs: [Needs(.eventsContentExtension), Needs(.extensionCode)],
      candidates: (.responseKeptByContentExtension, .responseDelegateMissing))
  }
  if answer == .dismiss || answer == .doNotDismiss {
    return StepResult(.broken, cause: .responseKeptByContentExtension, evidence: evidence)
  }
  if let opened, let result = judgeDelegate(chain, opened, forwarded: place) { return result }
  return StepResult(
    .unknown, evidence: evidence,
    needs: [Needs(.eventsApp), Needs(.appDelegate), Needs(.eventsSequence)],
    candidates: (.responseDelegateMissing, nil))
}

/// The app was opened and has no record of the action: broken where its delegate is known to be at
/// fault, or where the action was passed on and a whole log has no answer to it.
private func judgeDelegate(_ chain: Chain, _ opened: Int, forwarded: Int?) -> StepResult? {
  let evidence = Evidence(.event, opened)
  switch chain.release.responseDelegate {
  case .known(.absent), .missing, .known(.library):
    return StepResult(
      .broken, cause: .responseDelegateMissing, confidence: .likely, evidence: evidence,
      Evidence(.release))
  case .known(.late):
    guard chain.boolean(.coldStart, of: opened) == true else { return nil }
    return StepResult(
      .broken, cause: .responseDelegateMissing, confidence: .likely, evidence: evidence,
      Evidence(.release))
  case .known(.app), .unknown: break
  }
  guard let forwarded, chain.release.responseDelegate != .known(.app), chain.coverage.holdsApp,
    chain.isWhole(from: min(forwarded, opened), to: max(forwarded, opened)),
    chain.isCovered(after: opened, microseconds: 30 * second)
  else { return nil }
  return StepResult(
    .broken, cause: .responseDelegateMissing, confidence: .likely, evidence: evidence,
    Evidence(.event, forwarded), Evidence(.coverage))
}

extension ExampleChain {
  /// The content extension took the action, and the app recorded none.
  mutating func takeInView(_ answer: Word?) {
    drop(.appAction)
    add(.contentExtAction, at: 59_900, [(.action, .text("reply"))])
    set(.contentExtAction, .answer, answer.map { .word($0) })
  }
}
