import PushModel

extension CaseBuilder {
  /// Reads `send` or `sends`.
  mutating func readSends() throws(CaseProblem) {
    let evidence = facts.evidence
    if let send = evidence["send"] {
      try readSend(send, "evidence.send")
    } else {
      for (place, send) in (evidence["sends"]?.items ?? []).enumerated() {
        try readSend(send, "evidence.sends.\(place)")
      }
    }
    var forms = TopicForms()
    let texts = SymbolTable()
    for text in workspace.texts { _ = texts.intern(text) }
    for place in chain.sends.indices {
      forms.describe(&chain.sends[place], in: texts)
      // What the description added has to be in the workspace's table too.
      if case .known(let base) = chain.sends[place].topicBase {
        chain.sends[place].topicBase = .known(intern(texts[base]))
      }
    }
  }

  private mutating func readSend(_ value: CaseValue, _ path: String) throws(CaseProblem) {
    guard case .object = value else { return }
    let part = CasePart(value)
    var send = Send()
    send.reference = RecordReference(source: 1, line: UInt32(chain.sends.count + 1))
    send.provider = symbol(part.text("provider").map { $0.lowercased() })
    send.environment = symbol(part.text("environment").map { $0.lowercased() })
    send.host = symbol(part.text("host").map(CaseBuilder.hostName))
    send.tokenKind = symbol(part.text("token_kind"))
    send.tokenEnvironment = symbol(part.text("token_environment"))
    send.token = tokenForm(part.text("token"))
    send.sentAt = try time(part.known("sent_at"), "\(path).sent_at")
    send.credentialEnvironment = symbol(part.text("credential.environment"))
    send.keyID = symbol(part.text("jwt.kid"))
    send.teamID = symbol(part.text("jwt.iss"))
    send.senderClockOffset = part.number("server_clock_offset_s").map { ($0 * 1e6).clamped }
    if case .known(let age) = part.number("jwt.age_s"), case .known(let sentAt) = send.sentAt {
      send.jwtIssuedAt = .known(sentAt - (age * 1e6).clamped)
    }
    for header in value["headers"]?.members ?? [] { read(header, into: &send) }
    try readRequest(part, into: &send)
    try readAnswers(part, path, into: &send)
    if case .known(let bytes) = part.number("payload_bytes") {
      send.payload.sizeBytes = .known(bytes.clamped)
    }
    // Of several sends, one that says nothing takes nothing back.
    let registered = try time(part.known("token_registered_at"), "\(path).token_registered_at")
    if !registered.isUnknown { chain.installation.tokenRegisteredAt = registered }
    let newer = try time(part.known("newer_token_at"), "\(path).newer_token_at")
    if !newer.isUnknown { chain.installation.newerTokenAt = newer }
    // A 410 is about the time before the app registered the same token again (F10.9).
    if case .known(let since) = send.unregisteredAt,
      case .known(let again) = chain.installation.tokenRegisteredAt
    {
      chain.installation.registeredAgainAt = again > since ? .known(again) : .missing
    }
    chain.sends.append(send)
  }

  /// Host name of a host or an address.
  static func hostName(_ text: String) -> String {
    var rest = Substring(text.lowercased())
    if let scheme = rest.firstRange(of: "://") { rest = rest[scheme.upperBound...] }
    return String(rest.prefix { $0 != "/" && $0 != ":" })
  }

  /// Whether a token's text stands for one that a report hides, so that its form says nothing:
  /// `<token>`, `…`, `64 hex digits`. A printed description holds nothing but hex (F10.7).
  static func isPlaceholder(_ text: String) -> Bool {
    if text.contains("…") || text.contains("***") { return true }
    let isDescription = text.hasPrefix("{length")
    let words = text.split { !$0.isLetter }
    let hasWords = words.contains { word in !word.allSatisfy(\.isHexDigit) }
    let hasGaps = text.contains(" ") || (text.hasPrefix("<") && text.hasSuffix(">"))
    return !isDescription && hasGaps && hasWords
  }

  private func tokenForm(_ token: Known<String>) -> Known<TokenForm> {
    guard case .known(var text) = token else { return token.isMissing ? .missing : .unknown }
    let isHidden = CaseBuilder.isPlaceholder(text)
    let record = text.withUTF8 { bytes -> TokenRecord? in
      bytes.baseAddress.map {
        TokenRecord(
          text: ByteText(base: UnsafeRawPointer($0), count: bytes.count), key: workspace.tokenKey)
      }
    }
    guard let record else { return .unknown }
    return .known(
      TokenForm(length: record.length, marks: isHidden ? .masked : record.marks))
  }

  private func read(_ header: CaseValue.Member, into send: inout Send) {
    let value = header.value
    let text: Known<Symbol> =
      switch value {
      case .null: .missing
      case .text(let text): .known(intern(text))
      case .integer(let number): .known(intern(String(number)))
      default: .unknown
      }
    let number: Known<HeaderNumber> =
      switch value {
      case .null: .missing
      case .integer(let number): .known(.number(number))
      case .real(let number):
        Int64(exactly: number).map { .known(.number($0)) } ?? .known(.text(intern("\(number)")))
      case .text(let text):
        Int64(text).map { .known(.number($0)) } ?? .known(.text(intern(text)))
      default: .unknown
      }
    switch header.key.lowercased() {
    case "apns-topic": send.topic = text
    case "apns-push-type": send.pushType = text
    case "apns-priority": send.priority = number
    case "apns-expiration": send.expiration = number
    case "apns-collapse-id":
      send.collapseBytes =
        value.isNull ? .missing : .known(Int64(value.text?.utf8.count ?? 0))
    case "apns-channel-id": send.channel = text
    default: break
    }
  }

