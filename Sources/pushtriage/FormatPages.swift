import PushIngest
import PushModel
import PushPipeline

/// The pages of log formats, made from their adapters.
enum FormatPages {
  /// The list of all formats.
  static var list: GeneratedPage {
    var text = GeneratedPage.heading("Log formats")
    text += """
      What `ingest` reads, in the order in which a file is offered: the first format that recognises a \
      file's first lines reads it, `--as` names one instead. `ingest --dry-run` says what files would \
      be read as. JSON may stand behind other text on its line, in a string of another JSON (`msg`, \
      `message`, `log`, `textPayload`), in objects of objects, in exports of CloudWatch \
      (`filter-log-events`, Insights) and in a column of a CSV file; objects may be concatenated, \
      printed over several lines, or elements of an array.

      | id | what | side | times | what is not in it |
      |---|---|---|---|---|

      """
    for adapter in AdapterRegistry.all {
      text += "| [`\(adapter.id)`](formats/\(adapter.id).md) | \(cell(adapter.title)) "
      text += "| \(adapter.side.rawValue) | \(cell(adapter.clock)) "
      text += "| \(cell(proof(adapter.absence))) |\n"
    }
    return GeneratedPage(name: "formats.md", text: text)
  }

  /// A page for each format whose definition is not a page of these already.
  static var pages: [GeneratedPage] {
    AdapterRegistry.all.filter { !$0.formatSource.hasPrefix("Docs/") }.map { adapter in
      GeneratedPage(name: "formats/\(adapter.id).md", text: page(adapter))
    }
  }

  private static func page(_ adapter: LogAdapter) -> String {
    var text = GeneratedPage.heading(adapter.title)
    text += "* Id: `\(adapter.id)`\n"
    text +=
      "* Records: \(adapter.side == .send ? "sends and their answers" : "what happened on phones")\n"
    text += "* Defined in: \(adapter.formatSource)\n"
    text += "* Times: \(adapter.clock)\n"
    text += "* What is not in it \(proof(adapter.absence))\n"
    if !adapter.redacts.isEmpty {
      text += "* Never stored in clear: \(adapter.redacts.joined(separator: ", "))\n"
    }
    if !adapter.fields.isEmpty {
      text += "\n## Fields\n\n| field | meaning |\n|---|---|\n"
      for field in adapter.fields { text += "| `\(cell(field.name))` | \(cell(field.meaning)) |\n" }
    }
    text += "\n## Samples\n"
    for sample in adapter.samples {
      let (records, remark) = DryRun.read(sample, of: adapter)
      let header = sample.header.isEmpty ? "" : sample.header + "\n"
      let line = sample.line.isEmpty ? "(an empty line)" : sample.line
      text += "\n```text\n\(header)\(line)\n```\n\n"
      switch sample.expect {
      case .record: text += "is stored as\n\n```json\n\(records.joined(separator: "\n"))\n```\n"
      case .unreadable: text += "is not understood: \(remark ?? "")\n"
      case .skip: text += "is passed over: \(remark ?? "empty line")\n"
      }
    }
    return text
  }

  private static func proof(_ absence: Absence) -> String {
    (absence.canProve ? "proves something " : "proves nothing: ") + absence.text
  }

  private static func cell(_ text: String) -> String {
    text.split(separator: "|", omittingEmptySubsequences: false).joined(separator: "\\|")
  }
}
