import PushModel
import TestSupport
import Testing

@testable import PushIngest

/// One odd value costs a line this value and no more.
@Suite("Odd values") struct OddValueTests {
  private static let head =
    #"{"ts":"2026-03-01T10:00:00Z","status":200,"notification_id":"order-1","#

  private func read(
    _ line: String, named adapter: LogAdapter = .ownSendLog
  ) -> (run: AdapterRun, notes: [FieldNote]) {
    let run = AdapterRun(line, named: adapter)
    return (run, run.workspace.notes)
  }

  @Test(
    "a half of a surrogate pair is read as a replacement, and named",
    arguments: [
      (#""payload":{"aps":{"alert":{"title":"Party \ud83c"}}}"#, "payload.aps.alert.title"),
      (#""payload":{"aps":{"alert":"\udf89 Party"},"x":1}"#, "payload.aps.alert"),
      (#""payload":{"list":[{"a":"b"},{"c":"\uD83C!"}]}"#, "payload.list.c"),
      (#""sender":"push \ud83c\n""#, "sender"), (#""error":"\ud83c\ud83c\udf89""#, "error"),
      (
        #""46509a0312bcebd9c24cc006547bdc1946951ab1a308516ab4339fc93154ef78":"\ud83c""#,
        "<token 64 4650…ef78>"
      ),
    ])
  func halves(_ member: String, _ field: String) throws {
    let (run, notes) = read(Self.head + member + "}")
    let send = try #require(run.sends.first, "\(run.readings)")
    #expect(run.text(send.notification) == "order-1")
    #expect(
      notes == [FieldNote(field: field, reason: "holds half of a surrogate pair, read as U+FFFD")])
  }

  @Test func wholePairsBesideAHalfStayWhatTheyAre() throws {
    let (run, _) = read(Self.head + #""sender":"\ud83c\udf89 \\ud83c \ud83c","host":"\u0041"}"#)
    let send = try #require(run.sends.first)
    #expect(run.text(send.sender) == "🎉 \\ud83c \u{FFFD}")
    #expect(run.text(send.host) == "A")
  }

  @Test(
    "a number beyond 64 bits costs no more than itself",
    arguments: [
      (#""payload":{"id":18446744073709551616}"#, "payload.id"),
      (#""custom":{"a":[1,-9223372036854775809]}"#, "custom.a"),
      (#""attempt":100000000000000000000"#, "attempt"),
      (#""duration_ms":340282366920938463463374607431768211456"#, "duration_ms"),
    ])
  func largeNumbers(_ member: String, _ field: String) throws {
    let (run, notes) = read(Self.head + member + "}")
    let send = try #require(run.sends.first, "\(run.readings)")
    #expect(run.text(send.notification) == "order-1")
    #expect(send.attempt == SendRecord().attempt)
    #expect(
      notes.contains(
        FieldNote(
          field: field, reason: "is a whole number of more than 64 bits, read as a real number")))
  }

  @Test func numbersBeyondAllBoundsAreLeftOut() throws {
    let (run, notes) = read(Self.head + #""priority":1e999,"sender":"push-1"}"#)
    let send = try #require(run.sends.first)
    #expect(run.text(send.sender) == "push-1")
    #expect(
      notes == [FieldNote(field: "priority", reason: "is a number beyond all bounds, and left out")]
    )
  }

  @Test func theLargestWholeNumbersNeedNoMending() throws {
    let (run, notes) = read(
      Self.head + #""payload":{"a":18446744073709551615,"b":-9223372036854775808}}"#)
    #expect(run.sends.count == 1)
    #expect(notes == [])
  }

  @Test func theNoteBelongsToItsLineAlone() throws {
    let odd = Self.head + #""sender":"\ud83c"}"#
    let (run, notes) = read(odd + "\n" + Self.head + #""sender":"push-1"}"#)
    #expect(run.sends.count == 2)
    #expect(notes == [])
  }

  @Test func eventsAndOtherFormatsKeepTheirRecordsToo() throws {
    let (phone, notes) = read(
      #"{"ts":"2026-03-01T10:00:00Z","event":"app.opened","seq":18446744073709551616}"#,
      named: .ownDeviceLog)
    #expect(phone.events.count == 1)
    #expect(notes.map(\.field) == ["seq", "seq"])
    let (result, _) = read(
      #"{"time":"2026-03-01T10:00:00Z","msg":"{\"StatusCode\":200,\"ApnsID\":\"a\",\"Reason\":\"\",\"note\":\"\\ud83c\"}"}"#,
      named: .apnsResult)
    #expect(result.sends.count == 1)
  }

  @Test func whatIsNoJSONIsNotMended() {
    for line in [#"{"ts":1,"a":"\ud83c""#, #"{"a":01,"b":"\ud83c"}"#, #"{"a":"\u12"}"#, "-", "1e"] {
      #expect(read(line).run.sends.isEmpty)
      guard case .unreadable = read(line).run.readings.first else {
        Issue.record("\(line) is read")
        continue
      }
    }
  }

  @Test func linesWithAHalfAreStoredLikeOthers() throws {
    let shown = try #require(
      LineRedactor.shown(#"{"status":200,"title":"Party \ud83c","topic":"a\ud83c"}"#))
    #expect(shown == "{\"status\":200,\"title\":\"text 9\",\"topic\":\"a\u{FFFD}\"}")
  }

  // MARK: Objects written as texts

  @Test func theBodyOfAnAnswerIsReadWhereItIsAText() throws {
    let (run, notes) = read(
      #"{"ts":"2026-03-01T10:00:00Z","status":410,"response":"{\"reason\":\"Unregistered\",\"timestamp\":1772272800123}","headers":"{\"apns-priority\":\"5\"}","receipt":"{\"status\":\"error\"}"}"#
    )
    let send = try #require(run.sends.first)
    #expect(run.text(send.reason) == "Unregistered")
    #expect(send.unregisteredAt == 1_772_272_800_123_000)
    #expect(send.at == 1_772_359_200_000_000, "a timestamp of an answer is no time of the send")
    #expect(send.priority == HeaderValue(kind: .number, bits: 5))
    #expect(run.text(send.receiptStatus) == "error")
    #expect(notes == [])
  }

  @Test func aTextThatIsNoObjectIsSaid() throws {
    for text in [#""Unregistered""#, #""[1]""#, #""{\"reason\":""#, "17", "[]"] {
      let (run, notes) = read(Self.head + "\"response\":\(text)}")
      #expect(run.sends.count == 1)
      #expect(
        notes == [
          FieldNote(field: "response", reason: "is neither an object nor the JSON of one")
        ], "\(text)")
    }
    for text in [#""""#, "null", "{}"] {
      #expect(read(Self.head + "\"response\":\(text)}").notes == [])
    }
  }

  @Test func textsInTextsInTextsAreNotRead() throws {
    let (run, notes) = read(
      Self.head
        + #""response":"{\"response\":\"{\\\"reason\\\":\\\"X\\\"}\",\"reason\":\"BadDeviceToken\",\"mutable_content\":1}"}"#
    )
    let send = try #require(run.sends.first)
    #expect(run.text(send.reason) == "BadDeviceToken")
    #expect(notes.map(\.field) == ["response"])
  }
}
