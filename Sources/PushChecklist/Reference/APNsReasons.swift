public import PushModel

/// Whose fault a refusal is.
public enum RefusalClass: String, Sendable, CaseIterable {
  /// The life of the token.
  case token = "T"
  /// A request or header that was built wrong.
  case request = "R"
  /// Key, certificate, topic or connection.
  case credential = "K"
  /// The payload.
  case payload = "L"
  /// Too much at once.
  case volume = "V"
  /// Apple's side.
  case apple = "X"

  /// What has to be looked at.
  public var text: String {
    switch self {
    case .token: "the life of the token"
    case .request: "a request or header that was built wrong"
    case .credential: "key, certificate, topic or connection"
    case .payload: "the payload"
    case .volume: "too much at once"
    case .apple: "Apple's side"
    }
  }
}

/// When a refused request may be repeated (F2.0).
public enum RetryAdvice: String, Sendable, CaseIterable {
  case never
  case afterFix = "after a fix"
  case once = "once, with a new JWT"
  case later = "after a delay"
  case newConnection = "on a new connection"
  case quarterHour = "after 15 minutes, then with growing pauses"

  /// The advice as a sentence.
  public var text: String { self == .never ? "Never, as it is." : "Again \(rawValue)." }
}

/// One row of APNs' table of reasons (F2.0).
public struct APNsReason: Sendable {
  /// HTTP status that it comes with.
  public let status: Int
  /// The reason, as APNs writes it.
  public let reason: String
  /// What it means.
  public let meaning: String
  /// Whose fault it is.
  public let classes: [RefusalClass]
  /// When to repeat the request.
  public let retry: RetryAdvice
  /// The step that it is about.
  public let step: StepID

  init(
    _ status: Int, _ reason: String, _ meaning: String, _ classes: [RefusalClass],
    _ retry: RetryAdvice, _ step: StepID
  ) {
    self.status = status
    self.reason = reason
    self.meaning = meaning
    self.classes = classes
    self.retry = retry
    self.step = step
  }

  /// Causes that it may stand for, likeliest first.
  public var causes: [CauseID] {
    switch reason {
    case "BadCollapseId": [.collapseIdTooLong]
    case "BadDeviceToken":
      [
        .tokenEnvMismatch, .tokenMalformed, .tokenWrongSystem, .tokenKindMismatch,
        .providerCredentialEnv,
      ]
    case "BadExpirationDate": [.expirationInMilliseconds]
    case "BadTopic": [.topicWrong, .topicSuffix]
    case "DeviceTokenNotForTopic": [.topicWrong, .topicSuffix, .tokenKindMismatch]
    case "MissingTopic": [.topicMissing]
    case "TopicDisallowed": [.topicSuffix, .topicWrong]
    case "BadCertificate", "InvalidProviderToken", "MissingProviderToken": [.providerAuthInvalid]
    case "BadCertificateEnvironment", "UnrelatedKeyIdInToken", "Forbidden",
      "BadEnvironmentKeyIdInToken", "BadEnvironmentKeyInToken":
      [.providerKeyScope]
    case "ExpiredProviderToken": [.providerJwtExpired, .providerClockSkew]
    case "TooManyProviderTokenUpdates": [.providerJwtChurn, .providerClockSkew]
    case "ExpiredToken", "Unregistered": [.tokenUnregistered]
    case "PayloadTooLarge": [.payloadTooLarge]
    case "TooManyRequests", "InternalServerError", "ServiceUnavailable", "Shutdown":
      [.apnsThrottled]
    case "IdleTimeout": []
    default: [.requestMalformed]
    }
  }

  /// A reason by its text, nil if it is in no table; unknown reasons are kept raw (F2.5).
  public static func find(_ reason: String) -> APNsReason? { all.first { $0.reason == reason } }

  /// What a status without a known reason means.
  public static func meaning(ofStatus status: Int) -> String {
    switch status {
    case 0: "no answer came"
    case 200: "APNs took it"
    case 400: "the request is wrong"
    case 403: "the credential is not accepted"
    case 410: "the token is not active"
    case 413: "the payload is too large"
    case 429: "too many requests"
    case 500...599: "Apple's side failed"
    default: "not in Apple's table"
    }
  }

