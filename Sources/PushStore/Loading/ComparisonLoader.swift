public import PushModel

/// A release as people give it: `5.1.0`, or `5.1.0(5101)` for one build.
public struct ReleaseName: Equatable, Sendable {
  /// Version.
  public var version: String
  /// Build; nil for all builds of the version.
  public var build: String?

  /// A release from its text; a blank before the build is allowed.
  public init?(_ text: String) {
    guard let open = text.firstIndex(of: "("), text.hasSuffix(")") else {
      guard !text.isEmpty, !text.contains("("), !text.contains(")") else { return nil }
      version = text
      return
    }
    version = String(text[..<open].reversed().drop { $0 == " " }.reversed())
    let inside = text[text.index(after: open)...].dropLast()
    guard !version.isEmpty, !inside.isEmpty, !inside.contains("(") else { return nil }
    build = String(inside)
  }

  /// `5.1.0` or `5.1.0(5101)`, as in the roll-ups.
  public var text: String { build.map { "\(version)(\($0))" } ?? version }

  func fits(_ other: ReleaseName) -> Bool {
    version == other.version && (build == nil || build == other.build)
  }
}

/// Why two releases cannot be compared.
public enum ComparisonProblem: Error, Equatable, Sendable {
  /// The text is no release.
  case notARelease(String)
  /// No notification went to it (of that app, in those days); the releases there are.
  case unknownRelease(String, app: String?, known: [String])
  /// Notifications went to it, but none in the days that are asked for; the days on which they did.
  case notInDays(String, from: Int64, to: Int64)
  /// Several apps have both releases.
  case severalApps([String])
  /// Both releases are there, but no app has both.
  case noCommonApp(baseline: String, candidate: String)
  /// The version has several builds.
  case severalBuilds(String, builds: [String])
  /// Both are the same release.
  case sameRelease(String)
}

/// Reads what the comparison of two releases shows, from the roll-ups: rows are read for examples, and
/// for what is known of installations where only some days of a release are asked for.
public struct ComparisonLoader {
  private let database: Database
  private let concerns: StepConcerns
  private let words = StepWords()

  /// Newest broken notifications of a cause that are looked through for those of the release.
  private static let candidates = 16
  /// Installations up to which their own rows of a day are looked at, and not all broken ones.
  private static let mostLookedAt = 1000

  /// A loader on one connection; `concerns` says for which notifications each step matters.
  public init(database: Database, concerns: StepConcerns) {
    self.database = database
    self.concerns = concerns
  }

  private struct Stored {
    var app: String
    var name: ReleaseName
    var text: String
    var firstDay: Int64
    var lastDay: Int64
  }

  /// The tables of two releases, given as people type them.
  ///
  /// - Parameters:
  ///   - baseline: the release compared against.
  ///   - candidate: the release in question.
  ///   - app: bundle id, needed where several apps have both.
  ///   - from: first UTC day, days since 1970; nil for the first with a send.
  ///   - to: last UTC day; nil for the newest with a send.
  /// - Throws: ``ComparisonProblem`` for the releases, ``StoreError`` for the database.
  public func load(
    baseline: String, candidate: String, app: String? = nil, from: Int64? = nil, to: Int64? = nil
  ) throws -> ComparisonTables {
    guard let first = ReleaseName(baseline) else { throw ComparisonProblem.notARelease(baseline) }
    guard let second = ReleaseName(candidate) else {
      throw ComparisonProblem.notARelease(candidate)
    }
    guard first != second else { throw ComparisonProblem.sameRelease(first.text) }
    if from != nil || to != nil {
      try findOutside([first, second], app: app, among: releases(from: from, to: to))
    }
    let (old, new) = try choose(first, second, app: app, from: from, to: to)

    var tables = ComparisonTables(baseline: side(old), candidate: side(new))
    let oldCounts = try counts(old)
    let newCounts = try counts(new)
    fill(&tables.baseline, oldCounts)
    fill(&tables.candidate, newCounts)
    let oldPhones = try installations(old, of: oldCounts.total.total)
    let newPhones = try installations(new, of: newCounts.total.total)
    let examples = try examples(
      new, of: newCounts.broken.mapValues(\.all), among: newPhones)
    tables.causes = Set(oldCounts.broken.keys).union(newCounts.broken.keys).sorted().map { key in
      ComparedCause(
        step: key.step, cause: key.cause, baseline: oldCounts.tally(key, concerns: concerns),
        candidate: newCounts.tally(key, concerns: concerns), examples: examples[key] ?? [])
    }
    try compareMixes(old, new, into: &tables)
    if let oldPhones { try fill(&tables.baseline, oldPhones) }
    if let newPhones { try fill(&tables.candidate, newPhones) }
    if let oldPhones, let newPhones { spread(oldPhones, newPhones, into: &tables) }
    let durations = (try self.durations(old), try self.durations(new))
    tables.timings = [
      ComparedTiming(
        kind: .download, baseline: durations.0.download, candidate: durations.1.download),
      ComparedTiming(
        kind: .handler, baseline: durations.0.handler, candidate: durations.1.handler),
    ]
    try compareFacts(old, new, into: &tables)
    return tables
  }

