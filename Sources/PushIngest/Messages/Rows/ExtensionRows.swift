import PushModel

extension MessageRows {
  static let errorFields: [MessageShape.Field] = [
    .init("Domain=", .errorDomain, .word), .init("Code=", .errorCode, .integer),
  ]

  /// Finding and launching the extension.
  static let extensionSearch: [MessageShape] = [
    MessageShape(
      .systemNoExtension, "No extension available for bundle", bracket: .app,
      .extensionFound, .failed, step: .extensionEmbedded, .published,
      facts: ["F4.5", "F4.7", "F4.9"],
      sample: "[com.example.courier] No extension available for bundle"),
    MessageShape(
      .systemNoExtension, "marked as mutable but no service extension is available",
      bracket: .app, .extensionFound, .failed, step: .extensionEmbedded, .dump,
      facts: ["F4.5", "F4.7", "F4.9"],
      sample: """
        [com.example.courier] Notification request DC15-EBDB is marked as mutable but no service \
        extension is available
        """),
    MessageShape(
      .systemNoExtension, "No service extension record found for app", bracket: .app,
      .extensionFound, .failed, step: .extensionEmbedded, .published,
      facts: ["F4.5", "F4.7", "F4.9"],
      sample: "[com.example.courier] No service extension record found for app"),
    MessageShape(
      .systemNoExtension, "No valid extension available for bundle", bracket: .app,
      .extensionFound, .failed, step: .extensionEmbedded, .published,
      facts: ["F4.5", "F4.7", "F4.9"],
      sample: "[com.example.courier] No valid extension available for bundle"),
    MessageShape(
      .systemNoAppRecord, "No app record for bundle", bracket: .app,
      .extensionFound, .failed, step: .extensionEmbedded, .dump,
      sample: "[com.example.courier] No app record for bundle"),
    MessageShape(
      .systemNoPluginFound, "No plugins found to match query", by: ["pkd"],
      .extensionFound, .failed, step: .extensionEmbedded, cause: .appexNotEmbedded, .published,
      facts: ["F4.7"], sample: "No plugins found to match query"),
    MessageShape(
      .systemNoPluginFound, "match returned 0 plug-ins", by: ["pkd"],
      .extensionFound, .failed, step: .extensionEmbedded, cause: .appexNotEmbedded, .published,
      facts: ["F4.7"], sample: "[d 0x1] <PKHost:0x2> match returned 0 plug-ins"),
    MessageShape(
      .systemExtensionNotValid, "Extension <NSExtension ... not valid",
      .extensionFound, .failed, step: .extensionPoint, .published,
      sample: "Extension <NSExtension: 0x1> {id = com.example.courier.PushService} not valid"),
    MessageShape(
      .systemEntitlementRefused,
      "killed ... because its use of the ... entitlement is not allowed",
      by: ["taskgated", "amfid", "kernel"],
      .extensionFound, .failed, step: .extensionEmbedded, cause: .extSigning, .published,
      sample: """
        killed com.example.courier.PushService[pid 812] because its use of the \
        com.apple.developer.usernotifications.filtering entitlement is not allowed
        """),
    MessageShape(
      .systemExtensionChosen, "assigning plug-in {extension}", by: ["pkd"],
      .extensionLaunched, .begun, step: .extensionLoads, .published,
      sample: "assigning plug-in com.example.courier.PushService(1.0) to plugin sandbox"),
    MessageShape(
      .systemExtensionChosen, "enabling pid={pid} for plug-in {extension}", by: ["pkd"],
      .extensionLaunched, .begun, step: .extensionLoads, .published,
      sample: "enabling pid=57 for plug-in com.example.courier.PushService(1.0)"),
    MessageShape(
      .systemExtensionBootstrapped, "Bootstrap complete. Ready for handshake from host",
      .extensionLaunched, .done, step: .extensionLoads, .published,
      sample: "Bootstrapping; Bootstrap complete. Ready for handshake from host."),
    MessageShape(
      .systemExtensionStartFailed, "Could not start an extension session", bracket: .extension,
      fields: errorFields, .extensionLaunched, .failed, step: .extensionLoads, .published,
      facts: ["F4.29"],
      sample: """
        [com.example.courier.PushService] Could not start an extension session: error=Error \
        Domain=NSCocoaErrorDomain Code=4097 "connection to service"
        """),
    MessageShape(
      .systemPrincipalClassMissing, "Unable to find NSExtensionPrincipalClass",
      .extensionLaunched, .failed, step: .extensionLoads, cause: .principalClass, .published,
      facts: ["F4.4"],
      sample: "Unable to find NSExtensionPrincipalClass (NotificationService) in extension bundle"),
    MessageShape(
      .systemLibraryMissing, "Library not loaded: ", needsProcess: false,
      .extensionLaunched, .failed, step: .extensionLoads, cause: .extFrameworkMissing, .published,
      sample: "dyld: Library not loaded: @rpath/Alamofire.framework/Alamofire"),
  ]

