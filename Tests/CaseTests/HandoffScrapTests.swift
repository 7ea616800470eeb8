import PushChecklist
import PushIngest
import PushModel
import TestSupport
import Testing

/// Scraps about hand-offs and responses: the same table as the other scraps, in a file of its own.
private let scraps: [Scrap] = {
  guard let text = try? Repository.text(of: "Tests/CaseTests/scraps-handoff.json"),
    let json = try? CaseJSON.read(Array(text.utf8))
  else { return [] }
  return json.items.enumerated().map { Scrap(number: $0.offset, json: $0.element) }
}()

@Suite struct HandoffScrapTests {
  @Test("a scrap of a hand-off or response that shows a cause is enough", arguments: scraps)
  func answers(_ scrap: Scrap) throws {
    let found = try answer(scrap.evidence)
    #expect(found.cause?.rawValue == scrap.json["cause"]?.text, "\(scrap.testDescription)")
  }

  @Test("taking a part of it away never gives another definite cause", arguments: scraps)
  func losingParts(_ scrap: Scrap) throws {
    let before = try answer(scrap.evidence).cause
    for part in scrap.evidence.members {
      var without = scrap.evidence
      without[part.key] = nil
      let after = try answer(without).cause
      #expect(
        after == nil || after == before,
        "\(scrap.testDescription) without \(part.key): \(after?.rawValue ?? "")")
    }
  }

  @Test("every cause of hand-offs and responses that a scrap can show has one")
  func causes() {
    let shown = Set(scraps.compactMap { $0.json["cause"]?.text })
    let named = (Checklist.response.steps.dropFirst() + Checklist.handoff.steps)
      .flatMap(\.causes).map(\.id.rawValue)
    #expect(Set(named).subtracting(shown).isEmpty, "\(Set(named).subtracting(shown))")
    #expect(named.count == 15)
  }
}
