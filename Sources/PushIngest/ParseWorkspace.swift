public import PushModel

/// A statement about a field that could not be read.
public struct FieldNote: Sendable, Hashable {
  /// The field, dotted.
  public var field: String
  /// What is wrong with it.
  public var reason: String
}

/// What reading one line gives.
public enum Reading: Sendable, Equatable {
  /// A send was added to the workspace's records.
  case send
  /// A device event was added.
  case event
  /// Several records were added: sends, device events, or both.
  case records(Int)
  /// Nothing to keep, on purpose.
  case skip(because: StaticReason)
  /// The line means nothing without this field.
  case unreadable(field: String, reason: String)
}

/// Why a line is passed over.
public enum StaticReason: String, Sendable {
  case emptyLine = "empty line"
  case comment = "comment"
  case wrapper = "frame of an export"
  case otherRecord = "about something else than delivery"
  case continuation = "goes on with the line before"
}

/// A payload's shape: keys, types, lengths by powers of two, and the system keys' values.
public struct PayloadShape: Sendable {
  /// Hash of the shape.
  public let hash: UInt64
  /// What rules need of it; its symbols are the workspace's.
  public let payload: Payload
  /// The shape as JSON.
  public let text: String
}

/// What one worker needs to read lines: parser, symbols, and the records read so far.
public final class ParseWorkspace {
  /// Records read since the last ``clearRecords()``; their references hold the line in the chunk.
  public let records = RecordSet()
  /// Notes on fields of the line read last; the record is kept all the same.
  public var notes: [FieldNote] = []
  /// Keys that no format knows, with how often they stood.
  public var unknownKeys: [String: Int] = [:]
  /// Shapes of payloads by hash.
  public private(set) var shapes: [UInt64: PayloadShape] = [:]

  /// What stays with the source whose pieces are read.
  public var setup = SourceSetup() {
    didSet {
      // Asked for every piece: copies of the setup would be counted each time.
      messageColumn = setup.messageColumn
      columns = setup.columns
      isInsideList = false
      if case .jsonValues(inside: true) = setup.framing { isInsideList = true }
      delimiter = 0
      if case .csv(let byte) = setup.framing { delimiter = byte }
    }
  }
  private(set) var messageColumn = -1
  private(set) var columns: [UInt8] = []
  /// Whether the pieces are elements of the list of an export.
  private(set) var isInsideList = false
  /// What stands between the fields of a row; 0 where pieces are no rows.
  private(set) var delimiter: UInt8 = 0
  /// Times of the source read last that had no zone.
  public var assumedZones: Int64 = 0
  /// Records of the source read last that had no time of their own.
  public var assumedTimes: Int64 = 0
  /// Times of the source read last that had no year.
  public var assumedYears: Int64 = 0
  /// What the source read last shows of its own completeness.
  public var completeness = Completeness()

  /// Shape of the message of the log line read last, and the number of its process; nil and -1 = none.
  var lastRow: UnsafePointer<MessageRow>?
  var lastNumber: Int64 = -1

  let parser: JSONParser
  /// Texts inside texts, by depth; what was parsed of one stays valid while deeper ones are read.
  let innerTexts: [InnerText]
  /// Values of the line for which it had to be mended.
  let mended = MendedValues()
  /// The table of messages, of which a static one would be asked each time whether it is there
  /// already; lazy, because making it takes a third of a short command's time.
  private(set) lazy var messages = MessageTable.standard
  /// Memory for the places of values in the message of a line.
  let captures: MessageCaptures.Memory = (
    .allocate(capacity: MessageCaptures.room), .allocate(capacity: MessageCaptures.room)
  )
  private var localTime = LocalTime()
  /// Memory for the attributes of the event that is put together.
  let attributes = UnsafeMutablePointer<Attribute>.allocate(capacity: mostAttributes)
  /// More attributes than any event has.
  static let mostAttributes = 64
  /// Memory for the values of the record that is put together.
  let cells = UnsafeMutablePointer<Cell>.allocate(capacity: Envelope.mostFields)
  /// Fields of the row read last.
  var row = RowFields()
  let interner = Interner()
  let tokenKey: TokenKey
  private var originNumbers: [Origin: UInt32] = [:]
  private var lastOrigin = Origin.none
  private var lastOriginNumber: UInt32 = 0
  private var recentOrigins = InlineArray<16, (origin: Origin, number: UInt32)>(
    repeating: (.none, 0))
  private var unknownHashes: [UInt64: String] = [:]

