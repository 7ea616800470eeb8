import Dispatch
import Foundation
import PushChecklist
public import PushIngest
import PushJoin
public import PushModel
import PushStore
import Synchronization

/// Facts of a release that are given as such, not read from an input.
public struct GivenFacts: Sendable {
  /// The facts, as they are stored.
  public var facts: ReleaseFactsReader.Entry
  /// The file that they come from.
  public var source: String

  /// Facts and where they come from.
  public init(facts: ReleaseFactsReader.Entry, source: String) {
    self.facts = facts
    self.source = source
  }
}

/// What a run of ingest is to do.
public struct IngestOptions: Sendable {
  /// Files, folders, `-`.
  public var inputs: [String]
  /// Files that must be facts of releases.
  public var factFiles: [String] = []
  /// Facts of releases beside those in the inputs.
  public var facts: [GivenFacts] = []
  /// Path of the database.
  public var databasePath: String
  /// Format of all inputs; nil = found per file.
  public var adapter: String?
  /// What is said of sources that do not say it themselves.
  public var hints = SourceHints()
  /// Which lines are kept.
  public var rawPolicy: RawPolicy = .broken
  /// Whether stored lines keep their private values; all lines are kept then.
  public var keepsPayloads = false
  /// Threads that parse and join, beside the one that writes.
  public var threads = 2
  /// Path of the key file; nil = beside the database.
  public var keyPath: String?
  /// Bytes of parsed records after which a batch ends: bounds memory and what a kill undoes.
  public var batchBytes: Int64 = 1_600_000_000
  /// Bytes of a chunk.
  public var chunkBytes = 1 << 20
  /// How many ids of sends to tokens that no phone registered are looked up at once, about: bounds
  /// memory.
  public var identifiersAtOnce = 1 << 20
  /// How many different texts a batch may hold for each thread, about: bounds memory.
  public var textsAtOnce = 1_000_000

  /// Options.
  public init(inputs: [String], databasePath: String) {
    self.inputs = inputs
    self.databasePath = databasePath
  }
}

extension IngestOptions {
  /// Whether a source is, or comes out of, a file that must be facts.
  private func isGivenAsFacts(_ name: String) -> Bool {
    factFiles.contains { name == $0 || name.hasPrefix($0 + "/") }
  }

  /// Whether a source that looks like facts is taken for them.
  func mayBeFacts(_ name: String) -> Bool { adapter == nil || isGivenAsFacts(name) }

  /// Whether a source is to be read as facts or not at all.
  func isFactsAlone(_ name: String) -> Bool { isGivenAsFacts(name) && !inputs.contains(name) }

  /// Whether a source had to be facts and is not.
  func lacksFacts(_ name: String, isFacts: Bool) -> Bool { isGivenAsFacts(name) && !isFacts }
}

/// What a run of ingest did. Lines read and records beyond one for each line = kept + duplicate +
/// noted + skipped.
public struct IngestSummary: Sendable {
  /// Sources that were read.
  public var sources = 0
  /// Sources that were known from before.
  public var knownSources = 0
  /// Whether earlier runs have records of a source that was known or has grown.
  public var hasKnownRecords = false
  /// Sources of no known format.
  public var unrecognised: [String] = []
  /// Lines read.
  public var linesRead: Int64 = 0
  /// Records beyond one for each line: some formats have several in a line.
  public var moreRecords: Int64 = 0
  /// Sources with times that have no zone.
  public var assumedZones: [String] = []
  /// Sources with records that have no time of their own.
  public var assumedTimes: [String] = []
  /// Sources with times that have no year.
  public var assumedYears: [String] = []
  /// Whether what is missing in a source that was read proves anything, in order of reading, and
  /// whether the source itself shows why, beyond what is so for all of its format.
  public var absences: [(source: String, absence: Absence, isOwn: Bool)] = []
  /// Records kept.
  public var kept: Int64 = 0
  /// Records that were here already.
  public var duplicate: Int64 = 0
  /// Lines that could not be understood.
  public var noted: Int64 = 0
  /// Empty lines, comments, lines that go on with a record, lines of sources of no known format, and
  /// records of days that were pruned.
  public var skipped: Int64 = 0
  /// Of the skipped ones, records of days that were pruned.
  public var outdated: Int64 = 0
  /// First day that no pruning removed, days since 1970; nil if there was none.
  public var prunedBefore: Int64?
  /// Fields that could not be read in lines that were kept.
  public var fieldNotes: Int64 = 0
  /// Sources that end within a line, and how many lines at their end wait for its rest.
  public var waiting: [(source: String, lines: Int)] = []
  /// Sources of which records are kept that are not what is said of them now.
  public var keptOtherwise: [(source: String, what: KeptOtherwise)] = []
  /// Releases whose facts were read.
  public var releases = 0
  /// What could not be read.
  public var problems: [ReadingProblem] = []
  /// Keys that no format knows, with how often they stood.
  public var unknownKeys: [String: Int] = [:]
  /// Batches written.
  public var batches = 0

