import PushModel

/// The one table of message shapes, and the search in it.
///
/// A line that is of no shape costs one pass over it: six bytes of a word of every row are
/// looked for at once, skipping ahead by what cannot be the end of any of them, so most bytes are
/// never touched. Only where such six bytes stand is the row's pattern tried.
public struct MessageTable: Sendable {
  /// All rows, specific before general: of several that match, the first one counts.
  public static let rows: [MessageShape] =
    MessageRows.server + MessageRows.daemon + MessageRows.extensionSearch
    + MessageRows.extensionRun + MessageRows.content + MessageRows.presentation
    + MessageRows.background + MessageRows.kernel + MessageRows.sdks + MessageRows.apps
    + MessageRows.quotes

  /// The table of all rows.
  public static let standard = MessageTable(rows)

  let rows: [MessageRow]
  /// Rows that are read only in quoted lines.
  let quotes: [MessageRow]
  let search: MessageSearch
  let quoteSearch: MessageSearch

  /// A table of these rows.
  public init(_ shapes: [MessageShape]) {
    rows = shapes.filter { $0.reading == .line }.map { MessageRow($0) }
    search = MessageSearch(rows.map(\.pattern.key))
    quotes = shapes.filter { $0.reading == .quote }.map { MessageRow($0) }
    quoteSearch = MessageSearch(quotes.map(\.pattern.key))
  }

  /// What a message says; nil if it is of no known shape.
  ///
  /// - Parameters:
  ///   - process: name or path of the process that logged it; empty if it is not known.
  ///   - subsystem: subsystem of the logger; empty if it is not known.
  ///   - category: category of the logger; empty if it is not known.
  ///   - message: the message without time, process and level.
  public func match(
    process: String = "", subsystem: String = "", category: String = "", message: String
  ) -> MessageFinding? {
    var process = process
    var category = category
    var message = message
    return message.withUTF8 { message in
      process.withUTF8 { process in
        category.withUTF8 { category in
          let message = UnsafeRawBufferPointer(message)
          guard
            let match = find(
              process: UnsafeRawBufferPointer(process),
              category: UnsafeRawBufferPointer(category), message: message)
          else { return nil }
          return match.finding(message)
        }
      }
    }
  }

  /// What a message says by the table of all rows; see ``match(process:subsystem:category:message:)``.
  public static func match(
    process: String = "", subsystem: String = "", category: String = "", message: String
  ) -> MessageFinding? {
    standard.match(
      process: process, subsystem: subsystem, category: category, message: message)
  }

  /// A row and the places of its values in the message.
  struct Match {
    let row: MessageRow
    var captures: MessageCaptures
  }

  /// The row of a message; nil, without any memory taken, if it is of no known shape.
  func find(
    process: UnsafeRawBufferPointer, category: UnsafeRawBufferPointer,
    message: UnsafeRawBufferPointer
  ) -> Match? {
    var best = Int.max
    var captures = MessageCaptures()
    guard let base = message.baseAddress else { return nil }
    let count = min(message.count, MessagePattern.longest)
    var settled = InlineArray<4, UInt64>(repeating: 0)
    search.forEachCandidate(base, count) { number, end in
      guard number < best, settled[number >> 6] >> UInt64(number & 63) & 1 == 0 else { return }
      let row = rows[number]
      var isSettled = true
      if row.fits(process, category) {
        isSettled = false
        var found = MessageCaptures()
        if row.pattern.match(message, keyAt: end, &found, isSettled: &isSettled) {
          best = number
          captures = found
        }
      }
      if isSettled { settled[number >> 6] |= 1 << UInt64(number & 63) }
    }
    return best < .max ? Match(row: rows[best], captures: captures) : nil
  }
}

/// A shape with what reading messages needs of it in the form in which it is needed.
final class MessageRow: Sendable {
  let shape: MessageShape
  let pattern: MessagePattern
  /// What such a message says by its wording, in the order of the words.
  let says: [(key: Word, value: Word)]
  private let category: [UInt8]
  /// Processes that must have printed it, where it is known who did; empty = any.
  private let processes: [[UInt8]]

