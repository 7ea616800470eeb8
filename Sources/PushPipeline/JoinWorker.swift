import PushIngest
import PushJoin
import PushModel
import PushStore

/// Which stored lines are kept.
public enum RawPolicy: String, Sendable, CaseIterable {
  /// Of every notification.
  case all
  /// Of every notification with a broken step or conflicting evidence, and a sample of the rest.
  case broken
  /// None.
  case none
}

/// An id that went to one token only was seen on a device: the token is that device's, unless another
/// device claims it too.
struct TokenClaim: Hashable {
  /// The installation that stands for the token.
  var standIn: Int64
  /// The token.
  var token: TokenRecord
  /// The installation that claims it.
  var installation: Int64
}

/// What the join of a part needs to know of the batch.
struct BatchContext: Sendable {
  var context: JoinContext
  var origins: ContiguousArray<Origin>
  var maps: [SymbolMap]
  var rawPolicy: RawPolicy
  /// Whether lines are kept with their private values.
  var keepsPayloads: Bool
  /// Installations known by a token only whose token now belongs to an installation.
  var moves: [Int64: [Int64]]
  /// Days of installations to be judged again, beside those that the records touch.
  var touched: [Int64: Set<Int64>]
  var hasStored: Bool
  /// Where ids are looked up, as it is before the batch.
  var identifiers = StoredIdentifiers()
  /// Numbers of attribute sets, one table for all workers.
  var attributeSets: AttributeSets
  /// Formats of the sources of the batch, by their numbers.
  var forms: [UInt32: LineRedactor.Form] = [:]
  /// Lines before each chunk of the batch.
  var lineBases: [UInt32]
  /// First day that no pruning removed; 0 without any.
  var prunedBefore: Int64 = 0
}

/// Joins, judges and packs one part of a batch at a time. One per thread.
///
/// The data path: spilled records of the part → grouped by installation → with what is stored of it
/// (``WindowLoader``) → join → rows (``RowBuilder``), with their lines (``LineKeeper``).
final class JoinWorker {
  private let pool: TextPool
  private let spills: [SpillFile]
  private let batch: BatchContext
  private var context: JoinContext
  private let stored: StoredRows?
  /// Nil where nothing is stored yet.
  private let loader: WindowLoader?
  private let rowBuilder: RowBuilder
  private var join = InstallationJoin()
  private let records = RecordSet()
  private var sendHomes: ContiguousArray<Int64> = []
  private var eventHomes: ContiguousArray<Int64> = []
  private var installations = SpillCodec.Installations()
  private var spareWindow = JoinWindow()
  private var describedSends = 0
  private var describedOrigins = 0
  private var block = UnsafeMutableRawPointer.allocate(byteCount: 1 << 16, alignment: 16)
  private var blockSize = 1 << 16
  /// Records that were here already, by source.
  private(set) var duplicates: [UInt32: Int64] = [:]

  /// Counts to add to the roll-ups.
  var delta: RollupDelta { rowBuilder.delta }
  /// Records of days that were pruned, by source.
  var outdated: [UInt32: Int64] { rowBuilder.outdated }
  /// Tokens that ids tie to installations of the part, as far as one installation can tell.
  var claims: [TokenClaim] { loader?.claims ?? [] }

  init(
    pool: TextPool, spills: [SpillFile], raw: RawLines, batch: BatchContext, stored: StoredRows?,
    tokenKey: TokenKey
  ) {
    self.pool = pool
    self.spills = spills
    self.batch = batch
    let stored = batch.hasStored ? stored : nil
    self.stored = stored
    context = batch.context
    records.origins.append(contentsOf: batch.origins)
    loader = stored.map { [records] in WindowLoader(stored: $0, batch: batch, records: records) }
    rowBuilder = RowBuilder(
      batch: batch, records: records, stored: stored,
      writer: TimelineWriter(pool: pool, sets: batch.attributeSets),
      keeper: LineKeeper(
        raw: raw, batch: batch, records: records, stored: stored, tokenKey: tokenKey))
  }

  deinit { block.deallocate() }

  // MARK: One part

  /// Reads what is stored in one state, from the first part to the last.
  func begin() throws { try stored?.beginReading() }

  /// Ends what ``begin()`` began.
  func end() throws { try stored?.endReading() }

