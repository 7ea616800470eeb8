import PushModel

extension MessageRows {
  /// What SDKs in a service extension print. Where a line says the same as an event of the device
  /// log, it becomes that event, with `sdk`; the rest are notes. `print` never reaches the log of
  /// a phone, so the silence of an SDK proves nothing.
  static let sdks: [MessageShape] = firebase + oneSignal + airship + customerIo + others

  private static func note(
    _ pattern: String, _ sdk: Word, _ part: MessageShape.Part?, _ sense: MessageShape.Sense,
    step: StepID? = nil, cause: CauseID? = nil, fields: [MessageShape.Field] = [],
    _ grade: MessageShape.Grade = .source, sample: String
  ) -> MessageShape {
    MessageShape(
      .systemSdkNote, pattern, fields: fields, says: [.sdk: sdk], part, sense, step: step,
      cause: cause, grade, sample: sample)
  }

  private static let firebase: [MessageShape] = [
    note(
      "[I-FCM020000]", .fcm, .extensionRan, .failed, step: .mediaDownload, cause: .urlInvalid,
      sample: "10.7.0 - [FirebaseMessaging][I-FCM020000] The Image URL provided is invalid"),
    MessageShape(
      .nseDownloadFinished, "[I-FCM020001]", fields: errorFields, says: [.sdk: .fcm],
      .extensionRan, .failed, step: .mediaDownload, .source,
      sample: """
        10.7.0 - [FirebaseMessaging][I-FCM020001] Failed to download image given URL, Error \
        Domain=NSURLErrorDomain Code=-1001 "timed out"
        """),
    note(
      "[I-FCM020002]", .fcm, .extensionRan, .failed, step: .mediaFile,
      sample: "10.7.0 - [FirebaseMessaging][I-FCM020002] Failed to move the image file"),
    MessageShape(
      .nseAttachmentFailed, "[I-FCM020003]", fields: errorFields, says: [.sdk: .fcm],
      .attachments, .failed, step: .mediaFile, .source,
      sample: """
        10.7.0 - [FirebaseMessaging][I-FCM020003] Failed to create attachment: Error \
        Domain=UNErrorDomain Code=101 "Unrecognized attachment file type"
        """),
    note(
      "[I-FCM002005]", .fcm, nil, .note,
      sample: "10.7.0 - [FirebaseMessaging][I-FCM002005] Delivery export failed"),
    note(
      "[I-FCM002006]", .fcm, nil, .note,
      sample: "10.7.0 - [FirebaseMessaging][I-FCM002006] Delivery export failed"),
    note(
      "[I-FCM002007]", .fcm, nil, .note,
      sample: "10.7.0 - [FirebaseMessaging][I-FCM002007] Delivery export failed"),
    note(
      "[I-FCM002022]", .fcm, .request, .failed, step: .registration,
      cause: .apnsTokenNotHandedToSdk,
      sample: "10.7.0 - [FirebaseMessaging][I-FCM002022] No APNS token yet"),
  ]

  private static let oneSignal: [MessageShape] = [
    MessageShape(
      .nseDidReceive, "NSE request received", says: [.sdk: .onesignal],
      .extensionRan, .begun, step: .didReceive, .source,
      sample: "VERBOSE: NSE request received, sessionId"),
    MessageShape(
      .nseRouted, "onNotificationReceived sendReceiveReceipt with delay:",
      says: [.sdk: .onesignal], .extensionRan, .note, step: .extensionRouting, .source,
      sample: "VERBOSE: onNotificationReceived sendReceiveReceipt with delay: 3"),
    note(
      "Success for playerId", .onesignal, .extensionRan, .note,
      sample: "VERBOSE: Success for playerId: <private>"),
    note(
      "Failed for playerId", .onesignal, .extensionRan, .note,
      sample: "ERROR: Failed for playerId: <private>"),
    MessageShape(
      .nseSharedStorageFailed, "appId not available from shared UserDefaults",
      says: [.sdk: .onesignal, .what: .appGroup],
      .extensionRan, .failed, step: .sharedStorage, cause: .appGroupMissing, .source,
      sample: "ERROR: appId not available from shared UserDefaults!"),
    note(
      "Receieve receipts disabled", .onesignal, .extensionRan, .note,
      sample: "VERBOSE: Receieve receipts disabled"),
    note(
      "attempting to download file with URL", .onesignal, .extensionRan, .failed,
      step: .mediaDownload,
      sample: "ERROR: Encountered an error while attempting to download file with URL: <private>"),
  ]

