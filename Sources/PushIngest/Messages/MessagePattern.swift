import PushModel

/// What a capture in a pattern is for.
enum MessageRole: Equatable {
  case app, `extension`, digest, identifier, session, pid, process
  case attribute(Word, MessageShape.Form)
}

/// Places of captured values in a message, in memory that the caller keeps: they are passed on for every
/// line, where sixteen of them would be copied each time. There is room for those of every row: a
/// test counts.
struct MessageCaptures {
  static let room = 16
  private let places: UnsafeMutablePointer<UInt64>
  var count = 0

  /// Memory for the places of a match, and for those of one that is tried beside it.
  typealias Memory = (first: UnsafeMutablePointer<UInt64>, second: UnsafeMutablePointer<UInt64>)

  /// None yet.
  ///
  /// - Parameter places: memory for ``room`` of them.
  init(_ places: UnsafeMutablePointer<UInt64>) { self.places = places }

  /// Calls `body` with memory that lasts as long as the call.
  static func withMemory<Value>(_ body: (Memory) -> Value) -> Value {
    withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 2 * room) { memory in
      guard let base = memory.baseAddress else { preconditionFailure("room for places") }
      return body((base, base + room))
    }
  }

  mutating func add(_ slot: Int, _ start: Int, _ end: Int) {
    guard count < MessageCaptures.room else { return }
    places[count] = UInt64(slot) << 48 | UInt64(start) << 24 | UInt64(end)
    count += 1
  }

  subscript(index: Int) -> (slot: Int, start: Int, end: Int) {
    let place = places[index]
    return (Int(place >> 48), Int(place >> 24 & 0xff_ffff), Int(place & 0xff_ffff))
  }
}

/// Bytes of a pattern; a table is made once and stays.
struct MessageBytes: @unchecked Sendable {
  let base: UnsafePointer<UInt8>
  let count: Int

  init(_ bytes: [UInt8]) {
    let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: max(bytes.count, 1))
    copy.initialize(from: bytes, count: bytes.count)
    base = UnsafePointer(copy)
    count = bytes.count
  }

  /// A part of others.
  init(_ bytes: MessageBytes, from start: Int, to end: Int) {
    base = bytes.base + start
    count = end - start
  }

  @inline(__always) subscript(index: Int) -> UInt8 { base[index] }

  /// Whether it begins with some bytes, or is them.
  func begins(with bytes: UnsafeRawBufferPointer, whole: Bool) -> Bool {
    guard whole ? bytes.count == count : bytes.count <= count else { return false }
    guard let start = bytes.baseAddress else { return true }
    return equalBytes(UnsafeRawPointer(base), start, bytes.count)
  }
}

/// A list that is made once and stays: reading it counts no references.
struct MessageList<Element>: RandomAccessCollection, @unchecked Sendable {
  private let base: UnsafePointer<Element>
  let count: Int
  var startIndex: Int { 0 }
  var endIndex: Int { count }

  init(_ elements: [Element]) {
    let copy = UnsafeMutablePointer<Element>.allocate(capacity: Swift.max(elements.count, 1))
    copy.initialize(from: elements, count: elements.count)
    base = UnsafePointer(copy)
    count = elements.count
  }

  @inline(__always) subscript(index: Int) -> Element { base[index] }

  @inline(__always) func pointer(_ index: Int) -> UnsafePointer<Element> { base + index }
}

/// A pattern taken apart: pieces of text, gaps and captures in order.
struct MessagePattern: Sendable {
  enum Piece {
    /// Lower-case bytes; a space stands for a run of spaces.
    case text(MessageBytes)
    case gap
    case capture(MessageRole)
  }

  /// Longer messages are looked at up to here: what names a shape stands at the beginning, and
  /// the work on hostile input stays bounded.
  static let longest = 1 << 14

  let pieces: MessageList<Piece>
  /// Keys of the fields, lower case.
  let fields: MessageList<(key: MessageBytes, role: MessageRole)>
  /// The bytes that a search looks for, lower case: part of a word of its texts, which no run of
  /// spaces can tear apart. Empty where no word is long enough, which only rows of quotes may have.
  let key: MessageBytes
  /// How many bytes of the first piece end with the key, if that is a text that holds it; else 0,
  /// and where the key stands does not say where the pattern begins.
  private let keyEnd: Int

