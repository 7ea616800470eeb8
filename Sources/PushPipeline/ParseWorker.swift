import Foundation
import Glibc
public import PushIngest
import PushModel
import PushStore

/// What is known of a source while it is read.
struct SourceProgress {
  var id: UInt32
  var name: String
  var adapter: LogAdapter?
  var adapterID = ""
  var setup = SourceSetup()
  var state: SourceState?
  /// Lines before the first chunk of this batch.
  var lineBase: UInt32 = 0
  var firstAt: Int64 = .max
  var lastAt: Int64 = .min
  var linesRead: Int64 = 0
  var parsed: Int64 = 0
  var noted: Int64 = 0
  var skipped: Int64 = 0
  /// Records beyond one for each line.
  var more: Int64 = 0
  /// Times that had no zone, and records that had no time.
  var assumedZones: Int64 = 0
  var assumedTimes: Int64 = 0
  var assumedYears: Int64 = 0
  /// What it shows of its own completeness, that of earlier runs included.
  var completeness = Completeness()
  /// Counts and chunks of earlier runs.
  var storedKept: Int64 = 0
  var storedDuplicate: Int64 = 0
  var storedLines: Int64 = 0
  var storedNoted: Int64 = 0
  var storedSkipped: Int64 = 0
  var assumedZone: String?
  var assumedTime: Int64?
  var assumedYear: Int?
  var chunks: [UInt8] = []
  /// Records that earlier runs kept and whose lines are read once more: so many duplicates are these.
  var readOnceMore: Int64 = 0
  /// The line behind which its notes are replaced; nil = they stay.
  var notesStayUpTo: Int64?
  /// What its last piece gave, if more may follow it.
  var open = SourceMark.OpenEnd()
  var waitingLines: Int64 = 0
  var descriptor: Int32?
  var isPlain = false
  var isMember = false
  var isFacts = false
  var document: [UInt8] = []
  var isChanged = true
}

/// A statement about a line, until the line's number is known.
struct PendingNote {
  var source: Int
  var chunk: UInt32
  var lineInChunk: UInt32
  var field: String
  var reason: String
  var isLine: Bool
}

/// What the threads that parse share: the reader, the sources and their counts. Under one lock.
final class ReaderState: @unchecked Sendable {
  private let lock = NSLock()
  private let reader: ChunkReader
  private let raw: RawLines
  private let options: IngestOptions
  private let progress: @Sendable (ReadingProgress) -> Void
  private(set) var sources: [Int: SourceProgress] = [:]
  private let known: KnownInputs
  private let said: SaidOfSource
  /// Known sources that are read by this run.
  private var taken: Set<Int64> = []
  private var nextSource: UInt32
  private(set) var problems: [ReadingProblem] = []
  private(set) var isFinished = false
  private(set) var knownSources = 0
  /// Whether earlier runs have records of an input.
  private(set) var hasKnownRecords = false
  private var batchIsFull = false
  private var failed = false
  private var notes: [PendingNote] = []
  private var fileStates: [(name: String, state: SourceState)] = []
  /// By chunk of the batch: source and number of lines.
  private var chunkSources: [Int] = []
  private var chunkLines: [UInt32] = []
  private var chunkOffsets: [Int64] = []
  private var facts: [(facts: ReleaseFactsReader.Entry, source: String)] = []
  private(set) var newestDay: Int64 = 0
  private(set) var unrecognised: [String] = []
  /// Sources with lines at their end that wait for the end of the last one.
  private(set) var waiting: [(source: String, lines: Int)] = []
  /// Sources of which records are kept that are not what is said of them now.
  private(set) var keptOtherwise: [(source: String, what: KeptOtherwise)] = []
  private var chunkCount = 0

  init(
    reader: ChunkReader, raw: RawLines, known: KnownInputs, nextSource: Int64,
    options: IngestOptions, progress: @escaping @Sendable (ReadingProgress) -> Void
  ) {
    self.reader = reader
    self.raw = raw
    self.known = known
    said = SaidOfSource(options)
    self.nextSource = UInt32(truncatingIfNeeded: nextSource)
    self.options = options
    self.progress = progress
  }

