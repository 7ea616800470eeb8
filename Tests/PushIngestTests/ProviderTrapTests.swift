import Foundation
import PushModel
import TestSupport
import Testing

@testable import PushIngest

/// What makes the formats of senders hard, each case worked out by hand.
@Suite("Traps of provider formats") struct ProviderTrapTests {
  private let good = "46509a0312bcebd9c24cc006547bdc1946951ab1a308516ab4339fc93154ef78"
  private let bad = "51c435c3a019fe20a9d5fc60012b9a81865c2228dc42ea9d62af58162667162b"
  /// 2026-03-01 10:00:00 UTC, in microseconds.
  private let start: Int64 = 1_772_359_200_000_000

  private func first(_ run: AdapterRun) throws -> SendRecord { try #require(run.sends.first) }

  private func token(_ text: String, _ workspace: ParseWorkspace) -> TokenRecord {
    Array(text.utf8).withUnsafeBytes { bytes in
      bytes.baseAddress.map { workspace.token(ByteText(base: $0, count: bytes.count)) } ?? .none
    }
  }

  // MARK: Envelopes

  @Test(arguments: [
    #"{"sent":[{"device":"46509a0312bcebd9c24cc006547bdc1946951ab1a308516ab4339fc93154ef78"}],"failed":[]}"#
  ])
  func aResultIsFoundWhateverIsPutAroundIt(result: String) throws {
    let escaped = result.replacingOccurrences(of: "\"", with: "\\\"")
    let inner = "{\"msg\":\"\(escaped)\"}"
    let twice = inner.replacingOccurrences(of: "\\", with: "\\\\")
      .replacingOccurrences(of: "\"", with: "\\\"")
    let time = "2026-03-01T10:00:00Z"
    for line in [
      "\(time) INFO push \(result)",
      "2026-03-01 11:00:00,000+0100 [7] INFO \(result)",
      "{\"time\":\"\(time)\",\"result\":\(result)}",
      "{\"time\":\"\(time)\",\"a\":{\"b\":{\"c\":\(result)}}}",
      "{\"timestamp\":\"\(time)\",\"textPayload\":\"push done \(escaped)\"}",
      "{\"ts\":1772359200,\"msg\":\"\(escaped)\"}",
      "{\"@timestamp\":\"\(time)\",\"message\":\"\(twice)\"}",
      "{\"events\":[{\"timestamp\":1772359200000,\"message\":\"\(escaped)\"}]}",
      "\u{1B}[32m\(time)\u{1B}[0m \(result)\u{1B}[0m",
    ] {
      let run = AdapterRun(line)
      #expect(run.adapter?.id == "apns-result", "\(line)")
      let send = try #require(run.sends.first, "\(line)")
      #expect(send.at == start, "\(line)")
      #expect(send.status == 200)
      #expect(send.token == token(good, run.workspace))
    }
  }

  @Test func theInnermostTimeIsThatOfTheResult() throws {
    let inner =
      #"{\"time\":\"2026-03-01T10:00:00.5Z\",\"res\":{\"StatusCode\":200,\"ApnsID\":\"x\"}}"#
    let run = AdapterRun(#"{"time":"2026-03-01T10:00:09Z","log":"\#(inner)"}"#)
    #expect(try first(run).at == start + 500_000)
  }

  @Test func fieldsAroundTheResultBelongToIt() throws {
    let run = AdapterRun(
      #"{"time":"2026-03-01T10:00:00Z","id":"log-1","host":"web-3","deviceToken":"\#(good)","apns-collapse-id":"order-48213","res":{"StatusCode":200,"ApnsID":"5B0F4C1E-7A39-4D58-9A60-2F1D6C0BE1AA"}}"#
    )
    let send = try first(run)
    #expect(send.token == token(good, run.workspace))
    #expect(run.text(send.collapse) == "order-48213")
    #expect(!send.notification.isPresent, "a log's own id is none of a notification's")
    #expect(send.host == .absent)
    // UUIDs compare without case, and keep it.
    #expect(
      send.apns.hash == StableHash.ofIdentifier("5b0f4c1e-7a39-4d58-9a60-2f1d6c0be1aa"))
    #expect(run.text(send.apns).first == "5")
    #expect(run.text(send.apns).contains("B0F4"))
  }

  // MARK: Results of libraries

  @Test func theTimestampOfA410IsNotTheTimeOfTheSend() throws {
    let run = AdapterRun(
      #"{"time":"2026-03-01T10:00:00Z","r":{"failed":[{"device":"\#(bad)","status":"410","response":{"reason":"Unregistered","timestamp":1772272800123}}]}}"#
    )
    let send = try first(run)
    #expect(send.at == start)
    #expect(send.status == 410)
    #expect(send.unregisteredAt == 1_772_272_800_123_000)
    #expect(run.text(send.reason) == "Unregistered")
  }

  @Test func yearOneIsNoTime() throws {
    let run = AdapterRun(
      #"{"time":"2026-03-01T10:00:00Z","r":{"StatusCode":200,"Reason":"","ApnsID":"x","Timestamp":"0001-01-01T00:00:00Z"}}"#
    )
    let send = try first(run)
    #expect(send.unregisteredAt == .min)
    #expect(send.reason == .absent)
  }

  @Test func failuresWithoutAnAnswerHaveStatusZero() throws {
    for (text, error) in [
      (#""status":"(timeout)""#, "timeout"), (#""error":{}"#, "transport error"),
      (#""error":{"jse_shortmsg":"apn write failed","jse_info":{}}"#, "apn write failed"),
    ] {
      let run = AdapterRun(
        #"{"time":"2026-03-01T10:00:00Z","r":{"failed":[{"device":"00ff",\#(text)}]}}"#)
      let send = try first(run)
      #expect(send.status == 0, "\(text)")
      #expect(run.text(send.error) == error, "\(text)")
    }
  }

  @Test func statusesMayBeTextOrNumber() throws {
    for status in ["400", "\"400\""] {
      let run = AdapterRun(
        #"{"time":"2026-03-01T10:00:00Z","r":{"failed":[{"device":"00ff","status":\#(status),"response":{"reason":"BadDeviceToken"}}]}}"#
      )
      #expect(try first(run).status == 400)
    }
  }

  @Test func aResultWithoutAnyTimeTakesTheOneThatIsSaid() throws {
    let line = #"{"StatusCode":200,"Reason":"","ApnsID":"5b0f4c1e-7a39-4d58-9a60-2f1d6c0be1aa"}"#
    #expect(AdapterRun(line).sends.isEmpty)
    var hints = SourceHints()
    hints.assumedTime = start
    let run = AdapterRun(line, hints: hints)
    #expect(try first(run).at == start)
    #expect(run.workspace.assumedTimes == 1)
  }

  // MARK: Gateways

  @Test func base64PushkeysAreTokens() throws {
    let run = AdapterRun(
      "2026-03-01 10:00:00,104 [1] INFO  sygnal.apnspushkin [17-3] Sending (attempt 2) => 5b0f4c1e-7a39-4d58-9a60-2f1d6c0be1aa APNs-ID:RlCaAxK869nCTMAGVHvcGUaVGrGjCFFqtDOfyTFU73g= room:!q:example.org, event:$e1"
    )
    let send = try first(run)
    #expect(send.token == token(good, run.workspace))
    #expect(send.attempt == 3, "counted from 0 there")
    #expect(send.status == .min, "a success has no line")
    #expect(run.text(send.notification) == "$e1")
  }

  @Test func tracebacksBelongToTheirLine() {
    let run = AdapterRun(
      """
      2026-03-01 10:00:00,104 [1] INFO  sygnal.apnspushkin [17-3] Sending as APNs-ID 5b0f4c1e-7a39-4d58-9a60-2f1d6c0be1aa
      2026-03-01 10:00:00,400 [1] ERROR sygnal.apnspushkin [17-5] Temporary failure, will retry in 10.0
      Traceback (most recent call last):
        File "x.py", line 1, in f
      Failure: was rejected: 410 Unregistered
      2026-03-01 10:00:01,000 [1] INFO  sygnal.access Handled request
      """)
    // The traceback holds words of a rejection, with the line that it belongs to: one piece each.
    #expect(run.readings.count == 3)
  }

  @Test func transportErrorsDoNotGiveTheTokenAway() throws {
    let entry =
      #"{\"notif_id\":\"n\",\"type\":\"failed-push\",\"platform\":\"ios\",\"token\":\"**********\",\"message\":\"Hi\",\"error\":\"Post \\\"https://api.push.apple.com/3/device/\#(bad)\\\": context deadline exceeded\"}"#
    let run = AdapterRun(#"{"level":"error","msg":"\#(entry)","time":"2026-03-01T10:00:00Z"}"#)
    let send = try first(run)
    #expect(send.status == 0)
    #expect(run.text(send.error) == "context deadline exceeded")
    #expect(!run.stored.contains(bad))
    #expect(send.token.marks.contains(.masked))
  }

  @Test func whatGatewaysTakeIsNotWhatAPNsTook() throws {
    let accepted = AdapterRun(
      #"{"event_timestamp":"1772359200.312","message_id":"1","instance_id":"c","sdk_platform":"IOS","event":"MESSAGE_ACCEPTED"}"#
    )
    let fcm = try first(accepted)
    #expect(accepted.text(fcm.provider) == "fcm-v1")
    #expect(fcm.receiptStatus == .absent && fcm.receiptReason == .absent)
    let delivered = AdapterRun(
      #"{"notification":{"timestamp":"2026-03-01 10:00:00.4","messageId":"m"},"delivery":{"statusCode":200,"destination":"arn:aws:sns:e:1:endpoint/APNS/c/1"},"status":"SUCCESS"}"#
    )
    #expect(delivered.text(try first(delivered).receiptStatus) == "ok")
  }

  /// 10:00:00.312 in the four forms that exports have, and as microseconds in text.
  @Test(arguments: [
    #""2026-03-01 10:00:00.312000 UTC""#, #""2026-03-01T10:00:00.312Z""#, #""1772359200.312""#,
    "1772359200.312", "1772359200312000", #""1772359200312000""#,
  ])
  func timesOfBigQuery(time: String) throws {
    let run = AdapterRun(
      #"{"event_timestamp":\#(time),"message_id":"1","instance_id":"c","sdk_platform":"IOS","event":"MESSAGE_ACCEPTED"}"#
    )
    #expect(try first(run).at == start + 312_000)
  }

  @Test func rpushSendsExpirationZeroWhateverExpirySays() throws {
    let header = "id,type,device_token,data,expiry,delivered,delivered_at,failed"
    let type = "Rpush::Client::ActiveRecord::Apnsp8::Notification"
    let plain = AdapterRun("\(header)\n1,\(type),\(good),,86400,t,2026-03-01 10:00:00,f\n")
    #expect(try first(plain).expiration == HeaderValue(kind: .number, bits: 0))
    let own = AdapterRun(
      "\(header)\n1,\(type),\(good),\"{\"\"headers\"\":{}}\",86400,t,2026-03-01 10:00:00,f\n")
    #expect(try first(own).expiration == .absent)
  }

  @Test func theMessageOfAnExportStandsInItsName() throws {
    var hints = SourceHints()
    hints.name =
      "x.tar/events_audience-activity-d4c3b2a1-0f9e-4d8c-b7a6-5e4f3d2c1b0a-push-2026-03-01_10-05-00_UTC.csv.gz"
    let run = AdapterRun(
      "subscription_id,event,timestamp\nabc,sent,2026-03-01 10:00:00 UTC\n", hints: hints)
    #expect(run.adapter?.id == "onesignal")
    #expect(run.text(try first(run).notification) == "d4c3b2a1-0f9e-4d8c-b7a6-5e4f3d2c1b0a")
  }

  @Test func attributesOfOTLPMayHaveOtherNames() throws {
    var hints = SourceHints()
    hints.attributeNames = ["rid": "request_id", "cost": "elapsed_ms"]
    let run = AdapterRun(
      #"{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"timeUnixNano":1772359200000000001,"body":{"stringValue":"contentHandler"},"attributes":[{"key":"rid","value":{"stringValue":"order-48213"}},{"key":"cost","value":{"intValue":"9007199254740993"}}]}]}]}]}"#,
      hints: hints)
    let event = try #require(run.events.first)
    #expect(event.name == .nseHandlerCalled)
    #expect(run.text(event.request) == "order-48213")
    // More than a Double holds.
    #expect(
      run.workspace.records.attributes[Int(event.firstAttribute)].bits == 9_007_199_254_740_993)
    #expect(event.at == start)
  }

  // MARK: Zones

  @Test func timesWithoutAZoneAreInTheOneThatIsSaid() throws {
    let line =
      "07:00:00,000 [1] INFO  sygnal.apnspushkin [17-4] APNs token 51c4 for pushkin c was rejected: 410 Unregistered"
    func at(_ day: String, _ hints: SourceHints) throws -> Int64 {
      try first(AdapterRun("\(day) \(line)", hints: hints)).at
    }
    var hints = SourceHints()
    let utc = try at("2026-03-01", hints)
    #expect(utc == start - 3 * 3_600_000_000)
    hints.assumedZoneSeconds = 3600
    #expect(try at("2026-03-01", hints) == utc - 3_600_000_000)
    // Central European time is UTC+1 in winter and UTC+2 in summer.
    hints.assumedZoneName = "Europe/Berlin"
    #expect(try at("2026-03-01", hints) == utc - 3_600_000_000)
    hints.assumedZoneName = nil
    hints.assumedZoneSeconds = 7200
    let summer = try at("2026-07-01", hints)
    hints.assumedZoneName = "Europe/Berlin"
    #expect(try at("2026-07-01", hints) == summer)
  }

  // MARK: Hostile input

  @Test func concatenatedObjectsAreAPieceEachAndABrokenOneHurtsOnlyItself() {
    let one = #"{"a":[1,{"b":"}{"}],"c":"\\"}"#
    for (text, count) in [
      (one + one + one, 3), (one + "\n" + one, 2), ("[" + one + ",\n" + one + "]\n", 2),
      (one + #"{"cut":"x"# + "\n" + one, 3), (one + #"{"a":1,"b":"# + "\n" + one + one, 4),
    ] {
      let bytes = Array(text.utf8) + [UInt8](repeating: 0, count: 64)
      bytes.withUnsafeBytes { buffer in
        let pieces = Array(
          PieceCursor(
            UnsafeRawBufferPointer(rebasing: buffer[..<text.utf8.count]),
            framing: .jsonValues(inside: false), isSourceStart: true, isSourceEnd: true)
        ).filter { $0.length > 0 }
        // `{"a":1,"b":{…}` is one broken value with the next one inside: it ends with the third.
        #expect(pieces.count == count || pieces.count == count - 1, "\(text): \(pieces)")
        let whole = pieces.filter {
          String(decoding: buffer[$0.offset..<$0.offset + $0.length], as: UTF8.self) == one
        }
        #expect(whole.count >= 1)
      }
    }
  }

  @Test func nestingBombsAreNotUnderstood() {
    for bomb in [
      String(repeating: "[", count: 100_000), String(repeating: "{\"a\":", count: 100_000),
      "{\"time\":\"2026-03-01T10:00:00Z\",\"msg\":\""
        + String(repeating: "{\\\"msg\\\":", count: 50_000)
        + "\"}",
    ] {
      for adapter in AdapterRegistry.all {
        let run = AdapterRun(bomb, named: adapter)
        #expect(run.sends.isEmpty && run.events.isEmpty, "\(adapter.id)")
      }
    }
  }

  @Test func aQuoteTooManyDoesNotSwallowAFile() {
    let header = "event_timestamp,message_id,instance_id,sdk_platform,event"
    let row = "1772359200312000,1,c,IOS,MESSAGE_ACCEPTED"
    var lines = [header, "1772359200312000,\"1,c,IOS,MESSAGE_ACCEPTED"]
    lines += Array(repeating: row, count: 40_000)
    let run = AdapterRun(lines.joined(separator: "\n") + "\n")
    #expect(run.sends.count == 40_000)
  }
}
