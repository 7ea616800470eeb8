import PushModel

extension MessageRows {
  /// What apps, SDKs, tools and stores say beside the system's own messages, as reports quote it:
  /// loosely, so what counts is which words stand in the line. Read only in quoted lines.
  static let quotes: [MessageShape] =
    quotedErrors + quotedNetwork + quotedStorage + quotedBuilds + quotedApps

  /// Errors with their code, whoever prints them.
  private static let quotedErrors: [MessageShape] = [
    MessageShape(
      .intentFailed, "UNErrorDomain", fields: [.init("code", .errorCode, .integer)],
      says: [.errorDomain: .unErrorDomain], only: .init(.errorCode, 1500...1599), reading: .quote,
      .content, .failed, step: .communicationIntent, .published, facts: ["F5.12", "F6.7"],
      sample: "updating: UNErrorDomain error code 1500"),
    MessageShape(
      .nseAttachmentFailed, "UNErrorDomain", fields: [.init("code", .errorCode, .integer)],
      says: [.errorDomain: .unErrorDomain], only: .init(.errorCode, 1...1499), reading: .quote,
      .attachments, .failed, step: .mediaFile, .published, facts: ["F5.12"],
      sample: "attach failed (UNErrorDomain, code: 102)"),
    MessageShape(
      .nseAttachmentFailed, "unrecognized attachment file type",
      says: [.errorDomain: .unErrorDomain], codes: [.errorCode: 101], reading: .quote, .attachments,
      .failed, step: .mediaFile, .published, facts: ["F5.3", "F5.12"],
      sample: "unrecognized attachment file type"),
    MessageShape(
      .nseAttachmentFailed, "invalid attachment file url", says: [.errorDomain: .unErrorDomain],
      codes: [.errorCode: 100], reading: .quote, .attachments, .failed, step: .mediaFile,
      cause: .attachmentUrlInvalid, .published, facts: ["F5.7", "F5.12"],
      sample: "invalid attachment file URL"),
    MessageShape(
      .appRegistrationFailed, "no valid ... aps-environment",
      says: [.errorDomain: .nsCocoaErrorDomain], codes: [.errorCode: 3000], reading: .quote,
      .request, .failed, step: .registration, cause: .apsEntitlementMissing, .published,
      facts: ["F10.8"], sample: "no valid “aps-environment” entitlement string found"),
    MessageShape(
      .appRegistrationFailed, "aps-environment ... code=3000",
      says: [.errorDomain: .nsCocoaErrorDomain], codes: [.errorCode: 3000], reading: .quote,
      .request, .failed, step: .registration, cause: .apsEntitlementMissing, .published,
      facts: ["F10.8"], sample: "aps-environment missing, Code=3000"),
    MessageShape(
      .sdkTokenMissing, "com.firebase.iid ... 1001", reading: .quote, .request, .failed,
      step: .registration, cause: .apnsTokenNotHandedToSdk, .published,
      sample: "Error Domain=com.firebase.iid Code=1001"),
    MessageShape(
      .sdkTokenMissing, "no APNs token", reading: .quote, .request, .failed, step: .registration,
      cause: .apnsTokenNotHandedToSdk, .published,
      sample: "No APNS token specified before fetching the token"),
    MessageShape(
      .sdkTokenMissing, "APNs device token not set", reading: .quote, .request, .failed,
      step: .registration, cause: .apnsTokenNotHandedToSdk, .published,
      sample: "APNS device token not set before retrieving"),
    MessageShape(
      .sdkTokenMissing, "I-FCM002022", reading: .quote, .request, .failed, step: .registration,
      cause: .apnsTokenNotHandedToSdk, .published, sample: "[I-FCM002022] APNs has not answered"),
  ]

