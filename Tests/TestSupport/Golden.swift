import Foundation

/// Expected output in files of `Tests/Golden/`. A normal run never writes; `make record` does.
public enum Golden {
  /// Nil if `text` equals the file `name`; else what differs first, and what to do.
  public static func difference(_ text: String, from name: String) throws -> String? {
    let path = "Tests/Golden/\(name)"
    if ProcessInfo.processInfo.environment["RECORD"] == "1" {
      let file = Repository.root.appending(path: path)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
      return nil
    }
    guard let expected = try? Repository.text(of: path) else {
      return "\(path) cannot be read; 'make record' writes it"
    }
    guard text != expected else { return nil }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let expectedLines = expected.split(separator: "\n", omittingEmptySubsequences: false)
    let index = zip(lines, expectedLines).prefix { $0 == $1 }.count
    let found = index < lines.count ? "'\(lines[index])'" : "the end"
    let wanted = index < expectedLines.count ? "'\(expectedLines[index])'" : "the end"
    return
      "\(path):\(index + 1): expected \(wanted), found \(found); if that is right, 'make record'"
  }
}
