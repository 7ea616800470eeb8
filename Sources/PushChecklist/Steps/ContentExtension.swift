import PushModel

extension ChecklistStep {
  /// Asks whether the app's own view of the notification works.
  static let contentExtension = ChecklistStep(
    id: .contentExtension,
    title: "The view of the notification works",
    question: "Expanded view: category claimed, entry point single, loads?",
    decidedBy: """
      By what the content extension recorded, and by its Info.plist. A content extension is a second \
      small program in the app; it draws the view when a person expands the notification.
      """,
    facts: [
      "F5.14", "F5.15", "F7.3", "F7.4", "F7.5", "F7.6", "F7.7", "F7.8", "F7.12", "F7.13", "F7.14",
      "F7.20", "F7.22", "F7.23",
    ],
    needs: [.eventsContentExtension, .extensionInfo, .extensionMinimumOS],
    matters: [.customView, .media],
    outcomes: [
      OutcomeText(.holds, "The view was drawn."),
      OutcomeText(.broken, "The view fails, is slow or empty, or takes the picture away."),
      OutcomeText(.unknown, "Nobody expanded it, or nothing was recorded."),
      OutcomeText(.notApplicable, "No view of its own was meant."),
    ],
    causes: [
      Cause(
        .categoryClaimsPresentation,
        meaning: """
          The category hands the look to a content extension, so the banner has no thumbnail; the \
          picture is in the expanded view.
          """,
        toldApartBy: """
          The handler got an attachment, what was shown has none, and a content extension claims the \
          payload's category.
          """,
        repair: "Use that category only where the view is wanted.",
        facts: ["F7.7", "F7.8"], alsoAt: [.presentation]),
      Cause(
        .storyboardAndPrincipalClass,
        meaning: """
          The extension's Info.plist names a storyboard and a class; with both iOS does not load it.
          """,
        toldApartBy: "Both keys are in one Info.plist.",
        repair: "Keep `NSExtensionMainStoryboard` or `NSExtensionPrincipalClass`, not both.",
        facts: ["F7.12"], alsoAt: [.extensionLoads]),
      Cause(
        .contentExtFailed,
        meaning: "The view's program starts and dies, and iOS shows the default look.",
        toldApartBy: "A failure or crash of the content extension was recorded.",
        repair: "Read the crash report; check class, storyboard and App Group.",
        facts: ["F7.13"]),
      Cause(
        .contentExtAttachment,
        meaning: "The view does not get the picture that the service extension attached.",
        toldApartBy: """
          The content extension recorded that it could not read the attachment, or opened it without \
          its security scope.
          """,
        repair: """
          Find the attachment by its identifier, call `startAccessingSecurityScopedResource()` \
          around the read, and keep a placeholder.
          """,
        facts: ["F5.14", "F5.15"]),
      Cause(
        .contentExtSlow,
        meaning: "The view waits for the network or for heavy work.",
        toldApartBy: "The content extension recorded that drawing took seconds.",
        repair: "Do the work in the service extension and attach the result.",
        facts: ["F7.20"]),
      Cause(
        .contentExtSize,
        meaning: "The view is cut, empty or a line high.",
        toldApartBy: "The recorded height is 0 or a line.",
        repair: "Set the ratio for a fixed layout, else measure and set `preferredContentSize`.",
        facts: ["F7.4", "F7.22"]),
      Cause(
        .contentCategoryOverlap,
        meaning: "Two content extensions claim one category; which of them opens is chance.",
        toldApartBy: "One name stands in both Info.plists.",
        repair: "Give each category to one extension.",
        facts: ["F7.14"]),
      Cause(
        .contentExtInteraction,
        meaning: "Touches do nothing in the view.",
        toldApartBy:
          "Controls in the view, and `UNNotificationExtensionUserInteractionEnabled` absent.",
        repair: "Set that key, or use the category's actions.",
        facts: ["F7.6"]),
      Cause(
        .defaultContentHidden,
        meaning: "Title and text are hidden, and the view does not draw them.",
        toldApartBy: "`UNNotificationExtensionDefaultContentHidden` is true and no text is seen.",
        repair: "Set it to false, or draw the texts.",
        facts: ["F7.5"]),
    ],
    nextAction: "Expand one such notification with a debugger on the content extension.",
    knownLimits: "Nothing is recorded as long as nobody expands it.",
    examples: contentExamples,
    explain: { _, result, _ in
      switch result.cause {
      case .categoryClaimsPresentation: "A content extension claims the category and owns the look."
      case .storyboardAndPrincipalClass: "Storyboard and class are both named."
      case .contentExtFailed: "The content extension failed."
      case .contentExtAttachment: "The content extension could not read the attachment."
      case .contentExtSlow: "The view took \(result.value) ms."
      case .contentExtSize: "The view's height was \(result.value)."
      case .contentCategoryOverlap: "Two content extensions claim the category."
      case .contentExtInteraction:
        "The view takes no touches: its Info.plist does not ask for them."
      case .defaultContentHidden: "Title and text are hidden, by the view's Info.plist."
      case .extMinOs: "The content extension asks for a newer iOS than the phone has."
      default:
        result.plainSentence(
          holds: "The view was drawn.", unknown: "Nothing was recorded of the view.")
      }
    })
}

