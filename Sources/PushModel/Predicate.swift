/// The predicate of an activation rule, parsed as far as its meaning for extensions goes.
public struct Predicate: Sendable {
  /// What is wrong with a predicate's text.
  public enum Fault: Error, Equatable, Sendable {
    /// Something else stands at this place, from 1.
    case unexpected(found: String, place: Int)
    case openQuote(place: Int)
    case openBracket(place: Int)
    case tooDeep
    /// A variable that no `SUBQUERY` around it declares.
    case unboundVariable(String)
    /// A key path that starts at something that activation does not offer.
    case unknownRoot(String)
  }

  indirect enum Node: Sendable {
    case and([Node])
    case or([Node])
    case not(Node)
    case constant(Bool)
    /// A comparison; `left` as text without blanks, `number` if it is compared with one.
    case comparison(left: String, operation: String, number: Double?)
  }

  var root: Node
  /// Types that it names.
  public internal(set) var types: Set<String>

  /// Parses the text.
  public init(_ text: String) throws(Fault) {
    let tokens = try PredicateLexer.tokens(of: text)
    var open: [Int] = []
    for token in tokens {
      if token.isSymbol("(") { open.append(token.place) }
      if token.isSymbol(")"), open.popLast() == nil {
        throw .unexpected(found: token.text, place: token.place)
      }
    }
    if let last = open.last { throw .openBracket(place: last) }
    var parser = PredicateParser(tokens: tokens)
    root = try parser.predicate(depth: 0)
    try parser.expectEnd()
    types = parser.types
  }

  /// Whether anything fulfils it: `TRUEPREDICATE`, in whatever brackets.
  public var isAlwaysTrue: Bool { if case .constant(true) = root { true } else { false } }

  /// Whether nothing can fulfil it, as far as constants and counts show.
  public var isUnsatisfiable: Bool { Self.isImpossible(root) }

  private static func isImpossible(_ node: Node) -> Bool {
    switch node {
    case .constant(let value): return !value
    case .or(let parts): return parts.allSatisfy(isImpossible)
    case .not(.constant(let value)): return value
    case .not: return false
    case .comparison: return hasNoCount([node])
    case .and(let parts):
      if parts.contains(where: isImpossible) { return true }
      return hasNoCount(parts)
    }
  }

  /// Whether comparisons of one count, all of which must hold, leave no number.
  private static func hasNoCount(_ parts: [Node]) -> Bool {
    var ranges: [String: (low: Double, high: Double)] = [:]
    for part in parts {
      guard case .comparison(let left, let operation, let number?) = part,
        left.hasSuffix(".@count")
      else { continue }
      var range = ranges[left] ?? (0, .infinity)
      switch operation {
      case "==", "=":
        range = (max(range.low, number), min(range.high, number))
        if number != number.rounded() { return true }
      case "<": range.high = min(range.high, number.rounded(.up) - 1)
      case "<=": range.high = min(range.high, number.rounded(.down))
      case ">": range.low = max(range.low, number.rounded(.down) + 1)
      case ">=": range.low = max(range.low, number.rounded(.up))
      default: break
      }
      if range.low > range.high { return true }
      ranges[left] = range
    }
    return false
  }
}

struct PredicateToken: Equatable {
  enum Kind { case word, text, number, symbol, end }
  var kind: Kind
  var text: String
  /// Place of its first character, from 1.
  var place: Int

  func isWord(_ word: String) -> Bool { kind == .word && text.uppercased() == word }
  func isSymbol(_ symbol: String) -> Bool { kind == .symbol && text == symbol }
}

