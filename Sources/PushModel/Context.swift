/// A version of iOS as one comparable number.
public struct OSVersion: Hashable, Comparable, Sendable, BitwiseCopyable {
  /// Major, minor and patch as `major * 1_000_000 + minor * 1_000 + patch`.
  public let number: Int32

  /// A version from its parts.
  public init(major: Int32, minor: Int32 = 0, patch: Int32 = 0) {
    number = major * 1_000_000 + minor * 1_000 + patch
  }

  /// A version from text such as `17.4`, `17.4.1` or `iOS 17.4`; nil if there is no number.
  public init?(_ text: String) {
    var parts: [Int32] = []
    var current: Int32?
    scan: for character in text.utf8 {
      switch character {
      case 48...57:
        let digit = Int32(character - 48)
        let value = (current ?? 0) * 10 + digit
        guard value < 1000 else { return nil }
        current = value
      case 46 where current != nil:
        parts.append(current ?? 0)
        current = 0
        if parts.count == 3 { break scan }
      default:
        if current != nil { break scan }
      }
    }
    if let current, parts.count < 3 { parts.append(current) }
    guard let major = parts.first else { return nil }
    self.init(
      major: major, minor: parts.count > 1 ? parts[1] : 0, patch: parts.count > 2 ? parts[2] : 0)
  }

  /// Order by stage, number or certainty.
  public static func < (left: OSVersion, right: OSVersion) -> Bool { left.number < right.number }
}

/// What is known of the built, signed app that the notification was for.
public struct Release: Sendable, BitwiseCopyable {
  /// Where the facts stand.
  public var reference: RecordReference = .none
  /// Signed bundle id of the app.
  public var bundle: Known<Symbol> = .unknown
  /// Version and build.
  public var version: Known<Symbol> = .unknown
  /// Build.
  public var build: Known<Symbol> = .unknown
  /// How it was distributed: `debug`, `ad-hoc`, `testflight`, `app-store`, `simulator`.
  public var distribution: Known<Symbol> = .unknown
  /// Entitlement `aps-environment` of the signed app: `development` or `production`.
  public var apsEnvironment: Known<Symbol> = .unknown
  /// Lowest OS of the app.
  public var minimumOS: Known<OSVersion> = .unknown
  /// Whether the app has the communication entitlement.
  public var communicationEntitlement: Known<Bool> = .unknown
  /// Whether the app has the Time Sensitive entitlement.
  public var timeSensitiveEntitlement: Known<Bool> = .unknown
  /// Whether the app has the Critical Alerts entitlement.
  public var criticalEntitlement: Known<Bool> = .unknown
  /// Whether `UIBackgroundModes` has `remote-notification`.
  public var remoteNotificationMode: Known<Bool> = .unknown
  /// Number of extensions that claim, or were meant to claim, the service point.
  public var serviceExtensions: Known<Int64> = .unknown
  /// Extension point of the service extension, as it stands in its plist.
  public var servicePoint: Known<Symbol> = .unknown
  /// Bundle id of the service extension.
  public var serviceBundle: Known<Symbol> = .unknown
  /// Lowest OS of the service extension.
  public var serviceMinimumOS: Known<OSVersion> = .unknown
  /// Whether the service extension's bundle id extends the app's.
  public var servicePrefixFits: Known<Bool> = .unknown
  /// Whether the service extension has the filtering entitlement.
  public var filteringEntitlement: Known<Bool> = .unknown
  /// Number of content extensions.
  public var contentExtensions: Known<Int64> = .unknown
  /// Whether the payload's category is claimed by a content extension.
  public var categoryClaimed: Known<Bool> = .unknown
  /// Whether app and service extension share an App Group.
  public var sharedAppGroup: Known<Bool> = .unknown
  /// Whether app and service extension share a keychain group.
  public var sharedKeychainGroup: Known<Bool> = .unknown
  /// Whether the app implements the registration callbacks in this build.
  public var registrationCallbacks: Known<Bool> = .unknown
  /// Whether a vendor SDK may hook into the app's callbacks by itself.
  public var automaticHooking: Known<Bool> = .unknown
  /// Whether `INSendMessageIntent` stands in the app's `NSUserActivityTypes`.
  public var sendMessageActivity: Known<Bool> = .unknown
  /// Whether profile and entitlements of the service extension fit each other.
  public var serviceSigningFits: Known<Bool> = .unknown
  /// Whether the file that `CFBundleExecutable` of the service extension names is there.
  public var serviceExecutablePresent: Known<Bool> = .unknown
  /// Whether the principal class of the service extension is named in a form that can be found.
  public var servicePrincipalFits: Known<Bool> = .unknown
  /// Whether all libraries that the service extension links are in the app.
  public var serviceLibrariesPresent: Known<Bool> = .unknown
  /// Whether the service extension still has the code of Xcode's template.
  public var serviceIsTemplate: Known<Bool> = .unknown
  /// Whether the service extension's plist allows plain http for its media host.
  public var serviceAllowsHTTP: Known<Bool> = .unknown
  /// Lowest OS of the content extension that claims the category.
  public var contentMinimumOS: Known<OSVersion> = .unknown
  /// Whether a content extension names both a storyboard and a principal class.
  public var contentTwoEntryPoints: Known<Bool> = .unknown
  /// Whether two content extensions claim the payload's category.
  public var contentCategoryOverlap: Known<Bool> = .unknown
  /// Whether a content extension handles actions itself: its view controller implements
  /// `didReceive(_:completionHandler:)`, so all actions of its categories go to it (F7.16).
  public var contentHandlesActions: Known<Bool> = .unknown
  /// Who gets a person's response in the app.
  public var responseDelegate: Known<ResponseDelegate> = .unknown
  /// Facts of the share or action extension that a hand-off starts in.
  public var handoff = HandoffRelease()

