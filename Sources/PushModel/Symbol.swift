/// A text of low cardinality as a number: topics, versions, reasons, event names, error domains.
///
/// The first numbers are the cases of ``Word``, the same in every table; so rules compare numbers.
public struct Symbol: Hashable, Sendable, BitwiseCopyable {
  /// Place in the ``SymbolTable``.
  public let index: UInt32

  /// The symbol at a place of its table.
  @inlinable public init(index: UInt32) { self.index = index }

  /// The symbol of a text that rules know.
  @inlinable public init(_ word: Word) { self.index = UInt32(word.ordinal) }

  /// The text that rules know behind this symbol, if it is one.
  public var word: Word? {
    index < UInt32(Word.allCases.count) ? Word.allCases[Int(index)] : nil
  }

  /// Whether this is the given text.
  @inlinable public static func == (left: Symbol, right: Word) -> Bool {
    left.index == UInt32(right.ordinal)
  }

  /// Whether this is another text.
  @inlinable public static func != (left: Symbol, right: Word) -> Bool {
    left.index != UInt32(right.ordinal)
  }
}

/// For each word, whether it names an event that only system logs and reports give.
private let systemEvents = Word.allCases.map { $0.rawValue.hasPrefix("system.") }

extension Symbol {
  /// Whether this is the name of an event that only system logs, crash reports and the like give.
  public var isSystemEvent: Bool {
    index < UInt32(systemEvents.count) && systemEvents[Int(index)]
  }

  /// Whether this is the name of an event of a hand-off, on either side.
  public var isHandoffEvent: Bool {
    index >= Symbol(.handoffActivated).index && index <= Symbol(.handoffDrained).index
  }
}

extension Known where Value == Symbol {
  /// Whether the value is known and is this text.
  @inlinable public func isKnown(_ word: Word) -> Bool {
    if case .known(let symbol) = self { return symbol == word }
    return false
  }
}

/// Texts by number. Not thread-safe while texts are added; each worker has its own.
public final class SymbolTable {
  private var texts: [String]
  private var indexes: [String: UInt32]

  /// A table that holds the cases of ``Word`` at their ordinals.
  public init() {
    texts = Word.allCases.map(\.rawValue)
    indexes = [:]
    for (index, text) in texts.enumerated() { indexes[text] = UInt32(index) }
  }

  /// Number of texts.
  public var count: Int { texts.count }

  /// The symbol of a text, added if it is new.
  public func intern(_ text: String) -> Symbol {
    if let index = indexes[text] { return Symbol(index: index) }
    let index = UInt32(texts.count)
    texts.append(text)
    indexes[text] = index
    return Symbol(index: index)
  }

  /// The symbol of a text that is already here.
  public func find(_ text: String) -> Symbol? { indexes[text].map { Symbol(index: $0) } }

  /// The text of a symbol of this table.
  public subscript(symbol: Symbol) -> String { texts[Int(symbol.index)] }
}