  /// Nothing done.
  public init() {}
}

/// Ingest, join, judge and store as one run.
///
/// Threads parse chunks of lines in turn and put records, by installation, into spill files. When
/// the input or a batch's share of it is at its end, sends that name a token only are dealt to the
/// token's installation; then the parts are joined and judged in parallel and written in order by
/// this thread. A batch is one transaction, with how far its sources were read.
public final class IngestRun {
  private let options: IngestOptions
  private let database: Database
  private var pool: TextPool
  private let tokenKey: TokenKey
  private let folder: String
  private let resolver: HomeResolver
  private var payloads: [UInt64: Payload] = [:]
  private var origins: ContiguousArray<Origin> = [.none]
  private var originNumbers: [Origin: UInt32] = [.none: 0]
  private var maps: [SymbolMap]
  private var summary = IngestSummary()
  private var runNumber: Int64 = 1
  private var newestDay: Int64 = 0

  private init(_ options: IngestOptions) throws {
    self.options = options
    let path = options.databasePath
    pool = TextPool()
    let parent = (path as NSString).deletingLastPathComponent
    folder = parent.isEmpty ? "." : parent
    database = try Database(path: path, mode: .write, mappedBytes: Database.smallMapping)
    let keyPath = options.keyPath ?? TokenKeyFile.path(ofDatabase: path)
    let known = try database.setting("token_key")
    // Another key would give the tokens that are stored other digests.
    let key = try TokenKeyFile.key(at: keyPath, create: known == nil)
    tokenKey = key.key
    resolver = HomeResolver(
      database: database, identifiersAtOnce: options.identifiersAtOnce)
    maps = Array(repeating: SymbolMap(), count: options.threads)
    if let known {
      guard known == key.name else {
        throw PipelineError.keyFile(
          path: keyPath, reason: "it is not the key that this database was made with")
      }
    } else {
      try database.set("token_key", key.name)
    }
  }

  /// Runs an ingest. `progress` is called now and then, from one thread at a time.
  public static func run(
    _ options: IngestOptions, progress: @escaping @Sendable (ReadingProgress) -> Void = { _ in }
  ) throws -> IngestSummary {
    if let id = options.adapter, AdapterRegistry.adapter(id: id) == nil {
      throw PipelineError.unknownFormat(id)
    }
    let (inputs, problems) = InputList.expand(options.inputs + options.factFiles)
    if inputs.isEmpty, !problems.isEmpty { throw PipelineError.nothingReadable(problems) }
    let run = try IngestRun(options)
    run.summary.problems = problems
    try run.read(inputs, progress)
    return run.summary
  }

  // MARK: Reading

