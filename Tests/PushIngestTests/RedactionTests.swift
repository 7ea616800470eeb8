import PushModel
import TestSupport
import Testing

@testable import PushIngest

@Suite("Redaction") struct RedactionTests {
  private let token = "46509a0312bcebd9c24cc006547bdc1946951ab1a308516ab4339fc93154ef78"

  @Test func whatStandsInTextsInsideTextsIsRedactedToo() throws {
    let inner = #"{\"sent\":[{\"device\":\"\#(token)\",\"status\":200}],\"title\":\"Your parcel\"}"#
    let line = #"{"time":"2026-03-01T10:00:00Z","msg":"\#(inner)"}"#
    let shown = try #require(LineRedactor.shown(line))
    #expect(
      shown
        == #"{"time":"2026-03-01T10:00:00Z","msg":{"sent":[{"device":"token 64 4650…ef78","status":200}],"title":"text 11"}}"#
    )
  }

  @Test func textsForPeopleAreHiddenUnderNamesThatHoldObjectsElsewhere() throws {
    for key in ["body", "notification", "message", "msg", "log", "alert", "title", "attributes"] {
      let shown = try #require(LineRedactor.shown("{\"\(key)\":\"Your parcel moved\"}"))
      #expect(shown == "{\"\(key)\":\"text 17\"}")
    }
  }

  @Test func numbersUnderUnknownNamesAreHiddenToo() throws {
    let line = #"{"status":410,"phone":4915112345678,"user":{"id":7},"body":[17,2.5],"token":99}"#
    let shown = try #require(LineRedactor.shown(line))
    #expect(
      shown
        == #"{"status":410,"phone":"number","user":"object","body":["number","number"],"token":"number"}"#
    )
  }

  @Test func theFixturesOfAllFormatsGiveNothingAway() throws {
    for file in Repository.files(below: "Tests/Formats") {
      let text = try Repository.text(of: file)
      for line in text.split(whereSeparator: \.isNewline) {
        guard let shown = LineRedactor.shown(String(line))?.lowercased() else { continue }
        #expect(!shown.contains(token), "\(file)")
        #expect(!shown.contains("parcel"), "\(file)")
        #expect(!shown.contains("51c435c3a019fe20a9d5fc60012b9a81865c2228dc42ea9d62af58162667162b"))
      }
    }
  }
}
