import PushModel

extension ChecklistStep {
  /// Asks whether it could reach the phone.
  static let pathToDevice = ChecklistStep(
    id: .pathToDevice,
    title: "It could reach the phone",
    question: """
      Could it reach the device: online before expiration, not overwritten, not blocked on the way?
      """,
    decidedBy: """
      By the expiration, other sends to the same app and phone, and the time when the phone was next \
      heard of. That it did not arrive is said only where a log without gaps would have to have it.
      """,
    facts: ["F1.14", "F1.19", "F1.64", "F1.7", "F2.0", "F4.60"],
    needs: [.sendHeaders, .deviceNetwork, .eventsSequence],
    outcomes: [
      OutcomeText(
        .holds, "The phone received it, or a newer one with its collapse id replaced it."),
      OutcomeText(.broken, "It was dropped before the phone came back."),
      OutcomeText(.unknown, "No record of its arrival, and no log that would have to have one."),
      OutcomeText(.notApplicable, "APNs refused it, so nothing was on the way."),
    ],
    causes: [
      Cause(
        .expiredWhileOffline,
        meaning: """
          The phone was off or without network when it was sent, and came back only after the time \
          that the sender gave it. APNs drops it then without telling anybody.
          """,
        toldApartBy: """
          200; an expiration of 0, or earlier than the phone's next sign of life; a log without gaps \
          that has nothing of it; another one that arrived late, when the phone was back. Without a \
          header APNs stores it up to 30 days.
          """,
        repair: "Give `apns-expiration` a moment that fits how long the news is good for.",
        facts: ["F1.14", "F1.64"]),
      Cause(
        .overwrittenInStorage,
        meaning: """
          The phone was off, and a later notification to the same app took its place: APNs stores \
          only one for each app and phone.
          """,
        toldApartBy: """
          200; another send to the same app and phone before the phone's next sign of life; a log \
          without gaps that has nothing of this one, and has the late arrival of one that was kept.
          """,
        repair: """
          Do not rely on every single one: let the app fetch what it missed when it is opened.
          """,
        facts: ["F1.19"]),
      Cause(
        .networkBlocked,
        meaning: "A filter, VPN or firewall keeps the phone from Apple's push servers.",
        toldApartBy: """
          On this network nothing arrives; with the filter off or on another network it does.
          """,
        repair: "Allow TCP 5223 and 443 to Apple's networks.",
        facts: ["F1.7"]),
      Cause(
        .simulatorTargetBundle,
        meaning: "A simulated push names no app, or another one.",
        toldApartBy: """
          A `.apns` file without `Simulator Target Bundle`, and no bundle id given to `simctl`.
          """,
        repair: "Name the app in the file or in the command.",
        facts: ["F4.60"]),
      Cause(
        .appleOutage,
        meaning: "Apple's side fails for everybody.",
        toldApartBy: """
          Unrelated senders of one environment lose notifications in one window; nothing changed \
          here.
          """,
        repair: "Wait, watch Apple's system status, send again.",
        facts: ["F2.0", "F1.64"]),
    ],
    nextAction: "Compare expiration and the phone's next sign of life.",
    knownLimits: """
      A phone that is silent is not known to be off; a later notification that waited for it shows \
      that. So this is `likely` at most, and only for notifications that leave a record.
      """,
    examples: [
      Example("the extension recorded it", .holds),
      Example("nothing heard of the phone", .unknown) { $0.forgetDevice() },
      Example("refused", .notApplicable, from: .plain) { $0.refuse(400, .badDeviceToken) },
      Example("replaced by a newer one with its collapse id", .holds, from: .plain) {
        $0.chain.installation.replacedAt = .known(ExampleChain.sentAt + 600 * second)
      },
      Example(
        "replaced by a newer one a day after the phone was back", .broken, .overwrittenInStorage,
        inDocs: false
      ) {
        $0.stayOffline(until: 3600)
        $0.chain.traffic.nextAcceptedAt = .known(ExampleChain.sentAt + 1200 * second)
        $0.chain.installation.replacedAt = .known(ExampleChain.sentAt + 80_000 * second)
      },
      Example(
        "replaced by a newer one before the phone was back", .holds,
        nearMiss: .overwrittenInStorage, inDocs: false
      ) {
        $0.stayOffline(until: 3600)
        $0.chain.traffic.nextAcceptedAt = .known(ExampleChain.sentAt + 1200 * second)
        $0.chain.installation.replacedAt = .known(ExampleChain.sentAt + 1200 * second)
      },
      Example("ten minutes to live, an hour offline", .broken, .expiredWhileOffline) {
        $0.stayOffline(until: 3600)
        $0.send.expiration = .known(.number(ExampleChain.sentAt / second + 600))
      },
      Example("silent for an hour, and nothing shows that it was off", .unknown, inDocs: false) {
        $0.stayOffline(until: 3600)
        $0.send.expiration = .known(.number(ExampleChain.sentAt / second + 600))
        $0.chain.traffic.storedArrivalAt = .unknown
      },
      Example(
        "the token was replaced soon after", .unknown, nearMiss: .expiredWhileOffline,
        inDocs: false
      ) {
        $0.stayOffline(until: 3600)
        $0.send.expiration = .known(.number(ExampleChain.sentAt / second + 600))
        $0.chain.installation.laterTokenAt = .known(ExampleChain.sentAt + 3600 * second)
      },
      Example("two hours to live, an hour offline", .unknown, nearMiss: .expiredWhileOffline) {
        $0.stayOffline(until: 3600)
        $0.send.expiration = .known(.number(ExampleChain.sentAt / second + 7200))
      },
      Example("the same without coverage", .unknown, inDocs: false) {
        $0.stayOffline(until: 3600)
        $0.send.expiration = .known(.number(ExampleChain.sentAt / second + 600))
        $0.chain.coverage.isGapless = false
      },
      Example("offline, and a later send took the place", .broken, .overwrittenInStorage) {
        $0.stayOffline(until: 3600)
        $0.chain.traffic.nextAcceptedAt = .known(ExampleChain.sentAt + 1200 * second)
      },
      Example(
        "the later send came after the return", .unknown, nearMiss: .overwrittenInStorage
      ) {
        $0.stayOffline(until: 3600)
        $0.chain.traffic.nextAcceptedAt = .known(ExampleChain.sentAt + 4000 * second)
      },
      Example("without the filter it arrives", .broken, .networkBlocked, from: .plain) {
        $0.complain(.nothingArrived)
        $0.know("device.vpn_or_filter", .text("a filter"))
        $0.compare([("device.vpn_or_filter", .null)], "arrived", true)
      },
      Example("without the filter it does not arrive either", .unknown, nearMiss: .networkBlocked) {
        $0.forgetDevice()
        $0.complain(.nothingArrived)
        $0.know("device.vpn_or_filter", .text("a filter"))
        $0.compare([("device.vpn_or_filter", .null)], "arrived", false)
      },
      Example("a simulated push that names no app", .broken, .simulatorTargetBundle, from: .empty) {
        $0.simulate(target: .null)
      },
      Example(
        "a simulated push that names the app", .unknown, nearMiss: .simulatorTargetBundle,
        from: .empty
      ) {
        $0.simulate(target: .text(ExampleChain.bundle))
      },
      Example("apps of others lose theirs too", .broken, .appleOutage, from: .plain) {
        $0.forgetAnswer()
        $0.complain(.nothingArrived)
        $0.compare([("send.credential.topics", .text("apps of others"))], "arrived", false)
      },
      Example("apps of others get theirs", .unknown, nearMiss: .appleOutage, from: .plain) {
        $0.forgetAnswer()
        $0.complain(.nothingArrived)
        $0.compare([("send.credential.topics", .text("apps of others"))], "arrived", true)
      },
    ],
    explain: { _, result, _ in
      switch result.cause {
      case .expiredWhileOffline:
        "It expired before the phone was heard of again, and a log without gaps has nothing of it."
      case .overwrittenInStorage:
        "A later send to the same app took its place before the phone was heard of again."
      default:
        result.plainSentence(
          holds: result.value == 1
            ? "A newer one with its collapse id replaced it." : "The phone received it.",
          unknown: "No record shows that the phone received it.")
      }
    })
}

