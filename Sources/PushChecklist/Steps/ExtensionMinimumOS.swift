import PushModel

extension ChecklistStep {
  /// Asks whether the phone's iOS is new enough for the extension.
  static let extensionMinimumOs = ChecklistStep(
    id: .extensionMinimumOs,
    title: "The extension runs on this iOS",
    question: "Is the extension's minimum OS at or below the device's?",
    decidedBy: """
      By `MinimumOSVersion` in the extension's Info.plist and the phone's iOS version. iOS leaves an \
      extension out, without a word, when it asks for a newer iOS than the phone has; the app itself \
      may ask for less and still run.
      """,
    facts: ["F4.9", "F7.23"],
    needs: [.extensionMinimumOS, .deviceOS],
    matters: .needsExtension,
    outcomes: [
      OutcomeText(.holds, "The phone's iOS is new enough, or the extension ran."),
      OutcomeText(.broken, "The extension asks for a newer iOS than the phone has."),
      OutcomeText(.unknown, "One of the two versions is not known."),
      OutcomeText(.notApplicable, "Nothing that was meant needs the extension."),
    ],
    causes: [
      Cause(
        .extMinOs,
        meaning: """
          The extension target was made later than the app, with the newest iOS as its deployment \
          target, so older phones run the app but not the extension.
          """,
        toldApartBy: "The `.appex` asks for a newer iOS than the phone has.",
        repair: "Set the extension's deployment target to the app's, build, release.",
        facts: ["F4.9", "F7.23"], alsoAt: [.contentExtension])
    ],
    nextAction: "Compare the deployment targets of app and extension in every configuration.",
    knownLimits: "A clean split by iOS version alone also fits memory limits and other changes.",
    examples: [
      Example("15 on a 17.4 phone", .holds),
      Example("versions not known, nothing seen", .unknown) {
        $0.forgetRelease()
        $0.forgetDevice()
      },
      Example("18 on a 17.4 phone", .broken, .extMinOs) {
        $0.chain.release.serviceMinimumOS = .known(OSVersion(major: 18))
        $0.showPlainWithoutRun()
      },
      Example("17.4 on a 17.4 phone", .holds, nearMiss: .extMinOs) {
        $0.chain.release.serviceMinimumOS = .known(OSVersion(major: 17, minor: 4))
        $0.showPlainWithoutRun()
      },
      Example("a plain notification needs none", .notApplicable, from: .plain),
    ],
    explain: { _, result, _ in
      if result.outcome == .broken {
        return
          "The extension asks for iOS \(result.value / 1_000_000).\(result.value / 1000 % 1000), the phone has an older one."
      }
      return result.plainSentence(
        holds: "The phone's iOS is new enough for the extension.",
        unknown: "The extension's or the phone's version is not known.")
    })
}

func judgeExtensionMinimumOs(_ chain: Chain, _: Sightings) -> StepResult {
  guard case .known(let minimum) = chain.release.serviceMinimumOS,
    case .known(let system) = chain.installation.os
  else {
    return StepResult(.unknown, needs: [Needs(.extensionMinimumOS), Needs(.deviceOS)])
  }
  if minimum > system {
    return StepResult(
      .broken, cause: .extMinOs, evidence: Evidence(.release), Evidence(.installation),
      value: Int64(minimum.number))
  }
  return StepResult(.holds, evidence: Evidence(.release), Evidence(.installation))
}
