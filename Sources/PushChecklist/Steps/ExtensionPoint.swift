import PushModel

extension ChecklistStep {
  /// Asks whether the extension claims the service point.
  static let extensionPoint = ChecklistStep(
    id: .extensionPoint,
    title: "The extension claims the service point",
    question: "Is the extension point exactly `com.apple.usernotifications.service`?",
    decidedBy: """
      By `NSExtensionPointIdentifier` in the extension's Info.plist inside the built app. The \
      extension point is the name by which iOS finds the right extension; it compares the whole \
      text.
      """,
    facts: ["F4.4", "F4.6"],
    needs: [.extensionInfo],
    matters: .needsExtension,
    outcomes: [
      OutcomeText(.holds, "The point is exactly the service point, or the extension ran."),
      OutcomeText(.broken, "Another text stands there, so iOS never finds the extension."),
      OutcomeText(.unknown, "The extension's Info.plist is not known."),
      OutcomeText(.notApplicable, "Nothing that was meant needs the extension."),
    ],
    causes: [
      Cause(
        .wrongExtensionPoint,
        meaning: """
          The extension is in the app, but its Info.plist names another extension point, so iOS \
          shows every notification as it came.
          """,
        toldApartBy: """
          The `.appex` is in the app's PlugIns folder, and its `NSExtensionPointIdentifier` is \
          another text. The system log says the same as for a missing extension.
          """,
        repair: """
          In the extension's Info.plist set `NSExtension` → `NSExtensionPointIdentifier` to \
          `com.apple.usernotifications.service`, then install the app anew.
          """,
        facts: ["F4.4", "F4.6"])
    ],
    nextAction: "Open the built `.appex` (not the project) and read its Info.plist.",
    knownLimits: "App Store uploads refuse unknown points, so this is seen in test builds.",
    examples: [
      Example("the service point", .holds),
      Example("release not known, nothing seen", .unknown) {
        $0.forgetRelease()
        $0.forgetDevice()
      },
      Example("another text", .broken, .wrongExtensionPoint) {
        $0.chain.release.servicePoint = .known(Symbol(.comAppleUsernotificationsContentExtension))
        $0.showPlainWithoutRun()
      },
      Example(
        "the right text, and it did not run", .holds, nearMiss: .wrongExtensionPoint
      ) {
        $0.showPlainWithoutRun()
      },
      Example("a plain notification needs none", .notApplicable, from: .plain) {
        $0.chain.release.servicePoint = .known(Symbol(.comAppleUiServices))
      },
    ],
    explain: explainExtensionPoint)
}

func judgeExtensionPoint(_ chain: Chain, _ seen: Sightings) -> StepResult {
  switch chain.release.servicePoint {
  case .unknown: return StepResult(.unknown, needs: Needs(.extensionInfo))
  case .missing:
    return StepResult(.unknown, needs: [Needs(.appPlugins), Needs(.extensionInfo)])
  case .known(let point):
    if point == .comAppleUsernotificationsService {
      return StepResult(.holds, evidence: Evidence(.release))
    }
    return StepResult(.broken, cause: .wrongExtensionPoint, evidence: Evidence(.release))
  }
}

private func explainExtensionPoint(
  _ chain: Chain, _ result: StepResult, _ texts: SymbolTable
) -> String {
  if result.outcome == .broken {
    return "The extension's point is `\(chain.text(chain.release.servicePoint, texts))`."
  }
  return result.plainSentence(
    holds: "The extension's point is the service point.",
    unknown: "The extension's Info.plist is not known.")
}
