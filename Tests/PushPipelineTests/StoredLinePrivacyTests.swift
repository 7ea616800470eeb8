import Foundation
import PushIngest
import PushPipeline
import PushStore
import TestSupport
import Testing

/// Lines of text and rows are stored without what is private in them: titles, texts, addresses and
/// tokens that are planted in each format are found neither in the bytes of a database nor in the
/// lines that it has packed.
@Suite struct StoredLinePrivacyTests {
  private static let token = "46509a0312bcebd9c24cc006547bdc1946951ab1a308516ab4339fc93154ef78"
  private static let pushKey = "RlCaAxK869nCTMAGVHvcGUaVGrGjCFFqtDOfyTFU73g="
  private static let title = "Zebrafink Geheimnis"
  private static let body = "Anna wartet 4711 PIN 918273"
  private static let url = "https://cdn.example.org/photos/wunderbar-9f3.jpg?sig=Qx77"
  private static let secrets = [
    token, token.uppercased(), pushKey, "zebrafink", "geheimnis", "anna", "wartet", "918273",
    "4711", "photos", "wunderbar", "qx77", "rosis-iphone", "rosi", "00008030-000a1b2c3d4e5f60",
    "strasse", "room-geheim", "eyjhbgcioijfuzi1nij9", "sx9sig", "kx7hunter", "erika", "mustermann",
    "rlcaaxk869ncTMAGVHvcGU", "46509a03 12bcebd9",
  ]
  private static let credential =
    "eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJURUFNRVhBTVBMRSJ9.Sx9SigSx9SigSx9SigSx9Sig"

  private static let send =
    #"{"ts":"2026-03-01T10:00:00.104Z","status":0,"notification_id":"order-48213","topic":"com.example.courier","#
  private static let event =
    #"{"ts":"2026-03-01T10:00:02.6Z","seq":1,"device_id":"inst-1","bundle_id":"com.example.courier.Push","notification_id":"order-48213","#

  private static let sysHead = "2026-03-01 11:00:02.481233+0100"
  private static let received =
    "[com.example.courier] Received remote notification request DC15-EBDB [ waking: 0, "
    + "hasAlertContent: 1, hasMutableContent: 1 pushType: Alert] title=\(title) \(body) \(url)"
  private static let failed =
    "[com.example.courier] Did not mutate content for notification request, will deliver original "
    + "content; notificationRequest=DC15-EBDB, error=Error Domain=NSCocoaErrorDomain Code=4097 "
    + "\"\(body)\" UserInfo={url=\(url), NSLocalizedDescription=\(title)}, runtime: 1.559"

