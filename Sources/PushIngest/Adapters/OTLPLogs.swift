import PushModel

extension LogAdapter {
  /// OpenTelemetry logs as a collector's file exporter writes them.
  static let otlpLogs = LogAdapter(
    id: "otlp-logs",
    title: "OpenTelemetry logs (OTLP/JSON), attribute names as said with --attribute",
    formatSource: "open-telemetry/opentelemetry-proto logs; OTLP/JSON encoding",
    side: .device,
    clock: "Unix nanoseconds, UTC (timeUnixNano, else observedTimeUnixNano)",
    absence: .neverProves(because: "collectors filter and sample records, and nothing counts them"),
    redacts: ["body", "attributes that are not known"],
    samples: [
      AdapterSample(
        #"{"resourceLogs":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"courier-nse"}},{"key":"device.model.identifier","value":{"stringValue":"iPhone15,2"}}]},"scopeLogs":[{"scope":{"name":"OTelSwiftLog"},"logRecords":[{"timeUnixNano":"1772359202600000000","observedTimeUnixNano":"1772359202600100000","severityNumber":9,"severityText":"INFO","body":{"stringValue":"didReceive"},"attributes":[{"key":"push.request_id","value":{"stringValue":"order-48213"}},{"key":"attempt","value":{"intValue":"1"}}],"traceId":"","spanId":""}]}]}]}"#,
        expect: .record),
      AdapterSample(
        #"{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"body":{"stringValue":"didReceive"},"attributes":[{"key":"push.request_id","value":{"stringValue":"order-48213"}}]}]}]}]}"#,
        expect: .unreadable),
      AdapterSample(
        #"{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"timeUnixNano":"1772359202600000000","body":{"stringValue":"cart opened by somebody"},"attributes":[]}]}]}]}"#,
        expect: .skip),
    ],
    fields: [
      (
        "eventName, event, body",
        "name of the event: one of the device log's, or of the method that ran"
      ),
      (
        "push.request_id, push.notification_id, push.apns_id, push.collapse_id",
        "ids; with or without the prefix"
      ),
      ("push.status with push.apns_id or push.device_token", "a send and its answer"),
      (
        "device.id, service.version, os.version, device.model.identifier",
        "installation and its release"
      ),
      ("--attribute name=field", "other names of these, or of the device log's attributes"),
    ],
    takesAttributeNames: true,
    prepare: { head, workspace in
      Envelope.setup(head, workspace) { OTLPReader.fits($0, $1) }
    },
    read: { piece, workspace in
      Envelope.read(piece, workspace) { OTLPReader.visit($0, $1, &$2, workspace) }
    })
}

/// Reads log records of OTLP requests.
enum OTLPReader {
  private static let marks = KeySet(["resourceLogs"])

  static func fits(_ json: JSONTape, _ object: Int) -> Bool {
    marks.found(in: json, object) == 1
  }

  enum Field: UInt8, CaseIterable {
    case none, event, request, notification, apns, collapse, token, sequence, log, device, bundle
    case version, build, os, model, status, reason, topic, pushType, environment, priority
    case expiration, error, campaign
  }

  /// Codes of the device log's attributes begin here.
  private static let firstAttribute: UInt8 = 64

  /// Fields by the names of the own formats: what `--attribute` maps to.
  static let fieldNames: [(String, Field)] = [
    ("event", .event), ("request_id", .request), ("notification_id", .notification),
    ("apns_id", .apns), ("collapse_id", .collapse), ("device_token", .token), ("seq", .sequence),
    ("log_id", .log), ("device_id", .device), ("bundle_id", .bundle), ("app_version", .version),
    ("build", .build), ("os_version", .os), ("device_model", .model), ("status", .status),
    ("reason", .reason), ("topic", .topic), ("push_type", .pushType),
    ("environment", .environment), ("priority", .priority), ("expiration", .expiration),
    ("error", .error), ("campaign_id", .campaign),
  ]

  private static let table: KeyTable = {
    var entries: [(String, UInt8)] = []
    for (name, field) in fieldNames {
      entries.append((name, field.rawValue))
      entries.append(("push." + name, field.rawValue))
    }
    let others: [(String, Field)] = [
      ("event.name", .event), ("apns.id", .apns), ("apns-id", .apns),
      ("apns.collapse_id", .collapse),
      ("apns-collapse-id", .collapse), ("device.id", .device), ("app.installation.id", .device),
      ("service.instance.id", .device), ("installation_id", .device),
      ("service.version", .version), ("os.version", .os), ("device.model.identifier", .model),
      ("push.token", .token), ("apns.status", .status), ("apns.reason", .reason),
      ("apns-topic", .topic), ("apns-push-type", .pushType),
    ]
    entries += others.map { ($0.0, $0.1.rawValue) }
    var known = Set(entries.map(\.0))
    for (index, word) in DeviceLogReader.attributeWords.enumerated() {
      for name in [word.rawValue, "push." + word.rawValue] where known.insert(name).inserted {
        entries.append((name, firstAttribute + UInt8(index)))
      }
    }
    return KeyTable(entries)
  }()

