public import PushModel

/// Puts inputs that are no case file into the evidence of one: the same reader reads all of them.
public struct CheckInputs: Sendable {
  /// The evidence so far.
  public var evidence: CaseValue
  /// What was passed over.
  public var notes: [FieldNote] = []

  /// The evidence of a case file, or none.
  public init(evidence: CaseValue = .object([])) { self.evidence = evidence }

  /// Sets a value at a part and a key of it.
  private mutating func set(_ part: String, _ key: String, _ value: CaseValue) {
    var inner = evidence[part] ?? .object([])
    inner[key] = value
    evidence[part] = inner
  }

  /// Adds a payload, as it was sent: JSON, also an `.apns` file, or the body of a gateway's request.
  public mutating func add(payload bytes: [UInt8]) throws(CaseProblem) {
    let value = try CaseJSON.read(bytes)
    // A body without `aps` that only one gateway takes is a request to that gateway.
    if value["aps"] == nil, Gateway.recognised(in: value) != nil {
      // Some take a list of messages; the first one is looked at.
      set("send", "request", value[0] ?? value)
      return
    }
    guard case .object = value else {
      throw CaseProblem(path: "", reason: "is \(value.kind)", help: "expected a JSON object")
    }
    set("send", "payload", value)
    if (evidence.value(at: "send.payload_bytes")) == nil {
      set("send", "payload_bytes", .integer(Int64(CaseJSON.write(value).count)))
    }
  }

  /// Adds headers: a JSON object, or one `name: value` a line.
  public mutating func add(headers bytes: [UInt8]) throws(CaseProblem) {
    let before = evidence
    var headers = evidence.value(at: "send.headers") ?? .object([])
    let isJSON = bytes.first { $0 > 0x20 } == 0x7b
    if isJSON {
      let value = try CaseJSON.read(bytes)
      for member in value.members { add(member.key, member.value, to: &headers) }
    } else {
      let text = String(decoding: bytes, as: UTF8.self)
      // Of an HTTP trace each line ends with CR LF, which is one character of its own.
      let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      for (number, raw) in lines.enumerated() {
        // What curl prints has an arrow in front.
        let line = trimmed(raw.drop { $0 == ">" || $0 == "<" || $0 == "*" || $0 == " " })
        if line.isEmpty || line.hasPrefix("#") { continue }
        let start = line.hasPrefix(":") ? line.index(after: line.startIndex) : line.startIndex
        guard let colon = line[start...].firstIndex(of: ":") else {
          // The request line of a trace: `POST /3/device/… HTTP/2`.
          if line.uppercased().contains("HTTP/") { continue }
          throw CaseProblem(
            path: "line \(number + 1)", reason: "has no colon",
            help: "write one 'name: value' a line, or a JSON object")
        }
        let value = trimmed(line[line.index(after: colon)...])
        add(
          String(line[..<colon]), Int64(value).map { .integer($0) } ?? .text(value), to: &headers)
      }
    }
    if headers.members.isEmpty, evidence == before {
      throw CaseProblem(
        path: "", reason: "holds no header of a request to APNs",
        help: "give lines such as 'apns-topic: com.example.app'; a payload goes to '--payload'")
    }
    set("send", "headers", headers)
  }

  private mutating func add(_ name: String, _ value: CaseValue, to headers: inout CaseValue) {
    let name = trimmed(Substring(name)).lowercased()
    switch name {
    case "host", ":authority": if value.text != nil { set("send", "host", value) }
    case "authorization": readToken(value.text ?? "")
    case ":path": if let text = value.text { readPath(text) }
    default: if name.hasPrefix("apns-") { headers[name] = value }
    }
  }

  /// The token in the path of a request.
  private mutating func readPath(_ path: String) {
    guard let last = path.split(separator: "/").last, path.contains("/3/device/") else { return }
    set("send", "token", .text(String(last)))
  }

  /// Key id, team and nothing else of a JWT; the signature is not looked at.
  private mutating func readToken(_ text: String) {
    let parts = text.split(separator: " ").last?.split(separator: ".") ?? []
    guard parts.count == 3 else { return }
    var jwt = evidence.value(at: "send.jwt") ?? .object([])
    for (place, key) in [(0, "kid"), (1, "iss")] {
      guard let bytes = Base64.decode(Array(parts[place].utf8)),
        let json = try? CaseJSON.read(bytes),
        let value = json[key]
      else { continue }
      jwt[key] = value
    }
    if !jwt.members.isEmpty { set("send", "jwt", jwt) }
  }

