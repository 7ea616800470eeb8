import PushModel

/// The notifications of one release by installation.
///
/// A phone that changed its OS version counts once as an installation, and once for each version where
/// versions are told apart.
struct ReleasePhones {
  /// Notifications of one installation that are alike.
  private struct Row {
    var judgement: Judgement
    var group: MeantGroup
    var step: StepID?
    var count: Int
    /// Places in ``all``, ``byOS`` and ``byModel``.
    var units: (all: Int32, os: Int32, model: Int32)
  }
  /// Installations, or parts of them, that are counted apart.
  private struct Units {
    struct Key: Hashable {
      var installation: Int64
      var value: String
    }
    /// OS version or device model of each; '' for the whole.
    private(set) var values: [String] = []
    private(set) var installations: [Int64] = []
    private var places: [Key: Int32] = [:]
    private var last = Key(installation: 0, value: "")
    private var lastPlace: Int32 = -1

    mutating func place(_ installation: Int64, _ value: String) -> Int32 {
      // Rows of one installation follow each other.
      let key = Key(installation: installation, value: value)
      if lastPlace >= 0, last == key { return lastPlace }
      last = key
      lastPlace = places[key] ?? Int32(values.count)
      if Int(lastPlace) == values.count {
        places[key] = lastPlace
        values.append(value)
        installations.append(installation)
      }
      return lastPlace
    }
  }
  /// What the rows of one installation say of its log.
  private struct Marks {
    var logs = false
    var isGapless = true
  }

  private var rows: [Row] = []
  private var broken: [StepAndCause: [Int]] = [:]
  private var all = Units()
  private var byOS = Units()
  private var byModel = Units()
  private var marks: [Marks] = []
  /// Notifications.
  private(set) var notifications = 0
  /// Notifications by link, as in `day_answer`.
  private(set) var links = [0, 0, 0, 0]

  /// Reads the rows of `release_installations` or `span_release_installations`.
  init(_ statement: Statement, words: StepWords) throws(StoreError) {
    defer { statement.reset() }
    var phone: UInt64?
    var os = ""
    var model = ""
    while try statement.step() {
      // Rows of one kind of phone follow each other: its texts are made once.
      let next = StableHash.mix(statement.hash(0) ?? 1, (statement.hash(1) ?? 2) ^ StableHash.k0)
      if next != phone {
        phone = next
        os = statement.text(0)
        model = statement.text(1)
      }
      guard let judgement = Judgement(rawValue: UInt8(truncatingIfNeeded: statement.integer(4)))
      else { continue }
      let installation = statement.integer(2)
      let count = Int(statement.integer(9))
      let row = Row(
        judgement: judgement,
        group: MeantGroup(rawValue: UInt8(truncatingIfNeeded: statement.integer(3))) ?? .other,
        step: words.step(statement, 5), count: count,
        units: (
          all.place(installation, ""), byOS.place(installation, os),
          byModel.place(installation, model)
        ))
      notifications += count
      let link = Int(statement.integer(7))
      if links.indices.contains(link) { links[link] += count }
      if marks.count < all.values.count { marks.append(Marks()) }
      // 2 is a send without a device record; without a send there is nothing but device records.
      if link != 2 { marks[Int(row.units.all)].logs = true }
      if statement.integer(8) == 0 { marks[Int(row.units.all)].isGapless = false }
      if judgement == .broken, let step = row.step {
        broken[StepAndCause(step: step, cause: words.cause(statement, 6)), default: []]
          .append(rows.count)
      }
      rows.append(row)
    }
  }

  /// Installations sent to.
  var count: Int { all.installations.count }
  /// Installations with a device record of one of the notifications whose log has no gap around any.
  var gapless: Int { marks.reduce(0) { $0 + ($1.logs && $1.isGapless ? 1 : 0) } }
  /// Installations with a device record of one of the notifications.
  var logging: Int { marks.reduce(0) { $0 + ($1.logs ? 1 : 0) } }
  /// The others.
  var silent: [Int64] {
    zip(all.installations, marks).filter { !$0.1.logs }.map(\.0)
  }

  /// Installations with a broken notification of one cause.
  func installations(with key: StepAndCause) -> Set<Int64> {
    Set((broken[key] ?? []).map { all.installations[Int(rows[$0].units.all)] })
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
      let causes = keys.map { (key: $0, rows: broken[$0] ?? []) }
      let found = self.spreads(of: causes.map(\.rows)) { row in
        guard concerns[step, row.group] else { return false }
        switch row.judgement {
        case .asMeant, .broken: return true
        case .cannotTell, .conflicting:
          guard let lost = row.step else { return false }
          return lost != step
            && !(step.place >= StepID.pathToDevice.place && lost.place < step.place)
        }
      }
      for (cause, spread) in zip(causes, found) { spreads[cause.key] = spread }
    }
    return spreads
  }

  /// All broken ones.
  func spread() -> Spreads {
    let broken = rows.indices.filter { rows[$0].judgement == .broken }
    return spreads(of: [broken]) { $0.judgement == .asMeant || $0.judgement == .broken }[0]
  }

  /// One spread for each list of rows that are broken; `isTold` says which rows count at all.
  private func spreads(of lists: [[Int]], isTold: (Row) -> Bool) -> [Spreads] {
    var told = (
      all: [Int](repeating: 0, count: all.values.count),
      os: [Int](repeating: 0, count: byOS.values.count),
      model: [Int](repeating: 0, count: byModel.values.count)
    )
    for row in rows where isTold(row) {
      told.all[Int(row.units.all)] += row.count
      told.os[Int(row.units.os)] += row.count
      told.model[Int(row.units.model)] += row.count
    }
    let whole = Self.strata(all, told.all)
    let ofOS = Self.strata(byOS, told.os)
    let ofModel = Self.strata(byModel, told.model)
    return lists.map { list in
      var spreads = Spreads()
      spreads.all =
        Self.add(rows, list, all, told.all, \.units.all, to: whole)[""] ?? PhoneSpread()
      spreads.ofMix[.osVersion] = Self.add(rows, list, byOS, told.os, \.units.os, to: ofOS)
      spreads.ofMix[.deviceModel] = Self.add(
        rows, list, byModel, told.model, \.units.model, to: ofModel)
      return spreads
    }
  }

  private static func strata(_ units: Units, _ told: [Int]) -> [String: PhoneSpread] {
    var strata: [String: PhoneSpread] = [:]
    for (value, told) in zip(units.values, told) where told > 0 {
      strata[value, default: PhoneSpread()].installations += 1
      strata[value, default: PhoneSpread()].squares += told * told
    }
    return strata
  }

  private static func add(
    _ rows: [Row], _ list: [Int], _ units: Units, _ told: [Int], _ unit: KeyPath<Row, Int32>,
    to strata: [String: PhoneSpread]
  ) -> [String: PhoneSpread] {
    var strata = strata
    var broken: [Int32: Int] = [:]
    for place in list { broken[rows[place][keyPath: unit], default: 0] += rows[place].count }
    for (unit, count) in broken.sorted(by: { $0.key < $1.key }) {
      strata[units.values[Int(unit)], default: PhoneSpread()].carriers.append(
        PhoneSpread.Carrier(broken: count, told: max(count, told[Int(unit)])))
    }
    return strata
  }
}
