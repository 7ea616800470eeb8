import PushModel

extension CaseBuilder {
  /// Reads `payload`: what the device received.
  mutating func readReceived() {
    guard let value = facts.evidence["payload"], let payload = payload(value) else { return }
    chain.received = payload
    // What is received always has `aps`; without it this is a part of the payload only.
    if value["aps"] == nil {
      chain.received.parts.subtract(.whole)
      chain.received.alert = .unknown
      chain.received.mutableContent = .unknown
      chain.received.contentAvailable = .unknown
      chain.received.category = .unknown
      chain.received.sound = .unknown
      chain.received.interruptionLevel = .unknown
    }
  }

  /// Reads `device` and what `app` says of the moment of arrival.
  mutating func readInstallation() throws(CaseProblem) {
    let device = facts.device
    let settings = CasePart(facts.evidence.value(at: "device.settings"))
    var installation = chain.installation
    if case .known(let text) = device.text("os") {
      installation.os = Known(optional: OSVersion(text))
      installation.osText = .known(intern(text))
    }
    installation.model = symbol(device.text("model"))
    installation.locked = device.bool("locked")
    installation.authorization = symbol(settings.text("authorization"))
    installation.alerts = setting(settings.known("alerts"))
    installation.sounds = setting(settings.known("sounds"))
    installation.focus = setting(settings.known("focus"))
    installation.scheduledSummary = setting(settings.known("scheduled_summary"))
    installation.timeSensitive = setting(settings.known("time_sensitive"))
    installation.backgroundRefresh = setting(settings.known("background_refresh"))
    installation.lowPower = setting(settings.known("low_power"))
    installation.appState = symbol(facts.app.state)
    installation.onlineAgainAt = try time(
      device.known("online_since"), "evidence.device.online_since")
    if let category = payloadCategory,
      case .known(let registered) = facts.app.part.texts("registered_categories")
    {
      installation.categoryRegistered = .known(registered.contains(category))
    } else if facts.app.part.known("registered_categories").isMissing {
      installation.categoryRegistered = .known(false)
    }
    readRecorded(into: &installation)
    chain.installation = installation
    readActions()
  }

  /// What the app recorded of itself stands for what nobody stated.
  private func readRecorded(into installation: inout Installation) {
    for event in facts.evidence["events"]?.items ?? [] {
      let attributes = CasePart(event["attrs"])
      switch event["event"]?.text {
      case "app.settings", "device.heartbeat":
        if case .known = attributes.text("authorization") {
          installation.authorization = symbol(attributes.text("authorization"))
        }
        let settings: [(WritableKeyPath<Installation, Known<Bool>>, String)] = [
          (\.alerts, "alerts"), (\.sounds, "sounds"), (\.focus, "focus"),
          (\.scheduledSummary, "scheduled_summary"), (\.timeSensitive, "time_sensitive"),
          (\.backgroundRefresh, "background_refresh"), (\.lowPower, "low_power"),
        ]
        for (path, key) in settings where installation[keyPath: path].isUnknown {
          installation[keyPath: path] = setting(attributes.known(key))
        }
        readEnvironment(attributes, into: &installation)
      case "app.registered": readEnvironment(attributes, into: &installation)
      case "app.categories":
        guard let category = payloadCategory,
          case .known(let names) = attributes.texts("identifiers")
        else { continue }
        // Each call replaces the whole set, so the last one counts (F7.9).
        installation.categoryRegistered = .known(names.contains(category))
      default: break
      }
    }
  }

  private func readEnvironment(_ attributes: CasePart, into installation: inout Installation) {
    if installation.apsEnvironment.isUnknown {
      installation.apsEnvironment = symbol(attributes.text("aps_environment"))
    }
  }

  /// What the extension says of the payload that it got, where nobody gave that payload.
  mutating func readReceivedByExtension() {
    guard facts.evidence["payload"] == nil, let start = chain.firstEvent(.nseDidReceive) else {
      return
    }
    if let isOn = chain.boolean(.mutableContent, of: start) {
      chain.received.mutableContent = isOn ? .on : .off
    }
    if let category = chain.text(.category, of: start) {
      chain.received.category = .known(category)
    }
  }

  /// A setting: true or false, `on` or `off`. A null says that the switch is not offered.
  private func setting(_ value: Known<CaseValue>) -> Known<Bool> {
    value.read { value in
      switch value {
      case .bool(let flag): flag
      case .text(let text):
        switch text.lowercased() {
        case "on", "true", "yes", "enabled", "allowed", "authorized": true
        case "off", "false", "no", "disabled", "denied", "none": false
        // The name of a Focus says that one was on.
        default: true
        }
      default: nil
      }
    }
  }

  // MARK: Events

