import PushModel

extension Gateway {
  /// gorush's request.
  static let gorush = Gateway(
    name: .gorush, title: "gorush",
    mutableContent: "`mutable_content: true`",
    contentAvailable: "`content_available: true`",
    category: "`category`",
    ownKeys: "`data` arrives beside `aps`",
    topKeys: [
      "notifications", "tokens", "platform", "message", "title", "alert", "badge", "category",
      "content_available", "mutable_content", "topic", "push_type", "data", "sound",
      "mutable-content", "content-available", "mutableContent", "contentAvailable",
    ],
    translate: { request, message in
      let request = request["notifications"]?[0] ?? request
      var aps = CaseValue.object([])
      var alert = request["alert"] ?? .object([])
      if case .object = alert {
        alert.fill("title", request["title"])
        alert.fill("body", request["message"])
      }
      if alert != .object([]) { aps["alert"] = alert }
      aps.fill("sound", request["sound"])
      aps.fill("badge", request["badge"])
      aps.fill("category", request["category"])
      aps.fill("interruption-level", request["interruption_level"])
      Flags.read(
        request, "mutable_content", Flags.mutable, into: &aps, as: "mutable-content",
        &message.misplacedMutable, &message.mutableContent)
      Flags.read(
        request, "content_available", Flags.available, into: &aps, as: "content-available",
        &message.misplacedAvailable, &message.contentAvailable)
      message.set("apns-topic", request["topic"])
      message.set("apns-push-type", request["push_type"])
      message.set("apns-collapse-id", request["collapse_id"])
      message.set("apns-expiration", request["expiration"])
      switch request["priority"]?.text {
      case "high"?: message.set("apns-priority", .integer(10))
      case "normal"?: message.set("apns-priority", .integer(5))
      default: break
      }
      guard !aps.members.isEmpty || request["data"] != nil else { return }
      var payload = CaseValue.object([])
      for member in request["data"]?.members ?? [] { payload.fill(member.key, member.value) }
      payload["aps"] = aps
      message.payload = payload
    })
}
