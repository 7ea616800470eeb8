public import PushModel

/// One notification of an installation: its sends and device events, in order. Valid until the next
/// join of the ``InstallationJoin`` that made it, whose memory its lists lie in.
public struct JoinedNotification: Sendable {
  /// Its sends, oldest first: places in ``RecordSet/sends``.
  public var sends = ShortList<UInt32>()
  /// Its events in the order in which they happened: places in ``RecordSet/events``.
  public var events = ShortList<UInt32>()
  /// What tied each event, same order.
  public var eventLinks = ShortList<LinkKey>()
  /// What tied each send, same order.
  public var sendLinks = ShortList<LinkKey>()
  /// The sender's own id.
  public var notification: Identifier = .none
  /// `apns-id` of the last answer that has one.
  public var apns: Identifier = .none
  /// Collapse id.
  public var collapse: Identifier = .none
  /// Identifier of the request on the device.
  public var request: Identifier = .none
  /// The later send that replaced it (same collapse id), or nil.
  public var replacedBy: UInt32?

  /// An empty notification.
  public init() {}

  /// The worst link among its events: what ties the two sides.
  public var weakestLink: LinkKey {
    var weakest = LinkKey.own
    for link in eventLinks where link.isGuess { weakest = link }
    if weakest.isGuess { return weakest }
    // A record that an id of its own ties says more than one that goes with it.
    return eventLinks.first { $0 != .sameRun } ?? eventLinks.first ?? .own
  }
}

/// Joins the records of one installation into notifications (identity ladder).
///
/// The data path: duplicates out → sends into notifications (own id, `apns-id`, retries) → events by
/// id → clock from exact links → collapse ids by time → what is left by time alone, as guesses →
/// order within a notification by counter. Every decision about identity is made here and nowhere
/// else. The result does not depend on the order in which records are given. Its lists and tables have
/// memory that a copy would share, so there are no copies.
public struct InstallationJoin: ~Copyable {
  /// Notifications, in order of their first send or event.
  public internal(set) var notifications: [JoinedNotification] = []
  /// Events of the installation itself: heartbeats, settings, registrations, categories; by time.
  public private(set) var installationEvents: [UInt32] = []
  /// Events that no notification claims.
  public internal(set) var unlinked: [UInt32] = []
  /// Sends and events that are there twice.
  public private(set) var duplicates: [(isSend: Bool, place: UInt32)] = []
  /// Runs of the counter.
  public private(set) var runs: [CoverageRun] = []
  /// Registered tokens.
  public private(set) var tokens: [TokenSpan] = []
  /// Sends of the installation by time, without duplicates.
  public private(set) var sendOrder: [UInt32] = []
  /// Events of the installation by device time, without duplicates.
  public private(set) var eventOrder: [UInt32] = []

  /// The bundle id that each bundle id extends by its last part (F4.8); set before joining where
  /// records of system logs are joined, which name now the app and now its extension.
  public var parentBundles: [UInt32: Symbol] = [:]

  var clock = ClockEstimate()
  /// Arrivals that no id ties, and the last send of which each may be, with more than minutes between.
  private(set) var lateArrivals: [(sentAt: Int64, event: UInt32)] = []
  private let unitOfHash = HashTable<Int>()
  /// Notifications with a refused send, by what their retries have in common with it.
  private var refused: [RetryKey: Set<Int>] = [:]
  /// Of the lists of the notifications.
  private let memory = ListMemory()

  /// How long after a refusal a send of the same token, shape and collapse id is taken for a retry.
  private static let retryWindow: Int64 = 15 * 60 * 1_000_000
  /// How long after its send an event without ids may be tied to it while others are near.
  private static let guessWindow: Int64 = 10 * 60 * 1_000_000
  /// How long after its send a late arrival may be tied to it if nothing else fits.
  private static let lateWindow: Int64 = 24 * 3600 * 1_000_000
  /// How long after a send another one with its collapse id is taken to replace it.
  private static let replacementWindow: Int64 = 24 * 3600 * 1_000_000
  /// How far behind its record a send with the same id may seem to lie: what an estimated clock is
  /// off by beyond its own error.
  private static let idSlack: Int64 = 5 * 1_000_000
  /// How long a run of one request lasts at most (F4.20), with some room.
  private static let runWindow: Int64 = 60 * 1_000_000

  /// An empty join; reuse it from installation to installation.
  public init() {}

