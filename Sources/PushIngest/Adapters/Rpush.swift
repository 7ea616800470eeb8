import PushModel

extension LogAdapter {
  /// Notifications of rpush, as teams dump its table.
  static let rpush = LogAdapter(
    id: "rpush",
    title: "rpush notifications (the table in a SQLite file, or its dump as CSV or JSON)",
    formatSource: "rpush/rpush migrations and daemon/apnsp8, daemon/apns2",
    side: .send,
    clock: "UTC without a zone (ISO 8601 with offset in JSON); when it was delivered or failed",
    absence: .neverProves(
      because:
        """
        rows are deleted after a time, and what is left does not say which are gone
        """),
    redacts: ["device_token", "alert", "data", "url_args", "notification"],
    samples: [
      AdapterSample(
        "912,Rpush::Client::ActiveRecord::Apnsp8::Notification,1,46509a0312bcebd9c24cc006547bdc1946951ab1a308516ab4339fc93154ef78,Your parcel moved,\"{\"\"order\"\":48213}\",86400,t,2026-03-01 10:00:00.220000,f,,,,0,f,t,2026-03-01 09:59:58.100000",
        expect: .record, header: header),
      AdapterSample(
        "913,Rpush::Client::ActiveRecord::Apnsp8::Notification,1,51c435c3a019fe20a9d5fc60012b9a81865c2228dc42ea9d62af58162667162b,Your parcel moved,\"{\"\"order\"\":48214}\",86400,f,,t,2026-03-01 10:00:00.390000,400,BadDeviceToken,0,f,t,2026-03-01 09:59:58.100000",
        expect: .record, header: header),
      AdapterSample(
        "914,Rpush::Client::ActiveRecord::Apnsp8::Notification,1,51c4,x,,86400,t,yesterday,f,,,,0,f,t,",
        expect: .unreadable, header: header),
      AdapterSample(
        "915,Rpush::Client::ActiveRecord::Gcm::Notification,1,,x,,86400,t,2026-03-01 10:00:00,f,,,,0,f,t,2026-03-01 09:59:58",
        expect: .skip, header: header),
    ],
    fields: [
      ("id", "the sender's own id, if the payload carries it"),
      ("delivered, failed", "t/f, 1/0 or true/false: APNs answered 200, or refused"),
      ("error_code, error_description", "APNs' status and reason"),
      ("expiry", "not what is sent: these senders send apns-expiration 0 and priority 10"),
      ("alert, data, mutable_content, content_available, category", "shape of the payload only"),
      ("retries", "attempts after the first"),
      (
        "environment, bundle_id, team_id, apn_key_id",
        "of the app, in a SQLite file taken from its table; certificates and keys are never read"
      ),
      (
        "token_failed_at",
        "since when APNs' feedback calls the token of a refused notification failed; in a SQLite "
          + "file taken from the table of feedback"
      ),
    ],
    prepare: { head, workspace in
      if let rows = head.rows,
        let setup = rows.setup(
          RpushReader.table.columns, needed: ["device_token", "delivered", "failed"],
          hints: head.hints)
      {
        return setup
      }
      return Envelope.setup(head, workspace) { RpushReader.fits($0, $1) }
    },
    read: { piece, workspace in
      Envelope.read(
        piece, workspace, fits: RpushReader.fits,
        collect: { $2.collect($0, $1, RpushReader.table) }, finish: RpushReader.finish)
    })

  private static var header: String {
    "id,type,app_id,device_token,alert,data,expiry,delivered,delivered_at,failed,failed_at,"
      + "error_code,error_description,retries,content_available,mutable_content,created_at"
  }
}

extension LogAdapter {
  /// Columns of rpush's table that are read.
  static var rpushColumns: Set<String> { Set(RpushReader.table.columns.keys) }
}

private enum RpushReader {
  enum Field: UInt8, FieldCode {
    case none, id, type, token, alert, data, delivered, deliveredAt, failed, failedAt, code, reason
    case retries, mutable, available, category, collapse, createdAt, updatedAt, sound, badge
    case environment, bundle, team, key, tokenFailedAt
  }
  static let table = FieldTable<Field>([
    ("id", .id), ("type", .type), ("device_token", .token), ("alert", .alert), ("data", .data),
    ("delivered", .delivered), ("delivered_at", .deliveredAt), ("failed", .failed),
    ("failed_at", .failedAt), ("error_code", .code), ("error_description", .reason),
    ("retries", .retries), ("mutable_content", .mutable), ("content_available", .available),
    ("category", .category), ("collapse_key", .collapse), ("created_at", .createdAt),
    ("updated_at", .updatedAt), ("sound", .sound), ("badge", .badge),
    ("environment", .environment), ("bundle_id", .bundle), ("team_id", .team),
    ("apn_key_id", .key), ("token_failed_at", .tokenFailedAt),
  ])
  private static let marks = KeySet(["device_token", "delivered", "failed"])