  /// Failed requests by the texts that go with the codes.
  private static let quotedNetwork: [MessageShape] = [
    MessageShape(
      .nseDownloadFinished, "NSURLErrorDomain", fields: [.init("code", .errorCode, .integer)],
      says: [.errorDomain: .nsurlErrorDomain], only: .init(.errorCode, -4000...(-1)),
      reading: .quote, .extensionRan, .failed, step: .mediaDownload, .published,
      facts: ["§url-errors"], sample: "NSURLErrorDomain, code: -1009"),
    MessageShape(
      .nseDownloadFinished, "requires a client certificate",
      says: [.errorDomain: .nsurlErrorDomain], codes: [.errorCode: -1206], reading: .quote,
      .extensionRan, .failed, step: .mediaDownload, cause: .mediaTls, .published,
      facts: ["§url-errors"], sample: "The server requires a client certificate."),
    MessageShape(
      .nseDownloadFinished, "certificate for this server is invalid",
      says: [.errorDomain: .nsurlErrorDomain], codes: [.errorCode: -1202], reading: .quote,
      .extensionRan, .failed, step: .mediaDownload, cause: .mediaTls, .published,
      facts: ["§url-errors"], sample: "The certificate for this server is invalid."),
    MessageShape(
      .nseDownloadFinished, "ssl error has occurred", says: [.errorDomain: .nsurlErrorDomain],
      codes: [.errorCode: -1200], reading: .quote, .extensionRan, .failed, step: .mediaDownload,
      cause: .mediaTls, .published, facts: ["§url-errors"], sample: "An SSL error has occurred"),
    MessageShape(
      .nseDownloadFinished, "tls error caused the secure connection to fail",
      says: [.errorDomain: .nsurlErrorDomain], codes: [.errorCode: -1200], reading: .quote,
      .extensionRan, .failed, step: .mediaDownload, cause: .mediaTls, .published,
      facts: ["§url-errors"], sample: "A TLS error caused the secure connection to fail."),
    MessageShape(
      .nseDownloadFinished, "app transport security ... requires the use of a secure",
      says: [.errorDomain: .nsurlErrorDomain], codes: [.errorCode: -1022], reading: .quote,
      .extensionRan, .failed, step: .mediaDownload, cause: .atsBlocked, .published,
      facts: ["§url-errors"],
      sample: "App Transport Security policy requires the use of a secure connection."),
    MessageShape(
      .nseDownloadFinished, "app transport security ... block",
      says: [.errorDomain: .nsurlErrorDomain], codes: [.errorCode: -1022], reading: .quote,
      .extensionRan, .failed, step: .mediaDownload, cause: .atsBlocked, .published,
      facts: ["§url-errors"], sample: "App Transport Security has blocked a cleartext load"),
    MessageShape(
      .nseDownloadFinished, "could not connect to the server",
      says: [.errorDomain: .nsurlErrorDomain], codes: [.errorCode: -1004], reading: .quote,
      .extensionRan, .failed, step: .mediaDownload, cause: .mediaHostUnreachable, .published,
      facts: ["§url-errors"], sample: "Could not connect to the server."),
    MessageShape(
      .nseDownloadFinished, "hostname could not be found", says: [.errorDomain: .nsurlErrorDomain],
      codes: [.errorCode: -1003], reading: .quote, .extensionRan, .failed, step: .mediaDownload,
      cause: .mediaHostUnreachable, .published, facts: ["§url-errors"],
      sample: "A server with the specified hostname could not be found."),
    MessageShape(
      .nseDownloadFinished, "internet connection appears to be offline",
      says: [.errorDomain: .nsurlErrorDomain], codes: [.errorCode: -1009], reading: .quote,
      .extensionRan, .failed, step: .mediaDownload, cause: .mediaHostUnreachable, .published,
      facts: ["§url-errors"], sample: "The Internet connection appears to be offline."),
    MessageShape(
      .nseDownloadFinished, "request timed out", says: [.errorDomain: .nsurlErrorDomain],
      codes: [.errorCode: -1001], reading: .quote, .extensionRan, .failed, step: .mediaDownload,
      cause: .mediaHostUnreachable, .published, facts: ["§url-errors"],
      sample: "The request timed out."),
  ]

  private static let quotedStorage: [MessageShape] = [
    MessageShape(
      .nseKeychainFailed, "-25308", codes: [.code: -25308], reading: .quote, .extensionRan, .failed,
      step: .sharedStorage, cause: .keychainLocked, .published, facts: ["F4.44"],
      sample: "SecItemCopyMatching: -25308"),
    MessageShape(
      .nseKeychainFailed, "errSecInteractionNotAllowed", codes: [.code: -25308], reading: .quote,
      .extensionRan, .failed, step: .sharedStorage, cause: .keychainLocked, .published,
      facts: ["F4.44"], sample: "errSecInteractionNotAllowed"),
    MessageShape(
      .nseKeychainFailed, "-34018", codes: [.code: -34018], reading: .quote, .extensionRan, .failed,
      step: .sharedStorage, cause: .keychainGroup, .published, facts: ["§keychain"],
      sample: "keychain read: -34018"),
    MessageShape(
      .nseKeychainFailed, "errSecMissingEntitlement", codes: [.code: -34018], reading: .quote,
      .extensionRan, .failed, step: .sharedStorage, cause: .keychainGroup, .published,
      facts: ["§keychain"], sample: "errSecMissingEntitlement"),
    MessageShape(
      .sdkGroupMissing, "appId not available from shared UserDefaults", reading: .quote,
      .extensionRan, .failed, step: .sharedStorage, cause: .appGroupMissing, .published,
      sample: "appId not available from shared UserDefaults"),
  ]

