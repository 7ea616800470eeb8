public import PushModel

/// What one pass over a chain's records shows, so that thirty steps need not look again: the answer
/// that counts, how far the notification was seen, and which steps those sightings presuppose.
public struct Sightings: Sendable, BitwiseCopyable {
  /// Last send of the chain, or -1.
  public internal(set) var send = -1
  /// Send whose answer counts: the last one that was answered, or -1.
  public internal(set) var answer = -1
  /// What is known of the payload: as sent, and where that says nothing, as received.
  public internal(set) var payload = Payload()
  /// Whether APNs' own 200 is shown.
  public internal(set) var isAccepted = false
  /// Send that shows it.
  public internal(set) var acceptedBy = -1
  /// Whether the request went to a gateway, whose own answer is not APNs'.
  public internal(set) var isGateway = false
  /// One bit for each name of a device event (the first 64 words) that the chain holds.
  public internal(set) var names: UInt64 = 0
  /// First event that shows that the phone received it, or -1.
  public internal(set) var received = -1
  /// First event that shows that `didReceive` ran, or -1.
  public internal(set) var extensionRan = -1
  /// First call of the extension's handler, or -1.
  public internal(set) var handler = -1
  /// Whether that call came in time and carried what was meant.
  public internal(set) var handlerFulfils = false
  /// First event that shows that it was presented (not as a local copy), or -1.
  public internal(set) var presented = -1
  /// First event of a local copy, or -1.
  public internal(set) var localCopy = -1
  /// First event that shows that a person acted on it, or -1.
  public internal(set) var acted = -1
  /// First event that shows that its view was expanded, or -1.
  public internal(set) var expanded = -1
  /// First event that shows that the app was woken for it, or -1.
  public internal(set) var woken = -1
  /// Whether a gapless log proves that the extension did not run, although the phone received it.
  public internal(set) var extensionDidNotRun = false
  /// Whether a gapless log, which holds records of the extension, has nothing of this notification
  /// from before the send until after the phone was next heard of.
  public internal(set) var isSilentUnderCoverage = false
  /// Whether a record of the run may be hidden: numbers of the counter are missing between the
  /// start of the run and its last event, more than benign records can explain.
  public internal(set) var mayHideRecords = false
  /// Whether the chain holds events that were made of lines of the system log.
  public internal(set) var holdsSystemLines = false
  /// Last stage that was seen.
  public internal(set) var stage = Stage.none
  /// Steps that sightings settle.
  public internal(set) var settled: StepSet = []
  /// The same without events that are only guessed to belong to this notification.
  public internal(set) var settledExactly: StepSet = []
  /// Parts of the meaning that are only guessed.
  public internal(set) var guessed: Meaning = []

  /// Whether the chain holds an event of a name.
  @inlinable @inline(__always) public func holds(_ name: Word) -> Bool {
    names & (1 &<< UInt64(name.ordinal)) != 0
  }

  /// Nothing seen.
  init() {}
}

/// What a sighting settles: the table of the chain's description, and nothing else.
public enum Settling {
  /// APNs answered 200. Not `token-current`: an old token is answered 200 too (F1.64).
  public static let accepted = StepSet(
    .tokenShape, .tokenEnvironment, .topic, .providerAuth, .apnsAccepted, .requestShape)
  /// Received on the phone.
  public static let received = accepted.union(
    StepSet(.registration, .tokenCurrent, .pathToDevice))
  /// Presented (not as a local copy), opened, acted on.
  public static let presented = received.union(StepSet(.visibleAlert, .notificationSettings))
  /// `didReceive` ran.
  public static let extensionRan = received.union(
    StepSet(
      .visibleAlert, .mutableContent, .notificationSettings, .extensionEmbedded, .extensionPoint,
      .extensionMinimumOs, .extensionLoads, .didReceive))
  /// The handler was called in time with what was meant.
  public static let fulfilled = extensionRan.union(
    StepSet(
      .extensionRouting, .sharedStorage, .mediaDownload, .mediaFile, .extensionMemory,
      .handlerTiming))
  /// The same, when the intent was donated and applied too.
  public static let fulfilledWithDonation = fulfilled.union(StepSet(.communicationIntent))
  /// The content extension's `didReceive` ran.
  public static let expanded = presented.union(StepSet(.category, .contentExtension))
  /// The app was woken for a silent notification.
  public static let woken = received.union(
    StepSet(.backgroundPayload, .backgroundMode, .appWakeable))
  /// Names of events that only the extension of a hand-off records, one bit each.
  static let handoffExtensionEvents = mask(
    .handoffActivated, .handoffItemsLoaded, .handoffItemFailed, .handoffStaged,
    .handoffMailboxWritten, .handoffOpenRequested, .handoffOpenResult, .handoffCompleted)

