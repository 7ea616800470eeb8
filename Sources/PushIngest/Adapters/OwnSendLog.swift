import PushModel

extension LogAdapter {
  /// The toolkit's own send log: one JSON object per attempt (a request to APNs and its answer).
  static let ownSendLog = LogAdapter(
    id: "send-log",
    title: "pushtriage send log, one JSON object per attempt",
    formatSource: "Docs/formats/send-log.md",
    side: .send,
    clock: "RFC 3339 with zone, or a Unix number by its size; the moment the request was sent",
    absence: .neverProves(
      because:
        """
        nothing in it says whether every send is written; accepted ones are often sampled
        """),
    redacts: ["device_token", "payload"],
    samples: [
      AdapterSample(
        #"{"ts":"2026-03-01T10:00:00.104Z","status":200,"apns_id":"5b0f4c1e-7a39-4d58-9a60-2f1d6c0be1aa","topic":"com.example.courier"}"#,
        expect: .record),
      AdapterSample(#"{"ts":"2026-03-01T10:00:00.104Z","apns_id":"x"}"#, expect: .unreadable),
      AdapterSample(#"{"ts":"yesterday","status":200}"#, expect: .unreadable),
      AdapterSample("", expect: .skip),
    ],
    prepare: { head, workspace in
      OwnFormat.setup(head, workspace) { keys in
        keys.contains(.time) && keys.contains(.status) && !keys.contains(.event)
      }
    },
    read: { line, workspace in SendLogReader.read(line, workspace) })
}

/// Keys that tell the two own formats apart.
struct OwnKeys: OptionSet {
  let rawValue: Int
  static let time = OwnKeys(rawValue: 1)
  static let status = OwnKeys(rawValue: 2)
  static let event = OwnKeys(rawValue: 4)
}

enum OwnFormat {
  private static let table = KeyTable([
    ("ts", 1), ("time", 1), ("timestamp", 1), ("sent_at", 1), ("status", 2), ("event", 3),
    ("response", 4),
  ])

  /// How a source is read: an object a line as a rule, else objects printed over lines, without line
  /// ends between them, or in an array; nil if more than half of the first ones do not fit.
  static func setup(
    _ head: SourceHead, _ workspace: ParseWorkspace, fits: (OwnKeys) -> Bool
  ) -> SourceSetup? {
    if share(of: head.lines, workspace: workspace, fits: fits) { return SourceSetup() }
    let loose = head.looseObjects()
    return share(of: loose.pieces, workspace: workspace, fits: fits)
      ? SourceSetup(framing: loose.framing) : nil
  }

  /// What reading a piece gives that is no JSON.
  static func failure(
    _ piece: UnsafeRawBufferPointer, _ code: Int32, _ workspace: ParseWorkspace
  ) -> Reading {
    if piece.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) { return .skip(because: .emptyLine) }
    let setup = workspace.setup
    if case .jsonValues = setup.framing, !piece.contains(0x7B) {
      return Envelope.withoutObject(piece, setup)
    }
    return .unreadable(field: "line", reason: JSONParser.message(code))
  }

  /// Whether more than half of the pieces are JSON objects whose keys fit.
  private static func share(
    of head: [UnsafeRawBufferPointer], workspace: ParseWorkspace, fits: (OwnKeys) -> Bool
  ) -> Bool {
    var good = 0
    for line in head {
      guard let base = line.baseAddress,
        case .tape(let json) = workspace.parser.parse(base, line.count),
        json.kind(json.root) == .object
      else { continue }
      var keys: OwnKeys = []
      collect(json, json.root, into: &keys, depth: 0)
      if fits(keys) { good += 1 }
    }
    return good * 2 > head.count
  }

  private static func collect(_ json: JSONTape, _ object: Int, into keys: inout OwnKeys, depth: Int)
  {
    for (key, value) in json.fields(object) {
      switch table.code(key.base, key.count) {
      case 1 where depth == 0: keys.insert(.time)
      case 2: keys.insert(.status)
      case 3 where depth == 0: keys.insert(.event)
      case 4 where depth == 0 && json.kind(value) == .object:
        collect(json, value, into: &keys, depth: 1)
      default: break
      }
    }
  }
}

/// Fields of a send, as the own log names them.
enum SendField: UInt8, CaseIterable {
  case none, ts, status, reason, unregisteredAt, apnsID, apnsUniqueID, notificationID, attempt
  case deviceToken, environment, host, topic, pushType, priority, expiration, collapseID, channelID
  case payload, payloadBytes, mutableContent, hasAlert, category, provider, campaignID, error
  case installationID, expects, tokenKind, keyID, teamID, jwtIssuedAt, sender, durationMS, receipt
  case headers, response, message, timestamp, credential
}

/// Reads the own send log, and fields of the same names where others log them.
enum SendLogReader {
  private static func table(_ more: [(String, SendField)]) -> KeyTable {
    let common: [(String, SendField)] = [
      ("ts", .ts), ("time", .ts), ("sent_at", .ts), ("status", .status), ("reason", .reason),
      ("unregistered_at", .unregisteredAt), ("apns_id", .apnsID), ("apns-id", .apnsID),
      ("apns_unique_id", .apnsUniqueID), ("apns-unique-id", .apnsUniqueID),
      ("notification_id", .notificationID), ("id", .notificationID), ("attempt", .attempt),
      ("device_token", .deviceToken), ("token", .deviceToken), ("device", .deviceToken),
      ("environment", .environment), ("env", .environment), ("host", .host), ("topic", .topic),
      ("apns-topic", .topic), ("push_type", .pushType), ("apns-push-type", .pushType),
      ("priority", .priority), ("apns-priority", .priority), ("expiration", .expiration),
      ("apns-expiration", .expiration), ("collapse_id", .collapseID),
      ("apns-collapse-id", .collapseID), ("channel_id", .channelID),
      ("apns-channel-id", .channelID), ("payload", .payload), ("payload_bytes", .payloadBytes),
      ("mutable_content", .mutableContent), ("has_alert", .hasAlert), ("category", .category),
      ("provider", .provider), ("campaign_id", .campaignID), ("error", .error),
      ("installation_id", .installationID), ("expects", .expects), ("token_kind", .tokenKind),
      ("key_id", .keyID), ("team_id", .teamID), ("jwt_issued_at", .jwtIssuedAt),
      ("sender", .sender), ("duration_ms", .durationMS), ("receipt", .receipt),
      ("headers", .headers), ("response", .response), ("authorization", .credential),
      ("Authorization", .credential),
    ]
    return KeyTable((common + more).map { ($0.0, $0.1.rawValue) })
  }
  // In `response` a `timestamp` is APNs' own of a 410; at the top it is the time of the send.
  private static let top = table([("timestamp", .ts)])
  private static let inner = table([("timestamp", .unregisteredAt)])
  private static let receipt = KeyTable([("status", 1), ("reason", 2), ("message", 3)])

