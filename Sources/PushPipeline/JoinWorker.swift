import Foundation
import PushChecklist
import PushIngest
import PushJoin
import PushModel
import PushStore

/// Which stored lines are kept.
public enum RawPolicy: String, Sendable, CaseIterable {
  /// Of every notification.
  case all
  /// Of every notification with a broken step or conflicting evidence, and a sample of the rest.
  case broken
  /// None.
  case none
}

/// An id that went to one token only was seen on a device: the token is that device's, unless another
/// device claims it too.
struct TokenClaim: Hashable {
  /// The installation that stands for the token.
  var standIn: Int64
  /// The token.
  var token: TokenRecord
  /// The installation that claims it.
  var installation: Int64
}

/// What the join of a part needs to know of the batch.
struct BatchContext: Sendable {
  var context: JoinContext
  var origins: ContiguousArray<Origin>
  var maps: [SymbolMap]
  var rawPolicy: RawPolicy
  /// Whether lines are kept with their private values.
  var keepsPayloads: Bool
  /// Installations known by a token only whose token now belongs to an installation.
  var moves: [Int64: [Int64]]
  /// Days of installations to be judged again, beside those that the records touch.
  var touched: [Int64: Set<Int64>]
  var hasStored: Bool
  /// Where ids are looked up, as it is before the batch.
  var identifiers = StoredIdentifiers()
  /// Numbers of attribute sets, one table for all workers.
  var attributeSets: AttributeSets
  /// Formats of the sources of the batch, by their numbers.
  var forms: [UInt32: LineRedactor.Form] = [:]
  /// Lines before each chunk of the batch.
  var lineBases: [UInt32]
  /// First day that no pruning removed; 0 without any.
  var prunedBefore: Int64 = 0
}

/// What the rows of an installation say of it, by day.
private struct DayMarks {
  private var days: [(day: Int64, logs: Bool, isGapless: Bool)] = []

  mutating func removeAll() { days.removeAll(keepingCapacity: true) }

  mutating func count(_ row: NotificationRow) {
    let day = row.id >> 48
    // Rows come by time, nearly always.
    guard let place = days.lastIndex(where: { $0.day == day }) else {
      days.append((day, row.events > 0, row.isCovered))
      return
    }
    days[place].logs = days[place].logs || row.events > 0
    days[place].isGapless = days[place].isGapless && row.isCovered
  }

  func add(to delta: inout RollupDelta, sign: Int64) {
    for mark in days {
      var value = delta.installations[Int32(truncatingIfNeeded: mark.day)] ?? (0, 0, 0)
      value.seen += sign
      if mark.logs { value.logging += sign }
      if mark.logs && mark.isGapless { value.gapless += sign }
      delta.installations[Int32(truncatingIfNeeded: mark.day)] = value
    }
  }
}

/// Joins, judges and packs one part of a batch at a time. One per thread.
final class JoinWorker {
  private let pool: TextPool
  private let spills: [SpillFile]
  private let raw: RawLines
  private let batch: BatchContext
  private var context: JoinContext
  private let stored: StoredRows?
  private let index: IdentifierIndex?
  private let writer: TimelineWriter
  private let redactor: LineRedactor
  private var join = InstallationJoin()
  private var builder = ChainBuilder()
  private var chain = Chain()
  private var walk = Walk()
  private let records = RecordSet()
  private var sendHomes: ContiguousArray<Int64> = []
  private var eventHomes: ContiguousArray<Int64> = []
  private var installations = SpillCodec.Installations()
  /// Ids that rows of the part have, and those that rows of the installation have whose stored rows are
  /// here: a stored row without is gone.
  private let usedIDs = HashTable<Bool>()
  private let written = HashTable<Bool>()
  private var spareWindow = Window()
  /// What the installation's rows say of their days, and what its stored rows said.
  private var seenDays = DayMarks()
  private var oldDays = DayMarks()
  /// Hashes of one notification's ids.
  private var hashes: [UInt64] = []
  private var describedOrigins = 0
  private var block = UnsafeMutableRawPointer.allocate(byteCount: 1 << 16, alignment: 16)
  private var blockSize = 1 << 16
  private var openRawBlock = 0
  private let lineWindow = RawLines.Window()
  private var redacted: [UInt8] = []
  /// Counts to add to the roll-ups.
  private(set) var delta = RollupDelta()
  /// Records that were here already, by source.
  private(set) var duplicates: [UInt32: Int64] = [:]
  /// Records of days that were pruned, by source.
  private(set) var outdated: [UInt32: Int64] = [:]

  /// Tokens that ids tie to installations of the part, as far as one installation can tell.
  private(set) var claims: [TokenClaim] = []

  /// How many days are judged again for what one record says, unless another one ends it.
  private static let mostDaysInForce: Int64 = 400
  /// How many rows of one id are looked at.
  private static let mostRows = 16
  /// How much text goes into one block of stored lines.
  private static let rawBlockBytes = 96 << 10
  /// Of notifications without a broken step, one in this many keeps its lines.
  private static let sampleShare: UInt64 = 100

  init(
    pool: TextPool, spills: [SpillFile], raw: RawLines, batch: BatchContext, stored: StoredRows?,
    tokenKey: TokenKey
  ) {
    self.pool = pool
    self.spills = spills
    self.raw = raw
    self.batch = batch
    self.stored = batch.hasStored ? stored : nil
    index = batch.hasStored ? stored.map { IdentifierIndex(database: $0.database) } : nil
    context = batch.context
    writer = TimelineWriter(pool: pool, sets: batch.attributeSets)
    redactor = LineRedactor(tokenKey: tokenKey)
    records.origins.append(contentsOf: batch.origins)
  }

  deinit { block.deallocate() }

  // MARK: One part

  /// Reads what is stored in one state, from the first part to the last.
  func begin() throws { try stored?.beginReading() }

  /// Ends what ``begin()`` began.
  func end() throws { try stored?.endReading() }

