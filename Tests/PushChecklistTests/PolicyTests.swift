import PushModel
import Testing

@testable import PushChecklist

/// One row of the policy's table with its own example.
struct PolicyExample: Sendable, CustomTestStringConvertible {
  let title: String
  let judgement: Judgement
  let step: StepID?
  let cause: CauseID?
  let stage: Stage
  let start: ExampleChain.Start
  let change: @Sendable (inout ExampleChain) -> Void

  init(
    _ title: String, _ judgement: Judgement, _ step: StepID? = nil, _ cause: CauseID? = nil,
    stage: Stage, from start: ExampleChain.Start = .media,
    _ change: @escaping @Sendable (inout ExampleChain) -> Void = { _ in }
  ) {
    self.title = title
    self.judgement = judgement
    self.step = step
    self.cause = cause
    self.stage = stage
    self.start = start
    self.change = change
  }

  var testDescription: String { title }

  func walk() -> Walk {
    var example = ExampleChain(start)
    change(&example)
    return Checklist.walk(example.build().chain)
  }

  static let all: [PolicyExample] = [
    PolicyExample("plain, accepted", .asMeant, stage: .accepted, from: .plain),
    PolicyExample("plain, no answer known", .cannotTell, stage: .sent, from: .plain) {
      $0.forgetAnswer()
    },
    PolicyExample("nothing at all", .cannotTell, stage: .none, from: .empty) {
      $0.mean(.plain, .none)
    },
    PolicyExample("a gateway's 200 is not APNs'", .cannotTell, stage: .sent, from: .plain) {
      $0.send.provider = .known(Symbol(.sns))
    },
    PolicyExample("a picture, handed over in time", .asMeant, stage: .modified),
    PolicyExample(
      "a picture, and no log of the phone", .cannotTell, .apnsAccepted, stage: .accepted
    ) {
      $0.forgetDevice()
    },
    PolicyExample(
      "a person's message, donated and applied", .asMeant, stage: .modified, from: .communication),
    PolicyExample("silent, woken and done", .asMeant, stage: .handled, from: .silent),
    PolicyExample("a call, reported", .asMeant, stage: .received, from: .call),
    PolicyExample("an activity, updated", .asMeant, stage: .presented, from: .liveActivity),
    PolicyExample("buttons, registered", .asMeant, stage: .accepted, from: .actions),
    PolicyExample("a view, expanded", .asMeant, stage: .expanded, from: .customView),
    PolicyExample(
      "refused", .broken, .tokenCurrent, .tokenUnregistered, stage: .sent, from: .plain
    ) {
      $0.refuse(410, .unregistered)
    },
    PolicyExample(
      "refused, and yet seen on the phone", .conflicting, .topic, .topicMissing, stage: .modified
    ) {
      $0.send.status = .known(400)
      $0.send.reason = .known(Symbol(.missingTopic))
    },
    PolicyExample(
      "the flag is off, and yet the extension ran", .conflicting, .mutableContent,
      .mutableContentOff, stage: .modified
    ) {
      $0.payload.mutableContent = .absent
      $0.chain.received.mutableContent = .on
    },
    PolicyExample(
      "alerts off, and yet presented", .conflicting, .notificationSettings, .notificationsDenied,
      stage: .presented, from: .plain
    ) {
      $0.chain.installation.alerts = .known(false)
      $0.add(.appPresented, at: 600_000, [(.trigger, .word(.push))])
    },
    PolicyExample(
      "a guessed link settles nothing", .broken, .notificationSettings, .notificationsDenied,
      stage: .presented, from: .plain
    ) {
      $0.chain.installation.alerts = .known(false)
      $0.add(.appPresented, at: 600_000, [(.trigger, .word(.push))])
      $0.events[0].link = .timeGuess
    },
    PolicyExample(
      "a plain banner after a broken download is no conflict", .broken, .mediaDownload,
      .mediaHttpStatus, stage: .acted
    ) {
      $0.answerMedia(404, .textPlain)
      $0.add(.appPresented, at: 600_000, [(.trigger, .word(.push)), (.attachments, .int(0))])
      $0.add(.appOpened, at: 601_000)
    },
    PolicyExample(
      "it did not run, and nothing says why", .cannotTell, .didReceive, stage: .acted
    ) {
      $0.showPlainWithoutRun()
    },
    PolicyExample(
      "the run failed for an unknown reason, so what follows is not the first break", .cannotTell,
      .presentation, stage: .presented
    ) {
      $0.answerMedia(404, .textPlain)
      $0.lose(.nseDownloadFinished)
      $0.add(.appPresented, at: 600_000, [(.trigger, .word(.push)), (.attachments, .int(0))])
      $0.add(.appPresented, at: 600_001, [(.trigger, .word(.local)), (.attachments, .int(0))])
    },
    PolicyExample(
      "donated, the rest of the run is lost, and the app in front kept it back", .cannotTell,
      .presentation, stage: .extensionRan, from: .communication
    ) {
      $0.lose(.nseContentUpdated)
      $0.lose(.nseHandlerCalled)
      $0.add(.appWillPresent, at: 1200, [(.options, .emptyArray), (.state, .word(.foreground))])
    },
    PolicyExample(
      "the update was recorded, the handler's call is lost, and the app in front kept it back",
      .broken, .presentation, .foregroundDelegate, stage: .extensionRan, from: .communication
    ) {
      $0.lose(.nseHandlerCalled)
      $0.add(.appWillPresent, at: 1200, [(.options, .emptyArray), (.state, .word(.foreground))])
    },
    PolicyExample("replaced by a newer one", .asMeant, stage: .accepted) {
      $0.forgetDevice()
      $0.chain.installation.replacedAt = .known(ExampleChain.sentAt + 60 * second)
    },
    PolicyExample(
      "two candidates", .cannotTell, .handlerTiming, stage: .extensionRan
    ) {
      $0.drop(.nseHandlerCalled, .nseAttachmentCreated)
    },
    PolicyExample(
      "the last answer counts", .broken, .tokenCurrent, .tokenUnregistered, stage: .sent,
      from: .plain
    ) {
      var first = $0.send
      first.status = .known(503)
      first.reason = .known(Symbol(.serviceUnavailable))
      $0.chain.sends.insert(first, at: 0)
      $0.refuse(410, .unregistered)
    },
  ]
}

