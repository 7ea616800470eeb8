import PushModel

extension LogAdapter {
  /// The text log of sygnal, the push gateway of Matrix clients.
  static let sygnal = LogAdapter(
    id: "sygnal",
    title: "sygnal (Matrix push gateway) text log",
    formatSource: "matrix-org/sygnal sygnal/apnspushkin.py and its sample configuration",
    side: .send,
    clock: "server-local without a zone (--assume-zone names it), comma before milliseconds",
    absence: .neverProves(because: "lines are filtered by level, and nothing counts them"),
    redacts: ["pushkey", "token", "room"],
    samples: [
      AdapterSample(
        "2026-03-01 10:00:00,104 [28411] INFO  sygnal.apnspushkin [17-3] Sending (attempt 0) => 5b0f4c1e-7a39-4d58-9a60-2f1d6c0be1aa APNs-ID:RlCaAxK869nCTMAGVHvcGUaVGrGjCFFqtDOfyTFU73g= room:!q:example.org, event:$e1",
        expect: .record),
      AdapterSample(
        "2026-03-01 10:00:00,371 [28411] INFO  sygnal.apnspushkin [17-4] APNs token 51c435c3a019fe20a9d5fc60012b9a81865c2228dc42ea9d62af58162667162b for pushkin com.example.courier was rejected: 410 Unregistered",
        expect: .record),
      AdapterSample(
        "2026-03-01 10:00:00,371 [28411] INFO  sygnal.apnspushkin [17-4] APNs token 51c4 for pushkin com.example.courier was rejected: Unregistered",
        expect: .unreadable),
      AdapterSample(
        "2026-03-01 10:00:00,380 [28411] INFO  sygnal.access Handled request: 10.0.0.4 \"POST /_matrix/push/v1/notify HTTP/1.1\" 200",
        expect: .skip),
    ],
    fields: [
      ("=> UUID", "the apns-id, a new one for each attempt"),
      ("APNs-ID:", "the base64 pushkey in spite of its name: the token, as hex here"),
      ("event:", "the Matrix event, which is the notification's own id"),
      ("was rejected:", "APNs' status and reason"),
      ("success", "has no line of its own: a sending without a rejection is an answer not known"),
    ],
    wordings: [
      "sygnal.apnspushkin", "Sending (attempt", "=>", "APNs-ID:", "Sending as APNs-ID",
      "APNs token", "for pushkin", "was rejected:", "room:", "event:",
    ],
    prepare: { head, workspace in
      let fitting = head.lines.filter { line in
        line.baseAddress.map {
          SygnalReader.isOwn(ByteText(base: $0, count: line.count))
        } ?? false
      }
      let started = head.lines.filter { SygnalReader.isStart($0) }
      guard fitting.count * 2 > started.count, !fitting.isEmpty else { return nil }
      return SourceSetup(framing: .startedLines(SygnalReader.isStart))
    },
    read: { piece, workspace in SygnalReader.read(piece, workspace) })
}

private enum SygnalReader {
  /// Continuations of a traceback do not begin with a date.
  static let isStart: @Sendable (UnsafeRawBufferPointer) -> Bool = { line in
    guard let base = line.baseAddress, line.count >= 19 else { return false }
    return LooseTime.parse(ByteText(base: base, count: line.count), at: 0) != nil
  }

  static func isOwn(_ text: ByteText) -> Bool {
    text.find("sygnal.") != nil || text.find("Sending as APNs-ID ") != nil
      || (text.find(" APNs-ID:") != nil && text.find("Sending (attempt ") != nil)
  }

  static func read(_ piece: UnsafeRawBufferPointer, _ workspace: ParseWorkspace) -> Reading {
    guard let base = piece.baseAddress, piece.count > 0 else { return .skip(because: .emptyLine) }
    let text = ByteText(base: base, count: piece.count)
    let sending = text.find("Sending (attempt ") ?? text.find("Sending as APNs-ID ")
    let rejected = text.find(" was rejected: ")
    guard sending != nil || rejected != nil else {
      return isStart(piece) ? .skip(because: .otherRecord) : .skip(because: .continuation)
    }
    guard let found = LooseTime.first(in: text.part(0, sending ?? rejected ?? 0), workspace) else {
      return .unreadable(field: "time", reason: "does not stand at the beginning")
    }
    var send = SendRecord()
    send.at = found.microseconds
    send.provider = TextValue(Symbol(.sygnal))
    if let sending {
      readSending(text, sending, &send, workspace)
      guard send.apns.isPresent else {
        return .unreadable(field: "apns-id", reason: "is no UUID")
      }
    } else if let rejected {
      let status = text.word(at: rejected + 15)
      guard let number = Int32(status.string), (100...999).contains(number) else {
        return .unreadable(field: "status", reason: "is not a whole number")
      }
      send.status = number
      let reason = text.word(at: rejected + 15 + status.count + 1)
      if reason.isPlainWord { send.reason = TextValue(workspace.symbol(reason)) }
      if let place = text.find("APNs token ") {
        send.token = workspace.pushKey(text.word(at: place + 11))
      }
    }
    workspace.records.sends.append(send)
    return .send
  }

  private static func readSending(
    _ text: ByteText, _ start: Int, _ send: inout SendRecord, _ workspace: ParseWorkspace
  ) {
    func uuid(_ place: Int) {
      let word = text.word(at: place)
      if word.count == 36 { send.apns = workspace.identifier(word) }
    }
    if text.starts(with: "Sending as APNs-ID ", at: start) { return uuid(start + 19) }
    // Counted from 0 there.
    var index = start + 17
    var attempt: Int32 = 0
    while index < text.count, text[index] &- 0x30 < 10, attempt < 1000 {
      attempt = attempt * 10 + Int32(text[index] &- 0x30)
      index += 1
    }
    send.attempt = attempt + 1
    if let arrow = text.find("=> ", from: index) { uuid(arrow + 3) }
    if let key = text.find("APNs-ID:", from: index) {
      send.token = workspace.pushKey(text.word(at: key + 8))
    }
    if let event = text.find("event:", from: index) {
      let word = text.word(at: event + 6)
      if word.count > 0, !word.equals("None") { send.notification = workspace.identifier(word) }
    }
  }
}

extension ParseWorkspace {
  /// The token that a Matrix pushkey is: base64 of its bytes; hex stays as it is.
  func pushKey(_ text: ByteText) -> TokenRecord {
    if text.buffer.allSatisfy({ isHexDigit($0) }) { return token(text) }
    guard let bytes = Base64.decode(UnsafeRawBufferPointer(start: text.base, count: text.count)),
      !bytes.isEmpty
    else { return token(text) }
    let digits = Array("0123456789abcdef".utf8)
    var hex: [UInt8] = []
    for byte in bytes {
      hex.append(digits[Int(byte >> 4)])
      hex.append(digits[Int(byte & 15)])
    }
    return hex.withUnsafeBytes { buffer in
      buffer.baseAddress.map { token(ByteText(base: $0, count: hex.count)) } ?? .none
    }
  }

  private func isHexDigit(_ byte: UInt8) -> Bool {
    byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 6
  }
}
