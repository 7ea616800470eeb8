import PushModel

extension ChecklistStep {
  /// Asks whether iOS attaches the file.
  static let mediaFile = ChecklistStep(
    id: .mediaFile,
    title: "iOS attaches the file",
    question: "Is it a local file, of a supported type by hint or name, within the size limit?",
    decidedBy: """
      By the error that attaching gave (codes 100, 101, 102), the type and size of the download, and \
      the ending of the URL. iOS takes the type from a hint, else from the file's name; it does not \
      look at the bytes at that moment.
      """,
    facts: ["F5.1", "F5.2", "F5.3", "F5.4", "F5.5", "F5.7", "F5.8", "F5.12"],
    needs: [.eventsExtension, .mediaMagic, .sendPayload],
    matters: .needsExtension,
    outcomes: [
      OutcomeText(.holds, "An attachment was made."),
      OutcomeText(.broken, "iOS did not take the file, and the records say why."),
      OutcomeText(.unknown, "No attempt was recorded, or the error fits two causes."),
      OutcomeText(.notApplicable, "No media was meant and none was attached."),
    ],
    causes: [
      Cause(
        .fileExtensionMissing,
        meaning: """
          The local file's name does not tell its type (no ending, or `.tmp`), and no valid hint was \
          given.
          """,
        toldApartBy: "Error 101 for bytes of a supported type, without an invalid hint.",
        repair: """
          Rename the downloaded file before attaching: take the ending from the answer's MIME type, \
          or pass a type hint such as `public.jpeg`.
          """,
        facts: ["F5.3", "F5.4"]),
      Cause(
        .typeHintNotUti,
        meaning: """
          A type hint was given, but as a MIME type (`image/jpeg`). iOS expects its own type names, \
          and a wrong hint spoils even a good file name.
          """,
        toldApartBy: "Error 101 with a hint that is a MIME type.",
        repair: "Give `public.jpeg`, `public.png`, `com.compuserve.gif`, `public.mpeg-4`.",
        facts: ["F5.3", "F5.5"]),
      Cause(
        .unsupportedFormat,
        meaning: "The bytes are of a type that iOS does not attach: WebP, SVG, AVIF and others.",
        toldApartBy: """
          Error 101 and the type of the answer is one that iOS does not attach; the same picture as \
          JPEG or PNG works.
          """,
        repair: "Convert on the server to JPEG, PNG, GIF, MPEG-4 or MP3.",
        facts: ["F5.1", "F5.2", "F5.4"]),
      Cause(
        .attachmentTooLarge,
        meaning: "The file is over Apple's limit: 10 MB for pictures, 5 MB audio, 50 MB video.",
        toldApartBy: """
          Error 102, or more bytes than the limit of its kind and no attachment in what was shown.
          """,
        repair: "Serve a smaller file made for notifications.",
        facts: ["F5.1", "F5.12"]),
      Cause(
        .attachmentUrlInvalid,
        meaning: """
          What was given is not a readable file inside the extension's own folders: the web URL \
          itself, a file already deleted, or one elsewhere.
          """,
        toldApartBy: "Error 100.",
        repair: """
          Download first, move the file to the extension's temporary folder inside the completion \
          handler, attach that.
          """,
        facts: ["F5.7", "F5.8", "F5.12"]),
    ],
    nextAction: "Look at the code between download and attachment: name, folder, hint.",
    knownLimits: """
      Whether a file whose name and bytes disagree is drawn is contested; the bytes themselves are \
      known only where somebody recorded them.
      """,
    examples: [
      Example("an attachment was made", .holds),
      Example("no attempt was recorded", .unknown) { $0.forgetDevice() },
      Example("the record was lost, and it was handed over", .holds, inDocs: false) {
        $0.lose(.nseAttachmentCreated)
      },
      Example("nothing to attach", .notApplicable, from: .communication),
      Example("101 for a JPEG", .broken, .fileExtensionMissing) { $0.failAttachment(101) },
      Example(
        "101 for a JPEG with a MIME type as hint", .broken, .typeHintNotUti,
        nearMiss: .fileExtensionMissing
      ) {
        $0.failAttachment(101)
        $0.payload.typeHint = .known(Symbol(.imageJpeg))
      },
      Example("101 for a JPEG, payload not known", .unknown) {
        $0.failAttachment(101)
        $0.payload.typeHint = .unknown
      },
      Example("101 with a hint in the record", .broken, .typeHintNotUti) {
        $0.failAttachment(101)
        $0.set(.nseAttachmentFailed, .uti, .word(.imageJpeg))
      },
      Example(
        "101 with a valid hint, for a WebP", .broken, .unsupportedFormat,
        nearMiss: .typeHintNotUti
      ) {
        $0.failAttachment(101)
        $0.payload.typeHint = .known(Symbol(.publicJpeg))
        $0.set(.nseDownloadFinished, .mime, .word(.imageWebp))
      },
      Example("101 for a WebP", .broken, .unsupportedFormat) {
        $0.failAttachment(101)
        $0.set(.nseDownloadFinished, .mime, .word(.imageWebp))
      },
      Example("101 and the type of the bytes is not known", .unknown, nearMiss: .unsupportedFormat)
      {
        $0.failAttachment(101)
        $0.set(.nseDownloadFinished, .mime, .word(.applicationOctetStream))
      },
      Example("102", .broken, .attachmentTooLarge) { $0.failAttachment(102) },
      Example("12 MB, shown without it", .broken, .attachmentTooLarge) {
        $0.set(.nseDownloadFinished, .bytes, .int(12_000_000))
        $0.goWithoutMedia()
      },
      Example("9 MB, attached", .holds, nearMiss: .attachmentTooLarge) {
        $0.set(.nseDownloadFinished, .bytes, .int(9_000_000))
      },
      Example("100", .broken, .attachmentUrlInvalid) { $0.failAttachment(100) },
      Example("105 names no cause", .unknown, nearMiss: .attachmentUrlInvalid) {
        $0.failAttachment(105)
      },
    ],
    explain: explainMediaFile)
}

