import Glibc
import PushModel

/// What teams and log services put around a record: text before the JSON, JSON in a string of
/// another JSON, objects in objects, lists of log events, rows with the line in a column.
///
/// One place for all formats: a format sees only its own objects, and with each what stood around
/// it. Nothing here knows any format.
struct Envelope {
  /// How often text inside text is taken apart.
  static let deepestText = 4
  /// How deep objects are looked into.
  private static let deepestObject = 8
  /// Longest text that is looked into.
  private static let longestText = 4 << 20

  /// An object around a record.
  struct Layer {
    let json: JSONTape
    let object: Int
  }

  /// What stood around the object that is looked at, outermost first.
  private(set) var layers: [Layer] = []
  /// The time of the innermost layer that has one, UTC microseconds.
  private(set) var at: Int64?
  /// Text that stood before the innermost JSON; nil if there was none.
  private(set) var prefix: ByteText?
  /// Number of objects that the format took.
  fileprivate(set) var taken = 0
  /// The field that stood in the way, if an object was a record and could not be read.
  var failure: (field: String, reason: String)?
  /// Whether there was a record that is of no use here.
  var sawOther = false

  /// What a format does with an object: takes it, leaves it to be looked into, or passes over it.
  enum Answer { case taken, lookInside, passOver }

  private static let texts: KeyTable = {
    let names = [
      "msg", "message", "log", "textPayload", "jsonPayload", "@message", "body", "MESSAGE", "line",
      "_raw", "data", "value", "event", "text", "raw", "entry", "payload", "details", "result",
      "response", "output", "@log", "content", "stringValue",
    ]
    return KeyTable(names.map { ($0, 1) })
  }()

  private static let times: KeyTable = KeyTable(
    [
      "time", "timestamp", "ts", "@timestamp", "date", "datetime", "eventTime", "event_time",
      "asctime", "sent_at", "sentAt", "at", "created_at", "createdAt", "Time", "Timestamp",
      "timeMillis", "_time", "requestTime", "occurred_at",
    ].map { ($0, 1) })

  /// Looks for a format's objects in a piece, from the outside in.
  ///
  /// - Parameters:
  ///   - piece: a line, an object or a row; 64 bytes behind it are readable.
  ///   - othersAreSkipped: whether objects of another kind are expected between the format's own, as
  ///     in the log of a service that also sends pushes.
  ///   - visit: is shown each object, the outer ones first; nothing is looked for inside one that it
  ///     takes or passes over.
  /// - Returns: how reading the piece ended.
  static func read(
    _ piece: UnsafeRawBufferPointer, _ workspace: ParseWorkspace, othersAreSkipped: Bool = false,
    visit: (JSONTape, Int, inout Envelope) -> Answer
  ) -> Reading {
    var envelope = Envelope()
    envelope.sawOther = othersAreSkipped
    if workspace.messageColumn >= 0 {
      let setup = workspace.setup
      if piece.elementsEqual(setup.header) { return .skip(because: .wrapper) }
      guard case .csv(let delimiter) = setup.framing else { return .skip(because: .wrapper) }
      workspace.row.split(piece, delimiter: delimiter)
      let fields = workspace.row.fields
      guard setup.messageColumn < fields.count else {
        return piece.count == 0
          ? .skip(because: .emptyLine)
          : .unreadable(field: "line", reason: "has fewer columns than its header")
      }
      if setup.timeColumn >= 0, setup.timeColumn < fields.count {
        envelope.at =
          LooseTime.microseconds(fields[setup.timeColumn], workspace, isUTC: true)
          ?? workspace.numberTime(fields[setup.timeColumn])
      }
      envelope.text(fields[setup.messageColumn], 0, workspace, visit)
      return envelope.reading("a JSON record of this format in its message column")
    }
    guard let base = piece.baseAddress, piece.count > 0 else { return .skip(because: .emptyLine) }
    guard let brace = memchr(base, 0x7B, piece.count) else {
      return withoutObject(piece, workspace.setup)
    }
    let start = UnsafeRawPointer(brace) - base
    if start > 0 { envelope.enterPrefix(ByteText(base: base, count: start), workspace) }
    var count = piece.count - start
    // Behind the object may stand colour codes or a comma of the list that it came from.
    while count > 0, base.load(fromByteOffset: start + count - 1, as: UInt8.self) != 0x7D {
      count -= 1
    }
    if count == 0 { count = piece.count - start }
    switch workspace.parser.parse(base + start, count) {
    case .tape(let json):
      if workspace.isInsideList, isColumn(json, json.root) {
        return .skip(because: .wrapper)
      }
      envelope.object(json, json.root, 0, 0, workspace, visit)
    case .failure(let code):
      return .unreadable(field: "line", reason: JSONParser.message(code))
    }
    return envelope.reading("a record of this format")
  }

