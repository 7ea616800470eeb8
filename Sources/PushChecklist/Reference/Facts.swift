extension Fact {
  /// All facts that steps cite, in the order of their numbers.
  public static let all: [Fact] =
    requestFacts + answerFacts + payloadFacts + serviceFacts + attachmentFacts + levelFacts
    + contentFacts + backgroundFacts + activityFacts + tokenFacts + handoffFacts
}

private let requestFacts: [Fact] = [
  Fact(
    "F1.1",
    """
    The sandbox is `api.sandbox.push.apple.com`, production is `api.push.apple.com`, on \
    port 443 or 2197.
    """, .apple,
    from: "Apple: Sending notification requests to APNs"),
  Fact(
    "F1.2",
    "`api.development.push.apple.com` is an older name of the sandbox, no typing error.", .apple,
    from: "Apple: Establishing a connection to APNs"),
  Fact(
    "F1.3",
    "APNs speaks HTTP/2 over TLS 1.2 or newer; requests are POST with a plain JSON body.", .apple,
    from: "Apple: Sending notification requests to APNs"),
  Fact(
    "F1.4",
    """
    A broadcast for Live Activities is a POST to `/4/broadcasts/apps/<bundle id>`; Apple \
    names two different hosts for it.
    """, .contested,
    from: """
      Apple: Sending broadcast push notification requests to APNs; Troubleshooting push \
      notifications
      """),
  Fact(
    "F1.5",
    """
    Channels are managed at hosts of their own, on port 2195 (sandbox) and 2196 \
    (production); at most 10,000 for each environment.
    """, .apple,
    from: "Apple: Sending channel management requests to APNs"),
  Fact(
    "F1.6",
    """
    A connection is tied to the team, environment and topics of its first request; \
    others need a new connection.
    """, .apple,
    from: "Apple: Establishing a token-based connection to APNs"),
  Fact(
    "F1.7",
    "Phones reach APNs on TCP 5223 and fall back to 443.", .apple,
    from: "Apple: Troubleshooting push notifications"),
  Fact(
    "F1.10",
    "The path of a request is `/3/device/` and the token in hex.", .apple,
    from: "Apple: Sending notification requests to APNs"),
  Fact(
    "F1.11",
    """
    With token authentication the header `authorization` carries `bearer` and the JWT; \
    with a certificate it is ignored.
    """, .apple,
    from: "Apple: Sending notification requests to APNs"),
  Fact(
    "F1.12",
    """
    `apns-id` is a UUID in canonical form; APNs makes one if it is absent and returns \
    it.
    """, .apple,
    from: "Apple: Sending notification requests to APNs"),
  Fact(
    "F1.13",
    "`apns-id` comes in either case in practice; compare it without case.", .observed,
    from: "public client libraries"),
  Fact(
    "F1.14",
    """
    `apns-expiration` is Unix seconds; 0 means one attempt without storing; without it \
    APNs stores at most 30 days.
    """, .apple,
    from: "Apple: Sending notification requests to APNs; Viewing the status of push notifications"),
  Fact(
    "F1.15",
    "`apns-priority` is 10 (at once, assumed if absent), 5 (saves power) or 1.", .apple,
    from: "Apple: Sending notification requests to APNs"),
  Fact(
    "F1.16",
    """
    `apns-topic` is the bundle id with the suffix of the push type; a certificate with \
    one topic may stand in for it.
    """, .apple,
    from: "Apple: Sending notification requests to APNs"),
  Fact(
    "F1.17",
    """
    `apns-push-type` is required on watchOS and asked for elsewhere; one that \
    contradicts the payload may bring an error, a delay or a drop.
    """, .apple,
    from: "Apple: Sending notification requests to APNs"),
  Fact(
    "F1.18",
    "`apns-collapse-id` has at most 64 bytes.", .apple,
    from: "Apple: Sending notification requests to APNs"),
  Fact(
    "F1.19",
    "APNs keeps one undelivered notification for each app and phone, mostly the newest.", .apple,
    from: "Apple: Sending notification requests to APNs"),
  Fact(
    "F1.20",
    """
    A broadcast needs `apns-channel-id`, `apns-expiration`, `apns-priority` and `apns-push- \
    type`; `apns-request-id` takes the place of `apns-id`.
    """, .apple,
    from: "Apple: Sending broadcast push notification requests to APNs"),
  Fact(
    "F1.30",
    "Suffixes that are not in Apple's list, such as a plain `.pushkit`, do not exist.", .apple,
    from: "Apple: Sending notification requests to APNs"),
  Fact(
    "F1.31",
    """
    A certificate covers only the topics written into it; token authentication covers \
    all push types.
    """, .apple,
    from: "Apple: Establishing a certificate-based connection to APNs"),
  Fact(
    "F1.40",
    """
    Type background with priority 10 (or none) is an error; whether it is refused or \
    silently ignored differs from report to report.
    """, .apple, .contested,
    from: "Apple: Sending notification requests to APNs; public issue reports"),
  Fact(
    "F1.41",
    """
    With type background and an alert the iPhone shows nothing and starts no service \
    extension.
    """, .decompiled,
    from: "decompiled UserNotificationsServer, several dumps"),
  Fact(
    "F1.42",
    "With type alert and only `content-available` the iPhone drops both halves.", .decompiled,
    from: "decompiled UserNotificationsServer, several dumps; public issue reports"),
  Fact(
    "F1.43",
    "An alert with `content-available` is shown and also wakes the app.", .decompiled,
    from: "decompiled UserNotificationsServer, several dumps"),
  Fact(
    "F1.44",
    "Without a push type the iPhone still shows it; watchOS refuses.", .apple, .decompiled,
    from:
      "Apple: Sending notification requests to APNs; decompiled UserNotificationsServer, several dumps"
  ),
  Fact(
    "F1.45",
    """
    Any type but alert, background or none on the bare bundle id is dropped on the \
    iPhone.
    """, .decompiled,
    from: "decompiled UserNotificationsServer, several dumps"),
  Fact(
    "F1.46",
    "A collapse id over 64 bytes is answered 400 `BadCollapseId`.", .apple,
    from: "Apple: Handling notification responses from APNs"),
  Fact(
    "F1.47",
    "A token that was not issued for the topic is answered 400 `DeviceTokenNotForTopic`.", .apple,
    from: "Apple: Handling notification responses from APNs"),
  Fact(
    "F1.48",
    "A broadcast whose path has a bundle id with a suffix gets 400 `TopicDisallowed`.", .apple,
    from: "Apple: Handling error responses from APNs"),
  Fact(
    "F1.49",
    """
    A broadcast with an expiration other than 0 to a channel without storage gets 400 \
    `BadExpirationDate`.
    """, .apple,
    from: "Apple: Handling error responses from APNs"),
  Fact(
    "F1.50",
    """
    With the filtering entitlement and another type than alert the notification is \
    always shown.
    """, .apple,
    from: "Apple: com.apple.developer.usernotifications.filtering"),
  Fact(
    "F1.60",
    "The answer's `apns-id` is the request's, or the one that APNs made.", .apple,
    from: "Apple: Handling notification responses from APNs"),
  Fact(
    "F1.61",
    """
    `apns-unique-id` comes from the development environment only, and leads to the log of \
    Apple's console, kept for seven days.
    """, .apple,
    from: """
      Apple: Handling notification responses from APNs; Testing notifications using the Push \
      Notification Console
      """),
  Fact(
    "F1.62",
    """
    The body of a 200 is empty; a refusal has `reason`, and a 410 also `timestamp` in \
    milliseconds.
    """, .apple,
    from: "Apple: Handling notification responses from APNs"),
  Fact(
    "F1.63",
    "A reason may also come in the debug data of a GOAWAY frame.", .apple,
    from: "Apple: Sending notification requests to APNs"),
  Fact(
    "F1.64",
    """
    200 means that APNs took it; afterwards it may store, drop or pass it on without \
    telling the sender.
    """, .apple,
    from: "Apple: Viewing the status of push notifications"),
  Fact(
    "§1.3",
    """
    There are eleven push types, each with its topic suffix; a VoIP push must lead to a \
    reported call.
    """, .apple,
    from: "Apple: Sending notification requests to APNs; PushKit pages"),
]

