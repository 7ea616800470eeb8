import PushModel

extension LogAdapter {
  /// The toolkit's own device log: one JSON object per event on the phone.
  static let ownDeviceLog = LogAdapter(
    id: "device-log",
    title: "pushtriage device log, one JSON object per event on the phone",
    formatSource: "Docs/formats/device-log.md",
    side: .device,
    clock: "RFC 3339 with zone, or a Unix number by its size; the device's clock",
    absence: .proves(
      within:
        """
        two records of an installation with no gap in its counter `seq`
        """),
    redacts: ["attrs.device_token", "attrs.url", "attrs.title"],
    samples: [
      AdapterSample(
        #"{"ts":"2026-03-01T10:00:02.6Z","event":"nse.did_receive","seq":41,"device_id":"inst-1","bundle_id":"com.example.courier.PushService","notification_id":"order-48213"}"#,
        expect: .record),
      AdapterSample(#"{"ts":"2026-03-01T10:00:02.6Z","seq":41}"#, expect: .unreadable),
      AdapterSample(#"{"ts":"10 o'clock","event":"nse.did_receive"}"#, expect: .unreadable),
      AdapterSample("", expect: .skip),
    ],
    prepare: { head, workspace in
      OwnFormat.setup(head, workspace) { keys in
        keys.contains(.time) && keys.contains(.event)
      }
    },
    read: { line, workspace in DeviceLogReader.read(line, workspace) })
}

private enum DeviceField: UInt8 {
  case none, ts, event, seq, logID, deviceID, bundleID, appVersion, build, osVersion, deviceModel
  case apnsID, requestID, notificationID, collapseID, attrs
}

enum DeviceLogReader {
  private static let table = KeyTable(
    [
      ("ts", DeviceField.ts), ("time", .ts), ("timestamp", .ts), ("event", .event), ("seq", .seq),
      ("log_id", .logID), ("device_id", .deviceID), ("installation_id", .deviceID),
      ("bundle_id", .bundleID), ("app_version", .appVersion), ("build", .build),
      ("os_version", .osVersion), ("device_model", .deviceModel), ("apns_id", .apnsID),
      ("request_id", .requestID), ("notification_id", .notificationID),
      ("collapse_id", .collapseID), ("attrs", .attrs),
    ].map { ($0.0, $0.1.rawValue) })

  /// Attributes that are kept; a title never is (only whether it was changed).
  static let attributeWords: [Word] = [
    .apsEnvironment, .deviceToken, .authorization, .freeMb, .kind, .serverUrl, .errorDomain,
    .errorCode, .alerts, .sounds, .lockScreen, .timeSensitive, .critical, .scheduledSummary,
    .focus, .backgroundRefresh, .lowPower, .identifiers, .sinceLaunchMs, .attempt,
    .processUptimeMs, .locked, .mutableContent, .category, .keys, .hasMedia, .url, .status, .bytes,
    .mime, .durationMs, .uti, .code, .what, .recognised, .sdk, .type, .imageParameter, .recipients,
    .isMe, .group, .modifiedAfter, .elapsedMs, .fallback, .attachments, .count, .signal, .reason,
    .footprintMb, .options, .state, .by, .style, .sound, .trigger, .titleModified, .height, .action,
    .coldStart, .answer, .completed, .result, .activityId, .jobId, .entry, .source, .items,
    .inGroup, .opened,
  ]
  static let attributes = KeyTable(
    attributeWords.enumerated().map { ($0.element.rawValue, UInt8($0.offset + 1)) })

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
    var event = EventRecord()
    var origin = Origin.none
    var hasTime = false
    var hasName = false
    var attrs = 0
    var device = Identifier.none

    for (key, value) in json.fields(json.root) {
      switch DeviceField(rawValue: table.code(key.base, key.count)) ?? .none {
      case .ts:
        guard let at = workspace.time(json, value) else {
          return .unreadable(
            field: key.string, reason: "is not an RFC 3339 time with a zone, nor a Unix number")
        }
        event.at = at
        hasTime = true
      case .event:
        guard json.kind(value) == .text, json.text(value).count > 0 else {
          return .unreadable(field: "event", reason: "is not a name")
        }
        let name = json.text(value)
        event.name = workspace.interner.intern(name.base, name.count)
        hasName = true
      case .seq:
        if let sequence = json.wholeNumber(value) {
          event.sequence = sequence
        } else if json.kind(value) != .null {
          workspace.note("seq", "is not a whole number")
        }
      case .logID: event.log = workspace.textValue(json, value, "log_id")
      case .deviceID:
        device = workspace.installation(workspace.identifier(json, value, "device_id"))
      case .bundleID: origin.bundle = symbol(json, value, workspace, "bundle_id")
      case .appVersion: origin.version = symbol(json, value, workspace, "app_version")
      case .build: origin.build = symbol(json, value, workspace, "build")
      case .osVersion: origin.os = symbol(json, value, workspace, "os_version")
      case .deviceModel: origin.model = symbol(json, value, workspace, "device_model")
      case .apnsID: event.apns = workspace.identifier(json, value, "apns_id")
      case .requestID: event.request = workspace.identifier(json, value, "request_id")
      case .notificationID:
        event.notification = workspace.identifier(json, value, "notification_id")
      case .collapseID: event.collapse = workspace.identifier(json, value, "collapse_id")
      case .attrs:
        if json.kind(value) == .object {
          attrs = value
        } else if json.kind(value) != .null {
          workspace.note("attrs", "is not an object")
        }
      case .none: workspace.countUnknown("", key)
      }
    }
    guard hasTime else { return .unreadable(field: "ts", reason: "is missing") }
    guard hasName else { return .unreadable(field: "event", reason: "is missing") }
    event.installation = device.hash
    event.installationText = device.text
    event.origin = workspace.number(of: origin)
    event.firstAttribute = UInt32(truncatingIfNeeded: workspace.records.attributes.count)
    if attrs != 0 { readAttributes(json, attrs, workspace, &event) }
    workspace.records.events.append(event)
    return .event
  }

  @inline(__always)
  private static func symbol(
    _ json: JSONTape, _ value: Int, _ workspace: ParseWorkspace, _ field: @autoclosure () -> String
  ) -> Symbol {
    workspace.textValue(json, value, field()).symbol ?? Symbol(.empty)
  }

  private static func readAttributes(
    _ json: JSONTape, _ object: Int, _ workspace: ParseWorkspace, _ event: inout EventRecord
  ) {
    let first = workspace.records.attributes.count
    for (key, value) in json.fields(object) {
      let code = attributes.code(key.base, key.count)
      guard code != 0 else {
        workspace.countUnknown("attrs.", key)
        continue
      }
      let word = attributeWords[Int(code) - 1]
      if workspace.records.attributes.count - first > 250 {
        workspace.note("attrs", "holds more than 250 values; the rest is left out")
        break
      }
      switch word {
      case .deviceToken: event.token = workspace.token(json, value, "attrs.device_token")
      case .url, .serverUrl:
        guard json.kind(value) == .text else { continue }
        let form = workspace.urlForm(json.text(value))
        let at = workspace.records.urls.count
        workspace.records.urls.append(form)
        workspace.records.attributes.append(
          Attribute(key: Symbol(word), kind: .url, bits: Int64(at)))
      case .jobId:
        // A hand-off is one job: its id ties the records of extension and app together.
        if event.name.isHandoffEvent, !event.hasIdentifier {
          event.notification = workspace.identifier(json, value, "attrs.job_id")
        }
        append(json, value, Symbol(word), workspace, isInside: false)
      case .authorization where json.kind(value) == .text && !isWord(json.text(value)):
        // The header of a request of this name holds a credential.
        workspace.note("attrs.authorization", "is no word")
      default: append(json, value, Symbol(word), workspace, isInside: false)
      }
    }
    // One order for all, so that the same event written with its keys in another order is equal.
    let count = workspace.records.attributes.count - first
    if count > 1 { sort(workspace.records, from: first) }
    event.attributeCount = UInt16(truncatingIfNeeded: count)
  }

  private static func append(
    _ json: JSONTape, _ value: Int, _ key: Symbol, _ workspace: ParseWorkspace, isInside: Bool
  ) {
    func add(_ kind: Attribute.Kind, _ bits: Int64) {
      workspace.records.attributes.append(Attribute(key: key, kind: kind, bits: bits))
    }
    switch json.kind(value) {
    case .text:
      let text = json.text(value)
      if key == .reason {
        return add(.text, Int64(StatedReason.symbol(text, workspace).index))
      }
      let own = workspace.interner.intern(text.base, text.count)
      if key == .mime, !isBareMediaType(text) {
        let plain = bareMediaType(text.string)
        return add(.text, Int64(workspace.interner.intern(plain).index))
      }
      if key == .trigger, own != .push {
        let plain = plainTrigger(text.string)
        return add(.text, Int64(workspace.interner.intern(plain).index))
      }
      add(.text, Int64(own.index))
    case .integer, .unsigned:
      if let whole = json.wholeNumber(value) { add(.integer, whole) }
    case .real:
      if let real = json.real(value) { add(.real, Int64(bitPattern: real.bitPattern)) }
    case .yes: add(.boolean, 1)
    case .no: add(.boolean, 0)
    case .null: add(.null, 0)
    case .array where !isInside:
      var place = json.first(value)
      let end = json.end(value)
      if place == end { return add(.emptyArray, 0) }
      var count = 0
      while place < end, count < 100 {
        append(json, place, key, workspace, isInside: true)
        place = json.next(place)
        count += 1
      }
    default:
      workspace.note("attrs.\(key.word?.rawValue ?? "")", "holds an object or a nested array")
    }
  }

  static func sort(_ records: RecordSet, from first: Int) {
    var index = first + 1
    while index < records.attributes.count {
      let moved = records.attributes[index]
      var slot = index
      while slot > first, records.attributes[slot - 1].key.index > moved.key.index {
        records.attributes[slot] = records.attributes[slot - 1]
        slot -= 1
      }
      records.attributes[slot] = moved
      index += 1
    }
  }
}

/// Whether a text is one word, as those are that recorders have for a permission.
private func isWord(_ text: ByteText) -> Bool {
  text.count <= 24
    && text.buffer.allSatisfy { ($0 | 0x20) &- 0x61 < 26 || $0 == 0x5f || $0 == 0x2d }
}

/// Whether a media type has no capital, no blank and no parameter: nearly all, so it is asked first.
private func isBareMediaType(_ text: ByteText) -> Bool {
  text.buffer.allSatisfy { $0 > 0x20 && $0 != 0x3b && !(0x41...0x5a).contains($0) }
}

/// A media type in lower case and without its parameters: servers write `text/html; charset=utf-8`.
private func bareMediaType(_ text: String) -> String {
  let type = text.prefix { $0 != ";" }.lowercased()
  return String(type.drop { $0 == " " }.prefix { $0 != " " })
}

/// What triggered a notification in one word, where the recorder wrote it in another way: as the
/// name of the trigger's class or with a hyphen.
private func plainTrigger(_ text: String) -> String {
  let lower = text.lowercased()
  if lower.contains("push") || lower == "remote" { return "push" }
  if lower.contains("interval") { return "time" }
  if lower.contains("calendar") { return "calendar" }
  if lower.contains("location") { return "location" }
  return text
}
