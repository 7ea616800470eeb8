import PushModel

extension LogAdapter {
  /// `pymobiledevice3 syslog live`.
  static let pymobiledeviceText = LogAdapter(
    id: "pymobiledevice-text",
    title: "pymobiledevice3 live log, text",
    formatSource: "source of doronz88/pymobiledevice3",
    side: .device,
    clock: "clock of the computer that listened, without zone: say it with --assume-zone",
    absence: .neverProves(
      because:
        """
        it tells of the time of listening only, and may be filtered, leave out info and \
        debug, hide values as <private> and lose lines
        """),
    redacts: ["message (only values of known messages are taken out of it)"],
    samples: [
      AdapterSample(
        "2026-03-01 11:00:02.481233 SpringBoard{UserNotificationsServer}[57] <NOTICE>: [com.example.courier] Remote notification request DC15-EBDB can be modified: 1 [com.apple.UserNotifications][RemoteNotifications]",
        expect: .record),
      AdapterSample(
        "2026-03-01 11:00:02.481233 powerd{powerd}[40] <INFO>: hello", expect: .skip),
      AdapterSample("    continued = 1;", expect: .skip),
      AdapterSample("2026-03-01 11:00:02.481233 SpringBoard <NOTICE>: x", expect: .unreadable),
    ],
    isOnePhone: true,
    prepare: { head, workspace in
      LogLineText.recognises(head.lines) { line($0) != nil }
        ? SourceSetup(framing: .startedLines(isStart)) : nil
    },
    read: { piece, workspace in
      LogLineText.plain(piece) { text in
        guard LogLineText.looksLikeDate(text) else { return .skip(because: .continuation) }
        guard var (line, time) = line(text) else {
          return .unreadable(
            field: "line", reason: "has no process with its number and no level behind its time")
        }
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
  guard scanner.take(0x20), let process = LogLineText.readProcess(&scanner), scanner.take(0x20),
    scanner.take(0x3c), let level = scanner.until(0x3e, or: 0x3e, within: 16),
    scanner.take(0x3e), scanner.take(0x3a)
  else { return nil }
  _ = scanner.take(0x20)
  var line = SystemLine(
    at: 0, process: process.name, pid: process.pid, message: scanner.rest)
  line.level = SystemLines.level(level)
  takeLabel(&line)
  return (line, time)
}

/// `[subsystem][category]` at the end.
private func takeLabel(_ line: inout SystemLine) {
  let text = line.message
  guard text.count > 4, text[text.count - 1] == 0x5d else { return }
  var open = text.count - 2
  while open > 0, text[open] != 0x5b { open -= 1 }
  guard open > 1, text[open - 1] == 0x5d else { return }
  var first = open - 2
  while first > 0, text[first] != 0x5b { first -= 1 }
  guard text[first] == 0x5b else { return }
  line.subsystem = text.part(first + 1, open - 1)
  line.category = text.part(open + 1, text.count - 1)
  line.message = text.part(0, first)
}
