import PushModel

extension Gateway {
  /// Amazon SNS: the APNs payload is a JSON text inside the JSON text `Message`.
  static let sns = Gateway(
    name: .sns, title: "Amazon SNS",
    mutableContent: "`aps.\"mutable-content\"` in the JSON text under `APNS` of `Message`",
    contentAvailable: "`aps.\"content-available\"` in the JSON text under `APNS` of `Message`",
    category: "`aps.category` in that text",
    ownKeys: "everything in that text arrives as it stands; other keys of `Message` do not",
    topKeys: [
      "Message", "MessageStructure", "MessageAttributes", "TargetArn", "TopicArn", "APNS",
      "APNS_SANDBOX", "APNS_VOIP", "APNS_VOIP_SANDBOX", "default", "Subject",
    ],
    translate: { request, message in
      var inner = request["Message"] ?? request
      let isStructured = request["MessageStructure"]?.text == "json" || request["Message"] == nil
      if let text = inner.text {
        guard isStructured, let read = try? CaseJSON.read(Array(text.utf8)) else {
          // Without `MessageStructure: json` the text itself is the alert.
          message.payload = .object([
            CaseValue.Member("aps", .object([CaseValue.Member("alert", .text(text))]))
          ])
          return
        }
        inner = read
      }
      let attributes = request["MessageAttributes"]
      func attribute(_ name: String) -> CaseValue? {
        let value = attributes?[name]
        return value?["StringValue"] ?? (value?.text == nil ? nil : value)
      }
      message.set("apns-topic", attribute("AWS.SNS.MOBILE.APNS.TOPIC"))
      message.set("apns-push-type", attribute("AWS.SNS.MOBILE.APNS.PUSH_TYPE"))
      message.set("apns-priority", attribute("AWS.SNS.MOBILE.APNS.PRIORITY"))
      message.set("apns-collapse-id", attribute("AWS.SNS.MOBILE.APNS.COLLAPSE_ID"))
      for name in ["APNS", "APNS_SANDBOX", "APNS_VOIP", "APNS_VOIP_SANDBOX"] {
        guard let value = inner[name] else { continue }
        if let text = value.text, let read = try? CaseJSON.read(Array(text.utf8)) {
          message.payload = read
        } else {
          // SNS wants a text here and refuses an object.
          message.faults.insert(.apnsKeysAtTop)
          message.payload = value
        }
        return
      }
      if let text = inner["default"]?.text {
        message.payload = .object([
          CaseValue.Member("aps", .object([CaseValue.Member("alert", .text(text))]))
        ])
        message.remarks.append("only `default` is there, so SNS sends its text as a plain alert")
      }
      if inner["aps"] != nil { message.faults.insert(.apnsKeysAtTop) }
    })
}
