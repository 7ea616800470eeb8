import PushModel
import Testing

@testable import PushStore

/// Which attributes events share, and what is stored where a UUID is an id.
@Suite struct AttributeSetTests {
  @Test func twoSetsNeverShareANumber() {
    let sets = AttributeSets()
    // The number is the upper 31 bits of the hash.
    let first: UInt64 = 0x0000_0006_0000_0001
    let same: UInt64 = 0x0000_0006_0000_0002
    #expect(sets.number(of: first) == 3)
    #expect(sets.number(of: first) == 3)
    #expect(sets.number(of: same) == nil)
    #expect(sets.number(of: 0x0000_0008_0000_0001) == 4)
    #expect(sets.number(of: 0x0000_0001_ffff_ffff) == nil, "0 stands for no set")
  }

  @Test(arguments: [
    ("banner", true), ("delivered_list", true), ("com.example.courier", true), ("18.6.2", true),
    ("order-482133", false), ("2026-11-20", false), (String(repeating: "x", count: 41), false),
  ])
  func wordsAreSharedAndIDsAreNot(_ text: String, _ isShared: Bool) {
    let pool = TextPool()
    let records = RecordSet()
    let symbol = pool.intern(text)
    records.attributes.append(
      Attribute(key: Symbol(.style), kind: .text, bits: Int64(symbol.index)))
    #expect(AttributeSets.isShared(from: 0, through: 0, records, pool) == isShared)
  }

  @Test(
    arguments: [
      ("6F9619FF-8B86-D011-B42D-00C04FC964FF", 16), ("6f9619ff-8b86-d011-b42d-00c04fc964ff", 17),
      ("12345678-1234-1234-1234-123456789012", 16), ("6f9619FF-8B86-D011-B42D-00C04FC964FF", nil),
      ("6F9619FF-8B86-D011-B42D-00C04FC964F", nil), ("order-48213", nil),
      ("6G9619FF-8B86-D011-B42D-00C04FC964FF", nil),
    ] as [(String, Int?)])
  func aUUIDIsStoredAsItsBytes(_ text: String, _ count: Int?) {
    var copy = text
    let stored = copy.withUTF8 { StoredIdentifier($0.baseAddress!, $0.count) }
    #expect(stored?.count == count)
    guard let stored else { return }
    // From RFC 4122's order of bytes: the text's digits from left to right.
    var bytes: [UInt8] = []
    for word in [stored.high, stored.low] {
      for shift in stride(from: 56, through: 0, by: -8) {
        bytes.append(UInt8(truncatingIfNeeded: word >> UInt64(shift)))
      }
    }
    let digits = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    #expect(digits == text.replacing("-", with: "").lowercased())
    if stored.count == 17 { bytes.append(0) }
    let read = bytes.withUnsafeBytes { StoredIdentifier(stored: $0) }
    #expect(read?.hash == StableHash.ofIdentifier(text))
    var written = [UInt8](repeating: 0, count: 36)
    written.withUnsafeMutableBytes { read?.write(to: $0.baseAddress!) }
    #expect(String(decoding: written, as: UTF8.self) == text)
  }

  @Test(arguments: [0, 15, 18, 36])
  func otherNumbersOfBytesAreNoID(_ count: Int) {
    let bytes = [UInt8](repeating: 7, count: count)
    #expect(bytes.withUnsafeBytes { StoredIdentifier(stored: $0) } == nil)
  }
}
