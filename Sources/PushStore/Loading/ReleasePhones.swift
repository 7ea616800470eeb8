import PushModel

/// The notifications of one release by installation.
///
/// A phone that changed its OS version counts once as an installation, and once for each version where
/// versions are told apart.
struct ReleasePhones {
  /// What the rows of one installation say of its log.
  private struct Marks {
    var logs = false
    var isGapless = true
  }

  private var all = InstallationUnits()
  private var ofMix = MixKind.allCases.map { _ in InstallationUnits() }
  private var installations: [Int64] = []
  private var marks: [Marks] = []
  /// Notifications.
  private(set) var notifications = 0
  /// Notifications by link, as in `day_answer`.
  private(set) var links = [0, 0, 0, 0]

  /// Counts by what the rows of the two queries have beside them.
  struct RowCounts {
    fileprivate var counts: [UInt64: Int] = [:]

    /// Adds rows of `span_release_installations`.
    mutating func add(_ statement: Statement) throws(StoreError) {
      defer { statement.reset() }
      while try statement.step() {
        counts[ReleasePhones.hash(statement), default: 0] += Int(statement.integer(11))
      }
    }
  }

  private static func hash(_ row: Statement) -> UInt64 {
    let kinds = row.integer(4) << 24 | row.integer(5) << 16
    let small = kinds | row.integer(8) << 8 | row.integer(9) << 1 | row.integer(10)
    let phone = StableHash.mix(
      UInt64(bitPattern: row.integer(0)) ^ StableHash.k0, UInt64(bitPattern: row.integer(3)))
    let cause = StableHash.mix((row.hash(6) ?? 1) ^ StableHash.k1, row.hash(7) ?? 2)
    return StableHash.mix(phone ^ UInt64(bitPattern: small), cause ^ StableHash.k2)
  }

  /// Reads the rows of `release_installations` or `span_release_installations`, `less` those.
  init(
    _ statement: Statement, words: StepWords, less others: RowCounts = RowCounts()
  ) throws(StoreError) {
    defer { statement.reset() }
    var phone: Int64?
    var installation: Int64?
    var whole = 0
    var parts = [0, 0]
    while try statement.step() {
      guard let judgement = Judgement(rawValue: UInt8(truncatingIfNeeded: statement.integer(5)))
      else { continue }
      var count = Int(statement.integer(11))
      if !others.counts.isEmpty {
        count -= others.counts[ReleasePhones.hash(statement)] ?? 0
        guard count > 0 else { continue }
      }
      // There may be a hundred thousand rows: texts and places are looked up once for those that follow
      // each other.
      let isNewPhone = phone != statement.integer(0)
      if isNewPhone {
        phone = statement.integer(0)
        all.begin("")
        for kind in MixKind.allCases {
          ofMix[Int(kind.rawValue)].begin(statement.text(kind == .osVersion ? 1 : 2))
        }
      }
      if isNewPhone || installation != statement.integer(3) {
        let id = statement.integer(3)
        installation = id
        whole = all.place(id)
        for kind in parts.indices { parts[kind] = ofMix[kind].place(id) }
        if whole == installations.count {
          installations.append(id)
          marks.append(Marks())
        }
      }
      let group = MeantGroup(rawValue: UInt8(truncatingIfNeeded: statement.integer(4))) ?? .other
      notifications += count
      let link = Int(statement.integer(8))
      if links.indices.contains(link) { links[link] += count }
      // 2 is a send without a device record; without a send there is nothing but device records.
      if link != 2 { marks[whole].logs = true }
      if statement.integer(9) == 0 { marks[whole].isGapless = false }
      // What is as meant has no step.
      let step = judgement == .asMeant ? nil : words.step(statement, 6)
      let cause = judgement == .broken ? words.cause(statement, 7) : nil
      if statement.integer(10) != 0 {
        all.addOnlyAccepted(count, to: whole, group)
        for kind in parts.indices { ofMix[kind].addOnlyAccepted(count, to: parts[kind], group) }
        continue
      }
      all.add(count, to: whole, group, judgement, step, cause)
      for kind in parts.indices {
        ofMix[kind].add(count, to: parts[kind], group, judgement, step, cause)
      }
    }
  }

