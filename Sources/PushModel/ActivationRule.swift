/// The rule by which iOS offers a share or action extension (F12.2 to F12.7).
public enum ActivationRule {
  /// How a rule reads.
  public enum Form: UInt8, Sendable, BitwiseCopyable, CaseIterable {
    /// A dictionary of `NSExtensionActivationSupports…` keys.
    case dictionary
    /// A predicate that can be read.
    case predicate
    /// A predicate that is always true, such as the literal `TRUEPREDICATE`: for debugging, refused
    /// at upload (F12.5).
    case truePredicate
    /// A predicate that cannot be read, such as an empty one or one whose quotes or parentheses do
    /// not balance (F12.6).
    case unreadable
    /// A predicate over a variable that does not exist, such as `NSExtensionItems` (F12.6).
    case wrongVariable
  }

  /// Whether a predicate of this form can never be true, without any message.
  public static func isMalformed(_ form: Form) -> Bool {
    form == .unreadable || form == .wrongVariable
  }

  /// How the text of a predicate reads.
  public static func form(ofPredicate text: String) -> Form {
    do throws(Predicate.Fault) {
      return try Predicate(text).isAlwaysTrue ? .truePredicate : .predicate
    } catch {
      switch error {
      case .unboundVariable, .unknownRoot: return .wrongVariable
      case .unexpected, .openQuote, .openBracket, .tooDeep: return .unreadable
      }
    }
  }

  /// Whether a dictionary rule admits so many items of a type (F12.3); nil where it does not tell.
  ///
  /// - Parameters:
  ///   - rule: the dictionary of `NSExtensionActivationSupports…` keys.
  ///   - type: the type that was offered, such as `public.jpeg`; nil if nobody said.
  ///   - count: number of items.
  public static func admits(_ rule: CaseValue, type: String?, count: Int64) -> Bool? {
    let prefix = "NSExtensionActivationSupports"
    func limit(_ name: String) -> Int64? { rule[prefix + name]?.whole }
    if let most = limit("AttachmentsWithMaxCount"), count > most { return false }
    if let fewest = limit("AttachmentsWithMinCount"), count < fewest { return false }
    guard let kind = type.flatMap(kind(of:)) else { return nil }
    if kind == "Text" {
      guard let allowed = rule[prefix + kind]?.bool else { return nil }
      return allowed ? nil : false
    }
    if let most = limit(kind + "WithMaxCount") { return count <= most }
    // A picture or film is a file too, and how a rule over attachments alone reads is thinly
    // documented (F12.4).
    let others = ["FileWithMaxCount", "AttachmentsWithMaxCount", "AttachmentsWithMinCount"]
    return others.contains { rule[prefix + $0] != nil } || rule.members.isEmpty ? nil : false
  }

  /// The word of the rule's keys for a type.
  private static func kind(of type: String) -> String? {
    let words: [(word: String, parts: [String])] = [
      ("Image", ["image", "jpeg", "png", "heic", "gif", "tiff"]),
      ("Movie", ["movie", "video", "mpeg-4", "quicktime"]),
      ("WebURL", ["public.url"]), ("Text", ["text"]),
      ("File", ["file-url", "pdf", "data", "zip"]),
    ]
    let lower = type.lowercased()
    return words.first { $0.parts.contains(where: lower.contains) }?.word
  }
}
