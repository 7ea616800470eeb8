/// The files of `Reports/`, looked up by path.
public enum ReportCatalogue {
  /// Path relative to `Reports/` and text of every embedded file, in order of path.
  public static var files: [(path: String, text: String)] { embeddedTexts }

  /// The text of the file at `path`, for example `shared/style.css`.
  public static func text(at path: String) -> String? {
    embeddedTexts.first { $0.path == path }?.text
  }
}
