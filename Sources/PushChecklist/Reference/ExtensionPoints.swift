import PushModel

/// Points by which iOS finds extensions: `NSExtensionPointIdentifier` in their Info.plist.
let extensionPointRows: [ReferenceEntry] = [
  ReferenceEntry(
    "com.apple.usernotifications.service", aliases: ["service extension", "nse"],
    form: "Info.plist: `NSExtension`, `NSExtensionPointIdentifier`, `NSExtensionPrincipalClass`.",
    "A notification service extension: changes a remote notification before it is shown.",
    decided: "The whole text is compared; exactly one extension of the app may have it.",
    repair: "This exact text, a class with its module's name, a minimum iOS of the app's.",
    steps: [.extensionPoint, .extensionEmbedded, .extensionLoads, .extensionMinimumOs],
    causes: [.wrongExtensionPoint, .multipleServiceExt, .principalClass, .extMinOs],
    facts: ["F4.1", "F4.4", "F4.5", "F4.9"]),
  ReferenceEntry(
    "com.apple.usernotifications.content-extension", aliases: ["content extension"],
    form: """
      Info.plist: `NSExtensionAttributes` with `UNNotificationExtensionCategory` and \
      `UNNotificationExtensionInitialContentSizeRatio`; a storyboard or a class, not both.
      """,
    "A notification content extension: draws the view of an expanded notification.",
    decided: "By the categories that it claims, its entry point, and its own records.",
    repair: "List the categories exactly; keep one entry point.",
    steps: [.contentExtension, .category],
    causes: [.categoryNotInPlist, .storyboardAndPrincipalClass, .contentCategoryOverlap],
    facts: ["F7.1", "F7.2", "F7.3", "F7.12", "F7.14"]),
  ReferenceEntry(
    "com.apple.share-services", aliases: ["share extension"],
    form: "Info.plist: `NSExtensionActivationRule`, a storyboard or a class.",
    "A share extension: a row in the share sheet of other apps.",
    decided: "By the activation rule and by the records of the hand-off.",
    repair: "A rule that fits what apps offer; complete the request on every path.",
    steps: [.activationRule, .itemsLoaded, .hostOpened],
    causes: [.activationRuleMismatch, .truePredicate, .hostOpenNotSupported],
    facts: ["F12.1", "F12.2", "F12.8", "F12.9"]),
  ReferenceEntry(
    "com.apple.ui-services", aliases: ["action extension"],
    form: "Info.plist: `NSExtensionActivationRule`, a storyboard or a class.",
    "An action extension with a view of its own.",
    decided: "As for a share extension.", repair: "As for a share extension.",
    steps: [.activationRule, .itemsLoaded, .hostOpened],
    causes: [.activationRuleMismatch, .truePredicate, .hostOpenNotSupported],
    facts: ["F12.1", "F12.2", "F12.8", "F12.9"]),
  ReferenceEntry(
    "com.apple.services", form: "Info.plist: `NSExtensionActivationRule`, a class.",
    "An action extension without a view.", decided: "As for a share extension.",
    repair: "As for a share extension.", steps: [.activationRule],
    causes: [.activationRuleMismatch], facts: ["F12.1", "F12.2"]),
  ReferenceEntry(
    "com.apple.widgetkit-extension", aliases: ["widget extension"],
    form: "Info.plist: `NSExtensionPointIdentifier` alone.",
    "A widget extension; it also draws Live Activities and controls.",
    decided: "A Live Activity needs one in the app.",
    repair: "Add the extension, and `NSSupportsLiveActivities` to the app.",
    steps: [.laSupported], causes: [.laNotSupported], facts: ["F9.1", "F9.6"]),
  ReferenceEntry(
    "com.apple.notification-service-extension",
    form: "Looks like a point and is none.",
    "A mistaken spelling of the service point; nothing is started by it.",
    decided: "Any text but the exact one breaks the step.",
    repair: "`com.apple.usernotifications.service`.", steps: [.extensionPoint],
    causes: [.wrongExtensionPoint], facts: ["F4.4", "F4.6"]),
]
