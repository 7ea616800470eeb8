import PushModel

/// What findings say to people: one place for all of it.
extension Finding {
  /// One sentence, or two.
  public var sentence: String {
    embeddingSentence ?? signingSentence ?? loadingSentence ?? contentSentence
      ?? entitlementSentence ?? appSentence ?? handOffSentence
  }

  private func list(_ words: [String]) -> String { words.joined(separator: ", ") }

  private var embeddingSentence: String? {
    switch what {
    case .misplaced:
      "An extension stands here, but iOS looks for `.appex` folders in PlugIns and Extensions only."
    case .inFolderOfOthers:
      "It stands in Extensions, which is for extensions of ExtensionKit; one with NSExtension belongs "
        + "in PlugIns."
    case .wrongPackageType(let type):
      "CFBundlePackageType is \(type.map { "'\($0)'" } ?? "missing"); an extension's is 'XPC!'."
    case .severalServices(let names):
      "\(names.count) extensions claim the service point (\(list(names))); iOS uses one of them."
    case .foreignPrefix(let id, let app):
      "The bundle id '\(id)' does not begin with the app's, '\(app).'."
    case .programMissing(let name):
      name.map { "The program '\($0)' that CFBundleExecutable names is not in the folder." }
        ?? "CFBundleExecutable is missing, so there is no program to start."
    case .architectureMissing(let names):
      "The app runs on \(list(names)), but this program has no code for it."
    case .otherPlatform: "The app is built for phones, this program for another platform."
    case .versionDiffers(let own, let app):
      "Its version is \(own), the app's is \(app). It runs, but Apple warns about it."
    case .noExtensionInfo: "Its Info.plist has no NSExtension, so iOS does not know what it is for."
    case .wrongPoint(let found, let expected):
      "The extension point is \(found.map { "'\($0)'" } ?? "missing"); "
        + "this extension is meant for '\(expected)'."
    case .unknownPoint(let found): "The extension point '\(found)' is not among those known here."
    case .minimumOSAbove(let own, let app):
      "It asks for iOS \(own), the app for \(app): on phones between them it never runs, and "
        + "nothing says so."
    case .minimumOSDisagrees(let plist, let program):
      "The plist asks for iOS \(plist), the program itself for \(program)."
    default: nil
    }
  }

  private var signingSentence: String? {
    switch what {
    case .noProfile: "The app has a profile, this extension has none of its own."
    case .profileExpired(let seconds): "The profile ended on \(Instant.text(seconds).prefix(10))."
    case .profileOfOther(let pattern, let id):
      "The profile is for '\(pattern)' and does not cover '\(id)'."
    case .notGranted(let key): "The signature asks for \(key), which the profile does not grant."
    case .teamDiffers(let own, let app): "It is signed by team \(own), the app by team \(app)."
    case .signedIDDiffers(let signed, let id):
      "It is signed as '\(signed)', its bundle id is '\(id)'."
    case .formsDiffer:
      "The entitlements differ between the old form and the one that iOS 15 and later read."
    default: nil
    }
  }

  private var loadingSentence: String? {
    switch what {
    case .noEntryPoint: "Neither a principal class nor a storyboard is named."
    case .classNotFound(let name, let suggestion):
      "The program has no class '\(name)'." + (suggestion.map { " It has '\($0)'." } ?? "")
    case .classPlaceholder(let name):
      "The class name '\(name)' still holds a build setting that was not filled in."
    case .twoEntryPoints:
      "Storyboard and principal class are both named; iOS then does not load the extension."
    case .storyboardMissing(let name): "The storyboard '\(name)' is not in the extension."
    case .libraryMissing(let name):
      "It links '\(name)', which none of its run paths leads to; dyld will end it at start."
    default: nil
    }
  }

  private var contentSentence: String? {
    switch what {
    case .categoryMissing: "It names no category, so it is never chosen."
    case .categoryWrongType(let kind):
      "The category is \(kind); only a string or an array of strings counts, so nothing matches."
    case .categoryEmpty: "The list of categories is empty, or holds an empty name."
    case .categoryMisplaced(let place):
      "The category stands in '\(place)'; iOS reads it in NSExtension.NSExtensionAttributes only."
    case .categoryOfService: "A category in a service extension has no effect."
    case .ratioMissing: "The size ratio is missing; Apple lists it as required, iOS takes 1.0."
    case .ratioWrongType(let kind): "The size ratio is \(kind) instead of a number."
    case .ratioOutOfRange(let value):
      "The size ratio is \(value); it is height divided by width, so this view starts unusable."
    case .contentHidden:
      "Title and text are hidden in the expanded view; the view has to draw them itself."
    case .hiddenWrongType(let kind): "DefaultContentHidden is \(kind) instead of a Boolean."
    case .titleWrongType(let kind): "OverridesDefaultTitle is \(kind) instead of a Boolean."
    case .interactionWrongType(let kind):
      "UserInteractionEnabled is \(kind) instead of a Boolean, so touches may do nothing."
    case .categoryOverlap(let category, let other):
      "The category '\(category)' is claimed by '\(other)' too; which of them opens is chance."
    default: nil
    }
  }

