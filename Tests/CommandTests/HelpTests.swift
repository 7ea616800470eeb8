import TestSupport
import Testing

@testable import pushtriage

@Test(arguments: CommandTable.commands.filter { !$0.isHidden }.map(\.name))
func helpOfACommandIsAsRecorded(_ name: String) throws {
  let run = try BuiltProgram.pushtriage.run([name, "--help"])
  #expect(run.exitCode == 0)
  #expect(run.error == "")
  let difference = Golden.difference(run.output, from: "help-\(name).txt")
  #expect(difference == nil)
}

@Test func theOverviewIsAsRecorded() throws {
  let run = try BuiltProgram.pushtriage.run(["--help"])
  #expect(run.exitCode == 0)
  let difference = Golden.difference(run.output, from: "help.txt")
  #expect(difference == nil)
}

@Test func allWaysToAskForHelpGiveTheSame() throws {
  let wanted = try BuiltProgram.pushtriage.run(["triage", "--help"]).output
  for words in [["triage", "-h"], ["help", "triage"], ["triage", "x", "--wrong", "--help"]] {
    #expect(try BuiltProgram.pushtriage.run(words).output == wanted, "\(words)")
  }
  #expect(
    try BuiltProgram.pushtriage.run(["help"]).output
      == BuiltProgram.pushtriage.run(["-h"]).output)
}

@Test(arguments: CommandTable.commands.map(\.name))
func helpFitsATerminalAndEverySentenceIsOne(_ name: String) throws {
  let command = try CommandTable.command(named: name)
  for line in HelpText.command(command).split(separator: "\n") {
    #expect(line.count <= 80, "\(line)")
  }
  let sentences =
    [command.summary] + command.discussion + command.options.map(\.help)
    + command.arguments.map(\.help)
  for sentence in sentences {
    #expect(sentence.hasSuffix("."), "\(sentence)")
    #expect(sentence.first?.isUppercase == true, "\(sentence)")
  }
}

@Test func anOptionHasOneMeaningInAllCommands() {
  var forms: [String: String] = [:]
  // Where several results are written, the output is a folder.
  let exceptions: Set = ["--output <folder>"]
  for option in CommandTable.commands.flatMap(\.options) {
    guard !exceptions.contains(option.display) else { continue }
    #expect(forms[option.name, default: option.display] == option.display)
    forms[option.name] = option.display
  }
}

@Test func theExamplesOfHelpRunOneAfterTheOther() throws {
  let scratch = try ScratchFolder()
  let listed = CommandTable.commands.filter { !$0.isHidden }
  // The corpus comes first; the others read it.
  let ordered = listed.filter { $0.name == "simulate" } + listed.filter { $0.name != "simulate" }
  for command in ordered {
    let words = command.example.split(separator: " ").map(String.init)
    #expect(words.first == "pushtriage")
    #expect(words.dropFirst().first == command.name)
    let run = try BuiltProgram.pushtriage.run(Array(words.dropFirst()), in: scratch.url)
    #expect(run.exitCode == 0, "\(command.example)\n\(run.error)")
  }
}
