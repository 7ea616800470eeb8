import PushModel
import PushStore

/// Which installation a token belongs to, and when: by what devices register, and by ids that went
/// to one token only and came back from one device only.
final class TokenMap {
  struct Holder {
    var installation: Int64
    var firstAt: Int64
    var lastAt: Int64
  }

  /// Holders of a token.
  private struct Holders {
    var standIn: Int64
    var first: Holder
    /// Whoever else registered it.
    var others: [Holder] = []
  }

  private var entries: ContiguousArray<Holders> = []
  /// Places in `entries`.
  private let places = HashTable<Int32>()

  /// The stand-in for an installation that is known by its token only.
  static func standIn(for token: TokenRecord) -> Int64 { RowID.installation(hash: token.high) }

  /// The stand-in where there is no token either: what carries this id.
  static func standIn(for identifier: Identifier) -> Int64 {
    RowID.installation(hash: StableHash.mix(identifier.hash ^ 0x1d, StableHash.k2))
  }

  /// The stand-in of a send that has neither: nothing ties it to another one, so that each is by itself.
  static func standIn(forBare send: SendRecord) -> Int64 {
    RowID.installation(
      hash: StableHash.mix(
        UInt64(bitPattern: send.at) ^ 0x2b, send.shape ^ UInt64(truncatingIfNeeded: send.status)))
  }

  /// Adds a registration. True if the token had none by this installation.
  @discardableResult
  func add(_ standIn: Int64, _ installation: Int64, at: Int64) -> Bool {
    func extend(_ holder: inout Holder) {
      holder.firstAt = min(holder.firstAt, at)
      holder.lastAt = max(holder.lastAt, at)
    }
    let new = Holder(installation: installation, firstAt: at, lastAt: at)
    guard let known = places[UInt64(bitPattern: standIn)] else {
      places[UInt64(bitPattern: standIn)] = Int32(truncatingIfNeeded: entries.count)
      entries.append(Holders(standIn: standIn, first: new))
      return true
    }
    let place = Int(known)
    if entries[place].first.installation == installation {
      extend(&entries[place].first)
      return false
    }
    if let other = entries[place].others.firstIndex(where: { $0.installation == installation }) {
      extend(&entries[place].others[other])
      return false
    }
    entries[place].others.append(new)
    return true
  }

  /// The installation that held a token at a time: of several, the one that registered it last
  /// before; before all of them, the first one.
  func installation(_ standIn: Int64, at: Int64) -> Int64? {
    guard let place = places[UInt64(bitPattern: standIn)] else { return nil }
    if entries[Int(place)].others.isEmpty { return entries[Int(place)].first.installation }
    let known = [entries[Int(place)].first] + entries[Int(place)].others
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

  func merge(_ other: TokenMap) -> [Int64] {
    var new: [Int64] = []
    for entry in other.entries {
      for holder in [entry.first] + entry.others {
        let isNew = add(entry.standIn, holder.installation, at: holder.firstAt)
        add(entry.standIn, holder.installation, at: holder.lastAt)
        if isNew { new.append(entry.standIn) }
      }
    }
    return new
  }

  func removeAll() {
    entries.removeAll(keepingCapacity: true)
    places.removeAll()
  }
}
