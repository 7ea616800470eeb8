public import PushModel

/// Makes the chains of one installation, in order of their times, so that what was in force
/// (settings, categories, versions) is carried along instead of looked up.
public struct ChainBuilder {
  private var order: [(at: Int64, unit: Int)] = []
  private var nextContext = 0
  private var installation = Installation()
  private var origin = Origin.none
  private var appBundle = Symbol(.empty)
  private var categories: (first: UInt32, count: Int, reference: RecordReference)?
  private var storedArrivals: [StoredArrival] = []
  /// Sends that a record of their arrival is tied to by an id, with their tokens, by time.
  private var arrivedSends: [(at: Int64, token: TokenRecord)] = []
  /// Topics that APNs accepted, with their tokens, by time.
  private var acceptedTopics: [(at: Int64, token: TokenRecord, topic: Symbol)] = []
  /// Whether the records around the notification name two releases or two versions of the OS, or
  /// no record before it names any.
  private var isOriginUnclear = false
  /// The releases before and behind the notification, where they are not the same.
  private var originsAround: (before: Origin, behind: Origin)?
  /// When the Focus was last recorded, by the device's clock.
  private var focusRecordedAt: Int64?

  /// A notification that APNs kept until the phone came back.
  private struct StoredArrival {
    var sentAt: Int64
    var arrivedAt: Int64
    /// How late an arrival of its priority has to be.
    var delay: Int64
    var reference: RecordReference
  }

  /// What other hand-offs of the installation need to know of one.
  private struct HandoffTrace {
    var unit: Int
    var firstAt: Int64
    var writtenAt: Int64?
    var hasReachedApp = false
  }

  /// The hand-offs of the installation.
  private var handoffs: [HandoffTrace] = []

  /// How late an arrival is that waited for the phone.
  private static let storedDelay: Int64 = 60 * 1_000_000
  /// The same with priority 10, which reaches a phone in reach at once (F1.15).
  private static let urgentStoredDelay: Int64 = 15 * 1_000_000
  /// How far a clock may be off of which nothing is known.
  private static let unknownClockError: Int64 = 30 * 60 * 1_000_000
  /// How far around a notification its release, its token and its siblings are looked for: as far
  /// as a batch looks around its records.
  private static let day: Int64 = 24 * 3600 * 1_000_000

  /// An empty builder; reuse it from installation to installation.
  public init() {}

  /// Makes a chain of every notification of the join and hands it to `body`.
  ///
  /// The chain is a buffer of the caller; `body` gets the place of the notification in
  /// ``InstallationJoin/notifications`` and the release that it belongs to. Of a notification that
  /// `isNeeded`, asked first, says no to, no chain is made.
  public mutating func forEachChain(
    of join: borrowing InstallationJoin, records: RecordSet, context: JoinContext,
    chain: inout Chain,
    isNeeded: (Int) throws -> Bool,
    body: (Int, inout Chain, ReleaseKey, Origin) throws -> Void
  ) rethrows {
    order.removeAll(keepingCapacity: true)
    for (index, notification) in join.notifications.enumerated() {
      order.append((Self.deviceTime(of: notification, join: join, records: records), index))
    }
    order.sort { ($0.at, $0.unit) < ($1.at, $1.unit) }
    nextContext = 0
    installation = Installation()
    focusRecordedAt = nil
    origin = .none
    appBundle = Symbol(.empty)
    categories = nil
    // What the installation is in general: its first origin and app, for notifications before it.
    for place in join.eventOrder {
      let event = records.events[Int(place)]
      let eventOrigin = records.origins[Int(event.origin)]
      if origin == .none { origin = eventOrigin }
      if appBundle == .empty, Self.isAppRecord(event.name),
        eventOrigin.bundle != .empty
      {
        appBundle = eventOrigin.bundle
        break
      }
    }
    let isOneRelease = namesOneRelease(join, records)
    collectArrivals(join, records)
    collectAcceptedTopics(join, records)
    collectHandoffs(join, records)
    var originPlace = 0
    var hasOriginBefore = false
    for entry in order {
      // Versions in force: the origin of the installation's last event before the notification.
      while originPlace < join.eventOrder.count {
        let event = records.events[Int(join.eventOrder[originPlace])]
        guard event.at <= entry.at else { break }
        let next = records.origins[Int(event.origin)]
        if next.version != .empty || next.os != .empty {
          origin = next
          hasOriginBefore = true
        }
        if Self.isAppRecord(event.name), next.bundle != .empty {
          appBundle = next.bundle
        }
        originPlace += 1
      }
      let behind = nextOrigin(after: originPlace, at: entry.at, join: join, records: records)
      isOriginUnclear =
        behind.map {
          !hasOriginBefore || $0.version != origin.version || $0.build != origin.build
            || $0.os != origin.os
        }
        ?? !hasOriginBefore
      originsAround = nil
      if isOriginUnclear, hasOriginBefore, let behind { originsAround = (origin, behind) }
      // Times of a clock that nothing corrects do not compare with the send's; one release throughout
      // needs no comparing.
      if Self.offset(of: join.notifications[entry.unit], at: entry.at, join, records) == nil {
        if isOriginUnclear, isOneRelease {
          isOriginUnclear = false
        } else if !isOriginUnclear,
          changesRelease(since: join.notifications[entry.unit], before: originPlace, join, records)
        {
          isOriginUnclear = true
        }
      }
      advance(to: entry.at, join: join, records: records)
      let notification = join.notifications[entry.unit]
      guard try isNeeded(entry.unit) else {
        noteApp(of: notification, records)
        continue
      }
      chain.reset()
      let release = fill(
        &chain, notification, join: join, records: records, context: context, deviceAt: entry.at)
      fillOtherHandoffs(&chain, entry.unit)
      try body(entry.unit, &chain, release.key, release.origin)
    }
  }

