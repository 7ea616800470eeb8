import Foundation
import PushIngest
import PushModel
import PushPipeline
import PushStore
import TestSupport
import Testing

/// What files say of their own completeness is kept with them, and takes the proof away.
@Suite struct CompletenessTests {
  private let formats: FormatFiles

  init() throws {
    var formats = try FormatFiles()
    formats.hints.assumedYear = 2026
    self.formats = formats
  }

  private func write(_ text: String, _ name: String) throws -> String {
    let path = formats.folder.path + "/" + name
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    return path
  }

  private func source(_ name: String) throws -> SourceRecord {
    let database = try Database(path: formats.database(name), mode: .read)
    return try #require(try database.sources().first)
  }

  private func line(_ process: String, _ level: String, _ message: String) -> String {
    #"{"eventMessage":"\#(message)","eventType":"logEvent","processImagePath":"/x/\#(process)","#
      + #""timestamp":"2026-03-01 11:00:02.000000+0100","messageType":"\#(level)","processID":57}"#
  }

  @Test("lost and hidden lines, levels and processes of a system log are counted, by chunks too")
  func systemLog() throws {
    let text =
      [
        line("SpringBoard", "Default", "Delivered user visible push notification DC15-EBDB"),
        line("apsd", "Error", "something about <private> and <private>"),
        line("kernel", "Info", "nothing"), line("noapsd", "Fault", "<mask.hash: 'x'>"),
        #"{"eventType":"lossEvent","eventMessage":"","processImagePath":"/kernel","#
          + #""timestamp":"2026-03-01 11:00:03.000000+0100","lossCount":{"count":63,"saturated":true}}"#,
        #"{"eventType":"lossEvent","eventMessage":"","processImagePath":"/kernel","#
          + #""timestamp":"2026-03-01 11:00:04.000000+0100","lossCount":7}"#,
      ].joined(separator: "\n") + "\n"
    let path = try write(text, "log.ndjson")
    for (name, bytes) in [("whole", 1 << 20), ("cut", 200)] {
      var options = formats.options([path], name)
      options.chunkBytes = bytes
      let summary = try IngestRun.run(options)
      let seen = try source(name).completeness
      #expect(seen.systemLines == 4)
      #expect(seen.lossRecords == 2)
      #expect(seen.lostLines == 70)
      #expect(seen.hiddenLines == 2)
      #expect(seen.levels == [.info, .standard, .error])
      #expect(seen.processes == [.springBoard, .apsd, .kernel])
      let expected =
        "2 records say that at least 70 lines were lost; 2 lines hide values as <private>; "
        + "no line has the level debug; no line is of runningboardd or dasd"
      #expect(summary.absences.map(\.absence) == [.neverProves(because: expected)])
    }
  }

  @Test(
    "losses and filters are found in each form of the log",
    arguments: [
      (
        "2026-03-01 11:00:03.000000+0100 0x0        Loss        0x0                  0      0    kernel: lost >=  32 unreliable messages from 11:00:02 to 11:00:03",
        Int64(32)
      ),
      (
        "2026-03-01 11:00:03.000000+0100 0x0        Loss        0x0                  0      0    kernel: (x) something",
        0
      ),
      (
        "2026-03-01 11:00:03.000000+0100  localhost Courier[9]: QUARANTINED DUE TO HIGH LOGGING VOLUME",
        0
      ),
      (
        "2026-03-01 11:00:03.481233 logd{logd}[57] <NOTICE>: lost >= 5 unreliable messages from a to b",
        5
      ),
      (
        "Mar  1 11:00:02 Toms-iPhone syslogd[25] <Error>: *** process 812 exceeded 500 log message per second limit - remaining messages this second discarded ***",
        0
      ),
      (
        #"{"event_type":"Loss","log_type":"Loss","process":"/kernel","message":"","raw_message":"","timestamp":"2026-03-01T10:00:03Z","boot_uuid":"A"}"#,
        0
      ),
    ])
  func losses(_ line: String, _ lost: Int64) throws {
    let path = try write("Filtering the log data using \"x\"\n" + line + "\n", "log.txt")
    let isJSON = line.hasPrefix("{")
    _ = try IngestRun.run(
      formats.options([isJSON ? try write(line + "\n", "log.json") : path], "losses"))
    let seen = try source("losses")
    #expect(seen.completeness.lossRecords == 1)
    #expect(seen.completeness.lostLines == lost)
    #expect(seen.kept == 1)
    if seen.adapter == "unified-log-text" { #expect(seen.completeness.filterNotes == 1) }
  }

  private func own(_ count: Int, _ event: (Int) -> String = { _ in "device.heartbeat" }) -> String {
    (1...count).map { number in
      #"{"ts":"2026-03-01T10:00:\#(number + 10)Z","event":"\#(event(number))","seq":\#(number),"#
        + #""log_id":"L","device_id":"D","bundle_id":"com.example.courier"}"#
    }.joined(separator: "\n") + "\n"
  }

  @Test("a log of our own proves between numbers, and nothing where none are")
  func ownLog() throws {
    let whole = try IngestRun.run(formats.options([try write(own(3), "own.ndjson")], "own"))
    #expect(whole.absences.map(\.absence.canProve) == [true])
    #expect(try source("own").completeness.numbered == 3)
    let bare = own(3).replacing(#/"seq":\d+,/#, with: "")
    let none = try IngestRun.run(formats.options([try write(bare, "bare.ndjson")], "bare"))
    #expect(
      none.absences.map(\.absence)
        == [.neverProves(because: "no record carries a number of a counter")])
  }

  @Test("a record of lost lines parts the run of numbers that it stands in")
  func gap() throws {
    func runs(_ text: String, _ name: String) throws -> [String] {
      let summary = try IngestRun.run(formats.options([try write(text, name + ".ndjson")], name))
      #expect(summary.absences.map(\.absence.canProve) == [!text.contains("log_gap")])
      let database = try Database(path: formats.database(name), mode: .read)
      let rows = try database.prepare("SELECT first_seq, last_seq FROM coverage ORDER BY first_seq")
      var found: [String] = []
      while try rows.step() { found.append("\(rows.integer(0))-\(rows.integer(1))") }
      return found
    }
    #expect(try runs(own(7), "whole") == ["1-7"])
    #expect(
      try runs(own(7) { $0 == 4 ? "system.log_gap" : "device.heartbeat" }, "parted")
        == ["1-3", "5-7"])
  }

  @Test("counts of a file that grows go on")
  func growing() throws {
    let first = line("SpringBoard", "Default", "a <private>") + "\n"
    let path = try write(first, "growing.ndjson")
    _ = try IngestRun.run(formats.options([path], "growing"))
    _ = try write(first + line("apsd", "Error", "b <private>") + "\n", "growing.ndjson")
    _ = try IngestRun.run(formats.options([path], "growing"))
    let seen = try source("growing").completeness
    #expect(seen.hiddenLines == 2)
    #expect(seen.processes == [.springBoard, .apsd])
  }

  @Test("an assumed year is kept with the source that needed one")
  func years() throws {
    let inputs = ["idevicesyslog.txt", "log-show.ndjson"].map {
      FormatFiles.path("Tests/PhoneFormats/" + $0)
    }
    let summary = try IngestRun.run(formats.options(inputs, "years"))
    #expect(summary.assumedYears == [inputs[0]])
    let database = try Database(path: formats.database("years"), mode: .read)
    #expect(try database.sources().map(\.assumedYear) == [2026, nil])
  }
}
