/// A stretch of bytes in the text area of a ``RecordSet``; `length` 0 means "not there".
public struct TextRange: Hashable, Sendable, BitwiseCopyable {
  /// First byte.
  public var offset: UInt32
  /// Number of bytes.
  public var length: UInt32

  /// A stretch of bytes.
  @inlinable public init(offset: UInt32, length: UInt32) {
    self.offset = offset
    self.length = length
  }

  /// No text.
  @inlinable public static var none: TextRange { TextRange(offset: 0, length: 0) }
}

/// An id as records carry it: its hash (0 = not there; UUIDs without case) and its text as written.
public struct Identifier: Sendable, BitwiseCopyable {
  /// 64-bit hash of the text; of a UUID in lower case.
  public var hash: UInt64
  /// The text as written (its case matters for the digest, F11.5).
  public var text: TextRange

  /// An id.
  @inlinable public init(hash: UInt64, text: TextRange) {
    self.hash = hash
    self.text = text
  }

  /// No id.
  @inlinable public static var none: Identifier { Identifier(hash: 0, text: .none) }

  /// Whether there is an id.
  @inlinable public var isPresent: Bool { hash != 0 }
}

/// Where the bytes of a line can be read again: a chunk of this run's input.
public struct RawPlace: Sendable, BitwiseCopyable {
  /// Number of the chunk in this run; `UInt32.max` for records that come from the database.
  public var chunk: UInt32
  /// Offset in the chunk.
  public var offset: UInt32
  /// Length without the line end.
  public var length: UInt32

  /// A place.
  @inlinable public init(chunk: UInt32, offset: UInt32, length: UInt32) {
    self.chunk = chunk
    self.offset = offset
    self.length = length
  }

  /// A record that is already stored.
  @inlinable public static var stored: RawPlace {
    RawPlace(chunk: .max, offset: 0, length: 0)
  }

  /// Whether the record comes from the database, not from the input of this run.
  @inlinable public var isStored: Bool { chunk == .max }
}

/// What recorded an event: the process, its release and its phone.
public struct Origin: Hashable, Sendable, BitwiseCopyable {
  /// Bundle id of the process: app or extension; `empty` where it is not given (all five).
  public var bundle: Symbol
  /// App version.
  public var version: Symbol
  /// Build.
  public var build: Symbol
  /// OS version.
  public var os: Symbol
  /// Device model.
  public var model: Symbol

  /// An origin.
  @inlinable public init(bundle: Symbol, version: Symbol, build: Symbol, os: Symbol, model: Symbol)
  {
    self.bundle = bundle
    self.version = version
    self.build = build
    self.os = os
    self.model = model
  }

  /// Nothing given.
  public static let none = Origin(
    bundle: Symbol(.empty), version: Symbol(.empty), build: Symbol(.empty), os: Symbol(.empty),
    model: Symbol(.empty))
}

/// A header value in a record: not given, null, a number, or a symbol.
public struct HeaderValue: Hashable, Sendable, BitwiseCopyable {
  /// What ``bits`` hold.
  public enum Kind: UInt8, Sendable, BitwiseCopyable { case absent, null, number, text }
  /// What ``bits`` hold.
  public var kind: Kind
  /// The number, or the index of the symbol.
  public var bits: Int64

  /// A value.
  @inlinable public init(kind: Kind, bits: Int64) {
    self.kind = kind
    self.bits = bits
  }

  /// Not given.
  @inlinable public static var absent: HeaderValue { HeaderValue(kind: .absent, bits: 0) }

  /// The value in a chain.
  public var known: Known<HeaderNumber> {
    switch kind {
    case .absent: .unknown
    case .null: .missing
    case .number: .known(.number(bits))
    case .text: .known(.text(Symbol(index: UInt32(truncatingIfNeeded: bits))))
    }
  }
}

