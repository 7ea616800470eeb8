import Glibc
import PushChecklist
import PushModel

// How many chains a second one core judges: the examples of all steps, dealt by the checklist that
// they walk, over and over into one reused walk. Measured is the thread's own processor time.

func processorSeconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

func isBroken(_ chain: inout Chain, _ walk: inout Walk) -> Bool {
  Checklist.walk(chain, into: &walk)
  return walk.verdict.judgement == .broken
}

let chains = Checklist.allSteps.flatMap { step in
  step.examples.map { $0.build().chain }.filter { $0.scrap == nil }
}
// Arguments: how many of each, for a run under a profiler, and the only row to judge.
let wantedJudgements = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 4_000_000
print("checklist                 chains    chains/s")
let wantedKind = CommandLine.arguments.dropFirst(2).first
for (kind, holdsSystemLines) in ChainKind.allCases.flatMap({ [($0, false), ($0, true)] }) {
  var name = kind.text + (holdsSystemLines ? ", system log" : "")
  guard wantedKind == nil || wantedKind == name else { continue }
  // Lines of the phone's own log are looked at by rules of their own, which cost more.
  var own = chains.filter {
    $0.kind == kind && $0.events.contains { $0.name.isSystemEvent } == holdsSystemLines
  }
  guard !own.isEmpty else { continue }
  var walk = Walk()
  var judged = 0
  var broken = 0
  let start = processorSeconds()
  while judged < wantedJudgements {
    // Judged where they lie: a pipeline fills one chain again and again and never copies it.
    for place in own.indices { broken += isBroken(&own[place], &walk) ? 1 : 0 }
    judged += own.count
  }
  let seconds = processorSeconds() - start
  // Counted so that nothing is optimised away; most examples show a fault.
  precondition(broken > 0 || kind == .requestOnly)
  name += String(repeating: " ", count: max(1, 26 - name.count))
  print("\(name) \(own.count)       \(Int(Double(judged) / seconds))")
}
