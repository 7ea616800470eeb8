import PushModel

/// Ties the events of system logs, crash reports and memory reports to notifications.
///
/// Such records name no installation, and a notification only by the short id of its request
/// (F11.5), by the run of its extension, by a process number, or not at all. Within the phone and
/// the app: a short id ties exactly to the id that it is made of, if that came near in time; a run
/// and a process number tie to what an id tied; the rest belongs to the only request that was
/// being worked on at its time, or, where there were several, to the newest one as a guess. Nothing
/// here ever says that something did not happen: logs of a system keep what they like.
extension InstallationJoin {
  /// Whether an event comes from a log of the whole phone, or from a file of an app's own, and names
  /// no notification in clear: what such logs give says which process logged it, or that it is one.
  static func isFromPhoneLog(_ event: EventRecord, _ records: RecordSet) -> Bool {
    if event.name.isSystemEvent { return true }
    guard !event.hasIdentifier, event.sequence == .min else { return false }
    return text(.process, of: event, records) != .absent || isOfOwnFile(event, records)
  }

  private static func isOfOwnFile(_ event: EventRecord, _ records: RecordSet) -> Bool {
    text(.by, of: event, records).symbol == Symbol(.ownFile)
  }

  /// Records of the phone, of no notification.
  private static func isPhoneRecord(_ name: Symbol) -> Bool {
    name == .systemMetrics || name == .systemLogGap || name == .systemTopicsChanged
      || name == .systemContentExtensionLoaded || name == .systemUnknownToFrontboard
      || name == .systemWatchOnly || name == .systemSimulator
  }

  /// Lines that come before the one that gives the short id.
  private static func isBeforeRequest(_ name: Symbol) -> Bool {
    name == .systemDaemonReceived || name == .systemDaemonStored || name == .systemHandedOver
      || name == .systemDaemonAcknowledged || name == .systemIncoming
  }

  /// Lines that end the way of a push before it gets a short id.
  private static func endsBeforeRequest(_ name: Symbol) -> Bool {
    name == .systemAppUninstalled || name == .systemAppRestricted
      || name == .systemAppUnregistered || name == .systemPushDisabled
      || name == .systemRequestInvalid
  }

  /// A request that the phone worked on.
  private struct Request {
    var unit: Int
    var app: UInt32
    var firstAt: Int64
    var lastAt: Int64
    var link: LinkKey
  }

  private struct PhoneLog {
    var requests: [Request] = []
    /// By short id, place in ``requests``.
    var ofDigest: [UInt64: Int] = [:]
    var ofSession: [UInt32: Int] = [:]
    /// Sessions that some line ties to a short id.
    var digestOfSession: [UInt32: UInt64] = [:]
    var ofProcess: [Int64: Int] = [:]
    /// Lines that wait for the request that they came before.
    var early: [(place: UInt32, app: UInt32, at: Int64)] = []
  }

  /// How long lines before a request stand before its own.
  private static let earlyWindow: Int64 = 5_000_000
  /// How long a request is worked on: the extension's time (F4.21) with some room.
  private static let workWindow: Int64 = 35_000_000
  /// How long the system may hold a silent push back before it wakes the app, as far as a line about
  /// it is still taken for this one.
  private static let wakeWindow: Int64 = 900_000_000
  /// How long after its last line the same short id is taken for the same delivery.
  private static let sameDelivery: Int64 = 600_000_000
  /// How long APNs may keep a notification (F1.19).
  private static let storageWindow: Int64 = 30 * 86_400_000_000

  mutating func linkByPhoneLog(_ records: RecordSet) {
    guard !pendingPhone.isEmpty else { return }
    let known = digestsOfUnits(records)
    let apps = ownApps(records)
    var log = PhoneLog()
    for place in pendingPhone {
      let event = records.events[Int(place)]
      guard event.request.isPresent,
        let session = InstallationJoin.text(.session, of: event, records).symbol
      else { continue }
      log.digestOfSession[session.index] = event.request.hash
    }
    for place in pendingPhone {
      let event = records.events[Int(place)]
      let app = app(of: event, records, among: apps)
      if InstallationJoin.isPhoneRecord(event.name) || (!apps.isEmpty && app == .max) {
        unlinked.append(place)
        continue
      }
      settleEarly(&log, before: event.at - InstallationJoin.earlyWindow, records)
      if InstallationJoin.isBeforeRequest(event.name) {
        log.early.append((place, app, event.at))
        continue
      }
      if event.request.isPresent {
        let request = request(of: event, app, known, &log, records)
        take(place, event, into: request, isOwn: true, app: app, &log, records)
      } else if InstallationJoin.endsBeforeRequest(event.name) {
        open(place, event, app, &log)
      } else {
        linkWithoutDigest(place, event, app, &log, records)
      }
    }
    settleEarly(&log, before: .max, records)
  }