  private mutating func collectHandoffs(_ join: borrowing InstallationJoin, _ records: RecordSet) {
    handoffs.removeAll(keepingCapacity: true)
    // A hand-off has no send, and nothing but its own events.
    for (unit, notification) in join.notifications.enumerated() where notification.sends.isEmpty {
      var trace: HandoffTrace?
      for place in notification.events {
        let event = records.events[Int(place)]
        guard event.name.isHandoffEvent else { continue }
        var own = trace ?? HandoffTrace(unit: unit, firstAt: event.at)
        if event.name == .handoffMailboxWritten { own.writtenAt = event.at }
        if event.name == .handoffUrlReceived || event.name == .handoffMailboxRead
          || event.name == .handoffDrained
        {
          own.hasReachedApp = true
        }
        trace = own
      }
      if let trace { handoffs.append(trace) }
    }
  }

  /// What only the other hand-offs of the phone within a day show: that some of them reach the app,
  /// and that one wrote into the mailbox before the app had looked for this one.
  private func fillOtherHandoffs(_ chain: inout Chain, _ unit: Int) {
    guard chain.kind == .handoff, let own = handoffs.first(where: { $0.unit == unit }) else {
      return
    }
    let others = handoffs.filter { $0.unit != unit }
    if others.contains(where: { $0.hasReachedApp && abs($0.firstAt &- own.firstAt) <= Self.day }) {
      chain.traffic.otherHandoffsOpened = .known(true)
    }
    guard let written = chain.firstEvent(.handoffMailboxWritten),
      case .known(let at) = chain.events[written].recordedAt
    else { return }
    let looks = chain.events.filter {
      $0.name == .handoffUrlReceived || $0.name == .handoffMailboxRead
        || $0.name == .handoffDrained
    }
    let lookedAt = looks.compactMap(\.recordedAt.value).max()
    let limit = min(lookedAt ?? .max, at &+ Self.day)
    let next = others.compactMap(\.writtenAt).filter { $0 > at && $0 <= limit }.min()
    if let next {
      chain.traffic.otherMailboxWriteAt = .known(next)
    } else if lookedAt == limit, chain.coverage.isGapless,
      let last = looks.compactMap(\.correctedAt.value).max(), last <= chain.coverage.runTo
    {
      chain.traffic.otherMailboxWriteAt = .missing
    }
  }

  /// Whether records of a name are written when the notification comes.
  private static func isAtArrival(_ name: Symbol) -> Bool {
    InstallationJoin.isArrival(name)
      || (InstallationJoin.isExtensionRecord(name) && name != .contentExtDidReceive
        && name != .contentExtFailed && name != .contentExtAction)
  }

  /// Whether records of a name are the app's own: what happens to a Live Activity may be recorded by
  /// the app or by its widget extension, and a crash report names the extension that crashed.
  private static func isAppRecord(_ name: Symbol) -> Bool {
    !InstallationJoin.isExtensionRecord(name) && name != .nseCrashed
      && !(name.index >= Symbol(.liveActivityStarted).index
        && name.index <= Symbol(.liveActivityToken).index)
  }

  /// The device's time at which the notification came or would have come.
  static func deviceTime(
    of notification: JoinedNotification, join: borrowing InstallationJoin, records: RecordSet
  ) -> Int64 {
    for place in notification.events where isAtArrival(records.events[Int(place)].name) {
      return records.events[Int(place)].at
    }
    // What was listed or opened may have been written days later, by the next release.
    guard let place = notification.sends.last else {
      return notification.events.first.map { records.events[Int($0)].at } ?? .min
    }
    let sentAt = records.sends[Int(place)].at
    if let clock = join.clock.offset(at: sentAt, sentAt: sentAt)
      ?? join.clock.offset(atSend: sentAt)
    {
      return sentAt &+ clock.offset
    }
    // Nothing corrects the device's clock, which may be years off: its own records compare at least.
    return notification.events.first.map { records.events[Int($0)].at } ?? sentAt
  }

  /// What the device's clock was off by when the notification came or would have come.
  private static func offset(
    of notification: JoinedNotification, at deviceAt: Int64, _ join: borrowing InstallationJoin,
    _ records: RecordSet
  ) -> (offset: Int64, error: Int64)? {
    join.clock.offset(
      at: deviceAt, sentAt: notification.sends.last.map { records.sends[Int($0)].at })
  }

  /// The origin of the first record behind a place that names one, if it comes within a day.
  private func nextOrigin(
    after place: Int, at: Int64, join: borrowing InstallationJoin, records: RecordSet
  ) -> Origin? {
    var place = place
    while place < join.eventOrder.count {
      let event = records.events[Int(join.eventOrder[place])]
      if event.at &- at > Self.day { return nil }
      let next = records.origins[Int(event.origin)]
      if next.version != .empty, next.os != .empty { return next }
      place += 1
    }
    return nil
  }

