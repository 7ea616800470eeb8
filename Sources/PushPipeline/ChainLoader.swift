public import PushChecklist
import PushIngest
import PushJoin
public import PushModel
public import PushStore

/// The chain of one stored notification, made again from what is stored around it.
///
/// The same join and the same judgement as in a run of ingest, over the notification's installation
/// and the days around it: what `triage` shows is what would be stored today.
public struct ChainLoader {
  /// The chain.
  public let chain: Chain
  /// What the checklist says of it.
  public let walk: Walk
  /// Texts of the chain's symbols.
  public let texts: SymbolTable

  /// Loads the notification of a row; nil if there is none.
  public static func load(database: Database, notification: Int64) throws -> ChainLoader? {
    try load(database, notification, daysAround: 1)
  }

  private static func load(
    _ database: Database, _ notification: Int64, daysAround: Int64
  ) throws -> ChainLoader? {
    let pool = TextPool()
    let stored = StoredRows(database: database, pool: pool)
    let records = RecordSet()
    guard let own = try stored.notification(notification, into: records) else { return nil }
    let installation = own.row.installation
    var sends = ContiguousArray(own.sends)
    var events = ContiguousArray(own.events)
    var days: Set<Int64> = []
    let day = notification >> 48
    days.formUnion(day - daysAround...day + daysAround)
    for place in own.events {
      // A clock that is off puts settings on other days than the send.
      let eventDay = RowID.day(of: records.events[Int(place)].at)
      days.formUnion(eventDay - daysAround...eventDay + daysAround)
    }
    for day in days.sorted() where day >= 0 {
      try stored.notifications(installation: installation, day: day, into: records) { entry in
        guard entry.row.id != notification else { return }
        sends.append(contentsOf: entry.sends)
        events.append(contentsOf: entry.events)
      }
    }
    var carried = CarriedState()
    if let known = try stored.installation(installation) {
      let first = days.min() ?? 0
      let ownDays = known.days.map(Int64.init)
      func take(_ day: Int64) throws -> ChainBuilder.Saying {
        guard
          let entry = try stored.installationDay(
            installation: installation, day: day, into: records)
        else { return [] }
        events.append(contentsOf: entry.events)
        return entry.events.reduce(into: []) {
          $0.formUnion(ChainBuilder.saying(of: records.events[Int($1)], records))
        }
      }
      for day in ownDays where days.contains(day) { _ = try take(day) }
      var open = ChainBuilder.Saying.essential
      for (count, day) in ownDays.filter({ $0 < first }).sorted().reversed().enumerated() {
        guard StoredRows.isInForce(count, isSomethingOpen: !open.isEmpty) else { break }
        open.subtract(try take(day))
      }
      carried = CarriedState(
        coverage: try stored.coverage(installation), tokens: try stored.tokens(installation))
    }

    var context = JoinContext()
    for send in records.sends where send.shape != 0 && context.payloads[send.shape] == nil {
      context.payloads[send.shape] = try stored.payload(shape: send.shape)
    }
    context.describeTopics(records.sends, pool)
    context.describeSystems(records.origins, pool)
    context.describeHosts()
    context.releases = try ReleaseContext.load(stored, pool)

    var join = InstallationJoin()
    join.parentBundles.describe(records, pool)
    join.join(records, sends: sends, events: events, carried: carried)
    var builder = ChainBuilder()
    var chain = Chain()
    var found: (chain: Chain, walk: Walk)?
    var isClockSettled = true
    builder.forEachChain(
      of: join, records: records, context: context, chain: &chain, isNeeded: { _ in true }
    ) { unit, chain, _, _ in
      let notification = join.notifications[unit]
      let isOwn =
        notification.sends.contains { own.sends.contains($0) }
        || (own.sends.isEmpty && notification.events.contains { own.events.contains($0) })
      if isOwn, found == nil {
        var walk = Walk()
        Checklist.judge(&chain, into: &walk)
        found = (chain, walk)
        isClockSettled = join.isClockSettled(unit, records)
      }
    }
    // A phone that records nothing has no clock to tell.
    if !isClockSettled, !join.eventOrder.isEmpty, daysAround < InstallationJoin.clockReachInDays {
      return try load(database, notification, daysAround: InstallationJoin.clockReachInDays)
    }
    guard let found else { return nil }
    let texts = SymbolTable()
    for index in texts.count..<pool.count { _ = texts.intern(pool[Symbol(index: UInt32(index))]) }
    return ChainLoader(chain: found.chain, walk: found.walk, texts: texts)
  }
}

