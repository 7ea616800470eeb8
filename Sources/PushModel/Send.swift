/// What a token's text looks like; the text itself is not kept.
public struct TokenForm: Equatable, Sendable, BitwiseCopyable {
  /// What stands in the text beside hex digits.
  public struct Marks: OptionSet, Equatable, Sendable, BitwiseCopyable {
    /// The bits.
    public let rawValue: UInt8
    /// The set of these bits.
    @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// A colon, as in tokens of FCM (F10.6).
    @inlinable public static var colon: Marks { Marks(rawValue: 1) }
    /// Letters beyond f, or other characters that hex has not (F10.6).
    @inlinable public static var beyondHex: Marks { Marks(rawValue: 2) }
    /// Angle brackets of a printed description (F10.7).
    @inlinable public static var angleBrackets: Marks { Marks(rawValue: 4) }
    /// White space inside.
    @inlinable public static var spaces: Marks { Marks(rawValue: 8) }
    /// Dots, as in a text cut for display.
    @inlinable public static var dots: Marks { Marks(rawValue: 16) }
    /// The words of a printed description: `{length = 32, bytes = 0x…`.
    @inlinable public static var lengthWords: Marks { Marks(rawValue: 32) }
    /// Square brackets, as in `ExponentPushToken[…]`.
    @inlinable public static var squareBrackets: Marks { Marks(rawValue: 64) }
    /// Masked by the log (`*`), so its form says nothing.
    @inlinable public static var masked: Marks { Marks(rawValue: 128) }
  }
  /// Number of characters.
  public var length: UInt16
  /// What is in it beside hex digits.
  public var marks: Marks

  /// The form of a text with these marks.
  public init(length: UInt16, marks: Marks) {
    self.length = length
    self.marks = marks
  }

  /// Whether the text is hex digits alone, in whole bytes (F10.5).
  @inlinable public var isHex: Bool { marks.isEmpty && length > 0 && length % 2 == 0 }
}

/// A header value as it was written: a whole number, or other text.
public enum HeaderNumber: Equatable, Sendable, BitwiseCopyable {
  /// A whole number, given as a number or as digits.
  case number(Int64)
  /// Anything else, kept as text.
  case text(Symbol)
}

/// One request to APNs (or to a gateway) for a notification, and its answer.
///
/// Header values keep the form in which they were sent. Times are whole UTC microseconds.
public struct Send: Sendable, BitwiseCopyable {
  /// When the request was sent, server clock.
  public var sentAt: Known<Int64> = .unknown
  /// Line of the send log.
  public var reference: RecordReference = .none
  /// Which attempt of the notification, from 1.
  public var attempt: Known<Int64> = .unknown
  /// Gateway or `apns`.
  public var provider: Known<Symbol> = .unknown
  /// `production` or `sandbox`: which APNs environment the request went to.
  public var environment: Known<Symbol> = .unknown
  /// Host of the request.
  public var host: Known<Symbol> = .unknown
  /// Header `apns-topic`.
  public var topic: Known<Symbol> = .unknown
  /// Shape of the topic: which suffix of a push type it ends with.
  public var topicForm: Known<TopicForm> = .unknown
  /// The topic without that suffix.
  public var topicBase: Known<Symbol> = .unknown
  /// Header `apns-push-type`.
  public var pushType: Known<Symbol> = .unknown
  /// Header `apns-priority`.
  public var priority: Known<HeaderNumber> = .unknown
  /// Header `apns-expiration`: as written, no time (a wrong unit could not be found else).
  public var expiration: Known<HeaderNumber> = .unknown
  /// Length of header `apns-collapse-id` in bytes of UTF-8.
  public var collapseBytes: Known<Int64> = .unknown
  /// Channel of a broadcast.
  public var channel: Known<Symbol> = .unknown
  /// Form of the token's text.
  public var token: Known<TokenForm> = .unknown
  /// Kind of the token: `alert`, `voip`, `live-activity-start`, …
  public var tokenKind: Known<Symbol> = .unknown
  /// Environment that the token was issued for, where the sender knows it.
  public var tokenEnvironment: Known<Symbol> = .unknown
  /// Key id of the credential.
  public var keyID: Known<Symbol> = .unknown
  /// Team id of the credential.
  public var teamID: Known<Symbol> = .unknown
  /// When the JWT was issued.
  public var jwtIssuedAt: Known<Int64> = .unknown
  /// Environment that the credential is limited to.
  public var credentialEnvironment: Known<Symbol> = .unknown
  /// How far the sender's clock is ahead of true time, microseconds.
  public var senderClockOffset: Known<Int64> = .unknown
  /// HTTP status of the answer; 0 means that no answer came.
  public var status: Known<Int64> = .unknown
  /// APNs' reason, verbatim.
  public var reason: Known<Symbol> = .unknown
  /// The `timestamp` of a 410: since when the token is not active.
  public var unregisteredAt: Known<Int64> = .unknown
  /// Transport error.
  public var error: Known<Symbol> = .unknown
  /// Time until the answer, microseconds.
  public var answeredAfter: Known<Int64> = .unknown
  /// Status of a later second-level answer of a gateway.
  public var receiptStatus: Known<Symbol> = .unknown
  /// Reason of that receipt.
  public var receiptReason: Known<Symbol> = .unknown
  /// Payload as sent.
  public var payload = Payload()

  /// A send of which nothing is known.
  public init() {}

  /// Whether APNs itself answered 200: a gateway's own 200 is not APNs' .
  @inlinable public var acceptedByAPNs: Bool {
    guard case .known(200) = status else { return false }
    switch provider {
    case .unknown, .missing: return true
    case .known(let provider): return provider == .apns
    }
  }
}