  private static let column = KeySet(["field", "value"])

  /// Whether an object is one column of a row, as Logs Insights gives them, and not the message.
  private static func isColumn(_ json: JSONTape, _ object: Int) -> Bool {
    guard column.found(in: json, object) == 0b11 else { return false }
    return json.memberText("field", of: object).map { !$0.equals("@message") } ?? false
  }

  /// What reading a piece gives in which no object begins.
  static func withoutObject(_ piece: UnsafeRawBufferPointer, _ setup: SourceSetup)
    -> Reading
  {
    if piece.allSatisfy({ $0 <= 0x20 || $0 == 0x2C || $0 == 0x5B || $0 == 0x5D }) {
      return .skip(because: .emptyLine)
    }
    // What closes the list of an export, and what stands beside it.
    if case .jsonValues = setup.framing, piece[0] == 0x22 || piece[0] == 0x7D {
      return .skip(because: .wrapper)
    }
    return .unreadable(field: "line", reason: "holds no JSON object")
  }

  private func reading(_ what: String) -> Reading {
    if taken > 0 { return .records(taken) }
    if let failure { return .unreadable(field: failure.field, reason: failure.reason) }
    if sawOther { return .skip(because: .otherRecord) }
    return .unreadable(field: "line", reason: "is not \(what)")
  }

  // MARK: Walk

  private mutating func enterPrefix(_ text: ByteText, _ workspace: ParseWorkspace) {
    prefix = text
    if text.count >= 19, let found = LooseTime.first(in: text, workspace) {
      at = found.microseconds
    }
  }

  private mutating func object(
    _ json: JSONTape, _ object: Int, _ depth: Int, _ textDepth: Int, _ workspace: ParseWorkspace,
    _ visit: (JSONTape, Int, inout Envelope) -> Answer
  ) {
    guard depth <= Envelope.deepestObject, json.kind(object) == .object else { return }
    switch visit(json, object, &self) {
    case .taken:
      return
    case .passOver: return
    case .lookInside: break
    }
    let saved = (at: at, prefix: prefix)
    layers.append(Layer(json: json, object: object))
    defer {
      layers.removeLast()
      at = saved.at
      prefix = saved.prefix
    }
    takeTime(json, object, workspace)
    for (key, value) in json.fields(object) {
      switch json.kind(value) {
      case .object: self.object(json, value, depth + 1, textDepth, workspace, visit)
      case .array:
        for element in json.elements(value) where json.kind(element) == .object {
          self.object(json, element, depth + 1, textDepth, workspace, visit)
        }
      case .text where Envelope.texts.code(key.base, key.count) != 0:
        text(json.text(value), textDepth, workspace, visit)
      default: break
      }
    }
  }

  private mutating func takeTime(_ json: JSONTape, _ object: Int, _ workspace: ParseWorkspace) {
    for (key, value) in json.fields(object) {
      guard Envelope.times.code(key.base, key.count) != 0 else { continue }
      if let found = workspace.looseTime(json, value) {
        at = found
        return
      }
    }
  }

  /// Looks into a text that holds JSON, maybe with other text before it.
  private mutating func text(
    _ text: ByteText, _ textDepth: Int, _ workspace: ParseWorkspace,
    _ visit: (JSONTape, Int, inout Envelope) -> Answer
  ) {
    guard textDepth < Envelope.deepestText, text.count > 1, text.count <= Envelope.longestText,
      let brace = memchr(text.base, 0x7B, text.count)
    else { return }
    let start = UnsafeRawPointer(brace) - text.base
    // The text stands in a buffer of the outer parser, or in a row; the inner one needs room
    // behind it, and its result must stay valid as long as this walk.
    var last = text.count
    while last > start, text[last - 1] != 0x7D { last -= 1 }
    guard last > start else { return }
    let inner = workspace.innerTexts[textDepth]
    inner.set(text.part(start, last))
    guard case .tape(let json) = inner.parser.parse(inner.base, last - start) else { return }
    let saved = (at: at, prefix: prefix)
    enterPrefix(ByteText(base: text.base, count: start), workspace)
    object(json, json.root, layers.count, textDepth + 1, workspace, visit)
    at = saved.at
    prefix = saved.prefix
  }

