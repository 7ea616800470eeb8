/// A line number that is only known when all lines are in order: a byte that no JSON holds, which
/// file, the unit within the group, the line within the unit.
enum LineMark {
  static let byte: UInt8 = 1
  static let size = 10
  static let provider: UInt8 = 0
  static let device: UInt8 = 1
}

// A line of `truth.ndjson` holds, for one id on one device:
//   notification_id, apns_ids, collapse_id, request_id, device_id, token_tail, sent_at
//   step, cause     the first broken step and its cause, both null if it came as meant
//   also            further faults that were met, in the order of the chain
//   meant           what the sender meant
//   deciding        the lines that tell the cause from its neighbours, or that show that what was
//                   meant happened: file, line (null if it never arrived), what, survived, seq
//   decidable, why  whether these lines arrived and suffice; if not, the first reason:
//     never_opens, never_logs, not_uploaded, event_lost   the line is not there
//     no_coverage, seq_restart, no_sequence_numbers       absence cannot be shown
//     not_logged           the send was left out by sampling
//     state_seen_later     settings or categories show only after the arrival
//     release_unclear      an update lies between the lines around the arrival
//     offline_not_shown    no other notification of that time came late
//     nothing_would_record a plain notification's arrival leaves no record
//     needs_system_log     neither log can show it
//     no_token_tie         a shared id, and no line ties the token to the phone
//   defects         what was planted besides causes
//   stage           the furthest that the arrived lines prove

/// Writes the truth of each notification of the phone that `simulation` has just lived through.
func writeTruths(
  of simulation: PhoneSimulation, into out: inout ByteWriter, tally: inout GroupWriter.Tally
) {
  var builder = TruthBuilder(simulation)
  for index in simulation.notes.indices {
    builder.judge(index)
    builder.write(index, into: &out)
    tally.notifications += 1
    if builder.isDecidable { tally.decidable += 1 }
    if let cause = simulation.notes[index].faults.first {
      tally.broken[Int(cause.rawValue)] += 1
      if builder.isDecidable { tally.brokenDecidable += 1 }
    }
  }
}

/// Collects the lines that tell a notification's cause from its neighbours.
private struct TruthBuilder {
  static let stageNames: [StaticString] = [
    "sent", "accepted", "received", "extension-ran", "modified", "presented", "expanded", "acted",
    "woken", "handled",
  ]

  enum Place {
    case send(Int)
    case event(Int)
    case facts
  }

  let simulation: PhoneSimulation
  private var lines: [Place] = []
  private var why: StaticString = ""
  private var oldTokenSeen = false
  private var newTokenSeen = false

  init(_ simulation: PhoneSimulation) {
    self.simulation = simulation
    for (at, event) in simulation.events.enumerated() where simulation.fates[at].survived {
      if event.kind == .registered || event.kind == .heartbeat {
        if event.time >= simulation.phone.rotatesAt {
          newTokenSeen = true
        } else {
          oldTokenSeen = true
        }
      }
      if event.note >= 0 {
        let stage = event.kind.stage(event)
        if stage > simulation.notes[event.note].stage {
          simulation.notes[event.note].stage = stage
        }
      }
    }
  }

  var isDecidable: Bool { why.utf8CodeUnitCount == 0 }

  private var note: Note { simulation.notes[current] }
  private var current = 0

  // MARK: Which lines decide

  mutating func judge(_ index: Int) {
    current = index
    lines.removeAll(keepingCapacity: true)
    why = ""
    let note = simulation.notes[index]
    if let cause = note.faults.first {
      prove(cause, note)
    } else {
      proveFine(note)
    }
    let usesDevice = lines.contains { place in
      if case .event = place { true } else { false }
    }
    if isDecidable, usesDevice, note.isSharedID, !note.hasInstallationID,
      !(note.usesOldToken ? oldTokenSeen : newTokenSeen)
    {
      why = "no_token_tie"
    }
  }

  private mutating func fail(_ reason: StaticString) {
    if isDecidable { why = reason }
  }

  private mutating func needSend(_ note: Note) {
    let last = note.firstSend + note.sendCount - 1
    lines.append(.send(last))
    if simulation.sends[last].unit < 0 { fail("not_logged") }
  }

