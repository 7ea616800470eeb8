import PushModel

/// One line of a device's log, whatever printed it: what all its formats have in common.
struct SystemLine {
  /// UTC microseconds.
  var at: Int64
  /// Name or path of the process that logged it.
  var process: ByteText
  /// Its number; -1 = not given.
  var pid: Int64 = -1
  /// Subsystem of the logger; empty where the format has none.
  var subsystem = ByteText.empty
  /// Category of the logger.
  var category = ByteText.empty
  /// The message.
  var message: ByteText
  /// Whether the app or extension wrote it to a file of its own.
  var isOwnFile = false
}

extension ByteText {
  /// A text without bytes.
  static var empty: ByteText {
    ByteText(base: UnsafeRawPointer(("" as StaticString).utf8Start), count: 0)
  }

  /// What stands behind the last slash.
  var lastPathPart: ByteText {
    var start = count
    while start > 0, self[start - 1] != 0x2f { start -= 1 }
    return part(start, count)
  }

  /// Without blanks at both ends.
  var trimmed: ByteText {
    var start = 0
    var end = count
    while start < end, self[start] <= 0x20 { start += 1 }
    while end > start, self[end - 1] <= 0x20 { end -= 1 }
    return part(start, end)
  }
}

/// Turns lines of device logs into events, by the table of message shapes.
enum SystemLines {
  /// Adds the event of a line; lines of no known shape are about something else.
  static func read(_ line: SystemLine, _ workspace: ParseWorkspace) -> Reading {
    guard let match = match(line, workspace.messages) else {
      return .skip(because: .otherRecord)
    }
    var builder = EventBuilder(workspace, at: line.at, name: match.row.pointee.event)
    let message = line.message.buffer
    match.readBracket(message) { text, isHidden in
      guard !isHidden else { return }
      switch match.row.pointee.bracket {
      case .app, .extension: builder.bundle = text
      case .session: builder.add(.session, text: text)
      case .nothing: break
      }
    }
    var hasSubject = false
    match.forEach(message) { role, text, isHidden in
      guard !isHidden else { return }
      switch role {
      case .app, .extension: builder.bundle = text
      case .digest: builder.setDigest(text)
      case .identifier: builder.event.request = workspace.identifier(text)
      case .session: builder.add(.session, text: text)
      case .pid:
        if let pid = MessageText.integer(text) {
          builder.add(.pid, .integer, pid)
          hasSubject = true
        }
      case .process: builder.add(.process, text: text.trimmed)
      case .attribute(let word, let form): builder.add(word, text, form)
      }
    }
    for says in match.row.pointee.says { builder.add(says.key, .text, Int64(says.value.ordinal)) }
    // What a process says of itself is tied to its run by its number; of others, it names it.
    let isOwn =
      match.row.pointee.bracket == .session
      || !Symbol(match.row.pointee.event).isSystemEvent
    if isOwn, !hasSubject, line.pid >= 0 { builder.add(.pid, .integer, line.pid) }
    if isOwn, builder.bundle.count == 0, isBundle(line.subsystem) {
      builder.bundle = line.subsystem
    }
    if line.process.count > 0, !builder.has(.process) {
      builder.add(.process, text: line.process.lastPathPart)
    }
    if line.isOwnFile { builder.add(.by, .text, Int64(Word.ownFile.ordinal)) }
    builder.finish()
    return .event
  }

  /// What becomes of a line whose time lacks what only a person can say: it cannot be read if it
  /// would be an event, and needs no time if it is about something else.
  static func undated(_ line: SystemLine, _ reason: String) -> Reading {
    match(line, .standard) == nil
      ? .skip(because: .otherRecord) : .unreadable(field: "time", reason: reason)
  }

  @inline(__always)
  private static func match(_ line: SystemLine, _ table: MessageTable) -> MessageTable.Match? {
    let match = table.find(
      process: line.process.buffer, category: line.category.buffer, message: line.message.buffer)
    return match?.row.pointee.isKept == true ? match : nil
  }

  /// Whether a subsystem is the bundle id of an app or extension of a team.
  private static func isBundle(_ text: ByteText) -> Bool {
    guard text.count > 2, text.count < 256 else { return false }
    if text.count >= 10, text.part(0, 10).equals("com.apple.") { return false }
    return text.equals("com.google.firebase")
      ? false : (0..<text.count).contains { text[$0] == 0x2e }
  }
}

/// Collects one device event and its attributes in the order in which all events keep them.
struct EventBuilder {
  let workspace: ParseWorkspace
  var event = EventRecord()
  /// Bundle id of the app or extension that the event is about.
  var bundle = ByteText.empty
  /// What else is known of the app.
  var origin = Origin.none
  private var attributes: [Attribute] = []

  init(_ workspace: ParseWorkspace, at: Int64, name: Word) {
    self.workspace = workspace
    event.at = at
    event.name = Symbol(name)
    swap(&attributes, &workspace.spareAttributes)
  }

  func has(_ key: Word) -> Bool { attributes.contains { $0.key == key } }

  mutating func add(_ key: Word, _ kind: Attribute.Kind, _ bits: Int64) {
    guard !has(key) else { return }
    attributes.append(Attribute(key: Symbol(key), kind: kind, bits: bits))
  }

  mutating func add(_ key: Word, text: ByteText) {
    guard text.count > 0 else { return }
    add(key, .text, Int64(workspace.symbol(text).index))
  }

  mutating func add(_ key: Word, _ text: ByteText, _ form: MessageShape.Form) {
    switch form {
    case .flag: if let flag = MessageText.flag(text) { add(key, .boolean, flag ? 1 : 0) }
    case .integer: if let number = MessageText.integer(text) { add(key, .integer, number) }
    case .seconds: if let number = MessageText.milliseconds(text) { add(key, .integer, number) }
    case .word: add(key, text: text)
    }
  }

  /// The short id of a request: it stands in the place of the identifier that it is made of (F11.5).
  mutating func setDigest(_ text: ByteText) {
    var digest = (0..<text.count).map { text[$0] &- 0x61 < 6 ? text[$0] & 0xdf : text[$0] }
    event.request = digest.withUnsafeMutableBytes { bytes in
      bytes.baseAddress.map {
        workspace.identifier(ByteText(base: UnsafeRawPointer($0), count: bytes.count))
      } ?? .none
    }
  }

  /// Adds the event to the records.
  mutating func finish() {
    if bundle.count > 0 { origin.bundle = workspace.symbol(bundle) }
    event.origin = workspace.number(of: origin)
    event.firstAttribute = UInt32(truncatingIfNeeded: workspace.records.attributes.count)
    event.attributeCount = UInt16(truncatingIfNeeded: attributes.count)
    attributes.withUnsafeMutableBufferPointer { attributes in
      // There are a few; keys are different from each other.
      for last in attributes.indices.dropFirst() {
        let attribute = attributes[last]
        var place = last
        while place > 0, attributes[place - 1].key.index > attribute.key.index {
          attributes[place] = attributes[place - 1]
          place -= 1
        }
        attributes[place] = attribute
      }
      workspace.records.attributes.append(contentsOf: attributes)
    }
    workspace.records.events.append(event)
    attributes.removeAll(keepingCapacity: true)
    swap(&attributes, &workspace.spareAttributes)
  }
}
