import Foundation
import PushModel
import TestSupport
import Testing

@Suite struct StableHashTests {
  /// The slow, obvious way.
  private func slow(_ text: String) -> (high: UInt64, low: UInt64)? {
    let groups = text.split(separator: "-", omittingEmptySubsequences: false).map(String.init)
    guard groups.map(\.count) == [8, 4, 4, 4, 12], text.utf8.count == 36 else { return nil }
    let digits = groups.joined()
    guard digits.utf8.allSatisfy({ "0123456789abcdefABCDEF".utf8.contains($0) }),
      let high = UInt64(digits.prefix(16), radix: 16),
      let low = UInt64(digits.suffix(16), radix: 16)
    else { return nil }
    return (high, low)
  }

  private func fast(_ text: String) -> (high: UInt64, low: UInt64, letters: UInt8)? {
    Array(text.utf8).withUnsafeBytes { bytes in
      guard bytes.count == 36, let base = bytes.baseAddress, let uuid = UUIDBytes(base) else {
        return nil
      }
      return (uuid.high, uuid.low, uuid.letters)
    }
  }

  @Test func aUUIDIsReadLikeTheSlowWayReadsIt() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    print("seed \(seed)")
    var state = seed
    func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state >> 16
    }
    for round in 0..<20_000 {
      var text = Array("00000000-0000-0000-0000-000000000000".utf8)
      for place in text.indices where text[place] != 0x2d {
        let digits = Array((round % 3 == 0 ? "0123456789ABCDEF" : "0123456789abcdef").utf8)
        text[place] = digits[Int(next() % 16)]
      }
      // Every byte value at every place, sooner or later.
      if round % 2 == 0 { text[Int(next() % 36)] = UInt8(next() % 128) }
      let string = String(decoding: text, as: UTF8.self)
      let expected = slow(string)
      let found = fast(string)
      #expect(expected?.high == found?.high, "\(string)")
      #expect(expected?.low == found?.low, "\(string)")
    }
  }

  @Test func aUUIDIsWrittenLikeFoundationWritesIt() {
    let seed = UInt64.random(in: 0...UInt64.max)
    print("seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    for round in 0..<5000 {
      var bytes = (0..<16).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
      // Every nibble at the ends of its range too.
      if round < 16 { bytes = Array(repeating: UInt8(round) << 4 | UInt8(15 - round), count: 16) }
      let word = { (range: Range<Int>) in bytes[range].reduce(UInt64(0)) { $0 << 8 | UInt64($1) } }
      let expected = bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
      for isUpper in [true, false] {
        var text = [UInt8](repeating: 0, count: 36)
        text.withUnsafeMutableBytes {
          UUIDBytes.write(word(0..<8), word(8..<16), isUpper: isUpper, to: $0.baseAddress!)
        }
        let written = String(decoding: text, as: UTF8.self)
        #expect(
          written == (isUpper ? expected.uuidString : expected.uuidString.lowercased()),
          "seed \(seed)")
        #expect(
          UUIDBytes.hash(word(0..<8), word(8..<16)) == StableHash.ofIdentifier(written))
      }
    }
  }

  @Test func theCaseOfItsLettersIsTold() throws {
    #expect(fast("5b0f4c1e-7a39-4d58-9a60-2f1d6c0be1aa")?.letters == 1)
    #expect(fast("5B0F4C1E-7A39-4D58-9A60-2F1D6C0BE1AA")?.letters == 2)
    #expect(fast("5B0F4C1E-7a39-4D58-9A60-2F1D6C0BE1AA")?.letters == 3)
    #expect(fast("50004010-7039-4058-9060-200060001000")?.letters == 0)
  }

  @Test func idsAreComparedWithoutCaseOnlyIfTheyAreUUIDs() {
    #expect(
      StableHash.ofIdentifier("5b0f4c1e-7a39-4d58-9a60-2f1d6c0be1aa")
        == StableHash.ofIdentifier("5B0F4C1E-7A39-4D58-9A60-2F1D6C0BE1AA"))
    #expect(StableHash.ofIdentifier("order-a") != StableHash.ofIdentifier("ORDER-A"))
  }

  @Test func wordsHaveTheOrdinalOfTheirPlace() {
    for (place, word) in Word.allCases.enumerated() { #expect(Int(word.ordinal) == place) }
  }
}
