import PushModel

extension LogAdapter {
  /// Error details of Azure Notification Hubs: one XML document a line.
  static let azureErrors = LogAdapter(
    id: "azure-pns-errors",
    title: "Azure Notification Hubs PnsErrorDetails (one XML document a line)",
    formatSource: "Azure/azure-notificationhubs-dotnet ParseFeedbackSample; Microsoft Learn",
    side: .send,
    clock: "ISO UTC; when the hub learned of the error",
    absence: .neverProves(because: "only errors are in it"),
    redacts: ["PnsHandle", "NewPnsHandle"],
    samples: [
      AdapterSample(
        #"<PnsFeedback xmlns="http://schemas.microsoft.com/netservices/2010/10/servicebus/connect"><FeedbackTime>2026-03-01T10:00:01.2Z</FeedbackTime><NotificationSystemError>ExpiredChannel</NotificationSystemError><Platform>apple</Platform><PnsHandle>51C435C3A019FE20A9D5FC60012B9A81865C2228DC42EA9D62AF58162667162B</PnsHandle><InstallationId>inst-9</InstallationId><NotificationId>6412345678901234567-1234567890123456789-1</NotificationId></PnsFeedback>"#,
        expect: .record),
      AdapterSample(
        "<PnsFeedback><FeedbackTime>soon</FeedbackTime><NotificationSystemError>WrongToken</NotificationSystemError><Platform>apple</Platform><PnsHandle>51C4</PnsHandle></PnsFeedback>",
        expect: .unreadable),
      AdapterSample(
        "<PnsFeedback><FeedbackTime>2026-03-01T10:00:01Z</FeedbackTime><NotificationSystemError>WrongToken</NotificationSystemError><Platform>gcm</Platform><PnsHandle>x</PnsHandle></PnsFeedback>",
        expect: .skip),
    ],
    fields: [
      ("NotificationSystemError", "the hub's word for what the push service said"),
      ("PnsHandle", "the device token, in upper case"),
      ("NotificationId", "the sender's own id"),
      (
        "elements",
        "matched by local name; only errors are listed, so nothing follows from a missing line"
      ),
    ],
    wordings: [
      "PnsFeedback", "FeedbackTime", "NotificationSystemError", "Platform>apple", "Platform",
      "PnsHandle", "RegistrationId", "InstallationId", "NotificationId", "NewPnsHandle", "xmlns",
    ],
    recognises: { head, _ in
      head.filter { line in
        guard let base = line.baseAddress else { return false }
        let text = ByteText(base: base, count: line.count)
        return AzureReader.value("NotificationSystemError", in: text) != nil
          && AzureReader.value("FeedbackTime", in: text) != nil
      }.count * 2 > head.count
    },
    read: { line, workspace in AzureReader.read(line, workspace) })
}

private enum AzureReader {
  /// The text of the first element of a local name, whatever its prefix; nil if there is none.
  static func value(_ name: StaticString, in text: ByteText) -> ByteText? {
    var from = 0
    while let place = text.find(name, from: from) {
      from = place + name.utf8CodeUnitCount
      guard place > 0, text[place - 1] == 0x3C || text[place - 1] == 0x3A, from < text.count else {
        continue
      }
      // An element may have attributes.
      var start = from
      while start < text.count, text[start] != 0x3E { start += 1 }
      guard start < text.count, text[start - 1] != 0x2F else { return nil }
      start += 1
      var end = start
      while end < text.count, text[end] != 0x3C { end += 1 }
      return text.part(start, end)
    }
    return nil
  }

  static func read(_ line: UnsafeRawBufferPointer, _ workspace: ParseWorkspace) -> Reading {
    guard let base = line.baseAddress, line.contains(where: { $0 > 0x20 }) else {
      return .skip(because: .emptyLine)
    }
    let text = ByteText(base: base, count: line.count)
    guard let error = value("NotificationSystemError", in: text) else {
      return text.starts(with: "<?xml")
        ? .skip(because: .wrapper)
        : .unreadable(field: "NotificationSystemError", reason: "is missing")
    }
    if let platform = value("Platform", in: text) {
      let cell = Cell(platform)
      guard cell.isWord("apple") || cell.isWord("apns") || cell.isWord("ios") else {
        return .skip(because: .otherRecord)
      }
    }
    guard
      let at = value("FeedbackTime", in: text).flatMap({
        LooseTime.microseconds($0, workspace, isUTC: true)
      })
    else { return .unreadable(field: "FeedbackTime", reason: "is missing or no time") }
    var send = SendRecord()
    send.at = at
    if let handle = value("PnsHandle", in: text) { send.token = workspace.token(handle) }
    if let id = value("NotificationId", in: text) { send.notification = workspace.identifier(id) }
    GatewayAnswer.refused(&send, Symbol(.azureNh), reason: workspace.symbol(error), workspace)
    workspace.records.sends.append(send)
    return .send
  }
}
