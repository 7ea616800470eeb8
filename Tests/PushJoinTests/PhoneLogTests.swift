import PushJoin
import PushModel
import Testing

/// A record set that is written line by line, and what joining it gives.
private struct Story: ~Copyable {
  let records = RecordSet()
  var symbols = SymbolTable()
  var origins: [String: UInt32] = [:]
  var join = InstallationJoin()

  init() { records.origins.append(.none) }

  private func identifier(_ text: String?) -> Identifier {
    guard let text else { return .none }
    return Identifier(hash: StableHash.ofIdentifier(text), text: records.append(text))
  }

  mutating func origin(_ bundle: String) -> UInt32 {
    if bundle.isEmpty { return 0 }
    if let known = origins[bundle] { return known }
    var origin = Origin.none
    origin.bundle = symbols.intern(bundle)
    if let dot = bundle.lastIndex(of: ".") {
      join.parentBundles[origin.bundle.index] = symbols.intern(String(bundle[..<dot]))
    }
    records.origins.append(origin)
    origins[bundle] = UInt32(records.origins.count - 1)
    return UInt32(records.origins.count - 1)
  }

  /// A send at so many seconds, answered 200.
  mutating func send(_ seconds: Double, collapse: String? = nil, id: String? = nil) {
    var send = SendRecord()
    send.at = Int64(seconds * 1_000_000)
    send.collapse = identifier(collapse)
    send.notification = identifier(id)
    send.status = 200
    send.topic = TextValue(symbols.intern("com.example.courier"))
    records.sends.append(send)
  }

  mutating func event(
    _ seconds: Double, _ name: Word, app: String = "", request: String? = nil, id: String? = nil,
    session: String? = nil, pid: Int64? = nil, process: String? = nil, isOwnFile: Bool = false
  ) {
    var event = EventRecord()
    event.at = Int64(seconds * 1_000_000)
    event.name = Symbol(name)
    event.origin = origin(app)
    event.request = identifier(request)
    event.notification = identifier(id)
    event.firstAttribute = UInt32(records.attributes.count)
    func add(_ key: Word, _ kind: Attribute.Kind, _ bits: Int64) {
      records.attributes.append(Attribute(key: Symbol(key), kind: kind, bits: bits))
      event.attributeCount += 1
    }
    if let session { add(.session, .text, Int64(symbols.intern(session).index)) }
    if let pid { add(.pid, .integer, pid) }
    if let process { add(.process, .text, Int64(symbols.intern(process).index)) }
    if isOwnFile { add(.by, .text, Int64(Word.ownFile.ordinal)) }
    records.events.append(event)
  }

  /// Each notification as "id: name/link name/link …", in order of its first record.
  mutating func joined() -> [String] {
    join.join(
      records, sends: records.sends.indices.map { UInt32($0) },
      events: records.events.indices.map { UInt32($0) }, carried: CarriedState())
    return join.notifications.map { notification in
      let id =
        notification.notification.isPresent
        ? records.text(notification.notification.text)
        : notification.collapse.isPresent
          ? records.text(notification.collapse.text) : notification.sends.isEmpty ? "-" : "send"
      let events = zip(notification.events, notification.eventLinks).map { place, link in
        let name = symbols[records.events[Int(place)].name]
        return "\(name.split(separator: ".").last ?? "")/\(link.text)"
      }
      return "\(id): " + events.joined(separator: " ")
    }
  }

  mutating func unlinked() -> [String] {
    join.unlinked.map { symbols[records.events[Int($0)].name] }
  }
}

private let app = "com.example.courier"
private let service = "com.example.courier.PushService"