  private static func mask(_ words: Word...) -> UInt64 {
    var bits: UInt64 = 0
    for word in words { bits |= 1 << UInt64(word.ordinal) }
    return bits
  }
}

/// Microseconds in a second.
let second: Int64 = 1_000_000

/// Time that a service extension has, process start included, in milliseconds (F4.20, F4.21).
let extensionTimeMilliseconds: Int64 = 30_000

extension Sightings {
  /// Looks at a chain once.
  init(of chain: borrowing Chain) {
    readSends(chain)
    readEvents(chain)
    guessed = Sightings.guessedPart(chain, payload)
    judgeHandler(chain)
    settle(chain)
    judgeAbsence(chain)
  }

  private mutating func readSends(_ chain: Chain) {
    let count = chain.sends.count
    guard count > 0 else {
      payload = chain.received
      return
    }
    send = count - 1
    isGateway = isGatewayName(chain.sends[send].provider)
    for place in (0..<count).reversed() {
      guard case .known(let status) = chain.sends[place].status, status != 0 else { continue }
      if answer < 0 { answer = place }
      if acceptedBy < 0, showsAcceptance(chain.sends[place]) { acceptedBy = place }
    }
    // The last answer counts. An attempt that got no answer may have been taken or not, so an
    // earlier 200 stands, and an earlier refusal decides nothing.
    if answer >= 0, answer < send, !showsAcceptance(chain.sends[answer]),
      chain.sends[send].status == .known(0)
    {
      answer = -1
    }
    isAccepted = acceptedBy >= 0 && (acceptedBy == answer || answer < 0)
    payload = chain.sends[send].payload
    complete(with: chain.received)
  }

  private mutating func complete(with other: Payload) {
    if payload.alert == .unknown { payload.alert = other.alert }
    if payload.mutableContent == .unknown { payload.mutableContent = other.mutableContent }
    if payload.contentAvailable == .unknown { payload.contentAvailable = other.contentAvailable }
    if payload.category.isUnknown { payload.category = other.category }
    if payload.sound.isUnknown { payload.sound = other.sound }
    if payload.media.isUnknown { payload.media = other.media }
    if payload.typeHint.isUnknown { payload.typeHint = other.typeHint }
    if payload.interruptionLevel.isUnknown { payload.interruptionLevel = other.interruptionLevel }
    payload.parts.formUnion(other.parts.subtracting(.whole))
  }

  private mutating func readEvents(_ chain: Chain) {
    for place in chain.events.indices {
      let name = chain.events[place].name
      let number = name.index
      guard number < 64 else {
        readSystemLine(name, place)
        continue
      }
      names |= 1 &<< UInt64(number)
      switch kindOfSighting[Int(number)] {
      case .none: break
      case .extensionRan:
        if extensionRan < 0 { extensionRan = place }
        if received < 0 { received = place }
        if name == .nseHandlerCalled, handler < 0 { handler = place }
      case .received:
        if received < 0, !isLocal(chain, place) { received = place }
      case .presented:
        if isLocal(chain, place) {
          if localCopy < 0 { localCopy = place }
        } else {
          if presented < 0 { presented = place }
          if received < 0 { received = place }
        }
      case .acted:
        guard !isLocal(chain, place) else { continue }
        if acted < 0 { acted = place }
        if received < 0 { received = place }
      case .expanded:
        if expanded < 0 { expanded = place }
        if received < 0 { received = place }
      case .woken:
        if woken < 0 { woken = place }
        if received < 0 { received = place }
      }
    }
  }

  /// Lines of the system log show as much as events do, where the system says so itself.
  private mutating func readSystemLine(_ name: Symbol, _ place: Int) {
    guard name.isSystemEvent else { return }
    holdsSystemLines = true
    switch kindOfSystemLine[Int(name.index - firstSystemLine)] {
    case .extensionRan:
      if extensionRan < 0 { extensionRan = place }
      if received < 0 { received = place }
    case .received: if received < 0 { received = place }
    case .presented:
      if presented < 0 { presented = place }
      if received < 0 { received = place }
    default: break
    }
  }

