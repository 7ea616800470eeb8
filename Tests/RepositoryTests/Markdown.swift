/// The fenced blocks of a Markdown page.
enum Markdown {
  struct Block {
    /// Line of its first text line, from 1.
    var line: Int
    var text: String
  }

  /// A command that a page shows after `$ `.
  struct Command: CustomStringConvertible, Sendable {
    /// Line in the page, from 1.
    var line: Int
    /// Without the prompt; continued lines are joined.
    var text: String

    var description: String { "line \(line): \(text)" }
  }

  static func blocks(of page: String, language: String) -> [Block] {
    var blocks: [Block] = []
    var open: Block?
    let lines = page.split(separator: "\n", omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      if line.hasPrefix("```") {
        if let block = open {
          blocks.append(block)
          open = nil
        } else if line == "```\(language)" {
          open = Block(line: index + 2, text: "")
        }
      } else {
        open?.text += line + "\n"
      }
    }
    return blocks
  }

  static func commands(of page: String) -> [Command] {
    var commands: [Command] = []
    for block in blocks(of: page, language: "sh") {
      var continues = false
      let lines = block.text.split(separator: "\n", omittingEmptySubsequences: false)
      for (index, line) in lines.enumerated() {
        if continues {
          commands[commands.count - 1].text += "\n" + line
        } else if line.hasPrefix("$ ") {
          commands.append(Command(line: block.line + index, text: String(line.dropFirst(2))))
        } else {
          continue
        }
        continues = line.hasSuffix("\\")
      }
    }
    return commands
  }
}