  static func fits(_ json: JSONTape, _ object: Int) -> Bool {
    marks.found(in: json, object) == 0b111
  }

  static func finish(_ draft: Draft<Field>, _ workspace: ParseWorkspace) -> Reading {
    // Rows of Android, Windows and others stand in the same table.
    if let type = draft[.type]?.text, type.find("Apns") == nil {
      return .skip(because: .otherRecord)
    }
    let isDelivered = draft[.delivered]?.flag
    let isFailed = draft[.failed]?.flag
    guard isDelivered != nil || isFailed != nil else {
      return .unreadable(field: "delivered", reason: "is no truth value, nor is failed")
    }
    let timeField: Field =
      isDelivered == true ? .deliveredAt : isFailed == true ? .failedAt : .updatedAt
    let time =
      draft[timeField].flatMap { $0.isEmpty ? nil : $0 }
      ?? (isDelivered == true ? nil : draft[.createdAt])
    guard let at = time?.time(workspace, isUTC: true) else {
      return .unreadable(
        field: isDelivered == true ? "delivered_at" : "failed_at", reason: "is missing or no time")
    }
    var send = SendRecord()
    send.at = at
    send.provider = TextValue(Symbol(.apns))
    send.notification = draft[.id]?.identifier(workspace) ?? .none
    send.token = draft[.token]?.token(workspace) ?? .none
    send.collapse = draft[.collapse]?.identifier(workspace) ?? .none
    if let retries = draft[.retries]?.whole, (0..<1000).contains(retries) {
      send.attempt = Int32(retries) + 1
    }
    if isDelivered == true {
      send.status = 200
    } else if isFailed == true {
      if let code = draft[.code]?.whole, (100...999).contains(code) {
        send.status = Int32(code)
      } else {
        send.status = 0
      }
      if let text = draft[.reason]?.text {
        if text.isPlainWord {
          send.reason = TextValue(workspace.symbol(text))
        } else {
          send.error = TextValue(TransportError.symbol(text, workspace))
        }
      }
    }
    app(draft, &send, workspace)
    payload(draft, &send, workspace)
    workspace.records.sends.append(send)
    return .send
  }

  /// What the tables of apps and feedback say, where their columns stand beside the notification's.
  private static func app(
    _ draft: Draft<Field>, _ send: inout SendRecord, _ workspace: ParseWorkspace
  ) {
    if let cell = draft[.environment] {
      if cell.isWord("production") {
        send.environment = TextValue(Symbol(.production))
      } else if cell.isWord("development") || cell.isWord("sandbox") {
        send.environment = TextValue(Symbol(.sandbox))
      }
    }
    if let bundle = draft[.bundle], !bundle.isEmpty { send.topic = bundle.value(workspace) }
    if let team = draft[.team], !team.isEmpty { send.teamID = team.value(workspace) }
    if let key = draft[.key], !key.isEmpty { send.keyID = key.value(workspace) }
    // Feedback of a token is what a 410 says with its time.
    let isOfToken =
      send.status == 410 || send.reason == TextValue(Symbol(.unregistered))
      || send.reason == TextValue(Symbol(.badDeviceToken))
      || send.reason == TextValue(Symbol(.expiredToken))
    if isOfToken, let since = draft[.tokenFailedAt]?.time(workspace, isUTC: true) {
      send.unregisteredAt = since
    }
  }

  /// The senders over HTTP/2 send these two unless `data` has headers of its own.
  private static func payload(
    _ draft: Draft<Field>, _ send: inout SendRecord, _ workspace: ParseWorkspace
  ) {
    let data = draft[.data]?.text
    let type = draft[.type]?.text
    let isHTTP2 = type.map { $0.find("Apnsp8") != nil || $0.find("Apns2") != nil } ?? false
    if isHTTP2, data?.find("\"headers\"") == nil {
      send.expiration = HeaderValue(kind: .number, bits: 0)
      send.priority = HeaderValue(kind: .number, bits: 10)
    }
    var mutable = draft[.mutable]?.flag
    if mutable != true, data?.find("__rpush_mutable_content__") != nil { mutable = true }
    let alert = draft[.alert].map { !$0.isEmpty }
    let category = draft[.category]?.value(workspace) ?? .absent
    guard mutable != nil || alert != nil else { return }
    send.shape = PayloadReader.shape(
      mutable: mutable.map { $0 ? .on : .off } ?? .unknown, alert: alert, category: category,
      workspace: workspace)
  }
}
