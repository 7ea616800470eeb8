import PushModel

extension LogAdapter {
  /// States of single pushes, written down from Apple's Push Notifications Console.
  static let appleConsole = LogAdapter(
    id: "apple-console",
    title: "States copied from Apple's Push Notifications Console (small CSV made by hand)",
    formatSource: "Apple, Viewing the status of push notifications (names of the states)",
    side: .send,
    clock: "as written; without a zone in the zone that --assume-zone names, else UTC",
    absence: .neverProves(because: "only what a person looked up and wrote down is in it"),
    redacts: [],
    samples: [
      AdapterSample(
        "0c9d8f62-1e35-4b7a-8c41-77d2b6f0a913,Stored – Device Offline,2026-03-01T10:00:01Z",
        expect: .record, header: "apns_unique_id,state,time"),
      AdapterSample(
        "0c9d8f62-1e35-4b7a-8c41-77d2b6f0a913,discarded - token unregistered (from storage),2026-03-01T10:00:01Z",
        expect: .record, header: "apns_unique_id,state,time"),
      AdapterSample(
        "0c9d8f62-1e35-4b7a-8c41-77d2b6f0a913,Lost in the post,2026-03-01T10:00:01Z",
        expect: .unreadable, header: "apns_unique_id,state,time"),
      AdapterSample("", expect: .skip, header: "apns_unique_id,state,time"),
    ],
    fields: [
      ("apns_unique_id", "the console's key: answer header of the development environment"),
      ("state", "as the console names it; case, kind of dash and brackets do not matter"),
      ("time", "when"),
    ],
    wordings: [
      "Received by APNs", "Delivered to Device", "From Storage", "Stored", "Device Offline",
      "Power Considerations", "Discarded", "Token Unregistered", "Expired", "Disabled",
    ],
    prepare: { head, _ in
      head.rows?.setup(ConsoleReader.columns, needed: ["state"], hints: head.hints).flatMap {
        Set($0.columns).isSuperset(of: [1, 2, 3]) ? $0 : nil
      }
    },
    read: { piece, workspace in ConsoleReader.read(piece, workspace) })
}

private enum ConsoleReader {
  static let columns: [String: UInt8] = [
    "apns_unique_id": 1, "apns-unique-id": 1, "unique_id": 1, "state": 2, "time": 3, "ts": 3,
    "timestamp": 3, "date": 3,
  ]

  /// What a state says: the beginning of its letters, and what becomes of the push.
  private static let states: [(letters: StaticString, status: String, reason: String)] = [
    ("receivedbyapns", "received", ""),
    ("deliveredtodevice", "delivered", ""),
    ("storeddeviceoffline", "stored", ""),
    ("storedpowerconsiderations", "stored", ""),
    ("discardedtokenunregistered", "discarded", "Unregistered"),
    ("discardedexpired", "discarded", "Expired"),
    ("discardeddisabled", "discarded", "Disabled"),
  ]

  static func read(_ piece: UnsafeRawBufferPointer, _ workspace: ParseWorkspace) -> Reading {
    var id: Cell?
    var state: Cell?
    var time: Cell?
    let ending = workspace.forEachField(of: piece) { code, cell in
      switch code {
      case 1: id = cell
      case 2: state = cell
      case 3: time = cell
      default: break
      }
    }
    if let ending { return ending }
    guard let text = id?.text else {
      return .unreadable(field: "apns_unique_id", reason: "is missing")
    }
    guard let at = time?.time(workspace, isUTC: false) else {
      return .unreadable(field: "time", reason: "is missing or no time")
    }
    guard
      let known = state?.text.flatMap({ text in
        states.first { begins(text, with: $0.letters) }
      })
    else {
      return .unreadable(field: "state", reason: "is none of the console's states")
    }
    var send = SendRecord()
    send.at = at
    // The console knows only what APNs took (F1.61, F1.64).
    send.provider = TextValue(Symbol(.apns))
    send.status = 200
    send.notification = workspace.identifier(text)
    send.uniqueID = workspace.records.append(text.buffer)
    send.environment = TextValue(Symbol(.sandbox))
    send.receiptStatus = TextValue(workspace.interner.intern(known.status))
    if !known.reason.isEmpty {
      send.receiptReason = TextValue(workspace.interner.intern(known.reason))
    }
    workspace.records.sends.append(send)
    return .send
  }

  /// Whether the letters of a text begin with these.
  private static func begins(_ text: ByteText, with letters: StaticString) -> Bool {
    var found = 0
    for byte in text.buffer where (byte | 0x20) &- 0x61 < 26 {
      guard byte | 0x20 == letters.utf8Start[found] else { return false }
      found += 1
      if found == letters.utf8CodeUnitCount { return true }
    }
    return false
  }
}
