import PushModel

extension LogAdapter {
  /// The JSON lines of Mandiant's `unifiedlog_iterator`, which needs no Mac.
  static let unifiedLogMandiant = LogAdapter(
    id: "unified-log-mandiant",
    title: "Apple unified log, JSON lines of `unifiedlog_iterator`",
    formatSource: "source of mandiant/macos-UnifiedLogs",
    side: .device,
    clock: "`timestamp`, UTC with nanoseconds; the phone's clock (`time` is a rounded copy)",
    absence: .neverProves(
      because:
        """
        a capture may be filtered, leave out info and debug, hide values as <private> and \
        lose lines under load
        """),
    redacts: ["message (only values of known messages are taken out of it)"],
    samples: [
      AdapterSample(
        #"{"subsystem":"com.apple.UserNotifications","thread_id":41822,"pid":57,"category":"RemoteNotifications","event_type":"Log","log_type":"Default","process":"/System/Library/CoreServices/SpringBoard.app/SpringBoard","message":"[com.example.courier] Remote notification request DC15-EBDB can be modified: 1","raw_message":"","boot_uuid":"AAAABBBBCCCCDDDDEEEEFFFF00001111","time":1.772359202481233e18,"timestamp":"2026-03-01T10:00:02.481901000Z"}"#,
        expect: .record),
      AdapterSample(
        #"{"event_type":"Signpost","process":"/usr/libexec/x","message":"y","raw_message":"","timestamp":"2026-03-01T10:00:02.481901000Z","boot_uuid":"A"}"#,
        expect: .skip),
      AdapterSample(
        #"{"event_type":"Loss","log_type":"Loss","process":"/kernel","message":"","raw_message":"","timestamp":"2026-03-01T10:00:03.000000000Z","boot_uuid":"A"}"#,
        expect: .record),
      AdapterSample(
        #"{"event_type":"Log","process":"/x/SpringBoard","message":"Delivered user visible push notification DC15-EBDB","raw_message":"","boot_uuid":"A","time":1.77e18}"#,
        expect: .unreadable),
    ],
    isOnePhone: true,
    prepare: { head, workspace in
      SystemJSON.setup(head, workspace, having: ["message", "raw_message", "boot_uuid", "process"])
    },
    read: { piece, workspace in
      SystemJSON.read(piece, workspace, mandiantKeys, logKind: "Log", lossKind: "Loss")
    })
}

private let mandiantKeys = KeyTable(
  [
    ("timestamp", SystemKey.time), ("message", .message), ("event_type", .kind),
    ("subsystem", .subsystem), ("category", .category), ("process", .process), ("pid", .pid),
    ("log_type", .level),
  ].map { ($0.0, $0.1.rawValue) })
