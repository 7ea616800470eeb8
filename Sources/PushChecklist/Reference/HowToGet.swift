public import PushModel

extension Need {
  /// What the evidence is, and how to get it; one sentence or two, with the command where there is one.
  public var howToGet: String {
    switch self {
    case .sendResponse:
      """
      What APNs (or the gateway) answered: status, `apns-id` and the JSON body. Log them with every \
      request, or repeat one with `curl -v --http2`.
      """
    case .sendHeaders:
      """
      The request's headers as sent: `apns-topic`, `apns-push-type`, `apns-priority`, \
      `apns-expiration`. Log them where the request is built.
      """
    case .sendToken:
      "The token's text as sent; its first and last four characters and its length do."
    case .sendTokenKind:
      "Which callback the token came from: app, PushKit, or the activity's start or update token."
    case .sendTokenEnvironment:
      "`aps-environment` of the build that made this token; store it with the token."
    case .sendTokenRegistered: "When the app last sent this token to the server."
    case .sendEnvironment: "The host that the request went to: production or sandbox."
    case .sendHost: "The host or endpoint setting, whole, as it stands in the configuration."
    case .sendRequest: "The request body that the gateway got, as JSON."
    case .sendPayload: "The JSON body as it leaves the server, whole; print it before sending."
    case .sendSentAt: "When it was sent, with a time zone."
    case .sends:
      "The other sends to this phone in that time, and whether it was sent once or twice."
    case .sendCredential:
      """
      Which key or certificate is used: its environment and topics. For a certificate: \
      `openssl x509 -in cert.pem -noout -subject -dates`.
      """
    case .sendJWT: "`iat`, `kid` and `iss` of the JWT, and whether each request makes a new one."
    case .sendReceipt: "The gateway's later delivery record for this message (receipt, error log)."
    case .sendExpects: "What it was meant to be: picture, person, buttons, or plain text."
    case .receivedPayload:
      "The payload as it arrived: `request.content.userInfo` in the extension, or in the app."
    case .appEntitlements:
      """
      Entitlements of the signed app: `codesign -d --entitlements - Payload/App.app`, or for an \
      `.ipa` after `unzip`.
      """
    case .appInfo: "Info.plist of the built app: `plutil -p Payload/App.app/Info.plist`."
    case .appPlugins: "What is in the built app: `unzip -l App.ipa | grep PlugIns`."
    case .appDistribution: "How that build was installed: Xcode, ad hoc, TestFlight or App Store."
    case .appBundleID: "The bundle id of the signed app: `CFBundleIdentifier` in its Info.plist."
    case .appCategories:
      "The set that the app registers: print it where `setNotificationCategories` is called."
    case .appState: "Whether the app was in front, in the background, not running or swiped away."
    case .appDelegate:
      """
      Which object is `UNUserNotificationCenter.current().delegate` when it arrives, whether it \
      implements `willPresent`, and what it answers.
      """
    case .appCallbacks:
      "Whether both registration callbacks are in this build; set a log line in each."
    case .appFrameworks: "Names and versions of the SDKs in app and extension."
    case .extensionInfo:
      """
      Info.plist of the built `.appex`: `plutil -p Payload/App.app/PlugIns/*.appex/Info.plist`.
      """
    case .extensionMinimumOS:
      "`MinimumOSVersion` of the built `.appex`: it stands in its Info.plist."
    case .extensionEntitlements:
      "Entitlements of the built `.appex`: `codesign -d --entitlements - PlugIns/*.appex`."
    case .extensionLinks: "Its libraries: `otool -L PlugIns/Name.appex/Name`."
    case .extensionCode:
      "The extension's code between `didReceive` and the handler, all paths, and its expiry method."
    case .deviceOS: "The iOS version of the phone: Settings, General, About."
    case .deviceSettings:
      """
      The app's notification settings on that phone (`getNotificationSettings`), Focus and the \
      scheduled summary.
      """
    case .deviceNetwork: "Network, VPN and filters on the phone; try once on mobile data."
    case .deviceOnline: "When the phone was offline, and since when it is online again."
    case .deviceTokens: "All tokens that this installation ever sent, with their times."
    case .deviceLock:
      "Whether the phone was locked, and unlocked at least once since it was started."
    case .eventsExtension:
      "A log that the extension itself writes: `didReceive`, download, attachment, handler."
    case .eventsApp: "The app's own log lines about registration, presentation and taps."
    case .eventsContentExtension: "A log that the content extension writes when it is expanded."
    case .eventsSequence:
      "A counter in the device log, so that a missing line is known to be missing."
    case .log:
      """
      The phone's log of that minute: `sudo log collect --device --last 10m`, then `log show \
      --predicate 'process == "SpringBoard" OR process == "apsd" OR subsystem CONTAINS \
      "usernotifications"'`.
      """
    case .crashReport:
      """
      Crash and memory reports of the extension: Settings, Privacy, Analytics Data, files named \
      after it or `JetsamEvent`.
      """
    case .media: "The file meant to be shown: address, status, type and size."
    case .mediaURL: "The address of the file, as it arrived in the payload."
    case .mediaFileName: "The name under which the extension stores the file before it attaches it."
    case .mediaContentType: "`Content-Type` of the file: `curl -sIL URL`."
    case .mediaTypeHint: "The type hint in the code (`UNNotificationAttachmentOptionsTypeHintKey`)."
    case .mediaHTTPStatus: "The final status of the file's address: `curl -sIL URL`."
    case .mediaBytes: "The size of the file: `curl -sIL URL | grep -i content-length`."
    case .mediaTLS: "The certificate chain: `openssl s_client -connect HOST:443`."
    case .mediaMagic: "What the bytes are, whatever the name says: `curl -sL URL | file -`."
    case .observed: "One case that works beside one that does not, differing in one thing."
    case .claims: "What somebody says without showing it; never evidence."
    }
  }
}
