/// Where a record stands: a source and a line of it.
public struct RecordReference: Hashable, Sendable, BitwiseCopyable {
  /// Id of the source in the database; 0 where there is none (a case file, an example).
  public var source: UInt32
  /// Line of the source, 1-based; 0 for "not a line" (a fact, a derived value).
  public var line: UInt32

  /// A reference to one line.
  @inlinable public init(source: UInt32, line: UInt32) {
    self.source = source
    self.line = line
  }

  /// A reference that points nowhere.
  public static let none = RecordReference(source: 0, line: 0)
}
