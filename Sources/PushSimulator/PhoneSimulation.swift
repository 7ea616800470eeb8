/// Lives through the period on one phone after another: what is sent to it, what it does, what it
/// records. Filled anew for each phone; the lines are written by the extensions of this type.
final class PhoneSimulation {
  let world: World
  var random = RandomSource(seed: 0, stream: 0)
  var phone = Phone()
  var notes: [Note] = []
  var sends: [Send] = []
  var events: [Event] = []
  var fates: [Fate] = []
  /// Positions in the order of time by order of making.
  var position: [Int] = []
  var opens: [Open] = []
  var offline: [OfflineWindow] = []
  var uploads: [Int64] = []

  /// The app comes to the front.
  struct Open {
    var at: Int64
    var isCold: Bool
    var note: Int
  }

  /// The phone is off or without network.
  struct OfflineWindow {
    var from: Int64
    var to: Int64
    /// The newest notification that APNs stores meanwhile (F1.19), or -1.
    var stored = -1
    /// When it was accepted.
    var storedAt: Int64 = 0
    /// Notifications whose place was taken.
    var overwritten: [Int] = []
  }

  init(world: World) {
    self.world = world
  }

  /// Lives through phone `index`; afterwards `notes`, `sends` and `events` are final and `events`
  /// is in the order in which the phone recorded.
  func live(_ index: Int) {
    random = RandomSource(seed: world.configuration.seed, stream: UInt64(index))
    notes.removeAll(keepingCapacity: true)
    sends.removeAll(keepingCapacity: true)
    events.removeAll(keepingCapacity: true)
    opens.removeAll(keepingCapacity: true)
    offline.removeAll(keepingCapacity: true)
    makePhone(index)
    makeOffline()
    makeOpens()
    rotateToken()
    makeNotes(count: Int(world.counts[index]))
    for note in notes.indices { send(note) }
    for note in notes.indices where notes[note].arrival >= 0 { arrive(note) }
    recordHeartbeats()
    recordOpens()
    sortEvents()
  }

  func emit(
    _ kind: EventKind, _ time: Int64, _ note: Int = -1, _ a: Int = 0, _ b: Int = 0, _ c: Int = 0,
    _ d: Int = 0
  ) {
    if time >= world.collectedAt { return }
    events.append(
      Event(
        time: time, note: note, kind: kind, created: events.count, a: a, b: b, c: c, d: d))
  }

  // MARK: The phone

  private func makePhone(_ index: Int) {
    let pattern = index + world.turn
    var new = Phone()
    new.index = index
    let draw = random.below(100)
    new.app = draw < 45 ? 0 : draw < 75 ? 1 : 2
    new.deviceID = Identifier(&random)
    var weight = random.below(Catalogue.systemWeights)
    while weight >= Catalogue.systems[new.system].weight {
      weight -= Catalogue.systems[new.system].weight
      new.system += 1
    }
    new.model = random.below(Catalogue.systems[new.system].models.count)
    // Rare kinds of phones come in a fixed pattern rather than by chance, so that a small corpus
    // has them too. The periods have no common divisor: they combine freely.
    new.isSandbox = pattern % 17 == 4
    new.neverOpens = pattern % 20 == 3
    new.neverLogs = pattern % 37 == 5
    new.backgroundRefreshOff = pattern % 41 == 9
    new.hasPartialCategories = pattern % 23 == 13
    new.hasLogID = pattern % 53 != 8
    new.opensPerDay = new.neverOpens ? 0 : random.skewed(unit: 2, doublings: 3)
    chooseReleases(&new)
    new.token = (random.next(), random.next(), random.next(), random.next())
    new.laterToken = (random.next(), random.next(), random.next(), random.next())
    new.logIDs = (random.next(), random.next())
    new.firstSequence = random.between(1, 40_000)
    if pattern % 97 == 11 {
      new.deniedFrom = random.chance(600_000) ? world.start - 1 : moment()
    }
    chooseClock(&new, pattern)
    if new.neverOpens { new.deviceDefects.insert(.neverOpens) }
    if new.neverLogs { new.deviceDefects.insert(.neverLogs) }
    if !new.hasLogID { new.deviceDefects.insert(.noLogID) }
    phone = new
  }

