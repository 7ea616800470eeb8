import PushModel

/// Which release and version of the OS a notification met.
extension ChainBuilder {
  /// Whether records of a name are the app's own: what happens to a Live Activity may be recorded by
  /// the app or by its widget extension, and a crash report names the extension that crashed.
  static func isAppRecord(_ name: Symbol) -> Bool {
    !InstallationJoin.isExtensionRecord(name) && name != .nseCrashed
      && !(name.index >= Symbol(.liveActivityStarted).index
        && name.index <= Symbol(.liveActivityToken).index)
  }

  /// The origin of the first record behind a place that names one, if it comes within a day.
  func nextOrigin(
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
  func changesRelease(
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
  func namesOneRelease(_ join: borrowing InstallationJoin, _ records: RecordSet) -> Bool {
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

  /// The app as the records of a notification name it: the next ones are the same app's.
  mutating func noteApp(of notification: JoinedNotification, _ records: RecordSet) {
    for place in notification.events {
      let event = records.events[Int(place)]
      let bundle = records.origins[Int(event.origin)].bundle
      if Self.isAppRecord(event.name), bundle != .empty { appBundle = bundle }
    }
  }
}