  private mutating func judgeHandler(_ chain: Chain) {
    guard handler >= 0, isInTime(chain, handler) else { return }
    // A second call changes nothing (the first one wins), so a call that says it is the second
    // tells nothing about the first.
    if let count = chain.integer(.count, of: handler), count > 1 { return }
    guard chain.boolean(.fallback, of: handler) != true else { return }
    if chain.meaning.contains(.media), !guessed.contains(.media) {
      guard let attachments = chain.integer(.attachments, of: handler), attachments > 0 else {
        return
      }
    }
    // Where media is only guessed, a result without any still shows nothing against a record of
    // the same run that names the fault: a later call that carried them, a payload not recognised.
    if (chain.integer(.attachments, of: handler) ?? 0) == 0 {
      if chain.lastEvent(.nseHandlerCalled) != handler { return }
      if let routed = chain.firstEvent(.nseRouted), chain.boolean(.recognised, of: routed) == false
      {
        return
      }
      if chain.recordsMediaFault() { return }
    }
    // Recorders that write no `fallback` leave open what a call after a failure carried.
    if chain.boolean(.fallback, of: handler) == nil,
      holds(.nseKeychainFailed) || holds(.nseSharedStorageFailed)
    {
      return
    }
    handlerFulfils = true
  }

  private mutating func settle(_ chain: Chain) {
    if chain.kind == .handoff {
      settleHandoff(chain)
      return
    }
    if send >= 0 { stage = .sent }
    if isAccepted {
      settle(Settling.accepted, isExact: true)
      stage = .accepted
    }
    if received >= 0 {
      settle(Settling.received, isExact: isExact(chain, received))
      stage = .received
    }
    if extensionRan >= 0 {
      settle(Settling.extensionRan, isExact: isExact(chain, extensionRan))
      stage = .extensionRan
    }
    if handler >= 0, isInTime(chain, handler) { stage = .modified }
    if handlerFulfils {
      let hasDonation =
        holds(.intentDonated) && holds(.nseContentUpdated) && !holds(.intentFailed)
      settle(
        hasDonation ? Settling.fulfilledWithDonation : Settling.fulfilled,
        isExact: isExact(chain, handler))
    }
    if presented >= 0 {
      settle(Settling.presented, isExact: isExact(chain, presented))
      stage = .presented
    }
    if expanded >= 0, holds(.contentExtDidReceive) {
      settle(Settling.expanded, isExact: isExact(chain, expanded))
      stage = .expanded
    }
    if acted >= 0 {
      settle(Settling.presented, isExact: isExact(chain, acted))
      stage = .acted
    }
    if woken >= 0, chain.kind == .background {
      settle(Settling.woken, isExact: isExact(chain, woken))
      stage = holds(.appBackgroundCompleted) ? .handled : .woken
    }
  }

  /// A hand-off has no send; what its own records presuppose is settled.
  private mutating func settleHandoff(_ chain: Chain) {
    if holdsAny(of: Settling.handoffExtensionEvents) {
      settle(StepSet(.activationRule), isExact: true)
      stage = .extensionRan
    }
    if holds(.handoffStaged) || holds(.handoffMailboxWritten) {
      settle(StepSet(.itemsLoaded), isExact: true)
    }
    if holds(.handoffUrlReceived) {
      settle(StepSet(.activationRule, .hostOpened), isExact: true)
      stage = .woken
    }
    if holds(.handoffDrained) {
      settle(
        StepSet(.activationRule, .itemsLoaded, .mailboxDrained), isExact: true)
      stage = .handled
    }
  }

  /// Whether the chain holds an event of any of these names.
  func holdsAny(of mask: UInt64) -> Bool { names & mask != 0 }

  private mutating func settle(_ steps: StepSet, isExact: Bool) {
    settled.formUnion(steps)
    if isExact { settledExactly.formUnion(steps) }
  }

  private mutating func judgeAbsence(_ chain: Chain) {
    let coverage = chain.coverage
    if extensionRan >= 0 {
      mayHideRecords = hidesRecords(chain)
      return
    }
    guard coverage.isGapless, coverage.holdsExtension, coverage.clockError != .max, send >= 0,
      case .known(let sentAt) = chain.sends[0].sentAt,
      coverage.runFrom <= sentAt - coverage.clockError
    else { return }
    if received >= 0 {
      extensionDidNotRun = chain.isInRun(received)
    } else if case .known(let onlineAgainAt) = chain.installation.onlineAgainAt {
      // What waited for the phone came at its return, so the run need not go on behind that.
      let isStoredKnown = !chain.traffic.storedArrivalAt.isUnknown
      let until =
        max(onlineAgainAt, sentAt) + (isStoredKnown ? 0 : coverage.clockError + 60 * second)
      isSilentUnderCoverage = coverage.runTo >= until
    }
  }

