import PushModel

// What a scrap says about the file: its address, the server, the bytes, the attachment.

extension ScrapJudge {
  @Sendable static func mediaDownload(_ look: Look, _ result: StepResult) -> StepResult {
    if result.isDecided { return result }
    let media = look.facts.media
    if case .known(let tls) = media.tls, tls.lowercased() != "ok" {
      return StepResult(
        .broken, cause: .mediaTls, confidence: .likely, evidence: Evidence(.mediaTLS))
    }
    if case .known(let status) = media.httpStatus, status < 200 || status > 299 {
      return StepResult(
        .broken, cause: .mediaHttpStatus, confidence: .likely, evidence: Evidence(.mediaHTTPStatus),
        value: status.clamped)
    }
    let type = media.contentType.value?.lowercased()
    if media.magic.value == "html" || type?.contains("html") == true {
      return StepResult(
        .broken, cause: .mediaHttpStatus, confidence: .likely,
        evidence: Evidence(media.magic.value == "html" ? .mediaMagic : .mediaContentType),
        value: (media.httpStatus.value ?? 200).clamped)
    }
    if look.seen.holds(.nseDownloadFinished), result.outcome == .holds { return result }
    if let address = media.url.value, MediaKinds.isAddress(address) || address.contains(" ") {
      if address.contains(" ") || !MediaKinds.isAddress(address) {
        return StepResult(
          .broken, cause: .urlInvalid, confidence: .likely, evidence: Evidence(.mediaURL))
      }
      if address.lowercased().hasPrefix("http://") { return plainHTTP(look, result, .mediaURL) }
    }
    if case .known(let form) = look.seen.payload.media, form.scheme == .http,
      result.outcome == .unknown
    {
      return plainHTTP(look, result, .receivedPayload)
    }
    guard result.outcome == .unknown else { return result }
    // What would tell without a phone in the hand.
    var needs: Needs = []
    if media.httpStatus.isUnknown { needs.formUnion(Needs(.mediaHTTPStatus)) }
    if media.contentType.isUnknown { needs.formUnion(Needs(.mediaContentType)) }
    if !media.url.isUnknown, !needs.isEmpty {
      var open = result
      open.needs = needs.union([Needs(.eventsExtension), Needs(.log)])
      return open
    }
    return result
  }

  /// Plain http: allowed only by the extension's own plist; the app's exception does not count.
  private static func plainHTTP(_ look: Look, _ result: StepResult, _ need: Need) -> StepResult {
    let info = look.facts.service?.part.known("info").value
    let isDisplayName = info?["App Transport Security Settings"] != nil
    if look.chain.release.serviceAllowsHTTP == .known(false) || isDisplayName {
      return StepResult(
        .broken, cause: .atsBlocked, confidence: .likely, evidence: Evidence(need),
        Evidence(.extensionInfo))
    }
    if look.chain.release.serviceAllowsHTTP == .known(true) { return result }
    return result.open(
      [Needs(.extensionInfo), Needs(.eventsExtension), Needs(.log)], .atsBlocked,
      evidence: Evidence(need))
  }

  @Sendable static func mediaFile(_ look: Look, _ result: StepResult) -> StepResult {
    if result.isDecided || look.seen.holds(.nseAttachmentCreated) { return result }
    let chain = look.chain
    let failed = chain.lastEvent(.nseAttachmentFailed)
    let code = failed.flatMap { chain.integer(.errorCode, of: $0) }
    if let code, code != 101, code != 100, code != 102 { return result }
    if let line = look.line(.systemAttachmentTypeConflict) {
      return result.open(
        [Needs(.mediaMagic), Needs(.mediaTypeHint)], .unsupportedFormat, .typeHintNotUti,
        evidence: look.at(line))
    }
    // Without an attempt that failed only a complaint about the picture makes the file suspect.
    let isMissed =
      failed != nil || look.symptom == .noImage || look.symptom == .plainInsteadOfRich
      || look.symptom == .noAvatar
    guard isMissed else { return result }
    let named = fileFault(look, failed, code)
    if let named { return named }
    guard let failed, code == 101 else { return result }
    var needs: Needs = []
    let media = look.facts.media
    if media.magic.isUnknown { needs.formUnion(Needs(.mediaMagic)) }
    if media.contentType.isUnknown { needs.formUnion(Needs(.mediaContentType)) }
    if media.typeHint.isUnknown { needs.formUnion(Needs(.mediaTypeHint)) }
    return StepResult(
      .unknown, evidence: look.at(failed), needs: needs.isEmpty ? Needs(.log) : needs,
      candidates: candidates101(media), value: 101)
  }

  /// What 101 can still be, where the name has a known ending.
  private static func candidates101(_ media: MediaFacts) -> (CauseID?, CauseID?) {
    let isSound = media.magic.value.flatMap { MediaKinds.isAttachable($0) } == true
    if isSound { return (.typeHintNotUti, .fileExtensionMissing) }
    return (.unsupportedFormat, .typeHintNotUti)
  }

