import PushModel

extension MessageRows {
  /// What the notification server says when a push comes in.
  static let server: [MessageShape] = [
    MessageShape(
      .systemIncoming, "Received incoming message on topic {app} at priority {priority:integer}",
      .admitted, .begun, step: .pathToDevice, .published, facts: ["F11.5"],
      sample: "Received incoming message on topic com.example.courier at priority 10"),
    MessageShape(
      .systemRequestReceived, "Received remote notification request {digest}", bracket: .app,
      fields: requestFlags,
      .admitted, .done, step: .pathToDevice, .published, facts: ["F11.5"],
      seen: ("11", "16.4"),
      sample: """
        [com.example.courier] Received remote notification request DC15-EBDB [ waking: 0, \
        hasAlertContent: 1, hasSound: 1 hasBadge: 0 hasContentAvailable: 0 hasMutableContent: 1 \
        pushType: Alert]
        """),
    MessageShape(
      .systemAppUninstalled, "Received incoming message for uninstalled app", bracket: .app,
      .admitted, .failed, step: .pathToDevice, .dump,
      sample: "[com.example.courier] Received incoming message for uninstalled app"),
    MessageShape(
      .systemAppRestricted, "Received incoming message for restricted app", bracket: .app,
      .admitted, .failed, step: .notificationSettings, .dump,
      sample: "[com.example.courier] Received incoming message for restricted app"),
    MessageShape(
      .systemAppUnregistered, "Received incoming message for unregistered app", bracket: .app,
      .admitted, .failed, step: .registration, .dump,
      sample: "[com.example.courier] Received incoming message for unregistered app"),
    MessageShape(
      .systemPushDisabled, "for push disabled app", bracket: .app,
      fields: [
        .init("allowsUserNotifications:", .allowsNotifications, .flag),
        .init("backgroundRefreshEnabled:", .allowsBackground, .flag),
      ],
      .admitted, .failed, step: .notificationSettings, cause: .notificationsDenied, .dump,
      facts: ["F4.2"],
      sample: """
        [com.example.courier] Received incoming message for push disabled app [ \
        supportsContentAvailableRemoteNotification: 0 backgroundRefreshEnabled: 0 \
        allowsUserNotifications: 0 ]
        """),
    MessageShape(
      .systemRequestInvalid, "Received invalid remote notification request", bracket: .app,
      fields: [.init("on topic", .topic, .word)],
      .admitted, .failed, step: .visibleAlert, .dump,
      sample: "Received invalid remote notification request on topic com.example.courier"),
    MessageShape(
      .systemModifiable,
      "Remote notification request {digest} can be modified: {allowed:flag}", bracket: .app,
      .modifiable, .note, step: .notificationSettings, .published, facts: ["F4.2", "F4.3"],
      sample: """
        [com.example.courier] Remote notification request DC15-EBDB can be modified: 1
        """),
  ]

  private static let requestFlags: [MessageShape.Field] = [
    .init("waking:", .waking, .flag), .init("hasAlertContent:", .hasAlert, .flag),
    .init("hasSound:", .hasSound, .flag), .init("hasBadge:", .hasBadge, .flag),
    .init("hasContentAvailable:", .contentAvailable, .flag),
    .init("hasMutableContent:", .mutableContent, .flag), .init("pushType:", .pushType, .word),
  ]
}
