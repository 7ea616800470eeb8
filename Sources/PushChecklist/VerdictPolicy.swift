import PushModel

/// The only place where outcomes become a verdict.
///
/// Sightings settle the steps that they presuppose. The first broken step that no sighting settles
/// is the verdict; later ones stay in the walk. A broken step that a sighting settles is
/// conflicting evidence. With nothing broken, what was meant must be shown to have happened.
public enum VerdictPolicy {
  /// Decides over the results of a walk, and turns unknown steps that a sighting settles to `holds`.
  static func decide(
    _ chain: borrowing Chain, _ list: Checklist, _ seen: Sightings, _ walk: inout Walk
  ) {
    var verdict = Verdict()
    verdict.stage = seen.stage
    var firstBroken = -1
    var firstConflict = -1
    for place in walk.brokenPlaces {
      let step = list.judges[place].step
      if isSettled(step, walk.results[place].cause, seen) {
        walk.conflicts.insert(StepSet(step))
        if firstConflict < 0 { firstConflict = place }
      } else if firstBroken < 0 {
        firstBroken = place
      }
    }
    var unknown = Places()
    for place in walk.unknownPlaces {
      let step = list.judges[place].step
      // That the view ran does not settle over what it failed then.
      if seen.settled.contains(StepSet(step)),
        walk.results[place].candidates.0 != .contentExtFailed
      {
        walk.results[place] = StepResult(
          .holds, confidence: .certain, evidence: settling(step, seen))
      } else {
        unknown.insert(place)
      }
    }
    walk.unknownPlaces = unknown
    nameOnlyWhatIsMissing(chain, seen, &walk)
    if firstBroken >= 0 {
      blame(firstBroken, chain, list, seen, walk, &verdict)
    } else if firstConflict >= 0 {
      verdict.judgement = .conflicting
      verdict.step = list.judges[firstConflict].step
      verdict.cause = walk.results[firstConflict].cause
      verdict.confidence = .possible
    } else {
      judgeFulfilment(chain, list, seen, walk, &verdict)
    }
    walk.verdict = verdict
  }

  /// Takes what is here already out of what results ask for. A result that would then ask for nothing
  /// keeps what it asked for: a part of it is what is missing.
  private static func nameOnlyWhatIsMissing(
    _ chain: borrowing Chain, _ seen: Sightings, _ walk: inout Walk
  ) {
    let given = chain.given(seen)
    func strike(_ needs: inout Needs) {
      let missing = needs.subtracting(given)
      if !missing.isEmpty { needs = missing }
    }
    for place in walk.unknownPlaces { strike(&walk.results[place].needs) }
    for place in walk.brokenPlaces { strike(&walk.results[place].needs) }
  }

  /// Whether a sighting settles a broken step. Guessed links settle nothing that a record calls
  /// broken, and a visible banner says nothing about its sound, its level or who held it back.
  static func isSettled(_ step: StepID, _ cause: CauseID?, _ seen: Sightings) -> Bool {
    guard seen.settledExactly.contains(StepSet(step)) else { return false }
    switch cause {
    case .soundMissing, .provisionalAuth, .quietLevel, .interruptionEntitlement, .focusOrSummary,
      // The view ran: that is what these causes say, and what they complain about.
      .contentExtSlow, .contentExtSize, .contentExtAttachment, .contentExtFailed,
      .categoryClaimsPresentation, .contentExtInteraction, .defaultContentHidden,
      // A donation settles its step; a fault in what was donated is in that very record.
      .intentImage, .intentParticipants, .updatedContentModified,
      // Donating and updating work without the entitlement; the system then shows the app's icon.
      .communicationEntitlement:
      return false
    default: return true
    }
  }

  private static func settling(_ step: StepID, _ seen: Sightings) -> Evidence {
    let bit = StepSet(step)
    if seen.isAccepted, Settling.accepted.contains(bit) { return Evidence(.send, seen.acceptedBy) }
    if seen.received >= 0, Settling.received.contains(bit) {
      return Evidence(.event, seen.received)
    }
    if seen.extensionRan >= 0, Settling.extensionRan.contains(bit) {
      return Evidence(.event, seen.extensionRan)
    }
    if seen.handler >= 0, Settling.fulfilledWithDonation.contains(bit) {
      return Evidence(.event, seen.handler)
    }
    if seen.expanded >= 0, Settling.expanded.contains(bit) {
      return Evidence(.event, seen.expanded)
    }
    if seen.presented >= 0 { return Evidence(.event, seen.presented) }
    if seen.acted >= 0 { return Evidence(.event, seen.acted) }
    if seen.woken >= 0 { return Evidence(.event, seen.woken) }
    return .none
  }

