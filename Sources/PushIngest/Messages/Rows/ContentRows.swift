import PushModel

extension MessageRows {
  /// What became of the content that the extension gave back, and of its attachments.
  static let content: [MessageShape] = [
    MessageShape(
      .systemContentReturned, "Service extension delivered mutated content", bracket: .extension,
      fields: [.init("sessionUUID=", .session, .word)],
      .content, .done, step: .handlerTiming, .published,
      sample: """
        [com.example.courier.PushService] Service extension delivered mutated content: \
        sessionUUID=3C1E9A52-7C1B-4B57-8B58-6E0D2E7E4C11
        """),
    MessageShape(
      .systemContentNotApplied,
      """
      Did not mutate content for notification request, will deliver original content; \
      notificationRequest={digest}
      """,
      bracket: .app, fields: errorFields + [.init("runtime:", .elapsedMs, .seconds)],
      .content, .failed, step: .contentApplied, .published, facts: ["F4.23", "F4.29"],
      sample: """
        [com.example.courier] Did not mutate content for notification request, will deliver \
        original content; notificationRequest=DC15-EBDB, error=Error \
        Domain=UNUserNotificationServiceExtensionErrorDomain Code=1901 "expired", runtime: 30.021
        """),
    MessageShape(
      .systemContentNotApplied, "Did not mutate content for notification request", bracket: .app,
      fields: errorFields + [.init("runtime:", .elapsedMs, .seconds)],
      .content, .failed, step: .contentApplied, .published, facts: ["F4.23", "F4.29"],
      sample: """
        [com.example.courier] Did not mutate content for notification request <private>, will \
        deliver original content
        """),
    MessageShape(
      .systemContentApplied,
      "Will deliver mutated notification content; notificationRequest={digest}", bracket: .app,
      fields: [
        .init("attachmentCount=", .attachments, .integer),
        .init("runtime:", .elapsedMs, .seconds),
      ],
      .content, .done, step: .contentApplied, .dump,
      sample: """
        [com.example.courier] Will deliver mutated notification content; \
        notificationRequest=DC15-EBDB, attachmentCount=1, runtime: 1.204
        """),
    MessageShape(
      .systemContentWithoutAlert,
      "Mutated notification request will not visibly alert the user, will deliver original content",
      bracket: .app, .content, .failed, step: .contentApplied, cause: .filterEntitlement, .dump,
      facts: ["F4.24", "F4.50"],
      sample: """
        [com.example.courier] Mutated notification request will not visibly alert the user, will \
        deliver original content
        """),
    MessageShape(
      .systemFilteredOut, "will supress original content", bracket: .app,
      .presented, .withheld, step: .contentApplied, .dump, facts: ["F4.23", "F4.50"],
      sample: """
        [com.example.courier] Mutated notification request will not visibly alert the user, will \
        supress original content
        """),
    MessageShape(
      .systemAttachmentNotStaged, "Unable to stage attachment", bracket: .app,
      fields: errorFields, .attachments, .failed, step: .mediaFile, .dump,
      facts: ["F5.9", "F5.10"],
      sample: """
        [com.example.courier] Unable to stage attachment: attachment=<private>, error=Error \
        Domain=UNErrorDomain Code=102 "too large"
        """),
    MessageShape(
      .systemAttachmentTypeConflict,
      "Type conflict between attachment and pre-resolved attachment", bracket: .app,
      .attachments, .failed, step: .mediaFile, .dump,
      sample: "Type conflict between attachment and pre-resolved attachment"),
    MessageShape(
      .systemAttachmentsResolved, "Successfully resolved request ... resolutionSuccess=",
      bracket: .app,
      fields: [.init("resolutionSuccess=", .completed, .flag)],
      .attachments, .note, step: .mediaFile, .dump,
      sample: """
        [com.example.courier] Successfully resolved request <private>; resolutionSuccess=1, \
        continueOnFailure=1
        """),
  ]