  /// Joins and judges the records of a part; fills `rows`.
  func process(part: Int, into rows: RowSet) throws {
    rows.removeAll()
    records.removeAll()
    sendHomes.removeAll(keepingCapacity: true)
    eventHomes.removeAll(keepingCapacity: true)
    installations.texts.removeAll(keepingCapacity: true)
    usedIDs.removeAll()
    openRawBlock = 0
    for (number, spill) in spills.enumerated() {
      for entry in spill.blocks where entry.part == part {
        if blockSize < entry.length {
          block.deallocate()
          blockSize = entry.length
          block = .allocate(byteCount: blockSize, alignment: 16)
        }
        try spill.read(entry, into: block)
        let firstSend = records.sends.count
        let firstEvent = records.events.count
        SpillCodec.decode(
          block, entry.length, map: batch.maps[number], into: records, sendHomes: &sendHomes,
          eventHomes: &eventHomes, installations: &installations)
        // Lines were counted within their chunk; now the lines before it are known.
        for index in firstSend..<records.sends.count {
          records.sends[index].reference.line &+=
            batch.lineBases[
              Int(records.sends[index].raw.chunk)]
        }
        for index in firstEvent..<records.events.count {
          records.events[index].reference.line &+=
            batch.lineBases[
              Int(records.events[index].raw.chunk)]
        }
      }
    }
    context.describeTopics(records.sends, pool)
    // Group by installation: number the installations, count, place.
    let numbers = HashTable<Int32>()
    var ids: [Int64] = []
    func number(_ home: Int64) -> Int {
      if let known = numbers[UInt64(bitPattern: home)] { return Int(known) }
      numbers[UInt64(bitPattern: home)] = Int32(ids.count)
      ids.append(home)
      return ids.count - 1
    }
    var sendNumbers = ContiguousArray<Int32>()
    sendNumbers.reserveCapacity(sendHomes.count)
    for home in sendHomes { sendNumbers.append(Int32(truncatingIfNeeded: number(home))) }
    var eventNumbers = ContiguousArray<Int32>()
    eventNumbers.reserveCapacity(eventHomes.count)
    for home in eventHomes { eventNumbers.append(Int32(truncatingIfNeeded: number(home))) }
    for home in batch.touched.keys where SpillParts.part(of: home) == part { _ = number(home) }
    for home in batch.moves.keys where SpillParts.part(of: home) == part { _ = number(home) }
    let sends = JoinWorker.grouped(sendNumbers, ids.count)
    let events = JoinWorker.grouped(eventNumbers, ids.count)
    let order = ids.indices.sorted { ids[$0] < ids[$1] }
    for place in order {
      try processInstallation(
        ids[place], sends: sends.places[sends.starts[place]..<sends.starts[place + 1]],
        events: events.places[events.starts[place]..<events.starts[place + 1]], rows)
    }
    closeRawBlock(rows)
    rows.order = rows.notifications.indices.map { Int32($0) }
    rows.order.sort { rows.notifications[Int($0)].id < rows.notifications[Int($1)].id }
    rows.installationDays.sort { $0.id < $1.id }
    rows.steps.sort { ($0.notification, $0.place) < ($1.notification, $1.place) }
    rows.definitions = writer.takeDefinitions()
  }

  private static func grouped(_ numbers: ContiguousArray<Int32>, _ count: Int)
    -> (starts: [Int], places: ContiguousArray<UInt32>)
  {
    var starts = [Int](repeating: 0, count: count + 1)
    for number in numbers { starts[Int(number) + 1] += 1 }
    for index in 0..<count { starts[index + 1] += starts[index] }
    var next = starts
    var places = ContiguousArray<UInt32>(repeating: 0, count: numbers.count)
    for (place, number) in numbers.enumerated() {
      places[next[Int(number)]] = UInt32(truncatingIfNeeded: place)
      next[Int(number)] += 1
    }
    return (starts, places)
  }

  // MARK: One installation

  private func processInstallation(
    _ id: Int64, sends: ContiguousArray<UInt32>.SubSequence,
    events: ContiguousArray<UInt32>.SubSequence, _ rows: RowSet
  ) throws {
    // Taken for as long as it is filled and read, so that its buffers are used again.
    var window = Window()
    swap(&window, &spareWindow)
    defer { swap(&window, &spareWindow) }
    window.removeAll()
    describeOrigins()
    if stored == nil {
      join.join(records, sends: sends, events: events, carried: window.carried)
    } else {
      try load(id, sends: sends, events: events, &window)
      joinAll(sends, events, window)
      if try loadByIdentifier(id, &window) { joinAll(sends, events, window) }
      while try loadForClock(id, &window) { joinAll(sends, events, window) }
    }
    for duplicate in join.duplicates {
      let isSend = duplicate.isSend
      let place = Int(duplicate.place)
      let rawPlace = isSend ? records.sends[place].raw : records.events[place].raw
      guard rawPlace.chunk != .max else { continue }
      let source =
        isSend ? records.sends[place].reference.source : records.events[place].reference.source
      duplicates[source, default: 0] += 1
    }
    let before = rows.notifications.count
    try writeNotifications(id, window, rows)
    writeInstallation(id, window, rows, hasNotifications: rows.notifications.count > before)
  }

  /// Joins the records of the batch with those of the window.
  private func joinAll(
    _ sends: ContiguousArray<UInt32>.SubSequence, _ events: ContiguousArray<UInt32>.SubSequence,
    _ window: borrowing Window
  ) {
    describeOrigins()
    var allSends = ContiguousArray(sends)
    var allEvents = ContiguousArray(events)
    window.add(to: &allSends, &allEvents)
    join.join(records, sends: allSends, events: allEvents, carried: window.carried)
  }

  /// Looks up what the join needs of the origins that were not there before.
  private func describeOrigins() {
    guard describedOrigins < records.origins.count else { return }
    join.parentBundles.describe(records, pool)
    context.describeSystems(records.origins[describedOrigins...], pool)
    describedOrigins = records.origins.count
  }

  /// What was stored of an installation and takes part in its join; reused from one to the next.
  private struct Window {
    /// A stored notification.
    struct Entry {
      var stored: StoredNotification
      /// It lies in the days around: the clock, retries and collapse ids reach beyond a day. It takes
      /// part in the join and stays as it is, unless a new record belongs to it.
      var isSurrounding: Bool
    }

    var installation: StoredInstallation?
    var carried = CarriedState()
    private(set) var entries: ContiguousArray<Entry> = []
    /// Where the notification of a row is in `entries`.
    private(set) var places: [Int64: Int] = [:]
    /// Days whose notifications are all here.
    var days: Set<Int64> = []
    /// Those of them that are judged again.
    private(set) var judgedDays: Set<Int64> = []
    /// Days of the installation's own records that are here, and whether they may be written.
    var ownDays: [Int64: (events: Range<UInt32>, hash: UInt64, isOwned: Bool)] = [:]
    /// Installations known by a token only whose notifications move here.
    var moved: [Int64] = []
    var tokens: [TokenSpanRow] = []

    mutating func removeAll() {
      installation = nil
      carried = CarriedState()
      entries.removeAll(keepingCapacity: true)
      places.removeAll(keepingCapacity: true)
      days.removeAll(keepingCapacity: true)
      judgedDays.removeAll(keepingCapacity: true)
      ownDays.removeAll(keepingCapacity: true)
      moved.removeAll()
      tokens.removeAll()
    }

    mutating func add(_ stored: StoredNotification, isSurrounding: Bool) {
      guard places[stored.row.id] == nil else { return }
      places[stored.row.id] = entries.count
      entries.append(Entry(stored: stored, isSurrounding: isSurrounding))
    }

