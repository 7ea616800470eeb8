import Foundation
import Glibc
import PushModel
import PushStore

/// Parsed records on disk, by part, so that memory does not grow with the input.
///
/// One temporary file per worker, unlinked as soon as it is open (nothing is left behind after a
/// kill). A part's records lie in blocks; the list of blocks is all that stays in memory.
final class SpillFile {
  struct Block {
    var part: Int
    var offset: Int64
    var length: Int
  }

  let worker: Int
  private let folder: String
  private let descriptor: Int32
  private(set) var size: Int64 = 0
  private(set) var blocks: [Block] = []
  private var buffers: [ByteOutput]
  private static let flushBytes = 1 << 17

  init(worker: Int, parts: Int, folder: String) throws(PipelineError) {
    self.worker = worker
    self.folder = folder
    var template = Array((folder + "/.pushtriage-spill-XXXXXX").utf8CString)
    descriptor = template.withUnsafeMutableBufferPointer { buffer in
      buffer.baseAddress.map { mkstemp($0) } ?? -1
    }
    guard descriptor >= 0 else {
      throw .temporaryFile(folder: folder, reason: String(cString: strerror(errno)))
    }
    _ = template.withUnsafeBufferPointer { buffer in buffer.baseAddress.map { unlink($0) } }
    buffers = (0..<parts).map { _ in ByteOutput(capacity: SpillFile.flushBytes + 4096) }
  }

  deinit { close(descriptor) }

  /// The buffer of a part, to which one record is added.
  @inline(__always) func buffer(_ part: Int) -> ByteOutput { buffers[part] }

  /// Called after a record was added.
  @inline(__always) func added(_ part: Int) throws(PipelineError) {
    if buffers[part].count >= SpillFile.flushBytes { try flush(part) }
  }

  func flush(_ part: Int) throws(PipelineError) {
    let buffer = buffers[part]
    guard buffer.count > 0 else { return }
    var written = 0
    while written < buffer.count {
      let count = pwrite(
        descriptor, buffer.base + written, buffer.count - written, off_t(size) + off_t(written))
      if count <= 0 {
        if count < 0, errno == EINTR { continue }
        throw .temporaryFile(folder: folder, reason: String(cString: strerror(errno)))
      }
      written += count
    }
    blocks.append(Block(part: part, offset: size, length: buffer.count))
    size += Int64(buffer.count)
    buffer.removeAll()
  }

  func flushAll() throws(PipelineError) {
    for part in buffers.indices { try flush(part) }
  }

  /// Calls `body` with the bytes of each block of wanted parts; they are valid during the call.
  func forEachBlock(
    where isWanted: (_ part: Int) -> Bool,
    _ body: (UnsafeMutableRawPointer, Int) throws(PipelineError) -> Void
  ) throws(PipelineError) {
    var size = 1 << 18
    var buffer = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
    defer { buffer.deallocate() }
    for block in blocks where isWanted(block.part) {
      if size < block.length {
        buffer.deallocate()
        size = block.length
        buffer = .allocate(byteCount: size, alignment: 16)
      }
      try read(block, into: buffer)
      try body(buffer, block.length)
    }
  }

  /// Puts a record that was put off into the part of its home.
  func deal(_ record: SpillCodec.Deferred, to home: Int64) throws(PipelineError) {
    record.base.storeBytes(of: home, toByteOffset: SpillCodec.homeOffset, as: Int64.self)
    let part = SpillParts.part(of: home)
    buffer(part).append(UnsafeRawPointer(record.base), record.length)
    try added(part)
  }

  /// Bytes of a part's blocks.
  func bytes(ofPart part: Int) -> Int {
    blocks.reduce(0) { $0 + ($1.part == part ? $1.length : 0) }
  }

  /// Reads a block into memory of the caller.
  func read(_ block: Block, into target: UnsafeMutableRawPointer) throws(PipelineError) {
    var done = 0
    while done < block.length {
      let count = pread(
        descriptor, target + done, block.length - done, off_t(block.offset) + off_t(done))
      if count <= 0 {
        if count < 0, errno == EINTR { continue }
        throw .temporaryFileLost(
          folder: folder,
          reason: count < 0 ? String(cString: strerror(errno)) : "it is shorter than it was")
      }
      done += count
    }
  }

