import PushModel
import PushReport
import TestSupport
import Testing

@Suite struct GoldenReportTests {
  @Test("The daily report is the golden file", arguments: ReportFormat.allCases)
  func daily(format: ReportFormat) {
    let text = DailyReport.render(Sample.daily, format: format, wording: Sample.wording)
    #expect(Golden.difference(text, from: "daily-report.\(ending(format))") == nil)
  }

  @Test("The daily report of an empty day is the golden file", arguments: ReportFormat.allCases)
  func emptyDay(format: ReportFormat) {
    let text = DailyReport.render(
      DailyTables(date: "2026-11-29"), format: format, wording: .idsOnly)
    #expect(Golden.difference(text, from: "daily-report-empty.\(ending(format))") == nil)
  }

  @Test("The triage is the golden file", arguments: ReportFormat.allCases)
  func triage(format: ReportFormat) {
    let text = TriageReport.render(Sample.triage, format: format, wording: Sample.wording)
    #expect(Golden.difference(text, from: "triage-report.\(ending(format))") == nil)
  }

  @Test("The comparison is the golden file", arguments: ReportFormat.allCases)
  func comparison(format: ReportFormat) {
    let text = ComparisonReport.render(Sample.comparison, format: format, wording: Sample.wording)
    #expect(Golden.difference(text, from: "comparison-report.\(ending(format))") == nil)
  }

  private func ending(_ format: ReportFormat) -> String {
    format == .text ? "txt" : format.rawValue
  }
}
