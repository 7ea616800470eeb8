import PushModel

extension ChecklistStep {
  /// Asks whether the extension's program starts.
  static let extensionLoads = ChecklistStep(
    id: .extensionLoads,
    title: "The extension's program starts",
    question: "Does it load: principal class, libraries, start-up time?",
    decidedBy: """
      By crash records without a run, and by what the built extension names: its principal class \
      (the class iOS calls) and its libraries.
      """,
    facts: ["F4.4", "F4.21", "F4.22", "F4.23", "F4.29", "F7.13"],
    needs: [.extensionInfo, .extensionLinks, .log, .crashReport],
    matters: .needsExtension,
    outcomes: [
      OutcomeText(.holds, "The program started and its code was called."),
      OutcomeText(.broken, "The program does not start, or dies at once."),
      OutcomeText(.unknown, "No run and no crash was recorded."),
      OutcomeText(.notApplicable, "Nothing that was meant needs the extension."),
    ],
    causes: [
      Cause(
        .principalClass,
        meaning: """
          The class that the extension's Info.plist names cannot be found, so iOS starts a program \
          in which nobody answers.
          """,
        toldApartBy: """
          Swift without the module's name before the class, or Objective-C with one; and the \
          extension does not run.
          """,
        repair: """
          `NSExtensionPrincipalClass` = `$(PRODUCT_MODULE_NAME).NotificationService` for Swift, the \
          bare class name for Objective-C.
          """,
        facts: ["F7.13", "F4.4"], alsoAt: [.contentExtension]),
      Cause(
        .extFrameworkMissing,
        meaning: "A library that the extension needs is not in the app, so it dies while loading.",
        toldApartBy: """
          A linked library is not in the app, and the extension does not run or crashes at start.
          """,
        repair: """
          Embed the library in the app and give the extension the run path \
          `@executable_path/../../Frameworks`.
          """,
        facts: []),
      Cause(
        .extCrashAtLaunch,
        meaning: "The extension's process dies before its code is called; the reason is not known.",
        toldApartBy: """
          A crash of the extension was recorded, and a log without gaps has no record of a run.
          """,
        repair: "Read the crash report (`.ips`) of the extension; it names the closer cause.",
        facts: ["F4.23", "F4.29"]),
      Cause(
        .extStartupBudget,
        meaning: "Starting up alone uses the 30 seconds that the extension has.",
        toldApartBy: "The system log says that it used its runtime in starting up.",
        repair: "Move work out of `init` and static initialisers, and off the main thread.",
        facts: ["F4.21", "F4.22"]),
      Cause(
        .vendorSdkDefect,
        meaning: "A version of a vendor's SDK is at fault.",
        toldApartBy: "Own code and payload are equal; the outcome follows the SDK's version.",
        repair: "Change the SDK's version, or keep to its stated limits.",
        facts: [], alsoAt: [.extensionRouting]),
    ],
    nextAction: "Collect the crash reports of the extension's process from one affected phone.",
    knownLimits: "A process that dies at once writes nothing itself.",
    examples: [
      Example("its code was called", .holds),
      Example("nothing seen", .unknown) { $0.forgetDevice() },
      Example("a plain notification needs none", .notApplicable, from: .plain),
      Example("Swift class without its module, no run", .broken, .principalClass) {
        $0.chain.release.servicePrincipalFits = .known(false)
        $0.showPlainWithoutRun()
      },
      Example("the class can be found, no run", .unknown, nearMiss: .principalClass) {
        $0.chain.release.servicePrincipalFits = .known(true)
        $0.showPlainWithoutRun()
      },
      Example("a library is missing, no run", .broken, .extFrameworkMissing) {
        $0.chain.release.serviceLibrariesPresent = .known(false)
        $0.showPlainWithoutRun()
      },
      Example("a library is missing, nothing seen", .unknown, nearMiss: .extFrameworkMissing) {
        $0.chain.release.serviceLibrariesPresent = .known(false)
        $0.forgetDevice()
      },
      Example("a crash and no run", .broken, .extCrashAtLaunch) {
        $0.showPlainWithoutRun()
        $0.add(.nseCrashed, at: 950, [(.signal, .text("SIGABRT"))])
      },
      Example("a crash, and the log has a gap", .unknown, nearMiss: .extCrashAtLaunch) {
        $0.showPlainWithoutRun()
        $0.add(.nseCrashed, at: 950, [(.signal, .text("SIGABRT"))])
        $0.chain.coverage.isGapless = false
      },
      Example("the system says that starting up took the time", .broken, .extStartupBudget) {
        $0.showPlainWithoutRun()
        $0.add(.systemStartupUsedTime, at: 31_000)
      },
      Example(
        "the system says that the time was up, after the start", .unknown,
        nearMiss: .extStartupBudget
      ) {
        $0.showPlainWithoutRun()
        $0.add(.systemTimeExceeded, at: 31_000)
      },
      Example("another version of one SDK works", .broken, .vendorSdkDefect) {
        $0.forgetDevice()
        $0.complain(.noImage)
        $0.compare([("app.frameworks.SomeSDK", .text("5.0.4"))], "image", true)
      },
      Example(
        "another version works, on another iOS", .unknown, nearMiss: .vendorSdkDefect
      ) {
        $0.forgetDevice()
        $0.complain(.noImage)
        $0.compare(
          [("app.frameworks.SomeSDK", .text("5.0.4")), ("device.os", .text("18"))], "image", true)
      },
    ],
    explain: { _, result, _ in
      switch result.cause {
      case .principalClass: "The class that the extension's plist names cannot be found."
      case .extFrameworkMissing: "A library that the extension needs is not in the app."
      case .extCrashAtLaunch: "The extension crashed, and its code was never called."
      default:
        result.plainSentence(
          holds: "The extension's code was called.",
          unknown: "Neither a run nor a start of the extension is recorded.")
      }
    })
}

func judgeLoads(_ chain: Chain, _ seen: Sightings) -> StepResult {
  if seen.extensionRan >= 0 { return StepResult(.holds, evidence: chain.runEvidence(seen)) }
  let release = chain.release
  let crash = seen.holds(.nseCrashed) ? chain.firstEvent(.nseCrashed) : nil
  let second: Evidence = crash.map { Evidence(.event, $0) } ?? Evidence(.coverage)
  let doesNotRun = seen.extensionDidNotRun || crash != nil
  if release.servicePrincipalFits == .known(false) {
    return StepResult(
      .broken, cause: .principalClass, confidence: doesNotRun ? .certain : .likely,
      evidence: Evidence(.release), doesNotRun ? second : .none)
  }
  if release.serviceLibrariesPresent == .known(false) {
    if doesNotRun {
      return StepResult(
        .broken, cause: .extFrameworkMissing, confidence: .likely, evidence: Evidence(.release),
        second)
    }
    return StepResult(
      .unknown, evidence: Evidence(.release), needs: [Needs(.log), Needs(.crashReport)],
      candidates: (.extFrameworkMissing, nil))
  }
  if let crash {
    if seen.extensionDidNotRun, !isMemoryKill(chain, crash) {
      return StepResult(
        .broken, cause: .extCrashAtLaunch, confidence: .likely, evidence: Evidence(.event, crash),
        Evidence(.coverage))
    }
    return StepResult(
      .unknown, evidence: Evidence(.event, crash),
      needs: [Needs(.eventsExtension), Needs(.crashReport)],
      candidates: (.extCrashAtLaunch, .extMemory))
  }
  return StepResult(.unknown, needs: [Needs(.extensionInfo), Needs(.log), Needs(.crashReport)])
}