  /// - Parameter uses: how many rows of its table hold six bytes.
  init(_ shape: MessageShape, uses: ([UInt8]) -> Int = { _ in 1 }) {
    let (pieces, texts) = MessagePattern.parts(shape)
    self.pieces = MessageList(pieces)
    fields = MessageList(
      shape.fields.map {
        let role: MessageRole =
          switch $0.attribute {
          case .pid: .pid
          case .session: .session
          default: .attribute($0.attribute, $0.form)
          }
        return (MessageBytes(Array($0.key.lowercased().utf8)), role)
      })
    // Behind a gap or a value a key does not tell where the pattern begins: then one that other
    // rows hold too is better.
    var best: (cost: Int, piece: Int, window: ArraySlice<UInt8>)?
    for (piece, text) in texts {
      for window in MessagePattern.windows(text) {
        let cost = uses(Array(window)) * 2 + (piece == 0 ? 0 : 3)
        if cost <= best?.cost ?? .max { best = (cost, piece, window) }
      }
    }
    precondition(best != nil || shape.reading == .quote, "a pattern has no word of six letters")
    key = MessageBytes(best.map { Array($0.window) } ?? [])
    keyEnd = best.map { $0.piece == 0 ? $0.window.endIndex : 0 } ?? 0
  }

  /// All keys that a row could be looked for by.
  static func windows(_ shape: MessageShape) -> [[UInt8]] {
    parts(shape).texts.flatMap { windows($0.bytes).map { Array($0) } }
  }

  private static func windows(_ text: [UInt8]) -> [ArraySlice<UInt8>] {
    text.indices.compactMap { start in
      let end = start + MessageSearch.window
      guard end <= text.count, !text[start..<end].contains(0x20) else { return nil }
      return text[start..<end]
    }
  }

