public import PushModel

/// One push of one kind that is right: request, app and the events that a good run logs. `explain`
/// prints it, `check` and the tests run it.
public struct PushExample: Sendable {
  /// A key of an Info.plist or of the entitlements that this kind of push needs.
  public struct Setting: Sendable {
    /// Where it stands.
    public enum Place: String, Sendable {
      case appInfo = "app, Info.plist"
      case appEntitlements = "app, entitlements"
      case extensionInfo = "extension, Info.plist"
      case extensionEntitlements = "extension, entitlements"
    }
    /// Where it stands.
    public let place: Place
    /// Its key, below the keys that hold it.
    public let path: [String]
    /// Its value.
    public let value: PlainJSON

    init(_ place: Place, _ path: String..., value: PlainJSON) {
      self.place = place
      self.path = path
      self.value = value
    }
  }

  /// One event of the device log.
  public struct Event: Sendable {
    /// Its name.
    public let name: String
    /// Milliseconds after the request was sent.
    public let at: Int64
    /// Its attributes.
    public let attributes: PlainJSON

    init(_ name: String, at: Int64, _ attributes: PlainJSON = [:]) {
      self.name = name
      self.at = at
      self.attributes = attributes
    }
  }

  /// What people type.
  public let id: String
  /// Other ways to write it.
  public let aliases: [String]
  /// Name for headings.
  public let title: String
  /// What it is for, and what is easily missed.
  public let summary: String
  /// Checklist that it walks.
  public let kind: ChainKind
  /// What it is meant to be.
  public let meaning: Meaning
  /// Path of the request, with a placeholder for the token.
  public let path: String
  /// Kind of the token, as in the send log; nil for a broadcast.
  public let tokenKind: String?
  /// Headers in the order in which they are shown.
  public let headers: [(name: String, value: String)]
  /// Body of the request.
  public let payload: PlainJSON
  /// Keys of the app and its extension.
  public let settings: [Setting]
  /// What the app's code has to do.
  public let duties: [String]
  /// Names of extensions (`.appex`) that the app has, with their kinds.
  public let extensions: [(file: String, kind: String)]
  /// Categories that the app registers.
  public let categories: [String]
  /// Events of a good run, in their order; empty where only the request is judged.
  public let events: [Event]
  /// Facts that it rests on.
  public let facts: [FactID]

  init(
    _ id: String, aliases: [String] = [], title: String, _ summary: String, kind: ChainKind,
    meaning: Meaning, path: String = "/3/device/<token>", tokenKind: String?,
    headers: [(name: String, value: String)], payload: PlainJSON, settings: [Setting] = [],
    duties: [String] = [], extensions: [(file: String, kind: String)] = [],
    categories: [String] = [], events: [Event] = [], facts: [FactID]
  ) {
    self.id = id
    self.aliases = aliases
    self.title = title
    self.summary = summary
    self.kind = kind
    self.meaning = meaning
    self.path = path
    self.tokenKind = tokenKind
    self.headers = headers
    self.payload = payload
    self.settings = settings
    self.duties = duties
    self.extensions = extensions
    self.categories = categories
    self.events = events
    self.facts = facts
  }

  /// Bundle id of the example's app.
  public static let bundle = "com.example.courier"
  /// A token for examples: no phone has it.
  public static let token = String(repeating: "0123456789abcdef", count: 4)
  /// Id of the notification in its payload.
  public static let notificationID = "order-4711"

  /// A kind of push by its name, nil if there is none of it.
  public static func find(_ text: String) -> PushExample? {
    let wanted = text.lowercased()
    return all.first { $0.id == wanted || $0.aliases.contains(wanted) }
  }

  // MARK: As a case file

