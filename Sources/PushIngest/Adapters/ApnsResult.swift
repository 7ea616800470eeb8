import PushModel

extension LogAdapter {
  /// What libraries that talk to APNs return, as teams log it.
  static let apnsResult = LogAdapter(
    id: "apns-result",
    title: "Results of APNs libraries (apns2, node-apn and its parse fork) in a team's log lines",
    formatSource: "sideshow/apns2 response.go; node-apn and @parse/node-apn client",
    side: .send,
    clock:
      "of the log line around the result: the result has none. A 410's timestamp is no send time",
    absence: .neverProves(
      because:
        """
        what a library logs is filtered by level and often sampled, and nothing counts its \
        lines
        """),
    redacts: ["device", "device_token", "token", "payload"],
    samples: [
      AdapterSample(
        #"{"time":"2026-03-01T10:00:00.104Z","level":"info","msg":"pushed","token":"46509a0312bcebd9c24cc006547bdc1946951ab1a308516ab4339fc93154ef78","res":{"StatusCode":200,"Reason":"","ApnsID":"5b0f4c1e-7a39-4d58-9a60-2f1d6c0be1aa","Timestamp":"0001-01-01T00:00:00Z","ApnsUniqueID":""}}"#,
        expect: .record),
      AdapterSample(
        #"2026-03-01T10:00:00.104Z INFO result {"sent":[{"device":"46509a0312bcebd9c24cc006547bdc1946951ab1a308516ab4339fc93154ef78"}],"failed":[{"device":"51c435c3a019fe20a9d5fc60012b9a81865c2228dc42ea9d62af58162667162b","status":"410","response":{"reason":"Unregistered","timestamp":1772272800123}}]}"#,
        expect: .record),
      AdapterSample(
        #"{"StatusCode":200,"Reason":"","ApnsID":"5b0f4c1e-7a39-4d58-9a60-2f1d6c0be1aa"}"#,
        expect: .unreadable),
      AdapterSample(
        #"{"time":"2026-03-01T10:00:00.104Z","level":"info","msg":"listening on 8080"}"#,
        expect: .skip),
    ],
    fields: [
      ("StatusCode, status", "APNs' status; (timeout), (aborted) and (error) are no answer"),
      ("Reason, response.reason", "APNs' reason"),
      ("ApnsID, apns-id", "answer header; node-apn before the fork has none"),
      (
        "Timestamp, response.timestamp",
        "since when a token is not active, with 410 only; year 1 is none"
      ),
      ("sent[], failed[]", "one record each"),
      ("fields around the result", "token, topic, collapse id and others under their usual names"),
    ],
    prepare: { head, workspace in
      Envelope.setup(head, workspace, atLeastOne: true) {
        ApnsResultReader.dialect($0, $1) != .none
      }
    },
    read: { piece, workspace in
      Envelope.read(piece, workspace, othersAreSkipped: true) {
        ApnsResultReader.visit($0, $1, &$2, workspace)
      }
    })
}

/// Reads results of APNs libraries and of what is like them.
enum ApnsResultReader {
  enum Dialect { case none, apns2, node, plain }

  private static let marks = KeySet([
    "StatusCode", "ApnsID", "Reason", "sent", "failed", "status", "statusCode", "status_code",
    "apns-id", "apns_id", "apnsId", "apnsID", "reason", "response", "device", "device_token",
    "deviceToken", "error",
  ])

  static func dialect(_ json: JSONTape, _ object: Int) -> Dialect {
    let found = marks.found(in: json, object)
    if found & 0b1 != 0, found & 0b110 != 0 { return .apns2 }
    if found & 0b11000 != 0 {
      // Lists of results, not counts of them.
      return hasList(json, object) ? .node : .none
    }
    let hasStatus = found & 0b1110_0000 != 0
    let hasAnswer = found & 0b1_1111_0000_0000 != 0
    let hasDevice = found & 0b1110_0000_0000_0000 != 0
    if hasStatus, hasAnswer || hasDevice { return .plain }
    if hasDevice, found & 0b10_0001_0000_0000_0000 != 0 { return .plain }
    return .none
  }

  private static func hasList(_ json: JSONTape, _ object: Int) -> Bool {
    json.fields(object).contains { key, value in
      (key.equals("sent") || key.equals("failed")) && json.kind(value) == .array
    }
  }

