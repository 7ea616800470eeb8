import PushModel

extension LogAdapter {
  /// `idevicesyslog`, new and old, and the console of older Xcode versions.
  static let ideviceSyslog = LogAdapter(
    id: "idevicesyslog",
    title: "idevicesyslog live log (new and old form)",
    formatSource: "source of libimobiledevice, tools/idevicesyslog.c",
    side: .device,
    clock: """
      no year and no zone: new form the clock of the computer that listened, old form the phone's; \
      say them with --assume-year and --assume-zone
      """,
    absence: .neverProves(
      because:
        """
        it tells of the time of listening only, and may be filtered, leave out info and \
        debug, hide values as <private> and lose lines
        """),
    redacts: ["message (only values of known messages are taken out of it)", "banner (device id)"],
    samples: [
      AdapterSample(
        "Mar  1 11:00:02.481233 SpringBoard(UserNotificationsServer)[57] <Notice>: [com.example.courier] Remote notification request DC15-EBDB can be modified: 1",
        expect: .record, year: 2026),
      AdapterSample(
        "Mar  1 11:00:02 Toms-iPhone SpringBoard(UserNotificationsServer)[57] <Notice>: [com.example.courier] Delivered user visible push notification DC15-EBDB",
        expect: .record, year: 2026),
      AdapterSample(
        "Mar  1 11:00:02.481233 SpringBoard(UserNotificationsServer)[57] <Notice>: [com.example.courier] Delivered user visible push notification DC15-EBDB",
        expect: .unreadable),
      AdapterSample("Mar  1 11:00:02.481233 powerd[40] <Notice>: hello", expect: .skip),
      AdapterSample("[connected:00000000-0000000000000000]", expect: .skip),
      AdapterSample(
        "Mar  1 11:00:02.481233 SpringBoard 57 <Notice>: hello", expect: .unreadable),
    ],
    isOnePhone: true,
    prepare: { head, workspace in
      LogLineText.recognises(head.lines) { text in
        LogLineText.monthTime(text, year: 2000).map { line(text, $0) != nil } ?? false
      } ? SourceSetup(framing: .startedLines(isStart)) : nil
    },
    read: { piece, workspace in
      LogLineText.plain(piece) { text in
        let year = workspace.setup.hints.assumedYear
        guard let time = LogLineText.monthTime(text, year: year ?? 2000) else {
          return .skip(because: text[0] == 0x5b ? .comment : .continuation)
        }
        guard var line = line(text, time) else {
          return .unreadable(
            field: "line", reason: "has no process with its number and no level behind its time")
        }
        guard year != nil else {
          return SystemLines.undated(line, "has no year; say it with --assume-year", workspace)
        }
        workspace.assumedYears += 1
        line.at = workspace.assumingZone(line.at)
        return SystemLines.read(line, workspace)
      }
    })
}

@Sendable private func isStart(_ bytes: UnsafeRawBufferPointer) -> Bool {
  guard let text = LogLineText.withoutLeadingEscapes(bytes), text.count > 2 else { return false }
  if text[0] == 0x5b { return text.count > 11 && text.part(0, 11).equals("[connected:") }
  return text[0] >= 0x41 && LogLineText.monthTime(text, year: 2000) != nil
}

private func line(_ text: ByteText, _ time: (microseconds: Int64, end: Int)) -> SystemLine? {
  var scanner = LineScanner(text)
  scanner.place = time.end
  guard scanner.take(0x20) else { return nil }
  let start = scanner.place
  guard let (whole, pid) = LogLineText.readProcess(&scanner) else { return nil }
  var name = whole
  if time.end == 15 {
    // The old form names the phone first; a phone's name is private and is passed over.
    var host = LineScanner(text)
    host.place = start
    _ = host.word()
    guard host.take(0x20), host.place < start + whole.count else { return nil }
    name = text.part(host.place, start + whole.count)
  }
  guard scanner.take(0x20), scanner.take(0x3c),
    let level = scanner.until(0x3e, or: 0x3e, within: 16),
    scanner.take(0x3e), scanner.take(0x3a)
  else { return nil }
  _ = scanner.take(0x20)
  var line = SystemLine(at: time.microseconds, process: name, pid: pid, message: scanner.rest)
  line.level = SystemLines.level(level)
  return line
}