  /// Building, installing, loading, and what ends apps.
  private static let quotedBuilds: [MessageShape] = [
    MessageShape(
      .systemInstallRefused, "0xe8008016", reading: .quote, nil, .failed, step: .extensionEmbedded,
      cause: .extSigning, .published, sample: "Failed to install: 0xe8008016"),
    MessageShape(
      .systemPrefixRefused, "not prefixed with the parent app", reading: .quote, nil, .failed,
      step: .extensionEmbedded, cause: .extBundlePrefix, .published, facts: ["F4.8"],
      sample: "bundle identifier is not prefixed with the parent app"),
    MessageShape(
      .systemPrefixRefused, "bundle identifier ... prefix", reading: .quote, nil, .failed,
      step: .extensionEmbedded, cause: .extBundlePrefix, .published, facts: ["F4.8"],
      sample: "Invalid bundle identifier: wrong prefix"),
    MessageShape(
      .systemMemoryExceeded, "EXC_RESOURCE ... memory",
      fields: [.init("limit", .limitMb, .integer)],
      says: [.reason: .excResource], reading: .quote, .extensionRan, .failed,
      step: .extensionMemory, cause: .extMemory, .published, facts: ["F4.26", "F4.27"],
      sample: "Thread 4: EXC_RESOURCE RESOURCE_TYPE_MEMORY (limit=24 MB, unused=0x0)"),
    MessageShape(
      .systemMemoryExceeded, "exceeded mem limit", says: [.reason: .excResource], reading: .quote,
      .extensionRan, .failed, step: .extensionMemory, cause: .extMemory, .published,
      facts: ["F4.26", "F4.27"], sample: "process PushService exceeded mem limit (24 MB)"),
    MessageShape(
      .systemKilledForMemory, "per-process-limit", says: [.reason: .perProcessLimit],
      reading: .quote, .extensionRan, .failed, step: .extensionMemory, cause: .extMemory,
      .published, facts: ["F4.27"], sample: "JetsamEvent: PushService, reason per-process-limit"),
    MessageShape(
      .systemLibraryMissing, "library not loaded", reading: .quote, .extensionLaunched, .failed,
      step: .extensionLoads, cause: .extFrameworkMissing, .published,
      sample: "Library not loaded: @rpath/Foo.framework/Foo"),
    MessageShape(
      .systemPrincipalClassMissing, "unable to find NSExtensionPrincipalClass", reading: .quote,
      .extensionLaunched, .failed, step: .extensionLoads, cause: .principalClass, .published,
      sample: "Unable to find NSExtensionPrincipalClass"),
    MessageShape(
      .liveActivityDecodeFailed, "unable to decode content state", reading: .quote, nil, .failed,
      step: .laPayload, cause: .laContentState, .published, facts: ["F9.4"],
      sample: "Unable to decode content state: it is missing"),
    MessageShape(
      .systemAppCrashed, "baadca11", codes: [.code: 0xbaad_ca11], reading: .quote, nil, .failed,
      step: .callReported, cause: .voipNotReported, .published,
      sample: "Termination reason: 0xbaadca11"),
    MessageShape(
      .systemAppCrashed, "killing app because it never posted an incoming call",
      codes: [.code: 0xbaad_ca11], reading: .quote, nil, .failed, step: .callReported,
      cause: .voipNotReported, .published,
      sample: "Killing app because it never posted an incoming call"),
  ]

  /// The app's answer about the foreground (other completions are missed in the same words), and
  /// downloads that were cut.
  private static let quotedApps: [MessageShape] = [
    MessageShape(
      .systemBackgroundNotCompleted,
      "fetchCompletionHandler ... completion handler ... never called",
      reading: .quote, .presented, .failed, step: .backgroundHandled,
      cause: .backgroundNotCompleted, .published, facts: ["F8.6"],
      sample: """
        Warning: Application delegate received call to -application:\
        didReceiveRemoteNotification:fetchCompletionHandler: but the completion handler was never \
        called.
        """),
    MessageShape(
      .sdkCompletionNotCalled, "foreground ... completion ... not called", reading: .quote,
      .presented, .failed, step: .presentation, cause: .foregroundCompletionNotCalled, .published,
      sample: "notification in foreground: completion not called within 25 s"),
    MessageShape(
      .sdkCompletionNotCalled, "willDisplay ... completion ... not called", reading: .quote,
      .presented, .failed, step: .presentation, cause: .foregroundCompletionNotCalled, .published,
      sample: "willDisplay completion was not called"),
    MessageShape(
      .sdkCompletionNotCalled, "willPresent ... completion ... not called", reading: .quote,
      .presented, .failed, step: .presentation, cause: .foregroundCompletionNotCalled, .published,
      sample: "willPresent completion not called"),
    MessageShape(
      .sdkCompletionNotCalled, "willPresent ... completion ... never called", reading: .quote,
      .presented, .failed, step: .presentation, cause: .foregroundCompletionNotCalled, .published,
      sample: "willPresent: completion handler was never called"),
    MessageShape(
      .sdkDownloadOpen, "download ... not finished", reading: .quote, .extensionRan, .note,
      step: .handlerTiming, cause: .downloadTooSlow, .published, facts: ["F4.20"],
      sample: "download not finished"),
    MessageShape(
      .sdkDownloadOpen, "download ... still running", reading: .quote, .extensionRan, .note,
      step: .handlerTiming, cause: .downloadTooSlow, .published, facts: ["F4.20"],
      sample: "download still running"),
    MessageShape(
      .sdkDownloadOpen, "download ... incomplete", reading: .quote, .extensionRan, .note,
      step: .handlerTiming, cause: .downloadTooSlow, .published, facts: ["F4.20"],
      sample: "download incomplete"),
    MessageShape(
      .sdkDownloadOpen, "download ... cancelled ... expir", reading: .quote, .extensionRan, .note,
      step: .handlerTiming, cause: .downloadTooSlow, .published, facts: ["F4.20"],
      sample: "download cancelled, extension expired"),
  ]
}
