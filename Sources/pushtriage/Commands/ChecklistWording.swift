import PushChecklist
import PushIngest
import PushModel
import PushReport

extension CauseWording {
  /// The words of the checklist.
  static let checklist = CauseWording(
    title: { Checklist.step($0)?.title ?? "" },
    meaning: { Checklist.cause($0)?.cause.meaning ?? "" },
    repair: { Checklist.cause($0)?.cause.repair ?? "" })
}

/// Whether a step matters for the notifications of a group of meanings.
func concerns(_ step: StepID, _ group: MeantGroup) -> Bool {
  guard let matters = Checklist.step(step)?.matters else { return true }
  switch group {
  case .rich:
    return !matters.isDisjoint(with: [.modified, .media, .communication, .actions, .customView])
  case .plain: return !matters.isDisjoint(with: [.plain, .sound])
  case .silent: return matters.contains(.silent)
  case .other:
    // These walk the steps of the request only.
    return Checklist.requestOnly.steps.contains { $0.id == step }
      || !matters.isDisjoint(with: [.liveActivity, .call])
  }
}

/// Which side the sources of an adapter record.
func side(ofAdapter id: String) -> SourceRow.Side {
  switch AdapterRegistry.adapter(id: id)?.side {
  case .send: .sends
  case .device: .devices
  case nil: .other
  }
}