  // MARK: By short id

  private struct Candidate {
    var at: Int64
    var unit: Int
    var isSend: Bool
  }

  /// Notifications by the short id of what they carry in clear.
  private mutating func digestsOfUnits(_ records: RecordSet) -> [UInt64: [Candidate]] {
    var found: [UInt64: [Candidate]] = [:]
    for unit in notifications.indices {
      for place in notifications[unit].sends {
        let send = records.sends[Int(place)]
        guard send.collapse.isPresent else { continue }
        let digest = digest(of: send.collapse, records)
        // What APNs refused never came (an attempt without an answer may have).
        guard send.status == 200 || send.status <= 0 else { continue }
        found[digest, default: []].append(Candidate(at: send.at, unit: unit, isSend: true))
      }
      for place in notifications[unit].events {
        let event = records.events[Int(place)]
        guard event.request.isPresent, !event.name.isSystemEvent else { continue }
        let digest = digest(of: event.request, records)
        found[digest, default: []].append(Candidate(at: event.at, unit: unit, isSend: false))
      }
    }
    for key in found.keys { found[key]?.sort { ($0.at, $0.unit) < ($1.at, $1.unit) } }
    return found
  }

  private mutating func digest(of identifier: Identifier, _ records: RecordSet) -> UInt64 {
    if let known = digestOfIdentifier[identifier.hash] { return known }
    let hash = StableHash.ofIdentifier(RequestDigest.text(of: records.text(identifier.text)))
    digestOfIdentifier[identifier.hash] = hash
    return hash
  }

  /// The request that a line with a short id is about, opened if it is new.
  private mutating func request(
    of event: EventRecord, _ app: UInt32, _ known: [UInt64: [Candidate]], _ log: inout PhoneLog,
    _ records: RecordSet
  ) -> Int {
    let digest = event.request.hash
    let current = log.ofDigest[digest]
    if let current {
      let since = event.at - log.requests[current].lastAt
      let comesAgain = event.name == .systemRequestReceived && since > 2_000_000
      if !comesAgain, since <= InstallationJoin.sameDelivery { return current }
    }
    let previous = current.map { log.requests[$0].firstAt } ?? .min
    var unit = notifications.count
    var link = LinkKey.own
    if let found = match(event.at, known[digest] ?? [], after: previous) {
      (unit, link) = found
    } else {
      notifications.append(JoinedNotification())
    }
    log.requests.append(
      Request(unit: unit, app: app, firstAt: event.at, lastAt: event.at, link: link))
    let request = log.requests.count - 1
    log.ofDigest[digest] = request
    flushEarly(&log, into: request, records)
    return request
  }

  /// The notification of a short id at a device time: one that the device's own records of that
  /// moment carry, else the last send before; of several sends since the last delivery, which of
  /// them came is open.
  private func match(
    _ deviceAt: Int64, _ candidates: [Candidate], after previous: Int64
  ) -> (Int, LinkKey)? {
    let near = candidates.filter {
      !$0.isSend && abs($0.at - deviceAt) <= InstallationJoin.workWindow
    }
    if let best = near.min(by: { abs($0.at - deviceAt) < abs($1.at - deviceAt) }) {
      return (best.unit, .digest)
    }
    let time = assumed(deviceAt)
    let limit = time.at &+ time.error
    let sends = candidates.filter {
      $0.isSend && $0.at <= limit && limit - $0.at <= InstallationJoin.storageWindow
    }
    guard let last = sends.last else { return nil }
    let since = previous == .min ? Int64.min : assumed(previous).at
    let units = Set(sends.filter { $0.at > since }.map(\.unit))
    return (last.unit, units.count > 1 ? .collapseGuess : .digest)
  }

