/// The forms in which every report can be written.
public enum ReportFormat: String, CaseIterable, Sendable {
  /// One file for a browser: style and charts inline, no script.
  case html
  /// Markdown with tables.
  case markdown = "md"
  /// Everything as data, with a version.
  case json
  /// For a terminal: aligned, at most 100 columns.
  case text
}