  private func read(
    _ inputs: [Input], _ progress: @escaping @Sendable (ReadingProgress) -> Void
  ) throws {
    let storedSources = try database.sources()
    let known = KnownInputs(
      sources: storedSources, files: try database.fileStates(), options)
    let hasStored = try database.hasRows()
    if hasStored { try resolver.load() } else { try database.writesInPlace(true) }
    runNumber = try database.nextRun()
    // What phones hand in late has no sends of its own and belongs to the newest day there is.
    newestDay = try database.newestDayOfRuns()
    summary.prunedBefore = try database.prunedBefore()
    if hasStored {
      payloads = try StoredRows(database: database, pool: pool).payloads()
      try settleClaims()
    }
    let reader = ChunkReader(
      inputs, known: KnownSources(known.entries), chunkBytes: options.chunkBytes)
    let spills = try (0..<options.threads).map { worker in
      try SpillFile(worker: worker, parts: SpillParts.all, folder: folder)
    }
    let raw = try RawLines(folder: folder)
    let state = ReaderState(
      reader: reader, raw: raw, known: known,
      nextSource: (storedSources.last?.id ?? 0) + 1,
      options: options, progress: progress)
    let workers = (0..<options.threads).map {
      ParseWorker(
        number: $0, workspace: ParseWorkspace(tokenKey: tokenKey), spill: spills[$0], state: state,
        batchBytes: options.batchBytes / Int64(options.threads), batchTexts: options.textsAtOnce)
    }
    repeat {
      try Parallel.run(options.threads) { try workers[$0].parse() }
      for spill in spills { try spill.flushAll() }
      try writeBatch(state, workers, spills, raw)
      state.beginBatch()
      if summary.batches == 0, !hasStored { try database.writesInPlace(false) }
      summary.batches += 1
      if workers.contains(where: \.holdsManyTexts) { try forgetTexts(workers) }
    } while !state.isFinished
    summary.problems += state.problems
    summary.hasKnownRecords = state.hasKnownRecords
    summary.waiting = state.waiting
    summary.keptOtherwise = state.keptOtherwise
    summary.knownSources = state.knownSources
    takeUnknownKeys(workers)
  }

  private func takeUnknownKeys(_ workers: [ParseWorker]) {
    for worker in workers {
      summary.unknownKeys.merge(worker.workspace.unknownKeys, uniquingKeysWith: +)
    }
  }

  /// Begins with new tables of texts after a batch, so that logs in which nearly every text is another
  /// one take no more memory than others.
  private func forgetTexts(_ workers: [ParseWorker]) throws {
    takeUnknownKeys(workers)
    for worker in workers { worker.workspace = ParseWorkspace(tokenKey: tokenKey) }
    pool = TextPool()
    origins = [.none]
    originNumbers = [.none: 0]
    maps = Array(repeating: SymbolMap(), count: options.threads)
    payloads = try StoredRows(database: database, pool: pool).payloads()
  }

  // MARK: One batch

