import PushModel

extension Gateway {
  /// Azure Notification Hubs: a native Apple notification is the APNs payload itself.
  static let azure = Gateway(
    name: .azureNh, title: "Azure Notification Hubs",
    mutableContent:
      "`aps.\"mutable-content\"` in the native body or in the registration's template",
    contentAvailable: "`aps.\"content-available\"` there",
    category: "`aps.category` there",
    ownKeys: "everything in the native body arrives as it stands; a template names what arrives",
    topKeys: ["aps", "body", "payload", "template", "headers", "tags"],
    translate: { request, message in
      for header in request["headers"]?.members ?? [] {
        message.set(header.key.lowercased(), header.value)
      }
      var body = request["body"] ?? request["payload"] ?? request
      if let text = body.text, let read = try? CaseJSON.read(Array(text.utf8)) { body = read }
      if body["aps"] != nil { message.payload = body }
    })
}
