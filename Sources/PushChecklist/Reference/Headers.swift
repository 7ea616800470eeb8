import PushModel

/// The headers of a request to APNs, and those of its answer (§1.2, §1.5).
let headerRows: [ReferenceEntry] = [
  ReferenceEntry(
    ":path", aliases: ["path"], form: "`/3/device/` and the token in hex; POST only.",
    "Names the phone and app that the request is for.",
    decided: "By APNs' `BadPath`, `MissingDeviceToken` and `MethodNotAllowed`.",
    repair: "Build the path from the newest token of the installation, as hex without separators.",
    steps: [.requestShape, .tokenShape], causes: [.requestMalformed, .tokenMalformed],
    facts: ["F1.3", "F1.10", "F10.5"]),
  ReferenceEntry(
    ":authority", aliases: ["host", ":host"],
    form: "`api.push.apple.com` or `api.sandbox.push.apple.com`, port 443 or 2197.",
    "Chooses the environment. A token works in the one that it was issued for only.",
    decided: """
      The host is compared with the token's environment, with `aps-environment` of the signed app \
      and with how the app was distributed.
      """,
    repair: "Sandbox for builds from Xcode and simulators, production for all others.",
    steps: [.tokenEnvironment], causes: [.tokenEnvMismatch, .providerKeyScope],
    facts: ["F1.1", "F1.2", "F1.6", "F10.1", "F10.2"]),
  ReferenceEntry(
    "authorization", form: "`bearer` and a JWT (ES256, `kid`, `iss`, `iat` in seconds).",
    "Says who sends. With a certificate it is ignored.",
    decided: "By APNs' 403 and 429 reasons, the JWT's age and the sender's clock.",
    repair: "Renew the JWT every 20 to 60 minutes and share it between connections.",
    steps: [.providerAuth],
    causes: [
      .providerAuthInvalid, .providerJwtExpired, .providerJwtChurn, .providerClockSkew,
      .providerKeyScope,
    ],
    facts: ["F1.11", "F2.0", "F2.1", "F2.2"]),
  ReferenceEntry(
    "apns-id", form: "A UUID, lower case; optional. APNs makes one and returns it.",
    "Identifies the request in APNs' answer and in Apple's logs. It does not reach the phone.",
    decided:
      "It joins attempts and answers; compared without case. `BadMessageId` if it is no UUID.",
    repair: "Log it for every request, and put an id of your own into the payload for the phone.",
    steps: [.requestShape], causes: [.requestMalformed],
    facts: ["F1.12", "F1.13", "F1.60", "F11.3"]),
  ReferenceEntry(
    "apns-expiration", form: "Unix seconds; 0 = one attempt. Absent: stored at most 30 days.",
    "Until when APNs keeps the notification for a phone that is offline.",
    decided: """
      The value is kept as written, so that milliseconds or a date are found; it is compared with \
      the phone's next sign of life.
      """,
    repair: "Seconds since 1970, UTC, as far ahead as the notification is of use.",
    steps: [.priorityAndExpiration, .pathToDevice],
    causes: [.expirationInMilliseconds, .expiredWhileOffline], facts: ["F1.14", "F1.64", "F2.0"]),
  ReferenceEntry(
    "apns-priority", form: "10 (at once, assumed if absent), 5 (saves power) or 1.",
    "How soon the phone gets it. Silent notifications must have 5; Live Activities count 10.",
    decided: "Read together with the push type and with what is visible in the payload.",
    repair: "5 for silent notifications and most updates of a Live Activity, 10 for alerts.",
    steps: [.priorityAndExpiration, .laBudget],
    causes: [.priorityBackground, .priorityMissingForBackground, .laBudget, .requestMalformed],
    facts: ["F1.15", "F1.40", "F9.5"]),
  ReferenceEntry(
    "apns-topic", form: "The bundle id with the suffix of the push type; alerts have none.",
    "Tells APNs which app on the phone it is for.",
    decided: "Compared with the signed bundle id and the push type's suffix; APNs' answer decides.",
    repair: "Bundle id plus exactly one suffix; look whether the library appends it by itself.",
    steps: [.topic], causes: [.topicMissing, .topicSuffix, .topicWrong],
    facts: ["F1.16", "F1.30", "F1.31", "F1.47"]),
  ReferenceEntry(
    "apns-push-type",
    form: """
      `alert`, `background`, `voip`, `complication`, `fileprovider`, `mdm`, `location`, \
      `liveactivity`, `pushtotalk`, `widgets` or `controls`.
      """,
    "What kind of notification it is. It has to fit payload, topic and priority.",
    decided: "Compared with what is visible in the payload and with the topic's suffix.",
    repair: "Derive it from what the payload is, and send it always.",
    steps: [.pushType, .topic, .requestShape],
    causes: [.pushTypeMismatch, .pushTypeMissing, .requestMalformed],
    facts: ["F1.17", "F1.41", "F1.42", "F1.44", "F1.45", "§1.3"]),
  ReferenceEntry(
    "apns-collapse-id", form: "Text of at most 64 bytes (not characters).",
    """
    A newer notification with the same id replaces the older one. On the phone it is the \
    identifier of the request.
    """,
    decided: "Its bytes are counted; it joins sends and device events of one installation.",
    repair: "Hash long ids. One id for each notification makes both sides joinable.",
    steps: [.priorityAndExpiration, .pathToDevice], causes: [.collapseIdTooLong],
    facts: ["F1.18", "F1.46", "F11.1", "F11.5", "F11.7"]),
  ReferenceEntry(
    "apns-channel-id", form: "Id of a broadcast channel; broadcasts only.",
    "Names the channel whose Live Activities are updated.",
    decided: "A send with a channel is a broadcast: a request without a phone.",
    repair: "Create the channel in the same environment, and start the activity with it.",
    steps: [.requestShape], facts: ["F1.4", "F1.5", "F1.20", "F9.11"]),
  ReferenceEntry(
    "apns-request-id", form: "A UUID; broadcasts only, in the place of `apns-id`.",
    "Identifies a broadcast request.", decided: "Kept with the send; nothing is joined by it.",
    repair: "Log it where you log `apns-id`.", steps: [.requestShape], facts: ["F1.20"]),
  ReferenceEntry(
    "apns-unique-id", form: "A UUID in the answer, from the development environment only.",
    "Leads to the log of that notification in Apple's console, for seven days.",
    decided: "Kept with the send; nothing on the phone has it.",
    repair: "Look it up in the console before the seven days are over.", steps: [.apnsAccepted],
    facts: ["F1.61"]),
]
