import PushModel
import TestSupport
import Testing

/// Tables and lists with memory of their own, held against those of the standard library.
@Suite struct TableTests {
  @Test func aTableHoldsWhatADictionaryHolds() {
    let seed = UInt64.random(in: 0...UInt64.max)
    print("seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    let table = HashTable<Int>()
    var expected: [UInt64: Int] = [:]
    for round in 0..<60 {
      // Few keys of which many meet, small ones, and such as differ in their highest bits only.
      let keys = (0..<Int(generator.next() % 3000)).map { _ in
        switch generator.next() % 3 {
        case 0: generator.next() % 50
        case 1: generator.next() << 58
        default: generator.next()
        }
      }
      for (value, key) in keys.enumerated() {
        if generator.next() % 2 == 0 {
          table[key] = value
          expected[key] = value
        } else {
          let isNew = expected[key] == nil
          #expect(table.insert(key, value) == isNew, "seed \(seed)")
          if isNew { expected[key] = value }
        }
      }
      #expect(table.count == expected.count, "seed \(seed)")
      for key in expected.keys { #expect(table[key] == expected[key], "seed \(seed)") }
      for _ in 0..<100 {
        let key = generator.next()
        #expect(table[key] == expected[key], "seed \(seed)")
      }
      // Emptied after many values, after few and twice: it becomes smaller and has to stay right.
      if round % 3 != 0 {
        table.removeAll()
        expected.removeAll()
        #expect(table.count == 0)
        for key in keys.prefix(100) { #expect(table[key] == nil, "seed \(seed)") }
        if round % 2 == 0 { table.removeAll() }
      }
    }
  }

  @Test func zeroIsAKeyLikeAnyOther() {
    let table = HashTable<Int>()
    #expect(table[0] == nil)
    table[0] = 7
    #expect(table[0] == 7)
    #expect(!table.insert(0, 8))
    table.removeAll()
    #expect(table[0] == nil)
  }

  @Test func listsOfOneMemoryGrowApart() {
    let seed = UInt64.random(in: 0...UInt64.max)
    print("seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    let memory = ListMemory()
    for _ in 0..<5 {
      memory.removeAll()
      var lists = [ShortList<UInt32>](repeating: ShortList(), count: 40)
      var bytes = [ShortList<UInt8>](repeating: ShortList(), count: 40)
      var expected = [[UInt32]](repeating: [], count: 40)
      // The longest is larger than a block of the memory.
      for _ in 0..<12_000 {
        let place = generator.next() % 4 == 0 ? Int(generator.next() % 40) : 0
        let value = UInt32(truncatingIfNeeded: generator.next())
        lists[place].append(value, in: memory)
        bytes[place].append(UInt8(truncatingIfNeeded: value), in: memory)
        expected[place].append(value)
        if generator.next() % 100 == 0 { lists[place].reserve(8, in: memory) }
      }
      for place in 0..<40 {
        #expect(Array(lists[place]) == expected[place], "seed \(seed)")
        #expect(
          Array(bytes[place]) == expected[place].map { UInt8(truncatingIfNeeded: $0) },
          "seed \(seed)")
        #expect(lists[place].last == expected[place].last)
        #expect(Array(lists[place].buffer) == expected[place])
      }
      lists[0][1] = 5
      #expect(lists[0][1] == 5)
    }
  }

  @Test func bytesAreEqualWhereTheStandardLibrarySaysSo() {
    var generator = SeededGenerator(seed: 36)
    for count in 0...40 {
      let left = (0..<count).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
      // One byte differs, at every place in turn; at the last turn none does.
      for place in 0...count {
        var right = left
        if place < count { right[place] ^= 1 << UInt8(generator.next() % 8) }
        // One more byte behind each, which differs and is not looked at.
        let isSame = (left + [0]).withUnsafeBytes { a in
          (right + [1]).withUnsafeBytes { b in equalBytes(a.baseAddress!, b.baseAddress!, count) }
        }
        #expect(isSame == (left == right), "\(count) bytes, \(place)")
      }
    }
  }
}
