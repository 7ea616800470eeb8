import PushModel

extension LogAdapter {
  /// The event stream of Amazon Pinpoint.
  static let pinpoint = LogAdapter(
    id: "pinpoint",
    title: "Amazon Pinpoint / End User Messaging event stream (JSON, a line each or concatenated)",
    formatSource: "Amazon Pinpoint Developer Guide, event streams",
    side: .send,
    clock: "Unix milliseconds (event_timestamp)",
    absence: .neverProves(
      because:
        """
        what phones report comes only from apps with its SDK, and nothing counts the events
        """),
    redacts: ["client.client_id", "client_context", "device"],
    samples: [
      AdapterSample(
        #"{"event_type":"_campaign.send","event_timestamp":1772359200104,"arrival_timestamp":1772359200388,"event_version":"3.1","application":{"app_id":"0a1b2c3d4e5f60718293a4b5c6d7e8f9","sdk":{}},"client":{"client_id":"ep-77"},"device":{"platform":{}},"session":{},"attributes":{"campaign_id":"c1","campaign_activity_id":"a1","treatment_id":"0","delivery_type":"APNS","campaign_send_status":"SUCCESS"},"client_context":{"custom":{"endpoint":"{\"ChannelType\":\"APNS\",\"EndpointStatus\":\"ACTIVE\"}"}},"awsAccountId":"111122223333"}"#,
        expect: .record),
      AdapterSample(
        #"{"event_type":"_campaign.send","event_timestamp":"soon","application":{},"client":{"client_id":"ep-77"},"attributes":{"delivery_type":"APNS"}}"#,
        expect: .unreadable),
      AdapterSample(
        #"{"event_type":"_email.send","event_timestamp":1772359200104,"application":{},"client":{"client_id":"ep-77"},"attributes":{}}"#,
        expect: .skip),
    ],
    fields: [
      (
        "event_type",
        "_campaign.send, _journey.send: Pinpoint took it or says why not; opened and received events come from the app"
      ),
      (
        "attributes.campaign_id, campaign_activity_id",
        "the sender's own id, joined by a slash; the campaign"
      ),
      ("attributes.campaign_send_status", "SUCCESS, or why it went no further"),
      ("client.client_id", "the endpoint id, taken as the address; there is no token"),
    ],
    prepare: { head, workspace in
      Envelope.setup(head, workspace) { PinpointReader.fits($0, $1) }
    },
    read: { piece, workspace in
      Envelope.read(
        piece, workspace, fits: PinpointReader.fits,
        collect: { $2.collect($0, $1, PinpointReader.table, use: PinpointReader.use) },
        finish: PinpointReader.finish)
    })
}

private enum PinpointReader {
  private static let marks = KeySet(["event_type", "event_timestamp", "application", "client"])

  static func fits(_ json: JSONTape, _ object: Int) -> Bool {
    let found = marks.found(in: json, object)
    return found & 0b11 == 0b11 && found & 0b1100 != 0
  }

  enum Field: UInt8, FieldCode {
    case none, type, at, client, clientID, attributes, campaign, activity, delivery, status
  }
  static let table = FieldTable<Field>([
    ("event_type", .type), ("event_timestamp", .at), ("client", .client),
    ("client_id", .clientID), ("attributes", .attributes), ("campaign_id", .campaign),
    ("journey_id", .campaign), ("campaign_activity_id", .activity),
    ("journey_activity_id", .activity), ("delivery_type", .delivery),
    ("campaign_send_status", .status), ("journey_send_status", .status),
  ])

  static func use(_ field: Field, _ value: Cell, _ depth: Int) -> Draft<Field>.Use {
    switch field {
    case .client, .attributes: depth == 0 ? .enter : .passOver
    case .type, .at: depth == 0 ? .keep : .passOver
    default: .keep
    }
  }

  static func finish(_ draft: Draft<Field>, _ workspace: ParseWorkspace) -> Reading {
    guard let type = draft[.type]?.text else {
      return .unreadable(field: "event_type", reason: "is missing")
    }
    let isPush = type.starts(with: "_campaign.") || type.starts(with: "_journey.")
    // SMS and e-mail stand in the same stream.
    let delivery = draft[.delivery]?.text
    let isApple = delivery.map { $0.starts(with: "APNS") || Cell($0).isWord("PUSH") } ?? true
    guard isPush, isApple else { return .skip(because: .otherRecord) }
    guard let at = draft[.at]?.time(workspace, isUTC: true) else {
      return .unreadable(field: "event_timestamp", reason: "is missing or no time")
    }
    let id = identifier(draft, workspace)
    let token = draft[.clientID]?.token(workspace) ?? .none
    let name: Symbol? =
      type.find(".opened_notification") != nil
      ? Symbol(.appOpened)
      : type.find(".received_foreground") != nil
        ? Symbol(.appWillPresent)
        : type.find(".received_background") != nil ? Symbol(.appBackgroundLaunch) : nil
    if let name {
      var record = EventRecord()
      record.at = at
      record.name = name
      record.notification = id
      record.token = token
      workspace.append(record, bundle: nil)
      return .event
    }
    guard type.find(".send") != nil else { return .skip(because: .otherRecord) }
    let pinpoint = workspace.interner.intern("pinpoint")
    var send = SendRecord()
    send.at = at
    send.notification = id
    send.token = token
    send.campaign = draft[.campaign]?.value(workspace) ?? .absent
    if let delivery, delivery.find("SANDBOX") != nil {
      send.environment = TextValue(Symbol(.sandbox))
    }
    let status = draft[.status]
    if status == nil || status?.isWord("SUCCESS") == true || status?.isWord("SUCCESSFUL") == true {
      GatewayAnswer.took(&send, pinpoint)
    } else {
      GatewayAnswer.refused(
        &send, pinpoint, reason: status?.value(workspace).symbol ?? Symbol(.empty), workspace)
    }
    workspace.records.sends.append(send)
    return .send
  }

  private static func identifier(_ draft: Draft<Field>, _ workspace: ParseWorkspace) -> Identifier {
    guard let campaign = draft[.campaign]?.text else { return .none }
    guard let activity = draft[.activity]?.text else { return workspace.identifier(campaign) }
    return workspace.identifier(campaign.string + "/" + activity.string)
  }
}
