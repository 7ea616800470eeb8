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

let chains = Checklist.allSteps.flatMap { step in
  step.examples.map { $0.build().chain }.filter { $0.scrap == nil }
}
let wantedJudgements = 4_000_000
print("checklist          chains    chains/s")
for kind in ChainKind.allCases {
  let own = chains.filter { $0.kind == kind }
  guard !own.isEmpty else { continue }
  var walk = Walk()
  var broken = 0
  var judged = 0
  let start = processorSeconds()
  while judged < wantedJudgements {
    for chain in own {
      Checklist.walk(chain, into: &walk)
      if walk.verdict.judgement == .broken { broken += 1 }
    }
    judged += own.count
  }
  let rate = Double(judged) / (processorSeconds() - start)
  // Counted so that nothing is optimised away; most examples show a fault.
  precondition(broken > 0 || kind == .requestOnly)
  let name = kind.text + String(repeating: " ", count: 18 - kind.text.count)
  print("\(name) \(own.count)       \(Int(rate))")
}
