import PushModel

extension Gateway {
  /// Parse Server: it tests both flags for the number 1.
  static let parse = Gateway(
    name: .parse, title: "Parse Server",
    mutableContent: "`data.\"mutable-content\": 1`, a number",
    contentAvailable: "`data.\"content-available\": 1`, a number",
    category: "`data.category`",
    ownKeys: "other keys of `data` arrive beside `aps`",
    topKeys: [
      "data", "where", "channels", "alert", "badge", "sound", "title", "category",
      "content-available", "mutable-content", "content_available", "mutable_content",
      "contentAvailable", "mutableContent", "push_time", "expiration_time", "expiration_interval",
      "aps",
    ],
    translate: { request, message in
      let data = request["data"] ?? request
      var aps = data["aps"] ?? .object([])
      let own = ["alert", "badge", "sound", "category", "interruption-level"]
      for key in own { aps.fill(key, data[key]) }
      if let title = data["title"], case .text(let body)? = aps["alert"] {
        aps["alert"] = .object([
          CaseValue.Member("title", title), CaseValue.Member("body", .text(body)),
        ])
      }
      // Written through as they are: whether a string is taken is judged, not assumed.
      aps.fill("mutable-content", data["mutable-content"])
      aps.fill("content-available", data["content-available"])
      if Flags.stands(in: data, Flags.mutable, besides: "mutable-content") {
        message.misplacedMutable.insert(.gateway)
      }
      if Flags.stands(in: data, Flags.available, besides: "content-available") {
        message.misplacedAvailable.insert(.gateway)
      }
      var payload = CaseValue.object([CaseValue.Member("aps", aps)])
      let skipped = Set(
        own + ["title", "data", "where", "channels", "push_time", "expiration_time"]
          + ["expiration_interval"] + Flags.mutable + Flags.available)
      for member in data.members where !skipped.contains(member.key) {
        payload.fill(member.key, member.value)
      }
      message.payload = payload
    })
}
