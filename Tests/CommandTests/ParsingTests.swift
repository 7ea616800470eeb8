import Testing

@testable import pushtriage

private func ingest(_ line: String) throws -> IngestCommand {
  try parseArguments(line.split(separator: " ").map(String.init), IngestCommand.row)
}

@Test(arguments: [
  "a b --db x.db --threads 2",
  "--db x.db --threads 2 a b",
  "a --threads=2 --db=x.db b",
  "--db y.db a --threads 9 b --db x.db --threads 2",
  "--db x.db --threads 2 -- a b",
])
func optionsAndArgumentsMayComeInAnyOrder(_ line: String) throws {
  let command = try ingest(line)
  #expect(command.paths == ["a", "b"])
  #expect(command.database == "x.db")
  #expect(command.threads == 2)
}

@Test func whatIsNotGivenKeepsItsDefault() throws {
  let command = try ingest("a")
  #expect(command.database == "push.db")
  #expect(command.rawLines == .broken)
  #expect(command.threads == nil)
  #expect(!command.keepsPayloads)
}

@Test func aSwitchIsTurnedOnAndOff() throws {
  #expect(try ingest("a --keep-payloads").keepsPayloads)
  #expect(try !ingest("a --keep-payloads --no-keep-payloads").keepsPayloads)
}

@Test func aListCollectsItsValuesInOrder() throws {
  #expect(try ingest("a --facts one --facts=two").factFiles == ["one", "two"])
}

@Test func aHyphenIsAnArgumentAndAfterTwoHyphensEverythingIs() throws {
  #expect(try ingest("-").paths == ["-"])
  #expect(try ingest("-- --db -h").paths == ["--db", "-h"])
}

@Test func aValueMayBeginWithAHyphenAfterAnEqualsSign() throws {
  #expect(try ingest("a --db=-x").database == "-x")
  #expect(try ingest("a --db=").database == "")
}

@Test func aOneLetterOptionTakesTheNextWord() throws {
  let row = SimulateCommand.row
  #expect(try parseArguments(["-o", "folder"], row).folder == "folder")
}

@Test(arguments: [
  ("2026-11-29", true), ("2024-02-29", true), ("2000-02-29", true),
  ("1900-02-29", false), ("2026-13-01", false), ("2026-04-31", false), ("2026-1-01", false),
  ("26-01-01", false), ("2026-+1-01", false), ("2026-01-01T", false), ("", false),
])
func aDayIsADayOfTheCalendar(_ text: String, _ isDay: Bool) {
  #expect(Day(argument: text)?.argumentText == (isDay ? text : nil))
}
