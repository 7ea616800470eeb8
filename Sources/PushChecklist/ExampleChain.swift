import PushModel

/// A chain under construction, for examples: events as lists, so that one thing can be changed.
struct ExampleChain: Sendable {
  /// Ready-made chains that examples change.
  enum Start: Sendable {
    /// Nothing at all.
    case empty
    /// A plain alert that APNs accepted; no device log.
    case plain
    /// A picture: accepted, run of the extension without a fault, whole log.
    case media
    /// A message from a person: accepted, donated, whole log.
    case communication
    /// A silent notification that woke the app, whole log.
    case silent
    /// An alert with buttons, stated as such, accepted, categories known.
    case actions
    /// An alert with a view of its own, stated as such, accepted, expanded.
    case customView
    /// A VoIP call that was reported.
    case call
    /// An update of a Live Activity.
    case liveActivity
    /// A button of a notification, used and acted on, whole log.
    case response
    /// A hand-off of two files from a share extension to its app, whole log.
    case handoff
  }

  /// A value of an attribute.
  enum Value: Sendable {
    case int(Int64)
    case bool(Bool)
    case word(Word)
    case text(String)
    case emptyArray
    case null
  }

  /// One event.
  struct Event: Sendable {
    var name: Word
    /// Milliseconds after the send.
    var at: Int64
    var attributes: [(key: Word, value: Value)]
    var link = LinkKey.notificationID

    subscript(key: Word) -> Value? {
      get { attributes.first { $0.key == key }?.value }
      set {
        attributes.removeAll { $0.key == key }
        if let newValue { attributes.append((key, newValue)) }
      }
    }
  }

  /// Moment of the send, server clock: 2026-01-01 10:00 UTC.
  static let sentAt: Int64 = 1_767_261_600_000_000
  /// A bundle id of an example.
  static let bundle = "com.example.courier"

  var chain = Chain()
  var events: [Event] = []
  /// Text symbols are made when the chain is built; these are set then.
  var topic: String?
  var bundle: String?
  var reasonText: String?
  /// Counter values that were lost before the event at this place.
  var lostBefore: [Int: Int64] = [:]
  /// What only a case file knows; nil where the chain is one of the two own logs alone.
  var facts: CaseFacts?

  init(_ start: Start) {
    switch start {
    case .empty: break
    case .plain: accept()
    case .media: startMedia()
    case .communication: startCommunication()
    case .silent: startSilent()
    case .actions: startActions()
    case .customView: startCustomView()
    case .call: startCall()
    case .liveActivity: startLiveActivity()
    case .response: startResponse()
    case .handoff: startHandoff()
    }
  }

  // MARK: Changes

  /// The last send.
  var send: Send {
    get { chain.sends.last ?? Send() }
    set {
      if chain.sends.isEmpty { chain.sends.append(newValue) }
      chain.sends[chain.sends.count - 1] = newValue
    }
  }

  /// The payload as sent.
  var payload: Payload {
    get { send.payload }
    set { send.payload = newValue }
  }

  /// APNs refused the last send, so nothing happened after it.
  mutating func refuse(_ status: Int64, _ reason: Word) {
    send.status = .known(status)
    send.reason = .known(Symbol(reason))
    forgetDevice()
  }

  /// APNs refused the last send with a reason that is in no table.
  mutating func refuse(_ status: Int64, text: String) {
    send.status = .known(status)
    reasonText = text
    forgetDevice()
  }

  /// No answer is known.
  mutating func forgetAnswer() {
    send.status = .unknown
    send.reason = .unknown
  }

  /// Nothing is known of the phone: no event, no coverage, no payload as received.
  mutating func forgetDevice() {
    events = []
    chain.coverage = Coverage()
    chain.received = Payload()
  }

  /// The release is not known.
  mutating func forgetRelease() { chain.release = Release() }

  /// The events of a name did not happen.
  mutating func drop(_ names: Word...) { events.removeAll { names.contains($0.name) } }

  /// The records of a name were lost: the counter has a gap, so the run ends before them.
  mutating func lose(_ name: Word) {
    guard let place = events.firstIndex(where: { $0.name == name }) else { return }
    lostBefore[place, default: 0] += 1
    events.remove(at: place)
    chain.coverage.isGapless = false
  }

  /// The log of the phone is not known to be whole, and carries no counter.
  mutating func forgetCoverage() { chain.coverage = Coverage() }

  /// One more event, after those that were before it.
  mutating func add(
    _ name: Word, at milliseconds: Int64, _ attributes: [(key: Word, value: Value)] = []
  ) {
    let event = Event(name: name, at: milliseconds, attributes: attributes)
    let place = events.firstIndex { $0.at > milliseconds } ?? events.count
    events.insert(event, at: place)
  }