  /// Empties the file for the next batch.
  func removeAll() {
    blocks.removeAll(keepingCapacity: true)
    for buffer in buffers { buffer.removeAll() }
    size = 0
    _ = ftruncate(descriptor, 0)
  }
}

/// A worker's symbols and origins as those of the shared pool.
struct SymbolMap {
  var symbols: [UInt32] = []
  var origins: [UInt32] = []

  @inline(__always) func map(_ symbol: Symbol) -> Symbol {
    Symbol(index: symbols[Int(symbol.index)])
  }
  @inline(__always) func map(_ value: TextValue) -> TextValue {
    value.code < 2 ? value : TextValue(map(Symbol(index: value.code &- 2)))
  }
  @inline(__always) func map(_ value: HeaderValue) -> HeaderValue {
    guard value.kind == .text else { return value }
    return HeaderValue(
      kind: .text, bits: Int64(map(Symbol(index: UInt32(truncatingIfNeeded: value.bits))).index))
  }
}

/// Packs records into spill buffers and back. The byte order is the machine's: a spill never leaves
/// the process.
enum SpillCodec {
  private struct Mask {
    static let installation: UInt32 = 1
    static let token: UInt32 = 2
    static let notification: UInt32 = 4
    static let apns: UInt32 = 8
    static let collapse: UInt32 = 16
    static let request: UInt32 = 32
    static let unregistered: UInt32 = 64
    static let jwt: UInt32 = 128
    static let rare: UInt32 = 256
    static let unique: UInt32 = 512
    static let sequence: UInt32 = 1024
    static let expiration: UInt32 = 2048
    static let expirationText: UInt32 = 4096
  }

  // MARK: Sends

  /// Bytes from the record's start to its home, which is filled in when the token is resolved.
  static let homeOffset = 5

  static func encode(_ send: SendRecord, home: Int64, _ records: RecordSet, to out: ByteOutput) {
    let texts =
      send.installationText.length + send.notification.text.length + send.apns.text.length
      + send.collapse.text.length + send.uniqueID.length
    var cursor = out.cursor(atMost: mostBytes + Int(texts))
    let start = cursor
    cursor.put(bytesOf: UInt32(0))
    cursor.put(1)
    cursor.put(bytesOf: home)
    var mask: UInt32 = 0
    if send.installation != 0 { mask |= Mask.installation }
    if send.token.isPresent { mask |= Mask.token }
    if send.notification.isPresent { mask |= Mask.notification }
    if send.apns.isPresent { mask |= Mask.apns }
    if send.collapse.isPresent { mask |= Mask.collapse }
    if send.unregisteredAt != .min { mask |= Mask.unregistered }
    if send.jwtIssuedAt != .min { mask |= Mask.jwt }
    if send.uniqueID.length > 0 { mask |= Mask.unique }
    if send.expiration.kind != .absent { mask |= Mask.expiration }
    let hasRare =
      send.channel.code != 0 || send.error.code != 0 || send.receiptStatus.code != 0
      || send.receiptReason.code != 0 || send.collapseIsNull || send.tokenKind.code != 0
    if hasRare { mask |= Mask.rare }
    cursor.put(bytesOf: mask)
    cursor.put(bytesOf: send.at)
    cursor.put(bytesOf: send.reference)
    cursor.put(bytesOf: send.raw)
    cursor.put(bytesOf: send.status)
    cursor.put(bytesOf: send.attempt)
    cursor.put(bytesOf: send.reason.code)
    cursor.put(bytesOf: send.environment.code)
    cursor.put(bytesOf: send.host.code)
    cursor.put(bytesOf: send.topic.code)
    cursor.put(bytesOf: send.pushType.code)
    cursor.put(bytesOf: send.priority)
    cursor.put(bytesOf: send.shape)
    cursor.put(bytesOf: send.payloadBytes)
    cursor.put(bytesOf: send.provider.code)
    cursor.put(bytesOf: send.campaign.code)
    cursor.put(bytesOf: send.expects.rawValue)
    cursor.put(bytesOf: send.keyID.code)
    cursor.put(bytesOf: send.teamID.code)
    cursor.put(bytesOf: send.sender.code)
    cursor.put(bytesOf: send.answeredAfter)
    if mask & Mask.installation != 0 {
      cursor.put(bytesOf: send.installation)
      text(send.installationText, records, &cursor)
    }
    if mask & Mask.token != 0 { cursor.put(bytesOf: send.token) }
    if mask & Mask.notification != 0 { text(send.notification.text, records, &cursor) }
    if mask & Mask.apns != 0 { text(send.apns.text, records, &cursor) }
    if mask & Mask.collapse != 0 { text(send.collapse.text, records, &cursor) }
    if mask & Mask.unregistered != 0 { cursor.put(bytesOf: send.unregisteredAt) }
    if mask & Mask.jwt != 0 { cursor.put(bytesOf: send.jwtIssuedAt) }
    if mask & Mask.unique != 0 { text(send.uniqueID, records, &cursor) }
    if mask & Mask.expiration != 0 { cursor.put(bytesOf: send.expiration) }
    if hasRare {
      cursor.put(bytesOf: send.channel.code)
      cursor.put(bytesOf: send.error.code)
      cursor.put(bytesOf: send.receiptStatus.code)
      cursor.put(bytesOf: send.receiptReason.code)
      cursor.put(bytesOf: send.tokenKind.code)
      cursor.put(send.collapseIsNull ? 1 : 0)
    }
    end(cursor, since: start, out)
  }

