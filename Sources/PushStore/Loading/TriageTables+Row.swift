public import PushModel

extension TriageTables {
  /// The tables of one stored notification.
  ///
  /// - Parameters:
  ///   - asked: the id that was asked for.
  ///   - row: the stored notification.
  ///   - chain: its chain, for order, corrected times and links of its records and for what the
  ///     sources cover; nil shows the records as they are stored.
  ///   - steps: what the steps of its checklist say.
  ///   - verdict: the verdict over these steps; nil takes the stored one.
  ///   - lines: opens the lines of its records.
  ///   - others: further notifications that the asked id fits, newest first.
  ///   - further: how many there are beside those, by their judgement.
  public init(
    asked: String, row: TriageRow, chain: Chain?, steps: [PushModel.StepRow],
    verdict: VerdictTable? = nil, lines: LineFinder, others: [FoundNotification] = [],
    further: JudgementCounts = JudgementCounts()
  ) throws(StoreError) {
    self.init(asked: asked)
    identity = row.identity
    self.verdict = verdict ?? row.verdict
    self.steps = steps
    let events = TriageTables.events(row, chain)
    setCoverage(row, chain, events)
    links = TriageTables.links(row, events)
    for (index, place) in row.sends.enumerated() {
      attempts.append(try TriageTables.attempt(index, place, row, lines))
    }
    timeline = try TriageTables.timeline(row, events, attempts, lines)
    coverage.assumedClocks = lines.assumedClocks
    otherMatches = others.prefix(TriageTables.shownMatches).map(\.match)
    otherMatchesLeftOut = others.dropFirst(TriageTables.shownMatches).reduce(into: further) {
      $0[$1.match.judgement] += 1
    }
  }

  /// How many of the further notifications with an id are shown.
  public static let shownMatches = 20

  /// An event in its order: its place in the row's records, the server's time if that is known, and
  /// what tied it.
  private struct PlacedEvent {
    var place: Int
    var correctedAt: Int64?
    var link: LinkKey
  }

  private static func events(_ row: TriageRow, _ chain: Chain?) -> [PlacedEvent] {
    guard let chain else {
      let link: LinkKey = row.sends.isEmpty ? .own : row.link
      return row.events.map { PlacedEvent(place: $0, correctedAt: nil, link: link) }
    }
    var left = row.events
    var placed: [PlacedEvent] = []
    for event in chain.events {
      guard
        let index = left.firstIndex(where: {
          row.records.events[$0].reference == event.reference
        })
      else { continue }
      placed.append(
        PlacedEvent(
          place: left.remove(at: index), correctedAt: event.correctedAt.value, link: event.link))
    }
    return placed + left.map { PlacedEvent(place: $0, correctedAt: nil, link: row.link) }
  }

  private mutating func setCoverage(_ row: TriageRow, _ chain: Chain?, _ events: [PlacedEvent]) {
    coverage.installationLogs = row.installationLogs
    coverage.isGapless = row.isCovered
    guard let chain else { return }
    coverage.installationLogs = chain.coverage.installationLogs.value ?? row.installationLogs
    coverage.isGapless = chain.coverage.isGapless
    if chain.coverage.isGapless {
      coverage.runFrom = chain.coverage.runFrom
      coverage.runTo = chain.coverage.runTo
    }
    coverage.holdsApp = chain.coverage.holdsApp
    coverage.holdsExtension = chain.coverage.holdsExtension
    coverage.sendLogComplete = chain.coverage.sendLogComplete.value
    if chain.coverage.clockError != .max,
      let event = events.first(where: { $0.correctedAt != nil }), let corrected = event.correctedAt
    {
      identity.clockOffset = row.records.events[event.place].at - corrected
      identity.clockError = chain.coverage.clockError
    }
  }

