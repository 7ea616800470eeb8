import PushChecklist
import PushIngest
import PushModel
import Testing

@Suite struct HostileCaseTests {
  /// Values of every kind that may stand where they are not expected.
  private static let strangers: [CaseValue] = [
    .null, .bool(true), .integer(.min), .real(1e300), .text("x"), .list([]), .object([]),
  ]

  @Test("whatever stands where, it is refused with its path or read", arguments: 0..<77)
  func anyValueAnywhere(_ number: Int) throws {
    let file = CaseFile.all[number]
    // Every path of a few files and a few paths of every file: all of it would take minutes.
    for (place, path) in paths(in: file.json).enumerated()
    where number % 16 == 0 || place % 8 == number % 8 {
      let stranger = Self.strangers[(place + number) % Self.strangers.count]
      let changed = replacing(path[...], in: file.json, with: stranger)
      do throws(CaseProblem) {
        let reading = try CaseReader.read(file: changed)
        _ = CauseList(of: reading.chain, Checklist.walk(reading.chain))
      } catch {
        #expect(!error.reason.isEmpty, "\(file.name) \(path)")
      }
    }
  }

  @Test("nested, cut and empty texts are refused, never walked to the end")
  func hostileTexts() {
    let deep = String(repeating: "[", count: 5000) + String(repeating: "]", count: 5000)
    let texts = [
      "", " ", "{", "[]", "\"x\"", "{\"evidence\":{\"send\":{\"payload\":\(deep)}}}",
      "{\"evidence\":1}", "{\"evidence\":{\"events\":[{}]}}", "{\"evidence\":{\"log\":[{}]}}",
      "{\"evidence\":{\"events\":[null]}}", "{\"evidence\":{\"device\":{\"os\":17}}}",
    ]
    for text in texts {
      #expect(throws: CaseProblem.self, "\(text.prefix(60))") {
        try CaseReader.read(Array(text.utf8))
      }
    }
  }

  @Test("numbers beyond all times and sizes are read")
  func hugeNumbers() throws {
    let send = """
      {"server_clock_offset_s":1e300,"jwt":{"age_s":-1e300},"sent_at":1e300,"payload_bytes":1e300,
      "newer_token_at":-1e300,"token_registered_at":9e18,"response":{"status":403,
      "reason":"ExpiredProviderToken","timestamp":1e300},"headers":{"apns-expiration":1e300}}
      """
    let text = """
      {"evidence":{"send":\(send),"media":{"http_status":1e300,"bytes":1e300},"device":{
      "online_since":-1e300},"events":[{"event":"nse.did_receive","t":1e300},{"event":
      "nse.handler.called","t":-1e300}],"symptom":"nothing-arrived"}}
      """
    // A time that is a number is refused by its type; the rest is read.
    for broken in [text, text.replacing("\"online_since\":-1e300", with: "\"os\":\"17\"")] {
      do throws(CaseProblem) {
        let reading = try CaseReader.read(Array(broken.utf8))
        _ = CauseList(of: reading.chain, Checklist.walk(reading.chain))
      } catch {
        #expect(error.path.contains("evidence."))
      }
    }
    let evidence = try CaseJSON.read(Array(text.utf8))["evidence"] ?? .null
    _ = try answer(evidence)
  }

  @Test("a path into a payload whose keys hold dots finds the longest key first")
  func dottedKeys() throws {
    let json = try CaseJSON.read(
      Array(#"{"payload":{"gcm.notification.x":1,"gcm":{"notification":{"x":2}}}}"#.utf8))
    #expect(json.value(at: "payload.gcm.notification.x") == .integer(1))
    #expect(json.value(at: "payload.gcm.notification")?["x"] == .integer(2))
    #expect(json.value(at: "payload.none") == nil)
  }

  @Test("whole numbers stay whole, in order, through reading and writing")
  func numbersAndOrder() throws {
    let text = #"{"b":9223372036854775807,"a":-9223372036854775808,"c":1.5,"d":"\u0001\"\\é"}"#
    let json = try CaseJSON.read(Array(text.utf8))
    #expect(json["b"] == .integer(.max))
    #expect(json["a"] == .integer(.min))
    #expect(json.members.map(\.key) == ["b", "a", "c", "d"])
    #expect(try CaseJSON.read(CaseJSON.write(json)) == json)
  }

  private func paths(in value: CaseValue) -> [[String]] {
    var found: [[String]] = []
    for member in value.members {
      found.append([member.key])
      found += paths(in: member.value).map { [member.key] + $0 }
    }
    for (place, item) in value.items.enumerated() {
      found.append(["\(place)"])
      found += paths(in: item).map { ["\(place)"] + $0 }
    }
    return found
  }

  private func replacing(
    _ path: ArraySlice<String>, in value: CaseValue, with stranger: CaseValue
  ) -> CaseValue {
    guard let first = path.first else { return stranger }
    switch value {
    case .object(let members):
      return .object(
        members.map { member in
          guard member.key == first else { return member }
          return CaseValue.Member(
            member.key, replacing(path.dropFirst(), in: member.value, with: stranger))
        })
    case .list(let items):
      return .list(
        items.enumerated().map { place, item in
          "\(place)" == first ? replacing(path.dropFirst(), in: item, with: stranger) : item
        })
    default: return value
    }
  }
}
