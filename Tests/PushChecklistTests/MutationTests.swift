import PushModel
import TestSupport
import Testing

@testable import PushChecklist

private func blame(_ chain: Chain) -> CauseID? {
  let verdict = Checklist.walk(chain).verdict
  return verdict.judgement == .broken ? verdict.cause : nil
}

private func same(_ left: Walk, _ right: Walk) -> Bool {
  left.verdict.judgement == right.verdict.judgement && left.verdict.step == right.verdict.step
    && left.verdict.cause == right.verdict.cause && left.verdict.stage == right.verdict.stage
    && left.verdict.confidence == right.verdict.confidence
    && left.verdict.needs == right.verdict.needs
    && left.results.map(\.outcome) == right.results.map(\.outcome)
    && left.results.map(\.cause) == right.results.map(\.cause)
}

/// Mutations of every example of every step: sources dropped, records shuffled and repeated, clocks
/// shifted.
@Suite struct MutationTests {
  @Test("records in any order, and read twice, say the same", arguments: StepExample.all)
  func shuffledAndDuplicated(_ entry: StepExample) {
    let (chain, _) = entry.example.build()
    let before = Checklist.walk(chain)
    let seed = UInt64(entry.example.line)
    var generator = SeededGenerator(seed: seed)
    for round in 0..<4 {
      var changed = chain
      if round % 2 == 1 {
        changed.events.append(contentsOf: chain.events)
        changed.sends.append(contentsOf: chain.sends)
      }
      changed.events.shuffle(using: &generator)
      changed.sends.shuffle(using: &generator)
      changed.putInOrder()
      #expect(
        same(Checklist.walk(changed), before), "seed \(seed), round \(round): \(entry)",
        sourceLocation: entry.location)
    }
  }

  @Test("records without a counter are put in order by their times", arguments: StepExample.all)
  func shuffledWithoutCounter(_ entry: StepExample) {
    var (chain, _) = entry.example.build()
    for place in chain.events.indices { chain.events[place].sequence = .unknown }
    let before = Checklist.walk(chain)
    let seed = UInt64(entry.example.line)
    var generator = SeededGenerator(seed: seed)
    chain.events.shuffle(using: &generator)
    chain.putInOrder()
    #expect(
      same(Checklist.walk(chain), before), "seed \(seed): \(entry)",
      sourceLocation: entry.location)
  }

  @Test(
    "clocks that are off within what is known of them change nothing", arguments: StepExample.all)
  func shiftedClocks(_ entry: StepExample) {
    let (chain, _) = entry.example.build()
    let before = Checklist.walk(chain)
    for shift in [-chain.coverage.clockError, chain.coverage.clockError]
    where chain.coverage.clockError < .max {
      var changed = chain
      changed.shiftDevice(by: shift)
      #expect(
        same(Checklist.walk(changed), before), "by \(shift) µs: \(entry)",
        sourceLocation: entry.location)
    }
    // All clocks together: nothing depends on the date.
    for shift in [-400 * 86_400 * second, 400 * 86_400 * second] {
      var changed = chain
      changed.shiftDevice(by: shift)
      changed.shiftServer(by: shift)
      #expect(
        blame(changed) == nil || blame(changed) == before.verdict.cause,
        "all by \(shift) µs: \(entry)", sourceLocation: entry.location)
    }
  }

  @Test(
    "two sources dropped together never turn one blame into another", arguments: StepExample.all)
  func twoSourcesDropped(_ entry: StepExample) {
    let (chain, _) = entry.example.build()
    guard let before = blame(chain) else { return }
    let sources: [(name: String, drop: (inout Chain) -> Void)] = [
      (
        "answers",
        { chain in
          for place in chain.sends.indices {
            chain.sends[place].status = .unknown
            chain.sends[place].reason = .unknown
            chain.sends[place].receiptReason = .unknown
            chain.sends[place].receiptStatus = .unknown
          }
        }
      ),
      (
        "headers",
        { chain in
          for place in chain.sends.indices {
            chain.sends[place].topic = .unknown
            chain.sends[place].topicForm = .unknown
            chain.sends[place].topicBase = .unknown
            chain.sends[place].pushType = .unknown
            chain.sends[place].priority = .unknown
            chain.sends[place].expiration = .unknown
            chain.sends[place].collapseBytes = .unknown
          }
        }
      ),
      ("payload", { $0.dropPayload() }),
      (
        "device log",
        { chain in
          chain.events.removeAll()
          chain.coverage = Coverage()
          chain.received = Payload()
        }
      ),
      ("coverage", { $0.coverage = Coverage() }),
      ("release", { $0.release = Release() }),
      ("installation", { $0.installation = Installation() }),
      ("other sends", { $0.traffic = Traffic() }),
    ]
    for first in sources.indices {
      for second in first..<sources.count {
        var changed = chain
        sources[first].drop(&changed)
        sources[second].drop(&changed)
        let after = blame(changed)
        #expect(
          after == nil || after == before,
          "without \(sources[first].name) and \(sources[second].name): \(entry)",
          sourceLocation: entry.location)
      }
    }
  }
}

extension Chain {
  fileprivate mutating func dropPayload() {
    for place in sends.indices { sends[place].payload = Payload() }
  }

  fileprivate mutating func shiftDevice(by shift: Int64) {
    for place in events.indices {
      events[place].recordedAt = events[place].recordedAt.map { $0 + shift }
      events[place].correctedAt = events[place].correctedAt.map { $0 + shift }
    }
    coverage.runFrom += shift
    coverage.runTo += shift
    coverage.tail.from += shift
    coverage.tail.to += shift
  }

  fileprivate mutating func shiftServer(by shift: Int64) {
    func moved(_ time: Known<Int64>) -> Known<Int64> { time.map { $0 + shift } }
    for place in sends.indices {
      sends[place].sentAt = moved(sends[place].sentAt)
      sends[place].jwtIssuedAt = moved(sends[place].jwtIssuedAt)
      sends[place].unregisteredAt = moved(sends[place].unregisteredAt)
      // A header in seconds; another unit is a fault that stays one.
      if case .known(.number(let seconds)) = sends[place].expiration, seconds > 0,
        seconds < 100_000_000_000
      {
        sends[place].expiration = .known(.number(seconds + shift / 1_000_000))
      }
    }
    installation.tokenRegisteredAt = moved(installation.tokenRegisteredAt)
    installation.newerTokenAt = moved(installation.newerTokenAt)
    installation.registeredAgainAt = moved(installation.registeredAgainAt)
    installation.onlineAgainAt = moved(installation.onlineAgainAt)
    installation.replacedAt = moved(installation.replacedAt)
    traffic.nextAcceptedAt = moved(traffic.nextAcceptedAt)
    traffic.otherMailboxWriteAt = moved(traffic.otherMailboxWriteAt)
  }
}
