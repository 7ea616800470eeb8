import Foundation
import TestSupport
import Testing

@Test func generatedPagesAreFresh() throws {
  let run = try BuiltProgram.pushtriage.run(["docs", "--check"], in: Repository.root)
  #expect(run.exitCode == 0, "\(run.error)")
}

@Test func theCommandsThatTheReadmeShowsRun() throws {
  let scratch = try ScratchFolder()
  let commands = Markdown.commands(of: try Repository.text(of: "README.md"))
  #expect(!commands.isEmpty)
  var environment = ProcessInfo.processInfo.environment
  environment["PATH"] = "\(BuiltProgram.buildFolder.path):\(environment["PATH"] ?? "/usr/bin:/bin")"
  for command in commands {
    let run = try BuiltProgram(at: URL(fileURLWithPath: "/bin/sh")).run(
      ["-c", command.text], in: scratch.url, environment: environment)
    #expect(run.exitCode == 0, "README.md, \(command)\n\(run.error)")
  }
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
