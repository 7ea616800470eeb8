/// How far a sighting proves that a notification came.
public enum Stage: UInt8, Comparable, Sendable, BitwiseCopyable, CaseIterable {
  case none, sent, accepted, received, extensionRan, modified, presented, expanded, acted, woken,
    handled

  /// The word used in output and in the database.
  public var text: String {
    switch self {
    case .none: "none"
    case .sent: "sent"
    case .accepted: "accepted"
    case .received: "received"
    case .extensionRan: "extension-ran"
    case .modified: "modified"
    case .presented: "presented"
    case .expanded: "expanded"
    case .acted: "acted"
    case .woken: "woken"
    case .handled: "handled"
    }
  }

  /// Order by stage, number or certainty.
  public static func < (left: Stage, right: Stage) -> Bool { left.rawValue < right.rawValue }
}

/// What one step says about one chain.
public enum Outcome: UInt8, Sendable, BitwiseCopyable, CaseIterable {
  case notApplicable, holds, unknown, broken

  /// The word used in output and in the database.
  public var text: String {
    switch self {
    case .notApplicable: "not-applicable"
    case .holds: "holds"
    case .unknown: "unknown"
    case .broken: "broken"
    }
  }
}

/// How sure a broken step is of its cause.
public enum Confidence: UInt8, Comparable, Sendable, BitwiseCopyable, CaseIterable {
  case possible, likely, certain

  /// The word used in output and in the database.
  public var text: String {
    switch self {
    case .possible: "possible"
    case .likely: "likely"
    case .certain: "certain"
    }
  }

  /// Order by stage, number or certainty.
  public static func < (left: Confidence, right: Confidence) -> Bool {
    left.rawValue < right.rawValue
  }
}

/// What is said of a notification as a whole.
public enum Judgement: UInt8, Sendable, BitwiseCopyable, CaseIterable {
  /// What was meant is shown to have happened, or nothing beyond acceptance was meant.
  case asMeant
  /// It broke at a step.
  case broken
  /// Something meant is not shown to have happened, and no step is shown to be broken.
  case cannotTell
  /// A later sighting settles a step that a record calls broken.
  case conflicting

  /// The word used in output and in the database.
  public var text: String {
    switch self {
    case .asMeant: "as-meant"
    case .broken: "broken"
    case .cannotTell: "cannot-tell"
    case .conflicting: "conflicting"
    }
  }
}

/// Kinds of evidence that a step may need; the texts are the dotted names of case files.
public struct Needs: OptionSet, Hashable, Sendable, BitwiseCopyable {
  /// The bits.
  public let rawValue: UInt64
  /// The set of these bits.
  @inlinable public init(rawValue: UInt64) { self.rawValue = rawValue }
  /// The set of one need.
  @inlinable public init(_ need: Need) { rawValue = 1 << UInt64(need.rawValue) }

  /// The needs in it, cheapest first.
  public var all: [Need] { Need.byCost.filter { contains(Needs($0)) } }
}

/// One kind of evidence, cheapest to get first.
public enum Need: UInt8, CaseIterable, Sendable, BitwiseCopyable {
  case sendResponse, sendHeaders, sendToken, sendTokenKind, sendEnvironment, sendPayload
  case sendCredential, sendJWT, sendReceipt, sendExpects
  case receivedPayload
  case appEntitlements, appInfo, appPlugins, appDistribution, appBundleID, appCategories
  case appState, appDelegate
  case extensionInfo, extensionMinimumOS, extensionEntitlements, extensionLinks, extensionCode
  case deviceOS, deviceSettings, deviceNetwork, deviceTokens, deviceLock
  case eventsExtension, eventsApp, eventsContentExtension, eventsSequence
  case log, crashReport, media, mediaMagic, observed
  // Added later; the order above is part of stored data. How cheap they are, ``byCost`` says.
  case sendTokenEnvironment, sendSentAt, sends, sendHost, sendRequest, sendTokenRegistered
  case deviceOnline, mediaURL, mediaFileName, mediaContentType, mediaTypeHint, mediaHTTPStatus
  case mediaBytes, mediaTLS, appCallbacks, appFrameworks, claims