  // MARK: Events

  static func encode(_ event: EventRecord, home: Int64, _ records: RecordSet, to out: ByteOutput) {
    let texts =
      event.notification.text.length + event.apns.text.length + event.request.text.length
      + event.collapse.text.length
    let attributes = Int(event.attributeCount) * (8 + MemoryLayout<URLForm>.size)
    var cursor = out.cursor(atMost: mostBytes + Int(texts) + attributes)
    let start = cursor
    cursor.put(bytesOf: UInt32(0))
    cursor.put(2)
    cursor.put(bytesOf: home)
    var mask: UInt32 = 0
    if event.installation != 0 { mask |= Mask.installation }
    if event.token.isPresent { mask |= Mask.token }
    if event.notification.isPresent { mask |= Mask.notification }
    if event.apns.isPresent { mask |= Mask.apns }
    if event.collapse.isPresent { mask |= Mask.collapse }
    if event.request.isPresent { mask |= Mask.request }
    if event.sequence != .min { mask |= Mask.sequence }
    cursor.put(bytesOf: mask)
    cursor.put(bytesOf: event.at)
    cursor.put(bytesOf: event.reference)
    cursor.put(bytesOf: event.raw)
    cursor.put(bytesOf: event.name.index)
    cursor.put(bytesOf: event.origin)
    cursor.put(bytesOf: event.log.code)
    if mask & Mask.sequence != 0 { cursor.put(bytesOf: event.sequence) }
    if mask & Mask.token != 0 { cursor.put(bytesOf: event.token) }
    if mask & Mask.notification != 0 { text(event.notification.text, records, &cursor) }
    if mask & Mask.apns != 0 { text(event.apns.text, records, &cursor) }
    if mask & Mask.request != 0 { text(event.request.text, records, &cursor) }
    if mask & Mask.collapse != 0 { text(event.collapse.text, records, &cursor) }
    cursor.put(UInt8(truncatingIfNeeded: event.attributeCount))
    let first = Int(event.firstAttribute)
    for index in first..<first + Int(event.attributeCount) {
      let attribute = records.attributes[index]
      cursor.put(bytesOf: UInt16(truncatingIfNeeded: attribute.key.index))
      cursor.put(attribute.kind.rawValue)
      switch attribute.kind {
      case .integer, .real: cursor.put(bytesOf: attribute.bits)
      case .boolean: cursor.put(UInt8(truncatingIfNeeded: attribute.bits))
      case .text: cursor.put(bytesOf: UInt32(truncatingIfNeeded: attribute.bits))
      case .url: cursor.put(bytesOf: records.urls[Int(attribute.bits)])
      case .emptyArray, .null: break
      }
    }
    end(cursor, since: start, out)
  }

