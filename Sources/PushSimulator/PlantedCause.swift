/// The causes that a corpus can hold, in the order of the chain, so that of two on one notification
/// the smaller is the first broken step. Ids are those of the reference.
public enum PlantedCause: UInt8, Sendable, CaseIterable {
  case providerAuthInvalid
  case providerJwtExpired
  case providerJwtChurn
  case providerKeyScope
  case tokenWrongSystem
  case tokenMalformed
  case tokenKindMismatch
  case tokenEnvMismatch
  case tokenUnregistered
  case staleToken200
  case topicMissing
  case topicSuffix
  case topicWrong
  case pushTypeMismatch
  case priorityBackground
  case priorityMissingForBackground
  case expirationInMilliseconds
  case collapseIdTooLong
  case payloadTooLarge
  case requestMalformed
  case apnsThrottled
  case noAlert
  case soundMissing
  case mutableContentOff
  case mutableContentFraction
  case mutableKeySpellingNesting
  case categoryMissing
  case categoryNotRegistered
  case categoryNotInPlist
  case expiredWhileOffline
  case overwrittenInStorage
  case notificationsDenied
  case wrongExtensionPoint
  case extMinOs
  case extCrashAtLaunch
  case sdkRouting
  case keychainLocked
  case urlInvalid
  case atsBlocked
  case mediaHostUnreachable
  case mediaTls
  case mediaHttpStatus
  case fileExtensionMissing
  case typeHintNotUti
  case unsupportedFormat
  case attachmentTooLarge
  case attachmentUrlInvalid
  case extMemory
  case interactionNotDonated
  case intentParticipants
  case intentNotApplied
  case intentImage
  case updatedContentModified
  case contentHandlerNever
  case contentHandlerLate
  case contentHandlerTwice
  case downloadTooSlow
  case expiryReturnsWrongContent
  case foregroundDelegate
  case duplicateLocalCopy
  case contentExtFailed
  case contentExtAttachment
  case contentExtSlow
  case alertInBackgroundPush
  case backgroundModeMissing
  case backgroundBestEffort
  case backgroundNotCompleted

  /// The cause's stable id, as in `truth.ndjson`.
  public var id: String { "\(row.id)" }

  /// The stable id of the step that this cause breaks.
  public var step: String { "\(row.step)" }

  var row: CauseRow { causeRows[Int(rawValue)] }
}

/// Texts of one cause.
struct CauseRow: Sendable {
  let step: StaticString
  let id: StaticString

  init(_ step: StaticString, _ id: StaticString) {
    self.step = step
    self.id = id
  }
}

/// One row for each case, in the same order.
private let causeRows: [CauseRow] = [
  CauseRow("provider-auth", "provider_auth_invalid"),
  CauseRow("provider-auth", "provider_jwt_expired"),
  CauseRow("provider-auth", "provider_jwt_churn"),
  CauseRow("provider-auth", "provider_key_scope"),
  CauseRow("token-shape", "token_wrong_system"),
  CauseRow("token-shape", "token_malformed"),
  CauseRow("token-shape", "token_kind_mismatch"),
  CauseRow("token-environment", "token_env_mismatch"),
  CauseRow("token-current", "token_unregistered"),
  CauseRow("token-current", "stale_token_200"),
  CauseRow("topic", "topic_missing"),
  CauseRow("topic", "topic_suffix"),
  CauseRow("topic", "topic_wrong"),
  CauseRow("push-type", "push_type_mismatch"),
  CauseRow("priority-and-expiration", "priority_background"),
  CauseRow("priority-and-expiration", "priority_missing_for_background"),
  CauseRow("priority-and-expiration", "expiration_in_milliseconds"),
  CauseRow("priority-and-expiration", "collapse_id_too_long"),
  CauseRow("request-shape", "payload_too_large"),
  CauseRow("request-shape", "request_malformed"),
  CauseRow("apns-accepted", "apns_throttled"),
  CauseRow("visible-alert", "no_alert"),
  CauseRow("visible-alert", "sound_missing"),
  CauseRow("mutable-content", "mutable_content_off"),
  CauseRow("mutable-content", "mutable_content_fraction"),
  CauseRow("mutable-content", "mutable_key_spelling_nesting"),
  CauseRow("category", "category_missing"),
  CauseRow("category", "category_not_registered"),
  CauseRow("category", "category_not_in_plist"),
  CauseRow("path-to-device", "expired_while_offline"),
  CauseRow("path-to-device", "overwritten_in_storage"),
  CauseRow("notification-settings", "notifications_denied"),
  CauseRow("extension-point", "wrong_extension_point"),
  CauseRow("extension-minimum-os", "ext_min_os"),
  CauseRow("extension-loads", "ext_crash_at_launch"),
  CauseRow("extension-routing", "sdk_routing"),
  CauseRow("shared-storage", "keychain_locked"),
  CauseRow("media-download", "url_invalid"),
  CauseRow("media-download", "ats_blocked"),
  CauseRow("media-download", "media_host_unreachable"),
  CauseRow("media-download", "media_tls"),
  CauseRow("media-download", "media_http_status"),
  CauseRow("media-file", "file_extension_missing"),
  CauseRow("media-file", "type_hint_not_uti"),
  CauseRow("media-file", "unsupported_format"),
  CauseRow("media-file", "attachment_too_large"),
  CauseRow("media-file", "attachment_url_invalid"),
  CauseRow("extension-memory", "ext_memory"),
  CauseRow("communication-intent", "interaction_not_donated"),
  CauseRow("communication-intent", "intent_participants"),
  CauseRow("communication-intent", "intent_not_applied"),
  CauseRow("communication-intent", "intent_image"),
  CauseRow("communication-intent", "updated_content_modified"),
  CauseRow("handler-timing", "content_handler_never"),
  CauseRow("handler-timing", "content_handler_late"),
  CauseRow("handler-timing", "content_handler_twice"),
  CauseRow("handler-timing", "download_too_slow"),
  CauseRow("handler-timing", "expiry_returns_wrong_content"),
  CauseRow("presentation", "foreground_delegate"),
  CauseRow("presentation", "duplicate_local_copy"),
  CauseRow("content-extension", "content_ext_failed"),
  CauseRow("content-extension", "content_ext_attachment"),
  CauseRow("content-extension", "content_ext_slow"),
  CauseRow("background-payload", "alert_in_background_push"),
  CauseRow("background-mode", "background_mode_missing"),
  CauseRow("app-wakeable", "background_best_effort"),
  CauseRow("background-handled", "background_not_completed"),
]

/// Several causes on one notification.
struct CauseSet: Equatable {
  private(set) var bits: UInt128 = 0

  init() {}

  init(_ causes: PlantedCause...) {
    for cause in causes { insert(cause) }
  }

  var isEmpty: Bool { bits == 0 }

  var first: PlantedCause? {
    bits == 0 ? nil : PlantedCause(rawValue: UInt8(bits.trailingZeroBitCount))
  }

  mutating func insert(_ cause: PlantedCause) {
    bits |= 1 << UInt128(cause.rawValue)
  }

  mutating func remove(_ cause: PlantedCause) {
    bits &= ~(1 << UInt128(cause.rawValue))
  }

  func contains(_ cause: PlantedCause) -> Bool {
    bits & (1 << UInt128(cause.rawValue)) != 0
  }

  func intersects(_ other: CauseSet) -> Bool {
    bits & other.bits != 0
  }

  /// Takes out and gives back the first in the order of the chain.
  mutating func popFirst() -> PlantedCause? {
    guard let cause = first else { return nil }
    remove(cause)
    return cause
  }
}
