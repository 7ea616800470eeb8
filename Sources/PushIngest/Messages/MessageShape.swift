public import PushModel

/// One shape of a message in a device's log: how it reads and what it says.
///
/// Rows are data. A new wording is a new row with a sample; no code changes. The tokens are facts
/// about what iOS and SDKs print; everything else in a row is our description.
///
/// **Pattern.** Plain text is matched without regard to case, a space matches any run of spaces.
/// `...` stands for anything, also nothing. A pattern may begin anywhere in the message. `{role}`
/// captures: one of the roles below, or an attribute as `{attribute:form}`, for example
/// `{priority:integer}`.
///
/// | role | takes |
/// |---|---|
/// | `{app}`, `{extension}` | a bundle id |
/// | `{digest}` | the short id `XXXX-XXXX` of a request (F11.5) |
/// | `{identifier}` | the identifier of a request in clear (F11.1) |
/// | `{session}` | the UUID of one run of an extension |
/// | `{pid}`, `{process}` | number and name of the process that the message is about |
///
/// `<private>` stands in the place of any captured value and is taken as "not known".
public struct MessageShape: Sendable {
  /// How well the wording is known.
  public enum Grade: String, Sendable {
    /// Read in the public source of what prints it.
    case source
    /// Seen in logs that people published.
    case published
    /// Known as a constant in public dumps of the system only; never seen printed.
    case dump
    /// Not checked again.
    case unchecked
  }

  /// What the message says about its stage.
  public enum Sense: String, Sendable {
    /// The stage began, was done, went wrong, or ended on purpose without a result.
    case begun, done, failed, withheld
    /// Says something beside the path.
    case note
  }

  /// Part of the chain (letters of the real formats' description: C received, D admitted,
  /// E may be modified, F extension found, G launched, H ran, I content accepted, J attachments,
  /// K presented or woken); nil for what lies beside it.
  public enum Part: String, Sendable {
    case request, received, admitted, modifiable, extensionFound = "extension-found"
    case extensionLaunched = "extension-launched", extensionRan = "extension-ran"
    case content, attachments, presented
  }

  /// What stands in brackets at the beginning of such messages.
  public enum Bracket: String, Sendable { case nothing, app, `extension`, session }

  /// How closely a message has to follow the pattern.
  public enum Reading: String, Sendable {
    /// Word for word, as a log has it. Where people quote such a line, values may be left out and
    /// words may stand in between.
    case line
    /// The texts of the pattern stand in the message, in any order. What apps, SDKs and tools print
    /// is worded in many ways; such rows are read only where somebody quotes a line as evidence,
    /// never in whole logs.
    case quote
  }

  /// A value that may stand anywhere behind its key; older systems leave some out.
  public struct Field: Sendable {
    /// Text before the value, its colon or equals sign included.
    public let key: String
    /// The attribute that takes it.
    public let attribute: Word
    /// How it is written.
    public let form: Form

    /// A field.
    public init(_ key: String, _ attribute: Word, _ form: Form) {
      self.key = key
      self.attribute = attribute
      self.form = form
    }
  }

  /// How a value is written.
  public enum Form: String, Sendable {
    /// 0, 1, yes, no, true, false.
    case flag
    /// A whole number, decimal or `0x` hex.
    case integer
    /// Seconds with a fraction; kept as whole milliseconds.
    case seconds
    /// Text up to a space, comma, semicolon, quotation mark or closing bracket.
    case word
  }

  /// Values of an attribute that a row is about.
  public struct Limit: Sendable {
    /// The attribute.
    public let attribute: Word
    /// The values.
    public let values: ClosedRange<Int64>

    /// A limit.
    public init(_ attribute: Word, _ values: ClosedRange<Int64>) {
      self.attribute = attribute
      self.values = values
    }
  }

  /// The event that such a message becomes.
  public let event: Word
  /// The pattern.
  public let pattern: String
  /// Processes that print it, without path; empty = any.
  public let processes: [String]
  /// Whether the words alone are too common, so that the process must be one of them where it is
  /// known.
  public let needsProcess: Bool
  /// Category that the message must have; empty = any.
  public let category: String
  /// What the bracket at the beginning holds.
  public let bracket: Bracket
  /// Values that may be there.
  public let fields: [Field]
  /// Values that such a message has by its wording.
  public let says: [Word: Word]
  /// Numbers that such a message has by its wording; only rows of quotes have any.
  public let codes: [Word: Int64]
  /// The row is about these values of a number alone; only rows of quotes have any.
  public let only: Limit?
  /// How closely a message has to follow the pattern.
  public let reading: Reading
  /// Part of the chain.
  public let part: Part?
  /// What it says about that part.
  public let sense: Sense
  /// The step that it bears on.
  public let step: StepID?
  /// The cause that it speaks for; never proof alone unless a fact of grade A or P stands behind.
  public let cause: CauseID?
  /// How well the wording is known.
  public let grade: Grade
  /// Facts behind it.
  public let facts: [String]
  /// First and last iOS version that it was seen in; nil = not known.
  public let seen: (first: String?, last: String?)
  /// Whether such lines are stored. The others only show that their process was being logged.
  public let isKept: Bool
  /// A message of this shape, and the process that prints it.
  public let sample: String

  init(
    _ event: Word, _ pattern: String, by processes: [String] = [], needsProcess: Bool = false,
    category: String = "", bracket: Bracket = .nothing, fields: [Field] = [],
    says: [Word: Word] = [:], codes: [Word: Int64] = [:], only: Limit? = nil,
    reading: Reading = .line, _ part: Part?, _ sense: Sense, step: StepID? = nil,
    cause: CauseID? = nil, _ grade: Grade, facts: [String] = [],
    seen: (first: String?, last: String?) = (nil, nil), isKept: Bool = true, sample: String
  ) {
    self.event = event
    self.pattern = pattern
    self.processes = processes
    self.needsProcess = needsProcess
    self.category = category
    self.bracket = bracket
    self.fields = fields
    self.says = says
    self.codes = codes
    self.only = only
    self.reading = reading
    self.part = part
    self.sense = sense
    self.step = step
    self.cause = cause
    self.grade = grade
    self.facts = facts
    self.seen = seen
    self.isKept = isKept
    self.sample = sample
  }
}

/// A value that was read from a message.
public enum MessageValue: Sendable, Equatable {
  /// A number.
  case integer(Int64)
  /// Yes or no.
  case flag(Bool)
  /// A text.
  case text(String)
}

/// What one message says.
public struct MessageFinding: Sendable {
  /// Its shape.
  public var shape: MessageShape
  /// The event that it becomes.
  public var event: Word { shape.event }
  /// Bundle id of the app.
  public var app: String?
  /// Bundle id of the extension.
  public var `extension`: String?
  /// Short id of the request, upper case (F11.5).
  public var digest: String?
  /// Identifier of the request in clear.
  public var identifier: String?
  /// Run of the extension, as written.
  public var session: String?
  /// Process that the message is about.
  public var pid: Int64?
  /// Its name.
  public var process: String?
  /// Further values, in the order of the shape.
  public var attributes: [(key: Word, value: MessageValue)] = []
  /// Whether a value that belongs here was hidden when the log was taken (`<private>`).
  public var hasHidden = false

  /// The value of an attribute.
  public subscript(key: Word) -> MessageValue? { attributes.first { $0.key == key }?.value }
}