  /// A chunk to parse.
  struct Work {
    var source: Int
    var id: UInt32
    var adapter: LogAdapter?
    var setup: SourceSetup
    var chunk: UInt32
    var isSourceStart: Bool
    var isSourceEnd: Bool
    /// Whether it comes again when more follows.
    var isOpen: Bool
    /// Stand-in of the phone that records without an installation belong to; 0 = none.
    var phone: Int64 = 0
  }

  /// The next chunk; nil at the end of the batch. `workspace` is the caller's.
  func next(into buffer: ChunkBuffer, _ workspace: ParseWorkspace) throws -> Work? {
    lock.lock()
    defer { lock.unlock() }
    while true {
      if failed || batchIsFull || isFinished { return nil }
      guard let event = reader.next(into: buffer) else {
        isFinished = true
        progress(reader.progress)
        return nil
      }
      switch event {
      case .sourceOpened(let opening): open(opening, workspace)
      case .chunk(let chunk):
        chunkCount += 1
        if chunkCount % 16 == 0 { progress(reader.progress) }
        do {
          if let work = try begin(chunk, buffer) { return work }
        } catch {
          failed = true
          throw error
        }
      case .oversizedLine(let line):
        let number = raw.add(descriptor: -1, offset: 0)
        addChunk(number, source: line.source, lines: 1, offset: line.offsetBytes)
        sources[line.source]?.linesRead += 1
        sources[line.source]?.noted += 1
        sources[line.source]?.state = line.stateAfter
        if line.isOpen {
          sources[line.source]?.open.lines = 1
          sources[line.source]?.open.noted = 1
        }
        notes.append(
          PendingNote(
            source: line.source, chunk: number, lineInChunk: 0, field: "line",
            reason: "is \(line.lengthBytes) bytes long; lines over 16 MiB are not read",
            isLine: true))
      case .sourceEnded(let ending):
        sources[ending.source]?.state = ending.state
        if ending.waitingLines > 0, let source = sources[ending.source] {
          sources[ending.source]?.waitingLines = Int64(ending.waitingLines)
          waiting.append((source.name, ending.waitingLines))
          // Of half a first line nobody knows yet what it is.
          if ending.state.contentLengthBytes == 0 { unrecognised.removeAll { $0 == source.name } }
        }
        finishDocument(ending.source)
      case .inputSkipped(_, _, let file):
        knownSources += 1
        for source in known.members(ofFile: file) { tellKeptOtherwise(source) }
      case .inputEnded(let ending):
        if let state = ending.fileState { fileStates.append((ending.name, state)) }
      case .problem(let problem): problems.append(problem)
      }
    }
  }

