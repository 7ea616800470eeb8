import PushModel

extension PushExample {
  /// All kinds of push, in the order in which they are listed.
  public static let all: [PushExample] = alerts + silent + activities + calls + requests
}

private let alertHeaders = [
  ("apns-topic", PushExample.bundle), ("apns-push-type", "alert"), ("apns-priority", "10"),
  ("apns-expiration", "1767348000"), ("apns-collapse-id", "order-4711"),
]

private let own: PlainJSON.Member = .init(key: "notification_id", value: "order-4711")

/// A payload with `aps`, and keys beside it.
private func body(_ aps: PlainJSON, _ others: PlainJSON = [:]) -> PlainJSON {
  .object([.init(key: "aps", value: aps)] + others.members + [own])
}

private let service: [PushExample.Setting] = [
  .init(
    .extensionInfo, "NSExtension", "NSExtensionPointIdentifier",
    value: "com.apple.usernotifications.service"),
  .init(
    .extensionInfo, "NSExtension", "NSExtensionPrincipalClass",
    value: "PushService.NotificationService"),
]

private let serviceFile = [(file: "PushService.appex", kind: "service")]

private let started = PushExample.Event(
  "nse.did_receive", at: 900,
  ["attempt": 1, "process_uptime_ms": 210, "locked": false, "mutable_content": 1])

private func handled(at: Int64, attachments: Int64) -> PushExample.Event {
  .init(
    "nse.handler.called", at: at,
    [
      "elapsed_ms": .number(at - 900), "fallback": false, "attachments": .number(attachments),
      "count": 1,
    ])
}

private func shown(attachments: Int64) -> PushExample.Event {
  .init(
    "app.presented", at: 600_000,
    ["by": "delivered_list", "trigger": "push", "attachments": .number(attachments)])
}