  /// Whether a phone whose clock nothing corrects may have met another release when a notification
  /// came than when it was listed or opened: its records since the send, as far as its clock can be
  /// compared, or the last one before it, name another.
  private func changesRelease(
    since notification: JoinedNotification, before place: Int, _ join: borrowing InstallationJoin,
    _ records: RecordSet
  ) -> Bool {
    guard let send = notification.sends.last, let event = notification.events.first,
      !notification.events.contains(where: { Self.isAtArrival(records.events[Int($0)].name) })
    else { return false }
    let sentAt = records.sends[Int(send)].at
    // A clock that is behind the sender's tells nothing; a batch looks a day around its records.
    let waited = records.events[Int(event)].at &- sentAt
    guard waited > 0, waited < Self.day else { return false }
    var place = place
    while place > 0 {
      place -= 1
      let earlier = records.events[Int(join.eventOrder[place])]
      let next = records.origins[Int(earlier.origin)]
      guard next.version != .empty, next.os != .empty else { continue }
      if next.version != origin.version || next.build != origin.build || next.os != origin.os {
        return true
      }
      if earlier.at < sentAt &- Self.unknownClockError { return false }
    }
    return true
  }

  /// Whether all records name one release and one version of the OS, on a phone whose clock is so
  /// far off that no record lies between its sends.
  private func namesOneRelease(_ join: borrowing InstallationJoin, _ records: RecordSet) -> Bool {
    guard let event = join.eventOrder.first, let send = join.sendOrder.first,
      abs(records.events[Int(event)].at &- records.sends[Int(send)].at) > 60 * Self.day
    else { return false }
    var only: Origin?
    for place in join.eventOrder {
      let next = records.origins[Int(records.events[Int(place)].origin)]
      guard next.version != .empty, next.os != .empty else { continue }
      guard let known = only else {
        only = next
        continue
      }
      if next.version != known.version || next.build != known.build || next.os != known.os {
        return false
      }
    }
    return only != nil
  }

  /// The first of `count` places, in ascending order, of which `isBefore` does not hold.
  private static func lowerBound(_ count: Int, isBefore: (Int) -> Bool) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if isBefore(middle) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Only refused sends ask for these, so nothing is collected where there are none.
  private mutating func collectAcceptedTopics(
    _ join: borrowing InstallationJoin, _ records: RecordSet
  ) {
    acceptedTopics.removeAll(keepingCapacity: true)
    guard
      join.sendOrder.contains(where: {
        let send = records.sends[Int($0)]
        return send.status != 200 && send.token.isPresent
      })
    else { return }
    for place in join.sendOrder {
      let send = records.sends[Int(place)]
      guard send.status == 200, send.token.isPresent, let topic = send.topic.symbol else {
        continue
      }
      acceptedTopics.append((send.at, send.token, topic))
    }
  }

  /// Notifications that came and are tied by an id: those that came late show that the phone was out
  /// of reach until then, and all that their tokens were the phone's.
  private mutating func collectArrivals(_ join: borrowing InstallationJoin, _ records: RecordSet) {
    storedArrivals.removeAll(keepingCapacity: true)
    arrivedSends.removeAll(keepingCapacity: true)
    let hasSeveralTokens = join.tokens.count > 1
    for notification in join.notifications {
      guard let place = notification.sends.last, records.sends[Int(place)].status == 200 else {
        continue
      }
      let sentAt = records.sends[Int(place)].at
      let delay =
        switch records.sends[Int(place)].priority.known {
        case .known(.number(10)), .missing: Self.urgentStoredDelay
        default: Self.storedDelay
        }
      for (index, place) in notification.events.enumerated()
      where !notification.eventLinks[index].isGuess {
        let event = records.events[Int(place)]
        guard InstallationJoin.isArrival(event.name) else { continue }
        if hasSeveralTokens, let last = notification.sends.last {
          arrivedSends.append((sentAt, records.sends[Int(last)].token))
        }
        guard let clock = join.clock.offset(at: event.at, sentAt: sentAt) else { break }
        let arrivedAt = event.at &- clock.offset
        if arrivedAt &- sentAt >= delay &+ clock.error {
          storedArrivals.append(
            StoredArrival(
              sentAt: sentAt, arrivedAt: arrivedAt, delay: delay, reference: event.reference))
        }
        break
      }
    }
    // Whichever send it was, it waited at least since the last one that it may be.
    for late in join.lateArrivals {
      let event = records.events[Int(late.event)]
      guard let clock = join.clock.offset(at: event.at, sentAt: late.sentAt) else { continue }
      let arrivedAt = event.at &- clock.offset
      if arrivedAt &- late.sentAt >= Self.storedDelay &+ clock.error {
        storedArrivals.append(
          StoredArrival(
            sentAt: late.sentAt, arrivedAt: arrivedAt, delay: Self.storedDelay,
            reference: event.reference))
      }
    }
    storedArrivals.sort { ($0.sentAt, $0.arrivedAt) < ($1.sentAt, $1.arrivedAt) }
    arrivedSends.sort { $0.at < $1.at }
  }

  // MARK: What is in force

  private mutating func advance(
    to deviceAt: Int64, join: borrowing InstallationJoin, records: RecordSet
  ) {
    while nextContext < join.installationEvents.count {
      let event = records.events[Int(join.installationEvents[nextContext])]
      guard event.at <= deviceAt else { break }
      apply(event, records)
      nextContext += 1
    }
  }

