import PushModel

/// One line of a format with what reading it must give.
public struct AdapterSample: Sendable {
  /// What the line is.
  public enum Expectation: String, Sendable { case record, unreadable, skip }
  /// The line.
  public let line: String
  /// What reading it gives.
  public let expect: Expectation

  /// A sample.
  public init(_ line: String, expect: Expectation) {
    self.line = line
    self.expect = expect
  }
}

/// Reads the lines of one log format. It opens nothing, stores nothing and prints nothing.
public struct LogAdapter: Sendable {
  /// Which side of a notification the format records.
  public enum Side: String, Sendable { case send, device }

  /// Stable id, used by `--as` and in the database.
  public let id: String
  /// One line for people.
  public let title: String
  /// What defines the format.
  public let formatSource: String
  /// Which side it records.
  public let side: Side
  /// Unit and zone of its times, and what moment they mark.
  public let clock: String
  /// Fields that never reach the store in clear.
  public let redacts: [String]
  /// A record, an unreadable line and a skip at least.
  public let samples: [AdapterSample]
  /// Asked about the first lines of a file (up to twenty that are not empty).
  let recognises: @Sendable ([UnsafeRawBufferPointer], ParseWorkspace) -> Bool
  /// Reads one line; 64 bytes behind it are readable. The record goes into the workspace.
  let read: @Sendable (UnsafeRawBufferPointer, ParseWorkspace) -> Reading

  /// Whether the first lines of a file are of this format.
  public func recognises(head: [UnsafeRawBufferPointer], workspace: ParseWorkspace) -> Bool {
    recognises(head, workspace)
  }

  /// Reads one line; 64 bytes behind it must be readable.
  public func read(line: UnsafeRawBufferPointer, into workspace: ParseWorkspace) -> Reading {
    workspace.notes.removeAll(keepingCapacity: true)
    return read(line, workspace)
  }
}

/// All formats, in the order in which a file is offered to them: specific before generic.
public enum AdapterRegistry {
  /// The ordered list.
  public static let all: [LogAdapter] = [
    .ownSendLog,
    .ownDeviceLog,
  ]

  /// The adapter of an id.
  public static func adapter(id: String) -> LogAdapter? { all.first { $0.id == id } }
}