  private func writeBatch(
    _ state: ReaderState, _ workers: [ParseWorker], _ spills: [SpillFile], _ raw: RawLines
  ) throws {
    extendMaps(workers)
    guard !pool.isFull else { throw PipelineError.tooManyTexts }
    let lineBases = state.lineBases()
    let hasStored = try database.hasRows()
    var newStandIns: [Int64] = []
    for worker in workers {
      newStandIns += resolver.tokens.merge(worker.tokens)
      worker.tokens.removeAll()
      resolver.add(phones: worker.phones)
      worker.phones.removeAll()
    }
    let identifiers = hasStored ? try StoredIdentifiers(of: database) : StoredIdentifiers()
    let learned = try resolver.resolve(
      HomeResolver.Batch(
        spills: spills, maps: maps, origins: origins, pool: pool, identifiers: identifiers,
        hasStored: hasStored))
    newStandIns += learned.ties.map(\.standIn) + learned.phones
    try addShapes(workers)

    var context = JoinContext()
    context.payloads = payloads
    context.describeHosts()
    var touched: [Int64: Set<Int64>] = [:]
    var newFacts = state.takeFacts()
    if summary.batches == 0 { newFacts += options.facts.map { ($0.facts, $0.source) } }
    let isOld = try hasStored && database.setting("judged_with") != Self.judgedWith
    if isOld { touched = try database.allInstallationDays() }
    let writer = try BulkWriter(database: database, pool: pool)
    try writer.begin()
    do {
      for entry in newFacts {
        let changed = try database.storeFacts(
          bundle: entry.facts.bundle, version: entry.facts.version, build: entry.facts.build,
          facts: entry.facts.json, origin: entry.source)
        summary.releases += 1
        guard changed, hasStored else { continue }
        for (installation, day) in try database.installationDays(
          app: entry.facts.bundle, version: entry.facts.version, build: entry.facts.build)
        {
          touched[installation, default: []].insert(day)
        }
      }
      context.releases = try ReleaseContext.load(
        StoredRows(database: database, pool: pool), pool)
      var moves: [Int64: [Int64]] = [:]
      if hasStored {
        for standIn in Set(newStandIns) {
          guard try database.isStandIn(standIn),
            let home = resolver.tokens.installation(standIn, at: .max), home != standIn
          else { continue }
          moves[home, default: []].append(standIn)
        }
      }
      let batch = BatchContext(
        context: context, origins: origins, maps: maps,
        rawPolicy: options.keepsPayloads ? .all : options.rawPolicy,
        keepsPayloads: options.keepsPayloads, moves: moves,
        touched: touched,
        hasStored: hasStored,
        identifiers: identifiers,
        attributeSets: try AttributeSets(of: database),
        forms: state.forms(), lineBases: lineBases, prunedBefore: summary.prunedBefore ?? 0)
      var delta = RollupDelta()
      var left = LeftOut()
      let claims = try joinAndWrite(batch, spills, raw, writer, &delta, &left)
      // Packed on another core while the rest is written here.
      let packing = DispatchGroup()
      let packer = Uncheckable(writer)
      DispatchQueue.global(qos: .userInitiated).async(group: packing) {
        packer.value.prepareIdentifiers()
      }
      let used = Uncheckable((spills, raw))
      DispatchQueue.global(qos: .userInitiated).async(group: packing) {
        // Giving the memory of a gigabyte of records back takes a tenth of a second.
        for spill in used.value.0 { spill.removeAll() }
        used.value.1.removeChunks()
      }
      defer { packing.wait() }
      try storeClaims(claims)
      for tie in learned.ties {
        try database.storeLearnedToken(tie.token, installation: tie.installation)
      }
      try state.writeSources(database, left, &summary)
      try database.set("judged_with", Self.judgedWith)
      try resolver.storePhones()
      newestDay = max(newestDay, state.newestDay)
      try database.recordRun(runNumber, newestDay: newestDay)
      try writer.write(delta, run: runNumber)
      packing.wait()
      try writer.commit()
    } catch {
      writer.rollback()
      throw error
    }
    try settleClaims()
  }

  // MARK: Claims

  private static let claimSetting = "token_claims"

  /// Keeps the claims of a batch that no other device contradicts, in the batch's transaction: a run
  /// that ends here settles them with its next one.
  private func storeClaims(_ claims: [TokenClaim]) throws {
    var holder: [Int64: TokenClaim] = [:]
    var isContested: Set<Int64> = []
    for claim in claims {
      if let known = holder[claim.standIn], known.installation != claim.installation {
        isContested.insert(claim.standIn)
      }
      holder[claim.standIn] = claim
    }
    let settled = holder.values.filter { !isContested.contains($0.standIn) }
      .sorted { $0.standIn < $1.standIn }
    guard !settled.isEmpty else { return }
    try database.set(
      Self.claimSetting,
      settled.map { claim in
        let token = claim.token
        return [
          "\(claim.standIn)", "\(claim.installation)", "\(token.high)", "\(token.low)",
          "\(token.head)", "\(token.tail)", "\(token.length)", "\(token.marks.rawValue)",
        ].joined(separator: " ")
      }.joined(separator: "\n"))
  }