enum PredicateLexer {
  static func tokens(of text: String) throws(Predicate.Fault) -> [PredicateToken] {
    let characters = Array(text)
    var tokens: [PredicateToken] = []
    var place = 0
    while place < characters.count {
      let character = characters[place]
      let start = place
      if character.isWhitespace {
        place += 1
      } else if character == "\"" || character == "'" || character == "“" {
        place += 1
        var content = ""
        while place < characters.count, characters[place] != character {
          if characters[place] == "\\", place + 1 < characters.count { place += 1 }
          content.append(characters[place])
          place += 1
        }
        guard place < characters.count, character != "“" else {
          throw .openQuote(place: start + 1)
        }
        place += 1
        tokens.append(PredicateToken(kind: .text, text: content, place: start + 1))
      } else if character.isNumber {
        while place < characters.count, characters[place].isNumber || characters[place] == "." {
          place += 1
        }
        tokens.append(
          PredicateToken(
            kind: .number, text: String(characters[start..<place]), place: start + 1))
      } else if isWordStart(character) {
        place += 1
        while place < characters.count, isWordPart(characters[place]) { place += 1 }
        tokens.append(
          PredicateToken(kind: .word, text: String(characters[start..<place]), place: start + 1))
      } else {
        let pair = place + 1 < characters.count ? String(characters[place...place + 1]) : ""
        let isPair = ["==", "!=", "<>", "<=", ">=", "=<", "=>", "&&", "||"].contains(pair)
        let symbol = isPair ? pair : String(character)
        guard isPair || "()=<>!,{}[].+-*/:@".contains(character) else {
          throw .unexpected(found: symbol, place: start + 1)
        }
        place += symbol.count
        tokens.append(PredicateToken(kind: .symbol, text: symbol, place: start + 1))
      }
    }
    tokens.append(PredicateToken(kind: .end, text: "the end", place: characters.count + 1))
    return tokens
  }

  private static func isWordStart(_ character: Character) -> Bool {
    character.isLetter || character == "_" || character == "$" || character == "#"
  }

  /// A hyphen belongs to words: `UTI-CONFORMS-TO`.
  private static func isWordPart(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || character == "_" || character == "-"
  }
}

struct PredicateParser {
  let tokens: [PredicateToken]
  var types: Set<String> = []
  private var place = 0
  private var variables: [String] = []

  init(tokens: [PredicateToken]) { self.tokens = tokens }

  private static let depthLimit = 40
  private static let operators: Set<String> = [
    "==", "=", "!=", "<>", "<", ">", "<=", ">=", "=<", "=>",
  ]
  private static let wordOperators: Set<String> = [
    "UTI-CONFORMS-TO", "UTI-EQUALS", "CONTAINS", "BEGINSWITH", "ENDSWITH", "LIKE", "MATCHES",
    "IN", "BETWEEN",
  ]

  private var token: PredicateToken { tokens[min(place, tokens.count - 1)] }

  private func unexpected() -> Predicate.Fault {
    .unexpected(found: token.text, place: token.place)
  }

  mutating func expectEnd() throws(Predicate.Fault) {
    guard token.kind == .end else { throw unexpected() }
  }

  private mutating func expect(_ symbol: String) throws(Predicate.Fault) {
    guard token.isSymbol(symbol) else { throw unexpected() }
    place += 1
  }

  mutating func predicate(depth: Int) throws(Predicate.Fault) -> Predicate.Node {
    guard depth < Self.depthLimit else { throw .tooDeep }
    var parts = [try conjunction(depth)]
    while token.isWord("OR") || token.isSymbol("||") {
      place += 1
      parts.append(try conjunction(depth))
    }
    return parts.count == 1 ? parts[0] : .or(parts)
  }

  private mutating func conjunction(_ depth: Int) throws(Predicate.Fault) -> Predicate.Node {
    var parts = [try negation(depth)]
    while token.isWord("AND") || token.isSymbol("&&") {
      place += 1
      parts.append(try negation(depth))
    }
    return parts.count == 1 ? parts[0] : .and(parts)
  }

  private mutating func negation(_ depth: Int) throws(Predicate.Fault) -> Predicate.Node {
    guard depth < Self.depthLimit else { throw .tooDeep }
    if token.isWord("NOT") || token.isSymbol("!") {
      place += 1
      return .not(try negation(depth + 1))
    }
    if token.isWord("TRUEPREDICATE") || token.isWord("FALSEPREDICATE") {
      place += 1
      return .constant(tokens[place - 1].isWord("TRUEPREDICATE"))
    }
    if token.isSymbol("(") {
      // Brackets hold a predicate or the left side of a comparison; what follows tells.
      let start = place
      let before = types
      var first: Predicate.Fault?
      place += 1
      do throws(Predicate.Fault) {
        let inner = try predicate(depth: depth + 1)
        if token.isSymbol(")") {
          place += 1
          if !isOperator(token), !isArithmetic(token), !token.isSymbol(".") { return inner }
        }
      } catch {
        first = error
      }
      let reached = place
      place = start
      types = before
      do throws(Predicate.Fault) {
        return try comparison(depth + 1)
      } catch {
        // The reading that came further says better what is wrong.
        throw reached > place ? first ?? error : error
      }
    }
    return try comparison(depth + 1)
  }

  private func isOperator(_ token: PredicateToken) -> Bool {
    token.kind == .symbol && Self.operators.contains(token.text)
      || token.kind == .word && Self.wordOperators.contains(token.text.uppercased())
  }

