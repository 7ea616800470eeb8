import Foundation
import PushIngest
import PushPipeline
import PushStore
import TestSupport
import Testing

/// The formats of a phone's side: what small files of each are read as, and that the story that they
/// all tell (one order whose extension is killed for its memory) is tied to the sender's log.
@Suite struct PhoneFormatTests {
  static let files = Repository.files(below: "Tests/PhoneFormats")
  private var formats: FormatFiles

  init() throws {
    formats = try FormatFiles()
    formats.hints.assumedYear = 2026
    formats.hints.assumedZoneSeconds = 3600
    formats.hints.assumedTime = 1_772_359_200_000_000
  }

  @Test(arguments: files) func aSmallFileGivesTheseRecords(file: String) throws {
    try formats.expectGolden(file, in: "phone-formats")
  }

  @Test("a device's id, a phone's name and texts of other processes are not in the database")
  func nothingPrivate() throws {
    try formats.expectNone(
      of: ["00008030-000A1B2C3D4E5F60", "Toms-iPhone", "parcel", "SomeGame"], from: Self.files)
  }

  @Test("neither the size of chunks nor packing changes what is stored")
  func cuts() throws {
    let inputs = Self.files.map(FormatFiles.path)
    let expected = try formats.dump("straight", [inputs])
    #expect(expected.count > 20)
    for bytes in [64, 700, 4096] {
      let found = try formats.dump("chunks\(bytes)", [inputs], chunkBytes: bytes)
      #expect(found == expected, "chunks of \(bytes)")
    }
  }

  /// Files that show the way of one notification through the system.
  static let logs = files.filter { file in
    !["ips", "json", "log"].contains { file.hasSuffix("." + $0) } || file.hasSuffix("show.json")
  }

  @Test("each log alone is tied to the send by the short id of its collapse id", arguments: logs)
  func story(_ file: String) throws {
    let sender = FormatFiles.path("Tests/Formats/send-log.ndjson")
    _ = try IngestRun.run(formats.options([sender, FormatFiles.path(file)], "story"))
    let database = try Database(path: formats.database("story"), mode: .read)
    let rows = try database.prepare(
      """
      SELECT n.sends, n.events, w.text, n.collapse_id FROM notification n
      JOIN link_word w ON w.code = n.link
      """)
    var found: [String] = []
    while try rows.step() {
      found.append("\(rows.integer(0)) \(rows.integer(1)) \(rows.text(2)) \(rows.text(3))")
    }
    // Nine lines name the request, the run or the process; the daemon's line hides its topic, so it
    // is a guess, and so is then the weakest of the links.
    #expect(found == ["1 10 time_guess order-48213"])
  }

  @Test(
    "the zone that was taken for a log without one is kept with it, of a log with one nothing is")
  func zones() throws {
    let inputs = ["idevicesyslog.txt", "log-show.ndjson"].map {
      FormatFiles.path("Tests/PhoneFormats/" + $0)
    }
    _ = try IngestRun.run(formats.options(inputs, "zones"))
    let database = try Database(path: formats.database("zones"), mode: .read)
    let rows = try database.prepare("SELECT name, assumed_zone, assumed_time FROM source")
    var found: [String: String] = [:]
    while try rows.step() {
      #expect(rows.optionalInteger(2) == nil)
      found[rows.text(0).split(separator: "/").last.map(String.init) ?? ""] =
        rows.optionalText(1) ?? "none"
    }
    #expect(found == ["idevicesyslog.txt": "+01:00", "log-show.ndjson": "none"])
  }

  @Test("a sysdiagnose with log, crash and memory report: all about the run are with it")
  func sysdiagnose() throws {
    let place = formats.folder.path + "/sysdiagnose_2026/"
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
    for name in [
      "log-show.ndjson", "crash.ips", "JetsamEvent.ips", "metrickit.json", "app-file.log",
    ] {
      try FileManager.default.copyItem(
        atPath: FormatFiles.path("Tests/PhoneFormats/" + name), toPath: place + name)
    }
    let sender = FormatFiles.path("Tests/Formats/send-log.ndjson")
    _ = try IngestRun.run(formats.options([sender, place], "whole"))
    let database = try Database(path: formats.database("whole"), mode: .read)
    let rows = try database.prepare(
      """
      SELECT e.event FROM device_event e JOIN notification n ON n.id = e.notification
      WHERE n.collapse_id = 'order-48213' ORDER BY e.recorded_at, e.event
      """)
    var found: [String] = []
    while try rows.step() { found.append(rows.text(0)) }
    #expect(
      found == [
        "system.daemon_received", "system.incoming", "system.request_received",
        "system.modifiable", "system.extension_started", "system.replacement_requested",
        "nse.did_receive", "nse.download.finished", "nse.attachment.failed",
        "system.memory_exceeded", "nse.crashed", "system.killed_for_memory",
        "system.connection_error", "system.content_not_applied", "system.presented",
      ])
  }
}
