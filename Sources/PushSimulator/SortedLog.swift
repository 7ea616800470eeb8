import Foundation

/// A log that is written in its final order, and where its units begin in it.
struct SortedLog: Sendable {
  var lines: Int
  var bytes: Int
  /// Line number of each unit's first line, groups one after another.
  var firstLines: [UInt32]
  /// Where each group's units begin in `firstLines`.
  var groupStarts: [Int]

  func line(group: Int, unit: Int) -> Int { Int(firstLines[groupStarts[group] + unit]) }
}

/// A file that is written from start to end.
struct OutputFile {
  let descriptor: Int32
  let path: String

  init(path: String) throws(SimulatorError) {
    self.path = path
    descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
    if descriptor < 0 { throw .file(path: path, operation: "create", code: errno) }
  }

  func write(_ start: UnsafePointer<UInt8>, _ length: Int) throws(SimulatorError) {
    try writeAll(descriptor, start, length, path: path)
  }

  func close() throws(SimulatorError) {
    if Foundation.close(descriptor) != 0 {
      throw .file(path: path, operation: "close", code: errno)
    }
  }
}

/// Memory for one bucket at a time.
struct BucketBuffer: ~Copyable {
  private(set) var base: UnsafeMutablePointer<UInt8>
  private var capacity: Int

  init() {
    capacity = 1 << 20
    base = .allocate(capacity: capacity)
  }

  deinit {
    base.deallocate()
  }

  /// Reads one bucket of all spill files; returns its length in bytes.
  mutating func load(_ files: [(descriptor: Int32, extents: [SpillExtent])]) throws(SimulatorError)
    -> Int
  {
    var length = 0
    for file in files { for extent in file.extents { length += extent.length } }
    if length > capacity {
      base.deallocate()
      capacity = length + length / 4
      base = .allocate(capacity: capacity)
    }
    var at = 0
    for file in files {
      for extent in file.extents {
        try readAll(file.descriptor, into: base + at, extent.length, offset: extent.offset)
        at += extent.length
      }
    }
    return length
  }
}

private struct UnitPlace {
  var header: UnitHeader
  var offset: Int
}

private func extentsByBucket(_ files: [SpillFile], buckets: Int) -> [[[SpillExtent]]] {
  files.map { file in
    var byBucket = Array(repeating: [SpillExtent](), count: buckets)
    for extent in file.extents { byBucket[extent.bucket].append(extent) }
    return byBucket
  }
}

/// The units of a loaded bucket in their final order.
private func sortedUnits(_ base: UnsafePointer<UInt8>, _ length: Int) -> [UnitPlace] {
  var places: [UnitPlace] = []
  var at = 0
  while at < length {
    let header = loadHeader(base + at)
    places.append(UnitPlace(header: header, offset: at + UnitHeader.size))
    at += UnitHeader.size + Int(header.length)
  }
  places.sort { left, right in
    if left.header.timeMicroseconds != right.header.timeMicroseconds {
      return left.header.timeMicroseconds < right.header.timeMicroseconds
    }
    if left.header.group != right.header.group { return left.header.group < right.header.group }
    return left.header.index < right.header.index
  }
  return places
}

/// Puts the units of a log in order and writes them to `path`.
func sortLog(
  _ files: [SpillFile], units: [Int], _ buckets: Int, to path: String
) throws(SimulatorError) -> SortedLog {
  var groupStarts: [Int] = []
  var total = 0
  for count in units {
    groupStarts.append(total)
    total += count
  }
  var log = SortedLog(
    lines: 0, bytes: 0, firstLines: Array(repeating: 0, count: total), groupStarts: groupStarts)
  let byBucket = extentsByBucket(files, buckets: buckets)
  let output = try OutputFile(path: path)
  var buffer = BucketBuffer()
  var out = ByteWriter(capacity: 5 << 20)
  for bucket in 0..<buckets {
    let length = try buffer.load(
      files.indices.map { (files[$0].descriptor, byBucket[$0][bucket]) })
    for place in sortedUnits(buffer.base, length) {
      let unit = groupStarts[Int(place.header.group)] + Int(place.header.index)
      log.firstLines[unit] = UInt32(log.lines + 1)
      log.lines += Int(place.header.lines)
      out.bytes(buffer.base + place.offset, Int(place.header.length))
      if out.count > 4 << 20 {
        try output.write(out.base, out.count)
        log.bytes += out.count
        out.removeAll()
      }
    }
  }
  try output.write(out.base, out.count)
  log.bytes += out.count
  try output.close()
  return log
}

/// Writes the truth, with line numbers in place of marks.
func writeTruth(
  _ files: [SpillFile], provider: SortedLog, device: SortedLog, to path: String
) throws(SimulatorError) -> SimulatedFile {
  var places: [(group: Int, descriptor: Int32, extent: SpillExtent)] = []
  for file in files {
    for extent in file.extents {
      // Extents may hold several groups where these are small; each is taken apart below.
      var at = 0
      var header = [UInt8](repeating: 0, count: UnitHeader.size)
      while at < extent.length {
        let offset = extent.offset + at
        let unit = try header.withUnsafeMutableBufferPointer {
          raw throws(SimulatorError) -> UnitHeader in
          guard let base = raw.baseAddress else {
            throw .file(path: path, operation: "read back", code: 0)
          }
          try readAll(file.descriptor, into: base, UnitHeader.size, offset: offset)
          return loadHeader(base)
        }
        let length = UnitHeader.size + Int(unit.length)
        places.append(
          (Int(unit.group), file.descriptor, SpillExtent(bucket: 0, offset: offset, length: length))
        )
        at += length
      }
    }
  }
  places.sort { $0.group < $1.group }
  let output = try OutputFile(path: path)
  var buffer = BucketBuffer()
  var out = ByteWriter(capacity: 5 << 20)
  var result = SimulatedFile(name: "truth.ndjson", lines: 0, bytes: 0)
  for place in places {
    let length = try buffer.load([(place.descriptor, [place.extent])])
    result.lines += Int(loadHeader(buffer.base).lines)
    var at = UnitHeader.size
    while at < length {
      guard let found = memchr(buffer.base + at, Int32(LineMark.byte), length - at) else {
        out.bytes(buffer.base + at, length - at)
        break
      }
      let mark = UnsafePointer<UInt8>(found.assumingMemoryBound(to: UInt8.self))
      let offset = mark - UnsafePointer(buffer.base)
      out.bytes(buffer.base + at, offset - at)
      let raw = UnsafeRawPointer(mark)
      let unit = Int(UInt32(littleEndian: raw.loadUnaligned(fromByteOffset: 2, as: UInt32.self)))
      let line = Int(UInt32(littleEndian: raw.loadUnaligned(fromByteOffset: 6, as: UInt32.self)))
      let log = mark[1] == LineMark.provider ? provider : device
      out.integer(log.line(group: place.group, unit: unit) + line)
      at = offset + LineMark.size
    }
    if out.count > 4 << 20 {
      try output.write(out.base, out.count)
      result.bytes += out.count
      out.removeAll()
    }
  }
  try output.write(out.base, out.count)
  result.bytes += out.count
  try output.close()
  return result
}