  /// Moves what was sent to claimed tokens to the installations that claim them, as a batch without
  /// records of its own.
  private func settleClaims() throws {
    guard let text = try database.setting(Self.claimSetting), !text.isEmpty else { return }
    var moves: [Int64: [Int64]] = [:]
    var touched: [Int64: Set<Int64>] = [:]
    let stored = StoredRows(database: database, pool: pool)
    let writer = try BulkWriter(database: database, pool: pool)
    try writer.begin()
    do {
      for line in text.split(separator: "\n") {
        let parts = line.split(separator: " ")
        guard parts.count == 8, let standIn = Int64(parts[0]), let home = Int64(parts[1]),
          let high = UInt64(parts[2]), let low = UInt64(parts[3]), let head = UInt32(parts[4]),
          let tail = UInt32(parts[5]), let length = UInt16(parts[6]),
          let marks = TokenForm.Marks.RawValue(parts[7]),
          let known = try stored.installation(standIn), try database.isStandIn(standIn)
        else { continue }
        let token = TokenRecord(
          high: high, low: low, head: head, tail: tail, length: length,
          marks: TokenForm.Marks(rawValue: marks))
        guard resolver.tokens.add(standIn, home, at: 0) else { continue }
        try database.storeLearnedToken(token, installation: home)
        moves[home, default: []].append(standIn)
        let from = RowID.day(of: known.firstAt)
        let to = RowID.day(of: known.lastAt)
        for day in (from - 1)...(max(from, to) + 1) { touched[home, default: []].insert(day) }
      }
      var delta = RollupDelta()
      if !moves.isEmpty {
        var context = JoinContext()
        context.payloads = payloads
        context.describeHosts()
        context.releases = try ReleaseContext.load(stored, pool)
        let batch = BatchContext(
          context: context, origins: origins, maps: maps, rawPolicy: options.rawPolicy,
          keepsPayloads: options.keepsPayloads,
          moves: moves, touched: touched, hasStored: true,
          identifiers: try StoredIdentifiers(of: database),
          attributeSets: try AttributeSets(of: database), lineBases: [])
        var left = LeftOut()
        _ = try joinAndWrite(batch, [], try RawLines(folder: folder), writer, &delta, &left)
      }
      try database.removeSetting(Self.claimSetting)
      try writer.write(delta, run: runNumber)
      try writer.commit()
    } catch {
      writer.rollback()
      throw error
    }
  }

  /// Changes whenever the same chain may get another verdict: everything is judged again then.
  private static let judgedWith = "checklist \(Checklist.version)"

  private func extendMaps(_ workers: [ParseWorker]) {
    for worker in workers {
      let texts = worker.workspace.texts
      var map = maps[worker.number]
      let words = Word.allCases.count
      for index in map.symbols.count..<texts.count {
        map.symbols.append(index < words ? UInt32(index) : pool.intern(texts[index]).index)
      }
      let local = worker.workspace.records.origins
      for index in map.origins.count..<local.count {
        let origin = Origin(
          bundle: map.map(local[index].bundle), version: map.map(local[index].version),
          build: map.map(local[index].build), os: map.map(local[index].os),
          model: map.map(local[index].model))
        if let number = originNumbers[origin] {
          map.origins.append(number)
        } else {
          let number = UInt32(origins.count)
          origins.append(origin)
          originNumbers[origin] = number
          map.origins.append(number)
        }
      }
      maps[worker.number] = map
    }
  }

  private func addShapes(_ workers: [ParseWorker]) throws {
    for worker in workers {
      let map = maps[worker.number]
      for (hash, shape) in worker.workspace.shapes where payloads[hash] == nil {
        var payload = shape.payload
        payload.category = payload.category.map { map.map($0) }
        payload.sound = payload.sound.map { map.map($0) }
        payload.interruptionLevel = payload.interruptionLevel.map { map.map($0) }
        payload.typeHint = payload.typeHint.map { map.map($0) }
        payload.media = payload.media.map { form in
          var form = form
          form.scheme = map.map(form.scheme)
          form.ending = map.map(form.ending)
          form.host = map.map(form.host)
          return form
        }
        payloads[hash] = payload
        newShapes.append((hash, shape.text))
      }
    }
  }

  private var newShapes: [(hash: UInt64, text: String)] = []

  // MARK: Joining and writing

