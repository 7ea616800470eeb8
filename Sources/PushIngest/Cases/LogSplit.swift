public import PushModel

/// Logs of a phone, taken apart by the notifications that they hold.
///
/// A line belongs to the notification that its id or short id names (F11.5); one that names a run of
/// an extension or a process, to what that run or process worked on last; one that names an app
/// alone, to the last notification of the app; any other, to the one that was being worked on. Lines
/// from before a request has its short id belong to the next one of their app.
public struct LogSplit: Sendable {
  /// What the logs say of one notification.
  public struct Part: Sendable {
    /// Its ids, in the order in which they came up; the short id is none of them.
    public internal(set) var ids: [String] = []
    /// Its short id, where a line has it or it follows from an id.
    public internal(set) var shortID: String?
    /// The app, where a line names it.
    public internal(set) var app: String?
    /// The phone, where a line names it.
    var device: String?
    /// Lines of the own device log, as events of a case.
    public internal(set) var events: [CaseValue] = []
    /// Other lines, as lines of a case.
    public internal(set) var lines: [CaseValue] = []
    /// Number of its first line that says something.
    public internal(set) var firstLine = 0

    /// What it is called: the first id in clear, or the short id.
    public var name: String { ids.first ?? shortID ?? "line \(firstLine)" }
  }

  /// One line that says something.
  private struct Item {
    var value: CaseValue
    var isEvent: Bool
    var line: Int
    var name: Word?
    var ids: [String] = []
    var digest: String?
    var session: String?
    var app: String?
    var device: String?
    var pid: Int64?
  }

  private var items: [Item] = []
  private var lineCount = 0

  /// Logs that hold nothing.
  public init() {}

  /// Adds a log: JSON lines of the own format, or text lines of any log.
  ///
  /// - Returns: how many lines said something, of how many.
  public mutating func add(_ bytes: [UInt8]) -> (known: Int, all: Int) {
    let before = items.count
    let lines = LogSplit.lines(of: bytes)
    for line in lines {
      lineCount += 1
      if line.first(where: { $0 > 0x20 }) == 0x7b, let json = try? CaseJSON.read(line) {
        if let event = event(json) {
          items.append(event)
        } else if let entry = LogSplit.entry(json), let item = item(entry) {
          items.append(item)
        }
      } else if let item = item(LogSplit.entry(String(decoding: line, as: UTF8.self))) {
        items.append(item)
      }
    }
    return (items.count - before, lines.count)
  }

  /// Everything, as if it were of one notification.
  public var whole: Part {
    var part = Part()
    for item in items { part.take(item.value, isEvent: item.isEvent) }
    part.firstLine = items.first?.line ?? 0
    return part
  }

  /// The notifications in the order in which they came up; empty where no line names one.
  public var parts: [Part] {
    Splitting(items).parts
  }

  /// The part that an id, or a short id, names.
  public static func part(_ id: String, of parts: [Part]) -> Int? {
    let digest = RequestDigest.text(of: id)
    return parts.firstIndex { part in
      part.ids.contains { $0 == id || $0.lowercased() == id.lowercased() }
    }
      ?? parts.firstIndex { $0.shortID == id.uppercased() }
      ?? parts.firstIndex { $0.shortID == digest }
  }

  // MARK: Lines

  /// The lines of a log that hold anything. One that begins with a gap goes on with the line before
  /// it, as messages of several lines do.
  private static func lines(of bytes: [UInt8]) -> [[UInt8]] {
    var lines: [[UInt8]] = []
    for raw in bytes.split(separator: 0x0a) {
      let line = raw.last == 0x0d ? raw.dropLast() : raw
      guard let first = line.first(where: { $0 > 0x20 }) else { continue }
      let isContinued = line.first == 0x20 || line.first == 0x09
      if isContinued, first != 0x7b, let last = lines.last, last.first != 0x7b {
        lines[lines.count - 1].append(contentsOf: line)
      } else {
        lines.append(Array(line))
      }
    }
    return lines
  }

