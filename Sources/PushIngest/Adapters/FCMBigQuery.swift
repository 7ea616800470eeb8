import PushModel

extension LogAdapter {
  /// The message delivery export of Firebase Cloud Messaging, from BigQuery.
  static let fcmBigQuery = LogAdapter(
    id: "fcm-bigquery",
    title: "Firebase Cloud Messaging BigQuery export (NDJSON, JSON array, CSV)",
    formatSource:
      "Firebase documentation, understanding message delivery; table firebase_messaging.data",
    side: .send,
    clock:
      "FCM's server, UTC: text ending in UTC, ISO text, seconds with a fraction, or microseconds",
    redacts: ["instance_id"],
    samples: [
      AdapterSample(
        #"{"event_timestamp":"2026-03-01 10:00:00.312000 UTC","project_number":"481516234210","message_id":"1772359200312044","instance_id":"cYh2Qe9nT0uJ4pXw7ZsLkm","message_type":"DISPLAY_NOTIFICATION","sdk_platform":"IOS","app_name":"com.example.courier","collapse_key":"order-48213","priority":"10","ttl":"3600","topic":"","bulk_id":"0","event":"MESSAGE_ACCEPTED","analytics_label":"order_update"}"#,
        expect: .record),
      AdapterSample(
        "1772359202.99,1772359200312044,cYh2Qe9nT0uJ4pXw7ZsLkm,IOS,com.example.courier,MESSAGE_DELIVERED",
        expect: .record,
        header: "event_timestamp,message_id,instance_id,sdk_platform,app_name,event"),
      AdapterSample(
        #"{"event_timestamp":"soon","message_id":"1","instance_id":"c","sdk_platform":"IOS","event":"MESSAGE_ACCEPTED"}"#,
        expect: .unreadable),
      AdapterSample(
        #"{"event_timestamp":"1772359200312000","message_id":"1","instance_id":"c","sdk_platform":"ANDROID","event":"MESSAGE_ACCEPTED"}"#,
        expect: .skip),
    ],
    fields: [
      ("message_id", "the sender's own id; the payload carries it as gcm.message_id"),
      (
        "instance_id", "what FCM knows the installation by, taken as the address; there is no token"
      ),
      (
        "event",
        "MESSAGE_ACCEPTED: FCM took it, which says nothing of APNs. MESSAGE_DELIVERED: the app's extension ran and reported it. Others: why it went no further"
      ),
      ("sdk_platform", "only IOS is read"),
      ("priority, analytics_label", "priority, campaign"),
      (
        "collapse_key",
        "left out: what the phone sees is apns-collapse-id, which the export has not"
      ),
    ],
    prepare: { head, workspace in
      if let rows = head.rows,
        let setup = rows.setup(
          FCMReader.columns, needed: ["event_timestamp", "event", "instance_id"], hints: head.hints)
      {
        return setup
      }
      return Envelope.setup(head, workspace) { FCMReader.fits($0, $1) }
    },
    read: { piece, workspace in
      if workspace.isRows { return FCMReader.readRow(piece, workspace) }
      return Envelope.read(piece, workspace) { FCMReader.visit($0, $1, &$2, workspace) }
    })
}

private enum FCMReader {
  enum Field: UInt8 {
    case none, at, message, instance, type, platform, app, priority, event, label
  }
  static let names: [(String, Field)] = [
    ("event_timestamp", .at), ("message_id", .message), ("instance_id", .instance),
    ("message_type", .type), ("sdk_platform", .platform), ("app_name", .app),
    ("priority", .priority), ("event", .event),
    ("analytics_label", .label),
  ]
  static let table = KeyTable(names.map { ($0.0, $0.1.rawValue) })
  static let columns = Dictionary(uniqueKeysWithValues: names.map { ($0.0, $0.1.rawValue) })
  private static let marks = KeySet(["event_timestamp", "event", "instance_id", "message_id"])

  static func fits(_ json: JSONTape, _ object: Int) -> Bool {
    let found = marks.found(in: json, object)
    return found & 0b11 == 0b11 && found & 0b1100 != 0
  }

  struct Draft {
    var at: Cell?
    var message: Cell?
    var instance: Cell?
    var type: Cell?
    var platform: Cell?
    var app: Cell?
    var priority: Cell?
    var event: Cell?
    var label: Cell?

    mutating func set(_ code: UInt8, _ cell: Cell) {
      switch Field(rawValue: code) ?? .none {
      case .at: at = cell
      case .message: message = cell
      case .instance: instance = cell
      case .type: type = cell
      case .platform: platform = cell
      case .app: app = cell
      case .priority: priority = cell
      case .event: event = cell
      case .label: label = cell
      case .none: break
      }
    }
  }

  static func readRow(_ piece: UnsafeRawBufferPointer, _ workspace: ParseWorkspace) -> Reading {
    var draft = Draft()
    if let ending = workspace.forEachField(of: piece, { draft.set($0, $1) }) { return ending }
    return finish(draft, workspace)
  }

  static func visit(
    _ json: JSONTape, _ object: Int, _ envelope: inout Envelope, _ workspace: ParseWorkspace
  ) -> Envelope.Answer {
    guard fits(json, object) else { return .lookInside }
    var draft = Draft()
    var place = json.first(object)
    let end = json.end(object)
    while place < end {
      let key = json.text(place)
      draft.set(table.code(key.base, key.count), Cell(json, place + 1))
      place = json.next(place + 1)
    }
    return envelope.take(finish(draft, workspace))
  }

  static func finish(_ draft: Draft, _ workspace: ParseWorkspace) -> Reading {
    guard let at = draft.at?.time(workspace, isUTC: true) else {
      return .unreadable(field: "event_timestamp", reason: "is missing or no time")
    }
    guard let event = draft.event, event.text != nil else {
      return .unreadable(field: "event", reason: "is missing")
    }
    // The original of a topic or group is no message to a phone.
    if draft.platform?.isWord("IOS") != true || draft.type?.isWord("TOPIC") == true {
      return .skip(because: .otherRecord)
    }
    if event.isWord("MESSAGE_DELIVERED") {
      var record = EventRecord()
      record.at = at
      record.name = Symbol(.nseDidReceive)
      record.notification = draft.message?.identifier(workspace) ?? .none
      record.token = draft.instance?.token(workspace) ?? .none
      workspace.append(record, bundle: draft.app?.value(workspace).symbol)
      return .event
    }
    var send = SendRecord()
    send.at = at
    send.notification = draft.message?.identifier(workspace) ?? .none
    send.token = draft.instance?.token(workspace) ?? .none
    send.tokenKind = TextValue(Symbol(.fcm))
    if let priority = draft.priority?.whole, priority > 0 {
      send.priority = HeaderValue(kind: .number, bits: priority)
    }
    send.campaign = draft.label?.value(workspace) ?? .absent
    send.topic = draft.app?.value(workspace) ?? .absent
    if event.isWord("MESSAGE_ACCEPTED") {
      GatewayAnswer.took(&send, Symbol(.fcmV1))
    } else {
      GatewayAnswer.refused(
        &send, Symbol(.fcmV1), reason: event.value(workspace).symbol ?? Symbol(.empty), workspace)
    }
    workspace.records.sends.append(send)
    return .send
  }
}
