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
    absence: .neverProves(
      because:
        """
        rows arrive hours late, and a delivery stands there only where the app's extension \
        reported it
        """),
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
          FCMReader.table.columns, needed: ["event_timestamp", "event", "instance_id"],
          hints: head.hints)
      {
        return setup
      }
      return Envelope.setup(head, workspace) { FCMReader.fits($0, $1) }
    },
    read: { piece, workspace in
      Envelope.read(
        piece, workspace, fits: FCMReader.fits,
        collect: { $2.collect($0, $1, FCMReader.table) }, finish: FCMReader.finish)
    })
}

private enum FCMReader {
  enum Field: UInt8, FieldCode {
    case none, at, message, instance, type, platform, app, priority, event, label
  }
  static let table = FieldTable<Field>([
    ("event_timestamp", .at), ("message_id", .message), ("instance_id", .instance),
    ("message_type", .type), ("sdk_platform", .platform), ("app_name", .app),
    ("priority", .priority), ("event", .event),
    ("analytics_label", .label),
  ])
  private static let marks = KeySet(["event_timestamp", "event", "instance_id", "message_id"])

  static func fits(_ json: JSONTape, _ object: Int) -> Bool {
    let found = marks.found(in: json, object)
    return found & 0b11 == 0b11 && found & 0b1100 != 0
  }

  static func finish(_ draft: Draft<Field>, _ workspace: ParseWorkspace) -> Reading {
    guard let at = draft[.at]?.time(workspace, isUTC: true) else {
      return .unreadable(field: "event_timestamp", reason: "is missing or no time")
    }
    guard let event = draft[.event], event.text != nil else {
      return .unreadable(field: "event", reason: "is missing")
    }
    // The original of a topic or group is no message to a phone.
    if draft[.platform]?.isWord("IOS") != true || draft[.type]?.isWord("TOPIC") == true {
      return .skip(because: .otherRecord)
    }
    if event.isWord("MESSAGE_DELIVERED") {
      var record = EventRecord()
      record.at = at
      record.name = Symbol(.nseDidReceive)
      record.notification = draft[.message]?.identifier(workspace) ?? .none
      record.token = draft[.instance]?.token(workspace) ?? .none
      workspace.append(record, bundle: draft[.app]?.value(workspace).symbol)
      return .event
    }
    var send = SendRecord()
    send.at = at
    send.notification = draft[.message]?.identifier(workspace) ?? .none
    send.token = draft[.instance]?.token(workspace) ?? .none
    send.tokenKind = TextValue(Symbol(.fcm))
    if let priority = draft[.priority]?.whole, priority > 0 {
      send.priority = HeaderValue(kind: .number, bits: priority)
    }
    send.campaign = draft[.label]?.value(workspace) ?? .absent
    send.topic = draft[.app]?.value(workspace) ?? .absent
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
