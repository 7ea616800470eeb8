import PushModel

/// Error codes in records of extensions and apps, by domain and number.
let errorCodeRows: [ReferenceEntry] =
  notificationErrors + NetworkErrors.all.flatMap(\.rows) + storageErrors

private func notificationError(
  _ code: Int, _ name: String, _ meaning: String, decided: String, repair: String,
  steps: [StepID] = [], causes: [CauseID] = [], facts: [FactID] = ["F5.12"]
) -> ReferenceEntry {
  ReferenceEntry(
    "UNErrorDomain \(code)", aliases: ["\(code)", "UNError \(code)", "UNErrorCode\(name)"],
    form: "`UNErrorCode\(name)`", meaning, decided: decided, repair: repair, steps: steps,
    causes: causes, facts: facts)
}

private let notificationErrors: [ReferenceEntry] = [
  notificationError(
    1, "NotificationsNotAllowed", "The person has not allowed notifications.",
    decided: "By the phone's settings.", repair: "Ask for authorisation; show it in the app.",
    steps: [.notificationSettings], causes: [.notificationsDenied], facts: ["F5.12", "F4.2"]),
  notificationError(
    100, "AttachmentInvalidURL",
    "The URL of the attachment is no readable file in the extension's own or group folders.",
    decided: "By `nse.attachment.failed` with this code.",
    repair: "Load the file into the extension's temporary folder first.",
    steps: [.mediaFile], causes: [.attachmentUrlInvalid], facts: ["F5.7", "F5.8", "F5.12"]),
  notificationError(
    101, "AttachmentUnrecognizedType", "The type of the attachment is not known.",
    decided:
      "The type comes from the hint, else from the file name's ending, never from the bytes.",
    repair: "Name the file by the answer's MIME type, or give a UTI as hint.",
    steps: [.mediaFile], causes: [.fileExtensionMissing, .typeHintNotUti, .unsupportedFormat],
    facts: ["F5.3", "F5.4", "F5.5", "F5.12"]),
  notificationError(
    102, "AttachmentInvalidFileSize", "The attachment is larger than its kind allows.",
    decided: "By the code, or by the bytes: 10 MB for pictures, 5 MB for sound, 50 MB for film.",
    repair: "Send a smaller file.", steps: [.mediaFile], causes: [.attachmentTooLarge],
    facts: ["F5.1", "F5.12", "F5.13"]),
  notificationError(
    103, "AttachmentNotInDataStore", "The file is not in the system's store any more.",
    decided: "Seen when an attachment is read later; no step breaks by it alone.",
    repair: "Read it through the notification's attachment, within its security scope.",
    steps: [.contentExtension], causes: [.contentExtAttachment], facts: ["F5.9", "F5.12", "F5.14"]),
  notificationError(
    104, "AttachmentMoveIntoDataStoreFailed", "The file could not be moved into the store.",
    decided: "By the phone's free space and by the other records of the run.",
    repair: "Free space; keep the file until the handler was called.",
    steps: [.mediaFile, .contentApplied], facts: ["F5.9", "F5.12", "F5.16"]),
  notificationError(
    105, "AttachmentCorrupt", "The file's content cannot be read.",
    decided: "By the code and by the first bytes, where they are known.",
    repair: "Load again; look whether the server sent a page in the picture's place.",
    steps: [.mediaFile, .mediaDownload], causes: [.unsupportedFormat, .mediaHttpStatus],
    facts: ["F5.2", "F5.12"]),
  notificationError(
    1400, "NotificationInvalidNoDate", "A local notification without a date.",
    decided: "Local notifications only.", repair: "Give the trigger a future date.",
    facts: ["F5.12"]),
  notificationError(
    1401, "NotificationInvalidNoContent", "A local notification without content.",
    decided: "Local notifications only.", repair: "Set title or body.", facts: ["F5.12"]),
  notificationError(
    1500, "ContentProvidingObjectNotAllowed",
    "The object given to `updating(from:)` may not provide content.",
    decided: "By `intent.failed` with this code.",
    repair: "Give an `INSendMessageIntent` or `INStartCallIntent`.",
    steps: [.communicationIntent], causes: [.intentNotApplied], facts: ["F6.7", "F5.12"]),
  notificationError(
    1501, "ContentProvidingInvalid", "The intent given to `updating(from:)` is not valid.",
    decided: "By `intent.failed` with this code.",
    repair: "Fill sender and recipients, donate the incoming interaction first, then update.",
    steps: [.communicationIntent], causes: [.intentNotApplied], facts: ["F6.3", "F6.7", "F5.12"]),
  notificationError(
    1600, "BadgeInputInvalid", "The number of the badge is not valid.",
    decided: "Not judged.", repair: "A number from 0 up.", facts: ["F5.12"]),
  notificationError(
    1901, "service time expired", "The service extension's time was over.",
    decided: "Together with `nse.will_expire` and the handler's call.",
    repair: "Give the work a budget well below 29 s, hand over the best attempt at expiry.",
    steps: [.handlerTiming], causes: [.contentHandlerNever, .contentHandlerLate, .downloadTooSlow],
    facts: ["F4.29", "F4.20"]),
  notificationError(
    1902, "invalid context", "The extension's context was not valid.",
    decided: "As an explanation of a log only.", repair: "Read the extension's crash report.",
    steps: [.extensionLoads], facts: ["F4.29"]),
  notificationError(
    1903, "unknown", "The service extension failed for a reason that iOS does not name.",
    decided: "As an explanation of a log only.", repair: "Read the extension's crash report.",
    steps: [.extensionLoads], facts: ["F4.29"]),
  notificationError(
    1904, "no extension", "No service extension was found.",
    decided: "As an explanation of a log only: it fits missing, wrong point and minimum iOS alike.",
    repair: "List PlugIns of the installed app and read the extension's plist.",
    steps: [.extensionEmbedded, .extensionPoint, .extensionMinimumOs],
    causes: [.appexNotEmbedded, .wrongExtensionPoint, .extMinOs], facts: ["F4.29", "F4.4"]),
]