private let answerFacts: [Fact] = [
  Fact(
    "F2.0",
    "Apple's table of reasons, with its advice on when to repeat a request.", .apple,
    from: "Apple: Handling notification responses from APNs"),
  Fact(
    "F2.1",
    """
    A JWT is signed with ES256, names key and team, and is renewed between every 20 and \
    every 60 minutes.
    """, .apple,
    from: "Apple: Establishing a token-based connection to APNs"),
  Fact(
    "F2.2",
    """
    Keys may be limited to an environment or to topics; older keys for all environments \
    go on working.
    """, .apple,
    from: "Apple: Establishing a token-based connection to APNs"),
  Fact(
    "F2.3",
    """
    Broadcasts and channels have reasons of their own, such as `FeatureNotEnabled`, \
    `MissingChannelId`, `ChannelNotRegistered` and `TopicMismatch`.
    """, .apple,
    from: "Apple: Handling error responses from APNs"),
  Fact(
    "F2.4",
    """
    `BadProviderToken` is in no table of Apple's; some projects keep it as a name of their \
    own.
    """, .single,
    from: "a public project"),
  Fact(
    "F2.5",
    "New reasons appear; older libraries lack several of today's.", .observed,
    from: "public client libraries"),
]

private let payloadFacts: [Fact] = [
  Fact(
    "F3.1",
    "The JSON body may have 4096 bytes, 5120 for VoIP and broadcast.", .apple,
    from: "Apple: Generating a remote notification"),
  Fact(
    "F3.2",
    "Static and dynamic data of a Live Activity stay within 4 KB together.", .apple,
    from: "Apple: Displaying live data with Live Activities"),
  Fact(
    "F3.3",
    "Own keys stand beside `aps`; unknown keys inside it are ignored.", .apple,
    from: "Apple: Generating a remote notification"),
  Fact(
    "F3.4",
    "System keys beside `aps` do nothing.", .apple,
    from: "Apple: Generating a remote notification"),
  Fact(
    "F3.5",
    "APNs' keys have hyphens; names with underscores belong to FCM's own layer.", .apple,
    from: "Apple: Generating a remote notification; public gateway tests"),
  Fact(
    "F3.6",
    "The extension's `userInfo` holds the whole payload as it came.", .apple,
    from: "Apple: UNNotificationContent.userInfo"),
  Fact(
    "F3.20",
    """
    The alert of a Live Activity has another shape: title and body may be dictionaries with \
    `loc-key`, and `sound` stands inside `alert`.
    """, .apple,
    from: "Apple: Starting and updating Live Activities with ActivityKit push notifications"),
  Fact(
    "F3.30",
    "1, true, 1.0 or any number of 1 and more switch a flag on.", .decompiled,
    from: "decompiled UNPushNotificationRequestBuilder, several dumps"),
  Fact(
    "F3.31",
    "0, false and numbers below 1 leave a flag off.", .decompiled,
    from: "decompiled UNPushNotificationRequestBuilder, several dumps"),
  Fact(
    "F3.32",
    "A negative number leaves a flag off.", .decompiled,
    from: "decompiled UNPushNotificationRequestBuilder, several dumps"),
  Fact(
    "F3.33",
    "Any string, array or object counts as on.", .decompiled,
    from: "decompiled UNPushNotificationRequestBuilder, several dumps"),
  Fact(
    "F3.34",
    "What becomes of a JSON null is not settled.", .contested,
    from: "nothing found"),
  Fact(
    "F3.35",
    "An empty alert, or one with only empty or non-text fields, is no alert content.", .decompiled,
    from: "decompiled UNPushNotificationRequestBuilder, several dumps"),
  Fact(
    "F3.36",
    "A field of the alert with a wrong type is dropped, the others stay.", .decompiled,
    from: "decompiled UNPushNotificationRequestBuilder, several dumps"),
  Fact(
    "F3.37",
    "An alert given as a string counts as alert content.", .decompiled,
    from: "decompiled UNPushNotificationRequestBuilder, several dumps"),
  Fact(
    "F3.38",
    "`badge` as a string or below zero is dropped without a message.", .decompiled,
    from: "public dumps of iOS frameworks"),
  Fact(
    "F3.39",
    "A category or thread id that is no string, or empty, is dropped silently.", .decompiled,
    from: "decompiled UNPushNotificationRequestBuilder, several dumps"),
  Fact(
    "F3.40",
    "An interruption level in another spelling is taken as active.", .decompiled,
    from: "decompiled UNPushNotificationRequestBuilder, several dumps"),
  Fact(
    "F3.41",
    """
    `relevance-score` outside 0 to 1 is moved to the nearer end; what is no number is \
    dropped.
    """, .decompiled,
    from: "public dumps of iOS frameworks"),
  Fact(
    "F3.42",
    """
    A sound dictionary without `name` plays the default sound; `volume` is moved into 0 to \
    1.
    """, .decompiled,
    from: "public dumps of iOS frameworks"),
  Fact(
    "F3.43",
    """
    An argument of a localised text that is of another class is replaced by an empty text.
    """, .decompiled,
    from: "public dumps of iOS frameworks"),
  Fact(
    "F3.44",
    """
    A missing sound file does not stop the notification; the log says that it was not \
    found.
    """, .observed,
    from: "published device logs"),
  Fact(
    "§3.2",
    """
    The keys of `aps` with their types: alert, badge, sound, category, flags, level and \
    others.
    """, .apple,
    from: "Apple: Generating a remote notification"),
]