  /// What is read of the objects around a result; words that mean other things in a log's own
  /// fields (`id`, `host`, `status`) are not among them.
  private static let around = SendLogReader.fields([
    ("device_token", .deviceToken), ("deviceToken", .deviceToken), ("DeviceToken", .deviceToken),
    ("token", .deviceToken), ("device", .deviceToken), ("topic", .topic), ("Topic", .topic),
    ("apns-topic", .topic), ("apns_topic", .topic), ("apnsTopic", .topic),
    ("push_type", .pushType), ("pushType", .pushType), ("PushType", .pushType),
    ("apns-push-type", .pushType), ("apns-priority", .priority), ("apns_priority", .priority),
    ("Priority", .priority), ("apns-expiration", .expiration), ("expiration", .expiration),
    ("Expiration", .expiration), ("collapse_id", .collapseID), ("collapseId", .collapseID),
    ("collapseID", .collapseID), ("CollapseID", .collapseID), ("apns-collapse-id", .collapseID),
    ("notification_id", .notificationID), ("notificationId", .notificationID),
    ("notificationID", .notificationID), ("installation_id", .installationID),
    ("installationId", .installationID), ("environment", .environment), ("env", .environment),
    ("attempt", .attempt), ("payload", .payload), ("Payload", .payload),
    ("campaign_id", .campaignID), ("campaignId", .campaignID), ("apns_id", .apnsID),
    ("apns-id", .apnsID), ("apnsId", .apnsID), ("duration_ms", .durationMS),
    ("durationMs", .durationMS), ("mutable_content", .mutableContent),
    ("payload_bytes", .payloadBytes), ("key_id", .keyID), ("keyId", .keyID),
    ("team_id", .teamID), ("teamId", .teamID), ("expects", .expects),
  ])

  private enum Item: UInt8, FieldCode {
    case none, status, reason, apnsID, uniqueID, since, device, response, error, sent, failed
    case message, attempt
  }
  private static let items = FieldTable<Item>([
    ("StatusCode", .status), ("status", .status), ("statusCode", .status),
    ("status_code", .status), ("Reason", .reason), ("reason", .reason), ("ApnsID", .apnsID),
    ("apns-id", .apnsID), ("apns_id", .apnsID), ("apnsId", .apnsID), ("apnsID", .apnsID),
    ("ApnsUniqueID", .uniqueID), ("apns-unique-id", .uniqueID), ("apns_unique_id", .uniqueID),
    ("apnsUniqueId", .uniqueID), ("Timestamp", .since), ("unregistered_at", .since),
    ("device", .device), ("device_token", .device), ("deviceToken", .device),
    ("response", .response), ("error", .error), ("sent", .sent), ("failed", .failed),
    ("jse_shortmsg", .message), ("message", .message), ("code", .message),
  ])

  static func visit(
    _ json: JSONTape, _ object: Int, _ envelope: inout Envelope, _ workspace: ParseWorkspace
  ) -> Envelope.Answer {
    let dialect = dialect(json, object)
    guard dialect != .none else { return .lookInside }
    var send = SendRecord()
    send.provider = TextValue(Symbol(.apns))
    for layer in envelope.layers {
      SendLogReader.fill(&send, from: layer.json, layer.object, around, workspace)
    }
    guard
      let at = envelope.at ?? ownTime(json, object, dialect, workspace)
        ?? workspace.assumedTime()
    else {
      envelope.failure = (
        "time",
        "is missing: a result has none, and nothing stands around it; --assume-time says one"
      )
      return .passOver
    }
    send.at = at
    if dialect == .node {
      let count = readLists(json, object, send, workspace)
      if count == 0 { envelope.sawOther = true }
      envelope.took(count)
      return .taken
    }
    SendLogReader.fill(&send, from: json, object, around, workspace)
    guard let failure = read(json, object, &send, isResponse: false, workspace) else {
      guard send.status != .min else {
        // Something of a log that happens to have such keys.
        envelope.sawOther = true
        return .lookInside
      }
      workspace.records.sends.append(send)
      envelope.took()
      return .taken
    }
    // A status that is no number is that of something else.
    if dialect == .plain {
      envelope.sawOther = true
      return .lookInside
    }
    envelope.failure = failure
    return .passOver
  }

