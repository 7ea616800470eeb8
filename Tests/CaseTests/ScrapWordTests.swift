import PushChecklist
import PushIngest
import PushModel
import Testing

/// Free text of case files is read word by word: parts of words mean nothing.
@Suite struct ScrapWordTests {
  @Test(
    "a phone counts as out of reach by the words for it alone",
    arguments: [
      ("off", true), ("turned off", true), ("offline", true), ("Offline, in the cellar", true),
      ("no network", true), ("No Wi-Fi", true), ("none", true), ("airplane mode", true),
      ("no", true),
      ("office wifi", false), ("coffee shop", false), ("notion", false), ("casino wifi", false),
      ("wifi, no proxy", false), ("mobile data", false), ("slow 3g", false),
    ])
  func networkOff(_ network: String, isOff: Bool) throws {
    let list = try answer(
      CaseJSON.read(
        Array(
          """
          {"send": {"provider": "apns", "response": {"status": 200}},
           "device": {"network": "\(network)"}, "symptom": "nothing-arrived"}
          """.utf8)))
    #expect(list.entries.contains { $0.cause == .expiredWhileOffline } == isOff, "\(network)")
    #expect(list.cause == nil, "\(network)")
  }

  /// The cause of a line of the keychain that a process wrote, with more evidence beside it.
  private func cause(_ process: String, beside more: String = "") throws -> CauseID? {
    try answer(
      CaseJSON.read(
        Array(
          """
          {"log": [{"process": "\(process)", "message": "SecItemCopyMatching: -25308"}],
           \(more) "symptom": "plain-instead-of-rich"}
          """.utf8))
    ).cause
  }

  @Test(
    "a process whose words are those of an extension is one",
    arguments: [
      "Push", "CourierPush", "NotificationService", "PushServiceDev", "DoorbellNSE", "NSEHelper",
      "courier-ext", "com.acme.app.NotificationServiceExtension", "GymNotify", "AcmeRichPush2",
      "PushService[812]", "PushService(Foundation)",
      "/private/var/containers/Bundle/Application/A1/Acme.app/PlugIns/Alerts.appex/Alerts",
    ])
  func extensionByName(_ process: String) throws {
    #expect(try cause(process) == .keychainLocked, "\(process)")
  }

  @Test(
    "a process with such letters somewhere in its name is none, or it is open whether it is one",
    arguments: [
      "Context", "Sextant", "License", "Pushcart", "PushUps", "Enriched", "ServiceBook",
      "CustomerService", "Acme", "/private/var/containers/Bundle/Application/A1/Acme.app/AcmePush",
    ])
  func appByName(_ process: String) throws {
    #expect(try cause(process) == nil, "\(process)")
  }

  @Test(
    "what the case calls its app and its extensions goes before the words of a name",
    arguments: [
      ("Push", #""app": {"bundle_id": "com.acme.push"},"#, false),
      ("AcmePush", #""app": {"info": {"CFBundleExecutable": "AcmePush"}},"#, false),
      ("Acme Push", #""app": {"info": {"CFBundleName": "Acme Push"}},"#, false),
      ("Alerts", #""app": {"plugins": ["Alerts.appex"]},"#, true),
      ("alerts", #""extensions": [{"kind": "service", "file": "PlugIns/Alerts.appex"}],"#, true),
      ("Decrypt", #""extensions": [{"kind": "service", "bundle_id": "com.acme.Decrypt"}],"#, true),
      (
        "Alerts",
        #""extensions": [{"kind": "service", "info": {"CFBundleExecutable": "Alerts"}}],"#,
        true
      ),
      // One name for both: it is open whose line it is.
      (
        "Push", #""app": {"bundle_id": "com.acme.push", "plugins": ["Push.appex"]},"#, false
      ),
      // Names of others say nothing.
      ("Push", #""app": {"bundle_id": "com.acme.courier", "plugins": ["Alerts.appex"]},"#, true),
    ])
  func names(_ process: String, _ more: String, isExtension: Bool) throws {
    #expect(
      try cause(process, beside: more) == (isExtension ? .keychainLocked : nil),
      "\(process) \(more)")
  }
}
