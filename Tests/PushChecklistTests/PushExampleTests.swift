import PushModel
import Testing

@testable import PushChecklist

/// A chain made from an example of a kind of push as it is printed: headers, payload, keys, events.
private func chain(_ example: PushExample) -> (chain: Chain, texts: SymbolTable) {
  let texts = SymbolTable()
  var chain = Chain()
  chain.kind = example.kind
  chain.meaning = example.meaning
  chain.meaningSource = .stated
  var send = Send()
  send.sentAt = .known(ExampleChain.sentAt)
  send.provider = .known(Symbol(.apns))
  send.environment = .known(Symbol(.production))
  send.status = .known(200)
  if let kind = example.tokenKind {
    send.tokenKind = .known(texts.intern(kind))
    send.token = .known(TokenForm(length: UInt16(PushExample.token.utf8.count), marks: []))
  }
  for (name, value) in example.headers {
    switch name {
    case "apns-topic":
      let topic = TopicForm.read(value)
      send.topic = .known(texts.intern(value))
      send.topicForm = .known(topic.form)
      send.topicBase = .known(texts.intern(topic.base))
    case "apns-push-type": send.pushType = .known(texts.intern(value))
    case "apns-priority": send.priority = .known(.number(Int64(value) ?? -1))
    case "apns-expiration": send.expiration = .known(.number(Int64(value) ?? -1))
    case "apns-collapse-id": send.collapseBytes = .known(Int64(value.utf8.count))
    case "apns-channel-id": send.channel = .known(texts.intern(value))
    default: Issue.record("no such header: \(name)")
    }
  }
  send.payload = payload(example.payload, texts)
  chain.sends = [send]
  chain.received = send.payload
  chain.release = release(example, texts, category: send.payload.category.value)
  chain.installation.bundle = .known(texts.intern(PushExample.bundle))
  chain.installation.os = .known(OSVersion(major: 18, minor: 2))
  chain.installation.apsEnvironment = .known(Symbol(.production))
  chain.installation.authorization = .known(Symbol(.authorized))
  chain.installation.alerts = .known(true)
  chain.installation.newerTokenAt = .missing
  if let category = send.payload.category.value {
    chain.installation.categoryRegistered = .known(
      example.categories.contains(texts[category]))
  }
  addEvents(example, texts, &chain)
  return (chain, texts)
}

private func payload(_ body: PlainJSON, _ texts: SymbolTable) -> Payload {
  var payload = Payload()
  payload.parts = .whole
  payload.sizeBytes = .known(Int64(body.line.utf8.count))
  let aps = body["aps"]
  if aps != nil { payload.parts.insert(.aps) }
  payload.alert = aps?["alert"]?.members.isEmpty == false ? .visible : .absent
  payload.mutableContent = aps?["mutable-content"] == .number(1) ? .on : .absent
  payload.contentAvailable = aps?["content-available"] == .number(1) ? .on : .absent
  payload.category = text(aps?["category"], texts)
  payload.interruptionLevel = text(aps?["interruption-level"], texts)
  payload.sound = aps?["sound"] == nil ? .missing : .known(Symbol(.defaultText))
  if aps?["sound"]?["critical"] == .number(1) {
    payload.parts.formUnion([.criticalSound, .soundDictionary])
  }
  if aps?["event"] != nil, aps?["timestamp"] != nil { payload.parts.insert(.liveActivity) }
  if body["sender"] != nil { payload.parts.insert(.sender) }
  payload.media = .missing
  if case .text(let url) = body["media-url"] {
    payload.parts.insert(.guessedMediaKey)
    payload.media = .known(
      URLForm(
        scheme: Symbol(.https), ending: Symbol(.jpg), length: UInt32(url.utf8.count),
        parses: url.hasPrefix("https://"), hasSpaces: url.contains(" ")))
  }
  return payload
}

private func text(_ value: PlainJSON?, _ texts: SymbolTable) -> Known<Symbol> {
  if case .text(let text) = value { return .known(texts.intern(text)) }
  return .missing
}

