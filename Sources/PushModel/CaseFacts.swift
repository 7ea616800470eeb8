/// What was seen to be wrong, as a case file words it.
public enum Symptom: String, CaseIterable, Sendable {
  case nothingArrived = "nothing-arrived"
  case plainInsteadOfRich = "plain-instead-of-rich"
  case noAvatar = "no-avatar"
  case noImage = "no-image"
  case noActions = "no-actions"
  case noCustomUI = "no-custom-ui"
  case noSound = "no-sound"
  case duplicate
  case late
  case notUpdated = "not-updated"
  case buildOrInstallError = "build-or-install-error"
  case sendRefused = "send-refused"
  case appNotWoken = "app-not-woken"
  case other

  /// What was meant where the payload does not say; empty where the symptom says nothing of it.
  public var meaning: Meaning {
    switch self {
    case .plainInsteadOfRich, .buildOrInstallError: .modified
    case .noAvatar: .communication
    case .noImage: .media
    case .noActions: .actions
    case .noCustomUI: .customView
    case .noSound: [.plain, .sound]
    case .notUpdated: .liveActivity
    case .appNotWoken: .silent
    case .nothingArrived, .duplicate, .late, .sendRefused, .other: []
    }
  }
}

/// How a gateway's own request departs from what that gateway reads.
public struct RequestFaults: OptionSet, Hashable, Sendable {
  /// The bits.
  public let rawValue: UInt8
  /// The set of these bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }
  /// APNs headers stand inside the payload, where they are custom data.
  public static let headersInPayload = RequestFaults(rawValue: 1)
  /// The APNs block has a payload without `aps`.
  public static let payloadWithoutAps = RequestFaults(rawValue: 2)
  /// `aps` or another key of APNs stands where the gateway does not look.
  public static let apnsKeysAtTop = RequestFaults(rawValue: 4)
  /// The request has none of the gateway's own keys: a library's structure of which nothing is known.
  public static let isFragment = RequestFaults(rawValue: 8)
}

/// What a case file knows beyond the two own logs: the whole evidence, and typed views of its parts.
///
/// An absent key is unknown, null is known to be missing. Nothing of this exists in a pipeline.
public struct CaseFacts: Sendable {
  /// `evidence` of the case file, as it was written.
  public var evidence: CaseValue
  /// How each request departs from what its gateway reads; one entry for each send of the chain.
  public var requestFaults: [RequestFaults] = []
  /// Whether an answer of the gateway alone called the token or handle invalid.
  public var gatewayCallsTokenInvalid = false

  /// The facts of this evidence.
  public init(evidence: CaseValue = .object([])) { self.evidence = evidence }

  /// What is known at a dotted path.
  public func known(_ path: String) -> Known<CaseValue> { Known(evidence.value(at: path)) }

  /// A text at a dotted path.
  public func text(_ path: String) -> Known<String> { known(path).read(\.text) }

  /// A number at a dotted path.
  public func number(_ path: String) -> Known<Double> { known(path).read(\.number) }

  /// A truth value at a dotted path.
  public func bool(_ path: String) -> Known<Bool> { known(path).read(\.bool) }

  /// What was seen to be wrong.
  public var symptom: Symptom? { evidence["symptom"]?.text.flatMap(Symptom.init(rawValue:)) }

  /// The last send: the only one, or the last of `sends`.
  public var send: CasePart {
    CasePart(evidence["send"] ?? evidence["sends"]?.items.last)
  }

  /// All sends.
  public var sends: [CasePart] {
    if let send = evidence["send"] { return [CasePart(send)] }
    return (evidence["sends"]?.items ?? []).map { CasePart($0) }
  }

  /// Faults of the last request.
  public var lastRequestFaults: RequestFaults { requestFaults.last ?? [] }

  /// The file meant to be shown.
  public var media: MediaFacts { MediaFacts(part: CasePart(evidence["media"])) }
  /// The built app.
  public var app: AppFacts { AppFacts(part: CasePart(evidence["app"])) }
  /// The phone.
  public var device: CasePart { CasePart(evidence["device"]) }
  /// The extensions, in their order.
  public var extensions: [ExtensionFacts] {
    (evidence["extensions"]?.items ?? []).map { ExtensionFacts(part: CasePart($0)) }
  }
  /// The service extension: the one that says so, or the only one that says nothing.
  public var service: ExtensionFacts? {
    let all = extensions
    return all.first { $0.isService } ?? (all.count == 1 && all[0].kind.isUnknown ? all[0] : nil)
  }
  /// The content extensions.
  public var contentExtensions: [ExtensionFacts] { extensions.filter(\.isContent) }
  /// Comparisons that were seen.
  public var comparisons: [Comparison] {
    (evidence["observed"]?.items ?? []).map { Comparison($0) }
  }
}

/// One part of a case file, or nothing of it.
public struct CasePart: Sendable {
  /// The part as it was written; nil where the file does not have it.
  public let value: CaseValue?

  /// A part.
  public init(_ value: CaseValue?) { self.value = value }