  private func chooseReleases(_ new: inout Phone) {
    let draw = random.below(100)
    switch new.app {
    case 0:
      new.firstRelease = draw < 22 ? 0 : draw < 82 ? 1 : 2
      new.laterRelease = 2
      if new.isSandbox, (new.index + world.turn) / 17 % 3 == 0 {
        new.firstRelease = Catalogue.courierDevelopment
        new.laterRelease = Catalogue.courierDevelopment
      }
    case 1:
      new.firstRelease = draw < 30 ? 4 : draw < 75 ? 5 : 6
      new.laterRelease = 6
    default:
      new.firstRelease = draw < 38 ? 7 : draw < 88 ? 8 : 9
      new.laterRelease = 9
    }
    if random.chance(550_000) { new.updateAt = moment() }
  }

  private func chooseClock(_ new: inout Phone, _ pattern: Int) {
    new.clockOffset = Int64(random.between(-1_500_000, 1_500_000))
    if pattern % 13 == 1 {
      let minutes = Int64(random.between(2, 25))
      new.clockOffset = (random.chance(500_000) ? minutes : -minutes) * microsecondsPerMinute
      new.deviceDefects.insert(.clockMinutes)
    } else if pattern % 199 == 17 {
      // A number of milliseconds from 1970 would pass for seconds (app 2 writes numbers).
      let years = [-25, -3, 4, -56][random.below(new.app == 2 ? 3 : 4)]
      new.clockOffset =
        Int64(years) * 365 * microsecondsPerDay + Int64(random.below(86_400_000_000))
      new.deviceDefects.insert(.clockYears)
    }
  }

  private func moment() -> Int64 {
    world.start + Int64(random.below(Int(world.end - world.start)))
  }

  /// A time of that day, by the weights of the hours.
  private func moment(day: Int) -> Int64 {
    var weight = random.below(Catalogue.hourWeightSum)
    var hour = 0
    while weight >= Catalogue.hourWeights[hour] {
      weight -= Catalogue.hourWeights[hour]
      hour += 1
    }
    return world.start + Int64(day) * microsecondsPerDay + Int64(hour) * microsecondsPerHour
      + Int64(random.below(Int(microsecondsPerHour)))
  }

  private func makeOffline() {
    // Phones with many notifications are offline for shorter, or APNs' single slot (F1.19) would
    // swallow most of what they get.
    let heavy = World.isHeavy(phone.index, turn: world.turn)
    for day in 0..<world.configuration.days where random.chance(170_000) {
      let from = moment(day: day)
      let minutes = heavy ? random.between(60, 100) : random.between(90, 240)
      let to = from + Int64(minutes) * microsecondsPerMinute
      if to > world.end - microsecondsPerHour { continue }
      if let last = offline.last, last.to + microsecondsPerHour > from { continue }
      offline.append(OfflineWindow(from: from, to: to))
    }
  }

  func offlineWindow(at time: Int64) -> Int? {
    offline.firstIndex { $0.from <= time && time < $0.to }
  }

  private func makeOpens() {
    if phone.neverOpens { return }
    for day in 0..<world.configuration.days {
      // Some days without.
      if random.chance(120_000) { continue }
      for _ in 0..<random.between(1, phone.opensPerDay) {
        let at = moment(day: day)
        if offlineWindow(at: at) == nil {
          opens.append(Open(at: at, isCold: random.chance(650_000), note: -1))
        }
      }
    }
    // Somebody looks on the morning after as well.
    if random.chance(600_000) {
      let at = world.end + Int64(random.below(Int(8 * microsecondsPerHour)))
      opens.append(Open(at: at, isCold: true, note: -1))
    }
  }