  private func joinAndWrite(
    _ batch: BatchContext, _ spills: [SpillFile], _ raw: RawLines, _ writer: BulkWriter,
    _ delta: inout RollupDelta, _ left: inout LeftOut
  ) throws -> [TokenClaim] {
    try database.writeShapes(
      newShapes.compactMap { shape in
        payloads[shape.hash].map {
          (shape.hash, shape.text, PayloadFacts.text($0, pool: pool))
        }
      })
    newShapes.removeAll()
    let queue = PartQueue(parts: SpillParts.count, rowSets: options.threads + 2)
    let workers = try (0..<options.threads).map { _ in
      // Readers of their own: this connection is inside its transaction, and theirs must not see
      // half of it. Parts never touch each other's installations.
      let stored =
        batch.hasStored
        ? StoredRows(
          database: try Database(
            path: options.databasePath, mode: .read, mappedBytes: Database.smallMapping),
          pool: pool)
        : nil
      return JoinWorker(
        pool: pool, spills: spills, raw: raw, batch: batch, stored: stored, tokenKey: tokenKey)
    }
    let group = DispatchGroup()
    for worker in workers {
      let worker = Uncheckable(worker)
      DispatchQueue.global(qos: .userInitiated).async(group: group) {
        do {
          try worker.value.begin()
          while let (part, rows) = queue.take() {
            try worker.value.process(part: part, into: rows)
            queue.finish(part, rows)
          }
          try worker.value.end()
        } catch {
          queue.fail(error)
        }
      }
    }
    do {
      for part in 0..<SpillParts.count {
        let rows = try queue.wait(for: part)
        try writer.write(rows)
        queue.recycle(rows)
      }
    } catch {
      queue.fail(error)
      group.wait()
      throw error
    }
    group.wait()
    for worker in workers {
      delta.merge(worker.delta)
      left.duplicates.merge(worker.duplicates, uniquingKeysWith: +)
      left.outdated.merge(worker.outdated, uniquingKeysWith: +)
    }
    return workers.flatMap(\.claims)
  }
}

/// Records of a batch that came to nothing, by source.
struct LeftOut {
  /// They were here already.
  var duplicates: [UInt32: Int64] = [:]
  /// They are of days that were pruned.
  var outdated: [UInt32: Int64] = [:]
}

/// Hands a value to a thread that is known to be the only one to use it.
struct Uncheckable<Value>: @unchecked Sendable {
  let value: Value
  init(_ value: Value) { self.value = value }
}

/// Runs the same work on several threads and waits; the first error is thrown.
enum Parallel {
  static func run(_ count: Int, _ body: @escaping (Int) throws -> Void) throws {
    let body = Uncheckable(body)
    let failure = Mutex<(any Error)?>(nil)
    if count == 1 { return try body.value(0) }
    DispatchQueue.concurrentPerform(iterations: count) { index in
      do {
        try body.value(index)
      } catch {
        failure.withLock { $0 = $0 ?? error }
      }
    }
    if let error = failure.withLock({ $0 }) { throw error }
  }
}

/// Parts in order: workers take them, the writer waits for the next one.
final class PartQueue: @unchecked Sendable {
  private let condition = NSCondition()
  private let parts: Int
  private var nextPart = 0
  private var free: [RowSet]
  private var done: [Int: RowSet] = [:]
  private var error: (any Error)?

  init(parts: Int, rowSets: Int) {
    self.parts = parts
    free = (0..<rowSets).map { _ in RowSet() }
  }

  /// The next part and rows to fill; nil when there is nothing more to do.
  func take() -> (part: Int, rows: RowSet)? {
    condition.lock()
    defer { condition.unlock() }
    // Rows are taken before the part, so the lowest open part always has some.
    while free.isEmpty, error == nil, nextPart < parts { condition.wait() }
    guard error == nil, nextPart < parts, let rows = free.popLast() else { return nil }
    defer { nextPart += 1 }
    return (nextPart, rows)
  }

  func finish(_ part: Int, _ rows: RowSet) {
    condition.lock()
    done[part] = rows
    condition.broadcast()
    condition.unlock()
  }

  func wait(for part: Int) throws -> RowSet {
    condition.lock()
    defer { condition.unlock() }
    while done[part] == nil, error == nil { condition.wait() }
    if let error { throw error }
    guard let rows = done.removeValue(forKey: part) else {
      preconditionFailure("a part was handed out and is not there")
    }
    return rows
  }

  func recycle(_ rows: RowSet) {
    condition.lock()
    free.append(rows)
    condition.broadcast()
    condition.unlock()
  }

  func fail(_ error: any Error) {
    condition.lock()
    if self.error == nil { self.error = error }
    condition.broadcast()
    condition.unlock()
  }
}
