import PushJoin
import PushModel
import PushStore

/// What was stored of an installation and takes part in its join; reused from one to the next.
struct JoinWindow {
  /// A stored notification.
  struct Entry {
    var stored: StoredNotification
    /// It lies in the days around: the clock, retries and collapse ids reach beyond a day. It takes
    /// part in the join and stays as it is, unless a new record belongs to it.
    var isSurrounding: Bool
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
  /// Days of the installation's own records that are here, and whether they may be written.
  var ownDays: [Int64: (events: Range<UInt32>, hash: UInt64, isOwned: Bool)] = [:]
  /// Installations known by a token only whose notifications move here.
  var moved: [Int64] = []
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
    tokens.removeAll()
  }

  mutating func add(_ stored: StoredNotification, isSurrounding: Bool) {
    guard places[stored.row.id] == nil else { return }
    places[stored.row.id] = entries.count
    entries.append(Entry(stored: stored, isSurrounding: isSurrounding))
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
  }

  func add(to sends: inout ContiguousArray<UInt32>, _ events: inout ContiguousArray<UInt32>) {
    for entry in entries {
      sends.append(contentsOf: entry.stored.sends)
      events.append(contentsOf: entry.stored.events)
    }
    for day in ownDays.values { events.append(contentsOf: day.events) }
  }
}
