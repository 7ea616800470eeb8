import CZstd
import Glibc
public import PushModel

/// Opens the line that a record reference points to: as stored, else in its source while that is
/// still there, else its parsed record; the result says which.
public final class LineFinder {
  private let database: Database
  private let redact: (_ line: String, _ adapter: String) -> String?
  private var stored: [RecordReference: String] = [:]
  private var found: [RecordReference: StoredLine] = [:]
  private var sources: [UInt32: Source] = [:]

  private struct Source {
    var path: String
    var adapter: String
    /// Offset and number of the first line of each chunk, in order.
    var chunks: [(offset: Int64, line: Int64)]
    var assumedZone: String?
    var assumedTime: Int64?
    var assumedYear: Int?
  }

  /// Longest line that is read from a source.
  private static let longestLine = 1 << 20
  private static let blockBytes = 1 << 18

  /// A finder for one notification.
  ///
  /// - Parameters:
  ///   - database: open for reading.
  ///   - block: the block that keeps its lines, nil if none does.
  ///   - redact: takes private values out of a line that is read from its source; nil where it
  ///     cannot, then the record is shown. Stored lines have none any more.
  public init(
    database: Database, block: Int64?,
    redact: @escaping (_ line: String, _ adapter: String) -> String?
  ) throws(StoreError) {
    self.database = database
    self.redact = redact
    if let block { stored = try lines(ofBlock: block) }
  }

  /// The line of a reference; `record` writes out the parsed record, which is shown if no line can
  /// be had; nil if there is none at hand.
  public func line(_ reference: RecordReference, record: () -> String?) throws(StoreError)
    -> StoredLine
  {
    guard reference.source > 0 else {
      return StoredLine(file: nil, line: 0, text: record(), origin: .fact)
    }
    // Many steps rest on the same few lines.
    if let known = found[reference] { return known }
    let line = try find(reference, record: record)
    found[reference] = line
    return line
  }

  private func find(_ reference: RecordReference, record: () -> String?) throws(StoreError)
    -> StoredLine
  {
    let source = try source(reference.source)
    let file = source.map { fileName($0.path) }
    if let text = stored[reference] {
      return StoredLine(file: file, line: Int(reference.line), text: text, origin: .stored)
    }
    if let source, let text = read(reference.line, of: source),
      let shown = redact(text, source.adapter)
    {
      return StoredLine(file: file, line: Int(reference.line), text: shown, origin: .source)
    }
    let text = record()
    return StoredLine(
      file: file, line: Int(reference.line), text: text, origin: text == nil ? .stored : .record)
  }

  // MARK: Stored lines

  private func lines(ofBlock block: Int64) throws(StoreError) -> [RecordReference: String] {
    let rows = try database.named("stored_lines")
    rows.bind("block", block)
    defer { rows.reset() }
    guard try rows.step() else { return [:] }
    let size = Int(rows.integer(0))
    let bytes = rows.blob(1)
    let dictionary = rows.blob(2)
    guard (0...1 << 28).contains(size) else { throw damaged(block) }
    var text = [UInt8](repeating: 0, count: size)
    let written = text.withUnsafeMutableBytes { target in
      bytes.withUnsafeBytes { source in
        dictionary.withUnsafeBytes { words -> Int in
          guard let context = ZSTD_createDCtx() else { return -1 }
          defer { ZSTD_freeDCtx(context) }
          return ZSTD_decompress_usingDict(
            context, target.baseAddress, size, source.baseAddress, source.count,
            words.baseAddress, words.count)
        }
      }
    }
    guard written == size else { throw damaged(block) }
    return LineFinder.lines(in: text)
  }

  private func damaged(_ block: Int64) -> StoreError {
    StoreError(
      .damaged, message: "block \(block) of stored lines cannot be read", path: database.path)
  }

  /// Lines of a block: `source TAB line TAB text NEWLINE`.
  static func lines(in text: [UInt8]) -> [RecordReference: String] {
    var lines: [RecordReference: String] = [:]
    for line in text.split(separator: 0x0a) {
      let parts = line.split(separator: 0x09, maxSplits: 2, omittingEmptySubsequences: false)
      guard parts.count == 3, let source = UInt32(String(decoding: parts[0], as: UTF8.self)),
        let number = UInt32(String(decoding: parts[1], as: UTF8.self))
      else { continue }
      lines[RecordReference(source: source, line: number)] = String(
        decoding: parts[2], as: UTF8.self)
    }
    return lines
  }

  // MARK: Sources