  /// A table of names for ``fill(_:from:_:_:_:)``.
  static func fields(_ names: [(String, SendField)]) -> KeyTable {
    KeyTable(names.map { ($0.0, $0.1.rawValue) })
  }

  /// Sets those fields of a send that an object has under these names; other keys are not counted
  /// as unknown, and a bad value leaves its field as it was.
  static func fill(
    _ send: inout SendRecord, from json: JSONTape, _ object: Int, _ table: KeyTable,
    _ workspace: ParseWorkspace
  ) {
    var hasTime = false
    var said = Said()
    said.countsUnknown = false
    _ = readObject(json, object, table, workspace, &send, &hasTime, &said)
    if send.shape == 0, said.any {
      send.shape = PayloadReader.shape(
        saidMutable: said.mutable.map { (json, $0) }, alert: said.alert, category: said.category,
        workspace: workspace)
    }
  }

  struct Said {
    var countsUnknown = true
    /// Whether the object stood as text in another one, whose parser is in use.
    var isInText = false
    var mutable: Int?
    var alert: Bool?
    var category: TextValue = .absent
    var any = false
  }

  static func read(_ line: UnsafeRawBufferPointer, _ workspace: ParseWorkspace) -> Reading {
    guard let base = line.baseAddress, line.count > 0 else { return .skip(because: .emptyLine) }
    let json: JSONTape
    switch workspace.parser.parse(base, line.count) {
    case .tape(let tape): json = tape
    case .failure(let code): return OwnFormat.failure(line, code, workspace)
    }
    guard json.kind(json.root) == .object else {
      return .unreadable(field: "line", reason: "is not a JSON object")
    }
    var send = SendRecord()
    var hasTime = false
    var said = Said()
    if let failure = readObject(
      json, json.root, top, workspace, &send, &hasTime, &said)
    {
      return failure
    }
    guard hasTime else { return .unreadable(field: "ts", reason: "is missing") }
    guard send.status != .min else { return .unreadable(field: "status", reason: "is missing") }
    if send.shape == 0, said.any {
      send.shape = PayloadReader.shape(
        saidMutable: said.mutable.map { (json, $0) }, alert: said.alert, category: said.category,
        workspace: workspace)
    }
    workspace.records.sends.append(send)
    return .send
  }