/// A text value in a record: not given, null (known to be missing), or a symbol.
public struct TextValue: Hashable, Sendable, BitwiseCopyable {
  /// Index of the symbol plus 2; 0 not given, 1 null.
  public var code: UInt32

  /// A value from its code.
  @inlinable public init(code: UInt32) { self.code = code }
  /// A text.
  @inlinable public init(_ symbol: Symbol) { code = symbol.index &+ 2 }
  /// Not given.
  @inlinable public static var absent: TextValue { TextValue(code: 0) }
  /// Null: known to be missing.
  @inlinable public static var null: TextValue { TextValue(code: 1) }
  /// The symbol, if there is one.
  @inlinable public var symbol: Symbol? { code < 2 ? nil : Symbol(index: code &- 2) }
  /// The value in a chain.
  @inlinable public var known: Known<Symbol> {
    switch code {
    case 0: .unknown
    case 1: .missing
    default: .known(Symbol(index: code &- 2))
    }
  }
}

/// A token as records carry it: digest, ends and form; its text is not kept.
public struct TokenRecord: Hashable, Sendable, BitwiseCopyable {
  /// First half of the keyed digest; 0 with ``low`` 0 = no token.
  public var high: UInt64
  /// Second half of the keyed digest.
  public var low: UInt64
  /// First four characters, ASCII, first character in the highest byte.
  public var head: UInt32
  /// Last four characters.
  public var tail: UInt32
  /// Length of the text.
  public var length: UInt16
  /// What is in it beside hex digits.
  public var marks: TokenForm.Marks

  /// A token.
  @inlinable public init(
    high: UInt64, low: UInt64, head: UInt32, tail: UInt32, length: UInt16, marks: TokenForm.Marks
  ) {
    self.high = high
    self.low = low
    self.head = head
    self.tail = tail
    self.length = length
    self.marks = marks
  }

  /// No token.
  @inlinable public static var none: TokenRecord {
    TokenRecord(high: 0, low: 0, head: 0, tail: 0, length: 0, marks: [])
  }
  /// Whether there is a token.
  @inlinable public var isPresent: Bool { high != 0 || low != 0 }
  /// Whether both are the same.
  public static func == (left: TokenRecord, right: TokenRecord) -> Bool {
    left.high == right.high && left.low == right.low
  }
  /// Hashes what tells two of them apart.
  public func hash(into hasher: inout Hasher) { hasher.combine(high) }
}

extension TokenForm.Marks: Hashable {}

/// One parsed line of a send log.
public struct SendRecord: Sendable, BitwiseCopyable {
  /// When the request was sent, UTC microseconds.
  public var at: Int64 = 0
  /// Where it stands.
  public var reference: RecordReference = .none
  /// Where its bytes are.
  public var raw: RawPlace = .stored
  /// Hash of the installation that the sender names; 0 = none.
  public var installation: UInt64 = 0
  /// Text of that installation's id.
  public var installationText: TextRange = .none
  /// The token.
  public var token: TokenRecord = .none
  /// The sender's own id.
  public var notification: Identifier = .none
  /// Answer header `apns-id`.
  public var apns: Identifier = .none
  /// Header `apns-collapse-id`.
  public var collapse: Identifier = .none
  /// Whether the collapse id is given as null.
  public var collapseIsNull = false
  /// HTTP status; 0 = no answer; `Int32.min` = not given.
  public var status: Int32 = .min
  /// Attempt, 0 = not given.
  public var attempt: Int32 = 0
  /// APNs' reason.
  public var reason: TextValue = .absent
  /// `timestamp` of a 410; `Int64.min` = not given.
  public var unregisteredAt: Int64 = .min
  /// `production` or `sandbox`.
  public var environment: TextValue = .absent
  /// Host.
  public var host: TextValue = .absent
  /// Topic.
  public var topic: TextValue = .absent
  /// Push type.
  public var pushType: TextValue = .absent
  /// Priority as written.
  public var priority: HeaderValue = .absent
  /// Expiration as written.
  public var expiration: HeaderValue = .absent
  /// Channel.
  public var channel: TextValue = .absent
  /// Hash of the payload's shape; 0 = no payload known.
  public var shape: UInt64 = 0
  /// Size of the body in bytes; -1 = not given.
  public var payloadBytes: Int32 = -1
  /// Gateway.
  public var provider: TextValue = .absent
  /// Campaign.
  public var campaign: TextValue = .absent
  /// Transport error.
  public var error: TextValue = .absent
  /// What was meant.
  public var expects: Meaning = []
  /// Kind of the token.
  public var tokenKind: TextValue = .absent
  /// Key id.
  public var keyID: TextValue = .absent
  /// Team id.
  public var teamID: TextValue = .absent
  /// When the JWT was issued; `Int64.min` = not given.
  public var jwtIssuedAt: Int64 = .min
  /// Machine that sent.
  public var sender: TextValue = .absent
  /// Time until the answer, microseconds; -1 = not given.
  public var answeredAfter: Int64 = -1
  /// Status of a receipt.
  public var receiptStatus: TextValue = .absent
  /// Reason of a receipt.
  public var receiptReason: TextValue = .absent
  /// `apns-unique-id`.
  public var uniqueID: TextRange = .none