extension CarriedState {
  /// What is stored of an installation outside the records that are joined.
  init(coverage: [CoverageRow], tokens: [TokenSpanRow]) {
    self.init()
    runs = coverage.map { row in
      CoverageRun(
        log: row.log, first: row.first, last: row.last, firstAt: row.firstAt, lastAt: row.lastAt,
        holdsApp: row.processes & 1 != 0, holdsExtension: row.processes & 2 != 0,
        firstReference: row.firstReference, lastReference: row.lastReference)
    }
    // A token that only an id tied to the phone was never registered there.
    self.tokens = tokens.filter { $0.reference.source != 0 }.map { row in
      TokenSpan(
        token: row.token, firstSeen: row.firstAt, lastSeen: row.lastAt,
        environment: row.environment, kind: row.kind, reference: row.reference)
    }
  }
}

extension JoinContext {
  /// Looks up what rules need of the topics of these sends, once for each text.
  mutating func describeTopics(
    _ sends: some Sequence<SendRecord>, _ pool: TextPool
  ) {
    for send in sends {
      guard let symbol = send.topic.symbol, topics[symbol.index] == nil else { continue }
      let (form, base) = TopicForm.read(pool[symbol])
      topics[symbol.index] = (form, pool.intern(base))
    }
  }

  /// Looks up what rules need of the OS versions of these origins, once for each text.
  mutating func describeSystems(
    _ origins: some Sequence<Origin>, _ pool: TextPool
  ) {
    for origin in origins where origin.os != .empty && osVersions[origin.os.index] == nil {
      osVersions[origin.os.index] = OSVersion(pool[origin.os])
    }
  }

  /// The environments of APNs' hosts (F1.1, F1.2).
  mutating func describeHosts() {
    environmentOfHost = [
      Symbol(.apiPushHost).index: Symbol(.production),
      Symbol(.apiSandboxHost).index: Symbol(.sandbox),
      Symbol(.apiDevelopmentHost).index: Symbol(.sandbox),
    ]
  }
}

extension [UInt32: Symbol] {
  /// Adds the bundle id that each bundle id of the records extends by its last part (F4.8).
  mutating func describe(_ records: RecordSet, _ pool: TextPool) {
    for origin in records.origins where origin.bundle != .empty && self[origin.bundle.index] == nil
    {
      let text = pool[origin.bundle]
      guard let dot = text.lastIndex(of: "."), text[..<dot].contains(".") else {
        self[origin.bundle.index] = Symbol(.empty)
        continue
      }
      self[origin.bundle.index] = pool.intern(String(text[..<dot]))
    }
  }
}

/// Facts of releases as the join needs them.
enum ReleaseContext {
  static func load(_ stored: StoredRows, _ pool: TextPool) throws -> [ReleaseKey: ReleaseFacts] {
    var releases: [ReleaseKey: ReleaseFacts] = [:]
    for row in try stored.releaseFacts() {
      guard let facts = ReleaseFactsReader.release(row.facts, intern: { pool.intern($0) }) else {
        continue
      }
      let key = ReleaseKey(
        bundle: pool.intern(row.bundle), version: pool.intern(row.version),
        build: pool.intern(row.build))
      releases[key] = ReleaseFacts(
        release: facts.release, claimedCategories: facts.claimedCategories)
    }
    return releases
  }
}