/// Codes of the URL loading system that have one cause, and mostly one repair.
private struct NetworkErrors {
  let cause: CauseID?
  let repair: String
  /// Number, name and meaning.
  let codes: [(code: Int, name: String, meaning: String)]

  var rows: [ReferenceEntry] {
    codes.map { code, name, meaning in
      ReferenceEntry(
        "NSURLErrorDomain \(code)", aliases: ["\(code)", "NSURLError\(name)"],
        form: "`NSURLError\(name)`", meaning,
        decided: "By `nse.download.finished` with this domain and code.", repair: repair,
        steps: [.mediaDownload], causes: cause.map { [$0] } ?? [], facts: ["§url-errors"])
    }
  }

  static let all: [NetworkErrors] = [
    NetworkErrors(
      cause: nil, repair: "Look what cancels it; see `handler-timing`.",
      codes: [(-999, "Cancelled", "The request was cancelled, by the app or as its time ended.")]),
    NetworkErrors(
      cause: .urlInvalid, repair: "Encode nested values, check the scheme, use https.",
      codes: [
        (-1000, "BadURL", "The text is no URL."),
        (-1002, "UnsupportedURL", "The scheme is not supported."),
      ]),
    NetworkErrors(
      cause: .mediaHostUnreachable,
      repair: """
        A URL that the phone can reach from anywhere, a time-out of 10 to 15 s, and then the text \
        without the media.
        """,
      codes: [
        (-1001, "TimedOut", "No answer in time."),
        (-1003, "CannotFindHost", "The host's name is not known."),
        (-1004, "CannotConnectToHost", "The host does not answer."),
        (-1005, "NetworkConnectionLost", "The connection broke."),
        (-1009, "NotConnectedToInternet", "The phone was offline for the extension."),
      ]),
    NetworkErrors(
      cause: .mediaHttpStatus, repair: "Check the status before attaching.",
      codes: [(-1011, "BadServerResponse", "The server's answer cannot be used.")]),
    NetworkErrors(
      cause: .atsBlocked,
      repair: "Use https, or name an exception in the extension's plist.",
      codes: [
        (
          -1022, "AppTransportSecurityRequiresSecureConnection",
          "Plain http without an exception in the extension's own plist."
        )
      ]),
    NetworkErrors(
      cause: .mediaTls,
      repair:
        "A whole chain of certificates that are valid now, from a public root, and current TLS.",
      codes: [
        (-1200, "SecureConnectionFailed", "The TLS handshake failed."),
        (
          -1201, "ServerCertificateHasBadDate",
          "The server's certificate has expired or is not valid yet."
        ),
        (-1202, "ServerCertificateUntrusted", "The server's certificate is not trusted."),
        (-1203, "ServerCertificateHasUnknownRoot", "The root of the server's chain is not known."),
        (-1204, "ServerCertificateNotYetValid", "The server's certificate is not valid yet."),
      ]),
    NetworkErrors(
      cause: .mediaTls, repair: "Give the extension the identity, or serve media without one.",
      codes: [
        (-1205, "ClientCertificateRejected", "The server rejects the phone's certificate."),
        (-1206, "ClientCertificateRequired", "The server asks for a certificate of the phone."),
      ]),
  ]
}