  /// A line of the own device log as an event of a case.
  private func event(_ json: CaseValue) -> Item? {
    guard let name = json["event"]?.text else { return nil }
    var event = CaseValue.object([CaseValue.Member("event", .text(name))])
    if let time = json["ts"] ?? json["time"] ?? json["timestamp"] { event["ts"] = time }
    event.fill("attrs", json["attrs"])
    for key in ["seq", "bundle_id", "notification_id", "apns_id", "request_id", "collapse_id"] {
      event.fill(key, json[key])
    }
    var item = Item(value: event, isEvent: true, line: lineCount, name: Word(rawValue: name))
    for key in ["notification_id", "apns_id", "request_id", "collapse_id"] {
      guard let id = json[key]?.text else { continue }
      if key == "request_id", RequestDigest.isDigest(id) {
        item.digest = id
      } else if !item.ids.contains(id) {
        item.ids.append(id)
      }
    }
    // Hand-offs are no notifications, and two of them are looked at together: one may overwrite
    // what the other left.
    if name.hasPrefix("handoff.") { item.ids = ["hand-off"] }
    item.app = json["bundle_id"]?.text
    item.device = json["device_id"]?.text
    item.session = json.value(at: "attrs.session")?.text
    item.pid = json.value(at: "attrs.pid")?.whole
    return item
  }

  /// A line of another log, if it says something.
  private func item(_ entry: CaseValue) -> Item? {
    guard let message = entry["message"]?.text else { return nil }
    let process = entry["process"]?.text ?? ""
    guard
      let finding = MessageTable.quoted(
        process: process, subsystem: entry["subsystem"]?.text ?? "",
        category: entry["category"]?.text ?? "", message: message)
    else { return nil }
    var value = entry
    value["pid"] = nil
    var item = Item(value: value, isEvent: false, line: lineCount, name: finding.event)
    item.digest = finding.digest
    if let id = finding.identifier {
      if RequestDigest.isDigest(id) { item.digest = id } else { item.ids = [id] }
    }
    item.session = finding.session
    item.app = finding.app ?? finding.extension
    let isAboutItself = finding.shape.bracket == .session || !Symbol(finding.event).isSystemEvent
    item.pid = finding.pid ?? (isAboutItself ? entry["pid"]?.whole : nil)
    return item
  }

  /// An entry of `log show --style json` and its kin.
  private static func entry(_ json: CaseValue) -> CaseValue? {
    guard let message = json["eventMessage"] ?? json["message"] ?? json["msg"], message.text != nil
    else { return nil }
    var entry = CaseValue.object([CaseValue.Member("message", message)])
    let process = (json["processImagePath"] ?? json["process"])?.text
    if let process { entry["process"] = .text(String(process.split(separator: "/").last ?? "")) }
    entry.fill("subsystem", json["subsystem"])
    entry.fill("category", json["category"])
    entry.fill("pid", json["processID"] ?? json["pid"])
    return entry
  }

  /// A line of text: the process is the word before `(library)`, `[pid]` or `:`.
  private static func entry(_ line: String) -> CaseValue {
    var entry = CaseValue.object([])
    let pattern =
      #/(?:^|\s)(?<process>[A-Za-z][\w.-]{2,40})(?:\([\w.]+\))?\[(?<pid>\d+)(?::[0-9a-f]+)?\]/#
    if let found = line.firstMatch(of: pattern) {
      entry["process"] = .text(String(found.process))
      if let pid = Int64(found.pid) { entry["pid"] = .integer(pid) }
    }
    entry["message"] = .text(line)
    return entry
  }

  // MARK: Taking apart

  private struct Splitting {
    var parts: [Part] = []
    private let items: [Item]
    private var ofKey: [String: Int] = [:]
    private var digestOfSession: [String: String] = [:]
    private var ofProcess: [Int64: Int] = [:]
    private var last: Int?
    /// Lines that wait for the next notification of their app.
    private var early: [Int] = []
    /// Events of the app that are of no notification.
    private var shared: [Int] = []

    init(_ items: [Item]) {
      self.items = items
      for item in items {
        if let session = item.session, let digest = item.digest {
          digestOfSession[session] = digest
        }
      }
      for place in items.indices { settle(place) }
      let leftOver = early
      early = []
      for place in leftOver { if let last { take(place, into: last) } }
      joinTheOnlyTwo()
      takeShared()
    }

    /// Gives each notification the events of its phone that are of none. Logs of many phones are long,
    /// so the events are dealt by phone first.
    private mutating func takeShared() {
      var ofDevice: [String?: [Int]] = [:]
      for place in shared { ofDevice[items[place].device, default: []].append(place) }
      for part in parts.indices {
        let device = parts[part].device
        var places = device == nil ? shared : ofDevice[device] ?? []
        if device != nil, let unnamed = ofDevice[nil] { places = (places + unnamed).sorted() }
        let values = places.map { items[$0].value }
        parts[part].events.insert(contentsOf: values, at: 0)
      }
    }