  private static func blame(
    _ place: Int, _ chain: borrowing Chain, _ list: Checklist, _ seen: Sightings,
    _ walk: borrowing Walk,
    _ verdict: inout Verdict
  ) {
    let result = walk.results[place]
    verdict.step = list.judges[place].step
    guard let cause = result.cause else {
      // It is known where it broke, and not why: what the steps before it lack would tell.
      verdict.judgement = .cannotTell
      verdict.needs = cheapest(needs(before: place, walk).union(result.needs))
      return
    }
    if isDoubtful(place, chain, list, seen, walk) {
      verdict.judgement = .cannotTell
      verdict.needs = cheapest(needs(before: place, walk).union(Needs(.eventsSequence)))
      return
    }
    verdict.judgement = .broken
    verdict.cause = cause
    verdict.confidence = result.confidence
    let relied = list.judges[place].matters.intersection(chain.meaning)
    let isGuessed =
      chain.meaningSource == .guess || relied.subtracting(seen.guessed).isEmpty
    // What a phone would have done with it is as sure as that it came.
    let isBehindPath =
      (list.kind == .richAlert || list.kind == .background)
      && verdict.step.map {
        $0.ordinal > StepID.pathToDevice.ordinal
      } ?? false
    if isGuessed || restsOnGuess(result, chain)
      || (isBehindPath && seen.received < 0 && chain.scrap == nil)
    {
      verdict.confidence = min(verdict.confidence, .likely)
    }
  }

  /// Whether an earlier break is known to be there, or may be hidden.
  ///
  /// The run is known to have failed when its result lacks what was meant; then nothing after it is
  /// the first break. It may be hidden when records of the run are missing from the counter and a
  /// step of the run before this one is unknown.
  private static func isDoubtful(
    _ place: Int, _ chain: borrowing Chain, _ list: Checklist, _ seen: Sightings,
    _ walk: borrowing Walk
  ) -> Bool {
    let step = list.judges[place].step.ordinal
    // A token that was replaced at about that time: what the phone would do with it is open.
    if seen.received < 0, case .known = chain.installation.laterTokenAt,
      step > StepID.pathToDevice.ordinal
    {
      return true
    }
    guard list.kind == .richAlert, step > StepID.didReceive.ordinal else { return false }
    if step > StepID.handlerTiming.ordinal {
      if runFailed(chain, seen) { return true }
      if complainsOfContent(chain),
        endOfRunIsOpen(chain, seen) || donationIsOpen(chain, seen, walk)
      {
        return true
      }
    }
    guard seen.mayHideRecords else { return false }
    switch walk.results[place].cause {
    // A file was there to be refused for its place or its size, and the second call carries what the
    // first one lacked: the run came that far.
    case .attachmentUrlInvalid, .attachmentTooLarge, .contentHandlerTwice: return false
    default: break
    }
    for earlier in walk.unknownPlaces.before(place)
    where list.judges[earlier].step.ordinal > StepID.didReceive.ordinal {
      return true
    }
    return false
  }

  /// Whether what the extension makes is missed; a case file's symptom may be of another thing, which
  /// its run has no part in.
  private static func complainsOfContent(_ chain: borrowing Chain) -> Bool {
    guard let symptom = chain.scrap?.facts.symptom else { return true }
    return !symptom.meaning.isDisjoint(with: .needsExtension)
  }

  /// Whether a record shows that the extension's run ended without what was meant.
  private static func runFailed(_ chain: borrowing Chain, _ seen: Sightings) -> Bool {
    let meant = chain.meaning.subtracting(seen.guessed).intersection(.needsExtension)
    guard !meant.isEmpty, !seen.handlerFulfils, chain.meaningSource != .guess else { return false }
    if seen.handler >= 0 {
      if chain.boolean(.fallback, of: seen.handler) == true || !isInTime(chain, seen.handler) {
        return true
      }
      return meant.contains(.media) && chain.integer(.attachments, of: seen.handler) == 0
    }
    return meant.contains(.media) && seen.presented >= 0
      && chain.integer(.attachments, of: seen.presented) == 0
  }

