/// What inspection of one built app found, as a report shows it.
public struct InspectionTables: Sendable {
  /// A label and what is known of it.
  public struct Row: Sendable, Hashable {
    /// What it is.
    public var label: String
    /// Its value, in words.
    public var value: String

    /// A row.
    public init(_ label: String, _ value: String) {
      self.label = label
      self.value = value
    }
  }

  /// What is known of the app or of one extension.
  public struct Sheet: Sendable {
    /// Its name.
    public var title: String
    /// Path inside the bundle.
    public var path: String
    /// Rows in order.
    public var rows: [Row]

    /// A sheet.
    public init(title: String, path: String, rows: [Row]) {
      self.title = title
      self.path = path
      self.rows = rows
    }
  }

  /// What a cell of a table of checks says.
  public enum Mark: String, Sendable {
    /// Checked and sound.
    case sound
    /// A finding that breaks, warns or informs.
    case breaks, warns, informs
    /// Not known.
    case unknown
    /// The question does not arise.
    case none
  }

  /// A table of something against parts.
  public struct Grid<Cell: Sendable>: Sendable {
    /// Names of the columns.
    public var columns: [String]
    /// Names of the rows with a cell for each column.
    public var rows: [(name: String, cells: [Cell])]

    /// A grid.
    public init(columns: [String], rows: [(name: String, cells: [Cell])]) {
      self.columns = columns
      self.rows = rows
    }
  }

  /// Something that was found.
  public struct FindingRow: Sendable {
    /// `breaks`, `warns` or `informs`.
    public var severity: Mark
    /// Step of the checklist.
    public var step: StepID
    /// Its cause; nil for what breaks nothing by itself.
    public var cause: CauseID?
    /// Name of the app or extension.
    public var part: String
    /// File and key.
    public var place: String
    /// What was found.
    public var sentence: String
    /// Numbers of the facts it rests on.
    public var facts: [String]

    /// A finding.
    public init(
      severity: Mark, step: StepID, cause: CauseID?, part: String, place: String,
      sentence: String, facts: [String]
    ) {
      self.severity = severity
      self.step = step
      self.cause = cause
      self.part = part
      self.place = place
      self.sentence = sentence
      self.facts = facts
    }
  }

  /// Name of the app with version and build.
  public var title: String
  /// File or folder that was read.
  public var source: String
  /// The app and its extensions.
  public var sheets: [Sheet]
  /// Entitlements of the parts side by side.
  public var entitlements: Grid<String>
  /// Checks against extensions.
  public var checks: Grid<Mark>
  /// Languages against parts; empty where no part has a display name of a language.
  public var names: Grid<Mark>
  /// What was found, in the order of the checklist.
  public var findings: [FindingRow]
  /// Parts that could not be read: place and reason.
  public var problems: [Row]

  /// Tables with everything in them.
  public init(
    title: String, source: String, sheets: [Sheet], entitlements: Grid<String>,
    checks: Grid<Mark>, names: Grid<Mark>, findings: [FindingRow], problems: [Row]
  ) {
    self.title = title
    self.source = source
    self.sheets = sheets
    self.entitlements = entitlements
    self.checks = checks
    self.names = names
    self.findings = findings
    self.problems = problems
  }
}

/// What differs between two built releases.
public struct BundleChangeTables: Sendable {
  /// One difference.
  public struct Change: Sendable {
    /// Name of the app or extension.
    public var part: String
    /// What differs.
    public var what: String
    /// Before; empty if it was not there.
    public var before: String
    /// After; empty if it is not there.
    public var after: String
    /// What that means for notifications; empty where it means nothing by itself.
    public var meaning: String

    /// A change.
    public init(part: String, what: String, before: String, after: String, meaning: String) {
      self.part = part
      self.what = what
      self.before = before
      self.after = after
      self.meaning = meaning
    }
  }

  /// Names of the two.
  public var names: (before: String, after: String)
  /// The differences, those with a meaning first.
  public var changes: [Change]
  /// Findings that only the later one has.
  public var newFindings: [InspectionTables.FindingRow]
  /// Findings that only the earlier one has.
  public var goneFindings: [InspectionTables.FindingRow]

  /// Tables with everything in them.
  public init(
    names: (before: String, after: String), changes: [Change],
    newFindings: [InspectionTables.FindingRow], goneFindings: [InspectionTables.FindingRow]
  ) {
    self.names = names
    self.changes = changes
    self.newFindings = newFindings
    self.goneFindings = goneFindings
  }
}