    /// Has the notifications of days judged again that are here or come yet.
    mutating func judge(_ days: Set<Int64>) {
      judgedDays.formUnion(days)
      for place in entries.indices where days.contains(entries[place].stored.row.id >> 48) {
        entries[place].isSurrounding = false
      }
    }

    /// The stored records of the phone that are here, in no order.
    func forEachEvent(_ body: (UInt32) -> Void) {
      for entry in entries {
        for place in entry.stored.events { body(place) }
      }
      for day in ownDays.values {
        for place in day.events { body(place) }
      }
    }

    func add(to sends: inout ContiguousArray<UInt32>, _ events: inout ContiguousArray<UInt32>) {
      for entry in entries {
        sends.append(contentsOf: entry.stored.sends)
        events.append(contentsOf: entry.stored.events)
      }
      for day in ownDays.values { events.append(contentsOf: day.events) }
    }
  }

  // MARK: Loading what is stored

  private func load(
    _ id: Int64, sends: ContiguousArray<UInt32>.SubSequence,
    events: ContiguousArray<UInt32>.SubSequence, _ window: inout Window
  ) throws {
    guard let stored else { return }
    let firstSend = records.sends.count
    window.moved = batch.moves[id] ?? []
    window.installation = try stored.installation(id)
    if let installation = window.installation {
      let runs = try stored.coverage(id)
      window.tokens = try stored.tokens(id)
      var days = batch.touched[id] ?? []
      // A day before a record, and as far behind it as its clock counts where enough links are near: a
      // day and a half.
      var taken: Int64?
      func take(_ day: Int64) {
        // Records come by time, so that most are of the day of the one before.
        guard day != taken else { return }
        taken = day
        for near in day - 1...day + 2 { days.insert(near) }
      }
      for place in sends { take(RowID.day(of: records.sends[Int(place)].at)) }
      let lastDay = RowID.day(of: installation.lastAt)
      for place in events {
        let event = records.events[Int(place)]
        let day = RowID.day(of: event.at)
        take(day)
        if event.sequence != .min {
          // A run that grows covers more of the notifications at its end.
          for run in runs
          where run.log == event.log
            && (event.sequence == run.last &+ 1 || event.sequence == run.first &- 1)
          {
            let edge = RowID.day(of: event.sequence > run.last ? run.lastAt : run.firstAt)
            days.formUnion([edge - 1, edge, edge + 1])
          }
        }
        if InstallationJoin.isInstallationEvent(event.name) {
          let isNewToken =
            event.token.isPresent
            && !window.tokens.contains { $0.token == event.token && $0.firstAt <= event.at }
          if isNewToken, lastDay >= day, lastDay - day < 400 {
            for other in day...lastDay { days.insert(other) }
          }
        }
      }
      for other in window.moved {
        // What was sent to its token comes as if it were new.
        guard let moving = try stored.installation(other) else { continue }
        let from = RowID.day(of: moving.firstAt) - 1
        let to = RowID.day(of: moving.lastAt) + 2
        if to - from <= 400 { for day in from...to { days.insert(day) } }
      }
      days.formUnion(daysOfGrowingLogs(events, runs))
      if !installation.hasEvents, !events.isEmpty {
        // Its first own records tell which release and OS all its notifications went to.
        let from = RowID.day(of: installation.firstAt)
        if lastDay - from <= 400 { for day in from...max(from, lastDay) { days.insert(day) } }
      }
      // What was sent since the phone was last heard of was waiting for this sign of life.
      if let first = events.map({ records.events[Int($0)].at }).min(),
        let last = runs.filter({ $0.lastAt < first }).map(\.lastAt).max()
      {
        let from = RowID.day(of: last)
        let to = RowID.day(of: first)
        if to - from <= 30 { for day in from...to { days.insert(day) } }
      }
      try load(days, of: id, installation, events: events, &window)
      window.carried = CarriedState(coverage: runs, tokens: window.tokens)
    }
    for other in window.moved { try loadMoved(other, &window) }
    context.describeTopics(records.sends[firstSend...], pool)
    describeOrigins()
  }

  /// Loads days to be judged again, the days for which what is new there stays in force, and what the
  /// join of those needs around them.
  private func load(
    _ touched: Set<Int64>, of id: Int64, _ installation: StoredInstallation,
    events: ContiguousArray<UInt32>.SubSequence, _ window: inout Window
  ) throws {
    guard let stored else { return }
    // No row lies outside of the installation's own time.
    let firstDay = max(0, RowID.day(of: installation.firstAt))
    let known = firstDay...max(firstDay, RowID.day(of: installation.lastAt))
    let ownDays = Set(installation.days.map(Int64.init))
    func load(own day: Int64, isOwned: Bool) throws {
      if window.ownDays[day] != nil {
        if isOwned { window.ownDays[day]?.isOwned = true }
      } else if ownDays.contains(day),
        let entry = try stored.installationDay(installation: id, day: day, into: records)
      {
        window.ownDays[day] = (entry.events, entry.timelineHash, isOwned)
      }
    }
    func load(_ day: Int64, isSurrounding: Bool) throws {
      guard known.contains(day) else { return }
      if !isSurrounding { window.judge([day]) }
      guard window.days.insert(day).inserted else { return }
      try stored.notifications(installation: id, day: day, into: records) {
        window.add($0, isSurrounding: isSurrounding)
      }
    }
    for day in touched.sorted() {
      try load(day, isSurrounding: false)
      try load(own: day, isOwned: true)
    }
    // What was in force at the beginning of each stretch of days: the last records before it.
    for day in touched.sorted() where !touched.contains(day - 1) {
      let earlier = ownDays.filter { $0 < day && !touched.contains($0) }.sorted()
      var open = ChainBuilder.Saying.essential
      for (count, other) in earlier.reversed().enumerated() {
        guard StoredRows.isInForce(count, isSomethingOpen: !open.isEmpty) else { break }
        try load(own: other, isOwned: false)
        for place in window.ownDays[other]?.events ?? 0..<0 {
          open.subtract(ChainBuilder.saying(of: records.events[Int(place)], records))
        }
      }
    }
    var days = touched
    let news = newSayings(events)
    for (day, new) in news {
      var open = new.saying
      if open.contains(.release), isInForce(new, window) { open.remove(.release) }
      var next = day
      while !open.isEmpty, next <= known.upperBound, next - day < Self.mostDaysInForce {
        if days.insert(next).inserted {
          try load(next, isSurrounding: false)
          try load(own: next, isOwned: true)
        }
        open.subtract(said(on: next, after: new.lastAt, window))
        next += 1
        if let later = news[next] { open.subtract(later.saying) }
      }
    }
    // As far as the clock estimate looks (a day and a half), and a day more at either side.
    var around: Set<Int64> = []
    for day in days {
      for near in day - 2...day + 2 where !days.contains(near) { around.insert(near) }
    }
    for day in around.sorted() {
      try load(day, isSurrounding: true)
      // Signs of life.
      try load(own: day, isOwned: false)
    }
  }