  /// The example as a case file, the form that `check` reads.
  public var caseFile: PlainJSON {
    var send: [PlainJSON.Member] = [
      .init(key: "provider", value: "apns"), .init(key: "environment", value: "production"),
      .init(
        key: "headers",
        value: .object(headers.map { .init(key: $0.name, value: PushExample.header($0.value)) })),
      .init(key: "payload", value: payload),
    ]
    if let tokenKind {
      send.append(.init(key: "token", value: .text(PushExample.token)))
      send.append(.init(key: "token_kind", value: .text(tokenKind)))
    }
    send.append(.init(key: "sent_at", value: "2026-01-01T10:00:00Z"))
    send.append(.init(key: "response", value: ["status": 200]))
    var evidence: [PlainJSON.Member] = [.init(key: "send", value: .object(send))]
    if tokenKind != nil {
      evidence.append(.init(key: "app", value: app))
      if !extensions.isEmpty { evidence.append(.init(key: "extensions", value: appexes)) }
      evidence.append(
        .init(
          key: "device",
          value: ["os": "18.2", "settings": ["authorization": "authorized", "alerts": true]]))
    }
    if !events.isEmpty {
      evidence.append(
        .init(
          key: "events",
          value: .array(
            events.map {
              [
                "event": .text($0.name), "ts": .text(PushExample.time($0.at)),
                "attrs": $0.attributes,
              ]
            })))
    }
    return ["title": .text(title), "evidence": .object(evidence)]
  }

  private static func header(_ text: String) -> PlainJSON {
    Int64(text).map { .number($0) } ?? .text(text)
  }

  /// A time after the moment of the request, RFC 3339; examples stay within one hour.
  private static func time(_ milliseconds: Int64) -> String {
    func two(_ number: Int64) -> String { (number < 10 ? "0" : "") + String(number) }
    let rest = milliseconds % 1000
    let fraction = String(String(1000 + rest).dropFirst())
    let seconds = milliseconds / 1000
    return "2026-01-01T10:\(two(seconds / 60)):\(two(seconds % 60)).\(fraction)Z"
  }

  private var app: PlainJSON {
    var members: [PlainJSON.Member] = [
      .init(key: "bundle_id", value: .text(PushExample.bundle)),
      .init(key: "version", value: "1.0"), .init(key: "min_os", value: "16.0"),
      .init(key: "distribution", value: "app-store"),
    ]
    members.append(.init(key: "info", value: tree(.appInfo)))
    var entitlements: [PlainJSON.Member] = [.init(key: "aps-environment", value: "production")]
    entitlements += tree(.appEntitlements).members
    members.append(.init(key: "entitlements", value: .object(entitlements)))
    members.append(.init(key: "plugins", value: .array(extensions.map { .text($0.file) })))
    if !categories.isEmpty {
      members.append(
        .init(key: "registered_categories", value: .array(categories.map { .text($0) })))
    }
    return .object(members)
  }

  private var appexes: PlainJSON {
    .array(
      extensions.map { file, kind in
        let name = String(file.prefix { $0 != "." })
        return [
          "file": .text(file), "kind": .text(kind),
          "bundle_id": .text(PushExample.bundle + "." + name.lowercased()), "min_os": "16.0",
          "language": "swift", "info": tree(.extensionInfo),
          "entitlements": tree(.extensionEntitlements),
        ]
      })
  }

  /// The settings of one file, nested as in the file.
  public func tree(_ place: Setting.Place) -> PlainJSON {
    var root: PlainJSON = [:]
    for setting in settings where setting.place == place {
      root = PushExample.insert(setting.value, at: setting.path[...], into: root)
    }
    return root
  }

  private static func insert(
    _ value: PlainJSON, at path: ArraySlice<String>, into object: PlainJSON
  ) -> PlainJSON {
    guard let key = path.first else { return value }
    var members = object.members
    if let place = members.firstIndex(where: { $0.key == key }) {
      members[place] = .init(
        key: key, value: insert(value, at: path.dropFirst(), into: members[place].value))
    } else {
      members.append(.init(key: key, value: insert(value, at: path.dropFirst(), into: [:])))
    }
    return .object(members)
  }
}
