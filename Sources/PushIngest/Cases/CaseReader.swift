public import PushModel

/// What a case file, or a mix of other inputs, gives: one chain and what was noted on the way.
public struct CaseReading {
  /// The chain, with its facts in ``Chain/scrap``.
  public var chain: Chain
  /// Texts of its symbols.
  public var texts: SymbolTable
  /// Keys that were kept and not read, log lines that say nothing known.
  public var notes: [FieldNote]
  /// What the file calls itself.
  public var title: String?
  /// What the gateway's request turns into, where there was one that is understood.
  public var message: GatewayMessage?
  /// Which gateway that is.
  public var gateway: Gateway?
}

/// Turns evidence into one chain: the same type that rows of the database become.
///
/// Absent is unknown and null is known to be missing, all the way; a value of the wrong type is an
/// error that names its path.
public enum CaseReader {
  /// Reads a case file.
  ///
  /// - Throws: ``CaseProblem`` where the bytes are no JSON or a value has the wrong type.
  public static func read(_ bytes: [UInt8]) throws(CaseProblem) -> CaseReading {
    try read(file: try CaseJSON.read(bytes))
  }

  /// Reads a case file that is already JSON.
  public static func read(file: CaseValue) throws(CaseProblem) -> CaseReading {
    guard case .object = file else {
      throw CaseProblem(
        path: "", reason: "is \(file.kind)", help: "expected an object with 'evidence'")
    }
    guard let evidence = file["evidence"] else {
      throw CaseProblem(
        path: "evidence", reason: "is missing",
        help: "a case file is {\"evidence\": {…}}; a payload alone goes to '--payload'")
    }
    var notes: [FieldNote] = []
    try CaseSchema.file.check(file, at: "", notes: &notes)
    var reading = try read(evidence: evidence)
    reading.notes = notes + reading.notes
    reading.title = file["title"]?.text
    return reading
  }

  /// Reads evidence alone; its types have been checked, or it was put together by the program.
  public static func read(evidence: CaseValue) throws(CaseProblem) -> CaseReading {
    var builder = CaseBuilder(evidence)
    try builder.build()
    return builder.reading
  }

  /// The keys of evidence that no case file has, and the first value of the wrong type.
  public static func check(_ evidence: CaseValue) throws(CaseProblem) -> [FieldNote] {
    var notes: [FieldNote] = []
    try CaseSchema.evidence.check(evidence, at: "evidence", notes: &notes)
    return notes
  }
}

/// A chain under construction from evidence.
struct CaseBuilder {
  var chain = Chain()
  var facts: CaseFacts
  var notes: [FieldNote] = []
  var message: GatewayMessage?
  var gateway: Gateway?
  /// Symbols, URL forms and payload facts are read by the code that reads logs.
  let workspace: ParseWorkspace
  /// Payload as sent, as JSON, for what needs more than its facts.
  var sentPayload: CaseValue?

  init(_ evidence: CaseValue) {
    facts = CaseFacts(evidence: evidence)
    // Nothing is stored, so the key of token digests does not matter.
    workspace = ParseWorkspace(tokenKey: .none)
  }

  var reading: CaseReading {
    let texts = SymbolTable()
    for text in workspace.texts { _ = texts.intern(text) }
    return CaseReading(
      chain: chain, texts: texts, notes: notes, title: nil, message: message, gateway: gateway)
  }

  mutating func build() throws(CaseProblem) {
    try readSends()
    readReceived()
    readRelease()
    try readInstallation()
    try readEvents()
    readReceivedByExtension()
    chain.scrap = CaseScrap(facts)
    settleMeaning()
    readHandoff()
    noteUnknownWords()
  }

  /// Words that are read as nothing, which a slip of the pen makes easily.
  private mutating func noteUnknownWords() {
    if let text = facts.evidence["symptom"]?.text, Symptom(rawValue: text) == nil {
      let known = Symptom.allCases.map(\.rawValue).joined(separator: ", ")
      notes.append(
        FieldNote(
          field: "evidence.symptom", reason: "'\(text)' is not known and was left out: \(known)"))
    }
    let times = [
      "send.sent_at", "send.token_registered_at", "send.newer_token_at", "device.online_since",
    ]
    for path in times {
      guard let text = facts.text(path).value, microseconds(text) == nil else { continue }
      notes.append(
        FieldNote(
          field: "evidence.\(path)",
          reason: "is no time that is read here, such as 2026-03-01T10:00:00Z; it was left out"))
    }
  }

  // MARK: Values

  func intern(_ text: String) -> Symbol { workspace.interner.intern(text) }

  func symbol(_ value: Known<String>) -> Known<Symbol> { value.map { intern($0) } }

  /// The form of a URL, by the code that reads logs.
  func urlForm(_ text: String) -> URLForm {
    var text = text
    return text.withUTF8 { bytes in
      guard let base = bytes.baseAddress else {
        return URLForm(
          scheme: Symbol(.empty), ending: Symbol(.empty), length: 0, parses: false,
          hasSpaces: false)
      }
      return workspace.urlForm(ByteText(base: UnsafeRawPointer(base), count: bytes.count))
    }
  }

  /// A time as microseconds.
  ///
  /// - Throws: where the text is no time, since a wrong time would settle the wrong thing.
  func time(_ value: Known<CaseValue>, _ path: String) throws(CaseProblem) -> Known<Int64> {
    switch value {
    case .unknown: return .unknown
    case .missing: return .missing
    case .known(.text(let text)):
      if let time = microseconds(text) { return .known(time) }
      // Reports give such times in words ("the first day"); they are kept for a person to read.
      return .unknown
    case .known(let value):
      guard let number = value.number else {
        throw CaseProblem(path: path, reason: "is \(value.kind)", help: "expected a time")
      }
      return .known((number * (number > 100_000_000_000 ? 1000 : 1_000_000)).clamped)
    }
  }

  func microseconds(_ text: String) -> Int64? {
    var text = text
    return text.withUTF8 { bytes in
      bytes.baseAddress.flatMap {
        TimeText.microseconds(ByteText(base: UnsafeRawPointer($0), count: bytes.count))
      }
    }
  }

  /// What rules need of a payload.
  func payload(_ value: CaseValue) -> Payload? {
    guard case .object = value else { return nil }
    var bytes = CaseJSON.write(value)
    let count = bytes.count
    bytes.append(contentsOf: [UInt8](repeating: 0, count: JSONParser.padding))
    return bytes.withUnsafeBytes { buffer -> Payload? in
      guard let base = buffer.baseAddress,
        case .tape(let json) = workspace.parser.parse(base, count)
      else { return nil }
      var payload = PayloadReader.facts(json, json.root, workspace: workspace)
      payload.sizeBytes = .known(Int64(count))
      Flags.addMisplaced(in: value, to: &payload)
      return payload
    }
  }
}