  /// Loads what a clock rests on that the days around do not suffice for, and has the days judged
  /// again whose clock rests on new records though they are not near. True if some came.
  private func loadForClock(_ id: Int64, _ window: inout Window) throws -> Bool {
    guard let stored, let installation = window.installation, !join.eventOrder.isEmpty else {
      return false
    }
    let reach = InstallationJoin.clockReachInDays
    let firstDay = max(0, RowID.day(of: installation.firstAt))
    let known = firstDay...max(firstDay, RowID.day(of: installation.lastAt))
    var judged = window.judgedDays
    var fresh: Set<Int64> = []
    let days = join.notifications.map { notification in
      let day = day(of: notification)
      if hasNewRecords(notification) {
        judged.insert(day)
        if !notification.sends.isEmpty, !notification.events.isEmpty { fresh.insert(day) }
      }
      return day
    }
    // Days that a new link may tell the clock of, unless enough others lie between.
    var reached: Set<Int64> = []
    for day in fresh {
      for step in 1...reach where known.contains(day - step) {
        if isParted(from: day - step + 1, through: day - 1) { break }
        reached.insert(day - step)
      }
      for step in 1...reach where known.contains(day + step) {
        if isParted(from: day + 1, through: day + step - 1) { break }
        reached.insert(day + step)
      }
    }
    reached.subtract(judged)
    var wanted = reached.subtracting(window.days)
    var open: Set<Int64> = []
    for (unit, day) in days.enumerated() where judged.contains(day) || reached.contains(day) {
      if open.contains(day) || join.isClockSettled(unit, records) { continue }
      open.insert(day)
      wanted.formUnion((day - reach...day + reach).filter(known.contains))
    }
    wanted.subtract(window.days)
    let firstSend = records.sends.count
    for day in wanted.sorted() {
      window.days.insert(day)
      try stored.notifications(installation: id, day: day, into: records) {
        window.add($0, isSurrounding: true)
      }
    }
    // What is to be judged is seen when all that may tell its clock is here.
    let again = wanted.isEmpty ? open.intersection(reached) : []
    if !again.isEmpty { try load(again, of: id, installation, events: [], &window) }
    context.describeTopics(records.sends[firstSend...], pool)
    return !wanted.isEmpty || !again.isEmpty
  }

  /// Whether enough links by id lie in these days that no clock reaches over them.
  private func isParted(from first: Int64, through last: Int64) -> Bool {
    first <= last
      && join.partsClocks(
        from: first * RowID.microsecondsOfDay, through: (last + 1) * RowID.microsecondsOfDay - 1)
  }

  /// The day in which a notification's row lies.
  private func day(of notification: JoinedNotification) -> Int64 {
    if let place = notification.sends.first { return RowID.day(of: records.sends[Int(place)].at) }
    return RowID.day(of: notification.events.map { records.events[Int($0)].at }.min() ?? 0)
  }

  /// What new records of a day say that stays in force.
  private struct NewSaying {
    var saying: ChainBuilder.Saying = []
    var lastAt = Int64.min
    /// When the first of them names a release.
    var releaseAt = Int64.max
    /// The release that they name.
    var origin = Origin.none
    var namesOneRelease = true
  }

  private func newSayings(_ events: ContiguousArray<UInt32>.SubSequence) -> [Int64: NewSaying] {
    var news: [Int64: NewSaying] = [:]
    for place in events {
      let event = records.events[Int(place)]
      let saying = ChainBuilder.saying(of: event, records)
      guard !saying.isEmpty else { continue }
      var new = news[RowID.day(of: event.at)] ?? NewSaying()
      new.saying.formUnion(saying)
      new.lastAt = max(new.lastAt, event.at)
      if saying.contains(.release) {
        let origin = records.origins[Int(event.origin)]
        new.namesOneRelease =
          new.namesOneRelease && (new.releaseAt == .max || Self.isSameRelease(origin, new.origin))
        new.origin = origin
        new.releaseAt = min(new.releaseAt, event.at)
      }
      news[RowID.day(of: event.at)] = new
    }
    return news
  }

  private static func isSameRelease(_ a: Origin, _ b: Origin) -> Bool {
    a.version == b.version && a.build == b.build && a.os == b.os && a.model == b.model
  }

  /// Whether the release that new records name was in force already by the stored record before them.
  private func isInForce(_ new: NewSaying, _ window: Window) -> Bool {
    guard new.namesOneRelease else { return false }
    var last: (at: Int64, origin: Origin)?
    window.forEachEvent { place in
      let event = records.events[Int(place)]
      guard event.at < new.releaseAt, event.at > last?.at ?? .min,
        ChainBuilder.saying(of: event, records).contains(.release)
      else { return }
      last = (event.at, records.origins[Int(event.origin)])
    }
    return last.map { Self.isSameRelease($0.origin, new.origin) } ?? false
  }

  /// What the stored records of a day say of what stays in force, after a moment.
  private func said(on day: Int64, after moment: Int64, _ window: Window) -> ChainBuilder.Saying {
    var said: ChainBuilder.Saying = []
    window.forEachEvent { place in
      let event = records.events[Int(place)]
      guard event.at > moment, RowID.day(of: event.at) == day else { return }
      said.formUnion(ChainBuilder.saying(of: event, records))
    }
    return said
  }

  /// Days of logs that now turn out to hold records of the extension, or of the app, too: absence of
  /// such records can be argued in all of the log from now on.
  private func daysOfGrowingLogs(
    _ events: ContiguousArray<UInt32>.SubSequence, _ runs: [CoverageRow]
  ) -> Set<Int64> {
    var days: Set<Int64> = []
    var processes: [UInt32: Int64] = [:]
    for place in events where records.events[Int(place)].sequence != .min {
      let event = records.events[Int(place)]
      processes[event.log.code, default: 0] |=
        InstallationJoin.isExtensionRecord(event.name) ? 2 : 1
    }
    for (log, found) in processes {
      let own = runs.filter { $0.log.code == log }
      let known = own.reduce(Int64(0)) { $0 | $1.processes }
      guard !own.isEmpty, found & ~known != 0 else { continue }
      for run in own {
        let from = RowID.day(of: run.firstAt) - 1
        let to = RowID.day(of: run.lastAt) + 1
        if to - from <= 400 { for day in from...to { days.insert(day) } }
      }
    }
    return days
  }

