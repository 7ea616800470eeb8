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
  #expect(try ingest("a --key=").keyFile == "")
}

@Test func aHyphenAndADigitAreAValueAndNoOption() throws {
  #expect(try ingest("a --assume-zone -05:00 b").assumedZone == .offset(-18_000))
  #expect(try ingest("a --assume-zone -05:00 b").paths == ["a", "b"])
  #expect(throws: UsageProblem.missingValue("--assume-zone <zone>")) {
    try ingest("a --assume-zone --dry-run")
  }
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

// The bounds were computed with another program's copy of the time zone database.
@Test(arguments: [
  ("UTC", "2026-11-29", 1_795_910_400, 24),
  ("Europe/Berlin", "2026-10-25", 1_792_879_200, 25),
  ("Europe/Berlin", "2026-03-29", 1_774_738_800, 23),
  // The clock jumped over midnight.
  ("America/Sao_Paulo", "2018-11-04", 1_541_300_400, 23),
  ("Asia/Kolkata", "2026-01-01", 1_767_205_800, 24),
  ("+14:00", "2026-11-29", 1_795_860_000, 24),
  ("-0500", "2026-11-29", 1_795_928_400, 24),
])
func aDayBeginsAndEndsInItsZone(
  _ zone: String, _ text: String, _ startSeconds: Int64, _ hours: Int64
) throws {
  let zone = try #require(Zone(argument: zone))
  let day = try #require(Day(argument: text))
  let start = startSeconds * 1_000_000
  #expect(zone.microseconds(of: day) == start..<(start + hours * 3_600_000_000))
}

@Test func aDayThatAZoneSkippedHasNoMoments() throws {
  // Samoa went from 29 to 31 December 2011.
  let zone = try #require(Zone(argument: "Pacific/Apia"))
  let day = try #require(Day(argument: "2011-12-30"))
  #expect(zone.microseconds(of: day) == nil)
}
