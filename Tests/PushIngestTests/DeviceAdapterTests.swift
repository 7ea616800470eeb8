import PushModel
import Testing

@testable import PushIngest

/// What an adapter makes of a text, as lines a person can read.
struct DeviceRun {
  var events: [String] = []
  var readings: [Reading] = []
  var notes: [FieldNote] = []

  /// Finds the format of a whole text, or takes the one that is named, and reads every piece.
  init(
    _ text: [UInt8], as id: String? = nil, hints: SourceHints = SourceHints(),
    found: inout String?
  ) {
    let workspace = ParseWorkspace(tokenKey: DeviceRun.key)
    let padded = text + [UInt8](repeating: 0, count: ChunkBuffer.paddingBytes)
    padded.withUnsafeBytes { bytes in
      let head = SourceHead(bytes, count: text.count, isWhole: true, hints: hints)
      var adapter = id.flatMap { AdapterRegistry.adapter(id: $0) }
      if let adapter {
        workspace.setup = adapter.forcedSetup(head: head, workspace: workspace)
      } else {
        for candidate in AdapterRegistry.all {
          guard let setup = candidate.setup(head: head, workspace: workspace) else { continue }
          adapter = candidate
          workspace.setup = setup
          break
        }
      }
      found = adapter?.id
      guard let adapter else { return }
      let content = UnsafeRawBufferPointer(rebasing: bytes[0..<text.count])
      var cursor = PieceCursor(
        content, framing: workspace.setup.framing, isSourceStart: true, isSourceEnd: true)
      while let piece = cursor.next() {
        let first = workspace.records.events.count
        readings.append(
          adapter.read(
            line: UnsafeRawBufferPointer(
              rebasing: content[piece.offset..<piece.offset + piece.length]), into: workspace))
        notes += workspace.notes
        for place in first..<workspace.records.events.count {
          events.append(DeviceRun.text(workspace.records.events[place], workspace))
        }
      }
    }
  }

  init(_ text: String, as id: String? = nil, year: Int? = nil, zone: Int? = nil, day: Int64? = nil)
  {
    var found: String?
    var hints = SourceHints()
    hints.assumedYear = year
    hints.assumedZoneSeconds = zone
    hints.assumedTime = day
    self.init(Array(text.utf8), as: id, hints: hints, found: &found)
    self.found = found
  }

  var found: String?

  static var key: TokenKey {
    guard let key = TokenKey(bytes: [UInt8](repeating: 7, count: 16)) else { fatalError() }
    return key
  }

  /// `time name bundle request=… key=value …`, attributes in their order.
  private static func text(_ event: EventRecord, _ workspace: ParseWorkspace) -> String {
    let origin = workspace.records.origins[Int(event.origin)]
    var parts = [String(event.at), workspace.text(event.name), workspace.text(origin.bundle)]
    for (name, identifier) in [
      ("request", event.request), ("notification", event.notification), ("apns", event.apns),
    ] where identifier.isPresent {
      parts.append("\(name)=\(workspace.records.text(identifier.text))")
    }
    for place in 0..<Int(event.attributeCount) {
      let attribute = workspace.records.attributes[Int(event.firstAttribute) + place]
      let key = workspace.text(attribute.key)
      switch attribute.kind {
      case .text: parts.append("\(key)=\(workspace.texts[Int(attribute.bits)])")
      case .boolean: parts.append("\(key)=\(attribute.bits == 1)")
      default: parts.append("\(key)=\(attribute.bits)")
      }
    }
    return parts.joined(separator: " ")
  }
}

private let deviceIDs = [
  "unified-log-json", "unified-log-mandiant", "pymobiledevice-json", "ips", "metrickit",
  "unified-log-text", "pymobiledevice-text", "idevicesyslog", "console-copy", "app-file",
]

/// 2026-03-01 10:00:00 UTC, the moment at which the notification of all samples was sent.
private let sent: Int64 = 1_772_359_200_000_000