  /// All reasons, by status and name.
  public static let all: [APNsReason] = [
    APNsReason(
      400, "BadCollapseId",
      "The collapse id is longer than 64 bytes.", [.request], .afterFix,
      .priorityAndExpiration),
    APNsReason(
      400, "BadDeviceToken",
      "Malformed, of another service, or of the other environment.", [.token, .credential], .never,
      .tokenEnvironment),
    APNsReason(
      400, "BadExpirationDate",
      "The expiration is not a number of Unix seconds.", [.request], .afterFix,
      .priorityAndExpiration),
    APNsReason(
      400, "BadMessageId",
      "`apns-id` is not a UUID.", [.request], .afterFix,
      .requestShape),
    APNsReason(
      400, "BadPriority",
      "The priority is not 10, 5 or 1.", [.request], .afterFix,
      .requestShape),
    APNsReason(
      400, "BadTopic",
      "The topic cannot be one.", [.request], .afterFix,
      .topic),
    APNsReason(
      400, "DeviceTokenNotForTopic",
      "The token belongs to another app or kind than the topic says. One token: the token; all tokens: the set-up.",
      [.token, .credential], .never,
      .topic),
    APNsReason(
      400, "DuplicateHeaders",
      "A header was sent twice.", [.request], .afterFix,
      .requestShape),
    APNsReason(
      400, "IdleTimeout",
      "The connection was idle for too long.", [.apple], .newConnection,
      .apnsAccepted),
    APNsReason(
      400, "InvalidPushType",
      "The push type does not exist.", [.request], .afterFix,
      .requestShape),
    APNsReason(
      400, "MissingDeviceToken",
      "The path has no token.", [.request], .afterFix,
      .requestShape),
    APNsReason(
      400, "MissingTopic",
      "No topic, and the credential covers several.", [.request], .afterFix,
      .topic),
    APNsReason(
      400, "PayloadEmpty",
      "The request has no body.", [.payload], .afterFix,
      .requestShape),
    APNsReason(
      400, "TopicDisallowed",
      "The credential may not send to this topic.", [.credential], .afterFix,
      .topic),
    APNsReason(
      403, "BadCertificate",
      "The certificate is not valid.", [.credential], .afterFix,
      .providerAuth),
    APNsReason(
      403, "BadCertificateEnvironment",
      "The certificate is of the other environment.", [.credential], .afterFix,
      .providerAuth),
    APNsReason(
      403, "ExpiredProviderToken",
      "The JWT is more than an hour away from APNs' time.", [.credential], .once,
      .providerAuth),
    APNsReason(
      403, "Forbidden",
      "The action is not allowed.", [.credential], .never,
      .providerAuth),
    APNsReason(
      403, "InvalidProviderToken",
      "Signature, key id or team id of the JWT is wrong.", [.credential], .afterFix,
      .providerAuth),
    APNsReason(
      403, "MissingProviderToken",
      "Neither certificate nor JWT.", [.credential], .afterFix,
      .providerAuth),
    APNsReason(
      403, "UnrelatedKeyIdInToken",
      "The key is not the one that was used first on this connection.", [.credential],
      .newConnection,
      .providerAuth),
    APNsReason(
      403, "BadEnvironmentKeyIdInToken",
      "The key is limited to the other environment.", [.credential], .afterFix,
      .providerAuth),
    APNsReason(
      403, "BadEnvironmentKeyInToken",
      "The same as `BadEnvironmentKeyIdInToken`, as APNs writes it in practice.", [.credential],
      .afterFix,
      .providerAuth),
    APNsReason(
      404, "BadPath",
      "The path is wrong.", [.request], .afterFix,
      .requestShape),
    APNsReason(
      405, "MethodNotAllowed",
      "The request is no POST.", [.request], .afterFix,
      .requestShape),
    APNsReason(
      410, "ExpiredToken",
      "The token has expired.", [.token], .never,
      .tokenCurrent),
    APNsReason(
      410, "Unregistered",
      "The token is no longer active for the topic. Drop it unless the app registered it again after the time given.",
      [.token], .never,
      .tokenCurrent),
    APNsReason(
      413, "PayloadTooLarge",
      "The payload has more than 4096 bytes (5120 for VoIP).", [.payload], .never,
      .requestShape),
    APNsReason(
      429, "TooManyProviderTokenUpdates",
      "JWTs are renewed more than once in 20 minutes.", [.credential], .later,
      .providerAuth),
    APNsReason(
      429, "TooManyRequests",
      "Too many requests in a row for one token.", [.volume], .later,
      .apnsAccepted),
    APNsReason(
      500, "InternalServerError",
      "A fault on Apple's side.", [.apple], .quarterHour,
      .apnsAccepted),
    APNsReason(
      503, "ServiceUnavailable",
      "Apple's side is not available.", [.apple], .quarterHour,
      .apnsAccepted),
    APNsReason(
      503, "Shutdown",
      "Apple's server is going away.", [.apple], .newConnection,
      .apnsAccepted),
  ]
}

/// One reason of broadcasts and channels, which have a table of their own (F2.3).
struct BroadcastReason: Sendable {
  let status: Int
  let reason: String
  let meaning: String
  let repair: String

  init(_ status: Int, _ reason: String, _ meaning: String, repair: String) {
    self.status = status
    self.reason = reason
    self.meaning = meaning
    self.repair = repair
  }

  static let all: [BroadcastReason] = [
    BroadcastReason(
      400, "FeatureNotEnabled", "Broadcasts are not switched on for the app.",
      repair: "Switch them on for the App ID at the developer site; Xcode cannot."),
    BroadcastReason(
      400, "MissingChannelId", "The request names no channel.",
      repair: "Send `apns-channel-id`."),
    BroadcastReason(
      400, "BadChannelId", "The id of the channel cannot be one.",
      repair: "Send the id as APNs gave it when the channel was made."),
    BroadcastReason(
      400, "ChannelNotRegistered", "There is no such channel in this environment.",
      repair: "Make the channel in the environment that the request goes to."),
    BroadcastReason(
      400, "BadRequestParams", "A parameter of the request is wrong.",
      repair: "Compare path and headers with Apple's page on channels."),
    BroadcastReason(
      400, "BadRequestPayload", "The body of the request is wrong.",
      repair: "Compare the body with Apple's page on broadcasts or channels."),
    BroadcastReason(
      400, "MissingPushType", "The request names no push type.",
      repair: "Send `apns-push-type: liveactivity`."),
    BroadcastReason(
      400, "CannotCreateChannelConfig", "The channel could not be made.",
      repair: "Count the channels: 10,000 for each environment."),
    BroadcastReason(
      403, "TopicMismatch", "The credential is not the one of this bundle id.",
      repair: "Use a key of the team that the bundle id belongs to."),
  ]
}
