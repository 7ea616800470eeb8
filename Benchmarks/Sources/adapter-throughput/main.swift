import Glibc
import PushIngest

// How fast each adapter reads: its record samples over and over, eight passes of 16 MiB in chunks of
// 1 MiB, on one core. Measured is the thread's own processor time, and the fastest pass counts, since
// a busy machine slows that time too. Cutting into pieces, parsing and making records is in it;
// reading files and joining are not. Beside it stands the floor of the same bytes in the same run: cutting
// them into pieces, and for JSON simdjson's pass over each. A busy hour slows both, so their ratio
// says more than either.

let wanted = Set(CommandLine.arguments.dropFirst())
let passes = 8
let passBytes = 16 << 20
let chunkBytes = 1 << 20

func processorSeconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

guard let key = TokenKey(bytes: [UInt8](1...16)) else { fatalError("16 bytes are a key") }
print("format                 MB/s    records/s   form   floor   of floor")
for adapter in AdapterRegistry.all where wanted.isEmpty || wanted.contains(adapter.id) {
  // A format may come as JSON and as rows: each is measured.
  let samples = adapter.samples.filter { $0.expect == .record }
  for header in Set(samples.map(\.header)).sorted() {
    let own = samples.filter { $0.header == header }
    let lines = own.map(\.line)
    // Without a year or a day some formats have no record.
    let hints = own[0].hints
    var chunk: [UInt8] = []
    while chunk.count < chunkBytes {
      for line in lines { chunk += Array(line.utf8) + [0x0A] }
    }
    let workspace = ParseWorkspace(tokenKey: key)
    let buffer = ChunkBuffer()
    buffer.setContent(Array((header.isEmpty ? "" : header + "\n").utf8) + chunk)
    let head = SourceHead(
      UnsafeRawBufferPointer(
        start: buffer.base, count: buffer.length + ChunkBuffer.paddingBytes),
      count: min(buffer.length, 64 << 10), isWhole: false, hints: hints)
    workspace.setup = adapter.forcedSetup(head: head, workspace: workspace)
    buffer.setContent(chunk)
    var best: (bytes: Double, records: Double) = (0, 0)
    var floor = 0.0
    let isJSON = lines[0].first == "{"
    for _ in 0..<passes {
      var records = 0
      var bytes = 0
      let start = processorSeconds()
      while bytes < passBytes {
        var cursor = PieceCursor(
          buffer.bytes, framing: workspace.setup.framing, isSourceStart: false, isSourceEnd: false)
        while let piece = cursor.next() {
          _ = adapter.read(
            line: UnsafeRawBufferPointer(start: buffer.base + piece.offset, count: piece.length),
            into: workspace)
        }
        records += workspace.records.sends.count + workspace.records.events.count
        workspace.clearRecords()
        bytes += buffer.length
      }
      let seconds = processorSeconds() - start
      let rate = Double(bytes) / seconds
      if rate > best.bytes { best = (rate, Double(records) / seconds) }
      // The floor in turn with it, so that both see the same minute.
      bytes = 0
      var good = 0
      let floorStart = processorSeconds()
      while bytes < passBytes {
        var cursor = PieceCursor(
          buffer.bytes, framing: workspace.setup.framing, isSourceStart: false, isSourceEnd: false)
        while let piece = cursor.next() {
          guard isJSON else {
            good += 1
            continue
          }
          let bytes = UnsafeRawBufferPointer(
            start: buffer.base + piece.offset, count: piece.length)
          good += workspace.isJSON(bytes) ? 1 : 0
        }
        bytes += buffer.length
      }
      // Documents of several pieces have none that is JSON by itself, and so no floor.
      if good > 0 { floor = max(floor, Double(bytes) / (processorSeconds() - floorStart)) }
    }
    func padded(_ text: String, _ width: Int) -> String {
      String(repeating: " ", count: max(0, width - text.count)) + text
    }
    let name = adapter.id + String(repeating: " ", count: max(0, 18 - adapter.id.count))
    let form = isJSON ? "JSON" : header.isEmpty ? "text" : "rows"
    print(
      name + padded(String(Int(best.bytes / 1e6)), 9) + padded(String(Int(best.records)), 13)
        + "   " + form
        + (floor > 0
          ? padded(String(Int(floor / 1e6)), 8)
            + padded(String(Int((best.bytes / floor * 100).rounded())) + " %", 11) : ""))
  }
}