  /// Loads all notifications of an installation that was known by its token only.
  private func loadMoved(_ other: Int64, _ window: inout Window) throws {
    guard let stored, let old = try stored.installation(other) else { return }
    let from = RowID.day(of: old.firstAt)
    let to = RowID.day(of: old.lastAt)
    for day in from...max(from, to) {
      try stored.notifications(installation: other, day: day, into: records) {
        window.add($0, isSurrounding: false)
      }
    }
  }

  /// Looks for the other side of notifications that one side knows only, in days that the window
  /// does not hold: a clock that is years off, a send that comes weeks later. True if some came.
  private func loadByIdentifier(_ installation: Int64, _ window: inout Window) throws -> Bool {
    guard let stored, let index else { return false }
    let firstSend = records.sends.count
    var found = false
    /// Takes a row of this installation into the window; of another one it says what ties its token.
    func take(_ row: Int64, _ id: TyingID?) throws -> (installation: Int64, token: TokenRecord)? {
      guard window.places[row] == nil else { return nil }
      let sendsBefore = records.sends.count
      guard let entry = try stored.notification(row, into: records) else { return nil }
      let other = entry.row.installation
      if other == installation {
        window.add(entry, isSurrounding: false)
        // The rest of its day: what a day says of an installation comes from all its rows.
        try stored.notifications(installation: installation, day: row >> 48, into: records) {
          window.add($0, isSurrounding: true)
        }
        found = true
        return nil
      }
      defer { records.sends.removeLast(records.sends.count - sendsBefore) }
      guard let id, TyingID.has(id, entry, records) else { return nil }
      return (other, entry.row.token)
    }
    // What was stored already was looked up when it came; what moves here is looked up in its new place.
    for notification in join.notifications
    where !window.moved.isEmpty || hasNewRecords(notification) {
      if notification.sends.isEmpty {
        func request(_ id: Identifier) -> TyingID? {
          TyingID.isOfOneMessage(id, records) ? TyingID(request: id.hash) : nil
        }
        let ids = [
          (notification.notification, TyingID(own: notification.notification.hash)),
          (notification.apns, TyingID(own: notification.apns.hash)),
          (notification.collapse, request(notification.collapse)),
          (notification.request, request(notification.request)),
        ]
        for (identifier, id) in ids where identifier.isPresent {
          let runs = batch.identifiers.runs(mayHold: identifier.hash)
          guard !runs.isEmpty else { continue }
          let rows = try index.notifications(hash: identifier.hash, in: runs)
          let others = try rows.prefix(Self.mostRows).compactMap { try take($0, id) }
          // It may have been sent to this phone by name too.
          let isOwn = rows.contains { row in
            window.places[row].map { window.entries[$0].stored.row.sends > 0 } ?? false
          }
          if rows.count <= Self.mostRows, !isOwn {
            try claim(others, by: installation, window)
          }
        }
      } else if notification.events.isEmpty {
        let ids = [notification.notification, notification.apns, notification.collapse]
        for identifier in ids
        where identifier.isPresent && batch.identifiers.mayWait(identifier.hash) {
          for row in try stored.waiting(hash: identifier.hash).prefix(Self.mostRows) {
            _ = try take(row, nil)
          }
        }
      }
    }
    if found { context.describeTopics(records.sends[firstSend...], pool) }
    return found
  }

  /// Claims the token that an id went to, for the phone that has a record of the id, if all that has it
  /// was sent to that token only. Whether another phone of the batch has such an id is seen at its end.
  private func claim(
    _ others: [(installation: Int64, token: TokenRecord)], by installation: Int64,
    _ window: Window
  ) throws {
    guard let stored, let first = others.first,
      others.allSatisfy({ $0.installation == first.installation }),
      first.token.isPresent, !window.moved.contains(first.installation),
      try stored.database.isStandIn(first.installation)
    else { return }
    claims.append(
      TokenClaim(standIn: first.installation, token: first.token, installation: installation))
  }

  // MARK: Writing

  private func writeNotifications(_ id: Int64, _ window: Window, _ rows: RowSet) throws {
    written.removeAll()
    // What a day says of an installation comes from all its rows, also those that stay as they are.
    seenDays.removeAll()
    oldDays.removeAll()
    for entry in window.entries where entry.stored.row.installation == id {
      oldDays.count(entry.stored.row)
    }
    var row = NotificationRow()
    try builder.forEachChain(
      of: join, records: records, context: context, chain: &chain,
      isNeeded: { unit in
        row = placeRow(id, join.notifications[unit])
        if isOutdated(join.notifications[unit], row) {
          countOutdated(join.notifications[unit])
          return false
        }
        guard let place = window.places[row.id], window.entries[place].isSurrounding,
          !hasNewRecords(join.notifications[unit])
        else { return true }
        usedIDs[UInt64(bitPattern: row.id)] = true
        written[UInt64(bitPattern: row.id)] = true
        seenDays.count(window.entries[place].stored.row)
        return false
      }
    ) { unit, chain, release, origin in
      Checklist.judge(&chain, into: &walk)
      describe(&row, join.notifications[unit], chain, release, origin)
      let identity = Self.identity(join.notifications[unit], records, row)
      while !usedIDs.insert(UInt64(bitPattern: row.id), true) { row.id += 1 }
      if !window.entries.isEmpty { written[UInt64(bitPattern: row.id)] = true }
      let day = row.id >> 48
      seenDays.count(row)

      var steps: [BrokenStepRow] = []
      if walk.results.contains(where: { $0.outcome == .broken }) { steps = brokenSteps(row) }
      let previous = window.places[row.id].map { window.entries[$0].stored }
      if let previous, Self.hasSameRecords(join.notifications[unit], previous),
        Self.isSame(row, previous.row), try hasSameSteps(previous, steps)
      {
        return
      }
      let textStart = rows.texts.count
      (row.timeline, row.numbers) = writer.write(
        sends: join.notifications[unit].sends.buffer,
        events: join.notifications[unit].events.buffer,
        of: records, base: row.sentAt, identity: identity, to: rows.texts)
      if let previous {
        row.storedJudgement = previous.row.verdict.judgement
        row.storedRawBlock = previous.row.storedRawBlock
        let hash = StableHash.of(rows.texts.base + textStart, rows.texts.count - textStart)
        if hash == previous.timelineHash, row.numbers == previous.row.numbers,
          Self.isSame(row, previous.row), try hasSameSteps(previous, steps)
        {
          rows.texts.truncate(to: textStart)
          return
        }
        delta.add(previous.row, sign: -1)
        if previous.row.verdict.judgement != row.verdict.judgement {
          delta.changes[
            RollupDelta.ChangeKey(
              day: Int32(truncatingIfNeeded: day), from: previous.row.verdict.judgement,
              to: row.verdict.judgement), default: 0] += 1
        }
        if previous.row.verdict.judgement != .asMeant { rows.staleSteps.append(row.id) }
      }
      row.notificationID = copy(identity.notification, rows)
      row.apnsID = copy(identity.apns, rows)
      row.collapseID = copy(identity.collapse, rows)
      row.requestID = copy(identity.request, rows)
      rows.steps.append(contentsOf: steps)
      addIdentifiers(row, join.notifications[unit], isNew: previous == nil, previous, rows)
      keepLines(&row, join.notifications[unit], rows)
      delta.add(row, sign: 1)
      rows.notifications.append(row)
    }
    for entry in window.entries.lazy.map(\.stored)
    where written[UInt64(bitPattern: entry.row.id)] == nil {
      rows.goneNotifications.append(entry.row.id)
      if entry.row.verdict.judgement != .asMeant { rows.staleSteps.append(entry.row.id) }
      delta.add(entry.row, sign: -1)
      if entry.row.sends == 0 { removeWaiting(entry, rows) }
    }
    for other in window.moved { rows.goneInstallations.append(other) }
    seenDays.add(to: &delta, sign: 1)
    oldDays.add(to: &delta, sign: -1)
    // Notifications that moved here left an installation that was seen on their days.
    var left: Set<MovedDay> = []
    for entry in window.entries.lazy.map(\.stored) where entry.row.installation != id {
      left.insert(MovedDay(installation: entry.row.installation, day: entry.row.id >> 48))
    }
    for entry in left {
      var value = delta.installations[Int32(truncatingIfNeeded: entry.day)] ?? (0, 0, 0)
      value.seen -= 1
      delta.installations[Int32(truncatingIfNeeded: entry.day)] = value
    }
  }