  /// All kinds, cheapest to get first: what a sender has at hand, then the built app, then what
  /// needs the phone.
  public static let byCost: [Need] = [
    .sendResponse, .sendSentAt, .sendTokenEnvironment, .sendTokenRegistered, .sends, .sendHost,
    .sendRequest, .sendHeaders, .sendToken, .sendTokenKind, .sendEnvironment, .sendPayload,
    .sendCredential, .sendJWT, .sendReceipt, .sendExpects, .deviceOnline, .receivedPayload,
    .mediaURL, .mediaFileName, .mediaContentType, .mediaTypeHint, .mediaHTTPStatus, .mediaBytes,
    .mediaTLS, .appEntitlements, .appInfo, .appPlugins, .appDistribution, .appBundleID,
    .appCategories, .appState, .appDelegate, .appCallbacks, .appFrameworks, .extensionInfo,
    .extensionMinimumOS, .extensionEntitlements, .extensionLinks, .extensionCode, .deviceOS,
    .deviceSettings, .deviceNetwork, .deviceTokens, .deviceLock, .eventsExtension, .eventsApp,
    .eventsContentExtension, .eventsSequence, .log, .crashReport, .media, .mediaMagic, .observed,
    .claims,
  ]

  /// Whether the sender has it: what was sent, and what was answered. The payload is the same on the
  /// phone.
  public var isOfSender: Bool {
    switch self {
    case .sendResponse, .sendHeaders, .sendToken, .sendTokenKind, .sendEnvironment, .sendPayload,
      .sendCredential, .sendJWT, .sendReceipt, .sendExpects, .sendTokenEnvironment, .sendSentAt,
      .sends, .sendHost, .sendRequest, .sendTokenRegistered, .receivedPayload:
      true
    default: false
    }
  }

  /// The part of a case file that holds such evidence.
  public var casePath: String {
    switch self {
    case .extensionInfo, .extensionMinimumOS, .extensionEntitlements, .extensionLinks,
      .extensionCode:
      "extensions"
    case .eventsExtension, .eventsApp, .eventsContentExtension, .eventsSequence: "events"
    case .crashReport: "log"
    case .deviceTokens: "send.newer_token_at"
    case .sendExpects: "symptom"
    default: text
    }
  }

  /// The dotted evidence name.
  public var text: String {
    switch self {
    case .sendResponse: "send.response"
    case .sendHeaders: "send.headers"
    case .sendToken: "send.token"
    case .sendTokenKind: "send.token_kind"
    case .sendEnvironment: "send.environment"
    case .sendPayload: "send.payload"
    case .sendCredential: "send.credential"
    case .sendJWT: "send.jwt"
    case .sendReceipt: "send.receipt"
    case .sendExpects: "send.expects"
    case .receivedPayload: "payload"
    case .appEntitlements: "app.entitlements"
    case .appInfo: "app.info"
    case .appPlugins: "app.plugins"
    case .appDistribution: "app.distribution"
    case .appBundleID: "app.bundle_id"
    case .appCategories: "app.registered_categories"
    case .appState: "app.state"
    case .appDelegate: "app.delegate"
    case .extensionInfo: "extensions.info"
    case .extensionMinimumOS: "extensions.min_os"
    case .extensionEntitlements: "extensions.entitlements"
    case .extensionLinks: "extensions.links"
    case .extensionCode: "extensions.code"
    case .deviceOS: "device.os"
    case .deviceSettings: "device.settings"
    case .deviceNetwork: "device.network"
    case .deviceTokens: "device.tokens"
    case .deviceLock: "device.locked"
    case .eventsExtension: "events.extension"
    case .eventsApp: "events.app"
    case .eventsContentExtension: "events.content_extension"
    case .eventsSequence: "events.seq"
    case .log: "log"
    case .crashReport: "log.crash_report"
    case .media: "media"
    case .mediaMagic: "media.magic"
    case .observed: "observed"
    case .sendTokenEnvironment: "send.token_environment"
    case .sendSentAt: "send.sent_at"
    case .sends: "sends"
    case .sendHost: "send.host"
    case .sendRequest: "send.request"
    case .sendTokenRegistered: "send.token_registered_at"
    case .deviceOnline: "device.online_since"
    case .mediaURL: "media.url"
    case .mediaFileName: "media.file_name"
    case .mediaContentType: "media.content_type"
    case .mediaTypeHint: "media.type_hint"
    case .mediaHTTPStatus: "media.http_status"
    case .mediaBytes: "media.bytes"
    case .mediaTLS: "media.tls"
    case .appCallbacks: "app.callbacks"
    case .appFrameworks: "app.frameworks"
    case .claims: "claims"
    }
  }
}