  private static func links(_ row: TriageRow, _ events: [PlacedEvent]) -> [LinkRow] {
    guard row.sends.count + events.count > 1 else { return [] }
    var links: [LinkRow] = []
    func add(_ key: LinkKey, _ side: SourceRow.Side, _ count: Int) {
      guard count > 0 else { return }
      if let place = links.firstIndex(where: { $0.key == key && $0.side == side }) {
        links[place].records += count
      } else {
        links.append(LinkRow(key: key, side: side, records: count))
      }
    }
    // The send opens the row; further ones share an id with one before, or are taken for retries.
    var ids: Set<UInt64> = []
    var requests: Set<UInt64> = []
    for (index, place) in row.sends.enumerated() {
      let own = row.records.sends[place].notification
      let request = row.records.sends[place].apns
      let key: LinkKey =
        index == 0
        ? .own
        : own.isPresent && ids.contains(own.hash)
          ? .notificationID
          : request.isPresent && requests.contains(request.hash) ? .apnsID : .retry
      add(key, .sends, 1)
      if own.isPresent { ids.insert(own.hash) }
      if request.isPresent { requests.insert(request.hash) }
    }
    for event in events { add(event.link, .devices, 1) }
    return links.sorted {
      ($0.side.rawValue, $0.key == .own ? 0 : 1, $0.key.rawValue)
        < ($1.side.rawValue, $1.key == .own ? 0 : 1, $1.key.rawValue)
    }
  }

  private static func attempt(
    _ index: Int, _ place: Int, _ row: TriageRow, _ lines: LineFinder
  ) throws(StoreError) -> AttemptRow {
    let send = row.records.sends[place]
    return AttemptRow(
      attempt: send.attempt > 0 ? Int(send.attempt) : index + 1, sentAt: send.at,
      provider: row.text(send.provider),
      environment: row.text(send.environment)
        ?? row.text(send.host), topic: row.text(send.topic), pushType: row.text(send.pushType),
      priority: row.text(send.priority), expiration: row.text(send.expiration),
      status: send.status == .min ? nil : Int(send.status),
      reason: row.text(send.reason) ?? row.text(send.error),
      answeredAfter: send.answeredAfter >= 0 ? send.answeredAfter : nil,
      line: try lines.line(send.reference) { row.record(send.reference) })
  }

  private static func timeline(
    _ row: TriageRow, _ events: [PlacedEvent], _ attempts: [AttemptRow], _ lines: LineFinder
  ) throws(StoreError) -> [TimelineRow] {
    var sent: [TimelineRow] = []
    for (place, attempt) in zip(row.sends, attempts) {
      let send = row.records.sends[place]
      sent.append(
        TimelineRow(
          time: send.at, clock: .server, what: "sent",
          attributes: [ShownAttribute("attempt", String(attempt.attempt))], line: attempt.line))
      let answer = row.answer(ofSend: place)
      if !answer.isEmpty {
        sent.append(
          TimelineRow(
            time: send.answeredAfter >= 0 ? send.at + send.answeredAfter : nil, clock: .server,
            what: send.status == 0 ? "not answered" : "answered", attributes: answer,
            line: attempt.line))
      }
    }
    var rows: [TimelineRow] = []
    var next = 0
    for event in events {
      let record = row.records.events[event.place]
      // Sends come first where the device's clock says nothing about the server's.
      while next < sent.count {
        guard let corrected = event.correctedAt, let time = sent[next].time, time > corrected
        else {
          rows.append(sent[next])
          next += 1
          continue
        }
        break
      }
      rows.append(
        TimelineRow(
          time: event.correctedAt ?? record.at,
          clock: event.correctedAt == nil ? .device : .corrected, what: row.pool[record.name],
          attributes: row.attributes(ofEvent: event.place), link: event.link,
          line: try lines.line(record.reference) { row.record(record.reference) }))
    }
    rows += sent[next...]
    for index in rows.indices.dropFirst() {
      // Two moments of the same clock, or of clocks that were brought together.
      guard (rows[index].clock == .device) == (rows[index - 1].clock == .device),
        let time = rows[index].time, let before = rows[index - 1].time, time >= before
      else { continue }
      rows[index].sincePrevious = time - before
    }
    return rows
  }
}
