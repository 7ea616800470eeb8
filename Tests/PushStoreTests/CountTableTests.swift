import PushModel
import TestSupport
import Testing

@testable import PushStore

@Suite struct CountTableTests {
  /// A key of which many have one hash.
  private struct Key: CountKey, Hashable {
    var number: UInt64
    var mixed: UInt64 { number % 7 << 40 | number % 11 }
  }

  @Test func countsLikeADictionary() {
    let seed = UInt64.random(in: 0...UInt64.max)
    print("seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    var tables = [CountTable<Key>(), CountTable<Key>()]
    var expected: [Key: Int64] = [:]
    var last = Key(number: 0)
    for _ in 0..<20_000 {
      if generator.next() % 3 != 0 { last = Key(number: generator.next() % 700) }
      let count = Int64(generator.next() % 5) - 2
      tables[Int(generator.next() % 2)].add(last, count)
      expected[last, default: 0] += count
    }
    tables[0].add(tables[1])
    let found = Dictionary(uniqueKeysWithValues: Array(tables[0].counted))
    #expect(found == expected.filter { $0.value != 0 }, "seed \(seed)")
    #expect(tables[0].hasNegative == expected.values.contains { $0 < 0 }, "seed \(seed)")
  }

  @Test func whatIsTakenAwayAgainIsNotCounted() {
    var table = CountTable<Key>()
    table.add(Key(number: 1), 1)
    table.add(Key(number: 1), -1)
    table.add(Key(number: 2), 3)
    #expect(!table.hasNegative)
    #expect(table.counted.map(\.1) == [3])
    table.add(Key(number: 1), -1)
    #expect(table.hasNegative)
  }

  @Test func numbersAreWrittenInDecimal() {
    let seed = UInt64.random(in: 0...UInt64.max)
    print("seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    var numbers: [Int64] = [0, 9, 10, 99, 100, .min, .max, .min + 1]
    var power: Int64 = 1
    for _ in 0..<18 {
      power *= 10
      numbers += [power - 1, power, power + 1, -power]
    }
    for _ in 0..<2000 {
      numbers.append(Int64(bitPattern: generator.next()) >> Int64(generator.next() % 64))
    }
    for number in numbers {
      let out = ByteOutput(capacity: 1)
      out.append(0x2c)
      out.append(number: number)
      #expect(out.text(out.range(from: 1)) == String(number), "seed \(seed)")
    }
  }
}