    /// The app's own log and the system's name one notification in different ways where the id in the
    /// payload is not that of the request. With one of each there is no other way to tell.
    private mutating func joinTheOnlyTwo() {
      let own = parts.indices.filter { parts[$0].lines.isEmpty && parts[$0].ids != ["hand-off"] }
      let system = parts.indices.filter { parts[$0].events.isEmpty && parts[$0].ids.isEmpty }
      guard own.count == 1, system.count == 1, own.count + system.count == parts.count,
        isSame(parts[own[0]].app, parts[system[0]].app)
      else { return }
      parts[own[0]].lines = parts[system[0]].lines
      parts[own[0]].shortID = parts[system[0]].shortID
      parts[own[0]].firstLine = min(parts[own[0]].firstLine, parts[system[0]].firstLine)
      parts.remove(at: system[0])
    }

    /// Puts one line where it belongs.
    private mutating func settle(_ place: Int) {
      let item = items[place]
      if let part = named(item) { return take(place, into: part) }
      guard let name = item.name else { return fallBack(place) }
      if LogSplit.ofApp.contains(name) {
        shared.append(place)
      } else if LogSplit.beforeRequest.contains(name) {
        early.append(place)
      } else if LogSplit.endsBeforeRequest.contains(name) {
        parts.append(Part())
        parts[parts.count - 1].firstLine = item.line
        take(place, into: parts.count - 1)
      } else {
        fallBack(place)
      }
    }

    /// The part that the ids of a line name; a new one where they are new.
    private mutating func named(_ item: Item) -> Int? {
      var keys = item.ids.flatMap { [$0.lowercased(), RequestDigest.text(of: $0)] }
      var digest = item.digest
      if digest == nil, let session = item.session { digest = digestOfSession[session] }
      if let digest { keys.append(digest) }
      guard !keys.isEmpty else { return nil }
      let part: Int
      // A campaign's id goes to many phones; a line that names its phone is of that phone's only.
      let ownKeys = item.device.map { device in keys.map { $0 + "\u{1f}" + device } } ?? []
      let known =
        ownKeys.compactMap { ofKey[$0] }.first
        ?? keys.compactMap { ofKey[$0] }.first {
          item.device == nil || parts[$0].device == nil || parts[$0].device == item.device
        }
      if let known {
        part = known
      } else {
        part = parts.count
        parts.append(Part())
        parts[part].firstLine = item.line
      }
      for key in keys + ownKeys where ofKey[key] == nil { ofKey[key] = part }
      for id in item.ids where !parts[part].ids.contains(id) { parts[part].ids.append(id) }
      if parts[part].shortID == nil { parts[part].shortID = digest }
      return part
    }

    private mutating func fallBack(_ place: Int) {
      let item = items[place]
      if let pid = item.pid, let part = ofProcess[pid] { return take(place, into: part) }
      if let app = item.app, let part = parts.lastIndex(where: { isSame($0.app, app) }) {
        return take(place, into: part)
      }
      guard let last else { return early.append(place) }
      take(place, into: last)
    }

    private mutating func take(_ place: Int, into part: Int) {
      let item = items[place]
      if parts[part].app == nil { parts[part].app = item.app }
      if parts[part].device == nil { parts[part].device = item.device }
      let ready = early.filter { isSame(items[$0].app, parts[part].app) }
      early.removeAll { ready.contains($0) }
      for place in ready {
        if parts[part].app == nil { parts[part].app = items[place].app }
        parts[part].firstLine = min(parts[part].firstLine, items[place].line)
        parts[part].take(items[place].value, isEvent: items[place].isEvent)
      }
      parts[part].take(item.value, isEvent: item.isEvent)
      if let pid = item.pid { ofProcess[pid] = part }
      last = part
    }

    /// Whether two bundle ids may be of one app: equal, one an extension of the other, or not known.
    private func isSame(_ first: String?, _ second: String?) -> Bool {
      guard let first, let second else { return true }
      return first == second || first.hasPrefix(second + ".") || second.hasPrefix(first + ".")
    }
  }

  /// Events of an app that are of no notification.
  private static let ofApp: [Word] = [
    .deviceHeartbeat, .appRegistered, .appRegistrationFailed, .appSettings, .appCategories,
  ]
  /// Lines that come before the one that gives the short id.
  private static let beforeRequest: [Word] = [
    .systemDaemonReceived, .systemDaemonStored, .systemHandedOver, .systemDaemonAcknowledged,
    .systemIncoming,
  ]
  /// Lines that end the way of a push before it gets a short id.
  private static let endsBeforeRequest: [Word] = [
    .systemAppUninstalled, .systemAppRestricted, .systemAppUnregistered, .systemPushDisabled,
    .systemRequestInvalid,
  ]
}

extension LogSplit.Part {
  fileprivate mutating func take(_ value: CaseValue, isEvent: Bool) {
    if isEvent { events.append(value) } else { lines.append(value) }
  }
}