  private mutating func apply(_ event: EventRecord, _ records: RecordSet) {
    if event.name == .appCategories {
      categories = (
        event.firstAttribute, Int(event.attributeCount), event.reference
      )
      return
    }
    let first = Int(event.firstAttribute)
    var hasSettings = false
    for index in first..<first + Int(event.attributeCount) {
      let attribute = records.attributes[index]
      switch attribute.key.word {
      case .authorization:
        if let text = text(attribute) {
          installation.authorization = .known(text)
          hasSettings = true
        }
      case .apsEnvironment:
        if let text = text(attribute) { installation.apsEnvironment = .known(text) }
        if attribute.kind == .null { installation.apsEnvironment = .missing }
      case .alerts: set(&installation.alerts, attribute, &hasSettings)
      case .sounds: set(&installation.sounds, attribute, &hasSettings)
      case .focus:
        set(&installation.focus, attribute, &hasSettings)
        focusRecordedAt = event.at
      case .scheduledSummary: set(&installation.scheduledSummary, attribute, &hasSettings)
      case .timeSensitive: set(&installation.timeSensitive, attribute, &hasSettings)
      case .backgroundRefresh: set(&installation.backgroundRefresh, attribute, &hasSettings)
      case .lowPower: set(&installation.lowPower, attribute, &hasSettings)
      default: break
      }
    }
    if hasSettings { installation.settingsReference = event.reference }
  }

  /// What a record says that stays in force until another one says it anew.
  public struct Saying: OptionSet, Sendable {
    /// One bit for each thing.
    public var rawValue: UInt16
    /// What these bits say.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// The release and the version of the OS; any record may say it.
    public static let release = Saying(rawValue: 1 << 0)
    static let categories = Saying(rawValue: 1 << 1)
    /// What is looked for further back than the last days of a phone's own records.
    public static let essential: Saying = [.release, .categories, Saying(rawValue: 1 << 2)]
    /// The settings, in their order here; the authorization first.
    static let settings: [Word] = [
      .authorization, .apsEnvironment, .alerts, .sounds, .focus, .scheduledSummary, .timeSensitive,
      .backgroundRefresh, .lowPower,
    ]
  }

  /// What of an event stays in force.
  public static func saying(of event: EventRecord, _ records: RecordSet) -> Saying {
    var saying: Saying = []
    let origin = records.origins[Int(event.origin)]
    if origin.version != .empty || origin.os != .empty { saying.insert(.release) }
    guard InstallationJoin.isInstallationEvent(event.name) else { return saying }
    if event.name == .appCategories { return saying.union(.categories) }
    let first = Int(event.firstAttribute)
    for index in first..<first + Int(event.attributeCount) {
      guard let word = records.attributes[index].key.word,
        let place = Saying.settings.firstIndex(of: word)
      else { continue }
      saying.insert(Saying(rawValue: 1 << UInt16(place + 2)))
    }
    return saying
  }

  private func text(_ attribute: Attribute) -> Symbol? {
    attribute.kind == .text ? Symbol(index: UInt32(truncatingIfNeeded: attribute.bits)) : nil
  }

  /// A switch as recorders write it: a Boolean, 0 or 1, or one of the words for on and off.
  private func set(_ field: inout Known<Bool>, _ attribute: Attribute, _ changed: inout Bool) {
    switch attribute.kind {
    case .boolean, .integer: field = .known(attribute.bits != 0)
    case .text:
      let symbol = Symbol(index: UInt32(truncatingIfNeeded: attribute.bits))
      if symbol == .on || symbol == .trueText || symbol == .authorized || symbol == .active {
        field = .known(true)
      } else if symbol == .off || symbol == .falseText || symbol == .denied {
        field = .known(false)
      } else {
        return
      }
    default: return
    }
    changed = true
  }

  /// The app as the records of a notification name it: the next ones are the same app's.
  private mutating func noteApp(of notification: JoinedNotification, _ records: RecordSet) {
    for place in notification.events {
      let event = records.events[Int(place)]
      let bundle = records.origins[Int(event.origin)].bundle
      if Self.isAppRecord(event.name), bundle != .empty { appBundle = bundle }
    }
  }

  // MARK: One chain

