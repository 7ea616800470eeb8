import Foundation
import PushIngest
import Testing

@Suite("Reading")
struct ReadingTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  // MARK: One content, many wrappings

  @Test(
    "the same content gives the same lines and offsets in every wrapping",
    arguments: [
      ("plain", "cp log out", []),
      ("gzip", "gzip -c log > out", ["gzip"]),
      (
        "gzip of two members",
        "head -c 100000 log | gzip -c > out; tail -c +100001 log | gzip -c >> out", ["gzip"]
      ),
      ("zstd", "zstd -q -c log > out", ["zstd"]),
      (
        "zstd of two frames",
        "head -c 100000 log | zstd -q -c > out; tail -c +100001 log | zstd -q -c >> out", ["zstd"]
      ),
      ("xz", "xz -1 -c log > out", ["xz"]),
      ("bzip2", "bzip2 -c log > out", ["bzip2"]),
      (
        "bzip2 of two streams",
        "head -c 100000 log | bzip2 -c > out; tail -c +100001 log | bzip2 -c >> out", ["bzip2"]
      ),
      ("tar", "tar cf out log", ["tar"]),
      ("tar.gz", "tar czf out log", ["gzip", "tar"]),
      ("tar.xz", "tar cf - log | xz -1 -c > out", ["xz", "tar"]),
      ("tar.zst", "tar cf - log | zstd -q -c > out", ["zstd", "tar"]),
      ("zip", "zip -q out.zip log && mv out.zip out", ["zip"]),
      ("gzip in tar", "gzip -c log > log.gz && tar cf out log.gz", ["tar", "gzip"]),
      (
        "zstd in tar.gz", "zstd -q -c log > log.zst && tar czf out log.zst",
        ["gzip", "tar", "zstd"]
      ),
      (
        "tar.gz in zip", "tar czf in.tgz log && zip -q out.zip in.tgz && mv out.zip out",
        ["zip", "gzip", "tar"]
      ),
    ] as [(String, String, [String])])
  func wrapping(_ name: String, _ command: String, _ layers: [String]) throws {
    let content = sampleLines(6000)
    try folder.write("log", content)
    try folder.run(command)
    for chunkBytes in [7777, 1 << 20] {
      let run = runReader(folder.path + "/out", chunkBytes: chunkBytes)
      #expect(run.problems == [])
      #expect(run.content() == content)
      #expect(run.lines() == expectedLines(content))
      #expect(run.openings.map(\.identity.layers) == [layers])
      #expect(run.endings.map(\.isComplete) == [true])
      #expect(run.endings.map(\.state) == runReader(folder.path + "/log").endings.map(\.state))
      #expect(run.progress.doneBytes == run.progress.totalBytes)
    }
  }

  @Test("a pipe is read like a file, compressed or not", arguments: ["cat log", "gzip -c log"])
  func pipe(_ command: String) throws {
    let content = sampleLines(6000)
    try folder.write("log", content)
    try folder.run("mkfifo pipe && (\(command) > pipe &)")
    let run = runReader(folder.path + "/pipe")
    #expect(run.problems == [])
    #expect(run.lines() == expectedLines(content))
    #expect(run.progress.totalBytes == nil)
  }

  @Test("a zip that comes through a pipe is read too")
  func zipPipe() throws {
    let content = sampleLines(3000)
    try folder.write("log", content)
    try folder.run("zip -q out.zip log && mkfifo pipe && (cat out.zip > pipe &)")
    #expect(runReader(folder.path + "/pipe").lines() == expectedLines(content))
  }

  @Test("members of an archive are sources named behind it, links and hidden ones are not")
  func members() throws {
    try folder.write("d/a.ndjson", Array("a1\na2\n".utf8))
    try folder.write("d/b.ndjson", Array("b1".utf8))
    try folder.write("d/._b.ndjson", [0, 5, 22, 7])
    try folder.run("ln -s b.ndjson d/z && tar cf t.tar d/a.ndjson d/b.ndjson d/._b.ndjson d/z")
    let path = folder.path + "/t.tar"
    let run = runReader(path)
    #expect(run.openings.map(\.identity.name) == [path + "/d/a.ndjson", path + "/d/b.ndjson"])
    #expect(run.openings.map(\.ordinal) == [0, 1])
    #expect(run.lines(of: 0) == ["0:a1", "3:a2"])
    #expect(run.lines(of: 1) == ["0:b1"])
    #expect(run.problems == [ReadingProblem(input: path + "/d/z", kind: .memberNotAFile)])
    #expect(run.problems.map(\.isRemark) == [true])
  }

  // MARK: Lines

  @Test(
    "lines end at newlines, lose a carriage return, and count when empty",
    arguments: [
      ("", []),
      ("\n", ["0:"]),
      ("\n\n\n", ["0:", "1:", "2:"]),
      ("a\r\nb\r\n", ["0:a", "3:b"]),
      ("a\nb", ["0:a", "2:b"]),
      ("a\n\r\nb\r", ["0:a", "2:", "4:b"]),
      ("\u{FEFF}a\nb\n", ["3:a", "5:b"]),
      ("\u{FEFF}", []),
      ("a\n\u{FEFF}b\n", ["0:a", "2:\u{FEFF}b"]),
    ] as [(String, [String])])
  func lineEnds(_ content: String, _ expected: [String]) throws {
    let path = try folder.write("log", Array(content.utf8))
    for chunkBytes in [1, 2, 3, 1 << 20] {
      let run = runReader(path, chunkBytes: chunkBytes, isTakenWhole: true)
      // A mark that is cut from its line by a tiny chunk cannot happen: chunks hold whole lines.
      #expect(run.lines() == expected, "chunks of \(chunkBytes)")
      #expect(run.endings.count == 1)
    }
  }

  @Test("chunks of any size put together are the content, and each ends at a line end")
  func anyCut() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    print("anyCut seed \(seed)")
    var numbers = SeededNumbers(seed: seed)
    for round in 0..<60 {
      var content: [UInt8] = []
      for _ in 0..<Int.random(in: 0..<400, using: &numbers) {
        let newlineShare = [2, 10, 300].randomElement(using: &numbers) ?? 2
        for _ in 0..<Int.random(in: 0..<60, using: &numbers) {
          let isNewline = Int.random(in: 0..<newlineShare, using: &numbers) == 0
          content.append(isNewline ? 0x0A : UInt8.random(in: 1...255, using: &numbers))
        }
      }
      // Without zero bytes, and not mistaken for one of the known kinds by accident.
      content.insert(0x61, at: 0)
      let path = try folder.write("log\(round)", content)
      let size = Int.random(in: 1...3000, using: &numbers)
      let run = runReader(path, chunkBytes: size, isTakenWhole: true)
      #expect(run.content() == content, "seed \(seed), round \(round)")
      #expect(run.lines() == expectedLines(content), "seed \(seed), round \(round)")
      var offset: Int64 = 0
      for (index, chunk) in run.chunks.enumerated() {
        #expect(chunk.index == index)
        #expect(chunk.offsetBytes == offset)
        #expect(chunk.endsWithNewline == (run.contents[index].last == 0x0A))
        #expect(chunk.endsWithNewline || index == run.chunks.count - 1)
        offset += Int64(chunk.length)
      }
      #expect(
        run.endings.map(\.state) == runReader(path, isTakenWhole: true).endings.map(\.state),
        "seed \(seed)")
    }
  }

  @Test("a line longer than allowed is passed over, reported and counted, whatever the chunk size")
  func oversized() throws {
    let long = String(repeating: "x", count: 101)
    let justFits = String(repeating: "y", count: 100)
    let path = try folder.write("log", Array("a\n\(long)\nb\n\(justFits)\n\(long)z".utf8))
    for chunkBytes in [1, 10, 64, 100, 101, 1 << 20] {
      let run = runReader(path, chunkBytes: chunkBytes, maximumLineBytes: 100)
      #expect(run.lines() == ["0:a", "104:b", "106:\(justFits)"], "chunks of \(chunkBytes)")
      #expect(run.oversized.map(\.offsetBytes) == [2, 207])
      #expect(run.oversized.map(\.lengthBytes) == [101, 102])
      #expect(run.endings.map(\.state.contentLengthBytes) == [207])
      #expect(run.endings.map(\.state.unterminatedLengthBytes) == [102])
      let indices = run.chunks.map(\.index) + run.oversized.map(\.index)
      #expect(indices.sorted() == Array(0..<indices.count))
    }
  }

  @Test("the buffer's padding is readable and zero")
  func padding() throws {
    let path = try folder.write("log", sampleLines(100))
    let reader = ChunkReader(InputList.expand([path]).inputs, chunkBytes: 500)
    let buffer = ChunkBuffer(capacityBytes: 64)
    while let event = reader.next(into: buffer) {
      guard case .chunk(let chunk) = event else { continue }
      #expect(buffer.length == chunk.length)
      let behind = UnsafeRawBufferPointer(
        start: buffer.base + buffer.length, count: ChunkBuffer.paddingBytes)
      #expect(behind.allSatisfy { $0 == 0 })
    }
  }

  // MARK: Hostile and broken input

  @Test(
    "a cut stream gives its whole lines and says that it was cut",
    arguments: ["gzip", "xz -1", "bzip2", "zstd -q"])
  func cut(_ tool: String) throws {
    let content = sampleLines(20000)
    try folder.write("log", content)
    try folder.run("\(tool) -c log > whole")
    let whole = try folder.bytes("whole")
    let path = try folder.write("cut", Array(whole[..<(whole.count * 3 / 4)]))
    let run = runReader(path)
    #expect(run.problems.count == 1)
    #expect(run.problems.allSatisfy { if case .truncated = $0.kind { true } else { false } })
    #expect(run.endings.map(\.isComplete) == [false])
    #expect(run.content().last == 0x0A)
    #expect(run.content().elementsEqual(content[..<run.content().count]))
    #expect(run.problems.first?.contentOffsetBytes == Int64(run.content().count))
    // Three quarters of the stream hold well over a third of the content in every format.
    #expect(run.content().count > content.count / 3)
    // The whole file, later, goes on where the cut one ended.
    let later = runReader(folder.path + "/whole", known: run.known)
    #expect(run.content() + later.content() == content)
    #expect(
      later.openings.map(\.decision) == [
        .continueReading(known: 0, fromContentOffsetBytes: Int64(run.content().count))
      ])
  }

  @Test("a stream cut within its first bytes is a problem, not lines", arguments: [3, 9, 12])
  func cutHeader(_ length: Int) throws {
    try folder.write("log", sampleLines(50))
    try folder.run("gzip -c log > whole")
    let path = try folder.write("cut", Array(try folder.bytes("whole")[..<length]))
    let run = runReader(path)
    #expect(run.lines() == [])
    #expect(run.problems.count == 1)
  }

  @Test("no damage to an archive or stream crashes the reader or invents lines")
  func damage() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    print("damage seed \(seed)")
    var numbers = SeededNumbers(seed: seed)
    let content = sampleLines(800)
    try folder.write("a", content)
    try folder.write("b", content)
    try folder.run("zip -q 1 a b && mv 1.zip 1; tar cf 2 a b; tar czf 3 a b; gzip -c a > 4")
    try folder.run("zstd -q -c a > 5; xz -c a > 6; bzip2 -c a > 7; tar cf - a b | zstd -q -c > 8")
    for name in 1...8 {
      let whole = try folder.bytes("\(name)")
      for _ in 0..<25 {
        var bytes = whole
        for _ in 0..<Int.random(in: 1...4, using: &numbers) {
          bytes[Int.random(in: 0..<bytes.count, using: &numbers)] =
            UInt8.random(in: 0...255, using: &numbers)
        }
        if Bool.random(using: &numbers) {
          bytes.removeLast(Int.random(in: 0..<bytes.count, using: &numbers))
        }
        let run = runReader(try folder.write("damaged", bytes), maximumLineBytes: 1 << 16)
        #expect(run.openings.count == run.endings.count, "seed \(seed), file \(name)")
      }
    }
  }

  @Test("a zip with a damaged member says so and reads the other members")
  func damagedZip() throws {
    let content = sampleLines(3000)
    try folder.write("a", content)
    try folder.write("b", content)
    try folder.run("zip -q z.zip a b")
    var bytes = try folder.bytes("z.zip")
    // In the middle of the first member's compressed data.
    for index in 20000..<20040 { bytes[index] ^= 0x5A }
    let path = try folder.write("damaged", bytes)
    let run = runReader(path)
    #expect(!run.problems.isEmpty)
    #expect(run.problems.allSatisfy { $0.input.hasPrefix(path) && !$0.advice.isEmpty })
    #expect(run.openings.map(\.identity.name) == [path + "/a", path + "/b"])
    #expect(run.content(of: 1) == content)
  }

  @Test("an encrypted member is a problem with what to do")
  func encrypted() throws {
    try folder.write("a", sampleLines(10))
    try folder.run("zip -q -P secret z.zip a")
    let run = runReader(folder.path + "/z.zip")
    #expect(run.problems.map(\.kind) == [.memberEncrypted])
    #expect(run.lines() == [])
  }

  @Test("nesting without end is refused")
  func nesting() throws {
    try folder.write("a", sampleLines(10))
    try folder.run("for i in 1 2 3 4 5 6 7 8; do tar cf b a; mv b a; done")
    #expect(runReader(folder.path + "/a").problems.map(\.kind) == [.nestedTooDeep])
  }

  @Test("compressed files that would take gigabytes to decode are refused")
  func hugeWindow() throws {
    try folder.write("log", sampleLines(100))
    try folder.run("xz -0 -c log > ordinary; zstd -q --long=31 -c < log > log.zst")
    var bytes = try folder.bytes("ordinary")
    // Behind stream header (12), block header size, flags, filter id and property size: the
    // window's code, 40 for 4 GiB.
    #expect(bytes[14] == 0x21)
    bytes[16] = 40
    let path = try folder.write("huge", bytes)
    #expect(
      runReader(path).problems.map(\.kind)
        == [.needsTooMuchMemory(format: "xz", windowBytes: 1 << 32)])
    #expect(runReader(folder.path + "/ordinary").problems == [])
    #expect(
      runReader(folder.path + "/log.zst").problems.map(\.kind)
        == [.needsTooMuchMemory(format: "zstd", windowBytes: nil)])
  }

  @Test("text in UTF-16 is read as what it says, cut anywhere", arguments: ["le", "be"])
  func utf16(_ order: String) throws {
    let text = "a\u{e4}\u{20ac}\u{1f600}\r\nb\n\nlast"
    var bytes: [UInt8] = order == "le" ? [0xFF, 0xFE] : [0xFE, 0xFF]
    for unit in text.utf16 {
      let halves = [UInt8(truncatingIfNeeded: unit), UInt8(unit >> 8)]
      bytes += order == "le" ? halves : halves.reversed()
    }
    let path = try folder.write("wide.txt", bytes)
    for chunkBytes in [1, 3, 1 << 20] {
      let run = runReader(path, chunkBytes: chunkBytes, isTakenWhole: true)
      #expect(run.problems == [])
      #expect(run.openings.map(\.identity.layers) == [["utf-16\(order)"]])
      #expect(run.content() == Array(text.utf8))
    }
    // A byte too much, and half a pair, are marked and stop nothing.
    let broken = try folder.write("broken.txt", bytes + [0x3D, 0xD8, 0x61, 0x00, 0x62])
    #expect(runReader(broken).problems == [])
  }

  @Test(
    "a log archive is told of once, with the command that converts it; reports beside it are read")
  func logArchive() throws {
    let tree = folder.path + "/sysdiagnose_1"
    let archive = tree + "/system_logs.logarchive"
    for name in ["Persist", "Special"] {
      try FileManager.default.createDirectory(
        atPath: archive + "/" + name, withIntermediateDirectories: true)
      for number in 0..<3 {
        try Data([0x00, 0x10, 0x00, 0x00, 0x11, 0x00, 0x00, 0x00, 1]).write(
          to: URL(fileURLWithPath: archive + "/\(name)/\(number).tracev3"))
      }
    }
    try Data("x\n".utf8).write(to: URL(fileURLWithPath: tree + "/report.ips"))
    try folder.run("tar czf sysdiagnose_1.tar.gz sysdiagnose_1")
    let inputs = [[tree], [folder.path + "/sysdiagnose_1.tar.gz"]]
    for input in inputs {
      let run = runReader(InputList.expand(input).inputs)
      #expect(run.problems.map(\.kind) == [.logArchive], "\(run.problems)")
      #expect(run.problems.first?.input.hasSuffix("/system_logs.logarchive") == true)
      #expect(run.problems.first?.advice.contains("log show --archive") == true)
      #expect(run.openings.count == 1)
    }
    let part = runReader(archive.replacing("system_logs.logarchive", with: "") + "p.tracev3")
    #expect(part.openings.isEmpty)
  }

  @Test("databases, binary data and damaged UTF-16 are not taken for logs")
  func foreign() throws {
    let database = try folder.write("push.db", Array("SQLite format 3\0abc".utf8))
    let text = try folder.write(
      "p.tracev3", [0x00, 0x10, 0x00, 0x00, 0x11, 0x00, 0x00, 0x00, 0x0A])
    let picture = try folder.write("icon.png", [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0])
    let run = runReader(InputList.expand([database, text, picture]).inputs)
    #expect(run.openings.isEmpty)
    #expect(run.problems.map(\.input) == [database, text, picture])
  }
}
