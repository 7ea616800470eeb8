extension Inspection {
  private static let category = "UNNotificationExtensionCategory"

  /// The keys of content extensions, and category keys where they have no effect.
  mutating func checkContentExtensions() {
    var claims: [String: BuiltPart] = [:]
    for part in extensions {
      guard let info = extensionInfo(part) else { continue }
      let attributes = info["NSExtensionAttributes"]?.dictionary
      let path = "NSExtension.NSExtensionAttributes."
      if part.kind == .service, attributes?[Self.category] != nil || info[Self.category] != nil {
        find(.categoryOfService, part, key: path + Self.category)
      }
      guard part.kind == .content else { continue }
      for category in checkCategory(part, info, attributes) {
        if let other = claims[category] {
          find(
            .categoryOverlap(category, other: other.name), part, key: path + Self.category)
        } else {
          claims[category] = part
        }
      }
      checkRatio(part, attributes, path + "UNNotificationExtensionInitialContentSizeRatio")
      checkSwitches(part, attributes, path)
    }
  }

  /// Notes what is wrong with the categories, and gives those that count.
  private mutating func checkCategory(
    _ part: BuiltPart, _ info: PlistDictionary, _ attributes: PlistDictionary?
  ) -> [String] {
    let key = "NSExtension.NSExtensionAttributes." + Self.category
    guard let value = attributes?[Self.category] else {
      let others = [
        ("NSExtension", info[Self.category]), ("Info.plist", part.info?[Self.category]),
        (
          "NSExtension.NSExtensionAttribute",
          info["NSExtensionAttribute"]?.dictionary?[Self.category]
        ),
      ]
      if let place = others.first(where: { $0.1 != nil })?.0 {
        find(.categoryMisplaced(place), part, key: key)
      } else {
        find(.categoryMissing, part, key: key)
      }
      return []
    }
    guard let names = value.texts else {
      let isMixed = value.array != nil
      find(
        .categoryWrongType(isMixed ? "an array of other things than strings" : value.kindName),
        part, key: key)
      return []
    }
    if names.isEmpty || names.contains("") { find(.categoryEmpty, part, key: key) }
    return Set(names).sorted()
  }

  private mutating func checkRatio(
    _ part: BuiltPart, _ attributes: PlistDictionary?, _ key: String
  ) {
    guard let value = attributes?["UNNotificationExtensionInitialContentSizeRatio"] else {
      find(.ratioMissing, part, key: key)
      return
    }
    // Code accepts a text that is a number (F7.4).
    guard let ratio = value.number ?? value.text.flatMap(Double.init) else {
      find(.ratioWrongType(value.kindName), part, key: key)
      return
    }
    if !(0.01...10).contains(ratio) { find(.ratioOutOfRange("\(ratio)"), part, key: key) }
  }

  private mutating func checkSwitches(
    _ part: BuiltPart, _ attributes: PlistDictionary?, _ path: String
  ) {
    func value(_ key: String) -> PlistValue? {
      // Numbers 0 and 1 serve as Booleans.
      switch attributes?[key] {
      case .integer(0): .boolean(false)
      case .integer(1): .boolean(true)
      case let other: other
      }
    }
    let hidden = "UNNotificationExtensionDefaultContentHidden"
    if let found = value(hidden) {
      switch found.boolean {
      case true?: find(.contentHidden, part, key: path + hidden)
      case false?: break
      case nil: find(.hiddenWrongType(found.kindName), part, key: path + hidden)
      }
    }
    let title = "UNNotificationExtensionOverridesDefaultTitle"
    if let found = value(title), found.boolean == nil {
      find(.titleWrongType(found.kindName), part, key: path + title)
    }
    let touches = "UNNotificationExtensionUserInteractionEnabled"
    if let found = value(touches), found.boolean == nil {
      find(.interactionWrongType(found.kindName), part, key: path + touches)
    }
  }

  /// Background modes and transport security.
  mutating func checkAppKeys() {
    guard let app, let info = app.info else { return }
    if let modes = info["UIBackgroundModes"] {
      if let texts = modes.texts, modes.array != nil {
        let wrong = texts.first { text in
          text != "remote-notification" && text.lowercased().contains("remote")
            && text.lowercased().contains("notif")
        }
        if let wrong, !texts.contains("remote-notification") {
          find(.modeMisspelled(wrong), app, key: "UIBackgroundModes")
        }
      } else {
        find(.modesWrongType(modes.kindName), app, key: "UIBackgroundModes")
      }
    }
    let allows =
      info.value("NSAppTransportSecurity", "NSAllowsArbitraryLoads")?.boolean == true
    for part in extensions where part.kind == .service {
      guard let own = part.info else { continue }
      let security = own["NSAppTransportSecurity"]?.dictionary
      if let wrong = security?.keys.first(where: { !Self.transportKeys.contains($0) }) {
        find(.transportUnknownKey(wrong), part, key: "NSAppTransportSecurity")
      } else if allows, security == nil {
        find(.transportOnlyInApp, part, key: "NSAppTransportSecurity")
      }
    }
  }

  private static let transportKeys: Set<String> = [
    "NSAllowsArbitraryLoads", "NSAllowsArbitraryLoadsForMedia",
    "NSAllowsArbitraryLoadsInMedia", "NSAllowsArbitraryLoadsInWebContent",
    "NSAllowsLocalNetworking", "NSExceptionDomains", "NSPinnedDomains",
  ]

  /// Whether Live Activities are switched on where they are used.
  mutating func checkLiveActivities() {
    guard let app, let info = app.info else { return }
    let key = "NSSupportsLiveActivities"
    let value = info[key]
    let widgets = extensions.filter { $0.kind == .widget }
    if let value, value.boolean == nil, value.number == nil {
      find(.liveActivitiesWrongType(value.kindName), app, key: key)
    } else if value?.boolean != true, value?.number != 1 {
      let usesThem = widgets.contains { part in
        part.program?.main?.libraries.contains {
          $0.name.contains("/ActivityKit.framework/") && !$0.isWeak
        } == true
      }
      if usesThem { find(.liveActivitiesOff, app, key: key) }
    } else if built.extensions != nil, widgets.isEmpty {
      find(.liveActivitiesWithoutWidget, app, key: key)
    }
    let known = ["NSSupportsLiveActivities", "NSSupportsLiveActivitiesFrequentUpdates"]
    for name in info.keys
    where name.hasPrefix("NSSupports") && name.contains("LiveActivit") && !known.contains(name) {
      find(.liveActivitiesMisspelled(name), app, key: name)
    }
  }
}
