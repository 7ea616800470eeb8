import PushModel

extension Gateway {
  /// Expo's push service.
  static let expo = Gateway(
    name: .expo, title: "Expo",
    mutableContent: "`mutableContent: true`",
    contentAvailable: "`_contentAvailable: true`",
    category: "`categoryId`",
    ownKeys: "`data` arrives as one object beside `aps`, under `body`",
    topKeys: [
      "to", "title", "body", "subtitle", "data", "sound", "badge", "categoryId", "mutableContent",
      "_contentAvailable", "priority", "ttl", "expiration", "interruptionLevel", "channelId",
      "richContent", "mutable-content", "mutable_content", "content-available",
      "contentAvailable",
    ],
    translate: { request, message in
      let request = request[0] ?? request
      var aps = CaseValue.object([])
      aps.fill(
        "alert",
        .alert(request, [("title", "title"), ("subtitle", "subtitle"), ("body", "body")]))
      aps.fill("sound", request["sound"])
      aps.fill("badge", request["badge"])
      aps.fill("category", request["categoryId"])
      aps.fill("interruption-level", request["interruptionLevel"])
      Flags.read(
        request, "mutableContent", Flags.mutable, into: &aps, as: "mutable-content",
        &message.misplacedMutable, &message.mutableContent)
      Flags.read(
        request, "_contentAvailable", Flags.available, into: &aps, as: "content-available",
        &message.misplacedAvailable, &message.contentAvailable)
      if let data = request["data"] {
        if Flags.find(data, Flags.mutable) { message.misplacedMutable.insert(.besideAps) }
        if Flags.find(data, Flags.available) { message.misplacedAvailable.insert(.besideAps) }
      }
      let hasContent = !aps.members.isEmpty || request["data"] != nil
      guard hasContent else { return }
      var payload = CaseValue.object([CaseValue.Member("aps", aps)])
      payload.fill("body", request["data"])
      message.payload = payload
    })
}
