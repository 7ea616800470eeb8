import PushModel

/// What only the other hand-offs of a phone tell of one.
extension ChainBuilder {
  /// What other hand-offs of the installation need to know of one.
  struct HandoffTrace {
    var unit: Int
    var firstAt: Int64
    var writtenAt: Int64?
    var hasReachedApp = false
  }

  mutating func collectHandoffs(_ join: borrowing InstallationJoin, _ records: RecordSet) {
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
  func fillOtherHandoffs(_ chain: inout Chain, _ unit: Int) {
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
}