  // MARK: Which releases

  /// The two releases over the days with sends. Days beyond are those of phones whose clock is wrong,
  /// unless only phones know of one of the releases.
  private func choose(
    _ first: ReleaseName, _ second: ReleaseName, app: String?, from: Int64?, to: Int64?
  ) throws -> (Stored, Stored) {
    if let sent = try database.sentDays(), from == nil || to == nil {
      do {
        return try choose(
          first, second, app: app,
          among: releases(from: from ?? sent.lowerBound, to: to ?? sent.upperBound))
      } catch ComparisonProblem.unknownRelease, ComparisonProblem.noCommonApp {
        // All days are asked below.
      }
    }
    return try choose(first, second, app: app, among: releases(from: from, to: to))
  }

  private func releases(from: Int64?, to: Int64?) throws(StoreError) -> [Stored] {
    let days = try database.named("days_with_data")
    defer { days.reset() }
    let next = try database.named("next_release")
    var places: [String: Int] = [:]
    var releases: [Stored] = []
    while try days.step() {
      let day = days.integer(0)
      guard day >= from ?? day, day <= to ?? day else { continue }
      var app = ""
      var text = ""
      while true {
        next.bind("day", day)
        next.bind("app", app)
        next.bind("release", text)
        defer { next.reset() }
        guard try next.step() else { break }
        app = next.text(0)
        text = next.text(1)
        guard let name = ReleaseName(text) else { continue }
        let key = "\(app)\u{1f}\(text)"
        if let place = places[key] {
          releases[place].lastDay = day
        } else {
          places[key] = releases.count
          releases.append(Stored(app: app, name: name, text: text, firstDay: day, lastDay: day))
        }
      }
    }
    return releases.sorted { ($0.app, $0.text) < ($1.app, $1.text) }
  }

  /// Tells of a release that has notifications, but none in the days that are asked for.
  private func findOutside(
    _ wanted: [ReleaseName], app: String?, among inDays: [Stored]
  ) throws {
    func of(_ name: ReleaseName, _ stored: [Stored]) -> [Stored] {
      stored.filter { (app == nil || $0.app == app) && name.fits($0.name) }
    }
    let missing = wanted.filter { of($0, inDays).isEmpty }
    if missing.isEmpty { return }
    let all = try releases(from: nil, to: nil)
    for name in missing {
      let found = of(name, all)
      guard let first = found.map(\.firstDay).min(), let last = found.map(\.lastDay).max() else {
        continue
      }
      throw ComparisonProblem.notInDays(name.text, from: first, to: last)
    }
  }

  private func choose(
    _ first: ReleaseName, _ second: ReleaseName, app: String?, among all: [Stored]
  ) throws(ComparisonProblem) -> (Stored, Stored) {
    let ofApp = all.filter { app == nil || $0.app == app }
    let olds = ofApp.filter { first.fits($0.name) }
    let news = ofApp.filter { second.fits($0.name) }
    for (wanted, found) in [(first, olds), (second, news)] where found.isEmpty {
      let known = (ofApp.isEmpty ? all : ofApp).map {
        $0.app.isEmpty ? $0.text : "\($0.text) of \($0.app)"
      }
      throw .unknownRelease(wanted.text, app: app, known: known)
    }
    let apps = Set(olds.map(\.app)).intersection(news.map(\.app)).sorted()
    guard let common = apps.first else {
      throw .noCommonApp(baseline: first.text, candidate: second.text)
    }
    guard apps.count == 1 else { throw .severalApps(apps) }
    return (
      try only(first, olds.filter { $0.app == common }),
      try only(second, news.filter { $0.app == common })
    )
  }

  private func only(_ wanted: ReleaseName, _ found: [Stored]) throws(ComparisonProblem) -> Stored {
    guard found.count == 1, let one = found.first else {
      throw .severalBuilds(wanted.text, builds: found.map(\.text))
    }
    return one
  }

  // MARK: Counts

