import PushModel

extension ChecklistStep {
  /// Asks whether the flag that starts the service extension is on.
  static let mutableContent = ChecklistStep(
    id: .mutableContent,
    title: "The flag for changing content is on",
    question: """
      Is `mutable-content` on, in `aps`, spelled right, and still there on arrival?
      """,
    decidedBy: """
      By `aps."mutable-content"` in the payload as sent and, where the phone reported it, as \
      received. Only with this flag does iOS hand the notification to the app's service extension, \
      the small program that may change it before it is shown.
      """,
    facts: [
      "F4.1", "F3.30", "F3.31", "F3.32", "F3.33", "F3.34", "F3.3", "F3.4", "F3.5", "F3.6",
    ],
    needs: [.sendPayload, .receivedPayload],
    matters: .needsExtension,
    outcomes: [
      OutcomeText(.holds, "The flag is on, or the extension ran."),
      OutcomeText(.broken, "The flag is off, misspelled, misplaced or gone on arrival."),
      OutcomeText(.unknown, "The payload is not known, or the flag is null."),
      OutcomeText(.notApplicable, "Nothing that was meant needs the extension."),
    ],
    causes: [
      Cause(
        .mutableContentOff,
        meaning: """
          The flag is not in the message, or is 0 or false, so iOS shows the notification as it came \
          and never starts the service extension.
          """,
        toldApartBy: "The payload as sent has no spelling of it anywhere, or has it switched off.",
        repair: "Send `\"mutable-content\": 1` inside `aps`.",
        facts: ["F4.1", "F3.31"]),
      Cause(
        .mutableContentFraction,
        meaning: "The flag is a number that iOS rounds to off: below 1, or negative.",
        toldApartBy: "The value is between 0 and 1, or negative.",
        repair: "Send the whole number 1.",
        facts: ["F4.1", "F3.31", "F3.32"]),
      Cause(
        .mutableKeySpellingNesting,
        meaning: """
          The flag is there, but under another name or in another place, where iOS does not read \
          it: underscores instead of hyphens, beside `aps`, or inside a gateway's own block.
          """,
        toldApartBy: """
          `aps` has no such flag, and another spelling or place of it is in the payload.
          """,
        repair: """
          APNs' own spelling `mutable-content` inside `aps`; through a gateway, the gateway's \
          spelling at the gateway's place.
          """,
        facts: ["F3.3", "F3.4", "F3.5", "F4.1"], alsoAt: [.backgroundPayload]),
      Cause(
        .providerStripsKeys,
        meaning: "The flag was right when sent, and a gateway on the way took it out.",
        toldApartBy: "The payload as sent has the flag, the payload as received has not.",
        repair: "Ask the provider to pass it on, or use its own switch for it.",
        facts: ["F3.3", "F3.6"]),
      Cause(
        .flagTypeString,
        meaning: """
          The flag is a string, and something on the way tests for the number. iOS itself takes any \
          string as on.
          """,
        toldApartBy: """
          A string as sent, and off or gone on arrival; or, for silent notifications, a gateway that \
          is known to test the type.
          """,
        repair: "Send the number 1.",
        facts: ["F3.30", "F3.33"], alsoAt: [.backgroundPayload]),
    ],
    nextAction: "Print the JSON that leaves the server and look inside `aps`.",
    knownLimits: """
      How iOS reads values other than 1 is observed, not documented; JSON null is not settled.
      """,
    examples: [
      Example("the number 1", .holds),
      Example("payload not known", .unknown) {
        $0.payload.mutableContent = .unknown
        $0.forgetDevice()
      },
      Example("null", .unknown) {
        $0.payload.mutableContent = .null
        $0.forgetDevice()
      },
      Example("a plain notification needs no flag", .notApplicable, from: .plain),
      Example("absent, with a picture in the payload", .broken, .mutableContentOff) {
        $0.payload.mutableContent = .absent
        $0.forgetDevice()
      },
      Example("absent, but the extension ran", .broken, .mutableContentOff, inDocs: false) {
        $0.payload.mutableContent = .absent
      },
      Example("a string is on", .holds, nearMiss: .mutableContentOff) {
        $0.payload.mutableContent = .text
        $0.forgetDevice()
      },
      Example("0.5", .broken, .mutableContentFraction) {
        $0.payload.mutableContent = .fraction
        $0.forgetDevice()
      },
      Example("1.0", .holds, nearMiss: .mutableContentFraction) { $0.forgetDevice() },
      Example("`mutable_content` inside `aps`", .broken, .mutableKeySpellingNesting) {
        $0.payload.mutableContent = .absent
        $0.payload.misplacedMutable = .spelling
        $0.forgetDevice()
      },
      Example(
        "no spelling of it anywhere", .broken, .mutableContentOff,
        nearMiss: .mutableKeySpellingNesting
      ) {
        $0.payload.mutableContent = .absent
        $0.forgetDevice()
      },
      Example("sent on, received without it", .broken, .providerStripsKeys) {
        $0.showPlainWithoutRun()
        $0.chain.received.mutableContent = .absent
        $0.send.provider = .known(Symbol(.onesignal))
      },
      Example("received without it, and not known as sent", .unknown, inDocs: false) {
        $0.showPlainWithoutRun()
        $0.payload.parts.remove(.whole)
        $0.payload.mutableContent = .unknown
        $0.chain.received.mutableContent = .absent
        $0.send.provider = .known(Symbol(.onesignal))
      },
      Example("sent on, received on", .holds, nearMiss: .providerStripsKeys),
      Example("a string, gone on arrival", .broken, .flagTypeString) {
        $0.showPlainWithoutRun()
        $0.payload.mutableContent = .text
        $0.chain.received.mutableContent = .off
        $0.send.provider = .known(Symbol(.parse))
      },
      Example("a string, and the extension ran", .holds, nearMiss: .flagTypeString) {
        $0.payload.mutableContent = .text
      },
    ],
    explain: explainMutableContent)
}