  private func rotateToken() {
    let pattern = phone.index + world.turn
    let restored = pattern % 47 == 6
    guard restored || pattern % 11 == 2, !opens.isEmpty else { return }
    // The new token is known to the phone when the app runs (F10.3, F10.4).
    let open = random.below(opens.count)
    opens[open].isCold = true
    phone.rotatesAt = opens[open].at
    phone.senderLearnsAt =
      phone.rotatesAt + Int64(random.skewed(unit: 4 * 60, doublings: 3)) * microsecondsPerMinute
    phone.oldTokenIsRefused = random.chance(600_000)
    if restored {
      phone.restartsAt = phone.rotatesAt
      phone.deviceDefects.insert(.restartedCount)
      // Rarely the recorder knows no log id either: then its numbers simply come again.
      if pattern / 47 % 5 == 0 {
        phone.hasLogID = false
        phone.deviceDefects.insert(.noLogID)
      }
    }
  }

  // MARK: What is sent

  private func makeNotes(count: Int) {
    let days = world.configuration.days
    var taken = Set<Int>()
    for _ in 0..<count {
      var note = Note()
      let day = random.below(days)
      note.sentAt = moment(day: day)
      let ofDay = random.below(Catalogue.campaignsPerDay)
      let campaign = day * Catalogue.campaignsPerDay + ofDay
      if random.chance(300_000) {
        note.campaign = campaign
        note.isSharedID = !taken.contains(campaign) && random.chance(850_000)
        taken.insert(campaign)
        note.sentAt =
          world.start + Int64(day) * microsecondsPerDay
          + Int64(Catalogue.campaignStartMinutes[ofDay]) * microsecondsPerMinute
          + Int64(random.below(Int(15 * microsecondsPerMinute)))
      }
      choose(&note)
      notes.append(note)
    }
    notes.sort { $0.sentAt < $1.sentAt }
  }

  private func choose(_ note: inout Note) {
    let draw = random.below(100)
    switch draw {
    case ..<30: note.kind = .plain
    case ..<67: note.kind = .media
    case ..<80: note.kind = .communication
    case ..<87: note.kind = .actions
    case ..<92: note.kind = .customView
    default: note.kind = .silent
    }
    note.id = Identifier(&random)
    note.requestID = Identifier(&random)
    note.variant = Int(truncatingIfNeeded: random.next() & 0xFFFF_FFFF)
    note.hasExpectation = random.chance(200_000)
    note.hasInstallationID = random.chance(120_000)
    chooseIdentity(&note)
    let life = random.below(100)
    note.lifetimeSeconds =
      life < 15 ? -1 : life < 18 ? 0 : life < 28 ? 3600 : life < 66 ? 86_400 : 28 * 86_400
    if let refusal = FaultTables.draw(FaultTables.refusals, &random) {
      note.requestFaults.insert(refusal)
      prepare(&note, for: refusal)
    } else if let fault = FaultTables.draw(FaultTables.payload(note.kind), &random) {
      note.requestFaults.insert(fault)
      prepare(&note, for: fault)
    }
    if random.chance(FaultTables.pairsPerMillion) { choosePair(&note) }
  }

  private func chooseIdentity(_ note: inout Note) {
    if random.below(1_000_000) < Int(world.configuration.idlessSends * 1_000_000) {
      note.identity = .none
      note.isSharedID = false
      note.defects.insert(.noIDs)
      return
    }
    let draw = random.below(100)
    if !note.isSharedID, draw < 4 {
      note.identity = .apnsIDInPayload
      note.chosenAPNsID = Identifier(&random)
    } else if !note.isSharedID, draw < 8 {
      note.identity = .collapseOnly
      note.collapse = .unique
    } else if draw < 18 {
      note.collapse = .unique
    } else if !note.isSharedID, draw < 28 {
      note.collapse = .topical
      note.slot = random.below(3)
    }
    if note.isSharedID { note.defects.insert(.sharedID) }
  }

  /// A text that is no token ties nothing to a phone: such a send gets an id of its own.
  private func prepare(_ note: inout Note, for fault: PlantedCause) {
    switch fault {
    case .tokenWrongSystem, .tokenMalformed, .tokenKindMismatch:
      if note.isSharedID {
        note.isSharedID = false
        note.defects.remove(.sharedID)
      }
    case .collapseIdTooLong:
      note.collapse = .none
      if note.identity == .collapseOnly { note.identity = .notificationID }
    case .categoryMissing, .categoryNotInPlist, .soundMissing:
      // Without it nobody could know what was meant.
      note.hasExpectation = true
    default: break
    }
  }

