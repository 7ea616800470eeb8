import PushModel

extension ChecklistStep {
  /// Asks whether iOS showed what the extension handed over.
  static let contentApplied = ChecklistStep(
    id: .contentApplied,
    title: "iOS took what the extension handed over",
    question: "Did the system apply the returned content?",
    decidedBy: """
      By comparing what the extension handed over with what was found in the list of notifications \
      later.
      """,
    facts: ["F4.24", "F4.42", "F4.50", "F1.50", "F5.4", "F5.10", "F5.13"],
    needs: [.eventsApp, .log, .mediaMagic],
    matters: .needsExtension,
    outcomes: [
      OutcomeText(.holds, "What was shown has what was handed over."),
      OutcomeText(.broken, "What was shown lacks it, and no record explains that."),
      OutcomeText(.unknown, "Nobody looked at what was shown, or the file itself may be at fault."),
      OutcomeText(.notApplicable, "Nothing that was meant needs the extension."),
    ],
    causes: [
      Cause(
        .osBug,
        meaning: """
          The extension did everything in time, and iOS shows something else. This is only ever a \
          suspicion.
          """,
        toldApartBy: """
          The handler was called in time with a file whose type and size are in order, and what was \
          shown has none; no content extension owns the look.
          """,
        repair: "Report it to Apple with the log; let the app tolerate it.",
        facts: ["F4.42"]),
      Cause(
        .filterEntitlement,
        meaning: """
          Empty content was meant to hide the notification, and the extension has no permission to \
          filter.
          """,
        toldApartBy: """
          The filtering entitlement is not on the extension, and the system log says that the \
          original is shown.
          """,
        repair: "Ask Apple for the filtering entitlement, or do not send the notification.",
        facts: ["F4.24", "F4.50", "F1.50"]),
    ],
    nextAction: "Read the system log of that second: it names an attachment that was dropped.",
    knownLimits: """
      iOS skips a file that it cannot use without telling the extension, so a misnamed file looks \
      the same as a fault of iOS.
      """,
    examples: [
      Example("shown with the picture", .holds) {
        $0.add(.appPresented, at: 600_000, [(.trigger, .word(.push)), (.attachments, .int(1))])
      },
      Example("nobody looked", .unknown),
      Example("a plain notification needs none", .notApplicable, from: .plain),
      Example("handed over and not shown", .broken, .osBug) {
        $0.add(.appPresented, at: 600_000, [(.trigger, .word(.push)), (.attachments, .int(0))])
      },
      Example("handed over and not shown, type not known", .unknown, nearMiss: .osBug) {
        $0.add(.appPresented, at: 600_000, [(.trigger, .word(.push)), (.attachments, .int(0))])
        $0.set(.nseAttachmentCreated, .uti, nil)
      },
      Example("the system shows the original, for want of text", .broken, .filterEntitlement) {
        $0.add(.systemContentWithoutAlert, at: 1600)
      },
      Example(
        "the system hides it, as the permission allows", .unknown, nearMiss: .filterEntitlement
      ) {
        $0.add(.systemFilteredOut, at: 1600)
      },
    ],
    explain: { _, result, _ in
      if result.outcome == .broken {
        return "The extension handed over a sound file, and what was shown has none."
      }
      return result.plainSentence(
        holds: "What was shown has what was handed over.",
        unknown: "Nobody recorded what was shown, or the file may be at fault.")
    })
}

func judgeApplied(_ chain: Chain, _ seen: Sightings) -> StepResult {
  let needs: Needs = [Needs(.eventsApp), Needs(.log)]
  guard seen.presented >= 0, seen.handlerFulfils else { return StepResult(.unknown, needs: needs) }
  let evidence = Evidence(.event, seen.presented)
  guard let handed = chain.integer(.attachments, of: seen.handler), handed > 0,
    let shown = chain.integer(.attachments, of: seen.presented)
  else { return StepResult(.holds, evidence: evidence) }
  if shown > 0 { return StepResult(.holds, evidence: evidence) }
  // A content extension that owns the category owns the look too; judged at its own step.
  let isOwned = seen.payload.category.isMissing ? .known(false) : chain.release.categoryClaimed
  guard isOwned == .known(false) else {
    return StepResult(.unknown, needs: [Needs(.extensionInfo), Needs(.log)])
  }
  let file = seen.holds(.nseAttachmentCreated) ? chain.lastEvent(.nseAttachmentCreated) : nil
  let isSound =
    file.flatMap { chain.text(.uti, of: $0) }.map {
      $0 == .publicJpeg || $0 == .publicPng || $0 == .comCompuserveGif
    } ?? false
  let finished = seen.holds(.nseDownloadFinished) ? chain.lastEvent(.nseDownloadFinished) : nil
  let isPicture =
    finished.flatMap { chain.text(.mime, of: $0) }.map {
      $0 == .imageJpeg || $0 == .imagePng || $0 == .imageGif
    } ?? false
  if isSound, isPicture, seen.acted < 0 || chain.eventCount(.nseDidReceive) == 1 {
    return StepResult(
      .broken, cause: .osBug, confidence: .possible, evidence: evidence,
      Evidence(.event, seen.handler))
  }
  return StepResult(
    .unknown, evidence: evidence, needs: [Needs(.log), Needs(.mediaMagic)],
    candidates: (.osBug, .unsupportedFormat))
}