  /// An installation's id with its text, so that the text is stored once and not with each record.
  static func encodeInstallation(
    _ id: Int64, _ textRange: TextRange, _ records: RecordSet, to out: ByteOutput
  ) {
    var cursor = out.cursor(atMost: mostBytes + Int(textRange.length))
    let start = cursor
    cursor.put(bytesOf: UInt32(0))
    cursor.put(3)
    cursor.put(bytesOf: id)
    text(textRange, records, &cursor)
    end(cursor, since: start, out)
  }

  // MARK: Decoding

  /// What a block holds beside records: texts of installations.
  struct Installations {
    var texts: [Int64: TextRange] = [:]
  }

  /// Adds the records of a block to a set. `sendHomes` and `eventHomes` get the home of each.
  static func decode(
    _ base: UnsafeRawPointer, _ length: Int, map: SymbolMap, into records: RecordSet,
    sendHomes: inout ContiguousArray<Int64>, eventHomes: inout ContiguousArray<Int64>,
    installations: inout Installations
  ) {
    let recent = UnsafeMutablePointer<Cursor.Recent>.allocate(capacity: Cursor.fields)
    recent.initialize(repeating: Cursor.Recent(), count: Cursor.fields)
    defer { recent.deallocate() }
    var place = 0
    while place < length {
      var cursor = Cursor(base: base, place: place, recent: recent)
      let size = Int(cursor.take(UInt32.self))
      let kind = cursor.take(UInt8.self)
      let home = cursor.take(Int64.self)
      switch kind {
      case 1:
        records.sends.append(decodeSend(&cursor, map, records))
        sendHomes.append(home)
      case 2:
        records.events.append(decodeEvent(&cursor, map, records))
        eventHomes.append(home)
      default:
        if installations.texts[home] == nil {
          installations.texts[home] = cursor.text(records)
        }
      }
      place += size
    }
  }

  private static func decodeSend(
    _ cursor: inout Cursor, _ map: SymbolMap, _ records: RecordSet
  ) -> SendRecord {
    var send = SendRecord()
    let mask = cursor.take(UInt32.self)
    send.at = cursor.take(Int64.self)
    send.reference = cursor.take(RecordReference.self)
    send.raw = cursor.take(RawPlace.self)
    send.status = cursor.take(Int32.self)
    send.attempt = cursor.take(Int32.self)
    send.reason = map.map(TextValue(code: cursor.take(UInt32.self)))
    send.environment = map.map(TextValue(code: cursor.take(UInt32.self)))
    send.host = map.map(TextValue(code: cursor.take(UInt32.self)))
    send.topic = map.map(TextValue(code: cursor.take(UInt32.self)))
    send.pushType = map.map(TextValue(code: cursor.take(UInt32.self)))
    send.priority = map.map(cursor.take(HeaderValue.self))
    send.shape = cursor.take(UInt64.self)
    send.payloadBytes = cursor.take(Int32.self)
    send.provider = map.map(TextValue(code: cursor.take(UInt32.self)))
    send.campaign = map.map(TextValue(code: cursor.take(UInt32.self)))
    send.expects = Meaning(rawValue: cursor.take(UInt16.self))
    send.keyID = map.map(TextValue(code: cursor.take(UInt32.self)))
    send.teamID = map.map(TextValue(code: cursor.take(UInt32.self)))
    send.sender = map.map(TextValue(code: cursor.take(UInt32.self)))
    send.answeredAfter = cursor.take(Int64.self)
    if mask & Mask.installation != 0 {
      send.installation = cursor.take(UInt64.self)
      send.installationText = cursor.text(records)
    }
    if mask & Mask.token != 0 { send.token = cursor.take(TokenRecord.self) }
    if mask & Mask.notification != 0 { send.notification = cursor.identifier(records, field: 0) }
    if mask & Mask.apns != 0 { send.apns = cursor.identifier(records, field: 1) }
    if mask & Mask.collapse != 0 { send.collapse = cursor.identifier(records, field: 3) }
    if mask & Mask.unregistered != 0 { send.unregisteredAt = cursor.take(Int64.self) }
    if mask & Mask.jwt != 0 { send.jwtIssuedAt = cursor.take(Int64.self) }
    if mask & Mask.unique != 0 { send.uniqueID = cursor.text(records) }
    if mask & Mask.expiration != 0 { send.expiration = map.map(cursor.take(HeaderValue.self)) }
    if mask & Mask.rare != 0 {
      send.channel = map.map(TextValue(code: cursor.take(UInt32.self)))
      send.error = map.map(TextValue(code: cursor.take(UInt32.self)))
      send.receiptStatus = map.map(TextValue(code: cursor.take(UInt32.self)))
      send.receiptReason = map.map(TextValue(code: cursor.take(UInt32.self)))
      send.tokenKind = map.map(TextValue(code: cursor.take(UInt32.self)))
      send.collapseIsNull = cursor.take(UInt8.self) != 0
    }
    return send
  }

