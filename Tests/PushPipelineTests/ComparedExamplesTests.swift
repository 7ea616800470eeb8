import PushModel
import PushPipeline
import PushSimulator
import PushStore
import TestSupport
import Testing

@Suite struct ComparedExamplesTests {
  private func broken(_ spread: PhoneSpread) -> Int {
    spread.carriers.reduce(0) { $0 + $1.broken }
  }

  /// Newest examples, looked for by installation, against all rows of the release in order of time.
  @Test func examplesOfACauseAreTheNewestOfAllDays() throws {
    let folder = try ScratchFolder()
    let corpus = folder.path + "/corpus"
    _ = try Simulator.run(
      SimulatorConfiguration(notifications: 4000, seed: 11, days: 6), to: corpus)
    let path = folder.path + "/push.db"
    _ = try IngestRun.run(
      IngestOptions(
        inputs: ["provider.ndjson", "device.ndjson"].map { corpus + "/" + $0 }, databasePath: path))
    let database = try Database(path: path, mode: .read)
    let tables = try ComparisonLoader(database: database, concerns: StepConcerns()).load(
      baseline: "5.1.0", candidate: "5.2.0", app: "com.example.courier")
    let newest = try database.prepare(
      """
      SELECT iif(sends > 0, sent_at, NULL) FROM notification
      WHERE app = 'com.example.courier' AND app_version = '5.2.0' AND judgement = 1
      AND step = ?1 AND coalesce(cause, '') = ?2 ORDER BY sent_at DESC, id DESC LIMIT 3
      """)
    var days = 0
    for cause in tables.causes {
      newest.bind(1, cause.step.rawValue)
      newest.bind(2, cause.cause?.rawValue ?? "")
      var expected: [Int64?] = []
      while try newest.step() { expected.append(newest.optionalInteger(0)) }
      newest.reset()
      #expect(
        cause.examples.map(\.sentAt) == expected, "\(cause.step) \(String(describing: cause.cause))"
      )
      #expect(expected.count == min(3, cause.candidate.broken))
      days = max(days, Set(cause.examples.compactMap { $0.sentAt }.map { RowID.day(of: $0) }).count)
    }
    #expect(tables.causes.count > 10)

    // What is spread over phones is what was counted, and what the rows say.
    for cause in tables.causes {
      #expect(cause.candidateSpread.map(broken) == cause.candidate.broken)
      for pair in cause.strata.flatMap(\.pairs) {
        #expect(pair.candidateSpread.map(broken) == pair.candidate.broken)
        #expect(
          (pair.candidateSpread?.installations ?? 0 > 0)
            == (pair.candidate.concerned > pair.candidate.undetermined))
      }
    }
    let squares = try database.prepare(
      """
      SELECT sum(told * told) FROM (
        SELECT count(*) AS told FROM notification
        WHERE app = 'com.example.courier' AND app_version = '5.2.0' AND judgement IN (0, 1)
        AND NOT (judgement = 0 AND confidence = 0 AND kind IN (0, 1) AND meant & 768 = 0)
        GROUP BY installation_id)
      """)
    #expect(try squares.step())
    #expect(tables.candidate.spread.map { Int64($0.squares) } == squares.integer(0))
    #expect(days > 1)
  }
}
