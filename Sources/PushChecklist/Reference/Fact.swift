/// How sure a fact about Apple's platform is.
public enum FactMark: String, Sendable, CaseIterable {
  /// Read in Apple's own documentation.
  case apple = "A"
  /// Several independent public sources agree.
  case observed = "P"
  /// Read in decompiled frameworks of which several public dumps agree; undocumented.
  case decompiled = "P-os"
  /// One public source.
  case single = "P1"
  /// Experience only.
  case experience = "S"
  /// Contested, or Apple contradicts itself.
  case contested = "C"
  /// Follows from other facts.
  case derived = "–"

  /// Whether a rule may call something broken on such a fact alone.
  public var isFirm: Bool { self == .apple || self == .observed }

  /// What the mark means.
  public var text: String {
    switch self {
    case .apple: "Apple's documentation"
    case .observed: "several public sources agree"
    case .decompiled: "read in decompiled iOS, undocumented"
    case .single: "one public source"
    case .experience: "experience only"
    case .contested: "contested"
    case .derived: "follows from other facts"
    }
  }
}

/// One outside statement that steps rely on.
public struct Fact: Sendable {
  /// Its number.
  public let id: FactID
  /// What it says, in our words.
  public let claim: String
  /// How sure it is; several where parts of it differ.
  public let marks: [FactMark]
  /// Where it comes from.
  public let source: String
  /// When a stored copy of that was read. Apple's own pages may have changed since it was stored.
  public let checked: String

  init(
    _ id: FactID, _ claim: String, _ marks: FactMark..., from source: String,
    read: String = "2026-11-01"
  ) {
    self.id = id
    self.claim = claim
    self.marks = marks
    self.source = source
    checked = read
  }

  /// Whether a rule may call something broken on it alone.
  public var isFirm: Bool { marks.contains { $0.isFirm } }

  /// How sure it is, in words.
  var certainty: String { marks.map(\.text).joined(separator: "; ") }

  /// A fact by its number, nil if it is in no table.
  public static func find(_ id: FactID) -> Fact? { all.first { $0.id == id } }
}