  /// Adds an answer: `{"status":…,"reason":…}`, a body alone, or a whole HTTP answer as text.
  public mutating func add(response bytes: [UInt8]) throws(CaseProblem) {
    var answer = evidence.value(at: "send.response") ?? .object([])
    let text = String(decoding: bytes, as: UTF8.self)
    if bytes.first(where: { $0 > 0x20 }) == 0x7b {
      for member in try CaseJSON.read(bytes).members { answer[member.key] = member.value }
      if let headers = answer["headers"] {
        answer.fill("apns_id", headers["apns-id"])
        answer["headers"] = nil
      }
    } else {
      for raw in text.split(whereSeparator: \.isNewline) {
        let line = trimmed(raw.drop { $0 == "<" || $0 == " " })
        let lower = line.lowercased()
        if lower.hasPrefix("http/") {
          let parts = line.split(separator: " ")
          if parts.count > 1, let status = Int64(parts[1]) { answer["status"] = .integer(status) }
        } else if lower.hasPrefix("apns-id:") {
          answer["apns_id"] = .text(trimmed(line[line.index(line.startIndex, offsetBy: 8)...]))
        } else if let status = Int64(line) {
          answer["status"] = .integer(status)
        }
      }
      if let start = text.firstIndex(of: "{"), let end = text.lastIndex(of: "}"), start < end,
        let body = try? CaseJSON.read(Array(text[start...end].utf8))
      {
        for member in body.members { answer[member.key] = member.value }
      }
      if answer.members.isEmpty {
        throw CaseProblem(
          path: "", reason: "holds neither a status nor a JSON body",
          help: "give {\"status\":400,\"reason\":\"BadDeviceToken\"} or the whole answer of curl -i"
        )
      }
    }
    set("send", "response", answer)
  }

  /// The phone's iOS version.
  public mutating func add(deviceOS: String) { set("device", "os", .text(deviceOS)) }

  /// Adds the facts of a built app, in the form that facts of releases have: names as in case
  /// files, the extensions inside. An app is given whole, so an entitlement that is not in its facts
  /// is not there; a plist, an entitlements file or an extension alone says nothing of what the app
  /// lacks.
  public mutating func add(release: CaseValue) {
    var app = release
    let isWhole = app["bundle_id"] != nil
    let prefix = "com.apple.developer.usernotifications"
    if isWhole, var entitlements = release["entitlements"] {
      let names = [
        "aps-environment", "\(prefix).communication", "\(prefix).time-sensitive",
        "\(prefix).critical-alerts",
      ]
      for name in names where entitlements[name] == nil { entitlements[name] = .null }
      app["entitlements"] = entitlements
    }
    if let extensions = release["extensions"] {
      evidence["extensions"] = extensions
      if isWhole, app["plugins"] == nil {
        app["plugins"] = .list(
          extensions.items.map {
            $0["file"] ?? .text("\($0["bundle_id"]?.text ?? "extension").appex")
          })
      }
    }
    app["extensions"] = nil
    evidence["app"] = app
  }

  /// What was seen to be wrong.
  public mutating func add(symptom: Symptom) { evidence["symptom"] = .text(symptom.rawValue) }

  // MARK: Logs

  /// Adds what logs say of one notification, behind what a case file holds.
  public mutating func add(_ part: LogSplit.Part) {
    let events = (evidence["events"]?.items ?? []) + part.events
    let lines = (evidence["log"]?.items ?? []) + part.lines
    if !events.isEmpty { evidence["events"] = .list(events) }
    if !lines.isEmpty { evidence["log"] = .list(lines) }
  }

  /// Ids that the request and its answer give: they name the notification in a log.
  public var sentIDs: [String] {
    var found: [String] = []
    for member in evidence.value(at: "send.headers")?.members ?? [] {
      if ["apns-id", "apns-collapse-id"].contains(member.key.lowercased()),
        let id = member.value.text
      {
        found.append(id)
      }
    }
    if let id = evidence.value(at: "send.response.apns_id")?.text { found.append(id) }
    return found
  }

  private func trimmed(_ text: Substring) -> String {
    var rest = text.drop { $0 == " " || $0 == "\t" }
    while let last = rest.last, last == " " || last == "\t" || last == "\r" || last == "\r\n" {
      rest = rest.dropLast()
    }
    return String(rest)
  }
}
