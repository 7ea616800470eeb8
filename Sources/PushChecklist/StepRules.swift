import PushModel

extension StepID {
  /// What the step's own rule says about a chain: codes and places, no text. The rule is a function in
  /// the step's file; the engine has checked that the step matters for what was meant.
  ///
  /// A switch, and not a value of the step: the context of a stored function would be retained and
  /// released for every step of every chain.
  @inline(__always)
  func judge(_ chain: borrowing Chain, _ seen: Sightings) -> StepResult {
    switch self {
    case .registration: judgeRegistration(chain, seen)
    case .providerAuth: judgeProviderAuth(chain, seen)
    case .tokenShape: judgeTokenShape(chain, seen)
    case .tokenEnvironment: judgeTokenEnvironment(chain, seen)
    case .tokenCurrent: judgeTokenCurrent(chain, seen)
    case .topic: judgeTopic(chain, seen)
    case .pushType: judgePushType(chain, seen)
    case .priorityAndExpiration: judgePriority(chain, seen)
    case .requestShape: judgeRequestShape(chain, seen)
    case .apnsAccepted: judgeAccepted(chain, seen)
    case .visibleAlert: judgeVisibleAlert(chain, seen)
    case .mutableContent: judgeMutableContent(chain, seen)
    case .category: judgeCategory(chain, seen)
    case .pathToDevice: judgePath(chain, seen)
    case .notificationSettings: judgeSettings(chain, seen)
    case .extensionEmbedded: judgeEmbedded(chain, seen)
    case .extensionPoint: judgeExtensionPoint(chain, seen)
    case .extensionMinimumOs: judgeExtensionMinimumOs(chain, seen)
    case .extensionLoads: judgeLoads(chain, seen)
    case .didReceive: judgeDidReceive(chain, seen)
    case .extensionRouting: judgeRouting(chain, seen)
    case .sharedStorage: judgeStorage(chain, seen)
    case .mediaDownload: judgeMediaDownload(chain, seen)
    case .mediaFile: judgeMediaFile(chain, seen)
    case .extensionMemory: judgeMemory(chain, seen)
    case .communicationIntent: judgeCommunication(chain, seen)
    case .handlerTiming: judgeHandler(chain, seen)
    case .contentApplied: judgeApplied(chain, seen)
    case .presentation: judgePresentation(chain, seen)
    case .contentExtension: judgeContentExtension(chain, seen)
    case .backgroundPayload: judgeBackgroundPayload(chain, seen)
    case .backgroundMode: judgeBackgroundMode(chain, seen)
    case .appWakeable: judgeWakeable(chain, seen)
    case .backgroundHandled: judgeBackgroundHandled(chain, seen)
    case .laSupported: judgeLASupported(chain, seen)
    case .laPayload: judgeLAPayload(chain, seen)
    case .laBudget: judgeLABudget(chain, seen)
    case .laState: judgeLAState(chain, seen)
    case .callReported: judgeCallReported(chain, seen)
    case .actionsOffered: judgeActions(chain, seen)
    case .responseRouted: judgeResponseRouting(chain, seen)
    case .responseHandled: judgeHandling(chain, seen)
    case .activationRule: judgeActivation(chain, seen)
    case .itemsLoaded: judgeItems(chain, seen)
    case .stagedInGroup: judgeStaging(chain, seen)
    case .mailboxWritten: judgeMailbox(chain, seen)
    case .hostOpened: judgeHost(chain, seen)
    case .urlReceived: judgeURL(chain, seen)
    case .mailboxDrained: judgeDraining(chain, seen)
    case .requestCompleted: judgeCompletion(chain, seen)
    }
  }
}
