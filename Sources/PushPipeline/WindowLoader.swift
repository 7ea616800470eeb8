import PushJoin
import PushModel
import PushStore

/// Loads what is stored of an installation and has a part in the join of its new records.
///
/// Which stored days are judged again, and which others the join of those needs around them, is
/// decided here and nowhere else: first by what the new records say (``load(_:sends:events:into:)``),
/// then, when they are joined, by their ids (``loadByIdentifier(_:_:into:)``), by the clock
/// (``loadForClock(_:_:into:)``) and by where records went (``settle(_:_:into:)``). One per thread; it appends to the records of the part.
final class WindowLoader {
  private let stored: StoredRows
  private let index: IdentifierIndex
  private let batch: BatchContext
  private let records: RecordSet

  /// Tokens that ids tie to installations of the part, as far as one installation can tell.
  private(set) var claims: [TokenClaim] = []

  /// How many days are judged again for what one record says, unless another one ends it; a change that
  /// touches more is that of a clock which is years off.
  private static let mostDaysInForce: Int64 = 400
  /// How many rows of one id are looked at.
  private static let mostRows = 16

  init(stored: StoredRows, batch: BatchContext, records: RecordSet) {
    self.stored = stored
    index = IdentifierIndex(database: stored.database)
    self.batch = batch
    self.records = records
  }

  // MARK: By the new records

