/// What a notification is.
enum Kind: UInt8 {
  case plain, media, communication, actions, customView, silent

  /// Whether the service extension is meant to change it.
  var isMutable: Bool { self == .media || self == .communication || self == .customView }
  /// Whether it carries the address of a file to show.
  var hasMedia: Bool { self == .media || self == .customView }
}

/// Which ids the phone can know a notification by.
enum IdentityMode: UInt8 {
  /// The sender's own id, also in the payload.
  case notificationID
  /// The `apns-id` that the sender chose, also in the payload (F11.3).
  case apnsIDInPayload
  /// Only the collapse id, which is the request's identifier (F11.1).
  case collapseOnly
  /// None: token and time are left.
  case none
}

/// The collapse id of a notification.
enum CollapseMode: UInt8 {
  case none, unique, topical
}

/// What was planted on a notification besides a cause.
struct Defects: OptionSet {
  let rawValue: UInt32

  static let lostEvent = Defects(rawValue: 1)
  static let lostDay = Defects(rawValue: 2)
  static let notUploaded = Defects(rawValue: 4)
  static let neverLogs = Defects(rawValue: 8)
  static let neverOpens = Defects(rawValue: 16)
  static let clockMinutes = Defects(rawValue: 32)
  static let clockYears = Defects(rawValue: 64)
  static let restartedCount = Defects(rawValue: 128)
  static let noLogID = Defects(rawValue: 256)
  static let retried = Defects(rawValue: 512)
  static let replaced = Defects(rawValue: 1024)
  static let lateArrival = Defects(rawValue: 2048)
  static let noIDs = Defects(rawValue: 4096)
  static let sampledOut = Defects(rawValue: 8192)
  static let duplicateLine = Defects(rawValue: 16384)
  static let sharedID = Defects(rawValue: 32768)
  static let lateLine = Defects(rawValue: 65536)

  static let names: [(Defects, StaticString)] = [
    (.lostEvent, "lost_event"), (.lostDay, "lost_day"), (.notUploaded, "not_uploaded"),
    (.neverLogs, "never_logs"), (.neverOpens, "never_opens"), (.clockMinutes, "clock_minutes"),
    (.clockYears, "clock_years"), (.restartedCount, "seq_restart"), (.noLogID, "no_log_id"),
    (.retried, "retried"), (.replaced, "replaced"), (.lateArrival, "late_arrival"),
    (.noIDs, "no_ids"), (.sampledOut, "sampled_out"), (.duplicateLine, "duplicate_line"),
    (.sharedID, "shared_id"), (.lateLine, "late_line"),
  ]
}

/// One notification on one phone.
struct Note {
  var sentAt: Int64 = 0
  var id = Identifier()
  /// The `apns-id` that the sender chose; only for `IdentityMode.apnsIDInPayload`.
  var chosenAPNsID = Identifier()
  /// The identifier that the phone makes where no collapse id is given (F11.2).
  var requestID = Identifier()
  var kind = Kind.plain
  var identity = IdentityMode.notificationID
  var collapse = CollapseMode.none
  /// Slot of a topical collapse id.
  var slot = 0
  /// Number of the campaign whose id this notification shares with other phones, or -1.
  var campaign = -1
  var isSharedID = false
  /// Varies texts and the spelling of planted faults.
  var variant = 0
  /// Seconds from the send to the expiration; 0 = not stored, -1 = no header.
  var lifetimeSeconds = -1
  var hasExpectation = false
  var hasInstallationID = false
  var usesOldToken = false
  /// Faults that the request carries, known before anything happens.
  var requestFaults = CauseSet()
  /// Faults that were really met, in the order of the chain.
  var faults = CauseSet()
  /// Faults that wait for the extension or the screen.
  var candidates = CauseSet()
  var firstSend = 0
  var sendCount = 0
  var accepted = false
  var arrival: Int64 = -1
  var shownAt: Int64 = -1
  var shownAttachments = 0
  var firstEvent = 0
  var eventCount = 0
  /// The offline time in which it was sent, or -1.
  var offlineWindow = -1
  var defects = Defects()
  var stage = 0
}

