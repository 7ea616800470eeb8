import PushModel

/// What is stored of a reason that an app's own recorder gives.
///
/// A word is kept as it is. A sentence may quote what the notification said, with marks around it or
/// without: of it the kind of trap and the runtime's own messages are kept, and the place of all else
/// is taken by type and length.
enum StatedReason {
  /// What Swift and Objective-C write themselves, longer ones before those that they begin with.
  private static let wordings: [StaticString] = [
    "Fatal error", "Precondition failed", "Assertion failed", "Swift runtime failure",
    "Simultaneous accesses to", "Terminating app due to uncaught exception",
    "unexpectedly found nil while implicitly unwrapping an Optional value",
    "unexpectedly found nil while unwrapping an Optional value", "unexpectedly found nil",
    "Index out of range", "Index out of bounds", "Index is out of bounds",
    "Array index is out of range", "Negative Array index is out of range",
    "String index is out of bounds", "Substring index is out of bounds",
    "Range requires lowerBound <= upperBound", "Can't form Range with upperBound < lowerBound",
    "Division by zero", "Arithmetic overflow", "Negative count not allowed",
    "Not enough bits to represent the passed value",
    "Not enough bits to represent a signed value", "Negative value is not representable",
    "Duplicate keys of type", "Dictionary literal contains duplicate keys",
    "Can't remove first element from an empty collection",
    "Can't remove last element from an empty collection",
    "Can't remove more items from a collection than it contains",
    "Array replace: subrange extends past the end", "UnsafeMutablePointer.initialize overlapping",
    "Attempted to read an unowned reference but",
    "Could not cast value of type", "unrecognized selector sent to instance",
    "unrecognized selector sent to class", "use of unimplemented initializer",
    "'try!' expression unexpectedly raised an error", "Unexpectedly raised an error",
    "attempt to insert nil object", "beyond bounds", "per-process-limit", "memory limit",
    "EXC_RESOURCE", "EXC_BAD_ACCESS", "EXC_BREAKPOINT", "EXC_CRASH", "EXC_GUARD",
    "EXC_BAD_INSTRUCTION", "EXC_ARITHMETIC", "SIGABRT", "SIGTRAP", "SIGSEGV", "SIGBUS", "SIGILL",
    "SIGKILL", "NSInvalidArgumentException", "NSRangeException", "NSInternalInconsistencyException",
    "NSGenericException", "NSMallocException", "NSUnknownKeyException",
    "NSObjectInaccessibleException", "jetsam", "watchdog",
  ]

  /// The reason as a text that may be stored.
  static func symbol(_ text: ByteText, _ workspace: ParseWorkspace) -> Symbol {
    // Words are all that is wanted here, and nearly all that comes.
    if text.count <= 64, !text.buffer.contains(where: { $0 <= 0x20 || $0 >= 0x7f }) {
      return workspace.symbol(text)
    }
    var out: [UInt8] = []
    var hidden: Range<Int>?
    func flush() {
      guard let range = hidden else { return }
      out.append(contentsOf: "<text \(range.count)>".utf8)
      hidden = nil
    }
    var index = 0
    while index < text.count {
      if index == 0 || !isLetterOrDigit(text[index - 1]), let end = wordingEnd(text, index) {
        // What stands between two of them shows nothing if it is marks.
        if let range = hidden, !range.contains(where: { isLetterOrDigit(text[$0]) }) {
          out.append(contentsOf: text.part(range.lowerBound, range.upperBound).buffer)
          hidden = nil
        } else if hidden != nil {
          flush()
          out.append(0x20)
        }
        out.append(contentsOf: text.part(index, end).buffer)
        index = end
        // The colon of "Fatal error: …".
        if index + 1 < text.count, text[index] == 0x3a, text[index + 1] == 0x20 {
          out.append(contentsOf: ": ".utf8)
          index += 2
        } else if index < text.count, text[index] == 0x20 {
          out.append(0x20)
          index += 1
        }
      } else {
        hidden = (hidden?.lowerBound ?? index)..<index + 1
        index += 1
      }
    }
    flush()
    return workspace.interner.intern(String(decoding: out, as: UTF8.self))
  }

  /// Index behind a wording that begins here, in any case.
  private static func wordingEnd(_ text: ByteText, _ start: Int) -> Int? {
    for wording in wordings {
      let end = start + wording.utf8CodeUnitCount
      guard end <= text.count, end == text.count || !isLetterOrDigit(text[end]) else { continue }
      let isSame = (start..<end).allSatisfy {
        lower(text[$0]) == lower(wording.utf8Start[$0 - start])
      }
      if isSame { return end }
    }
    return nil
  }

  private static func lower(_ byte: UInt8) -> UInt8 { byte &- 0x41 < 26 ? byte | 0x20 : byte }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 26 || byte >= 0x80
  }
}
