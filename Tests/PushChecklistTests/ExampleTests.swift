import PushModel
import Testing

@testable import PushChecklist

/// One example of one step, with a short name for test output.
struct StepExample: Sendable, CustomTestStringConvertible {
  let step: ChecklistStep
  let example: Example

  var testDescription: String { "\(step.id.rawValue): \(example.title)" }

  var location: SourceLocation {
    SourceLocation(
      fileID: example.fileID, filePath: example.fileID, line: example.line,
      column: example.column)
  }

  static let all = Checklist.allSteps.flatMap { step in
    step.examples.map { StepExample(step: step, example: $0) }
  }
}

/// What a step says about a chain, as the engine asks it.
func judge(_ step: ChecklistStep, _ chain: Chain) -> StepResult {
  if step.matters.isDisjoint(with: chain.meaning) { return .notApplicable }
  let seen = Sightings(of: chain)
  var result = StepResult.notApplicable
  step.id.judge(chain, seen, into: &result)
  guard chain.scrap != nil || seen.holdsSystemLines else { return result }
  return ScrapJudge.judge(step.id, chain, result)
}

@Suite struct ExampleTests {
  @Test("every example of every step comes out as it says", arguments: StepExample.all)
  func exampleHolds(_ entry: StepExample) {
    let (chain, texts) = entry.example.build()
    let result = judge(entry.step, chain)
    #expect(
      result.outcome == entry.example.outcome, "\(entry.testDescription)",
      sourceLocation: entry.location)
    #expect(
      result.cause == entry.example.cause, "\(entry.testDescription)",
      sourceLocation: entry.location)
    #expect(
      !entry.step.explain(chain, result, texts).isEmpty, sourceLocation: entry.location)
  }

  @Test("a definite example is the verdict of its whole chain", arguments: StepExample.all)
  func exampleIsVerdict(_ entry: StepExample) {
    guard let cause = entry.example.cause else { return }
    let (chain, _) = entry.example.build()
    let walk = Checklist.walk(chain)
    // Where a sighting contradicts the record, the example shows conflicting evidence.
    let judgement = walk.verdict.judgement
    #expect(
      judgement == .broken || judgement == .conflicting, "\(entry.testDescription)",
      sourceLocation: entry.location)
    #expect(
      walk.verdict.cause == cause, "\(entry.testDescription)", sourceLocation: entry.location)
    #expect(
      walk.verdict.step == entry.step.id, "\(entry.testDescription)",
      sourceLocation: entry.location)
  }

  @Test(
    "holds and broken rest on a record, unknown says what is missing", arguments: StepExample.all)
  func resultsCarryProof(_ entry: StepExample) {
    let (chain, _) = entry.example.build()
    let result = judge(entry.step, chain)
    switch result.outcome {
    case .holds, .broken:
      #expect(
        result.evidence.0 != .none, "\(entry.testDescription)", sourceLocation: entry.location)
    case .unknown:
      #expect(!result.needs.isEmpty, "\(entry.testDescription)", sourceLocation: entry.location)
    case .notApplicable: break
    }
  }

  @Test("every outcome that is listed has an example, and the other way round")
  func outcomesHaveExamples() {
    for step in Checklist.allSteps {
      let listed = Set(step.outcomes.map(\.outcome))
      let shown = Set(step.examples.map(\.outcome))
      // Each step may be spared by the meaning; only steps that decide it themselves list that.
      #expect(
        listed.subtracting([.notApplicable]) == shown.subtracting([.notApplicable]), "\(step.id)")
    }
  }

  @Test("every cause has an example and a near-miss", arguments: CauseID.allCases)
  func causesHaveExamples(_ id: CauseID) throws {
    let (step, cause) = try #require(Checklist.cause(id))
    // That nothing is broken no record shows; it is only ever a candidate beside other evidence.
    guard cause.isJudged else {
      #expect(id == .falseAlarmDebugger)
      #expect(!Checklist.allSteps.flatMap(\.examples).contains { $0.cause == id })
      return
    }
    #expect(step.examples.contains { $0.cause == id }, "\(step.id)")
    // A near-miss is the nearest neighbour, or a chain that fits it as well: never the cause itself.
    let missed = Checklist.allSteps.flatMap(\.examples).filter { $0.nearMiss == id }
    #expect(!missed.isEmpty, "\(step.id)")
    for example in missed { #expect(example.cause != id, "\(example.title)") }
  }

  @Test("an example names causes of its own step, or of one that is also seen there")
  func causesStandAtTheirSteps() {
    for step in Checklist.allSteps {
      for example in step.examples {
        guard let id = example.cause else { continue }
        let isHere = step.cause(id) != nil
        let isAlsoHere = Checklist.cause(id)?.cause.alsoAt.contains(step.id) == true
        #expect(isHere || isAlsoHere, "\(step.id) \(id)")
      }
    }
  }

  @Test("every step has texts, and its ids are unique")
  func stepsHaveTexts() {
    #expect(Set(Checklist.allSteps.map(\.id)).count == Checklist.allSteps.count)
    for step in Checklist.allSteps {
      for text in [step.title, step.question, step.decidedBy, step.nextAction, step.knownLimits] {
        #expect(!text.isEmpty, "\(step.id)")
      }
      #expect(!step.needs.isEmpty, "\(step.id)")
      for cause in step.causes {
        for text in [cause.meaning, cause.toldApartBy, cause.repair] {
          #expect(!text.isEmpty, "\(cause.id)")
        }
      }
    }
  }
}