  /// A release of which nothing is known.
  public init() {}
}

/// Who gets a person's response to a notification in the app.
public enum ResponseDelegate: UInt8, Sendable, BitwiseCopyable, CaseIterable {
  /// The app's own delegate, set before launch ends.
  case app
  /// A library has taken the delegate over, or answers in its place.
  case library
  /// The app's own delegate, set only after launch, so that a response that starts the app is lost.
  case late
  /// There is none.
  case absent
}

/// What is known of the share or action extension of a built app.
public struct HandoffRelease: Sendable, BitwiseCopyable {
  /// How its activation rule reads.
  public var rule: Known<ActivationRule.Form> = .unknown
  /// Whether that rule is true for the kinds and the number of items that were offered.
  public var ruleFits: Known<Bool> = .unknown
  /// Whether it has a display name in every language that the app has.
  public var hasAllDisplayNames: Known<Bool> = .unknown
  /// Whether Apple documents `extensionContext.open` for this kind of extension: Today and iMessage
  /// only (F12.9).
  public var mayOpenApp: Known<Bool> = .unknown
  /// Whether it reaches for the old selector `openURL:`, which fails since iOS 18 (F12.10).
  public var usesOldOpenSelector: Known<Bool> = .unknown
  /// Whether the app registers the URL scheme that the extension opens.
  public var schemeRegistered: Known<Bool> = .unknown
  /// Whether app and extension share an App Group.
  public var sharedAppGroup: Known<Bool> = .unknown

  /// An extension of which nothing is known.
  public init() {}
}

/// What is known of the installation and its phone at the time of the notification.
public struct Installation: Sendable, BitwiseCopyable {
  /// OS version.
  public var os: Known<OSVersion> = .unknown
  /// OS version as text.
  public var osText: Known<Symbol> = .unknown
  /// Device model.
  public var model: Known<Symbol> = .unknown
  /// Bundle id of the app.
  public var bundle: Known<Symbol> = .unknown
  /// Environment that the app reported with its token: `development` or `production`.
  public var apsEnvironment: Known<Symbol> = .unknown
  /// When the token of the send was first registered by this installation, UTC microseconds.
  public var tokenRegisteredAt: Known<Int64> = .unknown
  /// When a newer token was registered before the send; `missing` if there is none.
  public var newerTokenAt: Known<Int64> = .unknown
  /// Where that newer registration stands.
  public var newerTokenReference: RecordReference = .none
  /// When the first newer token was seen within a day after the send, where none was before it:
  /// the installation may have had it at the time of the send, and nobody told.
  public var laterTokenAt: Known<Int64> = .unknown
  /// When the token of the send was registered again after a 410's time; `missing` if never.
  public var registeredAgainAt: Known<Int64> = .unknown
  /// Authorisation in force: `authorized`, `denied`, `provisional`, `not-determined`.
  public var authorization: Known<Symbol> = .unknown
  /// Whether alerts are on.
  public var alerts: Known<Bool> = .unknown
  /// Whether sounds are on.
  public var sounds: Known<Bool> = .unknown
  /// Whether a Focus was on.
  public var focus: Known<Bool> = .unknown
  /// Whether the scheduled summary was on.
  public var scheduledSummary: Known<Bool> = .unknown
  /// Whether Time Sensitive is allowed for the app.
  public var timeSensitive: Known<Bool> = .unknown
  /// Whether Background App Refresh is on.
  public var backgroundRefresh: Known<Bool> = .unknown
  /// Whether Low Power Mode is on.
  public var lowPower: Known<Bool> = .unknown
  /// Whether records on both sides of the notification agree on these settings, so that no change
  /// between them can have been missed; unknown where nobody compared.
  public var settingsConfirmed: Known<Bool> = .unknown
  /// How long before the arrival the last record of the Focus was made, in microseconds.
  public var focusAge: Known<Int64> = .unknown
  /// State of the app at arrival: `foreground`, `background`, `not-running`, `force-quit`.
  public var appState: Known<Symbol> = .unknown
  /// Whether the phone was locked.
  public var locked: Known<Bool> = .unknown
  /// Error domain of the last failed registration for notifications before the send.
  public var registrationErrorDomain: Known<Symbol> = .unknown
  /// Error code of that failed registration.
  public var registrationErrorCode: Known<Int64> = .unknown
  /// Where the settings stand.
  public var settingsReference: RecordReference = .none
  /// Whether the payload's category is among those registered; unknown without a registration.
  public var categoryRegistered: Known<Bool> = .unknown
  /// Where the registered set stands.
  public var categoriesReference: RecordReference = .none
  /// Number of actions that the payload's category has, as registered.
  public var registeredActions: Known<Int64> = .unknown
  /// Whether the action that was expected is among those registered for the category.
  public var actionRegistered: Known<Bool> = .unknown
  /// Place of the expected action among the registered ones, from 1.
  public var actionPlace: Known<Int64> = .unknown
  /// Number of actions for which there was room where the notification stood: 2 or 10 (F7.17).
  public var actionRoom: Known<Int64> = .unknown
  /// When the phone is known to have come online again after the send (first sign of life).
  public var onlineAgainAt: Known<Int64> = .unknown
  /// When a later send replaced this one (same collapse id); `missing` if none did.
  public var replacedAt: Known<Int64> = .unknown
  /// Where that later send stands.
  public var replacedReference: RecordReference = .none