  /// An attribute of all events of a name; nil takes it away.
  mutating func set(_ name: Word, _ key: Word, _ value: Value?) {
    for place in events.indices where events[place].name == name { events[place][key] = value }
  }

  /// When the events of a name happened, milliseconds after the send.
  mutating func move(_ name: Word, to milliseconds: Int64) {
    for place in events.indices where events[place].name == name {
      events[place].at = milliseconds
    }
    events.sort { $0.at < $1.at }
  }

  /// What was meant, and that the sender said so.
  mutating func mean(_ meaning: Meaning, _ source: MeaningSource = .stated) {
    chain.meaning = meaning
    chain.meaningSource = source
  }

  /// The extension did not start, and a gapless log shows it; the notification was opened plain.
  mutating func showPlainWithoutRun() {
    events = []
    chain.received = Payload()
    add(
      .appPresented, at: 600_000,
      [(.by, .word(.deliveredList)), (.trigger, .word(.push)), (.attachments, .int(0))])
    add(.appOpened, at: 601_000, [(.coldStart, .bool(true))])
  }

  // MARK: Facts of a case file

  /// A fact of a case file at a part and a key of it (`app.state`), or a whole part.
  mutating func know(_ path: String, _ value: CaseValue) {
    var known = facts ?? CaseFacts()
    let parts = path.split(separator: ".", maxSplits: 1).map(String.init)
    if parts.count == 2 {
      var part = known.evidence[parts[0]] ?? .object([])
      part[parts[1]] = value
      known.evidence[parts[0]] = part
    } else {
      known.evidence[path] = value
    }
    facts = known
  }

  /// What was seen to be wrong.
  mutating func complain(_ symptom: Symptom) { know("symptom", .text(symptom.rawValue)) }

  /// A comparison: what differed, and what was seen then.
  mutating func compare(_ with: [(String, CaseValue)], _ name: String, _ isTrue: Bool) {
    var known = facts ?? CaseFacts()
    var list = known.evidence["observed"]?.items ?? []
    list.append(
      .object([
        CaseValue.Member("with", .object(with.map { CaseValue.Member($0.0, $0.1) })),
        CaseValue.Member(name, .bool(isTrue)),
      ]))
    known.evidence["observed"] = .list(list)
    facts = known
  }

  /// An extension with a key in its `NSExtensionAttributes`.
  mutating func knowView(_ key: String, _ value: CaseValue) {
    let attributes = CaseValue.object([CaseValue.Member(key, value)])
    let entry = CaseValue.object([CaseValue.Member("NSExtensionAttributes", attributes)])
    let info = CaseValue.object([CaseValue.Member("NSExtension", entry)])
    know(
      "extensions",
      .list([
        .object([CaseValue.Member("kind", .text("content")), CaseValue.Member("info", info)])
      ]))
  }

  // MARK: Ready-made chains

  private mutating func accept() {
    var send = Send()
    send.sentAt = .known(ExampleChain.sentAt)
    send.provider = .known(Symbol(.apns))
    send.environment = .known(Symbol(.production))
    send.pushType = .known(Symbol(.alert))
    send.priority = .known(.number(10))
    send.token = .known(TokenForm(length: 64, marks: []))
    send.tokenKind = .known(Symbol(.alert))
    send.status = .known(200)
    send.payload.parts = [.whole, .aps, .alertDictionary, .ownIdentifier]
    send.payload.alert = .visible
    send.payload.mutableContent = .absent
    send.payload.contentAvailable = .absent
    send.payload.category = .missing
    send.payload.sound = .known(Symbol(.defaultText))
    send.payload.media = .missing
    send.payload.typeHint = .missing
    send.payload.sizeBytes = .known(400)
    chain.sends.append(send)
    topic = ExampleChain.bundle
    bundle = ExampleChain.bundle
    chain.meaning = .plain
    chain.meaningSource = .none
    chain.coverage.sendLogComplete = .known(true)
    chain.installation.os = .known(OSVersion(major: 17, minor: 4))
    chain.installation.apsEnvironment = .known(Symbol(.production))
    chain.installation.newerTokenAt = .missing
    chain.installation.authorization = .known(Symbol(.authorized))
    chain.installation.alerts = .known(true)
    chain.installation.settingsConfirmed = .known(true)
  }

  private mutating func knowRelease() {
    var release = Release()
    release.distribution = .known(Symbol(.appStore))
    release.apsEnvironment = .known(Symbol(.production))
    release.minimumOS = .known(OSVersion(major: 15))
    release.serviceExtensions = .known(1)
    release.servicePoint = .known(Symbol(.comAppleUsernotificationsService))
    release.serviceMinimumOS = .known(OSVersion(major: 15))
    release.servicePrefixFits = .known(true)
    release.communicationEntitlement = .known(true)
    chain.release = release
  }