  // MARK: Without a short id

  private mutating func linkWithoutDigest(
    _ place: UInt32, _ event: EventRecord, _ app: UInt32, _ log: inout PhoneLog,
    _ records: RecordSet
  ) {
    let session = InstallationJoin.text(.session, of: event, records).symbol?.index
    let process = InstallationJoin.integer(.pid, of: event, records)
    var request: Int?
    if let session {
      request =
        log.ofSession[session] ?? log.digestOfSession[session].flatMap { log.ofDigest[$0] }
    }
    if request == nil, let process, let known = log.ofProcess[process],
      event.at - log.requests[known].lastAt <= 2 * InstallationJoin.workWindow
    {
      request = known
    }
    if let request {
      return take(place, event, into: request, isOwn: false, &log, records)
    }
    let isWake = event.name == .systemWakeQueued || event.name == .systemWakeCancelled
    let window = isWake ? InstallationJoin.wakeWindow : InstallationJoin.workWindow
    let open = log.requests.indices.reversed().prefix { place in
      event.at - log.requests[place].firstAt <= window
    }.filter {
      app == 0 || app == .max || log.requests[$0].app == 0 || log.requests[$0].app == app
    }
    // A line about a process alone names neither app nor request.
    let namesNothing = app == 0 || app == .max
    let isOwnRecord = !event.name.isSystemEvent && event.name != .nseCrashed
    if isOwnRecord, event.name != .nseDidReceive,
      let run = runOfExtension(at: event.at, event, records)
    {
      add(place, to: run.unit, run.isOnly ? .sameRun : .timeGuess)
    } else if let newest = open.first {
      let isOnly = open.count == 1 && !namesNothing
      take(place, event, into: newest, isOwn: false, isGuess: !isOnly, &log, records)
    } else if event.name == .nseDidReceive {
      // The extension ran: that stands for a notification, whatever else is known.
      log.requests.append(
        Request(
          unit: notifications.count, app: namesNothing ? 0 : app, firstAt: event.at,
          lastAt: event.at, link: .own))
      notifications.append(JoinedNotification())
      take(place, event, into: log.requests.count - 1, isOwn: true, &log, records)
    } else if event.name == .nseCrashed || event.name == .systemKilledForMemory
      || event.name == .systemMemoryExceeded,
      let run = runOfExtension(at: event.at, event, records)
    {
      add(place, to: run.unit, .timeGuess)
    } else {
      unlinked.append(place)
    }
  }

  /// The notification whose run of the extension, by the device's own records, a moment falls into.
  private func runOfExtension(
    at moment: Int64, _ crash: EventRecord, _ records: RecordSet
  ) -> (unit: Int, isOnly: Bool)? {
    let bundle = records.origins[Int(crash.origin)].bundle
    var best: (at: Int64, unit: Int)?
    var units: Set<Int> = []
    for unit in notifications.indices {
      for place in notifications[unit].events {
        let event = records.events[Int(place)]
        guard event.name == .nseDidReceive, event.at <= moment + 1_000_000,
          moment - event.at <= InstallationJoin.workWindow
        else { continue }
        let own = records.origins[Int(event.origin)].bundle
        guard bundle == .empty || own == .empty || own == bundle else { continue }
        units.insert(unit)
        if event.at > best?.at ?? .min { best = (event.at, unit) }
      }
    }
    return best.map { ($0.unit, units.count == 1) }
  }

  // MARK: Adding

  private mutating func take(
    _ place: UInt32, _ event: EventRecord, into request: Int, isOwn: Bool, isGuess: Bool = false,
    app: UInt32 = 0, _ log: inout PhoneLog, _ records: RecordSet
  ) {
    let entry = log.requests[request]
    let link: LinkKey =
      entry.link.isGuess ? entry.link : isGuess ? .timeGuess : isOwn ? entry.link : .sameRun
    add(place, to: entry.unit, link)
    log.requests[request].lastAt = max(entry.lastAt, event.at)
    if entry.app == 0, isOwn { log.requests[request].app = app }
    guard !isGuess else { return }
    if let session = InstallationJoin.text(.session, of: event, records).symbol {
      log.ofSession[session.index] = request
    }
    if let process = InstallationJoin.integer(.pid, of: event, records) {
      log.ofProcess[process] = request
    }
  }

