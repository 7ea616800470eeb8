import PushModel

extension LogAdapter {
  /// Events of OneSignal: event streams and webhooks, and the audience-activity export.
  static let oneSignal = LogAdapter(
    id: "onesignal",
    title: "OneSignal events (event stream JSON; audience-activity CSV, mapped by its header)",
    formatSource: "OneSignal documentation: event streams data, export events",
    side: .send,
    clock: "ISO UTC with milliseconds (event.datetime), else Unix seconds (event.timestamp)",
    absence: .neverProves(
      because:
        """
        an export is of one message, and what phones report comes only from apps with its \
        SDK
        """),
    redacts: ["subscription.id", "user", "event.data"],
    samples: [
      AdapterSample(
        #"{"event":{"kind":"message.push.received","id":"1b9f6b1e-4f3e-4c3b-9f5d-1c2b3a4d5e6f","timestamp":1772359203,"datetime":"2026-03-01T10:00:03.118Z","app_id":"8f1d2c3b-aaaa-4bbb-8ccc-0123456789ab","subscription_device_type":"iOS"},"message":{"id":"d4c3b2a1-0f9e-4d8c-b7a6-5e4f3d2c1b0a"},"subscription":{"id":"c0ffee00-1111-4222-8333-444455556666"}}"#,
        expect: .record),
      AdapterSample(
        "c0ffee00-1111-4222-8333-444455556666,sent,2026-03-01 10:00:00 UTC", expect: .record,
        header: "subscription_id,event,timestamp"),
      AdapterSample(
        #"{"event":{"kind":"message.push.sent","id":"1b9f"},"message":{"id":"d4c3"}}"#,
        expect: .unreadable),
      AdapterSample(
        #"{"event":{"kind":"message.push.sent","timestamp":1772359203,"subscription_device_type":"Android"},"message":{"id":"d4c3"}}"#,
        expect: .skip),
    ],
    fields: [
      (
        "event.kind",
        "sent: OneSignal took it; received: the extension ran; clicked; failed; unsubscribed"
      ),
      ("message.id", "the sender's own id; of an export it stands in the file's name"),
      ("subscription.id", "what OneSignal knows the installation by, taken as the address"),
      (
        "nested objects, dotted or underscored keys",
        "the body of a stream is the customer's own template: all three are read"
      ),
    ],
    prepare: { head, workspace in
      if let setup = OneSignalReader.rows(head) { return setup }
      return Envelope.setup(head, workspace) { OneSignalReader.fits($0, $1) }
    },
    read: { piece, workspace in
      Envelope.read(
        piece, workspace, fits: OneSignalReader.fits, collect: OneSignalReader.collect,
        finish: OneSignalReader.finish)
    })
}

private enum OneSignalReader {
  enum Field: UInt8, FieldCode {
    case none, kind, seconds, datetime, app, device, message, subscription, event, messageObject
    case subscriptionObject, reason
  }
  static let top = FieldTable<Field>([
    ("event", .event), ("message", .messageObject), ("subscription", .subscriptionObject),
    ("event.kind", .kind), ("event_kind", .kind), ("kind", .kind),
    ("event.timestamp", .seconds), ("event_timestamp", .seconds), ("timestamp", .seconds),
    ("event.datetime", .datetime), ("event_datetime", .datetime), ("datetime", .datetime),
    ("event.app_id", .app), ("event_app_id", .app),
    ("event.subscription_device_type", .device), ("event_subscription_device_type", .device),
    ("subscription_device_type", .device), ("device_type", .device), ("message.id", .message),
    ("message_id", .message), ("subscription.id", .subscription),
    ("subscription_id", .subscription), ("event.data.failure_reason", .reason),
  ])
  static let event = FieldTable<Field>([
    ("kind", .kind), ("timestamp", .seconds), ("datetime", .datetime), ("app_id", .app),
    ("subscription_device_type", .device),
  ])
  static let messageObject = FieldTable<Field>([("id", .message)])
  static let subscriptionObject = FieldTable<Field>([("id", .subscription)])

  /// Names that columns of an export may have: their list is not published.
  static let columns = FieldTable<Field>([
    ("subscription_id", .subscription), ("player_id", .subscription),
    ("onesignal_subscription_id", .subscription), ("event", .kind), ("event_type", .kind),
    ("action", .kind), ("status", .kind), ("timestamp", .datetime), ("time", .datetime),
    ("event_time", .datetime), ("event_timestamp", .datetime), ("event_at", .datetime),
    ("created_at", .datetime), ("date", .datetime), ("device_type", .device),
    ("platform", .device), ("subscription_device_type", .device),
    ("message_id", .message), ("notification_id", .message), ("failure_reason", .reason),
    ("error", .reason),
  ]).columns

