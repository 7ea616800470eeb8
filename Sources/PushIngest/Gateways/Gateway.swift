public import PushModel

/// What a gateway makes of its own request: the payload and headers that reach APNs.
public struct GatewayMessage: Sendable {
  /// The APNs payload; nil where the request does not say what it is.
  public var payload: CaseValue?
  /// APNs headers that follow from the request.
  public var headers: [CaseValue.Member] = []
  /// How the request departs from what the gateway reads.
  public var faults: RequestFaults = []
  /// Where `mutable-content` stands instead, if the gateway does not read it there.
  public var misplacedMutable: Misplacement = []
  /// Where `content-available` stands instead.
  public var misplacedAvailable: Misplacement = []
  /// How the flag was written, where the gateway would have to read it and does not.
  public var mutableContent: FlagState?
  /// The same for `content-available`.
  public var contentAvailable: FlagState?
  /// Whether the request has a block of its own for what is shown, whatever is in it.
  public var meansAlert = false
  /// What a reader should know of the translation.
  public var remarks: [String] = []

  init() {}

  mutating func set(_ header: String, _ value: CaseValue?) {
    guard let value else { return }
    headers.removeAll { $0.key == header }
    headers.append(CaseValue.Member(header, value))
  }
}

/// One gateway: the spelling and place that it wants, and what it makes of a request.
public struct Gateway: Sendable {
  /// Name as in case files.
  public let name: Word
  /// Name for people.
  public let title: String
  /// Where `mutable-content` belongs in its request.
  public let mutableContent: String
  /// Where `content-available` belongs.
  public let contentAvailable: String
  /// Where the category belongs.
  public let category: String
  /// Which other keys of the sender arrive, and where.
  public let ownKeys: String
  /// Keys that its request may have at the top; a request with none of them is a fragment.
  let topKeys: Set<String>
  let translate: @Sendable (CaseValue, inout GatewayMessage) -> Void

  /// All gateways whose requests are understood.
  public static let all: [Gateway] = [
    .fcmV1, .fcmLegacy, .expo, .oneSignal, .sns, .gorush, .sygnal, .parse, .azure,
  ]

  /// The gateway of a provider's name, nil if its requests are not understood.
  public static func named(_ name: String) -> Gateway? {
    let lower = name.lowercased()
    let known = [
      "fcm": "fcm-v1", "firebase": "fcm-v1", "gcm": "fcm-legacy", "azure": "azure-nh",
      "notification-hubs": "azure-nh", "amazon-sns": "sns", "aws-sns": "sns", "exponent": "expo",
      "parse-server": "parse",
    ]
    let wanted = known[lower] ?? lower
    return all.first { $0.name.rawValue == wanted }
  }

  /// The gateway that only its request betrays, nil where the request is nobody's in particular.
  static func recognised(in request: CaseValue) -> Gateway? {
    func has(_ keys: String..., in value: CaseValue?) -> Bool {
      keys.contains { value?[$0] != nil }
    }
    if has("token", "topic", "condition", "notification", "apns", "android", in: request["message"])
      || request.value(at: "apns.payload") != nil
    {
      return .fcmV1
    }
    if has("MessageStructure", "TargetArn", "TopicArn", in: request) { return .sns }
    if has("ios_attachments", "contents", in: request) { return .oneSignal }
    if has("registration_ids", in: request) { return .fcmLegacy }
    let first = request[0] ?? request
    let target = first["to"]?.text ?? first["to"]?[0]?.text ?? ""
    if target.hasPrefix("ExponentPushToken[") || target.hasPrefix("ExpoPushToken[") { return .expo }
    if has("to", in: request), has("notification", "data", in: request) { return .fcmLegacy }
    if has("platform", "tokens", in: request["notifications"]?[0]) { return .gorush }
    if request.value(at: "notification.devices") != nil { return .sygnal }
    if has("where", "channels", in: request), has("data", in: request) { return .parse }
    return nil
  }

  /// What it makes of a request.
  public func message(from request: CaseValue) -> GatewayMessage {
    var message = GatewayMessage()
    let isOwn = request.members.contains { topKeys.contains($0.key) }
    guard isOwn else {
      message.faults.insert(.isFragment)
      // A flag somewhere in it was meant all the same; whether it is read is not known.
      if Flags.find(request, Flags.mutable) { message.misplacedMutable.insert(.gateway) }
      if Flags.find(request, Flags.available) { message.misplacedAvailable.insert(.gateway) }
      return message
    }
    translate(request, &message)
    let display = ["notification", "alert", "title", "body", "contents", "headings", "message"]
    let inner = [request, request["message"], request["data"], request["notifications"]?[0]]
    message.meansAlert = inner.compactMap { $0 }.contains { place in
      display.contains { key in
        // FCM's own `message` is the envelope of everything.
        place[key].map { key != "message" || $0.text != nil } ?? false
      }
    }
    return message
  }
}

