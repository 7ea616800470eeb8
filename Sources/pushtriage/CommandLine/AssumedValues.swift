import PushIngest
import PushPipeline

/// The zone that times without one are taken to be in.
enum AssumedZone: ArgumentValue, Equatable {
  /// Seconds east of UTC.
  case offset(Int)
  /// A name of the time zone database.
  case name(String)

  static var expectation: Expectation { .form("a zone such as +01:00, UTC or Europe/Berlin") }

  init?(argument: String) {
    if ["UTC", "Z", "GMT"].contains(argument.uppercased()) {
      self = .offset(0)
      return
    }
    if let seconds = AssumedZone.seconds(argument) {
      self = .offset(seconds)
      return
    }
    guard SourceHints.isZone(argument) else { return nil }
    self = .name(argument)
  }

  /// Seconds east of UTC of `+01:00` or `-0530`; nil for anything else.
  static func seconds(_ text: String) -> Int? {
    let digits = text.dropFirst().filter { $0 != ":" }
    guard let sign = text.first, sign == "+" || sign == "-", digits.count == 4,
      digits.allSatisfy({ $0.isASCII && $0.isNumber }), let number = Int(digits),
      number / 100 < 24, number % 100 < 60
    else { return nil }
    return (number / 100 * 3600 + number % 100 * 60) * (sign == "-" ? -1 : 1)
  }

  var argumentText: String {
    switch self {
    case .name(let name): return name
    case .offset(0): return "UTC"
    case .offset(let seconds):
      func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
      let size = abs(seconds)
      return "\(seconds < 0 ? "-" : "+")\(padded(size / 3600)):\(padded(size / 60 % 60))"
    }
  }
}

/// The time of records that carry none.
struct AssumedTime: ArgumentValue, Equatable {
  /// UTC microseconds.
  var microseconds: Int64
  var argumentText: String

  static var expectation: Expectation { .form("a time with a zone such as 2026-03-01T10:00:00Z") }

  init?(argument: String) {
    guard let microseconds = SourceHints.time(argument) else { return nil }
    self.microseconds = microseconds
    argumentText = argument
  }
}

/// What an attribute is, as a field of the own logs.
struct AttributeName: ArgumentValue, Equatable {
  var name: String
  var field: String

  static var expectation: Expectation {
    .form("name=field with a field of the own logs, such as push.rid=request_id")
  }

  init?(argument: String) {
    guard let equals = argument.lastIndex(of: "="), equals != argument.startIndex else {
      return nil
    }
    name = String(argument[..<equals])
    field = String(argument[argument.index(after: equals)...])
    guard SourceHints.isField(field) else { return nil }
  }

  var argumentText: String { "\(name)=\(field)" }
}
