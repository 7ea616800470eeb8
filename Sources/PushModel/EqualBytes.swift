/// Whether two stretches of so many bytes hold the same: eight bytes at a time.
@inlinable @inline(__always)
public func equalBytes(
  _ left: UnsafeRawPointer, _ right: UnsafeRawPointer, _ count: Int
) -> Bool {
  var offset = 0
  while offset + 8 <= count {
    let isSame =
      unsafe left.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      == right.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
    if !isSame { return false }
    offset += 8
  }
  while offset < count {
    let isSame =
      unsafe left.load(fromByteOffset: offset, as: UInt8.self)
      == right.load(fromByteOffset: offset, as: UInt8.self)
    if !isSame { return false }
    offset += 1
  }
  return true
}
