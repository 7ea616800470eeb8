/// A JSON value whose keys keep their order.
indirect enum JSONValue {
  case object([(key: String, value: JSONValue)])
  case array([JSONValue])
  case text(String)
  case integer(Int64)
  case real(Double)
  case boolean(Bool)
  case null

  init(_ value: Int) { self = .integer(Int64(value)) }

  init(_ value: Int?) { self = value.map { .integer(Int64($0)) } ?? .null }

  init(_ value: Double?) { self = value.map { .real($0) } ?? .null }

  init(_ value: String?) { self = value.map { .text($0) } ?? .null }

  init(_ value: Bool?) { self = value.map { .boolean($0) } ?? .null }

  /// A moment, UTC microseconds, as RFC 3339; null for nil.
  init(instant: Int64?) { self = instant.map { .text(Shown.instant($0)) } ?? .null }

  /// The value as text, two blanks a level, with a line end.
  var written: String {
    var result = ""
    write(into: &result, level: 0)
    return result + "\n"
  }

  private func write(into result: inout String, level: Int) {
    let indent = String(repeating: "  ", count: level + 1)
    let end = String(repeating: "  ", count: level)
    switch self {
    case .object(let members):
      guard !members.isEmpty else {
        result += "{}"
        return
      }
      result += "{\n"
      for (place, member) in members.enumerated() {
        result += indent
        JSONValue.quote(member.key, into: &result)
        result += ": "
        member.value.write(into: &result, level: level + 1)
        result += place == members.count - 1 ? "\n" : ",\n"
      }
      result += end + "}"
    case .array(let values):
      guard !values.isEmpty else {
        result += "[]"
        return
      }
      result += "[\n"
      for (place, value) in values.enumerated() {
        result += indent
        value.write(into: &result, level: level + 1)
        result += place == values.count - 1 ? "\n" : ",\n"
      }
      result += end + "]"
    case .text(let text): JSONValue.quote(text, into: &result)
    case .integer(let value): result += String(value)
    case .real(let value): result += value.isFinite ? "\(value)" : "null"
    case .boolean(let value): result += value ? "true" : "false"
    case .null: result += "null"
    }
  }

  private static func quote(_ text: String, into result: inout String) {
    result.append("\"")
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      default:
        if scalar.value < 0x20 || scalar.value == 0x7F || scalar.value == 0x2028
          || scalar.value == 0x2029
        {
          let digits = String(scalar.value, radix: 16)
          result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        } else {
          result.unicodeScalars.append(scalar)
        }
      }
    }
    result.append("\"")
  }
}
