import PushModel

/// What a case says of the buttons of a category, and of what another app offered to share.
extension CaseBuilder {
  /// The buttons of the payload's category as the app registered them last, in their order: `actions`
  /// of an `app.categories` event, an object of lists by category. nil where no event has it.
  var registeredActions: [String]? {
    var found: [String]?
    for event in facts.evidence["events"]?.items ?? []
    where event["event"]?.text == "app.categories" {
      guard let actions = event["attrs"]?["actions"], case .object(let members) = actions else {
        continue
      }
      let own = payloadCategory.map { name in members.first { $0.key == name } }
      let member = own ?? (members.count == 1 ? members.first : nil)
      // Each call replaces the whole set, so the last one counts (F7.9).
      if let member { found = member.value.items.compactMap(\.text) }
    }
    return found
  }

  /// Buttons that were seen (`true`) or missed (`false`), by comparisons that differ in `action`.
  private func buttons(seen wanted: Bool) -> [String] {
    facts.comparisons.compactMap { comparison in
      comparison.result("actions") == wanted ? comparison.value("action")?.text : nil
    }
  }

  /// Reads how many buttons are registered, where the missed one stands and what room there was.
  mutating func readActions() {
    guard let registered = registeredActions else { return }
    chain.installation.registeredActions = .known(Int64(registered.count))
    guard let missed = buttons(seen: false).first else { return }
    guard let place = registered.firstIndex(of: missed) else {
      chain.installation.actionRegistered = .known(false)
      return
    }
    chain.installation.actionRegistered = .known(true)
    chain.installation.actionPlace = .known(Int64(place) + 1)
    // There is room for two or for ten (F7.17); the buttons that were seen tell which.
    let shown = buttons(seen: true).compactMap { registered.firstIndex(of: $0) }
    guard let last = shown.max() else { return }
    chain.installation.actionRoom = .known(last < 2 ? 2 : 10)
  }

  /// Whether a dictionary rule fits what was offered where the row was missing; nil where nobody said
  /// what that was, or where the rule does not tell.
  func ruleFits(_ rule: CaseValue) -> Bool? {
    for comparison in facts.comparisons where comparison.result("arrived") == false {
      guard let count = comparison.value("handoff.items")?.whole else { continue }
      let type = comparison.value("handoff.type")?.text
      if ActivationRule.admits(rule, type: type, count: count) == false { return false }
    }
    return nil
  }
}
