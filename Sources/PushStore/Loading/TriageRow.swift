public import PushModel

/// One stored notification with its records.
public struct TriageRow {
  /// Number of its row.
  public let number: Int64
  /// Block that keeps its lines, nil if none does.
  public let rawBlock: Int64?
  /// Its ids, its device and what it was meant to be.
  public let identity: IdentityTable
  /// The verdict as stored.
  public let verdict: VerdictTable
  /// Its broken steps as stored, in the order of the path.
  public let broken: [(step: StepID, cause: CauseID?, confidence: Confidence)]
  /// Key that ties its two sides.
  public let link: LinkKey
  /// Whether its installation ever logged; nil if that is not known.
  public let installationLogs: Bool?
  /// Whether a gapless run of the installation's counter lies around it.
  public let isCovered: Bool
  /// Its records; texts that are symbols are in ``pool``.
  public let records: RecordSet
  /// Places of its sends, oldest first.
  public let sends: [Int]
  /// Places of its events, in stored order.
  public let events: [Int]
  /// Texts of the records' symbols.
  public let pool: TextPool

  /// Reads a row; nil if there is none of this number.
  public init?(database: Database, number: Int64) throws(StoreError) {
    let words = StepWords()
    let pool = TextPool()
    let row = try database.named("notification_row")
    row.bind("row", number)
    defer { row.reset() }
    guard try row.step() else { return nil }

    let records = RecordSet()
    let stored = StoredRows(database: database, pool: pool)
    guard let places = try stored.notification(number, into: records) else { return nil }

    self.number = number
    rawBlock = row.optionalInteger(29)
    sends = places.sends.map(Int.init).sorted {
      (records.sends[$0].at, $0) < (records.sends[$1].at, $1)
    }
    events = places.events.map(Int.init)
    link = LinkKey(rawValue: UInt8(truncatingIfNeeded: row.integer(11))) ?? .own
    isCovered = row.integer(13) != 0
    installationLogs = row.optionalInteger(32).map { $0 != 0 }

    var identity = IdentityTable()
    identity.notificationID = row.optionalText(23)
    for place in sends where records.sends[place].apns.isPresent {
      let text = records.text(records.sends[place].apns.text)
      if !identity.apnsIDs.contains(text) { identity.apnsIDs.append(text) }
    }
    if identity.apnsIDs.isEmpty, let text = row.optionalText(24) { identity.apnsIDs = [text] }
    identity.collapseID = row.optionalText(25)
    // The device's request identifier is the collapse id where the sender gave one (F11.1).
    identity.requestID =
      row.optionalText(26) ?? (row.integer(15) > 0 ? row.optionalText(25) : nil)
    identity.deviceID = row.optionalText(31)
    identity.token = row.optionalText(28)
    identity.bundle = row.optionalText(18)
    identity.version = row.optionalText(19)
    identity.build = row.optionalText(20)
    identity.osVersion = row.optionalText(21)
    identity.model = row.optionalText(22)
    identity.topic = row.optionalText(16)
    identity.campaign = row.optionalText(17)
    identity.kind = ChainKind(rawValue: UInt8(truncatingIfNeeded: row.integer(2))) ?? .richAlert
    identity.meaning = Meaning(rawValue: UInt16(truncatingIfNeeded: row.integer(3)))
    identity.meaningSource =
      MeaningSource(rawValue: UInt8(truncatingIfNeeded: row.integer(4))) ?? .none
    identity.jobID = TriageRow.job(records, events, pool)
    self.identity = identity

    var verdict = VerdictTable()
    verdict.judgement =
      Judgement(rawValue: UInt8(truncatingIfNeeded: row.integer(5))) ?? .cannotTell
    verdict.step = words.step(row, 6)
    verdict.cause = words.cause(row, 7)
    verdict.confidence =
      Confidence(rawValue: UInt8(truncatingIfNeeded: row.integer(8))) ?? .possible
    verdict.stage = Stage(rawValue: UInt8(truncatingIfNeeded: row.integer(9))) ?? .none
    verdict.needs = Needs(rawValue: UInt64(bitPattern: row.integer(10))).all
    verdict.isReplaced = row.integer(12) != 0
    self.verdict = verdict

    let outcomes = try database.named("broken_steps_of")
    outcomes.bind("row", number)
    defer { outcomes.reset() }
    var broken: [(step: StepID, cause: CauseID?, confidence: Confidence)] = []
    while try outcomes.step() {
      guard let step = words.step(outcomes, 1) else { continue }
      broken.append(
        (
          step, words.cause(outcomes, 2),
          Confidence(rawValue: UInt8(truncatingIfNeeded: outcomes.integer(3))) ?? .possible
        ))
    }
    self.broken = broken
    self.records = records
    self.pool = pool
  }