  /// Installations sent to.
  var count: Int { installations.count }
  /// Installations with a device record of one of the notifications whose log has no gap around any.
  var gapless: Int { marks.count { $0.logs && $0.isGapless } }
  /// Installations with a device record of one of the notifications.
  var logging: Int { marks.count { $0.logs } }
  /// The others.
  var silent: [Int64] { zip(installations, marks).filter { !$0.1.logs }.map(\.0) }

  /// Installations with a broken notification of one cause, in order.
  func installations(with key: StepAndCause) -> [Int64] {
    Set(all.broken[key]?.map { installations[$0.unit] } ?? []).sorted()
  }

  /// A spread over all installations, and by OS version and device model.
  struct Spreads {
    var all = PhoneSpread()
    var ofMix: [MixKind: [String: PhoneSpread]] = [:]
  }

  /// The broken ones of each cause, over the notifications that ``StepCounts/tally(_:concerns:)``
  /// counts as told.
  func spreads(_ keys: [StepAndCause], concerns: StepConcerns) -> [StepAndCause: Spreads] {
    var spreads: [StepAndCause: Spreads] = [:]
    for (step, keys) in Dictionary(grouping: keys, by: \.step) {
      let whole = all.spreads(keys, told: all.told(step, concerns))
      for (key, spread) in zip(keys, whole) {
        spreads[key, default: Spreads()].all = spread[""] ?? PhoneSpread()
      }
      for kind in MixKind.allCases {
        let units = ofMix[Int(kind.rawValue)]
        let parts = units.spreads(keys, told: units.told(step, concerns))
        for (key, spread) in zip(keys, parts) { spreads[key]?.ofMix[kind] = spread }
      }
    }
    return spreads
  }

  /// All broken ones.
  func spread() -> Spreads {
    var spreads = Spreads()
    spreads.all = all.spread()[""] ?? PhoneSpread()
    for kind in MixKind.allCases { spreads.ofMix[kind] = ofMix[Int(kind.rawValue)].spread() }
    return spreads
  }
}

/// Notifications of installations, or of parts of them: those on one OS version, or of one model.
private struct InstallationUnits {
  /// Notifications of which sight was lost.
  private struct Lost {
    var unit: Int
    var group: MeantGroup
    var step: StepID?
    var count: Int
  }
  /// Broken notifications of one unit.
  struct Broken {
    var unit: Int
    var count: Int
  }
  private var strata: [String] = []
  /// By hash of installation and stratum.
  private let places = HashTable<Int32>()
  private var stratum = 0
  /// The stratum of each unit.
  private var strataOfUnits: [Int] = []
  /// As meant or broken, by group and unit.
  private var decided = [[Int]](repeating: [], count: MeantGroup.allCases.count)
  /// As meant as far as APNs' answer tells, by group and unit.
  private var onlyAccepted = [[Int]](repeating: [], count: MeantGroup.allCases.count)
  /// Undetermined, with the step behind which sight was lost.
  private var lost: [Lost] = []
  /// By step and cause; a unit may come several times.
  private(set) var broken: [StepAndCause: [Broken]] = [:]
  /// Broken ones by unit.
  private var allBroken: [Int] = []

  /// Units that follow belong to a stratum.
  mutating func begin(_ name: String) {
    if let known = strata.firstIndex(of: name) {
      stratum = known
    } else {
      stratum = strata.count
      strata.append(name)
    }
  }

  /// The unit of an installation in the stratum.
  mutating func place(_ installation: Int64) -> Int {
    let key = StableHash.mix(
      UInt64(bitPattern: installation) ^ StableHash.k0, UInt64(stratum) ^ StableHash.k1)
    if let known = places[key] { return Int(known) }
    let place = strataOfUnits.count
    places[key] = Int32(place)
    strataOfUnits.append(stratum)
    allBroken.append(0)
    for group in decided.indices {
      decided[group].append(0)
      onlyAccepted[group].append(0)
    }
    return place
  }

