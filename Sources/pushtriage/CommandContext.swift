import Glibc

/// What a command gets from outside: the only place that reads clock, environment and terminal.
struct CommandContext: Sendable {
  var standardErrorIsTerminal: Bool
  var coloursStandardError: Bool
  /// Monotonic, for durations.
  var nowNanoseconds: @Sendable () -> UInt64
  /// Today in UTC, days since 1970.
  var today: @Sendable () -> Int64

  /// The surroundings of this process.
  static func fromProcess() -> CommandContext {
    let isTerminal = isatty(STDERR_FILENO) == 1
    let isPlain = getenv("NO_COLOR") != nil || getenv("TERM").map { String(cString: $0) } == "dumb"
    return CommandContext(
      standardErrorIsTerminal: isTerminal,
      coloursStandardError: isTerminal && !isPlain,
      nowNanoseconds: {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
      },
      today: { Int64(Glibc.time(nil)) / 86_400 })
  }

  /// One line for the person at the terminal, such as the summary at the end of a run.
  func say(_ line: String) {
    writeToStandardError(line + "\n")
  }

  func progressLine() -> ProgressLine {
    ProgressLine(isTerminal: standardErrorIsTerminal, nowNanoseconds: nowNanoseconds)
  }
}