  private func choosePair(_ note: inout Note) {
    if !note.requestFaults.isEmpty { return }
    switch (note.kind, note.variant % 3) {
    case (.media, 0), (.communication, 0):
      note.requestFaults = CauseSet(.topicWrong, .mutableContentOff)
    case (.media, 1):
      note.candidates = CauseSet(.mediaHttpStatus, .duplicateLocalCopy)
    case (.media, _):
      note.candidates = CauseSet(.mediaTls, .foregroundDelegate)
    case (.communication, _):
      note.candidates = CauseSet(.intentImage, .updatedContentModified)
    case (.customView, _):
      note.requestFaults = CauseSet(.mutableContentOff, .categoryMissing)
      note.hasExpectation = true
    default: break
    }
  }

  private func send(_ index: Int) {
    var note = notes[index]
    let faults = note.requestFaults
    note.firstSend = sends.count
    note.usesOldToken = note.sentAt < phone.senderLearnsAt
    let refusal = answer(for: note)
    var at = note.sentAt
    var attempt = 1
    if let refusal {
      let attempts = faults.contains(.apnsThrottled) ? 3 : 1
      while attempt <= attempts {
        append(index, note, at, attempt, refusal.status, refusal.reason)
        at += Int64(random.between(20, 120)) * microsecondsPerSecond
        attempt += 1
      }
      if attempts > 1 { note.defects.insert(.retried) }
      note.faults = faults
    } else {
      if note.identity == .notificationID, random.chance(16_000) {
        note.defects.insert(.retried)
        for _ in 0..<(random.chance(200_000) ? 2 : 1) {
          let failed = temporaryFailure()
          append(index, note, at, attempt, failed.status, failed.reason)
          at += Int64(failed.waitSeconds + random.below(10)) * microsecondsPerSecond
          attempt += 1
        }
      }
      if note.usesOldToken, note.sentAt >= phone.rotatesAt {
        if phone.oldTokenIsRefused {
          append(index, note, at, attempt, 410, "Unregistered")
          note.faults.insert(.tokenUnregistered)
        } else {
          append(index, note, at, attempt, 200, "")
          note.accepted = true
          note.faults.insert(.staleToken200)
        }
      } else {
        append(index, note, at, attempt, 200, "")
        note.accepted = true
        travel(index, &note, at)
      }
    }
    note.sendCount = sends.count - note.firstSend
    notes[index] = note
  }

  private func append(
    _ index: Int, _ note: Note, _ at: Int64, _ attempt: Int, _ status: Int, _ reason: StaticString
  ) {
    let id = note.identity == .apnsIDInPayload ? note.chosenAPNsID : Identifier(&random)
    sends.append(
      Send(
        note: index, at: at, attempt: attempt, status: status, reason: reason, apnsID: id,
        durationMilliseconds: random.skewed(unit: 9, doublings: 5)))
  }

  private func temporaryFailure() -> (status: Int, reason: StaticString, waitSeconds: Int) {
    switch random.below(4) {
    case 0: (503, "ServiceUnavailable", 900)
    case 1: (500, "InternalServerError", 900)
    case 2: (429, "TooManyRequests", 20)
    default: (0, "connection reset", 2)
    }
  }

