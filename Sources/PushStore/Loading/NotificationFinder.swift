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
    try find(id, newest: .max).found
  }

  /// The newest notifications that have this id, newest first, at most so many, and how many further
  /// ones the index of ids has, by their judgement: an id of a campaign may have gone to all phones,
  /// and to read a million of them to show twenty takes long.
  public func find(_ id: String, newest: Int) throws(StoreError) -> (
    found: [FoundNotification], further: JudgementCounts
  ) {
    let number = Int64(id)
    var found: [FoundNotification] = []
    let rows = try byTime(id, number)
    for (place, row) in rows.enumerated() {
      guard found.count < newest else {
        return (found, rows[place...].reduce(into: JudgementCounts()) { $0[$1.judgement] += 1 })
      }
      let query = try database.named("notification_ids")
      query.bind("row", row.id)
      query.bind("id", id)
      defer { query.reset() }
      // The index holds 48 bits of a hash: the id itself decides.
      guard try query.step(), query.integer(0) != 0 || row.id == number else { continue }
      found.append(
        FoundNotification(
          row: row.id,
          match: MatchRow(
            device: query.optionalText(6) ?? query.optionalText(7),
            sentAt: query.integer(1) > 0 ? query.integer(2) : nil, id: String(row.id),
            judgement: row.judgement,
            step: words.step(query, 4), cause: words.cause(query, 5)),
          at: query.integer(2)))
    }
    return (found, JudgementCounts())
  }

  /// Rows that the index has for this id, and the row of this number, newest first.
  private func byTime(_ id: String, _ number: Int64?) throws(StoreError) -> [(
    id: Int64, at: Int64, judgement: Judgement
  )] {
    var ids = Set(
      try IdentifierIndex(database: database).notifications(hash: StableHash.ofIdentifier(id)))
    if let number { ids.insert(number) }
    let time = try database.prepare(
      "SELECT sent_at, judgement FROM notification_row WHERE id = ?1")
    var rows: [(id: Int64, at: Int64, judgement: Judgement)] = []
    for id in ids.sorted() {
      time.bind(1, id)
      if try time.step() {
        let judgement = Judgement(rawValue: UInt8(truncatingIfNeeded: time.integer(1)))
        rows.append((id, time.integer(0), judgement ?? .cannotTell))
      }
      time.reset()
    }
    return rows.sorted { ($0.at, $0.id) > ($1.at, $1.id) }
  }

  /// Whether the database has any notification.
  public func isEmpty() throws(StoreError) -> Bool {
    let rows = try database.named("newest_day")
    defer { rows.reset() }
    return try !rows.step() || rows.isNull(0)
  }
}