  /// Joins the sends and events at these places of a record set.
  public mutating func join(
    _ records: RecordSet, sends: some Sequence<UInt32>, events: some Sequence<UInt32>,
    carried: CarriedState
  ) {
    notifications.removeAll(keepingCapacity: true)
    memory.removeAll()
    installationEvents.removeAll(keepingCapacity: true)
    unlinked.removeAll(keepingCapacity: true)
    duplicates.removeAll(keepingCapacity: true)
    unitOfHash.removeAll()
    refused.removeAll(keepingCapacity: true)
    lateArrivals.removeAll(keepingCapacity: true)
    clock.removeAll()
    sendOrder.removeAll(keepingCapacity: true)
    sendOrder.append(contentsOf: sends)
    eventOrder.removeAll(keepingCapacity: true)
    eventOrder.append(contentsOf: events)

    sortAndDropDuplicates(records)
    groupSends(records)
    linkByIdentifier(records)
    measureClock(records)
    linkByCollapse(records)
    measureClock(records)
    linkByPhoneLog(records)
    linkByTime(records)
    orderEvents(records)
    collectRuns(records, carried)
    collectTokens(records, carried)
    finishIdentities(records)
  }

  // MARK: Order and duplicates

  private mutating func sortAndDropDuplicates(_ records: RecordSet) {
    sendOrder.sort { left, right in
      let a = records.sends[Int(left)]
      let b = records.sends[Int(right)]
      if a.at != b.at { return a.at < b.at }
      if a.notification.hash != b.notification.hash {
        return a.notification.hash < b.notification.hash
      }
      if a.apns.hash != b.apns.hash { return a.apns.hash < b.apns.hash }
      if a.token.high != b.token.high { return a.token.high < b.token.high }
      if a.status != b.status { return a.status < b.status }
      if a.attempt != b.attempt { return a.attempt < b.attempt }
      if a.shape != b.shape { return a.shape < b.shape }
      // Two logs of one request: then what one of them says more decides, not which was read first.
      if a.collapse.hash != b.collapse.hash { return a.collapse.hash < b.collapse.hash }
      if a.unregisteredAt != b.unregisteredAt { return a.unregisteredAt < b.unregisteredAt }
      if a.provider != b.provider { return a.provider.code < b.provider.code }
      if a.reason != b.reason { return a.reason.code < b.reason.code }
      return RecordEquality.isEarlier(a.reference, a.raw, b.reference, b.raw)
    }
    var kept = 0
    for index in sendOrder.indices {
      if kept > 0, RecordEquality.areEqual(sendOrder[kept - 1], sendOrder[index], in: records) {
        duplicates.append((true, sendOrder[index]))
        continue
      }
      sendOrder[kept] = sendOrder[index]
      kept += 1
    }
    sendOrder.removeLast(sendOrder.count - kept)

    eventOrder.sort { left, right in
      let a = records.events[Int(left)]
      let b = records.events[Int(right)]
      if a.at != b.at { return a.at < b.at }
      if a.sequence != b.sequence { return a.sequence < b.sequence }
      if a.name.index != b.name.index { return a.name.index < b.name.index }
      if a.notification.hash != b.notification.hash {
        return a.notification.hash < b.notification.hash
      }
      if a.request.hash != b.request.hash { return a.request.hash < b.request.hash }
      return RecordEquality.isEarlier(a.reference, a.raw, b.reference, b.raw)
    }
    kept = 0
    for index in eventOrder.indices {
      if kept > 0,
        RecordEquality.areEqual(event: eventOrder[kept - 1], eventOrder[index], in: records)
      {
        duplicates.append((false, eventOrder[index]))
        continue
      }
      eventOrder[kept] = eventOrder[index]
      kept += 1
    }
    eventOrder.removeLast(eventOrder.count - kept)
  }

  // MARK: Sends

  private mutating func groupSends(_ records: RecordSet) {
    for place in sendOrder {
      let send = records.sends[Int(place)]
      var unit: Int?
      var link = LinkKey.own
      if send.notification.isPresent {
        unit = unitOfHash[send.notification.hash]
        if unit != nil {
          link = .notificationID
        } else if send.apns.isPresent, let known = unitOfHash[send.apns.hash],
          !hasOtherID(known, than: send.notification, records)
        {
          // Two logs of one request, of which one has the sender's own id.
          unit = known
          link = .apnsID
        }
      } else if send.apns.isPresent, let known = unitOfHash[send.apns.hash] {
        unit = known
        link = .apnsID
      } else if let known = retryOf(send, records) {
        unit = known
        link = .retry
      }
      let index: Int
      if let unit {
        index = unit
      } else {
        index = notifications.count
        notifications.append(JoinedNotification())
      }
      notifications[index].sends.append(place, in: memory)
      notifications[index].sendLinks.append(link, in: memory)
      if send.notification.isPresent { unitOfHash[send.notification.hash] = index }
      if send.apns.isPresent { unitOfHash[send.apns.hash] = index }
      noteRefusal(send, of: index)
    }
  }

