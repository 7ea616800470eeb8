import PushChecklist
import PushJoin
import PushModel
import PushStore

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

/// Makes the rows of an installation out of its join: judges what has to be judged, and adds what has
/// changed to a ``RowSet``.
///
/// Which rows of the window that is judged again stay as they are is decided here: those that would be
/// written as they were. One per thread.
final class RowBuilder {
  private let batch: BatchContext
  private let records: RecordSet
  private let stored: StoredRows?
  private let writer: TimelineWriter
  private let keeper: LineKeeper
  private var builder = ChainBuilder()
  private var chain = Chain()
  private var walk = Walk()
  /// Ids that rows of the part have, and those that rows of the installation have whose stored rows are
  /// here: a stored row without is gone.
  private let usedIDs = HashTable<Bool>()
  private let written = HashTable<Bool>()
  /// What the installation's rows say of their days, and what its stored rows said.
  private var seenDays = DayMarks()
  private var oldDays = DayMarks()
  /// Hashes of one notification's ids.
  private var hashes: [UInt64] = []
  /// Counts to add to the roll-ups.
  private(set) var delta = RollupDelta()
  /// Records of days that were pruned, by source.
  private(set) var outdated: [UInt32: Int64] = [:]

  init(
    batch: BatchContext, records: RecordSet, stored: StoredRows?, writer: TimelineWriter,
    keeper: LineKeeper
  ) {
    self.batch = batch
    self.records = records
    self.stored = stored
    self.writer = writer
    self.keeper = keeper
  }

  /// Begins the rows of a part.
  func begin() {
    usedIDs.removeAll()
    keeper.begin()
  }

  /// Ends the rows of a part: puts them in the order in which they are stored.
  func finish(_ rows: RowSet) {
    keeper.closeBlock(rows)
    rows.order = rows.notifications.indices.map { Int32($0) }
    rows.order.sort { rows.notifications[Int($0)].id < rows.notifications[Int($1)].id }
    rows.installationDays.sort { $0.id < $1.id }
    rows.steps.sort { ($0.notification, $0.place) < ($1.notification, $1.place) }
    rows.definitions = writer.takeDefinitions()
  }

  /// Adds what has changed of an installation, known by `deviceID` if its records name it so.
  func add(
    _ id: Int64, _ join: borrowing InstallationJoin, _ window: JoinWindow, deviceID: TextRange?,
    _ context: JoinContext, to rows: RowSet
  ) throws {
    let before = rows.notifications.count
    try addNotifications(id, join, window, context, rows)
    addInstallation(
      id, join, window, deviceID: deviceID, rows,
      hasNotifications: rows.notifications.count > before)
  }

  // MARK: Notifications