private let serviceFacts: [Fact] = [
  Fact(
    "F4.1",
    """
    The service extension runs for remote notifications only, with `mutable-content` 1 \
    and alert text.
    """, .apple,
    from:
      "Apple: UNNotificationServiceExtension"),
  Fact(
    "F4.2",
    "It is not used when the person has switched alerts off for the app.", .apple,
    from:
      "Apple: UNNotificationServiceExtension"),
  Fact(
    "F4.3",
    """
    The test on the phone: text (or filtering), flag on, type not background, alerts \
    visible for the app.
    """, .decompiled,
    from: "decompiled UserNotificationsServer, several dumps"),
  Fact(
    "F4.4",
    """
    The extension point must be exactly `com.apple.usernotifications.service`, the \
    principal class its subclass.
    """, .apple,
    from: "Apple: NSExtensionPointIdentifier"),
  Fact(
    "F4.5",
    "iOS takes the first extension of the app with that point; a second is never used.", .observed,
    from: "decompiled service extension manager, several dumps; public questions"),
  Fact(
    "F4.6",
    "Look-alike points are in no list of Apple; uploads refuse unknown points.", .apple,
    .experience,
    from: "Apple: NSExtensionPointIdentifier"),
  Fact(
    "F4.7",
    "The bundle must be an `.appex` in PlugIns; with another ending no plug-in is found.", .single,
    from: "a public post with logs"),
  Fact(
    "F4.8",
    "The extension's bundle id must extend the app's by a dotted part.", .observed,
    from: "build and upload messages"),
  Fact(
    "F4.9",
    """
    An extension whose minimum OS is above the phone's is not available there, without a \
    message.
    """, .observed,
    from: "public issue reports"),
  Fact(
    "F4.10",
    "Another version of extension and app gives a warning mail only; the extension runs.", .single,
    from: "a public post"),
  Fact(
    "F4.11",
    """
    In the foreground the extension runs first, then `willPresent` gets the final \
    content.
    """, .decompiled,
    from: "decompiled UserNotificationsServer, several dumps"),
  Fact(
    "F4.12",
    """
    In the foreground nothing is shown when the delegate lacks `willPresent` or answers \
    with no options.
    """, .apple,
    from: "Apple: userNotificationCenter(_:willPresent:withCompletionHandler:)"),
  Fact(
    "F4.13",
    """
    One page of Apple's says that categories decide whether a service extension starts; the \
    pages of the extension know no such test.
    """, .contested,
    from: "Apple: Declaring your actionable notification types"),
  Fact(
    "F4.20",
    """
    The extension has at most 30 s; then the expiry method is called, and without a \
    handler call the original is shown.
    """, .apple,
    from: "Apple: didReceive(_:withContentHandler:), serviceExtensionTimeWillExpire()"),
  Fact(
    "F4.21",
    """
    The warning comes at about 29 s, the cut at 30 s, and the start of the process \
    counts.
    """, .decompiled,
    from: "decompiled service extension manager, several dumps"),
  Fact(
    "F4.22",
    "If starting up uses the time, the process is killed and no callback runs.", .observed,
    from: "decompiled service extension manager, several dumps; public issue reports"),
  Fact(
    "F4.23",
    "After a time-out, a crash or a missing call the original is shown, not nothing.", .apple,
    .decompiled,
    from:
      "Apple: UNNotificationServiceExtension"),
  Fact(
    "F4.24",
    """
    Returned content without title, subtitle and body is ignored, and the original is \
    shown.
    """, .apple,
    from:
      "Apple: UNNotificationServiceExtension"),
  Fact(
    "F4.25",
    "With a debugger attached the timers are not set.", .decompiled,
    from: "decompiled service extension manager, several dumps"),
  Fact(
    "F4.26",
    """
    The memory limit is not published; kills at 24 MB are reported since about 2020, at \
    12 and 16 MB before.
    """, .observed,
    from: "public issue reports"),
  Fact(
    "F4.27",
    """
    A kill for memory looks like a plain notification; its trace is EXC_RESOURCE or a \
    Jetsam report.
    """, .observed,
    from: "public issue reports"),
  Fact(
    "F4.28",
    """
    Holding a file lock in the group's folder when suspended ends the process with \
    `0xdead10cc`.
    """, .single,
    from: "a public issue report"),
  Fact(
    "F4.29",
    "Log codes: 1901 time expired, 1902 invalid context, 1903 unknown, 1904 no extension.",
    .decompiled,
    from: "decompiled service extension manager, several dumps"),
  Fact(
    "F4.40",
    "The process is kept and used again; static state survives.", .observed,
    from: "public issue reports"),
  Fact(
    "F4.41",
    """
    iOS feeds one extension through a serial queue, so a slow run delays the next ones.
    """, .decompiled,
    from: "public dumps of iOS frameworks"),
  Fact(
    "F4.42",
    "Overlapping and double calls are reported by some.", .contested,
    from: "public issue reports"),
  Fact(
    "F4.43",
    """
    Before the first unlock after a start, group files and default keychain items are \
    out of reach.
    """, .observed,
    from: "public issue reports"),
  Fact(
    "F4.44",
    "On a locked phone keychain items without *after first unlock* give -25308.", .observed,
    from: "public issue reports"),
  Fact(
    "F4.50",
    """
    Filtering is a permission on the extension, given on request; empty content then \
    hides the notification.
    """, .apple,
    from: "Apple: com.apple.developer.usernotifications.filtering"),
  Fact(
    "F4.60",
    "A dropped `.apns` file or `simctl push` does not start the service extension.", .apple,
    from: "Xcode 11.4 release notes"),
  Fact(
    "F4.61",
    """
    Simulators with iOS 16 and Xcode 14 take real pushes of the sandbox, the extension \
    included.
    """, .apple,
    from: "Xcode 14 release notes"),
  Fact(
    "F4.62",
    "Tokens of simulators are long: 192 hex digits were seen.", .single,
    from: "notes of a public project"),
  Fact(
    "F4.63",
    "A simulated local push can still show a content extension.", .experience,
    from: "public guides"),
  Fact(
    "F4.64",
    "Whether silent pushes reach an app in a simulator is contested.", .contested,
    from: "Xcode 12 release notes; a public log"),
]