private func release(
  _ example: PushExample, _ texts: SymbolTable, category: Symbol?
) -> Release {
  var release = Release()
  release.bundle = .known(texts.intern(PushExample.bundle))
  release.distribution = .known(Symbol(.appStore))
  release.apsEnvironment = .known(Symbol(.production))
  let entitlements = example.tree(.appEntitlements)
  func has(_ name: String) -> Known<Bool> { .known(entitlements[name] == .boolean(true)) }
  release.communicationEntitlement = has("com.apple.developer.usernotifications.communication")
  release.timeSensitiveEntitlement = has("com.apple.developer.usernotifications.time-sensitive")
  release.criticalEntitlement = has("com.apple.developer.usernotifications.critical-alerts")
  let info = example.tree(.appInfo)
  release.remoteNotificationMode = .known(
    info["UIBackgroundModes"] == .array([.text("remote-notification")]))
  release.sendMessageActivity = .known(
    info["NSUserActivityTypes"] == .array([.text("INSendMessageIntent")]))
  let appex = example.tree(.extensionInfo)["NSExtension"]
  let services = example.extensions.filter { $0.kind == "service" }
  release.serviceExtensions = .known(Int64(services.count))
  if !services.isEmpty {
    release.servicePoint = text(appex?["NSExtensionPointIdentifier"], texts)
    release.serviceMinimumOS = .known(OSVersion(major: 16))
    release.servicePrefixFits = .known(true)
  }
  let contents = example.extensions.filter { $0.kind == "content" }
  release.contentExtensions = .known(Int64(contents.count))
  let claimed = appex?["NSExtensionAttributes"]?["UNNotificationExtensionCategory"]
  if let category {
    release.categoryClaimed = .known(claimed == .array([.text(texts[category])]))
  }
  release.contentTwoEntryPoints = .known(
    appex?["NSExtensionMainStoryboard"] != nil && appex?["NSExtensionPrincipalClass"] != nil)
  return release
}

private func addEvents(_ example: PushExample, _ texts: SymbolTable, _ chain: inout Chain) {
  for (place, event) in example.events.enumerated() {
    var record = DeviceEvent(name: texts.intern(event.name))
    record.recordedAt = .known(ExampleChain.sentAt + event.at * 1000)
    record.correctedAt = record.recordedAt
    record.sequence = .known(Int64(place) + 1)
    record.link = .notificationID
    record.firstAttribute = UInt32(chain.attributes.count)
    for member in event.attributes.members {
      let key = texts.intern(member.key)
      switch member.value {
      case .text(let text):
        chain.attributes.append(
          Attribute(key: key, kind: .text, bits: Int64(texts.intern(text).index)))
      case .number(let number):
        chain.attributes.append(Attribute(key: key, kind: .integer, bits: number))
      case .boolean(let flag):
        chain.attributes.append(Attribute(key: key, kind: .boolean, bits: flag ? 1 : 0))
      case .null: chain.attributes.append(Attribute(key: key, kind: .null, bits: 0))
      case .object, .array: Issue.record("\(event.name).\(member.key) is no plain value")
      }
    }
    record.attributeCount = UInt16(event.attributes.members.count)
    chain.events.append(record)
  }
}

@Suite struct PushExampleTests {
  @Test("of each kind of push the printed one is right", arguments: PushExample.all.map(\.id))
  func isRight(_ id: String) throws {
    let example = try #require(PushExample.find(id))
    let (chain, texts) = chain(example)
    let walk = Checklist.walk(chain)
    for broken in walk.broken {
      let step = try #require(Checklist.step(broken.step))
      Issue.record("\(broken.step): \(step.explain(chain, broken.result, texts))")
    }
    #expect(walk.conflicts.isEmpty)
    #expect(walk.verdict.judgement == .asMeant, "\(String(describing: walk.verdict.step))")
  }