  private static func readObject(
    _ json: JSONTape, _ object: Int, _ table: KeyTable, _ workspace: ParseWorkspace,
    _ send: inout SendRecord, _ hasTime: inout Bool, _ said: inout Said
  ) -> Reading? {
    for (key, value) in json.fields(object) {
      guard let field = SendField(rawValue: table.code(key.base, key.count)) else { continue }
      switch field {
      case .ts, .timestamp:
        guard let at = workspace.time(json, value) else {
          return .unreadable(
            field: key.string, reason: "is not an RFC 3339 time with a zone, nor a Unix number")
        }
        send.at = at
        hasTime = true
      case .status:
        guard let status = status(json, value) else {
          return .unreadable(field: "status", reason: "is not a whole number from 0 to 999")
        }
        send.status = status
      case .reason: send.reason = workspace.textValue(json, value, "reason")
      case .unregisteredAt:
        if json.kind(value) == .null { break }
        if let at = workspace.time(json, value) {
          send.unregisteredAt = at
        } else {
          workspace.note("unregistered_at", "is not a time")
        }
      case .apnsID: send.apns = workspace.identifier(json, value, "apns_id")
      case .apnsUniqueID:
        if json.kind(value) == .text {
          send.uniqueID = workspace.records.append(json.text(value).buffer)
        }
      case .notificationID: send.notification = workspace.identifier(json, value, "notification_id")
      case .attempt:
        if let attempt = json.wholeNumber(value), attempt >= 1, attempt <= Int64(Int32.max) {
          send.attempt = Int32(attempt)
        } else if json.kind(value) != .null {
          workspace.note("attempt", "is not a whole number from 1")
        }
      case .deviceToken: send.token = workspace.token(json, value, "device_token")
      case .environment:
        send.environment = environment(workspace.textValue(json, value, "environment"), workspace)
      case .host: send.host = workspace.textValue(json, value, "host")
      case .topic: send.topic = workspace.textValue(json, value, "topic")
      case .pushType: send.pushType = workspace.textValue(json, value, "push_type")
      case .priority: send.priority = workspace.headerValue(json, value, "priority")
      case .expiration: send.expiration = workspace.headerValue(json, value, "expiration")
      case .collapseID:
        if json.kind(value) == .null { send.collapseIsNull = true }
        send.collapse = workspace.identifier(json, value, "collapse_id")
      case .channelID: send.channel = workspace.textValue(json, value, "channel_id")
      case .payload:
        if json.kind(value) == .object {
          send.shape = PayloadReader.shape(json, value, workspace: workspace)
        } else if json.kind(value) != .null {
          workspace.note("payload", "is not an object")
        }
      case .payloadBytes:
        if let bytes = json.wholeNumber(value), bytes >= 0, bytes <= Int64(Int32.max) {
          send.payloadBytes = Int32(bytes)
        } else if json.kind(value) != .null {
          workspace.note("payload_bytes", "is not a whole number")
        }
      case .mutableContent:
        said.mutable = value
        said.any = true
      case .hasAlert:
        switch json.kind(value) {
        case .yes: said.alert = true
        case .no: said.alert = false
        default: break
        }
        said.any = said.any || said.alert != nil
      case .category:
        said.category = workspace.textValue(json, value, "category")
        said.any = true
      case .provider: send.provider = workspace.textValue(json, value, "provider")
      case .campaignID: send.campaign = workspace.textValue(json, value, "campaign_id")
      case .error: send.error = workspace.textValue(json, value, "error")
      case .installationID:
        let identifier = workspace.installation(
          workspace.identifier(json, value, "installation_id"))
        send.installation = identifier.hash
        send.installationText = identifier.text
      case .expects: expects(json, value, workspace, &send)
      case .tokenKind: send.tokenKind = workspace.textValue(json, value, "token_kind")
      case .keyID: send.keyID = workspace.textValue(json, value, "key_id")
      case .teamID: send.teamID = workspace.textValue(json, value, "team_id")
      case .jwtIssuedAt:
        if json.kind(value) == .null { break }
        if let at = workspace.time(json, value) {
          send.jwtIssuedAt = at
        } else {
          workspace.note("jwt_issued_at", "is not a time")
        }
      case .sender: send.sender = workspace.textValue(json, value, "sender")
      case .durationMS:
        if let milliseconds = json.real(value), milliseconds >= 0, milliseconds < 1e9 {
          send.answeredAfter = Int64((milliseconds * 1000).rounded())
        } else if json.kind(value) != .null {
          workspace.note("duration_ms", "is not a number")
        }
      case .receipt, .headers, .response:
        let failure: Reading?
        if json.kind(value) == .object {
          failure = readPart(field, json, value, workspace, &send, &hasTime, &said)
        } else {
          failure = readPart(field, text: json, value, workspace, &send, &hasTime, said)
        }
        if let failure { return failure }
      // Left out on purpose.
      case .credential: break
      case .none, .message: if said.countsUnknown { workspace.countUnknown("", key) }
      }
    }
    return nil
  }