  private func open(_ opening: SourceOpening, _ workspace: ParseWorkspace) {
    var source = SourceProgress(id: 0, name: opening.identity.name)
    source.isMember = !Set(opening.identity.layers).isDisjoint(with: ["tar", "zip"])
    source.isPlain = opening.identity.layers.isEmpty && opening.identity.name != "-"
    func resume(_ number: Int64) {
      guard let entry = known.sources[number] else { return }
      taken.insert(number)
      tellKeptOtherwise(number)
      if entry.kept + entry.duplicate > 0 { hasKnownRecords = true }
      source.id = UInt32(truncatingIfNeeded: number)
      source.adapterID = entry.adapter
      source.assumedZone = entry.assumedZone
      source.assumedTime = entry.assumedTime
      source.assumedYear = entry.assumedYear
      source.storedKept = entry.kept
      source.storedDuplicate = entry.duplicate
      source.storedLines = entry.linesRead
      source.storedNoted = entry.noted
      source.storedSkipped = entry.skipped
      source.chunks = entry.chunks
      source.completeness = entry.completeness
      source.firstAt = entry.firstAt ?? .max
      source.lastAt = entry.lastAt ?? .min
      source.lineBase = UInt32(truncatingIfNeeded: entry.linesRead)
    }
    switch opening.decision {
    case .skip(let number):
      knownSources += 1
      resume(number)
      source.isChanged = false
      if let mark = known.marks[number], mark.waitingLines > 0 {
        waiting.append((source.name, Int(mark.waitingLines)))
      }
    case .continueReading(let number, let offset):
      resume(number)
      if let mark = known.marks[number] { takeBack(mark.open, from: offset, &source) }
    case .readAgain(let number):
      // Copies of one content are sources of their own.
      if let own = known.source(like: number, name: source.name, except: taken) {
        resume(own)
        takeBackAll(&source)
      }
    case .readAll:
      if let own = known.shortSource(named: source.name, except: taken) {
        resume(own)
        takeBackAll(&source)
      }
    }
    if source.id == 0 {
      source.id = nextSource
      nextSource += 1
    }
    if source.isChanged { recognise(&source, opening, workspace) }
    if source.isChanged {
      reader.setFraming(source.setup.framing, isTakenWhole: source.isFacts)
    }
    if options.lacksFacts(source.name, isFacts: source.adapterID == "release-facts") {
      problems.append(ReadingProblem(input: source.name, kind: .notFacts))
    }
    if source.isPlain { source.descriptor = raw.open(opening.identity.name) }
    sources[opening.ordinal] = source
  }

  /// Takes the counts of a last piece back, which is read again as a whole with what follows it now.
  private func takeBack(
    _ open: SourceMark.OpenEnd, from offset: Int64, _ source: inout SourceProgress
  ) {
    source.storedLines -= open.lines
    source.storedNoted -= open.noted
    source.storedSkipped -= open.skipped
    let kept = min(open.parsed, source.storedKept)
    source.storedKept -= kept
    source.storedDuplicate -= open.parsed - kept
    source.readOnceMore = kept
    source.completeness.takeBack(open.completeness)
    source.lineBase = UInt32(truncatingIfNeeded: source.storedLines)
    source.notesStayUpTo = source.storedLines
    func number(_ place: Int) -> UInt64 {
      (0..<8).reduce(0) { $0 | UInt64(source.chunks[place + $1]) << UInt64(8 * $1) }
    }
    while source.chunks.count >= 16, number(source.chunks.count - 16) >= UInt64(offset) {
      source.chunks.removeLast(16)
    }
  }

  /// Begins a known source anew: what it gave is counted again.
  private func takeBackAll(_ source: inout SourceProgress) {
    let hadRecords = source.storedKept + source.storedDuplicate > 0
    source.readOnceMore = source.storedKept
    source.storedKept = 0
    source.storedDuplicate = 0
    source.storedLines = 0
    source.storedNoted = 0
    source.storedSkipped = 0
    source.completeness = Completeness()
    source.chunks = []
    source.firstAt = .max
    source.lastAt = .min
    source.lineBase = 0
    source.notesStayUpTo = 0
    guard !hadRecords else { return }
    source.adapterID = ""
    source.assumedZone = nil
    source.assumedTime = nil
    source.assumedYear = nil
  }

  private func tellKeptOtherwise(_ number: Int64) {
    guard let what = known.keptOtherwise[number], let source = known.sources[number] else { return }
    keptOtherwise.append((source.name, what))
  }

  private func recognise(
    _ source: inout SourceProgress, _ opening: SourceOpening, _ workspace: ParseWorkspace
  ) {
    if options.mayBeFacts(source.name), ReleaseFactsReader.recognises(head: opening.head) {
      source.isFacts = true
      source.adapterID = "release-facts"
      return
    }
    // What is known as a log goes on as one.
    if options.isFactsAlone(source.name), source.adapterID.isEmpty { return }
    var hints = options.hints
    hints.fill(zone: source.assumedZone, year: source.assumedYear, time: source.assumedTime)
    hints.name = opening.identity.name
    let named = options.adapter ?? AdapterRegistry.adapter(id: source.adapterID)?.id
    guard
      let found = FormatDetection.format(
        head: opening.head, named: named, hints: hints, workspace: workspace)
    else {
      source.adapterID = ""
      if !opening.head.allSatisfy({ $0 <= 0x20 }) { unrecognised.append(source.name) }
      return
    }
    source.adapter = found.adapter
    source.adapterID = found.adapter.id
    source.setup = found.setup
  }

