import Foundation
import Testing

@testable import PushIngest

@Suite("Reading again")
struct ReadingResumeTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  static let wrappings = ["cp", "gzip -c", "zstd -q -c", "xz -1 -c", "tar cf -"]

  /// Writes `content` wrapped by a command, under a name of its own.
  private func wrap(_ content: [UInt8], _ wrapping: String, as name: String) throws -> String {
    try folder.write(name + ".src", content)
    let command = wrapping == "cp" ? "cp \(name).src \(name)" : "\(wrapping) \(name).src > \(name)"
    try folder.run(command)
    return folder.path + "/" + name
  }

  /// Contents of these sizes cover every part of the fingerprint: short heads, the dense first
  /// MiB, sampled cells behind it.
  static let sizes = [3, 30, 3000, 25000]

  @Test(
    "the same content is skipped, under any name and in any wrapping", arguments: wrappings, sizes)
  func same(_ wrapping: String, _ count: Int) throws {
    let content = sampleLines(count)
    let first = runReader(try wrap(content, "cp", as: "first"))
    let again = runReader(try wrap(content, wrapping, as: "second"), known: first.known)
    #expect(again.openings.map(\.decision) == [.skip(known: 0)])
    #expect(again.chunks.isEmpty)
    #expect(again.endings.map(\.state) == first.endings.map(\.state))
    #expect(again.progress.doneBytes == again.progress.totalBytes)
  }

  @Test("a longer version continues exactly where the shorter ended", arguments: wrappings, sizes)
  func longer(_ wrapping: String, _ count: Int) throws {
    let content = sampleLines(count)
    let more = content + Array("{\"later\":1}\n{\"later\":2}\n".utf8)
    let first = runReader(try wrap(content, wrapping, as: "first"))
    let then = runReader(try wrap(more, wrapping, as: "second"), known: first.known)
    #expect(
      then.openings.map(\.decision) == [
        .continueReading(known: 0, fromContentOffsetBytes: Int64(content.count))
      ])
    #expect(
      then.lines() == ["\(content.count):{\"later\":1}", "\(content.count + 12):{\"later\":2}"])
    #expect(then.endings.map(\.state) == runReader(folder.path + "/second").endings.map(\.state))
  }

  @Test("a changed beginning is read from its start", arguments: wrappings, sizes)
  func changed(_ wrapping: String, _ count: Int) throws {
    let content = sampleLines(count)
    let first = runReader(try wrap(content, "cp", as: "first"))
    // Places that are covered: the head, the dense part, the last 4 KiB.
    for (number, place) in [1, min(content.count, 1 << 20) / 2, content.count - 3].enumerated() {
      var other = content
      other[place] = other[place] == 0x71 ? 0x72 : 0x71
      other += Array("more\n".utf8)
      let run = runReader(try wrap(other, wrapping, as: "second\(number)"), known: first.known)
      #expect(run.openings.map(\.decision) == [.readAll], "changed at \(place)")
      #expect(run.content() == other)
    }
  }

  /// To see that it is another content, a packed file is read too far and opened anew; what was passed
  /// over must not be missing from what is read then.
  @Test(
    "a packed file that is gone when it is to be opened anew is a problem, and nothing of it is read"
  )
  func gone() throws {
    // Longer than what is looked at in memory, and another one behind its head.
    let content = (0..<400_000).map { "{\"line\":\($0)}\n" }.joined()
    var other = Array(content.utf8)
    other[500_000] = other[500_000] == 0x71 ? 0x72 : 0x71
    let first = runReader(try wrap(other, "cp", as: "first"))
    let path = try wrap(Array(content.utf8) + Array("{\"more\":1}\n".utf8), "gzip -c", as: "second")
    #expect(runReader(path, known: first.known).openings.map(\.decision) == [.readAll])
    let walker = SourceWalker(InputList.expand([path]).inputs, known: first.known)
    guard case .source(let opened)? = walker.next() else {
      Issue.record("no source")
      return
    }
    try FileManager.default.removeItem(atPath: path)
    let (start, decision) = Resumption(known: first.known, walker: walker, 16 << 20).decide(opened)
    #expect(decision == .readAll)
    #expect(start.fingerprint.positionBytes == 0)
    var bytes = [UInt8](repeating: 0, count: 64)
    let got = bytes.withUnsafeMutableBytes { start.bytes.fill($0) }
    #expect(got.count == 0)
    #expect(got.failure != nil)
  }

  @Test("an unterminated last line: skipped if nothing came, read from its beginning if it grew")
  func unterminated() throws {
    for wrapping in Self.wrappings {
      let content = sampleLines(3000) + Array("{\"cut\":".utf8)
      let whole = content.count - 7
      let first = runReader(try wrap(content, wrapping, as: "first"))
      // Of a file as it lies there the rest may still come; what was packed is what it is.
      if wrapping == "cp" {
        #expect(first.content() == Array(content[..<whole]))
        #expect(first.endings.map(\.waitingLines) == [1])
      } else {
        #expect(first.lines().last == "\(whole):{\"cut\":")
        #expect(first.chunks.map(\.isOpen) == [false, true])
        #expect(first.endings.map(\.waitingLines) == [0])
      }
      #expect(first.endings.map(\.state.contentLengthBytes) == [Int64(whole)])
      let again = runReader(folder.path + "/first", known: first.known)
      #expect(again.openings.map(\.decision) == [.skip(known: 0)], "\(wrapping)")
      let grown = runReader(
        try wrap(content + Array("1}\nx\n".utf8), wrapping, as: "g"), known: first.known)
      #expect(grown.lines() == ["\(whole):{\"cut\":1}", "\(whole + 10):x"], "\(wrapping)")
      // As long as before, but another last line.
      var other = content
      other[content.count - 2] = 0x58
      let changed = runReader(
        try wrap(other + Array("\n".utf8), wrapping, as: "o"), known: first.known)
      #expect(changed.lines() == ["\(whole):{\"cutX:"], "\(wrapping)")
    }
  }

  @Test("a last line that is whole JSON or XML is read without its end, and comes again with it")
  func closed() throws {
    for last in [#"{"cut":"}"}"#, #"[1,{"a":2}],"#, "<a b='1'><c>x</c></a>"] {
      let content = sampleLines(300) + Array(last.utf8)
      let whole = content.count - last.utf8.count
      let first = runReader(try folder.write("first", content))
      #expect(first.lines().last == "\(whole):\(last)")
      #expect(first.chunks.last?.isOpen == true)
      let grown = runReader(
        try folder.write("grown", content + Array("\n".utf8)), known: first.known)
      #expect(grown.lines() == ["\(whole):\(last)"])
    }
    for last in [#"{"cut":"}""#, "[1,{}", "<a><b></b>", "text {}", "4"] {
      let run = runReader(try folder.write("cut", sampleLines(300) + Array(last.utf8)))
      #expect(run.endings.map(\.waitingLines) == [1], "\(last)")
      #expect(run.content() == sampleLines(300), "\(last)")
    }
  }

  @Test("a source that is to be read again is read from its start", arguments: wrappings)
  func again(_ wrapping: String) throws {
    let content = sampleLines(3000)
    let first = runReader(try wrap(content, wrapping, as: "first"))
    let longer = content + Array("{\"later\":1}\n".utf8)
    let state = try #require(first.endings.first?.state)
    for (again, isSameRead) in [(KnownSources.Again.always, true), (.ifLonger, false)] {
      let known = KnownSources([.init(id: 5, state: state, again: again)])
      let same = runReader(try wrap(content, wrapping, as: "same"), known: known)
      #expect(
        same.openings.map(\.decision) == [isSameRead ? .readAgain(known: 5) : .skip(known: 5)])
      #expect(same.content() == (isSameRead ? content : []))
      let more = runReader(try wrap(longer, wrapping, as: "more"), known: known)
      #expect(more.openings.map(\.decision) == [.readAgain(known: 5)])
      #expect(more.content() == longer)
    }
  }

  @Test("the state after any chunk continues there; of several known versions the longest counts")
  func anyChunk() throws {
    for wrapping in Self.wrappings {
      let content = sampleLines(20000)
      let path = try wrap(content, wrapping, as: "log")
      let whole = runReader(path, chunkBytes: 100_000)
      for chunk in whole.chunks.shuffled().prefix(5) {
        let known = KnownSources([.init(id: 7, state: chunk.stateAfter)])
        let end = Int(chunk.offsetBytes) + chunk.length
        let rest = runReader(path, known: known, chunkBytes: 77_777)
        #expect(rest.content() == Array(content[end...]), "\(wrapping)")
        #expect(rest.endings.map(\.state) == whole.endings.map(\.state))
      }
      var states = whole.chunks.prefix(9).enumerated().map {
        KnownSources.Entry(id: Int64($0.offset), state: $0.element.stateAfter)
      }
      // Longer ones that do not fit must be passed over, and what was decoded for them read again.
      states[8].state.tailHash ^= 1
      states[7].state.cellChain ^= 1
      let rest = runReader(path, known: KnownSources(states.shuffled()))
      let end = whole.chunks[6].offsetBytes + Int64(whole.chunks[6].length)
      #expect(
        rest.openings.map(\.decision)
          == [.continueReading(known: 6, fromContentOffsetBytes: end)], "\(wrapping)")
      #expect(rest.content() == Array(content[Int(end)...]))
    }
  }

  @Test("a compressed file or archive that was read whole is skipped without unpacking")
  func sameFile() throws {
    let content = sampleLines(3000)
    for wrapping in Self.wrappings.dropFirst() {
      let first = runReader(try wrap(content, wrapping, as: "first"))
      #expect(first.inputEndings.count == 1)
      #expect(first.knownFiles.isEmpty == false)
      let again = runReader(folder.path + "/first", known: first.knownFiles)
      #expect(again.skippedInputs == [0], "\(wrapping)")
      #expect(again.openings.isEmpty)
      #expect(again.progress.skippedBytes == again.progress.totalBytes)
    }
  }

  @Test("a large member of an archive that cannot be recognised in memory is read again")
  func largeMember() throws {
    let content = sampleLines(90000)
    try #require(content.count > 5 << 20)
    let first = runReader(try wrap(content, "cp", as: "first"))
    let again = runReader(try wrap(content, "tar cf -", as: "second"), known: first.known)
    #expect(again.openings.map(\.decision) == [.readAll])
    #expect(again.content() == content)
  }

  @Test("a state survives being stored, and damaged bytes are not one")
  func encoding() throws {
    let run = runReader(try wrap(sampleLines(2000) + [0x61], "cp", as: "first"))
    let state = try #require(run.endings.first?.state)
    let bytes = state.encode()
    #expect(SourceState(decoding: bytes) == state)
    #expect(SourceState(decoding: []) == nil)
    #expect(SourceState(decoding: Array(bytes.dropLast())) == nil)
    #expect(SourceState(decoding: [9] + bytes.dropFirst()) == nil)
    #expect(SourceState(decoding: bytes.map { _ in 0xFF }) == nil)
  }
}
