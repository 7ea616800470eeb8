public import PushModel

/// Ids and token that a notification's row already has; its timeline does not repeat them.
public struct RowIdentity: Sendable {
  /// The sender's own id.
  public var notification: Identifier = .none
  /// `apns-id` of the last answer.
  public var apns: Identifier = .none
  /// Collapse id.
  public var collapse: Identifier = .none
  /// Identifier of the request on the device.
  public var request: Identifier = .none
  /// Token of the last send.
  public var token: TokenRecord = .none
  /// Campaign.
  public var campaign: TextValue = .absent
  /// App and phone; nil for rows that have none of the columns from here on.
  public var origin: Origin?
  /// Log of the first event.
  public var log: TextValue = .absent
  /// Number of the last send's profile; only for reading.
  public var profile: Int64 = 0
  /// Shape of the last send's payload.
  public var shape: UInt64 = 0

  /// No ids.
  public init() {}
}

/// Numbers of what a row's columns refer to; 0 = nothing.
public struct RowNumbers: Sendable, Equatable {
  /// Profile of the last send.
  public var profile: Int64 = 0
  /// Shape of the last send's payload.
  public var shape: Int64 = 0
  /// Campaign, a name.
  public var campaign: Int64 = 0
  /// App and phone, an installed app.
  public var app: Int64 = 0
  /// Log of the first event, a name.
  public var log: Int64 = 0

  /// Nothing.
  public init() {}
}

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

/// Reads timelines back into records. What rows refer to is looked up once and kept.
public final class TimelineReader {
  private let database: Database
  private let pool: TextPool
  private var origins: [Int64: Origin] = [:]
  private var apps: [Int64: Origin] = [:]
  private var names: [Int64: [UInt8]] = [:]
  /// Texts of names, by their numbers.
  private let nameSymbols = HashTable<Symbol>()
  private var profiles: [Int64: SendProfile] = [:]
  /// What the row before had, which is what most have.
  private var lastApp: (id: Int64, origin: Origin)?
  private var lastProfile: (id: Int64, profile: SendProfile)?
  private var sets: [Int64: [SetMember]] = [:]
  private var originNumbers: [Origin: UInt32] = [:]

  /// A reader of one database.
  public init(database: Database, pool: TextPool) {
    self.database = database
    self.pool = pool
  }

  /// A part of an attribute set.
  private enum SetMember {
    case attribute(Attribute)
    case url(Symbol, URLForm)
    case hole(Symbol)
  }

  /// What the lists of a row hold, and what the event before the next one had.
  private struct ReadState {
    var origins: [UInt32] = []
    var logs: [TextValue] = []
    var tokens: [TokenRecord] = []
    var unit: Int64 = 1
    var at: Int64 = 0
    var line: Int64 = 0
    var sequence: Int64 = 0
    var origin = 0
    var log = 0
    var mask: Int64 = 5
    var source: UInt32 = 0

    mutating func begin(at base: Int64) {
      origins.removeAll(keepingCapacity: true)
      logs.removeAll(keepingCapacity: true)
      tokens.removeAll(keepingCapacity: true)
      unit = 1
      at = base
      line = 0
      sequence = 0
      origin = 0
      log = 0
      mask = 5
      source = 0
    }
  }

  private var spareState = ReadState()