  /// Whether a notification already has an own id that is not this one.
  private func hasOtherID(_ unit: Int, than id: Identifier, _ records: RecordSet) -> Bool {
    notifications[unit].sends.contains { place in
      let own = records.sends[Int(place)].notification
      return own.isPresent && own.hash != id.hash
    }
  }

  /// What a retry has in common with the send that was refused.
  private struct RetryKey: Hashable {
    var token: TokenRecord
    var shape: UInt64
    var collapse: UInt64

    init(_ send: SendRecord) {
      token = send.token
      shape = send.shape
      collapse = send.collapse.hash
    }
  }

  /// Remembers a refused send that has no own id, for its retries.
  private mutating func noteRefusal(_ send: SendRecord, of unit: Int) {
    guard !send.notification.isPresent, send.status != 200 else { return }
    refused[RetryKey(send), default: []].insert(unit)
  }

  /// The notification of which this send is a retry: same token, shape and collapse id, a refusal
  /// within the last quarter of an hour, and no own id on either side; of several the last.
  private mutating func retryOf(_ send: SendRecord, _ records: RecordSet) -> Int? {
    guard !refused.isEmpty, let units = refused[RetryKey(send)] else { return nil }
    var last: Int?
    for unit in units {
      guard let place = notifications[unit].sends.last else { continue }
      let refusal = records.sends[Int(place)]
      guard send.at - refusal.at <= InstallationJoin.retryWindow else {
        // Sends come by time.
        refused[RetryKey(send)]?.remove(unit)
        continue
      }
      // What came after the refusal may have gone through, or be another request.
      guard refusal.status != 200, !refusal.notification.isPresent,
        RetryKey(refusal) == RetryKey(send)
      else { continue }
      last = max(last ?? unit, unit)
    }
    return last
  }

  // MARK: Events by id

  /// Names that belong to the installation, not to one notification.
  public static func isInstallationEvent(_ name: Symbol) -> Bool {
    name == .deviceHeartbeat || name == .appRegistered || name == .appRegistrationFailed
      || name == .appSettings || name == .appCategories
  }

  /// Where events without a decision yet are: those with a request or collapse id only, and those
  /// without any.
  private var pendingRequest: [UInt32] = []
  private var pendingBare: [UInt32] = []
  /// Events of system logs and reports, which name no installation and no id in clear.
  var pendingPhone: [UInt32] = []
  /// Short ids (F11.5) of the ids that this installation's records carry, as hashes; filled only
  /// where there are events of a system log.
  var digestOfIdentifier: [UInt64: UInt64] = [:]

  private mutating func linkByIdentifier(_ records: RecordSet) {
    pendingRequest.removeAll(keepingCapacity: true)
    pendingBare.removeAll(keepingCapacity: true)
    pendingPhone.removeAll(keepingCapacity: true)
    digestOfIdentifier.removeAll(keepingCapacity: true)
    for place in eventOrder {
      let event = records.events[Int(place)]
      if InstallationJoin.isFromPhoneLog(event, records) {
        pendingPhone.append(place)
        continue
      }
      if InstallationJoin.isInstallationEvent(event.name) && !event.hasIdentifier {
        installationEvents.append(place)
        continue
      }
      var unit: Int?
      var link = LinkKey.notificationID
      if event.notification.isPresent { unit = unitOfHash[event.notification.hash] }
      if unit == nil, event.apns.isPresent {
        unit = unitOfHash[event.apns.hash]
        link = .apnsID
      }
      if unit == nil {
        if event.notification.isPresent || event.apns.isPresent {
          unit = notifications.count
          notifications.append(JoinedNotification())
          link = .own
        } else if event.request.isPresent || event.collapse.isPresent {
          pendingRequest.append(place)
          continue
        } else {
          pendingBare.append(place)
          continue
        }
      }
      guard let index = unit else { continue }
      if event.notification.isPresent, unitOfHash[event.notification.hash] == nil {
        unitOfHash[event.notification.hash] = index
      }
      if event.apns.isPresent, unitOfHash[event.apns.hash] == nil {
        unitOfHash[event.apns.hash] = index
      }
      add(place, to: index, link)
    }
  }

  mutating func add(_ place: UInt32, to index: Int, _ link: LinkKey) {
    if notifications[index].events.isEmpty {
      // As many as a run of the extension writes.
      notifications[index].events.reserve(8, in: memory)
      notifications[index].eventLinks.reserve(8, in: memory)
    }
    notifications[index].events.append(place, in: memory)
    notifications[index].eventLinks.append(link, in: memory)
  }

  // MARK: Clock