  /// Reads an object whose keys count as those of the line, or a receipt.
  private static func readPart(
    _ field: SendField, _ json: JSONTape, _ object: Int, _ workspace: ParseWorkspace,
    _ send: inout SendRecord, _ hasTime: inout Bool, _ said: inout Said
  ) -> Reading? {
    if field == .receipt {
      readReceipt(json, object, workspace, &send)
      return nil
    }
    return readObject(
      json, object, field == .response ? inner : top, workspace, &send, &hasTime, &said)
  }

  /// The same where its JSON was written as a text, as the body of an answer comes.
  private static func readPart(
    _ field: SendField, text json: JSONTape, _ value: Int, _ workspace: ParseWorkspace,
    _ send: inout SendRecord, _ hasTime: inout Bool, _ said: Said
  ) -> Reading? {
    guard json.kind(value) == .text else {
      if json.kind(value) != .null, said.countsUnknown { workspace.note("\(field)", notAnObject) }
      return nil
    }
    let text = json.text(value)
    // The body of an answer 200 is empty.
    if text.count == 0 { return nil }
    let inner = workspace.innerTexts[0]
    if !said.isInText { inner.set(text) }
    guard !said.isInText, text.buffer.first(where: { $0 > 0x20 }) == 0x7B,
      case .tape(let object) = inner.parser.parse(inner.base, text.count),
      object.kind(object.root) == .object
    else {
      if said.countsUnknown { workspace.note("\(field)", notAnObject) }
      return nil
    }
    // What it says of a payload would be looked for in the outer document.
    var own = Said()
    own.countsUnknown = said.countsUnknown
    own.isInText = true
    return readPart(field, object, object.root, workspace, &send, &hasTime, &own)
  }

  private static let notAnObject = "is neither an object nor the JSON of one"

  private static func status(_ json: JSONTape, _ value: Int) -> Int32? {
    if let whole = json.wholeNumber(value) { return (0...999).contains(whole) ? Int32(whole) : nil }
    guard json.kind(value) == .text else { return nil }
    let text = json.text(value)
    guard (1...3).contains(text.count) else { return nil }
    var status: Int32 = 0
    for index in 0..<text.count {
      guard text[index] &- 0x30 < 10 else { return nil }
      status = status * 10 + Int32(text[index] &- 0x30)
    }
    return status
  }

  /// `development` is what some senders call the sandbox (F1.1, F1.2).
  private static func environment(_ value: TextValue, _ workspace: ParseWorkspace) -> TextValue {
    guard let symbol = value.symbol else { return value }
    return symbol == .development ? TextValue(Symbol(.sandbox)) : value
  }

  private static func expects(
    _ json: JSONTape, _ value: Int, _ workspace: ParseWorkspace, _ send: inout SendRecord
  ) {
    func add(_ place: Int) {
      guard json.kind(place) == .text else { return workspace.note("expects", "holds no string") }
      let word = json.text(place).string
      if let meaning = Meaning(word: word) {
        send.expects.insert(meaning)
      } else {
        workspace.note(
          "expects",
          "holds an unknown word; known are \(Meaning.words.map(\.word).joined(separator: ", "))")
      }
    }
    switch json.kind(value) {
    case .array:
      for element in json.elements(value) { add(element) }
    case .text: add(value)
    case .null: break
    default: workspace.note("expects", "is not an array of strings")
    }
  }

  private static func readReceipt(
    _ json: JSONTape, _ object: Int, _ workspace: ParseWorkspace, _ send: inout SendRecord
  ) {
    for (key, value) in json.fields(object) {
      switch receipt.code(key.base, key.count) {
      case 1: send.receiptStatus = workspace.textValue(json, value, "receipt.status")
      case 2: send.receiptReason = workspace.textValue(json, value, "receipt.reason")
      case 3:
        if send.receiptReason == .absent {
          send.receiptReason = workspace.textValue(json, value, "receipt.message")
        }
      default: workspace.countUnknown("receipt.", key)
      }
    }
  }
}