  private static func parts(_ shape: MessageShape) -> (
    pieces: [Piece], texts: [(piece: Int, bytes: [UInt8])]
  ) {
    var texts: [(piece: Int, bytes: [UInt8])] = []
    var pieces: [Piece] = []
    var text: [UInt8] = []
    func flush() {
      if !text.isEmpty {
        texts.append((pieces.count, text))
        pieces.append(.text(MessageBytes(text)))
      }
      text.removeAll()
    }
    let bytes = Array(shape.pattern.utf8)
    var index = 0
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "{"), let close = bytes[index...].firstIndex(of: 0x7d) {
        flush()
        pieces.append(
          .capture(
            MessagePattern.role(String(decoding: bytes[(index + 1)..<close], as: UTF8.self))))
        index = close + 1
      } else if bytes[index...].starts(with: [0x2e, 0x2e, 0x2e]) {
        while text.last == 0x20 { text.removeLast() }
        flush()
        pieces.append(.gap)
        index += 3
        while index < bytes.count, bytes[index] == 0x20 { index += 1 }
      } else {
        let byte = bytes[index]
        text.append(byte &- 0x41 < 26 ? byte | 0x20 : byte)
        index += 1
      }
    }
    flush()
    return (pieces, texts)
  }

  /// The role of a name in braces. Rows are fixed, so a wrong one stops the first test.
  private static func role(_ name: String) -> MessageRole {
    switch name {
    case "app": return .app
    case "extension": return .extension
    case "digest": return .digest
    case "identifier": return .identifier
    case "session": return .session
    case "pid": return .pid
    case "process": return .process
    default:
      let parts = name.split(separator: ":").map(String.init)
      guard parts.count == 2, let word = Word(rawValue: parts[0]),
        let form = MessageShape.Form(rawValue: parts[1])
      else { preconditionFailure("a message pattern has no role {\(name)}") }
      return .attribute(word, form)
    }
  }

  // MARK: Matching

  /// Fills the captures if the message is of this shape; slots are piece numbers, then
  /// `pieces.count` + field number.
  ///
  /// - Parameters:
  ///   - found: index behind a place where the key stands.
  ///   - isSettled: set if other places of the key need no try.
  func match(
    _ message: UnsafeRawBufferPointer, keyAt found: Int, _ captures: inout MessageCaptures,
    isSettled: inout Bool
  ) -> Bool {
    let count = min(message.count, MessagePattern.longest)
    guard let base = message.baseAddress else { return false }
    if keyEnd > 0, case .text(let text) = pieces[0] {
      guard begins(text, base, behind: found),
        let end = ends(text, from: keyEnd, base, found, count),
        match(base, count, 1, end, false, &captures, &isSettled) != nil
      else { return false }
    } else {
      // One try tells for the whole message, however often the key stands in it.
      defer { isSettled = true }
      guard match(base, count, 0, 0, true, &captures, &isSettled) != nil else { return false }
    }
    for (number, field) in fields.enumerated() {
      guard var start = find(field.key, base, from: 0, count, wholeKey: true)?.end else { continue }
      while start < count, byte(base, start) == 0x20 { start += 1 }
      if let end = take(field.role, base, start, count), end > start {
        captures.add(pieces.count + number, start, end)
      }
    }
    return true
  }

  /// Place behind the match of the pieces from `piece` on; nil if they do not match at `start`.
  private func match(
    _ base: UnsafeRawPointer, _ count: Int, _ piece: Int, _ start: Int, _ floats: Bool,
    _ captures: inout MessageCaptures, _ isHopeless: inout Bool
  ) -> Int? {
    guard piece < pieces.count else { return start }
    switch pieces[piece] {
    case .gap: return match(base, count, piece + 1, start, true, &captures, &isHopeless)
    case .capture(let role):
      var start = start
      if floats { while start < count, byte(base, start) == 0x20 { start += 1 } }
      guard let end = take(role, base, start, count), end > start else { return nil }
      captures.add(piece, start, end)
      return match(base, count, piece + 1, end, false, &captures, &isHopeless)
    case .text(let text):
      if !floats {
        guard let end = ends(text, from: 0, base, start, count) else { return nil }
        return match(base, count, piece + 1, end, false, &captures, &isHopeless)
      }
      var from = start
      while let found = find(text, base, from: from, count, wholeKey: false) {
        let kept = captures.count
        let whole = match(base, count, piece + 1, found.end, false, &captures, &isHopeless)
        if whole != nil || isHopeless { return whole }
        captures.count = kept
        from = found.start + 1
      }
      // Earlier pieces could only be found further on, and so could this one.
      isHopeless = true
      return nil
    }
  }

  /// Whether a text up to the end of its key stands before a place.
  private func begins(_ text: MessageBytes, _ base: UnsafeRawPointer, behind end: Int) -> Bool {
    var place = end
    var index = keyEnd
    while index > 0 {
      index -= 1
      guard place > 0, folded(base, place - 1) == text[index] else { return false }
      place -= 1
      if text[index] == 0x20 { while place > 0, byte(base, place - 1) == 0x20 { place -= 1 } }
    }
    return true
  }

  /// Place behind a text whose bytes from an index on stand at `start`.
  @inline(__always) private func ends(
    _ text: MessageBytes, from first: Int, _ base: UnsafeRawPointer, _ start: Int, _ count: Int
  ) -> Int? {
    var place = start
    for index in first..<text.count {
      guard place < count, folded(base, place) == text[index] else { return nil }
      place += 1
      if text[index] == 0x20 { while place < count, byte(base, place) == 0x20 { place += 1 } }
    }
    return place
  }

  /// Where a text first stands; a whole key has no letter or digit before it.
  func find(
    _ text: MessageBytes, _ base: UnsafeRawPointer, from: Int, _ count: Int, wholeKey: Bool
  ) -> (start: Int, end: Int)? {
    // Eight bytes at a time are asked for the first byte, in either case.
    let ones: UInt64 = 0x0101_0101_0101_0101
    let first = UInt64(text[0] | 0x20) &* ones
    let last = count - text.count
    var place = from
    while place <= last {
      if place + 8 <= count {
        let word = base.loadUnaligned(fromByteOffset: place, as: UInt64.self) | ones << 5
        let other = word ^ first
        let zeros = (other &- ones) & ~other & ones << 7
        if zeros == 0 {
          place += 8
          continue
        }
        place += zeros.trailingZeroBitCount >> 3
        guard place <= last else { return nil }
      }
      if let end = ends(text, from: 0, base, place, count),
        !wholeKey || place == 0 || !isWordByte(byte(base, place - 1))
      {
        return (place, end)
      }
      place += 1
    }
    return nil
  }

  /// Place behind a value of a role that begins at `start`; nil if there is none.
  func take(
    _ role: MessageRole, _ base: UnsafeRawPointer, _ start: Int, _ count: Int
  ) -> Int? {
    if MessageText.isHidden(base, start, count) {
      return start + MessageText.hidden.utf8CodeUnitCount
    }
    switch role {
    case .app, .extension: return MessageText.endOfBundle(base, start, count)
    case .digest: return MessageText.endOfDigest(base, start, count)
    case .session: return MessageText.endOfUUID(base, start, count)
    case .identifier: return MessageText.endOfWord(base, start, count)
    case .process: return MessageText.endOfName(base, start, count)
    case .pid, .attribute(_, .integer): return MessageText.endOfInteger(base, start, count)
    case .attribute(_, .seconds): return MessageText.endOfNumber(base, start, count)
    case .attribute(_, .flag), .attribute(_, .word):
      return MessageText.endOfWord(base, start, count)
    }
  }

  /// The role of a slot.
  func role(of slot: Int) -> MessageRole? {
    if slot >= pieces.count { return fields[slot - pieces.count].role }
    if case .capture(let role) = pieces[slot] { return role }
    return nil
  }
}