  private mutating func cover() {
    chain.coverage.isGapless = true
    chain.coverage.runFrom = ExampleChain.sentAt - 3600 * second
    chain.coverage.runTo = ExampleChain.sentAt + 7200 * second
    chain.coverage.holdsExtension = true
    chain.coverage.holdsApp = true
    chain.coverage.clockError = second / 10
    chain.coverage.installationLogs = .known(true)
  }

  private mutating func startRun() {
    accept()
    knowRelease()
    cover()
    send.payload.mutableContent = .on
    chain.received.mutableContent = .on
    chain.received.alert = .visible
    chain.meaningSource = .payload
    add(
      .nseDidReceive, at: 900,
      [(.attempt, .int(1)), (.processUptimeMs, .int(200)), (.locked, .bool(false))])
  }

  private mutating func startMedia() {
    startRun()
    chain.meaning = [.modified, .media]
    send.payload.parts.insert(.knownMediaKey)
    send.payload.media = .known(
      URLForm(
        scheme: Symbol(.https), ending: Symbol(.jpg), length: 60, parses: true, hasSpaces: false))
    add(.nseDownloadStarted, at: 920)
    add(
      .nseDownloadFinished, at: 1400,
      [
        (.status, .int(200)), (.bytes, .int(180_000)), (.mime, .word(.imageJpeg)),
        (.durationMs, .int(480)),
      ])
    add(.nseAttachmentCreated, at: 1420, [(.bytes, .int(180_000)), (.uti, .word(.publicJpeg))])
    add(
      .nseHandlerCalled, at: 1430,
      [
        (.elapsedMs, .int(530)), (.fallback, .bool(false)), (.attachments, .int(1)),
        (.count, .int(1)),
      ])
  }

  private mutating func startCommunication() {
    startRun()
    chain.meaning = [.modified, .communication]
    send.payload.parts.insert(.sender)
    add(
      .intentDonated, at: 1000,
      [
        (.type, .text("INSendMessageIntent")), (.imageParameter, .text("sender")),
        (.recipients, .int(0)), (.isMe, .bool(false)), (.group, .bool(false)),
      ])
    add(.nseContentUpdated, at: 1050, [(.modifiedAfter, .bool(false))])
    add(
      .nseHandlerCalled, at: 1060,
      [
        (.elapsedMs, .int(160)), (.fallback, .bool(false)), (.attachments, .int(0)),
        (.count, .int(1)),
      ])
  }

  private mutating func startSilent() {
    accept()
    knowRelease()
    cover()
    chain.kind = .background
    chain.meaning = .silent
    chain.meaningSource = .payload
    chain.release.remoteNotificationMode = .known(true)
    chain.installation.backgroundRefresh = .known(true)
    send.pushType = .known(Symbol(.background))
    send.priority = .known(.number(5))
    send.payload.parts = [.whole, .aps, .ownIdentifier]
    send.payload.alert = .absent
    send.payload.sound = .missing
    send.payload.contentAvailable = .on
    add(.appBackgroundLaunch, at: 1500, [(.elapsedMs, .int(300))])
    add(.appBackgroundCompleted, at: 2500, [(.elapsedMs, .int(1300))])
  }

  private mutating func startActions() {
    accept()
    knowRelease()
    mean([.actions])
    send.payload.category = .known(Symbol(.comAppleUiServices))
    chain.installation.categoryRegistered = .known(true)
  }

  private mutating func startCustomView() {
    startMedia()
    mean([.customView, .media])
    send.payload.category = .known(Symbol(.comAppleUiServices))
    chain.release.contentExtensions = .known(1)
    chain.release.categoryClaimed = .known(true)
    add(
      .contentExtDidReceive, at: 300_000, [(.elapsedMs, .int(120)), (.height, .int(240))])
  }

  private mutating func startCall() {
    accept()
    cover()
    chain.kind = .voip
    mean(.call)
    send.pushType = .known(Symbol(.voip))
    send.tokenKind = .known(Symbol(.voip))
    topic = ExampleChain.bundle + ".voip"
    send.payload.parts = [.whole, .custom]
    send.payload.alert = .absent
    add(.appVoipReceived, at: 700)
    add(.callReported, at: 760, [(.elapsedMs, .int(60))])
  }