  /// A workspace that digests tokens with this key.
  public init(tokenKey: TokenKey) {
    self.tokenKey = tokenKey
    let mended = mended
    parser = JSONParser(mended: mended)
    innerTexts = (0..<Envelope.deepestText).map { _ in InnerText(mended: mended) }
    records.origins.append(.none)
    originNumbers[.none] = 0
  }

  deinit {
    row.free()
    cells.deallocate()
    attributes.deallocate()
    captures.first.deallocate()
    captures.second.deallocate()
  }

  /// A time without zone, given as if it were UTC, in the zone that the source is taken to have.
  func assumingZone(_ microseconds: Int64) -> Int64 {
    assumedZones += 1
    if let name = setup.hints.assumedZoneName {
      return localTime.utc(microseconds, zone: name)
    }
    return microseconds - Int64(setup.hints.assumedZoneSeconds ?? 0) * 1_000_000
  }

  /// Forgets what was counted of the source read last.
  public func beginPart() {
    assumedZones = 0
    assumedTimes = 0
    assumedYears = 0
    completeness = Completeness()
  }

  /// Notes what was mended of the line that was read, unless it is passed over.
  func takeMended(_ reading: Reading) {
    if case .skip = reading {} else { notes += mended.notes }
    mended.removeAll()
  }

  /// Counts which of the records from a place on carry a number of their recorder's counter.
  public func countNumbers(from first: Int = 0) {
    for index in first..<records.events.count {
      if records.events[index].name == .systemLogGap { completeness.lossRecords += 1 }
      if records.events[index].sequence == .min {
        completeness.unnumbered += 1
      } else {
        completeness.numbered += 1
      }
    }
  }

  /// The time of records that carry none, if a person said one.
  func assumedTime() -> Int64? {
    guard let time = setup.hints.assumedTime else { return nil }
    assumedTimes += 1
    return time
  }

  /// Whether the source's pieces are rows with columns of known meaning.
  var isRows: Bool { !columns.isEmpty }

  /// Calls `body` with the fields of a row whose columns mean something. What reading the row gives
  /// if it is no record: the header, or an empty line; nil if it may be one.
  func forEachField(of piece: UnsafeRawBufferPointer, _ body: (UInt8, Cell) -> Void) -> Reading? {
    if piece.count == 0 { return .skip(because: .emptyLine) }
    guard delimiter != 0 else {
      return .unreadable(field: "line", reason: "is no row: the source has no header")
    }
    if piece.count == setup.header.count, piece.elementsEqual(setup.header) {
      return .skip(because: .wrapper)
    }
    row.split(piece, delimiter: delimiter)
    guard row.fields.count == columns.count else {
      let isBlank = piece.allSatisfy { $0 <= 0x20 }
      return isBlank
        ? .skip(because: .emptyLine)
        : .unreadable(
          field: "line",
          reason: "has \(row.fields.count) columns, its header has \(columns.count)")
    }
    for index in columns.indices where columns[index] != 0 {
      body(columns[index], Cell(row.fields[index]))
    }
    return nil
  }

  /// Adds an event that a gateway tells of.
  func append(_ record: EventRecord, bundle: Symbol?) {
    var record = record
    var origin = Origin.none
    if let bundle { origin.bundle = bundle }
    record.origin = number(of: origin)
    record.firstAttribute = UInt32(truncatingIfNeeded: records.attributes.count)
    records.events.append(record)
  }

  /// Forgets the records read so far; symbols and origins stay.
  public func clearRecords() { records.removeAll() }

  func text(_ symbol: Symbol) -> String { interner.texts[Int(symbol.index)] }

  /// Texts by symbol.
  public var texts: [String] { interner.texts }

  /// Number of the origin, added if it is new.
  @inline(__always)
  func number(of origin: Origin) -> UInt32 {
    if origin == lastOrigin { return lastOriginNumber }
    return slowNumber(of: origin)
  }

