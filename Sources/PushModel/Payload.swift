/// How a flag (`mutable-content`, `content-available`) stands in `aps`, by what iOS makes of it
/// (F3.30 to F3.34).
public enum FlagState: UInt8, Sendable, BitwiseCopyable {
  /// Nobody said anything about it.
  case unknown
  /// The payload is known and has no such key in `aps`.
  case absent
  /// The number 0, or false.
  case off
  /// A number between 0 and 1: its integer part is off (F3.31).
  case fraction
  /// A negative number: dropped (F3.32).
  case negative
  /// The number 1 or more, or true (F3.30).
  case on
  /// Any string: counts as on, undocumented (F3.33).
  case text
  /// An array or an object: counts as on, undocumented (F3.33).
  case container
  /// JSON null: not settled (F3.34).
  case null

  /// Whether iOS takes the flag as on; nil where that is not settled or not known.
  @inlinable public var isOn: Bool? {
    switch self {
    case .unknown, .null: nil
    case .absent, .off, .fraction, .negative: false
    case .on, .text, .container: true
    }
  }
}

/// Where and how a flag was written if not as `aps."mutable-content"`.
public struct Misplacement: OptionSet, Sendable, BitwiseCopyable {
  /// The bits.
  public let rawValue: UInt8
  /// The set of these bits.
  @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }
  /// Another spelling inside `aps`: `mutable_content`, `mutableContent`, other case (F3.5).
  @inlinable public static var spelling: Misplacement { Misplacement(rawValue: 1) }
  /// Beside `aps` (F3.4).
  @inlinable public static var besideAps: Misplacement { Misplacement(rawValue: 2) }
  /// Inside `aps.alert` or another object of `aps`.
  @inlinable public static var insideAlert: Misplacement { Misplacement(rawValue: 4) }
  /// In the gateway's own request, in a place that it does not read.
  @inlinable public static var gateway: Misplacement { Misplacement(rawValue: 8) }
  /// With a vendor's prefix.
  @inlinable public static var prefixed: Misplacement { Misplacement(rawValue: 16) }
}

/// What is visible in `aps.alert` (F3.35 to F3.37).
public enum AlertState: UInt8, Sendable, BitwiseCopyable {
  /// Nobody said anything about it.
  case unknown
  /// The payload is known and has no `alert`.
  case absent
  /// An empty string, or only empty or non-text title, subtitle and body.
  case empty
  /// Some text that is not empty, or a key of a localised text.
  case visible

  /// Whether there is something to show; nil if unknown.
  @inlinable public var isVisible: Bool? {
    switch self {
    case .unknown: nil
    case .absent, .empty: false
    case .visible: true
    }
  }
}

/// What rules need of a URL; the URL itself is not kept.
public struct URLForm: Equatable, Sendable, BitwiseCopyable {
  /// `http`, `https`, another scheme, or `empty`.
  public var scheme: Symbol
  /// The ending of the path's last part in lower case, without the dot; `empty` if there is none.
  public var ending: Symbol
  /// Number of bytes.
  public var length: UInt32
  /// Whether it has a scheme and a host and no character that a URL may not have.
  public var parses: Bool
  /// Whether it holds raw spaces or control characters.
  public var hasSpaces: Bool
  /// The host, or `empty`.
  public var host = Symbol(.empty)

  /// A form with these values.
  public init(scheme: Symbol, ending: Symbol, length: UInt32, parses: Bool, hasSpaces: Bool) {
    self.scheme = scheme
    self.ending = ending
    self.length = length
    self.parses = parses
    self.hasSpaces = hasSpaces
  }
}

