public import PushModel

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
