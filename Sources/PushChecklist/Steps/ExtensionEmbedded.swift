import PushModel

extension ChecklistStep {
  /// Asks whether the built app holds one sound service extension.
  static let extensionEmbedded = ChecklistStep(
    id: .extensionEmbedded,
    title: "The app holds its service extension",
    question: "Is exactly one service `.appex` in PlugIns, with prefixed id and valid signature?",
    decidedBy: """
      By what is inside the built app. A service extension is a small program of its own, a folder \
      that ends in `.appex` inside the app's PlugIns folder; iOS starts it to change a notification \
      before it is shown.
      """,
    facts: ["F4.4", "F4.5", "F4.7", "F4.8"],
    needs: [.appPlugins, .extensionInfo, .extensionEntitlements],
    matters: .needsExtension,
    outcomes: [
      OutcomeText(.holds, "One service extension is there, or it ran."),
      OutcomeText(.broken, "It is not in the app, there are two, or it cannot be started."),
      OutcomeText(.unknown, "The built app is not known."),
      OutcomeText(.notApplicable, "Nothing that was meant needs the extension."),
    ],
    causes: [
      Cause(
        .appexNotEmbedded,
        meaning: """
          The installed app has no service extension in it: it was built, but never copied into the \
          app, or never built at all.
          """,
        toldApartBy: "The app's PlugIns folder has no `.appex` that claims the service point.",
        repair: """
          In the app target's build phases add the extension to *Embed Foundation Extensions* \
          (destination PlugIns), build, and look into the built app.
          """,
        facts: ["F4.4", "F4.7"]),
      Cause(
        .multipleServiceExt,
        meaning: """
          More than one extension claims the service point; iOS uses the first it finds and never \
          the other.
          """,
        toldApartBy: "Two or more `.appex` folders with that point, and the meant one did not run.",
        repair: "Merge them into one extension that chooses by a key of the payload.",
        facts: ["F4.5"]),
      Cause(
        .extBundlePrefix,
        meaning: """
          The extension's bundle id does not begin with the app's, which iOS requires.
          """,
        toldApartBy: "Both ids are known; typical of a flavour that changes only the app's id.",
        repair: "Derive the extension's bundle id from the app's in every configuration.",
        facts: ["F4.8"]),
      Cause(
        .extSigning,
        meaning: "The extension is signed with a profile or entitlements that do not fit.",
        toldApartBy: """
          The profile lacks an entitlement that the extension asks for; the `.appex` itself is there.
          """,
        repair: """
          Give the extension a profile of its own, of the same team, with the entitlements that it \
          asks for.
          """,
        facts: ["§12"]),
      Cause(
        .extExecutableMissing,
        meaning: "The program file that the extension's Info.plist names is not in it.",
        toldApartBy: "The `.appex` and its Info.plist are there, the named file is not.",
        repair:
          "Build the extension target itself and check the executable name in each configuration.",
        facts: ["F4.4"]),
    ],
    nextAction: "Unpack the `.ipa` and look into `Payload/…app/PlugIns`.",
    knownLimits: "What is in the repository is not what is in the installed app.",
    examples: [
      Example("one service extension", .holds),
      Example("the app is not known, nothing seen", .unknown) {
        $0.forgetRelease()
        $0.forgetDevice()
      },
      Example("a plain notification needs none", .notApplicable, from: .plain),
      Example("none in PlugIns", .broken, .appexNotEmbedded) {
        $0.chain.release.serviceExtensions = .known(0)
        $0.chain.release.servicePoint = .unknown
        $0.showPlainWithoutRun()
      },
      Example("one in PlugIns, and it did not run", .holds, nearMiss: .appexNotEmbedded) {
        $0.showPlainWithoutRun()
      },
      Example("two, and none ran", .broken, .multipleServiceExt) {
        $0.chain.release.serviceExtensions = .known(2)
        $0.showPlainWithoutRun()
      },
      Example("two, and one ran", .holds, nearMiss: .multipleServiceExt) {
        $0.chain.release.serviceExtensions = .known(2)
      },
      Example("the id does not begin with the app's", .broken, .extBundlePrefix) {
        $0.chain.release.servicePrefixFits = .known(false)
        $0.showPlainWithoutRun()
      },
      Example("the id begins with the app's", .holds, nearMiss: .extBundlePrefix) {
        $0.chain.release.servicePrefixFits = .known(true)
        $0.showPlainWithoutRun()
      },
      Example("the profile lacks an entitlement", .broken, .extSigning) {
        $0.chain.release.serviceSigningFits = .known(false)
        $0.showPlainWithoutRun()
      },
      Example("profile lacks an entitlement, nothing seen", .unknown, nearMiss: .extSigning) {
        $0.chain.release.serviceSigningFits = .known(false)
        $0.forgetDevice()
      },
      Example("the program file is absent", .broken, .extExecutableMissing) {
        $0.chain.release.serviceExecutablePresent = .known(false)
        $0.showPlainWithoutRun()
      },
      Example("the program file is there", .holds, nearMiss: .extExecutableMissing) {
        $0.chain.release.serviceExecutablePresent = .known(true)
        $0.showPlainWithoutRun()
      },
    ],
    explain: { _, result, _ in
      switch result.cause {
      case .appexNotEmbedded: "The app has no service extension in it."
      case .multipleServiceExt: "\(result.value) extensions claim the service point."
      case .extBundlePrefix: "The extension's bundle id does not begin with the app's."
      case .extSigning: "The extension's profile and entitlements do not fit."
      case .extExecutableMissing: "The extension's program file is not in it."
      default:
        result.plainSentence(
          holds: "The app holds its service extension.",
          unknown: result.candidates.0 == .extSigning
            ? "The extension's profile and entitlements do not fit; whether it ran does not show."
            : "The built app is not known.")
      }
    })
}

func judgeEmbedded(_ chain: Chain, _ seen: Sightings) -> StepResult {
  let release = chain.release
  let evidence = Evidence(.release)
  let count = release.serviceExtensions
  if count.isMissing || count == .known(0) {
    return StepResult(.broken, cause: .appexNotEmbedded, evidence: evidence)
  }
  if release.servicePrefixFits == .known(false) {
    return StepResult(.broken, cause: .extBundlePrefix, evidence: evidence)
  }
  if release.serviceExecutablePresent == .known(false) {
    return StepResult(.broken, cause: .extExecutableMissing, evidence: evidence)
  }
  if release.serviceSigningFits == .known(false) {
    // No fact but the profile itself: it needs to be seen that the extension does not run.
    if seen.extensionDidNotRun {
      return StepResult(
        .broken, cause: .extSigning, confidence: .likely, evidence: evidence, Evidence(.coverage))
    }
    return StepResult(
      .unknown, evidence: evidence, needs: [Needs(.eventsExtension), Needs(.log)],
      candidates: (.extSigning, nil))
  }
  guard case .known(let number) = count else {
    return StepResult(.unknown, needs: [Needs(.appPlugins), Needs(.extensionInfo)])
  }
  if number > 1, seen.extensionRan < 0 {
    return StepResult(
      .broken, cause: .multipleServiceExt, confidence: .likely, evidence: evidence, value: number)
  }
  return StepResult(.holds, evidence: evidence, value: number)
}
