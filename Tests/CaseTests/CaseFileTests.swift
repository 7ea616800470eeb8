import Foundation
import PushChecklist
import PushIngest
import PushModel
import TestSupport
import Testing

/// A public report, reduced to facts, and what is expected of it.
struct CaseFile: Sendable, CustomTestStringConvertible {
  let name: String
  let json: CaseValue

  var testDescription: String { "\(name) \(json["title"]?.text ?? "")" }
  var evidence: CaseValue { json["evidence"] ?? .null }

  /// The cause that has to come first; nil where the right answer is "cannot tell".
  var cause: String? { json.value(at: "expect.cause")?.text }
  var isUndetermined: Bool { json.value(at: "expect.undetermined")?.bool ?? false }
  var step: String? { json.value(at: "expect.step")?.text }
  /// Causes that count as an answer too.
  var accepted: [String] { texts("accept") }
  var needs: [String] { texts("needs") }
  var also: [String] { texts("also") }

  private func texts(_ key: String) -> [String] {
    json.value(at: "expect.\(key)")?.items.compactMap(\.text) ?? []
  }

  static let all: [CaseFile] = {
    let folder = "Tests/CaseTests/Cases"
    return Repository.files(below: folder).filter { $0.hasSuffix(".json") }.compactMap { path in
      guard let text = try? Repository.text(of: path),
        let json = try? CaseJSON.read(Array(text.utf8))
      else { return nil }
      return CaseFile(name: String(path.dropFirst(folder.count + 1).dropLast(5)), json: json)
    }
  }()
}

/// What the checklist says about evidence.
func answer(_ evidence: CaseValue) throws -> CauseList {
  let reading = try CaseReader.read(evidence: evidence)
  return CauseList(of: reading.chain, Checklist.walk(reading.chain))
}

@Suite struct CaseFileTests {
  @Test("every report gets its cause, or an honest question", arguments: CaseFile.all)
  func answers(_ file: CaseFile) throws {
    let list = try answer(file.evidence)
    let given = list.cause?.rawValue
    if file.isUndetermined {
      guard let given else {
        let asked = list.needs.map(\.casePath)
        #expect(
          file.needs.allSatisfy(asked.contains),
          "\(file.testDescription): asks for \(asked), ideal is \(file.needs)")
        #expect(asked.count <= 6, "\(file.testDescription)")
        return
      }
      #expect(file.accepted.contains(given), "\(file.testDescription): says \(given)")
      return
    }
    #expect(
      given == file.cause || file.accepted.contains(given ?? ""),
      "\(file.testDescription): says \(given ?? "cannot tell"), wanted \(file.cause ?? "?")")
    if given == file.cause {
      #expect(list.step?.rawValue == file.step, "\(file.testDescription)")
    }
    for cause in file.also {
      #expect(
        list.entries.contains { $0.cause.rawValue == cause }, "\(file.testDescription): \(cause)")
    }
  }

  @Test("there are as many reports as there should be")
  func allAreRead() { #expect(CaseFile.all.count == 77) }

  @Test("taking evidence away never gives another definite cause", arguments: CaseFile.all)
  func losingEvidence(_ file: CaseFile) throws {
    let before = try answer(file.evidence).cause?.rawValue
    let right = Set([before, file.cause].compactMap { $0 } + file.accepted + file.also)
    for (path, evidence) in reductions(of: file.evidence) {
      guard let after = try answer(evidence).cause?.rawValue else { continue }
      #expect(right.contains(after), "\(file.testDescription) without \(path): \(after)")
    }
  }

  /// The evidence without each of its parts, and without each key or item of each part.
  private func reductions(of evidence: CaseValue) -> [(path: String, evidence: CaseValue)] {
    var found: [(path: String, evidence: CaseValue)] = []
    for part in evidence.members {
      var without = evidence
      without[part.key] = nil
      found.append((part.key, without))
      for member in part.value.members {
        var inner = part.value
        inner[member.key] = nil
        without = evidence
        without[part.key] = inner
        found.append(("\(part.key).\(member.key)", without))
      }
      for place in part.value.items.indices {
        var items = part.value.items
        items.remove(at: place)
        without = evidence
        without[part.key] = .list(items)
        found.append(("\(part.key).\(place)", without))
      }
    }
    return found
  }
}
