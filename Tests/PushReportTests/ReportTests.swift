import Foundation
import PushModel
import Reports
import Testing

@testable import PushReport

@Suite struct ReportTests {
  private static let pages: [Page] = [
    DailyReport.page(Sample.daily, Sample.wording),
    DailyReport.page(DailyTables(date: "d"), .idsOnly),
    TriageReport.page(Sample.triage, Sample.wording),
    TriageReport.page(TriageTables(asked: "x"), .idsOnly),
    ComparisonReport.page(Sample.comparison, Sample.wording),
    ComparisonReport.page(
      ComparisonTables(
        baseline: ReleaseSide(bundle: "a", version: "1"),
        candidate: ReleaseSide(bundle: "b", version: "2")), .idsOnly),
  ]

  private static func all(_ format: ReportFormat) -> [String] {
    [
      DailyReport.render(Sample.daily, format: format, wording: Sample.wording),
      DailyReport.render(DailyTables(date: "2026-11-29"), format: format, wording: .idsOnly),
      TriageReport.render(Sample.triage, format: format, wording: Sample.wording),
      TriageReport.render(TriageTables(asked: "x"), format: format, wording: .idsOnly),
      ComparisonReport.render(Sample.comparison, format: format, wording: Sample.wording),
      ComparisonReport.render(
        ComparisonTables(
          baseline: ReleaseSide(bundle: "a", version: "1"),
          candidate: ReleaseSide(bundle: "b", version: "2")), format: format, wording: .idsOnly),
    ]
  }

  private static func hostile(_ format: ReportFormat) -> [String] {
    [
      DailyReport.render(Sample.hostileDaily, format: format, wording: Sample.wording),
      TriageReport.render(Sample.hostileTriage, format: format, wording: Sample.wording),
      ComparisonReport.render(Sample.hostileComparison, format: format, wording: Sample.wording),
    ]
  }

  // MARK: Words