  private var entitlementSentence: String? {
    switch what {
    case .apsMissing: "The signed app has no aps-environment, so iOS gives it no token."
    case .apsUnknown(let value):
      "aps-environment is '\(value)'; it can be 'development' or 'production'."
    case .apsOfOther(let value, let distribution):
      "aps-environment is '\(value)' in a build for \(distribution): its tokens are "
        + "good at the \(value == "development" ? "sandbox" : "production") host only."
    case .hookingOff:
      "FirebaseAppDelegateProxyEnabled is false: the app has to hand its token to the SDK itself."
    case .levelOnExtensionOnly(let key):
      "\(key) is on the extension only; it belongs to the app."
    case .levelSwitchedOff(let key): "\(key) is there, but false."
    case .communicationWithoutActivity:
      "The app may show communication notifications, but INSendMessageIntent is not in its "
        + "NSUserActivityTypes."
    case .activityWithoutCommunication:
      "INSendMessageIntent is in NSUserActivityTypes, but the signed app has no communication "
        + "entitlement; a sender's picture is not shown."
    case .communicationOnExtension:
      "The communication entitlement is on the extension only; it belongs to the app."
    case .filteringOnApp:
      "The filtering entitlement is on the app; it counts on the service extension only."
    case .groupsApart(let own, let app):
      "Its App Groups (\(list(own))) and the app's (\(app.isEmpty ? "none" : list(app))) have "
        + "none in common."
    case .groupMissing(let app):
      "It has no App Group, the app has \(list(app)): files cannot be handed over."
    case .keychainApart(let own, let app):
      "Its keychain groups (\(list(own))) and the app's (\(list(app))) have none in common."
    default: nil
    }
  }

  private var appSentence: String? {
    switch what {
    case .transportOnlyInApp:
      "The app allows plain http, this extension does not; the app's exception does not count here."
    case .transportUnknownKey(let key):
      "NSAppTransportSecurity holds '\(key)', which is none of its keys, so it has no effect."
    case .modesWrongType(let kind): "UIBackgroundModes is \(kind) instead of an array of strings."
    case .modeMisspelled(let value):
      "UIBackgroundModes holds '\(value)'; the mode for silent notifications is "
        + "'remote-notification'."
    case .liveActivitiesOff:
      "A widget extension uses Live Activities, but NSSupportsLiveActivities is not true in the "
        + "app's plist."
    case .liveActivitiesWrongType(let kind):
      "NSSupportsLiveActivities is \(kind) instead of a Boolean."
    case .liveActivitiesWithoutWidget:
      "NSSupportsLiveActivities is true, but no widget extension is there to draw them."
    case .liveActivitiesMisspelled(let key):
      "'\(key)' is not read; the key is NSSupportsLiveActivitiesFrequentUpdates."
    default: nil
    }
  }

  private var handOffSentence: String {
    switch what {
    case .ruleMissing: "It has no activation rule."
    case .ruleWrongType(let kind): "The activation rule is \(kind) instead of a dictionary or text."
    case .ruleUnknownKey(let key): "The activation rule has the unknown key '\(key)'."
    case .ruleWrongValue(let key, let value): "'\(key)' is \(value), which it cannot be."
    case .ruleUnsatisfiable: "Nothing can fulfil the activation rule, so it is never offered."
    case .rulesOverlap(let other, let kinds):
      "'\(other)' is offered for the same content (\(list(kinds)))."
    case .truePredicate:
      "The activation rule is TRUEPREDICATE, which the App Store refuses at upload."
    case .predicateMalformed(let fault): "The activation rule cannot be read: \(words(fault))."
    case .nameMissing(let languages):
      "It has no display name in these languages of the app or its other extensions: "
        + "\(list(languages))."
    case .nameAbsent: "It has no display name at all."
    case .openURLSelector:
      "Its code holds the selector openURL:, which does nothing in an extension since iOS 18."
    case .schemeNotRegistered(let scheme):
      "Its code holds an address '\(scheme)://…', but the app does not register that scheme."
    default: ""
    }
  }

  private func words(_ fault: Predicate.Fault) -> String {
    switch fault {
    case .unexpected(let found, let place): "'\(found)' at character \(place) is not expected there"
    case .openQuote(let place): "the quote at character \(place) is not closed"
    case .openBracket(let place): "the bracket at character \(place) is not closed"
    case .tooDeep: "it is nested too deep"
    case .unboundVariable(let name): "no SUBQUERY declares '\(name)'"
    case .unknownRoot(let name): "'\(name)' does not exist, the items are called extensionItems"
    }
  }
}
