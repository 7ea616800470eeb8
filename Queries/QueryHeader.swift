/// The comment at the top of a query file: what it asks, takes and gives. `README.md` of this folder
/// describes the form.
public struct QueryHeader: Equatable, Sendable {
  /// How many rows come back.
  public enum Rows: String, CaseIterable, Sendable {
    case one
    case optional
    case many

    /// In words.
    public var meaning: String {
      switch self {
      case .one: "one row"
      case .optional: "one row or none"
      case .many: "any number of rows"
      }
    }
  }

  /// How a value is stored, read and written.
  public enum ValueType: String, CaseIterable, Sendable {
    case text
    case integer
    case real
    case blob
    /// Stored as text that holds JSON; written into JSON as it is.
    case json
    /// Stored as 0 or 1; read and written as `false` or `true`.
    case boolean
    /// Stored as whole UTC microseconds since 1970; read and written as RFC 3339.
    case time
    /// Stored as days since 1970; read and written as `2026-11-29`.
    case day
  }

  /// A parameter or a column.
  public struct Value: Equatable, Sendable {
    /// As in the SQL, a parameter without its colon.
    public var name: String
    /// How it is stored.
    public var type: ValueType
    /// Null is a value, too.
    public var isOptional: Bool
    /// Nil for what has no unit.
    public var unit: String?
    /// In words.
    public var meaning: String
  }

  /// What the query's rates are rates of.
  public struct Rate: Equatable, Sendable {
    /// What is divided by.
    public var denominator: String
    /// What was left out of it.
    public var exclusions: String
  }

  /// Equals the file name without its ending.
  public var name: String
  /// One sentence.
  public var purpose: String
  /// In order of the header.
  public var parameters: [Value]
  /// How many rows come back.
  public var rows: Rows
  /// In order of the result.
  public var columns: [Value]
  /// Nil if no column is a rate.
  public var rate: Rate?
}

/// What is wrong with a query's header.
public struct QueryHeaderProblem: Error, Equatable, Sendable, CustomStringConvertible {
  /// Path relative to `Queries/`.
  public var path: String
  /// From 1.
  public var line: Int
  /// What is wrong, in words.
  public var problem: String

  /// `Queries/report/x.sql:3: …`.
  public var description: String { "Queries/\(path):\(line): \(problem)" }
}

extension QueryHeader {
  /// Reads the header of the file at `path` (relative to `Queries/`), and compares name and
  /// parameters with file name and SQL.
  public init(path: String, text: String) throws(QueryHeaderProblem) {
    var lines = HeaderLines(path: path, text: text)

    name = try lines.single("name")
    let fileName = path.split(separator: "/").last.map { $0.prefix { $0 != "." } } ?? ""
    guard name == fileName else { throw lines.problem("name is not the file name '\(fileName)'") }

    purpose = ([try lines.single("purpose")] + lines.continuations()).joined(separator: " ")

    let noParameters = try lines.key("parameters")
    if noParameters == "none" {
      parameters = []
    } else {
      guard noParameters.isEmpty else { throw lines.problem("expected 'none' or one value a line") }
      parameters = try lines.values()
    }

    let count = try lines.single("rows")
    guard let rows = Rows(rawValue: count) else {
      throw lines.problem("rows is '\(count)', not one, optional or many")
    }
    self.rows = rows

    guard try lines.key("columns").isEmpty else { throw lines.problem("expected one value a line") }
    columns = try lines.values()

    let rateText = ([try lines.single("rate")] + lines.continuations()).joined(separator: " ")
    if rateText != "none" {
      let parts = rateText.split(separator: "; excludes ", maxSplits: 1)
      guard parts.count == 2 else {
        throw lines.problem("rate is neither none nor '<denominator>; excludes <what>'")
      }
      rate = Rate(denominator: String(parts[0]), exclusions: String(parts[1]))
    }

    let used = namedParameters(ofSQL: lines.rest)
    let declared = Set(parameters.map(\.name))
    if let extra = used.subtracting(declared).sorted().first {
      throw lines.problem("parameter ':\(extra)' is not in the header")
    }
    if let unused = declared.subtracting(used).sorted().first {
      throw lines.problem("parameter '\(unused)' is not in the SQL")
    }
  }
}

extension QueryCatalogue {
  /// Path and text of every query: all `.sql` files but the migrations, in order of path.
  public static var queries: [(path: String, text: String)] {
    files.filter { $0.path.hasSuffix(".sql") && !$0.path.hasPrefix("schema/") }
  }