private let alerts: [PushExample] = [
  PushExample(
    "alert", title: "A plain alert",
    """
    Text that iOS shows by itself. No extension and no category are needed; the answer 200 says \
    that APNs has it, not that it was shown.
    """,
    kind: .richAlert, meaning: .plain, tokenKind: "alert", headers: alertHeaders,
    payload: body([
      "alert": ["title": "Parcel on its way", "body": "It comes today before noon."],
      "sound": "default",
    ]),
    duties: ["Register for remote notifications at every launch and send the token on."],
    events: [shown(attachments: 0)],
    facts: ["§3.2", "F1.14", "F1.16", "F1.17", "F1.64", "F10.3"]),
  PushExample(
    "media", aliases: ["rich", "image", "modified"], title: "An alert with a picture",
    """
    The service extension loads the file, attaches it and calls the handler well before 30 s. \
    Without it the text is shown as it was sent.
    """,
    kind: .richAlert, meaning: [.modified, .media], tokenKind: "alert", headers: alertHeaders,
    payload: body(
      [
        "alert": ["title": "Parcel on its way", "body": "It comes today before noon."],
        "mutable-content": 1, "sound": "default",
      ], ["media-url": "https://media.example.com/parcel.jpg"]),
    settings: service,
    duties: [
      "Load into a file, name it by the answer's type, attach it, call the handler once.",
      "In `serviceExtensionTimeWillExpire` hand over the best attempt.",
    ], extensions: serviceFile,
    events: [
      started, .init("nse.download.started", at: 920, ["url": "media.example.com"]),
      .init(
        "nse.download.finished", at: 1400,
        ["status": 200, "bytes": 180_000, "mime": "image/jpeg", "duration_ms": 480]),
      .init("nse.attachment.created", at: 1420, ["bytes": 180_000, "uti": "public.jpeg"]),
      handled(at: 1430, attachments: 1), shown(attachments: 1),
    ], facts: ["F4.1", "F4.4", "F4.20", "F5.1", "F5.3"]),
  PushExample(
    "communication", aliases: ["avatar"], title: "A message from a person",
    """
    Name in front and avatar instead of the app's icon: an incoming intent is donated, the content \
    is updated from it and handed over unchanged.
    """,
    kind: .richAlert, meaning: [.modified, .communication], tokenKind: "alert",
    headers: alertHeaders,
    payload: body(
      [
        "alert": ["title": "Anna", "body": "Are you coming?"], "mutable-content": 1,
        "sound": "default", "thread-id": "chat-7",
      ], ["sender": ["id": "u-7", "name": "Anna"]]),
    settings: [
      .init(
        .appEntitlements, "com.apple.developer.usernotifications.communication", value: true),
      .init(.appInfo, "NSUserActivityTypes", value: ["INSendMessageIntent"]),
    ] + service,
    duties: [
      "Build the sender as `INPerson` with image data, the intent, and an incoming interaction.",
      "Donate it and wait, then return `content.updating(from: intent)` unchanged.",
      "One to one: `recipients` nil. Group: everyone but the sender and the current user.",
    ], extensions: serviceFile,
    events: [
      started,
      .init(
        "intent.donated", at: 1000,
        [
          "type": "INSendMessageIntent", "image_parameter": "sender", "recipients": 0,
          "is_me": false, "group": false,
        ]), .init("nse.content.updated", at: 1050, ["modified_after": false]),
      handled(at: 1060, attachments: 0), shown(attachments: 0),
    ], facts: ["F6.1", "F6.2", "F6.3", "F6.4", "F6.5"]),
  PushExample(
    "reply", aliases: ["actions", "buttons"], title: "An alert with a text reply and a button",
    """
    The category names a set of actions that the app has registered. The reply arrives in the app's \
    delegate, which calls the completion when it is done.
    """,
    kind: .richAlert, meaning: .actions, tokenKind: "alert", headers: alertHeaders,
    payload: body([
      "alert": ["title": "Anna", "body": "Are you coming?"], "category": "message",
      "sound": "default",
    ]),
    duties: [
      """
      Register all categories in one call at each launch: `message` with \
      `UNTextInputNotificationAction` "reply" and an action "mute".
      """,
      "Set the delegate before launch ends; call the completion on every path.",
    ], categories: ["message"],
    events: [
      .init("app.replied", at: 60_000, ["action": "reply", "cold_start": false, "completed": true])
    ], facts: ["§3.2", "F7.9", "F7.17", "F7.18"]),
  PushExample(
    "custom-view", aliases: ["content-extension", "expanded"],
    title: "An alert with a view of its own",
    """
    The content extension claims the category and draws the expanded notification. No flag is \
    needed for it; it has no network and little time.
    """,
    kind: .richAlert, meaning: .customView, tokenKind: "alert", headers: alertHeaders,
    payload: body([
      "alert": ["title": "Parcel on its way", "body": "It comes today before noon."],
      "category": "parcel", "sound": "default",
    ]),
    settings: [
      .init(
        .extensionInfo, "NSExtension", "NSExtensionPointIdentifier",
        value: "com.apple.usernotifications.content-extension"),
      .init(
        .extensionInfo, "NSExtension", "NSExtensionPrincipalClass",
        value: "PushContent.NotificationViewController"),
      .init(
        .extensionInfo, "NSExtension", "NSExtensionAttributes", "UNNotificationExtensionCategory",
        value: ["parcel"]),
      .init(
        .extensionInfo, "NSExtension", "NSExtensionAttributes",
        "UNNotificationExtensionInitialContentSizeRatio", value: 1),
    ], duties: ["A storyboard or a class as entry point, not both."],
    extensions: [(file: "PushContent.appex", kind: "content")], categories: ["parcel"],
    events: [
      shown(attachments: 0),
      .init(
        "content_ext.did_receive", at: 620_000,
        ["category": "parcel", "elapsed_ms": 90, "height": 240]),
    ], facts: ["F7.1", "F7.3", "F7.4", "F7.7", "F7.12", "F7.15"]),
  PushExample(
    "time-sensitive", title: "A Time Sensitive alert",
    """
    Breaks through summary and Focus, as far as the person allows. Without the capability in the \
    signed app it is shown as any other.
    """,
    kind: .richAlert, meaning: .plain, tokenKind: "alert", headers: alertHeaders,
    payload: body([
      "alert": ["title": "At your door", "body": "The courier is waiting."],
      "interruption-level": "time-sensitive", "sound": "default",
    ]),
    settings: [
      .init(
        .appEntitlements, "com.apple.developer.usernotifications.time-sensitive", value: true)
    ], events: [shown(attachments: 0)], facts: ["§3.2", "F3.40", "F6.9", "F6.11"]),
  PushExample(
    "critical", title: "A critical alert",
    """
    Sounds even when the phone is muted. Needs an entitlement that Apple grants on request, and an \
    authorisation of its own.
    """,
    kind: .richAlert, meaning: [.plain, .sound], tokenKind: "alert", headers: alertHeaders,
    payload: body([
      "alert": ["title": "Smoke alarm", "body": "Kitchen"], "interruption-level": "critical",
      "sound": ["critical": 1, "name": "default", "volume": 1],
    ]),
    settings: [
      .init(
        .appEntitlements, "com.apple.developer.usernotifications.critical-alerts", value: true)
    ], duties: ["Ask for authorisation with the option `criticalAlert`."],
    events: [shown(attachments: 0)], facts: ["§3.2", "F6.10"]),
]

