import PushModel

extension ChecklistStep {
  /// Asks whether the extension's code knew what to do with it.
  static let extensionRouting = ChecklistStep(
    id: .extensionRouting,
    title: "The extension recognised the notification",
    question: "Did the extension recognise this payload and take the right branch?",
    decidedBy: """
      By what the extension recorded after it was called: whether an SDK took the notification as \
      its own, and whether the work that belongs to it began.
      """,
    facts: ["F11.9"],
    needs: [.eventsExtension, .extensionCode, .sendPayload],
    matters: .needsExtension,
    outcomes: [
      OutcomeText(.holds, "The extension began the work that belongs to this notification."),
      OutcomeText(.broken, "It did not recognise it, or its code is still the template."),
      OutcomeText(.unknown, "The extension recorded nothing about its choice."),
      OutcomeText(.notApplicable, "Nothing that was meant needs the extension."),
    ],
    causes: [
      Cause(
        .extTemplateCode,
        meaning: """
          Xcode's template code is still in the extension: it adds `[modified]` to the title and \
          loads nothing.
          """,
        toldApartBy: """
          The extension ran, the title was changed, and it did nothing else; or its code is known to \
          be the template.
          """,
        repair: """
          Replace the template: call the vendor's handler, or load and attach the media yourself.
          """,
        facts: []),
      Cause(
        .sdkRouting,
        meaning: """
          The SDK or the code in the extension did not recognise the notification as its own, so \
          nobody did the work.
          """,
        toldApartBy: """
          The extension recorded that it was not recognised, and no download and no intent followed.
          """,
        repair: """
          Send the keys that the SDK looks for, update it, and log what was not recognised.
          """,
        facts: ["F11.9"]),
    ],
    nextAction: "Compare the keys of one such payload with what the SDK's guide asks for.",
    knownLimits: "An extension that records no choice can only be judged by what it did.",
    examples: [
      Example("it began a download", .holds),
      Example("it recorded nothing but its end", .unknown) {
        $0.drop(.nseDownloadStarted, .nseDownloadFinished, .nseAttachmentCreated)
        $0.set(.nseHandlerCalled, .attachments, .int(0))
      },
      Example("a plain notification needs none", .notApplicable, from: .plain),
      Example("the template", .broken, .extTemplateCode) {
        $0.drop(.nseDownloadStarted, .nseDownloadFinished, .nseAttachmentCreated)
        $0.set(.nseHandlerCalled, .attachments, .int(0))
        $0.chain.release.serviceIsTemplate = .known(true)
      },
      Example("a changed title and nothing else", .broken, .extTemplateCode) {
        $0.drop(.nseDownloadStarted, .nseDownloadFinished, .nseAttachmentCreated)
        $0.set(.nseHandlerCalled, .attachments, .int(0))
        $0.add(.appPresented, at: 60_000, [(.titleModified, .bool(true)), (.attachments, .int(0))])
      },
      Example("a changed title and a picture", .holds, nearMiss: .extTemplateCode) {
        $0.add(.appPresented, at: 60_000, [(.titleModified, .bool(true)), (.attachments, .int(1))])
      },
      Example("not recognised, nothing done", .broken, .sdkRouting) {
        $0.drop(.nseDownloadStarted, .nseDownloadFinished, .nseAttachmentCreated)
        $0.set(.nseHandlerCalled, .attachments, .int(0))
        $0.add(.nseRouted, at: 910, [(.recognised, .bool(false)), (.sdk, .word(.onesignal))])
      },
      Example("not the vendor's, handled by the app's own code", .holds, nearMiss: .sdkRouting) {
        $0.add(.nseRouted, at: 910, [(.recognised, .bool(false)), (.sdk, .word(.onesignal))])
      },
    ],
    explain: { chain, result, texts in
      switch result.cause {
      case .extTemplateCode: "The extension did what Xcode's template does, and nothing else."
      case .sdkRouting: "The extension did not recognise the notification as its own."
      default:
        result.plainSentence(
          holds: "The extension began the work that belongs to it.",
          unknown: "The extension recorded nothing about its choice.")
      }
    })
}

func judgeRouting(_ chain: Chain, _ seen: Sightings) -> StepResult {
  guard seen.extensionRan >= 0 else {
    return StepResult(.unknown, needs: Needs(.eventsExtension))
  }
  // Whatever belongs to this notification was begun, so the branch was taken.
  for name in workOfARun where seen.holds(name) {
    if let place = chain.firstEvent(name) {
      return StepResult(.holds, evidence: Evidence(.event, place))
    }
  }
  var refusal = -1
  if seen.holds(.nseRouted) {
    for place in chain.events.indices where chain.events[place].name == .nseRouted {
      switch chain.boolean(.recognised, of: place) {
      case true: return StepResult(.holds, evidence: Evidence(.event, place))
      case false: refusal = place
      default: break
      }
    }
  }
  if refusal >= 0 {
    return StepResult(.broken, cause: .sdkRouting, evidence: Evidence(.event, refusal))
  }
  if chain.release.serviceIsTemplate == .known(true) {
    return StepResult(
      .broken, cause: .extTemplateCode, evidence: chain.runEvidence(seen), Evidence(.release))
  }
  let needs: Needs = [Needs(.eventsExtension), Needs(.extensionCode)]
  guard seen.handler >= 0, chain.isRunWhole(seen, to: seen.handler),
    seen.payload.media.value.map({ $0.parses && !$0.hasSpaces }) ?? true,
    chain.integer(.attachments, of: seen.handler) == 0,
    chain.boolean(.fallback, of: seen.handler) != true
  else { return StepResult(.unknown, evidence: chain.runEvidence(seen), needs: needs) }
  if seen.presented >= 0, chain.boolean(.titleModified, of: seen.presented) == true,
    chain.meaning.contains(.media) || chain.meaning.contains(.communication)
  {
    return StepResult(
      .broken, cause: .extTemplateCode, confidence: .likely, evidence: chain.runEvidence(seen),
      Evidence(.event, seen.presented))
  }
  return StepResult(
    .unknown, evidence: chain.runEvidence(seen), needs: needs,
    candidates: (.sdkRouting, .extTemplateCode))
}

private let workOfARun: [Word] = [
  .nseDownloadStarted, .nseDownloadFinished, .nseAttachmentCreated, .nseAttachmentFailed,
  .intentDonated, .intentFailed, .nseContentUpdated, .nseKeychainFailed, .nseSharedStorageFailed,
]
