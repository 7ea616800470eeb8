import PushModel

extension LogAdapter {
  /// Access and error log of gorush, in its JSON and in its string form.
  static let gorush = LogAdapter(
    id: "gorush",
    title: "gorush access and error log (json and string form, webhook posts, API answers)",
    formatSource: "appleboy/gorush logx/log.go",
    side: .send,
    clock: "RFC 3339 of the outer line, when the entry was logged; webhook posts have none",
    absence: .neverProves(
      because:
        """
        successes and failures go to two logs, and either may be switched off or not be here
        """),
    redacts: ["token", "message", "error"],
    samples: [
      AdapterSample(
        #"{"level":"info","msg":"{\"notif_id\":\"order-48213\",\"type\":\"succeeded-push\",\"platform\":\"ios\",\"token\":\"**********bcebd9c24cc006547bdc1946951ab1a308516ab4339f**********\",\"message\":\"(message redacted)\",\"error\":\"\"}","time":"2026-03-01T10:00:00Z"}"#,
        expect: .record),
      AdapterSample(
        #"{"level":"error","msg":"|failed-push| ios [**********19fe20a9d5fc60012b9a81865c2228dc42ea9d62af58**********] | Your parcel moved | Error Message: BadDeviceToken","time":"2026-03-01T10:00:00Z"}"#,
        expect: .record),
      AdapterSample(
        #"{"notif_id":"order-48213","type":"succeeded-push","platform":"ios","token":"ab","message":"","error":""}"#,
        expect: .unreadable),
      AdapterSample(
        #"{"level":"info","msg":"|succeeded-push| android [**********] Your parcel moved","time":"2026-03-01T10:00:00Z"}"#,
        expect: .skip),
      AdapterSample(
        #"{"level":"info","msg":"HTTPD server is running on 8088 port.","time":"2026-03-01T10:00:00Z"}"#,
        expect: .skip),
    ],
    fields: [
      ("notif_id", "the sender's own id; the string form has none"),
      ("type", "succeeded-push: APNs answered 200; failed-push"),
      ("token", "masked by default: the first and last ten characters"),
      ("error", "APNs' reason, or a transport error (which holds the whole token)"),
    ],
    wordings: ["|succeeded-push| ios", "|failed-push| ios", "Error Message:"],
    prepare: { head, workspace in GorushReader.setup(head, workspace) },
    read: { piece, workspace in GorushReader.read(piece, workspace) })
}

private enum GorushReader {
  private static let marks = KeySet(["type", "platform", "token", "msg", "error"])

  private enum Field: UInt8, FieldCode {
    case none, notification, type, platform, token, error, message
  }
  private static let table = FieldTable<Field>([
    ("notif_id", .notification), ("type", .type), ("platform", .platform), ("token", .token),
    ("error", .error), ("msg", .message),
  ])

  static func setup(_ head: SourceHead, _ workspace: ParseWorkspace) -> SourceSetup? {
    if let setup = Envelope.setup(head, workspace, fits: { fits($0, $1) }) { return setup }
    let texts = head.lines.filter { line in
      line.baseAddress.map { isEntry(ByteText(base: $0, count: line.count)) } ?? false
    }
    return texts.count * 2 > head.lines.count ? SourceSetup() : nil
  }

  static func read(_ piece: UnsafeRawBufferPointer, _ workspace: ParseWorkspace) -> Reading {
    // On a terminal the entry is plain text, and coloured.
    if let base = piece.baseAddress, let first = piece.first, first != 0x7B {
      let text = ByteText(base: base, count: piece.count)
      if let start = entryStart(text) {
        let found = LooseTime.first(in: text.part(0, start), workspace)?.microseconds
        return readText(
          text.part(start, text.count), at: found ?? workspace.assumedTime(), workspace)
      }
    }
    return Envelope.read(piece, workspace, othersAreSkipped: true) {
      visit($0, $1, &$2, workspace)
    }
  }

  /// What an object is: an entry in JSON form, a line with one in string form, or something else.
  private enum Form { case entry, text(ByteText), other }

  private static func form(_ json: JSONTape, _ object: Int) -> Form {
    let found = marks.found(in: json, object)
    if found & 0b111 == 0b111 { return isPush(json, object) ? .entry : .other }
    return found & 0b1000 != 0 ? message(json, object).map { .text($0) } ?? .other : .other
  }

