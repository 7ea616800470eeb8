/// How something is to be seen; never shown by colour alone.
enum Tone: String {
  case none, good, bad, unsure, conflict, quiet
}

/// A piece of text in one style.
struct Span: Equatable {
  enum Style: Equatable { case plain, strong, code, quiet }
  var text: String
  var style: Style = .plain

  static func strong(_ text: String) -> Span { Span(text: text, style: .strong) }
  static func code(_ text: String) -> Span { Span(text: text, style: .code) }
  static func quiet(_ text: String) -> Span { Span(text: text, style: .quiet) }
}

extension Span: ExpressibleByStringLiteral {
  init(stringLiteral value: String) { self.init(text: value) }
}

/// A picture beside numbers; its label says the same in words.
struct Figure: Equatable {
  /// A part of a bar, as a share of its full width.
  struct Part: Equatable {
    var share: Double
    /// Class of the style sheet.
    var look: String
  }
  enum Kind: Equatable {
    /// Parts side by side, from the left.
    case bar([Part])
    /// One column a day, the last one being the day itself; nil for days without a denominator.
    case days([Double?])
    /// A range around a point; all are places on the scale, 0 to 1, its middle meaning zero.
    case range(low: Double, middle: Double, high: Double)
    /// Columns of a distribution, and where its scale begins and ends.
    case columns([Double], from: String, to: String)
  }
  var kind: Kind
  var label: String
}

/// A cell of a table: lines of spans, or a figure, or both.
struct Cell: Equatable {
  var lines: [[Span]] = []
  var figure: Figure?
  var tone: Tone = .none

  init(_ text: String, tone: Tone = .none) {
    lines = text.isEmpty ? [] : [[Span(text: text)]]
    self.tone = tone
  }

  init(lines: [[Span]], tone: Tone = .none) {
    self.lines = lines.filter { !$0.isEmpty }
    self.tone = tone
  }

  init(_ figure: Figure?) { self.figure = figure }

  static func code(_ text: String) -> Cell { Cell(lines: [[.code(text)]]) }

  /// The text alone.
  var plain: String {
    lines.map { $0.map(\.text).joined(separator: " ") }.joined(separator: "; ")
  }
}

/// A table of a section.
struct Table: Equatable {
  struct Column: Equatable {
    enum Alignment { case left, right }
    /// A column, lines of their own above or below the row, or nowhere.
    enum Terminal { case column, above, below, omitted }
    var title: String
    var alignment: Alignment = .left
    /// Holds figures, which Markdown leaves out.
    var isFigure = false
    /// May be made narrower and wrapped in a terminal.
    var isElastic = false
    /// Where it stands in a terminal, where room is short.
    var inTerminal = Terminal.column
  }
  var caption: String
  var columns: [Column]
  var rows: [[Cell]]
  /// Shown instead of a table without rows.
  var emptySentence = "There are none."
  /// Whether each row becomes a block of its own on a narrow screen.
  var stacksWhenNarrow = true
  /// What the parts of its figures mean, where figures are drawn.
  var legend: [Legend] = []

  struct Legend: Equatable {
    /// Class of the style sheet.
    var look: String
    var text: String
  }
}

/// One step of a checklist as it is shown.
struct ShownStep: Equatable {
  var title: String
  var id: String
  var outcome: String
  var tone: Tone
  var sentence: String
  /// Cause, confidence, missing evidence: label and text.
  var details: [Labelled]
  var evidence: [ShownLine]
  var isDecisive: Bool
}

/// A line of a source as it is shown.
struct ShownLine: Equatable {
  /// `file:line`.
  var place: String
  /// What stands there, or why it cannot be shown.
  var text: String
  /// How the text was obtained, where it is not the stored line.
  var remark: String
}

/// A label and what belongs to it.
struct Labelled: Equatable {
  var label: String
  var cell: Cell

  init(_ label: String, _ cell: Cell) {
    self.label = label
    self.cell = cell
  }

  init(_ label: String, _ text: String) {
    self.init(label, Cell(text))
  }
}

/// What a section is made of.
enum Block: Equatable {
  case sentence(String)
  case callout(Tone, title: String, lines: [Labelled])
  case facts([Labelled])
  case table(Table)
  case steps([ShownStep])
}

/// A titled part of a report.
struct Section: Equatable {
  /// Name in the definition and in the page template.
  var id: String
  var title: String
  var note: String = ""
  var blocks: [Block] = []
  /// Whether tables stand side by side where there is room.
  var isGrid = false
}

/// A whole report, before it is written in some format.
struct Page: Equatable {
  /// Folder of the report in `Reports/`.
  var name: String
  var title: String
  var subtitle: String
  /// The answer in short, before anything else.
  var summary: [Block] = []
  /// Question, cohort, denominator, exclusions, limits.
  var about: [Labelled]
  var sections: [Section]

  /// Every heading and label, for the test of the vocabulary.
  var labels: [String] {
    var all = [title, subtitle] + about.map(\.label)
    for section in [Section(id: "", title: "", blocks: summary)] + sections {
      if !section.title.isEmpty { all.append(section.title) }
      for block in section.blocks {
        switch block {
        case .sentence: break
        case .callout(_, let title, let lines): all += [title] + lines.map(\.label)
        case .facts(let facts): all += facts.map(\.label)
        case .table(let table): all += [table.caption] + table.columns.map(\.title)
        case .steps(let steps): all += steps.flatMap { $0.details.map(\.label) }
        }
      }
    }
    return all
  }
}
