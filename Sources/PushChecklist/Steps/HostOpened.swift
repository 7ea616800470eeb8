import PushModel

extension ChecklistStep {
  /// Asks whether the extension's wish to open its app was granted.
  static let hostOpened = ChecklistStep(
    id: .hostOpened,
    title: "The app was opened",
    question: "Was the extension's request to open its app granted?",
    decidedBy: """
      By the records of the request, of its result and of the URL in the app, in their order, and by \
      the kind of the extension. Apple documents opening the app for Today and iMessage extensions \
      only; everywhere else it may stop working with any version of iOS.
      """,
    facts: ["F7.21", "F12.9", "F12.10", "F12.11", "§12 events"],
    needs: [.eventsExtension, .eventsApp, .appInfo, .deviceOS, .observed, .eventsSequence],
    outcomes: [
      OutcomeText(.holds, "The request was granted, or the URL reached the app."),
      OutcomeText(.broken, "The request was refused, or the extension ended before it went out."),
      OutcomeText(.unknown, "No request is recorded, or not what came of it."),
      OutcomeText(.notApplicable, "The app found the job without being opened by the extension."),
    ],
    causes: [
      Cause(
        .hostOpenNotSupported,
        meaning: """
          The extension cannot open its app in this way: iOS does not support it for this kind of \
          extension, the old `openURL:` fails since iOS 18, or the app does not register the scheme.
          """,
        toldApartBy: """
          The request was recorded and refused or never answered, no URL came, and the extension was \
          completed after the answer, or not at all. Where other hand-offs of this phone get \
          through, the way itself works.
          """,
        repair: """
          Let the person open the app, or post a notification that does; never depend on opening.
          """,
        facts: ["F12.9", "F12.10", "F12.11"]),
      Cause(
        .completedBeforeOpen,
        meaning: "The extension was completed before its request to open the app went out.",
        toldApartBy: """
          The record of completion stands before that of the result, or there is no result, and no \
          URL came, while other hand-offs get through.
          """,
        repair: "Complete the request in the answer of the open call.",
        facts: ["§12 events"]),
    ],
    nextAction: "Write down the order of open request, its answer and completion on every path.",
    knownLimits: """
      Whether one way of opening works on a version of iOS is known from reports only, except for \
      what Apple documents.
      """,
    examples: hostExamples,
    explain: { _, result, _ in
      switch result.cause {
      case .hostOpenNotSupported: "The extension asked to open its app, and iOS did not do it."
      case .completedBeforeOpen: "The extension was completed before the app could be opened."
      default:
        result.outcome == .notApplicable
          ? "The app found the job without being opened."
          : result.plainSentence(
            holds: "The app was opened.",
            unknown: result.candidates.0 == nil
              ? "No record shows whether the app was opened."
              : "The extension was completed before any answer, and no hand-off is known to get through."
          )
      }
    })
}

private let hostExamples: [Example] = [
  Example("granted", .holds, from: .handoff),
  Example("no result recorded, but the URL came", .holds, from: .handoff, inDocs: false) {
    $0.drop(.handoffOpenResult)
  },
  Example("nothing recorded of opening", .unknown, from: .handoff) {
    $0.drop(
      .handoffOpenRequested, .handoffOpenResult, .handoffUrlReceived, .handoffMailboxRead,
      .handoffDrained)
  },
  Example("the person opened the app", .notApplicable, from: .handoff) {
    $0.drop(.handoffOpenRequested, .handoffOpenResult, .handoffUrlReceived)
  },
  Example("refused", .broken, .hostOpenNotSupported, from: .handoff) { $0.refuseOpening() },
  Example("refused, and a completion before it may be lost", .unknown, from: .handoff) {
    $0.refuseOpening()
    $0.drop(.handoffCompleted)
    $0.lose(.handoffOpenRequested)
  },
  Example("never answered, not completed either", .broken, .hostOpenNotSupported, from: .handoff) {
    $0.leaveOpeningUnanswered()
    $0.drop(.handoffCompleted)
  },
  Example("the scheme is not registered", .broken, .hostOpenNotSupported, from: .handoff) {
    $0.leaveOpeningUnanswered()
    $0.chain.release.handoff.schemeRegistered = .known(false)
  },
  Example("the old selector on iOS 18", .broken, .hostOpenNotSupported, from: .handoff) {
    $0.leaveOpeningUnanswered()
    $0.chain.release.handoff.usesOldOpenSelector = .known(true)
    $0.chain.installation.os = .known(OSVersion(major: 18))
  },
  Example(
    "completed before any answer, other hand-offs get through", .broken, .completedBeforeOpen,
    nearMiss: .hostOpenNotSupported, from: .handoff
  ) {
    $0.leaveOpeningUnanswered()
    $0.chain.traffic.otherHandoffsOpened = .known(true)
  },
  Example(
    "completed before a refusal, other hand-offs get through", .broken, .completedBeforeOpen,
    from: .handoff
  ) {
    $0.refuseOpening()
    $0.move(.handoffCompleted, to: 440)
    $0.chain.traffic.otherHandoffsOpened = .known(true)
  },
  Example(
    "refused and then completed, other hand-offs get through", .broken, .hostOpenNotSupported,
    nearMiss: .completedBeforeOpen, from: .handoff
  ) {
    $0.refuseOpening()
    $0.chain.traffic.otherHandoffsOpened = .known(true)
  },
  Example(
    "completed before any answer, and no other hand-off is known", .unknown,
    nearMiss: .completedBeforeOpen, from: .handoff
  ) { $0.leaveOpeningUnanswered() },
]

