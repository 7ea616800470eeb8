import PushModel

extension ChecklistStep {
  /// Asks whether the extension got what the other app shares.
  static let itemsLoaded = ChecklistStep(
    id: .itemsLoaded,
    title: "The extension loaded the items",
    question: "Did the other app's items load, in a form that the extension takes?",
    decidedBy: """
      By the extension's records: the items loaded, an item that failed with its type, or the end of \
      its process. An item provider may hand over a URL, bytes, a picture or another object.
      """,
    facts: ["F12.8", "F12.15"],
    needs: [.eventsExtension, .crashReport, .eventsSequence],
    outcomes: [
      OutcomeText(.holds, "All items were loaded."),
      OutcomeText(.broken, "An item could not be taken, or the process was killed while loading."),
      OutcomeText(.unknown, "No record shows it."),
    ],
    causes: [
      Cause(
        .itemTypeUnexpected,
        meaning: """
          The other app gives another kind of object than the code takes: a URL where bytes are \
          expected, a picture where a URL is.
          """,
        toldApartBy: """
          The extension recorded an item that failed, with its type; with other apps it works. \
          A process that ends without such a record is another matter.
          """,
        repair: """
          Branch by the type of what comes; ask for bytes or a file URL rather than pictures.
          """,
        facts: ["F12.15"])
    ],
    nextAction: "Log the class of every item that a provider hands over, and share from two apps.",
    knownLimits: "Which object an app hands over is nowhere written; only the record tells.",
    examples: [
      Example("both items loaded", .holds, from: .handoff),
      Example("not recorded, but files were staged", .holds, from: .handoff, inDocs: false) {
        $0.drop(.handoffItemsLoaded)
      },
      Example("nothing recorded", .unknown, from: .handoff) { $0.events = [] },
      Example("a picture where a URL was expected", .broken, .itemTypeUnexpected, from: .handoff) {
        $0.stop(
          before: .handoffItemsLoaded, .handoffStaged, .handoffMailboxWritten,
          .handoffOpenRequested,
          .handoffOpenResult, .handoffUrlReceived, .handoffMailboxRead, .handoffDrained)
        $0.add(.handoffItemFailed, at: 200, [(.type, .text("UIImage"))])
      },
      Example(
        "killed for its memory while loading", .broken, .extMemory, nearMiss: .itemTypeUnexpected,
        from: .handoff
      ) {
        $0.events.removeAll { $0.name != .handoffActivated }
        $0.add(
          .nseCrashed, at: 900, [(.reason, .word(.perProcessLimit)), (.footprintMb, .int(120))])
      },
      Example(
        "started, and nothing more", .unknown, nearMiss: .itemTypeUnexpected, from: .handoff
      ) { $0.events.removeAll { $0.name != .handoffActivated } },
    ],
    explain: { chain, result, texts in
      switch result.cause {
      case .itemTypeUnexpected:
        let place = Int(result.evidence.0.place)
        let type = chain.text(.type, of: place).map { texts[$0] } ?? "of another kind"
        return "An item could not be taken: \(type)."
      case .extMemory: return "iOS killed the extension for its memory while it loaded items."
      default:
        return result.plainSentence(
          holds: "The items were loaded.",
          unknown: result.candidates.0 == nil
            ? "No record shows whether the items were loaded."
            : "The extension started and recorded nothing more.")
      }
    })
}

func judgeItems(_ chain: Chain, _ seen: Sightings) -> StepResult {
  if seen.holds(.handoffItemFailed), let place = chain.firstEvent(.handoffItemFailed) {
    return StepResult(.broken, cause: .itemTypeUnexpected, evidence: Evidence(.event, place))
  }
  if let place = chain.firstHeld(
    seen, .handoffItemsLoaded, .handoffStaged, .handoffMailboxWritten)
  {
    return StepResult(.holds, evidence: Evidence(.event, place))
  }
  let needs: Needs = [Needs(.eventsExtension), Needs(.crashReport), Needs(.eventsSequence)]
  if seen.holds(.nseCrashed), let place = chain.firstEvent(.nseCrashed), isMemoryKill(chain, place)
  {
    return StepResult(
      .broken, cause: .extMemory, evidence: Evidence(.event, place),
      value: chain.integer(.footprintMb, of: place) ?? 0)
  }
  guard seen.holds(.handoffActivated), let place = chain.firstEvent(.handoffActivated),
    chain.extensionStopped(after: place), chain.lastExtensionRecord() == place
  else { return StepResult(.unknown, needs: needs) }
  return StepResult(
    .unknown, evidence: Evidence(.event, place), Evidence(.coverage), needs: needs,
    candidates: (.itemTypeUnexpected, .extMemory))
}