  /// Only records that iOS makes at arrival measure the delay: opened and listed ones come later.
  static func isArrival(_ name: Symbol) -> Bool {
    name == .nseDidReceive || name == .appWillPresent || name == .appBackgroundLaunch
      || name == .appVoipReceived
  }

  private mutating func measureClock(_ records: RecordSet) {
    clock.removeAll()
    for notification in notifications {
      var lastAccepted: Int64?
      for place in notification.sends where records.sends[Int(place)].status == 200 {
        lastAccepted = records.sends[Int(place)].at
      }
      guard let sentAt = lastAccepted else { continue }
      var first: Int64?
      for (position, place) in notification.events.enumerated() {
        guard !notification.eventLinks[position].isGuess else { continue }
        let event = records.events[Int(place)]
        guard InstallationJoin.isArrival(event.name) else { continue }
        first = min(first ?? .max, event.at)
      }
      if let first { clock.add(sentAt: sentAt, deviceAt: first) }
    }
    clock.finish()
  }

  /// How many days before and behind a send its notification's clock may rest on, where the records
  /// near it do not suffice.
  public static let clockReachInDays = ClockEstimate.widerDays

  /// Whether the records near a notification suffice to tell the phone's clock: then no others change
  /// what it is taken for.
  public func isClockSettled(_ unit: Int, _ records: RecordSet) -> Bool {
    clock.isSettled(
      at: ChainBuilder.deviceTime(of: notifications[unit], join: self, records: records))
  }

  /// Whether so many links by id lie between two times of sends, both included, that no clock on one
  /// side rests on a link on the other, unless they are near.
  public func partsClocks(from first: Int64, through last: Int64) -> Bool {
    clock.pairs(sentFrom: first, through: last) >= ClockEstimate.widerPairs
  }

  /// The server's time of a device time, and the largest error; nil where nothing is known.
  func corrected(_ deviceAt: Int64) -> (at: Int64, error: Int64)? {
    guard let estimate = clock.offset(at: deviceAt) else { return nil }
    return (deviceAt &- estimate.offset, estimate.error)
  }

  /// The server's time of a device time; without any exact link the device's clock is taken as right.
  func assumed(_ deviceAt: Int64) -> (at: Int64, error: Int64) {
    corrected(deviceAt) ?? (deviceAt, ClockEstimate.singleError)
  }

  // MARK: Collapse ids

  private mutating func linkByCollapse(_ records: RecordSet) {
    guard !pendingRequest.isEmpty else { return }
    // Sends by collapse id, by time.
    var sendsOfCollapse: [UInt64: [(at: Int64, unit: Int)]] = [:]
    var unitsOfRequest: [UInt64: [Int]] = [:]
    for index in notifications.indices {
      for place in notifications[index].sends {
        let send = records.sends[Int(place)]
        if send.collapse.isPresent, send.status == 200 {
          sendsOfCollapse[send.collapse.hash, default: []].append((send.at, index))
        }
      }
      for place in notifications[index].events {
        let event = records.events[Int(place)]
        if event.request.isPresent, unitsOfRequest[event.request.hash]?.last != index {
          unitsOfRequest[event.request.hash, default: []].append(index)
        }
      }
    }
    for key in sendsOfCollapse.keys { sendsOfCollapse[key]?.sort { $0.at < $1.at } }

    struct Open {
      var unit: Int
      var lastAt: Int64
      var link: LinkKey
      var sentAt: Int64
    }
    var open: [UInt64: Open] = [:]
    for place in pendingRequest {
      let event = records.events[Int(place)]
      let hash = event.request.isPresent ? event.request.hash : event.collapse.hash
      let isStart = event.name == .nseDidReceive || event.name == .appWillPresent
      // The same delivery as the record before.
      if let current = open[hash], !isStart,
        sendsOfCollapse[hash] == nil || event.at - current.lastAt <= InstallationJoin.runWindow
      {
        open[hash]?.lastAt = event.at
        add(place, to: current.unit, current.link)
        continue
      }
      // A run that other records tie by an id of their own.
      if sendsOfCollapse[hash] == nil, let units = unitsOfRequest[hash], let unit = units.last {
        open[hash] = Open(unit: unit, lastAt: event.at, link: .sameRun, sentAt: .min)
        add(place, to: unit, .sameRun)
        continue
      }
      if let sends = sendsOfCollapse[hash] {
        let time = assumed(event.at)
        let limit = time.at &+ max(time.error, InstallationJoin.idSlack)
        var last = -1
        for (index, send) in sends.enumerated() where send.at <= limit { last = index }
        // The only send with this id, and a clock that nothing corrects or that is not far off.
        if last < 0, sends.count == 1,
          corrected(event.at) == nil || sends[0].at &- time.at <= InstallationJoin.guessWindow
        {
          last = 0
        }
        if last >= 0 {
          let previous = open[hash]?.sentAt ?? .min
          // Several sends since the last one that the phone showed a record of: which came is open.
          // Several of one notification (two logs of one request, a repeated one) leave it closed.
          var isOpen = false
          var index = last
          while index >= 0, sends[index].at > previous {
            if sends[index].unit != sends[last].unit { isOpen = true }
            index -= 1
          }
          let link: LinkKey = isOpen ? .collapseGuess : .collapseID
          open[hash] = Open(
            unit: sends[last].unit, lastAt: event.at, link: link, sentAt: sends[last].at)
          add(place, to: sends[last].unit, link)
          continue
        }
      }
      let unit: Int
      if let current = open[hash] {
        unit = current.unit
      } else {
        unit = notifications.count
        notifications.append(JoinedNotification())
      }
      open[hash] = Open(unit: unit, lastAt: event.at, link: .own, sentAt: .min)
      add(place, to: unit, .own)
    }
  }