  /// A line that stands for a push which got no short id.
  private mutating func open(
    _ place: UInt32, _ event: EventRecord, _ app: UInt32, _ log: inout PhoneLog
  ) {
    let unit = notifications.count
    notifications.append(JoinedNotification())
    for entry in log.early where entry.app == app || entry.app == 0 {
      add(entry.place, to: unit, .sameRun)
    }
    log.early.removeAll { $0.app == app || $0.app == 0 }
    add(place, to: unit, .own)
  }

  private mutating func flushEarly(
    _ log: inout PhoneLog, into request: Int, _ records: RecordSet
  ) {
    let app = log.requests[request].app
    let link = log.requests[request].link
    var kept: [(place: UInt32, app: UInt32, at: Int64)] = []
    for entry in log.early {
      guard entry.app == app || entry.app == 0 || app == 0 else {
        kept.append(entry)
        continue
      }
      // A line that hides its topic may be about another app's push.
      let isNamed = entry.app == app && app != 0
      add(
        entry.place, to: log.requests[request].unit,
        link.isGuess ? link : isNamed ? .sameRun : .timeGuess)
      log.requests[request].firstAt = min(log.requests[request].firstAt, entry.at)
    }
    log.early = kept
  }

  /// Lines before a request that never came stand for a push of their own, if they name its app.
  private mutating func settleEarly(
    _ log: inout PhoneLog, before limit: Int64, _ records: RecordSet
  ) {
    while let first = log.early.first, first.at < limit {
      guard first.app != 0 else {
        unlinked.append(first.place)
        log.early.removeFirst()
        continue
      }
      let unit = notifications.count
      notifications.append(JoinedNotification())
      let end = first.at + InstallationJoin.earlyWindow
      for entry in log.early where entry.app == first.app && entry.at <= end {
        add(entry.place, to: unit, entry.place == first.place ? .own : .sameRun)
      }
      log.early.removeAll { $0.app == first.app && $0.at <= end }
    }
  }

  // MARK: Apps

  /// Bundle ids that this installation's own records name: of its app, and of its extensions.
  private func ownApps(_ records: RecordSet) -> Set<UInt32> {
    var apps: Set<UInt32> = []
    for place in sendOrder {
      if let topic = records.sends[Int(place)].topic.symbol { apps.insert(topic.index) }
    }
    for place in eventOrder {
      let event = records.events[Int(place)]
      guard !InstallationJoin.isFromPhoneLog(event, records) else { continue }
      let bundle = records.origins[Int(event.origin)].bundle
      if bundle != .empty { apps.insert(bundle.index) }
    }
    return apps
  }

  /// The app that an event is about: 0 = it names none, `UInt32.max` = another one than this.
  private func app(
    of event: EventRecord, _ records: RecordSet, among own: Set<UInt32>
  ) -> UInt32 {
    let bundle = records.origins[Int(event.origin)].bundle
    guard bundle != .empty else { return 0 }
    let parent = parentBundles[bundle.index]
    if own.isEmpty {
      // Nothing else is known of this phone: an extension's lines go with its app's.
      return isExtensionBundle(bundle, records) ? parent?.index ?? bundle.index : bundle.index
    }
    if own.contains(bundle.index) {
      if let parent, own.contains(parent.index) { return parent.index }
      return bundle.index
    }
    if let parent, own.contains(parent.index) { return parent.index }
    // The own records may be the extension's alone.
    for other in own where parentBundles[other] == bundle { return bundle.index }
    return .max
  }

  /// Whether another bundle of these records is the one that this one extends.
  private func isExtensionBundle(_ bundle: Symbol, _ records: RecordSet) -> Bool {
    guard let parent = parentBundles[bundle.index], parent != .empty else { return false }
    return records.origins.contains { $0.bundle == parent }
  }

  static func integer(_ key: Word, of event: EventRecord, _ records: RecordSet) -> Int64? {
    let symbol = Symbol(key)
    let first = Int(event.firstAttribute)
    for index in first..<first + Int(event.attributeCount)
    where records.attributes[index].key == symbol && records.attributes[index].kind == .integer {
      return records.attributes[index].bits
    }
    return nil
  }
}
