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
}