/// One request to APNs and its answer.
struct Send {
  var note: Int
  var at: Int64
  var attempt: Int
  var status: Int
  var reason: StaticString
  var apnsID: Identifier
  var durationMilliseconds: Int
  /// Number of the line's unit within its group; -1 if the log left it out.
  var unit = -1
}

/// The names of device events and who records them.
enum EventKind: UInt8 {
  case heartbeat, registered, settings, categories
  case didReceive, downloadStarted, downloadFinished, attachmentCreated, attachmentFailed
  case keychainFailed, routed, intentDonated, intentFailed, contentUpdated
  case handlerCalled, willExpire, crashed
  case willPresent, presented, contentShown, contentFailed, opened, action
  case backgroundLaunch, backgroundCompleted

  var name: StaticString {
    switch self {
    case .heartbeat: "device.heartbeat"
    case .registered: "app.registered"
    case .settings: "app.settings"
    case .categories: "app.categories"
    case .didReceive: "nse.did_receive"
    case .downloadStarted: "nse.download.started"
    case .downloadFinished: "nse.download.finished"
    case .attachmentCreated: "nse.attachment.created"
    case .attachmentFailed: "nse.attachment.failed"
    case .keychainFailed: "nse.keychain.failed"
    case .routed: "nse.routed"
    case .intentDonated: "intent.donated"
    case .intentFailed: "intent.failed"
    case .contentUpdated: "nse.content.updated"
    case .handlerCalled: "nse.handler.called"
    case .willExpire: "nse.will_expire"
    case .crashed: "nse.crashed"
    case .willPresent: "app.will_present"
    case .presented: "app.presented"
    case .contentShown: "content_ext.did_receive"
    case .contentFailed: "content_ext.failed"
    case .opened: "app.opened"
    case .action: "app.action"
    case .backgroundLaunch: "app.background_launch"
    case .backgroundCompleted: "app.background_completed"
    }
  }

  /// The furthest stage that a sighting of this event proves; see `TruthBuilder.stageNames`.
  func stage(_ event: Event) -> Int {
    switch self {
    case .heartbeat, .registered, .settings, .categories: 0
    case .willPresent: 2
    case .handlerCalled: event.a < 30_000 ? 4 : 3
    case .presented: event.c == 0 ? 5 : 2
    // A view that died was asked for, so what it belongs to was on the screen.
    case .contentFailed: 5
    case .contentShown: 6
    case .opened, .action: 7
    case .backgroundLaunch: 8
    case .backgroundCompleted: 9
    default: 3
    }
  }

  var bit: UInt32 { 1 << UInt32(rawValue) }
}

/// One event on a phone. What `a` to `d` mean depends on the kind; see `EventLines.swift`.
struct Event {
  var time: Int64
  var note: Int
  var kind: EventKind
  var created: Int
  var a: Int
  var b: Int
  var c: Int
  var d: Int
}

/// Where an event's line went.
struct Fate {
  /// Number of the unit within its group; -1 if no line of it was written.
  var unit = -1
  /// Line within that unit, from 0.
  var line = 0
  var sequence = 0
  var log = 0
  var isLost = false

  var survived: Bool { unit >= 0 }
}

/// A phone with one app on it.
struct Phone {
  var index = 0
  var app = 0
  var system = 0
  var model = 0
  var deviceID = Identifier()
  var isSandbox = false
  var firstRelease = 0
  var laterRelease = 0
  var updateAt = Int64.max
  var token: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
  var laterToken: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
  var rotatesAt = Int64.max
  var senderLearnsAt = Int64.max
  /// Whether APNs refuses the old token (410) instead of taking and dropping what it gets.
  var oldTokenIsRefused = false
  var restartsAt = Int64.max
  var hasLogID = true
  var logIDs: (UInt64, UInt64) = (0, 0)
  var firstSequence = 1
  var clockOffset: Int64 = 0
  var neverOpens = false
  var neverLogs = false
  var deniedFrom = Int64.max
  var backgroundRefreshOff = false
  var hasPartialCategories = false
  var opensPerDay = 0
  var deviceDefects = Defects()

  func release(at time: Int64) -> Int { time >= updateAt ? laterRelease : firstRelease }
}
