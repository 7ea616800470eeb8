public import PushModel

/// One row of a breakdown beside all other rows of it.
public struct RankedRow: Equatable, Sendable {
  /// The row.
  public let row: Breakdown.Row
  /// The row against the rest of the day.
  public let rate: ComparedRate
}

extension Breakdown {
  /// The rows, worst first: by the low end of the interval of the share broken. Rows with too few
  /// notifications to be compared stand behind all others: two broken of two have a higher low end
  /// than any share that occurs in thousands. Each is compared with all other rows.
  public var worstFirst: [RankedRow] {
    var all = Tally()
    for row in rows { all = all.adding(row.counts.tally) }
    let rates = ComparedRate.over(
      rows.map { row in
        let own = row.counts.tally
        let rest = Tally(
          broken: all.broken - own.broken, concerned: all.concerned - own.concerned,
          undetermined: all.undetermined - own.undetermined)
        return (rest, own)
      })
    return zip(rows, rates).map { RankedRow(row: $0, rate: $1) }.sorted { left, right in
      let large = [left, right].map { $0.row.counts.tally.told >= ComparedRate.leastTold }
      if large[0] != large[1] { return large[0] }
      let lows = (left.row.counts.tally.interval?.low, right.row.counts.tally.interval?.low)
      if lows.0 != lows.1 { return (lows.0 ?? -1) > (lows.1 ?? -1) }
      let counts = (left.row.counts, right.row.counts)
      if counts.0.broken != counts.1.broken { return counts.0.broken > counts.1.broken }
      if counts.0.total != counts.1.total { return counts.0.total > counts.1.total }
      return (left.row.key ?? "") < (right.row.key ?? "")
    }
  }
}