  /// Adds the records of a timeline to a set. Returns the places of its sends and events.
  public func read(
    _ json: UnsafeRawBufferPointer, base: Int64, identity: RowIdentity, installation: UInt64,
    into records: RecordSet
  ) throws(StoreError) -> (sends: Range<UInt32>, events: Range<UInt32>) {
    let firstSend = UInt32(records.sends.count)
    let firstEvent = UInt32(records.events.count)
    var cursor = JSONCursor(json)
    // Taken for as long as it is used, so that its lists keep their memory.
    var row = ReadState()
    swap(&row, &spareState)
    defer { swap(&row, &spareState) }
    row.begin(at: base)
    if let origin = identity.origin {
      row.origins.append(number(of: origin, in: records))
      row.logs.append(identity.log)
    }
    cursor.expect(0x7b)
    if cursor.hasFirst(until: 0x7d) {
      repeat {
        let key = cursor.string { start, count in count > 0 ? start.load(as: UInt8.self) : 0 } ?? 0
        cursor.expect(0x3a)
        switch key {
        case 0x75: row.unit = cursor.integer()
        case 0x66: row.source = UInt32(truncatingIfNeeded: cursor.integer())
        case 0x74:
          cursor.expect(0x5b)
          if cursor.hasFirst(until: 0x5d) {
            repeat { row.tokens.append(token(&cursor)) } while cursor.another(until: 0x5d)
          }
        case 0x6f:
          cursor.expect(0x5b)
          if cursor.hasFirst(until: 0x5d) {
            repeat {
              row.origins.append(try number(ofOrigin: cursor.integer(), in: records))
            } while cursor.another(until: 0x5d)
          }
        case 0x6c:
          cursor.expect(0x5b)
          if cursor.hasFirst(until: 0x5d) {
            repeat {
              row.logs.append(TextValue(try symbol(ofName: cursor.integer())))
            } while cursor.another(until: 0x5d)
          }
        case 0x73:
          cursor.expect(0x5b)
          if cursor.hasFirst(until: 0x5d) {
            repeat {
              try readSend(&cursor, base, identity, installation, records)
            } while cursor.another(until: 0x5d)
          }
        case 0x65:
          cursor.expect(0x5b)
          if cursor.hasFirst(until: 0x5d) {
            repeat {
              try readEvent(&cursor, &row, identity, installation, records)
            } while cursor.another(until: 0x5d)
          }
        default: cursor.skip()
        }
      } while cursor.another(until: 0x7d)
    }
    if cursor.isDamaged {
      throw StoreError(.damaged, message: "a timeline cannot be read", path: database.path)
    }
    return (
      firstSend..<UInt32(records.sends.count), firstEvent..<UInt32(records.events.count)
    )
  }

  private func damaged(_ what: String) -> StoreError {
    StoreError(.damaged, message: what, path: database.path)
  }

  private func number(ofOrigin id: Int64, in records: RecordSet) throws(StoreError) -> UInt32 {
    number(of: try origin(id), in: records)
  }

  /// The app and phone of a number.
  func app(_ id: Int64) throws(StoreError) -> Origin {
    if let lastApp, lastApp.id == id { return lastApp.origin }
    if let known = apps[id] {
      lastApp = (id, known)
      return known
    }
    let statement = try database.prepare(
      """
      SELECT app, app_version, build, os_version, device_model FROM installed_app WHERE id = ?1
      """)
    let origin = try origin(id, statement)
    apps[id] = origin
    return origin
  }

  /// The origin of a number.
  func origin(_ id: Int64) throws(StoreError) -> Origin {
    if let known = origins[id] { return known }
    let statement = try database.prepare(
      "SELECT bundle, version, build, os, model FROM origin WHERE id = ?1")
    let origin = try origin(id, statement)
    origins[id] = origin
    return origin
  }

  private func origin(_ id: Int64, _ statement: Statement) throws(StoreError) -> Origin {
    statement.bind(1, id)
    defer { statement.reset() }
    guard try statement.step() else { throw damaged("origin \(id) is missing") }
    let symbols = (0..<5).map { pool.intern(statement.text($0)) }
    return Origin(
      bundle: symbols[0], version: symbols[1], build: symbols[2], os: symbols[3],
      model: symbols[4])
  }

  private func number(of origin: Origin, in records: RecordSet) -> UInt32 {
    if let last = lastNumber, last < records.origins.count, records.origins[Int(last)] == origin {
      return last
    }
    let number = placed(origin, in: records)
    lastNumber = number
    return number
  }

  /// The number that ``number(of:in:)`` gave last.
  private var lastNumber: UInt32?

  private func placed(_ origin: Origin, in records: RecordSet) -> UInt32 {
    if let number = originNumbers[origin], number < records.origins.count,
      records.origins[Int(number)] == origin
    {
      return number
    }
    let number: UInt32
    if let place = records.origins.firstIndex(of: origin) {
      number = UInt32(place)
    } else {
      number = UInt32(records.origins.count)
      records.origins.append(origin)
    }
    originNumbers[origin] = number
    return number
  }

