import PushModel

// What a scrap says about hand-offs. Their own steps judge the listed records; here is what only a
// case file holds.

extension ScrapJudge {
  /// The store's refusal is what an always true rule predicts (F12.5).
  @Sendable static func activationRule(_ look: Look, _ result: StepResult) -> StepResult {
    guard result.outcome == .unknown, look.symptom == .buildOrInstallError,
      look.chain.release.handoff.rule == .known(.truePredicate)
    else { return result }
    return StepResult(
      .broken, cause: .truePredicate, confidence: .likely, evidence: Evidence(.release))
  }

  /// An open request of a share or action extension that led to nothing, where somebody says what
  /// went wrong: Apple does not support it there (F12.9).
  @Sendable static func hostOpened(_ look: Look, _ result: StepResult) -> StepResult {
    if result.isDecided || result.outcome == .holds { return result }
    // iOS itself says that the old selector is forced to fail (F12.10).
    if look.chain.release.handoff.usesOldOpenSelector == .known(true) {
      return StepResult(
        .broken, cause: .hostOpenNotSupported, evidence: Evidence(.release),
        look.line(.handoffOpenRequested).map(look.at) ?? .none)
    }
    guard result.outcome == .unknown, look.symptom != nil,
      let requested = look.line(.handoffOpenRequested),
      look.line(.handoffOpenResult, .handoffUrlReceived, .handoffMailboxRead, .handoffDrained)
        == nil
    else { return result }
    if look.line(.handoffCompleted) != nil {
      return result.open(
        [Needs(.observed), Needs(.eventsApp)], .completedBeforeOpen, .hostOpenNotSupported)
    }
    guard look.chain.release.handoff.mayOpenApp == .known(false) else {
      return result.open(
        [Needs(.extensionInfo), Needs(.eventsApp)], .hostOpenNotSupported)
    }
    return StepResult(
      .broken, cause: .hostOpenNotSupported, confidence: .likely, evidence: look.at(requested),
      Evidence(.release))
  }

  /// An extension that waits for the answer of its open request has not forgotten to complete:
  /// completing belongs into that answer.
  @Sendable static func requestCompleted(_ look: Look, _ result: StepResult) -> StepResult {
    guard result.isDecided, look.line(.handoffOpenRequested) != nil,
      look.line(.handoffOpenResult, .handoffUrlReceived, .handoffMailboxRead, .handoffDrained)
        == nil
    else { return listed(look, result) }
    return StepResult(
      .unknown, evidence: result.evidence.0, needs: [Needs(.eventsApp), Needs(.observed)],
      candidates: (.hostOpenNotSupported, .requestNotCompleted))
  }

  /// A list of records in a case file is what somebody copied: what is not in it makes an answer
  /// likely, never certain.
  @Sendable static func listed(_ look: Look, _ result: StepResult) -> StepResult {
    guard result.outcome == .broken, look.chain.scrap != nil,
      [result.evidence.0, result.evidence.1, result.evidence.2].contains(where: {
        $0.kind == .coverage
      })
    else { return result }
    var result = result
    result.confidence = min(result.confidence, .likely)
    return result
  }
}