  private mutating func fill(
    _ chain: inout Chain, _ notification: JoinedNotification, join: borrowing InstallationJoin,
    records: RecordSet, context: JoinContext, deviceAt: Int64
  ) -> (key: ReleaseKey, origin: Origin) {
    for place in notification.sends {
      chain.sends.append(send(records.sends[Int(place)], context))
    }
    noteApp(of: notification, records)
    let offset = Self.offset(of: notification, at: deviceAt, join, records)
    var seenOrigin = Origin.none
    var isSeenAtArrival = false
    for (index, place) in notification.events.enumerated() {
      let record = records.events[Int(place)]
      var event = DeviceEvent(name: record.name)
      event.reference = record.reference
      event.recordedAt = .known(record.at)
      if let offset { event.correctedAt = .known(record.at &- offset.offset) }
      if record.sequence != .min { event.sequence = .known(record.sequence) }
      event.log = record.log.known
      let recordOrigin = records.origins[Int(record.origin)]
      if recordOrigin.bundle != .empty { event.bundle = .known(recordOrigin.bundle) }
      if recordOrigin.version != .empty, seenOrigin.version == .empty { seenOrigin = recordOrigin }
      if seenOrigin == .none { seenOrigin = recordOrigin }
      // A view that was opened, or what stands in the list of delivered ones, comes later.
      isSeenAtArrival = isSeenAtArrival || Self.isAtArrival(record.name)
      event.link = notification.eventLinks[index]
      event.firstAttribute = UInt32(truncatingIfNeeded: chain.attributes.count)
      event.attributeCount = record.attributeCount
      let first = Int(record.firstAttribute)
      for place in first..<first + Int(record.attributeCount) {
        var attribute = records.attributes[place]
        if attribute.kind == .url {
          let form = records.urls[Int(attribute.bits)]
          attribute.bits = Int64(chain.urls.count)
          chain.urls.append(form)
        }
        chain.attributes.append(attribute)
      }
      if record.name == .nseDidReceive { readReceived(&chain, chain.events.count, record, records) }
      chain.events.append(event)
    }
    // What was written later names the release of that time. A recorder that does not repeat its
    // version on every line has named it before.
    let namesRelease = seenOrigin.version != .empty
    var effective =
      seenOrigin == .none || (!isSeenAtArrival && !isOriginUnclear) ? origin : seenOrigin
    if effective.version == .empty, !isOriginUnclear {
      effective = origin
      if seenOrigin.bundle != .empty { effective.bundle = seenOrigin.bundle }
    }

    // Installation.
    chain.installation = installation
    if let focusRecordedAt, deviceAt != .min {
      chain.installation.focusAge = .known(deviceAt &- focusRecordedAt)
    }
    if effective.os != .empty {
      chain.installation.osText = .known(effective.os)
      if let version = context.osVersions[effective.os.index] {
        chain.installation.os = .known(version)
      }
    }
    if effective.model != .empty { chain.installation.model = .known(effective.model) }
    var bundle = appBundle
    if bundle == .empty, let accepted = acceptedTopic(notification, records, context) {
      bundle = accepted
    }
    if bundle == .empty, let topic = chain.sends.last?.topic.value {
      bundle = context.topics[topic.index]?.base ?? topic
    }
    if bundle == .empty, effective.bundle != .empty {
      bundle = context.appOfExtension[effective.bundle.index] ?? effective.bundle
    }
    if bundle != .empty { chain.installation.bundle = .known(bundle) }
    fillTokens(&chain, notification, join: join, records: records, offset: offset)
    if let place = notification.replacedBy {
      let send = records.sends[Int(place)]
      chain.installation.replacedAt = .known(send.at)
      chain.installation.replacedReference = send.reference
    } else if notification.collapse.isPresent {
      chain.installation.replacedAt = .missing
    }
    fillOnline(&chain, notification, join: join, records: records, offset: offset)
    fillNextSend(&chain, notification, join: join, records: records)
    fillStoredArrival(&chain, notification, records: records)

    // Release.
    let key = ReleaseKey(bundle: bundle, version: effective.version, build: effective.build)
    // A notification without records of its own, and an update around it: which release it met is
    // not known.
    let isReleaseKnown = (isSeenAtArrival && namesRelease) || !isOriginUnclear
    if !isReleaseKnown { chain.installation.os = .unknown }
    if isReleaseKnown, let facts = context.facts(of: effective, bundle) {
      chain.release = facts.release
      chain.release.categoryClaimed = Self.claims(Self.category(of: chain), facts)
    } else if !isReleaseKnown, let around = originsAround,
      let before = context.facts(of: around.before, bundle),
      let behind = context.facts(of: around.behind, bundle)
    {
      // What a payload means rests on these; where both releases agree, it does not matter which it met.
      let category = Self.category(of: chain)
      if Self.claims(category, before) == Self.claims(category, behind) {
        chain.release.categoryClaimed = Self.claims(category, before)
      }
      if before.release.contentExtensions == behind.release.contentExtensions {
        chain.release.contentExtensions = before.release.contentExtensions
      }
      if before.release.communicationEntitlement == behind.release.communicationEntitlement {
        chain.release.communicationEntitlement = before.release.communicationEntitlement
      }
    }
    if effective.version != .empty { chain.release.version = .known(effective.version) }
    if effective.build != .empty { chain.release.build = .known(effective.build) }
    if case .unknown = chain.release.bundle, bundle != .empty {
      // The app's own records name its bundle; that is as good as the signed one for topics.
      if appBundle != .empty { chain.release.bundle = .known(appBundle) }
    }

    fillCoverage(
      &chain, notification, join: join, records: records, deviceAt: deviceAt, offset: offset)
    chain.coverage.sendLogComplete = context.sendLogComplete

    if let categories, let category = Self.category(of: chain) {
      var isRegistered = false
      for index in Int(categories.first)..<Int(categories.first) + categories.count {
        let attribute = records.attributes[index]
        if attribute.key == .identifiers, attribute.kind == .text,
          attribute.bits == Int64(category.index)
        {
          isRegistered = true
        }
      }
      chain.installation.categoryRegistered = .known(isRegistered)
      chain.installation.categoriesReference = categories.reference
    }

    // Kind and meaning.
    chain.kind = Self.kind(of: chain)
    if chain.kind == .liveActivity {
      fillActivityEnd(&chain, notification, join: join, records: records, context: context)
    }
    if chain.kind == .handoff, offset == nil {
      // Both sides of a hand-off are on one phone: its own clock is the only one that matters.
      for place in chain.events.indices {
        chain.events[place].correctedAt = chain.events[place].recordedAt
      }
    }
    var stated: Meaning = []
    for place in notification.sends { stated.formUnion(records.sends[Int(place)].expects) }
    let payload = chain.sends.last?.payload ?? chain.received
    let derived = MeaningRule.derive(
      from: payload, release: chain.release, stated: stated.isEmpty ? nil : stated)
    chain.meaning = derived.0
    chain.meaningSource = derived.1
    // These two push types have one purpose each, and say so.
    if stated.isEmpty, chain.kind == .liveActivity || chain.kind == .voip {
      chain.meaning = chain.kind == .voip ? .call : .liveActivity
      chain.meaningSource = .payload
    }
    return (key, effective)
  }

