import Foundation
import PushModel
import TestSupport
import Testing

@testable import PushIngest

/// A key for tests.
let testKey: TokenKey = {
  guard let key = TokenKey(bytes: [UInt8](1...16)) else { fatalError("16 bytes are a key") }
  return key
}()

/// Reads a text as a source that holds nothing else.
struct AdapterRun {
  var adapter: LogAdapter?
  var readings: [Reading] = []
  var sends: [SendRecord] = []
  var events: [EventRecord] = []
  let workspace = ParseWorkspace(tokenKey: testKey)

  /// - Parameter named: the format that a person says it is; nil = found.
  init(_ text: String, named: LogAdapter? = nil, hints: SourceHints = SourceHints()) {
    self.init(Array(text.utf8), named: named, hints: hints)
  }

  init(_ bytes: [UInt8], named: LogAdapter? = nil, hints: SourceHints = SourceHints()) {
    let padded = bytes + [UInt8](repeating: 0, count: ChunkBuffer.paddingBytes)
    var found: (LogAdapter, SourceSetup)?
    var readings: [Reading] = []
    let workspace = workspace
    padded.withUnsafeBytes { buffer in
      let head = SourceHead(buffer, count: bytes.count, isWhole: true, hints: hints)
      if let named {
        found = (named, named.forcedSetup(head: head, workspace: workspace))
      } else {
        for adapter in AdapterRegistry.all {
          guard let setup = adapter.setup(head: head, workspace: workspace) else { continue }
          found = (adapter, setup)
          break
        }
      }
      guard let (adapter, setup) = found else { return }
      workspace.setup = setup
      var cursor = PieceCursor(
        UnsafeRawBufferPointer(rebasing: buffer[0..<bytes.count]), framing: setup.framing,
        isSourceStart: true, isSourceEnd: true)
      while let piece = cursor.next() {
        let line = UnsafeRawBufferPointer(
          rebasing: buffer[piece.offset..<piece.offset + piece.length])
        readings.append(adapter.read(line: line, into: workspace))
      }
    }
    adapter = found?.0
    self.readings = readings
    sends = Array(workspace.records.sends)
    events = Array(workspace.records.events)
  }

  func text(_ value: TextValue) -> String? { value.symbol.map { workspace.texts[Int($0.index)] } }
  func text(_ identifier: Identifier) -> String { workspace.records.text(identifier.text) }
  /// Every text that would be stored, in one.
  var stored: String {
    workspace.texts.joined(separator: "\n") + "\n"
      + String(decoding: workspace.records.texts, as: UTF8.self)
      + workspace.shapes.values.map(\.text).joined(separator: "\n")
  }
}

extension Reading {
  var expectation: AdapterSample.Expectation {
    switch self {
    case .send, .event, .records: .record
    case .skip: .skip
    case .unreadable: .unreadable
    }
  }
}

@Suite("Adapters") struct AdapterTests {
  static let ids = AdapterRegistry.all.map(\.id)

  private func adapter(_ id: String) throws -> LogAdapter {
    try #require(AdapterRegistry.adapter(id: id))
  }

  @Test func idsAreUnique() { #expect(Set(AdapterTests.ids).count == AdapterTests.ids.count) }

  @Test(arguments: ids) func hasASampleOfEachKind(id: String) throws {
    let kinds = Set(try adapter(id).samples.map(\.expect))
    #expect(kinds == [.record, .unreadable, .skip])
  }

  @Test(arguments: ids) func readsItsSamplesAsTheySay(id: String) throws {
    let adapter = try adapter(id)
    for sample in adapter.samples {
      let text = sample.header.isEmpty ? sample.line : sample.header + "\n" + sample.line
      let run = AdapterRun(text, named: adapter, hints: sample.hints)
      // An empty line is no piece of a source that ends with it.
      let last = run.readings.last ?? .skip(because: .emptyLine)
      #expect(last.expectation == sample.expect, "\(id): \(sample.line): \(last)")
      let records = run.sends.count + run.events.count
      #expect((records > 0) == (sample.expect == .record), "\(id): \(sample.line)")
    }
  }

  @Test(arguments: ids) func isTheFirstThatRecognisesItsRecords(id: String) throws {
    for sample in try adapter(id).samples where sample.expect == .record {
      let text = sample.header.isEmpty ? sample.line : sample.header + "\n" + sample.line
      #expect(AdapterRun(text, hints: sample.hints).adapter?.id == id, "\(sample.line)")
      // Byte order mark, carriage returns, blank lines around.
      let windows = "\u{FEFF}" + text.replacingOccurrences(of: "\n", with: "\r\n") + "\r\n\r\n"
      let run = AdapterRun(windows, hints: sample.hints)
      #expect(run.adapter?.id == id, "with CRLF: \(sample.line)")
      #expect(run.sends.count + run.events.count > 0, "with CRLF: \(sample.line)")
    }
  }

  @Test(arguments: ids) func readsWhateverItIsGiven(id: String) throws {
    let adapter = try adapter(id)
    var generator = SeededGenerator(seed: 20_260_301)
    for sample in adapter.samples {
      let text = Array(
        (sample.header.isEmpty ? sample.line : sample.header + "\n" + sample.line).utf8)
      for _ in 0..<60 {
        var bytes = text
        for _ in 0..<Int.random(in: 1...4, using: &generator) where !bytes.isEmpty {
          let place = Int.random(in: 0..<bytes.count, using: &generator)
          switch Int.random(in: 0..<4, using: &generator) {
          case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
          case 1: bytes.removeSubrange(place...)
          case 2: bytes.insert(contentsOf: bytes[0..<place], at: place)
          default: bytes.remove(at: place)
          }
        }
        let run = AdapterRun(bytes, named: adapter, hints: sample.hints)
        let records = run.sends.count + run.events.count
        let said = run.readings.reduce(0) { sum, reading in
          switch reading {
          case .send, .event: sum + 1
          case .records(let count): sum + count
          case .skip, .unreadable: sum
          }
        }
        #expect(records == said)
      }
    }
  }

  /// Values that must not be stored stand where each format has them.
  @Test(arguments: ids) func storesNoTokenAndNoText(id: String) throws {
    for sample in try adapter(id).samples where sample.expect == .record {
      let text = sample.header.isEmpty ? sample.line : sample.header + "\n" + sample.line
      let stored = AdapterRun(text, hints: sample.hints).stored.lowercased()
      #expect(!stored.contains("46509a0312bcebd9c24cc006547bdc1946951ab1a308516ab4339fc93154ef78"))
      #expect(!stored.contains("51c435c3a019fe20a9d5fc60012b9a81865c2228dc42ea9d62af58162667162b"))
      #expect(!stored.contains("parcel"), "\(sample.line)")
    }
  }
}