  /// An empty record.
  public init() {}
}

/// One parsed line of a device log.
public struct EventRecord: Sendable, BitwiseCopyable {
  /// Device clock, UTC microseconds.
  public var at: Int64 = 0
  /// Counter of the installation; `Int64.min` = none.
  public var sequence: Int64 = .min
  /// Hash of the installation's id; 0 = not named.
  public var installation: UInt64 = 0
  /// Text of the installation's id.
  public var installationText: TextRange = .none
  /// Where it stands.
  public var reference: RecordReference = .none
  /// Where its bytes are.
  public var raw: RawPlace = .stored
  /// Name.
  public var name = Symbol(.empty)
  /// Number of its ``Origin`` in the set.
  public var origin: UInt32 = 0
  /// Log id.
  public var log: TextValue = .absent
  /// The sender's own id.
  public var notification: Identifier = .none
  /// `apns_id`.
  public var apns: Identifier = .none
  /// `request_id`.
  public var request: Identifier = .none
  /// `collapse_id`.
  public var collapse: Identifier = .none
  /// Token in a registration or heartbeat.
  public var token: TokenRecord = .none
  /// First attribute in the set.
  public var firstAttribute: UInt32 = 0
  /// Number of attributes.
  public var attributeCount: UInt16 = 0

  /// An empty record.
  public init() {}

  /// Whether it carries any id of a notification.
  @inlinable public var hasIdentifier: Bool {
    notification.isPresent || apns.isPresent || request.isPresent || collapse.isPresent
  }
}

/// Records with the texts they refer to: what the join works on, a part of a run at a time.
///
/// A class with plain memory inside: it is passed around and indexed millions of times a second,
/// where arrays would be retained and released at every turn. Used by one thread at a time.
public final class RecordSet: @unchecked Sendable {
  /// Sends.
  public var sends = Rows<SendRecord>()
  /// Events.
  public var events = Rows<EventRecord>()
  /// Attributes of all events.
  public var attributes = Rows<Attribute>()
  /// Forms of URLs in attributes.
  public var urls = Rows<URLForm>()
  /// Origins by number.
  public var origins = Rows<Origin>()
  /// Text area.
  public var texts = Rows<UInt8>()

  /// An empty set.
  public init() {}

  deinit {
    sends.free()
    events.free()
    attributes.free()
    urls.free()
    origins.free()
    texts.free()
  }

  /// The text of a range.
  public func text(_ range: TextRange) -> String {
    String(
      decoding: texts[Int(range.offset)..<Int(range.offset) + Int(range.length)], as: UTF8.self)
  }

