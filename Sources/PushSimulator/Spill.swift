import Foundation

/// One piece of a log that is written in one go: a send line, or what one phone uploaded at once.
/// Units sort by (time, group, index), which is unique, so that no thread decides their order.
struct UnitHeader {
  static let size = 24

  var timeMicroseconds: Int64
  var group: UInt32
  var index: UInt32
  var length: UInt32
  var lines: UInt32
}

/// A stretch of one bucket in a spill file.
struct SpillExtent: Sendable {
  var bucket: Int
  var offset: Int
  var length: Int
}

/// A spill file that is already written, and where its buckets lie in it.
struct SpillFile: Sendable {
  var descriptor: Int32
  var extents: [SpillExtent]
}

/// Sorts more bytes than memory should hold: units go to the bucket of their time, full buckets go
/// to a file without a name (so that nothing stays behind if the process dies).
struct SpillWriter: ~Copyable {
  private let descriptor: Int32
  private let path: String
  private let bufferSize: Int
  private let buffers: UnsafeMutablePointer<UInt8>
  private var used: [Int]
  private var extents: [SpillExtent] = []
  private var end = 0

  init(directory: String, name: String, buckets: Int, bufferSize: Int) throws(SimulatorError) {
    path = directory + "/." + name + ".spill"
    descriptor = open(path, O_RDWR | O_CREAT | O_TRUNC, 0o600)
    if descriptor < 0 { throw .file(path: path, operation: "create", code: errno) }
    unlink(path)
    self.bufferSize = bufferSize
    buffers = .allocate(capacity: buckets * bufferSize)
    used = Array(repeating: 0, count: buckets)
  }

  deinit {
    buffers.deallocate()
  }

  mutating func append(
    _ header: UnitHeader, _ bytes: UnsafePointer<UInt8>, bucket: Int
  ) throws(SimulatorError) {
    let length = Int(header.length)
    let total = UnitHeader.size + length
    if used[bucket] + total > bufferSize { try flush(bucket) }
    if total > bufferSize {
      // Too big for the buffer: two writes that make one extent.
      var prefix = [UInt8](repeating: 0, count: UnitHeader.size)
      prefix.withUnsafeMutableBytes { store(header, at: $0) }
      let start = end
      try prefix.withUnsafeBufferPointer { buffer throws(SimulatorError) in
        if let base = buffer.baseAddress { try write(base, buffer.count) }
      }
      try write(bytes, length)
      extents.append(SpillExtent(bucket: bucket, offset: start, length: total))
      return
    }
    let to = buffers + (bucket * bufferSize + used[bucket])
    store(header, at: UnsafeMutableRawBufferPointer(start: to, count: UnitHeader.size))
    memcpy(to + UnitHeader.size, bytes, length)
    used[bucket] += total
  }

  /// Writes what is left and hands the file over.
  mutating func finish() throws(SimulatorError) -> SpillFile {
    for bucket in used.indices { try flush(bucket) }
    return SpillFile(descriptor: descriptor, extents: extents)
  }

  private mutating func flush(_ bucket: Int) throws(SimulatorError) {
    let length = used[bucket]
    if length == 0 { return }
    extents.append(SpillExtent(bucket: bucket, offset: end, length: length))
    try write(buffers + bucket * bufferSize, length)
    used[bucket] = 0
  }

  private mutating func write(_ start: UnsafePointer<UInt8>, _ length: Int) throws(SimulatorError) {
    try writeAll(descriptor, start, length, path: path)
    end += length
  }
}

private func store(_ header: UnitHeader, at buffer: UnsafeMutableRawBufferPointer) {
  buffer.storeBytes(of: header.timeMicroseconds, toByteOffset: 0, as: Int64.self)
  buffer.storeBytes(of: header.group, toByteOffset: 8, as: UInt32.self)
  buffer.storeBytes(of: header.index, toByteOffset: 12, as: UInt32.self)
  buffer.storeBytes(of: header.length, toByteOffset: 16, as: UInt32.self)
  buffer.storeBytes(of: header.lines, toByteOffset: 20, as: UInt32.self)
}

func loadHeader(_ raw: UnsafeRawPointer) -> UnitHeader {
  UnitHeader(
    timeMicroseconds: raw.loadUnaligned(fromByteOffset: 0, as: Int64.self),
    group: raw.loadUnaligned(fromByteOffset: 8, as: UInt32.self),
    index: raw.loadUnaligned(fromByteOffset: 12, as: UInt32.self),
    length: raw.loadUnaligned(fromByteOffset: 16, as: UInt32.self),
    lines: raw.loadUnaligned(fromByteOffset: 20, as: UInt32.self))
}

func writeAll(
  _ descriptor: Int32, _ start: UnsafePointer<UInt8>, _ length: Int, path: String
) throws(SimulatorError) {
  var done = 0
  while done < length {
    let written = write(descriptor, start + done, length - done)
    if written < 0 {
      if errno == EINTR { continue }
      throw .file(path: path, operation: "write", code: errno)
    }
    done += written
  }
}

func readAll(
  _ descriptor: Int32, into start: UnsafeMutablePointer<UInt8>, _ length: Int, offset: Int
) throws(SimulatorError) {
  var done = 0
  while done < length {
    let got = pread(descriptor, start + done, length - done, off_t(offset + done))
    if got < 0, errno == EINTR { continue }
    if got <= 0 { throw .file(path: "a spill file", operation: "read", code: errno) }
    done += got
  }
}