  private static func decodeEvent(
    _ cursor: inout Cursor, _ map: SymbolMap, _ records: RecordSet
  ) -> EventRecord {
    var event = EventRecord()
    let mask = cursor.take(UInt32.self)
    event.at = cursor.take(Int64.self)
    event.reference = cursor.take(RecordReference.self)
    event.raw = cursor.take(RawPlace.self)
    event.name = map.map(Symbol(index: cursor.take(UInt32.self)))
    event.origin = map.origins[Int(cursor.take(UInt32.self))]
    event.log = map.map(TextValue(code: cursor.take(UInt32.self)))
    if mask & Mask.sequence != 0 { event.sequence = cursor.take(Int64.self) }
    if mask & Mask.token != 0 { event.token = cursor.take(TokenRecord.self) }
    if mask & Mask.notification != 0 { event.notification = cursor.identifier(records, field: 0) }
    if mask & Mask.apns != 0 { event.apns = cursor.identifier(records, field: 1) }
    if mask & Mask.request != 0 { event.request = cursor.identifier(records, field: 2) }
    if mask & Mask.collapse != 0 { event.collapse = cursor.identifier(records, field: 3) }
    event.firstAttribute = UInt32(truncatingIfNeeded: records.attributes.count)
    let count = cursor.take(UInt8.self)
    event.attributeCount = UInt16(count)
    for _ in 0..<count {
      let key = Symbol(index: UInt32(cursor.take(UInt16.self)))
      let kind = Attribute.Kind(rawValue: cursor.take(UInt8.self)) ?? .null
      var bits: Int64 = 0
      switch kind {
      case .integer, .real: bits = cursor.take(Int64.self)
      case .boolean: bits = Int64(cursor.take(UInt8.self))
      case .text: bits = Int64(map.map(Symbol(index: cursor.take(UInt32.self))).index)
      case .url:
        var form = cursor.take(URLForm.self)
        form.scheme = map.map(form.scheme)
        form.ending = map.map(form.ending)
        form.host = map.map(form.host)
        bits = Int64(records.urls.count)
        records.urls.append(form)
      case .emptyArray, .null: break
      }
      records.attributes.append(Attribute(key: key, kind: kind, bits: bits))
    }
    return event
  }

  /// Bytes of a send between its mask and its optional fields.
  private static let fixedSendBytes =
    8 + 8 + 12 + 4 + 4 + 5 * 4 + MemoryLayout<HeaderValue>.size + 8 + 4 + 4 + 4 + 2 + 3 * 4 + 8

  /// A packed record whose home is still a stand-in.
  struct Deferred {
    let base: UnsafeMutableRawPointer
    let length: Int
    let home: Int64
    /// When it was sent or recorded, UTC microseconds.
    let at: Int64