  /// Id of the hand-off job or the Live Activity that an event names.
  private static func job(_ records: RecordSet, _ events: [Int], _ pool: TextPool) -> String? {
    for place in events {
      for attribute in TriageRow.attributes(of: place, records)
      where attribute.kind == .text
        && (attribute.key == .jobId || attribute.key == .activityId)
      {
        return pool[Symbol(index: UInt32(truncatingIfNeeded: attribute.bits))]
      }
    }
    return nil
  }

  private static func attributes(of event: Int, _ records: RecordSet) -> ArraySlice<Attribute> {
    let first = Int(records.events[event].firstAttribute)
    return ArraySlice(
      records.attributes[first..<first + Int(records.events[event].attributeCount)])
  }

  // MARK: Records as text

  /// Attributes of an event, arrays in brackets, URLs as their form.
  public func attributes(ofEvent place: Int) -> [ShownAttribute] {
    var shown: [ShownAttribute] = []
    var isList = false
    for attribute in TriageRow.attributes(of: place, records) {
      let key = pool[attribute.key]
      let value = text(attribute)
      if let last = shown.last, last.key == key {
        // Several attributes of one key are an array.
        let start = isList ? String(last.value.dropLast()) : "[\(last.value)"
        shown[shown.count - 1].value = "\(start), \(value)]"
        isList = true
      } else {
        shown.append(ShownAttribute(key, value))
        isList = false
      }
    }
    return shown
  }

  private func text(_ attribute: Attribute) -> String {
    switch attribute.kind {
    case .integer: return String(attribute.bits)
    case .real: return "\(Double(bitPattern: UInt64(bitPattern: attribute.bits)))"
    case .boolean: return attribute.bits != 0 ? "true" : "false"
    case .text: return pool[Symbol(index: UInt32(truncatingIfNeeded: attribute.bits))]
    case .url:
      guard records.urls.indices.contains(Int(attribute.bits)) else { return "" }
      let url = records.urls[Int(attribute.bits)]
      let scheme = pool[url.scheme]
      let ending = pool[url.ending]
      return (scheme.isEmpty ? "" : "\(scheme)://") + pool[url.host] + "/…"
        + (ending.isEmpty ? "" : ".\(ending)") + " (\(url.length) bytes)"
    case .emptyArray: return "[]"
    case .null: return "null"
    }
  }

  /// What is known of the answer to a send.
  public func answer(ofSend place: Int) -> [ShownAttribute] {
    let send = records.sends[place]
    var shown: [ShownAttribute] = []
    if send.status != .min { shown.append(ShownAttribute("status", String(send.status))) }
    if let reason = text(send.reason) { shown.append(ShownAttribute("reason", reason)) }
    if let error = text(send.error) { shown.append(ShownAttribute("error", error)) }
    return shown
  }

  func text(_ value: TextValue) -> String? {
    value.code == 1 ? "null" : value.symbol.map { pool[$0] }
  }

  func text(_ value: HeaderValue) -> String? {
    switch value.kind {
    case .absent: nil
    case .null: "null"
    case .number: String(value.bits)
    case .text: pool[Symbol(index: UInt32(truncatingIfNeeded: value.bits))]
    }
  }

  /// The parsed record of a reference written out, nil if it is none of this notification's.
  public func record(_ reference: RecordReference) -> String? {
    if let place = sends.first(where: { records.sends[$0].reference == reference }) {
      let send = records.sends[place]
      var parts = ["send"]
      for (key, value) in [
        ("topic", text(send.topic)), ("push_type", text(send.pushType)),
        ("priority", text(send.priority)), ("expiration", text(send.expiration)),
      ] {
        if let value { parts.append("\(key)=\(value)") }
      }
      return (parts + answer(ofSend: place).map { "\($0.key)=\($0.value)" })
        .joined(separator: " ")
    }
    if let place = events.first(where: { records.events[$0].reference == reference }) {
      return
        ([pool[records.events[place].name]]
        + attributes(ofEvent: place).map { "\($0.key)=\($0.value)" }).joined(separator: " ")
    }
    return nil
  }
}
