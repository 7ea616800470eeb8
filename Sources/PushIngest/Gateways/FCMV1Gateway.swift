import PushModel

extension Gateway {
  /// FCM's HTTP v1: the APNs block is passed through as it is (F3.5).
  static let fcmV1 = Gateway(
    name: .fcmV1, title: "FCM HTTP v1",
    mutableContent: "`apns.payload.aps.\"mutable-content\"`",
    contentAvailable: "`apns.payload.aps.\"content-available\"`",
    category: "`apns.payload.aps.category`",
    ownKeys: "`data` arrives beside `aps`; keys of `apns.payload` arrive as they stand",
    topKeys: [
      "message", "validate_only", "notification", "data", "apns", "token", "topic", "condition",
      "android", "webpush", "fcm_options", "name",
    ],
    translate: { request, message in
      let body = request["message"] ?? request
      let apns = body["apns"]
      // Keys of APNs, or of FCM's old request, that v1 does not know at these places.
      for place in [request, body, body["notification"], apns].compactMap({ $0 }) {
        if Flags.stands(in: place, Flags.mutable) {
          message.misplacedMutable.insert(.gateway)
        }
        if Flags.stands(in: place, Flags.available) {
          message.misplacedAvailable.insert(.gateway)
        }
      }
      for place in [request, body, apns].compactMap({ $0 }) where place["aps"] != nil {
        message.faults.insert(.apnsKeysAtTop)
      }
      for header in apns?["headers"]?.members ?? [] {
        message.set(header.key.lowercased(), header.value)
      }
      if let token = apns?["live_activity_token"] { message.set("live-activity-token", token) }
      let given = apns?["payload"]
      if given == nil, body["notification"] == nil, body["data"] == nil {
        // Nothing of the content is here.
        return
      }
      var payload = given ?? .object([])
      if let given, case .object(let members) = given {
        if given["headers"] != nil { message.faults.insert(.headersInPayload) }
        let isOnlyFlags = members.allSatisfy {
          Flags.isSpelling($0.key, of: Flags.mutable)
            || Flags.isSpelling($0.key, of: Flags.available)
        }
        if given["aps"] == nil, !members.isEmpty, !isOnlyFlags {
          message.faults.insert(.payloadWithoutAps)
        }
      }
      var aps = payload["aps"] ?? .object([])
      if let notification = body["notification"] {
        aps.fill("alert", .alert(notification, [("title", "title"), ("body", "body")]))
      }
      payload["aps"] = aps
      for member in body["data"]?.members ?? [] { payload.fill(member.key, member.value) }
      let options = apns?["fcm_options"]
      let image = options?["image"] ?? body["notification"]?["image"]
      if let image { payload["fcm_options"] = .object([CaseValue.Member("image", image)]) }
      message.payload = payload
    })
}