  init(_ shape: MessageShape) {
    self.shape = shape
    pattern = MessagePattern(shape)
    says = shape.says.sorted { $0.key.ordinal < $1.key.ordinal }.map { ($0.key, $0.value) }
    category = Array(shape.category.utf8)
    processes = shape.needsProcess ? shape.processes.map { Array($0.utf8) } : []
  }

  /// Whether a message of this process and category may be of this shape.
  func fits(_ process: UnsafeRawBufferPointer, _ category: UnsafeRawBufferPointer) -> Bool {
    if !self.category.isEmpty, !self.category.elementsEqual(category) { return false }
    guard !processes.isEmpty, process.count > 0 else { return true }
    var start = process.count
    while start > 0, process[start - 1] != 0x2f { start -= 1 }
    let name = UnsafeRawBufferPointer(rebasing: process[start...])
    return processes.contains { wanted in
      // Kernel and crash records cut names (16 to 32 characters).
      wanted.elementsEqual(name)
        || (name.count >= 15 && name.count < wanted.count && wanted.starts(with: name))
    }
  }
}

extension MessageTable.Match {
  /// The values in a form that is easy to use.
  func finding(_ message: UnsafeRawBufferPointer) -> MessageFinding {
    var finding = MessageFinding(shape: row.shape)
    readBracket(message) { place, isHidden in
      if isHidden { return finding.hasHidden = true }
      switch row.shape.bracket {
      case .app: finding.app = place.string
      case .extension: finding.extension = place.string
      case .session: finding.session = place.string
      case .nothing: break
      }
    }
    forEach(message) { role, text, isHidden in
      if isHidden { return finding.hasHidden = true }
      switch role {
      case .app: finding.app = text.string
      case .extension: finding.extension = text.string
      case .digest: finding.digest = text.string.uppercased()
      case .identifier: finding.identifier = text.string
      case .session: finding.session = text.string
      case .pid: finding.pid = MessageText.integer(text)
      case .process: finding.process = text.string
      case .attribute(let word, let form):
        if let value = MessageTable.value(text, form) { finding.attributes.append((word, value)) }
      }
    }
    for (key, value) in row.says {
      finding.attributes.append((key, .text(value.rawValue)))
    }
    for (key, value) in row.shape.codes { finding.attributes.append((key, .integer(value))) }
    return finding
  }

  /// Calls `body` with what stands in brackets at the beginning, if the shape wants it.
  func readBracket(_ message: UnsafeRawBufferPointer, _ body: (ByteText, Bool) -> Void) {
    guard row.shape.bracket != .nothing, let base = message.baseAddress, message.count > 2 else {
      return
    }
    var start = 0
    while start < message.count, message[start] == 0x20 { start += 1 }
    guard start < message.count, message[start] == 0x5b else { return }
    start += 1
    if MessageText.isHidden(base, start, message.count) {
      return body(ByteText(base: base + start, count: 9), true)
    }
    let end =
      row.shape.bracket == .session
      ? MessageText.endOfUUID(base, start, message.count)
      : MessageText.endOfBundle(base, start, message.count)
    guard let end, end < message.count, message[end] == 0x5d else { return }
    body(ByteText(base: base + start, count: end - start), false)
  }

  /// Calls `body` with every captured value.
  func forEach(
    _ message: UnsafeRawBufferPointer, _ body: (MessageRole, ByteText, _ isHidden: Bool) -> Void
  ) {
    guard let base = message.baseAddress else { return }
    for index in 0..<captures.count {
      let capture = captures[index]
      guard let role = row.pattern.role(of: capture.slot) else { continue }
      body(
        role, ByteText(base: base + capture.start, count: capture.end - capture.start),
        MessageText.isHidden(base, capture.start, capture.end))
    }
  }
}

extension MessageTable {
  /// A value by its form; nil if it is not one.
  static func value(_ text: ByteText, _ form: MessageShape.Form) -> MessageValue? {
    switch form {
    case .flag: MessageText.flag(text).map { .flag($0) }
    case .integer: MessageText.integer(text).map { .integer($0) }
    case .seconds: MessageText.milliseconds(text).map { .integer($0) }
    case .word: .text(text.string)
    }
  }
}

