import PushJoin
import PushModel
import PushStore

/// What was stored of an installation and takes part in its join; reused from one to the next.
struct JoinWindow {
  /// A stored notification.
  struct Entry {
    var stored: StoredNotification
    /// It lies in the days around: the clock, retries and collapse ids reach beyond a day. It takes
    /// part in the join and stays as it is, unless one of its records goes with others that do not.
    var isSurrounding: Bool
  }

  /// What an installation itself recorded on a day.
  struct OwnDay {
    var events: Range<UInt32>
    /// Of what is stored of it.
    var hash: UInt64
    /// It is written anew.
    var isOwned: Bool
  }

  /// Where a stored record comes from.
  enum Source: Equatable {
    /// A place in ``entries``.
    case entry(Int)
    case ownDay(Int64)
    /// An own day of an installation that moves here.
    case moved
  }

  var installation: StoredInstallation?
  var carried = CarriedState()
  private(set) var entries: ContiguousArray<Entry> = []
  /// Where the notification of a row is in `entries`.
  private(set) var places: [Int64: Int] = [:]
  /// Days whose notifications are all here.
  var days: Set<Int64> = []
  /// Those of them that are judged again.
  private(set) var judgedDays: Set<Int64> = []
  /// Days of the installation's own records that are here.
  private(set) var ownDays: [Int64: OwnDay] = [:]
  /// Installations known by a token only, or by the log of a phone, that move here, and the own days of
  /// theirs.
  var moved: [Int64] = []
  private(set) var movedDays: [(installation: Int64, day: Int64, events: Range<UInt32>)] = []
  /// Where records come from, by their places: sends, events.
  private var sendSources: ContiguousArray<(places: Range<UInt32>, source: Source)> = []
  private var eventSources: ContiguousArray<(places: Range<UInt32>, source: Source)> = []
  var tokens: [TokenSpanRow] = []

  mutating func removeAll() {
    installation = nil
    carried = CarriedState()
    entries.removeAll(keepingCapacity: true)
    places.removeAll(keepingCapacity: true)
    days.removeAll(keepingCapacity: true)
    judgedDays.removeAll(keepingCapacity: true)
    ownDays.removeAll(keepingCapacity: true)
    moved.removeAll()
    movedDays.removeAll()
    sendSources.removeAll(keepingCapacity: true)
    eventSources.removeAll(keepingCapacity: true)
    tokens.removeAll()
  }

  mutating func add(_ stored: StoredNotification, isSurrounding: Bool) {
    guard places[stored.row.id] == nil else { return }
    places[stored.row.id] = entries.count
    if !stored.sends.isEmpty { sendSources.append((stored.sends, .entry(entries.count))) }
    if !stored.events.isEmpty { eventSources.append((stored.events, .entry(entries.count))) }
    entries.append(Entry(stored: stored, isSurrounding: isSurrounding))
  }

  mutating func add(ownDay day: Int64, _ events: Range<UInt32>, hash: UInt64, isOwned: Bool) {
    ownDays[day] = OwnDay(events: events, hash: hash, isOwned: isOwned)
    if !events.isEmpty { eventSources.append((events, .ownDay(day))) }
  }

  mutating func add(movedDay day: Int64, of installation: Int64, _ events: Range<UInt32>) {
    movedDays.append((installation, day, events))
    if !events.isEmpty { eventSources.append((events, .moved)) }
  }

  /// Has an own day that is here written anew.
  mutating func own(_ day: Int64) { ownDays[day]?.isOwned = true }

  /// Where the stored record at a place comes from; nil if it is not of this window.
  func source(ofSend place: UInt32) -> Source? { JoinWindow.source(of: place, sendSources) }

  /// Where the stored record at a place comes from; nil if it is not of this window.
  func source(ofEvent place: UInt32) -> Source? { JoinWindow.source(of: place, eventSources) }

  private static func source(
    of place: UInt32, _ sources: ContiguousArray<(places: Range<UInt32>, source: Source)>
  ) -> Source? {
    // Records are added at the end, so that places ascend.
    let low = (0..<sources.count).firstPlace { sources[$0].places.upperBound <= place }
    return low < sources.count && sources[low].places.contains(place) ? sources[low].source : nil
  }

  /// Whether what a source holds stays where it is, whatever the join made of it.
  func stays(_ source: Source) -> Bool {
    switch source {
    case .entry(let place): entries[place].isSurrounding
    case .ownDay(let day): ownDays[day]?.isOwned == false
    case .moved: false
    }
  }

  /// Whether a notification of the join stays as it is stored: its records all come from what stays.
  ///
  /// When the window is settled (``WindowLoader/settle(_:_:into:)``) no notification mixes records of
  /// what stays with others, so that one tells.
  func stays(_ notification: JoinedNotification, _ records: RecordSet) -> Bool {
    if let place = notification.sends.first {
      return records.sends[Int(place)].raw.isStored
        && source(ofSend: place).map { stays($0) } == true
    }
    guard let place = notification.events.first else { return false }
    return stays(event: place, records)
  }

  /// Whether an event comes from what stays as it is stored.
  func stays(event place: UInt32, _ records: RecordSet) -> Bool {
    records.events[Int(place)].raw.isStored && source(ofEvent: place).map { stays($0) } == true
  }

  /// Has the notifications of days judged again that are here or come yet.
  mutating func judge(_ days: Set<Int64>) {
    judgedDays.formUnion(days)
    for place in entries.indices where days.contains(entries[place].stored.row.id >> 48) {
      entries[place].isSurrounding = false
    }
  }

  /// The stored records of the phone that are here, in no order.
  func forEachEvent(_ body: (UInt32) -> Void) {
    for entry in entries {
      for place in entry.stored.events { body(place) }
    }
    for day in ownDays.values {
      for place in day.events { body(place) }
    }
    for day in movedDays {
      for place in day.events { body(place) }
    }
  }

  func add(to sends: inout ContiguousArray<UInt32>, _ events: inout ContiguousArray<UInt32>) {
    for entry in entries {
      sends.append(contentsOf: entry.stored.sends)
      events.append(contentsOf: entry.stored.events)
    }
    for day in ownDays.values { events.append(contentsOf: day.events) }
    for day in movedDays { events.append(contentsOf: day.events) }
  }
}
