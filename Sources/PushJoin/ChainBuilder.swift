public import PushModel

/// Makes the chains of one installation, in order of their times, so that what was in force
/// (settings, categories, versions) is carried along instead of looked up.
public struct ChainBuilder {
  var order: [(at: Int64, unit: Int)] = []
  var nextContext = 0
  var installation = Installation()
  var origin = Origin.none
  var appBundle = Symbol(.empty)
  var categories: (first: UInt32, count: Int, reference: RecordReference)?
  var storedArrivals: [StoredArrival] = []
  /// Sends that a record of their arrival is tied to by an id, with their tokens, by time.
  var arrivedSends: [(at: Int64, token: TokenRecord)] = []
  /// Topics that APNs accepted, with their tokens, by time.
  var acceptedTopics: [(at: Int64, token: TokenRecord, topic: Symbol)] = []
  /// Whether the records around the notification name two releases or two versions of the OS, or
  /// no record before it names any.
  var isOriginUnclear = false
  /// The releases before and behind the notification, where they are not the same.
  var originsAround: (before: Origin, behind: Origin)?
  /// When the Focus was last recorded, by the device's clock.
  var focusRecordedAt: Int64?

  /// The hand-offs of the installation.
  var handoffs: [HandoffTrace] = []

  /// How far a clock may be off of which nothing is known.
  static let unknownClockError: Int64 = 30 * 60 * 1_000_000
  /// How far around a notification its release, its token and its siblings are looked for: as far
  /// as a batch looks around its records.
  static let day: Int64 = 24 * 3600 * 1_000_000

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

  /// Whether records of a name are written when the notification comes.
  static func isAtArrival(_ name: Symbol) -> Bool {
    InstallationJoin.isArrival(name)
      || (InstallationJoin.isExtensionRecord(name) && name != .contentExtDidReceive
        && name != .contentExtFailed && name != .contentExtAction)
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
  static func offset(
    of notification: JoinedNotification, at deviceAt: Int64, _ join: borrowing InstallationJoin,
    _ records: RecordSet
  ) -> (offset: Int64, error: Int64)? {
    join.clock.offset(
      at: deviceAt, sentAt: notification.sends.last.map { records.sends[Int($0)].at })
  }

  // MARK: One chain

  mutating func fill(
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
  static func claims(_ category: Symbol?, _ facts: ReleaseFacts) -> Known<Bool> {
    guard let category, let claimed = facts.claimedCategories else { return .unknown }
    return .known(claimed.contains(category.index))
  }

  static func category(of chain: Chain) -> Symbol? {
    chain.sends.last?.payload.category.value ?? chain.received.category.value
  }

  /// Which checklist a chain walks: by the push type, else by the payload.
  static func kind(of chain: Chain) -> ChainKind {
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

  func send(_ record: SendRecord, _ context: JoinContext) -> Send {
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
  func readReceived(
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

}
