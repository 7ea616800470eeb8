import PushModel
import PushStore

/// Which installation a token belongs to, and when: by what devices register, and by ids that went
/// to one token only and came back from one device only.
struct TokenMap {
  struct Holder {
    var installation: Int64
    var firstAt: Int64
    var lastAt: Int64
  }

  private var holders: [Int64: [Holder]] = [:]

  /// The stand-in for an installation that is known by its token only.
  static func standIn(for token: TokenRecord) -> Int64 { RowID.installation(hash: token.high) }

  /// The stand-in where there is no token either: what carries this id.
  static func standIn(for identifier: Identifier) -> Int64 {
    RowID.installation(hash: StableHash.mix(identifier.hash ^ 0x1d, StableHash.k2))
  }

  /// Adds a registration. True if the token had none by this installation.
  @discardableResult
  mutating func add(_ standIn: Int64, _ installation: Int64, at: Int64) -> Bool {
    if var known = holders[standIn] {
      if let place = known.firstIndex(where: { $0.installation == installation }) {
        if at < known[place].firstAt { known[place].firstAt = at }
        if at > known[place].lastAt { known[place].lastAt = at }
        holders[standIn] = known
        return false
      }
      known.append(Holder(installation: installation, firstAt: at, lastAt: at))
      holders[standIn] = known
      return true
    }
    holders[standIn] = [Holder(installation: installation, firstAt: at, lastAt: at)]
    return true
  }

  /// The installation that held a token at a time: of several, the one that registered it last
  /// before; before all of them, the first one.
  func installation(_ standIn: Int64, at: Int64) -> Int64? {
    guard let known = holders[standIn] else { return nil }
    if known.count == 1 { return known[0].installation }
    var best: Holder?
    for holder in known where holder.firstAt <= at {
      if best.map({ ($0.firstAt, $0.installation) < (holder.firstAt, holder.installation) }) ?? true
      {
        best = holder
      }
    }
    if let best { return best.installation }
    return known.min { ($0.firstAt, $0.installation) < ($1.firstAt, $1.installation) }?.installation
  }

  mutating func merge(_ other: TokenMap) -> [Int64] {
    var new: [Int64] = []
    for (standIn, list) in other.holders {
      for holder in list {
        let isNew = add(standIn, holder.installation, at: holder.firstAt)
        add(standIn, holder.installation, at: holder.lastAt)
        if isNew { new.append(standIn) }
      }
    }
    return new
  }

  mutating func removeAll() { holders.removeAll(keepingCapacity: true) }
}
