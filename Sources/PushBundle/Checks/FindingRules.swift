import PushModel

/// Which step and cause each finding belongs to, how much it matters, and why. A fact that is no
/// more than experience, or derived, never makes a finding one that breaks.
extension Finding {
  var embeddingRule: Rule? {
    switch what {
    case .misplaced:
      Rule(.extensionEmbedded, .appexNotEmbedded, .breaks, .place, "F4.4", "F4.7", "§12")
    case .inFolderOfOthers:
      Rule(.extensionEmbedded, .appexNotEmbedded, .warns, .place, "F4.7", "§12")
    case .wrongPackageType:
      Rule(.extensionEmbedded, .appexNotEmbedded, .warns, .place, "§12")
    case .severalServices: Rule(.extensionEmbedded, .multipleServiceExt, .breaks, .place, "F4.5")
    case .foreignPrefix: Rule(.extensionEmbedded, .extBundlePrefix, .breaks, .place, "F4.8")
    case .programMissing, .architectureMissing, .otherPlatform:
      Rule(.extensionEmbedded, .extExecutableMissing, .breaks, .program, "F4.4")
    case .versionDiffers: Rule(.extensionEmbedded, nil, .warns, .version, "F4.10")
    case .noExtensionInfo:
      Rule(.extensionPoint, .wrongExtensionPoint, .breaks, .point, "F4.4")
    case .wrongPoint:
      Rule(
        .extensionPoint, .wrongExtensionPoint, .breaks, .point, "F4.4",
        kind == .content ? "F7.1" : kind == .service ? "F4.6" : "F12.1")
    case .unknownPoint: Rule(.extensionPoint, .wrongExtensionPoint, .informs, .point, "F4.6")
    case .minimumOSAbove:
      Rule(
        kind == .content ? .contentExtension : .extensionMinimumOs, .extMinOs, .breaks,
        .minimumOS, "F4.9", "F7.23")
    case .minimumOSDisagrees:
      Rule(.extensionMinimumOs, .extMinOs, .warns, .minimumOS, "F4.9")
    default: nil
    }
  }

  var signingRule: Rule? {
    switch what {
    case .noProfile, .profileExpired, .profileOfOther, .notGranted, .teamDiffers,
      .signedIDDiffers, .formsDiffer:
      Rule(.extensionEmbedded, .extSigning, .warns, .signing, "§12")
    default: nil
    }
  }

  var loadingRule: Rule? {
    switch what {
    case .noEntryPoint: Rule(.extensionLoads, .principalClass, .breaks, .entry, "F4.4", "F7.12")
    case .classNotFound, .classPlaceholder:
      Rule(
        kind == .content ? .contentExtension : .extensionLoads, .principalClass, .breaks, .entry,
        "F7.13", "F4.4")
    case .twoEntryPoints:
      Rule(
        kind == .content ? .contentExtension : .extensionLoads, .storyboardAndPrincipalClass,
        .breaks, .entry, "F7.12")
    case .storyboardMissing:
      Rule(
        kind == .content ? .contentExtension : .extensionLoads,
        kind == .content ? .contentExtFailed : .principalClass, .breaks, .entry, "F7.12", "§12")
    case .libraryMissing: Rule(.extensionLoads, .extFrameworkMissing, .warns, .libraries, "§12")
    default: nil
    }
  }

  var contentRule: Rule? {
    switch what {
    case .categoryMissing, .categoryWrongType, .categoryEmpty:
      Rule(.category, .categoryNotInPlist, .breaks, .keys, "F7.3")
    case .categoryMisplaced: Rule(.category, .categoryNotInPlist, .breaks, .keys, "F7.2", "F7.3")
    case .categoryOfService: Rule(.category, .categoryNotInPlist, .informs, .keys, "F4.5")
    case .ratioMissing: Rule(.contentExtension, .contentExtSize, .informs, .keys, "F7.4")
    case .ratioWrongType, .ratioOutOfRange:
      Rule(.contentExtension, .contentExtSize, .warns, .keys, "F7.4")
    case .contentHidden: Rule(.contentExtension, .defaultContentHidden, .informs, .keys, "F7.5")
    case .hiddenWrongType: Rule(.contentExtension, .defaultContentHidden, .warns, .keys, "F7.5")
    case .titleWrongType: Rule(.contentExtension, .defaultContentHidden, .warns, .keys, "F7.6")
    case .interactionWrongType:
      Rule(.contentExtension, .contentExtInteraction, .warns, .keys, "F7.6")
    case .categoryOverlap:
      Rule(.contentExtension, .contentCategoryOverlap, .breaks, .keys, "F7.14")
    default: nil
    }
  }

