import Foundation
import PushChecklist
import PushIngest
import PushModel
import TestSupport
import Testing

/// A scrap of evidence and the cause that it shows, or just misses.
struct Scrap: Sendable, CustomTestStringConvertible {
  let number: Int
  let json: CaseValue

  var evidence: CaseValue { json["evidence"] ?? .null }
  /// A cause that the rest of the evidence shows too, where a part of it is gone.
  var accepted: String? { json["accept"]?.text }
  /// Causes that have to be listed, whether or not one is named.
  var candidates: [String] { json["candidates"]?.items.compactMap(\.text) ?? [] }
  var testDescription: String {
    "\(number) \(json["cause"]?.text ?? "no \(json["near"]?.text ?? "")")"
  }

  static let all: [Scrap] = {
    guard let text = try? Repository.text(of: "Tests/CaseTests/scraps.json"),
      let json = try? CaseJSON.read(Array(text.utf8))
    else { return [] }
    return json.items.enumerated().map { Scrap(number: $0.offset, json: $0.element) }
  }()
}

@Suite struct ScrapTests {
  @Test(
    "a scrap that shows a cause is enough, one that just misses it is not", arguments: Scrap.all)
  func answers(_ scrap: Scrap) throws {
    let list = try answer(scrap.evidence)
    if let wanted = scrap.json["cause"]?.text {
      #expect(
        list.cause?.rawValue == wanted,
        "\(scrap.testDescription): says \(list.cause?.rawValue ?? "?") at \(list.step?.rawValue ?? "?")"
      )
    } else {
      #expect(
        list.cause == nil, "\(scrap.testDescription): says \(list.cause?.rawValue ?? "?")")
    }
    for candidate in scrap.candidates {
      #expect(
        list.entries.contains { $0.cause.rawValue == candidate },
        "\(scrap.testDescription): \(candidate) is no candidate")
    }
  }

  @Test("taking a part of a scrap away never gives another definite cause", arguments: Scrap.all)
  func losingParts(_ scrap: Scrap) throws {
    let before = try answer(scrap.evidence).cause
    for part in scrap.evidence.members {
      var without = scrap.evidence
      without[part.key] = nil
      let after = try answer(without).cause
      #expect(
        after == nil || after == before || after?.rawValue == scrap.accepted,
        "\(scrap.testDescription) without \(part.key): \(after?.rawValue ?? "")")
      for member in part.value.members {
        var inner = part.value
        inner[member.key] = nil
        without = scrap.evidence
        without[part.key] = inner
        let after = try answer(without).cause
        #expect(
          after == nil || after == before || after?.rawValue == scrap.accepted,
          "\(scrap.testDescription) without \(part.key).\(member.key): \(after?.rawValue ?? "")")
      }
    }
  }

  @Test("every scrap is a case file whose keys are known")
  func scrapsAreCaseFiles() throws {
    for scrap in Scrap.all {
      #expect(try CaseReader.check(scrap.evidence).isEmpty, "\(scrap.testDescription)")
    }
  }
}
