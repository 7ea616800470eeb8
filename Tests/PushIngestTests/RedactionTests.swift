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

  @Test(
    "tokens and credentials in a text give way to their form",
    arguments: [
      ("gave up on T: timeout", "gave up on <token 64 4650…ef78>: timeout"),
      ("T", "<token 64 4650…ef78>"),
      ("TT", "<token 128 4650…ef78>"),
      ("T deadline exceeded", "<token 64 4650…ef78> deadline exceeded"),
      ("https://host/3/device/T?x", "https://host/3/device/<token 64 4650…ef78>?x"),
      (
        "/3/device/46509a0312bcebd9c24cc006547bdc19: EOF",
        "/3/device/<token 32 4650…dc19>: EOF"
      ),
      (
        "<46509a03 12bcebd9 c24cc006 547bdc19 46951ab1 a308516a b4339fc9 3154ef78>",
        "<<token 71 4650…ef78>>"
      ),
      ("bearer eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJUIn0.c2ln-_x, again", "bearer <jwt 44>, again"),
      ("(eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJUIn0.c2ln).", "(<jwt 41>)."),
    ])
  func secretsInTexts(_ given: String, _ wanted: String) throws {
    var text = given.replacing("T", with: token)
    let masked = text.withUTF8 { SecretText.masked(UnsafeRawBufferPointer($0)) }
    #expect(masked.map { String(decoding: $0, as: UTF8.self) } == wanted)
  }

  @Test(
    "texts that only look like it stay",
    arguments: [
      "5b0f4c1e-7a39-4d58-9a60-2f1d6c0be1aa", "46509a0312bcebd9c24cc006547bdc1946951ab1",
      "context deadline exceeded (Client.Timeout exceeded)", "deadbeef deadbeef deadline passed",
      "https://api.push.apple.com/3/device/short", "eyJhbGciOiJFUzI1NiJ9", "keyJabcdefgh.json.x",
    ])
  func noSecrets(_ given: String) {
    var text = given
    #expect(text.withUTF8 { SecretText.masked(UnsafeRawBufferPointer($0)) } == nil)
  }

  @Test(
    "of a sentence that an app gives as reason the kind of trap stays",
    arguments: [
      ("per-process-limit", "per-process-limit"), ("security-scope", "security-scope"),
      ("Fatal error: unexpected title 'Hallo Erika Mustermann'", "Fatal error: <text 41>"),
      ("Fatal error: no avatar for Erika", "Fatal error: <text 19>"),
      ("Fatal error: Index out of range", "Fatal error: Index out of range"),
      (
        "Push/Service.swift:41: Fatal error: Unexpectedly found nil while unwrapping an Optional value",
        "<text 23> Fatal error: Unexpectedly found nil while unwrapping an Optional value"
      ),
      (
        "Could not cast value of type 'Erika' (0x1) to 'NSString' (0x2).",
        "Could not cast value of type <text 34>"
      ),
      (
        "*** Terminating app due to uncaught exception 'NSRangeException', reason: 'beyond Erika'",
        "*** Terminating app due to uncaught exception 'NSRangeException<text 25>"
      ),
    ])
  func reasons(_ given: String, _ wanted: String) throws {
    let run = AdapterRun(
      #"{"ts":"2026-03-01T10:00:00Z","event":"nse.crashed","attrs":{"reason":"\#(given)"}}"#,
      named: .ownDeviceLog)
    let attribute = try #require(run.workspace.records.attributes.first)
    #expect(run.workspace.texts[Int(attribute.bits)] == wanted)
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
