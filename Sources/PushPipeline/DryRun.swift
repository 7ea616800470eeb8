public import PushIngest
public import PushModel

/// Reads inputs and stores nothing: says what each source would be read as, and what would be stored.
public enum DryRun {
  /// What a source would be read as.
  public struct Source: Sendable {
    /// Its name.
    public var name: String
    /// Id of the format, `release-facts`, or nil if it is of no known one.
    public var format: String?
    /// The format in words.
    public var title = ""
    /// Records that would be kept; duplicates are not looked for.
    public var records = 0
    /// Pieces that are not understood.
    public var noted = 0
    /// Pieces that are passed over, on purpose.
    public var skipped = 0
    /// The first records, as they would be stored.
    public var firstRecords: [String] = []
    /// The first statements about what is not understood, with their lines.
    public var firstNotes: [String] = []
    /// Times that have no zone.
    public var assumedZones = 0
    /// Records that have no time.
    public var assumedTimes = 0
    /// Times that have no year.
    public var assumedYears = 0
    /// Whether there is nothing in it, or not yet, to find its format by.
    public var isBlank = false
    /// Lines at its end that wait for the end of the last one.
    public var waitingLines = 0
    /// What it shows of its own completeness.
    public var completeness = Completeness()
    /// Whether what is missing in it proves anything; nil if it is of no known format.
    public var absence: Absence? {
      format.flatMap { AdapterRegistry.adapter(id: $0) }?.absence
        .inSource(completeness, unreadable: Int64(noted))
    }
    /// Lines before the current chunk.
    var lineBase = 0
    var setup = SourceSetup()
  }

  /// What a dry run found.
  public struct Result: Sendable {
    /// Sources in the order in which they were read.
    public var sources: [Source] = []
    /// What could not be read.
    public var problems: [ReadingProblem] = []
  }

  /// How many records and notes of a source are kept for showing.
  private static let shown = 3

  /// Reads the inputs to their end.
  ///
  /// - Parameters:
  ///   - options: inputs, format and hints; the others are not used.
  ///   - isAllThereIs: whether no input will grow, so that a last line without its end is read.
  ///   - eachRecord: is given every record as one line of JSON.
  public static func run(
    _ options: IngestOptions, isAllThereIs: Bool = false,
    eachRecord: ((String) throws -> Void)? = nil
  ) throws -> Result {
    if let id = options.adapter, AdapterRegistry.adapter(id: id) == nil {
      throw PipelineError.unknownFormat(id)
    }
    let (inputs, problems) = InputList.expand(options.inputs + options.factFiles)
    if inputs.isEmpty, !problems.isEmpty { throw PipelineError.nothingReadable(problems) }
    // Digests are not shown, so that any key does.
    guard let key = TokenKey(bytes: [UInt8](repeating: 0, count: 16)) else { return Result() }
    let workspace = ParseWorkspace(tokenKey: key)
    let reader = ChunkReader(inputs, chunkBytes: options.chunkBytes)
    let buffer = ChunkBuffer()
    var result = Result()
    result.problems = problems
    while let event = reader.next(into: buffer) {
      switch event {
      case .sourceOpened(let opening):
        let source = open(opening, options, workspace)
        if options.lacksFacts(opening.identity.name, isFacts: source.format == "release-facts") {
          result.problems.append(ReadingProblem(input: source.name, kind: .notFacts))
        }
        reader.setFraming(
          source.setup.framing, isTakenWhole: isAllThereIs || source.format == "release-facts")
        result.sources.append(source)
      case .chunk(let chunk):
        try read(chunk, buffer, &result.sources[chunk.source], workspace, eachRecord)
      case .oversizedLine(let line):
        result.sources[line.source].noted += 1
        result.sources[line.source].lineBase += 1
      case .problem(let problem): result.problems.append(problem)
      case .sourceEnded(let ending):
        result.sources[ending.source].waitingLines = ending.waitingLines
        if ending.waitingLines > 0, ending.state.contentLengthBytes == 0 {
          result.sources[ending.source].isBlank = true
        }
      case .inputSkipped, .inputEnded: break
      }
    }
    return result
  }

