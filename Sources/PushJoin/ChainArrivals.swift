import PushModel

/// What other sends to the phone tell: that it was out of reach, and which of them APNs kept.
extension ChainBuilder {
  /// How late an arrival is that waited for the phone: an assumption too.
  private static let storedDelay: Int64 = 60 * 1_000_000
  /// The same with priority 10, which reaches a phone in reach at once (F1.15). How many seconds that is
  /// Apple does not say: an assumption, above what slow networks take.
  private static let urgentStoredDelay: Int64 = 15 * 1_000_000

  /// A notification that APNs kept until the phone came back.
  struct StoredArrival {
    var sentAt: Int64
    var arrivedAt: Int64
    /// How late an arrival of its priority has to be.
    var delay: Int64
    var reference: RecordReference
  }

  /// Notifications that came and are tied by an id: those that came late show that the phone was out
  /// of reach until then, and all that their tokens were the phone's.
  mutating func collectArrivals(_ join: borrowing InstallationJoin, _ records: RecordSet) {
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

  /// Another send that waited for the phone and came when it was back, if nothing was heard of the
  /// phone between this send and that arrival.
  func fillStoredArrival(
    _ chain: inout Chain, _ notification: JoinedNotification, records: RecordSet
  ) {
    guard let last = notification.sends.last, notification.events.isEmpty,
      case .known(let onlineAt) = chain.installation.onlineAgainAt
    else { return }
    let sentAt = records.sends[Int(last)].at
    var place = (0..<storedArrivals.count).firstPlace {
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
  func fillActivityEnd(
    _ chain: inout Chain, _ notification: JoinedNotification, join: borrowing InstallationJoin,
    records: RecordSet, context: JoinContext
  ) {
    guard let first = notification.sends.first else { return }
    let own = records.sends[Int(first)]
    guard own.token.isPresent else { return }
    var place = (0..<join.sendOrder.count).firstPlace {
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
  func fillOnline(
    _ chain: inout Chain, _ notification: JoinedNotification, join: borrowing InstallationJoin,
    records: RecordSet, offset: (offset: Int64, error: Int64)?
  ) {
    guard let place = notification.sends.last, let offset else { return }
    let from = records.sends[Int(place)].at &+ offset.offset
    let low = (0..<join.eventOrder.count).firstPlace {
      records.events[Int(join.eventOrder[$0])].at < from
    }
    guard low < join.eventOrder.count else { return }
    chain.installation.onlineAgainAt = .known(
      records.events[Int(join.eventOrder[low])].at &- offset.offset)
  }

  /// The next send to the same app on the same phone that APNs accepted (F1.19).
  func fillNextSend(
    _ chain: inout Chain, _ notification: JoinedNotification, join: borrowing InstallationJoin,
    records: RecordSet
  ) {
    guard let place = notification.sends.last else { return }
    let send = records.sends[Int(place)]
    var low = (0..<join.sendOrder.count).firstPlace {
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
  func fillTail(
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
}
