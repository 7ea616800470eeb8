public import Foundation

/// A new empty folder that goes away with this value.
public final class ScratchFolder: Sendable {
  /// Where it is.
  public let url: URL

  /// The same as a path.
  public var path: String { url.path }

  /// Makes the folder.
  public init() throws {
    url = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
      .appending(path: "pushtriage-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    // A folder that stays behind in the temporary directory harms nobody.
    try? FileManager.default.removeItem(at: url)
  }
}
