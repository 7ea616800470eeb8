import Glibc

// libFuzzer's entry for everything that reads bytes of others: what is asked is that nothing traps.
//
// `fuzz --list` prints the ids, `fuzz --seeds <id> <folder>` writes inputs to begin with, and
// `fuzz --id <id>` before libFuzzer's own arguments fuzzes one.

/// Something that reads bytes.
struct Target: Sendable {
  let id: String
  /// Inputs to begin with.
  let seeds: @Sendable () -> [[UInt8]]
  /// Makes the reader, once; it is called by one thread.
  let reader: @Sendable () -> (UnsafeRawBufferPointer) -> Void
}

@_silgen_name("LLVMFuzzerRunDriver")
func runDriver(
  _ count: UnsafeMutablePointer<Int32>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
  _ callback: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32
) -> Int32

// A function for C cannot capture anything.
nonisolated(unsafe) var read: ((UnsafeRawBufferPointer) -> Void)?

func write(_ bytes: [UInt8], to path: String) {
  guard let file = fopen(path, "w"), fwrite(bytes, 1, bytes.count, file) == bytes.count,
    fclose(file) == 0
  else { fatalError("cannot write \(path)") }
}

let targets = adapterTargets + bundleTargets
let words = CommandLine.arguments
let target = words.count > 2 ? targets.first { $0.id == words[2] } : nil
if words.count == 2, words[1] == "--list" {
  for target in targets { print(target.id) }
} else if words.count == 4, words[1] == "--seeds", let target {
  for (number, bytes) in target.seeds().enumerated() {
    write(bytes, to: "\(words[3])/seed-\(number)")
  }
} else if words.count > 2, words[1] == "--id", let target {
  read = target.reader()
  var pointers = ([words[0]] + words[3...]).map { strdup($0) }
  var count = Int32(pointers.count)
  pointers.append(nil)
  let code = pointers.withUnsafeMutableBufferPointer { buffer in
    guard var base = buffer.baseAddress else { return Int32(1) }
    return runDriver(&count, &base) { data, size in
      read?(UnsafeRawBufferPointer(start: data, count: size))
      return 0
    }
  }
  exit(code)
} else {
  print("usage: fuzz --list | --seeds <id> <folder> | --id <id> <libFuzzer arguments>")
  exit(64)
}
