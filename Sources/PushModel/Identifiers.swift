/// The steps, by their stable ids; order is the order of the path.
public enum StepID: String, CaseIterable, Sendable, BitwiseCopyable {
  case registration
  case providerAuth = "provider-auth"
  case tokenShape = "token-shape"
  case tokenEnvironment = "token-environment"
  case tokenCurrent = "token-current"
  case topic
  case pushType = "push-type"
  case priorityAndExpiration = "priority-and-expiration"
  case requestShape = "request-shape"
  case apnsAccepted = "apns-accepted"
  case visibleAlert = "visible-alert"
  case mutableContent = "mutable-content"
  case category
  case pathToDevice = "path-to-device"
  case notificationSettings = "notification-settings"
  case extensionEmbedded = "extension-embedded"
  case extensionPoint = "extension-point"
  case extensionMinimumOs = "extension-minimum-os"
  case extensionLoads = "extension-loads"
  case didReceive = "did-receive"
  case extensionRouting = "extension-routing"
  case sharedStorage = "shared-storage"
  case mediaDownload = "media-download"
  case mediaFile = "media-file"
  case extensionMemory = "extension-memory"
  case communicationIntent = "communication-intent"
  case handlerTiming = "handler-timing"
  case contentApplied = "content-applied"
  case presentation
  case contentExtension = "content-extension"
  case backgroundPayload = "background-payload"
  case backgroundMode = "background-mode"
  case appWakeable = "app-wakeable"
  case backgroundHandled = "background-handled"
  case laSupported = "la-supported"
  case laPayload = "la-payload"
  case laBudget = "la-budget"
  case laState = "la-state"
  case callReported = "call-reported"
  case actionsOffered = "actions-offered"
  case responseRouted = "response-routed"
  case responseHandled = "response-handled"
  case activationRule = "activation-rule"
  case itemsLoaded = "items-loaded"
  case stagedInGroup = "staged-in-group"
  case mailboxWritten = "mailbox-written"
  case hostOpened = "host-opened"
  case urlReceived = "url-received"
  case mailboxDrained = "mailbox-drained"
  case requestCompleted = "request-completed"
}