  /// Files of each format of text or rows, with what may and must be left of their lines.
  static let files: [(name: String, text: String, left: [String])] = [
    (
      "syslog.txt",
      "\(sysHead)  Rosis-iPhone SpringBoard[57]: (UserNotificationsServer) [com.apple.UserNotifications:RemoteNotifications] \(received)\n"
        + "\(sysHead)  Rosis-iPhone SpringBoard[57]: (UserNotificationsServer) \(failed)\n",
      ["DC15-EBDB", "SpringBoard[57]", "hasAlertContent: 1", "runtime: 1.559", "Code=4097"]
    ),
    (
      "default.txt",
      "Timestamp                       Thread     Type        Activity             PID    TTL\n"
        + "\(sysHead) 0xa35e     Default     0x0                  57     0    SpringBoard: (UserNotificationsServer) \(failed)\n",
      ["DC15-EBDB", "SpringBoard", "runtime: 1.559"]
    ),
    (
      "compact.txt",
      "2026-03-01 11:00:02.481 Df SpringBoard[57:a35e] (UserNotificationsServer) \(failed)\n",
      ["DC15-EBDB", "SpringBoard", "runtime: 1.559"]
    ),
    (
      "idevice.txt",
      "[connected:00008030-000A1B2C3D4E5F60]\n"
        + "Mar  1 11:00:02.481233 SpringBoard(UserNotificationsServer)[57] <Notice>: \(failed)\n    \(body)\n",
      ["Mar  1 11:00:02.481233", "<Notice>:", "DC15-EBDB", "runtime: 1.559"]
    ),
    (
      "old.txt",
      "Mar  1 11:00:02 Rosis-iPhone SpringBoard(UserNotificationsServer)[57] <Notice>: \(failed)\n",
      ["Mar  1 11:00:02", "DC15-EBDB", "runtime: 1.559"]
    ),
    (
      "colours.txt",
      "\u{1b}[0;37mMar  1 11:00:02.481233\u{1b}[0m \u{1b}[0;36mSpringBoard\u{1b}[0m(X)[57] <Notice>: \(failed)\n",
      ["Mar  1 11:00:02.481233 SpringBoard", "DC15-EBDB"]
    ),
    (
      "pymobiledevice.txt",
      "2026-03-01 11:00:02.481233 SpringBoard{UserNotificationsServer}[57] <NOTICE>: \(failed) [com.apple.UserNotifications][RemoteNotifications]\n",
      ["2026-03-01 11:00:02.481233", "<NOTICE>:", "DC15-EBDB"]
    ),
    (
      "console.txt", "default\t11:00:02.481233+0100\tSpringBoard\t\(failed)\n",
      ["default", "11:00:02.481233+0100", "SpringBoard", "DC15-EBDB"]
    ),
    (
      "app.log",
      "2026-03-01 11:00:02.861 [Verbose] [queue] [File.swift:22] nse.did_receive request_id=order-48213 title=\(title) body=\(body) url=\(url)\n",
      ["2026-03-01 11:00:02.861", "nse.did_receive", "order-48213"]
    ),
    (
      "console.ndjson",
      "{\"eventMessage\":\"\(failed.replacing("\"", with: "\\\""))\",\"eventType\":\"logEvent\",\"subsystem\":\"com.apple.UserNotifications\",\"processImagePath\":\"/System/SpringBoard\",\"timestamp\":\"2026-03-01 11:00:02.481233+0100\",\"messageType\":\"Default\",\"processID\":57}\n",
      ["DC15-EBDB", "Code=4097", "runtime: 1.559", "SpringBoard"]
    ),
    (
      "sygnal.log",
      "2026-03-01 10:00:00,104 [28411] INFO  sygnal.apnspushkin [17-3] Sending (attempt 0) => 5b0f4c1e-7a39-4d58-9a60-2f1d6c0be1aa APNs-ID:\(pushKey) room:!room-geheim:rosi.org, event:$e1\n"
        + "2026-03-01 10:00:00,371 [28411] INFO  sygnal.apnspushkin [17-4] APNs token \(token) for pushkin com.example.courier was rejected: 410 Unregistered \(body)\nTraceback: \(title)\n",
      [
        "2026-03-01 10:00:00,104", "5b0f4c1e-7a39-4d58-9a60-2f1d6c0be1aa", "RlCa…73g=", "$e1",
        "was rejected: 410 Unregistered", "4650…ef78",
      ]
    ),
    (
      "apns.log",
      "2026/03/01 10:00:00 \(title) to \(token): &{200  5b0f4c1e-7a39-4d58-9a60-2f1d6c0be1aa {0 0 <nil>} } \(body) \(url)\n"
        + "2026-03-01T10:00:00Z ERR! parse-server-push-adapter APNS APNS error transmitting to device \(token) with status 410 and reason Unregistered\n",
      ["2026/03/01 10:00:00", "&{200", "with status 410 and reason Unregistered", "4650…ef78"]
    ),
    (
      "wrapped.log",
      "2026-03-01 10:00:00,104 INFO \(title) sent {\"StatusCode\":410,\"Reason\":\"Unregistered\",\"ApnsID\":\"6c1a5d2f-8b40-4e69-8b71-301e7d1cf2bb\",\"Timestamp\":\"2026-02-28T10:00:00Z\",\"token\":\"\(token)\",\"note\":\"\(body)\"}\n",
      ["\"StatusCode\":410", "Unregistered", "6c1a5d2f-8b40-4e69-8b71-301e7d1cf2bb"]
    ),
    (
      "azure.xml",
      "<PnsFeedback xmlns=\"http://schemas.microsoft.com/netservices/2010/10/servicebus/connect\"><FeedbackTime>2026-03-01T10:00:01.2Z</FeedbackTime><NotificationSystemError>ExpiredChannel</NotificationSystemError><Platform>apple</Platform><PnsHandle>\(token.uppercased())</PnsHandle><NotificationBody>\(body)</NotificationBody><NotificationId>64123-1</NotificationId></PnsFeedback>\n",
      ["<FeedbackTime>2026-03-01T10:00:01.2Z</FeedbackTime>", "ExpiredChannel", "64123-1"]
    ),
    (
      "gorush.log",
      "[2026/03/01 - 10:00:00] |failed-push| ios [\(token)] | \(title): \(body) | Error Message: Unregistered\n"
        + "{\"level\":\"error\",\"msg\":\"|failed-push| ios [\(token)] | \(title) | Error Message: BadDeviceToken\",\"time\":\"2026-03-01T10:00:00Z\"}\n",
      ["|failed-push| ios [", "Error Message: Unregistered", "Error Message: BadDeviceToken"]
    ),
    (
      "rpush.csv",
      "id,type,app_id,device_token,alert,data,expiry,delivered,delivered_at,failed,failed_at,error_code,error_description,retries,content_available,mutable_content,created_at\n"
        + "913,Rpush::Client::ActiveRecord::Apnsp8::Notification,1,\(token),\"\(title), \"\"\(body)\"\"\n\(url)\",\"{\"\"order\"\":\"\"Anna\"\"}\",86400,f,,t,2026-03-01 10:00:00.390000,400,BadDeviceToken,0,f,t,2026-03-01 09:59:58.100000\n",
      ["913", "400,BadDeviceToken", "2026-03-01 10:00:00.390000", "4650…ef78"]
    ),
    (
      "fcm.csv",
      "event_timestamp,project_number,message_id,instance_id,message_type,sdk_platform,app_name,collapse_key,priority,ttl,topic,bulk_id,event,analytics_label,title\n"
        + "2026-03-01 10:00:00.312000 UTC,481516234210,1772359200312044,cYh2Qe9nT0uJ4pXw7ZsLkm,DISPLAY_NOTIFICATION,IOS,com.example.courier,order-48213,10,3600,,0,INVALID_APNS_CREDENTIAL,order_update,\(title)\n",
      ["1772359200312044", "INVALID_APNS_CREDENTIAL"]
    ),
    (
      "insights.csv",
      "@timestamp,@message\n2026-03-01 10:00:00.410,"
        + quotedCell(
          #"{"notification":{"timestamp":"2026-03-01 10:00:00.41","messageId":"9d2a6f0c-55b1-5f0e-8a37-3b1c0f7e2d44"},"delivery":{"statusCode":400,"token":"\#(token)","destination":"arn:aws:sns:eu-west-1:111122223333:endpoint/APNS/courier/7b1d","providerResponse":"{\"reason\":\"BadDeviceToken\"}","note":"\#(title) \#(body)"},"status":"FAILURE"}"#
        ) + "\n",
      ["9d2a6f0c-55b1-5f0e-8a37-3b1c0f7e2d44", "BadDeviceToken", "400"]
    ),
    (
      "console.csv",
      "apns_unique_id,state,time,note\n0c9d8f62-1e35-4b7a-8c41-77d2b6f0a913,Stored - Device Offline,2026-03-01T10:00:01Z,\(body)\n",
      ["0c9d8f62-1e35-4b7a-8c41-77d2b6f0a913", "Stored - Device Offline"]
    ),
    (
      "events_audience-activity-d4c3b2a1-0f9e-4d8c-b7a6-5e4f3d2c1b0a-push-2026-03-01_10-05-00_UTC.csv",
      "subscription_id,event,timestamp,device_type,title,external_id\nc0ffee00-1111-4222-8333-444455556666,sent,2026-03-01 10:00:00 UTC,iOS,\(title),rosi\n",
      ["sent", "2026-03-01 10:00:00 UTC"]
    ),
  ]

  /// The own formats, with secrets at places that are known to hold other things.
  static let ownFiles: [(name: String, text: String, left: [String])] = [
    (
      "send.ndjson",
      [
        #""error":"Post \"https://api.push.apple.com/3/device/\#(token)\": context deadline exceeded"}"#,
        #""error":"retried /3/device/RlCaAxK869nCTMAGVHvcGUaVGrGjCFFqtDOfyTFU73g%3D, then gave up"}"#,
        #""error":"no route for <46509a03 12bcebd9 c24cc006 547bdc19 46951ab1 a308516a b4339fc9 3154ef78>"}"#,
        #""reason":"Bad\#(token)","host":"\#(token).example.com","sender":"worker \#(token)"}"#,
        #""provider":"\#(token)","campaign_id":"c-\#(token)","category":"\#(token)"}"#,
        #""installation_id":"\#(token.uppercased())","key_id":"\#(credential)"}"#,
        #""\#(token)":1,"payload":{"aps":{"alert":"\#(title)","category":"\#(token)"},"\#(token)":1}}"#,
        #""headers":{"authorization":"bearer \#(credential)","apns-priority":"10"}}"#,
        #""authorization":"bearer \#(credential)","error":"sent bearer \#(credential)."}"#,
        #""authorization":"kx7hunter","api_key":"kx7hunter","password":"kx7hunter","Authorization":"kx7hunter"}"#,
        #""headers":"authorization: kx7hunter","response":"\#(title)","receipt":"\#(body)"}"#,
        #""headers":["authorization: kx7hunter"],"response":["\#(title)"],"receipt":["\#(body)"]}"#,
        #""expects":["media","Hallo Erika Mustermann"],"notification":{"sender":"Erika"}}"#,
      ].map { send + $0 + "\n" }.joined(),
      [
        "4650…ef78", "order-48213", "com.example.courier", #""apns-priority":"10""#,
        #""expects":["media","text 22"]"#, #""sender":"worker <token 64 4650…ef78>""#,
      ]
    ),
    (
      "device.ndjson",
      [
        #""event":"nse.did_receive","attrs":{"keys":["aps","\#(token)"],"category":"\#(token)"}}"#,
        #""event":"app.registration_failed","attrs":{"error_domain":"\#(token)","reason":"token \#(token)"}}"#,
        #""event":"intent.donated","attrs":{"type":"INSendMessageIntent","sender":"Erika Mustermann"}}"#,
        #""event":"nse.crashed","sender":"Erika","attrs":{"signal":"SIGTRAP","reason":"Fatal error: unexpected title 'Hallo Erika Mustermann'"}}"#,
        #""event":"nse.crashed","attrs":{"signal":"SIGTRAP","reason":["no room for Erika Mustermann"]}}"#,
        #""event":"app.settings","attrs":{"authorization":"denied","alerts":{"sender":"Erika"}}}"#,
        #""event":"app.settings","attrs":{"authorization":"bearer kx7hunter"}}"#,
        #""event":"app.action","attrs":"\#(title)"}"#,
        #""event":"app.opened","attrs":["\#(title)"],"log_id":"\#(credential)"}"#,
        #""event":"app.opened","device_id":"\#(token)"}"#,
      ].map { event + $0 + "\n" }.joined(),
      [
        "4650…ef78", "order-48213", "INSendMessageIntent", "SIGTRAP", #""authorization":"denied""#,
        #""alerts":"object""#, #""attrs":"text 19""#,
      ]
    ),
  ]

  /// A field of a row in quotation marks.
  private static func quotedCell(_ text: String) -> String {
    "\"" + text.replacing("\"", with: "\"\"") + "\""
  }

  private func lines(_ path: String) throws -> [String] {
    let database = try Database(path: path, mode: .read)
    let blocks = try database.prepare("SELECT id FROM raw_block ORDER BY id")
    var lines: [String] = []
    while try blocks.step() {
      lines += try StoredLines(database).lines(block: blocks.integer(0)).map(\.text)
    }
    return lines
  }

  @Test(
    "what is planted is gone, and what tells of the notification is left",
    arguments: files + ownFiles)
  func planted(_ file: (name: String, text: String, left: [String])) throws {
    var formats = try FormatFiles()
    formats.hints.assumedYear = 2026
    formats.hints.assumedTime = 1_772_359_200_000_000
    let path = formats.folder.path + "/" + file.name
    try Data(file.text.utf8).write(to: URL(fileURLWithPath: path))
    var options = formats.options([path], "planted")
    options.rawPolicy = .all
    let summary = try IngestRun.run(options)
    #expect(summary.kept > 0)
    let lines = try lines(formats.database("planted"))
    #expect(!lines.isEmpty)
    var bytes = Data()
    for name in try FileManager.default.contentsOfDirectory(atPath: formats.folder.path)
    where name.hasPrefix("planted.db") {
      bytes += try Data(contentsOf: URL(fileURLWithPath: formats.folder.path + "/" + name))
    }
    // The name of a source is its path, and holds nothing of the content.
    let stored = String(decoding: bytes, as: UTF8.self).lowercased()
    let text = lines.joined(separator: "\n")
    for secret in Self.secrets {
      #expect(!text.lowercased().contains(secret.lowercased()), "\(secret) in \(text)")
      // The bytes of a database are nothing to print.
      let isStored = stored.contains(secret.lowercased())
      #expect(!isStored, "\(secret) in the database")
    }
    for left in file.left { #expect(text.contains(left), "\(left) not in \(text)") }
    #expect(!text.contains("\u{1b}"))
  }

  @Test("with full lines kept the planted texts are found, so their absence says something")
  func found() throws {
    var formats = try FormatFiles()
    formats.hints.assumedYear = 2026
    for file in Self.files.prefix(4) + Self.ownFiles {
      let path = formats.folder.path + "/" + file.name
      try Data(file.text.utf8).write(to: URL(fileURLWithPath: path))
      var options = formats.options([path], file.name)
      options.keepsPayloads = true
      _ = try IngestRun.run(options)
      #expect(try lines(formats.database(file.name)).contains { $0.contains(Self.title) })
    }
  }

  @Test("all formats that are no JSON have a planted file")
  func allFormats() throws {
    let workspace = ParseWorkspace(tokenKey: try #require(TokenKey(bytes: Array(0..<16))))
    var hints = SourceHints()
    hints.assumedYear = 2026
    let found = Set(
      Self.files.compactMap { file -> String? in
        hints.name = file.name
        return FormatDetection.format(
          head: Array(file.text.utf8), named: nil, hints: hints, workspace: workspace)?.adapter.id
      })
    for adapter in AdapterRegistry.all {
      let isText = adapter.samples.contains { $0.expect == .record && !$0.line.hasPrefix("{") }
      // A row of SNS's export holds JSON, and a report is JSON behind JSON.
      guard isText, !["amazon-sns", "ips", "pinpoint", "metrickit"].contains(adapter.id) else {
        continue
      }
      #expect(found.contains(adapter.id), "\(adapter.id)")
    }
  }
}
