import PushIngest
import PushModel

/// Writes records as they would be stored, one JSON object a line, under the names of the own logs.
///
/// A token is shown by its length and ends, a payload by its shape, a URL by its form: more is not
/// stored either.
struct RecordLines {
  let workspace: ParseWorkspace

  private struct Object {
    var text = "{"
    mutating func add(_ key: String, _ value: String) {
      if text.utf8.count > 1 { text += "," }
      text += "\(JSONText.quoted(key)):\(value)"
    }
  }

  /// The line of a send, without a line end.
  func line(of send: SendRecord, source: String, line: Int, format: String) -> String {
    var object = begin(source, line, format, "send", send.at)
    add(&object, "status", send.status == .min ? nil : Int64(send.status))
    add(&object, "reason", send.reason)
    if send.unregisteredAt != .min {
      object.add("unregistered_at", quoted(Instant.text(send.unregisteredAt)))
    }
    add(&object, "apns_id", send.apns)
    if send.uniqueID.length > 0 {
      object.add("apns_unique_id", quoted(workspace.records.text(send.uniqueID)))
    }
    add(&object, "notification_id", send.notification)
    add(&object, "collapse_id", send.collapse)
    if send.collapseIsNull { object.add("collapse_id", "null") }
    add(&object, "attempt", send.attempt > 0 ? Int64(send.attempt) : nil)
    add(&object, "installation_id", send.installation, send.installationText)
    add(&object, "device_token", send.token)
    add(&object, "environment", send.environment)
    add(&object, "host", send.host)
    add(&object, "topic", send.topic)
    add(&object, "push_type", send.pushType)
    add(&object, "priority", send.priority)
    add(&object, "expiration", send.expiration)
    add(&object, "channel_id", send.channel)
    if send.shape != 0, let shape = workspace.shapes[send.shape] {
      object.add("payload_shape", shape.text)
    }
    add(&object, "payload_bytes", send.payloadBytes < 0 ? nil : Int64(send.payloadBytes))
    add(&object, "provider", send.provider)
    add(&object, "campaign_id", send.campaign)
    add(&object, "error", send.error)
    let expects = send.expects.texts.map { quoted($0) }
    if !expects.isEmpty { object.add("expects", "[\(expects.joined(separator: ","))]") }
    add(&object, "token_kind", send.tokenKind)
    add(&object, "key_id", send.keyID)
    add(&object, "team_id", send.teamID)
    if send.jwtIssuedAt != .min {
      object.add("jwt_issued_at", quoted(Instant.text(send.jwtIssuedAt)))
    }
    add(&object, "sender", send.sender)
    if send.answeredAfter >= 0 {
      object.add("duration_ms", "\(Double(send.answeredAfter) / 1000)")
    }
    if send.receiptStatus != .absent || send.receiptReason != .absent {
      var receipt = Object()
      add(&receipt, "status", send.receiptStatus)
      add(&receipt, "reason", send.receiptReason)
      object.add("receipt", receipt.text + "}")
    }
    return object.text + "}"
  }

  /// The line of a device event, without a line end.
  func line(of event: EventRecord, source: String, line: Int, format: String) -> String {
    var object = begin(source, line, format, "event", event.at)
    object.add("event", quoted(text(event.name)))
    add(&object, "seq", event.sequence == .min ? nil : event.sequence)
    add(&object, "log_id", event.log)
    add(&object, "device_id", event.installation, event.installationText)
    let origin = workspace.records.origins[Int(event.origin)]
    for (key, symbol) in [
      ("bundle_id", origin.bundle), ("app_version", origin.version), ("build", origin.build),
      ("os_version", origin.os), ("device_model", origin.model),
    ] where symbol != .empty {
      object.add(key, quoted(text(symbol)))
    }
    add(&object, "notification_id", event.notification)
    add(&object, "apns_id", event.apns)
    add(&object, "request_id", event.request)
    add(&object, "collapse_id", event.collapse)
    add(&object, "device_token", event.token)
    if event.attributeCount > 0 { object.add("attrs", attributes(of: event)) }
    return object.text + "}"
  }

  private func begin(
    _ source: String, _ line: Int, _ format: String, _ kind: String, _ at: Int64
  ) -> Object {
    var object = Object()
    object.add("source", quoted(source))
    object.add("line", "\(line)")
    object.add("format", quoted(format))
    object.add("kind", quoted(kind))
    object.add("ts", quoted(Instant.text(at)))
    return object
  }