  private func begin(_ chunk: Chunk, _ buffer: ChunkBuffer) throws -> Work? {
    guard var source = sources[chunk.source] else { return nil }
    source.state = chunk.stateAfter
    if source.isFacts {
      if source.document.count + chunk.length <= 64 << 20 {
        source.document.append(contentsOf: buffer.bytes)
      }
      var lines: Int64 = 0
      forEachLine(in: buffer, of: chunk) { _ in lines += 1 }
      source.linesRead += lines
      source.skipped += lines
      sources[chunk.source] = source
      return nil
    }
    sources[chunk.source] = source
    let number: UInt32
    if let descriptor = source.descriptor {
      number = raw.add(descriptor: descriptor, offset: chunk.offsetBytes)
    } else if (options.rawPolicy == .none && !options.keepsPayloads) || source.adapter == nil {
      number = raw.add(descriptor: -1, offset: 0)
    } else {
      number = try raw.add(copying: buffer.bytes)
    }
    addChunk(number, source: chunk.source, lines: 0, offset: chunk.offsetBytes)
    return Work(
      source: chunk.source, id: source.id, adapter: source.adapter, setup: source.setup,
      chunk: number, isSourceStart: chunk.offsetBytes == 0, isSourceEnd: chunk.isSourceEnd,
      isOpen: chunk.isOpen,
      phone: source.adapter?.isOnePhone == true
        ? PhoneTies.phone(ofSource: source.name, isMember: source.isMember) : 0)
  }

  private func addChunk(_ number: UInt32, source: Int, lines: UInt32, offset: Int64) {
    while chunkSources.count <= Int(number) {
      chunkSources.append(-1)
      chunkLines.append(0)
      chunkOffsets.append(0)
    }
    chunkSources[Int(number)] = source
    chunkLines[Int(number)] = lines
    chunkOffsets[Int(number)] = offset
  }

  /// What came of a chunk.
  struct ChunkCounts {
    var lines: Int64 = 0
    var parsed: Int64 = 0
    var noted: Int64 = 0
    var skipped: Int64 = 0
    var more: Int64 = 0
    var assumedZones: Int64 = 0
    var assumedTimes: Int64 = 0
    var assumedYears: Int64 = 0
    var completeness = Completeness()
    var firstAt: Int64 = .max
    var lastAt: Int64 = .min
    var newestDay: Int64 = 0
    var notes: [PendingNote] = []
    var isBatchFull = false
  }

  /// Notes after which a batch ends: they wait in memory for the numbers of their lines.
  private static let batchNotes = 200_000

  func end(_ work: Work, _ counts: ChunkCounts) {
    lock.lock()
    defer { lock.unlock() }
    chunkLines[Int(work.chunk)] = UInt32(truncatingIfNeeded: counts.lines)
    sources[work.source]?.linesRead += counts.lines
    sources[work.source]?.parsed += counts.parsed
    sources[work.source]?.noted += counts.noted
    sources[work.source]?.skipped += counts.skipped
    sources[work.source]?.more += counts.more
    sources[work.source]?.assumedZones += counts.assumedZones
    sources[work.source]?.assumedTimes += counts.assumedTimes
    sources[work.source]?.assumedYears += counts.assumedYears
    sources[work.source]?.completeness.add(counts.completeness)
    if work.isOpen {
      sources[work.source]?.open = SourceMark.OpenEnd(
        lines: counts.lines, parsed: counts.parsed, noted: counts.noted, skipped: counts.skipped,
        completeness: counts.completeness)
    }
    if let known = sources[work.source] {
      sources[work.source]?.firstAt = min(known.firstAt, counts.firstAt)
      sources[work.source]?.lastAt = max(known.lastAt, counts.lastAt)
    }
    newestDay = max(newestDay, counts.newestDay)
    notes.append(contentsOf: counts.notes)
    if counts.isBatchFull || notes.count > Self.batchNotes { batchIsFull = true }
  }

