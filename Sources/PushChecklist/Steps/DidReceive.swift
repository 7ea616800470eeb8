import PushModel

extension ChecklistStep {
  /// Asks whether the extension's code was called.
  static let didReceive = ChecklistStep(
    id: .didReceive,
    title: "The extension's code was called",
    question: "Did `didReceive` run?",
    decidedBy: """
      By any record that the extension wrote in its run. That it did not run is said only where the \
      phone is known to have received the notification and a counter without gaps shows that no \
      record of the extension is missing.
      """,
    facts: ["F4.1", "F4.2", "F4.3", "F4.25", "F4.60", "F4.61", "F7.15"],
    needs: [.eventsExtension, .eventsSequence, .log],
    matters: .needsExtension,
    outcomes: [
      OutcomeText(.holds, "The extension ran."),
      OutcomeText(
        .broken, "It did not run; if no cause is named, the records do not say why."),
      OutcomeText(.unknown, "No record of it, and no log that would have to have one."),
      OutcomeText(.notApplicable, "Nothing that was meant needs the extension."),
    ],
    causes: [
      Cause(
        .simulatorPushLimits,
        meaning: """
          The notification was given to a simulator as a file or with `simctl push`. Simulators do \
          not start the service extension for these.
          """,
        toldApartBy: """
          The app is a simulator build, there was no request to APNs, and it was shown without the \
          extension.
          """,
        repair: """
          Test with a real push: Xcode 14 or newer and an iOS 16 simulator take sandbox pushes, or \
          use a phone.
          """,
        facts: ["F4.60", "F4.61"]),
      Cause(
        .localNotification,
        meaning: """
          It is no remote notification: the app scheduled it itself, and service extensions run for \
          remote ones only.
          """,
        toldApartBy: """
          What was shown has a local trigger (time, calendar, place), and no send has this id.
          """,
        repair: "Put the picture or the text in when the app schedules it.",
        facts: ["F4.1", "F7.15"]),
      Cause(
        .falseAlarmDebugger,
        meaning: """
          Nothing is shown to be broken: only breakpoints or prints are missing, because the \
          debugger is attached to the app and not to the extension.
          """,
        toldApartBy: """
          No log of the extension's process and no look at the result; only a developer's remark.
          """,
        repair: """
          Attach to the extension's process or let it write to the log. Timers are off under a \
          debugger.
          """,
        facts: ["F4.25"], isJudged: false),
    ],
    nextAction: """
      Inspect the built app first: is the extension in it, with the right point, prefix and minimum \
      OS? Then read the system log of the second in which it arrived.
      """,
    knownLimits: """
      Without a counter in the device log nothing can be said to be absent. A crash at launch leaves \
      no record of the extension's own.
      """,
    examples: [
      Example("the extension recorded its run", .holds),
      Example("only a later record of the run survived", .holds) { $0.lose(.nseDidReceive) },
      Example("nothing seen, nothing covered", .unknown) { $0.forgetDevice() },
      Example("opened, log without a gap, nothing of the extension", .broken) {
        $0.showPlainWithoutRun()
      },
      Example("opened, but the log has gaps", .unknown) {
        $0.showPlainWithoutRun()
        $0.chain.coverage.isGapless = false
      },
      Example("opened, but the log begins after the send", .unknown, inDocs: false) {
        $0.showPlainWithoutRun()
        $0.chain.coverage.runFrom = ExampleChain.sentAt + second
      },
      Example("scheduled by the app itself", .broken, .localNotification) {
        $0.chain.sends.removeAll()
        $0.events = []
        $0.mean([.media])
        $0.add(.appPresented, at: 1000, [(.trigger, .word(.calendar))])
      },
      Example(
        "no send known, but a remote trigger", .unknown, nearMiss: .localNotification
      ) {
        $0.chain.sends.removeAll()
        $0.events = []
        $0.mean([.media])
        $0.add(.appPresented, at: 1000, [(.trigger, .word(.push))])
      },
      Example("a file dropped on a simulator", .broken, .simulatorPushLimits) {
        $0.chain.sends.removeAll()
        $0.events = []
        $0.mean([.media])
        $0.chain.release.distribution = .known(Symbol(.simulator))
        $0.add(.appPresented, at: 1000, [(.trigger, .word(.push))])
      },
      Example(
        "a real push to the simulator ran", .holds, nearMiss: .simulatorPushLimits
      ) {
        $0.chain.release.distribution = .known(Symbol(.simulator))
      },
    ],
    explain: explainDidReceive)
}

func judgeDidReceive(_ chain: Chain, _ seen: Sightings) -> StepResult {
  if seen.extensionRan >= 0 { return StepResult(.holds, evidence: chain.runEvidence(seen)) }
  if seen.send < 0 {
    if seen.localCopy >= 0, seen.presented < 0 {
      return StepResult(
        .broken, cause: .localNotification, evidence: Evidence(.event, seen.localCopy))
    }
    if chain.release.distribution.isKnown(.simulator), seen.presented >= 0 {
      return StepResult(
        .broken, cause: .simulatorPushLimits, confidence: .likely,
        evidence: Evidence(.event, seen.presented), Evidence(.release))
    }
  }
  let isAsked = seen.payload.mutableContent.isOn == true && seen.payload.alert.isVisible == true
  if seen.extensionDidNotRun, isAsked {
    return StepResult(
      .broken, evidence: Evidence(.event, seen.received), Evidence(.coverage),
      needs: [Needs(.appPlugins), Needs(.extensionInfo), Needs(.log)])
  }
  return StepResult(
    .unknown, needs: [Needs(.eventsExtension), Needs(.eventsSequence), Needs(.log)])
}

private func explainDidReceive(
  _ chain: Chain, _ result: StepResult, _ texts: SymbolTable
) -> String {
  switch result.cause {
  case .localNotification: return "The app scheduled it itself; service extensions never run then."
  case .simulatorPushLimits: return "A simulated push does not start the service extension."
  default:
    if result.outcome == .broken {
      return "The phone received it, the log has no gap, and the extension recorded nothing."
    }
    return result.plainSentence(
      holds: "The extension recorded its run.",
      unknown: "No record of the extension, and no log that would have to have one.")
  }
}