  /// What was shown.
  static let presentation: [MessageShape] = [
    MessageShape(
      .systemPresentationStarted, "Process delivery of push notification {digest}",
      bracket: .app, .presented, .begun, step: .presentation, .published,
      sample: "[com.example.courier] Process delivery of push notification DC15-EBDB"),
    MessageShape(
      .systemNotPresented, "NOT delivering user visible push notification {digest}",
      bracket: .app, fields: errorFields, .presented, .failed, step: .presentation, .dump,
      sample: """
        [com.example.courier] NOT delivering user visible push notification DC15-EBDB [ \
        error=Error Domain=UNErrorDomain Code=1 "not allowed" ]
        """),
    MessageShape(
      .systemPresented, "Delivered user visible push notification {digest}", bracket: .app,
      .presented, .done, step: .presentation, .published,
      sample: "[com.example.courier] Delivered user visible push notification DC15-EBDB"),
    MessageShape(
      .systemNothingToPresent, "NOT delivering non-notifying push notification {digest}",
      bracket: .app, .presented, .withheld, step: .visibleAlert, .dump,
      sample: "[com.example.courier] NOT delivering non-notifying push notification DC15-EBDB"),
    MessageShape(
      .systemFilteredOut, "NOT delivering filtered push notification {digest}", bracket: .app,
      .presented, .withheld, step: .contentApplied, .dump, facts: ["F4.50"],
      sample: "[com.example.courier] NOT delivering filtered push notification DC15-EBDB"),
    MessageShape(
      .systemPresentationDecided, "Adding notification {digest}", bracket: .app,
      fields: [
        .init("shouldPresentAlert:", .presentsAlert, .flag),
        .init("shouldPlaySound:", .playsSound, .flag),
        .init("shouldBadge:", .setsBadge, .flag),
      ],
      .presented, .done, step: .presentation, .published,
      sample: """
        [com.example.courier] Adding notification DC15-EBDB [ hasAlertContent: 1, \
        shouldPresentAlert: 1 hasSound: 1 shouldPlaySound: 0 ] to destinations: (Lock, Alert)
        """),
    MessageShape(
      .systemNotAlerting, "Not alerting on post for request {digest}",
      fields: [
        .init("uiLocked=", .isLocked, .flag),
        .init("shouldSuppressAlert=", .isSuppressed, .flag),
      ],
      .presented, .withheld, step: .presentation, .published,
      sample: "Not alerting on post for request DC15-EBDB uiLocked=1 shouldSuppressAlert=1"),
    MessageShape(
      .systemPostedTo, "Posting notification {digest} to destination", bracket: .app,
      .presented, .done, step: .presentation, .published,
      sample: "Posting notification DC15-EBDB to destination LockScreen"),
    MessageShape(
      .systemForegroundAnswered, "Received response {options:integer} for willPresentNotification",
      bracket: .app, .presented, .note, step: .presentation, .published, facts: ["F4.12"],
      sample: "[com.example.courier] Received response 0 for willPresentNotification"),
    MessageShape(
      .systemSoundNotFound, "Failed to find sound", bracket: .app,
      .presented, .failed, step: .visibleAlert, cause: .soundMissing, .published,
      sample: "Failed to find sound ping.caf in bundle"),
    MessageShape(
      .systemBadgeDecided, "Badge can be set for notification {digest}", bracket: .app,
      fields: [.init("canBadge:", .setsBadge, .flag)],
      .presented, .note, .published,
      sample: "[com.example.courier] Badge can be set for notification DC15-EBDB canBadge: 1"),
    MessageShape(
      .systemBulletinQueued, "has enqueued a bulletin request",
      .presented, .done, step: .presentation, .published,
      sample: "com.example.courier has enqueued a bulletin request"),
  ]

  /// Silent pushes.
  static let background: [MessageShape] = [
    MessageShape(
      .systemWakeRequested, "Request DUET delivers content-available push notification",
      bracket: .app, .presented, .begun, step: .appWakeable, .published,
      sample: """
        [com.example.courier] Request DUET delivers content-available push notification DC15-EBDB
        """),
    MessageShape(
      .systemWakeRefused, "NOT requesting DUET deliver content-available", bracket: .app,
      .presented, .failed, step: .appWakeable, .dump,
      sample: """
        [com.example.courier] NOT requesting DUET deliver content-available push notification \
        DC15-EBDB
        """),
    MessageShape(
      .systemWakeQueued, "SUBMITTING: com.apple.pushLaunch.{app}:", by: ["dasd"],
      .presented, .begun, step: .appWakeable, .published,
      sample: "SUBMITTING: com.apple.pushLaunch.com.example.courier:1A2B3C"),
    MessageShape(
      .systemWakeCancelled, "CANCELED: com.apple.pushLaunch.{app}:", by: ["dasd"],
      .presented, .failed, step: .appWakeable, cause: .backgroundBestEffort, .published,
      facts: ["F8.4"], sample: "CANCELED: com.apple.pushLaunch.com.example.courier:1A2B3C <private>"
    ),
    MessageShape(
      .systemWakeCancelled, "CANCELED: com.apple.pushLaunch", by: ["dasd"],
      .presented, .failed, step: .appWakeable, cause: .backgroundBestEffort, .published,
      facts: ["F8.4"], sample: "CANCELED: com.apple.pushLaunch <private>"),
    MessageShape(
      .systemWakeCancelled, "com.apple.pushLaunch.{app}: ... Must Not Proceed", by: ["dasd"],
      .presented, .failed, step: .appWakeable, cause: .backgroundBestEffort, .published,
      facts: ["F8.4", "F8.5"],
      sample: """
        com.apple.pushLaunch.com.example.courier:1A2B3C:[ {name: ApplicationPolicy, \
        policyWeight: 50.0, response: {Decision: Must Not Proceed, Score: 0.00}} ]
        """),
    MessageShape(
      .systemWakeCancelled, "Daemon Canceling Activities: ... com.apple.pushLaunch.{app}:",
      by: ["dasd"], .presented, .failed, step: .appWakeable, cause: .backgroundBestEffort,
      .published, facts: ["F8.4"],
      sample: """
        Daemon Canceling Activities: {( com.apple.pushLaunch.com.example.courier:1A2B3C )}
        """),
    MessageShape(
      .systemWakeQueued, "Submitted Activity: com.apple.pushLaunch.{app}:", by: ["dasd"],
      .presented, .begun, step: .appWakeable, .published,
      sample: "Submitted Activity: com.apple.pushLaunch.com.example.courier:1A2B3C"),
  ]
}