@Suite struct PhoneLogTests {
  @Test("a short id ties the lines of one delivery to the send whose collapse id it is made of")
  func digest() {
    var story = Story()
    story.send(0, collapse: "order-48213")
    story.send(1, collapse: "order-48214")
    story.event(2.0, .systemDaemonReceived, app: app)
    story.event(2.1, .systemIncoming, app: app)
    story.event(2.2, .systemRequestReceived, app: app, request: "DC15-EBDB")
    story.event(2.3, .systemModifiable, app: app, request: "DC15-EBDB")
    story.event(3.0, .systemPresented, app: app, request: "DC15-EBDB")
    #expect(
      story.joined() == [
        "order-48213: daemon_received/run incoming/run request_received/digest modifiable/digest presented/digest",
        "order-48214: ",
      ])
  }

  @Test("the device's own record with the identifier in clear is found by the short id too")
  func ownRecord() {
    var story = Story()
    story.send(0, id: "n-1")
    story.event(2.5, .nseDidReceive, app: service, request: "order-48213", id: "n-1")
    story.event(2.2, .systemRequestReceived, app: app, request: "DC15-EBDB")
    story.event(2.9, .systemContentApplied, app: app, request: "DC15-EBDB")
    #expect(
      story.joined() == [
        "n-1: request_received/digest did_receive/notification_id content_applied/digest"
      ])
  }

  @Test("session, process number and bundle tie the lines of one run that name no request")
  func run() {
    let session = "3C1E9A52-7C1B-4B57-8B58-6E0D2E7E4C11"
    var story = Story()
    story.send(0, collapse: "order-48213")
    story.event(2.2, .systemRequestReceived, app: app, request: "DC15-EBDB")
    story.event(2.5, .systemExtensionStarted, app: service, session: session)
    story.event(2.6, .systemExtensionInitialised, session: session, pid: 812)
    story.event(2.7, .systemReplacementRequested, request: "DC15-EBDB", session: session, pid: 812)
    story.event(8.0, .systemMemoryExceeded, pid: 812, process: "PushService")
    story.event(8.1, .nseCrashed, app: service, pid: 812, process: "PushService")
    story.event(8.2, .systemConnectionError, app: service, session: session)
    story.event(8.3, .systemContentNotApplied, app: app, request: "DC15-EBDB")
    #expect(
      story.joined() == [
        "order-48213: request_received/digest extension_started/run extension_initialised/run replacement_requested/digest memory_exceeded/run crashed/run connection_error/run content_not_applied/digest"
      ])
  }

  @Test("another process's death is nobody's, and another app's lines are not this app's")
  func others() {
    var story = Story()
    story.send(0, collapse: "order-48213")
    story.event(2.2, .systemRequestReceived, app: app, request: "DC15-EBDB")
    story.event(2.3, .systemRequestReceived, app: "com.example.other", request: "0319-FF7A")
    story.event(2.4, .systemPresented, app: "com.example.other", request: "0319-FF7A")
    story.event(90, .systemKilledForMemory, pid: 400, process: "Game")
    #expect(story.joined() == ["order-48213: request_received/digest"])
    #expect(
      story.unlinked() == [
        "system.request_received", "system.presented", "system.killed_for_memory",
      ])
  }

  @Test("what could be of one of two is a guess")
  func guesses() {
    var story = Story()
    story.send(0, collapse: "order-48213")
    story.send(0.5, collapse: "order-4711")
    story.event(2.0, .systemRequestReceived, app: app, request: "DC15-EBDB")
    story.event(2.5, .systemRequestReceived, app: app, request: "0319-FF7A")
    story.event(3.0, .systemNoExtension, app: app)
    #expect(
      story.joined() == [
        "order-48213: request_received/digest",
        "order-4711: request_received/digest no_extension/time_guess",
      ])
    // Alone, it can only be of the one request.
    var alone = Story()
    alone.send(0, collapse: "order-48213")
    alone.event(2.0, .systemRequestReceived, app: app, request: "DC15-EBDB")
    alone.event(2.1, .systemNoExtension, app: app)
    #expect(alone.joined() == ["order-48213: request_received/digest no_extension/run"])
  }

  @Test(
    "a collapse id that came twice: each delivery has its send; two sends before one are a guess")
  func repeated() {
    var story = Story()
    story.send(0, collapse: "order-48213", id: "a")
    story.event(2, .systemRequestReceived, app: app, request: "DC15-EBDB")
    story.event(2.5, .systemPresented, app: app, request: "DC15-EBDB")
    // Further apart than a clock that nothing has measured may be off.
    story.send(7200, collapse: "order-48213", id: "b")
    story.event(7202, .systemRequestReceived, app: app, request: "DC15-EBDB")
    #expect(
      story.joined() == [
        "a: request_received/digest presented/digest", "b: request_received/digest",
      ])
    var offline = Story()
    offline.send(0, collapse: "order-48213", id: "a")
    offline.send(50, collapse: "order-48213", id: "b")
    offline.event(102, .systemRequestReceived, app: app, request: "DC15-EBDB")
    #expect(offline.joined() == ["a: ", "b: request_received/collapse_guess"])
  }

  @Test("without a collapse id the short id is of a random identifier: tied by time, as a guess")
  func random() {
    var story = Story()
    story.send(0, id: "a")
    story.event(2, .systemRequestReceived, app: app, request: "32DA-ADB7")
    story.event(2.5, .systemPresented, app: app, request: "32DA-ADB7")
    #expect(story.joined() == ["a: request_received/time_guess presented/time_guess"])
    // A collapse id whose short id is another one contradicts.
    var other = Story()
    other.send(0, collapse: "order-48213")
    other.event(2, .systemRequestReceived, app: app, request: "32DA-ADB7")
    #expect(other.joined() == ["order-48213: ", "-: request_received/own"])
  }

  @Test("a push that ends before it gets a short id stands for itself, with the lines before it")
  func endsEarly() {
    var story = Story()
    story.send(0, id: "a")
    story.event(2.0, .systemIncoming, app: app)
    story.event(2.1, .systemPushDisabled, app: app)
    #expect(story.joined() == ["a: incoming/time_guess push_disabled/time_guess"])
  }

  @Test("a crash without any line of its process falls into the run of that time, as a guess")
  func crash() {
    var story = Story()
    story.send(0, id: "a")
    story.event(2, .nseDidReceive, app: service, id: "a")
    story.event(9, .nseCrashed, app: service, pid: 812, process: "PushService")
    #expect(story.joined() == ["a: did_receive/notification_id crashed/time_guess"])
    var late = Story()
    late.send(0, id: "a")
    late.event(2, .nseDidReceive, app: service, id: "a")
    late.event(900, .nseCrashed, app: service, pid: 812, process: "PushService")
    #expect(late.joined() == ["a: did_receive/notification_id"])
  }

  @Test("lines of an app's own file belong to the run that they stand in")
  func ownFile() {
    var story = Story()
    story.send(0, collapse: "order-48213")
    story.event(2, .nseDidReceive, app: service, request: "order-48213", isOwnFile: true)
    story.event(3, .nseAttachmentFailed, isOwnFile: true)
    #expect(story.joined() == ["order-48213: did_receive/collapse_id failed/run"])
    // Without any id the run is tied by time; what follows goes with it.
    var bare = Story()
    bare.send(0, id: "a")
    bare.event(2, .nseDidReceive, isOwnFile: true)
    bare.event(3, .nseAttachmentFailed, isOwnFile: true)
    #expect(bare.joined() == ["a: did_receive/time_guess failed/time_guess"])
    // Two runs at once: it may be of either.
    var two = Story()
    two.send(0, collapse: "order-48213")
    two.send(0.5, collapse: "order-4711")
    two.event(2, .nseDidReceive, app: service, request: "order-48213", isOwnFile: true)
    two.event(2.5, .nseDidReceive, app: service, request: "order-4711", isOwnFile: true)
    two.event(3, .nseAttachmentFailed, isOwnFile: true)
    #expect(
      two.joined() == [
        "order-48213: did_receive/collapse_id",
        "order-4711: did_receive/collapse_id failed/time_guess",
      ])
  }

  @Test("the order in which records are given does not matter", arguments: 0..<12)
  func order(_ seed: UInt64) {
    var expected: [String] = []
    for turn in 0..<2 {
      var story = Story()
      story.send(0, collapse: "order-48213", id: "a")
      story.send(1, collapse: "order-4711", id: "b")
      var steps: [(inout Story) -> Void] = [
        { $0.event(2.0, .systemIncoming, app: app) },
        { $0.event(2.1, .systemRequestReceived, app: app, request: "DC15-EBDB") },
        { $0.event(2.2, .systemExtensionStarted, app: service, session: "S1") },
        { $0.event(2.3, .systemReplacementRequested, request: "DC15-EBDB", session: "S1", pid: 9) },
        { $0.event(2.4, .systemRequestReceived, app: app, request: "0319-FF7A") },
        { $0.event(2.5, .systemContentApplied, app: app, request: "DC15-EBDB") },
        { $0.event(2.6, .systemMemoryExceeded, pid: 9, process: "PushService") },
      ]
      if turn == 1 {
        var state = seed &+ 1
        for index in steps.indices.reversed() {
          state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
          steps.swapAt(index, Int(state >> 33) % (index + 1))
        }
      }
      for step in steps { step(&story) }
      let joined = story.joined()
      if turn == 0 { expected = joined } else { #expect(joined == expected, "seed \(seed)") }
    }
  }
}