  private mutating func need(_ at: Int?) {
    guard let at else {
      fail(missingReason)
      return
    }
    lines.append(.event(at))
    let fate = simulation.fates[at]
    if fate.survived { return }
    fail(fate.isLost && !simulation.phone.neverLogs ? "event_lost" : missingReason)
  }

  private var missingReason: StaticString {
    if simulation.phone.neverLogs { return "never_logs" }
    if simulation.phone.neverOpens { return "never_opens" }
    return "not_uploaded"
  }

  /// Every event of the extension's run or the background launch whose kind is asked for.
  private mutating func needRun(_ note: Note, _ kinds: EventKind...) {
    var wanted: UInt32 = 0
    for kind in kinds { wanted |= kind.bit }
    var found = false
    for created in note.firstEvent..<(note.firstEvent + note.eventCount) {
      let at = simulation.position[created]
      if wanted & simulation.events[at].kind.bit != 0 {
        need(at)
        found = true
      }
    }
    if !found { fail(missingReason) }
  }

  private mutating func needAny(_ kind: EventKind) {
    var found = false
    for (at, event) in simulation.events.enumerated()
    where event.note == current && event.kind == kind {
      need(at)
      found = true
    }
    if !found { fail(missingReason) }
  }

  /// No event was lost within the run, so what is not there did not happen.
  private mutating func needWholeRun(_ note: Note) {
    guard note.eventCount > 0 else { return }
    var first = Int.max
    var last = 0
    for created in note.firstEvent..<(note.firstEvent + note.eventCount) {
      first = min(first, simulation.position[created])
      last = max(last, simulation.position[created])
    }
    needUnbroken(first, last)
  }

  private mutating func needUnbroken(_ first: Int, _ last: Int) {
    if !simulation.world.configuration.sequenceNumbers { fail("no_sequence_numbers") }
    if first > last { return }
    for at in first...last where !simulation.fates[at].survived {
      fail(simulation.fates[at].isLost ? "no_coverage" : missingReason)
    }
    if simulation.fates[first].log != simulation.fates[last].log { fail("seq_restart") }
  }

  /// The neighbours that show that the phone recorded everything from `from` to `to`.
  private mutating func needCoverage(_ from: Int64, _ to: Int64) {
    let after = firstPosition { $0.time >= to }
    guard let before = lastPosition({ $0.time <= from }), let after else {
      fail(missingReason == "not_uploaded" ? "no_coverage" : missingReason)
      return
    }
    need(before)
    need(after)
    needUnbroken(before, after)
  }

  private func lastPosition(_ fits: (Event) -> Bool) -> Int? {
    simulation.events.lastIndex(where: fits)
  }

  private func firstPosition(_ fits: (Event) -> Bool) -> Int? {
    simulation.events.firstIndex(where: fits)
  }

  /// The newest line of one of these kinds before `time` that arrived. It must be from `since` or
  /// later, or it tells of the state before a change.
  private mutating func needNewest(
    _ kinds: EventKind..., before time: Int64, since: Int64 = .min
  ) {
    var wanted: UInt32 = 0
    for kind in kinds { wanted |= kind.bit }
    var found: Int?
    var isAnyLater = false
    for (at, event) in simulation.events.enumerated()
    where wanted & event.kind.bit != 0 && simulation.fates[at].survived {
      if event.time > time {
        isAnyLater = true
        break
      }
      found = at
    }
    guard let found else {
      fail(isAnyLater ? "state_seen_later" : missingReason)
      return
    }
    need(found)
    if simulation.events[found].time < since { fail("state_seen_later") }
  }

  /// Lines before and after `time` that name the release which ran then.
  private mutating func needRelease(at time: Int64) {
    lines.append(.facts)
    var before: Int?
    var after: Int?
    for (at, event) in simulation.events.enumerated() where simulation.fates[at].survived {
      if event.time <= time {
        before = at
      } else {
        after = at
        break
      }
    }
    need(before)
    need(after)
    guard let before, let after else { return }
    let first = simulation.phone.release(at: simulation.events[before].time)
    if first != simulation.phone.release(at: simulation.events[after].time) {
      fail("release_unclear")
    }
  }

