import PushModel

extension ChecklistStep {
  /// Asks whether the extension handed the result back as it should.
  static let handlerTiming = ChecklistStep(
    id: .handlerTiming,
    title: "The extension handed its result back",
    question: "Was the handler called on every path, once, in time, with the right content?",
    decidedBy: """
      By the extension's own records: the call of the content handler with the time it took, the \
      warning that time runs out, and whether a download was still open then. iOS gives an \
      extension 30 seconds, the start of its process included, and shows the original afterwards.
      """,
    facts: ["F4.20", "F4.21", "F4.23", "F4.26", "F4.27"],
    needs: [.eventsExtension, .eventsSequence, .crashReport],
    matters: .needsExtension,
    outcomes: [
      OutcomeText(.holds, "The handler was called once, in time, with what was meant."),
      OutcomeText(.broken, "It was called late, twice, with the wrong content, or never."),
      OutcomeText(
        .unknown,
        "Its record is missing, or it went out without what was meant and nothing says why."
      ),
      OutcomeText(.notApplicable, "Nothing that was meant needs the extension."),
    ],
    causes: [
      Cause(
        .contentHandlerNever,
        meaning: """
          Some path through the extension's code ends without calling the content handler, so iOS \
          waits until the time is up and shows the original.
          """,
        toldApartBy: """
          The run began, no handler followed, no download was open, and the process was alive after \
          the media (the warning came, or the attachment was made) with a log that has no gap; no \
          crash or kill.
          """,
        repair: """
          Call the handler on every path, errors included, and implement \
          `serviceExtensionTimeWillExpire`.
          """,
        facts: ["F4.20", "F4.21", "F4.23"]),
      Cause(
        .contentHandlerLate,
        meaning: "The handler was called, but after the time was up; iOS ignores it then.",
        toldApartBy: """
          The call came at 30 seconds or later, not with the fallback, and no download was open when \
          time ran out.
          """,
        repair: """
          Give the work a budget well below 29 seconds, and hand over the best attempt when the \
          warning comes.
          """,
        facts: ["F4.20", "F4.21"]),
      Cause(
        .contentHandlerTwice,
        meaning: """
          The handler was called more than once for one notification. The first call wins, and it \
          came without the media.
          """,
        toldApartBy: """
          Two calls in one run, the earlier one without what the later one has; typical of two SDKs \
          in one extension.
          """,
        repair: "Let one owner handle each notification, chosen by a key of the payload.",
        facts: []),
      Cause(
        .downloadTooSlow,
        meaning: "The media did not come within the extension's time.",
        toldApartBy: """
          A download was started and not finished when time ran out or the extension gave up; \
          without media all is instant.
          """,
        repair: """
          Set a time-out of 10 to 15 seconds of your own, deliver the text then, and serve smaller \
          files from a near host.
          """,
        facts: ["F4.20", "F4.21"], alsoAt: [.mediaDownload]),
      Cause(
        .expiryReturnsWrongContent,
        meaning: """
          A better version was ready, and the default went out when time ran out.
          """,
        toldApartBy: """
          The media or the changed content was ready before the warning, and the handler was then \
          called with the fallback.
          """,
        repair: "Keep the best attempt in a property and hand that over when the warning comes.",
        facts: ["F4.20"]),
    ],
    nextAction: "Measure the run: where do the seconds between start and handler go?",
    knownLimits: """
      A kill for memory and a handler that is never called look alike unless a crash record, the \
      warning or a system log tells them apart.
      """,
    examples: handlerExamples,
    explain: explainHandler)
}

