/// The texts that rules compare with; each has the same number in every ``SymbolTable``.
///
/// A closed set on purpose: a text of the outside world that is not here is still a ``Symbol``.
public enum Word: String, CaseIterable, Sendable, BitwiseCopyable {
  /// The text without characters.
  case empty = ""

  // Device events.
  case deviceHeartbeat = "device.heartbeat"
  case appRegistered = "app.registered"
  case appRegistrationFailed = "app.registration_failed"
  case appSettings = "app.settings"
  case appCategories = "app.categories"
  case nseDidReceive = "nse.did_receive"
  case nseDownloadStarted = "nse.download.started"
  case nseDownloadFinished = "nse.download.finished"
  case nseAttachmentCreated = "nse.attachment.created"
  case nseAttachmentFailed = "nse.attachment.failed"
  case nseKeychainFailed = "nse.keychain.failed"
  case nseSharedStorageFailed = "nse.shared_storage.failed"
  case nseRouted = "nse.routed"
  case intentDonated = "intent.donated"
  case intentFailed = "intent.failed"
  case nseContentUpdated = "nse.content.updated"
  case nseHandlerCalled = "nse.handler.called"
  case nseWillExpire = "nse.will_expire"
  case nseCrashed = "nse.crashed"
  case appWillPresent = "app.will_present"
  case appPresented = "app.presented"
  case contentExtDidReceive = "content_ext.did_receive"
  case contentExtFailed = "content_ext.failed"
  case appOpened = "app.opened"
  case appAction = "app.action"
  case appReplied = "app.replied"
  case contentExtAction = "content_ext.action"
  case appVoipReceived = "app.voip_received"
  case callReported = "call.reported"
  case appBackgroundLaunch = "app.background_launch"
  case appBackgroundCompleted = "app.background_completed"
  case liveActivityStarted = "live_activity.started"
  case liveActivityStartFailed = "live_activity.start_failed"
  case liveActivityUpdated = "live_activity.updated"
  case liveActivityEnded = "live_activity.ended"
  case liveActivityDecodeFailed = "live_activity.decode_failed"
  case liveActivityToken = "live_activity.token"
  case handoffActivated = "handoff.activated"
  case handoffItemsLoaded = "handoff.items_loaded"
  case handoffItemFailed = "handoff.item_failed"
  case handoffStaged = "handoff.staged"
  case handoffMailboxWritten = "handoff.mailbox_written"
  case handoffOpenRequested = "handoff.open_requested"
  case handoffOpenResult = "handoff.open_result"
  case handoffCompleted = "handoff.completed"
  case handoffUrlReceived = "handoff.url_received"
  case handoffMailboxRead = "handoff.mailbox_read"
  case handoffDrained = "handoff.drained"

  // Attributes of device events.
  case apsEnvironment = "aps_environment"
  case deviceToken = "device_token"
  case authorization
  case freeMb = "free_mb"
  case kind
  case serverUrl = "server_url"
  case errorDomain = "error_domain"
  case errorCode = "error_code"
  case alerts
  case sounds
  case lockScreen = "lock_screen"
  case timeSensitive = "time_sensitive"
  case critical
  case scheduledSummary = "scheduled_summary"
  case focus
  case backgroundRefresh = "background_refresh"
  case lowPower = "low_power"
  case identifiers
  case sinceLaunchMs = "since_launch_ms"
  case attempt
  case processUptimeMs = "process_uptime_ms"
  case locked
  case mutableContent = "mutable_content"
  case category
  case keys
  case hasMedia = "has_media"
  case url
  case status
  case bytes
  case mime
  case durationMs = "duration_ms"
  case uti
  case code
  case what
  case recognised
  case sdk
  case type
  case imageParameter = "image_parameter"
  case recipients
  case isMe = "is_me"
  case group
  case modifiedAfter = "modified_after"
  case elapsedMs = "elapsed_ms"
  case fallback
  case attachments
  case count
  case signal
  case reason
  case footprintMb = "footprint_mb"
  case options
  case state
  case by
  case style
  case sound
  case trigger
  case titleModified = "title_modified"
  case height
  case action
  case coldStart = "cold_start"
  case answer
  case completed
  case result
  case activityId = "activity_id"
  case jobId = "job_id"
  case entry
  case source
  case items
  case inGroup = "in_group"
  case opened