  mutating func addOnlyAccepted(_ count: Int, to unit: Int, _ group: MeantGroup) {
    onlyAccepted[Int(group.rawValue)][unit] += count
  }

  mutating func add(
    _ count: Int, to unit: Int, _ group: MeantGroup, _ judgement: Judgement, _ step: StepID?,
    _ cause: CauseID?
  ) {
    switch judgement {
    case .asMeant, .broken: decided[Int(group.rawValue)][unit] += count
    case .cannotTell, .conflicting:
      lost.append(Lost(unit: unit, group: group, step: step, count: count))
      return
    }
    guard judgement == .broken else { return }
    allBroken[unit] += count
    if let step {
      broken[StepAndCause(step: step, cause: cause), default: []]
        .append(Broken(unit: unit, count: count))
    }
  }

  /// Notifications of each unit that can be told at a step, as ``StepCounts/tally(_:concerns:)`` counts
  /// them of a release.
  func told(_ step: StepID, _ concerns: StepConcerns) -> [Int] {
    var told = [Int](repeating: 0, count: strataOfUnits.count)
    let isOpenIfOnlyAccepted = concerns.isOpenIfOnlyAccepted(step)
    for group in MeantGroup.allCases where concerns[step, group] {
      let decided = decided[Int(group.rawValue)]
      for unit in told.indices { told[unit] += decided[unit] }
      guard !isOpenIfOnlyAccepted else { continue }
      let accepted = onlyAccepted[Int(group.rawValue)]
      for unit in told.indices { told[unit] += accepted[unit] }
    }
    let isOpenBehind = StepID.allCases.map {
      // Counts of releases say no stage.
      concerns.isOpen(step, behind: $0, isUnaccepted: false)
    }
    for entry in lost where concerns[step, entry.group] {
      if let behind = entry.step, !isOpenBehind[behind.place] { told[entry.unit] += entry.count }
    }
    return told
  }

  /// The spread of each cause by stratum.
  func spreads(_ keys: [StepAndCause], told: [Int]) -> [[String: PhoneSpread]] {
    let whole = spread(told)
    var counts = [Int](repeating: 0, count: strataOfUnits.count)
    return keys.map { key in
      var units: [Int] = []
      for entry in broken[key] ?? [] {
        if counts[entry.unit] == 0 { units.append(entry.unit) }
        counts[entry.unit] += entry.count
      }
      let spread = named(whole, units, counts, told)
      for unit in units { counts[unit] = 0 }
      return spread
    }
  }

  /// The spread of all broken ones by stratum.
  func spread() -> [String: PhoneSpread] {
    var told = [Int](repeating: 0, count: strataOfUnits.count)
    for decided in decided { for unit in told.indices { told[unit] += decided[unit] } }
    return named(spread(told), allBroken.indices.filter { allBroken[$0] > 0 }, allBroken, told)
  }

  private func spread(_ told: [Int]) -> [PhoneSpread] {
    var spreads = [PhoneSpread](repeating: PhoneSpread(), count: strata.count)
    for (unit, stratum) in strataOfUnits.enumerated() where told[unit] > 0 {
      spreads[stratum].installations += 1
      spreads[stratum].squares += told[unit] * told[unit]
    }
    return spreads
  }

  private func named(
    _ spreads: [PhoneSpread], _ units: [Int], _ broken: [Int], _ told: [Int]
  ) -> [String: PhoneSpread] {
    var spreads = spreads
    for unit in units {
      spreads[strataOfUnits[unit]].carriers.append(
        PhoneSpread.Carrier(broken: broken[unit], told: max(broken[unit], told[unit])))
    }
    return Dictionary(uniqueKeysWithValues: zip(strata, spreads))
  }
}