  /// Whether numbers of the counter are missing between the first and the last event of the run,
  /// more than those of benign records that such a run writes and that are not here.
  private func hidesRecords(_ chain: Chain) -> Bool {
    var last = extensionRan
    for place in chain.events.indices.reversed()
    where isRunRecord(chain.events[place].name) {
      last = place
      break
    }
    guard !chain.isWhole(from: extensionRan, to: last), last > extensionRan else { return false }
    var missing: Int64 = 0
    for place in extensionRan + 1...last {
      if case .known(let lost) = chain.events[place].lostBefore {
        missing &+= lost
      } else if case .known(let from) = chain.events[place - 1].sequence,
        case .known(let to) = chain.events[place].sequence
      {
        missing &+= max(0, to &- from &- 1)
      } else {
        return false
      }
    }
    var benign: Int64 = 0
    if !holds(.nseRouted) { benign += 1 }
    // What was handed over was made, and what was made was loaded.
    let isAttached =
      holds(.nseAttachmentCreated)
      || (handler >= 0 && (chain.integer(.attachments, of: handler) ?? 0) > 0)
    if isAttached, !holds(.nseAttachmentCreated) { benign += 1 }
    if isAttached, !holds(.nseDownloadFinished) { benign += 1 }
    if holds(.nseDownloadFinished) || isAttached, !holds(.nseDownloadStarted) { benign += 1 }
    if holds(.nseContentUpdated), !holds(.intentDonated), !holds(.intentFailed) { benign += 1 }
    if holds(.intentDonated), !holds(.nseContentUpdated) { benign += 1 }
    return missing > benign
  }

  private static func guessedPart(_ chain: Chain, _ payload: Payload) -> Meaning {
    switch chain.meaningSource {
    case .stated, .rule, .none: []
    case .guess: chain.meaning
    case .payload:
      chain.meaning.subtracting(
        MeaningRule.statements(of: payload, release: chain.release)
      ).subtracting([.liveActivity, .call])
    }
  }

  private func isExact(_ chain: Chain, _ event: Int) -> Bool { !chain.events[event].link.isGuess }
}

/// What an event of a name shows.
private enum KindOfSighting: UInt8 {
  case none, received, extensionRan, presented, acted, expanded, woken
}

/// One entry for each of the first 64 words.
private let kindOfSighting: [KindOfSighting] = {
  var kinds = [KindOfSighting](repeating: .none, count: 64)
  func set(_ kind: KindOfSighting, _ words: Word...) {
    for word in words { kinds[Int(word.ordinal)] = kind }
  }
  // Whatever an extension records in its run proves that the run began.
  set(
    .extensionRan, .nseDidReceive, .nseDownloadStarted, .nseDownloadFinished,
    .nseAttachmentCreated, .nseAttachmentFailed, .nseKeychainFailed, .nseSharedStorageFailed,
    .nseRouted, .intentDonated, .intentFailed, .nseContentUpdated, .nseHandlerCalled,
    .nseWillExpire)
  set(
    .received, .nseCrashed, .appWillPresent, .contentExtFailed, .appVoipReceived, .callReported,
    .liveActivityDecodeFailed, .liveActivityEnded)
  set(.presented, .appPresented, .liveActivityUpdated, .liveActivityStarted)
  set(.acted, .appOpened, .appAction, .appReplied, .contentExtAction)
  set(.expanded, .contentExtDidReceive)
  set(.woken, .appBackgroundLaunch, .appBackgroundCompleted)
  return kinds
}()

/// Whether an extension writes records of this name in its run.
func isRunRecord(_ name: Symbol) -> Bool {
  name.index < 64 && kindOfSighting[Int(name.index)] == .extensionRan
}

/// Words of the system log's lines stand in one row.
private let firstSystemLine = UInt32(Word.systemDaemonReceived.ordinal)
private let lastSystemLine = UInt32(Word.systemBackgroundNotCompleted.ordinal)

/// What a line of the system log shows, from the first such word on.
private let kindOfSystemLine: [KindOfSighting] = {
  var kinds = [KindOfSighting](
    repeating: .none, count: Int(lastSystemLine - firstSystemLine) + 1)
  func set(_ kind: KindOfSighting, _ words: Word...) {
    for word in words { kinds[Int(UInt32(word.ordinal) - firstSystemLine)] = kind }
  }
  set(
    .received, .systemDaemonReceived, .systemDaemonStored, .systemHandedOver, .systemIncoming,
    .systemRequestReceived, .systemModifiable, .systemNoExtension, .systemContentNotApplied,
    .systemWakeRequested, .systemWakeQueued, .systemWakeCancelled)
  // `didReceive` is about to be called, or what it handed over came back.
  set(
    .extensionRan, .systemReplacementRequested, .systemContentReturned, .systemContentApplied,
    .systemContentWithoutAlert)
  set(.presented, .systemPresented)
  return kinds
}()