private let attachmentFacts: [Fact] = [
  Fact(
    "F5.1",
    "Pictures (JPEG, GIF, PNG) up to 10 MB, audio up to 5 MB, video up to 50 MB.", .apple,
    from: "Apple: UNNotificationAttachment"),
  Fact(
    "F5.2",
    "Code also accepts HEIC and more video and audio types; WebP is not among them.", .decompiled,
    from: "decompiled UNNotificationAttachment, several dumps"),
  Fact(
    "F5.3",
    "The type is taken from the hint, else from the file name's ending, else error 101.",
    .decompiled, .apple,
    from: "decompiled UNNotificationAttachment, several dumps; UNNotificationAttachment"),
  Fact(
    "F5.4",
    "A file with another type's name passes creation; whether it is drawn is contested.",
    .contested,
    from: "decompiled UNNotificationAttachment, several dumps; public issue reports"),
  Fact(
    "F5.5",
    "The type hint must be a uniform type identifier, no MIME type.", .apple,
    from: "Apple: UNNotificationAttachmentOptionsTypeHintKey"),
  Fact(
    "F5.6",
    """
    Apple says that the type of an attachment is derived from its data; the code says \
    otherwise.
    """, .contested,
    from: "Apple: UNNotificationAttachment; public dumps of iOS frameworks"),
  Fact(
    "F5.7",
    "The attachment must be a readable local file; a web address fails.", .apple,
    from: "Apple: UNNotificationAttachment init(identifier:url:options:)"),
  Fact(
    "F5.8",
    """
    The file must lie in the extension's bundle, its container or a group container, \
    else error 100.
    """, .decompiled,
    from: "decompiled UNNotificationAttachment, several dumps"),
  Fact(
    "F5.9",
    """
    An attachment is checked after the extension returns; then its file goes into the \
    system's store.
    """, .apple, .decompiled,
    from: "Apple: UNNotificationAttachment"),
  Fact(
    "F5.10",
    "After the extension bad attachments are skipped one by one; the text stays changed.",
    .decompiled,
    from: "decompiled UNNotificationAttachment, several dumps"),
  Fact(
    "F5.11",
    "For a local notification one bad attachment blocks the whole request.", .apple,
    from: "Apple: UNNotificationAttachment"),
  Fact(
    "F5.12",
    """
    Codes: 100 invalid URL, 101 unknown type, 102 too large, 103 to 105 store errors, \
    1500 and 1501 providers.
    """, .observed,
    from: "UNError in several SDK copies"),
  Fact(
    "F5.13",
    "The size is checked twice, at creation and when stored.", .decompiled,
    from: "decompiled UNNotificationAttachment, several dumps"),
  Fact(
    "F5.14",
    "A content extension opens the attachment's security scope around reading it.", .apple,
    from: "Apple: UNNotificationAttachment.url"),
  Fact(
    "F5.15",
    "No App Group is needed to hand an attachment to a content extension.", .experience,
    from: "public guides, consistent with Apple's pages"),
  Fact(
    "F5.16",
    "iOS limits the storage of all attachments of an app; the figure is not published.", .apple,
    from: "Apple: UNNotificationAttachment"),
]

