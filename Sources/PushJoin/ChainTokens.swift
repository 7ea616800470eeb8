import PushModel

/// What is known of the token of a send: whose it was then, and which topics APNs accepted with it.
extension ChainBuilder {
  /// Only refused sends ask for these, so nothing is collected where there are none.
  mutating func collectAcceptedTopics(
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

  func fillTokens(
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
  func arrivesLater(_ send: SendRecord) -> Bool {
    var place = (0..<arrivedSends.count).firstPlace { arrivedSends[$0].at <= send.at }
    while place < arrivedSends.count, arrivedSends[place].at &- send.at <= Self.day {
      if arrivedSends[place].token == send.token { return true }
      place += 1
    }
    return false
  }

  /// Whether two tokens may be of one kind: heartbeats do not name it.
  static func fits(_ kind: TextValue, _ other: TextValue) -> Bool {
    kind == other || kind.symbol == nil || other.symbol == nil
  }

  /// The app whose topic APNs accepted for the same token within a day: the token is that app's
  /// (F1.16).
  func acceptedTopic(
    _ notification: JoinedNotification, _ records: RecordSet, _ context: JoinContext
  ) -> Symbol? {
    guard let last = notification.sends.last else { return nil }
    let send = records.sends[Int(last)]
    guard send.status != 200, send.token.isPresent else { return nil }
    var nearest: (distance: Int64, topic: Symbol)?
    var place = (0..<acceptedTopics.count).firstPlace {
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
}
