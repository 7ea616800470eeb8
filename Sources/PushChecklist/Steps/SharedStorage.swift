import PushModel

extension ChecklistStep {
  /// Asks whether the extension could read what it shares with the app.
  static let sharedStorage = ChecklistStep(
    id: .sharedStorage,
    title: "The extension can read what the app shares",
    question: "Could it read keychain and App Group (lock state, groups on both sides)?",
    decidedBy: """
      By failures that the extension recorded, the lock state at its start, and the groups in the \
      entitlements of app and extension. The keychain keeps secrets, an App Group is a folder that \
      app and extension share; both need the same entry in both signatures.
      """,
    facts: ["F4.40", "F4.43", "F4.44", "F5.15", "§12"],
    needs: [.eventsExtension, .deviceLock, .extensionEntitlements],
    matters: .needsExtension,
    outcomes: [
      OutcomeText(.holds, "The run went on without a failure of shared storage."),
      OutcomeText(.broken, "Keychain or App Group was out of reach."),
      OutcomeText(.unknown, "Not recorded, or the failure fits two causes."),
      OutcomeText(.notApplicable, "Nothing that was meant needs the extension."),
    ],
    causes: [
      Cause(
        .keychainLocked,
        meaning: """
          The secret or file may be read only while the phone is unlocked, and notifications mostly \
          come while it is locked.
          """,
        toldApartBy: """
          Error -25308, or a read failure together with a locked phone while the groups are shared.
          """,
        repair: """
          Store with `kSecAttrAccessibleAfterFirstUnlock` (files: *until first user \
          authentication*), and open stores anew for each notification.
          """,
        facts: ["F4.43", "F4.44", "F4.40"]),
      Cause(
        .keychainGroup,
        meaning: "The extension is not in the keychain group of the app.",
        toldApartBy: """
          Error -34018, or items that are not found while the groups are known to differ; it does \
          not vary with the lock.
          """,
        repair: "Add the same `keychain-access-groups` entry to app and extension.",
        facts: []),
      Cause(
        .appGroupMissing,
        meaning: "The extension is not in the App Group that it has to share with the app.",
        toldApartBy: """
          Reading the group failed, and the group is in the signature of one side only.
          """,
        repair: "Add the same App Group to app and extension, and to both profiles.",
        facts: ["F5.15", "§12"], alsoAt: [.stagedInGroup, .mailboxDrained]),
    ],
    nextAction: "Read the failure's code together with the lock state of the same run.",
    knownLimits: "Without the entitlements of both sides a read failure has several causes.",
    examples: [
      Example("a whole run without a failure", .holds),
      Example("a failure, and the right result all the same", .holds, inDocs: false) {
        $0.add(.nseKeychainFailed, at: 910, [(.code, .int(-25308))])
      },
      Example("nothing recorded", .unknown) { $0.forgetDevice() },
      Example("a plain notification needs none", .notApplicable, from: .plain),
      Example("-25308 on a locked phone", .broken, .keychainLocked) {
        $0.failKeychain(-25308, locked: true)
      },
      Example("-34018", .broken, .keychainGroup, nearMiss: .keychainLocked) {
        $0.failKeychain(-34018, locked: true)
      },
      Example("not found, and the groups differ", .broken, .keychainGroup) {
        $0.failKeychain(-25300, locked: false)
        $0.chain.release.sharedKeychainGroup = .known(false)
      },
      Example("not found, and nothing known of the groups", .unknown, nearMiss: .keychainGroup) {
        $0.failKeychain(-25300, locked: false)
      },
      Example("the group is missing on one side", .broken, .appGroupMissing) {
        $0.failStorage()
        $0.chain.release.sharedAppGroup = .known(false)
      },
      Example("a failure, groups not known", .unknown, nearMiss: .appGroupMissing) {
        $0.failStorage()
      },
      Example("a failure while locked, with a shared group", .broken, .keychainLocked) {
        $0.failStorage()
        $0.set(.nseDidReceive, .locked, .bool(true))
        $0.chain.release.sharedAppGroup = .known(true)
      },
    ],
    explain: { _, result, _ in
      switch result.cause {
      case .keychainLocked: "Keychain or protected file was out of reach on a locked phone."
      case .keychainGroup: "The extension is not in the app's keychain group (\(result.value))."
      case .appGroupMissing: "App and extension do not share an App Group."
      default:
        result.plainSentence(
          holds: "The run went on without a failure of shared storage.",
          unknown: "No failure is recorded, or its cause is not known.")
      }
    })
}