func judgeHost(_ chain: Chain, _ seen: Sightings) -> StepResult {
  if seen.holds(.handoffUrlReceived), let place = chain.firstEvent(.handoffUrlReceived) {
    return StepResult(.holds, evidence: Evidence(.event, place))
  }
  let result = seen.holds(.handoffOpenResult) ? chain.lastEvent(.handoffOpenResult) : nil
  let opened = result.flatMap { chain.boolean(.opened, of: $0) }
  if let result, opened == true {
    return StepResult(.holds, evidence: Evidence(.event, result))
  }
  guard seen.holds(.handoffOpenRequested) || result != nil else {
    if seen.holds(.handoffDrained) { return .notApplicable }
    return StepResult(.unknown, needs: [Needs(.eventsExtension), Needs(.eventsApp)])
  }
  let requested = chain.firstEvent(.handoffOpenRequested) ?? result ?? 0
  let completed = seen.holds(.handoffCompleted) ? chain.firstEvent(.handoffCompleted) : nil
  if let result, opened == false {
    return judgeRefusal(chain, requested, result, completed)
  }
  // No answer is recorded: only a whole log shows that none came, and that no URL did.
  let last = max(requested, chain.lastExtensionRecord() ?? requested)
  guard chain.isWhole(from: requested, to: last), chain.appStayedSilent(after: last) else {
    return StepResult(
      .unknown, evidence: Evidence(.event, requested),
      needs: [Needs(.eventsApp), Needs(.eventsSequence)])
  }
  return judgeUnanswered(chain, requested, completed)
}

/// The answer was no: because the extension was completed before, or because it cannot be done.
private func judgeRefusal(
  _ chain: Chain, _ requested: Int, _ result: Int, _ completed: Int?
) -> StepResult {
  let evidence = Evidence(.event, result)
  if isKnownNotToWork(chain) {
    return StepResult(
      .broken, cause: .hostOpenNotSupported, evidence: evidence, Evidence(.release))
  }
  if let completed, completed < result {
    return judgeOrder(chain, Evidence(.event, completed), evidence)
  }
  // A completion before the answer may be hidden where its record may be lost.
  guard completed != nil || showsNoCompletion(chain, around: requested, until: result) else {
    return StepResult(
      .unknown, evidence: evidence, needs: [Needs(.eventsExtension), Needs(.eventsSequence)],
      candidates: (.hostOpenNotSupported, .completedBeforeOpen))
  }
  return StepResult(.broken, cause: .hostOpenNotSupported, evidence: evidence)
}

private func judgeUnanswered(_ chain: Chain, _ requested: Int, _ completed: Int?) -> StepResult {
  let evidence = Evidence(.event, requested)
  if isKnownNotToWork(chain) {
    return StepResult(
      .broken, cause: .hostOpenNotSupported, evidence: evidence, Evidence(.release),
      Evidence(.coverage))
  }
  guard let completed else {
    if chain.release.handoff.mayOpenApp == .known(true) {
      return StepResult(.unknown, evidence: evidence, needs: [Needs(.appInfo), Needs(.log)])
    }
    guard showsNoCompletion(chain, around: requested, until: requested) else {
      return StepResult(
        .unknown, evidence: evidence, needs: [Needs(.eventsExtension), Needs(.eventsSequence)],
        candidates: (.hostOpenNotSupported, .completedBeforeOpen))
    }
    return StepResult(
      .broken, cause: .hostOpenNotSupported, confidence: .likely, evidence: evidence,
      Evidence(.coverage))
  }
  return judgeOrder(chain, Evidence(.event, completed), evidence, Evidence(.coverage))
}

/// The extension was completed before an answer: whether that is why, other hand-offs tell.
private func judgeOrder(
  _ chain: Chain, _ completed: Evidence, _ other: Evidence, _ coverage: Evidence = .none
) -> StepResult {
  if chain.traffic.otherHandoffsOpened == .known(true)
    || chain.release.handoff.mayOpenApp == .known(true)
  {
    return StepResult(
      .broken, cause: .completedBeforeOpen, evidence: completed, other, coverage)
  }
  return StepResult(
    .unknown, evidence: completed, other, needs: [Needs(.observed), Needs(.eventsApp)],
    candidates: (.completedBeforeOpen, .hostOpenNotSupported))
}

/// Whether no completion can be hidden between the hand-off's record before the request and another
/// one.
private func showsNoCompletion(_ chain: Chain, around requested: Int, until last: Int) -> Bool {
  guard chain.events[requested].name == .handoffOpenRequested,
    let before = chain.events[..<requested].lastIndex(where: { $0.name.isHandoffEvent })
  else { return false }
  return chain.isWhole(from: before, to: last)
}

/// Whether what is known of app and phone says that opening cannot work.
private func isKnownNotToWork(_ chain: Chain) -> Bool {
  let facts = chain.release.handoff
  if facts.schemeRegistered == .known(false) { return true }
  guard facts.usesOldOpenSelector == .known(true), case .known(let os) = chain.installation.os
  else { return false }
  return os >= OSVersion(major: 18)
}

extension ExampleChain {
  /// iOS answered the request to open the app with no, and nothing reached the app.
  mutating func refuseOpening() {
    set(.handoffOpenResult, .opened, .bool(false))
    drop(.handoffUrlReceived, .handoffMailboxRead, .handoffDrained)
  }

  /// The request to open the app was never answered, and nothing reached the app.
  mutating func leaveOpeningUnanswered() {
    drop(.handoffOpenResult, .handoffUrlReceived, .handoffMailboxRead, .handoffDrained)
  }
}
