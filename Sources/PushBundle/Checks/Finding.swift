public import PushModel

/// How much a finding matters.
public enum Severity: String, Sendable, CaseIterable {
  /// Something does not work on any phone, or on some.
  case breaks
  /// It probably does not do what was meant, or rests on observation only.
  case warns
  /// Worth knowing when something else goes wrong.
  case informs
}

/// A column of the table of checks.
public enum CheckColumn: String, Sendable, CaseIterable {
  case place, point, entry, minimumOS, version, program, libraries, signing, entitlements, groups
  case keys, rule, name, handOff
}

/// Something that inspection found, with its place in the checklist.
public struct Finding: Sendable {
  /// What was found, with the values that it shows.
  public var what: What
  /// Path of the app or extension.
  public var part: String
  /// File in the bundle that shows it.
  public var file: String
  /// Key in that file, dotted; nil if it is no question of a key.
  public var key: String?
  /// Kind of the extension; nil for the app.
  public var kind: ExtensionKind?

  /// Step of the checklist.
  public var step: StepID { rule.step }
  /// Cause of the checklist; nil for what breaks nothing by itself.
  public var cause: CauseID? { rule.cause }
  /// How much it matters.
  public var severity: Severity { rule.severity }
  /// Numbers of the facts it rests on.
  public var facts: [String] { rule.facts }
  /// Column of the table of checks.
  public var column: CheckColumn { rule.column }

  /// What can be found.
  public enum What: Equatable, Sendable {
    // Place of the extension.
    case misplaced
    case inFolderOfOthers
    case wrongPackageType(String?)
    case severalServices([String])
    case foreignPrefix(id: String, app: String)
    case programMissing(String?)
    case architectureMissing([String])
    case otherPlatform
    case versionDiffers(own: String, app: String)
    // Signing.
    case noProfile
    case profileExpired(Int64)
    case profileOfOther(pattern: String, id: String)
    case notGranted(String)
    case teamDiffers(own: String, app: String)
    case signedIDDiffers(signed: String, id: String)
    case formsDiffer
    // Extension point and lowest OS.
    case noExtensionInfo
    case wrongPoint(String?, expected: String)
    case unknownPoint(String)
    case minimumOSAbove(own: String, app: String)
    case minimumOSDisagrees(plist: String, program: String)
    // Entry point.
    case noEntryPoint
    case classNotFound(String, suggestion: String?)
    case classPlaceholder(String)
    case twoEntryPoints
    case storyboardMissing(String)
    case libraryMissing(String)
    // Content extension.
    case categoryMissing
    case categoryWrongType(String)
    case categoryEmpty
    case categoryMisplaced(String)
    case categoryOfService
    case ratioMissing
    case ratioWrongType(String)
    case ratioOutOfRange(String)
    case contentHidden
    case hiddenWrongType(String)
    case titleWrongType(String)
    case interactionWrongType(String)
    case categoryOverlap(String, other: String)
    // Registration, settings, communication.
    case apsMissing
    case apsUnknown(String)
    case apsOfOther(value: String, distribution: String)
    case hookingOff
    case levelOnExtensionOnly(String)
    case levelSwitchedOff(String)
    case communicationWithoutActivity
    case activityWithoutCommunication
    case communicationOnExtension
    case filteringOnApp
    // What is shared.
    case groupsApart(own: [String], app: [String])
    case groupMissing(app: [String])
    case keychainApart(own: [String], app: [String])
    // Media, background, Live Activities.
    case transportOnlyInApp
    case transportUnknownKey(String)
    case modesWrongType(String)
    case modeMisspelled(String)
    case liveActivitiesOff
    case liveActivitiesWrongType(String)
    case liveActivitiesWithoutWidget
    case liveActivitiesMisspelled(String)
    // Hand-off.
    case ruleMissing
    case ruleWrongType(String)
    case ruleUnknownKey(String)
    case ruleWrongValue(String, String)
    case ruleUnsatisfiable
    case rulesOverlap(other: String, kinds: [String])
    case truePredicate(_ distribution: String?)
    case predicateMalformed(Predicate.Fault)
    case nameMissing(languages: [String])
    case nameAbsent
    case openURLSelector
    case schemeNotRegistered(String)
  }

  struct Rule {
    var step: StepID
    var cause: CauseID?
    var severity: Severity
    var facts: [String]
    var column: CheckColumn

    init(
      _ step: StepID, _ cause: CauseID?, _ severity: Severity, _ column: CheckColumn,
      _ facts: String...
    ) {
      self.step = step
      self.cause = cause
      self.severity = severity
      self.column = column
      self.facts = facts
    }
  }

  private var rule: Rule {
    embeddingRule ?? signingRule ?? loadingRule ?? contentRule ?? entitlementRule ?? appRule
      ?? handOffRule
  }
}