  /// What was taken for times that the sources of the lines found so far do not say, by their names.
  public var assumedClocks: [AssumedClock] {
    sources.values.filter {
      $0.assumedZone != nil || $0.assumedTime != nil || $0.assumedYear != nil
    }.map {
      AssumedClock(
        file: fileName($0.path), zone: $0.assumedZone, time: $0.assumedTime, year: $0.assumedYear)
    }.sorted { ($0.file, $0.zone ?? "") < ($1.file, $1.zone ?? "") }
  }

  private func source(_ id: UInt32) throws(StoreError) -> Source? {
    if let known = sources[id] { return known }
    let rows = try database.named("source_of_line")
    rows.bind("source", Int64(id))
    defer { rows.reset() }
    guard try rows.step() else { return nil }
    let bytes = rows.blob(2)
    var chunks: [(offset: Int64, line: Int64)] = []
    bytes.withUnsafeBytes { bytes in
      for place in stride(from: 0, through: bytes.count - 16, by: 16) {
        let offset = bytes.loadUnaligned(fromByteOffset: place, as: Int64.self)
        let line = bytes.loadUnaligned(fromByteOffset: place + 8, as: Int64.self)
        chunks.append((Int64(littleEndian: offset), Int64(littleEndian: line)))
      }
    }
    chunks.sort { $0.line < $1.line }
    let source = Source(
      path: rows.text(0), adapter: rows.text(1), chunks: chunks,
      assumedZone: rows.optionalText(3), assumedTime: rows.optionalInteger(4),
      assumedYear: rows.optionalInteger(5).map { Int($0) })
    sources[id] = source
    return source
  }

  /// A line of a plain file; nil if the file is gone, is not plain or is another one by now.
  private func read(_ number: UInt32, of source: Source) -> String? {
    guard let chunk = source.chunks.last(where: { $0.line <= Int64(number) }), chunk.offset >= 0,
      chunk.line > 0
    else { return nil }
    let file = open(source.path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    var block = [UInt8](repeating: 0, count: LineFinder.blockBytes)
    func read(at offset: Int64, upTo count: Int) -> Int {
      block.withUnsafeMutableBytes {
        pread(file, $0.baseAddress, min(count, $0.count), Int(offset))
      }
    }
    let head = read(at: 0, upTo: 6)
    guard head > 0, !isPacked(block.prefix(head)) else { return nil }
    // A chunk begins where a line ended; else the file is not the one that was read.
    if chunk.offset > 0 {
      guard read(at: chunk.offset - 1, upTo: 1) == 1, block[0] == 0x0a else { return nil }
    }
    var left = Int64(number) - chunk.line
    var offset = chunk.offset
    var line: [UInt8] = []
    while line.count <= LineFinder.longestLine {
      let count = read(at: offset, upTo: LineFinder.blockBytes)
      guard count > 0 else { return left == 0 && !line.isEmpty ? text(of: line) : nil }
      offset += Int64(count)
      let isComplete = block.withUnsafeBytes { bytes -> Bool in
        var place = 0
        while place < count {
          let rest = UnsafeRawBufferPointer(rebasing: bytes[place..<count])
          let length = LineFinder.length(ofLineIn: rest)
          if left == 0 {
            line.append(contentsOf: rest.prefix(length ?? rest.count))
            return length != nil
          }
          guard let length else { return false }
          left -= 1
          place += length + 1
        }
        return false
      }
      if isComplete { return text(of: line) }
    }
    return nil
  }

  /// Bytes before the next line end, nil if there is none.
  private static func length(ofLineIn bytes: UnsafeRawBufferPointer) -> Int? {
    guard let base = bytes.baseAddress, let end = memchr(base, 0x0a, bytes.count) else {
      return nil
    }
    return UnsafeRawPointer(end) - base
  }

  private func text(of line: [UInt8]) -> String? {
    String(validating: line.last == 0x0d ? line.dropLast() : line[...], as: UTF8.self)
  }

  /// Whether the first bytes are those of gzip, zstd, xz, bzip2 or zip.
  private func isPacked(_ head: ArraySlice<UInt8>) -> Bool {
    let marks: [[UInt8]] = [
      [0x1f, 0x8b], [0x28, 0xb5, 0x2f, 0xfd], [0xfd, 0x37, 0x7a, 0x58, 0x5a], [0x42, 0x5a, 0x68],
      [0x50, 0x4b, 0x03, 0x04],
    ]
    return marks.contains { head.starts(with: $0) }
  }
}
