import PushChecklist
import PushIngest
import PushModel
import TestSupport
import Testing

/// Reports as people write them, with what is right said beforehand: step and cause, or what to ask
/// for and which causes fit.
private let reports: [CaseFile] = {
  guard let text = try? Repository.text(of: "Tests/CaseTests/reports.json"),
    let json = try? CaseJSON.read(Array(text.utf8))
  else { return [] }
  return json.items.enumerated().map { CaseFile(name: "\($0.offset)", json: $0.element) }
}()

extension CaseFile {
  fileprivate var candidates: [String] {
    json.value(at: "expect.candidates")?.items.compactMap(\.text) ?? []
  }
}

@Suite struct ReportTests {
  @Test("a report gets its step and cause, or the question that it leaves", arguments: reports)
  func answers(_ file: CaseFile) throws {
    let list = try answer(file.evidence)
    let given = list.cause?.rawValue
    if let given {
      #expect(
        given == file.cause || file.accepted.contains(given),
        "\(file.testDescription): says \(given)")
      if given == file.cause {
        #expect(list.step?.rawValue == file.step, "\(file.testDescription)")
      }
      return
    }
    #expect(file.isUndetermined, "\(file.testDescription): cannot tell")
    let asked = list.needs.map(\.casePath)
    #expect(
      file.needs.allSatisfy(asked.contains),
      "\(file.testDescription): asks for \(asked), ideal is \(file.needs)")
    for candidate in file.candidates {
      #expect(
        list.entries.contains { $0.cause.rawValue == candidate },
        "\(file.testDescription): \(candidate) does not fit")
    }
  }

  @Test("without any one thing in it there is no other definite cause", arguments: reports)
  func losingAnything(_ file: CaseFile) throws {
    let before = try answer(file.evidence).cause?.rawValue
    let right = Set([before, file.cause].compactMap { $0 } + file.accepted + file.also)
    for (path, evidence) in Self.reductions(of: file.evidence) {
      guard let after = try? answer(evidence).cause?.rawValue else { continue }
      #expect(right.contains(after), "\(file.testDescription) without \(path): \(after)")
    }
  }

  /// Evidence without each single thing in it, however deep it lies. Payloads, requests and lists of
  /// words are statements as a whole: with a key less they say something else, they are not less.
  static func reductions(of value: CaseValue) -> [(path: String, value: CaseValue)] {
    var found: [(path: String, value: CaseValue)] = []
    for member in value.members {
      var without = value
      without[member.key] = nil
      found.append((member.key, without))
      if ["payload", "request", "with"].contains(member.key) { continue }
      for inner in reductions(of: member.value) {
        without = value
        without[member.key] = inner.value
        found.append(("\(member.key).\(inner.path)", without))
      }
    }
    for place in value.items.indices {
      guard case .object = value.items[place] else { continue }
      var items = value.items
      items.remove(at: place)
      found.append(("\(place)", .list(items)))
      for inner in reductions(of: value.items[place]) {
        items = value.items
        items[place] = inner.value
        found.append(("\(place).\(inner.path)", .list(items)))
      }
    }
    return found
  }

  @Test("every report is a case file whose keys are known")
  func keysAreKnown() throws {
    #expect(reports.count == 130)
    for file in reports {
      #expect(try CaseReader.check(file.evidence).isEmpty, "\(file.testDescription)")
    }
  }
}
