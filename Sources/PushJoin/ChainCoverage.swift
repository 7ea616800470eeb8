import PushModel

/// Whether the log of the phone would hold a record.
extension ChainBuilder {
  /// How many numbers are missing between neighbours: records of other notifications lie there too.
  func fillLost(_ chain: inout Chain, _ runs: [CoverageRun]) {
    for place in chain.events.indices.dropFirst() {
      guard case .known(let log) = chain.events[place].log,
        chain.events[place - 1].log == .known(log),
        case .known(let from) = chain.events[place - 1].sequence,
        case .known(let to) = chain.events[place].sequence, to > from
      else { continue }
      // Numbers may be any; a difference that does not fit says nothing.
      var lost = to &- from &- 1
      for run in runs where lost > 0 && run.log.symbol == log && run.last > from && run.first < to {
        lost -= min(run.last, to - 1) - max(run.first, from + 1) + 1
      }
      chain.events[place].lostBefore = .known(max(0, lost))
    }
  }

  func fillCoverage(
    _ chain: inout Chain, _ notification: JoinedNotification, join: borrowing InstallationJoin,
    records: RecordSet, deviceAt: Int64, offset: (offset: Int64, error: Int64)?
  ) {
    chain.coverage.installationLogs = join.eventOrder.isEmpty ? .unknown : .known(true)
    let shift = offset?.offset ?? 0
    chain.coverage.clockError = offset?.error ?? .max
    var run: CoverageRun?
    for place in notification.events {
      let event = records.events[Int(place)]
      guard event.sequence != .min else { continue }
      run = join.runs.first {
        $0.log == event.log && $0.first <= event.sequence && event.sequence <= $0.last
          && (event.log.code >= 2 || ($0.firstAt <= event.at && event.at <= $0.lastAt))
      }
      break
    }
    if run == nil, notification.events.isEmpty, deviceAt != .min {
      run = join.runs.first { $0.firstAt <= deviceAt && deviceAt <= $0.lastAt }
    }
    guard let run else { return }
    chain.coverage.isGapless = true
    chain.coverage.runFrom = run.firstAt &- shift
    chain.coverage.runTo = run.lastAt &- shift
    chain.coverage.firstSequence = .known(run.first)
    chain.coverage.lastSequence = .known(run.last)
    chain.coverage.firstReference = run.firstReference
    chain.coverage.lastReference = run.lastReference
    fillTail(&chain, notification, run, join, records, shift)
    // One counter for app and extension: either is proven by records of its own in that log.
    for other in join.runs where other.log == run.log {
      chain.coverage.holdsApp = chain.coverage.holdsApp || other.holdsApp
      chain.coverage.holdsExtension = chain.coverage.holdsExtension || other.holdsExtension
    }
  }
}