  // MARK: Time alone

  private mutating func linkByTime(_ records: RecordSet) {
    // Events without any id first join a run that is open at their time, else open one.
    var openUnit: Int?
    var openAt: Int64 = .min
    for place in pendingBare {
      let event = records.events[Int(place)]
      let isStart = event.name == .nseDidReceive
      if !isStart, let unit = openUnit, event.at - openAt <= InstallationJoin.runWindow {
        add(place, to: unit, .sameRun)
        openAt = event.at
        continue
      }
      guard InstallationJoin.canOpen(event.name) else {
        unlinked.append(place)
        continue
      }
      let unit = notifications.count
      notifications.append(JoinedNotification())
      add(place, to: unit, .own)
      openUnit = unit
      openAt = event.at
    }
    matchByTime(records)
  }

  /// Records that stand for a notification even without an id.
  private static func canOpen(_ name: Symbol) -> Bool {
    name == .nseDidReceive || name == .appWillPresent || name == .appPresented
      || name == .appBackgroundLaunch || name == .appVoipReceived || name == .appOpened
      || name == .contentExtDidReceive || name == .appAction || name == .appReplied
  }

  /// Records that only a push brings about: a local notification is shown too, and runs no extension.
  private static func needsPush(_ name: Symbol) -> Bool {
    name == .nseDidReceive || name == .appBackgroundLaunch || name == .appVoipReceived
  }

