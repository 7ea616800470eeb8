import Foundation
import Glibc
import PushIngest

/// Everything a run of the reader said, sorted into what tests ask for.
struct ReadingRun {
  var openings: [SourceOpening] = []
  var chunks: [Chunk] = []
  /// The bytes of each chunk.
  var contents: [[UInt8]] = []
  var oversized: [OversizedLine] = []
  var endings: [SourceEnding] = []
  var inputEndings: [InputEnding] = []
  var skippedInputs: [Int64] = []
  var problems: [ReadingProblem] = []
  var progress: ReadingProgress

  /// Lines of a source as "offset:text", offsets in its uncompressed content.
  func lines(of source: Int = 0) -> [String] {
    var result: [String] = []
    let buffer = ChunkBuffer()
    for (chunk, content) in zip(chunks, contents) where chunk.source == source {
      buffer.setContent(content)
      forEachLine(in: buffer, of: chunk) { line in
        let text = String(
          decoding: content[line.offset..<line.offset + line.length], as: UTF8.self)
        result.append("\(chunk.offsetBytes + Int64(line.offset)):\(text)")
      }
    }
    return result
  }

  /// The chunks of a source put together again.
  func content(of source: Int = 0) -> [UInt8] {
    var bytes: [UInt8] = []
    for (chunk, content) in zip(chunks, contents) where chunk.source == source { bytes += content }
    return bytes
  }

  var known: KnownSources {
    KnownSources(
      endings.map { KnownSources.Entry(id: Int64($0.source), state: $0.state) })
  }

  var knownFiles: KnownSources {
    KnownSources(
      inputEndings.compactMap { ending in
        ending.fileState.map { KnownSources.Entry(id: Int64(ending.inputOrdinal), state: $0) }
      })
  }
}

/// Reads inputs to the end; `isTakenWhole` as for `ChunkReader.setFraming`.
func runReader(
  _ inputs: [Input], known: KnownSources = KnownSources(), chunkBytes: Int = 1 << 20,
  maximumLineBytes: Int = 16 << 20, isTakenWhole: Bool = false
) -> ReadingRun {
  let reader = ChunkReader(
    inputs, known: known, chunkBytes: chunkBytes, maximumLineBytes: maximumLineBytes)
  var run = ReadingRun(progress: reader.progress)
  let buffer = ChunkBuffer(capacityBytes: 64)
  while let event = reader.next(into: buffer) {
    switch event {
    case .sourceOpened(let opening):
      run.openings.append(opening)
      reader.setFraming(.lines, isTakenWhole: isTakenWhole)
    case .chunk(let chunk):
      run.chunks.append(chunk)
      run.contents.append(Array(buffer.bytes))
    case .oversizedLine(let line): run.oversized.append(line)
    case .sourceEnded(let ending): run.endings.append(ending)
    case .inputSkipped(_, _, let known): run.skippedInputs.append(known)
    case .inputEnded(let ending): run.inputEndings.append(ending)
    case .problem(let problem): run.problems.append(problem)
    }
  }
  run.progress = reader.progress
  return run
}

func runReader(
  _ path: String, known: KnownSources = KnownSources(), chunkBytes: Int = 1 << 20,
  maximumLineBytes: Int = 16 << 20, isTakenWhole: Bool = false
) -> ReadingRun {
  runReader(
    InputList.expand([path]).inputs, known: known, chunkBytes: chunkBytes,
    maximumLineBytes: maximumLineBytes, isTakenWhole: isTakenWhole)
}

/// A shell line that did not work.
struct ShellFailure: Error {
  var line: String
}

/// A folder that is removed with the test.
final class TemporaryFolder {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "reading-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  /// Writes a file, with the folders on its way, and returns its path.
  @discardableResult
  func write(_ name: String, _ bytes: [UInt8]) throws -> String {
    let file = path + "/" + name
    try FileManager.default.createDirectory(
      atPath: (file as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
    try Data(bytes).write(to: URL(fileURLWithPath: file))
    return file
  }

  /// The bytes of a file in the folder.
  func bytes(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: path + "/" + name)))
  }

  /// Runs a shell line in the folder; an error if it failed, for instance for want of a tool.
  func run(_ line: String) throws {
    // `Process.waitUntilExit` needs a run loop, which parallel tests do not have.
    let code = system("cd '\(path)' && { \(line); } >/dev/null 2>&1")
    guard code == 0 else { throw ShellFailure(line: line) }
  }
}

/// A small seeded generator (SplitMix64), so that a printed seed repeats a test.
struct SeededNumbers: RandomNumberGenerator {
  var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

/// Log lines of varying length that do not compress to nothing; `count` of them.
func sampleLines(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
  var numbers = SeededNumbers(seed: seed)
  var bytes: [UInt8] = []
  for index in 0..<count {
    bytes += Array("{\"n\":\(index),\"x\":\"".utf8)
    // Whole words at a time: unoptimised builds are slow at single bytes.
    for _ in 0..<Int.random(in: 0..<8, using: &numbers) {
      bytes += Array(String(numbers.next(), radix: 36).utf8)
    }
    bytes += Array("\"}\n".utf8)
  }
  return bytes
}

/// Splits as the reader should, written the slow and obvious way: "offset:text".
func expectedLines(_ content: [UInt8]) -> [String] {
  var result: [String] = []
  var start = content.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
  while start < content.count {
    var end = start
    while end < content.count && content[end] != 0x0A { end += 1 }
    var text = content[start..<end]
    if text.last == 0x0D { text = text.dropLast() }
    result.append("\(start):\(String(decoding: text, as: UTF8.self))")
    start = end + 1
  }
  return result
}
