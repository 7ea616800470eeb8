import PushModel

extension Gateway {
  /// FCM's old HTTP request: flags at the top, in underscores; FCM makes the APNs keys (F3.5).
  static let fcmLegacy = Gateway(
    name: .fcmLegacy, title: "FCM legacy HTTP",
    mutableContent: "top-level `mutable_content: true`",
    contentAvailable: "top-level `content_available: true`",
    category: "`notification.click_action`",
    ownKeys: "`data` arrives beside `aps`; other keys of `notification` as `gcm.notification.…`",
    topKeys: [
      "to", "registration_ids", "condition", "notification", "data", "content_available",
      "mutable_content", "priority", "time_to_live", "collapse_key", "dry_run", "aps",
      "content-available", "mutable-content", "contentAvailable", "mutableContent",
    ],
    translate: { request, message in
      let hasContent =
        request["notification"] != nil || request["data"] != nil
        || request["content_available"] != nil
      var payload = CaseValue.object([])
      var aps = CaseValue.object([])
      if let notification = request["notification"] {
        aps.fill(
          "alert",
          .alert(
            notification,
            [
              ("title", "title"), ("subtitle", "subtitle"), ("body", "body"),
              ("title_loc_key", "title-loc-key"), ("body_loc_key", "loc-key"),
            ]))
        aps.fill("sound", notification["sound"])
        aps.fill("badge", notification["badge"])
        aps.fill("category", notification["click_action"])
        let own: Set<String> = [
          "title", "subtitle", "body", "title_loc_key", "title_loc_args", "body_loc_key",
          "body_loc_args", "sound", "badge", "click_action", "android_channel_id", "icon", "tag",
          "color", "image",
        ]
        for member in notification.members where !own.contains(member.key) {
          payload["gcm.notification.\(member.key)"] = member.value
        }
      }
      Flags.read(
        request, "mutable_content", Flags.mutable, into: &aps, as: "mutable-content",
        &message.misplacedMutable, &message.mutableContent)
      Flags.read(
        request, "content_available", Flags.available, into: &aps, as: "content-available",
        &message.misplacedAvailable, &message.contentAvailable)
      if request["aps"] != nil { message.faults.insert(.apnsKeysAtTop) }
      for member in request["data"]?.members ?? [] { payload.fill(member.key, member.value) }
      switch request["priority"]?.text {
      case "high"?: message.set("apns-priority", .integer(10))
      case "normal"?: message.set("apns-priority", .integer(5))
      default: break
      }
      guard hasContent else { return }
      payload["aps"] = aps
      message.payload = payload
    })
}
