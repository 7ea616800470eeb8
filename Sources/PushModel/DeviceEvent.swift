/// One attribute of a device event. An array is given as several attributes of one key.
public struct Attribute: Equatable, Sendable, BitwiseCopyable {
  /// What the bits hold.
  public enum Kind: UInt8, Sendable, BitwiseCopyable {
    case integer, real, boolean, text, url, emptyArray, null
  }
  /// Which attribute.
  public var key: Symbol
  /// What ``bits`` hold.
  public var kind: Kind
  /// An `Int64`, the bits of a `Double`, 0 or 1, or a symbol's index.
  public var bits: Int64

  /// An attribute as it is stored.
  @inlinable public init(key: Symbol, kind: Kind, bits: Int64) {
    self.key = key
    self.kind = kind
    self.bits = bits
  }
}

/// How a record was tied to its notification, best first; guesses are never counted with the rest.
public enum LinkKey: UInt8, Sendable, BitwiseCopyable, CaseIterable {
  /// `notification_id`, which the payload carries.
  case notificationID
  /// `apns_id`.
  case apnsID
  /// `request_id` of the device equals the `collapse_id` of the send (F11.1).
  case collapseID
  /// Digest of the request identifier with bundle and time (F11.5).
  case digest
  /// The same run or upload as a record that is tied by an id.
  case sameRun
  /// Retries: same token, payload shape and collapse id within a quarter of an hour.
  case retry
  /// Several sends with this collapse id came in between; the newest was taken.
  case collapseGuess
  /// Token, bundle and time only.
  case timeGuess
  /// It is the record that opened the notification.
  case own

  /// Whether the link is a guess.
  @inlinable public var isGuess: Bool { self == .collapseGuess || self == .timeGuess }

  /// The word used in output and in the database.
  public var text: String {
    switch self {
    case .notificationID: "notification_id"
    case .apnsID: "apns_id"
    case .collapseID: "collapse_id"
    case .digest: "digest"
    case .sameRun: "run"
    case .retry: "retry"
    case .collapseGuess: "collapse_guess"
    case .timeGuess: "time_guess"
    case .own: "own"
    }
  }
}

/// One record written on a device about a notification.
public struct DeviceEvent: Sendable, BitwiseCopyable {
  /// Name, for example ``Word/nseDidReceive``.
  public var name: Symbol
  /// Line of the device log.
  public var reference: RecordReference = .none
  /// When it was recorded, device clock, whole UTC microseconds; may be wrong by minutes or years.
  public var recordedAt: Known<Int64> = .unknown
  /// The same on the server's clock, where the offset of the device's clock is known.
  public var correctedAt: Known<Int64> = .unknown
  /// Counter of the installation.
  public var sequence: Known<Int64> = .unknown
  /// How many numbers of the counter no record has between the notification's event before this one
  /// and this one; unknown where the log around them was not looked at.
  public var lostBefore: Known<Int64> = .unknown
  /// Which log the counter belongs to.
  public var log: Known<Symbol> = .unknown
  /// Bundle id of the process that recorded it: app or extension.
  public var bundle: Known<Symbol> = .unknown
  /// What tied it to the notification.
  public var link: LinkKey = .own
  /// First of its attributes in ``Chain/attributes``.
  public var firstAttribute: UInt32 = 0
  /// Number of its attributes.
  public var attributeCount: UInt16 = 0

  /// An event of a name.
  @inlinable public init(name: Symbol) { self.name = name }
}