  func fail() {
    lock.lock()
    failed = true
    lock.unlock()
  }

  private func finishDocument(_ ordinal: Int) {
    guard let source = sources[ordinal], source.isFacts, source.isChanged else { return }
    do {
      for entry in try ReleaseFactsReader.read(source.document) {
        facts.append((entry, source.name))
      }
    } catch {
      sources[ordinal]?.noted += 1
      sources[ordinal]?.skipped -= 1
      notes.append(
        PendingNote(
          source: ordinal, chunk: .max, lineInChunk: 0, field: error.field, reason: error.reason,
          isLine: true))
    }
    sources[ordinal]?.document = []
  }

  // MARK: End of a batch

  /// Formats of the sources, by their numbers.
  func forms() -> [UInt32: LineRedactor.Form] {
    var forms: [UInt32: LineRedactor.Form] = [:]
    for source in sources.values {
      guard let adapter = source.adapter else { continue }
      forms[source.id] = LineRedactor.Form(adapter: adapter, setup: source.setup)
    }
    return forms
  }

  func takeFacts() -> [(facts: ReleaseFactsReader.Entry, source: String)] {
    defer { facts.removeAll() }
    return facts
  }

  /// The number of lines before each chunk of the batch.
  func lineBases() -> [UInt32] {
    var bases = [UInt32](repeating: 0, count: chunkSources.count)
    for index in chunkSources.indices where chunkSources[index] >= 0 {
      let source = chunkSources[index]
      bases[index] = sources[source]?.lineBase ?? 0
      if var known = sources[source] {
        var entry = [UInt8]()
        for value in [UInt64(bitPattern: chunkOffsets[index]), UInt64(bases[index]) + 1] {
          for shift in stride(from: 0, to: 64, by: 8) {
            entry.append(UInt8(truncatingIfNeeded: value >> UInt64(shift)))
          }
        }
        known.chunks.append(contentsOf: entry)
        known.lineBase &+= chunkLines[index]
        sources[source] = known
      }
    }
    bases.append(0)
    lineBasesOfBatch = bases
    return bases
  }

  private var lineBasesOfBatch: [UInt32] = []