  /// A fault that the facts of the file name.
  private static func fileFault(_ look: Look, _ failed: Int?, _ code: Int64?) -> StepResult? {
    let media = look.facts.media
    let event = failed.map { look.at($0) } ?? .none
    func broken(_ cause: CauseID, _ need: Need, isSure: Bool = false) -> StepResult {
      StepResult(
        .broken, cause: cause, confidence: isSure ? .certain : .likely,
        evidence: failed == nil ? Evidence(need) : event, failed == nil ? .none : Evidence(need),
        value: code ?? 0)
    }
    if case .known(let hint) = media.typeHint, !isUTI(hint), code == nil || code == 101 {
      return broken(.typeHintNotUti, .mediaTypeHint, isSure: code == 101)
    }
    if case .known(let bytes) = media.bytes, MediaKinds.isTooLarge(bytes, media),
      code == nil || code == 102
    {
      return broken(.attachmentTooLarge, .mediaBytes, isSure: code == 102)
    }
    if case .known(let magic) = media.magic, MediaKinds.isAttachable(magic) == false,
      code == nil || code == 101
    {
      return broken(.unsupportedFormat, .mediaMagic, isSure: code == 101)
    }
    let hasHint = media.typeHint.value.map { isUTI($0) } ?? false
    guard code == nil || code == 101, !hasHint else { return nil }
    return nameFault(media, isRefused: code == 101, broken)
  }

  /// The local file's name tells iOS the type (F5.3): none, or one that iOS does not attach.
  private static func nameFault(
    _ media: MediaFacts, isRefused: Bool, _ broken: (CauseID, Need, Bool) -> StepResult
  ) -> StepResult? {
    let isSound = media.magic.value.flatMap { MediaKinds.isAttachable($0) } == true
    let given = media.contentType.value.flatMap { MediaKinds.isAttachable($0) }
    if case .known(let name) = media.fileName {
      let ending = MediaKinds.ending(of: name)
      if let ending, MediaKinds.isAttachable(ending) == false, !isSound {
        return broken(.unsupportedFormat, .mediaFileName, false)
      }
      if ending.map(MediaKinds.isKnownEnding) != true, given != false,
        isRefused || MediaKinds.isTypeless(ending)
      {
        return broken(.fileExtensionMissing, .mediaFileName, false)
      }
    } else if case .known(let url) = media.url, isRefused,
      MediaKinds.ending(of: url).map(MediaKinds.isKnownEnding) != true, given != false
    {
      // The code names the local file after the address, and 101 says that no type was found.
      return broken(.fileExtensionMissing, .mediaURL, false)
    }
    if given == false, !isSound { return broken(.unsupportedFormat, .mediaContentType, false) }
    return nil
  }

  /// Whether a hint is one of Apple's type names (F5.5): dotted words, no slash.
  private static func isUTI(_ hint: String) -> Bool { hint.contains(".") && !hint.contains("/") }

  // MARK: Communication

  @Sendable static func communicationIntent(_ look: Look, _ result: StepResult) -> StepResult {
    // Donating and updating fail under one name; only the code tells which it was (F5.12).
    if result.cause == .interactionNotDonated, let failed = look.chain.lastEvent(.intentFailed),
      look.chain.integer(.errorCode, of: failed) == nil
    {
      return StepResult(
        .unknown, evidence: look.at(failed), needs: [Needs(.eventsExtension), Needs(.log)],
        candidates: (.interactionNotDonated, .intentNotApplied))
    }
    if result.isDecided { return result }
    if let donated = look.chain.firstEvent(.intentDonated),
      let image = look.written(donated)?["attrs"]?["image"]?.text?.lowercased(),
      image.contains("url") || image == "none" || image == "missing"
    {
      // A picture given as a file's address is not in the intent (only bytes travel).
      return StepResult(
        .broken, cause: .intentImage, confidence: .likely, evidence: look.at(donated))
    }
    if let missing = missingIntentRecord(look, result) { return missing }
    guard result.outcome == .unknown, look.symptom == .noAvatar,
      look.chain.firstEvent(.intentDonated) == nil
    else { return result }
    return result.open(
      [Needs(.mediaContentType), Needs(.eventsExtension), Needs(.log)], .intentImage,
      .interactionNotDonated)
  }

  /// Of donation and update one was recorded before the handler and the other was not. A list that
  /// somebody copied proves no absence (F6.3 says that both are needed, not that both are logged), so
  /// what is not in it fits and is not named; a counter would show it, and the step's own rule reads
  /// that.
  private static func missingIntentRecord(_ look: Look, _ result: StepResult) -> StepResult? {
    guard result.outcome == .unknown, look.symptom == .noAvatar, look.seen.handler >= 0 else {
      return nil
    }
    let donated = look.chain.firstEvent(.intentDonated)
    let updated = look.chain.firstEvent(.nseContentUpdated)
    guard (donated == nil) != (updated == nil), let seen = donated ?? updated else { return nil }
    return result.open(
      [Needs(.extensionCode), Needs(.eventsExtension), Needs(.log)],
      donated == nil ? .interactionNotDonated : .intentNotApplied, evidence: look.at(seen))
  }
}
