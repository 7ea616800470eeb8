public import PushModel

/// A set of steps as one word of bits, so that settling steps costs one operation.
public struct StepSet: OptionSet, Hashable, Sendable, BitwiseCopyable {
  /// One bit for each step, at its ordinal.
  public let rawValue: UInt64

  /// The set with these bits.
  @inlinable public init(rawValue: UInt64) { self.rawValue = rawValue }

  /// The set of one step.
  @inlinable public init(_ step: StepID) { rawValue = 1 &<< UInt64(step.ordinal) }

  /// The set of these steps.
  public init(_ steps: StepID...) {
    var bits: UInt64 = 0
    for step in steps { bits |= 1 << UInt64(step.ordinal) }
    rawValue = bits
  }

  /// The steps in it, in the order of the path.
  public var steps: [StepID] { StepID.allCases.filter { contains(StepSet($0)) } }
}

extension StepID {
  /// Place in ``allCases``.
  @inlinable public var ordinal: UInt8 {
    // A case without payload is stored as its ordinal; fewer than 256 cases take one byte.
    unsafe unsafeBitCast(self, to: UInt8.self)
  }
}