private let handlerExamples: [Example] = [
  Example("in time, with the picture", .holds),
  Example("the call's record was lost", .unknown) { $0.lose(.nseHandlerCalled) },
  Example("in time, without the picture, nothing says why", .unknown) {
    $0.drop(.nseDownloadStarted, .nseDownloadFinished, .nseAttachmentCreated)
    $0.set(.nseHandlerCalled, .attachments, .int(0))
  },
  Example("warning, no call, whole log", .broken, .contentHandlerNever) {
    $0.drop(.nseHandlerCalled)
    $0.add(.nseWillExpire, at: 29_900, [(.elapsedMs, .int(29_000))])
  },
  Example(
    "no warning, no call, whole log: perhaps killed", .unknown, nearMiss: .contentHandlerNever
  ) {
    $0.drop(.nseHandlerCalled, .nseAttachmentCreated)
  },
  Example("no warning, no call, whole log, the picture was attached", .broken, .contentHandlerNever)
  {
    $0.drop(.nseHandlerCalled, .appPresented)
  },
  Example("no call, and the log has a gap after the warning", .unknown, inDocs: false) {
    $0.add(.nseWillExpire, at: 29_900, [(.elapsedMs, .int(29_000))])
    $0.move(.nseHandlerCalled, to: 29_950)
    $0.lose(.nseHandlerCalled)
  },
  Example("called after 31 seconds", .broken, .contentHandlerLate) {
    $0.add(.nseWillExpire, at: 29_900, [(.elapsedMs, .int(29_000))])
    $0.move(.nseHandlerCalled, to: 31_900)
    $0.set(.nseHandlerCalled, .elapsedMs, .int(31_000))
  },
  Example(
    "called after 31 seconds with the picture, whose record was lost", .broken,
    .contentHandlerLate, inDocs: false
  ) {
    $0.lose(.nseAttachmentCreated)
    $0.add(.nseWillExpire, at: 29_900, [(.elapsedMs, .int(29_000))])
    $0.move(.nseHandlerCalled, to: 31_900)
    $0.set(.nseHandlerCalled, .elapsedMs, .int(31_000))
  },
  Example("called after 31 seconds, the warning was not recorded", .unknown, inDocs: false) {
    $0.drop(.nseAttachmentCreated)
    $0.move(.nseDownloadFinished, to: 27_500)
    $0.move(.nseHandlerCalled, to: 31_900)
    $0.set(.nseHandlerCalled, .elapsedMs, .int(31_000))
    $0.set(.nseHandlerCalled, .attachments, .int(0))
  },
  Example("called after 28 seconds", .holds, nearMiss: .contentHandlerLate) {
    $0.move(.nseHandlerCalled, to: 28_900)
    $0.set(.nseHandlerCalled, .elapsedMs, .int(28_000))
  },
  Example("called twice, the first time without the picture", .broken, .contentHandlerTwice) {
    $0.set(.nseHandlerCalled, .count, .int(2))
    $0.add(
      .nseHandlerCalled, at: 1000,
      [
        (.elapsedMs, .int(100)), (.fallback, .bool(false)), (.attachments, .int(0)),
        (.count, .int(1)),
      ])
  },
  Example("called twice, both with the picture", .holds, nearMiss: .contentHandlerTwice) {
    $0.add(
      .nseHandlerCalled, at: 1500,
      [
        (.elapsedMs, .int(600)), (.fallback, .bool(false)), (.attachments, .int(1)),
        (.count, .int(2)),
      ])
  },
  Example("the download was open when time ran out", .broken, .downloadTooSlow) {
    $0.drop(.nseDownloadFinished, .nseAttachmentCreated)
    $0.add(.nseWillExpire, at: 29_900, [(.elapsedMs, .int(29_000))])
    $0.move(.nseHandlerCalled, to: 29_950)
    $0.set(.nseHandlerCalled, .elapsedMs, .int(29_050))
    $0.set(.nseHandlerCalled, .fallback, .bool(true))
    $0.set(.nseHandlerCalled, .attachments, .int(0))
  },
  Example("the download ended after the warning", .broken, .downloadTooSlow, inDocs: false) {
    $0.drop(.nseAttachmentCreated)
    $0.add(.nseWillExpire, at: 29_900, [(.elapsedMs, .int(29_000))])
    $0.move(.nseDownloadFinished, to: 30_500)
    $0.move(.nseHandlerCalled, to: 31_000)
    $0.set(.nseHandlerCalled, .elapsedMs, .int(30_100))
    $0.set(.nseHandlerCalled, .attachments, .int(0))
  },
  Example(
    "open, but the record of its end may be lost", .unknown, nearMiss: .downloadTooSlow
  ) {
    $0.drop(.nseAttachmentCreated)
    $0.lose(.nseDownloadFinished)
    $0.add(.nseWillExpire, at: 29_900, [(.elapsedMs, .int(29_000))])
    $0.move(.nseHandlerCalled, to: 29_950)
    $0.set(.nseHandlerCalled, .elapsedMs, .int(29_050))
    $0.set(.nseHandlerCalled, .fallback, .bool(true))
    $0.set(.nseHandlerCalled, .attachments, .int(0))
  },
  Example("the picture was ready, the default went out", .broken, .expiryReturnsWrongContent) {
    $0.add(.nseWillExpire, at: 29_900, [(.elapsedMs, .int(29_000))])
    $0.move(.nseHandlerCalled, to: 29_950)
    $0.set(.nseHandlerCalled, .elapsedMs, .int(29_050))
    $0.set(.nseHandlerCalled, .fallback, .bool(true))
    $0.set(.nseHandlerCalled, .attachments, .int(0))
  },
  Example(
    "the picture was ready and went out at the warning", .holds,
    nearMiss: .expiryReturnsWrongContent
  ) {
    $0.add(.nseWillExpire, at: 29_900, [(.elapsedMs, .int(29_000))])
    $0.move(.nseHandlerCalled, to: 29_950)
    $0.set(.nseHandlerCalled, .elapsedMs, .int(29_050))
  },
]

