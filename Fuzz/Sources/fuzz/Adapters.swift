import PushIngest

/// Every adapter of the registry: a source of any bytes is recognised, cut into pieces, read and
/// redacted. Beside traps it is looked for records that reading says it added and did not.
let adapterTargets = AdapterRegistry.all.map { adapter in
  Target(
    id: "adapters/\(adapter.id)",
    seeds: {
      adapter.samples.map { sample in
        let header = sample.header.isEmpty ? "" : sample.header + "\n"
        return Array((header + sample.line + "\n").utf8)
      }
    },
    reader: {
      let source = FuzzedSource(adapter)
      return { source.read($0) }
    })
}

/// Sources of one format.
private final class FuzzedSource {
  private let adapter: LogAdapter
  private let key: TokenKey
  private var workspace: ParseWorkspace
  private let redactor: LineRedactor
  private var runs = 0

  init(_ adapter: LogAdapter) {
    guard let key = TokenKey(bytes: [UInt8](1...16)) else { fatalError("16 bytes are a key") }
    self.adapter = adapter
    self.key = key
    workspace = ParseWorkspace(tokenKey: key)
    redactor = LineRedactor(tokenKey: key)
  }

  func read(_ bytes: UnsafeRawBufferPointer) {
    let size = bytes.count
    // Exactly what is promised: 64 readable bytes behind the content.
    let buffer = ChunkBuffer(capacityBytes: max(64, size))
    buffer.setContent(Array(bytes))
    // A workspace is made once for millions of lines, but it keeps every new text.
    runs += 1
    if runs % 2000 == 0 { workspace = ParseWorkspace(tokenKey: key) }
    workspace.clearRecords()
    let whole = UnsafeRawBufferPointer(
      start: buffer.base, count: size + ChunkBuffer.paddingBytes)
    var hints = SourceHints()
    // Without them some formats read nothing.
    hints.assumedYear = 2026
    hints.assumedTime = 1_772_359_200_000_000
    let head = SourceHead(whole, count: size, isWhole: true, hints: hints)
    workspace.setup = adapter.forcedSetup(head: head, workspace: workspace)
    var out: [UInt8] = []
    var cursor = PieceCursor(
      buffer.bytes, framing: workspace.setup.framing, isSourceStart: true, isSourceEnd: true)
    var end = 0
    while let piece = cursor.next() {
      precondition(piece.offset >= end && piece.length >= 0, "pieces overlap")
      end = piece.offset + piece.length
      let line = UnsafeRawBufferPointer(start: buffer.base + piece.offset, count: piece.length)
      let before = workspace.records.sends.count + workspace.records.events.count
      let reading = adapter.read(line: line, into: workspace)
      let added = workspace.records.sends.count + workspace.records.events.count - before
      switch reading {
      case .send, .event: precondition(added == 1, "one record was said")
      case .records(let count): precondition(added == count, "other records were said")
      case .skip, .unreadable: precondition(added == 0, "a record of nothing")
      }
      out.removeAll(keepingCapacity: true)
      _ = redactor.redact(line, into: &out)
    }
  }
}