  var entitlementRule: Rule? {
    switch what {
    case .apsMissing, .apsUnknown:
      Rule(.registration, .apsEntitlementMissing, .breaks, .entitlements, "F10.1", "F10.8")
    case .apsOfOther: Rule(.tokenEnvironment, .tokenEnvMismatch, .warns, .entitlements, "F10.1")
    case .hookingOff:
      Rule(.registration, .apnsTokenNotHandedToSdk, .informs, .keys, "F10.3")
    case .levelOnExtensionOnly(let key):
      Rule(
        .notificationSettings, .interruptionEntitlement, .breaks, .entitlements,
        key.hasSuffix("time-sensitive") ? "F6.9" : "F6.10")
    case .levelSwitchedOff(let key):
      Rule(
        .notificationSettings, .interruptionEntitlement, .warns, .entitlements,
        key.hasSuffix("time-sensitive") ? "F6.9" : "F6.10")
    case .communicationWithoutActivity, .communicationOnExtension:
      Rule(.communicationIntent, .communicationEntitlement, .breaks, .entitlements, "F6.1")
    case .activityWithoutCommunication:
      Rule(.communicationIntent, .communicationEntitlement, .warns, .entitlements, "F6.1")
    case .filteringOnApp:
      Rule(.contentApplied, .filterEntitlement, .breaks, .entitlements, "F4.50")
    case .groupsApart, .groupMissing:
      Rule(
        isHandOff ? .stagedInGroup : .sharedStorage, .appGroupMissing, .warns, .groups, "§12",
        isHandOff ? "F12.13" : "F5.15")
    case .keychainApart: Rule(.sharedStorage, .keychainGroup, .warns, .groups, "§12")
    default: nil
    }
  }

  var appRule: Rule? {
    switch what {
    case .transportOnlyInApp: Rule(.mediaDownload, .atsBlocked, .informs, .keys, "§12")
    case .transportUnknownKey: Rule(.mediaDownload, .atsBlocked, .warns, .keys, "§12")
    case .modesWrongType: Rule(.backgroundMode, .backgroundModeMissing, .breaks, .keys, "F8.1")
    case .modeMisspelled: Rule(.backgroundMode, .backgroundModeMissing, .breaks, .keys, "F8.1")
    case .liveActivitiesOff, .liveActivitiesWrongType:
      Rule(.laSupported, .laNotSupported, .breaks, .keys, "F9.6")
    case .liveActivitiesWithoutWidget:
      Rule(.laSupported, .laNotSupported, .warns, .keys, "F9.6")
    case .liveActivitiesMisspelled: Rule(.laBudget, .laBudget, .warns, .keys, "F9.6", "F9.7")
    default: nil
    }
  }

  var handOffRule: Rule {
    switch what {
    case .truePredicate(let distribution):
      Rule(.activationRule, .truePredicate, severity(ofTrue: distribution), .rule, "F12.5")
    case .predicateMalformed:
      Rule(.activationRule, .activationPredicateMalformed, .breaks, .rule, "F12.6")
    case .ruleWrongType, .ruleUnsatisfiable:
      Rule(.activationRule, .activationRuleMismatch, .breaks, .rule, "F12.2", "F12.3")
    case .rulesOverlap:
      Rule(.activationRule, .activationRuleMismatch, .informs, .rule, "F12.4")
    case .nameMissing, .nameAbsent:
      Rule(.activationRule, .displayNameMissing, .warns, .name, "§12")
    case .openURLSelector:
      Rule(.hostOpened, .hostOpenNotSupported, .warns, .handOff, "F12.9", "F12.10", "F12.11")
    case .schemeNotRegistered:
      Rule(.hostOpened, .hostOpenNotSupported, .warns, .handOff, "§12", "F12.9")
    default:
      // What is left are keys and values of a dictionary rule.
      Rule(.activationRule, .activationRuleMismatch, .warns, .rule, "F12.3")
    }
  }

  /// An always true rule serves debugging; only where a build may go to the store does it stop it.
  private func severity(ofTrue distribution: String?) -> Severity {
    switch distribution {
    case "debug", "simulator": .informs
    case nil: .warns
    default: .breaks
    }
  }

  private var isHandOff: Bool { kind == .action || kind == .share }
}
