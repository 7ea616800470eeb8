import PushModel

extension LogAdapter {
  /// `log show --style ndjson` and `--style json`.
  static let unifiedLogJSON = LogAdapter(
    id: "unified-log-json",
    title: "Apple unified log, `log show --style ndjson` or `json`",
    formatSource: "output of macOS `log show`; keys as in public samples",
    side: .device,
    clock: "explicit offset in each record; the phone's clock",
    absence: .neverProves(
      because:
        """
        a capture may be filtered, leave out info and debug, hide values as <private> and \
        lose lines under load
        """),
    redacts: ["eventMessage (only values of known messages are taken out of it)"],
    samples: [
      AdapterSample(
        #"{"eventMessage":"[com.example.courier] Received remote notification request DC15-EBDB [ waking: 0, hasAlertContent: 1, hasMutableContent: 1 pushType: Alert]","eventType":"logEvent","subsystem":"com.apple.UserNotifications","category":"RemoteNotifications","processImagePath":"/System/Library/CoreServices/SpringBoard.app/SpringBoard","timestamp":"2026-03-01 11:00:02.481233+0100","machTimestamp":88123456789,"messageType":"Default","processID":57}"#,
        expect: .record),
      AdapterSample(
        #"{"eventMessage":"","eventType":"lossEvent","processImagePath":"/kernel","timestamp":"2026-03-01 11:00:03.000000+0100","machTimestamp":88123456790}"#,
        expect: .record),
      AdapterSample(
        #"{"eventMessage":"Power state changed","eventType":"logEvent","processImagePath":"/usr/libexec/powerd","timestamp":"2026-03-01 11:00:02.481233+0100","machTimestamp":88123456788}"#,
        expect: .skip),
      AdapterSample(
        #"{"eventMessage":"Delivered user visible push notification DC15-EBDB","eventType":"logEvent","processImagePath":"/x/SpringBoard","timestamp":"eleven","machTimestamp":1}"#,
        expect: .unreadable),
      AdapterSample(#"{"count":1,"finished":1}"#, expect: .skip),
    ],
    isOnePhone: true,
    prepare: { head, workspace in
      SystemJSON.setup(head, workspace, having: ["eventMessage", "timestamp", "processImagePath"])
    },
    read: { piece, workspace in
      SystemJSON.read(
        piece, workspace, logShowKeys, logKind: "logEvent", lossKind: "lossEvent")
    })
}

private let logShowKeys = KeyTable(
  [
    ("timestamp", SystemKey.time), ("eventMessage", .message), ("eventType", .kind),
    ("subsystem", .subsystem), ("category", .category), ("processImagePath", .process),
    ("processID", .pid), ("finished", .finished), ("messageType", .level), ("lossCount", .lost),
  ].map { ($0.0, $0.1.rawValue) })