  private func isArithmetic(_ token: PredicateToken) -> Bool {
    token.kind == .symbol && ["+", "-", "*", "/"].contains(token.text)
  }

  private mutating func comparison(_ depth: Int) throws(Predicate.Fault) -> Predicate.Node {
    if ["ANY", "SOME", "ALL", "NONE"].contains(where: token.isWord) { place += 1 }
    let start = place
    try expression(depth)
    let left = tokens[start..<place].map(\.text).joined()
    guard isOperator(token) else { throw unexpected() }
    let operation = token.text.uppercased()
    place += 1
    if token.isSymbol("[") {
      // Options such as [cd].
      place += 1
      guard token.kind == .word else { throw unexpected() }
      place += 1
      try expect("]")
    }
    let right = place
    try expression(depth)
    if operation.hasPrefix("UTI-") {
      for token in tokens[right..<place] where token.kind == .text { types.insert(token.text) }
    }
    let isNumber = place == right + 1 && tokens[right].kind == .number
    return .comparison(
      left: left, operation: operation, number: isNumber ? Double(tokens[right].text) : nil)
  }

  private mutating func expression(_ depth: Int) throws(Predicate.Fault) {
    guard depth < Self.depthLimit else { throw .tooDeep }
    try term(depth)
    while isArithmetic(token) {
      place += 1
      try term(depth)
    }
  }

  private mutating func term(_ depth: Int) throws(Predicate.Fault) {
    switch token.kind {
    case .text, .number: place += 1
    case .word:
      if token.isWord("SUBQUERY") {
        try subquery(depth)
      } else if place + 1 < tokens.count, tokens[place + 1].isSymbol("("), !isKeyword(token) {
        try call(depth)
      } else {
        try path()
      }
    case .symbol:
      if token.isSymbol("(") {
        place += 1
        try expression(depth + 1)
        try expect(")")
      } else if token.isSymbol("{") {
        place += 1
        while !token.isSymbol("}") {
          try expression(depth + 1)
          if token.isSymbol(",") { place += 1 } else if !token.isSymbol("}") { throw unexpected() }
        }
        place += 1
      } else if token.isSymbol("-") {
        place += 1
        try term(depth + 1)
      } else {
        throw unexpected()
      }
    case .end: throw unexpected()
    }
    try suffixes(depth)
  }

  /// `.attachments`, `.@count`, `[0]`.
  private mutating func suffixes(_ depth: Int) throws(Predicate.Fault) {
    while true {
      if token.isSymbol(".") {
        place += 1
        if token.isSymbol("@") { place += 1 }
        guard token.kind == .word else { throw unexpected() }
        place += 1
      } else if token.isSymbol("["), tokens[place - 1].kind != .text {
        place += 1
        try expression(depth + 1)
        try expect("]")
      } else {
        return
      }
    }
  }

  private mutating func path() throws(Predicate.Fault) {
    let name = token.text
    let isLiteral = ["TRUE", "YES", "FALSE", "NO", "NULL", "NIL", "SELF"].contains(
      name.uppercased())
    if name.hasPrefix("$") {
      guard variables.contains(name) else { throw .unboundVariable(name) }
    } else if !isLiteral, name != "extensionItems" {
      if isKeyword(token) { throw unexpected() }
      // Activation looks at one object, whose only key is this.
      throw .unknownRoot(name)
    }
    place += 1
  }

  private func isKeyword(_ token: PredicateToken) -> Bool {
    ["AND", "OR", "NOT", "IN", "ANY", "ALL", "NONE", "SOME"].contains(token.text.uppercased())
  }

  /// A function of the language, such as `max(1, 2)`.
  private mutating func call(_ depth: Int) throws(Predicate.Fault) {
    place += 2
    while !token.isSymbol(")") {
      try expression(depth + 1)
      if token.isSymbol(",") { place += 1 } else if !token.isSymbol(")") { throw unexpected() }
    }
    place += 1
  }

  /// `SUBQUERY(collection, $variable, predicate)`.
  private mutating func subquery(_ depth: Int) throws(Predicate.Fault) {
    place += 1
    try expect("(")
    try expression(depth + 1)
    try expect(",")
    guard token.kind == .word, token.text.hasPrefix("$") else { throw unexpected() }
    variables.append(token.text)
    place += 1
    try expect(",")
    _ = try predicate(depth: depth + 1)
    try expect(")")
    variables.removeLast()
  }
}
