import PushModel

extension LogAdapter {
  /// Delivery status of Amazon SNS mobile push: one JSON object per attempt.
  static let amazonSNS = LogAdapter(
    id: "amazon-sns",
    title: "Amazon SNS mobile push delivery status (CloudWatch Logs)",
    formatSource:
      "Amazon SNS Developer Guide, delivery status; plain, filter-log-events and Insights exports",
    side: .send,
    clock: "UTC without a zone mark, 1 to 3 fraction digits; when SNS handed the message over",
    absence: .neverProves(
      because:
        """
        successes are logged at the sampling rate that is set for the application, 0 by \
        default
        """),
    redacts: ["delivery.token", "delivery.destination", "delivery.providerResponse"],
    samples: [
      AdapterSample(
        #"{"notification":{"timestamp":"2026-03-01 10:00:00.41","messageId":"9d2a6f0c-55b1-5f0e-8a37-3b1c0f7e2d44"},"delivery":{"statusCode":200,"dwellTimeMs":83,"attempts":1,"token":"46509a0312bcebd9c24cc006547bdc1946951ab1a308516ab4339fc93154ef78","destination":"arn:aws:sns:eu-west-1:111122223333:endpoint/APNS/courier/2f0c7e5a-90ab-3d1e-b0f4-6a1d2c3b4e5f","providerResponse":"Success"},"status":"SUCCESS"}"#,
        expect: .record),
      AdapterSample(
        #"{"notification":{"timestamp":"2026-03-01 10:00:00.9","messageId":"9d2a6f0c-55b1-5f0e-8a37-3b1c0f7e2d44"},"delivery":{"statusCode":400,"attempts":1,"token":"51c435c3a019fe20a9d5fc60012b9a81865c2228dc42ea9d62af58162667162b","destination":"arn:aws:sns:eu-west-1:111122223333:endpoint/APNS_SANDBOX/courier/7b1d","providerResponse":"{\"reason\":\"BadDeviceToken\"}"},"status":"FAILURE"}"#,
        expect: .record),
      AdapterSample(
        #"{"notification":{"messageId":"9d2a"},"delivery":{"statusCode":200,"destination":"arn:aws:sns:eu-west-1:1:endpoint/APNS/c/1"},"status":"SUCCESS"}"#,
        expect: .unreadable),
      AdapterSample(
        #"{"notification":{"timestamp":"2026-03-01 10:00:00.41","messageId":"9d2a"},"delivery":{"statusCode":200,"destination":"arn:aws:sns:eu-west-1:1:endpoint/GCM/c/1"},"status":"SUCCESS"}"#,
        expect: .skip),
    ],
    fields: [
      (
        "notification.messageId",
        "the sender's own id: what Publish returned; one for all of a topic"
      ),
      ("delivery.statusCode", "what APNs answered; a 200 in a FAILURE is not APNs'"),
      ("delivery.providerResponse", "APNs' reason, as JSON or as a word"),
      (
        "delivery.destination", "environment and kind of push: endpoint/APNS, endpoint/APNS_SANDBOX"
      ),
      (
        "status",
        "SUCCESS means that APNs took it. Successes are sampled: a missing one proves nothing"
      ),
    ],
    prepare: { head, workspace in
      Envelope.setup(head, workspace) { SNSReader.fits($0, $1) }
    },
    read: { piece, workspace in
      Envelope.read(piece, workspace) { SNSReader.visit($0, $1, &$2, workspace) }
    })
}

private enum SNSReader {
  static let outer = KeySet(["notification", "delivery", "status"])

  enum Field: UInt8, FieldCode {
    case none, notification, delivery, status, timestamp, messageID, statusCode, attempts, token
    case destination, response
  }
  static let table = FieldTable<Field>([
    ("notification", .notification), ("delivery", .delivery), ("status", .status),
    ("timestamp", .timestamp), ("messageId", .messageID), ("statusCode", .statusCode),
    ("attempts", .attempts), ("token", .token), ("destination", .destination),
    ("providerResponse", .response),
  ])

  static func fits(_ json: JSONTape, _ object: Int) -> Bool {
    outer.found(in: json, object) == 0b111
  }

