import PushModel

/// What was amiss with values of the documents that were mended since it was last asked.
final class MendedValues {
  /// A few of them are enough for a person.
  private static let most = 4
  private(set) var notes: [FieldNote] = []
  /// Asked for every line.
  private(set) var isEmpty = true

  func removeAll() {
    if isEmpty { return }
    notes.removeAll()
    isEmpty = true
  }

  /// Adds a note; a line is parsed again where its format is found, and where it is stored.
  func add(_ field: String, _ reason: String) {
    let note = FieldNote(field: field, reason: reason)
    if notes.count < MendedValues.most, !notes.contains(note) { notes.append(note) }
    isEmpty = false
  }
}

/// Mends a document that the parser refuses whole for one odd value, so that the rest of it is read:
/// halves of surrogate pairs, as they are left where a text is cut by UTF-16 units, and numbers that
/// fit neither 64 bits nor a real number.
///
/// It looks at bytes alone and changes nothing else: what was no JSON before is none afterwards.
struct JSONMending {
  private let text: ByteText
  private let values: MendedValues
  private var out: [UInt8] = []
  /// Bytes that are in `out`.
  private var written = 0
  /// Names of the fields that are open, outermost first, with how deep each stands; only so many are
  /// told apart.
  private var path: [(depth: Int, name: Range<Int>)] = []
  private var depth = 0
  private static let deepest = 8

  /// The mended document with room behind it, and its length; nil if there is nothing to mend.
  static func mended(_ text: ByteText, _ values: MendedValues) -> (bytes: [UInt8], count: Int)? {
    var mending = JSONMending(text: text, values: values)
    mending.run()
    guard mending.written > 0 else { return nil }
    mending.out.append(contentsOf: text.part(mending.written, text.count).buffer)
    let count = mending.out.count
    mending.out.append(contentsOf: [UInt8](repeating: 0, count: ChunkBuffer.paddingBytes))
    return (mending.out, count)
  }

  private init(text: ByteText, values: MendedValues) {
    self.text = text
    self.values = values
  }

  private mutating func run() {
    var index = 0
    while index < text.count {
      switch text[index] {
      case 0x22: index = string(from: index + 1)
      case 0x7B, 0x5B:
        depth += 1
        index += 1
      case 0x7D, 0x5D:
        depth = max(0, depth - 1)
        while let last = path.last, last.depth > depth { path.removeLast() }
        index += 1
      case 0x2D, 0x30...0x39: index = number(from: index)
      default: index += 1
      }
    }
  }

  private mutating func replace(_ range: Range<Int>, by new: String) {
    out.append(contentsOf: text.part(written, range.lowerBound).buffer)
    out.append(contentsOf: new.utf8)
    written = range.upperBound
  }

  /// Index behind the string whose first byte is given.
  private mutating func string(from start: Int) -> Int {
    var index = start
    var isMended = false
    while index < text.count, text[index] != 0x22 {
      guard text[index] == 0x5C else {
        index += 1
        continue
      }
      guard let unit = unit(index) else {
        index += 2
        continue
      }
      let isPair =
        unit & 0xFC00 == 0xD800 && self.unit(index + 6).map { $0 & 0xFC00 == 0xDC00 } == true
      if unit & 0xF800 == 0xD800, !isPair {
        replace(index..<index + 6, by: "\\ufffd")
        isMended = true
      }
      index += isPair ? 12 : 6
    }
    let end = min(index, text.count)
    var next = end + 1
    while next < text.count, text[next] <= 0x20 { next += 1 }
    if next < text.count, text[next] == 0x3A, depth > 0, depth <= JSONMending.deepest {
      while let last = path.last, last.depth >= depth { path.removeLast() }
      path.append((depth, start..<end))
    }
    if isMended { values.add(field, "holds half of a surrogate pair, read as U+FFFD") }
    return end + 1
  }

  /// The code unit of an escape that begins here.
  private func unit(_ start: Int) -> UInt32? {
    guard start + 6 <= text.count, text[start] == 0x5C, text[start + 1] == 0x75 else { return nil }
    var unit: UInt32 = 0
    for index in start + 2..<start + 6 {
      let byte = text[index]
      let digit: UInt8
      if byte &- 0x30 < 10 {
        digit = byte &- 0x30
      } else if (byte | 0x20) &- 0x61 < 6 {
        digit = (byte | 0x20) &- 0x61 + 10
      } else {
        return nil
      }
      unit = unit << 4 | UInt32(digit)
    }
    return unit
  }

  /// Index behind the number that begins here.
  private mutating func number(from start: Int) -> Int {
    var end = start
    var isReal = false
    while end < text.count {
      let byte = text[end]
      guard byte &- 0x30 < 10 || [0x2B, 0x2D, 0x2E, 0x45, 0x65].contains(byte) else { break }
      isReal = isReal || byte == 0x2E || byte | 0x20 == 0x65
      end += 1
    }
    // Shorter ones fit.
    guard end - start >= (isReal ? 4 : 19) else { return end }
    let digits = text.part(start, end).string
    guard let real = Double(digits), isReal || Int64(digits) == nil && UInt64(digits) == nil else {
      return end
    }
    if !real.isFinite {
      replace(start..<end, by: "null")
      values.add(field, "is a number beyond all bounds, and left out")
    } else if !isReal {
      replace(start..<end, by: digits + ".0")
      values.add(field, "is a whole number of more than 64 bits, read as a real number")
    }
    return end
  }

  /// The field that is read, dotted.
  private var field: String {
    let names = path.map {
      text.part($0.name.lowerBound, min($0.name.upperBound, $0.name.lowerBound + 64))
    }
    let dotted = Array(names.map(\.string).joined(separator: ".").utf8)
    let masked = dotted.withUnsafeBytes { SecretText.masked($0) }
    return dotted.isEmpty ? "line" : String(decoding: masked ?? dotted, as: UTF8.self)
  }
}
