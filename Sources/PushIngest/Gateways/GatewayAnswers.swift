import PushModel

/// What gateways call the refusals that APNs has its own words for.
enum GatewayAnswers {
  /// A gateway's word and APNs' reason that it stands for.
  private static let words: [String: Word] = [
    "InvalidCredentials": .invalidProviderToken, "THIRD_PARTY_AUTH_ERROR": .invalidProviderToken,
    "InvalidApnsCredential": .invalidProviderToken, "InvalidApnsCredentials": .invalidProviderToken,
    "APNS_AUTH_ERROR": .invalidProviderToken,
    "UNREGISTERED": .unregistered, "NotRegistered": .unregistered, "ExpiredChannel": .unregistered,
    "InvalidToken": .badDeviceToken, "WrongToken": .badDeviceToken, "BadChannel": .badDeviceToken,
    "InvalidRegistration": .badDeviceToken,
    "MessageTooBig": .payloadTooLarge, "InvalidNotificationSize": .payloadTooLarge,
    "MessageRateExceeded": .tooManyRequests, "QUOTA_EXCEEDED": .tooManyRequests,
    "UNAVAILABLE": .serviceUnavailable, "Unavailable": .serviceUnavailable,
    "Endpoint is disabled": .endpointDisabled, "EndpointDisabledException": .endpointDisabled,
    "WrongChannel": .topicDisallowed,
  ]

  /// The reason in APNs' words, or the text as it is.
  static func apnsReason(_ text: String) -> String { words[text]?.rawValue ?? text }

  /// Whether a text is one of APNs' reasons.
  static func isOfAPNs(_ text: String) -> Bool {
    reasons[text] != nil || words[text] != nil || text == "DeviceNotRegistered"
      || text == "EndpointDisabled"
  }

  /// A reason of APNs, or a gateway's word for one, that stands in a message; nil where none does.
  static func reason(in message: String) -> String? {
    guard !message.isEmpty else { return nil }
    let parts = message.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init)
    for part in parts where reasons[part] != nil || words[part] != nil { return part }
    let text = message.lowercased()
    if text.contains("endpoint is disabled") || text.contains("endpointdisabled") {
      return "EndpointDisabled"
    }
    if text.contains("devicenotregistered") { return "DeviceNotRegistered" }
    return nil
  }

  /// The first text anywhere in an answer that is such a reason: gateways wrap what they say of one
  /// device in their own ways.
  static func reason(within answer: CaseValue) -> String? {
    if case .text(let text) = answer { return isOfAPNs(text) ? text : nil }
    let inner = answer.members.map(\.value) + answer.items
    return inner.lazy.compactMap { reason(within: $0) }.first
  }

  /// Whether a gateway's message calls the token, handle or channel invalid, without a reason of
  /// APNs: it may mislead, so it proves nothing alone.
  static func callsTokenInvalid(_ message: String) -> Bool {
    let text = message.lowercased()
    let isOfToken = ["handle", "token", "channel", "registration"].contains(where: text.contains)
    let isInvalid = ["invalid", "not valid", "bad ", "unregistered"].contains(where: text.contains)
    return isOfToken && isInvalid
  }

  /// The status that APNs gives with a reason; 400 where it is not known.
  static func status(of reason: String) -> Int64 { reasons[apnsReason(reason)] ?? 400 }

  /// APNs' reasons and their status (F2.0).
  private static let reasons: [String: Int64] = [
    "BadCollapseId": 400, "BadDeviceToken": 400, "BadExpirationDate": 400, "BadMessageId": 400,
    "BadPriority": 400, "BadTopic": 400, "DeviceTokenNotForTopic": 400, "DuplicateHeaders": 400,
    "IdleTimeout": 400, "InvalidPushType": 400, "MissingDeviceToken": 400, "MissingTopic": 400,
    "PayloadEmpty": 400, "TopicDisallowed": 400, "BadCertificate": 403,
    "BadCertificateEnvironment": 403, "ExpiredProviderToken": 403, "Forbidden": 403,
    "InvalidProviderToken": 403, "MissingProviderToken": 403, "UnrelatedKeyIdInToken": 403,
    "BadEnvironmentKeyIdInToken": 403, "BadEnvironmentKeyInToken": 403, "BadPath": 404,
    "MethodNotAllowed": 405, "ExpiredToken": 410, "Unregistered": 410, "PayloadTooLarge": 413,
    "TooManyProviderTokenUpdates": 429, "TooManyRequests": 429, "InternalServerError": 500,
    "ServiceUnavailable": 503, "Shutdown": 503,
  ]
}