/// Where a step's evidence stands in its chain.
public struct Evidence: Equatable, Sendable, BitwiseCopyable {
  /// What the place counts.
  public enum Kind: UInt8, Sendable, BitwiseCopyable {
    case none, send, event, release, installation, newerToken, settings, categories, replacement
    case coverage, nextSend, storedArrival
    /// The send that ended the same Live Activity.
    case activityEnd
    /// A part of a case file; the place is the number of the ``Need`` that names it.
    case fact
    /// A comparison in a case file; the place counts them.
    case comparison
  }
  /// What the place counts.
  public var kind: Kind
  /// Place in ``Chain/sends`` or ``Chain/events``; 0 for the rest.
  public var place: UInt16

  /// Evidence at a place.
  @inlinable public init(_ kind: Kind, _ place: Int = 0) {
    self.kind = kind
    self.place = UInt16(truncatingIfNeeded: place)
  }

  /// A part of a case file.
  @inlinable public init(_ part: Need) { self.init(.fact, Int(part.rawValue)) }

  /// Nothing.
  @inlinable public static var none: Evidence { Evidence(.none) }
}

/// What one step says about one chain: codes and places, no text (texts are made when shown).
public struct StepResult: Sendable, BitwiseCopyable {
  /// What the step says.
  public var outcome: Outcome
  /// Why it is broken.
  public var cause: CauseID?
  /// How sure that is.
  public var confidence: Confidence
  /// What it rests on, up to three places.
  public var evidence: (Evidence, Evidence, Evidence)
  /// What is missing, if the outcome is unknown.
  public var needs: Needs
  /// With an unknown outcome: causes that the evidence fits, none of which it excludes. With a
  /// broken one: a further cause that holds at the same step.
  public var candidates: (CauseID?, CauseID?)
  /// A value for the sentence, whose meaning the step's file knows.
  public var value: Int64

  /// A result.
  @inlinable public init(
    _ outcome: Outcome, cause: CauseID? = nil, confidence: Confidence = .certain,
    evidence: Evidence = .none, _ second: Evidence = .none, _ third: Evidence = .none,
    needs: Needs = [], candidates: (CauseID?, CauseID?) = (nil, nil), value: Int64 = 0
  ) {
    self.outcome = outcome
    self.cause = cause
    self.confidence = confidence
    self.evidence = (evidence, second, third)
    self.needs = needs
    self.candidates = candidates
    self.value = value
  }

  /// The question does not arise.
  @inlinable public static var notApplicable: StepResult { StepResult(.notApplicable) }
}

/// The judgement over all outcomes of one chain.
public struct Verdict: Sendable, BitwiseCopyable {
  /// What is said as a whole.
  public var judgement: Judgement = .cannotTell
  /// The first broken step that matters for what was meant; with ``Judgement/cannotTell`` the step
  /// behind which sight was lost, if one can be named.
  public var step: StepID?
  /// The cause at that step.
  public var cause: CauseID?
  /// How sure that is.
  public var confidence: Confidence = .possible
  /// Last stage that was seen.
  public var stage: Stage = .none
  /// Evidence that is missing and would decide.
  public var needs: Needs = []

  /// A verdict of which nothing is decided.
  public init() {}
}
