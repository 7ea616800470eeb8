import PushIngest
import PushModel
import PushStore

/// Why what is said of a source now cannot hold for records of it that are kept already.
public enum KeptOtherwise: Sendable, Hashable {
  /// Their format.
  case format(String)
  /// The zone that was taken for their times.
  case zone(String)
  /// The year that was taken for their times.
  case year(Int)
  /// The time that was taken for those without one.
  case time
  /// Which attributes were taken for which fields.
  case attributes
  /// Their payloads and lines were not kept whole.
  case payloads
}

/// Decides what becomes of a source that was read before: skipped or continued, as is the rule, or read
/// again from its start.
///
/// It is read again if nothing of it was kept, since what failed may not fail now, or if what a person
/// says of it now makes records of lines that gave none. Records that it gave before are found to be
/// duplicates, its notes are replaced. What is said now may contradict records that are kept: those
/// cannot be taken back, so it is told.
struct KnownInputs {
  /// Sources that were read before.
  let sources: [Int64: SourceRecord]
  /// What is remembered of them.
  let marks: [Int64: SourceMark]
  /// What the reader knows of them, and of packed files as wholes.
  private(set) var entries: [KnownSources.Entry] = []
  /// Of which kept records that is not so which is said now.
  private(set) var keptOtherwise: [Int64: KeptOtherwise] = [:]
  /// Sources in each packed file, by its place among the files.
  private let members: [[Int64]]
  private let byState: [SourceState: [Int64]]
  /// Sources too short to be recognised, and of which nothing was kept.
  private let shortByName: [String: Int64]

  init(
    sources: [SourceRecord], files: [(name: String, state: [UInt8])], _ options: IngestOptions
  ) {
    self.sources = Dictionary(uniqueKeysWithValues: sources.map { ($0.id, $0) })
    var marks: [Int64: SourceMark] = [:]
    for source in sources { marks[source.id] = SourceMark(decoding: source.state) }
    self.marks = marks
    byState = Dictionary(
      grouping: marks.keys.sorted(), by: { marks[$0]?.state ?? SourceState.nothing })
    members = Self.members(of: files.map(\.name), sources)
    let short = sources.filter {
      $0.kept + $0.duplicate == 0 && marks[$0.id]?.state.headLengthBytes == 0
    }
    shortByName = Dictionary(short.map { ($0.name, $0.id) }, uniquingKeysWith: { $1 })
    let said = SaidOfSource(options)
    var isAgain: Set<Int64> = []
    var isToldAgain: Set<Int64> = []
    for source in sources {
      guard let mark = marks[source.id] else { continue }
      let decision = Self.decide(source, mark, said, options)
      keptOtherwise[source.id] = decision.keptOtherwise
      entries.append(.init(id: source.id, state: mark.state, again: decision.again))
      if decision.again == .always {
        // Of a packed file that holds much else, what was not understood is no reason to unpack it.
        if Self.isUnusable(source), mark.said == said { isToldAgain.insert(source.id) }
        isAgain.insert(source.id)
      }
    }
    for (index, file) in files.enumerated() {
      guard let state = SourceState(decoding: file.state) else { continue }
      let members = members[index]
      let isReason = members.contains { isAgain.contains($0) && !isToldAgain.contains($0) }
      if isReason || (!members.isEmpty && members.allSatisfy(isAgain.contains)) { continue }
      // No source of its own, so a number that none has.
      entries.append(.init(id: -1 - Int64(index), state: state))
    }
  }

  /// Sources in a packed file that is known as a whole by this number of the reader.
  func members(ofFile number: Int64) -> [Int64] {
    let index = Int(-1 - number)
    return members.indices.contains(index) ? members[index] : []
  }

  private static func members(of files: [String], _ sources: [SourceRecord]) -> [[Int64]] {
    let places = Dictionary(files.enumerated().map { ($1, $0) }, uniquingKeysWith: { $1 })
    var members = Array(repeating: [Int64](), count: files.count)
    if files.isEmpty { return members }
    for source in sources {
      if let place = places[source.name] { members[place].append(source.id) }
      for slash in source.name.indices where source.name[slash] == "/" {
        if let place = places[String(source.name[..<slash])] { members[place].append(source.id) }
      }
    }
    return members
  }

  /// A source of this name that was too short to be recognised, and of which nothing was kept; nil if
  /// there is none, or it was taken.
  func shortSource(named name: String, except taken: Set<Int64>) -> Int64? {
    shortByName[name].flatMap { taken.contains($0) ? nil : $0 }
  }

  /// A source of the same content as a known one, of this name if there is one; nil if all were taken.
  func source(like known: Int64, name: String, except taken: Set<Int64>) -> Int64? {
    guard let mark = marks[known] else { return nil }
    let free = (byState[mark.state] ?? []).filter { !taken.contains($0) }
    return free.first { sources[$0]?.name == name } ?? (free.contains(known) ? known : free.first)
  }

  // MARK: The decision

  /// By how much of a source its format is found.
  private static let headBytes: Int64 = 64 << 10

  private struct Decision {
    var again = KnownSources.Again.never
    var keptOtherwise: KeptOtherwise?
  }

  /// Whether nothing came of a source, other than that there was nothing in it.
  private static func isUnusable(_ source: SourceRecord) -> Bool {
    source.kept + source.duplicate == 0
      && (source.noted > 0 || source.adapter.isEmpty || source.linesRead == 0)
  }

  private static func decide(
    _ source: SourceRecord, _ mark: SourceMark, _ said: SaidOfSource, _ options: IngestOptions
  ) -> Decision {
    if isUnusable(source) { return Decision(again: .always) }
    let before = mark.said ?? SaidOfSource()
    let hints = options.hints
    let hasRecords = source.kept + source.duplicate > 0
    var decision = Decision()
    // One piece; or so short that its format may be seen better now; or with a last piece of which it
    // is not known what it gave.
    let isWhole = mark.isDocument || source.adapter == "release-facts"
    let isShort = !hasRecords && mark.state.contentLengthBytes < headBytes
    if isWhole || isShort || (mark.said == nil && mark.state.unterminatedLengthBytes > 0) {
      decision.again = .ifLonger
    }
    func contradict(_ what: KeptOtherwise) {
      if hasRecords { decision.keptOtherwise = what }
    }
    if said.payloads != 0, before.payloads == 0 { contradict(.payloads) }
    if said.attributes != 0, said.attributes != before.attributes,
      AdapterRegistry.adapter(id: source.adapter)?.takesAttributeNames == true
    {
      decision.again = .always
      contradict(.attributes)
    }
    if let time = hints.assumedTime {
      if let known = source.assumedTime, known != time {
        contradict(.time)
      } else if source.noted > 0, said.time != before.time {
        decision.again = .always
      }
    }
    if let year = hints.assumedYear {
      if let known = source.assumedYear, known != year {
        contradict(.year(known))
      } else if source.noted > 0, said.year != before.year {
        decision.again = .always
      }
    }
    if hints.saysZone, let known = source.assumedZone, known != hints.zoneText {
      contradict(.zone(known))
      // Its times would be read as others, and each record would be there twice.
      if hasRecords { decision.again = .never }
    }
    let isFacts = source.adapter == "release-facts" && options.mayBeFacts(source.name)
    if let format = options.adapter, format != source.adapter, !isFacts {
      contradict(.format(source.adapter))
      decision.again = .always
    }
    return decision
  }
}