  private func slowNumber(of origin: Origin) -> UInt32 {
    // The apps of a phone take turns: most are found without a digest of all five texts.
    // Numbers of symbols follow each other, so their low bits alone would often meet.
    let mixed = (origin.bundle.index &+ origin.version.index &* 7) &* 0x9E37_79B1
    let slot = Int(truncatingIfNeeded: mixed >> 28)
    let number: UInt32
    if recentOrigins[slot].origin == origin {
      number = recentOrigins[slot].number
    } else if let known = originNumbers[origin] {
      number = known
    } else {
      number = UInt32(truncatingIfNeeded: records.origins.count)
      records.origins.append(origin)
      originNumbers[origin] = number
    }
    recentOrigins[slot] = (origin, number)
    lastOrigin = origin
    lastOriginNumber = number
    return number
  }

  /// Whether a piece is JSON, without looking at what it holds: what reading it costs at least.
  public func isJSON(_ piece: UnsafeRawBufferPointer) -> Bool {
    guard let base = piece.baseAddress, piece.count > 0 else { return false }
    if case .tape = parser.parse(base, piece.count) { return true }
    return false
  }

  func note(_ field: String, _ reason: String) {
    notes.append(FieldNote(field: field, reason: reason))
  }

  func countUnknown(_ prefix: StaticString, _ key: ByteText) {
    let hash = StableHash.of(key.base, key.count)
    let name: String
    if let known = unknownHashes[hash] {
      name = known
    } else {
      // The names are for a person; a file of nothing but new keys must not fill the memory.
      let text = SecretText.masked(key.buffer).map { String(decoding: $0, as: UTF8.self) }
      name = unknownHashes.count < 4096 ? "\(prefix)\(text ?? key.string)" : "(other keys)"
      unknownHashes[hash] = name
    }
    unknownKeys[name, default: 0] += 1
  }

  // MARK: Values

  /// A text of low cardinality: a string, or a number as its digits.
  @inline(__always)
  func textValue(_ json: JSONTape, _ place: Int, _ field: @autoclosure () -> String) -> TextValue {
    switch json.kind(place) {
    case .text:
      let text = json.text(place)
      return TextValue(interner.intern(text.base, text.count))
    case .null: return .null
    case .integer, .unsigned, .real:
      if let whole = json.wholeNumber(place) { return TextValue(interner.intern(String(whole))) }
      if let real = json.real(place) { return TextValue(interner.intern("\(real)")) }
      return .absent
    case .yes: return TextValue(Symbol(.trueText))
    case .no: return TextValue(Symbol(.falseText))
    default:
      note(field(), "is not a string")
      return .absent
    }
  }

  /// An id: a string that is not empty, or a whole number.
  @inline(__always)
  func identifier(_ json: JSONTape, _ place: Int, _ field: @autoclosure () -> String) -> Identifier
  {
    switch json.kind(place) {
    case .text:
      let text = json.text(place)
      guard text.count > 0 else { return .none }
      guard text.count <= 1024 else {
        note(field(), "is longer than 1024 bytes")
        return .none
      }
      return Identifier(
        hash: StableHash.ofIdentifier(text.base, text.count), text: records.append(text.buffer))
    case .null: return .none
    case .integer, .unsigned:
      guard let whole = json.wholeNumber(place) else { return .none }
      let text = String(whole)
      return Identifier(hash: StableHash.ofIdentifier(text), text: records.append(text))
    default:
      note(field(), "is not a string")
      return .none
    }
  }

  /// The id of an installation. Some senders have none but the token: then its form is stored.
  @inline(__always) func installation(_ identifier: Identifier) -> Identifier {
    identifier.text.length < 64 ? identifier : maskedInstallation(identifier)
  }

  private func maskedInstallation(_ identifier: Identifier) -> Identifier {
    var text = records.text(identifier.text)
    guard let masked = text.withUTF8({ SecretText.masked(UnsafeRawBufferPointer($0)) }) else {
      return identifier
    }
    return Identifier(
      hash: identifier.hash, text: records.append(String(decoding: masked, as: UTF8.self)))
  }

