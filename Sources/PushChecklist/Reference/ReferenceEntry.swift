public import PushModel

/// One thing of Apple's platform that people look up: a header, a key, an extension point, a code.
public struct ReferenceEntry: Sendable {
  /// What kind of thing it is.
  public enum Kind: String, Sendable, CaseIterable {
    case header, payloadKey, extensionPoint, errorCode, terminationCode

    /// The words for one of them.
    public var text: String {
      switch self {
      case .header: "header of a request to APNs"
      case .payloadKey: "key of the payload"
      case .extensionPoint: "extension point"
      case .errorCode: "error code"
      case .terminationCode: "reason for the end of a process"
      }
    }

    /// The words for all of them, for headings.
    public var plural: String {
      switch self {
      case .header: "Headers of a request to APNs"
      case .payloadKey: "Keys of the payload"
      case .extensionPoint: "Extension points"
      case .errorCode: "Error codes"
      case .terminationCode: "Reasons for the end of a process"
      }
    }
  }

  /// What kind of thing it is; set by the table that it stands in.
  public internal(set) var kind = Kind.header
  /// Its name, as it is written.
  public let id: String
  /// Other ways to write it.
  public let aliases: [String]
  /// What it may hold, or where it is seen.
  public let form: String
  /// What it means.
  public let meaning: String
  /// How this program decides about it.
  public let decided: String
  /// What to do where it is wrong, or where it is seen.
  public let repair: String
  /// Steps that read it.
  public let steps: [StepID]
  /// Causes that it leads to.
  public let causes: [CauseID]
  /// Facts that it rests on.
  public let facts: [FactID]

  init(
    _ id: String, aliases: [String] = [], form: String, _ meaning: String, decided: String,
    repair: String, steps: [StepID] = [], causes: [CauseID] = [], facts: [FactID]
  ) {
    self.id = id
    self.aliases = aliases
    self.form = form
    self.meaning = meaning
    self.decided = decided
    self.repair = repair
    self.steps = steps
    self.causes = causes
    self.facts = facts
  }

  /// All rows of all tables, in the order of their kinds.
  public static let all: [ReferenceEntry] = Kind.allCases.flatMap(rows)

  /// The table of one kind.
  public static func rows(_ kind: Kind) -> [ReferenceEntry] {
    let rows =
      switch kind {
      case .header: headerRows
      case .payloadKey: payloadKeyRows
      case .extensionPoint: extensionPointRows
      case .errorCode: errorCodeRows
      case .terminationCode: terminationRows
      }
    return rows.map { row in
      var row = row
      row.kind = kind
      return row
    }
  }

  /// The rows with a name, without regard to case; several where tables share it.
  public static func find(_ text: String) -> [ReferenceEntry] {
    let wanted = text.lowercased()
    return all.filter { row in
      row.id.lowercased() == wanted || row.aliases.contains { $0.lowercased() == wanted }
    }
  }
}