func judgePath(_ chain: Chain, _ seen: Sightings) -> StepResult {
  if seen.received >= 0 { return StepResult(.holds, evidence: Evidence(.event, seen.received)) }
  if chain.isRefused(seen), !seen.isAccepted { return .notApplicable }
  if case .known(let replacedAt) = chain.installation.replacedAt, seen.isAccepted {
    // One that came when the phone had long been back does not say why this one had not arrived.
    if case .known(let onlineAt) = chain.installation.onlineAgainAt, onlineAt < replacedAt {
      let own = judgeSilence(chain, seen)
      if own.outcome == .broken { return own }
    }
    return StepResult(.holds, evidence: Evidence(.replacement), value: 1)
  }
  return judgeSilence(chain, seen)
}

/// What silence of the phone shows.
private func judgeSilence(_ chain: Chain, _ seen: Sightings) -> StepResult {
  let needs: Needs = [Needs(.deviceNetwork), Needs(.eventsSequence), Needs(.log)]
  guard seen.isAccepted, case .known(let sentAt) = chain.sends[seen.acceptedBy].sentAt,
    case .known(let onlineAt) = chain.installation.onlineAgainAt
  else { return StepResult(.unknown, needs: needs) }
  let evidence = Evidence(.send, seen.acceptedBy)
  // A phone that is heard of within a minute was not off.
  guard seen.isSilentUnderCoverage, onlineAt - sentAt > 60 * second, wouldRecord(chain, seen) else {
    return StepResult(.unknown, needs: needs)
  }
  let expiresAt = expiry(of: chain.sends[seen.acceptedBy], sentAt)
  let isExpired = expiresAt.map { $0 <= onlineAt } ?? false
  var nextAt: Int64?
  if case .known(let next) = chain.traffic.nextAcceptedAt, next > sentAt, next <= onlineAt {
    nextAt = next
  }
  guard isExpired || nextAt != nil else { return StepResult(.unknown, needs: needs) }
  // That APNs drops what has expired is certain; which of several it keeps is not (F1.14, F1.19).
  let cause: CauseID = isExpired ? .expiredWhileOffline : .overwrittenInStorage
  // A token that was replaced about then may have been the old one already.
  if case .known = chain.installation.laterTokenAt {
    return StepResult(
      .unknown, evidence: evidence, Evidence(.newerToken), needs: Needs(.deviceTokens),
      candidates: (.staleToken200, cause))
  }
  // With alerts switched off the extension does not run either (F4.2).
  if chain.kind == .richAlert,
    chain.installation.authorization.value.map({ $0 == .denied }) == true
      || chain.installation.alerts == .known(false)
  {
    return StepResult(
      .unknown, evidence: evidence, needs: [Needs(.deviceSettings), Needs(.deviceNetwork)],
      candidates: (.notificationsDenied, cause))
  }
  // Neither is the app woken that may not be (F8.1, F8.7).
  if chain.kind == .background,
    chain.release.remoteNotificationMode == .known(false)
      || chain.installation.backgroundRefresh == .known(false)
  {
    return StepResult(
      .unknown, evidence: evidence, needs: [Needs(.deviceSettings), Needs(.deviceNetwork)],
      candidates: (.backgroundModeMissing, cause))
  }
  // Silence alone does not show that the phone was off: its extension may have died before its first
  // record. Another one that waited for the phone's return does.
  guard case .known = chain.traffic.storedArrivalAt else {
    return StepResult(.unknown, evidence: evidence, needs: needs, candidates: (cause, nil))
  }
  return StepResult(
    .broken, cause: cause, confidence: .likely, evidence: evidence,
    Evidence(isExpired ? .storedArrival : .nextSend), Evidence(.coverage))
}