  private func attributes(of event: EventRecord) -> String {
    var object = Object()
    let first = Int(event.firstAttribute)
    let end = first + Int(event.attributeCount)
    var index = first
    while index < end {
      let key = workspace.records.attributes[index].key
      var values: [String] = []
      while index < end, workspace.records.attributes[index].key == key {
        values.append(value(workspace.records.attributes[index]))
        index += 1
      }
      let isList = values.count > 1
      object.add(text(key), isList ? "[\(values.joined(separator: ","))]" : values[0])
    }
    return object.text + "}"
  }

  private func value(_ attribute: Attribute) -> String {
    switch attribute.kind {
    case .text: return quoted(text(Symbol(index: UInt32(truncatingIfNeeded: attribute.bits))))
    case .integer: return String(attribute.bits)
    case .real: return "\(Double(bitPattern: UInt64(bitPattern: attribute.bits)))"
    case .boolean: return attribute.bits != 0 ? "true" : "false"
    case .null: return "null"
    case .emptyArray: return "[]"
    case .url:
      let form = workspace.records.urls[Int(attribute.bits)]
      let scheme = form.scheme == .empty ? "" : "\(text(form.scheme))://"
      let ending = form.ending == .empty ? "" : " .\(text(form.ending))"
      return quoted("\(scheme)\(text(form.host)) \(form.length)\(ending)")
    }
  }

  // MARK: Values

  private func text(_ symbol: Symbol) -> String { workspace.texts[Int(symbol.index)] }

  private func quoted(_ text: String) -> String { JSONText.quoted(text) }

  private func add(_ object: inout Object, _ key: String, _ value: TextValue) {
    switch value {
    case .absent: break
    case .null: object.add(key, "null")
    default: if let symbol = value.symbol { object.add(key, quoted(text(symbol))) }
    }
  }

  private func add(_ object: inout Object, _ key: String, _ number: Int64?) {
    if let number { object.add(key, String(number)) }
  }

  private func add(_ object: inout Object, _ key: String, _ identifier: Identifier) {
    add(&object, key, identifier.hash, identifier.text)
  }

  private func add(_ object: inout Object, _ key: String, _ hash: UInt64, _ range: TextRange) {
    if hash != 0 { object.add(key, quoted(workspace.records.text(range))) }
  }

  private func add(_ object: inout Object, _ key: String, _ value: HeaderValue) {
    switch value.kind {
    case .absent: break
    case .null: object.add(key, "null")
    case .number: object.add(key, String(value.bits))
    case .text:
      object.add(key, quoted(text(Symbol(index: UInt32(truncatingIfNeeded: value.bits)))))
    }
  }

  private func add(_ object: inout Object, _ key: String, _ token: TokenRecord) {
    guard token.isPresent else { return }
    func ends(_ word: UInt32) -> String {
      let bytes = (0..<4).map { UInt8(truncatingIfNeeded: word >> UInt32(24 - 8 * $0)) }
      return String(decoding: bytes.filter { $0 != 0 }, as: UTF8.self)
    }
    let isMasked = token.marks.contains(.masked)
    // The ends of a short text would be the text.
    let shown = token.length > 12 ? " \(ends(token.head))…\(ends(token.tail))" : ""
    object.add(key, quoted("token \(token.length)\(shown)\(isMasked ? " masked" : "")"))
  }
}

/// Texts in JSON.
public enum JSONText {
  /// A text as a JSON string.
  public static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\t": result += "\\t"
      case "\r": result += "\\r"
      default:
        if scalar.value < 0x20 {
          let digits = String(scalar.value, radix: 16)
          result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        } else {
          result.unicodeScalars.append(scalar)
        }
      }
    }
    return result + "\""
  }
}

/// Times as text.
enum Instant {
  /// UTC microseconds as RFC 3339 with six fraction digits.
  static func text(_ microseconds: Int64) -> String {
    let second = Int64(1_000_000)
    let fraction = ((microseconds % second) + second) % second
    let seconds = (microseconds - fraction) / second
    let days = (seconds - ((seconds % 86400) + 86400) % 86400) / 86400
    let rest = Int(seconds - days * 86400)
    // Days to a date of the Gregorian calendar, counted from a March 1st.
    let shifted = Int(days) + 719468
    let era = (shifted >= 0 ? shifted : shifted - 146096) / 146097
    let dayOfEra = shifted - era * 146097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let part = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * part + 2) / 5 + 1
    let month = part < 10 ? part + 3 : part - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    func padded(_ number: Int, _ width: Int) -> String {
      let digits = String(number)
      return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
    return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))T\(padded(rest / 3600, 2)):"
      + "\(padded(rest / 60 % 60, 2)):\(padded(rest % 60, 2)).\(padded(Int(fraction), 6))Z"
  }
}