  @Test("every kind of push that Apple has is there, with its suffix and priority")
  func kinds() {
    let types = Set(
      PushExample.all.flatMap(\.headers).filter { $0.name == "apns-push-type" }.map(\.value))
    // The eleven of Apple's table.
    #expect(
      types == [
        "alert", "background", "voip", "complication", "fileprovider", "mdm", "location",
        "liveactivity", "pushtotalk", "widgets", "controls",
      ])
    let suffixes = [
      "alert": "", "background": "", "voip": ".voip", "complication": ".complication",
      "fileprovider": ".pushkit.fileprovider", "location": ".location-query",
      "liveactivity": ".push-type.liveactivity", "pushtotalk": ".voip-ptt",
      "widgets": ".push-type.widgets", "controls": ".push-type.controls",
    ]
    for example in PushExample.all {
      let type = example.headers.first { $0.name == "apns-push-type" }?.value ?? ""
      let topic = example.headers.first { $0.name == "apns-topic" }?.value
      if let topic, let suffix = suffixes[type] {
        #expect(topic == PushExample.bundle + suffix, "\(example.id)")
      }
      // A broadcast has no topic, and device management has a topic of its own.
      #expect((topic == nil) == (example.id == "broadcast"), "\(example.id)")
      let priority = example.headers.first { $0.name == "apns-priority" }?.value
      if type == "background" { #expect(priority == "5") }
      if let priority { #expect(["10", "5", "1"].contains(priority), "\(example.id)") }
      for fact in example.facts { #expect(Fact.find(fact) != nil, "\(fact)") }
      for event in example.events { #expect(Word(rawValue: event.name) != nil, "\(event.name)") }
      #expect(example.payload.line.utf8.count <= (type == "voip" ? 5120 : 4096))
    }
  }

  @Test("one thing taken out of a right one breaks the step that asks for it")
  func faultsAreFound() throws {
    func verdict(_ id: String, _ change: (inout Chain) -> Void) throws -> CauseID? {
      var chain = chain(try #require(PushExample.find(id))).chain
      change(&chain)
      return Checklist.walk(chain).verdict.cause
    }
    let refused: (inout Chain) -> Void = {
      $0.sends[0].status = .known(400)
      $0.sends[0].reason = .known(Symbol(.deviceTokenNotForTopic))
      $0.events.removeAll()
    }
    #expect(
      try verdict("voip") {
        refused(&$0)
        $0.sends[0].topicForm = .known(TopicForm(suffix: .none))
      } == .topicSuffix)
    #expect(
      try verdict("background") {
        $0.sends[0].priority = .known(.number(10))
        $0.events.removeAll()
      } == .priorityBackground)
    #expect(
      try verdict("communication") {
        $0.release.communicationEntitlement = .known(false)
        $0.events.removeAll()
      } == .communicationEntitlement)
    #expect(
      try verdict("reply") {
        $0.installation.categoryRegistered = .known(false)
        $0.events.removeAll()
      } == .categoryNotRegistered)
  }

  @Test("a case file holds the whole example, nested as in the files")
  func caseFile() throws {
    let media = try #require(PushExample.find("media")).caseFile
    let evidence = try #require(media["evidence"])
    #expect(evidence["send"]?["headers"]?["apns-priority"] == .number(10))
    #expect(evidence["send"]?["payload"]?["aps"]?["mutable-content"] == .number(1))
    guard case .array(let extensions) = evidence["extensions"] else {
      Issue.record("no extensions")
      return
    }
    #expect(
      extensions[0]["info"]?["NSExtension"]?["NSExtensionPointIdentifier"]
        == .text("com.apple.usernotifications.service"))
    guard case .array(let events) = evidence["events"] else {
      Issue.record("no events")
      return
    }
    #expect(events.count == 6)
    // 600 s after ten o'clock.
    #expect(events[5]["ts"] == .text("2026-01-01T10:10:00.000Z"))
    #expect(PlainJSON.text("a\"b\\c\nd").line == "\"a\\\"b\\\\c\\nd\"")
  }
}