  private func side(_ release: Stored) -> ReleaseSide {
    var side = ReleaseSide(
      bundle: release.app, version: release.name.version, build: release.name.build)
    // Roll-ups know days, not moments.
    side.from = release.firstDay * RowID.microsecondsOfDay
    side.to = (release.lastDay + 1) * RowID.microsecondsOfDay - 1
    return side
  }

  private func rows(_ query: String, _ release: Stored) throws(StoreError) -> Statement {
    let rows = try database.named(query)
    rows.bind("app", release.app)
    rows.bind("release", release.text)
    rows.bind("from_day", release.firstDay)
    rows.bind("to_day", release.lastDay)
    return rows
  }

  private func counts(_ release: Stored) throws(StoreError) -> StepCounts {
    var counts = StepCounts()
    try counts.add(try rows("release_counts", release), words: words, countsStages: false)
    let replaced = try rows("release_replaced", release)
    defer { replaced.reset() }
    while try replaced.step() {
      counts.addReplaced(Int(replaced.integer(3)), group: group(replaced))
    }
    return counts
  }

  /// The group of meanings in the first column.
  private func group(_ row: Statement) -> MeantGroup {
    MeantGroup(rawValue: UInt8(truncatingIfNeeded: row.integer(0))) ?? .other
  }

  private func fill(_ side: inout ReleaseSide, _ counts: StepCounts) {
    side.judgements = counts.total
    side.notifications = counts.total.total
  }

  private func durations(_ release: Stored) throws(StoreError) -> Durations {
    var durations = Durations()
    try durations.addBuckets(try rows("release_timings", release))
    return durations
  }

  /// The newest notifications of each cause in the release's days, up to ``DailyLoader/examples``.
  ///
  /// Most are found among the newest day's broken ones. The others are looked for day by day: where
  /// few installations have what is still missing, by their rows of the day, which lie together.
  private func examples(
    _ release: Stored, of counts: [StepAndCause: Int], among phones: ReleasePhones?
  ) throws(StoreError) -> [StepAndCause: [ExampleRow]] {
    var search = ExampleSearch(
      wanted: counts.mapValues { min($0, DailyLoader.examples) }, release: release)
    let newest = DaySpan(utcDay: release.lastDay)
    let reader = try ExampleReader(database: database)
    try search.add(try brokenSteps(newest, newest.rows), reader)
    let carriers = Dictionary(
      uniqueKeysWithValues: search.missing.map { ($0, phones?.installations(with: $0)) })
    var day = release.lastDay
    while day >= release.firstDay, !search.missing.isEmpty {
      let span = DaySpan(utcDay: day)
      var installations: Set<Int64>? = []
      for key in search.missing {
        guard let known = carriers[key] ?? nil else {
          installations = nil
          break
        }
        installations?.formUnion(known)
      }
      if let installations, installations.count <= Self.mostLookedAt {
        var found: [StepAndCause: [NewestSteps.Row]] = [:]
        for installation in installations {
          let first = RowID.first(day: day, installation: installation)
          let last = first | RowID.ofInstallation
          found.merge(try brokenSteps(span, first...last), uniquingKeysWith: +)
        }
        for key in found.keys { found[key]?.sort { ($0.at, $0.id) > ($1.at, $1.id) } }
        try search.add(found, reader)
      } else if day != release.lastDay {
        try search.add(try brokenSteps(span, span.rows), reader)
      }
      day -= 1
    }
    return search.examples
  }

  /// The newest broken notifications of each step and cause in a range of rows.
  private func brokenSteps(
    _ span: DaySpan, _ rows: ClosedRange<Int64>
  ) throws(StoreError) -> [StepAndCause: [NewestSteps.Row]] {
    let statement = try database.named("broken_steps")
    statement.bind("first", rows.lowerBound)
    statement.bind("last", rows.upperBound)
    statement.bind("from", span.microseconds.lowerBound)
    statement.bind("to", span.microseconds.upperBound)
    return try NewestSteps(statement, words: words, keeping: ComparisonLoader.candidates)
      .broken
  }

  /// Examples of one release that were found, and those that are missing.
  private struct ExampleSearch {
    var wanted: [StepAndCause: Int]
    var release: Stored
    private(set) var examples: [StepAndCause: [ExampleRow]] = [:]
    private var seen: Set<Int64> = []

    init(wanted: [StepAndCause: Int], release: Stored) {
      self.wanted = wanted
      self.release = release
    }

    /// Causes with fewer examples than there are.
    var missing: [StepAndCause] {
      wanted.filter { (examples[$0.key]?.count ?? 0) < $0.value }.map(\.key)
    }