  struct Draft {
    var send = SendRecord()
    var hasTime = false
    var statusCode: Int64?
    var isSuccess: Bool?
    var destination: ByteText?
    var response: ByteText?
  }

  static func visit(
    _ json: JSONTape, _ object: Int, _ envelope: inout Envelope, _ workspace: ParseWorkspace
  ) -> Envelope.Answer {
    guard fits(json, object) else { return .lookInside }
    var draft = Draft()
    read(json, object, 0, &draft, workspace)
    guard let destination = draft.destination, let place = destination.find("endpoint/APNS") else {
      if draft.destination != nil {
        envelope.sawOther = true
      } else {
        envelope.failure = ("delivery.destination", "is missing")
      }
      return .passOver
    }
    if !draft.hasTime {
      guard let at = envelope.at else {
        envelope.failure = ("notification.timestamp", "is missing or no time")
        return .passOver
      }
      draft.send.at = at
    }
    guard let isSuccess = draft.isSuccess else {
      envelope.failure = ("status", "is neither SUCCESS nor FAILURE")
      return .passOver
    }
    let kind = destination.part(place + 9, destination.count)
    let isSandbox = kind.find("SANDBOX/") != nil
    draft.send.environment = TextValue(Symbol(isSandbox ? .sandbox : .production))
    if kind.starts(with: "APNS_VOIP") { draft.send.pushType = TextValue(Symbol(.voip)) }
    let code = draft.statusCode ?? 200
    if isSuccess {
      GatewayAnswer.accepted(&draft.send, Symbol(.sns))
    } else {
      let reason = draft.response.map { SNSReader.reason($0, workspace) } ?? Symbol(.empty)
      GatewayAnswer.refused(&draft.send, Symbol(.sns), reason: reason, workspace)
      // APNs' own answer, handed on.
      if code != 200, (1...999).contains(code) {
        draft.send.status = Int32(code)
        draft.send.receiptStatus = .absent
        draft.send.receiptReason = .absent
        draft.send.reason = reason == .empty ? .absent : TextValue(reason)
      }
    }
    workspace.records.sends.append(draft.send)
    envelope.took()
    return .taken
  }

  private static func read(
    _ json: JSONTape, _ object: Int, _ depth: Int, _ draft: inout Draft,
    _ workspace: ParseWorkspace
  ) {
    for (key, value) in json.fields(object) {
      let cell = Cell(json, value)
      switch table.field(key) {
      case .notification, .delivery:
        if depth == 0, json.kind(value) == .object { read(json, value, 1, &draft, workspace) }
      case .status:
        draft.isSuccess = cell.isWord("SUCCESS") ? true : cell.isWord("FAILURE") ? false : nil
      case .timestamp:
        if let at = cell.time(workspace, isUTC: true) {
          draft.send.at = at
          draft.hasTime = true
        }
      case .messageID: draft.send.notification = cell.identifier(workspace)
      case .statusCode: draft.statusCode = cell.whole
      case .attempts:
        if let attempts = cell.whole, (1...1000).contains(attempts) {
          draft.send.attempt = Int32(attempts)
        }
      case .token: draft.send.token = cell.token(workspace)
      case .destination: draft.destination = cell.text
      case .response: draft.response = cell.text
      case .none: break
      }
    }
  }

  /// The reason inside what the provider answered: `{"reason":"…"}`, or `status=…` of the old binary
  /// protocol, or a word.
  private static func reason(_ text: ByteText, _ workspace: ParseWorkspace) -> Symbol {
    let starts: [StaticString] = ["\"reason\":", "status=", "\"error\":"]
    for start in starts {
      guard let found = text.find(start) else { continue }
      var from = found + start.utf8CodeUnitCount
      while from < text.count, text[from] == 0x20 || text[from] == 0x22 { from += 1 }
      var end = from
      while end < text.count, (text[end] | 0x20) &- 0x61 < 26 { end += 1 }
      if end > from { return workspace.symbol(text.part(from, end)) }
    }
    if text.isPlainWord { return workspace.symbol(text) }
    return text.find("isabled") != nil ? Symbol(.endpointDisabled) : Symbol(.empty)
  }
}