@inline(__always) private func byte(_ base: UnsafeRawPointer, _ place: Int) -> UInt8 {
  base.load(fromByteOffset: place, as: UInt8.self)
}

@inline(__always) private func folded(_ base: UnsafeRawPointer, _ place: Int) -> UInt8 {
  let byte = base.load(fromByteOffset: place, as: UInt8.self)
  return byte &- 0x41 < 26 ? byte | 0x20 : byte
}

@inline(__always) private func isWordByte(_ byte: UInt8) -> Bool {
  byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 26 || byte == 0x5f
}

/// Where values in messages end, and what they are.
enum MessageText {
  /// What stands where a value was hidden when the log was taken.
  static let hidden: StaticString = "<private>"

  static func isHidden(_ base: UnsafeRawPointer, _ start: Int, _ count: Int) -> Bool {
    guard start + 9 <= count, byte(base, start) == 0x3c else { return false }
    return ByteText(base: base + start, count: 9).equals(hidden)
  }

  static func endOfBundle(_ base: UnsafeRawPointer, _ start: Int, _ count: Int) -> Int? {
    var place = start
    let limit = min(count, start + 256)
    while place < limit, isBundleByte(byte(base, place)) { place += 1 }
    // A sentence may end behind it.
    while place > start, byte(base, place - 1) == 0x2e { place -= 1 }
    return place > start ? place : nil
  }

  private static func isBundleByte(_ byte: UInt8) -> Bool {
    isWordByte(byte) || byte == 0x2e || byte == 0x2d
  }

  static func endOfDigest(_ base: UnsafeRawPointer, _ start: Int, _ count: Int) -> Int? {
    guard start + 9 <= count else { return nil }
    for offset in 0..<9 {
      let byte = byte(base, start + offset)
      if offset == 4 ? byte != 0x2d : !isHex(byte) { return nil }
    }
    if start + 9 < count, isWordByte(byte(base, start + 9)) { return nil }
    return start + 9
  }

  static func endOfUUID(_ base: UnsafeRawPointer, _ start: Int, _ count: Int) -> Int? {
    guard start + 36 <= count else { return nil }
    return UUIDBytes(base + start) == nil ? nil : start + 36
  }

  static func endOfWord(_ base: UnsafeRawPointer, _ start: Int, _ count: Int) -> Int? {
    var place = start
    let limit = min(count, start + 256)
    while place < limit {
      let byte = byte(base, place)
      if byte <= 0x20 || byte == 0x2c || byte == 0x3b || byte == 0x22 || byte == 0x27
        || byte == 0x5d || byte == 0x29 || byte == 0x7d || byte == 0x3e
      {
        break
      }
      place += 1
    }
    return place > start ? place : nil
  }