  private mutating func readRequest(_ part: CasePart, into send: inout Send) throws(CaseProblem) {
    var faults: RequestFaults = []
    if case .known(let request) = part.known("request") {
      let named = part.text("provider").value.flatMap(Gateway.named)
      if let gateway = named ?? Gateway.recognised(in: request) {
        let message = gateway.message(from: request)
        self.gateway = gateway
        self.message = message
        faults = message.faults
        if send.provider.isUnknown { send.provider = .known(Symbol(gateway.name)) }
        for header in message.headers where part.value?["headers"]?[header.key] == nil {
          read(header, into: &send)
        }
        if let payload = message.payload, let facts = self.payload(payload) {
          sentPayload = payload
          send.payload = facts
          send.payload.sizeBytes = .unknown
        }
        if let state = message.mutableContent { send.payload.mutableContent = state }
        if let state = message.contentAvailable { send.payload.contentAvailable = state }
        send.payload.misplacedMutable.formUnion(message.misplacedMutable)
        send.payload.misplacedAvailable.formUnion(message.misplacedAvailable)
      } else if request["aps"] != nil, let facts = self.payload(request) {
        sentPayload = request
        send.payload = facts
        send.payload.sizeBytes = .unknown
      } else {
        if Flags.find(request, Flags.mutable) { send.payload.misplacedMutable.insert(.gateway) }
        if Flags.find(request, Flags.available) {
          send.payload.misplacedAvailable.insert(.gateway)
        }
        faults.insert(.isFragment)
      }
    }
    if case .known(var payload) = part.known("payload") {
      // A payload may stand as the text that was sent.
      if case .text(let text) = payload, let read = try? CaseJSON.read(Array(text.utf8)) {
        payload = read
      }
      if let facts = self.payload(payload) {
        sentPayload = payload
        let misplaced = (send.payload.misplacedMutable, send.payload.misplacedAvailable)
        send.payload = facts
        send.payload.misplacedMutable.formUnion(misplaced.0)
        send.payload.misplacedAvailable.formUnion(misplaced.1)
      }
    }
    facts.requestFaults.append(faults)
  }

  private mutating func readAnswers(
    _ part: CasePart, _ path: String, into send: inout Send
  ) throws(CaseProblem) {
    func status(_ value: Known<CaseValue>) -> Known<Int64> {
      value.read { $0.whole ?? $0.text.flatMap { Int64($0) } }
    }
    let isGateway = part.text("provider").value.map { $0.lowercased() != "apns" } ?? false
    send.status = status(part.known("response.status"))
    // Gateways say that they took it with other numbers too (201, 202, 204).
    if case .known(let number) = send.status, (201...299).contains(number),
      isGateway || part.text("provider").isUnknown
    {
      send.status = .known(200)
    }
    let message = part.text("response.message").value ?? ""
    let reason =
      part.text("response.reason").value ?? GatewayAnswers.reason(in: message)
      ?? part.known("response").value.flatMap(GatewayAnswers.reason(within:))
    if let reason { send.reason = .known(intern(GatewayAnswers.apnsReason(reason))) }
    send.unregisteredAt = try time(part.known("response.timestamp"), "\(path).response.timestamp")
    if reason != nil, send.status.isUnknown, !isGateway {
      // APNs gives a reason only with a refusal; which number it had does not matter.
      send.status = .known(GatewayAnswers.status(of: reason ?? ""))
    }
    if let reason, !isGateway, send.status == .known(200), GatewayAnswers.isOfAPNs(reason) {
      // APNs' own 200 has no body (F1.62): this one is a library's, about what it did in all.
      send.status = .known(GatewayAnswers.status(of: reason))
    }
    if isGateway, GatewayAnswers.callsTokenInvalid(message) {
      facts.gatewayCallsTokenInvalid = true
    }
    if isGateway, let reason, send.receiptReason.isUnknown,
      send.status.value ?? 200 == 200 || GatewayAnswers.isOfAPNs(reason)
    {
      // What a gateway repeats of APNs' answer, or its own word for it.
      send.receiptReason = .known(intern(GatewayAnswers.apnsReason(reason)))
      send.status = .known(200)
    }
    if case .known(let receipt) = part.known("receipt") {
      if let text = receipt["status"]?.text { send.receiptStatus = .known(intern(text)) }
      let inner = receipt["message"]?.text ?? ""
      if let reason = receipt["reason"]?.text ?? GatewayAnswers.reason(in: inner)
        ?? GatewayAnswers.reason(within: receipt)
      {
        send.receiptReason = .known(intern(GatewayAnswers.apnsReason(reason)))
      }
      // A receipt exists only for a request that the gateway took.
      if send.status.isUnknown { send.status = .known(200) }
    }
  }
}
