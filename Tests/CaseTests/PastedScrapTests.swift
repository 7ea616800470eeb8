import PushChecklist
import PushIngest
import PushModel
import TestSupport
import Testing

/// What somebody copied out of a terminal, a log window or an editor, as the options of `check` take
/// it, and the cause that it shows, or just misses.
struct PastedScrap: Sendable, CustomTestStringConvertible {
  let number: Int
  let json: CaseValue

  var pasted: CaseValue { json["pasted"] ?? .null }
  var testDescription: String {
    "\(number) \(json["cause"]?.text ?? "no \(json["near"]?.text ?? "")")"
  }

  static let all: [PastedScrap] = {
    guard let text = try? Repository.text(of: "Tests/CaseTests/scraps-pasted.json"),
      let json = try? CaseJSON.read(Array(text.utf8))
    else { return [] }
    return json.items.enumerated().map { PastedScrap(number: $0.offset, json: $0.element) }
  }()

  /// The evidence that `check` makes of it.
  static func evidence(_ pasted: CaseValue) throws -> CaseValue {
    func bytes(_ value: CaseValue) -> [UInt8] {
      value.text.map { Array($0.utf8) } ?? CaseJSON.write(value)
    }
    var inputs = CheckInputs()
    if let payload = pasted["payload"] { try inputs.add(payload: bytes(payload)) }
    if let headers = pasted["headers"] { try inputs.add(headers: bytes(headers)) }
    if let response = pasted["response"] { try inputs.add(response: bytes(response)) }
    if let log = pasted["log"] {
      var split = LogSplit()
      _ = split.add(bytes(log))
      inputs.add(split.whole)
    }
    if let release = pasted["release"] { inputs.add(release: release) }
    if let system = pasted["os"]?.text { inputs.add(deviceOS: system) }
    if let symptom = pasted["symptom"]?.text.flatMap(Symptom.init(rawValue:)) {
      inputs.add(symptom: symptom)
    }
    return inputs.evidence
  }
}

@Suite struct PastedScrapTests {
  @Test("what was pasted shows its cause, or leaves it open", arguments: PastedScrap.all)
  func answers(_ scrap: PastedScrap) throws {
    let list = try answer(PastedScrap.evidence(scrap.pasted))
    #expect(
      list.cause?.rawValue == scrap.json["cause"]?.text,
      "\(scrap.testDescription): says \(list.cause?.rawValue ?? "nothing")")
    for candidate in scrap.json["candidates"]?.items.compactMap(\.text) ?? [] {
      #expect(
        list.entries.contains { $0.cause.rawValue == candidate },
        "\(scrap.testDescription): \(candidate) is no candidate")
    }
  }

  @Test(
    "without one of the pasted parts there is no other definite cause", arguments: PastedScrap.all)
  func losingParts(_ scrap: PastedScrap) throws {
    let before = try answer(PastedScrap.evidence(scrap.pasted)).cause
    for part in scrap.pasted.members {
      var without = scrap.pasted
      without[part.key] = nil
      let after = try answer(PastedScrap.evidence(without)).cause
      #expect(
        after == nil || after == before || after?.rawValue == scrap.json["accept"]?.text,
        "\(scrap.testDescription) without \(part.key): \(after?.rawValue ?? "")")
    }
  }

  @Test("there are as many as there should be")
  func allAreRead() { #expect(PastedScrap.all.count == 46) }

  @Test("an answer of curl says the same with either kind of line end")
  func lineEnds() throws {
    let text =
      "HTTP/2 400\napns-id: 5d1d7d1e-8c5b-4c35-9a0c-2f0e5b7f9a10\n\n{\"reason\":\"BadTopic\"}"
    var plain = CheckInputs()
    try plain.add(response: Array(text.utf8))
    var carried = CheckInputs()
    try carried.add(response: Array(text.replacing("\n", with: "\r\n").utf8))
    #expect(plain.evidence == carried.evidence)
    #expect(plain.evidence.value(at: "send.response.status") == .integer(400))
    #expect(plain.evidence.value(at: "send.response.reason") == .text("BadTopic"))
  }
}
