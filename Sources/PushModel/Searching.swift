extension Range<Int> {
  /// The first place of which `isBefore` does not hold, where it holds for all places up to some one and
  /// for none from there on; the end if it holds for all. Takes as many steps as the count has bits.
  @inlinable @inline(__always) public func firstPlace(after isBefore: (Int) -> Bool) -> Int {
    var low = lowerBound
    var high = upperBound
    while low < high {
      let middle = low + (high - low) / 2
      if isBefore(middle) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