  /// Joins and judges the records of a part; fills `rows`.
  func process(part: Int, into rows: RowSet) throws {
    rows.removeAll()
    records.removeAll()
    sendHomes.removeAll(keepingCapacity: true)
    eventHomes.removeAll(keepingCapacity: true)
    installations.texts.removeAll(keepingCapacity: true)
    rowBuilder.begin()
    for (number, spill) in spills.enumerated() {
      for entry in spill.blocks where entry.part == part {
        if blockSize < entry.length {
          block.deallocate()
          blockSize = entry.length
          block = .allocate(byteCount: blockSize, alignment: 16)
        }
        try spill.read(entry, into: block)
        let firstSend = records.sends.count
        let firstEvent = records.events.count
        SpillCodec.decode(
          block, entry.length, map: batch.maps[number], into: records, sendHomes: &sendHomes,
          eventHomes: &eventHomes, installations: &installations)
        // Lines were counted within their chunk; now the lines before it are known.
        for index in firstSend..<records.sends.count {
          records.sends[index].reference.line &+=
            batch.lineBases[
              Int(records.sends[index].raw.chunk)]
        }
        for index in firstEvent..<records.events.count {
          records.events[index].reference.line &+=
            batch.lineBases[
              Int(records.events[index].raw.chunk)]
        }
      }
    }
    describedSends = 0
    describeNew()
    // Group by installation: number the installations, count, place.
    let numbers = HashTable<Int32>()
    var ids: [Int64] = []
    func number(_ home: Int64) -> Int {
      if let known = numbers[UInt64(bitPattern: home)] { return Int(known) }
      numbers[UInt64(bitPattern: home)] = Int32(ids.count)
      ids.append(home)
      return ids.count - 1
    }
    var sendNumbers = ContiguousArray<Int32>()
    sendNumbers.reserveCapacity(sendHomes.count)
    for home in sendHomes { sendNumbers.append(Int32(truncatingIfNeeded: number(home))) }
    var eventNumbers = ContiguousArray<Int32>()
    eventNumbers.reserveCapacity(eventHomes.count)
    for home in eventHomes { eventNumbers.append(Int32(truncatingIfNeeded: number(home))) }
    for home in batch.touched.keys where SpillParts.part(of: home) == part { _ = number(home) }
    for home in batch.moves.keys where SpillParts.part(of: home) == part { _ = number(home) }
    let sends = JoinWorker.grouped(sendNumbers, ids.count)
    let events = JoinWorker.grouped(eventNumbers, ids.count)
    let order = ids.indices.sorted { ids[$0] < ids[$1] }
    for place in order {
      try processInstallation(
        ids[place], sends: sends.places[sends.starts[place]..<sends.starts[place + 1]],
        events: events.places[events.starts[place]..<events.starts[place + 1]], rows)
    }
    rowBuilder.finish(rows)
  }

  private static func grouped(_ numbers: ContiguousArray<Int32>, _ count: Int)
    -> (starts: [Int], places: ContiguousArray<UInt32>)
  {
    var starts = [Int](repeating: 0, count: count + 1)
    for number in numbers { starts[Int(number) + 1] += 1 }
    for index in 0..<count { starts[index + 1] += starts[index] }
    var next = starts
    var places = ContiguousArray<UInt32>(repeating: 0, count: numbers.count)
    for (place, number) in numbers.enumerated() {
      places[next[Int(number)]] = UInt32(truncatingIfNeeded: place)
      next[Int(number)] += 1
    }
    return (starts, places)
  }

  // MARK: One installation

  private func processInstallation(
    _ id: Int64, sends: ContiguousArray<UInt32>.SubSequence,
    events: ContiguousArray<UInt32>.SubSequence, _ rows: RowSet
  ) throws {
    // Taken for as long as it is filled and read, so that its buffers are used again.
    var window = JoinWindow()
    swap(&window, &spareWindow)
    defer { swap(&window, &spareWindow) }
    window.removeAll()
    if let loader {
      try loader.load(id, sends: sends, events: events, into: &window)
      joinAll(sends, events, window)
      if try loader.loadByIdentifier(id, join, into: &window) { joinAll(sends, events, window) }
      while true {
        if try !loader.loadForClock(id, join, into: &window),
          try !loader.settle(id, join, into: &window)
        {
          break
        }
        joinAll(sends, events, window)
      }
    } else {
      join.join(records, sends: sends, events: events, carried: window.carried)
    }
    for duplicate in join.duplicates {
      let place = Int(duplicate.place)
      let (reference, raw) =
        duplicate.isSend
        ? (records.sends[place].reference, records.sends[place].raw)
        : (records.events[place].reference, records.events[place].raw)
      if !raw.isStored { duplicates[reference.source, default: 0] += 1 }
    }
    try rowBuilder.add(
      id, join, window, deviceID: installations.texts[id], context, to: rows)
  }

  /// Joins the records of the batch with those of the window.
  private func joinAll(
    _ sends: ContiguousArray<UInt32>.SubSequence, _ events: ContiguousArray<UInt32>.SubSequence,
    _ window: borrowing JoinWindow
  ) {
    describeNew()
    var allSends = ContiguousArray(sends)
    var allEvents = ContiguousArray(events)
    window.add(to: &allSends, &allEvents)
    join.join(records, sends: allSends, events: allEvents, carried: window.carried)
  }

  /// Looks up what the join and the chains need of the sends and origins that were not there before.
  private func describeNew() {
    if describedSends < records.sends.count {
      context.describeTopics(records.sends[describedSends...], pool)
      describedSends = records.sends.count
    }
    if describedOrigins < records.origins.count {
      join.parentBundles.describe(records, pool)
      context.describeSystems(records.origins[describedOrigins...], pool)
      describedOrigins = records.origins.count
    }
  }
}

/// How installations are dealt to parts: by the highest bits of their ids, so that the rows of one
/// part lie behind those of the part before.
enum SpillParts {
  static let count = 64
  /// The part of records that name no installation, and of those whose installation is still not known
  /// when the tokens are.
  static let deferred = count
  static let unresolved = count + 1
  static let all = count + 2

  @inline(__always) static func part(of installation: Int64) -> Int { Int(installation >> 57) }
}

extension RecordSet {
  /// Whether some record of a notification comes from the files that are read.
  func hasNew(_ notification: JoinedNotification) -> Bool {
    notification.sends.contains { !sends[Int($0)].raw.isStored }
      || notification.events.contains { !events[Int($0)].raw.isStored }
  }
}