  /// Whether the run, which was needed, may never have begun, or have ended without its handler: no
  /// record of it at all, or the app in front was asked only when the time was up. iOS shows a
  /// notification as soon as the handler is called (F4.20).
  private static func endOfRunIsOpen(_ chain: borrowing Chain, _ seen: Sightings) -> Bool {
    let meant = chain.meaning.subtracting(seen.guessed).intersection(.needsExtension)
    guard !meant.isEmpty, seen.handler < 0 else { return false }
    // What was shown with a picture has it from a run that ended in time (F5.9, F4.20).
    if seen.presented >= 0,
      let shown = chain.integer(.attachments, of: seen.presented), shown > 0
    {
      return false
    }
    guard seen.extensionRan >= 0 else { return true }
    guard chain.events[seen.extensionRan].name == .nseDidReceive,
      case .known(let beganAt) = chain.events[seen.extensionRan].recordedAt,
      let asked = chain.firstEvent(.appWillPresent),
      case .known(let askedAt) = chain.events[asked].recordedAt
    else { return false }
    return askedAt - beganAt >= 25 * second
  }

  /// Whether a message was donated and nothing shows that the content was updated from it and handed
  /// over: the sender's picture may be missing already (F6.3).
  private static func donationIsOpen(
    _ chain: borrowing Chain, _ seen: Sightings, _ walk: borrowing Walk
  ) -> Bool {
    chain.meaning.subtracting(seen.guessed).contains(.communication)
      && seen.handler < 0 && seen.holds(.intentDonated) && !seen.holds(.nseContentUpdated)
      && walk[.communicationIntent]?.outcome == .unknown
  }

  private static func restsOnGuess(_ result: StepResult, _ chain: borrowing Chain) -> Bool {
    isGuess(result.evidence.0, chain) || isGuess(result.evidence.1, chain)
      || isGuess(result.evidence.2, chain)
  }

  private static func isGuess(_ evidence: Evidence, _ chain: borrowing Chain) -> Bool {
    evidence.kind == .event && chain.events[Int(evidence.place)].link.isGuess
  }

  private static func judgeFulfilment(
    _ chain: borrowing Chain, _ list: Checklist, _ seen: Sightings, _ walk: borrowing Walk,
    _ verdict: inout Verdict
  ) {
    if chain.kind == .handoff || chain.kind == .response {
      judgeLastStep(list, walk, &verdict)
      return
    }
    let open = unfulfilled(chain, list, seen, walk)
    // A send that a newer one with its collapse id replaced is as meant, and marked as replaced.
    let isReplaced = seen.isAccepted && chain.installation.replacedAt.value != nil
    if open.isEmpty || isReplaced {
      verdict.judgement = .asMeant
      verdict.confidence =
        seen.stage > .accepted ? .certain : (isReplaced ? .likely : .possible)
      return
    }
    verdict.judgement = .cannotTell
    verdict.step = stepBehindWhichSightWasLost(list, seen, walk, open)
    verdict.needs = cheapest(needsAfterSight(list, seen, walk, open))
    if verdict.needs.isEmpty { verdict.needs = Needs(.log) }
  }

  /// A hand-off and a response are as meant when their record of success is there: the app drained
  /// the job, or acted on the answer. Else sight was lost behind the last step that holds.
  private static func judgeLastStep(
    _ list: Checklist, _ walk: borrowing Walk, _ verdict: inout Verdict
  ) {
    let decisive: StepID = list.kind == .handoff ? .mailboxDrained : .responseHandled
    if holds(decisive, list, walk) {
      verdict.judgement = .asMeant
      verdict.confidence = .certain
      return
    }
    verdict.judgement = .cannotTell
    for place in walk.results.indices {
      let result = walk.results[place]
      if result.outcome == .unknown, result.candidates.0 != nil {
        verdict.step = list.judges[place].step
        verdict.needs = cheapest(result.needs)
        return
      }
    }
    var lastHeld = -1
    for place in walk.results.indices where walk.results[place].outcome == .holds {
      lastHeld = place
    }
    if lastHeld >= 0 { verdict.step = list.judges[lastHeld].step }
    // What comes next would tell; where nothing holds, whatever the steps lack.
    for place in walk.results.indices where place > lastHeld {
      if walk.results[place].outcome == .unknown {
        verdict.needs.formUnion(walk.results[place].needs)
        if lastHeld >= 0 { break }
      }
    }
    verdict.needs = cheapest(verdict.needs)
    if verdict.needs.isEmpty { verdict.needs = Needs(.log) }
  }

