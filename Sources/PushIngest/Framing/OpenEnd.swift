import Glibc

extension Framing {
  /// What may be read of the last bytes of a source that may still grow, in which no piece ends.
  enum OpenEnd: Equatable {
    /// All of them: more may follow, but what is there is whole, or tells itself that it is not.
    case readable
    /// Those before this index: what stands there begins another piece.
    case upTo(Int)
    /// None yet: a line without its end may be half of one, and half of a line often passes for a
    /// record of another meaning.
    case waits
  }

  /// What may be read of `bytes`, the last ones of a source that may still grow.
  func openEnd(_ bytes: UnsafeRawBufferPointer) -> OpenEnd {
    if case .document = self { return Framing.isWholeReport(bytes) ? .readable : .waits }
    guard let base = bytes.baseAddress, bytes.last != 0x0A else { return .readable }
    switch self {
    case .document: return .readable
    case .csv: return .waits
    case .lines: return Framing.isClosed(bytes) ? .readable : .waits
    case .jsonValues:
      guard let last = JSONFraming.value(base, 0, bytes.count, true) else { return .readable }
      let piece = UnsafeRawBufferPointer(rebasing: bytes[last.start..<last.end])
      // Nothing, or the end of what objects stand in.
      if piece.allSatisfy({ $0 <= 0x20 || $0 == 0x7D || $0 == 0x5D || $0 == 0x2C }) {
        return .readable
      }
      guard last.next == bytes.count, let open = piece.firstIndex(of: 0x7B),
        let start = piece.baseAddress,
        JSONFraming.objectEnd(start, open, piece.count) == piece.count
      else { return .waits }
      return .readable
    case .startedLines(let isStart):
      guard let newline = bytes.lastIndex(of: 0x0A),
        isStart(UnsafeRawBufferPointer(rebasing: bytes[(newline + 1)...]))
      else { return .waits }
      return .upTo(newline + 1)
    }
  }

  /// Whether a document is whole: a line that says what it is, and behind it a closed JSON object, or a
  /// text of whole lines.
  private static func isWholeReport(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let base = bytes.baseAddress,
      let line = bytes.firstIndex(where: { $0 > 0x20 }).flatMap({
        bytes[$0...].firstIndex(of: 0x0A)
      }),
      let body = bytes[line...].firstIndex(where: { $0 > 0x20 })
    else { return false }
    guard bytes[body] == 0x7B else { return bytes.last == 0x0A }
    return JSONFraming.objectEnd(base, body, bytes.count) != nil
  }

  /// Whether a line is a whole JSON object or array, or a whole XML element: nothing that follows can
  /// belong to it.
  private static func isClosed(_ line: UnsafeRawBufferPointer) -> Bool {
    var start = line.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    var end = line.count
    while start < end, line[start] <= 0x20 { start += 1 }
    // Elements of an array that stand on a line each have a comma behind them.
    while end > start, line[end - 1] <= 0x20 || line[end - 1] == 0x2C { end -= 1 }
    guard start < end, let base = line.baseAddress else { return false }
    switch line[start] {
    case 0x7B, 0x5B: return JSONFraming.objectEnd(base, start, end) == end
    // The rest of an array whose elements stand on a line each.
    case 0x5D: return end == start + 1
    case 0x3C:
      let name = line[(start + 1)..<end].prefix { $0 > 0x20 && $0 != 0x3E && $0 != 0x2F }
      return !name.isEmpty
        && line[start..<end].suffix(name.count + 3)
          .elementsEqual([0x3C, 0x2F] + Array(name) + [0x3E])
    default: return false
    }
  }
}