    /// Takes those of the release; `rows` are newest first.
    mutating func add(
      _ rows: [StepAndCause: [NewestSteps.Row]], _ reader: ExampleReader
    ) throws(StoreError) {
      for key in missing {
        for row in rows[key] ?? []
        where (examples[key]?.count ?? 0) < DailyLoader.examples && seen.insert(row.id).inserted {
          guard let example = try reader.example(row), example.judgement == .broken,
            example.app == release.app, example.version == release.name.version,
            example.build == release.name.build
          else { continue }
          examples[key, default: []].append(try reader.shown(example))
        }
      }
    }
  }

  // MARK: Phones

  /// Counts of a release by OS version and by device model.
  private func phones(_ release: Stored) throws(StoreError) -> [MixKind: [String: StepCounts]] {
    let rows = try rows("release_phones", release)
    defer { rows.reset() }
    var phones: [MixKind: [String: StepCounts]] = [:]
    while try rows.step() {
      for (kind, column) in [(MixKind.osVersion, 7), (MixKind.deviceModel, 8)] {
        phones[kind, default: [:]][rows.text(column), default: StepCounts()]
          .addRow(of: rows, words: words)
      }
    }
    let replaced = try self.rows("release_replaced", release)
    defer { replaced.reset() }
    while try replaced.step() {
      for (kind, column) in [(MixKind.osVersion, 1), (MixKind.deviceModel, 2)] {
        phones[kind, default: [:]][replaced.text(column), default: StepCounts()]
          .addReplaced(Int(replaced.integer(3)), group: group(replaced))
      }
    }
    return phones
  }

  private func compareMixes(
    _ old: Stored, _ new: Stored, into tables: inout ComparisonTables
  ) throws(StoreError) {
    let before = try phones(old)
    let after = try phones(new)
    for kind in MixKind.allCases {
      let (first, second) = (before[kind] ?? [:], after[kind] ?? [:])
      guard !first.isEmpty, !second.isEmpty else { continue }
      let values = Set(first.keys).union(second.keys).sorted().map { value in
        (value, first[value] ?? StepCounts(), second[value] ?? StepCounts())
      }
      tables.mixes.append(
        ReleaseMix(
          kind: kind,
          rows: values.map { value, first, second in
            MixRow(
              value: value.isEmpty ? nil : value, baseline: first.total, candidate: second.total)
          }))
      for index in tables.causes.indices {
        let key = StepAndCause(step: tables.causes[index].step, cause: tables.causes[index].cause)
        tables.causes[index].strata.append(
          Strata(
            kind: kind,
            pairs: values.map { _, first, second in
              Strata.Pair(
                baseline: first.tally(key, concerns: concerns),
                candidate: second.tally(key, concerns: concerns))
            }))
      }
    }
  }

  // MARK: Installations

  /// What is known by installation; nil if it is not of all notifications of the roll-ups.
  private func installations(_ release: Stored, of notifications: Int) throws(StoreError)
    -> ReleasePhones?
  {
    let all = try ReleasePhones(
      try installationRows("release_installations", release), words: words)
    if all.notifications == notifications { return all }
    // Counts by installation know no days. Often the others are those of phones whose clock is wrong,
    // with few notifications: these are read and taken off.
    let others = try otherDays(of: release)
    let further = others.reduce(0) { $0 + $1.notifications }
    if all.notifications == notifications + further, further <= notifications {
      var beyond = ReleasePhones.RowCounts()
      for other in others { try beyond.add(try rows(of: release, other.day...other.day)) }
      let counted = try ReleasePhones(
        try installationRows("release_installations", release), words: words, less: beyond)
      if counted.notifications == notifications { return counted }
    }
    let read = try ReleasePhones(
      try rows(of: release, release.firstDay...release.lastDay), words: words)
    return read.notifications == notifications ? read : nil
  }

  /// Days that are not compared and have notifications of a release, with their number.
  private func otherDays(
    of release: Stored
  ) throws(StoreError) -> [(day: Int64, notifications: Int)] {
    let days = try database.named("days_with_data")
    defer { days.reset() }
    var others: [(day: Int64, notifications: Int)] = []
    while try days.step() {
      let day = days.integer(0)
      guard !(release.firstDay...release.lastDay).contains(day) else { continue }
      var other = release
      other.firstDay = day
      other.lastDay = day
      let total = try counts(other).total.total
      if total > 0 { others.append((day, total)) }
    }
    return others
  }