  /// The time of a log line whose own fields are the result. In an answer `timestamp` is since when
  /// a token is not active.
  private static func ownTime(
    _ json: JSONTape, _ object: Int, _ dialect: Dialect, _ workspace: ParseWorkspace
  ) -> Int64? {
    for (key, value) in json.fields(object) {
      let isTime =
        key.equals("time") || key.equals("ts") || key.equals("@timestamp") || key.equals("sent_at")
        || key.equals("sentAt") || key.equals("date") || key.equals("datetime")
        || (dialect == .node && key.equals("timestamp"))
      if isTime, let at = workspace.looseTime(json, value) { return at }
    }
    return nil
  }

  private static func readLists(
    _ json: JSONTape, _ object: Int, _ template: SendRecord, _ workspace: ParseWorkspace
  ) -> Int {
    var count = 0
    for (key, value) in json.fields(object) {
      let isSent = key.equals("sent")
      guard isSent || key.equals("failed"), json.kind(value) == .array else { continue }
      for element in json.elements(value) {
        guard json.kind(element) == .object else { continue }
        var send = template
        if let failure = read(json, element, &send, isResponse: false, workspace) {
          workspace.note(failure.field, failure.reason)
          send.status = .min
        }
        // The first library says nothing but that APNs took it.
        if send.status == .min { send.status = isSent ? 200 : 0 }
        workspace.records.sends.append(send)
        count += 1
      }
    }
    return count
  }

  /// Fields of one result; what is wrong with its status, if that is no status.
  private static func read(
    _ json: JSONTape, _ object: Int, _ send: inout SendRecord, isResponse: Bool,
    _ workspace: ParseWorkspace
  ) -> (field: String, reason: String)? {
    for (key, value) in json.fields(object) {
      let cell = Cell(json, value)
      switch items.field(key) {
      case .status:
        if let failure = readStatus(cell, &send, workspace) { return failure }
      case .reason:
        if cell.text != nil { send.reason = cell.value(workspace) }
      case .apnsID:
        if cell.text != nil { send.apns = cell.identifier(workspace) }
      case .uniqueID:
        if let text = cell.text { send.uniqueID = workspace.records.append(text.buffer) }
      case .since: readSince(cell, &send, workspace)
      case .device:
        if cell.text != nil { send.token = cell.token(workspace) }
      case .response:
        guard json.kind(value) == .object else { break }
        if let failure = read(json, value, &send, isResponse: true, workspace) { return failure }
        if let since = json.member("timestamp", of: value) {
          readSince(Cell(json, since), &send, workspace)
        }
      case .error: readError(json, value, &send, workspace)
      case .message, .sent, .failed, .attempt, .none: break
      }
    }
    return nil
  }

  /// Words in brackets are how one library says that no answer came.
  private static func readStatus(
    _ cell: Cell, _ send: inout SendRecord, _ workspace: ParseWorkspace
  ) -> (field: String, reason: String)? {
    if let status = cell.whole, (0...999).contains(status) {
      send.status = Int32(status)
      return nil
    }
    if let text = cell.text, text[0] == 0x28 {
      send.status = 0
      send.error = TextValue(workspace.symbol(text.part(1, text.count - 1)))
      return nil
    }
    if cell.isEmpty { return nil }
    return ("status", "is not a whole number from 0 to 999")
  }

  private static func readSince(
    _ cell: Cell, _ send: inout SendRecord, _ workspace: ParseWorkspace
  ) {
    // Go's zero time is year 1.
    if let text = cell.text, text.starts(with: "0001-") { return }
    if let at = cell.time(workspace, isUTC: true), at > 0 { send.unregisteredAt = at }
  }

  /// A transport error: an object with its message under one of a few names, often empty, or a text.
  private static func readError(
    _ json: JSONTape, _ value: Int, _ send: inout SendRecord, _ workspace: ParseWorkspace
  ) {
    switch json.kind(value) {
    case .text:
      let text = json.text(value)
      guard text.count > 0 else { return }
      if text.isPlainWord, send.status != .min, send.status != 0 {
        if send.reason == .absent { send.reason = TextValue(workspace.symbol(text)) }
        return
      }
      send.error = TextValue(TransportError.symbol(text, workspace))
    case .object:
      send.error = TextValue(workspace.interner.intern("transport error"))
      for (key, value) in json.fields(value) {
        let cell = Cell(json, value)
        if items.field(key) == .message, let text = cell.text {
          send.error = TextValue(TransportError.symbol(text, workspace))
        }
      }
    default: return
    }
    if send.status == .min { send.status = 0 }
  }
}