  /// Whether a content extension of the release claims a category.
  private static func claims(_ category: Symbol?, _ facts: ReleaseFacts) -> Known<Bool> {
    guard let category, let claimed = facts.claimedCategories else { return .unknown }
    return .known(claimed.contains(category.index))
  }

  private static func category(of chain: Chain) -> Symbol? {
    chain.sends.last?.payload.category.value ?? chain.received.category.value
  }

  /// Which checklist a chain walks: by the push type, else by the payload.
  private static func kind(of chain: Chain) -> ChainKind {
    guard let send = chain.sends.last else {
      for event in chain.events {
        if event.name == .appBackgroundLaunch || event.name == .appBackgroundCompleted {
          return .background
        }
        if event.name == .appVoipReceived || event.name == .callReported { return .voip }
        if event.name.isHandoffEvent { return .handoff }
      }
      return .richAlert
    }
    // A broadcast goes to a channel: a request without a phone.
    if send.channel.value != nil { return .requestOnly }
    let payload = send.payload
    let looksSilent =
      payload.isWhole && payload.alert.isVisible == false && payload.contentAvailable.isOn == true
    switch send.pushType.value?.word {
    case .voip: return .voip
    case .liveactivity: return .liveActivity
    case .background: return payload.alert.isVisible == true ? .richAlert : .background
    case .alert: return .richAlert
    case nil:
      if send.pushType.value != nil { return .richAlert }
      return looksSilent ? .background : .richAlert
    default: return .requestOnly
    }
  }

  private func send(_ record: SendRecord, _ context: JoinContext) -> Send {
    var send = Send()
    send.sentAt = .known(record.at)
    send.reference = record.reference
    if record.attempt > 0 { send.attempt = .known(Int64(record.attempt)) }
    send.provider = record.provider.known
    send.environment = record.environment.known
    send.host = record.host.known
    if case .unknown = send.environment, let host = record.host.symbol {
      if let environment = context.environmentOfHost[host.index] {
        send.environment = .known(environment)
      }
    }
    send.topic = record.topic.known
    if let symbol = record.topic.symbol, let topic = context.topics[symbol.index] {
      send.topicForm = .known(topic.form)
      send.topicBase = .known(topic.base)
    }
    send.pushType = record.pushType.known
    send.priority = record.priority.known
    send.expiration = record.expiration.known
    if record.collapse.isPresent {
      send.collapseBytes = .known(Int64(record.collapse.text.length))
    } else if record.collapseIsNull {
      send.collapseBytes = .missing
    }
    send.channel = record.channel.known
    if record.token.isPresent {
      send.token = .known(TokenForm(length: record.token.length, marks: record.token.marks))
    }
    send.tokenKind = record.tokenKind.known
    send.keyID = record.keyID.known
    send.teamID = record.teamID.known
    if record.jwtIssuedAt != .min { send.jwtIssuedAt = .known(record.jwtIssuedAt) }
    send.status = .known(Int64(record.status))
    send.reason = record.reason.known
    if record.unregisteredAt != .min { send.unregisteredAt = .known(record.unregisteredAt) }
    send.error = record.error.known
    if record.answeredAfter >= 0 { send.answeredAfter = .known(record.answeredAfter) }
    send.receiptStatus = record.receiptStatus.known
    send.receiptReason = record.receiptReason.known
    if record.shape != 0, let payload = context.payloads[record.shape] { send.payload = payload }
    if record.payloadBytes >= 0 { send.payload.sizeBytes = .known(Int64(record.payloadBytes)) }
    return send
  }

  /// What the extension says of the payload as it came.
  private func readReceived(
    _ chain: inout Chain, _ index: Int, _ record: EventRecord, _ records: RecordSet
  ) {
    let first = Int(record.firstAttribute)
    for place in first..<first + Int(record.attributeCount) {
      let attribute = records.attributes[place]
      switch attribute.key.word {
      case .mutableContent:
        switch attribute.kind {
        case .integer, .boolean: chain.received.mutableContent = attribute.bits > 0 ? .on : .off
        case .text: chain.received.mutableContent = .text
        default: break
        }
      case .category:
        if attribute.kind == .text {
          chain.received.category = .known(
            Symbol(index: UInt32(truncatingIfNeeded: attribute.bits)))
        } else if attribute.kind == .null {
          chain.received.category = .missing
        }
      case .hasMedia:
        if attribute.kind == .boolean, attribute.bits != 0 {
          chain.received.parts.insert(.guessedMediaKey)
        }
      default: break
      }
    }
    // didReceive runs for visible alerts only (F4.1).
    chain.received.alert = .visible
  }