/// Looks for six bytes of each of many patterns at once (the method of Wu and Manber).
struct MessageSearch: @unchecked Sendable {
  /// Bytes that are looked for, and of those that are hashed at a time.
  static let window = 6
  private static let block = 3
  private static let shiftMask = 0x7fff
  private static let slotMask = 0x3ff

  /// How far the end of the window may move on, by the three bytes at its end; 0 = look closer.
  private let shifts: UnsafeMutablePointer<UInt8>
  /// Windows by hash: their bytes, and where their rows stand in ``rows``.
  private let slots: UnsafeMutablePointer<(key: UInt64, first: UInt16, count: UInt16)>
  private let rows: [UInt16]
  /// Rows without a key.
  let others: [Int]

  /// A search for the keys of rows, ``window`` bytes each, or none.
  init(_ keys: [[UInt8]]) {
    var rowsOfKey: [UInt64: [UInt16]] = [:]
    others = keys.indices.filter { keys[$0].isEmpty }
    for (row, bytes) in keys.enumerated() where !bytes.isEmpty {
      var key: UInt64 = 0
      for (offset, byte) in bytes.enumerated() { key |= UInt64(byte | 0x20) << UInt64(offset * 8) }
      rowsOfKey[key, default: []].append(UInt16(row))
    }
    // Both live as long as the table, which is static.
    shifts = .allocate(capacity: MessageSearch.shiftMask + 1)
    shifts.initialize(
      repeating: UInt8(MessageSearch.window - MessageSearch.block + 1),
      count: MessageSearch.shiftMask + 1)
    slots = .allocate(capacity: MessageSearch.slotMask + 1)
    slots.initialize(repeating: (0, 0, 0), count: MessageSearch.slotMask + 1)
    precondition(keys.count <= 256, "more rows than the search marks as tried")
    precondition(rowsOfKey.count * 2 < MessageSearch.slotMask, "too many rows for the slots")
    var all: [UInt16] = []
    for key in rowsOfKey.keys.sorted() {
      for end in MessageSearch.block...MessageSearch.window {
        let block = UInt32(truncatingIfNeeded: key >> UInt64((end - MessageSearch.block) * 8))
        let slot = MessageSearch.shiftSlot(block)
        shifts[slot] = min(shifts[slot], UInt8(MessageSearch.window - end))
      }
      var slot = MessageSearch.slot(key)
      while slots[slot].count > 0 { slot = (slot + 1) & MessageSearch.slotMask }
      let found = (rowsOfKey[key] ?? []).sorted()
      slots[slot] = (key, UInt16(all.count), UInt16(found.count))
      all += found
    }
    rows = all
  }

  @inline(__always) private static func shiftSlot(_ block: UInt32) -> Int {
    Int(((block & 0xff_ffff) &* 0x9E37_79B1) >> 17)
  }

  @inline(__always) private static func slot(_ key: UInt64) -> Int {
    Int(truncatingIfNeeded: (key &* 0x9E37_79B9_7F4A_7C15) >> 54)
  }

  /// Calls `body` with every row whose key stands in the text, and with the index behind it; once
  /// for every place, the first one first.
  @inline(__always)
  func forEachCandidate(
    _ base: UnsafeRawPointer, _ count: Int, _ body: (_ row: Int, _ end: Int) -> Void
  ) {
    var end = MessageSearch.window
    while end <= count {
      let block =
        base.loadUnaligned(fromByteOffset: end - 4, as: UInt32.self) >> 8 | 0x20_2020
      let shift = shifts[MessageSearch.shiftSlot(block)]
      if shift > 0 {
        end += Int(shift)
        continue
      }
      let key =
        (end >= 8
          ? base.loadUnaligned(fromByteOffset: end - 8, as: UInt64.self) >> 16
          : UInt64(base.loadUnaligned(fromByteOffset: end - 6, as: UInt32.self))
            | UInt64(base.loadUnaligned(fromByteOffset: end - 2, as: UInt16.self)) << 32)
        | 0x2020_2020_2020
      var slot = MessageSearch.slot(key)
      while slots[slot].count > 0 {
        if slots[slot].key == key {
          for place in 0..<Int(slots[slot].count) {
            body(Int(rows[Int(slots[slot].first) + place]), end)
          }
          break
        }
        slot = (slot + 1) & MessageSearch.slotMask
      }
      end += 1
    }
  }
}