private let levelFacts: [Fact] = [
  Fact(
    "F6.1",
    """
    The app needs the communication capability and `INSendMessageIntent` in \
    `NSUserActivityTypes`.
    """, .apple, .observed,
    from: "Apple: Implementing communication notifications"),
  Fact(
    "F6.2",
    "Communication notifications need iOS 15.", .apple,
    from: "Apple: Implementing communication notifications"),
  Fact(
    "F6.3",
    """
    Intent, interaction with direction incoming, donation, `updating(from:)`, result \
    unchanged: in that order.
    """, .apple,
    from: "Apple: Implementing communication notifications"),
  Fact(
    "F6.4",
    "Never list the current user; one-to-one has no recipients, a group has all others.", .apple,
    from: "Apple: Implementing communication notifications"),
  Fact(
    "F6.5",
    """
    The avatar is the sender's image, for groups the image of the group name, set before \
    donating.
    """, .apple,
    from: "Apple: Implementing communication notifications"),
  Fact(
    "F6.6",
    "One conversation keeps one conversation identifier.", .apple,
    from: "Apple: Implementing communication notifications"),
  Fact(
    "F6.7",
    "With an invalid provider `updating(from:)` throws 1500 or 1501.", .apple,
    from: "Apple: updating(from:)"),
  Fact(
    "F6.8",
    """
    A communication notification breaks through the summary, and through a Focus only if \
    the person is allowed.
    """, .apple,
    from: "Apple: Implementing communication notifications"),
  Fact(
    "F6.9",
    "Time Sensitive needs its capability, and people can switch it off per app.", .apple, .observed,
    from: "Apple: UNNotificationInterruptionLevel"),
  Fact(
    "F6.10",
    "Critical alerts need Apple's approval, the entitlement and the authorisation.", .apple,
    from: "Apple: UNNotificationInterruptionLevel.critical"),
  Fact(
    "F6.11",
    "A level without its entitlement is not refused; it does not break through.", .experience,
    from: "public issue reports"),
  Fact(
    "F6.12",
    "Provisional authorisation sends to the list only.", .apple,
    from: "Apple: Asking permission to use notifications"),
  Fact(
    "F6.13",
    """
    A Focus can be limited by filter criteria; summary and hidden previews are other \
    usual reasons.
    """, .apple,
    from: "Apple: filter-criteria and Focus pages"),
]