  private func fillTokens(
    _ chain: inout Chain, _ notification: JoinedNotification, join: borrowing InstallationJoin,
    records: RecordSet, offset: (offset: Int64, error: Int64)?
  ) {
    guard let place = notification.sends.last else { return }
    let send = records.sends[Int(place)]
    guard send.token.isPresent, !join.tokens.isEmpty else { return }
    let shift = offset?.offset ?? 0
    // A clock that nothing corrects may be off by minutes.
    let error = offset?.error ?? Self.unknownClockError
    guard let own = join.tokens.first(where: { $0.token == send.token }) else { return }
    chain.installation.tokenRegisteredAt = .known(own.firstSeen &- shift)
    if own.environment.code >= 2 { chain.installation.apsEnvironment = own.environment.known }
    if offset == nil, join.clock.wasFarOff {
      // Times of the phone's do not compare with the send's: each token that came later may have been
      // there already.
      if let other = join.tokens.first(where: {
        $0.token != send.token && $0.firstSeen > own.lastSeen && Self.fits($0.kind, own.kind)
      }) {
        chain.installation.laterTokenAt = .known(other.firstSeen)
        chain.installation.newerTokenReference = other.reference
      }
      return
    }
    chain.installation.newerTokenAt = .missing
    for other in join.tokens
    where other.token != send.token && other.firstSeen > own.lastSeen
      && other.firstSeen &- shift &+ error <= send.at && Self.fits(other.kind, own.kind)
    {
      chain.installation.newerTokenAt = .known(other.firstSeen &- shift)
      chain.installation.newerTokenReference = other.reference
    }
    if case .missing = chain.installation.newerTokenAt, !arrivesLater(send) {
      for other in join.tokens
      where other.token != send.token && other.firstSeen > own.lastSeen
        && Self.fits(other.kind, own.kind)
        && own.lastSeen &- shift <= send.at && other.firstSeen &- shift &- send.at <= Self.day
      {
        chain.installation.laterTokenAt = .known(other.firstSeen &- shift)
        chain.installation.newerTokenReference = other.reference
        break
      }
    }
    if send.unregisteredAt != .min {
      let again = own.lastSeen &- shift
      chain.installation.registeredAgainAt = again > send.unregisteredAt ? .known(again) : .missing
    }
  }

  /// Whether one that was sent to the same token within the next day came: it was the phone's still.
  private func arrivesLater(_ send: SendRecord) -> Bool {
    var place = Self.lowerBound(arrivedSends.count) { arrivedSends[$0].at <= send.at }
    while place < arrivedSends.count, arrivedSends[place].at &- send.at <= Self.day {
      if arrivedSends[place].token == send.token { return true }
      place += 1
    }
    return false
  }

  /// Whether two tokens may be of one kind: heartbeats do not name it.
  private static func fits(_ kind: TextValue, _ other: TextValue) -> Bool {
    kind == other || kind.symbol == nil || other.symbol == nil
  }

  /// The app whose topic APNs accepted for the same token within a day: the token is that app's
  /// (F1.16).
  private func acceptedTopic(
    _ notification: JoinedNotification, _ records: RecordSet, _ context: JoinContext
  ) -> Symbol? {
    guard let last = notification.sends.last else { return nil }
    let send = records.sends[Int(last)]
    guard send.status != 200, send.token.isPresent else { return nil }
    var nearest: (distance: Int64, topic: Symbol)?
    var place = Self.lowerBound(acceptedTopics.count) {
      acceptedTopics[$0].at < send.at &- Self.day
    }
    while place < acceptedTopics.count, acceptedTopics[place].at <= send.at &+ Self.day {
      let other = acceptedTopics[place]
      place += 1
      let distance = abs(other.at &- send.at)
      if other.token == send.token, distance < nearest?.distance ?? .max {
        nearest = (distance, other.topic)
      }
    }
    guard let nearest else { return nil }
    return context.topics[nearest.topic.index]?.base ?? nearest.topic
  }

  /// Another send that waited for the phone and came when it was back, if nothing was heard of the
  /// phone between this send and that arrival.
  private func fillStoredArrival(
    _ chain: inout Chain, _ notification: JoinedNotification, records: RecordSet
  ) {
    guard let last = notification.sends.last, notification.events.isEmpty,
      case .known(let onlineAt) = chain.installation.onlineAgainAt
    else { return }
    let sentAt = records.sends[Int(last)].at
    var place = Self.lowerBound(storedArrivals.count) {
      storedArrivals[$0].sentAt < sentAt &- Self.day
    }
    while place < storedArrivals.count, storedArrivals[place].sentAt &- sentAt <= Self.day {
      let stored = storedArrivals[place]
      place += 1
      if onlineAt >= max(stored.sentAt, sentAt) &+ stored.delay / 2,
        stored.arrivedAt &- sentAt >= stored.delay / 2,
        stored.arrivedAt <= onlineAt &+ Self.storedDelay
      {
        chain.traffic.storedArrivalAt = .known(stored.arrivedAt)
        chain.traffic.storedArrivalReference = stored.reference
        return
      }
    }
  }

  /// The send, accepted before this one, that ended the activity of the same token: each activity
  /// has a token of its own (F9.1), and none outlives a day (F9.8).
  private func fillActivityEnd(
    _ chain: inout Chain, _ notification: JoinedNotification, join: borrowing InstallationJoin,
    records: RecordSet, context: JoinContext
  ) {
    guard let first = notification.sends.first else { return }
    let own = records.sends[Int(first)]
    guard own.token.isPresent else { return }
    var place = Self.lowerBound(join.sendOrder.count) {
      records.sends[Int(join.sendOrder[$0])].at < own.at &- Self.day
    }
    while place < join.sendOrder.count {
      let other = records.sends[Int(join.sendOrder[place])]
      place += 1
      guard other.at < own.at else { return }
      guard other.status == 200, other.token == own.token, other.shape != 0,
        context.payloads[other.shape]?.parts.contains(.endsActivity) == true,
        !notification.sends.contains(join.sendOrder[place - 1])
      else { continue }
      chain.traffic.activityEndedAt = .known(other.at)
      chain.traffic.activityEndedReference = other.reference
      return
    }
  }

