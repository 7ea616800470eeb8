/// The rule by which iOS offers a share or action extension (F12.2 to F12.7).
public enum ActivationRule {
  /// How a rule reads.
  public enum Form: UInt8, Sendable, BitwiseCopyable, CaseIterable {
    /// A dictionary of `NSExtensionActivationSupports…` keys.
    case dictionary
    /// A predicate that is sound as far as its text tells.
    case predicate
    /// The literal predicate `TRUEPREDICATE`: for debugging, refused at upload (F12.5).
    case truePredicate
    /// A predicate whose quotes or parentheses do not balance, or that is empty (F12.6).
    case unbalanced
    /// A predicate over a variable that does not exist, such as `NSExtensionItems` (F12.6).
    case wrongVariable
  }

  /// Whether a predicate of this form can never be true, without any message.
  public static func isMalformed(_ form: Form) -> Bool {
    form == .unbalanced || form == .wrongVariable
  }

  /// How the text of a predicate reads. Only what makes it unusable for certain is found: quotes
  /// and parentheses that do not balance, and a variable that does not exist.
  public static func form(ofPredicate text: String) -> Form {
    let bytes = Array(text.utf8)
    guard isBalanced(bytes) else { return .unbalanced }
    let names = identifiers(bytes)
    if names.isEmpty { return .unbalanced }
    if names.count == 1, names[0].uppercased() == "TRUEPREDICATE" { return .truePredicate }
    if !names.contains("extensionItems"), names.contains("NSExtensionItems") {
      return .wrongVariable
    }
    return .predicate
  }

  private static func isBalanced(_ bytes: [UInt8]) -> Bool {
    var depth = 0
    var quote: UInt8?
    var isEscaped = false
    for byte in bytes {
      if let open = quote {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == open {
          quote = nil
        }
        continue
      }
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "'"): quote = byte
      case UInt8(ascii: "("): depth += 1
      case UInt8(ascii: ")"):
        depth -= 1
        if depth < 0 { return false }
      default: break
      }
    }
    return depth == 0 && quote == nil
  }

  /// Words outside quotes, in their order.
  private static func identifiers(_ bytes: [UInt8]) -> [String] {
    var found: [String] = []
    var word: [UInt8] = []
    var quote: UInt8?
    func isLetter(_ byte: UInt8) -> Bool {
      (byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7a) || byte == 0x5f || (byte >= 0x30 && byte <= 0x39)
    }
    for byte in bytes {
      if let open = quote {
        if byte == open { quote = nil }
        continue
      }
      if isLetter(byte) {
        word.append(byte)
        continue
      }
      if !word.isEmpty { found.append(String(decoding: word, as: UTF8.self)) }
      word = []
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") { quote = byte }
    }
    if !word.isEmpty { found.append(String(decoding: word, as: UTF8.self)) }
    return found
  }
}
