/// How often each cause is planted, in parts of a million of the notifications that it can meet.
enum FaultTables {
  struct Row: Sendable {
    let cause: PlantedCause
    let partsPerMillion: Int

    init(_ cause: PlantedCause, _ partsPerMillion: Int) {
      self.cause = cause
      self.partsPerMillion = partsPerMillion
    }
  }

  /// Refusals: met by any notification.
  static let refusals: [Row] = [
    Row(.providerAuthInvalid, 2200), Row(.providerJwtExpired, 1600), Row(.providerJwtChurn, 900),
    Row(.providerKeyScope, 700), Row(.tokenWrongSystem, 1300), Row(.tokenMalformed, 1000),
    Row(.tokenKindMismatch, 800), Row(.tokenEnvMismatch, 3200), Row(.topicMissing, 700),
    Row(.topicSuffix, 800), Row(.topicWrong, 1200), Row(.expirationInMilliseconds, 1100),
    Row(.collapseIdTooLong, 800), Row(.payloadTooLarge, 700), Row(.requestMalformed, 1000),
    Row(.apnsThrottled, 1800),
  ]

  /// Payload and header faults that APNs accepts, by kind.
  static func payload(_ kind: Kind) -> [Row] {
    switch kind {
    case .plain: plainPayload
    case .media, .communication: mutablePayload
    case .customView: viewPayload
    case .actions: actionPayload
    case .silent: silentPayload
    }
  }

  private static let plainPayload = [
    Row(.noAlert, 2000), Row(.pushTypeMismatch, 2200), Row(.soundMissing, 2600),
  ]
  private static let mutablePayload = [
    Row(.noAlert, 2500), Row(.mutableContentOff, 5000), Row(.mutableContentFraction, 1600),
    Row(.mutableKeySpellingNesting, 3500),
  ]
  private static let viewPayload = [
    Row(.noAlert, 2500), Row(.mutableContentOff, 4000), Row(.mutableKeySpellingNesting, 3000),
    Row(.categoryMissing, 12000), Row(.categoryNotInPlist, 20000),
  ]
  private static let actionPayload = [Row(.noAlert, 2000), Row(.categoryMissing, 14000)]
  private static let silentPayload = [
    Row(.pushTypeMismatch, 9000), Row(.priorityBackground, 16000),
    Row(.priorityMissingForBackground, 8000), Row(.alertInBackgroundPush, 9000),
  ]

  /// Faults of an extension's run, by kind.
  static func run(_ kind: Kind) -> [Row] {
    kind == .communication ? communicationRun : mediaRun
  }

  private static let mediaRun = [
    Row(.extCrashAtLaunch, 4000), Row(.sdkRouting, 4500), Row(.keychainLocked, 3000),
    Row(.urlInvalid, 3500), Row(.atsBlocked, 2000), Row(.mediaHostUnreachable, 7000),
    Row(.mediaTls, 3000), Row(.mediaHttpStatus, 8500), Row(.fileExtensionMissing, 4200),
    Row(.typeHintNotUti, 2200), Row(.unsupportedFormat, 3600), Row(.attachmentTooLarge, 2800),
    Row(.attachmentUrlInvalid, 2000), Row(.extMemory, 3600), Row(.contentHandlerNever, 4000),
    Row(.contentHandlerLate, 2800), Row(.contentHandlerTwice, 2400), Row(.downloadTooSlow, 5000),
    Row(.expiryReturnsWrongContent, 2000),
  ]
  private static let communicationRun = [
    Row(.extCrashAtLaunch, 4000), Row(.sdkRouting, 5000), Row(.keychainLocked, 6000),
    Row(.interactionNotDonated, 8000), Row(.intentParticipants, 6000),
    Row(.intentNotApplied, 6000), Row(.intentImage, 8000), Row(.updatedContentModified, 6000),
    Row(.contentHandlerNever, 4000), Row(.contentHandlerLate, 2500),
  ]

  /// Faults of an expanded view.
  static let view = [
    Row(.contentExtFailed, 55000), Row(.contentExtAttachment, 50000), Row(.contentExtSlow, 50000),
  ]

  /// Notifications with two faults at once.
  static let pairsPerMillion = 4500
  /// Shown notifications with a local copy beside them.
  static let duplicateLocalCopy = 3000
  /// Notifications that come while the app is in front and whose delegate shows nothing.
  static let foregroundDelegate = 45000
  /// Silent notifications that iOS drops by its own choice (F8.2).
  static let backgroundBestEffort = 40000
  /// Woken apps that do not finish.
  static let backgroundNotCompleted = 15000

  static func draw(_ rows: [Row], _ random: inout RandomSource) -> PlantedCause? {
    var at = random.below(1_000_000)
    for row in rows {
      at -= row.partsPerMillion
      if at < 0 { return row.cause }
    }
    return nil
  }
}
