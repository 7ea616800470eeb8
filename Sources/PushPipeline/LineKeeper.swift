import PushIngest
import PushJoin
import PushModel
import PushStore

/// Keeps the lines of notifications, in blocks, without their private values.
///
/// Whether the lines of a notification are kept is decided here, by ``RawPolicy``. One per thread.
final class LineKeeper {
  private let raw: RawLines
  private let batch: BatchContext
  private let records: RecordSet
  private let stored: StoredRows?
  private let redactor: LineRedactor
  private let window = RawLines.Window()
  private var redacted: [UInt8] = []
  /// Where the block that is being filled begins.
  private var openBlock = 0
  /// Blocks that earlier batches wrote, read last: those of one phone mostly stand in one.
  private var earlierBlocks: [(id: Int64, lines: [RecordReference: String])] = []

  /// How much text goes into one block.
  private static let blockBytes = 96 << 10
  /// Of notifications without a broken step, one in this many keeps its lines.
  private static let sampleShare: UInt64 = 100
  /// How many blocks of earlier batches are held.
  private static let mostEarlierBlocks = 4

  init(
    raw: RawLines, batch: BatchContext, records: RecordSet, stored: StoredRows?, tokenKey: TokenKey
  ) {
    self.raw = raw
    self.batch = batch
    self.records = records
    self.stored = stored
    redactor = LineRedactor(tokenKey: tokenKey)
  }

  /// Begins the blocks of a new row set.
  func begin() { openBlock = 0 }

  /// Ends the block that is being filled.
  func closeBlock(_ rows: RowSet) {
    guard rows.rawTexts.count > openBlock else { return }
    rows.rawBlocks.append(rows.rawTexts.range(from: openBlock))
    openBlock = rows.rawTexts.count
  }

  /// Keeps the lines of a notification if they are to be kept, and tells its row where they are:
  /// in a new block, with what blocks of earlier batches hold of it, or still in the one such block.
  func keep(
    _ notification: JoinedNotification, earlier blocks: [Int64], _ row: inout NotificationRow,
    _ rows: RowSet
  ) {
    row.storedRawBlock = blocks.first ?? 0
    guard isKept(row), blocks.count > 1 || records.hasNew(notification) else { return }
    if rows.rawTexts.count - openBlock > Self.blockBytes { closeBlock(rows) }
    let start = rows.rawTexts.count
    let earlier = blocks.map { lines(ofBlock: $0) }
    var hasMore = blocks.count > 1
    func keep(_ reference: RecordReference, _ place: RawPlace) {
      if place.isStored {
        guard var line = earlier.lazy.compactMap({ $0[reference] }).first else { return }
        line.withUTF8 { append(reference, UnsafeRawBufferPointer($0), rows) }
      } else if read(reference, place) {
        redacted.withUnsafeBytes { append(reference, $0, rows) }
        hasMore = true
      }
    }
    for place in notification.sends {
      keep(records.sends[Int(place)].reference, records.sends[Int(place)].raw)
    }
    for place in notification.events {
      keep(records.events[Int(place)].reference, records.events[Int(place)].raw)
    }
    if hasMore, rows.rawTexts.count > start {
      row.rawBlock = Int32(truncatingIfNeeded: rows.rawBlocks.count)
    } else {
      rows.rawTexts.truncate(to: start)
    }
  }

  private func isKept(_ row: NotificationRow) -> Bool {
    switch batch.rawPolicy {
    case .all: return true
    case .none: return false
    case .broken:
      let judgement = row.verdict.judgement
      return judgement == .broken || judgement == .conflicting
        || StableHash.mix(UInt64(bitPattern: row.id), StableHash.k2) % Self.sampleShare == 0
    }
  }

  private func append(
    _ reference: RecordReference, _ line: UnsafeRawBufferPointer, _ rows: RowSet
  ) {
    rows.rawTexts.append(number: Int64(reference.source))
    rows.rawTexts.append(0x09)
    rows.rawTexts.append(number: Int64(reference.line))
    rows.rawTexts.append(0x09)
    if let base = line.baseAddress { rows.rawTexts.append(base, line.count) }
    rows.rawTexts.append(0x0a)
  }

  // MARK: New lines

  /// Reads a line into ``redacted``, without its private values; false if it cannot be had.
  private func read(_ reference: RecordReference, _ place: RawPlace) -> Bool {
    guard place.length > 0, let line = window.line(place, of: raw) else { return false }
    redacted.removeAll(keepingCapacity: true)
    guard batch.keepsPayloads else {
      return redactor.redact(line, of: batch.forms[reference.source], into: &redacted)
    }
    // Stored lines end with a line end, so a record of several lines is stored as one.
    redacted.append(contentsOf: line.lazy.map { $0 == 0x0A || $0 == 0x0D ? 0x20 : $0 })
    return true
  }

  // MARK: Lines of earlier batches

  /// The lines of a block that an earlier batch wrote.
  private func lines(ofBlock block: Int64) -> [RecordReference: String] {
    if let known = earlierBlocks.first(where: { $0.id == block }) { return known.lines }
    // A block that cannot be read costs its lines, not the batch.
    guard let stored, let lines = try? StoredLines(stored.database).lines(block: block) else {
      return [:]
    }
    if earlierBlocks.count == Self.mostEarlierBlocks { earlierBlocks.removeFirst() }
    let byReference = Dictionary(
      lines.map { ($0.reference, $0.text) }, uniquingKeysWith: { first, _ in first })
    earlierBlocks.append((block, byReference))
    return byReference
  }
}