  /// Writes sources, their counts and notes; checks that every line is accounted for.
  func writeSources(
    _ database: Database, _ left: LeftOut, _ summary: inout IngestSummary
  ) throws {
    for ordinal in sources.keys.sorted() {
      guard var source = sources[ordinal], source.isChanged, let state = source.state else {
        continue
      }
      let duplicate = left.duplicates[source.id] ?? 0
      let outdated = left.outdated[source.id] ?? 0
      let kept = source.parsed - duplicate - outdated
      source.skipped += outdated
      summary.outdated += outdated
      let read = source.linesRead + source.more
      guard read == kept + duplicate + source.noted + source.skipped else {
        throw PipelineError.unbalanced(
          source: source.name, read: read,
          accounted: kept + duplicate + source.noted + source.skipped)
      }
      let again = min(source.readOnceMore, duplicate)
      source.readOnceMore -= again
      source.storedLines += source.linesRead
      source.storedKept += kept + again
      source.storedDuplicate += duplicate - again
      source.storedNoted += source.noted
      source.storedSkipped += source.skipped
      summary.linesRead += source.linesRead
      summary.kept += kept
      summary.duplicate += duplicate
      summary.noted += source.noted
      summary.skipped += source.skipped
      summary.moreRecords += source.more
      source.more = 0
      source.linesRead = 0
      source.parsed = 0
      source.noted = 0
      source.skipped = 0
      if source.assumedZones > 0 { source.assumedZone = source.setup.hints.zoneText }
      if source.assumedTimes > 0 { source.assumedTime = source.setup.hints.assumedTime }
      if source.assumedYears > 0 { source.assumedYear = source.setup.hints.assumedYear }
      if let line = source.notesStayUpTo {
        try database.removeNotes(source: Int64(source.id), behind: line)
        source.notesStayUpTo = nil
      }
      var mark = SourceMark(state: state)
      mark.said = said
      mark.open = source.open
      mark.waitingLines = source.waitingLines
      if case .document = source.setup.framing { mark.isDocument = true }
      try database.store(
        SourceRecord(
          id: Int64(source.id), name: source.name, adapter: source.adapterID, state: mark.encode(),
          firstAt: source.firstAt == .max ? nil : source.firstAt,
          lastAt: source.lastAt == .min ? nil : source.lastAt, linesRead: source.storedLines,
          kept: source.storedKept, duplicate: source.storedDuplicate, noted: source.storedNoted,
          skipped: source.storedSkipped, chunks: source.chunks,
          assumedZone: source.assumedZone, assumedTime: source.assumedTime,
          assumedYear: source.assumedYear,
          completeness: source.completeness))
      sources[ordinal] = source
    }
    summary.sources = sources.values.filter(\.isChanged).count
    summary.unrecognised = unrecognised
    for note in notes {
      guard let source = sources[note.source] else { continue }
      let line =
        note.chunk == .max
        ? 0 : Int64(lineBasesOfBatch[Int(note.chunk)]) + Int64(note.lineInChunk) + 1
      try database.storeNote(
        source: Int64(source.id), line: line, field: note.field, reason: note.reason,
        isLine: note.isLine)
      if !note.isLine { summary.fieldNotes += 1 }
    }
    for ordinal in sources.keys.sorted() {
      guard let source = sources[ordinal], source.isChanged else { continue }
      if source.assumedZones > 0, !summary.assumedZones.contains(source.name) {
        summary.assumedZones.append(source.name)
      }
      if source.assumedTimes > 0, !summary.assumedTimes.contains(source.name) {
        summary.assumedTimes.append(source.name)
      }
      if source.assumedYears > 0, !summary.assumedYears.contains(source.name) {
        summary.assumedYears.append(source.name)
      }
    }
    summary.absences = sources.keys.sorted().compactMap { ordinal in
      guard let source = sources[ordinal], source.isChanged, let adapter = source.adapter else {
        return nil
      }
      let absence = adapter.absence.inSource(
        source.completeness, unreadable: source.storedNoted)
      return (source.name, absence, absence != adapter.absence)
    }
    for file in fileStates { try database.storeFile(name: file.name, state: file.state.encode()) }
    notes.removeAll()
    fileStates.removeAll()
  }

  func beginBatch() {
    batchIsFull = false
    chunkSources.removeAll(keepingCapacity: true)
    chunkLines.removeAll(keepingCapacity: true)
    chunkOffsets.removeAll(keepingCapacity: true)
  }
}

/// Parses chunks and deals their records to the parts of a spill file. One per thread.
final class ParseWorker: @unchecked Sendable {
  let number: Int
  var workspace: ParseWorkspace
  let tokens = TokenMap()
  /// Phones whose logs were read.
  var phones: Set<Int64> = []
  private let spill: SpillFile
  private let state: ReaderState
  private let buffer = ChunkBuffer()
  private let batchBytes: Int64
  private let batchTexts: Int
  /// Installations whose text was written lately: most lines of a phone stand together.
  private var lately: [Int64]
  private static let latelyMask = (1 << 14) - 1

  init(
    number: Int, workspace: ParseWorkspace, spill: SpillFile, state: ReaderState,
    batchBytes: Int64, batchTexts: Int
  ) {
    self.number = number
    self.workspace = workspace
    self.spill = spill
    self.state = state
    self.batchBytes = batchBytes
    self.batchTexts = batchTexts
    lately = Array(repeating: 0, count: ParseWorker.latelyMask + 1)
  }