  /// The text of a name's number.
  func symbol(ofName id: Int64) throws(StoreError) -> Symbol {
    if let known = nameSymbols[UInt64(bitPattern: id)] { return known }
    let symbol = try name(id).withUnsafeBytes { bytes in
      bytes.baseAddress.map { pool.intern($0, bytes.count) } ?? Symbol(.empty)
    }
    nameSymbols[UInt64(bitPattern: id)] = symbol
    return symbol
  }

  private func attributeSet(_ id: Int64, _ records: RecordSet) throws(StoreError) -> [SetMember] {
    if let known = sets[id] { return known }
    let statement = try database.prepare("SELECT attrs FROM attribute_set WHERE id = ?1")
    statement.bind(1, id)
    defer { statement.reset() }
    guard try statement.step() else { throw damaged("attribute set \(id) is missing") }
    let bytes = statement.withText(0) { Array($0) }
    var members: [SetMember] = []
    let firstAttribute = records.attributes.count
    let copy = bytes.withUnsafeBytes { StableBytes($0) }
    var cursor = JSONCursor(copy.bytes)
    cursor.expect(0x7b)
    if cursor.hasFirst(until: 0x7d) {
      repeat {
        let key = wordKey(&cursor)
        cursor.expect(0x3a)
        if skipHole(&cursor) {
          members.append(.hole(key))
          continue
        }
        let before = records.attributes.count
        try readAttribute(&cursor, key, records, isInside: false)
        for attribute in records.attributes[before...] {
          members.append(
            attribute.kind == .url
              ? .url(key, records.urls[Int(attribute.bits)]) : .attribute(attribute))
        }
      } while cursor.another(until: 0x7d)
    }
    records.attributes.removeLast(records.attributes.count - firstAttribute)
    if cursor.isDamaged { throw damaged("attribute set \(id) cannot be read") }
    sets[id] = members
    return members
  }

  /// Passes over a hole; false if the next value is none. Holes are numbered in the order of the set,
  /// so the number is for readers in SQL.
  private func skipHole(_ cursor: inout JSONCursor) -> Bool {
    guard cursor.peek == 0x7b else { return false }
    let place = cursor.place
    cursor.place += 1
    let isHole = cursor.string { start, count in
      count == 1 && start.load(as: UInt8.self) == 0x23
    }
    guard isHole == true, cursor.take(0x3a) else {
      cursor.place = place
      return false
    }
    cursor.skip()
    cursor.expect(0x7d)
    return true
  }

  private func wordKey(_ cursor: inout JSONCursor) -> Symbol {
    let key = cursor.string { start, count in
      var value: UInt32 = 0
      for index in 0..<count {
        value =
          value &* 10
          &+ UInt32(start.load(fromByteOffset: index, as: UInt8.self) &- 0x30)
      }
      return value
    }
    return word(key.map { Int64($0) } ?? -1, &cursor)
  }

  /// The symbol of a word by its number.
  private func word(_ number: Int64, _ cursor: inout JSONCursor) -> Symbol {
    guard number >= 0, number < Int64(Word.allCases.count) else {
      cursor.isDamaged = true
      return Symbol(.empty)
    }
    return Symbol(index: UInt32(truncatingIfNeeded: number))
  }

  private func readAttributes(_ cursor: inout JSONCursor, _ records: RecordSet) throws(StoreError) {
    switch cursor.peek {
    case 0x7b:
      cursor.expect(0x7b)
      if cursor.hasFirst(until: 0x7d) {
        repeat {
          let key = wordKey(&cursor)
          cursor.expect(0x3a)
          try readAttribute(&cursor, key, records, isInside: false)
        } while cursor.another(until: 0x7d)
      }
    case 0x5b:
      cursor.expect(0x5b)
      let members = try attributeSet(cursor.integer(), records)
      for member in members {
        switch member {
        case .hole(let key):
          cursor.expect(0x2c)
          try readAttribute(&cursor, key, records, isInside: false)
        case .attribute(let attribute): records.attributes.append(attribute)
        case .url(let key, let url): append(url, key, records)
        }
      }
      cursor.expect(0x5d)
    default:
      for member in try attributeSet(cursor.integer(), records) {
        switch member {
        case .hole: throw damaged("an event leaves a hole of its set")
        case .attribute(let attribute): records.attributes.append(attribute)
        case .url(let key, let url): append(url, key, records)
        }
      }
    }
  }

