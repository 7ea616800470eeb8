import PushModel

// What several steps ask of a chain. Codes only; nothing here makes a text or allocates.

extension Chain {
  /// The reason of the answer that counts, where APNs (or a receipt behind a gateway) refused.
  func refusal(_ seen: Sightings) -> Symbol? {
    guard seen.answer >= 0 else { return nil }
    let send = sends[seen.answer]
    if case .known(let status) = send.status, status != 200 {
      return send.reason.value
    }
    if case .known(let reason) = send.receiptReason { return reason }
    return nil
  }

  /// Whether the answer that counts is a refusal, named or not.
  func isRefused(_ seen: Sightings) -> Bool {
    guard seen.answer >= 0, case .known(let status) = sends[seen.answer].status else {
      return false
    }
    return status != 200 || !sends[seen.answer].receiptReason.isUnknown
  }

  /// Where the answer stands.
  func answerEvidence(_ seen: Sightings) -> Evidence {
    seen.answer >= 0 ? Evidence(.send, seen.answer) : .none
  }

  /// Which environment the request went to: `production` or `sandbox`; nil if nobody said.
  func requestEnvironment(_ seen: Sightings) -> Word? {
    guard seen.send >= 0 else { return nil }
    let send = sends[seen.send]
    if let word = environmentWord(send.environment) { return word }
    guard case .known(let host) = send.host else { return nil }
    if host == .apiPushHost { return .production }
    // An old name of the sandbox, no typing error (F1.2).
    if host == .apiSandboxHost || host == .apiDevelopmentHost { return .sandbox }
    return nil
  }

  /// Which environment the token was issued for, and where that stands. What the phone reported
  /// with the token comes first, then what the signed app says.
  func tokenEnvironment(_ seen: Sightings) -> (environment: Word?, evidence: Evidence) {
    if seen.send >= 0, let word = environmentWord(sends[seen.send].tokenEnvironment) {
      return (word, Evidence(.send, seen.send))
    }
    if let word = environmentWord(installation.apsEnvironment) {
      return (word, Evidence(.installation))
    }
    if let word = environmentWord(release.apsEnvironment) { return (word, Evidence(.release)) }
    guard case .known(let distribution) = release.distribution else { return (nil, .none) }
    // F10.1, F4.61: development builds and simulators are sandbox, everything else production.
    if distribution == .debug || distribution == .simulator {
      return (.sandbox, Evidence(.release))
    }
    if distribution == .adHoc || distribution == .testflight || distribution == .appStore {
      return (.production, Evidence(.release))
    }
    return (nil, .none)
  }

  /// Evidence for what the payload said: the send, else the first event of the phone.
  func payloadEvidence(_ seen: Sightings) -> Evidence {
    if seen.send >= 0 { return Evidence(.send, seen.send) }
    if seen.received >= 0 { return Evidence(.event, seen.received) }
    return scrap == nil ? .none : Evidence(.receivedPayload)
  }

  /// The call of the handler that handed an attachment over, nil if none did.
  func handedAttachment(_ seen: Sightings) -> Int? {
    guard seen.handler >= 0, let count = integer(.attachments, of: seen.handler), count > 0 else {
      return nil
    }
    return seen.handler
  }

  /// Evidence for the extension's run: its first record.
  func runEvidence(_ seen: Sightings) -> Evidence {
    seen.extensionRan >= 0 ? Evidence(.event, seen.extensionRan) : .none
  }

  /// Whether every record of the extension's run up to an event is here.
  func isRunWhole(_ seen: Sightings, to event: Int) -> Bool {
    guard seen.extensionRan >= 0, events[seen.extensionRan].name == .nseDidReceive else {
      return false
    }
    return isWhole(from: seen.extensionRan, to: event)
  }

  /// The text of a known symbol, or a word for not knowing it.
  func text(_ symbol: Known<Symbol>, _ texts: SymbolTable, or other: String = "unknown") -> String {
    symbol.value.map { texts[$0] } ?? other
  }

  /// Status and reason of the answer that counts, in words.
  func answerText(_ result: StepResult, _ texts: SymbolTable) -> String {
    let place = result.evidence.0.kind == .send ? Int(result.evidence.0.place) : sends.count - 1
    guard sends.indices.contains(place), case .known(let status) = sends[place].status else {
      return "no answer was logged"
    }
    if status == 0 {
      return "no answer came (\(text(sends[place].error, texts, or: "no error given")))"
    }
    if status == 200 {
      guard case .known(let reason) = sends[place].receiptReason else { return "APNs answered 200" }
      return "the answer was 200, and a later receipt said \(texts[reason])"
    }
    return "APNs answered \(status), \(text(sends[place].reason, texts, or: "no reason given"))"
  }
}

private func environmentWord(_ name: Known<Symbol>) -> Word? {
  guard case .known(let symbol) = name else { return nil }
  if symbol == .production { return .production }
  // The entitlement calls the sandbox `development` (F10.1).
  if symbol == .sandbox || symbol == .development { return .sandbox }
  return nil
}

/// Whether a reason is one of these.
func isAny(_ reason: Symbol?, _ first: Word, _ second: Word) -> Bool {
  guard let reason else { return false }
  return reason == first || reason == second
}

/// The words for a flag as it was written.
func describe(_ flag: FlagState) -> String {
  switch flag {
  case .unknown: "not known"
  case .absent: "absent"
  case .off: "0 or false"
  case .fraction: "a number between 0 and 1"
  case .negative: "a negative number"
  case .on: "on"
  case .text: "a string"
  case .container: "an array or object"
  case .null: "null"
  }
}

extension StepResult {
  /// The sentence for a result that needs no more than its outcome.
  func plainSentence(holds: String, unknown: String) -> String {
    switch outcome {
    case .holds: holds
    case .unknown: unknown
    case .notApplicable: "Nothing that was meant depends on it."
    case .broken: "Broken."
    }
  }
}