  /// Whether as many different texts were read as a batch may hold.
  var holdsManyTexts: Bool { workspace.texts.count > batchTexts }

  func parse() throws {
    for index in lately.indices { lately[index] = 0 }
    do {
      while let work = try state.next(into: buffer, workspace) {
        let counts = try parse(work)
        state.end(work, counts)
      }
    } catch {
      state.fail()
      throw error
    }
  }

  private func parse(_ work: ReaderState.Work) throws -> ReaderState.ChunkCounts {
    var counts = ReaderState.ChunkCounts()
    workspace.setup = work.setup
    workspace.beginPart()
    var cursor = PieceCursor(
      buffer.bytes, framing: work.setup.framing, isSourceStart: work.isSourceStart,
      isSourceEnd: work.isSourceEnd)
    var lines = 0
    // Unwrapped outside of the loop: an adapter is a dozen references, counted up and down at each copy.
    guard let adapter = work.adapter else {
      while let piece = cursor.next() { lines = piece.line + piece.lineCount }
      counts.skipped = Int64(lines)
      counts.lines = Int64(lines)
      return counts
    }
    while let piece = cursor.next() {
      // Brackets and empty lines between pieces are lines too.
      counts.skipped += Int64(piece.line - lines)
      lines = piece.line + piece.lineCount
      let bytes = UnsafeRawBufferPointer(
        start: UnsafeRawPointer(buffer.base + piece.offset), count: piece.length)
      let firstSend = workspace.records.sends.count
      let firstEvent = workspace.records.events.count
      let reading = adapter.read(line: bytes, into: workspace)
      take(piece, reading, work, firstSend: firstSend, firstEvent: firstEvent, &counts)
    }
    counts.lines = Int64(lines)
    counts.assumedZones = workspace.assumedZones
    counts.assumedTimes = workspace.assumedTimes
    counts.assumedYears = workspace.assumedYears
    if adapter.absence.canProve { workspace.countNumbers() }
    counts.completeness = workspace.completeness
    try deal(work.phone)
    counts.isBatchFull = spill.size > batchBytes || holdsManyTexts
    return counts
  }

  /// Counts what reading a piece gave, and says of its records where they stand.
  @inline(__always)
  private func take(
    _ piece: Piece, _ reading: Reading, _ work: ReaderState.Work, firstSend: Int, firstEvent: Int,
    _ counts: inout ReaderState.ChunkCounts
  ) {
    let line = UInt32(truncatingIfNeeded: piece.line)
    let place = RawPlace(
      chunk: work.chunk, offset: UInt32(truncatingIfNeeded: piece.offset),
      length: UInt32(truncatingIfNeeded: piece.length))
    let reference = RecordReference(source: work.id, line: line + 1)
    for index in firstSend..<workspace.records.sends.count {
      workspace.records.sends[index].reference = reference
      workspace.records.sends[index].raw = place
      let at = workspace.records.sends[index].at
      counts.firstAt = min(counts.firstAt, at)
      counts.lastAt = max(counts.lastAt, at)
      counts.newestDay = max(counts.newestDay, RowID.day(of: at))
    }
    for index in firstEvent..<workspace.records.events.count {
      workspace.records.events[index].reference = reference
      workspace.records.events[index].raw = place
      let at = workspace.records.events[index].at
      counts.firstAt = min(counts.firstAt, at)
      counts.lastAt = max(counts.lastAt, at)
    }
    let records =
      workspace.records.sends.count - firstSend + workspace.records.events.count - firstEvent
    var accounted = records
    counts.parsed += Int64(records)
    switch reading {
    case .send, .event, .records: break
    case .skip:
      counts.skipped += 1
      accounted += 1
    case .unreadable(let field, let reason):
      counts.noted += 1
      accounted += 1
      counts.notes.append(
        PendingNote(
          source: work.source, chunk: work.chunk, lineInChunk: line, field: field, reason: reason,
          isLine: true))
    }
    // Every line is accounted for: those that go on with a record, and records beyond the lines.
    let rest = piece.lineCount - accounted
    if rest > 0 { counts.skipped += Int64(rest) } else { counts.more -= Int64(rest) }
    for note in workspace.notes {
      counts.notes.append(
        PendingNote(
          source: work.source, chunk: work.chunk, lineInChunk: line, field: note.field,
          reason: note.reason, isLine: false))
    }
  }