private let contentFacts: [Fact] = [
  Fact(
    "F7.1",
    "The point of a content extension is `com.apple.usernotifications.content-extension`.", .apple,
    from: "Apple: UNNotificationContentExtension"),
  Fact(
    "F7.2",
    "The keys of a content extension stand in `NSExtension`, `NSExtensionAttributes`.", .apple,
    from: "Apple: Information Property List"),
  Fact(
    "F7.3",
    """
    `UNNotificationExtensionCategory` is a string or an array of strings; another type \
    matches nothing.
    """, .apple, .decompiled,
    from: "Apple: Customizing the appearance of notifications; UNNotificationContentExtension"),
  Fact(
    "F7.4",
    "The initial size ratio is a number, height by width.", .apple, .decompiled,
    from: "Apple: Customizing the appearance of notifications; UNNotificationContentExtension"),
  Fact(
    "F7.5",
    "`UNNotificationExtensionDefaultContentHidden` is a Boolean, NO if absent.", .apple,
    from: "Apple: Information Property List"),
  Fact(
    "F7.6",
    """
    Without `UNNotificationExtensionUserInteractionEnabled` (iOS 12) touches do not \
    reach the view.
    """, .apple,
    from: "Apple: Information Property List"),
  Fact(
    "F7.7",
    "The category is compared exactly, letter case included.", .apple,
    from: "Apple: Customizing the appearance of notifications; UNNotificationContentExtension"),
  Fact(
    "F7.8",
    """
    Whether the category must also be registered for the view is contested; for buttons \
    it must.
    """, .contested,
    from: "Apple: Customizing the appearance of notifications; UNNotificationContentExtension"),
  Fact(
    "F7.9",
    "`setNotificationCategories` replaces the whole set each time.", .apple,
    from: "Apple: setNotificationCategories(_:)"),
  Fact(
    "F7.10",
    "Registered categories outlive the app's launch.", .single,
    from: "a public report"),
  Fact(
    "F7.11",
    "Names of categories are compared inside one app only.", .decompiled,
    from: "public dumps of iOS frameworks"),
  Fact(
    "F7.12",
    """
    Storyboard and principal class exclude each other; with both the extension is not \
    loaded.
    """, .apple,
    from: "Apple: Information Property List"),
  Fact(
    "F7.13",
    "A Swift principal class needs the module's name before it.", .observed,
    from: "public templates"),
  Fact(
    "F7.14",
    "Several content extensions are allowed if their categories do not overlap.", .apple,
    from: "Apple: Customizing the appearance of notifications; UNNotificationContentExtension"),
  Fact(
    "F7.15",
    "Content extensions work for local and remote notifications, without the flag.", .apple,
    from: "Apple: Customizing the appearance of notifications; UNNotificationContentExtension"),
  Fact(
    "F7.16",
    """
    A content extension that implements `didReceive(_:completionHandler:)` gets all actions \
    of its categories, and answers do-not-dismiss, dismiss, or dismiss-and-forward.
    """, .apple,
    from: "Apple: UNNotificationContentExtension"),
  Fact(
    "F7.17",
    "Up to ten actions are shown where there is room, two where there is little.", .apple,
    from: "Apple: UNNotificationCategory"),
  Fact(
    "F7.18",
    """
    A text reply needs `UNTextInputNotificationAction` in the category and arrives as \
    `UNTextInputNotificationResponse`.
    """, .apple,
    from: "Apple: UNTextInputNotificationAction"),
  Fact(
    "F7.19",
    "Type, frame and tint of the media button of a content extension can be set.", .apple,
    from: "Apple: UNNotificationContentExtension"),
  Fact(
    "F7.20",
    "No network and no long work in a content extension.", .apple,
    from: "Apple: Customizing the appearance of notifications; UNNotificationContentExtension"),
  Fact(
    "F7.21",
    """
    `extensionContext.open` is documented for Today and iMessage extensions only; a content \
    extension has `performNotificationDefaultAction()`.
    """, .apple,
    from: "Apple: NSExtensionContext"),
  Fact(
    "F7.22",
    "The width of the preferred size is ignored, the height is capped.", .experience,
    from: "public guides"),
  Fact(
    "F7.23",
    "A content extension with a minimum OS above the phone's is not available either.", .observed,
    from: "public issue reports"),
]

private let backgroundFacts: [Fact] = [
  Fact(
    "F8.1",
    """
    Only `content-available` in `aps`, type background, priority 5, and the background \
    mode in the app.
    """, .apple,
    from: "Apple: Pushing background updates to your app"),
  Fact(
    "F8.2",
    "No promise of a wake-up; more than two or three an hour are limited.", .apple,
    from: "Apple: Pushing background updates to your app"),
  Fact(
    "F8.3",
    "The limits of silent pushes are off when the app is run from Xcode.", .apple,
    from: "Apple: Troubleshooting push notifications"),
  Fact(
    "F8.4",
    "The phone keeps only the newest silent one; force-quitting discards it.", .apple,
    from: "Apple: Pushing background updates to your app"),
  Fact(
    "F8.5",
    "After a force-quit the app is not started until it is opened or the phone restarts.", .apple,
    from: "Apple: application(_:didReceiveRemoteNotification:fetchCompletionHandler:)"),
  Fact(
    "F8.6",
    "30 s to call the completion, else the app is ended and later put back.", .apple,
    from: "Apple: Pushing background updates to your app"),
  Fact(
    "F8.7",
    """
    Background App Refresh is a condition; with it and notifications both off the phone \
    refuses.
    """, .apple, .decompiled,
    from: "Apple: Pushing background updates to your app"),
  Fact(
    "F8.8",
    "The scheduler writes lines with CANCELED or COMPLETED for each wake-up.", .single,
    from: "a vendor's documentation"),
  Fact(
    "F8.9",
    "A service extension cannot change a silent push.", .apple,
    from: "Apple: UNNotificationServiceExtension"),
]

