public import PushModel

/// Which release an event or a notification belongs to.
public struct ReleaseKey: Hashable, Sendable {
  /// Bundle id of the app.
  public var bundle: Symbol
  /// App version.
  public var version: Symbol
  /// Build.
  public var build: Symbol

  /// A release.
  public init(bundle: Symbol, version: Symbol, build: Symbol) {
    self.bundle = bundle
    self.version = version
    self.build = build
  }
}

/// Facts of one release that depend on the notification: which categories are claimed.
public struct ReleaseFacts: Sendable {
  /// Facts that do not.
  public var release: Release
  /// Categories that content extensions claim; nil if that is not known.
  public var claimedCategories: Set<UInt32>?

  /// Facts.
  public init(release: Release, claimedCategories: Set<UInt32>? = nil) {
    self.release = release
    self.claimedCategories = claimedCategories
  }
}

/// What the join needs beside the records: facts and counts that no installation holds.
public struct JoinContext: Sendable {
  /// Facts by release. A build of `empty` stands for any build of the version.
  public var releases: [ReleaseKey: ReleaseFacts] = [:]
  /// Payloads by the hash of their shape.
  public var payloads: [UInt64: Payload] = [:]
  /// Whether the send log records every success.
  public var sendLogComplete: Known<Bool> = .unknown
  /// OS versions by symbol.
  public var osVersions: [UInt32: OSVersion] = [:]
  /// Whether a symbol is the bundle id of an extension (it extends another bundle id that is known
  /// as a topic or app by a dotted part), and of which app.
  public var appOfExtension: [UInt32: Symbol] = [:]
  /// Environments by host symbol (F1.1, F1.2).
  public var environmentOfHost: [UInt32: Symbol] = [:]
  /// Form and base of topics by symbol.
  public var topics: [UInt32: (form: TopicForm, base: Symbol)] = [:]

  /// An empty context.
  public init() {}

  /// What is known of a release, in the very build or in any of its version.
  func facts(of origin: Origin, _ bundle: Symbol) -> ReleaseFacts? {
    releases[ReleaseKey(bundle: bundle, version: origin.version, build: origin.build)]
      ?? releases[ReleaseKey(bundle: bundle, version: origin.version, build: Symbol(.empty))]
  }
}

/// Settings, tokens and coverage of an installation before the window of records that is joined.
public struct CarriedState: Sendable {
  /// Runs of the counter outside the window.
  public var runs: [CoverageRun] = []
  /// Tokens registered outside the window.
  public var tokens: [TokenSpan] = []
  /// Nothing carried.
  public init() {}
}

/// When a token was registered by an installation.
public struct TokenSpan: Hashable, Sendable {
  /// The token.
  public var token: TokenRecord
  /// First and last registration, device clock, UTC microseconds.
  public var firstSeen: Int64
  /// Last registration.
  public var lastSeen: Int64
  /// Environment that was reported with it.
  public var environment: TextValue
  /// Kind of the token.
  public var kind: TextValue
  /// Where the first registration stands.
  public var reference: RecordReference

  /// A span.
  public init(
    token: TokenRecord, firstSeen: Int64, lastSeen: Int64, environment: TextValue,
    kind: TextValue, reference: RecordReference
  ) {
    self.token = token
    self.firstSeen = firstSeen
    self.lastSeen = lastSeen
    self.environment = environment
    self.kind = kind
    self.reference = reference
  }
}
