/// How a run ended, as the shell sees it.
enum ExitCode: Int32, CaseIterable, Sendable {
  case done = 0
  case failed = 1
  case partlyUnderstood = 2
  case conditionHolds = 3
  case wrongUse = 64

  /// As printed in help.
  var meaning: String {
    switch self {
    case .done: "done"
    case .failed: "failed, nothing usable written"
    case .partlyUnderstood: "done, but some input was not understood"
    case .conditionHolds: "done, and a --fail-on condition holds (wins over 2)"
    case .wrongUse: "wrong use"
    }
  }
}
