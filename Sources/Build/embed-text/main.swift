import Foundation

// usage: embed-text <root> <output.swift> <file>...
// Writes `let embeddedTexts: [(path: String, text: String)]`, paths relative to <root>, sorted.

let arguments = CommandLine.arguments
guard arguments.count >= 3 else {
  FileHandle.standardError.write(Data("usage: embed-text <root> <output.swift> <file>...\n".utf8))
  exit(64)
}
let root = arguments[1].hasSuffix("/") ? arguments[1] : arguments[1] + "/"

/// A raw literal needs one `#` more than the longest run of `#` after a `"""` in its text.
func literal(_ text: String) -> String {
  var longest = 0
  var run = 0
  for character in text.unicodeScalars {
    run = character == "#" ? run + 1 : 0
    longest = max(longest, run)
  }
  let hashes = String(repeating: "#", count: longest + 1)
  return "\(hashes)\"\"\"\n\(text)\n\"\"\"\(hashes)"
}

var lines = [
  "/// The texts of this target's folder, by path, in order.",
  "let embeddedTexts: [(path: String, text: String)] = [",
]
for path in arguments[3...].sorted() {
  let text: String
  do {
    text = try String(contentsOfFile: path, encoding: .utf8)
  } catch {
    FileHandle.standardError.write(Data("embed-text: cannot read \(path): \(error)\n".utf8))
    exit(1)
  }
  let name = path.hasPrefix(root) ? String(path.dropFirst(root.count)) : path
  lines.append("  (\(literal(name)), \(literal(text))),")
}
lines.append("]")
do {
  try (lines.joined(separator: "\n") + "\n").write(
    toFile: arguments[2], atomically: true, encoding: .utf8)
} catch {
  FileHandle.standardError.write(Data("embed-text: cannot write \(arguments[2]): \(error)\n".utf8))
  exit(1)
}