  private func addNotifications(
    _ id: Int64, _ join: borrowing InstallationJoin, _ window: JoinWindow, _ context: JoinContext,
    _ rows: RowSet
  ) throws {
    written.removeAll()
    // What a day says of an installation comes from all its rows, also those that stay as they are.
    seenDays.removeAll()
    oldDays.removeAll()
    for entry in window.entries where entry.stored.row.installation == id {
      let row = entry.stored.row
      oldDays.count(row)
      guard entry.isSurrounding else { continue }
      // It stays as it is, whatever the days around it made of it.
      usedIDs[UInt64(bitPattern: row.id)] = true
      written[UInt64(bitPattern: row.id)] = true
      seenDays.count(row)
    }
    let hasNeighbour = try stored?.hasNeighbour(of: id) ?? false
    var row = NotificationRow()
    try builder.forEachChain(
      of: join, records: records, context: context, chain: &chain,
      isNeeded: { unit in
        if window.stays(join.notifications[unit], records) { return false }
        row = placeRow(id, join.notifications[unit])
        if isOutdated(join.notifications[unit], row) {
          countOutdated(join.notifications[unit])
          return false
        }
        try takeID(of: &row, window, hasNeighbour: hasNeighbour)
        return true
      }
    ) { unit, chain, release, origin in
      Checklist.judge(&chain, into: &walk)
      describe(&row, join.notifications[unit], chain, release, origin)
      let identity = Self.identity(join.notifications[unit], records, row)
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
      addIdentifiers(row, join.notifications[unit], previous, rows)
      keeper.keep(
        join.notifications[unit],
        earlier: earlierBlocks(join.notifications[unit], window, previous),
        &row, rows)
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

  /// Gives a row the next id that no row of the part has, and no stored row of another installation.
  private func takeID(
    of row: inout NotificationRow, _ window: JoinWindow, hasNeighbour: Bool
  ) throws {
    func isOthers(_ id: Int64) throws -> Bool {
      guard hasNeighbour, window.places[id] == nil, let stored else { return false }
      return try stored.installation(ofRow: id).map { $0 != row.installation } ?? false
    }
    while try !usedIDs.insert(UInt64(bitPattern: row.id), true) || isOthers(row.id) { row.id += 1 }
    if !window.entries.isEmpty { written[UInt64(bitPattern: row.id)] = true }
  }

  /// The blocks in which earlier batches kept lines of a notification: that of its stored row, and of
  /// other rows that its records come from.
  private func earlierBlocks(
    _ notification: JoinedNotification, _ window: JoinWindow, _ previous: StoredNotification?
  ) -> [Int64] {
    var blocks: [Int64] = []
    func add(_ row: NotificationRow) {
      let block = row.storedRawBlock
      if block > 0, !blocks.contains(block) { blocks.append(block) }
    }
    if let previous { add(previous.row) }
    func isForeign(_ place: UInt32, _ raw: RawPlace, _ own: Range<UInt32>?) -> Bool {
      raw.isStored && own?.contains(place) != true
    }
    let foreignSends = notification.sends.filter {
      isForeign($0, records.sends[Int($0)].raw, previous?.sends)
    }
    let foreignEvents = notification.events.filter {
      isForeign($0, records.events[Int($0)].raw, previous?.events)
    }
    guard !foreignSends.isEmpty || !foreignEvents.isEmpty else { return blocks }
    for entry in window.entries.lazy.map(\.stored)
    where foreignSends.contains(where: entry.sends.contains)
      || foreignEvents.contains(where: entry.events.contains)
    {
      add(entry.row)
    }
    return blocks
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
      let duration = chain.integer(.durationMs, of: event),
      Self.plausibleMilliseconds.contains(duration)
    {
      row.download = duration * 1000
    }
    if let event = chain.firstEvent(.nseHandlerCalled),
      let elapsed = chain.integer(.elapsedMs, of: event),
      Self.plausibleMilliseconds.contains(elapsed)
    {
      row.handler = elapsed * 1000
    }
  }

  /// Durations that a run of an extension can have: it has about 30 seconds (F4.20), with its download in
  /// them. What says more than an hour was not measured, and would count among those that were.
  private static let plausibleMilliseconds: ClosedRange<Int64> = 0...3_600_000

  private func brokenSteps(_ row: NotificationRow) -> [BrokenStepRow] {
    var steps: [BrokenStepRow] = []
    for (step, result) in walk.broken {
      steps.append(
        BrokenStepRow(
          notification: row.id, place: Int64(steps.count), step: step, cause: result.cause,
          confidence: result.confidence, sentAt: row.sentAt))
    }
    // Place 0 is the verdict's alone: where none of these steps is it, they begin at 1.
    guard row.verdict.judgement == .broken else {
      for index in steps.indices { steps[index].place += 1 }
      return steps
    }
    // The verdict stands first, also where an earlier step is settled by a sighting.
    if let place = steps.firstIndex(where: { $0.step == row.verdict.step }), place > 0 {
      let verdict = steps.remove(at: place)
      steps.insert(verdict, at: 0)
      for index in steps.indices { steps[index].place = Int64(index) }
    }
    if !steps.isEmpty { steps[0].confidence = row.verdict.confidence }
    return steps
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

  private struct MovedDay: Hashable {
    var installation: Int64
    var day: Int64
  }

  // MARK: Ids

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
    identifier.isPresent ? copy(identifier.text, rows) : .none
  }

  private func copy(_ text: TextRange, _ rows: RowSet) -> TextRange {
    let start = rows.texts.count
    records.texts.withUnsafeBytes { bytes in
      if let base = bytes.baseAddress {
        rows.texts.append(base + Int(text.offset), Int(text.length))
      }
    }
    return rows.texts.range(from: start)
  }

  private func addIdentifiers(
    _ row: NotificationRow, _ notification: JoinedNotification,
    _ previous: StoredNotification?, _ rows: RowSet
  ) {
    hashes.removeAll(keepingCapacity: true)
    /// Where there are many: attempts of a send, or the id of a campaign without tokens.
    var seen: Set<UInt64>? = notification.sends.count > 16 ? [] : nil
    func add(_ identifier: Identifier) {
      guard identifier.isPresent,
        seen?.insert(identifier.hash).inserted ?? !hashes.contains(identifier.hash)
      else { return }
      hashes.append(identifier.hash)
    }
    add(notification.notification)
    for place in notification.sends { add(records.sends[Int(place)].apns) }
    add(notification.apns)
    add(notification.collapse)
    add(notification.request)
    if let previous {
      // Only what is new: the rest stands in an earlier run of the index.
      let identity = previous.identity
      let known = [
        identity.notification.hash, identity.apns.hash, identity.collapse.hash,
        identity.request.hash,
      ]
      if previous.sends.count > 16 {
        let sent = Set(previous.sends.map { records.sends[Int($0)].apns.hash })
        hashes.removeAll { known.contains($0) || sent.contains($0) }
      } else {
        hashes.removeAll { hash in
          known.contains(hash)
            || previous.sends.contains { records.sends[Int($0)].apns.hash == hash }
        }
      }
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
    return notification.sends.allSatisfy { !records.sends[Int($0)].raw.isStored }
      && notification.events.allSatisfy { !records.events[Int($0)].raw.isStored }
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

  // MARK: The installation itself

  private func addInstallation(
    _ id: Int64, _ join: borrowing InstallationJoin, _ window: JoinWindow, deviceID: TextRange?,
    _ rows: RowSet, hasNotifications: Bool
  ) {
    var firstAt = window.installation?.firstAt ?? .max
    var lastAt = window.installation?.lastAt ?? .min
    for place in join.eventOrder {
      let event = records.events[Int(place)]
      if !event.raw.isStored, isPruned(deviceDay: RowID.day(of: event.at)) { continue }
      firstAt = min(firstAt, event.at)
      lastAt = max(lastAt, event.at)
    }
    for place in join.sendOrder {
      let send = records.sends[Int(place)]
      if !send.raw.isStored, RowID.day(of: send.at) < batch.prunedBefore { continue }
      firstAt = min(firstAt, send.at)
      lastAt = max(lastAt, send.at)
    }
    guard firstAt != .max else { return }
    let hasEvents = !join.eventOrder.isEmpty || window.installation?.hasEvents == true

    // Its own records by day; those of days that only gave what was in force stay as they are.
    var byDay: [Int64: (own: [UInt32], unlinked: Int64)] = [:]
    let places = join.installationEvents.map { ($0, false) } + join.unlinked.map { ($0, true) }
    for (place, isUnlinked) in places {
      if window.stays(event: place, records) { continue }
      let day = RowID.day(of: records.events[Int(place)].at)
      if window.ownDays[day] == nil, isPruned(deviceDay: day),
        !records.events[Int(place)].raw.isStored
      {
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
    for moved in window.movedDays {
      rows.installationDays.append(
        InstallationDayRow(
          id: StoredRows.installationDayID(day: moved.day, installation: moved.installation),
          installation: moved.installation, records: 0, unlinked: 0, timeline: .none))
    }
    rows.installations.append(
      InstallationRow(
        id: id, deviceID: deviceID.map { copy($0, rows) } ?? .none, firstAt: firstAt,
        lastAt: lastAt, hasEvents: hasEvents,
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