  private func rows(of release: Stored, _ days: ClosedRange<Int64>) throws(StoreError)
    -> Statement
  {
    let rows = try installationRows("span_release_installations", release)
    rows.bind("first", days.lowerBound << 48)
    rows.bind("last", days.upperBound << 48 | (1 << 48 - 1))
    return rows
  }

  private func installationRows(_ query: String, _ release: Stored) throws(StoreError)
    -> Statement
  {
    let rows = try database.named(query)
    rows.bind("app", release.app)
    rows.bind("version", release.name.version)
    rows.bind("build", release.name.build ?? "")
    return rows
  }

  private func fill(_ side: inout ReleaseSide, _ phones: ReleasePhones) throws(StoreError) {
    side.installationsSeen = phones.count
    side.installationsGapless = phones.gapless
    side.linkedExactly = phones.links[0]
    side.linkedByGuess = phones.links[1]
    side.withoutDeviceRecord = phones.links[2]
    // Most have logged for one of these notifications; only the others are looked up.
    let query = try database.named("installation_logs")
    var logging = phones.logging
    for installation in phones.silent {
      query.bind("installation", installation)
      defer { query.reset() }
      if try query.step(), query.integer(0) != 0 { logging += 1 }
    }
    side.installationsEverLogged = logging
  }

  private func spread(
    _ old: ReleasePhones, _ new: ReleasePhones, into tables: inout ComparisonTables
  ) {
    let all = (old.spread(), new.spread())
    tables.baseline.spread = all.0.all
    tables.candidate.spread = all.1.all
    for mix in tables.mixes.indices {
      let kind = tables.mixes[mix].kind
      for row in tables.mixes[mix].rows.indices {
        let value = tables.mixes[mix].rows[row].value ?? ""
        tables.mixes[mix].rows[row].baselineSpread = all.0.ofMix[kind]?[value] ?? PhoneSpread()
        tables.mixes[mix].rows[row].candidateSpread = all.1.ofMix[kind]?[value] ?? PhoneSpread()
      }
    }
    let keys = tables.causes.map { StepAndCause(step: $0.step, cause: $0.cause) }
    let ofOld = old.spreads(keys, concerns: concerns)
    let ofNew = new.spreads(keys, concerns: concerns)
    for (index, key) in keys.enumerated() {
      let found = (ofOld[key], ofNew[key])
      tables.causes[index].baselineSpread = found.0?.all
      tables.causes[index].candidateSpread = found.1?.all
      for place in tables.causes[index].strata.indices {
        let kind = tables.causes[index].strata[place].kind
        // Pairs stand in the order of the mix's rows.
        let values = tables.mixes.first { $0.kind == kind }?.rows.map { $0.value ?? "" } ?? []
        for (pair, value) in zip(tables.causes[index].strata[place].pairs.indices, values) {
          tables.causes[index].strata[place].pairs[pair].baselineSpread =
            found.0?.ofMix[kind]?[value] ?? PhoneSpread()
          tables.causes[index].strata[place].pairs[pair].candidateSpread =
            found.1?.ofMix[kind]?[value] ?? PhoneSpread()
        }
      }
    }
  }

  // MARK: Facts

  private func facts(_ release: Stored) throws(StoreError) -> [String: Known<String>] {
    let rows = try database.named("release_facts")
    rows.bind("app", release.app)
    rows.bind("version", release.name.version)
    rows.bind("build", release.name.build ?? "")
    defer { rows.reset() }
    var facts: [String: Known<String>] = [:]
    while try rows.step() {
      facts[rows.text(0)] = rows.optionalText(1).map { .known($0) } ?? .missing
    }
    return facts
  }

  /// Facts that name one build, and so differ between any two.
  private func differsAnyway(_ path: String) -> Bool {
    [
      "uuid[", "profile.uuid", "profile.expires_at", "CFBundleVersion",
      "CFBundleShortVersionString",
    ]
    .contains { path.contains($0) } || path == "version" || path == "build"
  }

  private func compareFacts(
    _ old: Stored, _ new: Stored, into tables: inout ComparisonTables
  ) throws(StoreError) {
    let before = try facts(old)
    let after = try facts(new)
    tables.baseline.hasFacts = !before.isEmpty
    tables.candidate.hasFacts = !after.isEmpty
    guard !before.isEmpty, !after.isEmpty else { return }
    for name in Set(before.keys).union(after.keys).sorted() where !differsAnyway(name) {
      let values = (before[name] ?? .unknown, after[name] ?? .unknown)
      if values.0 != values.1 {
        tables.facts.append(FactDifference(name: name, baseline: values.0, candidate: values.1))
      }
    }
  }
}
