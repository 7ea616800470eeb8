import PushModel

extension ChecklistStep {
  /// Asks whether the extension got the file.
  static let mediaDownload = ChecklistStep(
    id: .mediaDownload,
    title: "The media came",
    question: "Is the URL valid, allowed, reachable, with a sound certificate, and answered 2xx?",
    decidedBy: """
      By the last download that the extension recorded: its error, its HTTP status and type; and by \
      the form of the URL in the payload. The push itself came, so the phone was online.
      """,
    facts: ["F4.20", "F5.7"],
    needs: [.eventsExtension, .media, .sendPayload],
    matters: .needsExtension,
    outcomes: [
      OutcomeText(.holds, "The download ended with a file."),
      OutcomeText(.broken, "No file came, and the record says why."),
      OutcomeText(.unknown, "No download was recorded, or its error names no cause."),
      OutcomeText(.notApplicable, "No media was meant and none was loaded."),
    ],
    causes: [
      Cause(
        .urlInvalid,
        meaning: """
          The media URL cannot be read: a raw space, a missing scheme, or cut short because a URL \
          inside it was not encoded.
          """,
        toldApartBy: """
          The URL as received does not parse, has raw spaces or is shorter than the one sent, or the \
          download failed at once with -1000 or -1002; no request was made.
          """,
        repair: "Percent-encode values that are URLs themselves, and check the scheme.",
        facts: []),
      Cause(
        .atsBlocked,
        meaning: """
          The URL is plain http, and iOS forbids that in the extension unless the extension's own \
          Info.plist makes an exception (the app's exception does not count).
          """,
        toldApartBy: "The download failed with -1022; the scheme is http.",
        repair: "Serve the file over https, or name the host as an exception in the `.appex`.",
        facts: []),
      Cause(
        .mediaHostUnreachable,
        meaning: """
          The media host cannot be reached from where the phone is, although the push itself came.
          """,
        toldApartBy: """
          -1001, -1003, -1004, -1005, -1006 or -1009 in the extension.
          """,
        repair: """
          Use a host that phones reach from every network: no VPN, no internal name, no IPv4 \
          literal.
          """,
        facts: []),
      Cause(
        .mediaTls,
        meaning: "The secure connection to the media host fails.",
        toldApartBy: """
          -1200 to -1206; another process or device may succeed with trust or an identity of its \
          own.
          """,
        repair:
          "Serve the full public certificate chain; give the extension the identity it needs.",
        facts: []),
      Cause(
        .mediaHttpStatus,
        meaning: """
          The server answers, but not with the file: an error status, or a page such as a login.
          """,
        toldApartBy: "The final status is not 2xx, or the type of the answer is HTML.",
        repair: """
          Use a signed or public URL that is valid at the moment of the push, and check status and \
          type before attaching.
          """,
        facts: []),
    ],
    nextAction: "Load the URL from a phone on a mobile network, without any login.",
    knownLimits: """
      A download that was still running when the time was up is a question of time and is judged \
      at the handler.
      """,
    examples: [
      Example("200 with a picture", .holds),
      Example("no download was recorded", .unknown) { $0.forgetDevice() },
      Example("nothing to load for a message from a person", .notApplicable, from: .communication),
      Example("a URL with a raw space, nothing loaded", .broken, .urlInvalid) {
        $0.payload.media = .known(
          URLForm(
            scheme: Symbol(.https), ending: Symbol(.jpg), length: 60, parses: false,
            hasSpaces: true))
        $0.drop(.nseDownloadStarted, .nseDownloadFinished, .nseAttachmentCreated)
        $0.set(.nseHandlerCalled, .attachments, .int(0))
        $0.set(.nseHandlerCalled, .fallback, .bool(true))
      },
      Example(
        "a sound URL, nothing loaded", .unknown, nearMiss: .urlInvalid
      ) {
        $0.drop(.nseDownloadStarted, .nseDownloadFinished, .nseAttachmentCreated)
        $0.set(.nseHandlerCalled, .attachments, .int(0))
        $0.set(.nseHandlerCalled, .fallback, .bool(true))
      },
      Example("-1022 for an http URL", .broken, .atsBlocked) { $0.failDownload(-1022) },
      Example(
        "-1004 for an http URL", .broken, .mediaHostUnreachable, nearMiss: .atsBlocked
      ) {
        $0.failDownload(-1004)
      },
      Example("-1003, the name is not known", .broken, .mediaHostUnreachable) {
        $0.failDownload(-1003)
      },
      Example(
        "-999, somebody cancelled it", .unknown, nearMiss: .mediaHostUnreachable
      ) {
        $0.failDownload(-999)
      },
      Example("-1202, the certificate is not trusted", .broken, .mediaTls) {
        $0.failDownload(-1202)
      },
      Example("-1009 is no question of TLS", .broken, .mediaHostUnreachable, nearMiss: .mediaTls) {
        $0.failDownload(-1009)
      },
      Example("403", .broken, .mediaHttpStatus) { $0.answerMedia(403, .textPlain) },
      Example("200 with a login page", .broken, .mediaHttpStatus) {
        $0.answerMedia(200, .textHtml)
      },
      Example(
        "403, then 200", .holds, nearMiss: .mediaHttpStatus
      ) {
        $0.add(
          .nseDownloadFinished, at: 1100, [(.status, .int(403)), (.mime, .word(.textPlain))])
      },
    ],
    explain: explainMediaDownload)
}

