import Foundation
import TestSupport
import Testing

@Test func generatedPagesAreFresh() throws {
  let run = try BuiltProgram.pushtriage.run(["docs", "--check"], in: Repository.root)
  #expect(run.exitCode == 0, "\(run.error)")
}

@Test func theCommandsOfTheReadmeRunAndShowWhatItSaysOfThem() throws {
  let scratch = try ScratchFolder()
  let commands = Markdown.commands(of: try Repository.text(of: "README.md"))
  #expect(!commands.isEmpty)
  var environment = ProcessInfo.processInfo.environment
  environment["PATH"] = "\(BuiltProgram.buildFolder.path):\(environment["PATH"] ?? "/usr/bin:/bin")"
  var outputs: [String: String] = [:]
  for command in commands {
    let run = try BuiltProgram(at: URL(fileURLWithPath: "/bin/sh")).run(
      ["-c", command.text], in: scratch.url, environment: environment)
    #expect(run.exitCode == 0, "README.md, \(command)\n\(run.error)")
    outputs[command.text] = run.output
  }

  // What the page says of the triage: that the media server answered 404, and the line that says so.
  let triage = try #require(outputs.first { $0.key.hasPrefix("pushtriage triage ") })
  let check = try #require(outputs.first { $0.key.hasPrefix("pushtriage check ") })
  let id = try #require(triage.key.split(separator: " ").dropFirst(2).first)
  let log = try String(
    contentsOf: scratch.url.appending(path: "corpus/device.ndjson"), encoding: .utf8)
  let lines = log.split(separator: "\n", omittingEmptySubsequences: false)
  let place = try #require(
    lines.firstIndex { $0.contains(id) && $0.contains(#""event":"nse.download.finished""#) })
  #expect(lines[place].contains(#""status":404,"#))
  #expect(triage.value.contains("The media server answered 404."))
  #expect(check.value.contains("The media server answered 404."))
  // Under the step that decides, where it stands and what it holds; long lines are broken.
  let step = try #require(triage.value.firstRange(of: "\nx media-download"))
  let evidence = triage.value[step.upperBound...].filter { !$0.isWhitespace }
  let quoted = lines[place].filter { !$0.isWhitespace }
  #expect(evidence.contains("device.ndjson:\(place + 1)\(quoted)"), "\(triage.value)")
}

@Test func theReadmeNamesTheToolchainThatThePackageAsksFor() throws {
  let package = try Repository.text(of: "Package.swift")
  let version = try #require(package.firstMatch(of: /^\/\/ swift-tools-version: ([0-9.]+)\n/)).1
  #expect(try Repository.text(of: "README.md").contains("a Swift \(version) toolchain"))
}

@Test func commandsOfAPageAreTheLinesWithAPromptInShellBlocks() {
  let page = """
    $ not this
    ```sh
    make test
    $ one --a \\
        --b
    output
    $ two
    ```
    ```text
    $ nor this
    ```
    """
  let commands = Markdown.commands(of: page)
  #expect(commands.map(\.text) == ["one --a \\\n    --b", "two"])
  #expect(commands.map(\.line) == [4, 7])
}
