import PushModel

extension ChecklistStep {
  /// Asks whether the topic is the app's bundle id with the suffix of the push type.
  static let topic = ChecklistStep(
    id: .topic,
    title: "The topic is the app's",
    question: "Is the topic the bundle id with the suffix of the push type?",
    decidedBy: """
      By the header `apns-topic`, the push type, the signed bundle id and APNs' answer. The topic \
      tells APNs which app on the phone the notification is for.
      """,
    facts: ["F1.16", "F1.30", "F1.31", "F1.47", "F2.0"],
    needs: [.sendHeaders, .appBundleID, .sendResponse],
    outcomes: [
      OutcomeText(.holds, "APNs accepted the topic, or it is the bundle id with the right suffix."),
      OutcomeText(.broken, "APNs refused the topic."),
      OutcomeText(
        .unknown, "APNs refused it, and the app's bundle id or the headers are not known."),
    ],
    causes: [
      Cause(
        .topicMissing,
        meaning: """
          The request had no topic, and the credential covers several apps, so APNs cannot choose \
          one.
          """,
        toldApartBy: "400 `MissingTopic`.",
        repair: "Set `apns-topic` to the app's bundle id in every request.",
        facts: ["F1.16", "F2.0"]),
      Cause(
        .topicSuffix,
        meaning: """
          The suffix that belongs to the push type is missing, doubled or of another type: VoIP \
          needs `.voip`, a Live Activity `.push-type.liveactivity`, an alert none.
          """,
        toldApartBy: """
          `BadTopic`, `TopicDisallowed` or `DeviceTokenNotForTopic`, and the suffix is not the one \
          of the push type.
          """,
        repair: """
          Bundle id plus exactly one suffix of the push type; many libraries append it themselves, \
          so give them the bare bundle id.
          """,
        facts: ["F1.16", "F1.30", "F1.47"]),
      Cause(
        .topicWrong,
        meaning: """
          The topic is not this app's bundle id: that of another app or flavour, a placeholder, or \
          with stray characters.
          """,
        toldApartBy: """
          `BadTopic`, `TopicDisallowed` or `DeviceTokenNotForTopic` although the suffix fits, and \
          the topic differs from the signed bundle id or cannot be one.
          """,
        repair: """
          Use the bundle id of the signed app. If it stays refused, read which topics the \
          credential covers.
          """,
        facts: ["F1.16", "F1.31", "F2.0"]),
    ],
    nextAction: "Compare the topic with the bundle id of the app that people run, byte by byte.",
    knownLimits: """
      Which of the three refusals APNs uses for which fault is documented for one of them only, so \
      the topic itself decides.
      """,
    examples: [
      Example("the bundle id, accepted", .holds, from: .plain),
      Example("nothing known of the topic", .unknown, from: .plain) {
        $0.forgetAnswer()
        $0.topic = nil
      },
      Example("no topic", .broken, .topicMissing, from: .plain) {
        $0.refuse(400, .missingTopic)
        $0.topic = nil
        $0.send.topic = .missing
      },
      Example(
        "no topic is no fault where the certificate has only one", .holds,
        nearMiss: .topicMissing, from: .plain
      ) {
        $0.topic = nil
        $0.send.topic = .missing
      },
      Example("a VoIP push to the bare bundle id", .broken, .topicSuffix, from: .call) {
        $0.refuse(400, .topicDisallowed)
        $0.topic = ExampleChain.bundle
      },
      Example("the suffix twice", .broken, .topicSuffix, from: .call) {
        $0.refuse(400, .badTopic)
        $0.topic = ExampleChain.bundle + ".voip.voip"
      },
      Example("an alert to the VoIP topic", .broken, .topicSuffix, from: .plain) {
        $0.refuse(400, .deviceTokenNotForTopic)
        $0.topic = ExampleChain.bundle + ".voip"
      },
      Example(
        "another app's topic has no suffix question", .broken, .topicWrong, nearMiss: .topicSuffix,
        from: .call
      ) {
        $0.refuse(400, .topicDisallowed)
        $0.topic = "com.example.other.voip"
      },
      Example("the topic of another flavour", .broken, .topicWrong, from: .plain) {
        $0.refuse(400, .deviceTokenNotForTopic)
        $0.topic = "com.example.courier.beta"
      },
      Example("a topic with a space", .broken, .topicWrong, from: .plain) {
        $0.refuse(400, .badTopic)
        $0.topic = "com.example.courier "
        $0.bundle = nil
      },
      Example(
        "refused, and the app's bundle id is not known", .unknown, nearMiss: .topicWrong,
        from: .plain
      ) {
        $0.refuse(400, .deviceTokenNotForTopic)
        $0.bundle = nil
      },
      Example(
        "the right topic, refused for the token: a token of another app", .unknown, from: .plain
      ) {
        $0.refuse(400, .deviceTokenNotForTopic)
      },
    ],
    explain: explainTopic)
}