/// How the download stood when time ran out or the handler was called.
private enum Download { case notStarted, open, closed, notKnown }

func judgeHandler(_ chain: Chain, _ seen: Sightings) -> StepResult {
  guard seen.extensionRan >= 0 else {
    return StepResult(.unknown, needs: [Needs(.eventsExtension), Needs(.eventsSequence)])
  }
  guard seen.handler >= 0 else { return judgeWithoutCall(chain, seen) }
  let handler = seen.handler
  let evidence = Evidence(.event, handler)
  if let second = judgeSecondCall(chain, seen) { return second }
  let elapsed = chain.integer(.elapsedMs, of: handler) ?? 0
  let expiry = seen.holds(.nseWillExpire) ? chain.firstEvent(.nseWillExpire) : nil
  let isFallback = chain.boolean(.fallback, of: handler) == true
  if elapsed >= extensionTimeMilliseconds, !isFallback {
    let state =
      expiry.map { download(chain, seen, before: $0) } ?? downloadWithoutWarning(chain, seen)
    switch state {
    case .open:
      return StepResult(
        .broken, cause: .downloadTooSlow, evidence: evidence, startEvidence(chain),
        expiryEvidence(expiry), value: elapsed)
    case .closed, .notStarted:
      return StepResult(
        .broken, cause: .contentHandlerLate, evidence: evidence, expiryEvidence(expiry),
        value: elapsed)
    case .notKnown:
      return StepResult(
        .unknown, evidence: evidence, needs: [Needs(.eventsExtension), Needs(.eventsSequence)],
        candidates: (.contentHandlerLate, .downloadTooSlow), value: elapsed)
    }
  }
  if seen.handlerFulfils { return StepResult(.holds, evidence: evidence, value: elapsed) }
  return judgeCallInTime(chain, seen, elapsed, expiry, isFallback)
}

/// The call came in time and without what was meant.
private func judgeCallInTime(
  _ chain: Chain, _ seen: Sightings, _ elapsed: Int64, _ expiry: Int?, _ isFallback: Bool
) -> StepResult {
  let evidence = Evidence(.event, seen.handler)
  let attachments = chain.integer(.attachments, of: seen.handler)
  let isEmpty = isFallback || attachments == 0
  let end = min(expiry ?? seen.handler, seen.handler)
  if isEmpty, chain.meaning.contains(.media) || seen.holds(.nseDownloadStarted) {
    let state = download(chain, seen, before: end)
    // An extension that gave up before the warning cancelled its own download.
    if state == .open, expiry != nil || isFallback {
      return StepResult(
        .broken, cause: .downloadTooSlow, confidence: expiry == nil ? .likely : .certain,
        evidence: evidence, startEvidence(chain), expiryEvidence(expiry), value: elapsed)
    }
    if state == .notKnown, seen.holds(.nseDownloadStarted), expiry != nil {
      return StepResult(
        .unknown, evidence: evidence, needs: [Needs(.eventsExtension), Needs(.eventsSequence)],
        candidates: (.downloadTooSlow, .expiryReturnsWrongContent), value: elapsed)
    }
  }
  if let expiry, isFallback, isEmpty {
    if let ready = firstReady(chain, seen), ready < expiry, attachments ?? 0 == 0 {
      return StepResult(
        .broken, cause: .expiryReturnsWrongContent, evidence: evidence, Evidence(.event, ready),
        Evidence(.event, expiry), value: elapsed)
    }
  }
  return StepResult(
    .unknown, evidence: evidence, needs: [Needs(.eventsExtension), Needs(.log)], value: elapsed)
}