func judgeMediaFile(_ chain: Chain, _ seen: Sightings) -> StepResult {
  let created = seen.holds(.nseAttachmentCreated) ? chain.lastEvent(.nseAttachmentCreated) : nil
  let failed = seen.holds(.nseAttachmentFailed) ? chain.lastEvent(.nseAttachmentFailed) : nil
  if let created, created > failed ?? -1 {
    return StepResult(.holds, evidence: Evidence(.event, created))
  }
  if let failed { return judgeAttachmentError(chain, seen, failed) }
  if !chain.meaning.contains(.media) { return .notApplicable }
  // What was handed over, however late, had been attached.
  if let handed = chain.handedAttachment(seen) {
    return StepResult(.holds, evidence: Evidence(.event, handed))
  }
  let needs: Needs = [Needs(.eventsExtension), Needs(.mediaMagic)]
  guard seen.holds(.nseDownloadFinished), let finished = chain.lastEvent(.nseDownloadFinished),
    let bytes = chain.integer(.bytes, of: finished),
    let type = chain.text(.mime, of: finished), bytes > limit(of: type)
  else { return StepResult(.unknown, needs: needs) }
  // The text went out, so it was not a kill for memory.
  if seen.handler >= 0, chain.integer(.attachments, of: seen.handler) == 0 {
    return StepResult(
      .broken, cause: .attachmentTooLarge, confidence: .likely,
      evidence: Evidence(.event, finished), Evidence(.event, seen.handler), value: bytes)
  }
  return StepResult(.unknown, evidence: Evidence(.event, finished), needs: needs)
}

private func judgeAttachmentError(_ chain: Chain, _ seen: Sightings, _ failed: Int) -> StepResult {
  let evidence = Evidence(.event, failed)
  let code = chain.integer(.errorCode, of: failed) ?? 0
  if let domain = chain.text(.errorDomain, of: failed), !(domain == .unErrorDomain) {
    return StepResult(.unknown, evidence: evidence, needs: Needs(.log), value: code)
  }
  switch code {
  case 100:
    return StepResult(.broken, cause: .attachmentUrlInvalid, evidence: evidence, value: code)
  case 102:
    return StepResult(.broken, cause: .attachmentTooLarge, evidence: evidence, value: code)
  case 101: return judgeUnrecognisedType(chain, seen, failed)
  default: return StepResult(.unknown, evidence: evidence, needs: Needs(.log), value: code)
  }
}

