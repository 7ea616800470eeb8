import PushModel

// Lines as people quote them: without time and process, cut, with values hidden in ways of their
// own, or told in other words.

extension MessageTable {
  /// What a line says that somebody quotes as evidence; nil if it is of no known shape.
  ///
  /// The same rows as for whole logs, read more loosely where no row fits word for word; and the
  /// rows of what apps and tools print, in which only the words count.
  ///
  /// - Parameters:
  ///   - process: name of the process as the report has it; a wording that one process alone
  ///     prints is known by itself.
  ///   - subsystem: subsystem of the logger; empty if it is not known.
  ///   - category: category of the logger; empty if it is not known.
  ///   - message: the message, or the whole line.
  public func quoted(
    process: String = "", subsystem: String = "", category: String = "", message: String
  ) -> MessageFinding? {
    let line =
      match(process: process, subsystem: subsystem, category: category, message: message)
      ?? match(subsystem: subsystem, category: category, message: message)
    let quote = quote(message)
    guard var line else {
      return quote ?? loosely(process: process, category: category, message: message)
    }
    guard let quote else { return line }
    // What an SDK's own line says may be more than that the SDK spoke.
    if line.event == .systemSdkNote { return quote }
    if line.event == quote.event {
      line.attributes += quote.attributes.filter { line[$0.key] == nil }
    }
    return line
  }

  /// What a quoted line says by the table of all rows; see
  /// ``quoted(process:subsystem:category:message:)``.
  public static func quoted(
    process: String = "", subsystem: String = "", category: String = "", message: String
  ) -> MessageFinding? {
    standard.quoted(
      process: process, subsystem: subsystem, category: category, message: message)
  }

  /// The first row of quotes whose words stand in the message.
  private func quote(_ message: String) -> MessageFinding? {
    var message = message
    return message.withUTF8 { bytes in
      let bytes = UnsafeRawBufferPointer(bytes)
      return MessageCaptures.withMemory { memory in
        for number in quoteSearch.candidates(bytes) {
          let row = quotes.pointer(number)
          var captures = MessageCaptures(memory.first)
          guard row.pointee.pattern.matchQuote(bytes, inAnyOrder: true, &captures) else { continue }
          let finding = Match(row: row, captures: captures).finding(bytes)
          guard let only = row.pointee.shape.only else { return finding }
          if case .integer(let number)? = finding[only.attribute], only.values.contains(number) {
            return finding
          }
        }
        return nil
      }
    }
  }

  /// The first row of logs whose texts stand in the message, in their order.
  private func loosely(process: String, category: String, message: String) -> MessageFinding? {
    var process = process
    var category = category
    var message = message
    return message.withUTF8 { message in
      process.withUTF8 { process in
        category.withUTF8 { category in
          let bytes = UnsafeRawBufferPointer(message)
          return MessageCaptures.withMemory { memory in
            for number in search.candidates(bytes) {
              let row = rows.pointer(number)
              guard
                row.pointee.fits(UnsafeRawBufferPointer(process), UnsafeRawBufferPointer(category)),
                !row.pointee.shape.needsProcess || process.count > 0
              else { continue }
              var captures = MessageCaptures(memory.first)
              guard row.pointee.pattern.matchQuote(bytes, inAnyOrder: false, &captures) else {
                continue
              }
              return Match(row: row, captures: captures).finding(bytes)
            }
            return nil
          }
        }
      }
    }
  }
}

extension MessageSearch {
  /// The rows that may fit a message, in the order of the table.
  fileprivate func candidates(_ message: UnsafeRawBufferPointer) -> [Int] {
    guard let base = message.baseAddress else { return [] }
    var rows = Array(others)
    forEachCandidate(base, min(message.count, MessagePattern.longest)) { row, _ in
      if !rows.contains(row) { rows.append(row) }
    }
    return rows.sorted()
  }
}

extension MessagePattern {
  /// Fills the captures if all texts stand in the message; values that are not there, or are
  /// hidden in some way, are left out.
  func matchQuote(
    _ message: UnsafeRawBufferPointer, inAnyOrder: Bool, _ captures: inout MessageCaptures
  ) -> Bool {
    guard let base = message.baseAddress else { return false }
    let count = min(message.count, MessagePattern.longest)
    var place = 0
    for (number, piece) in pieces.enumerated() {
      switch piece {
      case .gap: continue
      case .text(let text):
        let wanted = MessagePattern.trimmed(text)
        if wanted.count == 0 { continue }
        guard
          let found = find(wanted, base, from: inAnyOrder ? 0 : place, count, wholeKey: false)
        else { return false }
        place = found.end
      case .capture(let role):
        let start = skip(base, place, count)
        if let end = take(role, base, start, count), end > start {
          captures.add(number, start, end)
          place = end
        }
      }
    }
    for (number, field) in fields.enumerated() {
      guard let found = value(of: field, base, count) else { continue }
      captures.add(pieces.count + number, found.start, found.end)
    }
    return true
  }

  /// The first value behind a key, however the two are joined: `Code=101`, `code: 101`, `code 101`.
  private func value(
    of field: (key: MessageBytes, role: MessageRole), _ base: UnsafeRawPointer, _ count: Int
  ) -> (start: Int, end: Int)? {
    var length = field.key.count
    while length > 0, MessagePattern.isJoint(field.key[length - 1]) { length -= 1 }
    guard length > 0 else { return nil }
    let key = MessageBytes(field.key, from: 0, to: length)
    var from = 0
    while let end = find(key, base, from: from, count, wholeKey: false)?.end {
      let start = skip(base, end, count)
      if start > end, let last = take(field.role, base, start, count), last > start {
        return (start, last)
      }
      from = end
    }
    return nil
  }

  private func skip(_ base: UnsafeRawPointer, _ start: Int, _ count: Int) -> Int {
    var place = start
    while place < count,
      MessagePattern.isJoint(base.load(fromByteOffset: place, as: UInt8.self))
    {
      place += 1
    }
    return place
  }

  /// A space, an equals sign, a colon, an opening bracket or a quotation mark.
  private static func isJoint(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x3d || byte == 0x3a || byte == 0x28 || byte == 0x22 || byte == 0x27
  }

  private static func trimmed(_ text: MessageBytes) -> MessageBytes {
    var start = 0
    var end = text.count
    while start < end, text[start] == 0x20 { start += 1 }
    while end > start, text[end - 1] == 0x20 { end -= 1 }
    return MessageBytes(text, from: start, to: end)
  }
}
