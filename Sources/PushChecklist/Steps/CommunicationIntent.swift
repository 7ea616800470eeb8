import PushModel

extension ChecklistStep {
  /// Asks whether the message was shown as coming from a person.
  static let communicationIntent = ChecklistStep(
    id: .communicationIntent,
    title: "The message comes from a person",
    question: """
      Communication style: capability, intent, donation, image, result untouched?
      """,
    decidedBy: """
      By the app's entitlement and by what the extension recorded: it describes the sender in an \
      *intent*, *donates* it to iOS, and takes the content that iOS makes from it. Only then does \
      the sender's face stand where else the app's icon is.
      """,
    facts: ["F6.1", "F6.2", "F6.3", "F6.4", "F6.5", "F6.6", "F6.7", "F5.12"],
    needs: [.appEntitlements, .eventsExtension, .eventsSequence],
    matters: .communication,
    outcomes: [
      OutcomeText(.holds, "Donated, applied and handed over untouched."),
      OutcomeText(.broken, "A part of the way to a communication notification is missing."),
      OutcomeText(.unknown, "The extension's records do not show the whole way."),
      OutcomeText(.notApplicable, "No message from a person was meant."),
    ],
    causes: [
      Cause(
        .communicationEntitlement,
        meaning: "The app is not allowed to show communication notifications.",
        toldApartBy: """
          The communication entitlement is not in the signed app, or `INSendMessageIntent` is not in \
          its `NSUserActivityTypes`.
          """,
        repair: """
          Add the Communication Notifications capability and the activity type to the app (not to \
          the extension), sign again.
          """,
        facts: ["F6.1", "F6.2"]),
      Cause(
        .interactionNotDonated,
        meaning: "The intent was never given to iOS, or giving it failed.",
        toldApartBy: """
          The extension recorded a failed donation, or a run without gaps ends with no donation.
          """,
        repair: """
          Make an `INInteraction` with direction incoming, donate it, and wait for its completion \
          before updating the content.
          """,
        facts: ["F6.3", "F6.7"]),
      Cause(
        .intentParticipants,
        meaning: """
          The people in the intent are wrong: iOS then takes it for a group, or for a message of \
          your own.
          """,
        toldApartBy: """
          Recipients in a one-to-one message, the current user listed, or a group without others.
          """,
        repair: """
          One-to-one: `recipients` nil. Group: everybody but the sender and the current user, and a \
          group name.
          """,
        facts: ["F6.4", "F6.6"]),
      Cause(
        .intentNotApplied,
        meaning: """
          Donated, but what was handed over is not the content that iOS made from the intent.
          """,
        toldApartBy: """
          A donation and no update of the content before the handler, in a run without gaps; or the \
          update failed with 1500 or 1501; or iOS before 15.
          """,
        repair: "Hand over the result of `content.updating(from: intent)`.",
        facts: ["F6.2", "F6.3", "F6.7"]),
      Cause(
        .intentImage,
        meaning: "The layout is right, but the intent carries no picture of the sender.",
        toldApartBy: "The donation was recorded without an image.",
        repair: """
          Load the picture's bytes and set them for `sender` (group: `speakableGroupName`) before \
          donating.
          """,
        facts: ["F6.5"]),
      Cause(
        .updatedContentModified,
        meaning:
          "The content that iOS made from the intent was changed afterwards, which undoes it.",
        toldApartBy: "The record of the update says that it was modified after.",
        repair: "Change title and body first, update from the intent last.",
        facts: ["F6.3"]),
    ],
    nextAction: "Walk the four parts in order: capability, intent, donation, update.",
    knownLimits: "Which picture iOS drew in the end is not recorded anywhere.",
    examples: communicationExamples,
    explain: { _, result, _ in
      switch result.cause {
      case .communicationEntitlement: "The signed app may not show communication notifications."
      case .interactionNotDonated: "The intent was not donated."
      case .intentParticipants: "The people in the intent are wrong."
      case .intentNotApplied: "What was handed over was not made from the intent."
      case .intentImage: "The intent carries no picture."
      case .updatedContentModified: "The updated content was changed again."
      default:
        result.plainSentence(
          holds: "Donated, applied and handed over.",
          unknown: "The records do not show the whole way.")
      }
    })
}