/// What is known of one payload, as sent or as received.
public struct Payload: Sendable, BitwiseCopyable {
  /// Blocks and keys that are there.
  public struct Parts: OptionSet, Sendable, BitwiseCopyable {
    /// The bits.
    public let rawValue: UInt32
    /// The set of these bits.
    @inlinable public init(rawValue: UInt32) { self.rawValue = rawValue }
    /// The payload as a whole is known: a key that is not in it was not sent.
    @inlinable public static var whole: Parts { Parts(rawValue: 1) }
    /// `aps` is there.
    @inlinable public static var aps: Parts { Parts(rawValue: 2) }
    /// `aps.badge` is there.
    @inlinable public static var badge: Parts { Parts(rawValue: 4) }
    /// A sound dictionary that asks for a critical alert.
    @inlinable public static var criticalSound: Parts { Parts(rawValue: 8) }
    /// A block that names a sender, as communication notifications carry it.
    @inlinable public static var sender: Parts { Parts(rawValue: 16) }
    /// A vendor's documented block or key (F11.9).
    @inlinable public static var vendor: Parts { Parts(rawValue: 32) }
    /// A media key that a vendor documents or that the team named.
    @inlinable public static var knownMediaKey: Parts { Parts(rawValue: 64) }
    /// A key that merely looks like one of a picture or film.
    @inlinable public static var guessedMediaKey: Parts { Parts(rawValue: 128) }
    /// `aps.event` / `aps.timestamp` / `aps.content-state` of a Live Activity.
    @inlinable public static var liveActivity: Parts { Parts(rawValue: 256) }
    /// Keys beside `aps`.
    @inlinable public static var custom: Parts { Parts(rawValue: 512) }
    /// Text for display stands under a key that is none (`aps.title`, `title` beside `aps`).
    @inlinable public static var misplacedText: Parts { Parts(rawValue: 1024) }
    /// `aps.category` stands beside `aps` or elsewhere, where it does nothing (F3.4).
    @inlinable public static var misplacedCategory: Parts { Parts(rawValue: 2048) }
    /// `aps.sound` is a dictionary.
    @inlinable public static var soundDictionary: Parts { Parts(rawValue: 4096) }
    /// The sender's own id is in it.
    @inlinable public static var ownIdentifier: Parts { Parts(rawValue: 8192) }
    /// `aps.alert` is a dictionary.
    @inlinable public static var alertDictionary: Parts { Parts(rawValue: 16384) }
    /// `aps.sound` is there and is an empty text.
    @inlinable public static var emptySound: Parts { Parts(rawValue: 32768) }
    /// Keys of a Live Activity without `aps.event`.
    @inlinable public static var activityWithoutEvent: Parts { Parts(rawValue: 65536) }
    /// Keys of a Live Activity without `aps.timestamp`.
    @inlinable public static var activityWithoutTimestamp: Parts { Parts(rawValue: 131_072) }
    /// `aps.timestamp` is too large for seconds.
    @inlinable public static var timestampTooLarge: Parts { Parts(rawValue: 262_144) }
    /// `aps.event` is `end`.
    @inlinable public static var endsActivity: Parts { Parts(rawValue: 524_288) }
    /// `aps.event` is `start`, without `attributes-type`.
    @inlinable public static var startWithoutType: Parts { Parts(rawValue: 1_048_576) }
    /// What of these parts makes a Live Activity's payload incomplete (F9.3).
    @inlinable public static var incompleteActivity: Parts {
      [.activityWithoutEvent, .activityWithoutTimestamp, .timestampTooLarge, .startWithoutType]
    }
  }
  /// What is there.
  public var parts: Parts = []
  /// State of `aps.alert`.
  public var alert: AlertState = .unknown
  /// State of `aps."mutable-content"`.
  public var mutableContent: FlagState = .unknown
  /// State of `aps."content-available"`.
  public var contentAvailable: FlagState = .unknown
  /// Where else `mutable-content` stands.
  public var misplacedMutable: Misplacement = []
  /// Where else `content-available` stands.
  public var misplacedAvailable: Misplacement = []
  /// `aps.category`.
  public var category: Known<Symbol> = .unknown
  /// `aps.sound`, a file name or `default`.
  public var sound: Known<Symbol> = .unknown
  /// `aps."interruption-level"`.
  public var interruptionLevel: Known<Symbol> = .unknown
  /// The media URL, if there is one.
  public var media: Known<URLForm> = .unknown
  /// A type hint that the payload gives for its media.
  public var typeHint: Known<Symbol> = .unknown
  /// Size of the JSON body in bytes.
  public var sizeBytes: Known<Int64> = .unknown

  /// A payload of which nothing is known.
  public init() {}

  /// Whether the payload as a whole is known.
  @inlinable public var isWhole: Bool { parts.contains(.whole) }
}