  private mutating func startLiveActivity() {
    accept()
    cover()
    chain.kind = .liveActivity
    mean(.liveActivity)
    send.pushType = .known(Symbol(.liveactivity))
    send.tokenKind = .known(Symbol(.liveActivityUpdate))
    topic = ExampleChain.bundle + ".push-type.liveactivity"
    send.payload.parts = [.whole, .aps, .liveActivity]
    send.payload.alert = .absent
    add(.liveActivityUpdated, at: 900)
  }

  private mutating func startResponse() {
    startActions()
    cover()
    chain.kind = .response
    chain.installation.registeredActions = .known(2)
    chain.installation.actionRegistered = .known(true)
    chain.installation.actionPlace = .known(1)
    chain.release.responseDelegate = .known(.app)
    add(
      .appAction, at: 60_000,
      [(.action, .text("reply")), (.coldStart, .bool(false)), (.completed, .bool(true))])
  }

  private mutating func startHandoff() {
    cover()
    chain.kind = .handoff
    chain.meaning = .plain
    chain.installation.os = .known(OSVersion(major: 17, minor: 4))
    chain.release.distribution = .known(Symbol(.appStore))
    chain.release.handoff.rule = .known(.dictionary)
    chain.release.handoff.hasAllDisplayNames = .known(true)
    chain.release.handoff.schemeRegistered = .known(true)
    chain.release.handoff.sharedAppGroup = .known(true)
    bundle = ExampleChain.bundle
    func step(_ name: Word, _ at: Int64, _ attributes: [(key: Word, value: Value)] = []) {
      add(name, at: at, [(.jobId, .text("job-1"))] + attributes)
    }
    step(.handoffActivated, 0, [(.entry, .text("share")), (.items, .int(2))])
    step(.handoffItemsLoaded, 200, [(.items, .int(2))])
    step(.handoffStaged, 400, [(.items, .int(2)), (.inGroup, .bool(true))])
    step(.handoffMailboxWritten, 420, [(.entry, .text("share"))])
    step(.handoffOpenRequested, 430)
    step(.handoffOpenResult, 500, [(.opened, .bool(true))])
    step(.handoffCompleted, 510)
    step(.handoffUrlReceived, 900, [(.state, .word(.cold)), (.entry, .text("share"))])
    step(.handoffMailboxRead, 1500, [(.items, .int(2)), (.entry, .text("share"))])
    step(.handoffDrained, 1600, [(.items, .int(2))])
  }

  // MARK: Building

  /// The chain, with counter values, corrected times and flattened attributes.
  func build() -> (chain: Chain, texts: SymbolTable) {
    let texts = SymbolTable()
    var built = chain
    if !built.sends.isEmpty {
      let last = built.sends.count - 1
      if let topic { built.sends[last].topic = .known(texts.intern(topic)) }
      if let reasonText { built.sends[last].reason = .known(texts.intern(reasonText)) }
      var forms = TopicForms()
      for place in built.sends.indices {
        built.sends[place].reference = RecordReference(source: 1, line: UInt32(place + 1))
        forms.describe(&built.sends[place], in: texts)
      }
    }
    if let bundle {
      built.release.bundle = .known(texts.intern(bundle))
      built.installation.bundle = .known(texts.intern(bundle))
    }
    if let facts { built.scrap = CaseScrap(facts) }
    var sequence: Int64 = 100
    for (place, event) in events.enumerated() {
      var record = DeviceEvent(name: Symbol(event.name))
      record.reference = RecordReference(source: 2, line: UInt32(place + 1))
      let at = ExampleChain.sentAt + event.at * 1000
      record.recordedAt = .known(at)
      record.link = event.link
      sequence += 1 + (lostBefore[place] ?? 0)
      if chain.coverage.installationLogs == .known(true) {
        record.correctedAt = .known(at)
        record.sequence = .known(sequence)
      }
      record.firstAttribute = UInt32(built.attributes.count)
      for (key, value) in event.attributes {
        built.attributes.append(attribute(key, value, texts))
      }
      record.attributeCount = UInt16(event.attributes.count)
      built.events.append(record)
    }
    return (built, texts)
  }

  private func attribute(_ key: Word, _ value: Value, _ texts: SymbolTable) -> Attribute {
    let key = Symbol(key)
    switch value {
    case .int(let number): return Attribute(key: key, kind: .integer, bits: number)
    case .bool(let flag): return Attribute(key: key, kind: .boolean, bits: flag ? 1 : 0)
    case .word(let word):
      return Attribute(key: key, kind: .text, bits: Int64(Symbol(word).index))
    case .text(let text):
      return Attribute(key: key, kind: .text, bits: Int64(texts.intern(text).index))
    case .emptyArray: return Attribute(key: key, kind: .emptyArray, bits: 0)
    case .null: return Attribute(key: key, kind: .null, bits: 0)
    }
  }
}
