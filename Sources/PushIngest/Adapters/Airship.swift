import PushModel

extension LogAdapter {
  /// Airship's Real-Time Data Streaming.
  static let airship = LogAdapter(
    id: "airship",
    title: "Airship Real-Time Data Streaming (NDJSON)",
    formatSource: "urbanairship/api-specs, connect event schemas",
    side: .send,
    clock: "ISO 8601 with Z, 0 to 3 fraction digits; when it occurred",
    absence: .neverProves(
      because:
        """
        the stream is kept for seven days, and what phones report comes only from apps with \
        its SDK
        """),
    redacts: ["device.channel", "device.named_user_id", "device.identifiers", "body.payload"],
    samples: [
      AdapterSample(
        #"{"id":"3f0b9a58-2d0f-4a7c-9e11-5c8e2a4d7f60","offset":"1000022881","occurred":"2026-03-01T10:00:00.120Z","processed":"2026-03-01T10:00:01.9Z","type":"SEND","device":{"ios_channel":"a2c1f3de-7b19-4c53-9d2f-0e6b8a7c5d41","channel":"a2c1f3de-7b19-4c53-9d2f-0e6b8a7c5d41","device_type":"IOS","attributes":{"app_version":"4.2.0","push_opt_in":"true"}},"body":{"push_id":"7c0de5a1-1b2c-4d3e-8f90-a1b2c3d4e5f6","alerting":true}}"#,
        expect: .record),
      AdapterSample(
        #"{"id":"3f0b","offset":"1","occurred":"2026-03-01T10:00:00.120Z","type":"SEND_REJECTED","device":{"channel":"a2c1","device_type":"IOS"},"body":{"push_id":"7c0d","status":"BadDeviceToken"}}"#,
        expect: .record),
      AdapterSample(
        #"{"id":"3f0b","offset":"1","occurred":"just now","type":"SEND","device":{"channel":"a2c1","device_type":"IOS"},"body":{"push_id":"7c0d"}}"#,
        expect: .unreadable),
      AdapterSample(
        #"{"id":"3f0c","offset":"2","occurred":"2026-03-01T10:00:00.120Z","type":"TAG_CHANGE","device":{"channel":"a2c1","device_type":"IOS"},"body":{}}"#,
        expect: .skip),
    ],
    fields: [
      (
        "type",
        "SEND: Airship took it; SEND_REJECTED and SEND_ABORTED: why it went no further; OPEN; others are passed over"
      ),
      ("body.push_id, group_id", "the sender's own id, campaign"),
      (
        "device.channel",
        "what Airship knows the installation by, taken as the address; there is no token"
      ),
      ("CONTROL", "passed over: nothing was sent, on purpose"),
    ],
    prepare: { head, workspace in
      Envelope.setup(head, workspace) { AirshipReader.fits($0, $1) }
    },
    read: { piece, workspace in
      Envelope.read(
        piece, workspace, fits: AirshipReader.fits,
        collect: { $2.collect($0, $1, AirshipReader.table, use: AirshipReader.use) },
        finish: AirshipReader.finish)
    })
}

private enum AirshipReader {
  private static let marks = KeySet(["occurred", "type", "body", "offset", "processed", "device"])

  static func fits(_ json: JSONTape, _ object: Int) -> Bool {
    let found = marks.found(in: json, object)
    return found & 0b111 == 0b111 && found & 0b111000 != 0
  }

  enum Field: UInt8, FieldCode {
    case none, occurred, type, body, device, push, group, reason, channel, deviceType, triggering
  }
  static let table = FieldTable<Field>([
    ("occurred", .occurred), ("type", .type), ("body", .body), ("device", .device),
    ("push_id", .push), ("group_id", .group), ("status", .reason), ("reason", .reason),
    ("channel", .channel), ("ios_channel", .channel), ("device_type", .deviceType),
    ("triggering_push", .triggering),
  ])

  static func use(_ field: Field, _ value: Cell, _ depth: Int) -> Draft<Field>.Use {
    switch field {
    case .body, .device, .triggering: depth < 2 ? .enter : .passOver
    case .occurred, .type: depth == 0 ? .keep : .passOver
    case .reason: depth > 0 ? .keep : .passOver
    case .channel: value.text != nil ? .keep : .passOver
    default: .keep
    }
  }

  static func finish(_ draft: Draft<Field>, _ workspace: ParseWorkspace) -> Reading {
    guard let type = draft[.type], type.text != nil else {
      return .unreadable(field: "type", reason: "is missing")
    }
    let isOpen = type.isWord("OPEN")
    let isSend = type.isWord("SEND")
    let isRefused = type.isWord("SEND_REJECTED") || type.isWord("SEND_ABORTED")
    guard isOpen || isSend || isRefused else { return .skip(because: .otherRecord) }
    if let device = draft[.deviceType], device.text != nil, !device.isWord("IOS") {
      return .skip(because: .otherRecord)
    }
    guard let at = draft[.occurred]?.time(workspace, isUTC: true) else {
      return .unreadable(field: "occurred", reason: "is missing or no time")
    }
    let push = draft[.push]?.identifier(workspace) ?? .none
    let token = draft[.channel]?.token(workspace) ?? .none
    if isOpen {
      // Opened without a push that brought it: not about a notification.
      guard push.isPresent else { return .skip(because: .otherRecord) }
      var record = EventRecord()
      record.at = at
      record.name = Symbol(.appOpened)
      record.notification = push
      record.token = token
      workspace.append(record, bundle: nil)
      return .event
    }
    let airship = workspace.interner.intern("airship")
    var send = SendRecord()
    send.at = at
    send.notification = push
    send.token = token
    send.campaign = draft[.group]?.value(workspace) ?? .absent
    if isSend {
      GatewayAnswer.took(&send, airship)
    } else {
      let reason = draft[.reason]?.value(workspace).symbol ?? type.value(workspace).symbol
      GatewayAnswer.refused(&send, airship, reason: reason ?? Symbol(.empty), workspace)
    }
    workspace.records.sends.append(send)
    return .send
  }
}
