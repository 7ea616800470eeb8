import PushModel

extension Gateway {
  /// sygnal: the pusher's `default_payload` is the APNs payload; the event's ids are added.
  static let sygnal = Gateway(
    name: .sygnal, title: "sygnal",
    mutableContent: "`default_payload.aps.\"mutable-content\"` of the pusher",
    contentAvailable: "`default_payload.aps.\"content-available\"` of the pusher",
    category: "`default_payload.aps.category` of the pusher",
    ownKeys: "`room_id`, `event_id` and counts arrive beside `aps`",
    topKeys: ["notification", "default_payload", "devices", "data", "pushers"],
    translate: { request, message in
      let device = (request["notification"] ?? request)["devices"]?[0] ?? request
      let given = device["data"]?["default_payload"] ?? request["default_payload"]
      guard let given else { return }
      var payload = given
      if given["aps"] == nil {
        if Flags.find(given, Flags.mutable) { message.misplacedMutable.insert(.besideAps) }
        payload["aps"] = .object([])
      }
      message.payload = payload
    })
}