  /// An installation of which nothing is known.
  public init() {}
}

/// What the sources are known to have recorded around one notification.
///
/// Absence proves something only inside the gapless run: every counter value of the installation
/// from ``runFrom`` to ``runTo`` is here.
public struct Coverage: Sendable, BitwiseCopyable {
  /// Whether a gapless run of the installation's counter covers the notification's first sighting.
  public var isGapless = false
  /// Start of that run on the server's clock, UTC microseconds.
  public var runFrom: Int64 = 0
  /// End of that run on the server's clock, UTC microseconds.
  public var runTo: Int64 = 0
  /// First counter value of the run.
  public var firstSequence: Known<Int64> = .unknown
  /// Last counter value of the run.
  public var lastSequence: Known<Int64> = .unknown
  /// First and last record of the run.
  public var firstReference: RecordReference = .none
  /// Last record of the run.
  public var lastReference: RecordReference = .none
  /// The gapless run that covers the notification's last event, where that is another one: a
  /// record lost in between ends the first run, and what follows may be whole all the same.
  public var tail = Run()
  /// Whether the run's log is known to hold records of the service extension too.
  public var holdsExtension = false
  /// Whether the run's log is known to hold records of the app.
  public var holdsApp = false
  /// Largest error of the corrected times, microseconds; nil-like `Int64.max` if the offset is unknown.
  public var clockError: Int64 = .max
  /// Whether the installation has ever logged anything.
  public var installationLogs: Known<Bool> = .unknown
  /// Whether the send log records every success (false: sampled).
  public var sendLogComplete: Known<Bool> = .unknown

  /// No coverage known.
  public init() {}

  /// A stretch of the installation's counter without a gap.
  public struct Run: Sendable, BitwiseCopyable {
    /// Whether there is one.
    public var isGapless = false
    /// Its start on the server's clock, UTC microseconds.
    public var from: Int64 = 0
    /// Its end on the server's clock, UTC microseconds.
    public var to: Int64 = 0
    /// Its first counter value.
    public var firstSequence: Known<Int64> = .unknown
    /// Its last counter value.
    public var lastSequence: Known<Int64> = .unknown

    /// No run.
    public init() {}
  }
}

/// Counts of other sends that one notification cannot show alone.
public struct Traffic: Sendable, BitwiseCopyable {
  /// Sends with the same credential in the window that failed for the same reason.
  public var sameReason: Int64 = 0
  /// Sends with the same credential in the window.
  public var sameCredential: Int64 = 0
  /// Sends to the same topic in the window that APNs accepted.
  public var sameTopicAccepted: Int64 = 0
  /// When APNs accepted the next send to the same app on the same phone, UTC microseconds;
  /// `missing` if there was none.
  public var nextAcceptedAt: Known<Int64> = .unknown
  /// Where that next send stands.
  public var nextAcceptedReference: RecordReference = .none
  /// When a later send to the same phone arrived that had waited for it to come back: the phone was
  /// out of reach from that send on, and nothing was heard of it before. UTC microseconds.
  public var storedArrivalAt: Known<Int64> = .unknown
  /// Where that arrival stands.
  public var storedArrivalReference: RecordReference = .none
  /// When APNs accepted, before this send, one to the same token that ended its Live Activity, UTC
  /// microseconds.
  public var activityEndedAt: Known<Int64> = .unknown
  /// Where that send stands.
  public var activityEndedReference: RecordReference = .none
  /// Whether other hand-offs of this installation, within a day, reached the app.
  public var otherHandoffsOpened: Known<Bool> = .unknown
  /// When another hand-off wrote the mailbox after this one did, within a day, and before the app read
  /// it, UTC microseconds; `missing` if none did.
  public var otherMailboxWriteAt: Known<Int64> = .unknown

  /// No counts.
  public init() {}
}
