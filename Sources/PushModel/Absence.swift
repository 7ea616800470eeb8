/// Whether what is missing in the sources of a format may count as proof that it did not happen.
///
/// A filtered or quiet capture, sampled successes, hidden values and lost lines never do.
public enum Absence: Equatable, Sendable {
  /// It may inside of what the text names.
  case proves(within: String)
  /// It never does, for the reason that the text names.
  case neverProves(because: String)

  /// Whether it ever does.
  public var canProve: Bool {
    if case .proves = self { return true }
    return false
  }

  /// The reason, or where it may.
  public var text: String {
    switch self {
    case .proves(let within): "only between " + within
    case .neverProves(let reason): reason
    }
  }
}
