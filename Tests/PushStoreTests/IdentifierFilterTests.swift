import PushModel
import Testing

@testable import PushStore

/// A filter may say yes to what is not there, one time in four hundred; no to what is there it never
/// says.
struct IdentifierFilterTests {
  /// Hashes of a fixed generator, 48 bits as the index stores them.
  private static func hashes(_ count: Int, seed: UInt64) -> [UInt64] {
    var state = seed
    return (0..<count).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state >> 16
    }
  }

  @Test(arguments: [1, 7, 1000, 50_000])
  func holdsWhatWasPutInAndLittleElse(_ count: Int) {
    let inside = Self.hashes(count, seed: 7)
    var filter = IdentifierFilter(count: count)
    for hash in inside { filter.insert(hash) }
    for hash in inside { #expect(filter.mayHold(hash)) }
    let known = Set(inside)
    let outside = Self.hashes(20_000, seed: 8).filter { !known.contains($0) }
    let wrong = outside.count(where: filter.mayHold)
    // (1 - e^(-4/16))^4 = 0.0024; of few hashes the spread is wide.
    if count >= 1000 { #expect(wrong < outside.count * 4 / 1000, "\(wrong) of \(outside.count)") }
    #expect(wrong < outside.count / 4)
    #expect(filter.bytes.count == 2 * count)
  }

  @Test func anEmptyFilterHoldsNothing() {
    let filter = IdentifierFilter(count: 0)
    #expect(!Self.hashes(1000, seed: 3).contains(where: filter.mayHold))
  }

  @Test func aRunWithoutAFilterIsAlwaysRead() throws {
    let fixture = try StoreFixture()
    try fixture.index([("5b0f4c1e-7a39-4d58-9a60-2f1d6c0be1aa", 17)], run: 1)
    try fixture.index([("0a1b2c3d-0000-4000-8000-00000000000f", 18)], run: 2)
    var filter = IdentifierFilter(count: 1)
    let own = StableHash.ofIdentifier("0a1b2c3d-0000-4000-8000-00000000000f")
    filter.insert(IdentifierIndex.stored(own))
    let statement = try fixture.database.prepare(
      "INSERT INTO identifier_filter (run, bits) VALUES (2, ?1)")
    statement.bind(1, blob: filter.bytes)
    try statement.run()
    try fixture.database.execute(
      "INSERT INTO waiting_identifier (hash, notification_id) VALUES "
        + "(\(IdentifierIndex.stored(own)), 18)")

    let identifiers = try StoredIdentifiers(of: fixture.database)
    #expect(identifiers.runs(mayHold: own) == [1, 2])
    #expect(identifiers.mayWait(own))
    let other = StableHash.ofIdentifier("5b0f4c1e-7a39-4d58-9a60-2f1d6c0be1aa")
    #expect(identifiers.runs(mayHold: other) == [1])
    #expect(!identifiers.mayWait(other))
    let index = IdentifierIndex(database: fixture.database)
    #expect(try index.notifications(hash: own, in: identifiers.runs(mayHold: own)) == [18])
    #expect(try index.notifications(hash: other, in: identifiers.runs(mayHold: other)) == [17])
  }
}