private let communicationExamples: [Example] = [
  Example("donated and applied", .holds, from: .communication),
  Example("nothing recorded", .unknown, from: .communication) { $0.forgetDevice() },
  Example("a picture is no person", .notApplicable),
  Example("no entitlement", .broken, .communicationEntitlement, from: .communication) {
    $0.chain.release.communicationEntitlement = .known(false)
    $0.forgetDevice()
  },
  Example("activity type missing", .broken, .communicationEntitlement, from: .communication) {
    $0.chain.release.sendMessageActivity = .known(false)
    $0.forgetDevice()
  },
  Example(
    "with entitlement, nothing seen", .unknown, nearMiss: .communicationEntitlement,
    from: .communication
  ) {
    $0.chain.release.communicationEntitlement = .known(true)
    $0.forgetDevice()
  },
  Example("donation failed", .broken, .interactionNotDonated, from: .communication) {
    $0.drop(.intentDonated)
    $0.add(.intentFailed, at: 1000, [(.errorCode, .int(1))])
  },
  Example("updated without a donation", .broken, .interactionNotDonated, from: .communication) {
    $0.drop(.intentDonated)
  },
  Example(
    "the record of the donation was lost", .unknown, nearMiss: .interactionNotDonated,
    from: .communication
  ) {
    $0.lose(.intentDonated)
  },
  Example("the current user is listed", .broken, .intentParticipants, from: .communication) {
    $0.set(.intentDonated, .isMe, .bool(true))
  },
  Example("one-to-one with a recipient", .broken, .intentParticipants, from: .communication) {
    $0.set(.intentDonated, .recipients, .int(1))
  },
  Example(
    "a group with three others", .holds, nearMiss: .intentParticipants, from: .communication
  ) {
    $0.set(.intentDonated, .group, .bool(true))
    $0.set(.intentDonated, .recipients, .int(3))
  },
  Example("donated, never applied", .broken, .intentNotApplied, from: .communication) {
    $0.drop(.nseContentUpdated)
  },
  Example("the update threw 1501", .broken, .intentNotApplied, from: .communication) {
    $0.drop(.nseContentUpdated)
    $0.add(
      .intentFailed, at: 1055, [(.errorDomain, .word(.unErrorDomain)), (.errorCode, .int(1501))])
  },
  Example(
    "the record of the update was lost", .unknown, nearMiss: .intentNotApplied,
    from: .communication
  ) {
    $0.lose(.nseContentUpdated)
  },
  Example("no picture in the intent", .broken, .intentImage, from: .communication) {
    $0.set(.intentDonated, .imageParameter, .null)
  },
  Example(
    "nothing recorded about the picture", .holds, nearMiss: .intentImage, from: .communication
  ) {
    $0.set(.intentDonated, .imageParameter, nil)
  },
  Example("changed after the update", .broken, .updatedContentModified, from: .communication) {
    $0.set(.nseContentUpdated, .modifiedAfter, .bool(true))
  },
  Example("not changed after", .holds, nearMiss: .updatedContentModified, from: .communication),
]