func judgeMediaDownload(_ chain: Chain, _ seen: Sightings) -> StepResult {
  let finished = seen.holds(.nseDownloadFinished) ? chain.lastEvent(.nseDownloadFinished) : nil
  let wantsMedia = chain.meaning.contains(.media)
  guard let finished else {
    if !wantsMedia, !seen.holds(.nseDownloadStarted) { return .notApplicable }
    return judgeWithoutDownload(chain, seen)
  }
  let evidence = Evidence(.event, finished)
  let status = chain.integer(.status, of: finished) ?? 0
  if let code = chain.integer(.errorCode, of: finished), code != 0, status == 0 || status == 200 {
    return judgeDownloadError(code, chain, finished, evidence)
  }
  guard status != 0 else {
    return StepResult(.unknown, evidence: evidence, needs: [Needs(.log), Needs(.media)])
  }
  if status < 200 || status > 299 {
    return StepResult(.broken, cause: .mediaHttpStatus, evidence: evidence, value: status)
  }
  if let type = chain.text(.mime, of: finished), type == .textHtml || type == .applicationXhtml {
    return StepResult(.broken, cause: .mediaHttpStatus, evidence: evidence, value: status)
  }
  return StepResult(.holds, evidence: evidence, value: status)
}

private func judgeWithoutDownload(_ chain: Chain, _ seen: Sightings) -> StepResult {
  let needs: Needs = [Needs(.eventsExtension), Needs(.media)]
  if seen.holds(.nseAttachmentCreated) || seen.holds(.nseAttachmentFailed) {
    // There was a file to attach, wherever it came from.
    let place = chain.firstEvent(.nseAttachmentCreated) ?? chain.firstEvent(.nseAttachmentFailed)
    return StepResult(.holds, evidence: Evidence(.event, place ?? 0))
  }
  if let handed = chain.handedAttachment(seen) {
    return StepResult(.holds, evidence: Evidence(.event, handed))
  }
  if seen.holds(.nseDownloadStarted) {
    return StepResult(
      .unknown, evidence: Evidence(.event, chain.firstEvent(.nseDownloadStarted) ?? 0),
      needs: needs)
  }
  let received = chain.received.media
  let sent = seen.send >= 0 ? chain.sends[seen.send].payload.media : .unknown
  if case .known(let form) = seen.payload.media, !form.parses || form.hasSpaces {
    return StepResult(
      .broken, cause: .urlInvalid,
      confidence: seen.extensionRan >= 0 ? .certain : .likely,
      evidence: chain.payloadEvidence(seen), chain.runEvidence(seen))
  }
  if case .known(let here) = received, case .known(let there) = sent, here.length < there.length {
    return StepResult(
      .broken, cause: .urlInvalid, evidence: chain.payloadEvidence(seen),
      chain.runEvidence(seen), value: Int64(here.length))
  }
  return StepResult(.unknown, needs: needs)
}

private func judgeDownloadError(
  _ code: Int64, _ chain: Chain, _ event: Int, _ evidence: Evidence
) -> StepResult {
  // Only codes of the URL loading system are known here; others name no cause.
  if let domain = chain.text(.errorDomain, of: event), !(domain == .nsurlErrorDomain) {
    return StepResult(.unknown, evidence: evidence, needs: Needs(.log), value: code)
  }
  let cause: CauseID
  switch code {
  case -1000, -1002: cause = .urlInvalid
  case -1022: cause = .atsBlocked
  case -1001, -1003, -1004, -1005, -1006, -1009: cause = .mediaHostUnreachable
  case -1206 ... -1200: cause = .mediaTls
  default: return StepResult(.unknown, evidence: evidence, needs: Needs(.log), value: code)
  }
  return StepResult(.broken, cause: cause, evidence: evidence, value: code)
}

private func explainMediaDownload(
  _ chain: Chain, _ result: StepResult, _ texts: SymbolTable
) -> String {
  switch result.cause {
  case .urlInvalid:
    return result.value < 0
      ? "The download failed at once with \(result.value)." : "The media URL cannot be read."
  case .atsBlocked: return "iOS forbade plain http (-1022)."
  case .mediaHostUnreachable: return "The media host was not reached (\(result.value))."
  case .mediaTls: return "The secure connection failed (\(result.value))."
  case .mediaHttpStatus:
    return result.value > 299 || result.value < 200
      ? "The media server answered \(result.value)." : "The media server answered with a page."
  default:
    return result.plainSentence(
      holds: "The download ended with a file.",
      unknown: result.value < 0
        ? "The download failed with \(result.value), which names no cause."
        : "No download was recorded to its end.")
  }
}

extension ExampleChain {
  /// The download failed with a code of the URL loading system, and the text went out without it.
  mutating func failDownload(_ code: Int64) {
    set(.nseDownloadFinished, .status, .int(0))
    set(.nseDownloadFinished, .bytes, .int(0))
    set(.nseDownloadFinished, .mime, nil)
    set(.nseDownloadFinished, .errorDomain, .word(.nsurlErrorDomain))
    set(.nseDownloadFinished, .errorCode, .int(code))
    goWithoutMedia()
  }

  /// The media server answered so, and the text went out without the media.
  mutating func answerMedia(_ status: Int64, _ type: Word) {
    set(.nseDownloadFinished, .status, .int(status))
    set(.nseDownloadFinished, .mime, .word(type))
    goWithoutMedia()
  }

  /// The handler was called in time, with the fallback.
  mutating func goWithoutMedia() {
    drop(.nseAttachmentCreated)
    set(.nseHandlerCalled, .attachments, .int(0))
    set(.nseHandlerCalled, .fallback, .bool(true))
  }
}