  /// A header value as written.
  func headerValue(_ json: JSONTape, _ place: Int, _ field: @autoclosure () -> String)
    -> HeaderValue
  {
    switch json.kind(place) {
    case .null: return HeaderValue(kind: .null, bits: 0)
    case .integer, .unsigned:
      if let whole = json.wholeNumber(place) { return HeaderValue(kind: .number, bits: whole) }
      return .absent
    case .real:
      if let whole = json.wholeNumber(place) { return HeaderValue(kind: .number, bits: whole) }
      let symbol = interner.intern(json.real(place).map { "\($0)" } ?? "")
      return HeaderValue(kind: .text, bits: Int64(symbol.index))
    case .text:
      let text = json.text(place)
      if text.count > 0, text.count < 19 {
        var value: Int64 = 0
        var index = 0
        while index < text.count, text[index] &- 0x30 < 10 {
          value = value * 10 + Int64(text[index] &- 0x30)
          index += 1
        }
        if index == text.count { return HeaderValue(kind: .number, bits: value) }
      }
      return HeaderValue(
        kind: .text, bits: Int64(interner.intern(text.base, text.count).index))
    default:
      note(field(), "is not a number or a string")
      return .absent
    }
  }

  /// A time: RFC 3339 with zone, or a number by its size; nil with a note if it is neither.
  @inline(__always)
  func time(_ json: JSONTape, _ place: Int) -> Int64? {
    switch json.kind(place) {
    case .text: return TimeText.microseconds(json.text(place))
    case .integer, .unsigned, .real:
      guard let real = json.real(place) else { return nil }
      return TimeText.microseconds(number: real, whole: json.wholeNumber(place))
    default: return nil
    }
  }

  /// A time as logs write it, a zone assumed where there is none; or a number by its size.
  func looseTime(_ json: JSONTape, _ place: Int, isUTC: Bool = false) -> Int64? {
    if json.kind(place) == .text {
      let text = json.text(place)
      if let at = LooseTime.microseconds(text, self, isUTC: isUTC) { return at }
      return numberTime(text)
    }
    return time(json, place)
  }

  /// A Unix number written as text.
  func numberTime(_ text: ByteText) -> Int64? {
    guard text.count > 0, text.count <= 24, text[0] &- 0x30 < 10 else { return nil }
    if text.count <= 18, let whole = LooseTime.number(text, 0, text.count) {
      return TimeText.microseconds(number: Double(whole), whole: Int64(whole))
    }
    // Seconds with a fraction, as databases write them.
    if text.count > 11, text[10] == 0x2E, let whole = LooseTime.number(text, 0, 10) {
      var end = 10
      let fraction = LogLineText.fraction(text, &end)
      if end == text.count { return Int64(whole) * 1_000_000 + fraction }
    }
    guard let real = Double(text.string) else { return nil }
    return TimeText.microseconds(number: real, whole: Int64(exactly: real))
  }

  func symbol(_ text: ByteText) -> Symbol { interner.intern(text.base, text.count) }

  /// An id from a text; none if it is empty or longer than 1024 bytes.
  func identifier(_ text: ByteText) -> Identifier {
    guard text.count > 0, text.count <= 1024 else { return .none }
    return Identifier(
      hash: StableHash.ofIdentifier(text.base, text.count), text: records.append(text.buffer))
  }

  func identifier(_ text: String) -> Identifier {
    text.isEmpty || text.utf8.count > 1024
      ? .none
      : Identifier(hash: StableHash.ofIdentifier(text), text: records.append(text))
  }

  /// The record of a token's text: brackets and blanks are as they are, base64 stays what it is.
  func token(_ text: ByteText) -> TokenRecord {
    text.count == 0 ? .none : TokenRecord(text: text, key: tokenKey)
  }

  /// A token's record; nil if there is none.
  func token(_ json: JSONTape, _ place: Int, _ field: @autoclosure () -> String) -> TokenRecord {
    switch json.kind(place) {
    case .text:
      let text = json.text(place)
      return text.count == 0 ? .none : TokenRecord(text: text, key: tokenKey)
    case .null: return .none
    default:
      note(field(), "is not a string")
      return .none
    }
  }

  /// The form of a URL, or of a host alone (then without scheme).
  func urlForm(_ text: ByteText) -> URLForm {
    URLReader.form(text, interner: interner)
  }

  func shape(hash: UInt64, make: () -> PayloadShape) {
    if shapes[hash] == nil { shapes[hash] = make() }
  }

  func hasShape(_ hash: UInt64) -> Bool { shapes[hash] != nil }
}

/// A copy of a text inside a text, with room behind it, and the parser that reads it.
final class InnerText {
  private(set) var base = UnsafeMutableRawPointer.allocate(byteCount: 4096, alignment: 8)
  private var capacity = 4096
  let parser: JSONParser

  init(mended: MendedValues) { parser = JSONParser(mended: mended) }

