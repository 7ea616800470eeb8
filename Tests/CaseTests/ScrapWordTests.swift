import PushChecklist
import PushIngest
import PushModel
import Testing

/// Free text of case files is read word by word: parts of words mean nothing.
@Suite struct ScrapWordTests {
  @Test(
    "a phone counts as out of reach by the words for it alone",
    arguments: [
      ("off", true), ("turned off", true), ("offline", true), ("Offline, in the cellar", true),
      ("no network", true), ("No Wi-Fi", true), ("none", true), ("airplane mode", true),
      ("no", true),
      ("office wifi", false), ("coffee shop", false), ("notion", false), ("casino wifi", false),
      ("wifi, no proxy", false), ("mobile data", false), ("slow 3g", false),
    ])
  func networkOff(_ network: String, isOff: Bool) throws {
    let list = try answer(
      CaseJSON.read(
        Array(
          """
          {"send": {"provider": "apns", "response": {"status": 200}},
           "device": {"network": "\(network)"}, "symptom": "nothing-arrived"}
          """.utf8)))
    #expect(list.entries.contains { $0.cause == .expiredWhileOffline } == isOff, "\(network)")
    #expect(list.cause == nil, "\(network)")
  }
}
