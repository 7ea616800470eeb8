import PushModel

extension ChecklistStep {
  /// Asks whether all files lie where the app can read them.
  static let stagedInGroup = ChecklistStep(
    id: .stagedInGroup,
    title: "The files lie in the App Group",
    question: "Was every item copied into the App Group before the mailbox was written?",
    decidedBy: """
      By the extension's records of staging, the number of items on both sides, and the App Groups \
      in both signatures. The other app's own URL dies with the extension, so each file must be \
      copied into the folder that app and extension share.
      """,
    facts: ["F12.13", "§12"],
    needs: [.eventsExtension, .extensionEntitlements, .eventsSequence],
    outcomes: [
      OutcomeText(.holds, "All files were staged inside the group."),
      OutcomeText(.broken, "A file lies elsewhere or is missing, or there is no common group."),
      OutcomeText(.unknown, "Staging is not recorded, or not all of it."),
    ],
    causes: [
      Cause(
        .fileNotStaged,
        meaning: """
          What the app finds is not the file, or not all files: the other app's URL was handed on, \
          or some items were never copied.
          """,
        toldApartBy: """
          The record says that the file is not in the group, or fewer files than items were staged, \
          although both signatures share a group.
          """,
        repair: """
          Copy every item into the group under a name of the job, then write the mailbox.
          """,
        facts: ["F12.13"])
    ],
    nextAction: "Log path and size of every staged file, and list the group's folder in the app.",
    knownLimits: """
      Two jobs that use one file name are seen only where both are recorded; file names are not kept.
      """,
    examples: [
      Example("both files in the group", .holds, from: .handoff),
      Example("nothing recorded of staging", .unknown, from: .handoff) { $0.drop(.handoffStaged) },
      Example("outside the group", .broken, .fileNotStaged, from: .handoff) {
        $0.set(.handoffStaged, .inGroup, .bool(false))
      },
      Example("one of two", .broken, .fileNotStaged, from: .handoff) {
        $0.set(.handoffStaged, .items, .int(1))
      },
      Example(
        "the group could not be reached, and the two share none", .broken, .appGroupMissing,
        nearMiss: .fileNotStaged, from: .handoff
      ) {
        $0.failGroup()
        $0.chain.release.handoff.sharedAppGroup = .known(false)
      },
      Example(
        "the group could not be reached, and the signatures are not known", .unknown,
        nearMiss: .appGroupMissing, from: .handoff
      ) {
        $0.failGroup()
        $0.chain.release.handoff.sharedAppGroup = .unknown
      },
      Example(
        "one record, the number is not told", .unknown, nearMiss: .fileNotStaged, from: .handoff
      ) {
        $0.set(.handoffStaged, .items, nil)
        $0.set(.handoffStaged, .inGroup, nil)
      },
      Example("one of two, a record was lost", .unknown, nearMiss: .fileNotStaged, from: .handoff) {
        $0.set(.handoffStaged, .items, .int(1))
        $0.add(.handoffStaged, at: 410, [(.items, .int(1)), (.inGroup, .bool(true))])
        $0.events.removeAll { $0.name == .handoffStaged && $0.at == 410 }
        $0.chain.coverage.isGapless = false
        $0.lostBefore[3] = 1
      },
    ],
    explain: { _, result, _ in
      switch result.cause {
      case .fileNotStaged:
        result.value > 0
          ? "Not all items were staged (\(result.value) missing)."
          : "A file lies outside the App Group."
      case .appGroupMissing: "App and extension share no App Group."
      default:
        result.plainSentence(
          holds: "All files lie in the App Group.",
          unknown: "It is not recorded whether all files were staged in the group.")
      }
    })
}

func judgeStaging(_ chain: Chain, _ seen: Sightings) -> StepResult {
  let needs: Needs = [
    Needs(.eventsExtension), Needs(.extensionEntitlements), Needs(.eventsSequence),
  ]
  guard seen.holds(.handoffStaged), let first = chain.firstEvent(.handoffStaged),
    let last = chain.lastEvent(.handoffStaged)
  else { return judgeWithoutStaging(chain, seen, needs) }
  var staged: Int64 = 0
  var isCounted = true
  var isInside = true
  for place in first...last where chain.events[place].name == .handoffStaged {
    switch chain.boolean(.inGroup, of: place) {
    case false:
      let isShared = chain.release.handoff.sharedAppGroup != .known(false)
      return StepResult(
        .broken, cause: .fileNotStaged, evidence: Evidence(.event, place),
        isShared ? .none : Evidence(.release), candidates: (isShared ? nil : .appGroupMissing, nil))
    case true: break
    default: isInside = false
    }
    if let items = chain.items(of: place) { staged += items } else { isCounted = false }
  }
  let evidence = Evidence(.event, last)
  if isCounted, let loaded = chain.firstEvent(.handoffItemsLoaded),
    let items = chain.items(of: loaded), staged < items
  {
    // Whether a further record of staging is missing: none is up to the mailbox or the end.
    guard let end = chain.firstEvent(.handoffMailboxWritten) ?? chain.firstEvent(.handoffCompleted),
      end > last, chain.isWhole(from: loaded, to: end)
    else {
      return StepResult(
        .unknown, evidence: evidence, needs: needs, candidates: (.fileNotStaged, nil))
    }
    return StepResult(
      .broken, cause: .fileNotStaged, evidence: evidence, Evidence(.event, loaded),
      value: items - staged)
  }
  if isInside { return StepResult(.holds, evidence: evidence) }
  return StepResult(.unknown, evidence: evidence, needs: needs, candidates: (.fileNotStaged, nil))
}

/// No record of staging: broken only where there is no common group and the group is what failed.
private func judgeWithoutStaging(_ chain: Chain, _ seen: Sightings, _ needs: Needs) -> StepResult {
  if seen.holds(.nseSharedStorageFailed), let place = chain.firstEvent(.nseSharedStorageFailed),
    chain.release.handoff.sharedAppGroup == .known(false)
  {
    return StepResult(
      .broken, cause: .appGroupMissing, evidence: Evidence(.event, place), Evidence(.release))
  }
  return StepResult(.unknown, needs: needs)
}

extension ExampleChain {
  /// The extension could not reach the group, so nothing was staged or written.
  mutating func failGroup() {
    events.removeAll { $0.name != .handoffActivated && $0.name != .handoffItemsLoaded }
    add(.nseSharedStorageFailed, at: 400, [(.what, .word(.appGroup))])
    add(.handoffCompleted, at: 450)
  }
}