  /// Loads what the new records of an installation, at these places, may change, and what stands around it.
  func load(
    _ id: Int64, sends: ContiguousArray<UInt32>.SubSequence,
    events: ContiguousArray<UInt32>.SubSequence, into window: inout JoinWindow
  ) throws {
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
          if isNewToken { Self.add(day, through: lastDay, to: &days) }
        }
      }
      for other in window.moved {
        // What was sent to its token comes as if it were new.
        guard let moving = try stored.installation(other) else { continue }
        Self.add(
          RowID.day(of: moving.firstAt) - 1, through: RowID.day(of: moving.lastAt) + 2, to: &days)
      }
      days.formUnion(daysOfGrowingLogs(events, runs))
      if !installation.hasEvents, !events.isEmpty {
        // Its first own records tell which release and OS all its notifications went to.
        let from = RowID.day(of: installation.firstAt)
        Self.add(from, through: max(from, lastDay), to: &days)
      }
      // What was sent since the phone was last heard of was waiting for this sign of life.
      if let first = events.map({ records.events[Int($0)].at }).min(),
        let last = runs.filter({ $0.lastAt < first }).map(\.lastAt).max()
      {
        Self.add(RowID.day(of: last), through: RowID.day(of: first), to: &days, atMost: 30)
      }
      try load(days, of: id, installation, events: events, &window)
      window.carried = CarriedState(coverage: runs, tokens: window.tokens)
    }
    for other in window.moved { try loadMoved(other, &window) }
  }

  /// Adds the days from one through another, unless there are too many: those are of a clock that is
  /// years off.
  private static func add(
    _ first: Int64, through last: Int64, to days: inout Set<Int64>,
    atMost most: Int64 = mostDaysInForce
  ) {
    guard first <= last, last - first <= most else { return }
    for day in first...last { days.insert(day) }
  }

  /// Loads days to be judged again, the days for which what is new there stays in force, and what the
  /// join of those needs around them.
  private func load(
    _ touched: Set<Int64>, of id: Int64, _ installation: StoredInstallation,
    events: ContiguousArray<UInt32>.SubSequence, _ window: inout JoinWindow
  ) throws {
    // No row lies outside of the installation's own time.
    let firstDay = max(0, RowID.day(of: installation.firstAt))
    let known = firstDay...max(firstDay, RowID.day(of: installation.lastAt))
    let ownDays = Set(installation.days.map(Int64.init))
    func load(own day: Int64, isOwned: Bool) throws {
      try loadOwn(day, of: id, installation, isOwned: isOwned, &window)
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

  /// Loads what the installation itself recorded on a day; has it written anew if it is to be owned.
  private func loadOwn(
    _ day: Int64, of id: Int64, _ installation: StoredInstallation, isOwned: Bool,
    _ window: inout JoinWindow
  ) throws {
    if window.ownDays[day] != nil {
      if isOwned { window.own(day) }
    } else if installation.days.contains(Int32(truncatingIfNeeded: day)),
      let entry = try stored.installationDay(installation: id, day: day, into: records)
    {
      window.add(ownDay: day, entry.events, hash: entry.timelineHash, isOwned: isOwned)
    }
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
  private func isInForce(_ new: NewSaying, _ window: JoinWindow) -> Bool {
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
  private func said(on day: Int64, after moment: Int64, _ window: JoinWindow) -> ChainBuilder.Saying
  {
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
        // A clock that was set back within the run: its last record may be of an earlier day.
        let ends = [RowID.day(of: run.firstAt), RowID.day(of: run.lastAt)].sorted()
        Self.add(ends[0] - 1, through: ends[1] + 1, to: &days)
      }
    }
    return days
  }

  /// Loads all notifications of an installation that was known by its token only.
  private func loadMoved(_ other: Int64, _ window: inout JoinWindow) throws {
    guard let old = try stored.installation(other) else { return }
    let from = RowID.day(of: old.firstAt)
    let to = RowID.day(of: old.lastAt)
    for day in from...max(from, to) {
      try stored.notifications(installation: other, day: day, into: records) {
        window.add($0, isSurrounding: false)
      }
    }
    for day in old.days.map(Int64.init) {
      if let entry = try stored.installationDay(installation: other, day: day, into: records) {
        window.add(movedDay: day, of: other, entry.events)
      }
    }
  }

  // MARK: By the clock

  /// Loads what a clock rests on that the days around do not suffice for, and has the days judged
  /// again whose clock rests on new records though they are not near. True if some came.
  func loadForClock(
    _ id: Int64, _ join: borrowing InstallationJoin, into window: inout JoinWindow
  ) throws -> Bool {
    guard let installation = window.installation, !join.eventOrder.isEmpty else { return false }
    let reach = InstallationJoin.clockReachInDays
    let firstDay = max(0, RowID.day(of: installation.firstAt))
    let known = firstDay...max(firstDay, RowID.day(of: installation.lastAt))
    var judged = window.judgedDays
    var fresh: Set<Int64> = []
    let days = join.notifications.map { notification in
      let day = day(of: notification)
      if records.hasNew(notification) {
        judged.insert(day)
        if !notification.sends.isEmpty, !notification.events.isEmpty { fresh.insert(day) }
      }
      return day
    }
    // Days that a new link may tell the clock of, unless enough others lie between.
    var reached: Set<Int64> = []
    for day in fresh {
      for step in 1...reach where known.contains(day - step) {
        if isParted(join, from: day - step + 1, through: day - 1) { break }
        reached.insert(day - step)
      }
      for step in 1...reach where known.contains(day + step) {
        if isParted(join, from: day + 1, through: day + step - 1) { break }
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
    for day in wanted.sorted() {
      window.days.insert(day)
      try stored.notifications(installation: id, day: day, into: records) {
        window.add($0, isSurrounding: true)
      }
    }
    // What is to be judged is seen when all that may tell its clock is here.
    let again = wanted.isEmpty ? open.intersection(reached) : []
    if !again.isEmpty { try load(again, of: id, installation, events: [], &window) }
    return !wanted.isEmpty || !again.isEmpty
  }

  /// Whether enough links by id lie in these days that no clock reaches over them.
  private func isParted(
    _ join: borrowing InstallationJoin, from first: Int64, through last: Int64
  ) -> Bool {
    first <= last
      && join.partsClocks(
        from: first * RowID.microsecondsOfDay, through: (last + 1) * RowID.microsecondsOfDay - 1)
  }

  /// The day in which a notification's row lies.
  private func day(of notification: JoinedNotification) -> Int64 {
    if let place = notification.sends.first { return RowID.day(of: records.sends[Int(place)].at) }
    return RowID.day(of: notification.events.map { records.events[Int($0)].at }.min() ?? 0)
  }

  // MARK: By the join

  /// Sees to it that each record of the window has one place after the join: what stays as it is stored,
  /// or what is written anew. Where a notification, or the own records of a day, has records of both,
  /// all that they come from is judged and written anew. True if something had to be loaded for it.
  ///
  /// The days around show less than all days: a record that an earlier join tied by time to a send of
  /// another day may be tied otherwise now, or not at all.
  func settle(
    _ id: Int64, _ join: borrowing InstallationJoin, into window: inout JoinWindow
  ) throws -> Bool {
    guard let installation = window.installation else { return false }
    var again: Set<Int64> = []
    var missing: Set<Int64> = []
    /// Has what a record comes from written anew; true if it was to stay.
    func move(_ source: JoinWindow.Source?) -> Bool {
      guard let source, window.stays(source) else { return false }
      switch source {
      case .entry(let place):
        let day = window.entries[place].stored.row.id >> 48
        again.insert(day)
        window.judge([day])
      case .ownDay(let day): window.own(day)
      case .moved: break
      }
      return true
    }
    var isSettled = false
    while !isSettled {
      isSettled = true
      for notification in join.notifications {
        var moves = false
        var stays = false
        for place in notification.sends {
          let isStaying =
            records.sends[Int(place)].raw.isStored
            && window.source(ofSend: place).map { window.stays($0) } == true
          if isStaying { stays = true } else { moves = true }
        }
        for place in notification.events {
          if window.stays(event: place, records) { stays = true } else { moves = true }
        }
        guard moves, stays else { continue }
        for place in notification.sends where move(window.source(ofSend: place)) {
          isSettled = false
        }
        for place in notification.events where move(window.source(ofEvent: place)) {
          isSettled = false
        }
      }
      func seeToOwn(_ place: UInt32) {
        guard !window.stays(event: place, records) else { return }
        let day = RowID.day(of: records.events[Int(place)].at)
        if window.ownDays[day] == nil {
          if installation.days.contains(Int32(truncatingIfNeeded: day)) { missing.insert(day) }
        } else if move(.ownDay(day)) {
          isSettled = false
        }
      }
      for place in join.unlinked { seeToOwn(place) }
      for place in join.installationEvents { seeToOwn(place) }
    }
    // They may need more around them than is here.
    if !again.isEmpty { try load(again, of: id, installation, events: [], &window) }
    for day in missing { try loadOwn(day, of: id, installation, isOwned: true, &window) }
    return !again.isEmpty || !missing.isEmpty
  }

  // MARK: By ids

  /// Looks for the other side of notifications that one side knows only, in days that the window
  /// does not hold: a clock that is years off, a send that comes weeks later. True if some came.
  func loadByIdentifier(
    _ installation: Int64, _ join: borrowing InstallationJoin, into window: inout JoinWindow
  ) throws -> Bool {
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
    where !window.moved.isEmpty || records.hasNew(notification) {
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
    return found
  }

  /// Claims the token that an id went to, for the phone that has a record of the id, if all that has it
  /// was sent to that token only. Whether another phone of the batch has such an id is seen at its end.
  private func claim(
    _ others: [(installation: Int64, token: TokenRecord)], by installation: Int64,
    _ window: JoinWindow
  ) throws {
    guard let first = others.first,
      others.allSatisfy({ $0.installation == first.installation }),
      first.token.isPresent, !window.moved.contains(first.installation),
      try stored.database.isStandIn(first.installation)
    else { return }
    claims.append(
      TokenClaim(standIn: first.installation, token: first.token, installation: installation))
  }
}