  private mutating func proveFine(_ note: Note) {
    switch note.kind {
    case .plain: needSend(note)
    case .media: needRun(note, .handlerCalled)
    case .customView:
      needRun(note, .handlerCalled)
      lines.append(.facts)
    case .communication: needRun(note, .intentDonated, .contentUpdated, .handlerCalled)
    case .actions:
      needSend(note)
      needNewest(.categories, before: note.arrival)
    case .silent: needRun(note, .backgroundLaunch, .backgroundCompleted)
    }
  }

  private mutating func prove(_ cause: PlantedCause, _ note: Note) {
    let arrival = note.arrival
    switch cause {
    case .providerAuthInvalid, .providerJwtExpired, .providerJwtChurn, .providerKeyScope,
      .tokenWrongSystem, .tokenMalformed, .tokenKindMismatch, .tokenUnregistered, .topicMissing,
      .topicSuffix, .topicWrong, .pushTypeMismatch, .priorityBackground,
      .priorityMissingForBackground, .expirationInMilliseconds, .collapseIdTooLong,
      .payloadTooLarge, .requestMalformed, .apnsThrottled, .noAlert, .mutableContentOff,
      .mutableContentFraction, .mutableKeySpellingNesting, .categoryMissing,
      .alertInBackgroundPush:
      needSend(note)
    case .tokenEnvMismatch:
      needSend(note)
      needRegistration(ofOldToken: note.usesOldToken)
    case .staleToken200:
      needSend(note)
      if !note.hasInstallationID { needRegistration(ofOldToken: true) }
      needRegistration(ofOldToken: false)
      // A newer token that shows only after the send may be newer than the send too.
      // By the phone's clock, as long as nothing else corrects it.
      if case .event(let at)? = lines.last,
        simulation.events[at].time + max(0, simulation.phone.clockOffset) > note.sentAt
      {
        fail("state_seen_later")
      }
    case .soundMissing:
      needSend(note)
      needAny(.presented)
    case .categoryNotRegistered:
      needSend(note)
      needNewest(.categories, before: arrival)
    case .categoryNotInPlist:
      needSend(note)
      needRelease(at: arrival < 0 ? note.sentAt : arrival)
    case .expiredWhileOffline, .overwrittenInStorage: proveOffline(note)
    case .notificationsDenied:
      needSend(note)
      needNewest(.settings, .heartbeat, before: arrival, since: simulation.phone.deniedFrom)
    case .backgroundModeMissing:
      needSend(note)
      needNewest(.settings, .heartbeat, before: arrival)
    case .wrongExtensionPoint, .extMinOs:
      needSend(note)
      needRelease(at: arrival)
    case .extCrashAtLaunch:
      needSend(note)
      needCoverage(arrival, arrival + 31 * microsecondsPerSecond)
      fail("needs_system_log")
    case .backgroundBestEffort:
      needSend(note)
      fail("needs_system_log")
    case .backgroundNotCompleted:
      needRun(note, .backgroundLaunch)
      needCoverage(arrival, arrival + 31 * microsecondsPerSecond)
    default: proveOnPhone(cause, note)
    }
  }

  private mutating func needRegistration(ofOldToken old: Bool) {
    var found: Int?
    for (at, event) in simulation.events.enumerated() where simulation.fates[at].survived {
      guard event.kind == .registered || event.kind == .heartbeat else { continue }
      if (event.time < simulation.phone.rotatesAt) == old {
        found = at
        if !old { break }
      }
    }
    need(found)
  }

  /// That the phone was off shows only where another notification of that time came late.
  private mutating func proveOffline(_ note: Note) {
    needSend(note)
    let stored = note.offlineWindow < 0 ? -1 : simulation.offline[note.offlineWindow].stored
    guard stored >= 0, simulation.notes[stored].eventCount > 0 else {
      fail("offline_not_shown")
      return
    }
    let sibling = simulation.notes[stored]
    need(simulation.position[sibling.firstEvent])
    if !note.kind.isMutable, note.kind != .silent { fail("nothing_would_record") }
    let back = simulation.offline[note.offlineWindow].to
    needCoverage(note.sentAt, back)
  }