  // Reasons of APNs.
  case badCollapseId = "BadCollapseId"
  case badDeviceToken = "BadDeviceToken"
  case badExpirationDate = "BadExpirationDate"
  case badMessageId = "BadMessageId"
  case badPriority = "BadPriority"
  case badTopic = "BadTopic"
  case deviceTokenNotForTopic = "DeviceTokenNotForTopic"
  case duplicateHeaders = "DuplicateHeaders"
  case idleTimeout = "IdleTimeout"
  case invalidPushType = "InvalidPushType"
  case missingDeviceToken = "MissingDeviceToken"
  case missingTopic = "MissingTopic"
  case payloadEmpty = "PayloadEmpty"
  case topicDisallowed = "TopicDisallowed"
  case badCertificate = "BadCertificate"
  case badCertificateEnvironment = "BadCertificateEnvironment"
  case expiredProviderToken = "ExpiredProviderToken"
  case forbidden = "Forbidden"
  case invalidProviderToken = "InvalidProviderToken"
  case missingProviderToken = "MissingProviderToken"
  case unrelatedKeyIdInToken = "UnrelatedKeyIdInToken"
  case badEnvironmentKeyIdInToken = "BadEnvironmentKeyIdInToken"
  case badEnvironmentKeyInToken = "BadEnvironmentKeyInToken"
  case badPath = "BadPath"
  case methodNotAllowed = "MethodNotAllowed"
  case expiredToken = "ExpiredToken"
  case unregistered = "Unregistered"
  case payloadTooLarge = "PayloadTooLarge"
  case tooManyProviderTokenUpdates = "TooManyProviderTokenUpdates"
  case tooManyRequests = "TooManyRequests"
  case internalServerError = "InternalServerError"
  case serviceUnavailable = "ServiceUnavailable"
  case shutdown = "Shutdown"

  // Push types.
  case alert
  case background
  case voip
  case complication
  case fileprovider
  case mdm
  case location
  case liveactivity
  case pushtotalk
  case widgets
  case controls

  // Environments and distributions.
  case production
  case sandbox
  case development
  case debug
  case adHoc = "ad-hoc"
  case testflight
  case appStore = "app-store"
  case simulator

  // Providers.
  case apns
  case fcmV1 = "fcm-v1"
  case fcmLegacy = "fcm-legacy"
  case onesignal
  case sns
  case azureNh = "azure-nh"
  case expo
  case sygnal
  case gorush
  case parse

  // Kinds of token.
  case liveActivityStart = "live-activity-start"
  case liveActivityUpdate = "live-activity-update"
  case fcm

  // Interruption levels.
  case passive
  case active
  case timeSensitiveText = "time-sensitive"

  // Authorisation and settings.
  case authorized
  case denied
  case provisional
  case notDetermined = "not-determined"
  case ephemeral
  case on
  case off
  case trueText = "true"
  case falseText = "false"

  // States.
  case foreground
  case notRunning = "not-running"
  case forceQuit = "force-quit"
  case cold

  // Ways of presentation.
  case willPresent = "will_present"
  case deliveredList = "delivered_list"
  case systemLog = "system_log"
  case banner
  case list
  case badge
  case push
  case local
  case time
  case calendar
  case bannerPlain = "banner-plain"

  // Error domains.
  case nsurlErrorDomain = "NSURLErrorDomain"
  case unErrorDomain = "UNErrorDomain"
  case nsCocoaErrorDomain = "NSCocoaErrorDomain"
  case nsosStatusErrorDomain = "NSOSStatusErrorDomain"
  case nsposixErrorDomain = "NSPOSIXErrorDomain"

  // Media.
  case imageJpeg = "image/jpeg"
  case imagePng = "image/png"
  case imageGif = "image/gif"
  case imageWebp = "image/webp"
  case imageHeic = "image/heic"
  case imageSvgXml = "image/svg+xml"
  case textHtml = "text/html"
  case videoMp4 = "video/mp4"
  case audioMpeg = "audio/mpeg"
  case applicationOctetStream = "application/octet-stream"
  case publicJpeg = "public.jpeg"
  case publicPng = "public.png"
  case comCompuserveGif = "com.compuserve.gif"
  case publicMpeg4 = "public.mpeg-4"
  case jpeg
  case png
  case gif
  case webp
  case heic
  case html
  case svg
  case jpg
  case mp4
  case mov
  case mp3
  case m4a
  case wav
  case aiff
  case http
  case https