@Suite struct DeviceAdapterTests {
  @Test(
    "every sample gives what it says, and the format recognises its records", arguments: deviceIDs)
  func samples(_ id: String) throws {
    let adapter = try #require(AdapterRegistry.adapter(id: id))
    #expect(adapter.isOnePhone)
    for sample in adapter.samples {
      var found: String?
      let run = DeviceRun(Array(sample.line.utf8), as: id, hints: sample.hints, found: &found)
      let reading = try #require(run.readings.first, "\(sample.line)")
      switch (sample.expect, reading) {
      case (.record, .event), (.record, .records), (.skip, .skip), (.unreadable, .unreadable): break
      default: Issue.record("\(reading) for \(sample.line)")
      }
      if sample.expect == .record {
        _ = DeviceRun(Array(sample.line.utf8), hints: sample.hints, found: &found)
        #expect(found == id, "\(sample.line)")
      }
    }
    for expected in [AdapterSample.Expectation.record, .skip, .unreadable] {
      #expect(adapter.samples.contains { $0.expect == expected })
    }
  }

  @Test(
    "a day that its month does not have is no date",
    arguments: [("02-28", true), ("02-29", false), ("04-30", true), ("04-31", false)])
  func days(_ day: String, isThere: Bool) {
    let run = DeviceRun(
      "2026-\(day) 11:00:02.481233+0100  localhost SpringBoard[57]: Entering grace time\n",
      as: "unified-log-text")
    #expect(run.readings.count == 1)
    if case .unreadable = run.readings.first { #expect(!isThere) } else { #expect(isThere) }
  }

  @Test("one moment on one phone is the same event in every format that shows it")
  func sameEvent() {
    let message = "[com.example.courier] Remote notification request DC15-EBDB can be modified: 1"
    let library = "UserNotificationsServer"
    let label = "com.apple.UserNotifications:RemoteNotifications"
    let paths = "/System/Library/CoreServices/SpringBoard.app/SpringBoard"
    let runs: [(DeviceRun, String)] = [
      (
        DeviceRun(
          #"{"eventMessage":"\#(message)","eventType":"logEvent","subsystem":"com.apple.UserNotifications","category":"RemoteNotifications","processImagePath":"\#(paths)","timestamp":"2026-03-01 11:00:02.481233+0100","machTimestamp":88123456789,"processID":57}"#
            + "\n" + #"{"count":1,"finished":1}"# + "\n"), "unified-log-json"
      ),
      (
        DeviceRun(
          "["
            + #"{"eventMessage":"\#(message)","eventType":"logEvent","processImagePath":"\#(paths)","timestamp":"2026-03-01 11:00:02.481233+0100"}"#
            .replacing(",", with: ",\n  ")
            + "]"), "unified-log-json"
      ),
      (
        DeviceRun(
          #"{"message":"\#(message)","event_type":"Log","process":"\#(paths)","pid":57,"raw_message":"","boot_uuid":"A","time":1.7e18,"timestamp":"2026-03-01T10:00:02.481233000Z"}"#
        ), "unified-log-mandiant"
      ),
      (
        DeviceRun(
          #"{"pid":57,"timestamp":"2026-03-01T11:00:02.481233","level":"NOTICE","image_name":"/x","filename":"\#(paths)","message":"\#(message)","label":null}"#,
          zone: 3600), "pymobiledevice-json"
      ),
      (
        DeviceRun(
          "Filtering the log data using \"x\"\n2026-03-01 11:00:02.481233+0100  localhost SpringBoard[57]: (\(library)) [\(label)] \(message)"
        ), "unified-log-text"
      ),
      (
        DeviceRun(
          "Timestamp                       Thread     Type        Activity             PID    TTL\n2026-03-01 11:00:02.481233+0100 0xa35e     Default     0x0                  57     0    SpringBoard: (\(library)) [\(label)] \(message)"
        ), "unified-log-text"
      ),
      (
        DeviceRun(
          "2026-03-01 11:00:02.481233 SpringBoard{\(library)}[57] <NOTICE>: \(message) [com.apple.UserNotifications][RemoteNotifications]",
          zone: 3600), "pymobiledevice-text"
      ),
      (
        DeviceRun(
          "[connected:00000000-0000000000000000]\nMar  1 11:00:02.481233 SpringBoard(\(library))[57] <Notice>: \(message)\n",
          year: 2026, zone: 3600), "idevicesyslog"
      ),
      (
        DeviceRun(
          "default\t11:00:02.481233+0100\tSpringBoard\t\(message)", day: sent), "console-copy"
      ),
      (
        DeviceRun("default 11:00:02.481233 +0100 SpringBoard \(message)", day: sent),
        "console-copy"
      ),
    ]
    for (run, id) in runs {
      #expect(run.found == id)
      #expect(
        run.events == [
          "1772359202481233 system.modifiable com.example.courier request=DC15-EBDB process=SpringBoard allowed=true"
        ], "\(id)")
    }
  }

  @Test("forms with fewer digits: the compact style and the old idevicesyslog")
  func coarse() {
    let compact = DeviceRun(
      "2026-03-01 11:00:02.481 Df SpringBoard[57:a35e] (X) [a:b] Delivered user visible push notification DC15-EBDB",
      zone: 3600)
    #expect(compact.found == "unified-log-text")
    #expect(
      compact.events == ["1772359202481000 system.presented  request=DC15-EBDB process=SpringBoard"]
    )
    let old = DeviceRun(
      "Mar  1 11:00:02 Toms-iPhone SpringBoard(X)[57] <Notice>: Delivered user visible push notification DC15-EBDB",
      year: 2026, zone: 3600)
    #expect(
      old.events == ["1772359202000000 system.presented  request=DC15-EBDB process=SpringBoard"])
  }

  @Test("colours, CRLF, a byte order mark and lines that go on change nothing")
  func clutter() {
    let plain =
      "Mar  1 11:00:02.000000 apsd[90] <Notice>: Received message for enabled topic 'com.example.courier' with payload '{\n    aps =     {\n    };\n}' onInterface: WWAN with priority 5\nMar  1 11:00:03.000000 x[1] <Notice>: y\n"
    let expected = [
      "1772362802000000 system.daemon_received com.example.courier process=apsd interface=WWAN priority=5"
    ]
    #expect(DeviceRun(plain, year: 2026).events == expected)
    let coloured = plain.replacing("apsd[", with: "\u{1b}[0;36mapsd\u{1b}[0m[")
      .replacing("Mar  1", with: "\u{1b}[0;37mMar  1")
    #expect(DeviceRun(coloured, year: 2026).events == expected)
    #expect(
      DeviceRun("\u{feff}" + plain.replacing("\n", with: "\r\n"), year: 2026).events == expected)
  }

  @Test("colours around every word change nothing, in whatever text the lines come")
  func colours() {
    for line in [
      "2026-03-01 11:00:02.481233+0100  localhost SpringBoard[57]: Delivered user visible push notification DC15-EBDB",
      "2026-03-01 11:00:02.481 Df SpringBoard[57:a35e] (X) [a:b] Delivered user visible push notification DC15-EBDB",
      "2026-03-01 11:00:02.481233 SpringBoard{X}[57] <NOTICE>: Delivered user visible push notification DC15-EBDB",
      "Mar  1 11:00:02.481233 SpringBoard(X)[57] <Notice>: Delivered user visible push notification DC15-EBDB",
      "default\t11:00:02.481233+0100\tSpringBoard\tDelivered user visible push notification DC15-EBDB",
      "default 11:00:02.481233 +0100 SpringBoard Delivered user visible push notification DC15-EBDB",
      "2026-03-01 11:00:02.861 [Verbose] [queue] [File.swift:22] nse.did_receive request_id=order-48213",
    ] {
      let plain = DeviceRun(line + "\n", year: 2026, zone: 3600, day: 1_772_359_200_000_000)
      #expect(plain.events.count == 1, "\(line)")
      var coloured = "\u{1b}[0;37m"
      for character in line {
        if character == " " || character == "\t" {
          coloured += "\u{1b}[0m\(character)\u{1b}[1;36m"
        } else {
          coloured.append(character)
        }
      }
      let run = DeviceRun(
        coloured + "\u{1b}[0m\n", year: 2026, zone: 3600, day: 1_772_359_200_000_000)
      #expect(run.found == plain.found, "\(line)")
      #expect(run.events == plain.events, "\(line)")
    }
  }

  @Test("a truncated last line is no event and stops nothing")
  func truncated() {
    let whole =
      "2026-03-01 11:00:02.481233+0100  localhost SpringBoard[57]: Delivered user visible push notification DC15-EBDB\n"
    for length in 0..<whole.utf8.count - 1 {
      let run = DeviceRun(whole + String(decoding: Array(whole.utf8)[..<length], as: UTF8.self))
      // With its digest cut the second line says nothing; it never invents one.
      #expect(
        run.events.count == 1 || (run.events.count == 2 && run.events[1].contains("DC15-EBDB")))
    }
  }

  @Test("a report of two killed processes gives two events that share nothing but its own facts")
  func twoKilled() {
    let report =
      #"{"bug_type":"298","timestamp":"2026-03-01 11:00:08.00 +0100","os_version":"iPhone OS 18.3 (22D63)","incident_id":"B1B2"}"#
      + "\n"
      + #"{"date":"2026-03-01 11:00:08.12 +0100","memoryStatus":{"pageSize":16384},"processes":[{"name":"PushService","pid":812,"rpages":1540,"reason":"per-process-limit"},{"name":"idle","pid":9},{"name":"Game","pid":7,"reason":"vm-pageshortage"}]}"#
    let expected = [
      "1772359208120000 system.killed_for_memory  process=PushService pid=812 reason=per-process-limit footprint_mb=24 incident=B1B2",
      "1772359208120000 system.memory_pressure  process=Game pid=7 reason=vm-pageshortage incident=B1B2",
    ]
    func sorted(_ events: [String]) -> [String] {
      events.map { event in
        let words = event.split(separator: " ")
        return (words.prefix(2) + words.dropFirst(2).sorted()).joined(separator: " ")
      }
    }
    #expect(sorted(DeviceRun(report).events) == sorted(expected))
    // An empty line before it, as copies have, changes nothing.
    #expect(sorted(DeviceRun("\n" + report).events) == sorted(expected))
  }

  @Test("gaps in a log are kept, they are no silence")
  func gap() {
    let run = DeviceRun(
      #"{"eventMessage":"","eventType":"lossEvent","processImagePath":"/kernel","timestamp":"2026-03-01 11:00:03.000000+0100","machTimestamp":1}"#
    )
    #expect(run.events == ["1772359203000000 system.log_gap "])
  }

  @Test("without the year, or the day, known lines say what is missing")
  func missingDates() {
    let lines =
      "Mar  1 11:00:02.481233 SpringBoard(X)[57] <Notice>: Entering grace time: x\nMar  1 11:00:02.481233 powerd[1] <Notice>: hello\n"
    let run = DeviceRun(lines)
    #expect(
      run.readings == [
        .unreadable(field: "time", reason: "has no year; say it with --assume-year"),
        .skip(because: .otherRecord),
      ])
  }

  @Test("a crash of the extension: time, process, code; of another process it is the app's")
  func crash() throws {
    let adapter = try #require(AdapterRegistry.adapter(id: "ips"))
    let text = adapter.samples[0].line
    // 11:00:32.731 +0100, launched 30.130 s before.
    #expect(
      DeviceRun(text).events == [
        "1772359232731000 nse.crashed com.example.courier.PushService code=2343432205 signal=SIGKILL pid=812 process=PushService namespace=RUNNINGBOARD exception=EXC_CRASH incident=A1B2C3D4-0000-4000-8000-0123456789AB uptime_ms=30130"
      ])
    let app = text.replacing("PlugIns/PushService.appex/PushService", with: "Courier")
    #expect(DeviceRun(app).events.first?.contains(" system.app_crashed ") == true)
    let memory = text.replacing(
      #""type":"EXC_CRASH","signal":"SIGKILL""#,
      with: #""type":"EXC_RESOURCE","subtype":"MEMORY","signal":"SIGKILL""#)
    #expect(DeviceRun(memory).events.first?.contains(" reason=EXC_RESOURCE ") == true)
    let wakeups = memory.replacing("\"MEMORY\"", with: "\"WAKEUPS\"")
    #expect(DeviceRun(wakeups).events.first?.contains("reason=") == false)
  }

  @Test("memory kills: 1540 pages of 16 KiB are 24 MB; processes without a reason were not killed")
  func jetsam() {
    let run = DeviceRun(
      """
      {"bug_type":"298","timestamp":"2026-03-01 11:00:08.00 +0100","os_version":"iPhone OS 18.3 (22D63)"}
      {"date":"2026-03-01 11:00:08.12 +0100","memoryStatus":{"pageSize":16384},"processes":[
        {"name":"PushService","pid":812,"rpages":1540,"reason":"per-process-limit"},
        {"name":"Game","pid":900,"rpages":90000},
        {"name":"Mail","pid":901,"rpages":6400,"reason":"vm-pageshortage"}]}
      """)
    #expect(run.found == "ips")
    #expect(
      run.events == [
        "1772359208120000 system.killed_for_memory  reason=per-process-limit footprint_mb=24 pid=812 process=PushService",
        "1772359208120000 system.memory_pressure  reason=vm-pageshortage footprint_mb=100 pid=901 process=Mail",
      ])
  }

  @Test("MetricKit: counters of exits, and crashes of the period")
  func metrics() throws {
    let adapter = try #require(AdapterRegistry.adapter(id: "metrickit"))
    // 2026-03-01 22:59:00 UTC and 2026-02-28 23:00:00 UTC.
    #expect(
      DeviceRun(adapter.samples[0].line).events == [
        "1772405940000000 system.metrics  state=background from=1772319600000000 exits_memory_limit=2 exits_normal=5"
      ])
    #expect(
      DeviceRun(adapter.samples[1].line).events == [
        "1772359500000000 system.app_crashed com.example.courier.PushService code=0 signal=11 source=metrickit pid=812 from=1772355600000000"
      ])
  }

  @Test("files of an app's own: events by name with their values, and lines that SDKs print")
  func appFile() {
    let run = DeviceRun(
      """
      2026-03-01T10:00:02.600Z INFO nse.did_receive request_id=order-48213, attempt=1
      2026-03-01T10:00:03.100Z ERROR nse.attachment.failed error_domain=UNErrorDomain error_code=101
      2026-03-01T10:00:03.200Z DEBUG something else
        and more of it
      """)
    #expect(run.found == "app-file")
    #expect(
      run.events == [
        "1772359202600000 nse.did_receive  request=order-48213 attempt=1 by=own_file",
        "1772359203100000 nse.attachment.failed  error_domain=UNErrorDomain error_code=101 by=own_file",
      ])
    #expect(DeviceRun("2026-03-01 10:00:00 started the server\n").found == nil)
  }

  @Test("any cut of a text, and any byte changed in it, gives readings and nothing else")
  func total() {
    var random = UInt64(20_260_301)
    func next() -> UInt64 {
      random ^= random << 13
      random ^= random >> 7
      random ^= random << 17
      return random
    }
    for id in deviceIDs {
      guard let adapter = AdapterRegistry.adapter(id: id) else { continue }
      for sample in adapter.samples {
        let bytes = Array(sample.line.utf8)
        for _ in 0..<60 {
          var changed = bytes
          for _ in 0..<(1 + next() % 3) where !changed.isEmpty {
            let place = Int(next() % UInt64(changed.count))
            switch next() % 4 {
            case 0: changed[place] = UInt8(truncatingIfNeeded: next())
            case 1: changed.remove(at: place)
            case 2: changed.removeSubrange(place...)
            default: changed.insert(changed[place], at: place)
            }
          }
          var found: String?
          _ = DeviceRun(changed, as: id, hints: sample.hints, found: &found)
          _ = DeviceRun(changed, hints: sample.hints, found: &found)
        }
      }
    }
  }
}