/// A second call in the run, where the first one lacked what it has.
private func judgeSecondCall(_ chain: Chain, _ seen: Sightings) -> StepResult? {
  let first = seen.handler
  guard let last = chain.lastEvent(.nseHandlerCalled), last != first else { return nil }
  // Two runs of one notification are two runs, not two calls.
  let count = chain.integer(.count, of: last)
  guard count.map({ $0 > 1 }) ?? (chain.eventCount(.nseDidReceive) == 1) else { return nil }
  let before = chain.integer(.attachments, of: first) ?? 0
  let after = chain.integer(.attachments, of: last) ?? 0
  guard after > before else { return nil }
  return StepResult(
    .broken, cause: .contentHandlerTwice, evidence: Evidence(.event, first), Evidence(.event, last),
    value: count ?? 2)
}

/// No call of the handler is here.
private func judgeWithoutCall(_ chain: Chain, _ seen: Sightings) -> StepResult {
  let needs: Needs = [Needs(.eventsExtension), Needs(.eventsSequence), Needs(.crashReport)]
  // A crash is a cause of its own, judged before this step.
  if seen.holds(.nseCrashed) { return StepResult(.unknown, needs: Needs(.crashReport)) }
  guard chain.coverage.holdsExtension else {
    return StepResult(.unknown, evidence: chain.runEvidence(seen), needs: needs)
  }
  let start = seen.extensionRan
  let expiry = seen.holds(.nseWillExpire) ? chain.firstEvent(.nseWillExpire) : nil
  guard let expiry else {
    if chain.events[start].name == .nseDidReceive,
      chain.isCovered(after: start, microseconds: (extensionTimeMilliseconds + 1000) * 1000)
    {
      if download(chain, seen, before: chain.events.count) == .open {
        return StepResult(
          .unknown, evidence: Evidence(.event, start), startEvidence(chain),
          needs: [Needs(.log), Needs(.crashReport)], candidates: (.downloadTooSlow, .extMemory))
      }
      // A kill for memory comes while the media is loaded or decoded (F4.26): a run that was done
      // with it was not killed for it.
      if wasDone(chain, seen) {
        return StepResult(
          .broken, cause: .contentHandlerNever, confidence: .likely,
          evidence: Evidence(.event, start), Evidence(.coverage))
      }
      // Nothing tells a kill from a path that forgets the handler.
      return StepResult(
        .unknown, evidence: Evidence(.event, start), Evidence(.coverage),
        needs: [Needs(.log), Needs(.crashReport)], candidates: (.contentHandlerNever, .extMemory))
    }
    return StepResult(.unknown, evidence: Evidence(.event, start), needs: needs)
  }
  // The process lived until the warning. A call that comes late comes within seconds of the cut,
  // so a minute of log tells a late one from none.
  guard chain.isCovered(after: expiry, microseconds: 60 * second) else {
    return StepResult(
      .unknown, evidence: Evidence(.event, expiry), needs: needs,
      candidates: (.contentHandlerNever, .contentHandlerLate))
  }
  let state = download(chain, seen, before: expiry)
  if state == .notKnown {
    return StepResult(
      .unknown, evidence: Evidence(.event, expiry), needs: needs,
      candidates: (.contentHandlerNever, .downloadTooSlow))
  }
  return StepResult(
    .broken, cause: state == .open ? .downloadTooSlow : .contentHandlerNever,
    evidence: Evidence(.event, start), Evidence(.event, expiry), Evidence(.coverage))
}