  // MARK: Days that were pruned

  /// A phone's time that lies further back than so many days before what was pruned comes from a
  /// clock that is wrong, not from an old record.
  private static let oldestDays: Int64 = 366

  /// Whether a day that only a phone's clock tells was pruned.
  private func isPruned(deviceDay day: Int64) -> Bool {
    day < batch.prunedBefore && day >= batch.prunedBefore - Self.oldestDays
  }

  /// Whether a notification is of a day that was pruned, and nothing of it is stored: it went, or
  /// comes too late.
  private func isOutdated(_ notification: JoinedNotification, _ row: NotificationRow) -> Bool {
    let day = row.id >> 48
    guard batch.prunedBefore > 0, day < batch.prunedBefore,
      row.sends > 0 || isPruned(deviceDay: day)
    else { return false }
    return notification.sends.allSatisfy { records.sends[Int($0)].raw.chunk != .max }
      && notification.events.allSatisfy { records.events[Int($0)].raw.chunk != .max }
  }

  private func countOutdated(_ notification: JoinedNotification) {
    for place in notification.sends {
      outdated[records.sends[Int(place)].reference.source, default: 0] += 1
    }
    for place in notification.events { countOutdated(event: place) }
  }

  private func countOutdated(event place: UInt32) {
    outdated[records.events[Int(place)].reference.source, default: 0] += 1
  }

  private struct MovedDay: Hashable {
    var installation: Int64
    var day: Int64
  }

  private func hasNewRecords(_ notification: JoinedNotification) -> Bool {
    notification.sends.contains { records.sends[Int($0)].raw.chunk != .max }
      || notification.events.contains { records.events[Int($0)].raw.chunk != .max }
  }

  private static func isSame(_ a: NotificationRow, _ b: NotificationRow) -> Bool {
    a.installation == b.installation && a.sentAt == b.sentAt && a.kind == b.kind
      && a.meant == b.meant && a.meantBy == b.meantBy
      && a.verdict.judgement == b.verdict.judgement && a.verdict.step == b.verdict.step
      && a.verdict.cause == b.verdict.cause && a.verdict.confidence == b.verdict.confidence
      && a.verdict.stage == b.verdict.stage && a.seen == b.seen
      && a.verdict.needs == b.verdict.needs
      && a.link == b.link && a.isReplaced == b.isReplaced && a.isCovered == b.isCovered
      && a.app.index == b.app.index && a.version.index == b.version.index
      && a.build.index == b.build.index && a.os.index == b.os.index
      && a.model.index == b.model.index
  }

  /// Whether the broken steps of a notification are those that are stored of it.
  private func hasSameSteps(_ stored: StoredNotification, _ steps: [BrokenStepRow]) throws -> Bool {
    guard let rows = self.stored, stored.row.verdict.judgement != .asMeant else {
      return steps.isEmpty
    }
    return StoredRows.digest(try rows.steps(stored.row.id)) == StoredRows.digest(steps)
  }

  /// Whether a notification has the very records that its stored row has: then it is written as it
  /// was.
  private static func hasSameRecords(
    _ notification: JoinedNotification, _ stored: StoredNotification
  ) -> Bool {
    notification.sends.count == stored.sends.count
      && notification.events.count == stored.events.count
      && notification.sends.allSatisfy(stored.sends.contains)
      && notification.events.allSatisfy(stored.events.contains)
  }

  private static func identity(
    _ notification: JoinedNotification, _ records: RecordSet, _ row: NotificationRow
  ) -> RowIdentity {
    var identity = RowIdentity()
    identity.notification = notification.notification
    identity.apns = notification.apns
    identity.collapse = notification.collapse
    if notification.request.isPresent, notification.request.hash != notification.collapse.hash {
      identity.request = notification.request
    }
    identity.token = row.token
    identity.campaign = row.campaign
    identity.origin = Origin(
      bundle: row.app, version: row.version, build: row.build, os: row.os, model: row.model)
    return identity
  }

  private func copy(_ identifier: Identifier, _ rows: RowSet) -> TextRange {
    guard identifier.isPresent else { return .none }
    let start = rows.texts.count
    records.texts.withUnsafeBytes { bytes in
      if let base = bytes.baseAddress {
        rows.texts.append(base + Int(identifier.text.offset), Int(identifier.text.length))
      }
    }
    return rows.texts.range(from: start)
  }

  /// The row of a notification with its place: id, time and number of records.
  private func placeRow(_ installation: Int64, _ notification: JoinedNotification)
    -> NotificationRow
  {
    var row = NotificationRow()
    row.installation = installation
    row.sends = Int32(truncatingIfNeeded: notification.sends.count)
    row.events = Int32(truncatingIfNeeded: notification.events.count)
    var key: UInt64 = 0
    if let place = notification.sends.first {
      let first = records.sends[Int(place)]
      row.sentAt = first.at
      key = first.notification.isPresent ? first.notification.hash : first.apns.hash
      if key == 0 {
        key = StableHash.mix(UInt64(bitPattern: first.at), first.token.high ^ StableHash.k2)
      }
    } else if let place = notification.events.first {
      var first = records.events[Int(place)]
      for place in notification.events where records.events[Int(place)].at < first.at {
        first = records.events[Int(place)]
      }
      row.sentAt = first.at
      key = notification.notification.hash
      if key == 0 { key = notification.apns.hash }
      if key == 0 {
        key = StableHash.mix(
          UInt64(bitPattern: first.at), notification.request.hash ^ StableHash.k2)
      }
    }
    row.id = RowID.notification(
      day: RowID.day(of: row.sentAt), installation: installation, key: key)
    return row
  }

