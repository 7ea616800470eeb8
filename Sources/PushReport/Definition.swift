import Reports

/// The words of a report that stand in `Reports/<name>/definition.txt`.
///
/// One `key: value` a line; a line that begins with two blanks continues the value above. A section
/// begins with `section <id>: <title>` and may have a `note`.
struct Definition {
  struct Part: Equatable {
    var id: String
    var title: String
    var note: String
  }
  private(set) var values: [String: String] = [:]
  private(set) var sections: [Part] = []

  /// The definition of a report; empty if its file is not embedded.
  init(named name: String) {
    self.init(text: ReportCatalogue.text(at: "\(name)/definition.txt") ?? "")
  }

  init(text: String) {
    var entries: [(key: String, value: String)] = []
    for line in text.split(separator: "\n") where !line.hasPrefix("#") {
      if line.hasPrefix("  "), let last = entries.indices.last {
        entries[last].value += " " + line.drop { $0 == " " }
      } else if let colon = line.firstIndex(of: ":") {
        let value = line[line.index(after: colon)...].drop { $0 == " " }
        entries.append((String(line[..<colon]), String(value)))
      }
    }
    for entry in entries {
      if entry.key.hasPrefix("section ") {
        sections.append(
          Part(id: String(entry.key.dropFirst("section ".count)), title: entry.value, note: ""))
      } else if entry.key == "note", !sections.isEmpty {
        sections[sections.count - 1].note = entry.value
      } else {
        values[entry.key] = entry.value
      }
    }
  }

  /// A value with `{name}` replaced.
  func value(_ key: String, _ replacements: [(name: String, text: String)] = []) -> String {
    Definition.fill(values[key] ?? "", replacements)
  }

  /// The labelled statements that stand on top of the report.
  func about(_ replacements: [(name: String, text: String)]) -> [Labelled] {
    [
      ("question", "Question"), ("cohort", "Cohort"), ("denominator", "Denominator"),
      ("exclusions", "Exclusions"), ("limits", "Limits"),
    ].compactMap { key, label in
      let text = value(key, replacements)
      return text.isEmpty ? nil : Labelled(label, text)
    }
  }

  /// The sections in order, filled with these blocks; sections without blocks are left out.
  func page(
    name: String, title: String, subtitle: String, summary: [Block],
    replacements: [(name: String, text: String)],
    blocks: (String) -> (blocks: [Block], isGrid: Bool)
  ) -> Page {
    Page(
      name: name, title: title, subtitle: subtitle, summary: summary, about: about(replacements),
      sections: sections.compactMap { part in
        let (blocks, isGrid) = blocks(part.id)
        guard !blocks.isEmpty else { return nil }
        return Section(
          id: part.id, title: part.title, note: Definition.fill(part.note, replacements),
          blocks: blocks, isGrid: isGrid)
      })
  }

  /// Replaces each `{name}` once; what is put in is not searched again.
  static func fill(_ text: String, _ replacements: [(name: String, text: String)]) -> String {
    var result = ""
    var rest = Substring(text)
    while let open = rest.firstIndex(of: "{") {
      result += rest[..<open]
      guard let close = rest[open...].firstIndex(of: "}") else {
        rest = rest[open...]
        break
      }
      let name = rest[rest.index(after: open)..<close]
      if let match = replacements.first(where: { $0.name == name }) {
        result += match.text
      } else {
        result += rest[open...close]
      }
      rest = rest[rest.index(after: close)...]
    }
    return result + rest
  }
}
