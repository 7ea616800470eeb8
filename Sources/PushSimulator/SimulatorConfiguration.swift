/// What a corpus is to contain. The same values always give the same bytes.
public struct SimulatorConfiguration: Sendable {
  /// How many notifications (one id on one device each) the corpus holds, exactly.
  public var notifications: Int
  /// Seed of every random choice.
  public var seed: UInt64
  /// Length of the period in whole days.
  public var days: Int
  /// First day of the period, `YYYY-MM-DD`, UTC.
  public var firstDay: String
  /// Share of device events that never arrive, 0 to 1: half of them singly, half in whole days of
  /// one phone.
  public var lostDeviceEvents: Double
  /// Share of sends that neither log nor carry any id (`apns_id`, `notification_id`,
  /// `collapse_id`), 0 to 1: only token and time are left to join them.
  public var idlessSends: Double
  /// Share of successful sends that the provider's log keeps, 0 to 1. Refusals are always kept.
  public var loggedSuccesses: Double
  /// Whether recorders count their events (`seq`, `log_id`).
  public var sequenceNumbers: Bool
  /// Threads that generate. It does not change the files.
  public var workers: Int

  /// Makes a configuration; the period ends with 2026-11-29 unless told otherwise.
  public init(
    notifications: Int, seed: UInt64, days: Int = 8, firstDay: String = "2026-11-22",
    lostDeviceEvents: Double = 0.02, idlessSends: Double = 0, loggedSuccesses: Double = 1,
    sequenceNumbers: Bool = true, workers: Int = 2
  ) {
    self.notifications = notifications
    self.seed = seed
    self.days = days
    self.firstDay = firstDay
    self.lostDeviceEvents = lostDeviceEvents
    self.idlessSends = idlessSends
    self.loggedSuccesses = loggedSuccesses
    self.sequenceNumbers = sequenceNumbers
    self.workers = workers
  }
}

/// Lines and bytes of one written file.
public struct SimulatedFile: Sendable, Equatable {
  /// Name inside the corpus directory.
  public var name: String
  /// Lines written, planted duplicates included.
  public var lines: Int
  /// Size in bytes.
  public var bytes: Int
}

/// What a run wrote.
public struct SimulatorSummary: Sendable, Equatable {
  /// `provider.ndjson`, `device.ndjson`, `truth.ndjson`, `facts.json`, in this order.
  public var files: [SimulatedFile]
  /// Built apps in `bundles/`, one for each release.
  public var bundles = 0
  /// Notifications, equal to the lines of the truth.
  public var notifications: Int
  /// Installations that got at least one.
  public var phones: Int
  /// Notifications with a first broken step.
  public var broken: Int
  /// Broken ones that the written lines suffice to tell.
  public var brokenDecidable: Int
  /// Notifications whose truth the written lines suffice to tell, fine ones included.
  public var decidable: Int
  /// Notifications by first broken cause, in the order of the chain; causes without one are left
  /// out.
  public var causes: [CauseCount]

  /// How often one cause is the first broken one.
  public struct CauseCount: Sendable, Equatable {
    /// The cause, which names its step.
    public var cause: PlantedCause
    /// Notifications.
    public var count: Int
  }
}

/// Why a corpus could not be written.
public enum SimulatorError: Error, Sendable, Equatable, CustomStringConvertible {
  /// A value of the configuration makes no sense.
  case invalidConfiguration(field: String, value: String)
  /// A file could not be made, written or read back.
  case file(path: String, operation: String, code: Int32)

  /// One sentence for people.
  public var description: String {
    switch self {
    case .invalidConfiguration(let field, let value):
      "the corpus cannot be made: \(field) is \(value)"
    case .file(let path, let operation, let code):
      "cannot \(operation) \(path) (errno \(code))"
    }
  }
}
