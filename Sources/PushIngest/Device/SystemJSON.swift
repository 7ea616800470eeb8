import PushModel

/// What a key of a JSON rendering of the system's log holds.
enum SystemKey: UInt8 {
  case none, time, message, kind, subsystem, category, process, pid, label, finished, level, lost
}

/// Reads the JSON renderings of the system's log: they differ in their keys and in their clock.
enum SystemJSON {
  /// Reads one object.
  ///
  /// - Parameters:
  ///   - table: keys at the top.
  ///   - inner: keys of the object that `label` holds.
  ///   - logKind: the value of `kind` that log messages have; any other kind is passed over.
  ///   - lossKind: the value of `kind` that records of lost lines have.
  static func read(
    _ piece: UnsafeRawBufferPointer, _ workspace: ParseWorkspace, _ table: KeyTable,
    inner: KeyTable? = nil, logKind: StaticString? = nil, lossKind: StaticString? = nil
  ) -> Reading {
    guard let base = piece.baseAddress, piece.count > 0 else { return .skip(because: .emptyLine) }
    // `--style json` is sometimes followed by text of its own; what is no object says nothing.
    guard let start = piece.firstIndex(where: { $0 > 0x20 }) else {
      return .skip(because: .emptyLine)
    }
    guard piece[start] == 0x7b else {
      return piece[start] == 0x5b || piece[start] == 0x5d
        ? .skip(because: .wrapper) : .unreadable(field: "line", reason: "is not a JSON object")
    }
    let json: JSONTape
    switch workspace.parser.parse(base, piece.count) {
    case .tape(let tape): json = tape
    case .failure(let code): return .unreadable(field: "line", reason: JSONParser.message(code))
    }
    var line = SystemLine(at: 0, process: .empty, message: .empty)
    var time: Int?
    var hasMessage = false
    var lost: Int64 = 0
    var kind = ByteText.empty
    var isEnd = false
    func take(_ object: Int, _ table: KeyTable) {
      for (key, value) in json.fields(object) {
        let found = SystemKey(rawValue: table.code(key.base, key.count)) ?? .none
        guard found != .none else { continue }
        switch (found, json.kind(value)) {
        case (.time, _): time = value
        case (.message, .text):
          line.message = json.text(value)
          hasMessage = true
        case (.kind, .text): kind = json.text(value)
        case (.subsystem, .text): line.subsystem = json.text(value)
        case (.category, .text): line.category = json.text(value)
        case (.process, .text): line.process = json.text(value)
        case (.pid, _): line.pid = json.wholeNumber(value) ?? -1
        case (.label, .object): if let inner { take(value, inner) }
        case (.finished, _): isEnd = true
        case (.level, .text): line.level = SystemLines.level(json.text(value))
        case (.lost, .object): take(value, lossKeys)
        case (.lost, _): lost = json.wholeNumber(value) ?? 0
        default: break
        }
      }
    }
    take(json.root, table)
    if isEnd, time == nil { return .skip(because: .wrapper) }
    guard let time, let at = workspace.looseTime(json, time) else {
      return .unreadable(
        field: "timestamp", reason: time == nil ? "is missing" : "is not a date with a time")
    }
    line.at = at
    if let lossKind, kind.equals(lossKind) {
      return SystemLines.gap(at: at, lost: lost, workspace)
    }
    if let logKind, kind.count > 0, !kind.equals(logKind) { return .skip(because: .otherRecord) }
    guard hasMessage else { return .unreadable(field: "message", reason: "is missing") }
    return SystemLines.read(line, workspace)
  }

  /// How a source is read whose first objects have all of these keys, most of them at least.
  static func setup(
    _ head: SourceHead, _ workspace: ParseWorkspace, having keys: [StaticString]
  ) -> SourceSetup? {
    guard let framing = head.objectFraming else { return nil }
    var good = 0
    for object in head.objects {
      guard let base = object.baseAddress, object.first == 0x7b,
        case .tape(let json) = workspace.parser.parse(base, object.count),
        json.kind(json.root) == .object
      else { continue }
      let found = json.fields(json.root).count { field in
        keys.contains { field.key.equals($0) }
      }
      if found == keys.count { good += 1 }
    }
    return good * 2 >= max(head.objects.count, 1) ? SourceSetup(framing: framing) : nil
  }
}

/// `{"count":63,"saturated":true}`, as some versions write the number of lost lines.
private let lossKeys = KeyTable([("count", SystemKey.lost.rawValue)])
