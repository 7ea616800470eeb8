import Glibc
import PushModel

extension LogAdapter {
  /// Results of APNs libraries that were printed as text.
  static let apnsText = LogAdapter(
    id: "apns-text",
    title: "Results of APNs libraries printed as text (Go's %v and %+v, parse-server)",
    formatSource: "sideshow/apns2 response.go as Go prints it; parse-server push adapter",
    side: .send,
    clock: "of the log line; without a zone in the zone that --assume-zone names, else UTC",
    absence: .neverProves(
      because:
        """
        what a library prints is filtered by level and often sampled, and nothing counts its \
        lines
        """),
    redacts: ["device token"],
    samples: [
      AdapterSample(
        "2026/03/01 10:00:00 sent: &{200  5b0f4c1e-7a39-4d58-9a60-2f1d6c0be1aa {0 0 <nil>} }",
        expect: .record),
      AdapterSample(
        "2026-03-01T10:00:00Z push &{StatusCode:410 Reason:Unregistered ApnsID:6c1a5d2f-8b40-4e69-8b71-301e7d1cf2bb Timestamp:2026-02-28 10:00:00 +0000 UTC ApnsUniqueID:}",
        expect: .record),
      AdapterSample(
        "2026-03-01T10:00:00Z ERR! parse-server-push-adapter APNS APNS error transmitting to device 51c435c3a019fe20a9d5fc60012b9a81865c2228dc42ea9d62af58162667162b with status 410 and reason Unregistered",
        expect: .record),
      AdapterSample(
        "sent: &{200  5b0f4c1e-7a39-4d58-9a60-2f1d6c0be1aa {0 0 <nil>} }", expect: .unreadable),
      AdapterSample("2026/03/01 10:00:00 listening on :8080", expect: .skip),
    ],
    fields: [
      ("&{status reason apns-id {time} unique-id}", "apns2's Response as Go prints it"),
      ("APNS error transmitting to device … with status … and reason …", "parse-server's failures"),
    ],
    wordings: [
      "&{", "{0 0 <nil>}", "StatusCode:", "Reason:", "ApnsID:", "Timestamp:", "ApnsUniqueID:",
      "sent:", "parse-server-push-adapter APNS", "APNS error transmitting to device", "with status",
      "and reason",
    ],
    recognises: { head, _ in
      head.contains { line in
        guard let base = line.baseAddress else { return false }
        let text = ByteText(base: base, count: line.count)
        return ApnsTextReader.goStart(text) != nil || ApnsTextReader.parseStart(text) != nil
      }
    },
    read: { line, workspace in ApnsTextReader.read(line, workspace) })
}

private enum ApnsTextReader {
  /// Where Go's print of a response begins: `&{` and three digits, or a name and three digits.
  static func goStart(_ text: ByteText) -> Int? {
    var from = 0
    while let found = text.find("{", from: from) {
      var index = found + 1
      if text.starts(with: "StatusCode:", at: index) { index += 11 }
      if LooseTime.number(text, index, 3) != nil, index + 3 < text.count, text[index + 3] == 0x20 {
        return found + 1
      }
      from = found + 1
    }
    return nil
  }

  static func parseStart(_ text: ByteText) -> Int? {
    text.find("APNS error transmitting to device").map { $0 + 33 }
  }

  static func read(_ line: UnsafeRawBufferPointer, _ workspace: ParseWorkspace) -> Reading {
    guard let base = line.baseAddress, line.count > 0 else { return .skip(because: .emptyLine) }
    let text = ByteText(base: base, count: line.count)
    let go = goStart(text)
    let parse = parseStart(text)
    guard let start = go ?? parse else { return .skip(because: .otherRecord) }
    guard
      let at = LooseTime.first(in: text.part(0, start), workspace)?.microseconds
        ?? workspace.assumedTime()
    else {
      return .unreadable(
        field: "time", reason: "does not stand before the result; --assume-time says one")
    }
    var send = SendRecord()
    send.at = at
    send.provider = TextValue(Symbol(.apns))
    if go != nil {
      readGo(text, start, &send, workspace)
    } else if !readParse(text, start, &send, workspace) {
      return .unreadable(field: "status", reason: "is not a whole number")
    }
    workspace.records.sends.append(send)
    return .send
  }

  private static func readGo(
    _ text: ByteText, _ start: Int, _ send: inout SendRecord, _ workspace: ParseWorkspace
  ) {
    var index = start
    let isNamed = text.starts(with: "StatusCode:", at: index)
    if isNamed { index += 11 }
    send.status = Int32(LooseTime.number(text, index, 3) ?? 0)
    index += 4
    func field(_ name: StaticString) -> ByteText {
      guard isNamed else {
        let word = text.word(at: index)
        index = min(text.count, index + word.count + 1)
        return word
      }
      return text.find(name, from: start).map { text.word(at: $0 + name.utf8CodeUnitCount) }
        ?? text.part(0, 0)
    }
    let reason = field("Reason:")
    if reason.isPlainWord { send.reason = TextValue(workspace.symbol(reason)) }
    let apns = field("ApnsID:")
    if apns.count == 36 { send.apns = workspace.identifier(apns) }
    if isNamed, let place = text.find("Timestamp:", from: start),
      !text.starts(with: "0001", at: place + 10),
      let since = LooseTime.parse(text.part(place + 10, text.count), at: 0)
    {
      send.unregisteredAt = since.microseconds
    }
  }

  private static func readParse(
    _ text: ByteText, _ start: Int, _ send: inout SendRecord, _ workspace: ParseWorkspace
  ) -> Bool {
    guard let place = text.find(" with status ", from: start) else { return false }
    // The logger may break the token over lines.
    let token = text.part(start, place).buffer.filter { $0 > 0x20 }
    token.withUnsafeBytes { bytes in
      if let base = bytes.baseAddress {
        send.token = workspace.token(ByteText(base: base, count: bytes.count))
      }
    }
    let status = text.word(at: place + 13)
    if let number = Int32(status.string), (0...999).contains(number) {
      send.status = number
    } else if status.starts(with: "(") {
      send.status = 0
      send.error = TextValue(workspace.symbol(status.part(1, status.count - 1)))
    } else {
      return false
    }
    if let found = text.find(" and reason ", from: place) {
      let reason = text.word(at: found + 12)
      if reason.isPlainWord { send.reason = TextValue(workspace.symbol(reason)) }
    }
    return true
  }
}