  private mutating func proveOnPhone(_ cause: PlantedCause, _ note: Note) {
    switch cause {
    case .sdkRouting: needRun(note, .routed)
    case .keychainLocked: needRun(note, .didReceive, .keychainFailed)
    case .urlInvalid:
      needSend(note)
      needRun(note, .didReceive, .handlerCalled)
      needWholeRun(note)
    case .atsBlocked:
      needSend(note)
      needRun(note, .downloadFinished)
    case .mediaHostUnreachable, .mediaTls, .mediaHttpStatus: needRun(note, .downloadFinished)
    case .fileExtensionMissing, .typeHintNotUti, .unsupportedFormat:
      needSend(note)
      needRun(note, .downloadFinished, .attachmentFailed)
    case .attachmentTooLarge, .attachmentUrlInvalid: needRun(note, .attachmentFailed)
    case .extMemory:
      needRun(note, .didReceive)
      needAny(.crashed)
    case .interactionNotDonated:
      needRun(note, .didReceive, .intentFailed, .contentUpdated, .handlerCalled)
      needWholeRun(note)
    case .intentParticipants, .intentImage: needRun(note, .intentDonated)
    case .intentNotApplied:
      needRun(note, .intentDonated, .handlerCalled)
      needWholeRun(note)
    case .updatedContentModified: needRun(note, .intentDonated, .contentUpdated)
    case .contentHandlerNever:
      needRun(note, .didReceive)
      needCoverage(note.arrival, note.arrival + 31 * microsecondsPerSecond)
    case .contentHandlerLate: needRun(note, .willExpire, .handlerCalled)
    case .contentHandlerTwice: needRun(note, .handlerCalled)
    case .downloadTooSlow:
      needRun(note, .downloadStarted, .willExpire, .handlerCalled)
      needWholeRun(note)
    case .expiryReturnsWrongContent:
      needRun(note, .attachmentCreated, .willExpire, .handlerCalled)
    case .foregroundDelegate: needAny(.willPresent)
    case .duplicateLocalCopy: needAny(.presented)
    case .contentExtFailed: needAny(.contentFailed)
    case .contentExtAttachment:
      needAny(.contentFailed)
      needRun(note, .handlerCalled)
    case .contentExtSlow: needAny(.contentShown)
    default: fail("needs_system_log")
    }
  }

  // MARK: The line

  func write(_ index: Int, into out: inout ByteWriter) {
    let note = simulation.notes[index]
    writeIdentity(note, into: &out)
    out.text(",\"step\":")
    var faults = note.faults
    if let cause = faults.popFirst() {
      writeCause(cause, into: &out)
    } else {
      out.text("null,\"cause\":null")
    }
    out.text(",\"also\":[")
    var isFirst = true
    while let cause = faults.popFirst() {
      if !isFirst { out.byte(0x2C) }
      isFirst = false
      out.text("{\"step\":")
      writeCause(cause, into: &out)
      out.byte(0x7D)
    }
    out.text("],\"meant\":")
    simulation.writeMeant(note, into: &out)
    out.text(",\"deciding\":[")
    for (number, place) in lines.enumerated() {
      if number > 0 { out.byte(0x2C) }
      writePlace(place, into: &out)
    }
    out.text("],\"decidable\":")
    out.boolean(isDecidable)
    if !isDecidable {
      out.text(",\"why\":\"")
      out.text(why)
      out.byte(0x22)
    }
    writeDefects(note, into: &out)
    out.text(",\"stage\":\"")
    out.text(TruthBuilder.stageNames[max(note.stage, note.accepted ? 1 : 0)])
    out.text("\"}\n")
  }

  private func writeCause(_ cause: PlantedCause, into out: inout ByteWriter) {
    out.byte(0x22)
    out.text(cause.row.step)
    out.text("\",\"cause\":\"")
    out.text(cause.row.id)
    out.byte(0x22)
  }