  /// Adds bytes to the text area.
  @inlinable public func append(_ bytes: UnsafeRawBufferPointer) -> TextRange {
    let offset = UInt32(truncatingIfNeeded: texts.count)
    unsafe texts.append(bytes: bytes)
    return TextRange(
      offset: offset, length: UInt32(truncatingIfNeeded: texts.count) &- offset)
  }

  /// Adds a text to the text area.
  public func append(_ text: String) -> TextRange {
    var text = text
    return text.withUTF8 { unsafe append(UnsafeRawBufferPointer($0)) }
  }

  /// Empties the set, keeping its memory and its origins.
  public func removeAll() {
    sends.removeAll()
    events.removeAll()
    attributes.removeAll()
    urls.removeAll()
    texts.removeAll()
  }
}

/// Rows of a plain type in memory that its owner frees. Places are checked in debug builds only.
@safe public struct Rows<Element: BitwiseCopyable>: RandomAccessCollection, MutableCollection {
  @usableFromInline var base: UnsafeMutablePointer<Element>
  @usableFromInline var used = 0
  /// Number of rows.
  @inlinable public var count: Int { used }
  @usableFromInline var capacity: Int

  /// No rows.
  public init() {
    capacity = 16
    unsafe base = .allocate(capacity: 16)
  }

  /// Frees the memory; called once, by the owner.
  func free() { unsafe base.deallocate() }

  /// First place.
  @inlinable public var startIndex: Int { 0 }
  /// Place behind the last.
  @inlinable public var endIndex: Int { count }

  /// The row at a place.
  @inlinable public subscript(place: Int) -> Element {
    get {
      assert(place >= 0 && place < count)
      return unsafe base[place]
    }
    _modify {
      assert(place >= 0 && place < count)
      yield unsafe &base[place]
    }
  }

  /// Adds a row.
  @inlinable public mutating func append(_ element: Element) {
    if used == capacity { grow(1) }
    unsafe (base + used).initialize(to: element)
    used += 1
  }

  /// Adds rows.
  @inlinable public mutating func append(contentsOf elements: some Collection<Element>) {
    for element in elements { append(element) }
  }

  /// Adds rows that stand somewhere else.
  @inlinable public mutating func append(_ elements: UnsafePointer<Element>, _ count: Int) {
    if used + count > capacity { grow(count) }
    unsafe (base + used).update(from: elements, count: count)
    used += count
  }

  /// Drops the last rows.
  @inlinable public mutating func removeLast(_ dropped: Int) { used -= dropped }

  /// Drops all rows, keeping the memory.
  @inlinable public mutating func removeAll() { used = 0 }

  @inline(never) @usableFromInline mutating func grow(_ more: Int) {
    capacity = Swift.max(capacity * 2, count + more)
    let larger = UnsafeMutablePointer<Element>.allocate(capacity: capacity)
    unsafe larger.update(from: base, count: count)
    unsafe base.deallocate()
    unsafe base = larger
  }

  /// The memory of the rows, valid until one is added.
  @inlinable public func withUnsafeBytes<Value>(_ body: (UnsafeRawBufferPointer) throws -> Value)
    rethrows -> Value
  {
    try unsafe body(
      UnsafeRawBufferPointer(start: base, count: count * MemoryLayout<Element>.stride))
  }
}

extension Rows where Element == UInt8 {
  /// Adds bytes.
  @inlinable mutating func append(bytes: UnsafeRawBufferPointer) {
    guard let start = bytes.baseAddress else { return }
    if count + bytes.count > capacity { grow(bytes.count) }
    unsafe UnsafeMutableRawPointer(base + used).copyMemory(from: start, byteCount: bytes.count)
    used += bytes.count
  }

  /// Adds room for bytes and has them written.
  @inlinable public mutating func append(
    count added: Int, _ body: (UnsafeMutablePointer<UInt8>) -> Void
  ) {
    if count + added > capacity { grow(added) }
    unsafe body(base + count)
    grown(added)
  }

  @usableFromInline mutating func grown(_ added: Int) { used += added }
}