  /// Fills a row with what its chain and its judgement say.
  private func describe(
    _ row: inout NotificationRow, _ notification: JoinedNotification, _ chain: Chain,
    _ release: ReleaseKey, _ origin: Origin
  ) {
    row.kind = chain.kind
    row.meant = chain.meaning
    row.meantBy = chain.meaningSource
    row.verdict = walk.verdict
    let seen = walk.seen
    // In time is within the 30 seconds of F4.20.
    let isModified =
      seen.handler >= 0 && (chain.integer(.elapsedMs, of: seen.handler) ?? 0) < 30_000
    row.seen =
      (seen.extensionRan >= 0 ? 1 : 0) | (isModified ? 2 : 0)
      | (seen.presented >= 0 ? 4 : 0) | (seen.expanded >= 0 ? 8 : 0)
    row.link = notification.weakestLink
    row.isReplaced = notification.replacedBy != nil
    row.isCovered = chain.coverage.isGapless
    if let place = notification.sends.last {
      let last = records.sends[Int(place)]
      row.status = last.status
      row.reason = last.reason
      row.environment = last.environment
      row.topic = last.topic
      row.token = last.token
    }
    for place in notification.sends where records.sends[Int(place)].campaign.code >= 2 {
      row.campaign = records.sends[Int(place)].campaign
    }
    row.app = release.bundle
    row.version = release.version
    row.build = release.build
    row.os = origin.os
    row.model = origin.model
    if let event = chain.firstEvent(.nseDownloadFinished),
      let duration = chain.integer(.durationMs, of: event), duration >= 0
    {
      row.download = duration &* 1000
    }
    if let event = chain.firstEvent(.nseHandlerCalled),
      let elapsed = chain.integer(.elapsedMs, of: event), elapsed >= 0
    {
      row.handler = elapsed &* 1000
    }
  }

  private func brokenSteps(_ row: NotificationRow) -> [BrokenStepRow] {
    var steps: [BrokenStepRow] = []
    for (step, result) in walk.broken {
      steps.append(
        BrokenStepRow(
          notification: row.id, place: Int64(steps.count), step: step, cause: result.cause,
          confidence: result.confidence, sentAt: row.sentAt))
    }
    // The verdict stands first, also where an earlier step is settled by a sighting.
    if let place = steps.firstIndex(where: { $0.step == row.verdict.step }), place > 0 {
      let verdict = steps.remove(at: place)
      steps.insert(verdict, at: 0)
      for index in steps.indices { steps[index].place = Int64(index) }
    }
    if !steps.isEmpty, row.verdict.judgement == .broken {
      steps[0].confidence = row.verdict.confidence
    }
    return steps
  }

  private func addIdentifiers(
    _ row: NotificationRow, _ notification: JoinedNotification, isNew: Bool,
    _ previous: StoredNotification?, _ rows: RowSet
  ) {
    hashes.removeAll(keepingCapacity: true)
    func add(_ identifier: Identifier) {
      guard identifier.isPresent, !hashes.contains(identifier.hash) else { return }
      hashes.append(identifier.hash)
    }
    add(notification.notification)
    for place in notification.sends { add(records.sends[Int(place)].apns) }
    add(notification.apns)
    add(notification.collapse)
    add(notification.request)
    if let previous {
      // Only what is new: the rest stands in an earlier run of the index.
      var known: [UInt64] = [
        previous.identity.notification.hash, previous.identity.apns.hash,
        previous.identity.collapse.hash, previous.identity.request.hash,
      ]
      for place in previous.sends { known.append(records.sends[Int(place)].apns.hash) }
      hashes.removeAll { known.contains($0) }
    }
    for hash in hashes {
      rows.identifiers.append((IdentifierIndex.stored(hash), row.id))
    }
    if notification.sends.isEmpty {
      for identifier in Self.waitingIdentifiers(
        notification.notification, notification.apns, notification.collapse, notification.request)
      {
        rows.waiting.append((IdentifierIndex.stored(identifier.hash), row.id))
      }
    } else if let previous, previous.row.sends == 0 {
      removeWaiting(previous, rows)
    }
  }

  /// Ids by which a later send may find a notification that only the device knows.
  private static func waitingIdentifiers(_ identifiers: Identifier...) -> [Identifier] {
    identifiers.filter(\.isPresent)
  }

  private func removeWaiting(_ entry: StoredNotification, _ rows: RowSet) {
    for identifier in Self.waitingIdentifiers(
      entry.identity.notification, entry.identity.apns, entry.identity.collapse,
      entry.identity.request)
    {
      rows.notWaiting.append((IdentifierIndex.stored(identifier.hash), entry.row.id))
    }
  }

  // MARK: Stored lines

  private func keepLines(
    _ row: inout NotificationRow, _ notification: JoinedNotification, _ rows: RowSet
  ) {
    let isKept: Bool
    switch batch.rawPolicy {
    case .all: isKept = true
    case .none: isKept = false
    case .broken:
      let judgement = row.verdict.judgement
      isKept =
        judgement == .broken || judgement == .conflicting
        || StableHash.mix(UInt64(bitPattern: row.id), StableHash.k2) % JoinWorker.sampleShare == 0
    }
    guard isKept else { return }
    if rows.rawTexts.count - openRawBlock > JoinWorker.rawBlockBytes { closeRawBlock(rows) }
    let before = rows.rawTexts.count
    for place in notification.sends {
      keepLine(records.sends[Int(place)].reference, records.sends[Int(place)].raw, rows)
    }
    for place in notification.events {
      keepLine(records.events[Int(place)].reference, records.events[Int(place)].raw, rows)
    }
    if rows.rawTexts.count > before {
      if row.storedRawBlock > 0, let stored { carryLines(row, notification, stored, rows) }
      row.rawBlock = Int32(truncatingIfNeeded: rows.rawBlocks.count)
    }
  }

  /// Lines that an earlier batch kept of this notification go into its new block too.
  private func carryLines(
    _ row: NotificationRow, _ notification: JoinedNotification, _ stored: StoredRows, _ rows: RowSet
  ) {
    var wanted: Set<RecordReference> = []
    for place in notification.sends where records.sends[Int(place)].raw.chunk == .max {
      wanted.insert(records.sends[Int(place)].reference)
    }
    for place in notification.events where records.events[Int(place)].raw.chunk == .max {
      wanted.insert(records.events[Int(place)].reference)
    }
    guard !wanted.isEmpty,
      let lines = try? StoredLines(stored.database).lines(block: row.storedRawBlock)
    else { return }
    for line in lines where wanted.contains(line.reference) {
      append(line.reference, rows)
      rows.rawTexts.append(line.text)
      rows.rawTexts.append(0x0a)
    }
  }