  private func writeIdentity(_ note: Note, into out: inout ByteWriter) {
    out.text("{\"notification_id\":")
    if note.identity == .notificationID {
      out.byte(0x22)
      simulation.writeNotificationID(note, into: &out)
      out.byte(0x22)
    } else {
      out.text("null")
    }
    out.text(",\"apns_ids\":[")
    var isFirst = true
    for at in note.firstSend..<(note.firstSend + note.sendCount) where note.identity != .none {
      let send = simulation.sends[at]
      if send.status == 0 { continue }
      if !isFirst { out.byte(0x2C) }
      isFirst = false
      out.byte(0x22)
      out.uuid(send.apnsID, upper: note.identity != .apnsIDInPayload)
      out.byte(0x22)
    }
    out.text("],\"collapse_id\":")
    if note.collapse != .none {
      out.byte(0x22)
      simulation.writeCollapseID(note, into: &out)
      out.byte(0x22)
    } else {
      out.text("null")
    }
    out.text(",\"request_id\":")
    if note.kind == .silent {
      out.text("null")
    } else {
      out.byte(0x22)
      simulation.writeRequestID(note, into: &out)
      out.byte(0x22)
    }
    out.text(",\"device_id\":\"")
    out.uuid(simulation.phone.deviceID)
    out.text("\",\"token_tail\":\"")
    writeTail(note, into: &out)
    out.text("\",\"sent_at\":")
    out.instant(note.sentAt)
  }

  private func writeTail(_ note: Note, into out: inout ByteWriter) {
    // Written in full, then all but the end is taken back.
    let start = out.count
    simulation.writeSentToken(note, into: &out)
    out.keepTail(from: start, length: 4)
  }

  private func writePlace(_ place: Place, into out: inout ByteWriter) {
    switch place {
    case .facts:
      out.text("{\"file\":\"facts\",\"line\":null,\"what\":\"release\",\"survived\":true}")
    case .send(let at):
      let unit = simulation.sends[at].unit
      out.text("{\"file\":\"provider\",\"line\":")
      writeMark(LineMark.provider, unit: unit, line: 0, into: &out)
      out.text(",\"what\":\"send answer\",\"survived\":")
      out.boolean(unit >= 0)
      out.byte(0x7D)
    case .event(let at):
      let fate = simulation.fates[at]
      out.text("{\"file\":\"device\",\"line\":")
      writeMark(LineMark.device, unit: fate.unit, line: fate.line, into: &out)
      out.text(",\"what\":\"")
      out.text(simulation.events[at].kind.name)
      out.text("\",\"survived\":")
      out.boolean(fate.survived)
      if simulation.world.configuration.sequenceNumbers {
        out.text(",\"seq\":")
        out.integer(fate.sequence)
      }
      out.byte(0x7D)
    }
  }

  private func writeMark(_ file: UInt8, unit: Int, line: Int, into out: inout ByteWriter) {
    if unit < 0 {
      out.text("null")
      return
    }
    out.byte(LineMark.byte)
    out.byte(file)
    out.little(UInt32(unit))
    out.little(UInt32(line))
  }

  private func writeDefects(_ note: Note, into out: inout ByteWriter) {
    var defects = note.defects
    defects.formUnion(simulation.phone.deviceDefects)
    if !isDecidable, why == "not_uploaded" { defects.insert(.notUploaded) }
    if note.collapse == .topical, note.shownAt >= 0,
      simulation.isReplaced(current, before: .max)
    {
      defects.insert(.replaced)
    }
    out.text(",\"defects\":[")
    var isFirst = true
    for (defect, name) in Defects.names where defects.contains(defect) {
      if !isFirst { out.byte(0x2C) }
      isFirst = false
      out.byte(0x22)
      out.text(name)
      out.byte(0x22)
    }
    out.byte(0x5D)
  }
}

/// Two constant texts are equal if they have the same bytes.
private func == (left: StaticString, right: StaticString) -> Bool {
  left.utf8CodeUnitCount == right.utf8CodeUnitCount
    && UnsafeBufferPointer(start: left.utf8Start, count: left.utf8CodeUnitCount).elementsEqual(
      UnsafeBufferPointer(start: right.utf8Start, count: right.utf8CodeUnitCount))
}