    /// The token of a send; nil for other records and without one.
    var tokenOfSend: TokenRecord? {
      let mask = base.loadUnaligned(fromByteOffset: 13, as: UInt32.self)
      guard base.load(fromByteOffset: 4, as: UInt8.self) == 1, mask & Mask.token != 0 else {
        return nil
      }
      var cursor = Cursor(base: UnsafeRawPointer(base), place: 17 + fixedSendBytes)
      if mask & Mask.installation != 0 {
        cursor.place += 8
        cursor.skipText()
      }
      return cursor.take(TokenRecord.self)
    }
  }

  /// Calls `body` with every record of a block of those that were put off.
  static func forEachDeferred(
    in base: UnsafeMutableRawPointer, _ size: Int,
    _ body: (Deferred) throws(PipelineError) -> Void
  ) throws(PipelineError) {
    var place = 0
    while place < size {
      let record = base + place
      let length = Int(record.loadUnaligned(as: UInt32.self))
      try body(
        Deferred(
          base: record, length: length,
          home: record.loadUnaligned(fromByteOffset: homeOffset, as: Int64.self),
          at: record.loadUnaligned(fromByteOffset: homeOffset + 12, as: Int64.self)))
      place += length
    }
  }

  /// An id of a record that may tie a token to a phone.
  struct FoundIdentifier {
    var id: TyingID
    /// The record's home.
    var home: Int64
    var isOfSend: Bool
    /// Whether it is what a sender gives to one message, see ``TyingID``.
    var isOfOneMessage: Bool
  }

  /// Calls `body` with every id in the records of some parts; looks at nothing else of them.
  static func forEachIdentifier(
    in spill: SpillFile, where isWanted: (_ part: Int) -> Bool, _ body: (FoundIdentifier) -> Void
  ) throws(PipelineError) {
    try spill.forEachBlock(where: isWanted) { buffer, size in
      let base = UnsafeRawPointer(buffer)
      var place = 0
      while place < size {
        let length = Int(base.loadUnaligned(fromByteOffset: place, as: UInt32.self))
        defer { place += length }
        let kind = base.load(fromByteOffset: place + 4, as: UInt8.self)
        guard kind == 1 || kind == 2 else { continue }
        let home = base.loadUnaligned(fromByteOffset: place + 5, as: Int64.self)
        let mask = base.loadUnaligned(fromByteOffset: place + 13, as: UInt32.self)
        guard mask & (Mask.notification | Mask.apns | Mask.request | Mask.collapse) != 0 else {
          continue
        }
        let isSend = kind == 1
        var cursor = Cursor(
          base: base, place: place + 17 + (isSend ? fixedSendBytes : 8 + 8 + 12 + 12))
        if isSend, mask & Mask.installation != 0 {
          cursor.place += 8
          cursor.skipText()
        }
        if !isSend, mask & Mask.sequence != 0 { cursor.place += 8 }
        if mask & Mask.token != 0 { cursor.place += MemoryLayout<TokenRecord>.size }
        func own() {
          body(
            FoundIdentifier(
              id: TyingID(own: cursor.hash()), home: home, isOfSend: isSend, isOfOneMessage: true))
        }
        func request() {
          let isOfOneMessage = cursor.isAtUUID
          body(
            FoundIdentifier(
              id: TyingID(request: cursor.hash()), home: home, isOfSend: isSend,
              isOfOneMessage: isOfOneMessage))
        }
        if mask & Mask.notification != 0 { own() }
        if mask & Mask.apns != 0 { own() }
        if !isSend, mask & Mask.request != 0 { request() }
        if mask & Mask.collapse != 0 { request() }
      }
    }
  }

  // MARK: Bytes

  /// Bytes of a record without its texts and attributes, at most; each text takes up to five more than
  /// its own.
  private static let mostBytes = 512

  /// Writes a record's length before it.
  @inline(__always)
  private static func end(_ cursor: ByteCursor, since start: ByteCursor, _ out: ByteOutput) {
    let before = out.count
    out.end(cursor)
    var start = start
    start.put(bytesOf: UInt32(truncatingIfNeeded: out.count - before))
  }