  @Test("No heading or label uses a banned word")
  func vocabulary() {
    let banned: Set<String> = [
      "delivered", "delivery", "lost", "failed", "user", "users", "message", "messages", "push",
      "pushes", "event", "events", "timestamp", "orphaned",
    ]
    for page in Self.pages {
      for label in page.labels {
        let words = label.lowercased().split { !$0.isLetter }.map(String.init)
        for word in words { #expect(!banned.contains(word), "'\(word)' in '\(label)'") }
        if let place = words.firstIndex(of: "status") {
          #expect(place > 0 && words[place - 1] == "http", "whose status? '\(label)'")
        }
      }
    }
  }

  @Test(
    "Every report says question, cohort, denominator, exclusions, limits and coverage",
    arguments: ["daily", "triage", "compare"])
  func definitions(name: String) throws {
    let definition = Definition(named: name)
    for key in ["title", "question", "cohort", "denominator", "exclusions", "limits"] {
      #expect(!definition.value(key).isEmpty, "\(key)")
    }
    #expect(definition.sections.contains { $0.id == "coverage" })
    if name != "triage" { #expect(definition.sections.first?.id == "coverage") }
    // The page template has the same sections in the same order as the definition.
    let template = try #require(ReportCatalogue.text(at: "\(name)/page.html"))
    let places = template.split(separator: "\n").map { $0.trimmingPrefix("{{") }.map {
      String($0.prefix { $0 != "}" })
    }
    #expect(places == definition.sections.map(\.id))
  }

  @Test("No placeholder is left unfilled")
  func placeholders() {
    for format in ReportFormat.allCases {
      for text in Self.all(format) {
        #expect(!text.contains("{{"), "\(format)")
        for name in ["{date}", "{zone}", "{app}", "{id}", "{baseline}", "{candidate}"] {
          #expect(!text.contains(name), "\(name) in \(format)")
        }
      }
    }
  }

  @Test("A day with one notification is written in the singular")
  func singular() {
    var tables = DailyTables(date: "2026-11-29")
    tables.judgements = [MeantJudgements(group: .plain, counts: JudgementCounts(broken: 1))]
    let text = DailyReport.render(tables, format: .text, wording: .idsOnly)
    #expect(text.contains("1 of 1 notification is shown to be broken"))
    #expect(text.contains("1 of 1 (100%; none unknown)"))
  }

  @Test("A sampled send log is said to make shares look larger")
  func sampled() {
    var tables = Sample.daily
    tables.coverage.successShare = 0.1
    let text = DailyReport.render(tables, format: .text, wording: .idsOnly)
    #expect(text.contains("records about 10.0% of the accepted sends"))
  }

  @Test(
    "What cannot be told names a step by what it says",
    arguments: [
      (
        Outcome.holds, nil,
        "Cannot tell: sight was lost behind: APNs accepted the send (apns-accepted)"
      ),
      (.unknown, nil, "Cannot tell: sight was lost at: APNs accepted the send (apns-accepted)"),
      (.broken, nil, "Cannot tell why it broke at: APNs accepted the send (apns-accepted)"),
      (
        .broken, CauseID.payloadTooLarge,
        "Cannot tell whether it broke before: APNs accepted the send (apns-accepted)"
      ),
    ])
  func undetermined(outcome: Outcome, cause: CauseID?, expected: String) {
    var tables = TriageTables(asked: "n-1")
    tables.verdict.judgement = .cannotTell
    tables.verdict.step = .apnsAccepted
    tables.steps = [
      StepRow(
        step: .apnsAccepted, outcome: outcome, sentence: "", cause: cause, isDecisive: true)
    ]
    let text = TriageReport.render(tables, format: .text, wording: Sample.wording)
    #expect(text.contains(expected))
  }

  @Test("A send without a campaign has none; a topic that is not logged is not known")
  func withoutValue() {
    var tables = DailyTables(date: "2026-11-29")
    let rows = [Breakdown.Row(key: nil, counts: JudgementCounts(broken: 1))]
    for (dimension, word) in [(Breakdown.Dimension.campaign, "none given"), (.topic, "not known")] {
      tables.breakdowns = [Breakdown(dimension: dimension, rows: rows)]
      let text = DailyReport.render(tables, format: .text, wording: .idsOnly)
      #expect(text.contains("\n\(word) "), "\(dimension)")
    }
  }

  @Test("The other notifications of an id are counted above the steps")
  func sameID() {
    // Two are shown; of 118 further ones 11 are broken.
    let text = TriageReport.render(Sample.triage, format: .text, wording: Sample.wording)
    #expect(text.contains("120 other notifications have it, 11 of them broken"))
  }

  // MARK: HTML

  @Test("Foreign text cannot leave its place in HTML")
  func htmlEscaping() {
    for html in Self.hostile(.html) {
      #expect(!html.contains("<script"))
      #expect(!html.contains("alert('x')"))
      #expect(!html.contains("\u{1B}") && !html.contains("\u{202E}") && !html.contains("\u{0}"))
      #expect(html.contains("&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&quot;&amp;amp;"))
      // Text that looks like a placeholder stays text.
      #expect(html.contains("{{body}}"))
      expectBalanced(html)
    }
  }

  @Test("HTML is one file without script, with every element closed")
  func htmlShape() {
    for html in Self.all(.html) {
      #expect(html.hasPrefix("<!DOCTYPE html>"))
      #expect(!html.contains("<script") && !html.contains("<link") && !html.contains("src="))
      #expect(!html.contains("http://") && !html.contains("https://"))
      #expect(html.contains("<meta name=\"viewport\""))
      #expect(html.contains("prefers-color-scheme: dark") && html.contains("@media print"))
      expectBalanced(html)
    }
  }

  @Test("Every picture has a text in its place, and every table its heads")
  func accessible() {
    for html in Self.all(.html) {
      for part in html.components(separatedBy: "<svg").dropFirst() {
        let head = part.prefix { $0 != ">" }
        #expect(
          head.contains("role=\"img\" aria-label=\"") || head.contains("aria-hidden=\"true\""))
      }
      for part in html.components(separatedBy: "<table").dropFirst() {
        let table = part.components(separatedBy: "</table>")[0]
        #expect(table.contains("<th scope=\"col\"") && table.contains("<th scope=\"row\""))
      }
    }
  }

  /// Walks the tags with a stack; elements without an end tag are those of HTML and closed SVG.
  private func expectBalanced(_ html: String) {
    let void: Set<Substring> = ["meta", "br", "!DOCTYPE"]
    var open: [Substring] = []
    var rest = Substring(html)
    while let start = rest.firstIndex(of: "<"), let end = rest[start...].firstIndex(of: ">") {
      let tag = rest[rest.index(after: start)..<end]
      rest = rest[rest.index(after: end)...]
      if tag.hasPrefix("/") {
        let name = tag.dropFirst()
        guard open.last == name else {
          Issue.record("</\(name)> closes <\(open.last ?? "nothing")>")
          return
        }
        open.removeLast()
      } else if !tag.hasSuffix("/") {
        let name = tag.prefix { $0 != " " }
        if !void.contains(name) { open.append(name) }
      }
    }
    #expect(open.isEmpty)
  }

  // MARK: Text and Markdown

  @Test("No line for a terminal is wider than 100 columns, also with long foreign text")
  func width() {
    var long = Sample.hostileDaily
    long.app = String(repeating: "x", count: 300)
    long.causes[0].examples[0].id = String(repeating: "漢", count: 200)
    let texts =
      Self.all(.text) + Self.hostile(.text) + [
        DailyReport.render(long, format: .text, wording: Sample.wording)
      ]
    for text in texts {
      for line in text.split(separator: "\n") {
        #expect(TextWriter.columns(String(line)) <= 100, "\(line)")
        #expect(line.last != " ")
      }
    }
  }

  @Test("A terminal gets no control characters and no change of writing direction")
  func terminal() {
    for format in [ReportFormat.text, .markdown] {
      for text in Self.hostile(format) {
        for scalar in text.unicodeScalars where scalar != "\n" {
          #expect(scalar.value >= 0x20 && scalar.value != 0x7F && scalar.value != 0x202E)
        }
        #expect(text.contains("\\u{1b}") || text.contains("\\\\u{1b}"))
      }
    }
  }

  @Test("Foreign text cannot break a Markdown table: each row has the bars of its head")
  func markdownTables() {
    for text in Self.hostile(.markdown) + Self.all(.markdown) {
      var bars = 0
      for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
        guard line.hasPrefix("|") else {
          bars = 0
          continue
        }
        var count = 0
        var previous: Character = " "
        for character in line {
          if character == "|", previous != "\\" { count += 1 }
          previous = character
        }
        if bars == 0 { bars = count }
        #expect(count == bars, "\(line)")
      }
      // What stands in code is shown as it is.
      let outside = text.replacing("\\`", with: "").replacing(#/(`+)[^`\n].*?\1(?!`)/#, with: "")
      #expect(!outside.contains("<script"))
    }
  }

  @Test("Code keeps backticks by a longer fence")
  func code() {
    #expect(MarkdownWriter.code("a") == "`a`")
    #expect(MarkdownWriter.code("a``b") == "``` a``b ```")
    #expect(MarkdownWriter.code("a|b") == "`a|b`")
    #expect(MarkdownWriter.code("a|b", inTable: true) == "`a\\|b`")
  }

  // MARK: JSON

  @Test("JSON reads back, begins with its version and is the same each time")
  func json() throws {
    for text in Self.all(.json) + Self.hostile(.json) {
      #expect(text.hasPrefix("{\n  \"version\": 1,\n  \"report\": "))
      let object = try JSONSerialization.jsonObject(with: Data(text.utf8))
      #expect((object as? [String: Any])?["version"] as? Int == 1)
    }
    #expect(Self.all(.json) == Self.all(.json))
  }

  @Test("Foreign text reads back from JSON as it was, control characters included")
  func jsonText() throws {
    let text = TriageReport.render(Sample.hostileTriage, format: .json, wording: .idsOnly)
    let object = try #require(
      JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    #expect(object["asked"] as? String == Sample.hostile)
  }

  @Test("JSON carries numerator, denominator and both bounds of a cause")
  func jsonCause() throws {
    let text = DailyReport.render(Sample.daily, format: .json, wording: Sample.wording)
    let object = try #require(
      JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    let first = try #require((object["causes"] as? [[String: Any]])?.first)
    #expect(first["cause"] as? String == "media_http_status")
    #expect(first["broken"] as? Int == 1_270)
    #expect(first["concerned"] as? Int == 21_200)
    #expect(first["undetermined"] as? Int == 6_800)
    // 1,270 / 21,200 and (1,270 + 6,800) / 21,200.
    #expect(abs((first["share_if_unknown_fine"] as? Double ?? 0) - 0.059906) < 0.000001)
    #expect(abs((first["share_if_unknown_broken"] as? Double ?? 0) - 0.380660) < 0.000001)
    #expect((first["change"] as? [String: Any])?["word"] as? String == "more")
  }

  @Test("The order of the rows in the tables changes no report", arguments: ReportFormat.allCases)
  func order(format: ReportFormat) {
    var shuffled = Sample.daily
    shuffled.causes.reverse()
    shuffled.judgements.reverse()
    shuffled.refusals.rows.reverse()
    shuffled.breakdowns.reverse()
    for place in shuffled.breakdowns.indices { shuffled.breakdowns[place].rows.reverse() }
    shuffled.timings.reverse()
    shuffled.lateChanges.reverse()
    shuffled.notes.reverse()
    shuffled.coverage.sources.reverse()
    #expect(
      DailyReport.render(shuffled, format: format, wording: Sample.wording)
        == DailyReport.render(Sample.daily, format: format, wording: Sample.wording))
  }
}