  /// Its texts are private unless the app picked the public logger.
  private static let airship: [MessageShape] = [
    MessageShape(
      .nseDidReceive, "New request received", category: "AirshipNotificationExtension",
      says: [.sdk: .airship], .extensionRan, .begun, step: .didReceive, .source,
      sample: "[D] Extension didReceive [Line 31] New request received: order-48213"),
    MessageShape(
      .nseRouted, "no Airship args: {identifier}", says: [.sdk: .airship, .recognised: .falseText],
      .extensionRan, .note, step: .extensionRouting, .source,
      sample: "[D] Extension didReceive [Line 37] no Airship args: order-48213"),
    MessageShape(
      .nseRouted, "Found Airship arguments for request {identifier}",
      says: [.sdk: .airship, .recognised: .trueText],
      .extensionRan, .done, step: .extensionRouting, .source,
      sample: """
        [D] Extension didReceive [Line 41] Found Airship arguments for request order-48213
        """),
    note(
      "Failed to apply mutations to request {identifier}", .airship, .extensionRan, .failed,
      step: .mediaDownload,
      sample: "[E] Extension didReceive [Line 55] Failed to apply mutations to request order-48213"
    ),
    MessageShape(
      .nseHandlerCalled, "Finished processing request: {identifier}", says: [.sdk: .airship],
      .content, .done, step: .handlerTiming, .source,
      sample: "[D] Extension didReceive [Line 60] Finished processing request: order-48213"),
    MessageShape(
      .nseWillExpire, "serviceExtensionTimeWillExpire expiring", says: [.sdk: .airship],
      .extensionRan, .failed, step: .handlerTiming, .source,
      sample: "[E] Extension expire [Line 80] serviceExtensionTimeWillExpire expiring"),
  ]

  private static let customerIo: [MessageShape] = [
    MessageShape(
      .nseDidReceive,
      """
      NSE coordinator: starting parallel delivery metric + rich push (deliveryId: \
      {delivery_id:word}, request: {identifier}
      """,
      says: [.sdk: .customerIo],
      .extensionRan, .begun, step: .didReceive, .source,
      sample: """
        [CIO] NSE coordinator: starting parallel delivery metric + rich push (deliveryId: d-1, \
        request: order-48213)
        """),
    note(
      "rich push step finished", .customerIo, .extensionRan, .note,
      sample: "[CIO] NSE coordinator: rich push step finished"),
    note(
      "delivery metric step finished", .customerIo, .extensionRan, .note,
      sample: "[CIO] NSE coordinator: delivery metric step finished"),
    note(
      "cancel ... best-effort content", .customerIo, .extensionRan, .failed,
      step: .handlerTiming,
      sample: "[CIO] NSE coordinator: cancel, handing over best-effort content"),
    note(
      "Rich push processing failed.", .customerIo, .extensionRan, .failed, step: .mediaDownload,
      sample: "[CIO] Rich push processing failed."),
  ]

  private static let others: [MessageShape] = [
    MessageShape(
      .nseAttachmentFailed, "unable to add attachment:", fields: errorFields,
      says: [.sdk: .clevertap], .attachments, .failed, step: .mediaFile, .source,
      sample: "unable to add attachment: Error Domain=UNErrorDomain Code=101"),
    MessageShape(
      .nseDidReceive, "[APPBOY] Push with mutable content received", says: [.sdk: .braze],
      .extensionRan, .begun, step: .didReceive, .source,
      sample: "[APPBOY] Push with mutable content received."),
    MessageShape(
      .nseWillExpire, "Extension time will expire", says: [.sdk: .elementX],
      .extensionRan, .failed, step: .handlerTiming, .source,
      sample: "NSE: Extension time will expire"),
    MessageShape(
      .nseHandlerCalled, "Delivering notification", by: ["NSE"], needsProcess: true,
      says: [.sdk: .elementX], .content, .done, step: .handlerTiming, .source,
      sample: "Delivering notification"),
    note(
      "Discarding notification", .elementX, .presented, .withheld,
      sample: "NSE: Discarding notification"),
    MessageShape(
      .nseDidReceive, "APNSAttachmentService started!", says: [.sdk: .homeAssistant],
      .extensionRan, .begun, step: .didReceive, .source,
      sample: "didReceive > APNSAttachmentService started!"),
  ]
}