  private func keepLine(_ reference: RecordReference, _ place: RawPlace, _ rows: RowSet) {
    guard place.chunk != .max, place.length > 0, let line = lineWindow.line(place, of: raw) else {
      return
    }
    redacted.removeAll(keepingCapacity: true)
    if batch.keepsPayloads {
      // Stored lines end with a line end, so a record of several lines is stored as one.
      redacted.append(contentsOf: line.lazy.map { $0 == 0x0A || $0 == 0x0D ? 0x20 : $0 })
    } else if !redactor.redact(line, of: batch.forms[reference.source], into: &redacted) {
      return
    }
    append(reference, rows)
    redacted.withUnsafeBytes { bytes in
      if let base = bytes.baseAddress { rows.rawTexts.append(base, bytes.count) }
    }
    rows.rawTexts.append(0x0a)
  }

  private func append(_ reference: RecordReference, _ rows: RowSet) {
    rows.rawTexts.append(number: Int64(reference.source))
    rows.rawTexts.append(0x09)
    rows.rawTexts.append(number: Int64(reference.line))
    rows.rawTexts.append(0x09)
  }

  private func closeRawBlock(_ rows: RowSet) {
    guard rows.rawTexts.count > openRawBlock else { return }
    rows.rawBlocks.append(rows.rawTexts.range(from: openRawBlock))
    openRawBlock = rows.rawTexts.count
  }

  // MARK: The installation itself

  private func writeInstallation(
    _ id: Int64, _ window: Window, _ rows: RowSet, hasNotifications: Bool
  ) {
    var firstAt = window.installation?.firstAt ?? .max
    var lastAt = window.installation?.lastAt ?? .min
    for place in join.eventOrder {
      let event = records.events[Int(place)]
      if event.raw.chunk != .max, isPruned(deviceDay: RowID.day(of: event.at)) { continue }
      firstAt = min(firstAt, event.at)
      lastAt = max(lastAt, event.at)
    }
    for place in join.sendOrder {
      let send = records.sends[Int(place)]
      if send.raw.chunk != .max, RowID.day(of: send.at) < batch.prunedBefore { continue }
      firstAt = min(firstAt, send.at)
      lastAt = max(lastAt, send.at)
    }
    guard firstAt != .max else { return }
    let hasEvents = !join.eventOrder.isEmpty || window.installation?.hasEvents == true

    // Its own records by day; those of days that only gave what was in force stay as they are.
    var byDay: [Int64: (own: [UInt32], unlinked: Int64)] = [:]
    let places = join.installationEvents.map { ($0, false) } + join.unlinked.map { ($0, true) }
    for (place, isUnlinked) in places {
      let day = RowID.day(of: records.events[Int(place)].at)
      if let known = window.ownDays[day] {
        if !known.isOwned { continue }
      } else if isPruned(deviceDay: day), records.events[Int(place)].raw.chunk != .max {
        countOutdated(event: place)
        continue
      }
      byDay[day, default: ([], 0)].own.append(place)
      if isUnlinked { byDay[day, default: ([], 0)].unlinked += 1 }
    }
    // A phone that only pruned days know stays away with them.
    if window.installation == nil, !hasNotifications, byDay.isEmpty, batch.prunedBefore > 0 {
      return
    }
    var days = Set(window.installation?.days ?? [])
    for (day, entry) in byDay {
      let ordered = entry.own.sorted {
        let a = records.events[Int($0)]
        let b = records.events[Int($1)]
        return (a.at, a.sequence, a.name.index) < (b.at, b.sequence, b.name.index)
      }
      let start = rows.texts.count
      let timeline = ordered.withUnsafeBufferPointer { events in
        writer.write(
          sends: UnsafeBufferPointer(start: nil, count: 0), events: events, of: records,
          base: day * RowID.microsecondsOfDay, identity: RowIdentity(), to: rows.texts
        ).text
      }
      days.insert(Int32(truncatingIfNeeded: day))
      if let known = window.ownDays[day],
        known.hash == StableHash.of(rows.texts.base + start, rows.texts.count - start)
      {
        rows.texts.truncate(to: start)
        continue
      }
      rows.installationDays.append(
        InstallationDayRow(
          id: StoredRows.installationDayID(day: day, installation: id), installation: id,
          records: Int64(entry.own.count), unlinked: entry.unlinked, timeline: timeline))
    }
    for (day, known) in window.ownDays where known.isOwned && byDay[day] == nil {
      days.remove(Int32(truncatingIfNeeded: day))
      rows.installationDays.append(
        InstallationDayRow(
          id: StoredRows.installationDayID(day: day, installation: id), installation: id,
          records: 0, unlinked: 0, timeline: .none))
    }
    var deviceID = TextRange.none
    if let text = installations.texts[id] {
      let start = rows.texts.count
      records.texts.withUnsafeBytes { bytes in
        if let base = bytes.baseAddress {
          rows.texts.append(base + Int(text.offset), Int(text.length))
        }
      }
      deviceID = rows.texts.range(from: start)
    }
    rows.installations.append(
      InstallationRow(
        id: id, deviceID: deviceID, firstAt: firstAt, lastAt: lastAt, hasEvents: hasEvents,
        days: days.sorted()))
    let knownTokens = Set(window.tokens)
    for span in join.tokens {
      let row = TokenSpanRow(
        token: span.token, firstAt: span.firstSeen, lastAt: span.lastSeen, kind: span.kind,
        environment: span.environment, reference: span.reference)
      if !knownTokens.contains(row) { rows.tokens.append((id, row)) }
    }
    if join.runs != window.carried.runs {
      // Only what changed: each lost record ends a run, so an installation has more of them every day.
      let old = Set(window.carried.runs)
      let new = Set(join.runs)
      let gone = window.carried.runs.filter { !new.contains($0) }
      let added = join.runs.filter { !old.contains($0) }
      rows.coverage.append((id, gone.map(CoverageRow.init), added.map(CoverageRow.init)))
    }
  }
}

extension CoverageRow {
  init(_ run: CoverageRun) {
    self.init(
      log: run.log, first: run.first, last: run.last, firstAt: run.firstAt, lastAt: run.lastAt,
      processes: (run.holdsApp ? 1 : 0) + (run.holdsExtension ? 2 : 0),
      firstReference: run.firstReference, lastReference: run.lastReference)
  }
}

/// How installations are dealt to parts: by the highest bits of their ids, so that the rows of one
/// part lie behind those of the part before.
enum SpillParts {
  static let count = 64

  @inline(__always) static func part(of installation: Int64) -> Int { Int(installation >> 57) }
}
