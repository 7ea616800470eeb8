extension Chain {
  /// Puts sends and events into the order in which they happened and drops what was read twice, for
  /// chains whose records come in any order. A join gives them in order; there it is not needed.
  ///
  /// Events follow the counter of the installation where all carry it, else the corrected clock,
  /// else the device's. Where nothing tells, the order stays as it is.
  public mutating func putInOrder() {
    orderEvents()
    orderSends()
  }

  private mutating func orderEvents() {
    var kept: [(place: Int, event: DeviceEvent)] = []
    for (place, event) in events.enumerated()
    where !kept.contains(where: { isSame($0.event, event) }) {
      kept.append((place, event))
    }
    let isCounted =
      kept.allSatisfy { !$0.event.sequence.isUnknown && $0.event.log == kept[0].event.log }
    let isTimed = kept.allSatisfy { time(of: $0.event) != nil }
    if isCounted || isTimed {
      kept.sort { left, right in
        let first = isCounted ? left.event.sequence.value : time(of: left.event)
        let second = isCounted ? right.event.sequence.value : time(of: right.event)
        if let first, let second, first != second { return first < second }
        return isBefore(
          (left.event.reference, left.place), (right.event.reference, right.place))
      }
    }
    for (place, entry) in kept.enumerated() { events[place] = entry.event }
    events.removeLast(events.count - kept.count)
  }

  private mutating func orderSends() {
    var kept: [(place: Int, send: Send)] = []
    for (place, send) in sends.enumerated()
    where !kept.contains(where: {
      $0.send.reference != .none && $0.send.reference == send.reference
    }) {
      kept.append((place, send))
    }
    if kept.allSatisfy({ $0.send.sentAt.value != nil }) {
      kept.sort { left, right in
        if let first = left.send.sentAt.value, let second = right.send.sentAt.value,
          first != second
        {
          return first < second
        }
        return isBefore((left.send.reference, left.place), (right.send.reference, right.place))
      }
    }
    for (place, entry) in kept.enumerated() { sends[place] = entry.send }
    sends.removeLast(sends.count - kept.count)
  }

  private func time(of event: DeviceEvent) -> Int64? {
    event.correctedAt.value ?? event.recordedAt.value
  }

  /// Records of one moment stay in the order of their lines.
  private func isBefore(
    _ left: (reference: RecordReference, place: Int),
    _ right: (reference: RecordReference, place: Int)
  ) -> Bool {
    (left.reference.source, left.reference.line, left.place)
      < (right.reference.source, right.reference.line, right.place)
  }

  /// Whether two events are one record that was read twice.
  private func isSame(_ left: DeviceEvent, _ right: DeviceEvent) -> Bool {
    guard left.name == right.name else { return false }
    if left.reference != .none, left.reference == right.reference { return true }
    if case .known(let first) = left.sequence, case .known(let second) = right.sequence {
      return first == second && left.log == right.log
    }
    guard let at = time(of: left), at == time(of: right),
      left.attributeCount == right.attributeCount
    else { return false }
    let first = Int(left.firstAttribute)
    let second = Int(right.firstAttribute)
    return (0..<Int(left.attributeCount)).allSatisfy {
      attributes[first + $0] == attributes[second + $0]
    }
  }
}
