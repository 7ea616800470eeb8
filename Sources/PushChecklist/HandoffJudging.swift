import PushModel

// What the steps of a hand-off ask of a chain. Codes only.

/// How long after its last record a hand-off is given before a missing record means anything.
private let patience: Int64 = 60 * second

extension Chain {
  /// Place of the first event of the first of these names that the chain holds.
  func firstHeld(_ seen: Sightings, _ first: Word, _ second: Word, _ third: Word? = nil) -> Int? {
    if seen.holds(first) { return firstEvent(first) }
    if seen.holds(second) { return firstEvent(second) }
    if let third, seen.holds(third) { return firstEvent(third) }
    return nil
  }

  /// Last record that the extension of the hand-off wrote, or nil.
  func lastExtensionRecord() -> Int? {
    for place in events.indices.reversed() {
      let ordinal = events[place].name.index
      if ordinal < 64, Settling.handoffExtensionEvents & (1 << UInt64(ordinal)) != 0 {
        return place
      }
    }
    return nil
  }

  /// Whether the log shows that the extension recorded nothing more after an event: it goes on
  /// without a gap for a minute.
  func extensionStopped(after place: Int) -> Bool {
    isCovered(after: place, microseconds: patience)
  }

  /// Whether the log shows that the app recorded nothing more after an event.
  func appStayedSilent(after place: Int) -> Bool {
    coverage.holdsApp && isCovered(after: place, microseconds: patience)
  }

  /// Whether a text of one event is another than that of a second one; nil where one has none.
  func differs(_ key: Word, _ first: Int, _ second: Int) -> Bool? {
    guard let left = text(key, of: first), let right = text(key, of: second) else { return nil }
    return left != right
  }

  /// Whether an event belongs to the job that opened the chain, as far as ids tell.
  func isOwnJob(_ place: Int) -> Bool {
    guard let own = events.indices.first(where: { text(.jobId, of: $0) != nil }) else {
      return true
    }
    return differs(.jobId, own, place) != true
  }

  /// Number of items that an event tells, or nil.
  func items(of place: Int) -> Int64? { integer(.items, of: place) }
}

extension ExampleChain {
  /// The log goes on, and nothing of these names is in it.
  mutating func stop(before names: Word...) {
    events.removeAll { names.contains($0.name) }
  }

  /// Another job wrote the mailbox in between, and the app found that one.
  mutating func writeOtherJob() {
    add(.handoffMailboxWritten, at: 460, [(.jobId, .text("job-2")), (.entry, .text("action"))])
    set(.handoffDrained, .jobId, .text("job-2"))
    set(.handoffMailboxRead, .jobId, .text("job-2"))
  }
}
