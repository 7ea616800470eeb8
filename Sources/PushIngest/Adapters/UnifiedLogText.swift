import PushModel

extension LogAdapter {
  /// `log show` as text: syslog, default and compact style.
  static let unifiedLogText = LogAdapter(
    id: "unified-log-text",
    title: "Apple unified log, `log show` as text (syslog, default or compact style)",
    formatSource: "output of macOS `log show`; the compact style was not checked again",
    side: .device,
    clock: """
      the phone's clock with an explicit offset; the compact style has none: say it with \
      --assume-zone
      """,
    absence: .neverProves(
      because:
        """
        a capture may be filtered, leave out info and debug, hide values as <private> and \
        lose lines under load
        """),
    redacts: ["message (only values of known messages are taken out of it)"],
    samples: [
      AdapterSample(
        "2026-03-01 11:00:02.481233+0100  localhost SpringBoard[57]: (UserNotificationsServer) [com.apple.UserNotifications:RemoteNotifications] [com.example.courier] Remote notification request DC15-EBDB can be modified: 1",
        expect: .record),
      AdapterSample(
        "2026-03-01 11:00:02.481233+0100 0xa35e     Default     0x0                  57     0    SpringBoard: (UserNotificationsServer) [com.apple.UserNotifications:RemoteNotifications] [com.example.courier] Delivered user visible push notification DC15-EBDB",
        expect: .record),
      AdapterSample(
        "2026-03-01 11:00:02.481 Df SpringBoard[57:a35e] (UserNotificationsServer) [com.apple.UserNotifications:RemoteNotifications] [com.example.courier] Process delivery of push notification DC15-EBDB",
        expect: .record),
      AdapterSample(
        "2026-03-01 11:00:03.000000+0100 0x0        Loss        0x0                  0      0    kernel: lost >=  32 unreliable messages from 11:00:02.481233 to 11:00:02.990000",
        expect: .record),
      AdapterSample(
        "2026-03-01 11:00:02.481233+0100  localhost powerd[40]: hello", expect: .skip),
      AdapterSample(
        "Filtering the log data using \"process == \\\"SpringBoard\\\"\"", expect: .skip),
      AdapterSample(
        "Timestamp                       Thread     Type        Activity             PID    TTL",
        expect: .skip),
      AdapterSample(
        "2026-13-01 11:00:02.481233+0100  localhost SpringBoard[57]: Entering grace time",
        expect: .unreadable),
    ],
    isOnePhone: true,
    prepare: { head, workspace in
      LogLineText.recognises(head.lines) { line($0) != nil }
        ? SourceSetup(framing: .startedLines(isStart)) : nil
    },
    read: { piece, workspace in
      LogLineText.plain(piece) { text in
        guard LogLineText.looksLikeDate(text) else {
          if text.count > 22, text.part(0, 22).equals("Filtering the log data") {
            workspace.completeness.filterNotes += 1
          }
          return .skip(because: .wrapper)
        }
        guard let (found, time) = line(text) else {
          return .unreadable(
            field: "line", reason: "begins with a date but is of none of the three styles")
        }
        var line = found
        line.at = time.hasZone ? time.microseconds : workspace.assumingZone(time.microseconds)
        return SystemLines.read(line, workspace)
      }
    })
}

@Sendable private func isStart(_ bytes: UnsafeRawBufferPointer) -> Bool {
  LogLineText.withoutLeadingEscapes(bytes).map { LogLineText.looksLikeDate($0) } ?? false
}

private func line(_ text: ByteText) -> (line: SystemLine, time: LooseTime.Found)? {
  guard let time = LogLineText.dateTime(text) else { return nil }
  var scanner = LineScanner(text)
  scanner.place = time.end
  guard scanner.take(0x20) else { return nil }
  scanner.skipBlanks()
  var line = SystemLine(at: 0, process: .empty, message: .empty)
  let first = scanner.word()
  if first.count > 2, first[0] == 0x30, first[1] | 0x20 == 0x78 {
    return time.hasZone ? columns(&scanner, &line).map { ($0, time) } : nil
  }
  scanner.skipBlanks()
  guard let process = LogLineText.readProcess(&scanner) else { return nil }
  line.process = process.name
  line.pid = process.pid
  if time.hasZone {
    // syslog style: host, process, colon.
    guard scanner.take(0x3a) else { return nil }
  } else {
    // Compact style: two letters for level and kind stand before the process.
    guard first.count <= 2 else { return nil }
    line.level = SystemLines.level(first)
  }
  LogLineText.readMessage(&scanner, into: &line)
  return (line, time)
}

/// The columns of the default style behind the thread: type, activity, process number, time to
/// live, then the process and a colon.
private func columns(_ scanner: inout LineScanner, _ line: inout SystemLine) -> SystemLine? {
  scanner.skipBlanks()
  let kind = scanner.word()
  guard kind.count > 0 else { return nil }
  line.level = SystemLines.level(kind)
  line.isLoss = kind.equals("Loss")
  scanner.skipBlanks()
  guard scanner.word().count > 2 else { return nil }
  scanner.skipBlanks()
  guard let pid = scanner.number() else { return nil }
  line.pid = pid
  scanner.skipBlanks()
  guard scanner.number() != nil else { return nil }
  scanner.skipBlanks()
  guard let process = scanner.until(0x3a, or: 0x3a), scanner.take(0x3a) else { return nil }
  line.process = process
  LogLineText.readMessage(&scanner, into: &line)
  return line
}