@Suite struct PolicyTests {
  @Test("every row of the policy has an example", arguments: PolicyExample.all)
  func row(_ example: PolicyExample) {
    let verdict = example.walk().verdict
    #expect(verdict.judgement == example.judgement)
    #expect(verdict.cause == example.cause)
    if let step = example.step { #expect(verdict.step == step) }
    #expect(verdict.stage == example.stage)
    if verdict.judgement == .cannotTell {
      #expect(!verdict.needs.isEmpty)
      #expect(verdict.needs.all.count <= 3)
    } else {
      #expect(verdict.needs.isEmpty)
    }
  }

  @Test("a response is judged where its notification is as meant, and only a fault shows")
  func responses() {
    func judged(_ change: (inout ExampleChain) -> Void) -> (kind: ChainKind, walk: Walk) {
      var example = ExampleChain(.actions)
      example.chain.coverage.clockError = second
      change(&example)
      var chain = example.build().chain
      var walk = Walk()
      Checklist.judge(&chain, into: &walk)
      #expect(walk.kind == chain.kind)
      #expect(chain.kind == .response || chain.meaning == .actions)
      return (chain.kind, walk)
    }
    let done = judged { $0.add(.appAction, at: 60_000, [(.completed, .bool(true))]) }
    #expect(done.kind == .richAlert && done.walk.verdict.judgement == .asMeant)
    let silent = judged { $0.add(.appAction, at: 60_000) }
    #expect(silent.kind == .richAlert && silent.walk.verdict.judgement == .asMeant)
    let failed = judged { $0.add(.appAction, at: 60_000, [(.completed, .bool(false))]) }
    #expect(failed.kind == .response && failed.walk.verdict.cause == .responseNotPassedOn)
    #expect(failed.walk.verdict.stage == .acted)
    let refused = judged {
      $0.add(.appAction, at: 60_000, [(.completed, .bool(false))])
      $0.chain.installation.alerts = .known(false)
    }
    // Conflicting evidence about the notification comes first.
    #expect(refused.kind == .richAlert && refused.walk.verdict.judgement == .conflicting)
  }

  @Test("what is missing is named by what would show it")
  func needsDecide() {
    var example = ExampleChain(.media)
    example.forgetDevice()
    let without = Checklist.walk(example.build().chain).verdict
    #expect(without.needs == [Needs(.eventsExtension), Needs(.eventsSequence), Needs(.log)])
    example.forgetAnswer()
    #expect(Checklist.walk(example.build().chain).verdict.needs == Needs(.sendResponse))
    var bad = ExampleChain(.plain)
    bad.refuse(400, .badDeviceToken)
    bad.chain.installation.apsEnvironment = .unknown
    let unnamed = Checklist.walk(bad.build().chain).verdict
    #expect(unnamed.judgement == .cannotTell)
    #expect(
      unnamed.needs.all.contains(.sendEnvironment) || unnamed.needs.all.contains(.appEntitlements))
  }

