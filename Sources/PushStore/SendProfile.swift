import PushModel

/// What many sends share, stored once: everything of a send that is of low cardinality.
public struct SendProfile: Hashable, Sendable {
  var status: Int32
  var attempt: Int32
  var reason: TextValue
  var environment: TextValue
  var host: TextValue
  var topic: TextValue
  var pushType: TextValue
  var priority: HeaderValue
  var channel: TextValue
  var provider: TextValue
  var error: TextValue
  var expects: Meaning
  var tokenKind: TextValue
  var keyID: TextValue
  var teamID: TextValue
  var sender: TextValue
  var receiptStatus: TextValue
  var receiptReason: TextValue
  var collapseIsNull: Bool
  var namesInstallation: Bool

  /// Hashes what differs most between profiles: twenty fields are many for each send.
  public func hash(into hasher: inout Hasher) {
    let low = UInt64(topic.code) << 32 | UInt64(reason.code) << 10 | UInt64(sender.code)
    let high = UInt64(keyID.code) << 40 | UInt64(host.code) << 20 | UInt64(pushType.code)
    hasher.combine(low ^ UInt64(UInt32(bitPattern: status)) << 20)
    hasher.combine(high ^ UInt64(UInt32(bitPattern: attempt)) << 58)
  }

  init(_ send: SendRecord) {
    status = send.status
    attempt = send.attempt
    reason = send.reason
    environment = send.environment
    host = send.host
    topic = send.topic
    pushType = send.pushType
    priority = send.priority
    channel = send.channel
    provider = send.provider
    error = send.error
    expects = send.expects
    tokenKind = send.tokenKind
    keyID = send.keyID
    teamID = send.teamID
    sender = send.sender
    receiptStatus = send.receiptStatus
    receiptReason = send.receiptReason
    collapseIsNull = send.collapseIsNull
    namesInstallation = send.installation != 0
  }

  func apply(to send: inout SendRecord) {
    send.status = status
    send.attempt = attempt
    send.reason = reason
    send.environment = environment
    send.host = host
    send.topic = topic
    send.pushType = pushType
    send.priority = priority
    send.channel = channel
    send.provider = provider
    send.error = error
    send.expects = expects
    send.tokenKind = tokenKind
    send.keyID = keyID
    send.teamID = teamID
    send.sender = sender
    send.receiptStatus = receiptStatus
    send.receiptReason = receiptReason
    send.collapseIsNull = collapseIsNull
  }

  /// The text fields with their keys, in the order in which they are written.
  private static let texts:
    [(key: StaticString, path: any WritableKeyPath<SendProfile, TextValue> & Sendable)] = [
      ("reason", \.reason), ("environment", \.environment), ("host", \.host), ("topic", \.topic),
      ("push_type", \.pushType), ("channel_id", \.channel), ("provider", \.provider),
      ("error", \.error), ("token_kind", \.tokenKind),
      ("key_id", \.keyID), ("team_id", \.teamID), ("sender", \.sender),
      ("receipt_status", \.receiptStatus), ("receipt_reason", \.receiptReason),
    ]

  /// The profile as JSON, keys as in the send log.
  func text(_ pool: TextPool) -> String {
    let out = ByteOutput(capacity: 512)
    out.append("{\"status\":" as StaticString)
    out.append(number: Int64(status))
    for (key, path) in SendProfile.texts {
      let value = self[keyPath: path]
      guard value.code != 0 else { continue }
      out.append(0x2c)
      out.append(quoted: key.utf8Start, key.utf8CodeUnitCount)
      out.append(0x3a)
      if let symbol = value.symbol {
        let bytes = pool.bytes(symbol)
        out.append(quoted: bytes.base, bytes.count)
      } else {
        out.append("null" as StaticString)
      }
    }
    if priority.kind != .absent {
      out.append(",\"priority\":" as StaticString)
      HeaderText.write(priority, pool, out)
    }
    if attempt != 0 {
      out.append(",\"attempt\":" as StaticString)
      out.append(number: Int64(attempt))
    }
    if !expects.isEmpty {
      out.append(",\"expects\":[" as StaticString)
      for (index, word) in expects.texts.enumerated() {
        if index > 0 { out.append(0x2c) }
        out.append(quoted: word)
      }
      out.append(0x5d)
    }
    if collapseIsNull { out.append(",\"collapse_id\":null" as StaticString) }
    if namesInstallation { out.append(",\"names_installation\":true" as StaticString) }
    out.append(0x7d)
    return out.text(out.range(from: 0))
  }

  /// A profile from its JSON; nil if it is damaged.
  init?(_ json: UnsafeRawBufferPointer, _ pool: TextPool) {
    self.init(SendRecord())
    var cursor = JSONCursor(json)
    cursor.expect(0x7b)
    guard cursor.hasFirst(until: 0x7d) else { return }
    repeat {
      let key = cursor.text()
      cursor.expect(0x3a)
      if let entry = SendProfile.texts.first(where: { "\($0.key)" == key }) {
        if cursor.peek == 0x6e {
          cursor.skip()
          self[keyPath: entry.path] = .null
        } else {
          self[keyPath: entry.path] = TextValue(
            cursor.string { pool.intern($0, $1) } ?? Symbol(.empty))
        }
        continue
      }
      switch key {
      case "status": status = Int32(truncatingIfNeeded: cursor.integer())
      case "attempt": attempt = Int32(truncatingIfNeeded: cursor.integer())
      case "priority": priority = HeaderText.read(&cursor, pool)
      case "collapse_id":
        cursor.skip()
        collapseIsNull = true
      case "names_installation":
        cursor.skip()
        namesInstallation = true
      case "expects":
        cursor.expect(0x5b)
        guard cursor.hasFirst(until: 0x5d) else { break }
        repeat {
          if let meaning = Meaning(word: cursor.text()) { expects.insert(meaning) }
        } while cursor.another(until: 0x5d)
      default: cursor.skip()
      }
    } while cursor.another(until: 0x7d)
    if cursor.isDamaged { return nil }
  }
}

/// Header values in JSON: a number stays a number, text stays text.
enum HeaderText {
  static func write(_ value: HeaderValue, _ pool: TextPool, _ out: ByteOutput) {
    switch value.kind {
    case .absent, .null: out.append("null" as StaticString)
    case .number: out.append(number: value.bits)
    case .text:
      let bytes = pool.bytes(Symbol(index: UInt32(truncatingIfNeeded: value.bits)))
      out.append(quoted: bytes.base, bytes.count)
    }
  }

  static func read(_ cursor: inout JSONCursor, _ pool: TextPool) -> HeaderValue {
    switch cursor.peek {
    case 0x6e:
      cursor.skip()
      return HeaderValue(kind: .null, bits: 0)
    case 0x22:
      let symbol = cursor.string { pool.intern($0, $1) } ?? Symbol(.empty)
      return HeaderValue(kind: .text, bits: Int64(symbol.index))
    default: return HeaderValue(kind: .number, bits: cursor.integer())
    }
  }
}
