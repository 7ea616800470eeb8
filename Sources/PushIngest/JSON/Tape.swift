import CSimdjson

/// One JSON text, parsed and validated by simdjson, walked in place.
///
/// Valid until the next parse of its ``JSONParser``.
struct JSONTape {
  let tape: UnsafePointer<UInt64>
  let strings: UnsafePointer<UInt8>

  /// Kind of a value: the top byte of its tape word.
  enum Kind: UInt8 {
    case object = 0x7b  // {
    case array = 0x5b  // [
    case text = 0x22  // "
    case integer = 0x6c  // l
    case unsigned = 0x75  // u
    case real = 0x64  // d
    case yes = 0x74  // t
    case no = 0x66  // f
    case null = 0x6e  // n
    case other = 0
  }

  /// Place of the document's value.
  @inline(__always) var root: Int { 1 }

  @inline(__always) func kind(_ place: Int) -> Kind {
    // The initializer from raw values is a call that the compiler does not see into.
    switch UInt8(truncatingIfNeeded: tape[place] >> 56) {
    case 0x7b: .object
    case 0x5b: .array
    case 0x22: .text
    case 0x6c: .integer
    case 0x75: .unsigned
    case 0x64: .real
    case 0x74: .yes
    case 0x66: .no
    case 0x6e: .null
    default: .other
    }
  }

  /// Place behind a value.
  @inline(__always) func next(_ place: Int) -> Int {
    let word = tape[place]
    switch UInt8(truncatingIfNeeded: word >> 56) {
    case 0x7b, 0x5b: return Int(truncatingIfNeeded: word & 0xffff_ffff)
    case 0x6c, 0x75, 0x64: return place + 2
    default: return place + 1
    }
  }

  /// First place inside an object or array.
  @inline(__always) func first(_ place: Int) -> Int { place + 1 }

  /// Place of the closing word of an object or array.
  @inline(__always) func end(_ place: Int) -> Int {
    Int(truncatingIfNeeded: tape[place] & 0xffff_ffff) - 1
  }

  /// The fields of an object: each key, and the place of its value.
  @inline(__always) func fields(_ object: Int) -> Fields {
    Fields(json: self, place: first(object), end: end(object))
  }

  /// The places of the values of an array.
  @inline(__always) func elements(_ array: Int) -> Elements {
    Elements(json: self, place: first(array), end: end(array))
  }

  struct Fields: Sequence, IteratorProtocol {
    fileprivate let json: JSONTape
    fileprivate var place: Int
    fileprivate let end: Int

    @inline(__always) mutating func next() -> (key: ByteText, value: Int)? {
      guard place < end else { return nil }
      let key = json.text(place)
      let value = place + 1
      place = json.next(value)
      return (key, value)
    }
  }

  struct Elements: Sequence, IteratorProtocol {
    fileprivate let json: JSONTape
    fileprivate var place: Int
    fileprivate let end: Int

    @inline(__always) mutating func next() -> Int? {
      guard place < end else { return nil }
      let element = place
      place = json.next(element)
      return element
    }
  }

  @inline(__always) func text(_ place: Int) -> ByteText {
    let start = strings + Int(truncatingIfNeeded: tape[place] & 0x00ff_ffff_ffff_ffff)
    let count = UnsafeRawPointer(start).loadUnaligned(as: UInt32.self)
    return ByteText(base: UnsafeRawPointer(start + 4), count: Int(count))
  }

  /// The number as a whole number: an integer, or a real number without a fraction.
  @inline(__always) func wholeNumber(_ place: Int) -> Int64? {
    switch kind(place) {
    case .integer: return Int64(bitPattern: tape[place + 1])
    case .unsigned: return Int64(exactly: tape[place + 1])
    case .real: return Int64(exactly: Double(bitPattern: tape[place + 1]))
    default: return nil
    }
  }

  /// The number as a real number.
  @inline(__always) func real(_ place: Int) -> Double? {
    switch kind(place) {
    case .integer: return Double(Int64(bitPattern: tape[place + 1]))
    case .unsigned: return Double(tape[place + 1])
    case .real: return Double(bitPattern: tape[place + 1])
    default: return nil
    }
  }
}

extension JSONTape {
  /// The value of a key of an object; nil if there is none.
  func member(_ name: StaticString, of object: Int) -> Int? {
    guard kind(object) == .object else { return nil }
    return fields(object).first { $0.key.equals(name) }?.value
  }

  /// The text of a key of an object.
  func memberText(_ name: StaticString, of object: Int) -> ByteText? {
    guard let place = member(name, of: object), kind(place) == .text else { return nil }
    return text(place)
  }

  /// The whole number of a key of an object.
  func memberNumber(_ name: StaticString, of object: Int) -> Int64? {
    member(name, of: object).flatMap { wholeNumber($0) }
  }
}

/// simdjson's parser; one per worker.
final class JSONParser {
  private let parser: OpaquePointer
  /// Told of values for which a document had to be mended.
  let mended: MendedValues
  /// Bytes that must be readable behind a text.
  static let padding = Int(CSJ_PADDING)

  init(mended: MendedValues = MendedValues()) {
    self.mended = mended
    guard let parser = csj_create() else { fatalError("no memory for a JSON parser") }
    self.parser = parser
  }

  deinit { csj_destroy(parser) }

  /// Parses a text; ``padding`` bytes behind it must be readable.
  @inline(__always)
  func parse(_ base: UnsafeRawPointer, _ count: Int) -> Result {
    var document = csj_document()
    let code = csj_parse(parser, base.assumingMemoryBound(to: UInt8.self), count, &document)
    guard code == 0, let tape = document.tape, let strings = document.strings else {
      return mendAndParse(base, count, code)
    }
    return .tape(JSONTape(tape: tape, strings: strings))
  }

  /// Parses again what was refused for a value that can be mended; its texts are copies, so the
  /// mended bytes may go.
  @inline(never)
  private func mendAndParse(_ base: UnsafeRawPointer, _ count: Int, _ code: Int32) -> Result {
    guard csj_is_value_error(code) != 0,
      let (bytes, length) = JSONMending.mended(ByteText(base: base, count: count), mended)
    else { return .failure(code) }
    var document = csj_document()
    let second = bytes.withUnsafeBufferPointer {
      csj_parse(parser, $0.baseAddress, length, &document)
    }
    guard second == 0, let tape = document.tape, let strings = document.strings else {
      return .failure(second == 0 ? code : second)
    }
    return .tape(JSONTape(tape: tape, strings: strings))
  }

  enum Result {
    case tape(JSONTape)
    case failure(Int32)
  }

  /// What an error code means.
  static func message(_ code: Int32) -> String {
    csj_error_message(code).map { String(cString: $0) } ?? "not JSON"
  }
}