  /// Ties notifications that only the device knows to sends that no device record claims.
  private mutating func matchByTime(_ records: RecordSet) {
    var freeSends: [(at: Int64, unit: Int)] = []
    var freeRuns: [(at: Int64, error: Int64, unit: Int, isArrival: Bool)] = []
    for index in notifications.indices {
      let notification = notifications[index]
      if notification.events.isEmpty {
        // Accepted sends only: what APNs refused never came.
        if let place = notification.sends.last(where: { records.sends[Int($0)].status == 200 }) {
          freeSends.append((records.sends[Int(place)].at, index))
        }
      } else if notification.sends.isEmpty {
        let first = records.events[
          Int(
            notification.events.min { records.events[Int($0)].at < records.events[Int($1)].at } ?? 0
          )]
        let time = assumed(first.at)
        let isArrival =
          InstallationJoin.isArrival(first.name) || InstallationJoin.isExtensionRecord(first.name)
        freeRuns.append((time.at, time.error, index, isArrival))
      }
    }
    guard !freeSends.isEmpty, !freeRuns.isEmpty else { return }
    freeSends.sort { ($0.at, $0.unit) < ($1.at, $1.unit) }
    freeRuns.sort { ($0.at, $0.unit) < ($1.at, $1.unit) }
    var takenSend = [Bool](repeating: false, count: freeSends.count)
    var takenRun = [Bool](repeating: false, count: freeRuns.count)
    /// The first send from a moment on.
    func firstSend(from moment: Int64) -> Int {
      (0..<freeSends.count).firstPlace { freeSends[$0].at < moment }
    }
    // First near pairs, nearest first; then late arrivals that leave no choice.
    var pairs: [(distance: Int64, send: Int, run: Int)] = []
    for (runIndex, run) in freeRuns.enumerated() where run.isArrival {
      for sendIndex in firstSend(from: run.at &- InstallationJoin.guessWindow)..<freeSends.count {
        let send = freeSends[sendIndex]
        let distance = run.at - send.at
        if distance < -run.error { break }
        guard fits(notifications[send.unit], notifications[run.unit], records) else { continue }
        pairs.append((abs(distance), sendIndex, runIndex))
      }
    }
    pairs.sort { ($0.distance, $0.send, $0.run) < ($1.distance, $1.send, $1.run) }
    var merges: [(send: Int, run: Int)] = []
    for pair in pairs where !takenSend[pair.send] && !takenRun[pair.run] {
      takenSend[pair.send] = true
      takenRun[pair.run] = true
      merges.append((freeSends[pair.send].unit, freeRuns[pair.run].unit))
    }
    // Then late arrivals that leave no choice, and what was listed or opened soon after a send. When that
    // happens says nothing of when it came, so it leaves no choice either if it came within a day.
    for (runIndex, run) in freeRuns.enumerated() where !takenRun[runIndex] {
      var candidate: Int?
      var count = 0
      for sendIndex in firstSend(from: run.at &- InstallationJoin.lateWindow)..<freeSends.count
      where !takenSend[sendIndex] {
        let send = freeSends[sendIndex]
        if run.at - send.at < (run.isArrival ? 0 : -run.error) { break }
        guard fits(notifications[send.unit], notifications[run.unit], records) else { continue }
        candidate = sendIndex
        count += 1
      }
      if let candidate, run.isArrival,
        let event = notifications[run.unit].events.first(where: {
          InstallationJoin.needsPush(records.events[Int($0)].name)
        })
      {
        lateArrivals.append((freeSends[candidate].at, event))
      }
      // APNs keeps one notification for an app that is out of reach (F1.19): with several sends
      // left, which of them came cannot be told.
      guard count == 1, let sendIndex = candidate,
        run.isArrival || run.at - freeSends[sendIndex].at <= InstallationJoin.guessWindow
      else { continue }
      takenSend[sendIndex] = true
      takenRun[runIndex] = true
      merges.append((freeSends[sendIndex].unit, run.unit))
    }
    guard !merges.isEmpty else { return }
    var isGone = [Bool](repeating: false, count: notifications.count)
    for merge in merges {
      for place in notifications[merge.run].events {
        add(place, to: merge.send, .timeGuess)
      }
      isGone[merge.run] = true
    }
    var kept: [JoinedNotification] = []
    kept.reserveCapacity(notifications.count - merges.count)
    for index in notifications.indices where !isGone[index] { kept.append(notifications[index]) }
    notifications = kept
  }

  /// Whether nothing that both sides say contradicts that they are one notification.
  private func fits(
    _ sent: JoinedNotification, _ seen: JoinedNotification, _ records: RecordSet
  ) -> Bool {
    guard let place = sent.sends.last else { return false }
    let send = records.sends[Int(place)]
    for eventPlace in seen.events {
      let event = records.events[Int(eventPlace)]
      if send.notification.isPresent, event.notification.isPresent { return false }
      if send.apns.isPresent, event.apns.isPresent { return false }
      if send.collapse.isPresent, event.request.isPresent,
        send.collapse.hash != event.request.hash,
        digestOfIdentifier[send.collapse.hash] != event.request.hash
      {
        return false
      }
    }
    return true
  }

  // MARK: Order inside a notification

  private mutating func orderEvents(_ records: RecordSet) {
    func isEarlier(_ left: UInt32, _ right: UInt32) -> Bool {
      let a = records.events[Int(left)]
      let b = records.events[Int(right)]
      // The counter decides within one log; a clock may be wrong.
      if a.log == b.log, a.log.code >= 2, a.sequence != .min, b.sequence != .min,
        a.sequence != b.sequence
      {
        return a.sequence < b.sequence
      }
      if a.at != b.at { return a.at < b.at }
      if a.sequence != b.sequence { return a.sequence < b.sequence }
      return a.name.index < b.name.index
    }
    for index in notifications.indices where notifications[index].events.count > 1 {
      // They are added by time, which is their order as a rule.
      let list = notifications[index].events
      if (1..<list.count).allSatisfy({ !isEarlier(list[$0], list[$0 - 1]) }) { continue }
      let events = Array(list)
      let links = Array(notifications[index].eventLinks)
      var order = Array(events.indices)
      order.sort { isEarlier(events[$0], events[$1]) }
      for (place, from) in order.enumerated() {
        notifications[index].events[place] = events[from]
        notifications[index].eventLinks[place] = links[from]
      }
    }
  }

  // MARK: Coverage and tokens

  private var runScratch: [(log: UInt32, sequence: Int64, place: UInt32)] = []

