public import Foundation

/// The folder that holds `Package.swift`, and what is in it.
public enum Repository {
  /// The folder that holds `Package.swift`.
  public static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// Paths relative to the root of all files below `folder` (relative; empty for all), sorted.
  /// Left out is what git ignores: build folders, demo output, databases.
  public static func files(below folder: String = "") -> [String] {
    let start = folder.isEmpty ? root : root.appending(path: folder)
    var found: [String] = []
    guard let walk = FileManager.default.enumerator(atPath: start.path) else { return [] }
    while let path = walk.nextObject() as? String {
      let name = path.split(separator: "/").last.map(String.init) ?? path
      let isFolder = walk.fileAttributes?[.type] as? FileAttributeType == .typeDirectory
      if ignoredFolders.contains(name) {
        walk.skipDescendants()
      } else if !isFolder, !name.contains(".db") {
        found.append(folder.isEmpty ? path : "\(folder)/\(path)")
      }
    }
    return found.sorted()
  }

  /// The text of a file; `path` is relative to the root.
  public static func text(of path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  private static let ignoredFolders: Set<String> = [
    ".git", ".build", "demo", "corpus", "__pycache__",
  ]
}
