import PushModel
import TestSupport
import Testing

@testable import PushStore

/// What a timeline says is what was written, whatever attributes events have.
@Suite struct TimelineTests {
  /// Texts that sets share and such as they do not, of which some look like parts of a timeline.
  private static let texts = [
    "banner", "delivered_list", "com.example.courier", "order-4821337", "", "a\"b\\c\n",
    "[\"#\",1]",
    "{\"#\":0}", "zwölf", String(repeating: "long ", count: 30), "2026-11-20T10:00:00Z",
  ]

  @Test func whatIsReadIsWhatWasWritten() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    print("seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    let fixture = try StoreFixture()
    let pool = TextPool()
    let writer = TimelineWriter(pool: pool, sets: AttributeSets())
    let bulk = try BulkWriter(database: fixture.database, pool: pool)
    let reader = TimelineReader(database: fixture.database, pool: pool)
    let keys: [Word] = [
      .style, .durationMs, .elapsedMs, .what, .identifiers, .url, .count, .options,
    ]
    let symbols = Self.texts.map { pool.intern($0) }
    let hosts = ["media.example.com", "order-4821337.example.com"].map { pool.intern($0) }

    for _ in 0..<300 {
      let records = RecordSet()
      records.origins.append(.none)
      let base = Int64(generator.next() % 1_000_000) * 1_000_000
      let isFine = generator.next() % 2 == 0
      for _ in 0..<Int(generator.next() % 6) {
        var event = EventRecord()
        event.name = Symbol(.nseDidReceive)
        event.at = base + Int64(generator.next() % 90_000) * (isFine ? 1 : 1000)
        event.sequence = generator.next() % 4 == 0 ? .min : Int64(generator.next() % 5000)
        event.reference = RecordReference(source: 3, line: UInt32(generator.next() % 100_000))
        event.firstAttribute = UInt32(records.attributes.count)
        for key in keys where generator.next() % 3 == 0 {
          let isList = generator.next() % 4 == 0
          for _ in 0..<(isList ? 2 + Int(generator.next() % 3) : 1) {
            let pick = generator.next()
            let kind: Attribute.Kind =
              isList
              ? .text : [.integer, .boolean, .text, .url, .emptyArray, .null, .text][Int(pick % 7)]
            var bits: Int64 = 0
            switch kind {
            case .integer:
              bits = Int64(bitPattern: generator.next()) >> Int64(generator.next() % 64)
            case .boolean: bits = Int64(generator.next() % 2)
            case .text: bits = Int64(symbols[Int(generator.next() % 11)].index)
            case .url:
              bits = Int64(records.urls.count)
              let host = hosts[Int(generator.next() % 2)]
              let isAlone = generator.next() % 2 == 0
              var form = URLForm(
                scheme: Symbol(.empty), ending: Symbol(.empty),
                length: UInt32(pool.bytes(host).count) + (isAlone ? 0 : 9), parses: false,
                hasSpaces: false)
              form.host = host
              records.urls.append(form)
            default: break
            }
            records.attributes.append(Attribute(key: Symbol(key), kind: kind, bits: bits))
          }
        }
        event.attributeCount = UInt16(records.attributes.count - Int(event.firstAttribute))
        records.events.append(event)
      }
      let rows = RowSet()
      let places = records.events.indices.map { UInt32($0) }
      let range = places.withUnsafeBufferPointer { events in
        writer.write(
          sends: UnsafeBufferPointer(start: nil, count: 0), events: events, of: records, base: base,
          identity: RowIdentity(), to: rows.texts
        ).text
      }
      rows.definitions = writer.takeDefinitions()
      try bulk.begin()
      try bulk.write(rows)
      try bulk.commit()

      let read = RecordSet()
      let start = UnsafeRawPointer(rows.texts.base + Int(range.offset))
      let found = try reader.read(
        UnsafeRawBufferPointer(start: start, count: Int(range.length)), base: base,
        identity: RowIdentity(), installation: 1, into: read)
      let text = rows.texts.text(range)
      try #require(found.events.count == records.events.count, "seed \(seed)")
      for (place, event) in records.events.enumerated() {
        let other = read.events[place]
        #expect(other.at == event.at, "seed \(seed): \(text)")
        #expect(other.sequence == event.sequence, "seed \(seed): \(text)")
        #expect(other.reference.line == event.reference.line, "seed \(seed): \(text)")
        #expect(
          Self.attributes(of: other, read, pool) == Self.attributes(of: event, records, pool),
          "seed \(seed): \(text)")
      }
    }
  }

  /// Attributes as texts that compare between sets of records.
  private static func attributes(of event: EventRecord, _ records: RecordSet, _ pool: TextPool)
    -> [String]
  {
    let first = Int(event.firstAttribute)
    return (first..<first + Int(event.attributeCount)).map { place in
      let attribute = records.attributes[place]
      let key = pool[attribute.key]
      switch attribute.kind {
      case .text: return "\(key) text \(pool[Symbol(index: UInt32(attribute.bits))])"
      case .url:
        let url = records.urls[Int(attribute.bits)]
        return "\(key) url \(pool[url.host]) \(url.length) \(url.parses) \(url.hasSpaces)"
      case .integer, .real, .boolean, .emptyArray, .null:
        return "\(key) \(attribute.kind) \(attribute.bits)"
      }
    }
  }
}
