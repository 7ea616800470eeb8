import PushModel

/// The keys of the payload that iOS reads, those of Live Activities included (§3.2, §3.3).
let payloadKeyRows: [ReferenceEntry] = alertKeyRows + systemKeyRows + activityKeyRows

private let alertKeyRows: [ReferenceEntry] = [
  ReferenceEntry(
    "aps", form: "Object at the top of the payload.",
    "Holds everything that iOS itself reads. Own keys go beside it, not into it.",
    decided: "A payload without it is custom data to iOS (MDM and VoIP may do without).",
    repair: "Put the system's keys inside `aps`, your own beside it.",
    steps: [.requestShape, .visibleAlert], causes: [.fcmNesting, .noAlert],
    facts: ["F3.3", "F3.4", "F3.5"]),
  ReferenceEntry(
    "aps.alert", aliases: ["alert"], form: "Object (recommended) or string; a string is the body.",
    "The visible text. Without some text in it there is neither banner nor service extension.",
    decided: "Title, subtitle and body are looked at; empty or other than text counts as none.",
    repair: "Send a placeholder text that the service extension replaces.",
    steps: [.visibleAlert], causes: [.noAlert, .alertInBackgroundPush],
    facts: ["F3.35", "F3.36", "F3.37", "F4.1", "§3.2"]),
  ReferenceEntry(
    "aps.alert.title", aliases: ["title"], form: "String.", "The first line of the notification.",
    decided: "Counts as visible text if it is a string that is not empty.",
    repair: "A string; numbers are dropped without a message.", steps: [.visibleAlert],
    causes: [.noAlert], facts: ["§3.2", "F3.35", "F3.36"]),
  ReferenceEntry(
    "aps.alert.subtitle", aliases: ["subtitle"], form: "String.", "The line below the title.",
    decided: "As the title.", repair: "A string.", steps: [.visibleAlert], causes: [.noAlert],
    facts: ["§3.2", "F3.35"]),
  ReferenceEntry(
    "aps.alert.body", aliases: ["body"], form: "String.", "The text of the notification.",
    decided: "As the title.", repair: "A string that is not empty.", steps: [.visibleAlert],
    causes: [.noAlert], facts: ["§3.2", "F3.35"]),
  ReferenceEntry(
    "aps.alert.launch-image", aliases: ["launch-image"], form: "String, name of a file in the app.",
    "Picture shown while the app starts from the notification.",
    decided: "Not judged.", repair: "Name a file of the bundle.", facts: ["§3.2"]),
  ReferenceEntry(
    "aps.alert.title-loc-key", aliases: ["title-loc-key"],
    form: "String, a key of the app's `Localizable.strings`.",
    "Title in the phone's language; `title-loc-args` fills its places.",
    decided: "Counts as visible text.", repair: "Ship the key in every language of the app.",
    steps: [.visibleAlert], facts: ["§3.2"]),
  ReferenceEntry(
    "aps.alert.title-loc-args", aliases: ["title-loc-args"], form: "Array of strings.",
    "Values for the places of `title-loc-key`.",
    decided: "Not judged: other kinds of values become empty texts.",
    repair: "Strings only, as many as the text has places.", steps: [.visibleAlert],
    facts: ["§3.2", "F3.43"]),
  ReferenceEntry(
    "aps.alert.subtitle-loc-key", aliases: ["subtitle-loc-key"],
    form: "String, a key of the app's `Localizable.strings`.",
    "Subtitle in the phone's language; `subtitle-loc-args` fills its places.",
    decided: "Counts as visible text.", repair: "Ship the key in every language of the app.",
    steps: [.visibleAlert], facts: ["§3.2"]),
  ReferenceEntry(
    "aps.alert.subtitle-loc-args", aliases: ["subtitle-loc-args"], form: "Array of strings.",
    "Values for the places of `subtitle-loc-key`.",
    decided: "Not judged.", repair: "Strings only.", steps: [.visibleAlert],
    facts: ["§3.2", "F3.43"]),
  ReferenceEntry(
    "aps.alert.loc-key", aliases: ["loc-key"],
    form: "String, a key of the app's `Localizable.strings`.",
    "Text in the phone's language; `loc-args` fills its places.",
    decided: "Counts as visible text.", repair: "Ship the key in every language of the app.",
    steps: [.visibleAlert], facts: ["§3.2"]),
  ReferenceEntry(
    "aps.alert.loc-args", aliases: ["loc-args"], form: "Array of strings.",
    "Values for the places of `loc-key`.", decided: "Not judged.", repair: "Strings only.",
    steps: [.visibleAlert], facts: ["§3.2", "F3.43"]),
  ReferenceEntry(
    "aps.alert.summary-arg", aliases: ["summary-arg", "summary-arg-count"],
    form: "String; `summary-arg-count` is a number.",
    "Words for the summary of a group; no longer used since iOS 15.",
    decided: "Not judged.", repair: "Leave it out; group by `thread-id`.", facts: ["§3.2"]),
  ReferenceEntry(
    "aps.alert.action-loc-key", aliases: ["action-loc-key"], form: "String, a key of the app.",
    "Title of the button of an old alert; legacy.", decided: "Not judged.",
    repair: "Use a category with actions.", facts: ["§3.2"]),
]