private let contentExamples: [Example] = [
  Example("drawn", .holds, from: .customView),
  Example("nobody expanded it", .unknown, from: .customView) { $0.drop(.contentExtDidReceive) },
  Example("a picture alone needs no view", .notApplicable),
  Example("the thumbnail is gone", .broken, .categoryClaimsPresentation) {
    $0.payload.category = .known(Symbol(.comAppleUiServices))
    $0.chain.release.categoryClaimed = .known(true)
    $0.add(.appPresented, at: 600_000, [(.trigger, .word(.push)), (.attachments, .int(0))])
  },
  Example("the thumbnail is there", .notApplicable, nearMiss: .categoryClaimsPresentation) {
    $0.payload.category = .known(Symbol(.comAppleUiServices))
    $0.chain.release.categoryClaimed = .known(true)
    $0.add(.appPresented, at: 600_000, [(.trigger, .word(.push)), (.attachments, .int(1))])
  },
  Example("two entry points", .broken, .storyboardAndPrincipalClass, from: .customView) {
    $0.drop(.contentExtDidReceive)
    $0.chain.release.contentTwoEntryPoints = .known(true)
  },
  Example(
    "one entry point", .unknown, nearMiss: .storyboardAndPrincipalClass, from: .customView
  ) {
    $0.drop(.contentExtDidReceive)
    $0.chain.release.contentTwoEntryPoints = .known(false)
  },
  Example("the class was not found", .broken, .contentExtFailed, from: .customView) {
    $0.drop(.contentExtDidReceive)
    $0.add(.contentExtFailed, at: 300_000, [(.reason, .word(.classWord))])
  },
  Example("the security scope was not opened", .broken, .contentExtAttachment, from: .customView) {
    $0.add(.contentExtFailed, at: 300_050, [(.reason, .word(.securityScope))])
  },
  Example(
    "another failure is no question of the attachment", .broken, .contentExtFailed,
    nearMiss: .contentExtAttachment, from: .customView
  ) {
    $0.drop(.contentExtDidReceive)
    $0.add(.contentExtFailed, at: 300_000, [(.reason, .word(.classWord))])
  },
  Example("no failure", .holds, nearMiss: .contentExtFailed, from: .customView),
  Example("eight seconds", .broken, .contentExtSlow, from: .customView) {
    $0.set(.contentExtDidReceive, .elapsedMs, .int(8000))
  },
  Example("half a second", .holds, nearMiss: .contentExtSlow, from: .customView) {
    $0.set(.contentExtDidReceive, .elapsedMs, .int(500))
  },
  Example("height 0", .broken, .contentExtSize, from: .customView) {
    $0.set(.contentExtDidReceive, .height, .int(0))
  },
  Example("height 200", .holds, nearMiss: .contentExtSize, from: .customView) {
    $0.set(.contentExtDidReceive, .height, .int(200))
  },
  Example("two claim the category", .broken, .contentCategoryOverlap, from: .customView) {
    $0.drop(.contentExtDidReceive)
    $0.chain.release.contentCategoryOverlap = .known(true)
  },
  Example("one claims it", .unknown, nearMiss: .contentCategoryOverlap, from: .customView) {
    $0.drop(.contentExtDidReceive)
    $0.chain.release.contentCategoryOverlap = .known(false)
  },
  Example("the plist does not ask for touches", .broken, .contentExtInteraction, from: .customView)
  {
    $0.complain(.other)
    $0.knowView("UNNotificationExtensionUserInteractionEnabled", .null)
  },
  Example(
    "the plist asks for touches", .holds, nearMiss: .contentExtInteraction, from: .customView
  ) {
    $0.complain(.other)
    $0.knowView("UNNotificationExtensionUserInteractionEnabled", .bool(true))
  },
  Example("title and text are hidden", .broken, .defaultContentHidden, from: .customView) {
    $0.complain(.other)
    $0.knowView("UNNotificationExtensionDefaultContentHidden", .bool(true))
  },
  Example(
    "title and text are not hidden", .holds, nearMiss: .defaultContentHidden, from: .customView
  ) {
    $0.complain(.other)
    $0.knowView("UNNotificationExtensionDefaultContentHidden", .bool(false))
  },
  Example("minimum iOS 18 on a 17.4 phone", .broken, .extMinOs, from: .customView) {
    $0.drop(.contentExtDidReceive)
    $0.chain.release.contentMinimumOS = .known(OSVersion(major: 18))
  },
]

