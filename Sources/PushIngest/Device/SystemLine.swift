import Glibc
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
  /// Its level; empty where the format has none.
  var level: Completeness.Levels = []
  /// Whether it says that lines were lost in its place.
  var isLoss = false
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
    if !line.isOwnFile { count(line, workspace) }
    guard let match = match(line, workspace) else {
      guard line.isLoss else { return .skip(because: .otherRecord) }
      return gap(at: line.at, lost: 0, workspace)
    }
    workspace.lastRow = match.row
    workspace.lastNumber = line.pid
    if match.row.pointee.event == .systemLogGap {
      var lost: Int64 = 0
      match.forEach(line.message.buffer) { _, text, _ in lost = MessageText.integer(text) ?? 0 }
      return gap(at: line.at, lost: lost, workspace)
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

  /// A record of the log itself that lines are missing in its place.
  ///
  /// - Parameter lost: how many, at least; 0 = it does not say.
  static func gap(at: Int64, lost: Int64, _ workspace: ParseWorkspace) -> Reading {
    workspace.completeness.lossRecords += 1
    workspace.completeness.lostLines += max(lost, 0)
    var builder = EventBuilder(workspace, at: at, name: .systemLogGap)
    if lost > 0 { builder.add(.count, .integer, lost) }
    builder.finish()
    return .event
  }

  /// Counts what a line shows of the completeness of its log, whatever it is about.
  @inline(__always)
  static func count(_ line: SystemLine, _ workspace: ParseWorkspace) {
    workspace.completeness.systemLines += 1
    workspace.completeness.levels.formUnion(line.level)
    workspace.completeness.processes.formUnion(process(line.process))
    if hides(line.message) { workspace.completeness.hiddenLines += 1 }
  }

  /// The level that a word says; empty if it says none of those that are told apart.
  @inline(__always)
  static func level(_ word: ByteText) -> Completeness.Levels {
    guard word.count > 0 else { return [] }
    switch word[0] | 0x20 {
    case UInt8(ascii: "d"):
      // "Debug" and "Default" are "Db" and "Df" for short.
      let place = word.count > 2 ? 2 : 1
      return place < word.count && word[place] | 0x20 == UInt8(ascii: "b") ? .debug : .standard
    case UInt8(ascii: "i"): return .info
    case UInt8(ascii: "n"): return .standard
    case UInt8(ascii: "e"), UInt8(ascii: "f"), UInt8(ascii: "w"): return .error
    default: return []
    }
  }

  /// Which of the processes that say something of nearly every notification a name or path is.
  @inline(__always)
  private static func process(_ path: ByteText) -> Completeness.Processes {
    guard path.count >= 4 else { return [] }
    // Most lines are of others: their last four letters tell.
    switch (path.base + (path.count - 4)).loadUnaligned(as: UInt32.self) {
    case 0x6473_7061: return path.lastPathPart.equals("apsd") ? .apsd : []
    case 0x6473_6164: return path.lastPathPart.equals("dasd") ? .dasd : []
    case 0x6472_616f: return path.lastPathPart.equals("SpringBoard") ? .springBoard : []
    case 0x6464_7261: return path.lastPathPart.equals("runningboardd") ? .runningboardd : []
    case 0x6c65_6e72: return path.lastPathPart.equals("kernel") ? .kernel : []
    default: return []
    }
  }

  /// Whether a value was hidden in a message when the log was taken.
  @inline(__always)
  private static func hides(_ message: ByteText) -> Bool {
    var place = 0
    while place < message.count,
      let found = memchr(message.base + place, 0x3c, message.count - place)
    {
      place = message.base.distance(to: UnsafeRawPointer(found)) + 1
      guard place + 8 <= message.count else { return false }
      if message.part(place, place + 8).equals("private>")
        || message.part(place, place + 5).equals("mask.")
      {
        return true
      }
    }
    return false
  }

  /// What becomes of a line whose time lacks what only a person can say: it cannot be read if it
  /// would be an event, and needs no time if it is about something else.
  static func undated(
    _ line: SystemLine, _ reason: String, _ workspace: ParseWorkspace
  ) -> Reading {
    match(line, workspace) == nil
      ? .skip(because: .otherRecord) : .unreadable(field: "time", reason: reason)
  }

  @inline(__always)
  private static func match(
    _ line: SystemLine, _ workspace: ParseWorkspace
  ) -> MessageTable.Match? {
    let match = workspace.messages.find(
      process: line.process.buffer, category: line.category.buffer, message: line.message.buffer,
      into: workspace.captures)
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
///
/// There is one at a time, since its attributes stand in memory of the workspace: it cannot be copied.
struct EventBuilder: ~Copyable {
  let workspace: ParseWorkspace
  var event = EventRecord()
  /// Bundle id of the app or extension that the event is about.
  var bundle = ByteText.empty
  /// What else is known of the app.
  var origin = Origin.none
  /// The workspace's memory for them: a list of its own would be counted at every turn.
  private let attributes: UnsafeMutablePointer<Attribute>
  private var count = 0

  init(_ workspace: ParseWorkspace, at: Int64, name: Word) {
    self.workspace = workspace
    event.at = at
    event.name = Symbol(name)
    attributes = workspace.attributes
  }

  @inline(__always)
  func has(_ key: Word) -> Bool {
    let symbol = Symbol(key)
    for place in 0..<count where attributes[place].key == symbol { return true }
    return false
  }

  mutating func add(_ key: Word, _ kind: Attribute.Kind, _ bits: Int64) {
    guard !has(key), count < ParseWorkspace.mostAttributes else { return }
    attributes[count] = Attribute(key: Symbol(key), kind: kind, bits: bits)
    count += 1
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
    event.request = withUnsafeTemporaryAllocation(byteCount: text.count, alignment: 1) { digest in
      guard let base = digest.baseAddress else { return .none }
      for place in 0..<text.count {
        digest[place] = text[place] &- 0x61 < 6 ? text[place] & 0xdf : text[place]
      }
      return workspace.identifier(ByteText(base: UnsafeRawPointer(base), count: text.count))
    }
  }

  /// Adds the event to the records.
  mutating func finish() {
    if bundle.count > 0 { origin.bundle = workspace.symbol(bundle) }
    event.origin = workspace.number(of: origin)
    event.firstAttribute = UInt32(truncatingIfNeeded: workspace.records.attributes.count)
    event.attributeCount = UInt16(truncatingIfNeeded: count)
    // There are a few; keys are different from each other.
    for last in 1..<max(count, 1) {
      let attribute = attributes[last]
      var place = last
      while place > 0, attributes[place - 1].key.index > attribute.key.index {
        attributes[place] = attributes[place - 1]
        place -= 1
      }
      attributes[place] = attribute
    }
    workspace.records.attributes.append(attributes, count)
    workspace.records.events.append(event)
    count = 0
  }
}