  // Extension points.
  case comAppleUsernotificationsService = "com.apple.usernotifications.service"
  case comAppleUsernotificationsContentExtension = "com.apple.usernotifications.content-extension"
  case comAppleShareServices = "com.apple.share-services"
  case comAppleUiServices = "com.apple.ui-services"
  case comAppleWidgetkitExtension = "com.apple.widgetkit-extension"

  // Answers and reasons in attributes.
  case doNotDismiss = "do-not-dismiss"
  case dismiss
  case dismissAndForward = "dismiss-and-forward"
  case classWord = "class"
  case attachment
  case securityScope = "security-scope"
  case decode
  case memory
  case perProcessLimit = "per-process-limit"

  // Added later; the order above is part of stored data, so new texts come last.
  case apiPushHost = "api.push.apple.com"
  case apiSandboxHost = "api.sandbox.push.apple.com"
  case apiDevelopmentHost = "api.development.push.apple.com"
  case ok
  case disabled
  case suppressed
  case endpointDisabled = "EndpointDisabled"
  case deviceNotRegistered = "DeviceNotRegistered"
  case excResource = "EXC_RESOURCE"
  case jetsam
  case imageAvif = "image/avif"
  case imageBmp = "image/bmp"
  case imageTiff = "image/tiff"
  case videoWebm = "video/webm"
  case videoQuicktime = "video/quicktime"
  case audioOgg = "audio/ogg"
  case audioMp4 = "audio/mp4"
  case audioWav = "audio/wav"
  case applicationXhtml = "application/xhtml+xml"
  case applicationJson = "application/json"
  case textPlain = "text/plain"
  case publicImage = "public.image"
  case appGroup = "app_group"
  case container
  case file
  case defaultText = "default"
  case firebaseRegistration = "com.firebase.iid"

  // Events made of lines of the system log, of crash reports and of metric payloads.
  case systemDaemonReceived = "system.daemon_received"
  case systemDaemonStored = "system.daemon_stored"
  case systemWatchOnly = "system.watch_only"
  case systemDaemonAcknowledged = "system.daemon_acknowledged"
  case systemTopicsChanged = "system.topics_changed"
  case systemHandedOver = "system.handed_over"
  case systemIncoming = "system.incoming"
  case systemAppUninstalled = "system.app_uninstalled"
  case systemAppRestricted = "system.app_restricted"
  case systemAppUnregistered = "system.app_unregistered"
  case systemPushDisabled = "system.push_disabled"
  case systemRequestReceived = "system.request_received"
  case systemRequestInvalid = "system.request_invalid"
  case systemModifiable = "system.modifiable"
  case systemNoExtension = "system.no_extension"
  case systemNoAppRecord = "system.no_app_record"
  case systemNoPluginFound = "system.no_plugin_found"
  case systemExtensionNotValid = "system.extension_not_valid"
  case systemEntitlementRefused = "system.entitlement_refused"
  case systemExtensionChosen = "system.extension_chosen"
  case systemExtensionBootstrapped = "system.extension_bootstrapped"
  case systemExtensionStartFailed = "system.extension_start_failed"
  case systemPrincipalClassMissing = "system.principal_class_missing"
  case systemLibraryMissing = "system.library_missing"
  case systemExtensionStarted = "system.extension_started"
  case systemDebuggerAttached = "system.debugger_attached"
  case systemExtensionInitialised = "system.extension_initialised"
  case systemReplacementRequested = "system.replacement_requested"
  case systemWillExpire = "system.will_expire"
  case systemGraceTime = "system.grace_time"
  case systemTimeExceeded = "system.time_exceeded"
  case systemStartupUsedTime = "system.startup_used_time"
  case systemConnectionError = "system.connection_error"
  case systemExceptionInDidReceive = "system.exception_in_did_receive"
  case systemExtensionInterrupted = "system.extension_interrupted"
  case systemMemoryExceeded = "system.memory_exceeded"
  case systemKilledForMemory = "system.killed_for_memory"
  case systemProcessEnded = "system.process_ended"
  case systemProcessSeen = "system.process_seen"
  case systemContentReturned = "system.content_returned"
  case systemContentNotApplied = "system.content_not_applied"
  case systemContentApplied = "system.content_applied"
  case systemContentWithoutAlert = "system.content_without_alert"
  case systemFilteredOut = "system.filtered_out"
  case systemAttachmentNotStaged = "system.attachment_not_staged"
  case systemAttachmentTypeConflict = "system.attachment_type_conflict"
  case systemAttachmentsResolved = "system.attachments_resolved"
  case systemPresentationStarted = "system.presentation_started"
  case systemPresented = "system.presented"
  case systemNotPresented = "system.not_presented"
  case systemNothingToPresent = "system.nothing_to_present"
  case systemWakeRequested = "system.wake_requested"
  case systemWakeRefused = "system.wake_refused"
  case systemWakeQueued = "system.wake_queued"
  case systemWakeCancelled = "system.wake_cancelled"
  case systemPresentationDecided = "system.presentation_decided"
  case systemNotAlerting = "system.not_alerting"
  case systemPostedTo = "system.posted_to"
  case systemForegroundAnswered = "system.foreground_answered"
  case systemSoundNotFound = "system.sound_not_found"
  case systemBadgeDecided = "system.badge_decided"
  case systemBulletinQueued = "system.bulletin_queued"
  case systemSimulator = "system.simulator"
  case systemContentExtensionLoaded = "system.content_extension_loaded"
  case systemUnknownToFrontboard = "system.unknown_to_frontboard"
  case systemSdkNote = "system.sdk_note"
  case systemLogGap = "system.log_gap"
  case systemAppCrashed = "system.app_crashed"
  case systemMemoryPressure = "system.memory_pressure"
  case systemMetrics = "system.metrics"

