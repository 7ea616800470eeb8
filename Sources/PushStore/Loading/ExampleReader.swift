import PushModel

/// A notification that a report may show as an example.
struct Example {
  /// Number of its row.
  var row: Int64
  /// First send, or first event.
  var at: Int64
  /// First send; nil where no send is known.
  var sentAt: Int64?
  /// The apns-id of its last answer that has one.
  fileprivate var apnsID: String?
  /// The sender's own id.
  fileprivate var ownID: String?
  /// HTTP status of the last answer.
  var status: Int64?
  /// Its reason.
  var reason: String?
  /// Bundle id of the app.
  var app: String
  /// App version.
  var version: String
  /// Build.
  var build: String?
  /// Judgement.
  var judgement: Judgement?

  /// Newest first.
  static func isNewer(_ left: Example, _ right: Example) -> Bool {
    (left.at, left.row) > (right.at, right.row)
  }
}

/// Reads examples, and finds the id by which `triage` opens each.
struct ExampleReader {
  private let query: Statement
  private let index: IdentifierIndex
  /// Runs of the index.
  private let runs: [Int64]
  /// Runs in which an id is looked up: each costs a block, and each ingest adds one.
  private static let mostRuns = 8

  init(database: Database) throws(StoreError) {
    query = try database.named("example")
    index = IdentifierIndex(database: database)
    runs = try index.runs()
  }

  /// The notification of a row; nil if it is gone.
  func example(_ row: NewestSteps.Row) throws(StoreError) -> Example? {
    query.bind("row", row.id)
    defer { query.reset() }
    guard try query.step() else { return nil }
    return Example(
      row: row.id, at: row.at, sentAt: query.optionalInteger(2),
      apnsID: query.optionalText(0), ownID: query.optionalText(1), status: query.optionalInteger(3),
      reason: query.optionalText(4), app: query.text(5),
      version: query.text(6), build: query.optionalText(7),
      judgement: Judgement(rawValue: UInt8(truncatingIfNeeded: query.integer(8))))
  }

  /// What is shown of it: the apns-id, which is no other's, else the sender's id. That may be the id of a
  /// campaign and would open the newest of all who have it: then, and where it would take long to find
  /// out, the number of the row stands in.
  func shown(_ example: Example) throws(StoreError) -> ExampleRow {
    var id = example.apnsID
    if id == nil, let own = example.ownID, runs.count <= ExampleReader.mostRuns,
      try index.notifications(hash: StableHash.ofIdentifier(own), in: runs) == [example.row]
    {
      id = own
    }
    return ExampleRow(id: id ?? String(example.row), sentAt: example.sentAt)
  }

  /// What is shown of several.
  func shown(_ examples: some Sequence<Example>) throws(StoreError) -> [ExampleRow] {
    var rows: [ExampleRow] = []
    for example in examples { rows.append(try shown(example)) }
    return rows
  }
}

/// The newest notifications with a broken step, by step and cause.
struct NewestSteps {
  /// A notification and its time.
  struct Row {
    var id: Int64
    var at: Int64
  }
  /// Those that the step is the verdict of, newest first.
  private(set) var broken: [StepAndCause: [Row]] = [:]
  /// Those of which it is the first broken step and another, or none, is the verdict: conflicting
  /// evidence, or no telling. Newest first.
  private(set) var others: [StepAndCause: [Row]] = [:]

  /// How many installations those of ``broken`` are of. Ids of rows have 20 bits of each: among a
  /// thousand, two fall together every second time.
  private(set) var installations: [StepAndCause: Int] = [:]

  /// Reads the rows of `broken_steps`.
  init(_ statement: Statement, words: StepWords, keeping limit: Int) throws(StoreError) {
    defer { statement.reset() }
    // No text is made of these: there may be a hundred thousand rows.
    var places: [UInt64: Int] = [:]
    var found: [(key: StepAndCause?, isVerdict: Bool, rows: [Row], phones: Set<Int64>)] = []
    var last: Int64?
    while try statement.step() {
      let row = Row(id: statement.integer(0), at: statement.integer(3))
      // The first row of each notification counts.
      guard row.id != last else { continue }
      last = row.id
      let isVerdict = statement.integer(4) == 0
      let named = StableHash.mix(statement.hash(1) ?? 1, (statement.hash(2) ?? 0) | 1)
      let hash = isVerdict ? named : ~named
      let place: Int
      if let known = places[hash] {
        place = known
      } else {
        place = found.count
        places[hash] = place
        let key = words.step(statement, 1).map {
          StepAndCause(step: $0, cause: words.cause(statement, 2))
        }
        found.append((key, isVerdict, [], []))
      }
      if isVerdict { found[place].phones.insert(RowID.installationBits(of: row.id)) }
      NewestSteps.insert(row, into: &found[place].rows, limit)
    }
    for entry in found {
      guard let key = entry.key else { continue }
      if entry.isVerdict {
        broken[key, default: []] += entry.rows
        installations[key, default: 0] += entry.phones.count
      } else {
        others[key, default: []] += entry.rows
      }
    }
  }

  private static func insert(_ row: Row, into rows: inout [Row], _ limit: Int) {
    if rows.count == limit, let last = rows.last, (last.at, last.id) > (row.at, row.id) { return }
    let place = rows.firstIndex { ($0.at, $0.id) < (row.at, row.id) } ?? rows.endIndex
    rows.insert(row, at: place)
    if rows.count > limit { rows.removeLast() }
  }
}