private func judgeUnrecognisedType(_ chain: Chain, _ seen: Sightings, _ failed: Int) -> StepResult {
  let evidence = Evidence(.event, failed)
  let hint = chain.text(.uti, of: failed) ?? seen.payload.typeHint.value
  if let hint, isMIMEType(hint) {
    return StepResult(.broken, cause: .typeHintNotUti, evidence: evidence, value: 101)
  }
  var type: Symbol?
  var source = Evidence.none
  if seen.holds(.nseDownloadFinished), let finished = chain.lastEvent(.nseDownloadFinished) {
    type = chain.text(.mime, of: finished)
    source = Evidence(.event, finished)
  }
  switch support(of: type) {
  case false:
    return StepResult(.broken, cause: .unsupportedFormat, evidence: evidence, source, value: 101)
  case true:
    // Only a payload that is known can say that it gives no hint.
    if hint == nil, seen.payload.typeHint.isUnknown {
      return StepResult(
        .unknown, evidence: evidence, needs: [Needs(.sendPayload), Needs(.extensionCode)],
        candidates: (.fileExtensionMissing, .typeHintNotUti), value: 101)
    }
    return StepResult(
      .broken, cause: .fileExtensionMissing, evidence: evidence, source, value: 101)
  case nil:
    return StepResult(
      .unknown, evidence: evidence,
      needs: [Needs(.sendPayload), Needs(.media), Needs(.mediaMagic)],
      candidates: (.fileExtensionMissing, .unsupportedFormat), value: 101)
  }
}

/// Whether iOS attaches bytes of a MIME type (F5.1, F5.2); nil where the type tells nothing.
private func support(of type: Symbol?) -> Bool? {
  guard let type else { return nil }
  if type == .imageJpeg || type == .imagePng || type == .imageGif || type == .imageHeic
    || type == .videoMp4 || type == .videoQuicktime || type == .audioMpeg || type == .audioMp4
    || type == .audioWav
  {
    return true
  }
  if type == .imageWebp || type == .imageSvgXml || type == .imageAvif || type == .imageBmp
    || type == .imageTiff || type == .videoWebm || type == .audioOgg || type == .textHtml
    || type == .textPlain || type == .applicationJson
  {
    return false
  }
  return nil
}

private func isMIMEType(_ hint: Symbol) -> Bool {
  hint == .imageJpeg || hint == .imagePng || hint == .imageGif || hint == .imageHeic
    || hint == .imageWebp || hint == .videoMp4 || hint == .audioMpeg || hint == .audioMp4
    || hint == .videoQuicktime || hint == .audioWav
}

/// Apple's limits in bytes by kind (F5.1); the largest of them where the kind is not known.
private func limit(of type: Symbol) -> Int64 {
  let megabyte: Int64 = 1_000_000
  if type == .audioMpeg || type == .audioMp4 || type == .audioWav { return 5 * megabyte }
  if type == .imageJpeg || type == .imagePng || type == .imageGif || type == .imageHeic {
    // Ten binary megabytes, so that a file between the two readings is not accused.
    return 10_485_760
  }
  return 52_428_800
}

private func explainMediaFile(
  _ chain: Chain, _ result: StepResult, _ texts: SymbolTable
) -> String {
  switch result.cause {
  case .fileExtensionMissing:
    return "iOS did not recognise the file's type (101), though the bytes are of a supported one."
  case .typeHintNotUti: return "The type hint is a MIME type, which iOS does not know (101)."
  case .unsupportedFormat: return "iOS does not attach files of this type (101)."
  case .attachmentTooLarge:
    return result.value > 102
      ? "The file has \(result.value) bytes, over the limit of its kind."
      : "The file is over the limit of its kind (102)."
  case .attachmentUrlInvalid: return "What was to be attached is no readable local file (100)."
  default:
    return result.plainSentence(
      holds: "An attachment was made.",
      unknown: result.value > 0
        ? "Attaching failed with \(result.value), which the records do not explain."
        : "No attempt to attach was recorded.")
  }
}

extension ExampleChain {
  /// Attaching failed with a code, and the text went out without the media.
  mutating func failAttachment(_ code: Int64) {
    goWithoutMedia()
    add(
      .nseAttachmentFailed, at: 1420,
      [(.errorDomain, .word(.unErrorDomain)), (.errorCode, .int(code))])
  }
}
