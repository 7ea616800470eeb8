import Foundation
import TestSupport
import Testing

/// Two ingests into one database at once: one comes after the other, and nothing is lost.
@Suite struct TwoWritersTests {
  @Test func theDatabaseIsThatOfOneAfterTheOther() async throws {
    let folder = try ScratchFolder()
    func run(_ arguments: [String]) throws -> Int32 {
      try BuiltProgram.pushtriage.run(arguments, in: folder.url).exitCode
    }
    #expect(
      try run(["simulate", "--notifications", "500", "--seed", "12", "-o", "corpus"]) == 0)
    try Data((0..<16).map { UInt8($0) }).write(to: folder.url.appending(path: "key"))
    func ingest(_ file: String, into name: String) -> [String] {
      ["ingest", "corpus/\(file).ndjson", "--key", "key", "--db", name]
    }
    for file in ["provider", "device"] { #expect(try run(ingest(file, into: "one.db")) == 0) }
    let program = BuiltProgram.pushtriage
    let url = folder.url
    let first = ingest("provider", into: "both.db")
    let second = ingest("device", into: "both.db")
    async let a = program.run(first, in: url).exitCode
    async let b = program.run(second, in: url).exitCode
    let codes = try await [a, b]
    #expect(codes == [0, 0])
    let expected = try DatabaseDump.lines(path: folder.path + "/one.db")
    #expect(expected.count > 1000)
    #expect(try DatabaseDump.lines(path: folder.path + "/both.db") == expected)
  }
}
