import PushModel

extension Gateway {
  /// OneSignal's REST request.
  static let oneSignal = Gateway(
    name: .onesignal, title: "OneSignal",
    mutableContent: "`mutable_content: true` (implied by `ios_attachments`)",
    contentAvailable: "`content_available: true`",
    category: "`ios_category`",
    ownKeys:
      "`data` arrives as `custom.a`, attachments as `att`, the notification's id as `custom.i`",
    topKeys: [
      "contents", "headings", "subtitle", "data", "ios_attachments", "mutable_content",
      "content_available", "ios_category", "ios_sound", "ios_interruption_level", "template_id",
      "app_id", "included_segments", "include_aliases", "include_player_ids",
      "include_subscription_ids", "mutable-content", "content-available", "mutableContent",
      "contentAvailable",
    ],
    translate: { request, message in
      func text(_ key: String) -> CaseValue? {
        let value = request[key]
        return value?["en"] ?? value?.members.first?.value
      }
      var aps = CaseValue.object([])
      var alert = CaseValue.object([])
      alert.fill("title", text("headings"))
      alert.fill("subtitle", text("subtitle"))
      alert.fill("body", text("contents"))
      if !alert.members.isEmpty { aps["alert"] = alert }
      aps.fill("sound", request["ios_sound"])
      aps.fill("category", request["ios_category"])
      aps.fill("interruption-level", request["ios_interruption_level"])
      Flags.read(
        request, "mutable_content", Flags.mutable, into: &aps, as: "mutable-content",
        &message.misplacedMutable, &message.mutableContent)
      Flags.read(
        request, "content_available", Flags.available, into: &aps, as: "content-available",
        &message.misplacedAvailable, &message.contentAvailable)
      let attachments = request["ios_attachments"]
      if let attachments, !attachments.isNull { aps["mutable-content"] = .integer(1) }
      let hasContent =
        !aps.members.isEmpty || request["data"] != nil || request["contents"] != nil
      // A template holds the texts elsewhere.
      guard hasContent, request["template_id"] == nil else { return }
      var custom = CaseValue.object([])
      custom.fill("a", request["data"])
      var payload = CaseValue.object([CaseValue.Member("aps", aps)])
      payload["custom"] = custom
      payload.fill("att", attachments)
      message.payload = payload
    })
}