private let systemKeyRows: [ReferenceEntry] = [
  ReferenceEntry(
    "aps.badge", aliases: ["badge"], form: "Number, 0 clears.",
    "The number at the app's icon. Alone it shows no banner and starts no extension.",
    decided: "Its presence matters for silent notifications: there it must not be.",
    repair: "A number; strings and negative numbers are dropped.", steps: [.backgroundPayload],
    causes: [.alertInBackgroundPush], facts: ["§3.2", "F3.38", "F4.1"]),
  ReferenceEntry(
    "aps.sound", aliases: ["sound"],
    form:
      "String: file name or `default`. Object for critical alerts: `critical`, `name`, `volume`.",
    "What is heard. Without it the notification is silent.",
    decided: "Absent although sound was meant is a fault; settings are asked apart.",
    repair: "aiff, wav or caf under 30 s, in the bundle or in `Library/Sounds`, before the push.",
    steps: [.visibleAlert, .notificationSettings],
    causes: [.soundMissing, .interruptionEntitlement, .alertInBackgroundPush],
    facts: ["§3.2", "F3.42", "F3.44", "F6.10"]),
  ReferenceEntry(
    "aps.thread-id", aliases: ["thread-id"], form: "String.",
    "Groups notifications in the list.", decided: "Not judged; other than text is dropped.",
    repair: "A string.", facts: ["§3.2", "F3.39"]),
  ReferenceEntry(
    "aps.category", aliases: ["category key"],
    form: "String, letter by letter that of a registered category.",
    "The name by which iOS finds buttons and the view of a content extension.",
    decided: "Compared with what the app registered last and what content extensions claim.",
    repair: "Inside `aps`; beside it, it is custom data and does nothing.",
    steps: [.category, .contentExtension, .actionsOffered],
    causes: [.categoryMissing, .categoryNotRegistered, .categoryNotInPlist],
    facts: ["§3.2", "F3.4", "F3.39", "F7.7", "F7.9"]),
  ReferenceEntry(
    "aps.content-available", aliases: ["content-available"], form: "The number 1.",
    "Wakes the app in the background. Alone with priority 5 and type background: silent.",
    decided: "On, off and odd values are told apart as iOS takes them.",
    repair: "The number 1, and nothing visible beside it.",
    steps: [.backgroundPayload, .pushType, .backgroundMode],
    causes: [
      .alertInBackgroundPush, .mutableKeySpellingNesting, .flagTypeString, .backgroundModeMissing,
    ],
    facts: ["F8.1", "F3.30", "F3.33", "F1.43"]),
  ReferenceEntry(
    "aps.mutable-content", aliases: ["mutable-content"], form: "The number 1.",
    "Lets the service extension change the notification before it is shown.",
    decided: """
      On, off, fraction, negative and text are told apart as iOS takes them; other spellings and \
      places are found; sent and received are compared.
      """,
    repair: "The number 1, with hyphen, inside `aps`.", steps: [.mutableContent],
    causes: [
      .mutableContentOff, .mutableContentFraction, .mutableKeySpellingNesting, .flagTypeString,
      .providerStripsKeys,
    ],
    facts: ["F4.1", "F3.5", "F3.30", "F3.31", "F3.32", "F3.33", "F3.34"]),
  ReferenceEntry(
    "aps.target-content-id", aliases: ["target-content-id"], form: "String.",
    "Names the window that is to come forward.", decided: "Not judged.", repair: "A string.",
    facts: ["§3.2"]),
  ReferenceEntry(
    "aps.interruption-level", aliases: ["interruption-level"],
    form: "`passive`, `active`, `time-sensitive` or `critical`.",
    "How much the notification may disturb. Another spelling counts as `active`.",
    decided: "Compared with the entitlements of the signed app and with the phone's settings.",
    repair: "The exact word, and the capability in the signed app.",
    steps: [.notificationSettings],
    causes: [.quietLevel, .interruptionEntitlement, .focusOrSummary],
    facts: ["§3.2", "F3.40", "F6.9", "F6.10", "F6.11"]),
  ReferenceEntry(
    "aps.relevance-score", aliases: ["relevance-score"],
    form: "Number from 0 to 1; any number for Live Activities.",
    "Order within the summary, or between activities.", decided: "Not judged.",
    repair: "A number in the range.", facts: ["§3.2", "F3.41"]),
  ReferenceEntry(
    "aps.filter-criteria", aliases: ["filter-criteria"], form: "String; iOS 16 and newer.",
    "Lets a Focus filter decide whether it is shown.", decided: "Not judged; Focus is.",
    repair: "The same text as the app's Focus filter gives.", steps: [.notificationSettings],
    causes: [.focusOrSummary], facts: ["§3.2", "F6.13"]),
  ReferenceEntry(
    "aps.content-changed", aliases: ["content-changed"], form: "`true`; widgets and controls.",
    "Tells a widget or control to load anew.", decided: "The request only.",
    repair: "Alone in `aps`, with the type's topic suffix.", steps: [.pushType],
    facts: ["§1.3", "§3.2"]),
  ReferenceEntry(
    "aps.topic-id", aliases: ["topic-id"], form: "String or array; undocumented.",
    "Read by iOS, purpose not documented.", decided: "Not judged.", repair: "Leave it out.",
    facts: ["§3.2"]),
  ReferenceEntry(
    "mdm", aliases: ["mdm key"], form: "String beside or without `aps`; device management only.",
    "The push magic that wakes the management client.", decided: "The request only.",
    repair: "The value that the phone sent at enrolment; no `aps`.", steps: [.topic],
    facts: ["§1.3"]),
]