  /// What reading a sample of a format gives: the records as they would be stored, or why there are
  /// none.
  public static func read(_ sample: AdapterSample, of adapter: LogAdapter) -> (
    records: [String], remark: String?
  ) {
    guard let key = TokenKey(bytes: [UInt8](repeating: 0, count: 16)) else { return ([], nil) }
    let workspace = ParseWorkspace(tokenKey: key)
    let text = sample.header.isEmpty ? sample.line : sample.header + "\n" + sample.line
    let buffer = ChunkBuffer()
    buffer.setContent(Array(text.utf8))
    let whole = UnsafeRawBufferPointer(
      start: buffer.base, count: buffer.length + ChunkBuffer.paddingBytes)
    let head = SourceHead(whole, count: buffer.length, isWhole: true, hints: sample.hints)
    workspace.setup = adapter.forcedSetup(head: head, workspace: workspace)
    let lines = RecordLines(workspace: workspace)
    var remark: String?
    var cursor = PieceCursor(
      buffer.bytes, framing: workspace.setup.framing, isSourceStart: true, isSourceEnd: true)
    while let piece = cursor.next() {
      let bytes = UnsafeRawBufferPointer(
        start: UnsafeRawPointer(buffer.base + piece.offset), count: piece.length)
      switch adapter.read(line: bytes, into: workspace) {
      case .send, .event, .records: remark = nil
      case .skip(let reason): remark = reason.rawValue
      case .unreadable(let field, let reason): remark = "\(field) \(reason)"
      }
    }
    let name = adapter.id
    return (
      workspace.records.sends.map { lines.line(of: $0, source: "sample", line: 1, format: name) }
        + workspace.records.events.map {
          lines.line(of: $0, source: "sample", line: 1, format: name)
        }, remark
    )
  }

  private static func open(
    _ opening: SourceOpening, _ options: IngestOptions, _ workspace: ParseWorkspace
  ) -> Source {
    var source = Source(name: opening.identity.name)
    source.isBlank = opening.head.allSatisfy { $0 <= 0x20 }
    if options.mayBeFacts(source.name), ReleaseFactsReader.recognises(head: opening.head) {
      source.format = "release-facts"
      source.title = "Facts about a built app"
      return source
    }
    if options.isFactsAlone(source.name) { return source }
    var hints = options.hints
    hints.name = source.name
    if let found = FormatDetection.format(
      head: opening.head, named: options.adapter, hints: hints, workspace: workspace)
    {
      source.format = found.adapter.id
      source.title = found.adapter.title
      source.setup = found.setup
    }
    return source
  }

  private static func read(
    _ chunk: Chunk, _ buffer: ChunkBuffer, _ source: inout Source, _ workspace: ParseWorkspace,
    _ eachRecord: ((String) throws -> Void)?
  ) throws {
    guard let format = source.format, let adapter = AdapterRegistry.adapter(id: format) else {
      return
    }
    workspace.setup = source.setup
    workspace.beginPart()
    let lines = RecordLines(workspace: workspace)
    var cursor = PieceCursor(
      buffer.bytes, framing: source.setup.framing, isSourceStart: chunk.offsetBytes == 0,
      isSourceEnd: chunk.isSourceEnd)
    var end = 0
    while let piece = cursor.next() {
      end = piece.line + piece.lineCount
      let bytes = UnsafeRawBufferPointer(
        start: UnsafeRawPointer(buffer.base + piece.offset), count: piece.length)
      let number = source.lineBase + piece.line + 1
      workspace.clearRecords()
      let reading = adapter.read(line: bytes, into: workspace)
      var texts: [String] = []
      let count = workspace.records.sends.count + workspace.records.events.count
      if eachRecord != nil || source.firstRecords.count < shown {
        texts += workspace.records.sends.map {
          lines.line(of: $0, source: source.name, line: number, format: format)
        }
        texts += workspace.records.events.map {
          lines.line(of: $0, source: source.name, line: number, format: format)
        }
      }
      source.records += count
      if adapter.absence.canProve { workspace.countNumbers() }
      for text in texts {
        if source.firstRecords.count < shown { source.firstRecords.append(text) }
        try eachRecord?(text)
      }
      switch reading {
      case .send, .event, .records: break
      case .skip: source.skipped += 1
      case .unreadable(let field, let reason):
        source.noted += 1
        note(&source, number, field, reason)
      }
      for statement in workspace.notes { note(&source, number, statement.field, statement.reason) }
    }
    source.lineBase += end
    source.assumedZones += Int(workspace.assumedZones)
    source.assumedTimes += Int(workspace.assumedTimes)
    source.assumedYears += Int(workspace.assumedYears)
    source.completeness.add(workspace.completeness)
    workspace.clearRecords()
  }

  private static func note(_ source: inout Source, _ line: Int, _ field: String, _ reason: String) {
    if source.firstNotes.count < shown {
      source.firstNotes.append("line \(line): \(field) \(reason)")
    }
  }
}
