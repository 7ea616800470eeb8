import PushModel

extension MessageRows {
  /// What the kernel and the process manager say.
  static let kernel: [MessageShape] = [
    MessageShape(
      .systemMemoryExceeded,
      "EXC_RESOURCE -> {process}[{pid}] exceeded mem limit: ActiveHard {limit_mb:integer} MB",
      by: ["kernel"], says: [.reason: .excResource],
      .extensionRan, .failed, step: .extensionMemory, cause: .extMemory, .published,
      facts: ["F4.26", "F4.27"],
      sample: """
        EXC_RESOURCE -> PushService[812] exceeded mem limit: ActiveHard 24 MB (fatal)
        """),
    MessageShape(
      .systemMemoryExceeded, "EXC_RESOURCE -> {process}[{pid}] exceeded mem limit", by: ["kernel"],
      says: [.reason: .excResource],
      .extensionRan, .failed, step: .extensionMemory, cause: .extMemory, .published,
      facts: ["F4.26", "F4.27"],
      sample: "EXC_RESOURCE -> PushService[812] exceeded mem limit: InactiveHard 12 MB (fatal)"),
    MessageShape(
      .systemKilledForMemory, "memorystatus: killing ... per-process-limit",
      by: ["kernel"],
      fields: [.init("pid", .pid, .integer)],
      says: [.reason: .perProcessLimit],
      .extensionRan, .failed, step: .extensionMemory, cause: .extMemory, .unchecked,
      facts: ["F4.27"],
      sample: """
        memorystatus: killing_specific_process pid 812 [PushService] (per-process-limit 0) 24640KB
        """),
    MessageShape(
      .systemProcessEnded,
      """
      [xpcservice<{extension} ... termination reported by launchd ({namespace:integer}, \
      {code:integer}, {signal:integer})
      """,
      by: ["runningboardd"], .extensionRan, .note, step: .extensionLoads, .published,
      sample: """
        [xpcservice<com.example.courier.PushService([osservice<com.apple.SpringBoard>:57])>:812] \
        termination reported by launchd (6, 1, 6)
        """),
    MessageShape(
      .systemProcessSeen, "Resolved XPC Service", by: ["runningboardd"], needsProcess: true,
      .extensionLaunched, .note, .published, isKept: false,
      sample: "Resolved XPC Service with pid 812"),
    MessageShape(
      .systemProcessSeen, "Removing process: [xpcservice<{extension}", by: ["runningboardd"],
      needsProcess: true, .extensionRan, .note, .published,
      sample: """
        Removing process: [xpcservice<com.example.courier.PushService([osservice<x>:57])>:812]
        """),
    MessageShape(
      .systemProcessSeen, "Finished acquiring assertion", by: ["runningboardd"],
      needsProcess: true, .extensionLaunched, .note, .published, isKept: false,
      sample: "Finished acquiring assertion 401-57-1"),
    MessageShape(
      .systemProcessSeen, "Acquiring assertion", by: ["runningboardd"], needsProcess: true,
      .extensionLaunched, .note, .published, isKept: false,
      sample: "Acquiring assertion targeting [xpcservice<com.example.courier.PushService>:812]"),
  ]

  /// What logs say of lines that they did not keep.
  static let losses: [MessageShape] = [
    MessageShape(
      .systemLogGap, "lost >= {count:integer} unreliable messages", nil, .note, .unchecked,
      sample: "lost >=  32 unreliable messages from 11:00:02.481233 to 11:00:02.990000"),
    MessageShape(
      .systemLogGap, "QUARANTINED DUE TO HIGH LOGGING VOLUME", nil, .note, .published,
      sample: "QUARANTINED DUE TO HIGH LOGGING VOLUME"),
    MessageShape(
      .systemLogGap, "log message per second limit", nil, .note, .unchecked,
      sample: """
        *** process 812 exceeded 500 log message per second limit - remaining messages this \
        second discarded ***
        """),
  ]

  /// What apps and extensions themselves, and their tools, print in the words of the system.
  static let apps: [MessageShape] = [
    MessageShape(
      .nseAttachmentFailed, "Invalid attachment file URL", fields: errorFields,
      .attachments, .failed, step: .mediaFile, cause: .attachmentUrlInvalid, .published,
      facts: ["F5.7", "F5.8", "F5.12"],
      sample: "Error Domain=UNErrorDomain Code=100 \"Invalid attachment file URL\""),
    MessageShape(
      .nseAttachmentFailed, "Unrecognized attachment file type", fields: errorFields,
      .attachments, .failed, step: .mediaFile, .published, facts: ["F5.3", "F5.4", "F5.12"],
      sample: """
        Error Domain=UNErrorDomain Code=101 "Unrecognized attachment file type" \
        UserInfo={NSLocalizedDescription=Unrecognized attachment file type}
        """),
    MessageShape(
      .nseAttachmentFailed, "Error Domain=UNErrorDomain Code={error_code:integer}",
      fields: [.init("Domain=", .errorDomain, .word)],
      .attachments, .failed, step: .mediaFile, .published, facts: ["F5.12"],
      sample: "attachment: Error Domain=UNErrorDomain Code=102 \"too large\""),
    MessageShape(
      .appRegistrationFailed, "no valid 'aps-environment' entitlement", fields: errorFields,
      .request, .failed, step: .registration, cause: .apsEntitlementMissing, .published,
      sample: """
        Error Domain=NSCocoaErrorDomain Code=3000 "no valid 'aps-environment' entitlement string \
        found for application"
        """),
    MessageShape(
      .systemSimulator, "Content-available push notifications are only supported on-device",
      .presented, .note, step: .didReceive, cause: .simulatorPushLimits, .published,
      facts: ["F4.64"],
      sample: "Content-available push notifications are only supported on-device"),
    MessageShape(
      .systemContentExtensionLoaded, "Loaded extension {extension} for categories",
      nil, .note, step: .contentExtension, .published,
      sample: "Loaded extension com.example.courier.Content for categories order"),
    MessageShape(
      .systemContentExtensionLoaded, "Loading extension {extension} with attributes",
      nil, .note, step: .contentExtension, .published,
      sample: "Loading extension com.example.courier.Content with attributes {"),
    MessageShape(
      .systemUnknownToFrontboard, "is unknown to FrontBoard", nil, .note, .published,
      sample: "Application <private> is unknown to FrontBoard"),
  ]
}
