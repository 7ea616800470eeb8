import Glibc

/// `pushtriage docs`: the generated pages of `Docs/`. For those who work on the program.
struct DocsCommand: Subcommand {
  var folder = "Docs"
  var checks = false

  static let row = CommandRow<DocsCommand>(
    name: "docs",
    summary: "Write the generated pages of Docs/.",
    options: [
      .toggle("check", \.checks, "Write nothing; fail if a page is not fresh."),
      .value("output", letter: "o", "folder", \.folder, "Folder of the pages."),
    ],
    example: "pushtriage docs --check",
    isHidden: true)

  func run(_ context: CommandContext) throws -> ExitCode {
    let pages = try GeneratedPage.all
    if checks {
      let stale = pages.filter { contents(of: "\(folder)/\($0.name)") != Array($0.text.utf8) }
      guard stale.isEmpty else {
        throw Diagnostic(
          "generated pages are not fresh",
          reason: stale.map { "\(folder)/\($0.name)" }.joined(separator: ", "),
          help: ["run 'make docs'"])
      }
      return .done
    }
    mkdir(folder, 0o777)
    for page in pages {
      if let slash = page.name.lastIndex(of: "/") {
        mkdir("\(folder)/\(page.name[..<slash])", 0o777)
      }
      let writer = try OutputWriter(to: "\(folder)/\(page.name)")
      try writer.write(page.text)
      try writer.finish()
    }
    context.say("wrote \(pages.count) pages below \(folder)")
    return .done
  }

  /// Nil if the file cannot be read.
  private func contents(of path: String) -> [UInt8]? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = fread(&block, 1, block.count, file), count > 0 {
      bytes += block.prefix(count)
    }
    return bytes
  }
}
