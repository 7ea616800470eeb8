/// Finds what no stored text may hold whole, whatever its key: device tokens, as transport errors
/// quote them in the address of a request, and signed credentials (JWT).
enum SecretText {
  /// Hex digits of the shortest token. Digests of as many digits cannot be told from it.
  private static let shortestToken = 64
  /// Shorter texts hold neither.
  private static let shortest = 20
  private static let tokenPath: StaticString = "/3/device/"

  /// The text with length and ends in place of each secret; nil if it holds none.
  static func masked(_ text: UnsafeRawBufferPointer) -> [UInt8]? {
    guard text.count >= shortest, let base = text.baseAddress else { return nil }
    let text = ByteText(base: base, count: text.count)
    // Ids and bundle ids, which are most of what is asked about, have no room for a token.
    guard text.count >= shortestToken / 2 + tokenPath.utf8CodeUnitCount || text.find("yJ") != nil
    else { return nil }
    var out: [UInt8] = []
    var written = 0
    func replace(_ range: Range<Int>, by form: String) {
      out.append(contentsOf: text.part(written, range.lowerBound).buffer)
      out.append(contentsOf: form.utf8)
      written = range.upperBound
    }
    var index = 0
    while index < text.count {
      let byte = text[index]
      if byte == 0x65, let end = credentialEnd(text, index) {
        replace(index..<end, by: "<jwt \(end - index)>")
        index = end
      } else if isHex(byte) {
        let (end, digits) = hexEnd(text, index)
        if digits >= shortestToken {
          replace(index..<end, by: LineMask.form(ofToken: text.part(index, end)))
        }
        index = end
      } else if byte == 0x2f, text.starts(with: tokenPath, at: index) {
        let start = index + tokenPath.utf8CodeUnitCount
        var end = start
        while end < text.count, isSegment(text[end]) { end += 1 }
        // Whatever stands here is a token for APNs, or was meant to be one.
        if end - start >= shortestToken / 2 {
          replace(start..<end, by: LineMask.form(ofToken: text.part(start, end)))
          index = end
        } else {
          index = start
        }
      } else {
        index += 1
      }
    }
    guard written > 0 else { return nil }
    out.append(contentsOf: text.part(written, text.count).buffer)
    return out
  }

  /// Index behind the hex digits from a place on, and how many they are. Eight at a time with a
  /// blank between them are how older iOS prints a token.
  private static func hexEnd(_ text: ByteText, _ start: Int) -> (end: Int, digits: Int) {
    var end = start
    while end < text.count, isHex(text[end]) { end += 1 }
    var digits = end - start
    guard digits == 8 else { return (end, digits) }
    while end + 8 < text.count, text[end] == 0x20,
      (1...8).allSatisfy({ isHex(text[end + $0]) }),
      end + 9 == text.count || !isLetterOrDigit(text[end + 9])
    {
      end += 9
      digits += 8
    }
    return digits >= shortestToken ? (end, digits) : (start + 8, 8)
  }

  /// Index behind a JWT that begins here: its header is JSON, whose `{"` is `eyJ` in base64.
  private static func credentialEnd(_ text: ByteText, _ start: Int) -> Int? {
    guard text.starts(with: "eyJ", at: start), start == 0 || !isBase64(text[start - 1]) else {
      return nil
    }
    var end = start
    var dots = 0
    while end < text.count, isBase64(text[end]) || text[end] == 0x2e {
      if text[end] == 0x2e {
        // A full stop behind it ends a sentence.
        guard dots < 4, end + 1 < text.count, isBase64(text[end + 1]) || text[end + 1] == 0x2e
        else { break }
        dots += 1
      }
      end += 1
    }
    return dots > 0 ? end : nil
  }

  private static func isHex(_ byte: UInt8) -> Bool {
    byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 6
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 26
  }

  private static func isBase64(_ byte: UInt8) -> Bool {
    isLetterOrDigit(byte) || byte == 0x2d || byte == 0x5f
  }

  /// Bytes of a part of a path, escaped ones too.
  private static func isSegment(_ byte: UInt8) -> Bool {
    isBase64(byte) || byte == 0x25 || byte == 0x2b || byte == 0x3d
  }
}
