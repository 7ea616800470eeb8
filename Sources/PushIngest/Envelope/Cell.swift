import Glibc
import PushModel

/// A value of a record, from JSON or from a row: formats that come as both are read once.
struct Cell {
  private let json: JSONTape?
  private let place: Int
  private let bytes: ByteText?

  /// A value of an object.
  init(_ json: JSONTape, _ place: Int) {
    self.json = json
    self.place = place
    bytes = json.kind(place) == .text ? json.text(place) : nil
  }

  /// A field of a row.
  init(_ bytes: ByteText) {
    json = nil
    place = 0
    self.bytes = bytes
  }

  /// The text; nil if it is no text, or is empty.
  var text: ByteText? { bytes.flatMap { $0.count > 0 ? $0 : nil } }

  /// Whether there is nothing: null, or no text.
  var isEmpty: Bool {
    if let bytes { return bytes.count == 0 }
    return json?.kind(place) == .null
  }

  /// The whole number that is there as a number or as its digits.
  var whole: Int64? {
    if let bytes {
      guard bytes.count > 0, bytes.count <= 19 else { return nil }
      if bytes.count < 19, let whole = LooseTime.number(bytes, 0, bytes.count) {
        return Int64(whole)
      }
      return Int64(bytes.string)
    }
    return json?.wholeNumber(place)
  }

  /// A truth value as databases write it: `t`, `f`, `1`, `0`, `true`, `false`.
  var flag: Bool? {
    if let bytes {
      switch bytes.count {
      case 1:
        switch bytes[0] | 0x20 {
        case 0x74, 0x79, 0x31: return true
        case 0x66, 0x6E, 0x30: return false
        default: return nil
        }
      case 4: return bytes.string.lowercased() == "true" ? true : nil
      case 5: return bytes.string.lowercased() == "false" ? false : nil
      default: return nil
      }
    }
    switch json?.kind(place) {
    case .yes: return true
    case .no: return false
    default: return json?.wholeNumber(place).flatMap { $0 == 0 ? false : $0 == 1 ? true : nil }
    }
  }

  /// A time as logs write it; without a zone it is UTC if the format's definition says so.
  func time(_ workspace: ParseWorkspace, isUTC: Bool) -> Int64? {
    if let bytes {
      return LooseTime.microseconds(bytes, workspace, isUTC: isUTC) ?? workspace.numberTime(bytes)
    }
    return json.flatMap { workspace.looseTime($0, place, isUTC: isUTC) }
  }

  /// The id that is there as a text or as a whole number.
  func identifier(_ workspace: ParseWorkspace) -> Identifier {
    if let bytes { return workspace.identifier(bytes) }
    return json.map { workspace.identifier($0, place, "id") } ?? .none
  }

  /// The text as one of low cardinality; not given if it is empty.
  func value(_ workspace: ParseWorkspace) -> TextValue {
    if let text { return TextValue(workspace.symbol(text)) }
    guard let json, bytes == nil else { return .absent }
    return workspace.textValue(json, place, "value")
  }

  /// A header value as written.
  func header(_ workspace: ParseWorkspace) -> HeaderValue {
    if let whole { return HeaderValue(kind: .number, bits: whole) }
    guard let text else { return .absent }
    return HeaderValue(kind: .text, bits: Int64(workspace.symbol(text).index))
  }

  /// The token that is there as text.
  func token(_ workspace: ParseWorkspace) -> TokenRecord {
    text.map { workspace.token($0) } ?? .none
  }

  /// Whether the text is one of these words, in any case.
  func isWord(_ word: StaticString) -> Bool {
    guard let bytes, bytes.count == word.utf8CodeUnitCount else { return false }
    for index in 0..<bytes.count where lower(bytes[index]) != lower(word.utf8Start[index]) {
      return false
    }
    return true
  }

  private func lower(_ byte: UInt8) -> UInt8 { byte &- 0x41 < 26 ? byte | 0x20 : byte }
}

extension ByteText {
  /// Whether it begins with a text.
  func starts(with text: StaticString, at index: Int = 0) -> Bool {
    let length = text.utf8CodeUnitCount
    guard index >= 0, index + length <= count else { return false }
    return equalBytes(base + index, UnsafeRawPointer(text.utf8Start), length)
  }

  /// Where a text stands first, from an index on; nil if it does not.
  func find(_ text: StaticString, from start: Int = 0) -> Int? {
    let last = count - text.utf8CodeUnitCount
    var index = start
    while index <= last,
      let found = memchr(base + index, Int32(text.utf8Start[0]), last - index + 1)
    {
      index = UnsafeRawPointer(found) - base
      if starts(with: text, at: index) { return index }
      index += 1
    }
    return nil
  }

  /// A part of it.
  func part(_ start: Int, _ end: Int) -> ByteText {
    ByteText(base: base + start, count: max(0, end - start))
  }

  /// The bytes from an index up to the next blank, or to the end.
  func word(at start: Int) -> ByteText {
    var end = start
    while end < count, self[end] > 0x20 { end += 1 }
    return part(start, end)
  }

  /// Whether it is one word of letters, as APNs' reasons are.
  var isPlainWord: Bool {
    count > 0 && count <= 64 && buffer.allSatisfy { ($0 | 0x20) &- 0x61 < 26 }
  }
}

/// How what a gateway says becomes what a chain knows: its own answer is not APNs' (F1.64).
enum GatewayAnswer {
  /// The gateway took it and says nothing of APNs.
  static func took(_ send: inout SendRecord, _ provider: Symbol) {
    send.provider = TextValue(provider)
    send.status = 200
  }

  /// The gateway took it, and says that APNs did.
  static func accepted(_ send: inout SendRecord, _ provider: Symbol) {
    took(&send, provider)
    send.receiptStatus = TextValue(Symbol(.ok))
  }

  /// The gateway took it, and says why it went no further.
  static func refused(
    _ send: inout SendRecord, _ provider: Symbol, reason: Symbol, _ workspace: ParseWorkspace
  ) {
    took(&send, provider)
    send.receiptStatus = TextValue(workspace.interner.intern("refused"))
    send.receiptReason = TextValue(reason)
  }
}

/// What can be said about texts of transport errors: their end, without addresses and tokens.
enum TransportError {
  /// The last part of an error that is put together of several with ": ", if it has no address.
  static func symbol(_ text: ByteText, _ workspace: ParseWorkspace) -> Symbol {
    var start = 0
    var index = 0
    while index + 1 < text.count {
      if text[index] == 0x3A, text[index + 1] == 0x20 { start = index + 2 }
      index += 1
    }
    let rest = text.part(start, min(text.count, start + 80))
    let hasAddress = rest.buffer.contains { $0 == 0x2F || $0 == 0x40 || $0 == 0x22 }
    return hasAddress || rest.count == 0
      ? workspace.interner.intern("transport error") : workspace.symbol(rest)
  }
}
