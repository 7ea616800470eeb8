import Glibc
import PushModel

/// Walks through the columns of a text line.
struct LineScanner {
  let text: ByteText
  var place = 0

  init(_ text: ByteText) { self.text = text }

  var isAtEnd: Bool { place >= text.count }

  mutating func skipBlanks() {
    while place < text.count, text[place] == 0x20 || text[place] == 0x09 { place += 1 }
  }

  /// Takes a byte if it is the next.
  mutating func take(_ byte: UInt8) -> Bool {
    guard place < text.count, text[place] == byte else { return false }
    place += 1
    return true
  }

  /// Takes what stands before a blank.
  mutating func word() -> ByteText {
    let start = place
    while place < text.count, text[place] > 0x20 { place += 1 }
    return text.part(start, place)
  }

  /// Takes what stands before one of two bytes, within so many bytes; nil, without moving, if
  /// neither comes.
  mutating func until(_ first: UInt8, or second: UInt8, within limit: Int = 128) -> ByteText? {
    let start = place
    var index = place
    let end = min(text.count, place + limit)
    while index < end, text[index] != first, text[index] != second {
      if text[index] == 0x0a { return nil }
      index += 1
    }
    guard index < end else { return nil }
    place = index
    return text.part(start, index)
  }

  /// Takes a whole number without a sign.
  mutating func number() -> Int64? {
    let start = place
    var value: Int64 = 0
    while place < text.count, text[place] &- 0x30 < 10, place - start < 18 {
      value = value * 10 + Int64(text[place] &- 0x30)
      place += 1
    }
    return place > start ? value : nil
  }

  /// What is left.
  var rest: ByteText { text.part(place, text.count) }
}

/// Times and columns of text logs.
enum LogLineText {
  /// Whether `dddd-dd-dd dd:` stands at the beginning.
  static func looksLikeDate(_ text: ByteText) -> Bool {
    text.count > 20 && text[0] &- 0x30 < 10 && text[4] == 0x2d && text[7] == 0x2d
      && text[10] == 0x20 && text[13] == 0x3a
  }

  /// `2026-03-01 11:00:02.481` at the beginning, with what is behind it.
  static func dateTime(_ text: ByteText) -> LooseTime.Found? {
    guard text.count > 23, text[0] &- 0x30 < 10 else { return nil }
    return LooseTime.parse(text, at: 0)
  }

  /// `Mar  1 11:00:02` with or without a fraction, as if it were UTC in the year; nil if it is none.
  static func monthTime(_ text: ByteText, year: Int) -> (microseconds: Int64, end: Int)? {
    guard text.count > 15, let month = month(text), text[3] == 0x20, text[6] == 0x20,
      text[9] == 0x3a, text[12] == 0x3a
    else { return nil }
    let tens = text[4] == 0x20 ? 0 : Int(text[4] &- 0x30)
    let day = tens * 10 + Int(text[5] &- 0x30)
    guard tens < 4, text[5] &- 0x30 < 10, (1...31).contains(day),
      let clock = LooseTime.clock(text, 7)
    else { return nil }
    var end = 15
    let fraction = fraction(text, &end)
    let seconds =
      Int64(TimeText.daysSince1970(year, month, day)) * 86_400 + Int64(clock)
    return (seconds * 1_000_000 + fraction, end)
  }

  /// Microseconds of the digits behind a dot, which is optional.
  @inline(__always)
  static func fraction(_ text: ByteText, _ end: inout Int) -> Int64 {
    guard end + 1 < text.count, text[end] == 0x2e, text[end + 1] &- 0x30 < 10 else { return 0 }
    end += 1
    return LooseTime.fraction(text, &end)
  }

  /// Month of an English three-letter name at the beginning, 1 to 12.
  static func month(_ text: ByteText) -> Int? {
    guard text.count >= 3 else { return nil }
    switch UInt32(text[0]) << 16 | UInt32(text[1]) << 8 | UInt32(text[2]) {
    case 0x4a616e: return 1
    case 0x466562: return 2
    case 0x4d6172: return 3
    case 0x417072: return 4
    case 0x4d6179: return 5
    case 0x4a756e: return 6
    case 0x4a756c: return 7
    case 0x417567: return 8
    case 0x536570: return 9
    case 0x4f6374: return 10
    case 0x4e6f76: return 11
    case 0x446563: return 12
    default: return nil
    }
  }

