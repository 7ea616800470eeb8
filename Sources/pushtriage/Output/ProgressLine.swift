import Synchronization

/// One line on standard error that is overwritten while bytes are read: how far, how fast, how long
/// still. Shown on a terminal only, at most ten times a second; may be called from any thread.
final class ProgressLine: Sendable {
  private struct State {
    var shownAtNanoseconds: UInt64?
    var isVisible = false
  }

  private let isTerminal: Bool
  private let startedAtNanoseconds: UInt64
  private let nowNanoseconds: @Sendable () -> UInt64
  private let write: @Sendable (String) -> Void
  private let state = Mutex(State())
  private static let pauseNanoseconds: UInt64 = 100_000_000

  /// `nowNanoseconds` is a monotonic clock.
  init(
    isTerminal: Bool, nowNanoseconds: @escaping @Sendable () -> UInt64,
    write: @escaping @Sendable (String) -> Void = writeToStandardError
  ) {
    self.isTerminal = isTerminal
    self.nowNanoseconds = nowNanoseconds
    self.write = write
    startedAtNanoseconds = nowNanoseconds()
  }

  /// Tells how many bytes were read; `totalBytes` is nil for a stream of unknown length.
  func update(doneBytes: Int, totalBytes: Int?) {
    guard isTerminal else { return }
    let now = nowNanoseconds()
    state.withLock { state in
      if let shown = state.shownAtNanoseconds, now < shown + Self.pauseNanoseconds { return }
      state.shownAtNanoseconds = now
      state.isVisible = true
      let line = Self.text(
        doneBytes: doneBytes, totalBytes: totalBytes,
        elapsedNanoseconds: now - startedAtNanoseconds)
      write("\r\u{1B}[K\(line)")
    }
  }

  /// Takes the line away; call it before anything else is printed.
  func clear() {
    state.withLock { state in
      if state.isVisible { write("\r\u{1B}[K") }
      state.isVisible = false
    }
  }

  /// For example `1.2 GB of 2.5 GB, 310 MB/s, 4 s left`.
  static func text(doneBytes: Int, totalBytes: Int?, elapsedNanoseconds: UInt64) -> String {
    var parts = [size(doneBytes)]
    if let totalBytes { parts[0] += " of \(size(totalBytes))" }
    // The first moments say nothing about the rate.
    guard elapsedNanoseconds >= 200_000_000, doneBytes > 0 else { return parts[0] }
    let bytesPerSecond = Double(doneBytes) / (Double(elapsedNanoseconds) / 1e9)
    parts.append("\(size(Int(bytesPerSecond)))/s")
    if let totalBytes {
      let left = Double(max(0, totalBytes - doneBytes)) / bytesPerSecond
      parts.append("\(duration(seconds: Int(left.rounded(.up)))) left")
    }
    return parts.joined(separator: ", ")
  }

  /// Bytes in powers of ten, two or three digits.
  static func size(_ bytes: Int) -> String {
    var value = Double(bytes)
    var unit = 0
    let units = ["B", "kB", "MB", "GB", "TB"]
    while value >= 999.5, unit < units.count - 1 {
      value /= 1000
      unit += 1
    }
    let tenths = Int((value * 10).rounded())
    if unit == 0 || tenths >= 100 { return "\(Int(value.rounded())) \(units[unit])" }
    return "\(tenths / 10).\(tenths % 10) \(units[unit])"
  }

  private static func duration(seconds: Int) -> String {
    if seconds < 60 { return "\(seconds) s" }
    if seconds < 3600 { return "\(seconds / 60) min \(seconds % 60) s" }
    return "\(seconds / 3600) h \(seconds % 3600 / 60) min"
  }
}
