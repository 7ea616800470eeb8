import Foundation
import PushStore
import TestSupport
import Testing

/// A killed ingest leaves nothing half done: the same command again gives the same database.
///
/// Each kill waits for a sign in the files of the database, so that it falls where it is meant to on
/// any machine; the sizes that count as signs are those of a run that nobody disturbs.
@Suite struct KillTests {
  private let folder: ScratchFolder
  private let key = "key"

  init() throws {
    folder = try ScratchFolder()
    let simulate = try BuiltProgram.pushtriage.run(
      ["simulate", "--notifications", "3000", "--seed", "11", "-o", "corpus"], in: folder.url)
    #expect(simulate.exitCode == 0, "\(simulate.error)")
    try Data((0..<16).map { UInt8($0) }).write(to: folder.url.appending(path: key))
  }

  /// Sizes of the files of a database, bytes; 0 for those that are not there.
  private struct Sizes {
    var database = 0
    /// What a batch replaces in the file, kept aside until it is done (`-journal`).
    var journal = 0
    /// What a batch adds, beside the file until it is done (`-wal`).
    var log = 0

    init() {}

    init(_ path: String) {
      func size(_ path: String) -> Int {
        let found = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
        return found ?? 0
      }
      database = size(path)
      journal = size(path + "-journal")
      log = size(path + "-wal")
    }

    mutating func widen(to other: Sizes) {
      database = max(database, other.database)
      journal = max(journal, other.journal)
      log = max(log, other.log)
    }
  }

  /// Ingests both logs into a database and kills that as soon as its files show the sign.
  private func ingest(
    into name: String, killedAt sign: (Sizes) -> Bool
  ) throws -> (wasKilled: Bool, biggest: Sizes) {
    let process = Process()
    process.executableURL = BuiltProgram.pushtriage.executable
    process.arguments = arguments(name)
    process.currentDirectoryURL = folder.url
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    var biggest = Sizes()
    while process.isRunning {
      let sizes = Sizes(folder.path + "/" + name)
      biggest.widen(to: sizes)
      if sign(sizes) {
        kill(process.processIdentifier, SIGKILL)
        break
      }
      usleep(200)
    }
    process.waitUntilExit()
    let isSignal = process.terminationReason == .uncaughtSignal
    if !isSignal { #expect(process.terminationStatus == 0) }
    return (isSignal && process.terminationStatus == SIGKILL, biggest)
  }

  private func arguments(_ name: String) -> [String] {
    ["ingest", "corpus/provider.ndjson", "corpus/device.ndjson", "--key", key, "--db", name]
  }

  private struct Sign {
    var name: String
    /// Whether the batch has begun and is not done where it shows.
    var isWithinBatch: Bool
    /// Whether these sizes show it, by the biggest ones of other runs.
    var shows: (Sizes, _ biggest: Sizes) -> Bool
  }

  /// Kills at each sign, and ingests again; `start` makes the database that there is before.
  private func interrupt(at signs: [Sign], start: (String) throws -> Void) throws {
    try start("whole.db")
    var (wasKilled, biggest) = try ingest(into: "whole.db") { _ in false }
    #expect(!wasKilled)
    let expected = try DatabaseDump.lines(path: folder.path + "/whole.db")
    #expect(expected.count > 3000)

    var killsWithinBatch = 0
    for (place, sign) in signs.enumerated() {
      // A run may be over before the signal comes: the sign was seen late. Then once more.
      for attempt in 0..<10 {
        let name = "killed-\(place)-\(attempt).db"
        try start(name)
        let run = try ingest(into: name) { sign.shows($0, biggest) }
        biggest.widen(to: run.biggest)
        guard run.wasKilled else { continue }
        let left = Sizes(folder.path + "/" + name)
        if sign.isWithinBatch, left.journal > 0 || left.log > 0 { killsWithinBatch += 1 }
        let again = try BuiltProgram.pushtriage.run(arguments(name), in: folder.url)
        #expect(again.exitCode == 0, "killed where \(sign.name): \(again.error)")
        #expect(
          try DatabaseDump.lines(path: folder.path + "/" + name) == expected,
          "killed where \(sign.name)")
        break
      }
    }
    #expect(killsWithinBatch > 0, "no kill came while a batch was written")
  }

  @Test("the first ingest may be killed at any time")
  func first() throws {
    try interrupt(
      at: [
        Sign(name: "the file is there", isWithinBatch: false) { now, _ in now.database > 0 },
        Sign(name: "a quarter was kept aside", isWithinBatch: true) { now, biggest in
          now.journal > biggest.journal / 4
        },
        Sign(name: "most was kept aside", isWithinBatch: true) { now, biggest in
          now.journal > biggest.journal * 3 / 4
        },
        Sign(name: "the file grows", isWithinBatch: true) { now, biggest in
          now.database > biggest.database / 2
        },
      ],
      start: { _ in })
  }

  @Test("an ingest into a database that holds notifications may be killed at any time")
  func later() throws {
    for name in ["provider", "device"] {
      let lines = try Data(contentsOf: folder.url.appending(path: "corpus/\(name).ndjson"))
      let half = try #require(lines[..<(lines.count / 2)].lastIndex(of: 0x0A))
      try lines[...half].write(to: folder.url.appending(path: "\(name)-half.ndjson"))
    }
    let early = try BuiltProgram.pushtriage.run(
      ["ingest", "provider-half.ndjson", "device-half.ndjson", "--key", key, "--db", "early.db"],
      in: folder.url)
    #expect(early.exitCode == 0, "\(early.error)")
    let before = Sizes(folder.path + "/early.db").database
    try interrupt(
      at: [
        Sign(name: "the log begins", isWithinBatch: true) { now, _ in now.log > 32 },
        Sign(name: "half of the log is there", isWithinBatch: true) { now, biggest in
          now.log > biggest.log / 2
        },
        Sign(name: "the log goes into the file", isWithinBatch: false) { now, _ in
          now.database > before
        },
      ],
      start: { name in
        try FileManager.default.copyItem(
          atPath: folder.path + "/early.db", toPath: folder.path + "/" + name)
      })
  }
}