private let storageErrors: [ReferenceEntry] = [
  ReferenceEntry(
    "errSecInteractionNotAllowed", aliases: ["-25308"], form: "OSStatus -25308 of the keychain.",
    "The keychain item is out of reach while the phone is locked.",
    decided: "By `nse.keychain.failed` with this code and the lock state of the run.",
    repair: "`kSecAttrAccessibleAfterFirstUnlock` for what the extension needs.",
    steps: [.sharedStorage], causes: [.keychainLocked], facts: ["F4.43", "F4.44"]),
  ReferenceEntry(
    "errSecItemNotFound", aliases: ["-25300"], form: "OSStatus -25300 of the keychain.",
    "The item is not there, or not in a group of this process.",
    decided: "Only together with the keychain groups of both signatures.",
    repair: "The same `keychain-access-groups` in app and extension.",
    steps: [.sharedStorage], causes: [.keychainGroup], facts: ["§keychain"]),
  ReferenceEntry(
    "errSecMissingEntitlement", aliases: ["-34018"], form: "OSStatus -34018 of the keychain.",
    "The process has no entitlement for the group that it asks for.",
    decided: "By `nse.keychain.failed` with this code.",
    repair: "Add the keychain group to the extension's entitlements.",
    steps: [.sharedStorage], causes: [.keychainGroup], facts: ["§keychain"]),
  ReferenceEntry(
    "NSCocoaErrorDomain 3000", aliases: ["3000"],
    form: "Registration failure, naming `aps-environment`.",
    "The signed app has no entitlement for push.",
    decided: "By `app.registration_failed` with this domain and code.",
    repair: "Switch the capability on, renew the profile, build again.",
    steps: [.registration], causes: [.apsEntitlementMissing], facts: ["F10.1", "F10.8"]),
  ReferenceEntry(
    "NSCocoaErrorDomain 4097", aliases: ["4097", "NSXPCConnectionInterrupted"],
    form: "`NSXPCConnectionInterrupted`", "The extension's process ended while iOS talked to it.",
    decided: "With a run time far below a second it died at launch; the crash report says why.",
    repair: "Read the extension's `.ips`, then repair what it names.",
    steps: [.extensionLoads, .extensionMemory], causes: [.extCrashAtLaunch, .extMemory],
    facts: ["F4.23", "§xpc"]),
  ReferenceEntry(
    "NSCocoaErrorDomain 4099", aliases: ["4099", "NSXPCConnectionInvalid"],
    form: "`NSXPCConnectionInvalid`", "The extension's process could not be reached at all.",
    decided: "As 4097.", repair: "Read the extension's `.ips`, then repair what it names.",
    steps: [.extensionLoads], causes: [.extCrashAtLaunch, .principalClass],
    facts: ["F4.23", "§xpc"]),
  ReferenceEntry(
    "com.firebase.iid 1001", aliases: ["1001"], form: "Error of a vendor's SDK.",
    "The SDK has no APNs token.",
    decided: "Told from a missing entitlement by `aps-environment` of the signed app.",
    repair: "Pass the token to the SDK in the registration callback, or switch hooking on.",
    steps: [.registration], causes: [.apnsTokenNotHandedToSdk, .apsEntitlementMissing],
    facts: ["F10.3", "F10.8"]),
  ReferenceEntry(
    "0xe8008016", form: "Install error.",
    "An entitlement of the signature is not in the profile.",
    decided: "By the error of the installation.", repair: "A profile of its own for the extension.",
    steps: [.extensionEmbedded], causes: [.extSigning], facts: ["§12"]),
]