  /// The answer that refuses a faulty request, or nil where APNs takes it (section 2 of the facts).
  private func answer(for note: Note) -> (status: Int, reason: StaticString)? {
    var faults = note.requestFaults
    while let fault = faults.popFirst() {
      switch fault {
      case .providerAuthInvalid: return (403, "InvalidProviderToken")
      case .providerJwtExpired: return (403, "ExpiredProviderToken")
      case .providerJwtChurn: return (429, "TooManyProviderTokenUpdates")
      case .providerKeyScope:
        return (403, phone.isSandbox ? "UnrelatedKeyIdInToken" : "BadEnvironmentKeyIdInToken")
      case .tokenWrongSystem, .tokenMalformed, .tokenEnvMismatch: return (400, "BadDeviceToken")
      case .tokenKindMismatch: return (400, "DeviceTokenNotForTopic")
      case .topicMissing: return (400, "MissingTopic")
      case .topicSuffix, .topicWrong:
        return (400, note.variant % 2 == 0 ? "DeviceTokenNotForTopic" : "TopicDisallowed")
      case .expirationInMilliseconds: return (400, "BadExpirationDate")
      case .collapseIdTooLong: return (400, "BadCollapseId")
      case .payloadTooLarge: return (413, "PayloadTooLarge")
      case .requestMalformed:
        switch note.variant % 4 {
        case 0: return (400, "BadMessageId")
        case 1: return (400, "InvalidPushType")
        case 2: return (400, "BadPriority")
        default: return (404, "BadPath")
        }
      case .apnsThrottled:
        return note.variant % 3 == 0 ? (503, "ServiceUnavailable") : (429, "TooManyRequests")
      default: break
      }
    }
    return nil
  }

  /// From APNs' answer to the phone.
  private func travel(_ index: Int, _ note: inout Note, _ at: Int64) {
    note.faults = note.requestFaults
    // F1.41, F1.42, F1.40, F8.1: taken by APNs, dropped or ignored on the phone.
    let dropped = CauseSet(
      .pushTypeMismatch, .priorityBackground, .priorityMissingForBackground,
      .alertInBackgroundPush)
    if note.faults.intersects(dropped) { return }
    guard let window = offlineWindow(at: at) else {
      note.arrival = at + Int64(random.skewed(unit: 180, doublings: 4)) * 1000
      return
    }
    note.offlineWindow = window
    let back = offline[window].to
    if note.lifetimeSeconds >= 0, at + Int64(note.lifetimeSeconds) * microsecondsPerSecond <= back {
      note.faults.insert(.expiredWhileOffline)
      return
    }
    // One slot for each app and phone (F1.19); what was accepted last stays.
    let earlier = offline[window].stored
    if earlier >= 0, offline[window].storedAt > at {
      if !isReplaced(note, by: notes[earlier]) { note.faults.insert(.overwrittenInStorage) }
      offline[window].overwritten.append(index)
      return
    }
    if earlier >= 0 {
      notes[earlier].faults.insert(.overwrittenInStorage)
      offline[window].overwritten.append(earlier)
      notes[earlier].arrival = -1
      notes[earlier].defects.remove(.lateArrival)
    }
    // One that has its collapse id replaces it, as was meant, whatever lay between them.
    for place in offline[window].overwritten where isReplaced(notes[place], by: note) {
      notes[place].faults.remove(.overwrittenInStorage)
    }
    offline[window].storedAt = at
    offline[window].stored = index
    note.arrival = back + Int64(random.between(2000, 40_000)) * 1000
    note.defects.insert(.lateArrival)
  }

  private func isReplaced(_ note: Note, by newer: Note) -> Bool {
    note.collapse == .topical && newer.collapse == .topical && note.slot == newer.slot
  }

  // MARK: What the phone does

  private func arrive(_ index: Int) {
    var note = notes[index]
    note.firstEvent = events.count
    if note.kind == .silent {
      wake(index, &note)
    } else if note.arrival >= phone.deniedFrom {
      // Alerts are off: neither banner nor extension (F4.2).
      note.faults.insert(.notificationsDenied)
    } else if !note.faults.contains(.noAlert) {
      show(index, &note)
    }
    note.eventCount = events.count - note.firstEvent
    notes[index] = note
  }

  private func wake(_ index: Int, _ note: inout Note) {
    if phone.backgroundRefreshOff {
      note.faults.insert(.backgroundModeMissing)
    } else if random.chance(FaultTables.backgroundBestEffort) {
      note.faults.insert(.backgroundBestEffort)
    } else {
      let began = note.arrival + Int64(random.between(100, 900)) * 1000
      emit(.backgroundLaunch, began, index, random.between(40, 700))
      if random.chance(FaultTables.backgroundNotCompleted) {
        note.faults.insert(.backgroundNotCompleted)
      } else {
        let took = random.skewed(unit: 300, doublings: 5)
        emit(.backgroundCompleted, began + Int64(took) * 1000, index, took)
      }
    }
  }

