import PushModel

extension ChecklistStep {
  /// Asks whether the app ever got a token.
  static let registration = ChecklistStep(
    id: .registration,
    title: "The app got a token and handed it on",
    question: "Did the app obtain a token and hand it on?",
    decidedBy: """
      By the app's own log of its registration and by the entitlements of the signed app. A device \
      token is the address that Apple gives to one app on one phone; without it nobody can send.
      """,
    facts: ["F10.1", "F10.3", "F10.8"],
    needs: [.eventsApp, .appEntitlements],
    outcomes: [
      OutcomeText(.holds, "The app registered, or the notification reached the phone."),
      OutcomeText(.broken, "The app has no token, or the vendor's code never got it."),
      OutcomeText(.unknown, "No registration was logged, and the entitlements are not known."),
    ],
    causes: [
      Cause(
        .apsEntitlementMissing,
        meaning: """
          The signed app has no `aps-environment` entitlement, so iOS never gives it a token. An \
          entitlement is a permission that is built into the app's signature.
          """,
        toldApartBy: """
          The entitlement is absent in the signed app, or registration failed with \
          NSCocoaErrorDomain 3000.
          """,
        repair: """
          Switch on the Push Notifications capability in the app target, renew the provisioning \
          profile, build and sign again.
          """,
        facts: ["F10.1", "F10.8"]),
      Cause(
        .apnsTokenNotHandedToSdk,
        meaning: """
          The app has a token of Apple, but the vendor's SDK never gets it, so the vendor has \
          nothing to send to.
          """,
        toldApartBy: """
          The SDK's automatic hooking is switched off, and the SDK reports that no token of Apple is \
          set.
          """,
        repair: """
          Pass the token to the SDK in `didRegisterForRemoteNotificationsWithDeviceToken`, or switch \
          its hooking on.
          """,
        facts: ["F10.3", "F10.8"]),
      Cause(
        .appdelegateHooksMissing,
        meaning: """
          The callbacks that receive the token are not in this build, so the token is given to \
          nobody.
          """,
        toldApartBy: """
          The build is known not to implement the registration callbacks, and no registration was \
          logged.
          """,
        repair: "Implement both registration callbacks in the app delegate of this build.",
        facts: ["F10.3"]),
    ],
    nextAction: "Read the entitlements of the signed app and the app's first log lines.",
    knownLimits: "A token on the server may be of an earlier build that still had the permission.",
    examples: [
      Example("the run on the phone shows it", .holds) {
        $0.chain.installation.tokenRegisteredAt = .known(ExampleChain.sentAt - 86_400 * second)
      },
      Example("nothing known", .unknown, from: .plain),
      Example("no entitlement in the signed app", .broken, .apsEntitlementMissing, from: .plain) {
        $0.forgetAnswer()
        $0.chain.installation.apsEnvironment = .unknown
        $0.chain.release.apsEnvironment = .missing
      },
      Example("registration failed with 3000", .broken, .apsEntitlementMissing, from: .plain) {
        $0.forgetAnswer()
        $0.chain.installation.registrationErrorDomain = .known(Symbol(.nsCocoaErrorDomain))
        $0.chain.installation.registrationErrorCode = .known(3000)
      },
      Example(
        "another error of registration", .unknown, nearMiss: .apsEntitlementMissing, from: .plain
      ) {
        $0.forgetAnswer()
        $0.chain.installation.registrationErrorDomain = .known(Symbol(.nsurlErrorDomain))
        $0.chain.installation.registrationErrorCode = .known(-1009)
      },
      Example("hooking off, the SDK has no token", .broken, .apnsTokenNotHandedToSdk, from: .plain)
      {
        $0.send.provider = .known(Symbol(.fcmV1))
        $0.chain.release.automaticHooking = .known(false)
        $0.chain.installation.registrationErrorDomain = .known(Symbol(.firebaseRegistration))
        $0.chain.installation.registrationErrorCode = .known(1001)
      },
      Example(
        "hooking off, and the SDK says nothing", .unknown, nearMiss: .apnsTokenNotHandedToSdk,
        from: .plain
      ) {
        $0.send.provider = .known(Symbol(.fcmV1))
        $0.chain.release.automaticHooking = .known(false)
      },
      Example("callbacks not in the build", .broken, .appdelegateHooksMissing, from: .plain) {
        $0.send.provider = .known(Symbol(.fcmV1))
        $0.chain.release.registrationCallbacks = .known(false)
      },
      Example(
        "callbacks in the build", .unknown, nearMiss: .appdelegateHooksMissing, from: .plain
      ) {
        $0.send.provider = .known(Symbol(.fcmV1))
        $0.chain.release.registrationCallbacks = .known(true)
      },
    ],
    explain: { _, result, _ in
      switch result.cause {
      case .apsEntitlementMissing: "The signed app has no `aps-environment`, so it gets no token."
      case .apnsTokenNotHandedToSdk: "The vendor's SDK has no token of Apple, and hooking is off."
      case .appdelegateHooksMissing: "This build has no registration callbacks."
      default:
        result.plainSentence(
          holds: "The app registered its token.", unknown: "No registration was logged.")
      }
    })
}

func judgeRegistration(_ chain: Chain, _ seen: Sightings) -> StepResult {
  if chain.release.apsEnvironment.isMissing {
    return StepResult(.broken, cause: .apsEntitlementMissing, evidence: Evidence(.release))
  }
  let installation = chain.installation
  if case .known(let domain) = installation.registrationErrorDomain,
    case .known(let code) = installation.registrationErrorCode,
    installation.tokenRegisteredAt.value == nil
  {
    if domain == .nsCocoaErrorDomain, code == 3000 {
      return StepResult(.broken, cause: .apsEntitlementMissing, evidence: Evidence(.installation))
    }
    if domain == .firebaseRegistration, code == 1001,
      chain.release.automaticHooking == .known(false)
    {
      return StepResult(
        .broken, cause: .apnsTokenNotHandedToSdk, evidence: Evidence(.installation),
        Evidence(.release))
    }
  }
  if case .known = installation.tokenRegisteredAt {
    return StepResult(.holds, evidence: Evidence(.installation))
  }
  if chain.release.registrationCallbacks == .known(false) {
    return StepResult(
      .broken, cause: .appdelegateHooksMissing, confidence: .likely, evidence: Evidence(.release))
  }
  return StepResult(.unknown, needs: [Needs(.eventsApp), Needs(.appEntitlements)])
}
