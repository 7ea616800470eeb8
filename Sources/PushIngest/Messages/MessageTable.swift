import PushModel

/// The one table of message shapes, and the search in it.
///
/// A line that is of no shape costs one pass over it: six bytes of a word of every row are
/// looked for at once, skipping ahead by what cannot be the end of any of them, so most bytes are
/// never touched. Only where such six bytes stand is the row's pattern tried.
public struct MessageTable: @unchecked Sendable {
  /// All rows, specific before general: of several that match, the first one counts.
  public static let rows: [MessageShape] =
    MessageRows.server + MessageRows.daemon + MessageRows.extensionSearch
    + MessageRows.extensionRun + MessageRows.content + MessageRows.presentation
    + MessageRows.background + MessageRows.kernel + MessageRows.losses + MessageRows.sdks
    + MessageRows.apps
    + MessageRows.quotes

  /// The table of all rows.
  public static let standard = MessageTable(rows)

  let rows: MessageList<MessageRow>
  /// Rows that are read only in quoted lines.
  let quotes: MessageList<MessageRow>
  let search: MessageSearch
  let quoteSearch: MessageSearch

  /// A table of these rows; it is never freed.
  public init(_ shapes: [MessageShape]) {
    let lines = MessageTable.made(shapes.filter { $0.reading == .line })
    let quoted = MessageTable.made(shapes.filter { $0.reading == .quote })
    rows = MessageList(lines)
    search = MessageSearch(lines.map(\.pattern.key))
    quotes = MessageList(quoted)
    quoteSearch = MessageSearch(quoted.map(\.pattern.key))
  }

  private static func made(_ shapes: [MessageShape]) -> [MessageRow] {
    // How many rows hold six bytes: a row is looked for by those that stand in few others.
    var uses: [[UInt8]: Int] = [:]
    for shape in shapes {
      for window in Set(MessagePattern.windows(shape)) { uses[window, default: 0] += 1 }
    }
    return shapes.map { shape in MessageRow(shape) { uses[$0] ?? 0 } }
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
          return MessageCaptures.withMemory { memory in
            find(
              process: UnsafeRawBufferPointer(process),
              category: UnsafeRawBufferPointer(category), message: message, into: memory
            )?.finding(message)
          }
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
    let row: UnsafePointer<MessageRow>
    let captures: MessageCaptures
  }

  /// The row of a message; nil if it is of no known shape.
  ///
  /// - Parameter memory: where the places of values are written, which a match refers to.
  func find(
    process: UnsafeRawBufferPointer, category: UnsafeRawBufferPointer,
    message: UnsafeRawBufferPointer, into memory: MessageCaptures.Memory
  ) -> Match? {
    var best = Int.max
    guard let base = message.baseAddress else { return nil }
    var captures = MessageCaptures(memory.first)
    var spare = MessageCaptures(memory.second)
    let count = min(message.count, MessagePattern.longest)
    var settled = InlineArray<4, UInt64>(repeating: 0)
    search.forEachCandidate(base, count) { number, end in
      guard number < best, settled[number >> 6] >> UInt64(number & 63) & 1 == 0 else { return }
      let row = rows.pointer(number)
      var isSettled = true
      if row.pointee.fits(process, category) {
        isSettled = false
        spare.count = 0
        if row.pointee.pattern.match(message, keyAt: end, &spare, isSettled: &isSettled) {
          best = number
          swap(&captures, &spare)
        }
      }
      if isSettled { settled[number >> 6] |= 1 << UInt64(number & 63) }
    }
    return best < .max ? Match(row: rows.pointer(best), captures: captures) : nil
  }
}

/// A shape with what reading messages needs of it in the form in which it is needed. What is asked
/// for every line has no memory that is counted.
struct MessageRow {
  let shape: MessageShape
  let pattern: MessagePattern
  let event: Word
  let bracket: MessageShape.Bracket
  let isKept: Bool
  /// What such a message says by its wording, in the order of the words.
  let says: MessageList<(key: Word, value: Word)>
  private let category: MessageBytes
  /// Processes that must have printed it, where it is known who did; empty = any.
  private let processes: MessageList<MessageBytes>

  init(_ shape: MessageShape, uses: ([UInt8]) -> Int) {
    self.shape = shape
    pattern = MessagePattern(shape, uses: uses)
    event = shape.event
    bracket = shape.bracket
    isKept = shape.isKept
    says = MessageList(
      shape.says.sorted { $0.key.ordinal < $1.key.ordinal }.map { ($0.key, $0.value) })
    category = MessageBytes(Array(shape.category.utf8))
    processes = MessageList(
      shape.needsProcess ? shape.processes.map { MessageBytes(Array($0.utf8)) } : [])
  }

  /// Whether a message of this process and category may be of this shape.
  func fits(_ process: UnsafeRawBufferPointer, _ category: UnsafeRawBufferPointer) -> Bool {
    if self.category.count > 0, !self.category.begins(with: category, whole: true) { return false }
    guard processes.count > 0, process.count > 0 else { return true }
    var start = process.count
    while start > 0, process[start - 1] != 0x2f { start -= 1 }
    let name = UnsafeRawBufferPointer(rebasing: process[start...])
    return processes.contains { wanted in
      // Kernel and crash records cut names (16 to 32 characters).
      wanted.begins(with: name, whole: name.count < 15)
    }
  }
}

extension MessageTable.Match {
  /// The values in a form that is easy to use.
  func finding(_ message: UnsafeRawBufferPointer) -> MessageFinding {
    var finding = MessageFinding(shape: row.pointee.shape)
    readBracket(message) { place, isHidden in
      if isHidden { return finding.hasHidden = true }
      switch row.pointee.bracket {
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
    for says in row.pointee.says {
      finding.attributes.append((says.key, .text(says.value.rawValue)))
    }
    for (key, value) in row.pointee.shape.codes {
      finding.attributes.append((key, .integer(value)))
    }
    return finding
  }

  /// Calls `body` with what stands in brackets at the beginning, if the shape wants it.
  func readBracket(_ message: UnsafeRawBufferPointer, _ body: (ByteText, Bool) -> Void) {
    guard row.pointee.bracket != .nothing, let base = message.baseAddress, message.count > 2 else {
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
      row.pointee.bracket == .session
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
      guard let role = row.pointee.pattern.role(of: capture.slot) else { continue }
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
  private let rows: MessageList<UInt16>
  /// Rows without a key.
  let others: MessageList<Int>

  /// A search for the keys of rows, ``window`` bytes each, or none.
  init(_ keys: [MessageBytes]) {
    var rowsOfKey: [UInt64: [UInt16]] = [:]
    others = MessageList(keys.indices.filter { keys[$0].count == 0 })
    for (row, bytes) in keys.enumerated() where bytes.count > 0 {
      var key: UInt64 = 0
      for offset in 0..<bytes.count { key |= UInt64(bytes[offset] | 0x20) << UInt64(offset * 8) }
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
    rows = MessageList(all)
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
