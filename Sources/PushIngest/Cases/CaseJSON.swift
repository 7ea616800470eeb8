public import PushModel

/// Why a case file, or one of the inputs beside it, cannot be used.
public struct CaseProblem: Error, Sendable, Hashable {
  /// Where: a dotted path such as `evidence.send.headers.apns-priority`; empty for the whole text.
  public var path: String
  /// What is wrong.
  public var reason: String
  /// What to do.
  public var help: String
  /// Where it stands in the text, if that is known without looking for the path.
  public var place: JSONPlaces.Place?

  /// A problem.
  public init(
    path: String, reason: String, help: String = "", place: JSONPlaces.Place? = nil
  ) {
    self.path = path
    self.reason = reason
    self.help = help
    self.place = place
  }
}

/// JSON of small inputs as values: whole numbers stay whole, keys keep their order.
public enum CaseJSON {
  /// Deeper than any evidence; what is deeper is refused rather than walked.
  private static let deepest = 64

  /// Reads one JSON text.
  ///
  /// - Throws: ``CaseProblem`` where the bytes are no JSON.
  public static func read(_ bytes: [UInt8]) throws(CaseProblem) -> CaseValue {
    var padded = bytes
    // A byte order mark is no part of the text.
    if padded.starts(with: [0xef, 0xbb, 0xbf]) { padded.removeFirst(3) }
    let count = padded.count
    padded.append(contentsOf: [UInt8](repeating: 0, count: JSONParser.padding))
    let parser = JSONParser()
    let result = padded.withUnsafeBytes { buffer -> Result<CaseValue, CaseProblem> in
      guard let base = buffer.baseAddress, count > 0 else {
        return .failure(CaseProblem(path: "", reason: "is empty", help: "give a JSON object"))
      }
      switch parser.parse(base, count) {
      case .failure(let code):
        let fault = JSONPlaces.fault(of: bytes)
        return .failure(
          CaseProblem(
            path: "", reason: "is no JSON: \(fault?.reason ?? JSONParser.message(code))",
            help: fault == nil ? "check it with 'python3 -m json.tool'" : "mend it there",
            place: fault?.place))
      case .tape(let json):
        guard let value = value(json, json.root, 0) else {
          return .failure(CaseProblem(path: "", reason: "is nested too deeply"))
        }
        return .success(value)
      }
    }
    return try result.get()
  }

  private static func value(_ json: JSONTape, _ place: Int, _ depth: Int) -> CaseValue? {
    if depth > deepest { return nil }
    switch json.kind(place) {
    case .object:
      var members: [CaseValue.Member] = []
      var at = json.first(place)
      let end = json.end(place)
      while at < end {
        guard let inner = value(json, at + 1, depth + 1) else { return nil }
        members.append(CaseValue.Member(json.text(at).string, inner))
        at = json.next(at + 1)
      }
      return .object(members)
    case .array:
      var items: [CaseValue] = []
      var at = json.first(place)
      let end = json.end(place)
      while at < end {
        guard let inner = value(json, at, depth + 1) else { return nil }
        items.append(inner)
        at = json.next(at)
      }
      return .list(items)
    case .text: return .text(json.text(place).string)
    case .integer: return json.wholeNumber(place).map(CaseValue.integer)
    case .unsigned:
      return json.wholeNumber(place).map(CaseValue.integer) ?? json.real(place).map(CaseValue.real)
    case .real: return json.real(place).map(CaseValue.real)
    case .yes: return .bool(true)
    case .no: return .bool(false)
    case .null, .other: return .null
    }
  }

  /// The bytes of a value as compact JSON.
  public static func write(_ value: CaseValue) -> [UInt8] {
    var out: [UInt8] = []
    write(value, into: &out)
    return out
  }

  private static func write(_ value: CaseValue, into out: inout [UInt8]) {
    switch value {
    case .null: out.append(contentsOf: "null".utf8)
    case .bool(let flag): out.append(contentsOf: (flag ? "true" : "false").utf8)
    case .integer(let number): out.append(contentsOf: String(number).utf8)
    case .real(let number): out.append(contentsOf: "\(number)".utf8)
    case .text(let text): PayloadReader.quote(text.utf8, into: &out)
    case .list(let items):
      out.append(0x5b)
      for (place, item) in items.enumerated() {
        if place > 0 { out.append(0x2c) }
        write(item, into: &out)
      }
      out.append(0x5d)
    case .object(let members):
      out.append(0x7b)
      for (place, member) in members.enumerated() {
        if place > 0 { out.append(0x2c) }
        PayloadReader.quote(member.key.utf8, into: &out)
        out.append(0x3a)
        write(member.value, into: &out)
      }
      out.append(0x7d)
    }
  }
}