  /// Says that the format made a record of the object it was shown.
  mutating func took(_ count: Int = 1) { taken += count }

  /// What becomes of an object of which a format made this.
  mutating func take(_ reading: Reading) -> Answer {
    switch reading {
    case .send, .event:
      took()
      return .taken
    case .records(let count):
      took(count)
      return .taken
    case .skip: sawOther = true
    case .unreadable(let field, let reason): failure = (field, reason)
    }
    return .passOver
  }

  // MARK: Fields around a record

  /// Calls `body` with the fields of all objects around the record, outermost first.
  func forEachField(_ body: (_ json: JSONTape, _ key: ByteText, _ value: Int) -> Void) {
    for layer in layers {
      for (key, value) in layer.json.fields(layer.object) {
        body(layer.json, key, value)
      }
    }
  }
}

extension Envelope {
  /// How a source of JSON records is read; nil unless more than half of its first objects hold one
  /// that fits.
  ///
  /// - Parameter atLeastOne: one that fits is enough: for records that stand between others.
  static func setup(
    _ head: SourceHead, _ workspace: ParseWorkspace, atLeastOne: Bool = false,
    fits: (JSONTape, Int) -> Bool
  ) -> SourceSetup? {
    if let rows = head.rows, let setup = rowSetup(rows, head, workspace, atLeastOne, fits) {
      return setup
    }
    guard let framing = head.objectFraming else { return nil }
    var setup = SourceSetup(framing: framing)
    setup.hints = head.hints
    return share(head.objects, setup, workspace, atLeastOne, fits) ? setup : nil
  }

  private static func rowSetup(
    _ rows: RowHead, _ head: SourceHead, _ workspace: ParseWorkspace, _ atLeastOne: Bool,
    _ fits: (JSONTape, Int) -> Bool
  ) -> SourceSetup? {
    let messages = ["@message", "message", "msg", "log", "_raw", "textpayload", "body", "line"]
    let times = ["@timestamp", "timestamp", "time", "_time", "date", "ts"]
    guard let message = rows.names.firstIndex(where: messages.contains) else { return nil }
    var setup = SourceSetup(framing: .csv(delimiter: rows.delimiter))
    setup.header = rows.header
    setup.hints = head.hints
    setup.messageColumn = message
    setup.timeColumn = rows.names.firstIndex(where: times.contains) ?? -1
    return share(rows.rows, setup, workspace, atLeastOne, fits) ? setup : nil
  }

  private static func share(
    _ pieces: [UnsafeRawBufferPointer], _ setup: SourceSetup, _ workspace: ParseWorkspace,
    _ atLeastOne: Bool, _ fits: (JSONTape, Int) -> Bool
  ) -> Bool {
    let saved = (setup: workspace.setup, zones: workspace.assumedZones)
    workspace.setup = setup
    defer {
      workspace.setup = saved.setup
      workspace.assumedZones = saved.zones
    }
    var good = 0
    var frames = 0
    for piece in pieces {
      var isFound = false
      let reading = read(piece, workspace) { json, object, _ in
        guard fits(json, object) else { return .lookInside }
        isFound = true
        return .passOver
      }
      if isFound {
        good += 1
      } else if reading == .skip(because: .wrapper) {
        frames += 1
      }
    }
    return atLeastOne ? good > 0 : good * 2 > pieces.count - frames
  }
}

/// Whether an object has keys, for telling formats apart.
struct KeySet {
  private let table: KeyTable

  /// At most 32 keys.
  init(_ keys: [String]) { table = KeyTable(keys.enumerated().map { ($1, UInt8($0 + 1)) }) }

  /// One bit for each of the keys that the object has, by its place in the list.
  @inline(__always) func found(in json: JSONTape, _ object: Int) -> UInt32 {
    var bits: UInt32 = 0
    for (key, _) in json.fields(object) {
      let code = table.code(key.base, key.count)
      if code != 0 { bits |= 1 << UInt32(code - 1) }
    }
    return bits
  }
}