  static func rows(_ head: SourceHead) -> SourceSetup? {
    guard let rows = head.rows,
      var setup = rows.setup(columns, needed: [], hints: head.hints)
    else { return nil }
    let codes = Set(setup.columns)
    let needed: [Field] = [.subscription, .kind, .datetime]
    guard needed.allSatisfy({ codes.contains($0.rawValue) }) else { return nil }
    // The names alone could be those of other services.
    let message = messageID(inName: head.hints.name)
    setup.sharedID = message ?? ""
    return message != nil || rows.names.contains("subscription_id")
      || rows.names.contains("player_id") ? setup : nil
  }

  /// `events_audience-activity-<message id>-push-<time>.csv.gz`
  static func messageID(inName name: String) -> String? {
    guard let range = name.firstRange(of: "audience-activity-") else { return nil }
    let id = name[range.upperBound...].prefix(36)
    return id.count == 36 && id.filter { $0 == "-" }.count == 4 ? String(id) : nil
  }

  static func fits(_ json: JSONTape, _ object: Int) -> Bool {
    func isPush(_ value: Int) -> Bool {
      json.kind(value) == .text && json.text(value).starts(with: "message.push.")
    }
    return json.fields(object).contains { key, value in
      switch top.field(key) {
      case .kind: isPush(value)
      case .event: isPush(value) || json.member("kind", of: value).map(isPush) ?? false
      default: false
      }
    }
  }

  /// The same names mean other things in each of the objects.
  static func collect(_ json: JSONTape, _ object: Int, _ draft: inout Draft<Field>) {
    for (key, value) in json.fields(object) {
      let isObject = json.kind(value) == .object
      switch top.field(key) {
      case .event where isObject: draft.collect(json, value, event)
      case .event: draft[.kind] = Cell(json, value)
      case .messageObject: if isObject { draft.collect(json, value, messageObject) }
      case .subscriptionObject: if isObject { draft.collect(json, value, subscriptionObject) }
      case .none: break
      case let field: draft[field] = Cell(json, value)
      }
    }
  }

  static func finish(_ draft: Draft<Field>, _ workspace: ParseWorkspace) -> Reading {
    guard
      let at = draft[.datetime]?.time(workspace, isUTC: true)
        ?? draft[.seconds]?.time(workspace, isUTC: true)
    else { return .unreadable(field: "event.timestamp", reason: "is missing or no time") }
    guard let kind = draft[.kind]?.text else {
      return .unreadable(field: "event.kind", reason: "is missing")
    }
    if let device = draft[.device]?.text, !isApple(device) { return .skip(because: .otherRecord) }
    let message =
      draft[.message]?.identifier(workspace) ?? workspace.identifier(workspace.setup.sharedID)
    let token = draft[.subscription]?.token(workspace) ?? .none
    let last = Cell(kind.starts(with: "message.push.") ? kind.part(13, kind.count) : kind)
    if last.isWord("received") || last.isWord("clicked") || last.isWord("confirmed") {
      var record = EventRecord()
      record.at = at
      // Confirmed delivery is reported by the extension.
      record.name = Symbol(last.isWord("clicked") ? .appOpened : .nseDidReceive)
      record.notification = message
      record.token = token
      workspace.append(record, bundle: nil)
      return .event
    }
    var send = SendRecord()
    send.at = at
    send.notification = message
    send.token = token
    send.tokenKind = TextValue(Symbol(.onesignal))
    if last.isWord("sent") || last.isWord("delivered") {
      GatewayAnswer.took(&send, Symbol(.onesignal))
    } else if last.isWord("failed") || last.isWord("unsubscribed") || last.isWord("errored") {
      let reason = draft[.reason]?.text.flatMap { $0.isPlainWord ? $0 : nil }
      GatewayAnswer.refused(
        &send, Symbol(.onesignal),
        reason: workspace.symbol(reason ?? last.text ?? kind), workspace)
    } else {
      return .skip(because: .otherRecord)
    }
    workspace.records.sends.append(send)
    return .send
  }

  private static func isApple(_ device: ByteText) -> Bool {
    let cell = Cell(device)
    return cell.isWord("iOS") || cell.isWord("iOSPush") || cell.isWord("iPhone")
      || cell.isWord("iPad") || cell.isWord("macOS") || cell.isWord("0")
  }
}