  // Attributes of those.
  case session
  case pid
  case process
  case interface
  case priority
  case topic
  case environment
  case waking
  case hasAlert = "has_alert"
  case hasSound = "has_sound"
  case hasBadge = "has_badge"
  case contentAvailable = "content_available"
  case pushType = "push_type"
  case allowed
  case allowsNotifications = "allows_notifications"
  case allowsBackground = "allows_background"
  case serviceMs = "service_ms"
  case graceMs = "grace_ms"
  case limitMb = "limit_mb"
  case destination
  case presentsAlert = "presents_alert"
  case playsSound = "plays_sound"
  case setsBadge = "sets_badge"
  case isLocked = "is_locked"
  case isSuppressed = "is_suppressed"
  case namespace
  case exceptionText = "exception"
  case incident
  case uptimeMs = "uptime_ms"
  case deliveryId = "delivery_id"
  case airship
  case customerIo = "customer-io"
  case clevertap
  case braze
  case elementX = "element-x"
  case homeAssistant = "home-assistant"
  case pageShortage = "vm-pageshortage"
  case from
  case until
  case exitsMemoryLimit = "exits_memory_limit"
  case exitsMemoryPressure = "exits_memory_pressure"
  case exitsWatchdog = "exits_watchdog"
  case exitsAbnormal = "exits_abnormal"
  case exitsNormal = "exits_normal"
  case exitsLockedFile = "exits_locked_file"
  case exitsBadAccess = "exits_bad_access"
  case exitsCpu = "exits_cpu"
  case exitsIllegalInstruction = "exits_illegal_instruction"
  case exitsBackgroundTask = "exits_background_task"
  case ownFile = "own_file"

  // What an app's or an SDK's own lines say, where no event above says it.
  case sdkTokenMissing = "sdk.token_missing"
  case sdkCompletionNotCalled = "sdk.completion_not_called"
  case sdkDownloadOpen = "sdk.download_open"
  case sdkGroupMissing = "sdk.group_missing"
  case systemInstallRefused = "system.install_refused"
  case systemPrefixRefused = "system.prefix_refused"
  case backgroundCapital = "Background"
  case alertCapital = "Alert"
  case systemBackgroundNotCompleted = "system.background_not_completed"

  /// Place in ``allCases``, which is also the number of its symbol.
  @inlinable public var ordinal: UInt16 {
    // A case without payload is stored as its ordinal: two bytes, since there are over 256 cases.
    unsafe unsafeBitCast(self, to: UInt16.self)
  }
}
