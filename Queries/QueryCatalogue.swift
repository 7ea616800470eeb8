/// The files of `Queries/`, looked up by name.
public enum QueryCatalogue {
  /// Path relative to `Queries/` and text of every embedded file, in order of path.
  public static var files: [(path: String, text: String)] { embeddedTexts }

  /// The text of the query `name` (a path without its ending, or only its last part).
  public static func text(named name: String) -> String? {
    for file in embeddedTexts where file.path.hasSuffix(".sql") {
      let path = file.path.dropLast(4)
      if path == name || path.split(separator: "/").last.map(String.init) == name {
        return file.text
      }
    }
    return nil
  }
}
