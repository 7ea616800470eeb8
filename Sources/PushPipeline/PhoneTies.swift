import Foundation
import PushIngest
import PushModel
import PushStore

/// Which installation the log of a phone belongs to.
///
/// System logs, crash reports and memory reports name no installation. What a source of that kind
/// holds is first taken as a phone of its own; it is tied to the one installation (or the token that
/// stands for one) whose ids have the most short ids in common with it (F11.5), near in time. Short
/// ids have 32 bits and a campaign's collapse id goes to many: where two have equally many, or none
/// has one, the phone stays what it is.
struct PhoneTies {
  /// A short id in a phone's log.
  private struct Sighting {
    var phone: Int64
    var at: Int64
  }

  private var sightings: [UInt64: [Sighting]] = [:]
  private var votes: [Int64: [Int64: Set<UInt64>]] = [:]
  private var digestOf: [UInt64: UInt64] = [:]
  private(set) var firstAt: Int64 = .max
  private(set) var lastAt: Int64 = .min

  /// How long after its send a notification may come and still tie a phone: longer ago, a short id
  /// that happens to be equal is as likely.
  private static let window: Int64 = 3 * 86_400_000_000
  /// How far a phone's clock, or a zone that was assumed, may be off.
  private static let clockError: Int64 = 86_400_000_000

  var isEmpty: Bool { sightings.isEmpty }

  /// The stand-in of the phone that a source comes from: parts of one sysdiagnose, unpacked or not,
  /// are of one phone, and so are members of one archive; any other file is a phone of its own.
  static func phone(ofSource name: String, isMember: Bool) -> Int64 {
    let parts = name.split(separator: "/").map(String.init)
    var key = parts.last ?? name
    if let whole = parts.first(where: { $0.hasPrefix("sysdiagnose_") }) {
      key = whole.split(separator: ".").first.map(String.init) ?? whole
    } else if isMember, let archive = parts.first(where: { isArchive($0) }) {
      key = archive
    }
    return RowID.installation(
      hash: StableHash.mix(StableHash.of("phone " + key), StableHash.k2))
  }

  private static func isArchive(_ name: String) -> Bool {
    [".tar", ".tar.gz", ".tgz", ".zip", ".tar.xz", ".tar.zst", ".tar.bz2", ".ipa"].contains {
      name.lowercased().hasSuffix($0)
    }
  }

  /// A short id in a phone's log.
  mutating func see(digest: UInt64, at: Int64, phone: Int64) {
    sightings[digest, default: []].append(Sighting(phone: phone, at: at))
    firstAt = min(firstAt, at)
    lastAt = max(lastAt, at)
  }

  /// An id in clear that an installation's send or event carries.
  mutating func offer(_ hash: UInt64, at: Int64, home: Int64, text: () -> String) {
    let digest: UInt64
    if let known = digestOf[hash] {
      digest = known
    } else {
      digest = StableHash.ofIdentifier(RequestDigest.text(of: text()))
      digestOf[hash] = digest
    }
    for sighting in sightings[digest] ?? [] where sighting.phone != home {
      let since = sighting.at - at
      guard since >= -PhoneTies.clockError, since <= PhoneTies.window else { continue }
      votes[sighting.phone, default: [:]][home, default: []].insert(digest)
    }
  }

  /// The installation of each phone that has one.
  func decide() -> [(phone: Int64, home: Int64)] {
    votes.compactMap { phone, homes in
      let ranked = homes.map { (count: $0.value.count, home: $0.key) }
        .sorted { ($1.count, $0.home) < ($0.count, $1.home) }
      guard let best = ranked.first, ranked.count == 1 || ranked[1].count < best.count else {
        return nil
      }
      return (phone, best.home)
    }
    .sorted { $0.phone < $1.phone }
  }

  // MARK: Remembering

  /// Phones that an earlier run saw, each with its installation where it is known.
  static func stored(_ text: String?) -> [Int64: Int64?] {
    var phones: [Int64: Int64?] = [:]
    for entry in (text ?? "").split(separator: " ") {
      let parts = entry.split(separator: "=")
      guard let phone = Int64(parts[0]) else { continue }
      phones[phone] = .some(parts.count > 1 ? Int64(parts[1]) : nil)
    }
    return phones
  }

  /// The same as a text for the database.
  static func text(_ phones: [Int64: Int64?]) -> String {
    phones.sorted { $0.key < $1.key }
      .map { phone, home in home.map { "\(phone)=\($0)" } ?? "\(phone)" }
      .joined(separator: " ")
  }
}
