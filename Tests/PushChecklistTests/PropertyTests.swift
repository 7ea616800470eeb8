import PushModel
import Testing

@testable import PushChecklist

/// What a chain is blamed for, nil where nothing definite is said.
private func blame(_ chain: Chain) -> CauseID? {
  let verdict = Checklist.walk(chain).verdict
  return verdict.judgement == .broken ? verdict.cause : nil
}

extension Chain {
  /// The chain without one event, as a join would give it: the counter keeps its gap, so the run
  /// without a gap either ends before the lost record or begins after it.
  fileprivate func losing(_ place: Int, keepingBefore: Bool) -> Chain {
    var chain = self
    let lost = chain.events[place]
    chain.events.remove(at: place)
    guard coverage.isGapless else { return chain }
    chain.received = Payload()
    guard case .known(let at) = lost.correctedAt, let sequence = lost.sequence.value else {
      chain.coverage.isGapless = false
      return chain
    }
    if keepingBefore {
      chain.coverage.runTo = at - 1
      chain.coverage.firstSequence = .known(0)
      chain.coverage.lastSequence = .known(sequence - 1)
    } else {
      chain.coverage.runFrom = at + 1
      chain.coverage.firstSequence = .known(sequence + 1)
      chain.coverage.lastSequence = .known(.max)
    }
    // The join gives the run that covers the first sighting, if there is one.
    if let first = chain.events.indices.first, !chain.isInRun(first) {
      chain.coverage.isGapless = false
    }
    return chain
  }
}

extension Chain {
  /// The chain without some events, with the runs of the counter as a join would give them.
  fileprivate func losing(_ isLost: [Bool]) -> Chain {
    var chain = self
    chain.events.removeAll()
    for place in events.indices where !isLost[place] { chain.events.append(events[place]) }
    guard coverage.isGapless else { return chain }
    chain.received = Payload()
    guard let first = isLost.firstIndex(of: false), let last = isLost.lastIndex(of: false) else {
      chain.coverage.isGapless = false
      return chain
    }
    let head = run(around: first, isLost)
    let tail = run(around: last, isLost)
    chain.coverage.runFrom = head.from
    chain.coverage.runTo = head.to
    chain.coverage.firstSequence = head.firstSequence
    chain.coverage.lastSequence = head.lastSequence
    chain.coverage.tail = tail
    return chain
  }

  /// The stretch of the counter around an event, up to the nearest lost ones.
  private func run(around place: Int, _ isLost: [Bool]) -> Coverage.Run {
    var run = Coverage.Run()
    run.isGapless = true
    run.from = coverage.runFrom
    run.to = coverage.runTo
    run.firstSequence = .known(.min)
    run.lastSequence = .known(.max)
    for other in events.indices where isLost[other] {
      guard let at = events[other].correctedAt.value, let sequence = events[other].sequence.value
      else { continue }
      if other < place {
        run.from = at + 1
        run.firstSequence = .known(sequence + 1)
      } else {
        run.to = at - 1
        run.lastSequence = .known(sequence - 1)
        break
      }
    }
    return run
  }
}

/// A seeded generator, so that a failure can be repeated.
private struct SeededGenerator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

