import PushModel

extension StepID {
  /// What the step's own rule says about a chain: codes and places, no text. The rule is a function in
  /// the step's file; the engine has checked that the step matters for what was meant.
  ///
  /// A switch, and not a value of the step: the context of a stored function would be retained and
  /// released for every step of every chain. Each rule's result goes straight to where it stays.
  @inline(__always)
  func judge(_ chain: borrowing Chain, _ seen: Sightings, into result: inout StepResult) {
    switch self {
    case .registration: result = judgeRegistration(chain, seen)
    case .providerAuth: result = judgeProviderAuth(chain, seen)
    case .tokenShape: result = judgeTokenShape(chain, seen)
    case .tokenEnvironment: result = judgeTokenEnvironment(chain, seen)
    case .tokenCurrent: result = judgeTokenCurrent(chain, seen)
    case .topic: result = judgeTopic(chain, seen)
    case .pushType: result = judgePushType(chain, seen)
    case .priorityAndExpiration: result = judgePriority(chain, seen)
    case .requestShape: result = judgeRequestShape(chain, seen)
    case .apnsAccepted: result = judgeAccepted(chain, seen)
    case .visibleAlert: result = judgeVisibleAlert(chain, seen)
    case .mutableContent: result = judgeMutableContent(chain, seen)
    case .category: result = judgeCategory(chain, seen)
    case .pathToDevice: result = judgePath(chain, seen)
    case .notificationSettings: result = judgeSettings(chain, seen)
    case .extensionEmbedded: result = judgeEmbedded(chain, seen)
    case .extensionPoint: result = judgeExtensionPoint(chain, seen)
    case .extensionMinimumOs: result = judgeExtensionMinimumOs(chain, seen)
    case .extensionLoads: result = judgeLoads(chain, seen)
    case .didReceive: result = judgeDidReceive(chain, seen)
    case .extensionRouting: result = judgeRouting(chain, seen)
    case .sharedStorage: result = judgeStorage(chain, seen)
    case .mediaDownload: result = judgeMediaDownload(chain, seen)
    case .mediaFile: result = judgeMediaFile(chain, seen)
    case .extensionMemory: result = judgeMemory(chain, seen)
    case .communicationIntent: result = judgeCommunication(chain, seen)
    case .handlerTiming: result = judgeHandler(chain, seen)
    case .contentApplied: result = judgeApplied(chain, seen)
    case .presentation: result = judgePresentation(chain, seen)
    case .contentExtension: result = judgeContentExtension(chain, seen)
    case .backgroundPayload: result = judgeBackgroundPayload(chain, seen)
    case .backgroundMode: result = judgeBackgroundMode(chain, seen)
    case .appWakeable: result = judgeWakeable(chain, seen)
    case .backgroundHandled: result = judgeBackgroundHandled(chain, seen)
    case .laSupported: result = judgeLASupported(chain, seen)
    case .laPayload: result = judgeLAPayload(chain, seen)
    case .laBudget: result = judgeLABudget(chain, seen)
    case .laState: result = judgeLAState(chain, seen)
    case .callReported: result = judgeCallReported(chain, seen)
    case .actionsOffered: result = judgeActions(chain, seen)
    case .responseRouted: result = judgeResponseRouting(chain, seen)
    case .responseHandled: result = judgeHandling(chain, seen)
    case .activationRule: result = judgeActivation(chain, seen)
    case .itemsLoaded: result = judgeItems(chain, seen)
    case .stagedInGroup: result = judgeStaging(chain, seen)
    case .mailboxWritten: result = judgeMailbox(chain, seen)
    case .hostOpened: result = judgeHost(chain, seen)
    case .urlReceived: result = judgeURL(chain, seen)
    case .mailboxDrained: result = judgeDraining(chain, seen)
    case .requestCompleted: result = judgeCompletion(chain, seen)
    }
  }
}