  /// The run of the extension.
  static let extensionRun: [MessageShape] = [
    MessageShape(
      .systemExtensionStarted, "Extension started, scheduled timers", bracket: .extension,
      fields: [
        .init("serviceTime=", .serviceMs, .seconds), .init("graceTime=", .graceMs, .seconds),
        .init("sessionUUID=", .session, .word),
      ],
      .extensionRan, .begun, step: .extensionLoads, .dump, facts: ["F4.21"],
      sample: """
        [com.example.courier.PushService] Extension started, scheduled timers: \
        sessionUUID=3C1E9A52-7C1B-4B57-8B58-6E0D2E7E4C11, serviceTime=30.000000, \
        graceTime=1.000000
        """),
    MessageShape(
      .systemDebuggerAttached, "Extension is being debugged, will skip scheduling timers",
      bracket: .extension, .extensionRan, .note, step: .handlerTiming,
      cause: .falseAlarmDebugger, .dump, facts: ["F4.25"],
      sample: """
        [com.example.courier.PushService] Extension is being debugged, will skip scheduling timers
        """),
    MessageShape(
      .systemExtensionInitialised, "Service extension context initialized", bracket: .session,
      .extensionRan, .begun, step: .extensionLoads, .published,
      sample: "[3C1E9A52-7C1B-4B57-8B58-6E0D2E7E4C11] Service extension context initialized"),
    MessageShape(
      .systemExtensionInitialised, "Service extension was initialized", bracket: .session,
      .extensionRan, .begun, step: .extensionLoads, .published,
      sample: "[3C1E9A52-7C1B-4B57-8B58-6E0D2E7E4C11] Service extension was initialized"),
    MessageShape(
      .systemReplacementRequested,
      "Request replacement content for notification request {digest}", bracket: .session,
      .extensionRan, .begun, step: .didReceive, .dump,
      sample: """
        [3C1E9A52-7C1B-4B57-8B58-6E0D2E7E4C11] Request replacement content for notification \
        request DC15-EBDB
        """),
    MessageShape(
      .systemWillExpire, "Service extension time will expire", bracket: .session,
      .extensionRan, .failed, step: .handlerTiming, .dump, facts: ["F4.20", "F4.21"],
      sample: "[3C1E9A52-7C1B-4B57-8B58-6E0D2E7E4C11] Service extension time will expire"),
    MessageShape(
      .systemGraceTime, "Entering grace time", bracket: .extension,
      fields: [.init("sessionUUID=", .session, .word)],
      .extensionRan, .failed, step: .handlerTiming, .dump, facts: ["F4.21"],
      sample: """
        [com.example.courier.PushService] Entering grace time: \
        sessionUUID=3C1E9A52-7C1B-4B57-8B58-6E0D2E7E4C11
        """),
    MessageShape(
      .systemTimeExceeded, "Service extension exceeded allowed time", bracket: .extension,
      fields: [.init("sessionUUID=", .session, .word)],
      .extensionRan, .failed, step: .handlerTiming, .dump, facts: ["F4.20", "F4.21"],
      sample: """
        [com.example.courier.PushService] Service extension exceeded allowed time: \
        sessionUUID=3C1E9A52-7C1B-4B57-8B58-6E0D2E7E4C11
        """),
    MessageShape(
      .systemStartupUsedTime,
      "Extension will be killed because it used its runtime in starting up", bracket: .extension,
      .extensionLaunched, .failed, step: .extensionLoads, cause: .extStartupBudget, .published,
      facts: ["F4.21", "F4.22"],
      sample: """
        [com.example.courier.PushService] Extension will be killed because it used its runtime in \
        starting up
        """),
    MessageShape(
      .systemConnectionError, "Service extension connection encountered an error",
      bracket: .extension, fields: [.init("sessionUUID=", .session, .word)] + errorFields,
      .extensionRan, .failed, step: .handlerTiming, .dump, facts: ["F4.23"],
      sample: """
        [com.example.courier.PushService] Service extension connection encountered an error: \
        sessionUUID=3C1E9A52-7C1B-4B57-8B58-6E0D2E7E4C11, error=Error \
        Domain=NSCocoaErrorDomain Code=4099 "invalidated"
        """),
    MessageShape(
      .systemExceptionInDidReceive,
      """
      Exception caught during invocation of selector didReceiveNotificationRequest ... dropping \
      incoming message and invalidating the connection
      """,
      .extensionRan, .failed, step: .handlerTiming, .published, facts: ["F4.23"],
      sample: """
        Exception caught during invocation of selector \
        didReceiveNotificationRequest:withContentHandler:, dropping incoming message and \
        invalidating the connection. Exception: -[NSNull length]
        """),
    MessageShape(
      .systemExtensionInterrupted, "plugin {extension} interrupted",
      .extensionRan, .failed, step: .handlerTiming, .published,
      sample: "plugin com.example.courier.PushService interrupted"),
    MessageShape(
      .systemExtensionInterrupted, "Extension was interrupted",
      .extensionRan, .failed, step: .handlerTiming, .published,
      sample: "Extension was interrupted"),
  ]
}
