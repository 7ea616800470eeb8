import PushModel

extension LogAdapter {
  /// What apps and extensions write to a file of their own: time, level, message.
  static let appFile = LogAdapter(
    id: "app-file",
    title: "text log that an app or extension writes itself: time, level, message",
    formatSource: "common form of such files; lines that SDKs print are known by their words",
    side: .device,
    clock: "the phone's clock; a time without zone is taken as --assume-zone says",
    absence: .neverProves(because: "an app writes what it wants to, and nothing counts its lines"),
    redacts: ["message (only values of known messages are taken out of it)"],
    samples: [
      AdapterSample(
        "2026-03-01 11:00:02.861 [Verbose] [queue] [Service.swift:22] didReceive > APNSAttachmentService started!",
        expect: .record),
      AdapterSample(
        "2026-03-01T10:00:02.600Z INFO nse.did_receive request_id=order-48213 bundle_id=com.example.courier.PushService",
        expect: .record),
      AdapterSample(
        "2026-03-01T10:00:03.100Z ERROR Error Domain=UNErrorDomain Code=101 \"Unrecognized attachment file type\"",
        expect: .record),
      AdapterSample("2026-03-01 11:00:02.861 [Info] nothing of note", expect: .skip),
      AdapterSample("   goes on", expect: .skip),
      AdapterSample("2026-03-01 11:60:02.861 [Info] nse.did_receive", expect: .unreadable),
    ],
    isOnePhone: true,
    prepare: { head, workspace in
      // The form is common: a file is of this kind only if something in it is known.
      var isKnown = false
      let isTimed = LogLineText.recognises(head.lines) { text in
        guard let time = time(text) else { return false }
        isKnown = isKnown || isOfUse(text.part(time.end, text.count))
        return true
      }
      return isTimed && isKnown ? SourceSetup(framing: .startedLines(isStart)) : nil
    },
    read: { piece, workspace in
      LogLineText.plain(piece) { text in
        guard text[0] &- 0x30 < 10 || text[0] == 0x5b else { return .skip(because: .continuation) }
        guard let time = time(text) else {
          return .unreadable(field: "time", reason: "is not a date with a time")
        }
        let at = time.hasZone ? time.microseconds : workspace.assumingZone(time.microseconds)
        let message = text.part(time.end, text.count).trimmed
        if let word = eventName(message) { return event(word, message, at, workspace) }
        return SystemLines.read(
          SystemLine(at: at, process: .empty, message: message, isOwnFile: true), workspace)
      }
    })
}

/// A time at the beginning, in brackets or not.
private func time(_ text: ByteText) -> LooseTime.Found? {
  guard text.count > 20 else { return nil }
  let start = text[0] == 0x5b ? 1 : 0
  guard text[start] &- 0x30 < 10, var found = LooseTime.parse(text, at: start) else { return nil }
  if start == 1, found.end < text.count, text[found.end] == 0x5d { found.end += 1 }
  return found
}

@Sendable private func isStart(_ bytes: UnsafeRawBufferPointer) -> Bool {
  LogLineText.withoutLeadingEscapes(bytes).map { text in
    text.count > 20
      && (text[0] &- 0x30 < 10 && text[4] == 0x2d || text[0] == 0x5b && text[5] == 0x2d)
  } ?? false
}

private func isOfUse(_ message: ByteText) -> Bool {
  eventName(message) != nil
    || MessageCaptures.withMemory { memory in
      MessageTable.standard.find(
        process: ByteText.empty.buffer, category: ByteText.empty.buffer, message: message.buffer,
        into: memory) != nil
    }
}

/// Names of events of the device log, which a line may hold as a word of its own.
private let names = KeyTable(
  Word.allCases.prefix(64).enumerated().filter { $0.element.rawValue.contains(".") }
    .map { ($0.element.rawValue, UInt8($0.offset)) })

/// The first word that names an event of the device log, within the first words of a message.
private func eventName(_ message: ByteText) -> (word: Word, end: Int)? {
  var scanner = LineScanner(message)
  for _ in 0..<8 {
    scanner.skipBlanks()
    let word = scanner.word()
    guard word.count > 0 else { return nil }
    let code = names.code(word.base, word.count)
    if code != 0 { return (Word.allCases[Int(code)], scanner.place) }
  }
  return nil
}

private let textKeys: [(key: StaticString, word: Word)] = [
  ("error_domain", .errorDomain), ("category", .category), ("sdk", .sdk), ("mime", .mime),
  ("uti", .uti), ("state", .state), ("type", .type), ("what", .what), ("signal", .signal),
]
private let numberKeys: [(key: StaticString, word: Word)] = [
  ("error_code", .errorCode), ("code", .code), ("status", .status), ("bytes", .bytes),
  ("duration_ms", .durationMs), ("elapsed_ms", .elapsedMs), ("attempt", .attempt),
  ("attachments", .attachments), ("count", .count), ("footprint_mb", .footprintMb),
]
private let flagKeys: [(key: StaticString, word: Word)] = [
  ("fallback", .fallback), ("recognised", .recognised), ("locked", .locked),
  ("mutable_content", .mutableContent), ("has_media", .hasMedia),
]

/// An event by its name and the `key=value` words behind it.
private func event(
  _ name: (word: Word, end: Int), _ message: ByteText, _ at: Int64, _ workspace: ParseWorkspace
) -> Reading {
  var builder = EventBuilder(workspace, at: at, name: name.word)
  var scanner = LineScanner(message)
  scanner.place = name.end
  while true {
    scanner.skipBlanks()
    let pair = scanner.word()
    guard pair.count > 0 else { break }
    guard let equals = (0..<pair.count).first(where: { pair[$0] == 0x3d }) else { continue }
    let key = pair.part(0, equals)
    var value = pair.part(equals + 1, pair.count)
    while value.count > 0, value[value.count - 1] == 0x2c || value[value.count - 1] == 0x3b {
      value = value.part(0, value.count - 1)
    }
    guard value.count > 0 else { continue }
    if key.equals("request_id") {
      builder.event.request = workspace.identifier(value)
    } else if key.equals("notification_id") {
      builder.event.notification = workspace.identifier(value)
    } else if key.equals("apns_id") {
      builder.event.apns = workspace.identifier(value)
    } else if key.equals("collapse_id") {
      builder.event.collapse = workspace.identifier(value)
    } else if key.equals("bundle_id") {
      builder.bundle = value
    } else if let (_, word) = textKeys.first(where: { key.equals($0.key) }) {
      builder.add(word, text: value)
    } else if let (_, word) = numberKeys.first(where: { key.equals($0.key) }) {
      builder.add(word, value, .integer)
    } else if let (_, word) = flagKeys.first(where: { key.equals($0.key) }) {
      builder.add(word, value, .flag)
    } else {
      workspace.countUnknown("", key)
    }
  }
  builder.add(.by, .text, Int64(Word.ownFile.ordinal))
  builder.finish()
  return .event
}