  private func show(_ index: Int, _ note: inout Note) {
    let flagFaults = CauseSet(
      .mutableContentOff, .mutableContentFraction, .mutableKeySpellingNesting)
    note.shownAt = note.arrival + Int64(random.between(20, 200)) * 1000
    if note.kind.isMutable, !note.faults.intersects(flagFaults) {
      let release = Catalogue.releases[phone.release(at: note.arrival)]
      if !release.servicePointIsRight {
        note.faults.insert(.wrongExtensionPoint)
      } else if release.serviceMinimumOS > Catalogue.systems[phone.system].major {
        note.faults.insert(.extMinOs)
      } else {
        chooseRunFault(&note)
        runExtension(index, &note)
      }
    }
    if note.kind == .actions, phone.hasPartialCategories, !note.faults.contains(.categoryMissing) {
      note.faults.insert(.categoryNotRegistered)
    }
    present(index, &note)
  }

  private func chooseRunFault(_ note: inout Note) {
    let runFaults = CauseSet(.mediaHttpStatus, .mediaTls, .intentImage, .updatedContentModified)
    if note.candidates.intersects(runFaults) { return }
    let rows = FaultTables.run(note.kind)
    if let fault = FaultTables.draw(rows, &random) {
      note.candidates.insert(fault)
      return
    }
    let release = phone.release(at: note.arrival)
    for regression in PlantedRegression.all where regression.release == release {
      for row in rows where row.cause == regression.cause {
        if random.chance(row.partsPerMillion * (regression.factor - 1)) {
          note.candidates.insert(row.cause)
        }
      }
    }
  }

  private func present(_ index: Int, _ note: inout Note) {
    if phone.neverOpens { return }
    if note.kind == .customView, random.chance(400_000),
      !note.faults.contains(.categoryMissing), !note.faults.contains(.categoryNotInPlist)
    {
      expand(index, &note)
    }
    let wantsForeground = note.candidates.contains(.foregroundDelegate)
    if wantsForeground || random.chance(40_000), note.offlineWindow < 0 {
      opens.append(
        Open(
          at: note.arrival - Int64(random.between(2, 30)) * microsecondsPerSecond, isCold: false,
          note: -1))
      // The extension comes first, then the delegate (F4.11); no options silence it (F4.12).
      let silenced = wantsForeground || random.chance(FaultTables.foregroundDelegate)
      emit(.willPresent, note.shownAt, index, silenced ? 0 : 3)
      if silenced {
        note.faults.insert(.foregroundDelegate)
        note.shownAt = -1
      } else {
        emit(.presented, note.shownAt + 30_000, index, 0, note.shownAttachments, 0, sound(note))
      }
      return
    }
    if random.chance(75_000) {
      let tap = note.shownAt + Int64(random.skewed(unit: 20, doublings: 9)) * microsecondsPerSecond
      if offlineWindow(at: tap) == nil, tap < world.collectedAt {
        opens.append(Open(at: tap, isCold: random.chance(500_000), note: index))
      }
    } else if random.chance(FaultTables.duplicateLocalCopy) {
      note.candidates.insert(.duplicateLocalCopy)
    }
  }

  private func expand(_ index: Int, _ note: inout Note) {
    let at = note.shownAt + Int64(random.skewed(unit: 5, doublings: 6)) * microsecondsPerSecond
    switch FaultTables.draw(FaultTables.view, &random) {
    case .contentExtFailed:
      note.faults.insert(.contentExtFailed)
      emit(.contentFailed, at, index, 0)
    case .contentExtAttachment where note.shownAttachments > 0:
      note.faults.insert(.contentExtAttachment)
      emit(.contentFailed, at, index, 1 + note.variant % 2)
    case .contentExtSlow:
      note.faults.insert(.contentExtSlow)
      emit(.contentShown, at, index, random.between(4000, 12_000), note.shownAttachments)
    default:
      emit(.contentShown, at, index, random.between(40, 350), note.shownAttachments)
    }
  }