  @Test("a sighting settles what the table says, and nothing else")
  func settlingTable() {
    typealias Row = (StepSet, [StepID])
    let accepted: [StepID] = [
      .providerAuth, .tokenShape, .tokenEnvironment, .topic, .requestShape, .apnsAccepted,
    ]
    let received = accepted + [.registration, .tokenCurrent, .pathToDevice]
    let presented = received + [.visibleAlert, .notificationSettings]
    let ran =
      presented + [
        .mutableContent, .extensionEmbedded, .extensionPoint, .extensionMinimumOs,
        .extensionLoads, .didReceive,
      ]
    let fulfilled =
      ran + [
        .extensionRouting, .sharedStorage, .mediaDownload, .mediaFile, .extensionMemory,
        .handlerTiming,
      ]
    let rows: [Row] = [
      (Settling.accepted, accepted), (Settling.received, received),
      (Settling.presented, presented), (Settling.extensionRan, ran),
      (Settling.fulfilled, fulfilled),
      (Settling.fulfilledWithDonation, fulfilled + [.communicationIntent]),
      (Settling.expanded, presented + [.category, .contentExtension]),
    ]
    for (settled, steps) in rows { #expect(Set(settled.steps) == Set(steps)) }
  }

  @Test("what was only guessed to be meant makes a verdict likely at most")
  func guessesCapConfidence() {
    var example = ExampleChain(.media)
    example.answerMedia(404, .textPlain)
    #expect(Checklist.walk(example.build().chain).verdict.confidence == .certain)
    example.chain.meaningSource = .guess
    #expect(Checklist.walk(example.build().chain).verdict.confidence == .likely)
  }

  @Test("a verdict that rests on a guessed link is likely at most")
  func guessedLinksCapConfidence() {
    var example = ExampleChain(.media)
    example.answerMedia(404, .textPlain)
    for place in example.events.indices { example.events[place].link = .timeGuess }
    let verdict = Checklist.walk(example.build().chain).verdict
    #expect(verdict.judgement == .broken && verdict.confidence == .likely)
  }

  @Test("the lists of steps keep the order of the path, and match the files")
  func listsKeepTheOrder() {
    for list in Checklist.all {
      let ordinals = list.steps.map(\.id.ordinal)
      // The background chain asks for its payload before the path; every other list is in order.
      if list.kind != .background { #expect(ordinals == ordinals.sorted(), "\(list.kind)") }
      for step in list.steps {
        #expect(step.examples.allSatisfy { $0.fileID.hasPrefix("PushChecklist/") })
      }
    }
    #expect(Checklist.rich.steps.count == 30)
    #expect(Checklist.rich.steps.map(\.id) == Array(StepID.allCases.prefix(30)))
    let files = Checklist.allSteps.map { $0.examples.first?.fileID ?? "" }
    #expect(Set(files).count == Checklist.allSteps.count, "one file, one step")
  }

  @Test("unknown meaning gives plain, the flag gives modified, a media key gives media")
  func meaningDerivation() {
    let release = Release()
    var payload = Payload()
    #expect(MeaningRule.derive(from: payload, release: release, stated: nil) == (.plain, .none))
    payload.alert = .visible
    payload.mutableContent = .on
    #expect(
      MeaningRule.derive(from: payload, release: release, stated: nil) == (.modified, .payload))
    payload.parts = .knownMediaKey
    #expect(
      MeaningRule.derive(from: payload, release: release, stated: nil)
        == ([.modified, .media], .payload))
    payload = Payload()
    payload.parts = .guessedMediaKey
    payload.alert = .visible
    payload.mutableContent = .absent
    #expect(MeaningRule.derive(from: payload, release: release, stated: nil) == (.media, .guess))
    payload = Payload()
    payload.alert = .absent
    payload.contentAvailable = .on
    #expect(
      MeaningRule.derive(from: payload, release: release, stated: nil) == (.silent, .payload))
    #expect(
      MeaningRule.derive(from: payload, release: release, stated: .sound) == (.sound, .stated))
  }

  @Test("a sender block means communication only where the app has the capability")
  func senderBlocks() {
    var payload = Payload()
    payload.alert = .visible
    payload.mutableContent = .on
    payload.parts = .sender
    var release = Release()
    #expect(
      MeaningRule.derive(from: payload, release: release, stated: nil).meaning == .modified)
    release.communicationEntitlement = .known(true)
    #expect(
      MeaningRule.derive(from: payload, release: release, stated: nil).meaning
        == [.modified, .communication])
  }
}

