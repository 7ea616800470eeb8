public import PushModel

/// Writes the records of one row as JSON that any SQLite tool can open.
///
/// `{"f":source of the first event,"u":unit,"o":[origins],"l":[log ids],"t":[tokens],
/// "s":[sends],"e":[events]}` with, for a send,
/// `[time, source, line, profile, shape, mask, {details}]` and, for an event,
/// `[name, time, line, counter, attributes, {details}]`. An event's time, line and counter are
/// differences to the event before it, times in `u` microseconds (1 if absent). A send's time and the
/// first event's count from the row's own time: `sent_at`, or the beginning of the day. A profile or
/// shape of 0 is the row's own. Attributes are the number of a set, `[set, what fills its holes…]`, or an
/// object (see ``AttributeSets``). Details
/// say what changes from here on: `o` origin and `l` log (places in the lists, in which a
/// notification's own stand before those that are written), `m` mask, `f` source;
/// and what is this event's own: `t` token (place in the list) and ids. Masks say which ids equal
/// the row's. Names of events and attributes are numbers of `word`.
public final class TimelineWriter {
  /// New rows of `origin`, `name` and `send_profile` that the timelines refer to.
  public struct Definitions: Sendable {
    /// Id and five texts.
    public var origins: [(id: Int64, origin: Origin)] = []
    /// Id and five texts.
    public var apps: [(id: Int64, origin: Origin)] = []
    /// Id and text.
    public var names: [(id: Int64, text: String)] = []
    /// Id and JSON.
    public var profiles: [(id: Int64, text: String)] = []
    /// Id and JSON.
    public var sets: [(id: Int64, text: String)] = []
  }

  private let pool: TextPool
  private var numberOfOrigin: [Origin: Int64] = [:]
  private var originOfPlace: [(origin: Origin, id: Int64)] = []
  private var knownOrigins: Set<Int64> = []
  private var knownApps: Set<Int64> = []
  private var lastApp: (origin: Origin, id: Int64)?
  private let names = HashTable<Int64>()
  private let listNames = HashTable<Int64>()
  private var profiles: [SendProfile: Int64] = [:]
  private let sets: AttributeSets
  /// Numbers of sets by the hash of their text; 0 = it has none.
  private let setNumbers = HashTable<Int64>()
  /// The same by a hash of keys and values: most sets were met before, and then their text is not made.
  private let setsOfAttributes = HashTable<Int64>()
  /// Whether texts are words that a set may hold, by symbol: 0 not known, 1 no, 2 yes.
  private var sharedSymbols: ContiguousArray<UInt8> = []

  /// What the event before the next one had.
  private struct Previous {
    var at: Int64 = 0
    var line: Int64 = 0
    var sequence: Int64 = 0
    var origin = 0
    var log = -1
    var mask: Int64 = 0
    var source: UInt32 = 0
  }
  private var rowOrigins: [Int64] = []
  private var rowLogs: [TextValue] = []
  private var rowTokens: [TokenRecord] = []
  private var numbers = RowNumbers()
  private var previous = Previous()
  private let eventText = ByteOutput(capacity: 4096)
  private let listText = ByteOutput(capacity: 256)
  private let setText = ByteOutput(capacity: 256)
  private let holeText = ByteOutput(capacity: 256)
  /// What was met for the first time since the last ``takeDefinitions()``.
  private var definitions = Definitions()

  /// A writer whose symbols are those of `pool`; several may share the numbers of sets.
  public init(pool: TextPool, sets: AttributeSets) {
    self.pool = pool
    self.sets = sets
  }

  /// What was met for the first time since the last call.
  public func takeDefinitions() -> Definitions {
    defer { definitions = Definitions() }
    return definitions
  }