  /// The parts of the meaning that are not shown to have happened; guesses need no showing.
  private static func unfulfilled(
    _ chain: borrowing Chain, _ list: Checklist, _ seen: Sightings, _ walk: borrowing Walk
  ) -> Meaning {
    var open = chain.meaning.subtracting(seen.guessed)
    if chain.meaningSource == .guess { open = [] }
    let isUnderway = seen.isAccepted || seen.received >= 0
    guard isUnderway else { return open.isEmpty ? .plain : open }
    // Of the other types of push only the request is judged; what the app does then is not.
    if list.kind == .requestOnly { return [] }
    open.subtract([.plain])
    if seen.handlerFulfils {
      open.subtract([.modified, .media])
      if seen.settled.contains(StepSet(.communicationIntent)) { open.subtract(.communication) }
    }
    if holds(.category, list, walk) { open.subtract([.actions, .customView]) }
    if chain.eventCount(.appAction) > 0 || chain.eventCount(.appReplied) > 0 {
      open.subtract(.actions)
    }
    if seen.holds(.contentExtDidReceive) { open.subtract(.customView) }
    if case .known = seen.payload.sound { open.subtract(.sound) }
    if seen.woken >= 0 { open.subtract(.silent) }
    if seen.holds(.liveActivityUpdated) || seen.holds(.liveActivityStarted) {
      open.subtract(.liveActivity)
    }
    if seen.holds(.callReported) { open.subtract(.call) }
    return open
  }

  private static func holds(_ step: StepID, _ list: Checklist, _ walk: borrowing Walk) -> Bool {
    for place in walk.results.indices where list.judges[place].step == step {
      return walk.results[place].outcome == .holds
    }
    return false
  }

  /// The first step whose evidence fits causes that it cannot choose from; else the last step that
  /// the furthest sighting shows to be passed.
  private static func stepBehindWhichSightWasLost(
    _ list: Checklist, _ seen: Sightings, _ walk: borrowing Walk, _ open: Meaning
  ) -> StepID? {
    for place in walk.unknownPlaces {
      if walk.results[place].candidates.0 != nil { return list.judges[place].step }
    }
    switch seen.stage {
    case .none, .sent: return nil
    case .accepted: return .apnsAccepted
    case .received: return .pathToDevice
    case .extensionRan, .modified:
      return open.isDisjoint(with: .needsExtension) ? .pathToDevice : .didReceive
    case .presented, .expanded, .acted: return .pathToDevice
    case .woken: return .appWakeable
    case .handled: return .backgroundHandled
    }
  }

  /// What would decide: the needs of the first step that has candidates, else of the step that
  /// would show the open part of the meaning, else of all unknown steps that it depends on.
  private static func needsAfterSight(
    _ list: Checklist, _ seen: Sightings, _ walk: borrowing Walk, _ open: Meaning
  ) -> Needs {
    var needs: Needs = []
    for place in walk.unknownPlaces {
      if walk.results[place].candidates.0 != nil { return walk.results[place].needs }
    }
    let deciding = decidingStep(seen, open)
    for place in walk.unknownPlaces {
      if list.judges[place].step == deciding { return walk.results[place].needs }
      if !list.judges[place].matters.isDisjoint(with: open) {
        needs.formUnion(walk.results[place].needs)
      }
    }
    return needs
  }

  /// The step whose evidence would show that what was meant happened.
  private static func decidingStep(_ seen: Sightings, _ open: Meaning) -> StepID {
    if !seen.isAccepted, seen.received < 0 { return .apnsAccepted }
    if !open.isDisjoint(with: .needsExtension) {
      if seen.extensionRan < 0 { return .didReceive }
      return seen.handlerFulfils ? .communicationIntent : .handlerTiming
    }
    if open.contains(.silent) { return .appWakeable }
    if !open.isDisjoint(with: [.actions, .customView]) { return .category }
    if open.contains(.liveActivity) { return .laState }
    return open.contains(.call) ? .callReported : .visibleAlert
  }

  private static func needs(before place: Int, _ walk: borrowing Walk) -> Needs {
    var needs: Needs = []
    for earlier in walk.unknownPlaces.before(place) {
      if walk.results[earlier].candidates.0 != nil { return walk.results[earlier].needs }
      needs.formUnion(walk.results[earlier].needs)
    }
    return needs
  }

  /// The three cheapest: those that decide soonest.
  static func cheapest(_ needs: Needs) -> Needs {
    var left = needs.rawValue
    var kept: UInt64 = 0
    for _ in 0..<3 where left != 0 {
      let lowest = left & (~left &+ 1)
      kept |= lowest
      left &= ~lowest
    }
    return Needs(rawValue: kept)
  }
}