@Suite struct MissingEvidenceTests {
  /// A refusal of a token of which the environment of the app is not known.
  private func refused(_ change: (inout ExampleChain) -> Void = { _ in }) -> Walk {
    var example = ExampleChain(.plain)
    example.refuse(400, .badDeviceToken)
    example.forgetRelease()
    example.bundle = nil
    change(&example)
    var chain = example.build().chain
    chain.installation = Installation()
    return Checklist.walk(chain)
  }

  @Test("What the send log says is not named as missing")
  func refusal() {
    let walk = refused()
    #expect(walk.verdict.judgement == .cannotTell)
    #expect(walk.verdict.step == .apnsAccepted)
    // The host's environment is logged: what the token is of is missing.
    #expect(walk[.tokenEnvironment]?.needs.all == [.appEntitlements, .deviceTokens])
    #expect(walk.verdict.needs.all.contains(.appEntitlements))
    #expect(!walk.verdict.needs.all.contains(.sendEnvironment))
    // Topic and type are logged: what they are to agree with is missing.
    #expect(walk[.topic]?.needs.all == [.appBundleID])
  }

  @Test("What the send log does not say is named")
  func refusalWithoutHeaders() {
    let walk = refused {
      $0.topic = nil
      $0.send.environment = .unknown
      $0.send.host = .unknown
    }
    #expect(walk.verdict.step == .apnsAccepted)
    #expect(
      walk[.tokenEnvironment]?.needs.all == [.sendEnvironment, .appEntitlements, .deviceTokens])
    #expect(walk[.topic]?.needs.all == [.sendHeaders, .appBundleID])
  }

  @Test("No example of a step asks for evidence that its chain has")
  func examples() {
    for step in Checklist.allSteps {
      for example in step.examples {
        let chain = example.build().chain
        let walk = Checklist.walk(chain)
        let given = chain.given(walk.seen)
        for (judge, result) in zip(Checklist.of(walk.kind).judges, walk.results)
        where result.outcome == .unknown {
          #expect(
            result.needs.isDisjoint(with: given),
            "\(step.id), \(example.title): \(judge.step) asks for \(result.needs.all.map(\.text))")
        }
      }
    }
  }
}