  /// Writes one timeline; returns its range in `out` and the numbers for its row's columns.
  public func write(
    sends: UnsafeBufferPointer<UInt32>, events: UnsafeBufferPointer<UInt32>,
    of records: RecordSet, base: Int64, identity: RowIdentity, to out: ByteOutput
  ) -> (text: TextRange, numbers: RowNumbers) {
    let start = out.count
    rowOrigins.removeAll(keepingCapacity: true)
    rowLogs.removeAll(keepingCapacity: true)
    rowTokens.removeAll(keepingCapacity: true)
    eventText.removeAll()
    numbers = RowNumbers()
    if let origin = identity.origin {
      numbers.app = app(origin)
      rowOrigins.append(numbers.app)
    }
    let ownColumns = rowOrigins.count
    previous = Previous()
    previous.at = base
    // What most first events have, so that it need not be said.
    previous.log = 0
    previous.mask = 5
    var unit: Int64 = 1000
    var firstSource: UInt32 = 0
    for place in events {
      if firstSource == 0 {
        let first = records.events[Int(place)]
        firstSource = first.reference.source
        if ownColumns > 0 {
          rowLogs.append(first.log)
          numbers.log = first.log.symbol.map(name) ?? 0
        }
      }
      if (records.events[Int(place)].at &- base) % 1000 != 0 { unit = 1 }
    }
    previous.source = firstSource
    var isFirst = true
    for place in events {
      if !isFirst { eventText.append(0x2c) }
      isFirst = false
      write(event: records.events[Int(place)], records, unit, identity, eventText)
    }
    out.append(0x7b)
    if !isFirst {
      out.append("\"f\":" as StaticString)
      out.append(number: Int64(firstSource))
      if unit != 1 { out.append(",\"u\":1000" as StaticString) }
    }
    if rowOrigins.count > ownColumns {
      out.append(",\"o\":[" as StaticString)
      for (index, id) in rowOrigins[ownColumns...].enumerated() {
        if index > 0 { out.append(0x2c) }
        out.append(number: id)
      }
      out.append(0x5d)
    }
    if rowLogs.count > ownColumns {
      out.append(",\"l\":[" as StaticString)
      for (index, log) in rowLogs[ownColumns...].enumerated() {
        if index > 0 { out.append(0x2c) }
        out.append(number: log.symbol.map(name) ?? 0)
      }
      out.append(0x5d)
    }
    if !rowTokens.isEmpty {
      out.append(",\"t\":[" as StaticString)
      for (index, token) in rowTokens.enumerated() {
        if index > 0 { out.append(0x2c) }
        write(token, out)
      }
      out.append(0x5d)
    }
    isFirst = true
    let last = ownColumns > 0 ? sends.last : nil
    if ownColumns > 0 {
      if let last {
        let send = records.sends[Int(last)]
        numbers.profile = profile(send)
        numbers.shape = Int64(bitPattern: send.shape)
      }
      if let campaign = identity.campaign.symbol { numbers.campaign = name(campaign) }
    }
    for place in sends {
      if isFirst {
        out.append(eventText.count > 0 ? ",\"s\":[" : "\"s\":[" as StaticString)
      } else {
        out.append(0x2c)
      }
      isFirst = false
      let send = records.sends[Int(place)]
      // The row's profile is that of its last send.
      let profile = place == last ? numbers.profile : profile(send)
      write(send: send, profile, records, base, identity, out)
    }
    if !isFirst { out.append(0x5d) }
    if eventText.count > 0 {
      out.append(",\"e\":[" as StaticString)
      out.append(UnsafeRawPointer(eventText.base), eventText.count)
      out.append(0x5d)
    }
    out.append(0x7d)
    return (out.range(from: start), numbers)
  }

  // MARK: Parts

  private func name(_ symbol: Symbol) -> Int64 {
    if let id = names[UInt64(symbol.index) &+ 1] { return id }
    let text = pool[symbol]
    let id = StableHash.short(text)
    names[UInt64(symbol.index) &+ 1] = id
    definitions.names.append((id, text))
    return id
  }

  private func number(of origin: Origin) -> Int64 {
    if let id = numberOfOrigin[origin] { return id }
    let text = [origin.bundle, origin.version, origin.build, origin.os, origin.model]
      .map { pool[$0] }.joined(separator: "\u{1f}")
    let id = StableHash.short(text)
    numberOfOrigin[origin] = id
    return id
  }

  /// The same by its place in the records, where origins are only added.
  private func number(ofOrigin place: Int, _ records: RecordSet) -> Int64 {
    while originOfPlace.count <= place {
      let origin = records.origins[originOfPlace.count]
      originOfPlace.append((origin, number(of: origin)))
    }
    let known = originOfPlace[place]
    let origin = records.origins[place]
    return known.origin == origin ? known.id : number(of: origin)
  }

  private func origin(_ origin: Origin) -> Int64 {
    let id = number(of: origin)
    if knownOrigins.insert(id).inserted { definitions.origins.append((id, origin)) }
    return id
  }