func judgeTopic(_ chain: Chain, _ seen: Sightings) -> StepResult {
  guard seen.send >= 0 else { return StepResult(.unknown, needs: Needs(.sendHeaders)) }
  if seen.isAccepted { return StepResult(.holds, evidence: Evidence(.send, seen.acceptedBy)) }
  if seen.isGateway { return StepResult(.unknown, needs: Needs(.sendReceipt)) }
  let send = chain.sends[seen.send]
  let evidence = Evidence(.send, seen.send)
  let reason = chain.refusal(seen)
  if let reason, reason == .missingTopic {
    return StepResult(.broken, cause: .topicMissing, evidence: evidence)
  }
  guard let reason,
    reason == .badTopic || reason == .topicDisallowed || reason == .deviceTokenNotForTopic
  else {
    return judgeTopicWithoutRefusal(chain, seen, send, evidence)
  }
  return judgeRefusedTopic(
    chain, seen, send, evidence, isOfToken: reason == .deviceTokenNotForTopic)
}

private func judgeTopicWithoutRefusal(
  _ chain: Chain, _ seen: Sightings, _ send: Send, _ evidence: Evidence
) -> StepResult {
  var needs: Needs = []
  if send.topicForm.isUnknown || send.pushType.isUnknown { needs.formUnion(Needs(.sendHeaders)) }
  if chain.release.bundle.isUnknown { needs.formUnion(Needs(.appBundleID)) }
  guard case .known(let form) = send.topicForm, case .known(let base) = send.topicBase,
    case .known(let bundle) = chain.release.bundle, case .known(let type) = send.pushType,
    form.suffix == suffix(of: type), !form.isDoubled, base == bundle
    // A topic that is not as it should be, and that APNs did not refuse: what it says of another send
    // with that topic would tell.
  else { return StepResult(.unknown, needs: needs.isEmpty ? Needs(.sends) : needs) }
  return StepResult(.holds, evidence: evidence, Evidence(.release))
}

private func judgeRefusedTopic(
  _ chain: Chain, _ seen: Sightings, _ send: Send, _ evidence: Evidence, isOfToken: Bool
) -> StepResult {
  guard case .known(let form) = send.topicForm else {
    return StepResult(
      .unknown, evidence: evidence, needs: [Needs(.sendHeaders), Needs(.appBundleID)],
      candidates: (.topicWrong, .topicSuffix))
  }
  if form.hasStrayCharacters {
    return StepResult(.broken, cause: .topicWrong, evidence: evidence)
  }
  if form.isDoubled { return StepResult(.broken, cause: .topicSuffix, evidence: evidence) }
  guard case .known(let type) = send.pushType else {
    return StepResult(
      .unknown, evidence: evidence, needs: [Needs(.sendHeaders), Needs(.appBundleID)],
      candidates: (.topicSuffix, .topicWrong))
  }
  if form.suffix != suffix(of: type) {
    return StepResult(.broken, cause: .topicSuffix, evidence: evidence)
  }
  let bundle = chain.release.bundle.value ?? chain.installation.bundle.value
  guard let bundle, case .known(let base) = send.topicBase else {
    return StepResult(
      .unknown, evidence: evidence, needs: Needs(.appBundleID), candidates: (.topicWrong, nil))
  }
  if base != bundle {
    return StepResult(.broken, cause: .topicWrong, evidence: evidence, Evidence(.release))
  }
  // The topic is right: the token is another app's, or the credential does not cover the app.
  return StepResult(
    .unknown, evidence: evidence,
    needs: isOfToken
      ? [Needs(.sendTokenKind), Needs(.deviceTokens), Needs(.sendCredential)]
      : Needs(.sendCredential))
}

/// The suffix that a push type asks for (§1.3).
func suffix(of type: Symbol) -> TopicForm.Suffix {
  if type == .voip { return .voip }
  if type == .liveactivity { return .liveactivity }
  if type == .complication { return .complication }
  if type == .fileprovider { return .fileprovider }
  if type == .location { return .location }
  if type == .pushtotalk { return .pushtotalk }
  if type == .widgets { return .widgets }
  if type == .controls { return .controls }
  return .none
}

private func explainTopic(_ chain: Chain, _ result: StepResult, _ texts: SymbolTable) -> String {
  let send = chain.sends.last ?? Send()
  let topic = chain.text(send.topic, texts)
  switch result.cause {
  case .topicMissing: return "The request had no topic: \(chain.answerText(result, texts))."
  case .topicSuffix:
    return "The topic `\(topic)` has not the one suffix that push type "
      + "\(chain.text(send.pushType, texts)) asks for: \(chain.answerText(result, texts))."
  case .topicWrong:
    return
      "The topic `\(topic)` is not the bundle id of the app: \(chain.answerText(result, texts))."
  default:
    return result.plainSentence(
      holds: "The topic fits.",
      unknown: result.candidates.0 == nil
        ? unknownTopic(result.needs) : "\(chain.answerText(result, texts)).")
  }
}

private func unknownTopic(_ needs: Needs) -> String {
  switch (needs.contains(Needs(.sendHeaders)), needs.contains(Needs(.appBundleID))) {
  case (true, true): "Headers and bundle id are not known."
  case (true, false): "The headers are not known."
  case (false, true): "The app's bundle id is not known."
  case (false, false): "APNs did not say whether the topic is right."
  }
}
