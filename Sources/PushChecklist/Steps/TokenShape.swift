import PushModel

extension ChecklistStep {
  /// Asks whether the text that was sent as a token can be one.
  static let tokenShape = ChecklistStep(
    id: .tokenShape,
    title: "The token is an APNs token",
    question: "Is this text an APNs token of the right kind?",
    decidedBy: """
      By the form of the token's text (length, characters beside hex digits), the kind of token \
      that the sender knows it to be, and the push type. The text itself is not kept.
      """,
    facts: ["F10.5", "F10.6", "F10.7", "F9.1", "F1.16", "F2.0"],
    needs: [.sendToken, .sendTokenKind, .sendResponse],
    outcomes: [
      OutcomeText(.holds, "The text is whole bytes of hex digits, or APNs accepted it."),
      OutcomeText(.broken, "No APNs token, or a token of another kind than this push needs."),
      OutcomeText(
        .unknown, "The log hides the token, or the sender does not say of what kind it is."),
    ],
    causes: [
      Cause(
        .tokenWrongSystem,
        meaning: """
          A token of another service (FCM, Expo, a vendor's own id) was sent to APNs. Each service \
          hands out its own tokens; only the one that Apple gives the app works with APNs.
          """,
        toldApartBy: """
          The text has a colon or letters beyond f, or its kind is known to be another system's, \
          while the request went to APNs itself.
          """,
        repair: """
          Send the token from `didRegisterForRemoteNotificationsWithDeviceToken`, or send through \
          the service that made this one.
          """,
        facts: ["F10.6", "F2.0"]),
      Cause(
        .tokenMalformed,
        meaning: """
          The token's text is a printed description of the bytes, or was cut on the way, so APNs \
          cannot read it.
          """,
        toldApartBy: """
          `{length`, angle brackets, spaces, dots, an odd number of digits, or hex that is too \
          short and refused. A sound hex text with the same refusal is a question of environment.
          """,
        repair: """
          Encode the token's bytes as hex in the app (two digits a byte, nothing else) and register \
          again; a server cannot repair it.
          """,
        facts: ["F10.5", "F10.7", "F2.0"]),
      Cause(
        .tokenKindMismatch,
        meaning: """
          A real APNs token, but of the wrong kind: VoIP pushes, Live Activities and alerts each \
          have tokens of their own.
          """,
        toldApartBy: """
          The token's kind is known and is not the one that the push type asks for, and the payload \
          shows that the push is right. With an unknown payload a missing suffix of the topic \
          explains the same.
          """,
        repair: "Keep the kinds apart in the database and pick the token by push type.",
        facts: ["F9.1", "F1.16", "F2.0"]),
    ],
    nextAction: """
      Look at how the app turns the token into text and at which token the server stored; repair \
      the app, since a cut token cannot be repaired on the server.
      """,
    knownLimits: """
      A token of another app or of an erased phone looks like any other. Logs that mask tokens hide \
      its form.
      """,
    examples: [
      Example("64 hex digits, accepted", .holds, from: .plain),
      Example("the log masks the token", .unknown, from: .plain) {
        $0.forgetAnswer()
        $0.send.token = .known(TokenForm(length: 16, marks: .masked))
      },
      Example("a gateway's own token is its business", .notApplicable, from: .plain) {
        $0.send.provider = .known(Symbol(.fcmV1))
        $0.send.token = .known(TokenForm(length: 163, marks: [.colon, .beyondHex]))
      },
      Example("an FCM token, refused", .broken, .tokenWrongSystem, from: .plain) {
        $0.refuse(400, .badDeviceToken)
        $0.send.token = .known(TokenForm(length: 163, marks: [.colon, .beyondHex]))
      },
      Example(
        "the same refusal for sound hex is no question of shape", .holds,
        nearMiss: .tokenWrongSystem, from: .plain
      ) {
        $0.refuse(400, .badDeviceToken)
      },
      Example("the kind says that it is Expo's", .broken, .tokenWrongSystem, from: .plain) {
        $0.refuse(400, .badDeviceToken)
        $0.send.token = .unknown
        $0.send.tokenKind = .known(Symbol(.expo))
      },
      Example("a printed description, refused", .broken, .tokenMalformed, from: .plain) {
        $0.refuse(400, .badDeviceToken)
        $0.send.token = .known(
          TokenForm(length: 71, marks: [.angleBrackets, .spaces]))
      },
      Example("an odd number of digits", .broken, .tokenMalformed, from: .plain) {
        $0.refuse(400, .badDeviceToken)
        $0.send.token = .known(TokenForm(length: 63, marks: []))
      },
      Example("cut to whole bytes, and refused", .broken, .tokenMalformed, from: .plain) {
        $0.refuse(400, .badDeviceToken)
        $0.send.token = .known(TokenForm(length: 32, marks: []))
      },
      Example(
        "longer than usual is no fault", .holds, nearMiss: .tokenMalformed, from: .plain
      ) {
        $0.refuse(400, .badDeviceToken)
        $0.send.token = .known(TokenForm(length: 160, marks: []))
      },
      Example("a VoIP token for an alert", .broken, .tokenKindMismatch, from: .plain) {
        $0.refuse(400, .deviceTokenNotForTopic)
        $0.send.tokenKind = .known(Symbol(.voip))
      },
      Example(
        "a VoIP token and nothing known of the push", .unknown, nearMiss: .tokenKindMismatch,
        from: .plain
      ) {
        $0.refuse(400, .deviceTokenNotForTopic)
        $0.send.tokenKind = .known(Symbol(.voip))
        $0.send.pushType = .unknown
        $0.send.payload = Payload()
      },
    ],
    explain: explainTokenShape)
}

