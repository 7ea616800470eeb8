/// Repeatable random numbers: xoshiro256** seeded through splitmix64. No system source is used, and
/// no function of the C library whose last bit may differ between machines.
struct RandomSource {
  private var a: UInt64
  private var b: UInt64
  private var c: UInt64
  private var d: UInt64

  init(seed: UInt64, stream: UInt64) {
    var state = seed &+ stream &* 0xD1B5_4A32_D192_ED03
    a = splitMix(&state)
    b = splitMix(&state)
    c = splitMix(&state)
    d = splitMix(&state)
  }

  mutating func next() -> UInt64 {
    let result = rotateLeft(b &* 5, 7) &* 9
    let t = b << 17
    c ^= a
    d ^= b
    b ^= c
    a ^= d
    c ^= t
    d = rotateLeft(d, 45)
    return result
  }

  /// A whole number from 0 up to, not including, `bound`; `bound` must be positive.
  mutating func below(_ bound: Int) -> Int {
    Int(truncatingIfNeeded: next().multipliedFullWidth(by: UInt64(bound)).high)
  }

  /// A whole number from `low` to `high`, both included.
  mutating func between(_ low: Int, _ high: Int) -> Int {
    low + below(high - low + 1)
  }

  /// True with a chance of `parts` in a million.
  mutating func chance(_ partsPerMillion: Int) -> Bool {
    below(1_000_000) < partsPerMillion
  }

  /// Mostly short, sometimes long: `unit` times 1 to 2, doubled again with a chance of 4 in 10 each
  /// time, at most `doublings` times.
  mutating func skewed(unit: Int, doublings: Int) -> Int {
    var value = unit + below(unit)
    var left = doublings
    while left > 0, chance(400_000) {
      value *= 2
      left -= 1
    }
    return value
  }
}

private func rotateLeft(_ value: UInt64, _ bits: UInt64) -> UInt64 {
  (value << bits) | (value >> (64 - bits))
}

/// One step of splitmix64.
func splitMix(_ state: inout UInt64) -> UInt64 {
  state &+= 0x9E37_79B9_7F4A_7C15
  var z = state
  z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
  z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
  return z ^ (z >> 31)
}