  /// The headers of all queries, in order of path.
  public static var headers: [QueryHeader] {
    get throws(QueryHeaderProblem) {
      var headers: [QueryHeader] = []
      for file in queries { headers.append(try QueryHeader(path: file.path, text: file.text)) }
      return headers
    }
  }
}

/// The comment lines at the top of a file, read from first to last.
private struct HeaderLines {
  let path: String
  private let lines: [Substring]
  private var next = 0

  init(path: String, text: String) {
    self.path = path
    lines = text.split(separator: "\n", omittingEmptySubsequences: false)
  }

  /// The text after the lines that were read.
  var rest: String { lines[next...].joined(separator: "\n") }

  /// A problem of the line that was read last.
  func problem(_ problem: String) -> QueryHeaderProblem {
    QueryHeaderProblem(path: path, line: max(1, next), problem: problem)
  }

  /// The text after `-- key:`, which may be empty.
  mutating func key(_ key: String) throws(QueryHeaderProblem) -> String {
    let start = "-- \(key):"
    guard next < lines.count, lines[next].hasPrefix(start) else {
      next += 1
      throw problem("expected '\(start)'")
    }
    next += 1
    return trimmed(lines[next - 1].dropFirst(start.count))
  }

  /// The text after `-- key:`, which must be there.
  mutating func single(_ name: String) throws(QueryHeaderProblem) -> String {
    let text = try key(name)
    guard !text.isEmpty else { throw problem("\(name) is empty") }
    return text
  }

  /// The lines that follow, indented.
  mutating func continuations() -> [String] {
    var texts: [String] = []
    while next < lines.count, lines[next].hasPrefix("--   ") {
      texts.append(trimmed(lines[next].dropFirst(5)))
      next += 1
    }
    return texts
  }

  /// One value or more, a line each: `name type [unit] meaning`.
  mutating func values() throws(QueryHeaderProblem) -> [QueryHeader.Value] {
    var values: [QueryHeader.Value] = []
    while next < lines.count, lines[next].hasPrefix("--   ") {
      next += 1
      let words = lines[next - 1].dropFirst(5).split(separator: " ", maxSplits: 2)
      guard words.count == 3 else { throw problem("expected 'name type [unit] meaning'") }
      let isOptional = words[1].hasSuffix("?")
      let typeName = String(isOptional ? words[1].dropLast() : words[1])
      guard let type = QueryHeader.ValueType(rawValue: typeName) else {
        let allowed = QueryHeader.ValueType.allCases.map(\.rawValue).joined(separator: ", ")
        throw problem("type '\(typeName)' is none of \(allowed)")
      }
      var meaning = words[2].drop { $0 == " " }
      var unit: String?
      if meaning.hasPrefix("["), let end = meaning.firstIndex(of: "]") {
        unit = String(meaning[meaning.index(after: meaning.startIndex)..<end])
        meaning = meaning[meaning.index(after: end)...]
      }
      let text = trimmed(meaning)
      guard !text.isEmpty else { throw problem("'\(words[0])' has no meaning") }
      guard !values.contains(where: { $0.name == words[0] }) else {
        throw problem("'\(words[0])' is there twice")
      }
      values.append(
        QueryHeader.Value(
          name: String(words[0]), type: type, isOptional: isOptional, unit: unit, meaning: text))
    }
    guard !values.isEmpty else {
      next += 1
      throw problem("expected '--   name type [unit] meaning'")
    }
    return values
  }
}

private func trimmed(_ text: Substring) -> String {
  let start = text.drop { $0 == " " }
  let kept = start.reversed().drop { $0 == " " }
  return String(kept.reversed())
}

/// The names after `:` in SQL, comments and quoted texts left out.
private func namedParameters(ofSQL text: String) -> Set<String> {
  var names: Set<String> = []
  var rest = text.unicodeScalars[...]
  while let scalar = rest.popFirst() {
    switch scalar {
    case "'", "\"":
      // A doubled quote ends one text and begins the next, which comes to the same.
      while let other = rest.popFirst(), other != scalar {}
    case "-" where rest.first == "-":
      while let other = rest.popFirst(), other != "\n" {}
    case "/" where rest.first == "*":
      var previous: Unicode.Scalar = " "
      while let other = rest.popFirst(), !(previous == "*" && other == "/") { previous = other }
    case ":":
      let name = rest.prefix { $0 == "_" || $0.properties.isAlphabetic || ("0"..."9").contains($0) }
      if !name.isEmpty { names.insert(String(String.UnicodeScalarView(name))) }
    default:
      break
    }
  }
  return names
}