/// How the download stood before an event.
/// Whether the last record of the run comes after the media, or is the donation of a message.
private func wasDone(_ chain: Chain, _ seen: Sightings) -> Bool {
  for place in chain.events.indices.reversed()
  where isRunRecord(chain.events[place].name) {
    let name = chain.events[place].name
    return name == .nseAttachmentCreated || name == .nseAttachmentFailed
      || name == .nseContentUpdated || name == .intentDonated || name == .intentFailed
  }
  return false
}

private func download(_ chain: Chain, _ seen: Sightings, before end: Int) -> Download {
  let started = seen.holds(.nseDownloadStarted) ? chain.firstEvent(.nseDownloadStarted) : nil
  let finished = seen.holds(.nseDownloadFinished) ? chain.lastEvent(.nseDownloadFinished) : nil
  let created = seen.holds(.nseAttachmentCreated) ? chain.firstEvent(.nseAttachmentCreated) : nil
  let failed = seen.holds(.nseAttachmentFailed) ? chain.firstEvent(.nseAttachmentFailed) : nil
  // An attachment was tried, so there was a file.
  if let created, created < end { return .closed }
  if let failed, failed < end { return .closed }
  if let finished { return finished < end ? .closed : .open }
  let until = min(end, chain.events.count - 1)
  guard let started else {
    if chain.isRunWhole(seen, to: until) { return .notStarted }
    // Without media in a known payload there was nothing to load.
    return chain.meaning.contains(.media) || !seen.payload.isWhole ? .notKnown : .notStarted
  }
  // A start that is not followed by an end, and no record between them is missing.
  return started < until && chain.isWhole(from: started, to: until) ? .open : .notKnown
}

/// How the download stood at a warning that nobody recorded: the time from the start of the run to
/// its end tells, where the phone's clock is known.
private func downloadWithoutWarning(_ chain: Chain, _ seen: Sightings) -> Download {
  guard seen.holds(.nseDownloadFinished), let finished = chain.lastEvent(.nseDownloadFinished),
    finished < seen.handler
  else {
    let state = download(chain, seen, before: seen.handler)
    // An attachment that was made may have been made after the warning.
    return state == .closed ? .notKnown : state
  }
  if let took = chain.integer(.durationMs, of: finished), took >= 29_000 { return .open }
  guard let start = chain.firstEvent(.nseDidReceive),
    case .known(let startedAt) = chain.events[start].correctedAt,
    case .known(let finishedAt) = chain.events[finished].correctedAt
  else { return .notKnown }
  let after = finishedAt - startedAt
  // The warning comes at about 29 s, less the start of the process (F4.21).
  return after >= 29 * second ? .open : after < 25 * second ? .closed : .notKnown
}

/// The first record that shows that changed content was ready.
private func firstReady(_ chain: Chain, _ seen: Sightings) -> Int? {
  if seen.holds(.nseAttachmentCreated) { return chain.firstEvent(.nseAttachmentCreated) }
  if seen.holds(.nseContentUpdated) { return chain.firstEvent(.nseContentUpdated) }
  return nil
}

private func startEvidence(_ chain: Chain) -> Evidence {
  chain.firstEvent(.nseDownloadStarted).map { Evidence(.event, $0) } ?? .none
}

private func expiryEvidence(_ expiry: Int?) -> Evidence {
  expiry.map { Evidence(.event, $0) } ?? .none
}

private func explainHandler(_ chain: Chain, _ result: StepResult, _ texts: SymbolTable) -> String {
  let elapsed = "\(result.value) ms"
  switch result.cause {
  case .contentHandlerNever: return "The run began and ended without a call of the handler."
  case .contentHandlerLate: return "The handler was called after \(elapsed); the time was up."
  case .contentHandlerTwice: return "The handler was called twice; the first call lacked the media."
  case .downloadTooSlow: return "The download was still open when time ran out."
  case .expiryReturnsWrongContent:
    return "The result was ready, and the fallback went out after \(elapsed)."
  default:
    return result.plainSentence(
      holds: "The handler was called after \(elapsed) with what was meant.",
      unknown: result.candidates.0 == nil
        ? "No record of the handler, or it went out without what was meant and nothing says why."
        : "The records fit two causes and do not choose between them.")
  }
}
