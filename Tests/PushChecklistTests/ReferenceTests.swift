import PushModel
import TestSupport
import Testing

@testable import PushChecklist

@Suite struct ReferenceTests {
  @Test("every fact that a step or cause cites exists, once")
  func citedFactsExist() {
    #expect(Set(Fact.all.map(\.id)).count == Fact.all.count)
    for step in Checklist.allSteps {
      for id in step.facts + step.causes.flatMap(\.facts) {
        #expect(Fact.find(id) != nil, "\(step.id) cites \(id)")
      }
    }
  }

  @Test("every fact has a claim, a source and a date")
  func factsHaveSources() {
    for fact in Fact.all {
      #expect(!fact.claim.isEmpty && !fact.source.isEmpty && !fact.marks.isEmpty, "\(fact.id)")
      #expect(fact.checked.count == 10, "\(fact.id)")
    }
  }

  /// Causes whose evidence is the faulty thing itself, looked at: a URL that does not parse, a
  /// language without a name in the built app, a string sent to a gateway that wants a number.
  private static let lookedAt: Set<CauseID> = [.urlInvalid, .displayNameMissing, .flagTypeString]

  @Test("a rule reads the marks of its facts: weak facts alone never accuse")
  func weakFactsNeedARecord() {
    var weak: [CauseID] = []
    for step in Checklist.allSteps {
      for cause in step.causes where !cause.facts.contains(where: isFirm) {
        weak.append(cause.id)
        for step in Checklist.allSteps {
          for example in step.examples where example.cause == cause.id {
            let result = judge(step, example.build().chain)
            let proofs = [result.evidence.0, result.evidence.1, result.evidence.2]
            // What the cause predicts was seen on the phone, or the phone's log shows it missing.
            let isSeen = proofs.contains {
              $0.kind == .event || $0.kind == .coverage || $0.kind == .comparison
            }
            #expect(
              isSeen || Self.lookedAt.contains(cause.id), "\(cause.id): \(example.title)")
            if !isSeen {
              #expect(result.confidence != .certain, "\(cause.id): \(example.title)")
            }
          }
        }
      }
    }
    // The marks are read: causes that are known to rest on weak facts are among them.
    for id in [CauseID.displayNameMissing, .fileNotStaged, .completedBeforeOpen, .urlBeforeReady] {
      #expect(weak.contains(id), "\(id)")
    }
    for id in [CauseID.topicMissing, .contentHandlerNever, .hostOpenNotSupported] {
      #expect(!weak.contains(id), "\(id)")
    }
  }

  /// Whether a fact's mark lets a rule say that something is broken.
  private func isFirm(_ id: FactID) -> Bool { Fact.find(id)?.isFirm == true }

  @Test("marks are those of the table of facts, and only two of them are firm")
  func marks() {
    #expect(FactMark.allCases.filter(\.isFirm) == [.apple, .observed])
    // One fact of each mark, as the table has it.
    let marks: [(FactID, [FactMark])] = [
      ("F4.20", [.apple]), ("F4.9", [.observed]), ("F4.21", [.decompiled]), ("F4.7", [.single]),
      ("F12.13", [.experience]), ("F7.8", [.contested]), ("F11.7", [.derived]),
      ("F9.4", [.apple, .single]),
    ]
    for (id, expected) in marks { #expect(Fact.find(id)?.marks == expected, "\(id)") }
  }

  @Test("each reason of APNs is in the table of words, and breaks the step it names")
  func reasonsBreakTheirStep() {
    for row in APNsReason.all {
      #expect(Word(rawValue: row.reason) != nil, "\(row.reason)")
    }
    #expect(APNsReason.find("SomethingNew") == nil)
    #expect(Set(APNsReason.all.map(\.reason)).count == 33)
  }

  @Test("a refusal is never judged as accepted, and never blames a phone", arguments: 0..<33)
  func refusalsStayWithTheSender(_ index: Int) throws {
    let row = APNsReason.all[index]
    var example = ExampleChain(.plain)
    example.refuse(Int64(row.status), try #require(Word(rawValue: row.reason)))
    let walk = Checklist.walk(example.build().chain)
    #expect(walk.verdict.judgement == .broken || walk.verdict.judgement == .cannotTell)
    #expect(walk[.apnsAccepted]?.outcome == .broken)
    if let step = walk.verdict.step {
      #expect(step.ordinal <= StepID.apnsAccepted.ordinal, "\(row.reason): \(step)")
    }
  }

  @Test("an unknown reason gives no cause, and says that APNs refused")
  func unknownReason() {
    var example = ExampleChain(.plain)
    example.refuse(400, text: "SomethingNew")
    let (chain, texts) = example.build()
    let walk = Checklist.walk(chain)
    #expect(walk.verdict.judgement == .cannotTell)
    #expect(walk.verdict.step == .apnsAccepted)
    #expect(walk.verdict.cause == nil)
    let sentence = walk[.apnsAccepted].map { ChecklistStep.apnsAccepted.explain(chain, $0, texts) }
    #expect(sentence?.contains("SomethingNew") == true)
  }

  /// Databases hold words by their numbers: the order of those that are there never changes, new ones
  /// come last. RECORD=1 adds them to the list.
  @Test("words keep their numbers")
  func wordsKeepTheirNumbers() {
    let text = Word.allCases.enumerated().map { "\($0.offset) \($0.element.rawValue)\n" }.joined()
    if let difference = Golden.difference(text, from: "words.txt") { Issue.record("\(difference)") }
  }

  @Test("the ordinals of words, steps and causes are their places")
  func ordinalsArePlaces() {
    for (place, word) in Word.allCases.enumerated() { #expect(Int(word.ordinal) == place) }
    for (place, step) in StepID.allCases.enumerated() { #expect(Int(step.ordinal) == place) }
    // The engine's bit masks hold the names of device events.
    for word in Word.allCases
    where word.rawValue.hasPrefix("nse.") || word.rawValue.hasPrefix("app.") {
      #expect(word.ordinal < 64, "\(word)")
    }
  }
}

@Suite struct DocsTests {
  @Test(
    "every step has a page that asks, answers and shows", arguments: Checklist.allSteps.map(\.id))
  func stepPages(_ id: StepID) throws {
    let step = try #require(Checklist.step(id))
    let page = ChecklistDocs.stepPage(step)
    for part in ["## Question", "## What to do next", "## What it cannot tell", "## Examples"] {
      #expect(page.contains(part))
    }
    #expect(page.contains(step.question))
    for cause in step.causes { #expect(page.contains(cause.repair)) }
  }

  @Test("every listed cause has a page that says what to do")
  func causePages() throws {
    for step in Checklist.allSteps {
      for cause in step.causes {
        let page = try #require(ChecklistDocs.causePage(cause.id))
        #expect(page.contains("## Repair") && page.contains(cause.repair))
      }
    }
  }

  @Test("pages speak the project's words")
  func pagesAvoidBannedWords() {
    let pages = Checklist.allSteps.map(ChecklistDocs.stepPage)
    for page in pages {
      let words = page.lowercased().split { !$0.isLetter }
      #expect(!words.contains("delivered"))
    }
  }

  @Test("every cause stands under a step, and under one only")
  func causesStandSomewhere() {
    #expect(CauseID.allCases.count == 133)
    for cause in CauseID.allCases {
      let steps = Checklist.allSteps.filter { $0.cause(cause) != nil }
      #expect(steps.count == 1, "\(cause): \(steps)")
    }
  }
}