private let activityFacts: [Fact] = [
  Fact(
    "F9.1",
    """
    Live Activities have tokens of their own: one to start, one per activity, or a \
    channel.
    """, .apple,
    from: "Apple: Starting and updating Live Activities with ActivityKit push notifications"),
  Fact(
    "F9.2",
    """
    A Live Activity push has type `liveactivity`, the topic's suffix `.push- \
    type.liveactivity` and priority 5 or 10.
    """, .apple,
    from: "Apple: Starting and updating Live Activities with ActivityKit push notifications"),
  Fact(
    "F9.3",
    """
    Every update has `timestamp` in seconds and `event`; a start needs more keys and an \
    alert.
    """, .apple,
    from: "Apple: Starting and updating Live Activities with ActivityKit push notifications"),
  Fact(
    "F9.4",
    """
    The state must decode with default strategies, else the update fails though APNs \
    said 200.
    """, .apple, .single,
    from: "Apple: Starting and updating Live Activities with ActivityKit push notifications"),
  Fact(
    "F9.5",
    "An hourly budget counts priority 10, and a missing priority as 10.", .apple,
    from: "Apple: Starting and updating Live Activities with ActivityKit push notifications"),
  Fact(
    "F9.6",
    """
    `NSSupportsLiveActivitiesFrequentUpdates` raises the budget; \
    `NSSupportsLiveActivities` is the base key.
    """, .apple,
    from: "Apple: Starting and updating Live Activities with ActivityKit push notifications"),
  Fact(
    "F9.7",
    """
    A note of Apple's spells the key of frequent updates in another way; the reference has \
    `NSSupportsLiveActivitiesFrequentUpdates`.
    """, .contested,
    from: "Apple: ActivityAuthorizationInfo"),
  Fact(
    "F9.8",
    """
    An activity is active for eight hours at most, then up to four more on the Lock \
    Screen.
    """, .apple,
    from: "Apple: Starting and updating Live Activities with ActivityKit push notifications"),
  Fact(
    "F9.9",
    "`stale-date` makes it stale; the app has to draw that.", .apple,
    from: "Apple: Starting and updating Live Activities with ActivityKit push notifications"),
  Fact(
    "F9.10",
    "Updates after the end are ignored.", .apple,
    from: "Apple: Starting and updating Live Activities with ActivityKit push notifications"),
  Fact(
    "F9.11",
    """
    A broadcast can update and end activities, not start them; it is switched on at the \
    developer site.
    """, .apple,
    from: "Apple: Sending broadcast push notification requests to APNs"),
  Fact(
    "F9.12",
    """
    An activity has no network and no location of its own; pictures that are too large can \
    keep it from starting.
    """, .apple,
    from: "Apple: Displaying live data with Live Activities"),
  Fact(
    "F9.13",
    "Errors of a local start: denied, visibility, too many, unsupported and others.", .apple,
    from: "Apple: ActivityAuthorizationError"),
  Fact(
    "F9.14",
    "The processes to watch are liveactivitiesd, apsd and chronod.", .apple,
    from: "Apple: Troubleshooting push notifications"),
  Fact(
    "F9.15",
    """
    Where the app was killed after a start by push, a server may never learn the update \
    token and start again.
    """, .single,
    from: "public issue reports"),
  Fact(
    "F9.16",
    "A swipe away is seen by no server.", .single,
    from: "public issue reports"),
]

private let tokenFacts: [Fact] = [
  Fact(
    "F10.1",
    """
    `aps-environment` is development (sandbox) or production; TestFlight, App Store and \
    ad hoc are production.
    """, .apple, .observed,
    from: "Apple: APS Environment entitlement; public posts"),
  Fact(
    "F10.2",
    "Mixed environments give 400 `BadDeviceToken`, not 410.", .apple, .observed,
    from: "Apple: Handling notification responses from APNs"),
  Fact(
    "F10.3",
    "A token is for one app on one phone; ask for it at every launch and do not cache it.", .apple,
    from: "Apple: Registering your app with APNs"),
  Fact(
    "F10.4",
    "A restore, a new phone or a new system gives a new token.", .apple, .contested,
    from: "Apple: Registering your app with APNs"),
  Fact(
    "F10.5",
    """
    The length varies: 64 hex digits, and 108, 160 or 192 were seen; only other \
    characters or an odd length are wrong.
    """, .apple, .observed,
    from: "Apple: Registering your app with APNs"),
  Fact(
    "F10.6",
    "A colon or letters beyond f are signs of another service's token.", .observed,
    from: "public client libraries"),
  Fact(
    "F10.7",
    "Brackets, spaces or the word length are signs of a printed description.", .experience,
    from: "not looked up"),
  Fact(
    "F10.8",
    """
    Registration fails without network, without the entitlement, or with the service \
    off.
    """, .apple,
    from: "Apple: Registering your app with APNs"),
  Fact(
    "F10.9",
    """
    410 carries the time since when the token is inactive; compare it with the last \
    registration.
    """, .apple,
    from: "Apple: Handling notification responses from APNs"),
  Fact(
    "F11.1",
    """
    The identifier of a remote notification's request is `apns-collapse-id` where one was \
    sent; else the system makes one.
    """, .apple,
    from: "Apple: UNNotificationRequest.identifier"),
  Fact(
    "F11.2",
    "An identifier that the device makes is a random UUID in upper case.", .decompiled,
    from: "public dumps of iOS frameworks"),
  Fact(
    "F11.3",
    "Nothing shows that an automatic identifier is the `apns-id`.", .contested,
    from: "searched, nothing found"),
  Fact(
    "F11.4",
    "A service extension cannot change the identifier.", .observed,
    from: "public code reviews"),
  Fact(
    "F11.5",
    """
    System logs print a digest of the identifier: the first four bytes of its SHA-1, as \
    `XXXX-XXXX`.
    """, .observed,
    from: "published logs"),
  Fact(
    "F11.7",
    """
    A collapse id that equals the `apns-id`, one for each notification, makes both sides \
    joinable; real collapsing is then given up.
    """, .derived,
    from: "follows from F1.18, F11.1 and F11.5"),
  Fact(
    "F11.9",
    "Vendors mark their notifications with documented keys of their own in the payload.", .observed,
    from: "public SDK sources"),
]