  private mutating func collectRuns(_ records: RecordSet, _ carried: CarriedState) {
    runs.removeAll(keepingCapacity: true)
    runScratch.removeAll(keepingCapacity: true)
    for place in eventOrder {
      let event = records.events[Int(place)]
      // A record that says that others were lost links nothing: its number parts two runs.
      guard event.sequence != .min, event.name != .systemLogGap else { continue }
      runScratch.append((event.log.code, event.sequence, place))
    }
    if !runScratch.isEmpty {
      // Without a log id the counter may have started anew: then time decides, and a step back in
      // the counter ends the run.
      let hasBareLog = runScratch.contains { $0.log < 2 }
      if hasBareLog {
        runScratch.sort { left, right in
          if left.log != right.log { return left.log < right.log }
          if left.log >= 2 { return (left.sequence, left.place) < (right.sequence, right.place) }
          let a = records.events[Int(left.place)]
          let b = records.events[Int(right.place)]
          return (a.at, a.sequence) < (b.at, b.sequence)
        }
      } else {
        runScratch.sort {
          ($0.log, $0.sequence, $0.place) < ($1.log, $1.sequence, $1.place)
        }
      }
      for entry in runScratch {
        let event = records.events[Int(entry.place)]
        let isExtension = InstallationJoin.isExtensionRecord(event.name)
        if let last = runs.last, last.log == event.log,
          entry.sequence == last.last &+ 1 || entry.sequence == last.last
        {
          runs[runs.count - 1].last = entry.sequence
          runs[runs.count - 1].lastAt = event.at
          runs[runs.count - 1].lastReference = event.reference
          if isExtension {
            runs[runs.count - 1].holdsExtension = true
          } else {
            runs[runs.count - 1].holdsApp = true
          }
        } else {
          runs.append(
            CoverageRun(
              log: event.log, first: entry.sequence, last: entry.sequence, firstAt: event.at,
              lastAt: event.at, holdsApp: !isExtension, holdsExtension: isExtension,
              firstReference: event.reference, lastReference: event.reference))
        }
      }
    }
    if !carried.runs.isEmpty {
      runs.append(contentsOf: carried.runs)
      CoverageRun.merge(&runs)
    }
  }

  /// Records that an extension writes, by their names.
  public static func isExtensionRecord(_ name: Symbol) -> Bool {
    let first = Symbol(.nseDidReceive).index
    let last = Symbol(.nseWillExpire).index
    let isHandoff =
      name.index >= Symbol(.handoffActivated).index && name.index <= Symbol(.handoffCompleted).index
    return (name.index >= first && name.index <= last) || name == .contentExtDidReceive
      || name == .contentExtFailed || name == .contentExtAction || isHandoff
  }

  private mutating func collectTokens(_ records: RecordSet, _ carried: CarriedState) {
    tokens = carried.tokens
    for place in installationEvents {
      let event = records.events[Int(place)]
      guard event.token.isPresent else { continue }
      guard event.name == .appRegistered || event.name == .deviceHeartbeat else { continue }
      let environment = InstallationJoin.text(.apsEnvironment, of: event, records)
      let kind = InstallationJoin.text(.kind, of: event, records)
      if let index = tokens.firstIndex(where: { $0.token == event.token }) {
        if event.at < tokens[index].firstSeen {
          tokens[index].firstSeen = event.at
          tokens[index].reference = event.reference
        }
        // The last record that says it; an earlier one that is read later, where none has yet.
        let isLast = event.at >= tokens[index].lastSeen
        if isLast { tokens[index].lastSeen = event.at }
        if environment.code >= 2, isLast || tokens[index].environment.code < 2 {
          tokens[index].environment = environment
        }
        if kind.code >= 2, isLast || tokens[index].kind.code < 2 { tokens[index].kind = kind }
      } else {
        tokens.append(
          TokenSpan(
            token: event.token, firstSeen: event.at, lastSeen: event.at, environment: environment,
            kind: kind, reference: event.reference))
      }
    }
    tokens.sort { ($0.firstSeen, $0.token.high) < ($1.firstSeen, $1.token.high) }
  }

  static func text(_ key: Word, of event: EventRecord, _ records: RecordSet) -> TextValue {
    let symbol = Symbol(key)
    let first = Int(event.firstAttribute)
    for index in first..<first + Int(event.attributeCount)
    where records.attributes[index].key == symbol {
      let attribute = records.attributes[index]
      if attribute.kind == .text {
        return TextValue(Symbol(index: UInt32(truncatingIfNeeded: attribute.bits)))
      }
      if attribute.kind == .null { return .null }
    }
    return .absent
  }

  // MARK: Identities