  /// Whether `--attribute` may map to a name.
  static func isField(_ name: String) -> Bool { code(ofField: name) != 0 }

  private static func code(ofField name: String) -> UInt8 {
    if let found = fieldNames.first(where: { $0.0 == name }) { return found.1.rawValue }
    let place = DeviceLogReader.attributeWords.firstIndex { $0.rawValue == name }
    return place.map { firstAttribute + UInt8($0) } ?? 0
  }

  /// What runs in an app by the name that people log, and the event that it is.
  private static let methods: [String: Word] = [
    "didReceive": .nseDidReceive, "didReceiveNotificationRequest": .nseDidReceive,
    "contentHandler": .nseHandlerCalled, "serviceExtensionTimeWillExpire": .nseWillExpire,
    "willPresent": .appWillPresent, "didRegisterForRemoteNotifications": .appRegistered,
  ]

  /// What is read of one record, on top of what its resource says.
  struct Draft {
    var event = EventRecord()
    var send = SendRecord()
    var origin = Origin.none
    var name: Symbol?
    var hasStatus = false
    var attributes: [(word: Word, json: JSONTape, value: Int)] = []
  }

  static func visit(
    _ json: JSONTape, _ object: Int, _ envelope: inout Envelope, _ workspace: ParseWorkspace
  ) -> Envelope.Answer {
    guard fits(json, object) else { return .lookInside }
    forEachObject(json, object, "resourceLogs") { resourceLog in
      var shared = Draft()
      if let resource = json.member("resource", of: resourceLog) {
        readAttributes(json, resource, &shared, workspace)
      }
      forEachObject(json, resourceLog, "scopeLogs") { scopeLog in
        forEachObject(json, scopeLog, "logRecords") { record in
          readRecord(json, record, shared, &envelope, workspace)
        }
      }
    }
    return .passOver
  }

  private static func readRecord(
    _ json: JSONTape, _ record: Int, _ shared: Draft, _ envelope: inout Envelope,
    _ workspace: ParseWorkspace
  ) {
    var draft = shared
    readAttributes(json, record, &draft, workspace)
    if draft.name == nil, let place = json.member("eventName", of: record) {
      setName(json, place, &draft, workspace)
    }
    if draft.name == nil, let body = json.member("body", of: record), json.kind(body) == .object,
      let place = json.member("stringValue", of: body)
    {
      setName(json, place, &draft, workspace)
    }
    let isSend = draft.hasStatus && (draft.event.apns.isPresent || draft.event.token.isPresent)
    guard isSend || draft.name != nil else {
      envelope.sawOther = true
      return
    }
    guard
      let at = time(json, record, "timeUnixNano") ?? time(json, record, "observedTimeUnixNano")
    else {
      envelope.failure = ("timeUnixNano", "is missing or no time, and observedTimeUnixNano too")
      return
    }
    if isSend {
      draft.send.at = at
      draft.send.token = draft.event.token
      draft.send.apns = draft.event.apns
      draft.send.notification = draft.event.notification
      draft.send.collapse = draft.event.collapse
      workspace.records.sends.append(draft.send)
    } else {
      draft.event.at = at
      draft.event.name = draft.name ?? Symbol(.empty)
      draft.event.origin = workspace.number(of: draft.origin)
      let first = workspace.records.attributes.count
      draft.event.firstAttribute = UInt32(truncatingIfNeeded: first)
      for attribute in draft.attributes.prefix(200) { append(attribute, workspace) }
      DeviceLogReader.sort(workspace.records, from: first)
      draft.event.attributeCount = UInt16(
        truncatingIfNeeded: workspace.records.attributes.count - first)
      workspace.records.events.append(draft.event)
    }
    envelope.took()
  }

  private static func time(_ json: JSONTape, _ record: Int, _ key: StaticString) -> Int64? {
    guard let place = json.member(key, of: record), let whole = Cell(json, place).whole, whole > 0
    else { return nil }
    return whole / 1000
  }

  private static func setName(
    _ json: JSONTape, _ place: Int, _ draft: inout Draft, _ workspace: ParseWorkspace
  ) {
    guard json.kind(place) == .text else { return }
    let text = json.text(place)
    if let dot = text.find("."), dot > 0, text.count <= 64, !text.buffer.contains(0x20) {
      draft.name = workspace.symbol(text)
    } else if text.count <= 64, let word = methods[text.string] {
      draft.name = Symbol(word)
    }
  }

