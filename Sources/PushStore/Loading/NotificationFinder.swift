public import PushModel

/// A notification that fits an id.
public struct FoundNotification: Equatable, Sendable {
  /// Number of its row.
  public var row: Int64
  /// What tells it from others with the same id; its `id` finds it alone.
  public var match: MatchRow
  /// First send, or first event.
  public var at: Int64
}

/// Finds notifications by any id of the ladder: the sender's own id, `apns-id` (letters of any
/// case), collapse id, request id, or the number of its row.
public struct NotificationFinder {
  private let database: Database
  private let words = StepWords()

  /// A finder on one connection.
  public init(database: Database) { self.database = database }

  /// All notifications that have this id, newest first: one id may have gone to many phones.
  public func find(_ id: String) throws(StoreError) -> [FoundNotification] {
    var rows = Set(
      try IdentifierIndex(database: database).notifications(hash: StableHash.ofIdentifier(id)))
    let number = Int64(id)
    if let number { rows.insert(number) }
    var found: [FoundNotification] = []
    for row in rows {
      let query = try database.named("notification_ids")
      query.bind("row", row)
      query.bind("id", id)
      defer { query.reset() }
      // The index holds 48 bits of a hash: the id itself decides.
      guard try query.step(), query.integer(0) != 0 || row == number else { continue }
      found.append(
        FoundNotification(
          row: row,
          match: MatchRow(
            device: query.optionalText(6) ?? query.optionalText(7),
            sentAt: query.integer(1) > 0 ? query.integer(2) : nil, id: String(row),
            judgement: Judgement(rawValue: UInt8(truncatingIfNeeded: query.integer(3)))
              ?? .cannotTell,
            step: words.step(query, 4), cause: words.cause(query, 5)),
          at: query.integer(2)))
    }
    return found.sorted { ($0.at, $0.row) > ($1.at, $1.row) }
  }

  /// Whether the database has any notification.
  public func isEmpty() throws(StoreError) -> Bool {
    let rows = try database.named("newest_day")
    defer { rows.reset() }
    return try !rows.step() || rows.isNull(0)
  }
}
