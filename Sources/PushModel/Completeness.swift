/// What a source shows of its own completeness: counts of what was seen while it was read.
///
/// A format may be able to prove that something did not happen; a source of it that says itself that
/// lines were lost, or that shows that others were never in it, cannot.
public struct Completeness: Hashable, Sendable {
  /// Levels of log lines, by how much they say.
  public struct Levels: OptionSet, Hashable, Sendable {
    /// One bit a level.
    public let rawValue: UInt8
    /// A set of levels.
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// For who debugs the program that logs; hardly ever stored on a phone.
    public static let debug = Levels(rawValue: 1)
    /// What helps, and is mostly not stored either.
    public static let info = Levels(rawValue: 2)
    /// What is always kept: "default" or "notice".
    public static let standard = Levels(rawValue: 4)
    /// What went wrong, faults too.
    public static let error = Levels(rawValue: 8)

    /// The words for them, in order.
    public var names: [String] {
      [(Levels.debug, "debug"), (.info, "info"), (.standard, "default"), (.error, "error")]
        .compactMap { contains($0.0) ? $0.1 : nil }
    }
  }

  /// Processes of the phone that say something of nearly every notification, and that quiet or
  /// filtered captures leave out.
  public struct Processes: OptionSet, Hashable, Sendable {
    /// One bit a process.
    public let rawValue: UInt8
    /// A set of processes.
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// Takes pushes from APNs.
    public static let apsd = Processes(rawValue: 1)
    /// Admits and presents them.
    public static let springBoard = Processes(rawValue: 2)
    /// Starts and ends extensions.
    public static let runningboardd = Processes(rawValue: 4)
    /// Wakes apps in the background.
    public static let dasd = Processes(rawValue: 8)
    /// Kills for memory.
    public static let kernel = Processes(rawValue: 16)
    /// All of them.
    public static let all: Processes = [.apsd, .springBoard, .runningboardd, .dasd, .kernel]

    /// Their names, in order.
    public var names: [String] {
      [
        (Processes.apsd, "apsd"), (.springBoard, "SpringBoard"),
        (.runningboardd, "runningboardd"), (.dasd, "dasd"), (.kernel, "kernel"),
      ].compactMap { contains($0.0) ? $0.1 : nil }
    }
  }

  /// Records of the source that say that lines were lost.
  public var lossRecords: Int64 = 0
  /// How many lines they say were lost, at least.
  public var lostLines: Int64 = 0
  /// Lines in which a value was hidden when the log was taken (`<private>`).
  public var hiddenLines: Int64 = 0
  /// Lines by which the source says that it was filtered.
  public var filterNotes: Int64 = 0
  /// Log lines of a phone's processes.
  public var systemLines: Int64 = 0
  /// Levels that were seen.
  public var levels: Levels = []
  /// Processes that were seen.
  public var processes: Processes = []
  /// Records that carry a number of their recorder's counter.
  public var numbered: Int64 = 0
  /// Records of a format with such numbers that carry none.
  public var unnumbered: Int64 = 0

  /// Nothing seen.
  public init() {}

  /// Adds what was seen in another part of the same source.
  public mutating func add(_ other: Completeness) {
    lossRecords += other.lossRecords
    lostLines += other.lostLines
    hiddenLines += other.hiddenLines
    filterNotes += other.filterNotes
    systemLines += other.systemLines
    levels.formUnion(other.levels)
    processes.formUnion(other.processes)
    numbered += other.numbered
    unnumbered += other.unnumbered
  }

  /// Takes the counts of a part back that is read once more. What was seen in it stays seen.
  public mutating func takeBack(_ part: Completeness) {
    lossRecords -= part.lossRecords
    lostLines -= part.lostLines
    hiddenLines -= part.hiddenLines
    filterNotes -= part.filterNotes
    systemLines -= part.systemLines
    numbered -= part.numbered
    unnumbered -= part.unnumbered
  }

  /// What shows that the source does not hold all that was logged, each a clause of its own; empty
  /// if nothing does.
  public var flaws: [String] {
    var flaws: [String] = []
    func count(_ number: Int64, _ one: String, _ more: String) -> String {
      "\(number) \(number == 1 ? one : more)"
    }
    if lossRecords > 0 {
      let lines =
        lostLines > 0
        ? "at least \(count(lostLines, "line", "lines")) were lost" : "lines were lost"
      flaws.append("\(count(lossRecords, "record says", "records say")) that \(lines)")
    }
    if filterNotes > 0 { flaws.append("it says that it was filtered") }
    if hiddenLines > 0 {
      flaws.append("\(count(hiddenLines, "line hides", "lines hide")) values as <private>")
    }
    guard systemLines > 0 else { return flaws }
    if !levels.isEmpty, !levels.isSuperset(of: [.debug, .info]) {
      let missing = Levels([.debug, .info]).subtracting(levels).names
      flaws.append("no line has the level \(missing.joined(separator: " or "))")
    }
    let silent = Processes.all.subtracting(processes).names
    if !silent.isEmpty {
      let list = silent.dropLast().joined(separator: ", ")
      flaws.append(
        "no line is of " + (list.isEmpty ? silent[0] : "\(list) or \(silent[silent.count - 1])"))
    }
    return flaws
  }
}

extension Absence {
  /// Whether what is missing in one source of the format proves anything, by what that source shows
  /// of its own completeness.
  ///
  /// - Parameter unreadable: lines of the source that could not be understood.
  public func inSource(_ seen: Completeness, unreadable: Int64) -> Absence {
    let flaws = seen.flaws
    switch self {
    case .neverProves:
      return flaws.isEmpty ? self : .neverProves(because: flaws.joined(separator: "; "))
    case .proves(let within):
      if seen.numbered == 0, seen.unnumbered > 0 {
        return .neverProves(because: "no record carries a number of a counter")
      }
      guard flaws.isEmpty else { return .neverProves(because: flaws.joined(separator: "; ")) }
      var text = within
      if unreadable > 0 {
        text += "; \(unreadable) lines could not be understood, and count as lost"
      }
      if seen.unnumbered > 0 { text += "; \(seen.unnumbered) records carry no number" }
      return .proves(within: text)
    }
  }
}
