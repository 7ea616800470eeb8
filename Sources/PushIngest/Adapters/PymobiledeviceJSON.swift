import PushModel

extension LogAdapter {
  /// `pymobiledevice3 syslog live --format json`.
  static let pymobiledeviceJSON = LogAdapter(
    id: "pymobiledevice-json",
    title: "pymobiledevice3 live log, JSON lines",
    formatSource: "source of doronz88/pymobiledevice3",
    side: .device,
    clock: "clock of the computer that listened, without zone: say it with --assume-zone",
    absence: .neverProves(
      because:
        """
        it tells of the time of listening only, and may be filtered, leave out info and \
        debug, hide values as <private> and lose lines
        """),
    redacts: ["message (only values of known messages are taken out of it)"],
    samples: [
      AdapterSample(
        #"{"pid":57,"procid":57,"thread_id":41822,"timestamp":"2026-03-01T11:00:02.481233","level":"NOTICE","image_name":"/x/UserNotificationsServer","filename":"/System/Library/CoreServices/SpringBoard.app/SpringBoard","mach_timestamp":88123456789,"message":"[com.example.courier] Remote notification request DC15-EBDB can be modified: 1","label":{"subsystem":"com.apple.UserNotifications","category":"RemoteNotifications"}}"#,
        expect: .record),
      AdapterSample(
        #"{"pid":1,"timestamp":"2026-03-01T11:00:02.481233","level":"INFO","image_name":"/x","filename":"/sbin/launchd","message":"hello","label":null}"#,
        expect: .skip),
      AdapterSample(
        #"{"pid":57,"timestamp":"soon","level":"NOTICE","image_name":"/x","filename":"/x/SpringBoard","message":"Entering grace time","label":null}"#,
        expect: .unreadable),
    ],
    isOnePhone: true,
    prepare: { head, workspace in
      SystemJSON.setup(
        head, workspace, having: ["message", "filename", "image_name", "level", "timestamp"])
    },
    read: { piece, workspace in SystemJSON.read(piece, workspace, topKeys, inner: labelKeys) })
}

private let topKeys = KeyTable(
  [
    ("timestamp", SystemKey.time), ("message", .message), ("filename", .process), ("pid", .pid),
    ("label", .label), ("level", .level),
  ].map { ($0.0, $0.1.rawValue) })

private let labelKeys = KeyTable(
  [("subsystem", SystemKey.subsystem), ("category", .category)].map { ($0.0, $0.1.rawValue) })
