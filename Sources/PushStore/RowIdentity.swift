public import PushModel

/// Ids and token that a notification's row already has; its timeline does not repeat them.
public struct RowIdentity: Sendable {
  /// The sender's own id.
  public var notification: Identifier = .none
  /// `apns-id` of the last answer.
  public var apns: Identifier = .none
  /// Collapse id.
  public var collapse: Identifier = .none
  /// Identifier of the request on the device.
  public var request: Identifier = .none
  /// Token of the last send.
  public var token: TokenRecord = .none
  /// Campaign.
  public var campaign: TextValue = .absent
  /// App and phone; nil for rows that have none of the columns from here on.
  public var origin: Origin?
  /// Log of the first event.
  public var log: TextValue = .absent
  /// Number of the last send's profile; only for reading.
  public var profile: Int64 = 0
  /// Shape of the last send's payload.
  public var shape: UInt64 = 0

  /// No ids.
  public init() {}
}

/// Numbers of what a row's columns refer to; 0 = nothing.
public struct RowNumbers: Sendable, Equatable {
  /// Profile of the last send.
  public var profile: Int64 = 0
  /// Shape of the last send's payload.
  public var shape: Int64 = 0
  /// Campaign, a name.
  public var campaign: Int64 = 0
  /// App and phone, an installed app.
  public var app: Int64 = 0
  /// Log of the first event, a name.
  public var log: Int64 = 0

  /// Nothing.
  public init() {}
}