  private func append(_ url: URLForm, _ key: Symbol, _ records: RecordSet) {
    records.urls.append(url)
    records.attributes.append(
      Attribute(key: key, kind: .url, bits: Int64(records.urls.count - 1)))
  }

  private func name(_ id: Int64) throws(StoreError) -> [UInt8] {
    if let known = names[id] { return known }
    let statement = try database.prepare("SELECT text FROM name WHERE id = ?1")
    statement.bind(1, id)
    defer { statement.reset() }
    guard try statement.step() else { throw damaged("name \(id) is missing") }
    let bytes = statement.withText(0) { Array($0) }
    names[id] = bytes
    return bytes
  }

  /// The profile of a number.
  func profile(_ id: Int64) throws(StoreError) -> SendProfile {
    if let lastProfile, lastProfile.id == id { return lastProfile.profile }
    if let known = profiles[id] {
      lastProfile = (id, known)
      return known
    }
    let statement = try database.prepare("SELECT profile FROM send_profile WHERE id = ?1")
    statement.bind(1, id)
    defer { statement.reset() }
    guard try statement.step(), let profile = statement.withText(0, { SendProfile($0, pool) })
    else {
      throw damaged("send profile \(id) is missing")
    }
    profiles[id] = profile
    return profile
  }

  private func identifier(_ cursor: inout JSONCursor, _ records: RecordSet) -> Identifier {
    var identifier = Identifier.none
    _ = cursor.string { base, count in
      identifier = Identifier(
        hash: StableHash.ofIdentifier(base, count),
        text: records.append(UnsafeRawBufferPointer(start: base, count: count)))
    }
    return identifier
  }

  private func token(_ cursor: inout JSONCursor) -> TokenRecord {
    var values: [Int64] = []
    cursor.expect(0x5b)
    if cursor.hasFirst(until: 0x5d) {
      repeat { values.append(cursor.integer()) } while cursor.another(until: 0x5d)
    }
    guard values.count == 6 else {
      cursor.isDamaged = true
      return .none
    }
    return TokenRecord(
      high: UInt64(bitPattern: values[0]), low: UInt64(bitPattern: values[1]),
      head: UInt32(truncatingIfNeeded: values[2]), tail: UInt32(truncatingIfNeeded: values[3]),
      length: UInt16(truncatingIfNeeded: values[4]),
      marks: TokenForm.Marks(rawValue: UInt8(truncatingIfNeeded: values[5])))
  }