/// Whether an event belongs to a local copy of a notification.
private func isLocal(_ chain: Chain, _ event: Int) -> Bool {
  guard let trigger = chain.text(.trigger, of: event) else { return false }
  return trigger == .local || trigger == .time || trigger == .calendar || trigger == .location
}

/// Whether the handler was called within the extension's time, as far as the record tells.
func isInTime(_ chain: Chain, _ event: Int) -> Bool {
  if let elapsed = chain.integer(.elapsedMs, of: event) {
    return elapsed < extensionTimeMilliseconds
  }
  if chain.scrap != nil, wasCutBefore(chain, event) { return false }
  guard let expiry = chain.firstEvent(.nseWillExpire) else { return true }
  return expiry > event
}

/// Whether a case file's times, or a line of the system, say that the time was up before an event.
private func wasCutBefore(_ chain: Chain, _ event: Int) -> Bool {
  if let cut = chain.firstEvent(.systemTimeExceeded), cut < event { return true }
  guard let start = chain.firstEvent(.nseDidReceive),
    case .known(let began) = chain.events[start].recordedAt,
    case .known(let at) = chain.events[event].recordedAt
  else { return false }
  return at - began >= extensionTimeMilliseconds * 1000
}

/// Whether a name is known and is that of a gateway.
private func isGatewayName(_ provider: Known<Symbol>) -> Bool {
  guard case .known(let name) = provider else { return false }
  return !(name == .apns)
}

/// Whether a send shows that APNs itself answered 200: directly, or by a gateway's later receipt.
private func showsAcceptance(_ send: Send) -> Bool {
  if send.acceptedByAPNs { return true }
  return send.status == .known(200) && send.receiptStatus.isKnown(.ok)
}

extension Chain {
  /// Whether the last thing that the run recorded of its media is a fault: an attachment that was
  /// refused, or a download that ended without a file.
  fileprivate func recordsMediaFault() -> Bool {
    if let created = lastEvent(.nseAttachmentCreated) {
      return created < lastEvent(.nseAttachmentFailed) ?? -1
    }
    if firstEvent(.nseAttachmentFailed) != nil { return true }
    guard let finished = lastEvent(.nseDownloadFinished) else { return false }
    if let code = integer(.errorCode, of: finished), code != 0 { return true }
    if let status = integer(.status, of: finished), status != 0, status < 200 || status > 299 {
      return true
    }
    guard let type = text(.mime, of: finished) else { return false }
    return type == .textHtml || type == .applicationXhtml
  }

  /// Whether an event lies in the gapless run that covers the first sighting.
  func isInRun(_ event: Int) -> Bool { contains(event, inTail: false) }

  private func contains(_ event: Int, inTail: Bool) -> Bool {
    guard inTail ? coverage.tail.isGapless : coverage.isGapless else { return false }
    let first = inTail ? coverage.tail.firstSequence : coverage.firstSequence
    let last = inTail ? coverage.tail.lastSequence : coverage.lastSequence
    if case .known(let first) = first, case .known(let last) = last,
      case .known(let sequence) = events[event].sequence
    {
      return sequence >= first && sequence <= last
    }
    guard case .known(let at) = events[event].correctedAt else { return false }
    let from = inTail ? coverage.tail.from : coverage.runFrom
    return at >= from && at <= (inTail ? coverage.tail.to : coverage.runTo)
  }

  /// Whether no record between two events can be missing: both lie in one gapless run, or their
  /// counter values follow each other without a gap.
  func isWhole(from first: Int, to last: Int) -> Bool {
    if contains(first, inTail: false), contains(last, inTail: false) { return true }
    if contains(first, inTail: true), contains(last, inTail: true) { return true }
    var place = first
    while place < last {
      guard case .known(let here) = events[place].sequence,
        case .known(let next) = events[place + 1].sequence, next == here &+ 1,
        events[place].log == events[place + 1].log
      else { return false }
      place += 1
    }
    return true
  }

  /// Whether a gapless run goes on for a time after an event.
  func isCovered(after event: Int, microseconds: Int64) -> Bool {
    guard case .known(let at) = events[event].correctedAt else { return false }
    if isInRun(event), coverage.runTo >= at + microseconds { return true }
    return contains(event, inTail: true) && coverage.tail.to >= at + microseconds
  }
}
