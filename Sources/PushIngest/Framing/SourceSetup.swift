/// What a person says about sources that do not say it themselves.
public struct SourceHints: Sendable {
  /// Name of the source, as given.
  public var name = ""
  /// Zone of times without one, seconds east of UTC; nil = not said, UTC is taken.
  public var assumedZoneSeconds: Int?
  /// Zone of times without one by its name in the time zone database (`Europe/Berlin`), which knows
  /// of summer time; taken before the seconds. Nil = not said.
  public var assumedZoneName: String?
  /// Year of times without one; nil = not said.
  public var assumedYear: Int?
  /// Time of records that carry none, UTC microseconds; nil = such records cannot be read.
  public var assumedTime: Int64?
  /// Names of attributes beside those that are known, and the field that each is: for formats
  /// without fixed names.
  public var attributeNames: [String: String] = [:]

  /// Nothing said.
  public init() {}

  /// The zone of times without one, as a person writes it: its name, its offset, or UTC.
  public var zoneText: String {
    if let assumedZoneName { return assumedZoneName }
    guard let seconds = assumedZoneSeconds, seconds != 0 else { return "UTC" }
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let minutes = abs(seconds) / 60
    return (seconds < 0 ? "-" : "+") + two(minutes / 60) + ":" + two(minutes % 60)
  }

  /// Whether a person said a zone.
  public var saysZone: Bool { assumedZoneName != nil || assumedZoneSeconds != nil }

  /// Takes what was said of the source when its beginning was read, where nothing is said now.
  public mutating func fill(zone: String?, year: Int?, time: Int64?) {
    if assumedYear == nil { assumedYear = year }
    if assumedTime == nil { assumedTime = time }
    if !saysZone, let zone { takeZone(zone) }
  }

  /// Takes a zone that ``zoneText`` wrote.
  private mutating func takeZone(_ text: String) {
    guard let sign = text.first, sign == "+" || sign == "-" else {
      if text == "UTC" { assumedZoneSeconds = 0 } else { assumedZoneName = text }
      return
    }
    let parts = text.dropFirst().split(separator: ":").compactMap { Int($0) }
    guard parts.count == 2 else { return }
    assumedZoneSeconds = (parts[0] * 3600 + parts[1] * 60) * (sign == "-" ? -1 : 1)
  }

  /// Whether the time zone database knows a name.
  public static func isZone(_ name: String) -> Bool { LocalTime.isKnown(name) }

  /// Whether ``attributeNames`` may map to a field.
  public static func isField(_ name: String) -> Bool { OTLPReader.isField(name) }

  /// A time as RFC 3339 with a zone, UTC microseconds; nil if it is not one.
  public static func time(_ text: String) -> Int64? {
    var text = text
    return text.withUTF8 { bytes in
      bytes.baseAddress.flatMap {
        TimeText.microseconds(ByteText(base: UnsafeRawPointer($0), count: bytes.count))
      }
    }
  }
}

/// What stays with a source while its pieces are read. Made from its first bytes alone, so that the
/// order in which pieces are read does not matter.
public struct SourceSetup: Sendable {
  /// How it falls into pieces.
  public var framing: Framing
  /// What a person says about it.
  public var hints = SourceHints()
  /// Meaning of each column, for rows: the adapter's own codes, 0 = of no use.
  public var columns: [UInt8] = []
  /// Which column holds the message of an export that wraps log lines in rows; -1 = none.
  var messageColumn = -1
  /// Which column holds the time of such a row; -1 = none.
  var timeColumn = -1
  /// Which of an adapter's forms the source has: the adapter's own codes.
  public var form: UInt8 = 0
  /// An id that all records of the source share, where its name says it; empty = none.
  var sharedID = ""
  /// The header row, which is no record; empty = there is none.
  var header: [UInt8] = []

  /// A setup.
  public init(framing: Framing = .lines) { self.framing = framing }
}