  private func app(_ origin: Origin) -> Int64 {
    // Most notifications are of the phone that the one before was of.
    if let lastApp, lastApp.origin == origin { return lastApp.id }
    let id = number(of: origin)
    lastApp = (origin, id)
    if knownApps.insert(id).inserted { definitions.apps.append((id, origin)) }
    return id
  }

  private func profile(_ send: SendRecord) -> Int64 {
    let profile = SendProfile(send)
    if let id = profiles[profile] { return id }
    let text = profile.text(pool)
    let id = StableHash.short(text)
    profiles[profile] = id
    definitions.profiles.append((id, text))
    return id
  }

  private func write(
    send: SendRecord, _ profile: Int64, _ records: RecordSet, _ base: Int64,
    _ identity: RowIdentity, _ out: ByteOutput
  ) {
    let shape = Int64(bitPattern: send.shape)
    var mask: Int64 = 0
    let hasRowCampaign = send.campaign.code != 0 && send.campaign == identity.campaign
    if hasRowCampaign { mask |= 16 }
    if send.notification.isPresent, send.notification.hash == identity.notification.hash {
      mask |= 1
    }
    if send.apns.isPresent, same(send.apns, identity.apns, records) { mask |= 2 }
    if send.collapse.isPresent, send.collapse.hash == identity.collapse.hash { mask |= 4 }
    if send.token.isPresent, send.token == identity.token { mask |= 8 }
    var cursor = out.cursor(atMost: 8 * ByteCursor.longestNumber)
    cursor.put(0x5b)
    cursor.put(number: send.at &- base)
    cursor.put(0x2c)
    cursor.put(number: Int64(send.reference.source))
    cursor.put(0x2c)
    cursor.put(number: Int64(send.reference.line))
    cursor.put(0x2c)
    cursor.put(number: profile == numbers.profile ? 0 : profile)
    cursor.put(0x2c)
    cursor.put(number: shape == numbers.shape ? 0 : shape)
    cursor.put(0x2c)
    cursor.put(number: mask)
    out.end(cursor)
    var isFirst = true
    func key(_ text: StaticString) {
      out.append(isFirst ? ",{" : "," as StaticString)
      isFirst = false
      out.append(text)
    }
    func identifier(_ identifier: Identifier, _ bit: Int64, _ text: StaticString) {
      guard identifier.isPresent, mask & bit == 0 else { return }
      key(text)
      quote(identifier.text, records, out)
    }
    identifier(send.notification, 1, "\"n\":")
    identifier(send.apns, 2, "\"a\":")
    identifier(send.collapse, 4, "\"c\":")
    if send.campaign.code != 0, !hasRowCampaign {
      key("\"g\":")
      if let symbol = send.campaign.symbol {
        quote(symbol, out)
      } else {
        out.append("null" as StaticString)
      }
    }
    if send.token.isPresent {
      if mask & 8 == 0 {
        key("\"t\":")
        write(send.token, out)
      } else if send.token.length != 64 || !send.token.marks.isEmpty {
        key("\"f\":[")
        out.append(number: Int64(send.token.length))
        out.append(0x2c)
        out.append(number: Int64(send.token.marks.rawValue))
        out.append(0x5d)
      }
    }
    if send.expiration.kind != .absent {
      key("\"x\":")
      HeaderText.write(send.expiration, pool, out)
    }
    if send.answeredAfter >= 0 {
      key("\"d\":")
      out.append(number: send.answeredAfter)
    }
    if send.payloadBytes >= 0 {
      key("\"p\":")
      out.append(number: Int64(send.payloadBytes))
    }
    if send.unregisteredAt != .min {
      key("\"u\":")
      out.append(number: send.unregisteredAt)
    }
    if send.jwtIssuedAt != .min {
      // JWTs count in seconds (F2.1); most are an hour old at most, so their age is shorter.
      let isWhole = send.jwtIssuedAt % 1_000_000 == 0
      key(isWhole ? "\"j\":" : "\"k\":")
      out.append(
        number: isWhole ? base / 1_000_000 &- send.jwtIssuedAt / 1_000_000 : send.jwtIssuedAt)
    }
    if send.uniqueID.length > 0 {
      key("\"q\":")
      quote(send.uniqueID, records, out)
    }
    if !isFirst { out.append(0x7d) }
    out.append(0x5d)
  }

