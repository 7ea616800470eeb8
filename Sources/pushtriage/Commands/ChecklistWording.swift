import PushChecklist
import PushIngest
import PushModel
import PushReport
import PushStore

extension CauseWording {
  /// The words of the checklist, looked up once for a whole report.
  static func checklist() -> CauseWording {
    var titles: [StepID: String] = [:]
    var meanings: [CauseID: String] = [:]
    var repairs: [CauseID: String] = [:]
    for step in Checklist.allSteps {
      titles[step.id] = step.title
      for cause in step.causes {
        meanings[cause.id] = cause.meaning
        repairs[cause.id] = cause.repair
      }
    }
    return CauseWording(
      title: { [titles] in titles[$0] ?? "" }, meaning: { [meanings] in meanings[$0] ?? "" },
      repair: { [repairs] in repairs[$0] ?? "" })
  }
}

extension StepConcerns {
  /// For which notifications the steps of the checklists matter, and what tells their answers.
  static let checklist: StepConcerns = {
    var concerns = StepConcerns()
    // Chains of the class "other" that have steps of their own.
    let ofRequest = Set(
      [Checklist.requestOnly, .response, .handoff].flatMap(\.steps).map(\.id))
    for step in Checklist.allSteps {
      var reach = StepConcerns.Reach()
      reach.dependsOnPhone = step.needs.contains { !$0.isOfSender }
      reach.isSettledByAcceptance = Settling.accepted.contains(StepSet(step.id))
      reach.isSettledByReceipt = Settling.received.contains(StepSet(step.id))
      concerns.set(reach, of: step.id)
      concerns[step.id, .rich] = !step.matters.isDisjoint(with: [
        .modified, .media, .communication, .actions, .customView,
      ])
      concerns[step.id, .plain] = !step.matters.isDisjoint(with: [.plain, .sound])
      concerns[step.id, .silent] = step.matters.contains(.silent)
      // Live Activities and calls have steps of their own; the rest walks the request's only.
      concerns[step.id, .other] =
        ofRequest.contains(step.id) || !step.matters.isDisjoint(with: [.liveActivity, .call])
    }
    return concerns
  }()
}

/// Which side the sources of an adapter record.
func side(ofAdapter id: String) -> SourceRow.Side {
  switch AdapterRegistry.adapter(id: id)?.side {
  case .send: .sends
  case .device: .devices
  case nil: .other
  }
}