private let silent: [PushExample] = [
  PushExample(
    "background", aliases: ["silent", "content-available"], title: "A silent notification",
    """
    Wakes the app for 30 s without showing anything. Best effort: two or three an hour, none after \
    a force-quit.
    """,
    kind: .background, meaning: .silent, tokenKind: "alert",
    headers: [
      ("apns-topic", PushExample.bundle), ("apns-push-type", "background"),
      ("apns-priority", "5"),
    ], payload: body(["content-available": 1]),
    settings: [.init(.appInfo, "UIBackgroundModes", value: ["remote-notification"])],
    duties: ["Call the completion handler within 30 s, on every path."],
    events: [
      .init("app.background_launch", at: 1500, ["elapsed_ms": 300]),
      .init("app.background_completed", at: 2500, ["elapsed_ms": 1300, "result": "new_data"]),
    ], facts: ["F8.1", "F8.2", "F8.4", "F8.6", "F1.40"])
]

private let activityTopic = ("apns-topic", PushExample.bundle + ".push-type.liveactivity")
private let activitySettings: [PushExample.Setting] = [
  .init(.appInfo, "NSSupportsLiveActivities", value: true),
  .init(
    .extensionInfo, "NSExtension", "NSExtensionPointIdentifier",
    value: "com.apple.widgetkit-extension"),
]
private let widgetFile = [(file: "ParcelWidget.appex", kind: "widget")]

private let activities: [PushExample] = [
  PushExample(
    "live-activity-start", title: "The start of a Live Activity by push",
    """
    Goes to the start token (iOS 17.2), which is neither the device token nor an update token. It \
    needs an alert.
    """,
    kind: .liveActivity, meaning: .liveActivity, tokenKind: "live-activity-start",
    headers: [activityTopic, ("apns-push-type", "liveactivity"), ("apns-priority", "10")],
    payload: [
      "aps": [
        "timestamp": 1_767_261_600, "event": "start", "attributes-type": "ParcelAttributes",
        "attributes": ["parcel": "4711"], "content-state": ["stops": 7],
        "alert": ["title": "Parcel on its way", "body": "Seven stops to go."],
      ]
    ], settings: activitySettings,
    duties: ["Send the start token on, and the update token of the activity as soon as it comes."],
    extensions: widgetFile,
    events: [
      .init("live_activity.started", at: 900, ["activity_id": "a-1", "kind": "ParcelAttributes"])
    ], facts: ["F9.1", "F9.2", "F9.3", "F9.6", "F3.20"]),
  PushExample(
    "live-activity-update", aliases: ["live-activity", "liveactivity"],
    title: "An update of a Live Activity",
    """
    Goes to the update token of that activity. Priority 5 does not count against the hourly budget.
    """,
    kind: .liveActivity, meaning: .liveActivity, tokenKind: "live-activity-update",
    headers: [activityTopic, ("apns-push-type", "liveactivity"), ("apns-priority", "5")],
    payload: [
      "aps": [
        "timestamp": 1_767_261_600, "event": "update", "content-state": ["stops": 3],
        "stale-date": 1_767_265_200,
      ]
    ], settings: activitySettings, extensions: widgetFile,
    events: [.init("live_activity.updated", at: 900, ["activity_id": "a-1"])],
    facts: ["F9.1", "F9.2", "F9.3", "F9.4", "F9.5"]),
  PushExample(
    "live-activity-end", title: "The end of a Live Activity",
    """
    The last state, and when it leaves the Lock Screen: at most four hours later. Updates after it \
    are ignored.
    """,
    kind: .liveActivity, meaning: .liveActivity, tokenKind: "live-activity-update",
    headers: [activityTopic, ("apns-push-type", "liveactivity"), ("apns-priority", "10")],
    payload: [
      "aps": [
        "timestamp": 1_767_261_600, "event": "end", "content-state": ["stops": 0],
        "dismissal-date": 1_767_265_200,
      ]
    ], settings: activitySettings, extensions: widgetFile,
    events: [.init("live_activity.updated", at: 900, ["activity_id": "a-1"])],
    facts: ["F9.3", "F9.8", "F9.10"]),
]