  func sound(_ note: Note) -> Int { note.faults.contains(.soundMissing) ? 0 : 1 }

  // MARK: The app at its start

  private func recordHeartbeats() {
    for day in 0..<world.configuration.days {
      let at =
        world.start + Int64(day) * microsecondsPerDay
        + Int64(random.between(3600, 6 * 3600)) * microsecondsPerSecond
      if offlineWindow(at: at) == nil { emit(.heartbeat, at, -1, random.between(400, 90_000)) }
    }
  }

  private func recordOpens() {
    uploads.removeAll(keepingCapacity: true)
    opens.sort { ($0.at, $0.note) < ($1.at, $1.note) }
    var shown: [Int] = []
    for index in notes.indices where notes[index].shownAt >= 0 { shown.append(index) }
    shown.sort { (notes[$0].shownAt, $0) < (notes[$1].shownAt, $1) }
    var crashed: [Int] = []
    for index in notes.indices where notes[index].faults.contains(.extMemory) {
      crashed.append(index)
    }
    var next = 0
    var nextCrash = 0
    for open in opens where open.at < world.collectedAt {
      if open.isCold { recordLaunch(open.at) }
      if open.isCold || random.chance(600_000) { emit(.settings, open.at + 60_000) }
      // A killed process writes nothing; the app tells of it at its next start.
      while nextCrash < crashed.count, notes[crashed[nextCrash]].arrival < open.at {
        let index = crashed[nextCrash]
        emit(.crashed, open.at + 90_000, index, random.between(24, 27))
        nextCrash += 1
      }
      if open.note >= 0 {
        emit(.opened, open.at + 110_000, open.note, open.isCold ? 1 : 0)
        let note = notes[open.note]
        let hasButtons =
          note.kind == .actions
          && !note.faults.intersects(CauseSet(.categoryMissing, .categoryNotRegistered))
        if hasButtons, random.chance(500_000) {
          emit(.action, open.at + 112_000, open.note, open.isCold ? 1 : 0)
        }
      }
      var first = next
      while next < shown.count, notes[shown[next]].shownAt < open.at { next += 1 }
      // The list of delivered notifications is short: older ones were cleared.
      first = max(first, next - 8)
      for at in first..<max(first, next) where shown[at] != open.note {
        recordPresented(shown[at], open.at)
      }
      if uploads.last.map({ open.at - $0 > microsecondsPerMinute }) ?? true {
        uploads.append(open.at + 3 * microsecondsPerSecond)
      }
    }
  }

  private func recordLaunch(_ at: Int64) {
    emit(.registered, at + 40_000)
    emit(.categories, at + 45_000, -1, phone.hasPartialCategories ? 1 : 0, random.between(60, 900))
  }

  private func recordPresented(_ index: Int, _ openedAt: Int64) {
    let note = notes[index]
    let doubled = note.candidates.contains(.duplicateLocalCopy)
    guard doubled || random.chance(750_000) else { return }
    if note.collapse == .topical, isReplaced(index, before: openedAt) { return }
    let at = openedAt + Int64(random.between(150, 400)) * 1000
    emit(.presented, at, index, 1, note.shownAttachments, 0, sound(note))
    if doubled {
      notes[index].faults.insert(.duplicateLocalCopy)
      emit(.presented, at + 1000, index, 1, 0, 1, 1)
    }
  }

  /// Whether a newer notification with the same collapse id has taken its place.
  func isReplaced(_ index: Int, before time: Int64) -> Bool {
    var other = index + 1
    while other < notes.count, notes[other].sentAt < time {
      if notes[other].collapse == .topical, notes[other].slot == notes[index].slot,
        notes[other].arrival >= 0, notes[other].arrival < time
      {
        return true
      }
      other += 1
    }
    return false
  }

  private func sortEvents() {
    events.sort { ($0.time, $0.created) < ($1.time, $1.created) }
    position.removeAll(keepingCapacity: true)
    position.append(contentsOf: repeatElement(0, count: events.count))
    for (at, event) in events.enumerated() { position[event.created] = at }
  }
}
