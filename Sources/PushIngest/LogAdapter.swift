public import PushModel

/// One line of a format with what reading it must give.
public struct AdapterSample: Sendable {
  /// What the line is.
  public enum Expectation: String, Sendable { case record, unreadable, skip }
  /// The line, or the lines of one record.
  public let line: String
  /// What reading it gives.
  public let expect: Expectation
  /// What stands before it in its file: a header of columns; empty = nothing.
  public let header: String
  /// What a person has to say about such a file; nothing in most formats.
  public let hints: SourceHints

  /// A sample.
  public init(
    _ line: String, expect: Expectation, header: String = "", year: Int? = nil,
    time: Int64? = nil
  ) {
    self.line = line
    self.expect = expect
    self.header = header
    var hints = SourceHints()
    hints.assumedYear = year
    hints.assumedTime = time
    self.hints = hints
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
  /// Whether what is not in a source of this format may count as proof that it did not happen.
  public let absence: Absence
  /// Fields that never reach the store in clear.
  public let redacts: [String]
  /// A record, an unreadable line and a skip at least.
  public let samples: [AdapterSample]
  /// What is worth knowing about its fields: name and meaning, for its page.
  public internal(set) var fields: [(name: String, meaning: String)] = []
  /// Fixed texts of its lines beside the shapes of messages, which stay where a line is stored.
  public internal(set) var wordings: [StaticString] = []
  /// Whether records that name no installation belong to the phone that the source comes from, as
  /// those of a system log and of reports do: they are kept together and tied to an installation
  /// by what they have in common with it.
  public internal(set) var isOnePhone = false
  /// Whether a person may say which of its attributes are which fields.
  public internal(set) var takesAttributeNames = false
  /// Asked about the first lines of a file (up to twenty that are not empty).
  var recognises: @Sendable ([UnsafeRawBufferPointer], ParseWorkspace) -> Bool = { _, _ in false }
  /// Asked about the first bytes of a source in place of `recognises`, by formats that are not one
  /// record a line, or that need to know more of the source than its piece: nil if it is of another
  /// format.
  var prepare: (@Sendable (SourceHead, ParseWorkspace) -> SourceSetup?)?
  /// Reads one piece, in most formats a line; 64 bytes behind it are readable. The record goes into the workspace.
  let read: @Sendable (UnsafeRawBufferPointer, ParseWorkspace) -> Reading

  /// How a source of this format is read; nil if its first bytes are of another format.
  public func setup(head: SourceHead, workspace: ParseWorkspace) -> SourceSetup? {
    // Lines that are looked at here are read once more.
    defer { workspace.mended.removeAll() }
    if let prepare {
      guard var setup = prepare(head, workspace) else { return nil }
      setup.hints = head.hints
      return setup
    }
    guard !head.lines.isEmpty, recognises(head.lines, workspace) else { return nil }
    return plainSetup(head)
  }

  /// How a source is read that is said to be of this format although its first bytes do not show it.
  public func forcedSetup(head: SourceHead, workspace: ParseWorkspace) -> SourceSetup {
    if let setup = setup(head: head, workspace: workspace) { return setup }
    return plainSetup(head)
  }

  private func plainSetup(_ head: SourceHead) -> SourceSetup {
    var setup = SourceSetup()
    if let framing = head.objectFraming, prepare != nil { setup.framing = framing }
    setup.hints = head.hints
    return setup
  }

  /// Reads one piece, in most formats a line; 64 bytes behind it must be readable.
  public func read(line: UnsafeRawBufferPointer, into workspace: ParseWorkspace) -> Reading {
    workspace.notes.removeAll(keepingCapacity: true)
    let reading = read(line, workspace)
    if !workspace.mended.isEmpty { workspace.takeMended(reading) }
    return reading
  }
}

/// All formats, in the order in which a file is offered to them: specific before generic.
public enum AdapterRegistry {
  /// The ordered list.
  public static let all: [LogAdapter] = [
    .amazonSNS,
    .gorush,
    .fcmBigQuery,
    .airship,
    .pinpoint,
    .otlpLogs,
    .azureErrors,
    .sygnal,
    .rpush,
    .oneSignal,
    .appleConsole,
    .unifiedLogJSON,
    .unifiedLogMandiant,
    .pymobiledeviceJSON,
    .crashReport,
    .metricKit,
    .unifiedLogText,
    .pymobiledeviceText,
    .ideviceSyslog,
    .consoleCopy,
    .ownSendLog,
    .ownDeviceLog,
    .apnsResult,
    .apnsText,
    .appFile,
  ]

  /// The adapter of an id.
  public static func adapter(id: String) -> LogAdapter? { all.first { $0.id == id } }
}
