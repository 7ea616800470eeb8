import PushModel

extension LogAdapter {
  /// Lines copied out of the Console app.
  static let consoleCopy = LogAdapter(
    id: "console-copy",
    title: "lines copied from the macOS Console app, with or without their tabs",
    formatSource: "public pastes of such copies",
    side: .device,
    clock: """
      time of day with an explicit offset and no date: say the day with --assume-time; the phone's \
      clock
      """,
    absence: .neverProves(because: "somebody chose the lines that were copied"),
    redacts: ["message (only values of known messages are taken out of it)"],
    samples: [
      AdapterSample(
        "default\t11:00:02.481233+0100\tSpringBoard\t[com.example.courier] Remote notification request DC15-EBDB can be modified: 1",
        expect: .record, time: 1_772_359_200_000_000),
      AdapterSample(
        "default 11:00:02.481233 +0100 SpringBoard [com.example.courier] Entering grace time: x",
        expect: .unreadable),
      AdapterSample("default\t11:00:02.481233+0100\tpowerd\thello", expect: .skip),
      AdapterSample("and so on", expect: .skip),
    ],
    isOnePhone: true,
    prepare: { head, workspace in
      LogLineText.recognises(head.lines) { line($0) != nil }
        ? SourceSetup(framing: .startedLines(isStart)) : nil
    },
    read: { piece, workspace in
      LogLineText.plain(piece) { text in
        guard var line = line(text) else { return .skip(because: .continuation) }
        guard let day = workspace.setup.hints.assumedTime else {
          return SystemLines.undated(line, "has no date; say the day with --assume-time", workspace)
        }
        workspace.assumedTimes += 1
        line.at = onDay(line.at, near: day)
        return SystemLines.read(line, workspace)
      }
    })
}

private let dayLength: Int64 = 86_400_000_000

/// A time of day in UTC on the day of a moment, or on the day beside it if the offset moved it there.
private func onDay(_ time: Int64, near moment: Int64) -> Int64 {
  let start = moment - ((moment % dayLength) + dayLength) % dayLength
  return start + time
}

@Sendable private func isStart(_ bytes: UnsafeRawBufferPointer) -> Bool {
  guard let text = LogLineText.withoutLeadingEscapes(bytes) else { return false }
  var scanner = LineScanner(text)
  return beginning(&scanner) != nil
}

private func isLevel(_ word: ByteText) -> Bool {
  guard word.count >= 4, word.count <= 7 else { return false }
  // Asked for every line, and twice: the letters behind the first as one number.
  var rest: UInt64 = 0
  for place in 1..<word.count { rest = rest << 8 | UInt64(word[place]) }
  return switch (word[0] | 0x20, rest) {
  case (UInt8(ascii: "d"), 0x65_6661_756c74): true
  case (UInt8(ascii: "d"), 0x6562_7567): true
  case (UInt8(ascii: "i"), 0x6e666f): true
  case (UInt8(ascii: "e"), 0x7272_6f72): true
  case (UInt8(ascii: "f"), 0x6175_6c74): true
  default: false
  }
}

/// Level and time of day with offset: the time as that of 1970-01-01, and whether tabs stand
/// between the columns.
private func beginning(_ scanner: inout LineScanner) -> (at: Int64, isTabbed: Bool)? {
  let level = scanner.word()
  guard isLevel(level), !scanner.isAtEnd else { return nil }
  let isTabbed = scanner.text[scanner.place] == 0x09
  scanner.skipBlanks()
  return timeOfDay(&scanner).map { ($0, isTabbed) }
}

/// Level, time of day with offset, process, message. The time is that of 1970-01-01.
private func line(_ text: ByteText) -> SystemLine? {
  var scanner = LineScanner(text)
  guard let (at, isTabbed) = beginning(&scanner) else { return nil }
  scanner.skipBlanks()
  let process: ByteText
  if isTabbed, let name = scanner.until(0x09, or: 0x09) {
    process = name
  } else {
    process = scanner.word()
  }
  guard process.count > 0 else { return nil }
  scanner.skipBlanks()
  var line = SystemLine(at: at, process: process, message: scanner.rest)
  line.level = SystemLines.level(text)
  return line
}

private func timeOfDay(_ scanner: inout LineScanner) -> Int64? {
  let text = scanner.text
  let start = scanner.place
  guard let clock = LooseTime.clock(text, start) else { return nil }
  var place = start + 8
  let fraction = LogLineText.fraction(text, &place)
  // An older variant has a blank before the offset.
  if place < text.count, text[place] == 0x20 { place += 1 }
  guard place + 5 <= text.count, text[place] == 0x2b || text[place] == 0x2d,
    let digits = LooseTime.number(text, place + 1, 4), digits < 2400, digits % 100 < 60
  else { return nil }
  let offset = (digits / 100 * 3600 + digits % 100 * 60) * (text[place] == 0x2d ? -1 : 1)
  scanner.place = place + 5
  return Int64(clock - offset) * 1_000_000 + fraction
}