  /// A process name may hold spaces, so it ends only at a bracket, a quotation mark or the limit.
  static func endOfName(_ base: UnsafeRawPointer, _ start: Int, _ count: Int) -> Int? {
    var place = start
    let limit = min(count, start + 64)
    while place < limit {
      let byte = byte(base, place)
      if byte == 0x5b || byte == 0x28 || byte == 0x27 || byte == 0x22 || byte == 0x2c
        || byte < 0x20
      {
        break
      }
      place += 1
    }
    return place > start ? place : nil
  }

  static func endOfInteger(_ base: UnsafeRawPointer, _ start: Int, _ count: Int) -> Int? {
    var place = start
    if place < count, byte(base, place) == 0x2d { place += 1 }
    let isHexNumber =
      place + 2 < count && byte(base, place) == 0x30 && byte(base, place + 1) | 0x20 == 0x78
    if isHexNumber { place += 2 }
    let first = place
    while place < count, place - first < 20,
      isHexNumber ? isHex(byte(base, place)) : byte(base, place) &- 0x30 < 10
    {
      place += 1
    }
    return place > first ? place : nil
  }

  static func endOfNumber(_ base: UnsafeRawPointer, _ start: Int, _ count: Int) -> Int? {
    var place = start
    while place < count, place - start < 24,
      byte(base, place) &- 0x30 < 10 || byte(base, place) == 0x2e
    {
      place += 1
    }
    while place > start, byte(base, place - 1) == 0x2e { place -= 1 }
    return place > start ? place : nil
  }

  static func isHex(_ byte: UInt8) -> Bool {
    byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 6
  }

  // MARK: Values

  /// A whole number, decimal or `0x` hex; nil if it does not fit.
  static func integer(_ text: ByteText) -> Int64? {
    var place = 0
    let isNegative = text.count > 0 && text[0] == 0x2d
    if isNegative { place = 1 }
    let isHexNumber =
      text.count > place + 2 && text[place] == 0x30 && text[place + 1] | 0x20 == 0x78
    if isHexNumber { place += 2 }
    let radix: UInt64 = isHexNumber ? 16 : 10
    var value: UInt64 = 0
    let first = place
    while place < text.count {
      let byte = text[place]
      let digit: UInt64
      if byte &- 0x30 < 10 {
        digit = UInt64(byte &- 0x30)
      } else if isHexNumber, (byte | 0x20) &- 0x61 < 6 {
        digit = UInt64((byte | 0x20) &- 0x61) + 10
      } else {
        return nil
      }
      let (product, overflow) = value.multipliedReportingOverflow(by: radix)
      let (sum, carry) = product.addingReportingOverflow(digit)
      if overflow || carry { return nil }
      value = sum
      place += 1
    }
    guard place > first, value <= UInt64(Int64.max) else { return nil }
    return isNegative ? -Int64(value) : Int64(value)
  }

  /// Seconds as whole milliseconds, rounded down; nil if it is not a plain number.
  static func milliseconds(_ text: ByteText) -> Int64? {
    var whole: Int64 = 0
    var place = 0
    while place < text.count, text[place] &- 0x30 < 10 {
      guard whole < 1_000_000_000_000 else { return nil }
      whole = whole * 10 + Int64(text[place] &- 0x30)
      place += 1
    }
    var fraction: Int64 = 0
    var scale: Int64 = 100
    if place < text.count {
      guard text[place] == 0x2e, place > 0 else { return nil }
      place += 1
      while place < text.count {
        guard text[place] &- 0x30 < 10 else { return nil }
        fraction += Int64(text[place] &- 0x30) * scale
        scale /= 10
        place += 1
      }
    }
    return text.count == 0 ? nil : whole * 1000 + fraction
  }

  /// Yes or no; nil if it is neither.
  static func flag(_ text: ByteText) -> Bool? {
    if text.count == 1 { return text[0] == 0x31 ? true : text[0] == 0x30 ? false : nil }
    if text.equals("YES") || text.equals("true") || text.equals("Yes") { return true }
    if text.equals("NO") || text.equals("false") || text.equals("No") { return false }
    return nil
  }
}