func judgeStorage(_ chain: Chain, _ seen: Sightings) -> StepResult {
  // A failure that did not keep the run from its result is none.
  if seen.handlerFulfils { return StepResult(.holds, evidence: Evidence(.event, seen.handler)) }
  let failure =
    seen.holds(.nseKeychainFailed)
    ? chain.firstEvent(.nseKeychainFailed)
    : seen.holds(.nseSharedStorageFailed) ? chain.firstEvent(.nseSharedStorageFailed) : nil
  if let failure, hasWork(chain, after: failure) {
    // The run went on with its work; whether it missed what it could not read is not recorded.
    return StepResult(
      .unknown, evidence: Evidence(.event, failure), needs: Needs(.eventsExtension))
  }
  if seen.holds(.nseKeychainFailed), let place = chain.firstEvent(.nseKeychainFailed) {
    return judgeKeychain(chain, seen, place)
  }
  if seen.holds(.nseSharedStorageFailed), let place = chain.firstEvent(.nseSharedStorageFailed) {
    let evidence = Evidence(.event, place)
    if chain.release.sharedAppGroup == .known(false) {
      return StepResult(
        .broken, cause: .appGroupMissing, evidence: evidence, Evidence(.release))
    }
    if isLocked(chain) == true, chain.release.sharedAppGroup == .known(true) {
      return StepResult(
        .broken, cause: .keychainLocked, confidence: .likely, evidence: evidence,
        chain.runEvidence(seen))
    }
    return StepResult(
      .unknown, evidence: evidence, needs: [Needs(.extensionEntitlements), Needs(.deviceLock)],
      candidates: (.appGroupMissing, .keychainLocked))
  }
  if seen.handler >= 0, chain.isRunWhole(seen, to: seen.handler) {
    return StepResult(.holds, evidence: chain.runEvidence(seen), Evidence(.event, seen.handler))
  }
  return StepResult(.unknown, needs: Needs(.eventsExtension))
}

private func hasWork(_ chain: Chain, after failure: Int) -> Bool {
  for place in failure..<chain.events.count {
    let name = chain.events[place].name
    if name == .nseDownloadStarted || name == .nseDownloadFinished || name == .nseAttachmentCreated
      || name == .nseContentUpdated
    {
      return true
    }
  }
  return false
}

private func judgeKeychain(_ chain: Chain, _ seen: Sightings, _ place: Int) -> StepResult {
  let evidence = Evidence(.event, place)
  let code = chain.integer(.code, of: place) ?? 0
  if code == -25308 {
    return StepResult(
      .broken, cause: .keychainLocked, confidence: isLocked(chain) == false ? .likely : .certain,
      evidence: evidence, chain.runEvidence(seen), value: code)
  }
  if code == -34018 || chain.release.sharedKeychainGroup == .known(false) {
    return StepResult(
      .broken, cause: .keychainGroup, confidence: .likely, evidence: evidence, value: code)
  }
  return StepResult(
    .unknown, evidence: evidence, needs: [Needs(.extensionEntitlements), Needs(.deviceLock)],
    candidates: (.keychainGroup, .keychainLocked), value: code)
}

private func isLocked(_ chain: Chain) -> Bool? {
  if let start = chain.firstEvent(.nseDidReceive), let locked = chain.boolean(.locked, of: start) {
    return locked
  }
  return chain.installation.locked.value
}

extension ExampleChain {
  /// The keychain gave an error, and the text went out without the media.
  mutating func failKeychain(_ code: Int64, locked: Bool) {
    drop(.nseDownloadStarted, .nseDownloadFinished)
    goWithoutMedia()
    set(.nseDidReceive, .locked, .bool(locked))
    add(.nseKeychainFailed, at: 910, [(.code, .int(code))])
  }

  /// Reading the App Group failed, and the text went out without the media.
  mutating func failStorage() {
    drop(.nseDownloadStarted, .nseDownloadFinished)
    goWithoutMedia()
    add(.nseSharedStorageFailed, at: 910, [(.what, .word(.appGroup))])
  }
}
