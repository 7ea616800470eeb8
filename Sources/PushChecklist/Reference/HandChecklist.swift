public import PushModel

/// What people check by hand when a rich notification comes plain: twelve steps and twelve
/// questions, in our words, each with the step, cause and example that answers it.
public enum HandChecklist {
  /// One claim of a checklist done by hand.
  public struct Claim: Sendable {
    /// The claim, or the question.
    public let text: String
    /// What is right about it, and what is not.
    public let remark: String
    /// The step that answers it.
    public let step: StepID
    /// The cause that is named where it fails.
    public let cause: CauseID
    /// Title of the example that shows it.
    public let example: String

    init(
      _ text: String, _ remark: String, _ step: StepID, _ cause: CauseID, _ example: String
    ) {
      self.text = text
      self.remark = remark
      self.step = step
      self.cause = cause
      self.example = example
    }

    /// The example, nil if the step has none of this title.
    public var shown: Example? {
      Checklist.step(step)?.examples.first { $0.title == example }
    }
  }

  /// The twelve steps, in the order in which people do them.
  public static let steps: [Claim] = [
    Claim(
      "Send with `apns-push-type: alert`.",
      """
      Type background with an alert shows nothing and starts no extension; without the header \
      visible notifications survive on iPhone.
      """, .pushType, .pushTypeMismatch, "type background with an alert"),
    Claim(
      "Put `mutable-content: 1` into `aps`.",
      "Any number of 1 or more is on; another spelling, or a place beside `aps`, does nothing.",
      .mutableContent, .mutableContentOff, "no spelling of it anywhere"),
    Claim(
      "Have an `alert` with some text.",
      "Title, subtitle or body will do, also as a plain string; a badge or sound alone will not.",
      .visibleAlert, .noAlert, "an empty alert with the flag on"),
    Claim(
      "Look whether the `.appex` is in the app's PlugIns.",
      "In the installed app, not in the project; a wrong wrapper suffix counts as absent.",
      .extensionEmbedded, .appexNotEmbedded, "none in PlugIns"),
    Claim(
      "Have the extension's bundle id begin with the app's.",
      "The app's id, a dot, and one part more, in every flavour.",
      .extensionEmbedded, .extBundlePrefix, "the id does not begin with the app's"),
    Claim(
      "Compare the deployment targets of app and extension.",
      "It matters that the extension's is not above the phone's iOS; equal targets are advice.",
      .extensionMinimumOs, .extMinOs, "18 on a 17.4 phone"),
    Claim(
      "Read the extension point in the built Info.plist.",
      "Letter by letter; a lookalike is found by nobody.",
      .extensionPoint, .wrongExtensionPoint, "another text"),
    Claim(
      "Read the principal class in the built Info.plist.",
      "Swift wants the module's name before it, Objective-C must not have it.",
      .extensionLoads, .principalClass, "Swift class without its module, no run"),
    Claim(
      "Call the content handler on every path.",
      "Once on each: the first call wins, and a path without one ends in the original text.",
      .handlerTiming, .contentHandlerNever, "warning, no call, whole log"),
    Claim(
      "Stay below 30 seconds, and implement the expiry method.",
      "The time of starting the process counts, and the warning comes about a second before.",
      .handlerTiming, .contentHandlerLate, "called after 31 seconds"),
    Claim(
      "Name the downloaded file so that its type is known.",
      "The hint, else the name's ending decides; the bytes are not looked at.",
      .mediaFile, .fileExtensionMissing, "101 for a JPEG"),
    Claim(
      "Put app and extension into one App Group.",
      "Only where something is shared: attachments need no group.",
      .sharedStorage, .appGroupMissing, "the group is missing on one side"),
  ]

  /// The twelve questions, in the order in which people ask them.
  public static let questions: [Claim] = [
    Claim(
      "Did APNs answer 200, or only the gateway?",
      "A gateway's own 200 says nothing of APNs; and 200 of APNs does not mean shown.",
      .tokenCurrent, .tokenUnregistered, "a receipt behind the gateway's 200"),
    Claim(
      "Is the token one of sandbox or of production?",
      "Builds from Xcode and simulators are sandbox, TestFlight and the store are production.",
      .tokenEnvironment, .tokenEnvMismatch, "TestFlight build, sandbox host"),
    Claim(
      "Is the topic exactly the app's bundle id?",
      "Plus the suffix of the push type, where it has one.",
      .topic, .topicWrong, "the topic of another flavour"),
    Claim(
      "Is it still the newest token of that phone?",
      "An older one is answered 200 too and shows nothing.",
      .tokenCurrent, .staleToken200, "a newer token was registered an hour before"),
    Claim(
      "Are alerts switched on, and is no Focus in the way?",
      "With alerts off the service extension does not run either.",
      .notificationSettings, .notificationsDenied, "alerts off"),
    Claim(
      "Does a breakpoint in `didReceive` stop?",
      "Only with the debugger on the extension's process; a log without gaps is the better proof.",
      .didReceive, .localNotification, "scheduled by the app itself"),
    Claim(
      "Can the phone reach the URL, without a login, over https?",
      "From where the phone is; a login page comes with 200.",
      .mediaDownload, .mediaHttpStatus, "200 with a login page"),
    Claim(
      "Does iOS attach that format, and is it small enough?",
      "WebP is not attached; pictures may have 10 MB, sound 5, film 50.",
      .mediaFile, .unsupportedFormat, "101 for a WebP"),
    Claim(
      "Is the extension within its memory?",
      "The limit is far below the app's and nowhere published; a kill looks like a plain result.",
      .extensionMemory, .extMemory, "killed at the limit"),
    Claim(
      "Is the keychain item readable on a locked phone?",
      "Most notifications come while it is locked.",
      .sharedStorage, .keychainLocked, "-25308 on a locked phone"),
    Claim(
      "Is the category registered, and does the extension claim it?",
      "Registered for buttons, claimed for the view; the names are compared with their case.",
      .category, .categoryNotRegistered, "not among the registered"),
    Claim(
      "For avatars: capability, donation, and the result unchanged?",
      "The capability belongs to the app, the donation comes before the update.",
      .communicationIntent, .updatedContentModified, "changed after the update"),
  ]

  /// The page: claim by claim.
  public static func page() -> String {
    var page = ReferencePage()
    page.heading(1, "What people check by hand")
    page.line(
      """
      Twelve steps and twelve questions that people go through when a notification comes plain, \
      what is right about each, and where the program answers it.
      """)
    for (title, claims) in [("Twelve steps", steps), ("Twelve questions", questions)] {
      page.heading(2, title)
      page.table(
        ["", "claim", "what is right about it", "step", "cause", "example"],
        claims.enumerated().map { number, claim in
          let step = claim.step.rawValue
          let cause = claim.cause.rawValue
          return [
            "\(number + 1)", claim.text, claim.remark, "[`\(step)`](steps/\(step).md)",
            "[`\(cause)`](causes/\(cause).md)", claim.example,
          ]
        })
    }
    return page.markdown
  }
}
