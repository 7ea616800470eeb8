import Foundation
import PushModel
import TestSupport
import Testing

@testable import PushPipeline

@Suite struct BatchTableTests {
  /// Lines of a file, near each other and far apart, short and longer than what is read at once.
  @Test func linesAreReadWhereTheyStand() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    print("seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    let folder = try ScratchFolder()
    var content: [UInt8] = []
    var lines: [Range<Int>] = []
    for number in 0..<400 {
      let length = number % 40 == 7 ? 9000 : 1 + Int(generator.next() % 600)
      let start = content.count
      for _ in 0..<length { content.append(0x21 + UInt8(generator.next() % 90)) }
      lines.append(start..<content.count)
      content.append(0x0a)
    }
    let file = folder.url.appending(path: "log")
    try Data(content).write(to: file)
    let raw = try RawLines(folder: folder.path)
    let descriptor = try #require(raw.open(file.path))
    let whole = raw.add(descriptor: descriptor, offset: 0)
    let second = raw.add(descriptor: descriptor, offset: Int64(lines[200].lowerBound))
    let copied = try content[lines[100].lowerBound...].withUnsafeBytes { try raw.add(copying: $0) }
    let window = RawLines.Window()
    var next = 0
    for _ in 0..<4000 {
      // Mostly one behind the other, as the records of a notification stand.
      next = generator.next() % 4 == 0 ? Int(generator.next() % 400) : (next + 1) % 400
      let (chunk, start) =
        switch generator.next() % 3 {
        case 0 where next >= 200: (second, lines[200].lowerBound)
        case 1 where next >= 100: (copied, lines[100].lowerBound)
        default: (whole, 0)
        }
      let place = RawPlace(
        chunk: chunk, offset: UInt32(lines[next].lowerBound - start),
        length: UInt32(lines[next].count))
      let line = try #require(window.line(place, of: raw), "seed \(seed)")
      #expect(line.elementsEqual(content[lines[next]]), "seed \(seed), line \(next)")
    }
    let behind = RawPlace(chunk: whole, offset: UInt32(content.count), length: 5)
    #expect(window.line(behind, of: raw) == nil)
    #expect(window.line(RawPlace(chunk: 99, offset: 0, length: 5), of: raw) == nil)
    let first = RawPlace(chunk: whole, offset: 0, length: UInt32(lines[0].count))
    #expect(window.line(first, of: raw)?.elementsEqual(content[lines[0]]) == true)
  }

  /// A token belongs to whoever registered it last before a moment; before all of them, to the first.
  @Test func aTokenBelongsToWhoRegisteredItLast() {
    let map = TokenMap()
    #expect(map.installation(7, at: 0) == nil)
    #expect(map.add(7, 1, at: 100))
    #expect(!map.add(7, 1, at: 50))
    #expect(map.installation(7, at: 10) == 1)
    #expect(map.add(7, 2, at: 200))
    #expect(!map.add(7, 2, at: 300))
    #expect(map.installation(7, at: 199) == 1)
    #expect(map.installation(7, at: 200) == 2)
    #expect(map.installation(7, at: 10) == 1)
    #expect(map.add(7, 3, at: 20))
    #expect(map.installation(7, at: 10) == 3)
    #expect(map.installation(7, at: 60) == 1)

    let other = TokenMap()
    #expect(other.add(8, 4, at: 5))
    #expect(other.add(7, 5, at: 400))
    #expect(other.add(7, 1, at: 500))
    #expect(map.merge(other).sorted() == [7, 8])
    #expect(map.installation(7, at: 450) == 5)
    #expect(map.installation(8, at: 0) == 4)
    map.removeAll()
    #expect(map.installation(7, at: 450) == nil)
  }
}