@Suite struct PropertyTests {
  @Test("taking a whole source away never gives another definite cause", arguments: StepExample.all)
  func droppingSources(_ entry: StepExample) {
    let (chain, _) = entry.example.build()
    let before = blame(chain)
    func check(_ title: String, _ change: (inout Chain) -> Void) {
      var changed = chain
      change(&changed)
      let after = blame(changed)
      #expect(
        after == nil || before == nil || after == before, "\(title): \(entry.testDescription)",
        sourceLocation: entry.location)
    }
    check("answers") { chain in
      for place in chain.sends.indices {
        chain.sends[place].status = .unknown
        chain.sends[place].reason = .unknown
        chain.sends[place].receiptReason = .unknown
      }
    }
    check("sends") { $0.sends.removeAll() }
    check("device log") { chain in
      chain.events.removeAll()
      chain.coverage = Coverage()
      chain.received = Payload()
    }
    check("release") { $0.release = Release() }
    check("installation") { $0.installation = Installation() }
    check("other sends") { $0.traffic = Traffic() }
  }

  @Test("taking a source away never adds a blame of the phone", arguments: StepExample.all)
  func droppingSourcesAddsNoBlame(_ entry: StepExample) {
    let (chain, _) = entry.example.build()
    guard blame(chain) == nil else { return }
    var changed = chain
    changed.events.removeAll()
    changed.coverage = Coverage()
    changed.received = Payload()
    let walk = Checklist.walk(changed)
    if walk.verdict.judgement == .broken, let step = walk.verdict.step {
      // Without the log nothing contradicts a record any more; the record itself stays.
      #expect(
        chain.events.isEmpty || walk[step]?.evidence.0.kind != .coverage,
        "\(entry.testDescription)", sourceLocation: entry.location)
      #expect(
        walk[step]?.evidence.0.kind != .event, "\(entry.testDescription)",
        sourceLocation: entry.location)
    }
  }

  @Test(
    "losing any one record of the phone never turns one blame into another",
    arguments: StepExample.all)
  func losingOneRecord(_ entry: StepExample) {
    let (chain, _) = entry.example.build()
    guard let before = blame(chain) else { return }
    for place in chain.events.indices {
      for keepingBefore in [true, false] {
        let after = blame(chain.losing(place, keepingBefore: keepingBefore))
        #expect(
          after == nil || after == before,
          "without event \(place) (\(keepingBefore)): \(entry.testDescription)",
          sourceLocation: entry.location)
      }
    }
  }

  @Test(
    "losing any records of the phone never turns one blame into another", arguments: StepExample.all
  )
  func losingManyRecords(_ entry: StepExample) {
    let (chain, _) = entry.example.build()
    let verdict = Checklist.walk(chain).verdict
    guard verdict.judgement == .broken || verdict.judgement == .asMeant, !chain.events.isEmpty
    else { return }
    // A record that tells of a failure says so by itself, also where a later one made it good.
    var said: Set<CauseID?> = [nil]
    if verdict.judgement == .broken {
      said.insert(verdict.cause)
    } else {
      said.insert(blame(chain.losing(chain.events.indices.map { _ in true })))
      for kept in chain.events.indices {
        said.insert(blame(chain.losing(chain.events.indices.map { $0 != kept })))
      }
    }
    var generator = SeededGenerator(state: UInt64(entry.example.line))
    for round in 0..<60 {
      let isLost = chain.events.indices.map { _ in
        Int.random(in: 0..<5, using: &generator) <= round % 3
      }
      let after = blame(chain.losing(isLost))
      #expect(
        said.contains(after),
        "seed \(entry.example.line), round \(round), lost \(isLost): \(entry.testDescription)",
        sourceLocation: entry.location)
    }
  }

  @Test("losing records where nothing was definite gives no blame", arguments: StepExample.all)
  func losingRecordsAddsNoBlame(_ entry: StepExample) {
    let (chain, _) = entry.example.build()
    guard Checklist.walk(chain).verdict.judgement == .asMeant else { return }
    // What a setting or a plist says by itself it says without any event too.
    var bare = chain
    bare.events.removeAll()
    let said = blame(bare)
    for place in chain.events.indices {
      for keepingBefore in [true, false] {
        let after = blame(chain.losing(place, keepingBefore: keepingBefore))
        #expect(
          after == nil || after == said,
          "without event \(place) (\(keepingBefore)): \(entry.testDescription)",
          sourceLocation: entry.location)
      }
    }
  }

  @Test("records that say nothing of it change nothing", arguments: StepExample.all)
  func irrelevantRecords(_ entry: StepExample) {
    let (chain, _) = entry.example.build()
    let before = Checklist.walk(chain).verdict
    for name in [Word.deviceHeartbeat, .appSettings, .appCategories, .appRegistered, .badge] {
      for place in 0...chain.events.count {
        var changed = chain
        changed.coverage.firstSequence = .known(0)
        changed.coverage.lastSequence = .known(.max)
        changed.events.insert(DeviceEvent(name: Symbol(name)), at: place)
        let after = Checklist.walk(changed).verdict
        #expect(
          after.judgement == before.judgement && after.cause == before.cause
            && after.step == before.step && after.stage == before.stage,
          "\(name) at \(place): \(entry.testDescription)", sourceLocation: entry.location)
      }
    }
  }

  @Test(
    "the phone's own clock and the order of attributes change nothing", arguments: StepExample.all)
  func clockAndAttributes(_ entry: StepExample) {
    var (chain, _) = entry.example.build()
    let before = Checklist.walk(chain).verdict
    let seed = UInt64(entry.example.line)
    var generator = SeededGenerator(state: seed)
    for place in chain.events.indices {
      // Years off, as a phone with an empty battery is.
      chain.events[place].recordedAt = .known(
        Int64.random(in: 0...4_000_000_000_000_000, using: &generator))
      let first = Int(chain.events[place].firstAttribute)
      let range = first..<first + Int(chain.events[place].attributeCount)
      // Values of one key keep their order: they are an array.
      let isArray = Set(range.map { chain.attributes[$0].key }).count < range.count
      if !isArray { chain.attributes[range].shuffle(using: &generator) }
    }
    let after = Checklist.walk(chain).verdict
    #expect(
      after.judgement == before.judgement && after.cause == before.cause
        && after.stage == before.stage, "seed \(seed): \(entry.testDescription)",
      sourceLocation: entry.location)
  }

  @Test("of two broken steps the earlier is the verdict, the later is listed")
  func pairs() {
    let shown = Checklist.rich.steps.flatMap { step in
      step.examples.filter { $0.cause != nil }.map { StepExample(step: step, example: $0) }
    }
    var tried = Set<[CauseID]>()
    for first in shown {
      for second in shown where first.step.id.ordinal < second.step.id.ordinal {
        for isFirstFirst in [true, false] {
          var example = ExampleChain(isFirstFirst ? first.example.start : second.example.start)
          (isFirstFirst ? first : second).example.change(&example)
          (isFirstFirst ? second : first).example.change(&example)
          guard let early = first.example.cause, let late = second.example.cause else { continue }
          let walk = Checklist.walk(example.build().chain)
          guard walk.kind == .richAlert, walk[first.step.id]?.cause == early,
            walk[second.step.id]?.cause == late, walk[first.step.id]?.outcome == .broken,
            walk[second.step.id]?.outcome == .broken,
            !walk.conflicts.contains(StepSet(first.step.id))
          else { continue }
          tried.insert([early, late])
          let definite = walk.broken.filter { !walk.conflicts.contains(StepSet($0.step)) }
          #expect(walk.verdict.step == definite.first?.step, "\(early) and \(late)")
          #expect(
            walk.verdict.judgement == .broken || walk.verdict.cause == nil, "\(early) and \(late)")
          #expect(walk.broken.contains { $0.step == second.step.id }, "\(early) and \(late)")
        }
      }
    }
    #expect(tried.count > 800, "only \(tried.count) pairs occur together")
  }

  @Test("a walk that is used again says the same as a new one")
  func reusedWalk() {
    var walk = Walk()
    for entry in StepExample.all {
      let chain = entry.example.build().chain
      Checklist.walk(chain, into: &walk)
      let fresh = Checklist.walk(chain)
      #expect(walk.verdict.cause == fresh.verdict.cause)
      #expect(walk.verdict.judgement == fresh.verdict.judgement)
      #expect(walk.results.map(\.outcome) == fresh.results.map(\.outcome))
    }
  }

  @Test("without any counter only positive evidence blames", arguments: StepExample.all)
  func noCounter(_ entry: StepExample) {
    var (chain, _) = entry.example.build()
    for place in chain.events.indices { chain.events[place].sequence = .unknown }
    chain.coverage.isGapless = false
    let walk = Checklist.walk(chain)
    for broken in walk.broken where broken.result.cause != nil {
      let proofs = [
        broken.result.evidence.0, broken.result.evidence.1, broken.result.evidence.2,
      ]
      #expect(
        !proofs.contains { $0.kind == .coverage }, "\(broken.step): \(entry.testDescription)",
        sourceLocation: entry.location)
    }
  }
}