  @inline(__always)
  private static func text(_ range: TextRange, _ records: RecordSet, _ out: inout ByteCursor) {
    // A UUID in one case of letters goes as its 16 bytes.
    records.texts.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else { return out.put(0) }
      let base = start + Int(range.offset)
      let count = Int(range.length)
      if count == 36, let uuid = UUIDBytes(base), uuid.letters != 3 {
        out.put(uuid.letters == 2 ? 255 : 254)
        out.put(bytesOf: uuid.high)
        out.put(bytesOf: uuid.low)
        return
      }
      if count < 253 {
        out.put(UInt8(truncatingIfNeeded: count))
      } else {
        out.put(253)
        out.put(bytesOf: UInt32(truncatingIfNeeded: count))
      }
      out.put(base, count)
    }
  }

  struct Cursor {
    /// The id that a field had last.
    struct Recent {
      var high: UInt64 = 0
      var low: UInt64 = 0
      var code: UInt8 = 0
      var identifier = Identifier.none
    }

    /// Fields with ids: own, `apns-id`, request, collapse.
    static let fields = 4

    let base: UnsafeRawPointer
    var place: Int
    /// By field; nil where no ids are taken.
    var recent: UnsafeMutablePointer<Recent>?

    @inline(__always) mutating func take<Value: BitwiseCopyable>(_ type: Value.Type) -> Value {
      defer { place += MemoryLayout<Value>.size }
      return base.loadUnaligned(fromByteOffset: place, as: type)
    }

    mutating func text(_ records: RecordSet) -> TextRange {
      let code = take(UInt8.self)
      if code >= 254 {
        let high = take(UInt64.self)
        let low = take(UInt64.self)
        return Cursor.append(high, low, isUpper: code == 255, records)
      }
      let count = code == 253 ? Int(take(UInt32.self)) : Int(code)
      let range = records.append(UnsafeRawBufferPointer(start: base + place, count: count))
      place += count
      return range
    }

    /// The id in a field. The records of one notification mostly stand behind each other: where the
    /// record before had the same id, both refer to one text.
    mutating func identifier(_ records: RecordSet, field: Int) -> Identifier {
      let code = base.load(fromByteOffset: place, as: UInt8.self)
      if code >= 254 {
        let high = base.loadUnaligned(fromByteOffset: place + 1, as: UInt64.self)
        let low = base.loadUnaligned(fromByteOffset: place + 9, as: UInt64.self)
        place += 17
        if let last = recent?[field], last.high == high, last.low == low, last.code == code {
          return last.identifier
        }
        let identifier = Identifier(
          hash: UUIDBytes.hash(high, low),
          text: Cursor.append(high, low, isUpper: code == 255, records))
        recent?[field] = Recent(high: high, low: low, code: code, identifier: identifier)
        return identifier
      }
      let start = place + (code == 253 ? 5 : 1)
      let range = text(records)
      return Identifier(
        hash: StableHash.ofIdentifier(base + start, Int(range.length)), text: range)
    }

    mutating func skipText() {
      let code = take(UInt8.self)
      place += code >= 254 ? 16 : code == 253 ? Int(take(UInt32.self)) : Int(code)
    }

    /// Whether the text that comes is a UUID.
    var isAtUUID: Bool {
      let code = base.load(fromByteOffset: place, as: UInt8.self)
      return code >= 254 || (code == 36 && UUIDBytes(base + place + 1) != nil)
    }

    /// The hash of an id, passing over it.
    mutating func hash() -> UInt64 {
      let code = take(UInt8.self)
      if code >= 254 {
        let high = take(UInt64.self)
        let low = take(UInt64.self)
        return UUIDBytes.hash(high, low)
      }
      let count = code == 253 ? Int(take(UInt32.self)) : Int(code)
      defer { place += count }
      return StableHash.ofIdentifier(base + place, count)
    }

    private static func append(
      _ high: UInt64, _ low: UInt64, isUpper: Bool, _ records: RecordSet
    ) -> TextRange {
      let offset = records.texts.count
      records.texts.append(count: 36) { bytes in
        UUIDBytes.write(high, low, isUpper: isUpper, to: UnsafeMutableRawPointer(bytes))
      }
      return TextRange(offset: UInt32(truncatingIfNeeded: offset), length: 36)
    }
  }
}