  /// What is known at a dotted path inside it.
  public func known(_ path: String) -> Known<CaseValue> { Known(value?.value(at: path)) }
  /// A text inside it.
  public func text(_ path: String) -> Known<String> { known(path).read(\.text) }
  /// A number inside it.
  public func number(_ path: String) -> Known<Double> { known(path).read(\.number) }
  /// A truth value inside it.
  public func bool(_ path: String) -> Known<Bool> { known(path).read(\.bool) }
  /// Texts of an array inside it; a text alone counts as one.
  public func texts(_ path: String) -> Known<[String]> {
    known(path).read { value in
      switch value {
      case .text(let text): [text]
      case .list(let items): items.compactMap(\.text)
      default: nil
      }
    }
  }
}

/// The file meant to be shown.
public struct MediaFacts: Sendable {
  /// The part as it was written.
  public let part: CasePart
  /// Its address.
  public var url: Known<String> { part.text("url") }
  /// The final HTTP status.
  public var httpStatus: Known<Double> { part.number("http_status") }
  /// MIME type that the server gave.
  public var contentType: Known<String> { part.text("content_type") }
  /// Size in bytes.
  public var bytes: Known<Double> { part.number("bytes") }
  /// Name of the local file.
  public var fileName: Known<String> { part.text("file_name") }
  /// What the first bytes are.
  public var magic: Known<String> { part.text("magic").map { $0.lowercased() } }
  /// State of the secure connection.
  public var tls: Known<String> { part.text("tls") }
  /// Type hint that was given to iOS.
  public var typeHint: Known<String> { part.text("type_hint") }
}

/// The built app.
public struct AppFacts: Sendable {
  /// The part as it was written.
  public let part: CasePart
  /// File names found in PlugIns.
  public var plugins: Known<[String]> { part.texts("plugins") }
  /// An entitlement by its real name.
  public func entitlement(_ name: String) -> Known<CaseValue> {
    part.known("entitlements").read { $0 }.value.map { Known($0[name]) }
      ?? (part.known("entitlements").isMissing ? .missing : .unknown)
  }
  /// A key of Info.plist by its real name.
  public func info(_ name: String) -> Known<CaseValue> { part.known("info.\(name)") }
  /// State at arrival.
  public var state: Known<String> { part.text("state") }
  /// SDK name and version.
  public var frameworks: [CaseValue.Member] { part.value?["frameworks"]?.members ?? [] }
}

/// One `.appex`.
public struct ExtensionFacts: Sendable {
  /// The part as it was written.
  public let part: CasePart
  /// `service`, `content`, `action`, `share` or `widget`.
  public var kind: Known<String> { part.text("kind") }
  /// `swift` or `objc`.
  public var language: Known<String> { part.text("language") }
  /// Its extension point, as it stands in the plist.
  public var point: Known<String> { part.text("info.NSExtension.NSExtensionPointIdentifier") }
  /// A key of Info.plist by its real name.
  public func info(_ name: String) -> Known<CaseValue> { part.known("info.\(name)") }
  /// A key inside `NSExtension`.
  public func entry(_ name: String) -> Known<CaseValue> { info("NSExtension.\(name)") }
  /// A key inside `NSExtension.NSExtensionAttributes`.
  public func attribute(_ name: String) -> Known<CaseValue> {
    info("NSExtension.NSExtensionAttributes.\(name)")
  }
  /// An entitlement by its real name.
  public func entitlement(_ name: String) -> Known<CaseValue> {
    AppFacts(part: part).entitlement(name)
  }
  /// An observation about its code.
  public func code(_ name: String) -> Known<String> { part.text("code.\(name)") }
  /// Whether it is, or was meant to be, the service extension.
  public var isService: Bool {
    kind.value == "service"
      || (kind.isUnknown && point.value == Word.comAppleUsernotificationsService.rawValue)
  }
  /// Whether it is a content extension.
  public var isContent: Bool {
    kind.value == "content"
      || (kind.isUnknown && point.value == Word.comAppleUsernotificationsContentExtension.rawValue)
  }
}

/// One comparison that was seen: what differed, and what came of it.
public struct Comparison: Sendable {
  /// What differed: dotted paths of the case file and their values.
  public let with: [CaseValue.Member]
  /// What was seen: `arrived`, `rich`, `avatar`, `image`, `extension_ran`, …
  public let seen: [(name: String, isTrue: Bool)]

  /// A comparison as a case file writes it.
  public init(_ value: CaseValue) {
    with = value["with"]?.members ?? []
    seen = value.members.compactMap { member in
      member.key == "with" ? nil : member.value.bool.map { (name: member.key, isTrue: $0) }
    }
  }

  /// What was seen of one thing.
  public func result(_ name: String) -> Bool? { seen.first { $0.name == name }?.isTrue }

  /// The value of a path that differed, nil where it is not named.
  public func value(_ path: String) -> CaseValue? { with.first { $0.key == path }?.value }
}

/// The facts of a case in a chain; a class, so that a chain without them carries one empty word.
public final class CaseScrap: Sendable {
  /// The facts.
  public let facts: CaseFacts

  /// A scrap with these facts.
  public init(_ facts: CaseFacts) { self.facts = facts }
}
