import PushModel

extension ChecklistStep {
  /// Asks whether the app itself kept it from being shown.
  static let presentation = ChecklistStep(
    id: .presentation,
    title: "The app lets it be shown",
    question: "Did the app's delegate, Focus or a duplicate local copy change what was shown?",
    decidedBy: """
      By what the app answered in `willPresent` while it was in front, and by what was found in the \
      list of notifications.
      """,
    facts: ["F1.43", "F4.11", "F4.12"],
    needs: [.eventsApp, .appState, .appDelegate],
    matters: .visible,
    outcomes: [
      OutcomeText(.holds, "It was presented, or a person acted on it."),
      OutcomeText(.broken, "The app silenced it, or showed a copy beside it."),
      OutcomeText(.unknown, "Nobody recorded that it was shown; in the background nobody can."),
    ],
    causes: [
      Cause(
        .foregroundDelegate,
        meaning: """
          The app was in front, and its code (or a library's) answered that nothing is to be shown.
          """,
        toldApartBy: """
          `willPresent` was recorded with no options while the app was in front; in the background \
          all is well.
          """,
        repair: """
          Answer `willPresent` with banner, list and sound, and make sure that no library replaces \
          the app's delegate.
          """,
        facts: ["F4.11", "F4.12"]),
      Cause(
        .duplicateLocalCopy,
        meaning: """
          The app made a local notification out of the remote one, so that two are shown.
          """,
        toldApartBy: "Two were shown for one send, one of them with a local trigger.",
        repair: "Choose one path: either the remote alert, or a silent one and the local copy.",
        facts: ["F1.43", "F4.12"]),
      Cause(
        .foregroundCompletionNotCalled,
        meaning: "An SDK waits for the app's answer about the foreground and gives up late.",
        toldApartBy: "The app's log says that a completion was not called; the extension was done.",
        repair: "Call the completion in every path.",
        facts: []),
    ],
    nextAction: "Send one with the app in front and one with it closed, and compare.",
    knownLimits: """
      No code of the app runs when a banner appears in the background, so a missing record proves \
      nothing.
      """,
    examples: [
      Example("found in the list", .holds, from: .plain) {
        $0.add(.appPresented, at: 600_000, [(.trigger, .word(.push))])
      },
      Example("no record", .unknown, from: .plain),
      Example("in front, no options", .broken, .foregroundDelegate) {
        $0.add(.appWillPresent, at: 1500, [(.options, .emptyArray), (.state, .word(.foreground))])
      },
      Example("in front, with a banner", .holds, nearMiss: .foregroundDelegate) {
        $0.add(
          .appWillPresent, at: 1500,
          [(.options, .word(.banner)), (.options, .word(.sound)), (.state, .word(.foreground))])
      },
      Example("one remote and one local", .broken, .duplicateLocalCopy) {
        $0.add(.appPresented, at: 600_000, [(.trigger, .word(.push)), (.attachments, .int(1))])
        $0.add(.appPresented, at: 600_001, [(.trigger, .word(.local)), (.attachments, .int(0))])
      },
      Example("one remote, read twice", .holds, nearMiss: .duplicateLocalCopy) {
        $0.add(.appPresented, at: 600_000, [(.trigger, .word(.push)), (.attachments, .int(1))])
        $0.add(.appPresented, at: 600_001, [(.trigger, .word(.push)), (.attachments, .int(1))])
      },
      Example(
        "the log says that a completion was not called", .broken, .foregroundCompletionNotCalled
      ) {
        $0.add(.sdkCompletionNotCalled, at: 26_000)
        $0.know("app.state", .text("foreground"))
      },
      Example(
        "the same line, with the app in the background", .unknown,
        nearMiss: .foregroundCompletionNotCalled
      ) {
        $0.add(.sdkCompletionNotCalled, at: 26_000)
        $0.know("app.state", .text("background"))
      },
    ],
    explain: { _, result, _ in
      switch result.cause {
      case .foregroundDelegate: "The app was in front and asked for nothing to be shown."
      case .foregroundCompletionNotCalled:
        "A library waited for the app's completion, which was not called."
      case .duplicateLocalCopy: "A remote one and a local copy were shown."
      default:
        result.plainSentence(
          holds: "It was presented, or a person acted on it.",
          unknown: "Nobody recorded that it was shown.")
      }
    })
}

func judgePresentation(_ chain: Chain, _ seen: Sightings) -> StepResult {
  if seen.localCopy >= 0, seen.presented >= 0, seen.send >= 0 {
    return StepResult(
      .broken, cause: .duplicateLocalCopy, evidence: Evidence(.event, seen.presented),
      Evidence(.event, seen.localCopy))
  }
  if seen.holds(.appWillPresent), let place = chain.firstEvent(.appWillPresent) {
    let options = chain.attribute(.options, of: place)
    let isInFront = chain.text(.state, of: place).map { $0 == .foreground } ?? true
    let isSilenced = options?.kind == .emptyArray || options?.kind == .null
    if isSilenced, isInFront, seen.presented < 0 {
      return StepResult(
        .broken, cause: .foregroundDelegate, evidence: Evidence(.event, place))
    }
    if options != nil, !isSilenced { return StepResult(.holds, evidence: Evidence(.event, place)) }
  }
  if seen.presented >= 0 { return StepResult(.holds, evidence: Evidence(.event, seen.presented)) }
  if seen.acted >= 0 { return StepResult(.holds, evidence: Evidence(.event, seen.acted)) }
  return StepResult(.unknown, needs: [Needs(.eventsApp), Needs(.appState)])
}
