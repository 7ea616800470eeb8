import Foundation
import PushStore
import Queries
import TestSupport
import Testing

@Test func everyQueryHasACompleteHeader() {
  for file in QueryCatalogue.queries {
    #expect(throws: Never.self) { try QueryHeader(path: file.path, text: file.text) }
  }
}

@Test func queryNamesAreUnique() {
  let names = QueryCatalogue.queries.compactMap { $0.path.split(separator: "/").last }
  #expect(Set(names).count == names.count, "\(names.sorted())")
}

@Test func everyQueryPreparesAgainstTheSchemaAndOnlyReads() throws {
  let scratch = try ScratchFolder()
  let database = try Database(path: scratch.url.appending(path: "empty.db").path, mode: .write)
  #expect(QueryCatalogue.problems(on: database) == [])
}

@Test func noQueryReadsARollUpThroughAllDays() throws {
  // A report must not become slower with every day in the database.
  for file in QueryCatalogue.queries where file.path.hasPrefix("report/") {
    for table in ["day_rollup", "day_phone", "day_replaced", "day_timing", "day_answer"]
    where file.text.contains(table) {
      #expect(file.text.contains(/\.day (= |BETWEEN )/), "\(file.path) reads all of \(table)")
    }
  }
}

/// The header of `Queries/README.md`.
private let sample = """
  -- name: refusals_by_reason
  -- purpose: Refusals of one day by the reason that APNs gave,
  --   most frequent first.
  -- parameters:
  --   day text [YYYY-MM-DD] Day of the send.
  -- rows: many
  -- columns:
  --   reason text? Reason as APNs wrote it; null where the answer had none.
  --   refused integer [sends] Sends with this reason.
  -- rate: answered sends; excludes sends without an answer
  SELECT ':no' AS reason, 1 AS refused -- :nor this
  WHERE :day IS NOT NULL

  """

@Test func aHeaderIsReadWhole() throws {
  let header = try QueryHeader(path: "report/refusals_by_reason.sql", text: sample)
  #expect(
    header.purpose == "Refusals of one day by the reason that APNs gave, most frequent first.")
  #expect(header.rows == .many)
  #expect(header.parameters.map(\.name) == ["day"])
  #expect(header.parameters.map(\.unit) == ["YYYY-MM-DD"])
  #expect(header.columns.map(\.name) == ["reason", "refused"])
  #expect(header.columns.map(\.isOptional) == [true, false])
  #expect(header.columns.map(\.type) == [.text, .integer])
  #expect(header.columns.map(\.meaning).last == "Sends with this reason.")
  #expect(header.rate?.denominator == "answered sends")
  #expect(header.rate?.exclusions == "sends without an answer")
}

@Test func theReadmeOfQueriesShowsAHeaderThatIsValid() throws {
  let readme = try Repository.text(of: "Queries/README.md")
  let block = try #require(Markdown.blocks(of: readme, language: "sql").first)
  let sql = "\nSELECT 1 WHERE :day\n"
  #expect(throws: Never.self) {
    try QueryHeader(path: "report/refusals_by_reason.sql", text: block.text + sql)
  }
}

@Test(arguments: [
  ("-- name: refusals_by_reason", "-- name: other", 1, "name is not the file name"),
  ("-- rows: many\n", "", 6, "expected '-- rows:'"),
  ("-- rows: many", "-- rows: few", 6, "rows is 'few'"),
  ("--   day text [YYYY-MM-DD] Day of the send.", "--   day text [YYYY-MM-DD]", 5, "no meaning"),
  ("--   refused integer", "--   refused number", 9, "type 'number' is none of"),
  ("--   refused integer", "--   reason integer", 9, "'reason' is there twice"),
  ("answered sends; excludes sends without an answer", "answered sends", 10, "rate is neither"),
  ("WHERE :day", "WHERE :date", 10, "parameter ':date' is not in the header"),
  ("WHERE :day", "WHERE 'day'", 10, "parameter 'day' is not in the SQL"),
])
func aHeaderWithAFaultNamesLineAndFault(
  _ right: String, _ wrong: String, _ line: Int, _ problem: String
) throws {
  let text = sample.replacingOccurrences(of: right, with: wrong)
  let error = #expect(throws: QueryHeaderProblem.self) {
    try QueryHeader(path: "report/refusals_by_reason.sql", text: text)
  }
  #expect(error?.line == line)
  #expect(error?.problem.contains(problem) == true, "\(String(describing: error))")
}
