import PushIngest
import PushModel

/// What is remembered of a source beside its counts: how far it was read, what a person said of it, and
/// what its last piece gave, which is read once more when the source grows.
struct SourceMark {
  /// How far it was read.
  var state: SourceState
  /// What a person said of it; nil in databases of earlier builds.
  var said: SaidOfSource?
  /// What its last piece gave.
  var open = OpenEnd()
  /// Lines at its end that wait for the end of the last one.
  var waitingLines: Int64 = 0
  /// Whether it is one piece, so that a longer version is another one.
  var isDocument = false

  /// What came of a last piece that more may follow.
  struct OpenEnd {
    var lines: Int64 = 0
    var parsed: Int64 = 0
    var noted: Int64 = 0
    var skipped: Int64 = 0
    var completeness = Completeness()
  }

  init(state: SourceState) { self.state = state }

  // MARK: As bytes

  private static let encodingVersion: UInt8 = 1

  /// The state of the reader, then the rest; numbers of 64 bits, little endian.
  func encode() -> [UInt8] {
    var bytes = state.encode()
    bytes += [Self.encodingVersion, isDocument ? 1 : 0]
    let seen = open.completeness
    var numbers = (said ?? SaidOfSource()).words
    numbers += [
      waitingLines, open.lines, open.parsed, open.noted, open.skipped, seen.lossRecords,
      seen.lostLines, seen.hiddenLines, seen.filterNotes, seen.systemLines, seen.numbered,
      seen.unnumbered,
    ].map { UInt64(bitPattern: $0) }
    for number in numbers {
      for shift in stride(from: 0, to: 64, by: 8) {
        bytes.append(UInt8(truncatingIfNeeded: number >> UInt64(shift)))
      }
    }
    return bytes
  }

  /// Reads what `encode` wrote, or the state of a reader alone, as earlier builds stored it; nil if it
  /// is damaged.
  init?(decoding bytes: [UInt8]) {
    let stateBytes = SourceState.encodedBytes
    guard bytes.count >= stateBytes,
      let state = SourceState(decoding: Array(bytes[..<stateBytes]))
    else { return nil }
    self.state = state
    let rest = bytes[stateBytes...]
    guard !rest.isEmpty else { return }
    let words = SaidOfSource.wordCount
    guard rest.first == Self.encodingVersion, rest.count == 2 + 8 * (words + 12) else {
      return nil
    }
    isDocument = rest[stateBytes + 1] & 1 == 1
    func word(_ index: Int) -> UInt64 {
      (0..<8).reduce(0) {
        $0 | UInt64(rest[stateBytes + 2 + index * 8 + $1]) << UInt64(8 * $1)
      }
    }
    func number(_ index: Int) -> Int64 { Int64(bitPattern: word(words + index)) }
    said = SaidOfSource(words: (0..<words).map(word))
    waitingLines = number(0)
    open.lines = number(1)
    open.parsed = number(2)
    open.noted = number(3)
    open.skipped = number(4)
    open.completeness.lossRecords = number(5)
    open.completeness.lostLines = number(6)
    open.completeness.hiddenLines = number(7)
    open.completeness.filterNotes = number(8)
    open.completeness.systemLines = number(9)
    open.completeness.numbered = number(10)
    open.completeness.unnumbered = number(11)
  }
}

/// What a person said of a source that changes what is read of it: a hash of each, 0 = not said.
struct SaidOfSource: Equatable {
  var format: UInt64 = 0
  var zone: UInt64 = 0
  var year: UInt64 = 0
  var time: UInt64 = 0
  var attributes: UInt64 = 0
  var payloads: UInt64 = 0

  static let wordCount = 6
  var words: [UInt64] { [format, zone, year, time, attributes, payloads] }

  init() {}

  init(words: [UInt64]) {
    (format, zone, year) = (words[0], words[1], words[2])
    (time, attributes, payloads) = (words[3], words[4], words[5])
  }

  init(_ options: IngestOptions) {
    func hash(_ text: String?) -> UInt64 { text.map { StableHash.of($0) | 1 } ?? 0 }
    let hints = options.hints
    format = hash(options.adapter)
    zone = hints.saysZone ? hash(hints.zoneText) : 0
    year = hash(hints.assumedYear.map { "\($0)" })
    time = hash(hints.assumedTime.map { "\($0)" })
    let names = hints.attributeNames.sorted { $0.key < $1.key }
    attributes =
      names.isEmpty ? 0 : hash(names.map { "\($0.key)=\($0.value)" }.joined(separator: "\n"))
    payloads = options.keepsPayloads ? 1 : 0
  }
}