func judgeCommunication(_ chain: Chain, _ seen: Sightings) -> StepResult {
  let release = chain.release
  let mayNot =
    release.communicationEntitlement == .known(false) || release.communicationEntitlement.isMissing
    || release.sendMessageActivity == .known(false)
  if mayNot {
    return StepResult(.broken, cause: .communicationEntitlement, evidence: Evidence(.release))
  }
  let donated = seen.holds(.intentDonated) ? chain.firstEvent(.intentDonated) : nil
  let updated = seen.holds(.nseContentUpdated) ? chain.lastEvent(.nseContentUpdated) : nil
  let failed = seen.holds(.intentFailed) ? chain.lastEvent(.intentFailed) : nil
  if let failed, donated == nil || failed > donated ?? 0 {
    let code = chain.integer(.errorCode, of: failed) ?? 0
    // Error codes of `updating(from:)` (F5.12).
    let isUpdate = code == 1500 || code == 1501
    return StepResult(
      .broken, cause: isUpdate ? .intentNotApplied : .interactionNotDonated,
      evidence: Evidence(.event, failed), value: code)
  }
  if let donated, let result = judgeDonation(chain, donated, updated) { return result }
  if let updated, chain.boolean(.modifiedAfter, of: updated) == true {
    // Only a donation that is known to be fine leaves this as the first fault.
    guard let donated else {
      return StepResult(
        .unknown, evidence: Evidence(.event, updated),
        needs: [Needs(.eventsExtension), Needs(.eventsSequence)],
        candidates: (.updatedContentModified, .interactionNotDonated))
    }
    return StepResult(
      .broken, cause: .updatedContentModified, evidence: Evidence(.event, updated),
      Evidence(.event, donated))
  }
  if case .known(let system) = chain.installation.os, system < OSVersion(major: 15), donated != nil
  {
    return StepResult(.broken, cause: .intentNotApplied, evidence: Evidence(.installation))
  }
  return judgeWay(chain, seen, donated, updated)
}

/// What the donation itself says is wrong; a second fault of the same message is kept beside it.
private func judgeDonation(_ chain: Chain, _ donated: Int, _ updated: Int?) -> StepResult? {
  let evidence = Evidence(.event, donated)
  let recipients = chain.integer(.recipients, of: donated)
  let isGroup = chain.boolean(.group, of: donated)
  let isWrong =
    chain.boolean(.isMe, of: donated) == true
    || (isGroup == false && (recipients ?? 0) > 0) || (isGroup == true && recipients == 0)
  let hasNoImage = chain.isNull(.imageParameter, of: donated)
  let isModified = updated.map { chain.boolean(.modifiedAfter, of: $0) == true } ?? false
  if isWrong {
    return StepResult(
      .broken, cause: .intentParticipants, evidence: evidence,
      candidates: (
        hasNoImage ? .intentImage : nil, isModified ? .updatedContentModified : nil
      ))
  }
  if hasNoImage {
    return StepResult(
      .broken, cause: .intentImage, evidence: evidence,
      candidates: (isModified ? .updatedContentModified : nil, nil))
  }
  return nil
}

/// Whether donation and update are there, in a run that would have to show them.
private func judgeWay(
  _ chain: Chain, _ seen: Sightings, _ donated: Int?, _ updated: Int?
) -> StepResult {
  let needs: Needs = [Needs(.eventsExtension), Needs(.eventsSequence)]
  if let donated, let updated {
    return StepResult(.holds, evidence: Evidence(.event, donated), Evidence(.event, updated))
  }
  guard seen.handler >= 0 else { return StepResult(.unknown, needs: needs) }
  let evidence = Evidence(.event, seen.handler)
  if let donated, donated < seen.handler, chain.isWhole(from: donated, to: seen.handler) {
    return StepResult(
      .broken, cause: .intentNotApplied, evidence: Evidence(.event, donated), evidence,
      Evidence(.coverage))
  }
  if let updated, donated == nil, chain.isRunWhole(seen, to: updated) {
    return StepResult(
      .broken, cause: .interactionNotDonated, evidence: Evidence(.event, updated), evidence,
      Evidence(.coverage))
  }
  guard donated == nil, updated == nil, chain.isRunWhole(seen, to: seen.handler) else {
    return StepResult(.unknown, needs: needs)
  }
  // An extension that recorded neither may not record intents at all.
  if chain.boolean(.fallback, of: seen.handler) == true {
    return StepResult(.unknown, evidence: evidence, needs: needs)
  }
  return StepResult(
    .unknown, evidence: evidence, needs: [Needs(.extensionCode), Needs(.log)],
    candidates: (.interactionNotDonated, .sdkRouting))
}