  /// Moves the chunk's records to the spill.
  private func deal(_ phone: Int64) throws {
    for index in workspace.records.sends.indices {
      let send = workspace.records.sends[index]
      let home: Int64
      let part: Int
      if send.installation != 0 {
        home = RowID.installation(hash: send.installation)
        part = SpillParts.part(of: home)
        try introduce(home, send.installationText, part)
      } else {
        let id = send.notification.isPresent ? send.notification : send.apns
        home =
          send.token.isPresent
          ? TokenMap.standIn(for: send.token)
          : id.isPresent ? TokenMap.standIn(for: id) : TokenMap.standIn(forBare: send)
        part = SpillParts.deferred
      }
      SpillCodec.encode(send, home: home, workspace.records, to: spill.buffer(part))
      try spill.added(part)
    }
    for index in workspace.records.events.indices {
      let event = workspace.records.events[index]
      let home: Int64
      let part: Int
      if event.installation != 0 {
        home = RowID.installation(hash: event.installation)
        part = SpillParts.part(of: home)
        try introduce(home, event.installationText, part)
        if event.token.isPresent,
          event.name == .appRegistered || event.name == .deviceHeartbeat
        {
          tokens.add(TokenMap.standIn(for: event.token), home, at: event.at)
        }
      } else {
        let strongest =
          event.notification.isPresent
          ? event.notification
          : event.apns.isPresent
            ? event.apns : event.request.isPresent ? event.request : event.collapse
        if phone != 0 { phones.insert(phone) }
        // What a gateway tells of a phone carries the address that it knows the phone by.
        home =
          phone != 0
          ? phone
          : event.token.isPresent
            ? TokenMap.standIn(for: event.token) : TokenMap.standIn(for: strongest)
        part = SpillParts.deferred
      }
      SpillCodec.encode(event, home: home, workspace.records, to: spill.buffer(part))
      try spill.added(part)
    }
    workspace.clearRecords()
  }

  private func introduce(_ home: Int64, _ text: TextRange, _ part: Int) throws {
    let slot = Int(truncatingIfNeeded: home) & ParseWorker.latelyMask
    if lately[slot] == home { return }
    lately[slot] = home
    SpillCodec.encodeInstallation(home, text, workspace.records, to: spill.buffer(part))
  }
}

/// Finds the format of a source by its first bytes.
public enum FormatDetection {
  /// A format, and how the source is read.
  public struct Found {
    /// The format.
    public var adapter: LogAdapter
    /// How the source is read.
    public var setup: SourceSetup
  }

  /// The first format, in the order of the registry, that recognises the head; nil if none does.
  ///
  /// - Parameter named: the id of the format that a person says it is.
  public static func format(
    head: [UInt8], named: String?, hints: SourceHints, workspace: ParseWorkspace
  ) -> Found? {
    var padded = head
    padded.append(contentsOf: [UInt8](repeating: 0, count: ChunkBuffer.paddingBytes))
    return padded.withUnsafeBytes { bytes in
      let head = SourceHead(
        bytes, count: head.count, isWhole: head.count < 64 << 10, hints: hints)
      if let named, let adapter = AdapterRegistry.adapter(id: named) {
        return Found(adapter: adapter, setup: adapter.forcedSetup(head: head, workspace: workspace))
      }
      for adapter in AdapterRegistry.all {
        guard let setup = adapter.setup(head: head, workspace: workspace) else { continue }
        return Found(adapter: adapter, setup: setup)
      }
      return nil
    }
  }
}
