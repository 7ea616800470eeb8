import Foundation

/// Expected output in `Tests/Golden/`, named after the test that owns it.
public enum Golden {
  /// Compares a text with the golden file of that name.
  ///
  /// With `RECORD=1` in the environment the file is written instead; look at the difference before
  /// you commit it. A normal run never writes.
  /// - Returns: nil if they are equal, else where they differ first and how to accept the new text.
  public static func difference(_ text: String, from name: String) -> String? {
    let url = folder.appending(path: name)
    if ProcessInfo.processInfo.environment["RECORD"] == "1" {
      do {
        try FileManager.default.createDirectory(
          at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url, options: .atomic)
        return nil
      } catch {
        return "Tests/Golden/\(name) cannot be written: \(error)"
      }
    }
    guard let data = try? Data(contentsOf: url) else {
      return "Tests/Golden/\(name) is not there; write it with RECORD=1 and read it"
    }
    let expected = String(decoding: data, as: UTF8.self)
    guard expected != text else { return nil }
    let left = expected.split(separator: "\n", omittingEmptySubsequences: false)
    let right = text.split(separator: "\n", omittingEmptySubsequences: false)
    let place =
      zip(left, right).enumerated().first { $0.element.0 != $0.element.1 }?.offset
      ?? min(left.count, right.count)
    return """
      Tests/Golden/\(name):\(place + 1) differs
      expected: \(place < left.count ? String(left[place]) : "(end)")
      found:    \(place < right.count ? String(right[place]) : "(end)")
      accept with RECORD=1 after reading the difference
      """
  }

  /// `Tests/Golden/`, found from this file, so that tests may run in any folder.
  private static var folder: URL {
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Golden")
  }
}