  /// `(library) [subsystem:category] message`, both parts optional, at the scanner's place.
  static func readMessage(_ scanner: inout LineScanner, into line: inout SystemLine) {
    scanner.skipBlanks()
    if scanner.place < scanner.text.count, scanner.text[scanner.place] == 0x28 {
      let start = scanner.place
      _ = scanner.take(0x28)
      if scanner.until(0x29, or: 0x29) != nil, scanner.take(0x29) {
        scanner.skipBlanks()
      } else {
        scanner.place = start
      }
    }
    if scanner.place < scanner.text.count, scanner.text[scanner.place] == 0x5b {
      let start = scanner.place
      _ = scanner.take(0x5b)
      // A message may begin with a bracket of its own; a logger's holds a colon.
      if let subsystem = scanner.until(0x3a, or: 0x5d), scanner.take(0x3a),
        let category = scanner.until(0x5d, or: 0x5d), scanner.take(0x5d)
      {
        line.subsystem = subsystem
        line.category = category
        scanner.skipBlanks()
      } else {
        scanner.place = start
      }
    }
    line.message = scanner.rest
  }

  /// `name[57]`, `name(library)[57]`, `name{library}[57]`: name and number; names may hold blanks.
  static func readProcess(_ scanner: inout LineScanner) -> (name: ByteText, pid: Int64)? {
    let start = scanner.place
    guard scanner.until(0x5b, or: 0x0a) != nil else { return nil }
    var end = scanner.place
    if end > start, scanner.text[end - 1] == 0x29 || scanner.text[end - 1] == 0x7d {
      let open: UInt8 = scanner.text[end - 1] == 0x29 ? 0x28 : 0x7b
      var index = end - 1
      while index > start, scanner.text[index] != open { index -= 1 }
      if index > start { end = index }
    }
    _ = scanner.take(0x5b)
    guard end > start, let pid = scanner.number() else { return nil }
    // The compact form has the thread behind a colon.
    if scanner.take(0x3a) {
      while scanner.place < scanner.text.count, MessageText.isHex(scanner.text[scanner.place]) {
        scanner.place += 1
      }
    }
    guard scanner.take(0x5d) else { return nil }
    return (scanner.text.part(start, end), pid)
  }

  /// More than half of the lines that are records by `isRecord`; headers and continuations count
  /// for nothing, two records at least unless there are no more lines.
  static func recognises(
    _ head: [UnsafeRawBufferPointer], _ isRecord: (ByteText) -> Bool
  ) -> Bool {
    var good = 0
    for line in head {
      _ = plain(line) { text in
        if isRecord(text) { good += 1 }
        return .skip(because: .otherRecord)
      }
    }
    return good > 0 && good * 3 >= head.count
  }
}

extension LogLineText {
  /// Calls `body` with a piece without colours: they are copied out only where there are any.
  static func plain(
    _ piece: UnsafeRawBufferPointer, _ body: (ByteText) -> Reading
  ) -> Reading {
    guard let base = piece.baseAddress, piece.count > 0 else { return .skip(because: .emptyLine) }
    guard memchr(base, 0x1b, piece.count) != nil else {
      return body(ByteText(base: base, count: piece.count))
    }
    var copy: [UInt8] = []
    copy.reserveCapacity(piece.count + ChunkBuffer.paddingBytes)
    var index = 0
    while index < piece.count {
      if piece[index] == 0x1b {
        index = endOfEscape(ByteText(base: base, count: piece.count), index)
      } else {
        copy.append(piece[index])
        index += 1
      }
    }
    let count = copy.count
    guard count > 0 else { return .skip(because: .emptyLine) }
    copy.append(contentsOf: [UInt8](repeating: 0, count: ChunkBuffer.paddingBytes))
    return copy.withUnsafeBytes { bytes in
      bytes.baseAddress.map { body(ByteText(base: $0, count: count)) } ?? .skip(because: .emptyLine)
    }
  }

  /// A line without the escapes that stand before its first character.
  static func withoutLeadingEscapes(_ line: UnsafeRawBufferPointer) -> ByteText? {
    guard let base = line.baseAddress, line.count > 0 else { return nil }
    let text = ByteText(base: base, count: line.count)
    var start = 0
    while start < text.count, text[start] == 0x1b { start = endOfEscape(text, start) }
    return text.part(start, text.count)
  }

  /// Index behind an escape sequence: ESC, a bracket, digits and semicolons, one letter.
  private static func endOfEscape(_ text: ByteText, _ start: Int) -> Int {
    var index = start + 1
    guard index < text.count, text[index] == 0x5b else { return index }
    index += 1
    while index < text.count, text[index] &- 0x30 < 12 { index += 1 }
    return min(index + 1, text.count)
  }
}