/// Drawing that takes longer than this is seen as an empty view first.
private let slowViewMilliseconds: Int64 = 3000

func judgeContentExtension(_ chain: Chain, _ seen: Sightings) -> StepResult {
  if seen.holds(.contentExtFailed), let place = chain.firstEvent(.contentExtFailed) {
    let reason = chain.text(.reason, of: place)
    return StepResult(
      .broken,
      cause: isAny(reason, .attachment, .securityScope) ? .contentExtAttachment : .contentExtFailed,
      evidence: Evidence(.event, place))
  }
  if seen.holds(.contentExtDidReceive), let place = chain.firstEvent(.contentExtDidReceive) {
    let evidence = Evidence(.event, place)
    if let elapsed = chain.integer(.elapsedMs, of: place), elapsed >= slowViewMilliseconds {
      return StepResult(
        .broken, cause: .contentExtSlow, confidence: .likely, evidence: evidence, value: elapsed)
    }
    if let height = chain.integer(.height, of: place), height <= 1 {
      return StepResult(
        .broken, cause: .contentExtSize, confidence: .likely, evidence: evidence, value: height)
    }
    return StepResult(.holds, evidence: evidence)
  }
  guard chain.meaning.contains(.customView), !seen.guessed.contains(.customView) else {
    return judgeThumbnail(chain, seen)
  }
  let release = chain.release
  if release.contentTwoEntryPoints == .known(true) {
    return StepResult(
      .broken, cause: .storyboardAndPrincipalClass, evidence: Evidence(.release))
  }
  if case .known(let minimum) = release.contentMinimumOS,
    case .known(let system) = chain.installation.os, minimum > system
  {
    return StepResult(
      .broken, cause: .extMinOs, evidence: Evidence(.release), Evidence(.installation))
  }
  if release.contentCategoryOverlap == .known(true) {
    return StepResult(
      .broken, cause: .contentCategoryOverlap, confidence: .likely, evidence: Evidence(.release))
  }
  return StepResult(.unknown, needs: [Needs(.eventsContentExtension), Needs(.extensionInfo)])
}

/// A picture was meant: did a content extension take the thumbnail away?
private func judgeThumbnail(_ chain: Chain, _ seen: Sightings) -> StepResult {
  guard seen.handlerFulfils, seen.presented >= 0, chain.release.categoryClaimed == .known(true),
    case .known = seen.payload.category,
    let handed = chain.integer(.attachments, of: seen.handler), handed > 0,
    chain.integer(.attachments, of: seen.presented) == 0
  else { return .notApplicable }
  return StepResult(
    .broken, cause: .categoryClaimsPresentation, confidence: .likely,
    evidence: Evidence(.event, seen.presented), Evidence(.event, seen.handler), Evidence(.release))
}