private let calls: [PushExample] = [
  PushExample(
    "voip", aliases: ["call"], title: "A VoIP call",
    """
    Starts the app through PushKit with a token of its own. The app must report a call for every \
    such push, or iOS ends it.
    """,
    kind: .voip, meaning: .call, tokenKind: "voip",
    headers: [
      ("apns-topic", PushExample.bundle + ".voip"), ("apns-push-type", "voip"),
      ("apns-priority", "10"), ("apns-expiration", "0"),
    ], payload: ["call": "c-1", "caller": "Anna"],
    settings: [.init(.appInfo, "UIBackgroundModes", value: ["voip"])],
    duties: ["Report the call to CallKit in the PushKit delegate, before anything else."],
    events: [
      .init("app.voip_received", at: 700), .init("call.reported", at: 760, ["elapsed_ms": 60]),
    ],
    facts: ["§1.3", "F1.16", "F3.1"])
]

private func request(
  _ id: String, aliases: [String] = [], title: String, _ summary: String, topic: String,
  type: String? = nil, token: String, priority: String? = "10", expiration: String? = nil,
  payload: PlainJSON, settings: [PushExample.Setting] = [], duties: [String] = [],
  facts: [FactID] = ["§1.3"]
) -> PushExample {
  var headers = [("apns-topic", topic), ("apns-push-type", type ?? id)]
  if let priority { headers.append(("apns-priority", priority)) }
  if let expiration { headers.append(("apns-expiration", expiration)) }
  return PushExample(
    id, aliases: aliases, title: title, summary, kind: .requestOnly, meaning: .plain,
    tokenKind: token, headers: headers, payload: payload, settings: settings, duties: duties,
    facts: facts)
}

private let requests: [PushExample] = [
  request(
    "location", title: "A question for the location",
    "Starts the location push extension. Token authentication only; the person allowed *Always*.",
    topic: PushExample.bundle + ".location-query", token: "location", payload: ["aps": [:]],
    settings: [.init(.appEntitlements, "com.apple.developer.location.push", value: true)]),
  request(
    "complication", title: "An update of a watch complication",
    "Goes to the PushKit token for complications; 50 a day.",
    topic: PushExample.bundle + ".complication", token: "complication",
    payload: ["aps": [:], "parcels": 2]),
  request(
    "fileprovider", aliases: ["file-provider"], title: "A change for a file provider",
    "Tells the file provider that a folder has changed. Token authentication only.",
    topic: PushExample.bundle + ".pushkit.fileprovider", token: "fileprovider", priority: nil,
    payload: [
      "container-identifier": "NSFileProviderWorkingSetContainerItemIdentifier",
      "domain": "parcels",
    ]),
  request(
    "mdm", title: "A wake-up of device management",
    "The topic is the UID in the push certificate's subject, no bundle id; the body has no `aps`.",
    topic: "com.apple.mgmt.External.00000000-0000-4000-8000-000000000000", token: "mdm",
    payload: ["mdm": "push-magic-of-the-phone"]),
  request(
    "pushtotalk", aliases: ["push-to-talk"], title: "A speaker of Push to Talk",
    "Goes to the token of the joined channel, which lives as long as the channel is joined.",
    topic: PushExample.bundle + ".voip-ptt", token: "pushtotalk", expiration: "0",
    payload: ["aps": [:], "speaker": "Anna"],
    settings: [.init(.appInfo, "UIBackgroundModes", value: ["push-to-talk"])]),
  request(
    "widgets", aliases: ["widget"], title: "A reload of widgets",
    "Tells the widgets of the app to load anew; the token comes from WidgetKit.",
    topic: PushExample.bundle + ".push-type.widgets", token: "widgets", priority: nil,
    payload: ["aps": ["content-changed": true]], facts: ["§1.3", "§3.2"]),
  request(
    "controls", aliases: ["control"], title: "A reload of a control",
    "Tells one control to load anew; each control has its own token.",
    topic: PushExample.bundle + ".push-type.controls", token: "controls",
    payload: ["aps": ["content-changed": true]], facts: ["§1.3", "§3.2"]),
  PushExample(
    "broadcast", title: "A broadcast to Live Activities",
    """
    One request updates all activities that were started on the channel. It has no token and no \
    topic, and cannot start an activity.
    """,
    kind: .requestOnly, meaning: .plain, path: "/4/broadcasts/apps/\(PushExample.bundle)",
    tokenKind: nil,
    headers: [
      ("apns-channel-id", "dHN0LWNoYW5uZWw="), ("apns-push-type", "liveactivity"),
      ("apns-priority", "5"), ("apns-expiration", "0"),
    ],
    payload: [
      "aps": [
        "timestamp": 1_767_261_600, "event": "update", "content-state": ["stops": 3],
      ]
    ], facts: ["F1.4", "F1.20", "F1.48", "F1.49", "F9.11"]),
]