/// The causes, by their stable ids, under the step where each breaks the chain.
public enum CauseID: String, CaseIterable, Sendable, BitwiseCopyable {
  // registration
  case apsEntitlementMissing = "aps_entitlement_missing"
  case apnsTokenNotHandedToSdk = "apns_token_not_handed_to_sdk"
  case appdelegateHooksMissing = "appdelegate_hooks_missing"
  // provider-auth
  case providerAuthInvalid = "provider_auth_invalid"
  case providerJwtExpired = "provider_jwt_expired"
  case providerClockSkew = "provider_clock_skew"
  case providerJwtChurn = "provider_jwt_churn"
  case providerKeyScope = "provider_key_scope"
  case providerEndpointConfig = "provider_endpoint_config"
  case relayTopicMismatch = "relay_topic_mismatch"
  // token-shape
  case tokenWrongSystem = "token_wrong_system"
  case tokenMalformed = "token_malformed"
  case tokenKindMismatch = "token_kind_mismatch"
  // token-environment
  case tokenEnvMismatch = "token_env_mismatch"
  case providerCredentialEnv = "provider_credential_env"
  // token-current
  case tokenUnregistered = "token_unregistered"
  case staleToken200 = "stale_token_200"
  case vendorSuppressedToken = "vendor_suppressed_token"
  // topic
  case topicMissing = "topic_missing"
  case topicSuffix = "topic_suffix"
  case topicWrong = "topic_wrong"
  // push-type
  case pushTypeMismatch = "push_type_mismatch"
  case pushTypeMissing = "push_type_missing"
  // priority-and-expiration
  case priorityBackground = "priority_background"
  case priorityMissingForBackground = "priority_missing_for_background"
  case expirationInMilliseconds = "expiration_in_milliseconds"
  case collapseIdTooLong = "collapse_id_too_long"
  // request-shape
  case fcmNesting = "fcm_nesting"
  case payloadTooLarge = "payload_too_large"
  case requestMalformed = "request_malformed"
  // apns-accepted
  case apnsThrottled = "apns_throttled"
  // visible-alert
  case noAlert = "no_alert"
  case soundMissing = "sound_missing"
  // mutable-content
  case mutableContentOff = "mutable_content_off"
  case mutableContentFraction = "mutable_content_fraction"
  case mutableKeySpellingNesting = "mutable_key_spelling_nesting"
  case flagTypeString = "flag_type_string"
  case providerStripsKeys = "provider_strips_keys"
  // category
  case categoryMissing = "category_missing"
  case categoryNotRegistered = "category_not_registered"
  case categoryNotInPlist = "category_not_in_plist"
  // path-to-device
  case expiredWhileOffline = "expired_while_offline"
  case overwrittenInStorage = "overwritten_in_storage"
  case networkBlocked = "network_blocked"
  case simulatorTargetBundle = "simulator_target_bundle"
  case appleOutage = "apple_outage"
  // notification-settings
  case notificationsDenied = "notifications_denied"
  case provisionalAuth = "provisional_auth"
  case quietLevel = "quiet_level"
  case interruptionEntitlement = "interruption_entitlement"
  case focusOrSummary = "focus_or_summary"
  // extension-embedded
  case appexNotEmbedded = "appex_not_embedded"
  case multipleServiceExt = "multiple_service_ext"
  case extBundlePrefix = "ext_bundle_prefix"
  case extSigning = "ext_signing"
  case extExecutableMissing = "ext_executable_missing"
  // extension-point
  case wrongExtensionPoint = "wrong_extension_point"
  // extension-minimum-os
  case extMinOs = "ext_min_os"
  // extension-loads
  case principalClass = "principal_class"
  case extFrameworkMissing = "ext_framework_missing"
  case extCrashAtLaunch = "ext_crash_at_launch"
  case extStartupBudget = "ext_startup_budget"
  case vendorSdkDefect = "vendor_sdk_defect"
  // did-receive
  case falseAlarmDebugger = "false_alarm_debugger"
  case simulatorPushLimits = "simulator_push_limits"
  case localNotification = "local_notification"
  // extension-routing
  case extTemplateCode = "ext_template_code"
  case sdkRouting = "sdk_routing"
  // shared-storage
  case keychainLocked = "keychain_locked"
  case keychainGroup = "keychain_group"
  case appGroupMissing = "app_group_missing"
  // media-download
  case urlInvalid = "url_invalid"
  case atsBlocked = "ats_blocked"
  case mediaHostUnreachable = "media_host_unreachable"
  case mediaTls = "media_tls"
  case mediaHttpStatus = "media_http_status"
  // media-file
  case fileExtensionMissing = "file_extension_missing"
  case typeHintNotUti = "type_hint_not_uti"
  case unsupportedFormat = "unsupported_format"
  case attachmentTooLarge = "attachment_too_large"
  case attachmentUrlInvalid = "attachment_url_invalid"
  // extension-memory
  case extMemory = "ext_memory"
  // communication-intent
  case communicationEntitlement = "communication_entitlement"
  case interactionNotDonated = "interaction_not_donated"
  case intentParticipants = "intent_participants"
  case intentNotApplied = "intent_not_applied"
  case intentImage = "intent_image"
  case updatedContentModified = "updated_content_modified"
  // handler-timing
  case contentHandlerNever = "content_handler_never"
  case contentHandlerLate = "content_handler_late"
  case contentHandlerTwice = "content_handler_twice"
  case downloadTooSlow = "download_too_slow"
  case expiryReturnsWrongContent = "expiry_returns_wrong_content"
  // content-applied
  case filterEntitlement = "filter_entitlement"
  case osBug = "os_bug"
  // presentation
  case foregroundDelegate = "foreground_delegate"
  case foregroundCompletionNotCalled = "foreground_completion_not_called"
  case duplicateLocalCopy = "duplicate_local_copy"
  // content-extension
  case categoryClaimsPresentation = "category_claims_presentation"
  case storyboardAndPrincipalClass = "storyboard_and_principal_class"
  case contentExtFailed = "content_ext_failed"
  case contentExtAttachment = "content_ext_attachment"
  case contentExtSlow = "content_ext_slow"
  case contentExtSize = "content_ext_size"
  case contentExtInteraction = "content_ext_interaction"
  case defaultContentHidden = "default_content_hidden"
  case contentCategoryOverlap = "content_category_overlap"
  // background-payload
  case alertInBackgroundPush = "alert_in_background_push"
  // background-mode
  case backgroundModeMissing = "background_mode_missing"
  // app-wakeable
  case forceQuit = "force_quit"
  case backgroundBestEffort = "background_best_effort"
  // background-handled
  case backgroundNotCompleted = "background_not_completed"
  // la-supported
  case laNotSupported = "la_not_supported"
  // la-payload
  case laContentState = "la_content_state"
  case laPayloadIncomplete = "la_payload_incomplete"
  // la-budget
  case laBudget = "la_budget"
  // la-state
  case laEnded = "la_ended"
  // call-reported
  case voipNotReported = "voip_not_reported"
  // actions-offered
  case actionsTooMany = "actions_too_many"
  // response-routed
  case responseKeptByContentExtension = "response_kept_by_content_extension"
  case responseDelegateMissing = "response_delegate_missing"
  // response-handled
  case responseNotPassedOn = "response_not_passed_on"
  // activation-rule
  case truePredicate = "true_predicate"
  case activationRuleMismatch = "activation_rule_mismatch"
  case displayNameMissing = "display_name_missing"
  case activationPredicateMalformed = "activation_predicate_malformed"
  // items-loaded
  case itemTypeUnexpected = "item_type_unexpected"
  // staged-in-group
  case fileNotStaged = "file_not_staged"
  // mailbox-written
  case singleSlotMailboxOverwritten = "single_slot_mailbox_overwritten"
  // host-opened
  case hostOpenNotSupported = "host_open_not_supported"
  case completedBeforeOpen = "completed_before_open"
  // url-received
  case urlBeforeReady = "url_before_ready"
  // request-completed
  case requestNotCompleted = "request_not_completed"
}