  /// The first sign of life of the phone after the send.
  private func fillOnline(
    _ chain: inout Chain, _ notification: JoinedNotification, join: borrowing InstallationJoin,
    records: RecordSet, offset: (offset: Int64, error: Int64)?
  ) {
    guard let place = notification.sends.last, let offset else { return }
    let from = records.sends[Int(place)].at &+ offset.offset
    let low = Self.lowerBound(join.eventOrder.count) {
      records.events[Int(join.eventOrder[$0])].at < from
    }
    guard low < join.eventOrder.count else { return }
    chain.installation.onlineAgainAt = .known(
      records.events[Int(join.eventOrder[low])].at &- offset.offset)
  }

  /// The next send to the same app on the same phone that APNs accepted (F1.19).
  private func fillNextSend(
    _ chain: inout Chain, _ notification: JoinedNotification, join: borrowing InstallationJoin,
    records: RecordSet
  ) {
    guard let place = notification.sends.last else { return }
    let send = records.sends[Int(place)]
    var low = Self.lowerBound(join.sendOrder.count) {
      records.sends[Int(join.sendOrder[$0])].at <= send.at
    }
    chain.traffic.nextAcceptedAt = .missing
    while low < join.sendOrder.count {
      let next = records.sends[Int(join.sendOrder[low])]
      // A day is as far as a batch looks around its records.
      if next.at - send.at > 24 * 3600 * 1_000_000 { return }
      if next.status == 200, next.topic == send.topic {
        chain.traffic.nextAcceptedAt = .known(next.at)
        chain.traffic.nextAcceptedReference = next.reference
        return
      }
      low += 1
    }
  }

  /// The run that covers the last event, where a lost record parts it from the first one's.
  private func fillTail(
    _ chain: inout Chain, _ notification: JoinedNotification, _ head: CoverageRun,
    _ join: borrowing InstallationJoin, _ records: RecordSet, _ shift: Int64
  ) {
    guard let place = notification.events.last else { return }
    let event = records.events[Int(place)]
    guard event.sequence != .min, event.log == head.log,
      event.sequence < head.first || event.sequence > head.last
    else { return }
    fillLost(&chain, join.runs)
    guard
      let run = join.runs.first(where: {
        $0.log == event.log && $0.first <= event.sequence && event.sequence <= $0.last
          && (event.log.code >= 2 || ($0.firstAt <= event.at && event.at <= $0.lastAt))
      })
    else { return }
    chain.coverage.tail.isGapless = true
    chain.coverage.tail.from = run.firstAt &- shift
    chain.coverage.tail.to = run.lastAt &- shift
    chain.coverage.tail.firstSequence = .known(run.first)
    chain.coverage.tail.lastSequence = .known(run.last)
  }

  /// How many numbers are missing between neighbours: records of other notifications lie there too.
  private func fillLost(_ chain: inout Chain, _ runs: [CoverageRun]) {
    for place in chain.events.indices.dropFirst() {
      guard case .known(let log) = chain.events[place].log,
        chain.events[place - 1].log == .known(log),
        case .known(let from) = chain.events[place - 1].sequence,
        case .known(let to) = chain.events[place].sequence, to > from
      else { continue }
      // Numbers may be any; a difference that does not fit says nothing.
      var lost = to &- from &- 1
      for run in runs where lost > 0 && run.log.symbol == log && run.last > from && run.first < to {
        lost -= min(run.last, to - 1) - max(run.first, from + 1) + 1
      }
      chain.events[place].lostBefore = .known(max(0, lost))
    }
  }

  private func fillCoverage(
    _ chain: inout Chain, _ notification: JoinedNotification, join: borrowing InstallationJoin,
    records: RecordSet, deviceAt: Int64, offset: (offset: Int64, error: Int64)?
  ) {
    chain.coverage.installationLogs = join.eventOrder.isEmpty ? .unknown : .known(true)
    let shift = offset?.offset ?? 0
    chain.coverage.clockError = offset?.error ?? .max
    var run: CoverageRun?
    for place in notification.events {
      let event = records.events[Int(place)]
      guard event.sequence != .min else { continue }
      run = join.runs.first {
        $0.log == event.log && $0.first <= event.sequence && event.sequence <= $0.last
          && (event.log.code >= 2 || ($0.firstAt <= event.at && event.at <= $0.lastAt))
      }
      break
    }
    if run == nil, notification.events.isEmpty, deviceAt != .min {
      run = join.runs.first { $0.firstAt <= deviceAt && deviceAt <= $0.lastAt }
    }
    guard let run else { return }
    chain.coverage.isGapless = true
    chain.coverage.runFrom = run.firstAt &- shift
    chain.coverage.runTo = run.lastAt &- shift
    chain.coverage.firstSequence = .known(run.first)
    chain.coverage.lastSequence = .known(run.last)
    chain.coverage.firstReference = run.firstReference
    chain.coverage.lastReference = run.lastReference
    fillTail(&chain, notification, run, join, records, shift)
    // One counter for app and extension: either is proven by records of its own in that log.
    for other in join.runs where other.log == run.log {
      chain.coverage.holdsApp = chain.coverage.holdsApp || other.holdsApp
      chain.coverage.holdsExtension = chain.coverage.holdsExtension || other.holdsExtension
    }
  }
}
