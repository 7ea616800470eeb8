/// What a notification was meant to be, from what is known of it. Pure: the join calls it once for
/// each chain, the judge asks it which parts are only guessed.
public enum MeaningRule {
  /// The meaning of a notification and how that is known.
  ///
  /// The order is: what the sender stated, then what the payload states, then guesses beyond it.
  /// A team's own rules are given as `stated` with their source set by the caller.
  public static func derive(
    from payload: Payload, release: Release, stated: Meaning?
  ) -> (meaning: Meaning, source: MeaningSource) {
    if let stated, !stated.isEmpty { return (stated, .stated) }
    let said = statements(of: payload, release: release)
    let guessed = guesses(from: payload, release: release)
    if !said.isEmpty { return (said.union(guessed), .payload) }
    if !guessed.isEmpty { return (guessed, .guess) }
    return (.plain, .none)
  }

  /// What a payload says by its flag, by documented keys and by keys that the team named.
  public static func statements(of payload: Payload, release: Release) -> Meaning {
    var meaning: Meaning = []
    // A flag under another name or in another place was meant all the same; a fraction too.
    let isFlagged =
      payload.mutableContent.isOn == true || payload.mutableContent == .fraction
      || payload.mutableContent == .negative || payload.mutableContent == .null
      || !payload.misplacedMutable.isEmpty
    if isFlagged { meaning.insert(.modified) }
    if payload.parts.contains(.knownMediaKey) || payload.parts.contains(.vendor) {
      meaning.insert(.media)
    }
    // A block that names a sender says nothing in an app that never asked for the style (F6.1).
    if payload.parts.contains(.sender), release.communicationEntitlement == .known(true) {
      meaning.insert(.communication)
    }
    let wakes = payload.contentAvailable.isOn == true || !payload.misplacedAvailable.isEmpty
    if meaning.isEmpty, wakes, payload.alert != .visible, payload.alert != .unknown {
      meaning.insert(.silent)
    }
    return meaning
  }

  /// What a payload suggests beyond what it says; a verdict that rests on it is `likely` at most.
  public static func guesses(from payload: Payload, release: Release) -> Meaning {
    var meaning: Meaning = []
    if payload.parts.contains(.guessedMediaKey), payload.mutableContent.isOn != nil {
      meaning.insert(.media)
    }
    if case .known = payload.category, payload.alert != .absent {
      meaning.insert(release.categoryClaimed == .known(true) ? .customView : .actions)
    }
    return meaning
  }
}