private let activityKeyRows: [ReferenceEntry] = [
  ReferenceEntry(
    "aps.timestamp", aliases: ["timestamp"], form: "Number, Unix seconds, now.",
    "When the update was made; an older one than the last is ignored.",
    decided: "Required in every Live Activity push; milliseconds are found.",
    repair: "Whole seconds of the moment of sending.", steps: [.laPayload],
    causes: [.laPayloadIncomplete], facts: ["F9.3", "§3.2"]),
  ReferenceEntry(
    "aps.event", aliases: ["event"], form: "`start`, `update` or `end`.",
    "What happens to the Live Activity.", decided: "Required in every Live Activity push.",
    repair: "One of the three words.", steps: [.laPayload, .laState],
    causes: [.laPayloadIncomplete, .laEnded], facts: ["F9.3", "F9.10", "§3.2"]),
  ReferenceEntry(
    "aps.content-state", aliases: ["content-state"],
    form: "Object with the fields of the app's type, default coding.",
    "The state that the activity shows.",
    decided: "By the phone's record that it could not be decoded: APNs answers 200 all the same.",
    repair: "Exactly the fields of the Swift type; dates as seconds from 2001.",
    steps: [.laPayload], causes: [.laContentState], facts: ["F9.4", "F3.2", "§3.2"]),
  ReferenceEntry(
    "aps.attributes-type", aliases: ["attributes-type"], form: "String, name of the Swift type.",
    "Which activity is started. Start only.", decided: "Required with event `start`.",
    repair: "The name of the `ActivityAttributes` type, without module.", steps: [.laPayload],
    causes: [.laPayloadIncomplete], facts: ["F9.3", "§3.2"]),
  ReferenceEntry(
    "aps.attributes", aliases: ["attributes"], form: "Object; start only.",
    "The fixed values of the activity.", decided: "Required with event `start`.",
    repair: "Exactly the fields of the Swift type; an empty object if it has none.",
    steps: [.laPayload], causes: [.laPayloadIncomplete, .laContentState],
    facts: ["F9.3", "F3.2", "§3.2"]),
  ReferenceEntry(
    "aps.stale-date", aliases: ["stale-date"], form: "Number, Unix seconds.",
    "From when on the activity is shown as stale.", decided: "By the activity's state.",
    repair: "A future time; draw the stale state.", steps: [.laState], causes: [.laEnded],
    facts: ["F9.9", "§3.2"]),
  ReferenceEntry(
    "aps.dismissal-date", aliases: ["dismissal-date"], form: "Number, Unix seconds; with `end`.",
    "When an ended activity leaves the Lock Screen: at most four hours later.",
    decided: "By the activity's state.", repair: "In the past to remove it at once.",
    steps: [.laState], causes: [.laEnded], facts: ["F9.8", "§3.2"]),
  ReferenceEntry(
    "aps.input-push-token", aliases: ["input-push-token"],
    form: "The number 1; iOS 18, start only.",
    "Asks for an update token with the start.", decided: "Not judged.", repair: "The number 1.",
    steps: [.laPayload], facts: ["§3.2", "F9.1"]),
  ReferenceEntry(
    "aps.input-push-channel", aliases: ["input-push-channel"],
    form: "String, channel id; iOS 18, start only.",
    "Starts the activity on a broadcast channel; older phones do not start it.",
    decided: "Not judged.", repair: "A channel of the same environment.", steps: [.laPayload],
    facts: ["§3.2", "F9.1", "F9.11"]),
]
