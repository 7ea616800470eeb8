import PushModel
import Testing

@testable import PushChecklist

@Suite struct HandChecklistTests {
  @Test("each of the twelve steps and twelve questions has its step, cause and example")
  func claims() {
    #expect(HandChecklist.steps.count == 12 && HandChecklist.questions.count == 12)
    let page = HandChecklist.page()
    for claim in HandChecklist.steps + HandChecklist.questions {
      let cause = Checklist.cause(claim.cause)?.cause
      let isHere = Checklist.step(claim.step)?.cause(claim.cause) != nil
      #expect(isHere || cause?.alsoAt.contains(claim.step) == true, "\(claim.text)")
      let example = claim.shown
      #expect(example?.cause == claim.cause, "\(claim.text): \(claim.example)")
      for part in [claim.text, claim.remark, claim.example] { #expect(page.contains(part)) }
    }
    let texts = HandChecklist.steps.map(\.text) + HandChecklist.questions.map(\.text)
    #expect(Set(texts).count == 24)
  }
}

@Suite struct ReferenceEntryTests {
  @Test("every row has texts, and what it names exists", arguments: ReferenceEntry.all.map(\.id))
  func rows(_ id: String) {
    for row in ReferenceEntry.all where row.id == id {
      for text in [row.form, row.meaning, row.decided, row.repair] { #expect(!text.isEmpty) }
      #expect(!row.facts.isEmpty)
      for fact in row.facts { #expect(Fact.find(fact) != nil, "\(fact)") }
      for step in row.steps { #expect(Checklist.step(step) != nil, "\(step)") }
      for cause in row.causes { #expect(Checklist.cause(cause) != nil, "\(cause)") }
    }
  }

  @Test("names are unique within their table, and the tables hold what Apple's have")
  func tables() {
    for kind in ReferenceEntry.Kind.allCases {
      let ids = ReferenceEntry.rows(kind).map(\.id)
      #expect(Set(ids).count == ids.count, "\(kind)")
    }
    // Lists from Apple's tables, written again here by hand.
    let headers = [
      "authorization", "apns-id", "apns-expiration", "apns-priority", "apns-topic",
      "apns-push-type", "apns-collapse-id", "apns-channel-id", "apns-request-id",
      "apns-unique-id",
    ]
    let keys = [
      "alert", "badge", "sound", "thread-id", "category", "content-available", "mutable-content",
      "target-content-id", "interruption-level", "relevance-score", "filter-criteria",
      "timestamp", "stale-date", "dismissal-date", "event", "content-state", "attributes",
      "attributes-type", "input-push-token", "input-push-channel", "content-changed",
    ]
    let alert = [
      "title", "subtitle", "body", "launch-image", "title-loc-key", "title-loc-args",
      "subtitle-loc-key", "subtitle-loc-args", "loc-key", "loc-args",
    ]
    let errors = [1, 100, 101, 102, 103, 104, 105, 1400, 1401, 1500, 1501, 1600]
    for name in headers { #expect(kinds(name).contains(.header), "\(name)") }
    for name in keys { #expect(kinds("aps.\(name)").contains(.payloadKey), "\(name)") }
    for name in alert { #expect(kinds("aps.alert.\(name)").contains(.payloadKey), "\(name)") }
    for code in errors { #expect(kinds("UNErrorDomain \(code)").contains(.errorCode), "\(code)") }
    for code in ["0x8badf00d", "0xbaadca11", "0xdead10cc", "0xc00010ff", "per-process-limit"] {
      #expect(kinds(code).contains(.terminationCode), "\(code)")
    }
  }

  private func kinds(_ name: String) -> [ReferenceEntry.Kind] {
    ReferenceEntry.find(name).map(\.kind)
  }

  @Test("termination codes are found in hex, without prefix and in decimal")
  func termination() {
    // 0x8badf00d = 2343432205, computed by hand: 2343432205 / 16 = 146464512 rest 13 (d), and so on.
    for text in ["0x8badf00d", "0x8BADF00D", "8badf00d", "2343432205"] {
      #expect(ReferenceEntry.find(text).map(\.id) == ["0x8badf00d"], "\(text)")
    }
    for row in ReferenceEntry.rows(.terminationCode) where row.id.hasPrefix("0x") {
      let number = UInt32(row.id.dropFirst(2), radix: 16)
      #expect(number.map { row.aliases.contains(String($0)) } == true, "\(row.id)")
    }
  }
}

@Suite struct FindTests {
  @Test("everything that has a name has a page", arguments: ReferenceDocs.names)
  func everything(_ name: String) throws {
    let found = try #require(ReferenceDocs.find(name).first)
    let text = found.page.plain()
    #expect(text.count > 100)
    #expect(!text.contains("**"))
    for line in found.page.markdown.split(separator: "\n") where line.hasPrefix("|") {
      #expect(line.hasSuffix("|"))
    }
  }

  @Test("a page says what it means, how it is decided, from where, and the repair")
  func parts() throws {
    let reason = try #require(ReferenceDocs.find("BadDeviceToken").first).page.plain()
    for part in [
      "400", "Never", "token-environment", "token_env_mismatch", "F2.0", "token_malformed",
    ] {
      #expect(reason.contains(part), "\(part)")
    }
    let cause = try #require(ReferenceDocs.find("principal_class").first).page.plain()
    for part in ["Repair", "How to recognise it", "extension-loads", "F7.13", "module's name"] {
      #expect(cause.contains(part), "\(part)")
    }
    let error = try #require(ReferenceDocs.find("101").first).page.plain()
    for part in ["Repair:", "How it is decided:", "media-file", "F5.3"] {
      #expect(error.contains(part), "\(part)")
    }
  }

  @Test("one word may be several things, the first of them the likeliest")
  func several() {
    #expect(ReferenceDocs.find("alert").map(\.kind) == ["kind of push", "key of the payload"])
    #expect(ReferenceDocs.find("TOPIC").map(\.kind) == ["step"])
    #expect(ReferenceDocs.find("410").map(\.kind) == ["status of APNs"])
    #expect(ReferenceDocs.find("-1009").map(\.id) == ["NSURLErrorDomain -1009"])
  }

  @Test("what has no name is answered by its nearest names")
  func nearest() {
    #expect(ReferenceDocs.find("media_http_statu").isEmpty)
    #expect(ReferenceDocs.nearest(to: "media_http_statu").first == "media_http_status")
    #expect(ReferenceDocs.nearest(to: "mutable-contnet").first == "mutable-content")
    #expect(ReferenceDocs.nearest(to: "apns_topic").first == "apns-topic")
    #expect(ReferenceDocs.nearest(to: "x9").isEmpty)
  }

  @Test("capitals, spaces, hyphens and underscores are no other name")
  func respelled() {
    #expect(ReferenceDocs.respelled("content_available") == "content-available")
    #expect(ReferenceDocs.respelled("Mutable Content") == "mutable-content")
    #expect(ReferenceDocs.respelled("ext-memory") == "ext_memory")
    #expect(ReferenceDocs.respelled("apns") == nil)
  }

  @Test("a word without a page of its own is found in the texts that speak of it")
  func speaking() {
    let found = ReferenceDocs.speaking(of: "NSExtensionPrincipalClass")
    #expect(found.contains("storyboard_and_principal_class"))
    #expect(ReferenceDocs.speaking(of: "UIBackgroundModes").contains("background_mode_missing"))
    #expect(ReferenceDocs.speaking(of: "zebra").isEmpty)
  }

  @Test("a reason that stands in no table is called unknown, with what the status says")
  func unknownReason() {
    #expect(ReferenceDocs.looksLikeReason("SomethingNew"))
    let others = [
      "media", "Library", "A", "some_thing", "HTTP", "Bad Token", "NSExtensionPrincipalClass",
      "UNErrorDomain", "NSURLErrorDomain", "UIBackgroundModes",
    ]
    for text in others {
      #expect(!ReferenceDocs.looksLikeReason(text), "\(text)")
    }
    let page = ReferenceDocs.page(ofUnknownReason: "BadDeviceTokens").plain()
    for part in ["in no table", "410", "5xx", "15 minutes", "BadDeviceToken`"] {
      #expect(page.contains(part), "\(part)")
    }
  }

  @Test("the causes of a reason stand at the step that it is about, or before the topic is known")
  func reasonCauses() {
    for reason in APNsReason.all {
      if reason.reason != "IdleTimeout" { #expect(!reason.causes.isEmpty, "\(reason.reason)") }
      for cause in reason.causes { #expect(Checklist.cause(cause) != nil) }
      // The examples agree: where one names a cause for this reason, it is among them.
      for step in Checklist.allSteps {
        for example in step.examples {
          guard let cause = example.cause, let send = example.build().chain.sends.last,
            case .known(let symbol) = send.reason, symbol.word?.rawValue == reason.reason
          else { continue }
          #expect(reason.causes.contains(cause), "\(reason.reason): \(example.title)")
        }
      }
    }
  }

  @Test("reasons of broadcasts are known and are not mistaken for those of a device")
  func broadcastReasons() throws {
    let found = try #require(ReferenceDocs.find("ChannelNotRegistered").first)
    #expect(found.kind == "reason of APNs for broadcasts")
    #expect(found.page.plain().contains("F2.3"))
    for reason in BroadcastReason.all { #expect(APNsReason.find(reason.reason) == nil) }
  }

  @Test("plain text keeps within its width wherever it can be broken")
  func width() {
    for text in ["apns-topic", "media-file", "principal_class", "BadTopic"] {
      for found in ReferenceDocs.find(text) {
        for line in found.page.plain(width: 90).split(separator: "\n") {
          #expect(line.count <= 90 || !line.contains(" "), "\(line)")
        }
      }
    }
    var page = ReferencePage()
    page.table(["a", "b"], [["one", "two three four"], ["1", "2"]])
    #expect(page.plain(width: 12) == "one\n  b: two\n    three\n    four\n1\n  b: 2\n")
    #expect(page.plain(width: 30) == "a    b\none  two three four\n1    2\n")
  }
}