private let handoffFacts: [Fact] = [
  Fact(
    "F12.1",
    """
    Points: `com.apple.ui-services` for actions, `com.apple.share-services` for sharing, \
    `com.apple.services` for actions without a view.
    """, .apple,
    from: "Apple: NSExtensionPointIdentifier"),
  Fact(
    "F12.2",
    """
    `NSExtensionActivationRule` is a dictionary of `NSExtensionActivationSupports…` keys, or \
    a predicate as a string.
    """, .apple,
    from: "Apple: App Extension Keys"),
  Fact(
    "F12.3",
    """
    The dictionary counts attachments, files, images, movies, pages and URLs, and says \
    whether text is taken; version 2 and strict matching exist since iOS 9.
    """, .apple,
    from: "Apple: App Extension Keys"),
  Fact(
    "F12.4",
    """
    How strict matching and version 2 differ for mixed selections is thinly documented; \
    exact counts need a predicate.
    """, .contested,
    from: "Apple: App Extension Keys; one public project"),
  Fact(
    "F12.5",
    "`TRUEPREDICATE` is for debugging and is refused at upload.", .observed,
    from: "public questions and guides"),
  Fact(
    "F12.6",
    "A malformed predicate gives no message; the row is missing.", .observed,
    from: "public questions"),
  Fact(
    "F12.7",
    "Conformance tests work against abstract types; apps register different ones.", .observed,
    from: "public plists"),
  Fact(
    "F12.8",
    """
    Share and action extensions have about 120 MB of memory, a figure that Apple does not \
    publish.
    """, .observed,
    from: "public issue reports"),
  Fact(
    "F12.9",
    """
    `extensionContext.open` is documented for Today and iMessage extensions; not for share \
    and action.
    """, .apple,
    from: "Apple: NSExtensionContext"),
  Fact(
    "F12.10",
    """
    Reaching for `openURL:` through the responder chain fails since iOS 18; the newer form \
    still works on devices.
    """, .observed,
    from: "public issue reports"),
  Fact(
    "F12.11",
    "Apple's engineers call both forms unsupported.", .observed,
    from: "quoted in a public issue report"),
  Fact(
    "F12.12",
    "Every path of an extension ends in completing or cancelling the request.", .apple,
    from: "Apple: App Extension Programming Guide"),
  Fact(
    "F12.13",
    """
    A mailbox of one slot is overwritten by the next hand-off; one file for each job is not.
    """, .experience,
    from: "public guides"),
  Fact(
    "F12.14",
    "At a cold start the URL may come before the root view is ready.", .experience,
    from: "public guides"),
  Fact(
    "F12.15",
    """
    An item provider may give a URL, bytes, a picture or another object; do not decode \
    pictures in the extension.
    """, .observed,
    from: "public guides and memory reports"),
  Fact(
    "§12",
    """
    Static checks of a built app: app groups, entitlements and profiles of app and \
    extension belong together.
    """, .derived,
    from: "Apple's pages on extensions and profiles"),
  Fact(
    "§12 events",
    """
    What a hand-off records, in its order: activated, items loaded, staged, mailbox written, open \
    requested and answered, completed, URL received, mailbox read, drained. Each gap has its reasons.
    """, .experience,
    from: "public guides; the names of the events are ours"),
  Fact(
    "§termination",
    """
    Termination codes: 0x8badf00d watchdog, 0xdead10cc a lock held while suspended, 0xc00010ff heat, \
    0xbaadca11 a VoIP push without a call.
    """, .apple,
    from: "Apple: EXC_CRASH (SIGKILL); Understanding the exception types in a crash report"),
  Fact(
    "§jetsam",
    """
    A jetsam report gives a reason for the ended process; `per-process-limit` is its own limit, the \
    others are pressure of the whole phone.
    """, .apple,
    from: "Apple: Identifying high-memory use with jetsam event reports"),
  Fact(
    "§url-errors",
    """
    The URL loading system has a named error for each way in which a request can fail; the numbers \
    stand in its header.
    """, .apple, .observed,
    from: "Apple: URL Loading System Error Codes (names); public copies of NSURLError.h (numbers)",
    read: "2026-11-30"),
  Fact(
    "§keychain",
    """
    Keychain results: -25300 no such item in the groups of the process, -34018 an entitlement for \
    the group is missing.
    """, .observed,
    from: "the Swift standard library's list of results; public code that names both numbers",
    read: "2026-11-30"),
  Fact(
    "§xpc",
    "4097 is an interrupted connection to another process, 4099 one that is not valid.", .apple,
    .observed,
    from: """
      Apple: NSXPCConnectionInterrupted, NSXPCConnectionInvalid (names); numbers as public logs of \
      phones show them
      """, read: "2026-11-30"),
]