  private mutating func finishIdentities(_ records: RecordSet) {
    var lastSendOfCollapse: [UInt64: (unit: Int, at: Int64)] = [:]
    for index in notifications.indices {
      for place in notifications[index].sends {
        let send = records.sends[Int(place)]
        if !notifications[index].notification.isPresent {
          notifications[index].notification = send.notification
        }
        if send.apns.isPresent { notifications[index].apns = send.apns }
        if send.collapse.isPresent { notifications[index].collapse = send.collapse }
      }
      var hasClearRequest = false
      for place in notifications[index].events {
        let event = records.events[Int(place)]
        if !notifications[index].notification.isPresent {
          notifications[index].notification = event.notification
        }
        if !notifications[index].apns.isPresent { notifications[index].apns = event.apns }
        if !notifications[index].collapse.isPresent {
          notifications[index].collapse = event.collapse
        }
        // An identifier in clear, else the short id that stands for it in system logs.
        let isClear = !event.name.isSystemEvent
        if !notifications[index].request.isPresent || (isClear && !hasClearRequest),
          event.request.isPresent
        {
          notifications[index].request = event.request
          hasClearRequest = isClear
        }
      }
    }
    guard notifications.contains(where: { $0.collapse.isPresent }) else { return }
    let byTime = notifications.indices.filter { !notifications[$0].sends.isEmpty }.sorted {
      records.sends[Int(notifications[$0].sends[0])].at
        < records.sends[Int(notifications[$1].sends[0])].at
    }
    for index in byTime.reversed() {
      let notification = notifications[index]
      guard notification.collapse.isPresent, let place = notification.sends.last else { continue }
      let at = records.sends[Int(place)].at
      if let later = lastSendOfCollapse[notification.collapse.hash], later.at > at,
        later.at - at <= InstallationJoin.replacementWindow
      {
        notifications[index].replacedBy = notifications[later.unit].sends.last
      }
      lastSendOfCollapse[notification.collapse.hash] = (index, at)
    }
  }
}

/// Whether two records are the same record read twice: all but their place is equal.
enum RecordEquality {
  /// Of equal records the one that is stored already stays, then the one that was read first.
  static func isEarlier(
    _ a: RecordReference, _ aRaw: RawPlace, _ b: RecordReference, _ bRaw: RawPlace
  ) -> Bool {
    if aRaw.isStored != bRaw.isStored { return aRaw.isStored }
    return (a.source, a.line) < (b.source, b.line)
  }

  static func areEqual(_ left: UInt32, _ right: UInt32, in records: RecordSet) -> Bool {
    let a = records.sends[Int(left)]
    let b = records.sends[Int(right)]
    return a.at == b.at && a.notification.hash == b.notification.hash
      && a.apns.hash == b.apns.hash && a.collapse.hash == b.collapse.hash
      && a.token == b.token && a.status == b.status && a.attempt == b.attempt
      && a.reason == b.reason && a.unregisteredAt == b.unregisteredAt
      && a.environment == b.environment && a.host == b.host && a.topic == b.topic
      && a.pushType == b.pushType && a.priority == b.priority && a.expiration == b.expiration
      && a.channel == b.channel && a.shape == b.shape && a.payloadBytes == b.payloadBytes
      && a.provider == b.provider && a.campaign == b.campaign && a.error == b.error
      && a.expects == b.expects && a.tokenKind == b.tokenKind && a.keyID == b.keyID
      && a.teamID == b.teamID && a.jwtIssuedAt == b.jwtIssuedAt && a.sender == b.sender
      && a.answeredAfter == b.answeredAfter && a.receiptStatus == b.receiptStatus
      && a.receiptReason == b.receiptReason
      // Both are of one installation; what counts is whether the sender named it.
      && (a.installation == 0) == (b.installation == 0)
      && a.collapseIsNull == b.collapseIsNull
  }

  static func areEqual(event left: UInt32, _ right: UInt32, in records: RecordSet) -> Bool {
    let a = records.events[Int(left)]
    let b = records.events[Int(right)]
    guard
      a.at == b.at && a.sequence == b.sequence && a.name == b.name
        && a.notification.hash == b.notification.hash && a.apns.hash == b.apns.hash
        && a.request.hash == b.request.hash && a.collapse.hash == b.collapse.hash
        && a.log == b.log && a.token == b.token && a.attributeCount == b.attributeCount
        && records.origins[Int(a.origin)] == records.origins[Int(b.origin)]
    else { return false }
    for offset in 0..<Int(a.attributeCount) {
      let x = records.attributes[Int(a.firstAttribute) + offset]
      let y = records.attributes[Int(b.firstAttribute) + offset]
      guard x.key == y.key, x.kind == y.kind else { return false }
      if x.kind == .url {
        guard records.urls[Int(x.bits)] == records.urls[Int(y.bits)] else { return false }
      } else if x.bits != y.bits {
        return false
      }
    }
    return true
  }
}