  private func readSend(
    _ cursor: inout JSONCursor, _ base: Int64, _ identity: RowIdentity, _ installation: UInt64,
    _ records: RecordSet
  ) throws(StoreError) {
    var send = SendRecord()
    cursor.expect(0x5b)
    send.at = base &+ cursor.integer()
    cursor.expect(0x2c)
    send.reference.source = UInt32(truncatingIfNeeded: cursor.integer())
    cursor.expect(0x2c)
    send.reference.line = UInt32(truncatingIfNeeded: cursor.integer())
    cursor.expect(0x2c)
    let number = cursor.integer()
    let profile = try self.profile(number == 0 ? identity.profile : number)
    profile.apply(to: &send)
    if profile.namesInstallation { send.installation = installation }
    cursor.expect(0x2c)
    let shape = cursor.integer()
    send.shape = shape == 0 ? identity.shape : UInt64(bitPattern: shape)
    cursor.expect(0x2c)
    let mask = cursor.integer()
    if mask & 16 != 0 { send.campaign = identity.campaign }
    if mask & 1 != 0 { send.notification = identity.notification }
    if mask & 2 != 0 { send.apns = identity.apns }
    if mask & 4 != 0 { send.collapse = identity.collapse }
    if mask & 8 != 0 {
      send.token = identity.token
      send.token.length = 64
      send.token.marks = []
    }
    if cursor.take(0x2c) {
      cursor.expect(0x7b)
      if cursor.hasFirst(until: 0x7d) {
        repeat {
          let key =
            cursor.string { start, count in count > 0 ? start.load(as: UInt8.self) : 0 } ?? 0
          cursor.expect(0x3a)
          switch key {
          case 0x6e: send.notification = identifier(&cursor, records)
          case 0x61: send.apns = identifier(&cursor, records)
          case 0x63: send.collapse = identifier(&cursor, records)
          case 0x67:
            if cursor.peek == 0x6e {
              cursor.skip()
              send.campaign = .null
            } else {
              send.campaign = TextValue(cursor.string { pool.intern($0, $1) } ?? Symbol(.empty))
            }
          case 0x74: send.token = token(&cursor)
          case 0x66:
            cursor.expect(0x5b)
            send.token.length = UInt16(truncatingIfNeeded: cursor.integer())
            cursor.expect(0x2c)
            send.token.marks = TokenForm.Marks(
              rawValue: UInt8(truncatingIfNeeded: cursor.integer()))
            cursor.expect(0x5d)
          case 0x78: send.expiration = HeaderText.read(&cursor, pool)
          case 0x64: send.answeredAfter = cursor.integer()
          case 0x70: send.payloadBytes = Int32(truncatingIfNeeded: cursor.integer())
          case 0x75: send.unregisteredAt = cursor.integer()
          case 0x6a: send.jwtIssuedAt = (base / 1_000_000 &- cursor.integer()) &* 1_000_000
          case 0x6b: send.jwtIssuedAt = cursor.integer()
          case 0x71: send.uniqueID = identifier(&cursor, records).text
          default: cursor.skip()
          }
        } while cursor.another(until: 0x7d)
      }
    }
    cursor.expect(0x5d)
    records.sends.append(send)
  }

  private func readEvent(
    _ cursor: inout JSONCursor, _ row: inout ReadState, _ identity: RowIdentity,
    _ installation: UInt64, _ records: RecordSet
  ) throws(StoreError) {
    var event = EventRecord()
    event.installation = installation
    cursor.expect(0x5b)
    if cursor.peek == 0x22 {
      event.name = cursor.string { pool.intern($0, $1) } ?? Symbol(.empty)
    } else {
      event.name = word(cursor.integer(), &cursor)
    }
    cursor.expect(0x2c)
    row.at = row.at &+ cursor.integer() &* row.unit
    event.at = row.at
    cursor.expect(0x2c)
    row.line = row.line &+ cursor.integer()
    event.reference.line = UInt32(truncatingIfNeeded: row.line)
    cursor.expect(0x2c)
    if cursor.peek == 0x6e {
      cursor.skip()
    } else {
      row.sequence = row.sequence &+ cursor.integer()
      event.sequence = row.sequence
    }
    event.firstAttribute = UInt32(truncatingIfNeeded: records.attributes.count)
    if cursor.take(0x2c) { try readAttributes(&cursor, records) }
    event.attributeCount = UInt16(
      truncatingIfNeeded: records.attributes.count - Int(event.firstAttribute))
    if cursor.take(0x2c) {
      cursor.expect(0x7b)
      if cursor.hasFirst(until: 0x7d) {
        repeat {
          let key =
            cursor.string { start, count in count > 0 ? start.load(as: UInt8.self) : 0 } ?? 0
          cursor.expect(0x3a)
          switch key {
          case 0x6f: row.origin = Int(cursor.integer())
          case 0x6c: row.log = Int(cursor.integer())
          case 0x6d: row.mask = cursor.integer()
          case 0x66: row.source = UInt32(truncatingIfNeeded: cursor.integer())
          case 0x6e: event.notification = identifier(&cursor, records)
          case 0x61: event.apns = identifier(&cursor, records)
          case 0x72: event.request = identifier(&cursor, records)
          case 0x63: event.collapse = identifier(&cursor, records)
          case 0x74:
            let place = Int(cursor.integer())
            guard row.tokens.indices.contains(place) else {
              throw damaged("an event names no token")
            }
            event.token = row.tokens[place]
          default: cursor.skip()
          }
        } while cursor.another(until: 0x7d)
      }
    }
    cursor.expect(0x5d)
    guard row.origins.indices.contains(row.origin) else {
      throw damaged("an event names no origin")
    }
    event.origin = row.origins[row.origin]
    if row.logs.indices.contains(row.log) { event.log = row.logs[row.log] }
    event.reference.source = row.source
    if row.mask & 1 != 0 { event.notification = identity.notification }
    if row.mask & 2 != 0 { event.apns = identity.apns }
    if row.mask & 4 != 0 { event.request = identity.request }
    if row.mask & 16 != 0 { event.request = identity.collapse }
    if row.mask & 8 != 0 { event.collapse = identity.collapse }
    records.events.append(event)
  }

