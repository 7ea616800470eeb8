public import PushModel

/// A day's rate beside the days before it.
public struct Change: Equatable, Sendable {
  /// What can be said of it.
  public enum Word: String, Sendable, CaseIterable {
    /// None of the days before had it.
    case new
    /// More than chance explains, and more than on each of the days before.
    case more
    /// Fewer than chance explains, and fewer than on each of the days before.
    case fewer
    /// More, but on fewer than ``Change/leastPhones`` phones: what is sent to one phone again and again
    /// says something of that phone.
    case fewPhones = "few-phones"
    /// Nothing that these numbers can show.
    case noDifference = "no-difference"
    /// Too few days, or no denominator.
    case tooFew = "too-few"
  }

  /// The day.
  public let day: Tally
  /// The days before, added up.
  public let before: Tally
  /// Days before that have a denominator.
  public let daysBefore: Int
  /// What the day's denominator would have had at the rate of the days before; nil without one.
  public let expected: Double?
  /// Probability of such a difference by chance, adjusted for the number of rows compared.
  public let probability: Double
  /// Phones with a broken one on the day; nil where they were not counted.
  public let phones: Int?
  /// What can be said.
  public let word: Word

  /// Least number of earlier days with a denominator.
  public static let leastDays = 3
  /// Fewest phones for "more".
  public static let leastPhones = ComparedRate.leastCarriers
  /// Limit on the adjusted probability.
  public static let limit = 0.05

  /// The changes of a day's causes, in the order of the rows.
  public static func ofCauses(_ tables: DailyTables) -> [Change] {
    over(
      tables.causes.map { ($0.tally, $0.previous) }, phones: tables.causes.map(\.installations))
  }

  /// Compares each day with the days before it; the probabilities are adjusted over all rows.
  ///
  /// Rates are of the notifications that can be told, because the newest day has most unknowns:
  /// phones upload later. Days differ among themselves by more than chance (campaigns, hours), so a
  /// day must also lie outside of what each single earlier day had. Of the days before, phones are not
  /// counted, so of the day their number is all that is asked.
  ///
  /// - Parameters:
  ///   - rows: a day and the days before it.
  ///   - phones: phones with a broken one on the day, by row; empty where they were not counted.
  public static func over(
    _ rows: [(day: Tally, before: [DayTally])], phones: [Int?] = []
  ) -> [Change] {
    let pooled = rows.map { $0.before.reduce(Tally()) { $0.adding($1.tally) } }
    let probabilities = Proportion.adjusted(
      zip(rows, pooled).map { row, before in
        Proportion.probability(
          min(before.broken, before.told), of: before.told,
          min(row.day.broken, row.day.told), of: row.day.told)
      })
    return rows.indices.map { place in
      Change(
        day: rows[place].day, days: rows[place].before.map(\.tally), before: pooled[place],
        probability: probabilities[place], phones: phones.isEmpty ? nil : phones[place])
    }
  }

  private init(
    day: Tally, days: [Tally], before: Tally, probability: Double, phones: Int?
  ) {
    self.day = day
    self.phones = phones
    self.before = before
    self.probability = probability
    let shares = days.compactMap(\.shareOfTold)
    daysBefore = shares.count
    expected = before.shareOfTold.map { $0 * Double(day.told) }
    guard shares.count >= Change.leastDays, let share = day.shareOfTold,
      let least = shares.min(), let most = shares.max()
    else {
      word = .tooFew
      return
    }
    if before.broken == 0 {
      word = day.broken > 0 ? .new : .noDifference
    } else if probability < Change.limit, share > most {
      word = phones ?? Change.leastPhones < Change.leastPhones ? .fewPhones : .more
    } else if probability < Change.limit, share < least {
      word = .fewer
    } else {
      word = .noDifference
    }
  }
}