func judgeMutableContent(_ chain: Chain, _ seen: Sightings) -> StepResult {
  let sent = seen.send >= 0 ? chain.sends[seen.send].payload : Payload()
  let evidence = chain.payloadEvidence(seen)
  let received = chain.received.mutableContent
  if sent.mutableContent.isOn == true, received.isOn == false {
    let wasText = sent.mutableContent == .text
    let arrival = chain.scrap == nil ? evidence : Evidence(.receivedPayload)
    let first = seen.received >= 0 ? Evidence(.event, seen.received) : arrival
    return StepResult(
      .broken, cause: wasText ? .flagTypeString : .providerStripsKeys, evidence: evidence, first)
  }
  let flag = seen.payload.mutableContent
  switch flag {
  case .on, .text, .container:
    return StepResult(.holds, evidence: evidence, value: Int64(flag.rawValue))
  case .unknown, .null:
    return StepResult(
      .unknown, needs: [Needs(.sendPayload), Needs(.receivedPayload)],
      value: Int64(flag.rawValue))
  case .fraction, .negative:
    // Apple asks for 1; what iOS makes of other numbers is observed only (F3.31).
    return StepResult(
      .broken, cause: .mutableContentFraction, confidence: .likely, evidence: evidence,
      value: Int64(flag.rawValue))
  case .absent, .off:
    if !seen.payload.misplacedMutable.isEmpty {
      return StepResult(
        .broken, cause: .mutableKeySpellingNesting, evidence: evidence,
        value: Int64(flag.rawValue))
    }
    // Known only as it arrived: a gateway may have taken it out.
    if sent.mutableContent == .unknown,
      seen.send < 0 || !chain.sends[seen.send].provider.isKnown(.apns)
    {
      return StepResult(
        .unknown, evidence: evidence, needs: Needs(.sendPayload),
        candidates: (.mutableContentOff, .providerStripsKeys), value: Int64(flag.rawValue))
    }
    return StepResult(
      .broken, cause: .mutableContentOff, evidence: evidence, value: Int64(flag.rawValue))
  }
}

private func explainMutableContent(
  _ chain: Chain, _ result: StepResult, _ texts: SymbolTable
) -> String {
  let flag = FlagState(rawValue: UInt8(truncatingIfNeeded: result.value)) ?? .unknown
  switch result.cause {
  case .mutableContentOff: return "`aps.\"mutable-content\"` is \(describe(flag))."
  case .mutableContentFraction:
    return "`aps.\"mutable-content\"` is \(describe(flag)), which iOS takes as off."
  case .mutableKeySpellingNesting:
    return "The flag is there, but not as `mutable-content` inside `aps`."
  case .providerStripsKeys: return "The flag was sent on and was not there on arrival."
  case .flagTypeString: return "The flag was sent as a string and was not on when it arrived."
  default:
    let unknown =
      switch flag {
      case .null: "The flag is null; what becomes of that is not settled."
      case .absent, .off:
        "`aps.\"mutable-content\"` is \(describe(flag)) in what arrived; what was sent is not known."
      default: "The payload is not known."
      }
    return result.plainSentence(
      holds: flag == .text || flag == .container
        ? "The flag is on, but as \(describe(flag)); Apple documents the number 1."
        : "The flag is on.",
      unknown: unknown)
  }
}