  // MARK: Attributes

  private static func readAttributes(
    _ json: JSONTape, _ object: Int, _ draft: inout Draft, _ workspace: ParseWorkspace
  ) {
    let own = workspace.setup.hints.attributeNames
    forEachObject(json, object, "attributes") { attribute in
      guard let key = json.member("key", of: attribute), json.kind(key) == .text,
        let wrapped = json.member("value", of: attribute), json.kind(wrapped) == .object,
        json.first(wrapped) < json.end(wrapped)
      else { return }
      let name = json.text(key)
      var code = table.code(name.base, name.count)
      if !own.isEmpty, let field = own[name.string] { code = OTLPReader.code(ofField: field) }
      // `{"stringValue":"…"}`: the only member is the value.
      let value = json.first(wrapped) + 1
      if code >= firstAttribute {
        draft.attributes.append(
          (DeviceLogReader.attributeWords[Int(code - firstAttribute)], json, wrapped))
      } else {
        set(Field(rawValue: code) ?? .none, Cell(json, value), json, value, &draft, workspace)
      }
    }
  }

  private static func set(
    _ field: Field, _ cell: Cell, _ json: JSONTape, _ value: Int, _ draft: inout Draft,
    _ workspace: ParseWorkspace
  ) {
    func symbol() -> Symbol { cell.value(workspace).symbol ?? Symbol(.empty) }
    switch field {
    case .event: setName(json, value, &draft, workspace)
    case .request: draft.event.request = cell.identifier(workspace)
    case .notification: draft.event.notification = cell.identifier(workspace)
    case .apns: draft.event.apns = cell.identifier(workspace)
    case .collapse: draft.event.collapse = cell.identifier(workspace)
    case .token: draft.event.token = cell.token(workspace)
    case .sequence: draft.event.sequence = cell.whole ?? .min
    case .log: draft.event.log = cell.value(workspace)
    case .device:
      let id = workspace.installation(cell.identifier(workspace))
      draft.event.installation = id.hash
      draft.event.installationText = id.text
    case .bundle: draft.origin.bundle = symbol()
    case .version: draft.origin.version = symbol()
    case .build: draft.origin.build = symbol()
    case .os: draft.origin.os = symbol()
    case .model: draft.origin.model = symbol()
    case .status:
      guard let status = cell.whole, (0...999).contains(status) else { return }
      draft.send.status = Int32(status)
      draft.hasStatus = true
    case .reason: draft.send.reason = cell.value(workspace)
    case .topic: draft.send.topic = cell.value(workspace)
    case .pushType: draft.send.pushType = cell.value(workspace)
    case .environment: draft.send.environment = cell.value(workspace)
    case .priority: draft.send.priority = cell.header(workspace)
    case .expiration: draft.send.expiration = cell.header(workspace)
    case .error:
      if let text = cell.text {
        draft.send.error = TextValue(TransportError.symbol(text, workspace))
      }
    case .campaign: draft.send.campaign = cell.value(workspace)
    case .none: break
    }
  }

  /// Adds an attribute of the device log; numbers may be written as text.
  private static func append(
    _ attribute: (word: Word, json: JSONTape, value: Int), _ workspace: ParseWorkspace
  ) {
    let json = attribute.json
    let kind = json.text(json.first(attribute.value))
    let value = json.first(attribute.value) + 1
    let cell = Cell(json, value)
    func add(_ kind: Attribute.Kind, _ bits: Int64) {
      workspace.records.attributes.append(
        Attribute(key: Symbol(attribute.word), kind: kind, bits: bits))
    }
    switch attribute.word {
    case .url, .serverUrl:
      guard let text = cell.text else { return }
      workspace.records.urls.append(workspace.urlForm(text))
      return add(.url, Int64(workspace.records.urls.count - 1))
    case .deviceToken: return
    default: break
    }
    if kind.equals("intValue"), let whole = cell.whole { return add(.integer, whole) }
    if kind.equals("boolValue"), let flag = cell.flag { return add(.boolean, flag ? 1 : 0) }
    if kind.equals("doubleValue"), let real = json.real(value) {
      return add(.real, Int64(bitPattern: real.bitPattern))
    }
    if kind.equals("stringValue"), let text = cell.text {
      let symbol =
        attribute.word == .reason
        ? StatedReason.symbol(text, workspace) : workspace.symbol(text)
      add(.text, Int64(symbol.index))
    }
  }

  // MARK: Walk

  private static func forEachObject(
    _ json: JSONTape, _ object: Int, _ name: StaticString, _ body: (Int) -> Void
  ) {
    guard let array = json.member(name, of: object), json.kind(array) == .array else { return }
    for element in json.elements(array) where json.kind(element) == .object { body(element) }
  }
}