  private static func fits(_ json: JSONTape, _ object: Int) -> Bool {
    if case .other = form(json, object) { return false }
    return true
  }

  private static func isPush(_ json: JSONTape, _ object: Int) -> Bool {
    json.memberText("type", of: object).map {
      $0.equals("succeeded-push") || $0.equals("failed-push")
    } ?? false
  }

  /// The message of an object, if it is an entry in string form.
  private static func message(_ json: JSONTape, _ object: Int) -> ByteText? {
    guard let text = json.memberText("msg", of: object) else { return nil }
    return entryStart(text).map { text.part($0, text.count) }
  }

  private static func isEntry(_ text: ByteText) -> Bool {
    text.count > 0 && text[0] != 0x7B && entryStart(text) != nil
  }

  private static func entryStart(_ text: ByteText) -> Int? {
    text.find("|succeeded-push|") ?? text.find("|failed-push|")
  }

  private static func visit(
    _ json: JSONTape, _ object: Int, _ envelope: inout Envelope, _ workspace: ParseWorkspace
  ) -> Envelope.Answer {
    switch form(json, object) {
    case .other: return .lookInside
    case .entry: break
    case .text(let text):
      // The time stands beside the message.
      let at = time(json, object, workspace) ?? envelope.at ?? workspace.assumedTime()
      switch readText(text, at: at, workspace) {
      case .send:
        envelope.took()
        return .taken
      case .unreadable(let field, let reason): envelope.failure = (field, reason)
      default: envelope.sawOther = true
      }
      return .passOver
    }
    var send = SendRecord()
    var isSuccess = false
    var isIOS = false
    var error: ByteText?
    for (key, value) in json.fields(object) {
      let cell = Cell(json, value)
      switch table.field(key) {
      case .notification: send.notification = cell.identifier(workspace)
      case .type: isSuccess = cell.isWord("succeeded-push")
      case .platform: isIOS = cell.isWord("ios")
      case .token: send.token = cell.token(workspace)
      case .error: error = cell.text
      case .message, .none: break
      }
    }
    guard isIOS else {
      envelope.sawOther = true
      return .passOver
    }
    guard let at = envelope.at ?? time(json, object, workspace) ?? workspace.assumedTime() else {
      envelope.failure = ("time", "does not stand around the entry; --assume-time says one")
      return .passOver
    }
    send.at = at
    finish(&send, isSuccess: isSuccess, error: error, workspace)
    workspace.records.sends.append(send)
    envelope.took()
    return .taken
  }

  private static func time(_ json: JSONTape, _ object: Int, _ workspace: ParseWorkspace) -> Int64? {
    json.member("time", of: object).flatMap { workspace.looseTime(json, $0) }
  }

  /// `|succeeded-push| ios [<token>] <message>`, or
  /// `|failed-push| ios [<token>] | <message> | Error Message: <reason>`.
  private static func readText(_ text: ByteText, at: Int64?, _ workspace: ParseWorkspace) -> Reading
  {
    let isSuccess = text.starts(with: "|succeeded-push|")
    guard let ios = text.find(" ios ["), ios < 60 else { return .skip(because: .otherRecord) }
    guard let at else {
      return .unreadable(
        field: "time", reason: "does not stand around the entry; --assume-time says one")
    }
    var send = SendRecord()
    send.at = at
    var end = ios + 6
    while end < text.count, text[end] != 0x5D { end += 1 }
    send.token = workspace.token(text.part(ios + 6, end))
    var error: ByteText?
    var from = end
    while let found = text.find("Error Message: ", from: from) {
      from = found + 15
      error = text.part(from, text.count)
    }
    finish(&send, isSuccess: isSuccess, error: error, workspace)
    workspace.records.sends.append(send)
    return .send
  }

  private static func finish(
    _ send: inout SendRecord, isSuccess: Bool, error: ByteText?, _ workspace: ParseWorkspace
  ) {
    if isSuccess { return GatewayAnswer.accepted(&send, Symbol(.gorush)) }
    guard let error, error.isPlainWord else {
      send.provider = TextValue(Symbol(.gorush))
      send.status = 0
      if let error { send.error = TextValue(TransportError.symbol(error, workspace)) }
      return
    }
    GatewayAnswer.refused(&send, Symbol(.gorush), reason: workspace.symbol(error), workspace)
  }
}