/// Shortest token that was ever seen, in hex digits (F10.5).
private let shortestToken: UInt16 = 64

func judgeTokenShape(_ chain: Chain, _ seen: Sightings) -> StepResult {
  guard seen.send >= 0 else { return StepResult(.unknown, needs: tokenNeeds) }
  // What a gateway takes as a token is the gateway's matter.
  if seen.isGateway { return .notApplicable }
  let send = chain.sends[seen.send]
  let evidence = Evidence(.send, seen.send)
  if case .known(let kind) = send.tokenKind {
    if kind == .fcm || kind == .expo || kind == .onesignal {
      return StepResult(.broken, cause: .tokenWrongSystem, evidence: evidence)
    }
    if let result = judgeKind(kind, chain, seen, evidence) { return result }
  }
  guard case .known(let form) = send.token, !form.marks.contains(.masked) else {
    if seen.isAccepted { return StepResult(.holds, evidence: Evidence(.send, seen.acceptedBy)) }
    return StepResult(.unknown, needs: tokenNeeds)
  }
  if form.isHex {
    if form.length < shortestToken, chain.refusal(seen).map({ $0 == .badDeviceToken }) == true {
      return StepResult(
        .broken, cause: .tokenMalformed, confidence: .likely, evidence: evidence,
        value: Int64(form.length))
    }
    return StepResult(.holds, evidence: evidence, value: Int64(form.length))
  }
  // A log may shorten for display what was sent whole; APNs' 200 shows that it was whole.
  if form.marks == .dots, seen.isAccepted {
    return StepResult(.holds, evidence: Evidence(.send, seen.acceptedBy))
  }
  let isDescription = !form.marks.isDisjoint(with: [.lengthWords, .angleBrackets, .dots])
  if isDescription || form.marks == .spaces || form.marks.isEmpty {
    return StepResult(
      .broken, cause: .tokenMalformed, evidence: evidence, value: Int64(form.length))
  }
  return StepResult(
    .broken, cause: .tokenWrongSystem, evidence: evidence, value: Int64(form.length))
}

private let tokenNeeds: Needs = [Needs(.sendToken), Needs(.sendTokenKind)]

/// A kind that the push type does not ask for; nil where the kind decides nothing.
private func judgeKind(
  _ kind: Symbol, _ chain: Chain, _ seen: Sightings, _ evidence: Evidence
) -> StepResult? {
  let send = chain.sends[seen.send]
  let isCall = kind == .voip
  let isActivity = kind == .liveActivityStart || kind == .liveActivityUpdate
  let isAlert = kind == .alert
  guard isCall || isActivity || isAlert else { return nil }
  guard case .known(let type) = send.pushType else {
    if isCall || isActivity, chain.isRefused(seen),
      send.topicForm.value?.suffix == TopicForm.Suffix.none
    {
      if seen.payload.alert == .visible {
        return StepResult(.broken, cause: .tokenKindMismatch, evidence: evidence)
      }
      return StepResult(
        .unknown, evidence: evidence, needs: [Needs(.sendHeaders), Needs(.sendPayload)],
        candidates: (.tokenKindMismatch, .topicSuffix))
    }
    return nil
  }
  let wantsAlert = type == .alert || type == .background
  let fits =
    wantsAlert ? isAlert : type == .voip ? isCall : type == .liveactivity ? isActivity : true
  if fits { return nil }
  // The payload has to show that the push is what its type says.
  if wantsAlert, seen.payload.alert != .visible, seen.payload.contentAvailable.isOn != true {
    return StepResult(
      .unknown, evidence: evidence, needs: Needs(.sendPayload),
      candidates: (.tokenKindMismatch, .topicSuffix))
  }
  return StepResult(.broken, cause: .tokenKindMismatch, evidence: evidence)
}

private func explainTokenShape(
  _ chain: Chain, _ result: StepResult, _ texts: SymbolTable
) -> String {
  let send = chain.sends.last ?? Send()
  switch result.cause {
  case .tokenWrongSystem:
    return "The text has characters that no APNs token has, or is known to be of another service."
  case .tokenMalformed:
    return
      "The text (\(result.value) characters) is no whole number of bytes in hex digits, or too short."
  case .tokenKindMismatch:
    return "The token is of kind \(chain.text(send.tokenKind, texts)), the push type is "
      + "\(chain.text(send.pushType, texts))."
  default:
    return result.plainSentence(
      holds: result.value > 0
        ? "The text is \(result.value) hex digits." : "APNs accepted the token.",
      unknown: "Nothing is known of the token's text or kind.")
  }
}
