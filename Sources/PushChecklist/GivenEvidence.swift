import PushModel

extension Chain {
  /// Evidence that is here already: to name it as missing helps nobody. Only what a single value holds
  /// is in it; of the rest a part may be here and the deciding part missing.
  func given(_ seen: Sightings) -> Needs {
    var given: Needs = []
    func add(_ need: Need, _ isHere: Bool) {
      if isHere { given.formUnion(Needs(need)) }
    }
    if seen.send >= 0 {
      let send = sends[seen.send]
      add(.sendSentAt, !send.sentAt.isUnknown)
      add(.sendHost, !send.host.isUnknown)
      add(.sendEnvironment, requestEnvironment(seen) != nil)
      add(.sendToken, send.token.value.map { !$0.marks.contains(.masked) } ?? false)
      add(.sendTokenKind, !send.tokenKind.isUnknown)
      add(.sendTokenEnvironment, !send.tokenEnvironment.isUnknown)
      add(
        .sendHeaders,
        !send.topicForm.isUnknown && !send.pushType.isUnknown && !send.priority.isUnknown
          && !send.expiration.isUnknown)
      add(.sendPayload, send.payload.parts.contains(.whole))
    }
    add(.receivedPayload, received.parts.contains(.whole))
    add(.appBundleID, !release.bundle.isUnknown)
    add(.appDistribution, !release.distribution.isUnknown)
    add(.appState, !installation.appState.isUnknown)
    add(.deviceOS, !installation.os.isUnknown)
    if let scrap { given.formUnion(Chain.given(scrap.facts)) }
    return given
  }

  /// Single facts that a case file states.
  private static func given(_ facts: CaseFacts) -> Needs {
    let single: [Need] = [
      .appState, .appDistribution, .appBundleID, .appPlugins, .appCategories, .deviceOS,
      .receivedPayload, .sendTokenKind, .sendTokenEnvironment, .sendEnvironment, .sendHost,
      .sendSentAt, .mediaURL, .mediaFileName, .mediaContentType, .mediaTypeHint,
      .mediaHTTPStatus, .mediaBytes, .mediaTLS, .mediaMagic,
    ]
    var needs: Needs = []
    for need in single where facts.evidence.value(at: need.casePath) != nil {
      needs.formUnion(Needs(need))
    }
    return needs
  }
}
