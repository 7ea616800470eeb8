import Glibc
import PushIngest
import PushModel

// libFuzzer's entry, for every adapter of the registry: a source of any bytes is recognised, cut into
// pieces, read and redacted. What is asked of them is that nothing traps, and that what reading says
// it added was added.
//
// `fuzz-adapters --list` prints the ids, `--seeds <id> <folder>` writes the samples of one, and
// `--adapter <id>` before libFuzzer's own arguments fuzzes one.

@_silgen_name("LLVMFuzzerRunDriver")
func runDriver(
  _ count: UnsafeMutablePointer<Int32>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
  _ callback: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32
) -> Int32

/// One target; used by one thread.
final class Target: @unchecked Sendable {
  let adapter: LogAdapter
  let key: TokenKey
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

  func read(_ data: UnsafePointer<UInt8>?, _ size: Int) {
    // Exactly what is promised: 64 readable bytes behind the content.
    let buffer = ChunkBuffer(capacityBytes: max(64, size))
    buffer.setContent(Array(UnsafeBufferPointer(start: data, count: size)))
    // A workspace is made once for millions of lines, but it keeps every new text.
    runs += 1
    if runs % 2000 == 0 { workspace = ParseWorkspace(tokenKey: key) }
    workspace.clearRecords()
    let whole = UnsafeRawBufferPointer(
      start: buffer.base, count: size + ChunkBuffer.paddingBytes)
    var hints = SourceHints()
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

func write(_ text: String, to path: String) {
  guard let file = fopen(path, "w") else { fatalError("cannot write \(path)") }
  fputs(text, file)
  fclose(file)
}

nonisolated(unsafe) var target: Target?
var arguments = CommandLine.arguments
if arguments.count == 2, arguments[1] == "--list" {
  for adapter in AdapterRegistry.all { print(adapter.id) }
} else if arguments.count == 4, arguments[1] == "--seeds",
  let adapter = AdapterRegistry.adapter(id: arguments[2])
{
  for (number, sample) in adapter.samples.enumerated() {
    let header = sample.header.isEmpty ? "" : sample.header + "\n"
    write(header + sample.line + "\n", to: "\(arguments[3])/sample-\(number)")
  }
} else if arguments.count > 2, arguments[1] == "--adapter",
  let adapter = AdapterRegistry.adapter(id: arguments[2])
{
  target = Target(adapter)
  var pointers: [UnsafeMutablePointer<CChar>?] = [strdup(arguments[0])]
  pointers += arguments[3...].map { strdup($0) }
  var count = Int32(pointers.count)
  pointers.append(nil)
  let code = pointers.withUnsafeMutableBufferPointer { buffer in
    guard var base = buffer.baseAddress else { return Int32(1) }
    return runDriver(&count, &base) { data, size in
      target?.read(data, size)
      return 0
    }
  }
  exit(code)
} else {
  print(
    "usage: fuzz-adapters --list | --seeds <id> <folder> | --adapter <id> <libFuzzer arguments>")
  exit(64)
}