/// Spellings of the two flags.
enum Flags {
  static let mutable = ["mutable-content", "mutable_content", "mutableContent", "mutablecontent"]
  static let available = [
    "content-available", "content_available", "contentAvailable", "contentavailable",
    "_contentAvailable",
  ]

  /// Whether a key is one of the spellings, or so near to them that nothing else is meant: other
  /// letter case, other joints, a slip of one or two letters.
  static func isSpelling(_ key: String, of spellings: [String]) -> Bool {
    if spellings.contains(key) { return true }
    func bare(_ text: String) -> [UInt8] {
      text.lowercased().utf8.filter { $0 &- 0x61 < 26 }
    }
    let wanted = bare(spellings[0])
    let given = bare(key)
    guard abs(given.count - wanted.count) <= 2, given.first == wanted.first else { return false }
    return distance(given, wanted) <= 2
  }

  /// How many letters differ, are missing or too many.
  private static func distance(_ first: [UInt8], _ second: [UInt8]) -> Int {
    var row = Array(0...second.count)
    for (place, letter) in first.enumerated() {
      var diagonal = row[0]
      row[0] = place + 1
      for (other, wanted) in second.enumerated() {
        let replaced = diagonal + (letter == wanted ? 0 : 1)
        diagonal = row[other + 1]
        row[other + 1] = min(replaced, diagonal + 1, row[other] + 1)
      }
    }
    return row[second.count]
  }

  /// Whether an object has one of the spellings as a key, besides the right one.
  static func stands(
    in object: CaseValue?, _ spellings: [String], besides right: String? = nil
  ) -> Bool {
    object?.members.contains { $0.key != right && isSpelling($0.key, of: spellings) } ?? false
  }

  /// Adds where the flags stand in a payload beside their own place.
  static func addMisplaced(in payload: CaseValue, to facts: inout Payload) {
    func places(_ spellings: [String]) -> Misplacement {
      var found: Misplacement = []
      for member in payload.members {
        if member.key != "aps" {
          if isSpelling(member.key, of: spellings) { found.insert(.besideAps) }
          continue
        }
        for inner in member.value.members {
          if inner.key != spellings[0], isSpelling(inner.key, of: spellings) {
            found.insert(.spelling)
          }
          if stands(in: inner.value, spellings) { found.insert(.insideAlert) }
        }
      }
      return found
    }
    facts.misplacedMutable.formUnion(places(mutable))
    facts.misplacedAvailable.formUnion(places(available))
  }

  /// Whether one of the spellings is a key anywhere in a value.
  static func find(_ value: CaseValue, _ spellings: [String]) -> Bool {
    switch value {
    case .object(let members):
      members.contains { isSpelling($0.key, of: spellings) || find($0.value, spellings) }
    case .list(let items): items.contains { find($0, spellings) }
    default: false
    }
  }

  /// How a flag stands by what iOS makes of it (F3.30 to F3.34).
  static func state(_ value: CaseValue) -> FlagState {
    switch value {
    case .null: .null
    case .bool(let flag): flag ? .on : .off
    case .text: .text
    case .list, .object: .container
    case .integer, .real:
      switch value.number ?? 0 {
      case ..<0: .negative
      case 0: .off
      case ..<1: .fraction
      default: .on
      }
    }
  }

  /// A flag that a gateway reads at one key of an object: on only for `true` or 1. Other spellings
  /// beside it are remembered as misplaced.
  static func read(
    _ object: CaseValue, _ right: String, _ spellings: [String], into aps: inout CaseValue,
    as key: String, _ misplaced: inout Misplacement, _ written: inout FlagState?
  ) {
    if let value = object[right] {
      switch state(value) {
      case .on: aps[key] = .integer(1)
      case let other:
        // The gateway tests for the number or for true; what it makes of a string is its business.
        written = other
      }
    }
    if stands(in: object, spellings, besides: right) { misplaced.insert(.gateway) }
  }
}

extension CaseValue {
  /// Puts a value under a key where there is one and the key is free.
  mutating func fill(_ key: String, _ value: CaseValue?) {
    guard let value, !value.isNull, self[key] == nil else { return }
    self[key] = value
  }

  /// An alert dictionary from the texts that gateways give; nil without any.
  static func alert(_ object: CaseValue, _ names: [(from: String, to: String)]) -> CaseValue? {
    var alert = CaseValue.object([])
    for (from, to) in names {
      if let value = object[from], !value.isNull { alert[to] = value }
    }
    return alert.members.isEmpty ? nil : alert
  }
}