/// The first bytes of a source, in the forms in which adapters look at them.
public struct SourceHead {
  /// Up to 64 KiB without a byte order mark; 64 bytes behind them are readable.
  public let bytes: UnsafeRawBufferPointer
  /// The first lines that hold more than blanks, twenty at most.
  public let lines: [UnsafeRawBufferPointer]
  /// The first objects of ``Framing/jsonValues(inside:)``, twenty at most.
  public let objects: [UnsafeRawBufferPointer]
  /// Framing under which ``objects`` were found; nil if there are none.
  public let objectFraming: Framing?
  /// Its first rows, if the first line may be a header of comma-separated values.
  let rows: RowHead?
  /// What a person says about the source.
  public let hints: SourceHints
  private let isWhole: Bool

  /// The head of a source; `padded` must stay valid, and hold 64 bytes behind `count`.
  ///
  /// - Parameter isWhole: whether the source has no more bytes than these.
  public init(_ padded: UnsafeRawBufferPointer, count: Int, isWhole: Bool, hints: SourceHints) {
    var whole = UnsafeRawBufferPointer(rebasing: padded[0..<min(count, padded.count)])
    if whole.starts(with: [0xEF, 0xBB, 0xBF]) {
      whole = UnsafeRawBufferPointer(rebasing: whole[3...])
    }
    bytes = whole
    self.hints = hints
    self.isWhole = isWhole
    lines = SourceHead.pieces(whole, .lines, isWhole: isWhole)
    let isInside = JSONFraming.isArrayInside(whole)
    let framing = Framing.jsonValues(inside: isInside)
    // An object broken over lines, or several on one: then lines are no records.
    let isLines = !isInside && SourceHead.areObjects(lines)
    let found = isLines ? lines : SourceHead.pieces(whole, framing, isWhole: isWhole)
    objects = SourceHead.whole(found.filter { $0.contains(0x7B) })
    objectFraming = objects.isEmpty ? nil : isLines ? .lines : framing
    rows = RowHead(whole, isWhole: isWhole)
  }

  /// The first objects of the source however they stand, twenty at most, and the framing that finds
  /// them so.
  func looseObjects() -> (framing: Framing, pieces: [UnsafeRawBufferPointer]) {
    let framing = Framing.jsonValues(inside: JSONFraming.isArrayInside(bytes))
    let found = SourceHead.pieces(bytes, framing, isWhole: isWhole)
    return (framing, SourceHead.whole(found.filter { $0.contains(0x7B) }))
  }

  private static func pieces(
    _ bytes: UnsafeRawBufferPointer, _ framing: Framing, isWhole: Bool
  ) -> [UnsafeRawBufferPointer] {
    var pieces: [UnsafeRawBufferPointer] = []
    var cursor = PieceCursor(
      bytes, framing: framing, isSourceStart: true, isSourceEnd: isWhole)
    while let piece = cursor.next(), pieces.count < 20 {
      // A piece that the head cuts says nothing.
      let isCut = !isWhole && piece.offset + piece.length >= bytes.count
      if piece.length == 0 || (isCut && !pieces.isEmpty) { continue }
      let found = UnsafeRawBufferPointer(
        rebasing: bytes[piece.offset..<piece.offset + piece.length])
      if found.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) { continue }
      pieces.append(found)
    }
    return pieces
  }

  /// Objects without a last one that is broken off, as the last line of a copied file often is: the
  /// others say what the file is.
  private static func whole(_ objects: [UnsafeRawBufferPointer]) -> [UnsafeRawBufferPointer] {
    guard objects.count > 1, let last = objects.last, let base = last.baseAddress,
      let open = last.firstIndex(of: 0x7B), JSONFraming.objectEnd(base, open, last.count) == nil
    else { return objects }
    return Array(objects.dropLast())
  }

  /// Whether each line that holds an object holds one, and holds it whole.
  private static func areObjects(_ lines: [UnsafeRawBufferPointer]) -> Bool {
    var good = 0
    var bad = 0
    for line in lines {
      guard let base = line.baseAddress, line.contains(0x7B) else {
        if let first = line.first, first == 0x22 || first == 0x7D || first == 0x5B || first == 0x5D
        {
          bad += 1
        }
        continue
      }
      let start = line.firstIndex(of: 0x7B) ?? 0
      if let close = JSONFraming.objectEnd(base, start, line.count),
        !line[close...].contains(0x7B)
      {
        good += 1
      } else {
        bad += 1
      }
    }
    return good > bad
  }
}