  /// Equal to the letter: UUIDs compare without case, but what was written is kept.
  private func same(_ left: Identifier, _ right: Identifier, _ records: RecordSet) -> Bool {
    guard left.hash == right.hash, left.text.length == right.text.length else { return false }
    if left.text.offset == right.text.offset { return true }
    return records.texts.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return true }
      return equalBytes(
        base + Int(left.text.offset), base + Int(right.text.offset), Int(left.text.length))
    }
  }

  private func quote(_ range: TextRange, _ records: RecordSet, _ out: ByteOutput) {
    records.texts.withUnsafeBytes { bytes in
      if let base = bytes.baseAddress {
        out.append(quoted: base + Int(range.offset), Int(range.length))
      }
    }
  }

  private func write(_ token: TokenRecord, _ out: ByteOutput) {
    out.append(0x5b)
    out.append(number: Int64(bitPattern: token.high))
    out.append(0x2c)
    out.append(number: Int64(bitPattern: token.low))
    out.append(0x2c)
    out.append(number: Int64(token.head))
    out.append(0x2c)
    out.append(number: Int64(token.tail))
    out.append(0x2c)
    out.append(number: Int64(token.length))
    out.append(0x2c)
    out.append(number: Int64(token.marks.rawValue))
    out.append(0x5d)
  }

  private func write(
    event: EventRecord, _ records: RecordSet, _ unit: Int64, _ identity: RowIdentity,
    _ out: ByteOutput
  ) {
    out.append(0x5b)
    if event.name.index < UInt32(Word.allCases.count) {
      out.append(number: Int64(event.name.index))
    } else {
      quote(event.name, out)
    }
    var cursor = out.cursor(atMost: 4 * ByteCursor.longestNumber)
    cursor.put(0x2c)
    let since = event.at &- previous.at
    cursor.put(number: unit == 1 ? since : since / unit)
    previous.at = event.at
    cursor.put(0x2c)
    cursor.put(number: Int64(event.reference.line) &- previous.line)
    previous.line = Int64(event.reference.line)
    cursor.put(0x2c)
    if event.sequence != .min {
      cursor.put(number: event.sequence &- previous.sequence)
      previous.sequence = event.sequence
    }
    out.end(cursor)
    if event.sequence == .min { out.append("null" as StaticString) }
    let id = number(ofOrigin: Int(event.origin), records)
    var place = rowOrigins.firstIndex(of: id) ?? -1
    if place < 0 {
      _ = origin(records.origins[Int(event.origin)])
      place = rowOrigins.count
      rowOrigins.append(id)
    }
    var logPlace = rowLogs.firstIndex(of: event.log) ?? -1
    if logPlace < 0, event.log.symbol != nil {
      logPlace = rowLogs.count
      rowLogs.append(event.log)
    }
    var mask: Int64 = 0
    if event.notification.isPresent, same(event.notification, identity.notification, records) {
      mask |= 1
    }
    if event.apns.isPresent, same(event.apns, identity.apns, records) { mask |= 2 }
    if event.request.isPresent {
      if same(event.request, identity.request, records) { mask |= 4 }
      if same(event.request, identity.collapse, records) { mask |= 16 }
    }
    if event.collapse.isPresent, same(event.collapse, identity.collapse, records) { mask |= 8 }
    let hasOwn =
      (event.notification.isPresent && mask & 1 == 0) || (event.apns.isPresent && mask & 2 == 0)
      || (event.request.isPresent && mask & 20 == 0) || (event.collapse.isPresent && mask & 8 == 0)
      || event.token.isPresent
    let isChanged =
      place != previous.origin || logPlace != previous.log || mask != previous.mask
      || event.reference.source != previous.source
    if event.attributeCount > 0 || hasOwn || isChanged {
      out.append(0x2c)
      writeAttributes(event, records, out)
    }
    if hasOwn || isChanged {
      var isFirst = true
      func key(_ text: StaticString) {
        out.append(isFirst ? ",{" : "," as StaticString)
        isFirst = false
        out.append(text)
      }
      func identifier(_ identifier: Identifier, _ bits: Int64, _ text: StaticString) {
        guard identifier.isPresent, mask & bits == 0 else { return }
        key(text)
        quote(identifier.text, records, out)
      }
      if place != previous.origin {
        key("\"o\":")
        out.append(number: Int64(place))
        previous.origin = place
      }
      if logPlace != previous.log {
        key("\"l\":")
        out.append(number: Int64(logPlace))
        previous.log = logPlace
      }
      if mask != previous.mask {
        key("\"m\":")
        out.append(number: mask)
        previous.mask = mask
      }
      if event.reference.source != previous.source {
        key("\"f\":")
        out.append(number: Int64(event.reference.source))
        previous.source = event.reference.source
      }
      identifier(event.notification, 1, "\"n\":")
      identifier(event.apns, 2, "\"a\":")
      identifier(event.request, 20, "\"r\":")
      identifier(event.collapse, 8, "\"c\":")
      if event.token.isPresent {
        var token =
          rowTokens.firstIndex { $0 == event.token && $0.length == event.token.length } ?? -1
        if token < 0 {
          token = rowTokens.count
          rowTokens.append(event.token)
        }
        key("\"t\":")
        out.append(number: Int64(token))
      }
      out.append(0x7d)
    }
    out.append(0x5d)
  }

  private func writeAttributes(_ event: EventRecord, _ records: RecordSet, _ out: ByteOutput) {
    let first = Int(event.firstAttribute)
    let end = first + Int(event.attributeCount)
    guard end > first else { return out.append("{}" as StaticString) }
    holeText.removeAll()
    // A set is told by its values and holes; its text is made when it is met for the first time.
    var hash = StableHash.k0
    var index = first
    while index < end {
      let last = lastOfKey(from: index, end, records)
      let key = UInt64(records.attributes[index].key.index) << 8
      if isShared(from: index, through: last, records) {
        for place in index...last {
          let attribute = records.attributes[place]
          let bits =
            attribute.kind == .url
            ? Int64(records.urls[Int(attribute.bits)].host.index) : attribute.bits
          hash = StableHash.mix(
            hash ^ (key | UInt64(attribute.kind.rawValue)), UInt64(bitPattern: bits) ^ StableHash.k1
          )
        }
      } else {
        hash = StableHash.mix(hash ^ (key | 0xff), StableHash.k2)
        holeText.append(0x2c)
        write(from: index, through: last, records, holeText)
      }
      index = last + 1
    }
    let number: Int64
    if let known = setsOfAttributes[hash] {
      number = known
    } else {
      number = self.number(ofSet: first, end, records)
      setsOfAttributes[hash] = number
    }
    guard number != 0 else { return writeInline(first, end, records, out) }
    if holeText.count > 0 { out.append(0x5b) }
    out.append(number: number)
    if holeText.count > 0 {
      out.append(UnsafeRawPointer(holeText.base), holeText.count)
      out.append(0x5d)
    }
  }

  /// The last of the attributes that have the key of the one at a place.
  @inline(__always)
  private func lastOfKey(from index: Int, _ end: Int, _ records: RecordSet) -> Int {
    var last = index
    while last + 1 < end, records.attributes[last + 1].key == records.attributes[index].key {
      last += 1
    }
    return last
  }

  /// ``AttributeSets/isShared(from:through:_:_:)``, remembering which texts are words.
  private func isShared(from first: Int, through last: Int, _ records: RecordSet) -> Bool {
    for place in first...last {
      let attribute = records.attributes[place]
      guard attribute.kind == .text else {
        return AttributeSets.isShared(from: first, through: last, records, pool)
      }
      let symbol = Int(UInt32(truncatingIfNeeded: attribute.bits))
      if symbol >= sharedSymbols.count {
        let missing = max(symbol + 1, 2 * sharedSymbols.count) - sharedSymbols.count
        sharedSymbols.append(contentsOf: repeatElement(0, count: missing))
      }
      if sharedSymbols[symbol] == 0 {
        let isShared = AttributeSets.isShared(from: place, through: place, records, pool)
        sharedSymbols[symbol] = isShared ? 2 : 1
      }
      if sharedSymbols[symbol] == 1 { return false }
    }
    return true
  }

  /// The number of the set of these attributes, 0 if it has none.
  private func number(ofSet first: Int, _ end: Int, _ records: RecordSet) -> Int64 {
    setText.removeAll()
    setText.append(0x7b)
    var holes: Int64 = 0
    var index = first
    while index < end {
      let last = lastOfKey(from: index, end, records)
      if index > first { setText.append(0x2c) }
      setText.append(0x22)
      setText.append(number: Int64(records.attributes[index].key.index))
      setText.append("\":" as StaticString)
      if isShared(from: index, through: last, records) {
        write(from: index, through: last, records, setText)
      } else {
        setText.append("{\"#\":" as StaticString)
        setText.append(number: holes)
        setText.append(0x7d)
        holes += 1
      }
      index = last + 1
    }
    setText.append(0x7d)
    return set()
  }

  /// Attributes that have no number as a set.
  private func writeInline(_ first: Int, _ end: Int, _ records: RecordSet, _ out: ByteOutput) {
    out.append(0x7b)
    var index = first
    while index < end {
      if index > first { out.append(0x2c) }
      out.append(0x22)
      out.append(number: Int64(records.attributes[index].key.index))
      out.append("\":" as StaticString)
      let last = lastOfKey(from: index, end, records)
      write(from: index, through: last, records, out)
      index = last + 1
    }
    out.append(0x7d)
  }

  /// The number of the set whose text lies in ``setText``, 0 if it has none.
  private func set() -> Int64 {
    let hash = StableHash.of(UnsafeRawPointer(setText.base), setText.count)
    if let known = setNumbers[hash] { return known }
    let number = sets.number(of: hash) ?? 0
    setNumbers[hash] = number
    if number != 0 { definitions.sets.append((number, setText.text(setText.range(from: 0)))) }
    return number
  }

  /// A value; several attributes of one key, or an empty one, are a list.
  private func write(
    from first: Int, through last: Int, _ records: RecordSet, _ out: ByteOutput
  ) {
    let attribute = records.attributes[first]
    guard last > first || attribute.kind == .emptyArray else {
      return write(attribute, records, out)
    }
    listText.removeAll()
    listText.append(0x5b)
    if attribute.kind != .emptyArray {
      for place in first...last {
        if place > first { listText.append(0x2c) }
        write(records.attributes[place], records, listText)
      }
    }
    listText.append(0x5d)
    // Lists of keys repeat for whole campaigns: they are kept once, by their hash.
    if listText.count > 24 {
      out.append("[\"#\"," as StaticString)
      out.append(number: list())
      out.append(0x5d)
    } else {
      out.append(UnsafeRawPointer(listText.base), listText.count)
    }
  }

  private func list() -> Int64 {
    let hash = StableHash.of(UnsafeRawPointer(listText.base), listText.count)
    if let id = listNames[hash] { return id }
    let id = Int64(hash >> 16)
    listNames[hash] = id
    definitions.names.append((id, listText.text(listText.range(from: 0))))
    return id
  }

  private func write(_ attribute: Attribute, _ records: RecordSet, _ out: ByteOutput) {
    switch attribute.kind {
    case .integer: out.append(number: attribute.bits)
    case .real:
      let text = "\(Double(bitPattern: UInt64(bitPattern: attribute.bits)))"
      out.append(text)
      if !text.utf8.contains(where: { $0 == 0x2e || $0 == 0x65 }) {
        out.append(".0" as StaticString)
      }
    case .boolean: out.append(attribute.bits != 0 ? "true" : "false" as StaticString)
    case .text:
      let bytes = pool.bytes(Symbol(index: UInt32(truncatingIfNeeded: attribute.bits)))
      out.append(quoted: bytes.base, bytes.count)
    case .url:
      let url = records.urls[Int(attribute.bits)]
      if url.isHostAlone(pool) {
        out.append("{\"h\":" as StaticString)
        quote(url.host, out)
        out.append(0x7d)
        return
      }
      out.append("{\"s\":" as StaticString)
      quote(url.scheme, out)
      out.append(",\"h\":" as StaticString)
      quote(url.host, out)
      out.append(",\"e\":" as StaticString)
      quote(url.ending, out)
      out.append(",\"n\":" as StaticString)
      out.append(number: Int64(url.length))
      out.append(",\"f\":" as StaticString)
      out.append(number: (url.parses ? 1 : 0) + (url.hasSpaces ? 2 : 0))
      out.append(0x7d)
    case .emptyArray: out.append("[]" as StaticString)
    case .null: out.append("null" as StaticString)
    }
  }

  private func quote(_ symbol: Symbol, _ out: ByteOutput) {
    let bytes = pool.bytes(symbol)
    out.append(quoted: bytes.base, bytes.count)
  }
}