  deinit { base.deallocate() }

  func set(_ text: ByteText) {
    let needed = text.count + ChunkBuffer.paddingBytes
    if needed > capacity {
      base.deallocate()
      capacity = needed * 2
      base = .allocate(byteCount: capacity, alignment: 8)
    }
    base.copyMemory(from: text.base, byteCount: text.count)
    (base + text.count).initializeMemory(
      as: UInt8.self, repeating: 0, count: ChunkBuffer.paddingBytes)
  }
}

/// What rules need of a URL.
enum URLReader {
  static func form(_ text: ByteText, interner: Interner) -> URLForm {
    var spaces = false
    var bad = false
    for index in 0..<text.count {
      let byte = text[index]
      if byte <= 0x20 || byte == 0x7f { spaces = true }
      // RFC 3986 leaves these out of every part; anything beyond ASCII must be encoded.
      if byte == 0x22 || byte == 0x3c || byte == 0x3e || byte == 0x5c || byte == 0x5e
        || byte == 0x60 || byte == 0x7b || byte == 0x7c || byte == 0x7d || byte >= 0x80
      {
        bad = true
      }
      if byte == 0x25 {
        if index + 2 >= text.count || !isHex(text[index + 1]) || !isHex(text[index + 2]) {
          bad = true
        }
      }
    }
    // Scheme: letters, digits, + - . before ":".
    var colon = 0
    while colon < text.count, isSchemeByte(text[colon]) { colon += 1 }
    let hasScheme =
      colon > 0 && colon + 2 < text.count && text[colon] == 0x3a && text[colon + 1] == 0x2f
      && text[colon + 2] == 0x2f
    guard hasScheme else {
      var form = URLForm(
        scheme: Symbol(.empty), ending: Symbol(.empty),
        length: UInt32(truncatingIfNeeded: text.count), parses: false, hasSpaces: spaces)
      // A host alone is what device logs give by default.
      if !spaces && !bad && text.count > 0 && text.count <= 253 {
        form.host = interner.intern(text.base, text.count)
      }
      return form
    }
    let scheme = lower(text, 0, colon)
    var hostEnd = colon + 3
    while hostEnd < text.count, text[hostEnd] != 0x2f, text[hostEnd] != 0x3f, text[hostEnd] != 0x23
    {
      hostEnd += 1
    }
    var hostStart = colon + 3
    for index in hostStart..<hostEnd where text[index] == 0x40 { hostStart = index + 1 }
    var portStart = hostEnd
    for index in hostStart..<hostEnd where text[index] == 0x3a { portStart = index; break }
    var pathEnd = hostEnd
    while pathEnd < text.count, text[pathEnd] != 0x3f, text[pathEnd] != 0x23 { pathEnd += 1 }
    var dot = -1
    var index = pathEnd - 1
    while index >= hostEnd, text[index] != 0x2f {
      if text[index] == 0x2e {
        dot = index
        break
      }
      index -= 1
    }
    var ending = Symbol(.empty)
    if dot >= 0, pathEnd - dot - 1 > 0, pathEnd - dot - 1 <= 5 {
      let word = lower(text, dot + 1, pathEnd)
      if word.utf8.allSatisfy({ ($0 &- 0x30 < 10) || ($0 &- 0x61 < 26) }) {
        ending = interner.intern(word)
      }
    }
    var form = URLForm(
      scheme: interner.intern(scheme), ending: ending,
      length: UInt32(truncatingIfNeeded: text.count),
      parses: !spaces && !bad && portStart > hostStart, hasSpaces: spaces)
    if portStart > hostStart, portStart - hostStart <= 253 {
      form.host = interner.intern(lower(text, hostStart, portStart))
    }
    return form
  }

  private static func isHex(_ byte: UInt8) -> Bool {
    byte &- 0x30 < 10 || byte &- 0x61 < 6 || byte &- 0x41 < 6
  }

  private static func isSchemeByte(_ byte: UInt8) -> Bool {
    byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 26 || byte == 0x2b || byte == 0x2d || byte == 0x2e
  }

  private static func lower(_ text: ByteText, _ start: Int, _ end: Int) -> String {
    String(
      decoding: (start..<end).map { index in
        let byte = text[index]
        return byte &- 0x41 < 26 ? byte | 0x20 : byte
      }, as: UTF8.self)
  }
}