  private func readList(_ bytes: [UInt8], _ key: Symbol, _ records: RecordSet)
    throws(StoreError)
  {
    let copy = bytes.withUnsafeBytes { StableBytes($0) }
    var inner = JSONCursor(copy.bytes)
    try readAttribute(&inner, key, records, isInside: false)
  }

  private func readAttribute(
    _ cursor: inout JSONCursor, _ key: Symbol, _ records: RecordSet, isInside: Bool
  ) throws(StoreError) {
    switch cursor.peek {
    case 0x22:
      let symbol = cursor.string { pool.intern($0, $1) } ?? Symbol(.empty)
      records.attributes.append(Attribute(key: key, kind: .text, bits: Int64(symbol.index)))
    case 0x74, 0x66:
      let isTrue = cursor.peek == 0x74
      cursor.skip()
      records.attributes.append(Attribute(key: key, kind: .boolean, bits: isTrue ? 1 : 0))
    case 0x6e:
      cursor.skip()
      records.attributes.append(Attribute(key: key, kind: .null, bits: 0))
    case 0x5b where !isInside:
      cursor.place += 1
      guard cursor.hasFirst(until: 0x5d) else {
        records.attributes.append(Attribute(key: key, kind: .emptyArray, bits: 0))
        return
      }
      let before = records.attributes.count
      var isList = false
      repeat {
        if records.attributes.count == before, cursor.peek == 0x22 {
          let place = cursor.place
          let isHash = cursor.string { start, count in
            count == 1 && start.load(as: UInt8.self) == 0x23
          }
          if isHash == true, cursor.take(0x2c) {
            let bytes = try name(cursor.integer())
            try readList(bytes, key, records)
            isList = true
            continue
          }
          cursor.place = place
        }
        if !isList { try readAttribute(&cursor, key, records, isInside: true) }
      } while cursor.another(until: 0x5d)
    case 0x7b:
      var form = URLForm(
        scheme: Symbol(.empty), ending: Symbol(.empty), length: 0, parses: false, hasSpaces: false)
      var isHostOnly = true
      cursor.place += 1
      if cursor.hasFirst(until: 0x7d) {
        repeat {
          let name =
            cursor.string { start, count in count > 0 ? start.load(as: UInt8.self) : 0 } ?? 0
          cursor.expect(0x3a)
          isHostOnly = isHostOnly && name == 0x68
          switch name {
          case 0x73: form.scheme = cursor.string { pool.intern($0, $1) } ?? form.scheme
          case 0x68: form.host = cursor.string { pool.intern($0, $1) } ?? form.host
          case 0x65: form.ending = cursor.string { pool.intern($0, $1) } ?? form.ending
          case 0x6e: form.length = UInt32(truncatingIfNeeded: cursor.integer())
          case 0x66:
            let flags = cursor.integer()
            form.parses = flags & 1 != 0
            form.hasSpaces = flags & 2 != 0
          default: cursor.skip()
          }
        } while cursor.another(until: 0x7d)
      }
      if isHostOnly { form.length = UInt32(truncatingIfNeeded: pool.bytes(form.host).count) }
      append(form, key, records)
    default:
      let number = cursor.number()
      if let whole = number.whole {
        records.attributes.append(Attribute(key: key, kind: .integer, bits: whole))
      } else {
        records.attributes.append(
          Attribute(key: key, kind: .real, bits: Int64(bitPattern: number.real.bitPattern)))
      }
    }
  }
}