/// Whether the phone would have recorded its arrival: the extension runs, or the app is woken.
private func wouldRecord(_ chain: Chain, _ seen: Sightings) -> Bool {
  if chain.kind == .background { return true }
  return seen.payload.mutableContent.isOn == true && seen.payload.alert.isVisible == true
}

private func expiry(of send: Send, _ sentAt: Int64) -> Int64? {
  guard case .known(.number(let seconds)) = send.expiration, seconds >= 0,
    seconds < 100_000_000_000
  else { return nil }
  return seconds == 0 ? sentAt : seconds * second
}

extension ExampleChain {
  /// Nothing of this notification is in a log without gaps; the phone is heard of again after some
  /// seconds, and a later notification came then.
  mutating func stayOffline(until seconds: Int64) {
    events = []
    chain.received = Payload()
    chain.installation.onlineAgainAt = .known(ExampleChain.sentAt + seconds * second)
    chain.installation.replacedAt = .missing
    chain.traffic.nextAcceptedAt = .missing
    chain.traffic.storedArrivalAt = .known(ExampleChain.sentAt + (seconds + 5) * second)
  }
}

extension ExampleChain {
  /// A push that was given to a simulator by hand, with the app that it names.
  mutating func simulate(target: CaseValue) {
    mean(.plain)
    complain(.nothingArrived)
    know("app.bundle_id", .text(ExampleChain.bundle))
    let aps = CaseValue.object([CaseValue.Member("alert", .text("text"))])
    know(
      "payload",
      .object([
        CaseValue.Member("aps", aps), CaseValue.Member("Simulator Target Bundle", target),
      ]))
  }
}
