import Foundation
import PushStore
import TestSupport
import Testing

/// A killed ingest leaves nothing half done: the same command again gives the same database.
@Test func ingestThatIsKilledAndRunAgainGivesTheSameDatabase() throws {
  let folder = try ScratchFolder()
  let simulate = try BuiltProgram.pushtriage.run(
    ["simulate", "--notifications", "4000", "--seed", "11", "-o", "corpus"], in: folder.url)
  #expect(simulate.exitCode == 0)
  try Data((0..<16).map { UInt8($0) }).write(to: folder.url.appending(path: "key"))
  let inputs = ["corpus/provider.ndjson", "corpus/device.ndjson", "--key", "key"]
  let whole = try BuiltProgram.pushtriage.run(
    ["ingest"] + inputs + ["--db", "whole.db"], in: folder.url)
  #expect(whole.exitCode == 0, "\(whole.error)")
  let expected = try DatabaseDump.lines(path: folder.path + "/whole.db")

  // Killed at ever later moments; `timeout` sends the signal, so that no clock of this test is
  // part of what is tested.
  for (place, delay) in ["0.02", "0.1", "0.2", "0.4", "0.8", "1.2"].enumerated() {
    let name = "killed-\(place).db"
    let timeout = BuiltProgram(at: URL(fileURLWithPath: "/usr/bin/timeout"))
    let killed = try timeout.run(
      [
        "--signal=KILL", delay, BuiltProgram.buildFolder.appending(path: "pushtriage").path,
        "ingest",
      ] + inputs + [
        "--db", name,
      ],
      in: folder.url)
    print("killed after \(delay) s: exit \(killed.exitCode)")
    let again = try BuiltProgram.pushtriage.run(
      ["ingest"] + inputs + ["--db", name], in: folder.url)
    #expect(again.exitCode == 0, "\(again.error)")
    #expect(
      try DatabaseDump.lines(path: folder.path + "/" + name) == expected, "killed after \(delay) s")
  }
}
