import PushIngest
import PushModel
import Testing

/// A request to a gateway and what has to reach APNs.
struct GatewayRequest: Sendable, CustomTestStringConvertible {
  let name: String
  let request: String
  /// The APNs payload as JSON; nil where the request does not say it.
  let payload: String?
  var headers: [String: CaseValue] = [:]
  var faults: RequestFaults = []
  var isMutableMisplaced = false

  var testDescription: String { "\(name): \(request.prefix(60))" }

  static let all: [GatewayRequest] = [
    // FCM v1 passes `apns` through; `notification` gives the alert, `data` stands beside `aps`.
    GatewayRequest(
      name: "fcm-v1",
      request: #"""
        {"message":{"token":"t","notification":{"title":"T","body":"B"},"data":{"k":"v"},
        "apns":{"headers":{"apns-priority":"5"},"payload":{"aps":{"mutable-content":1}}}}}
        """#,
      payload: #"{"aps":{"mutable-content":1,"alert":{"title":"T","body":"B"}},"k":"v"}"#,
      headers: ["apns-priority": .text("5")]),
    GatewayRequest(
      name: "fcm-v1",
      request:
        #"{"message":{"apns":{"payload":{"aps":{"alert":"A"},"headers":{"apns-priority":"5"}}}}}"#,
      payload: #"{"aps":{"alert":"A"},"headers":{"apns-priority":"5"}}"#,
      faults: .headersInPayload),
    GatewayRequest(
      name: "fcm-v1", request: #"{"message":{"apns":{"payload":{"alert":"A"}}}}"#,
      payload: #"{"alert":"A","aps":{}}"#, faults: .payloadWithoutAps),
    GatewayRequest(
      name: "fcm-v1", request: #"{"message":{"token":"t"}}"#, payload: nil),
    // The old request has its flags at the top; other keys of `notification` get a prefix.
    GatewayRequest(
      name: "fcm-legacy",
      request: #"""
        {"to":"t","mutable_content":true,"priority":"high",
        "notification":{"title":"T","click_action":"C","mutable-content":1}}
        """#,
      payload: #"""
        {"gcm.notification.mutable-content":1,
        "aps":{"alert":{"title":"T"},"category":"C","mutable-content":1}}
        """#,
      headers: ["apns-priority": .integer(10)]),
    GatewayRequest(
      name: "fcm-legacy",
      request: #"{"to":"t","mutable-content":true,"notification":{"body":"B"}}"#,
      payload: #"{"aps":{"alert":{"body":"B"}}}"#, isMutableMisplaced: true),
    GatewayRequest(
      name: "expo",
      request:
        #"{"to":"x","title":"T","body":"B","mutableContent":true,"categoryId":"C","data":{"k":1}}"#,
      payload: #"""
        {"aps":{"alert":{"title":"T","body":"B"},"category":"C","mutable-content":1},
        "body":{"k":1}}
        """#),
    // Attachments make OneSignal set the flag.
    GatewayRequest(
      name: "onesignal",
      request: #"""
        {"contents":{"en":"B"},"headings":{"en":"T"},
        "ios_attachments":{"id":"https://a.example.test/b.jpg"}}
        """#,
      payload: #"""
        {"aps":{"alert":{"title":"T","body":"B"},"mutable-content":1},"custom":{},
        "att":{"id":"https://a.example.test/b.jpg"}}
        """#),
    // SNS wants texts inside texts.
    GatewayRequest(
      name: "sns",
      request: #"""
        {"MessageStructure":"json","Message":"{\"APNS\":\"{\\\"aps\\\":{\\\"alert\\\":\\\"A\\\"}}\"}",
        "MessageAttributes":{"AWS.SNS.MOBILE.APNS.PUSH_TYPE":{"StringValue":"alert"}}}
        """#,
      payload: #"{"aps":{"alert":"A"}}"#, headers: ["apns-push-type": .text("alert")]),
    GatewayRequest(
      name: "sns", request: #"{"Message":"plain text","TargetArn":"a"}"#,
      payload: #"{"aps":{"alert":"plain text"}}"#),
    GatewayRequest(
      name: "gorush",
      request: #"""
        {"notifications":[{"platform":2,"title":"T","message":"B","mutable_content":true,
        "topic":"com.example.courier","push_type":"alert","priority":"normal","data":{"k":1}}]}
        """#,
      payload: #"{"k":1,"aps":{"alert":{"title":"T","body":"B"},"mutable-content":1}}"#,
      headers: [
        "apns-topic": .text("com.example.courier"), "apns-push-type": .text("alert"),
        "apns-priority": .integer(5),
      ]),
    GatewayRequest(
      name: "sygnal",
      request: #"{"default_payload":{"aps":{"mutable-content":1,"alert":{"loc-key":"X"}}}}"#,
      payload: #"{"aps":{"mutable-content":1,"alert":{"loc-key":"X"}}}"#),
    GatewayRequest(
      name: "parse", request: #"{"data":{"alert":"A","title":"T","mutable_content":1,"k":1}}"#,
      payload: #"{"aps":{"alert":{"title":"T","body":"A"}},"k":1}"#, isMutableMisplaced: true),
    GatewayRequest(
      name: "azure-nh", request: #"{"aps":{"alert":"A"},"k":1}"#,
      payload: #"{"aps":{"alert":"A"},"k":1}"#),
    // A library's own structure says nothing of what is sent.
    GatewayRequest(
      name: "fcm-v1", request: #"{"options":{"mutable_content":true}}"#, payload: nil,
      faults: .isFragment, isMutableMisplaced: true),
  ]
}

@Suite struct GatewayTests {
  @Test("a request becomes the payload that reaches APNs", arguments: GatewayRequest.all)
  func translation(_ row: GatewayRequest) throws {
    let gateway = try #require(Gateway.named(row.name))
    let message = gateway.message(from: try CaseJSON.read(Array(row.request.utf8)))
    let wanted = try row.payload.map { try CaseJSON.read(Array($0.utf8)) }
    #expect(sorted(message.payload) == sorted(wanted), "\(row.testDescription)")
    for (name, value) in row.headers {
      #expect(message.headers.first { $0.key == name }?.value == value, "\(name)")
    }
    #expect(message.faults == row.faults)
    #expect(message.misplacedMutable.isEmpty == !row.isMutableMisplaced)
  }

  @Test("every gateway says which spelling it wants")
  func spellings() {
    #expect(Gateway.all.count == 9)
    for gateway in Gateway.all {
      for text in [gateway.mutableContent, gateway.contentAvailable, gateway.category] {
        #expect(text.contains("`"), "\(gateway.title)")
      }
    }
  }

  /// The same value with the keys of all objects in order: the order in a payload means nothing.
  private func sorted(_ value: CaseValue?) -> CaseValue? {
    switch value {
    case .object(let members)?:
      .object(
        members.map { CaseValue.Member($0.key, sorted($0.value) ?? .null) }
          .sorted { $0.key < $1.key })
    case .list(let items)?: .list(items.map { sorted($0) ?? .null })
    default: value
    }
  }
}