  /// Reads `events` and `log` into one list, in the order of their times where they have one.
  mutating func readEvents() throws(CaseProblem) {
    var found: [(at: Double?, event: CaseEvent)] = []
    for (place, value) in (facts.evidence["events"]?.items ?? []).enumerated() {
      guard let name = value["event"]?.text else {
        throw CaseProblem(
          path: "evidence.events.\(place).event", reason: "is missing",
          help: "name the event, for example nse.did_receive")
      }
      let attributes = (value["attrs"]?.members ?? []).map { (key: $0.key, value: $0.value) }
      found.append(
        (
          value["t"]?.number ?? seconds(value["ts"]),
          CaseEvent(name: name, attributes: attributes, source: 2, line: place + 1)
        ))
    }
    for (place, value) in (facts.evidence["log"]?.items ?? []).enumerated() {
      guard let message = value["message"]?.text else {
        throw CaseProblem(
          path: "evidence.log.\(place).message", reason: "is missing",
          help: "give the text of the line")
      }
      let lines = CaseBuilder.events(
        process: value["process"]?.text ?? "", subsystem: value["subsystem"]?.text ?? "",
        category: value["category"]?.text ?? "", message: message)
      if lines.isEmpty {
        notes.append(
          FieldNote(field: "evidence.log.\(place)", reason: "says nothing that is known"))
      }
      for line in lines {
        found.append(
          (
            value["t"]?.number,
            CaseEvent(
              name: line.name.rawValue,
              attributes: line.attributes.map { (key: $0.key.rawValue, value: $0.value) },
              source: 4, line: place + 1)
          ))
      }
    }
    for entry in CaseBuilder.ordered(found) { append(entry.event, at: entry.at) }
  }

  /// A moment as seconds; nil where it is not one.
  private func seconds(_ value: CaseValue?) -> Double? {
    if let number = value?.number { return number > 100_000_000_000 ? number / 1000 : number }
    return value?.text.flatMap { microseconds($0) }.map { Double($0) / 1e6 }
  }

  /// One event of a case file, or of a log line in it.
  struct CaseEvent {
    var name: String
    var attributes: [(key: String, value: CaseValue)]
    var source: UInt32
    var line: Int
  }

  /// In the order of the times; an entry without one keeps its place behind the one before it.
  private static func ordered(
    _ entries: [(at: Double?, event: CaseEvent)]
  ) -> [(at: Double?, event: CaseEvent)] {
    var keys: [Double] = []
    var last = -Double.infinity
    var source: UInt32 = 0
    for entry in entries {
      if entry.event.source != source {
        source = entry.event.source
        last = -Double.infinity
      }
      last = entry.at ?? last
      keys.append(last)
    }
    // Without any time the log's lines stand behind the events.
    let hasTimes = entries.contains { $0.at != nil }
    guard hasTimes else { return entries }
    return zip(keys, entries).enumerated()
      .sorted { ($0.element.0, $0.offset) < ($1.element.0, $1.offset) }
      .map(\.element.1)
  }

  private mutating func append(_ event: CaseEvent, at: Double?) {
    var record = DeviceEvent(name: intern(event.name))
    record.reference = RecordReference(source: event.source, line: UInt32(event.line))
    if let at, abs(at) < 1e12 { record.recordedAt = .known((at * 1e6).clamped) }
    record.firstAttribute = UInt32(chain.attributes.count)
    for (key, value) in event.attributes { append(key, value, isInside: false) }
    record.attributeCount = UInt16(
      truncatingIfNeeded: min(chain.attributes.count - Int(record.firstAttribute), 65535))
    chain.events.append(record)
  }

  private mutating func append(_ key: String, _ value: CaseValue, isInside: Bool) {
    func add(_ kind: Attribute.Kind, _ bits: Int64) {
      chain.attributes.append(Attribute(key: intern(key), kind: kind, bits: bits))
    }
    switch value {
    case .text(let text):
      // Of a shown title only whether the stub changed it.
      if key == "title" {
        chain.attributes.append(
          Attribute(
            key: Symbol(.titleModified), kind: .boolean,
            bits: text.hasSuffix("[modified]") ? 1 : 0))
        return
      }
      if key == "url" || key == "server_url" {
        chain.urls.append(urlForm(text))
        return add(.url, Int64(chain.urls.count - 1))
      }
      // FORMATS names what an event was recorded by; case files write the trigger in two ways.
      add(.text, Int64(intern(key == "trigger" && text == "remote" ? "push" : text).index))
    case .integer(let number): add(.integer, number)
    case .real(let number): add(.real, Int64(bitPattern: number.bitPattern))
    case .bool(let flag): add(.boolean, flag ? 1 : 0)
    case .null: add(.null, 0)
    case .list(let items) where !isInside:
      if items.isEmpty { return add(.emptyArray, 0) }
      for item in items.prefix(100) { append(key, item, isInside: true) }
    default: break
    }
  }

  /// What one quoted line of a device's log says, by the one table of message shapes.
  static func events(
    process: String, subsystem: String, category: String, message: String
  ) -> [LineEvent] {
    guard
      let finding = MessageTable.quoted(
        process: process, subsystem: subsystem, category: category, message: message)
    else { return [] }
    var event = LineEvent(finding.event)
    for (key, value) in finding.attributes {
      switch value {
      case .flag(let flag): event.attributes.append((key, .bool(flag)))
      case .integer(let number): event.attributes.append((key, .integer(number)))
      case .text(let text): event.attributes.append((key, .text(text)))
      }
    }
    return [event]
  }
}

/// What one line of a device's log says, as an event of a chain.
struct LineEvent {
  var name: Word
  var attributes: [(key: Word, value: CaseValue)] = []

  init(_ name: Word) { self.name = name }
}
