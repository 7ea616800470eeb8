import PushModel

/// Reduces a payload to its shape: keys, types, lengths by powers of two, and the values of the
/// system keys that rules read. Texts for people never leave this file.
///
/// Most payloads of a log share a few shapes. So a first walk only hashes; the second one, which
/// writes the shape and reads what rules need, runs once for each shape.
enum PayloadReader {
  /// How deep a shape goes; deeper objects count as one value.
  private static let deepest = 8

  /// What a key inside `aps` or beside it means to the reader.
  private enum Key: UInt8 {
    case none, aps, alert, mutableContent, contentAvailable, category, sound, interruptionLevel
    case badge, title, subtitle, body, locKey, otherMutable, otherAvailable, event, timestamp
    case contentState, critical, name, sender, vendor, knownMedia, mediaLike, typeHint, ownID
    case attributesType, threadID, relevance, data, strayText
  }

  private static let keys = KeyTable(
    ([
      ("aps", .aps), ("alert", .alert), ("mutable-content", .mutableContent),
      ("content-available", .contentAvailable), ("category", .category), ("sound", .sound),
      ("interruption-level", .interruptionLevel), ("badge", .badge), ("title", .title),
      ("subtitle", .subtitle), ("body", .body), ("text", .strayText), ("message", .strayText),
      ("loc-key", .locKey), ("title-loc-key", .locKey),
      ("subtitle-loc-key", .locKey), ("mutable_content", .otherMutable),
      ("mutableContent", .otherMutable), ("Mutable-Content", .otherMutable),
      ("mutablecontent", .otherMutable), ("MutableContent", .otherMutable),
      ("content_available", .otherAvailable), ("contentAvailable", .otherAvailable),
      ("contentavailable", .otherAvailable), ("event", .event), ("timestamp", .timestamp),
      ("content-state", .contentState), ("critical", .critical), ("name", .name),
      ("sender", .sender), ("sender_id", .sender), ("sender_name", .sender),
      ("senderName", .sender), ("from", .sender), ("fcm_options", .vendor), ("att", .vendor),
      ("ct_mediaUrl", .knownMedia), ("image", .mediaLike),
      ("ct_mediaType", .typeHint), ("media-url", .mediaLike), ("media_url", .mediaLike),
      ("mediaUrl", .mediaLike), ("mediaURL", .mediaLike), ("image_url", .mediaLike),
      ("image-url", .mediaLike), ("imageUrl", .mediaLike), ("imageURL", .mediaLike),
      ("attachment", .mediaLike), ("attachment-url", .mediaLike),
      ("attachment_url", .mediaLike), ("attachmentUrl", .mediaLike), ("picture", .mediaLike),
      ("photo", .mediaLike), ("video", .mediaLike), ("video_url", .mediaLike),
      ("thumbnail", .mediaLike), ("media", .mediaLike), ("type-hint", .typeHint),
      ("type_hint", .typeHint), ("typeHint", .typeHint), ("media-type", .typeHint),
      ("media_type", .typeHint), ("mediaType", .typeHint), ("uti", .typeHint),
      ("mime", .typeHint), ("media-type-hint", .typeHint),
      ("media_type_hint", .typeHint), ("mediaTypeHint", .typeHint),
      ("attachment-type-hint", .typeHint), ("attachment_type_hint", .typeHint),
      ("attachmentTypeHint", .typeHint), ("mime-type", .typeHint), ("mime_type", .typeHint),
      ("mimeType", .typeHint), ("media-mime", .typeHint), ("media_mime", .typeHint),
      ("notification_id", .ownID), ("notificationId", .ownID),
      ("attributes-type", .attributesType), ("thread-id", .threadID),
      ("relevance-score", .relevance), ("data", .data),
    ] as [(String, Key)]).map { ($0.0, $0.1.rawValue) })

  /// 48 bits are rare enough among thousands of shapes, and shorter in each timeline.
  private static func shortened(_ hash: UInt64) -> UInt64 { hash >> 16 == 0 ? 1 : hash >> 16 }

  // MARK: Shape of a whole payload

  /// The hash of the payload's shape; the shape itself goes into the workspace if it is new.
  static func shape(_ json: JSONTape, _ payload: Int, workspace: ParseWorkspace) -> UInt64 {
    var hash: UInt64 = 0x1234_5678_9abc_def1
    hashObject(json, payload, .none, 0, &hash)
    hash = shortened(hash)
    workspace.shape(hash: hash) {
      var text: [UInt8] = []
      write(json, payload, .none, 0, workspace, &text)
      return PayloadShape(
        hash: hash, payload: facts(json, payload, workspace: workspace),
        text: String(decoding: text, as: UTF8.self))
    }
    return hash
  }

  /// What rules need of a whole payload, read from this very one: payloads of one shape share it
  /// but for the exact length of a URL.
  static func facts(_ json: JSONTape, _ payload: Int, workspace: ParseWorkspace) -> Payload {
    var facts = Payload()
    facts.parts = .whole
    facts.alert = .absent
    facts.mutableContent = .absent
    facts.contentAvailable = .absent
    facts.category = .missing
    facts.sound = .missing
    facts.interruptionLevel = .missing
    facts.media = .missing
    facts.typeHint = .missing
    var reader = FactReader(json: json, workspace: workspace, facts: facts)
    reader.read(payload)
    return reader.facts
  }

  /// The hash of what a sender says about a payload that it does not log.
  static func shape(
    saidMutable: (JSONTape, Int)?, alert: Bool?, category: TextValue, workspace: ParseWorkspace
  ) -> UInt64 {
    shape(
      mutable: saidMutable.map { flag($0.0, $0.1) } ?? .unknown, alert: alert, category: category,
      workspace: workspace)
  }

  /// The hash of what is said about a payload that is not logged.
  static func shape(
    mutable state: FlagState, alert: Bool?, category: TextValue, workspace: ParseWorkspace
  ) -> UInt64 {
    var hash = StableHash.mix(0x5a1d ^ UInt64(state.rawValue), StableHash.k1)
    hash = StableHash.mix(hash ^ (alert == nil ? 0 : alert == true ? 2 : 1), StableHash.k2)
    let text = category.symbol.map { workspace.interner.texts[Int($0.index)] }
    hash = StableHash.mix(
      hash ^ (text.map { StableHash.of($0) } ?? UInt64(category.code)), StableHash.k1)
    hash = shortened(hash)
    workspace.shape(hash: hash) {
      var facts = Payload()
      facts.mutableContent = state
      facts.alert = alert.map { $0 ? .visible : .absent } ?? .unknown
      facts.category = category.known
      var said: [String] = []
      if state != .unknown { said.append("\"mutable_content\":\(flagText(state))") }
      if let alert { said.append("\"has_alert\":\(alert)") }
      if let text {
        var bytes: [UInt8] = []
        quote(Array(text.utf8), into: &bytes)
        said.append("\"category\":\(String(decoding: bytes, as: UTF8.self))")
      } else if category == .null {
        said.append("\"category\":null")
      }
      return PayloadShape(
        hash: hash, payload: facts, text: "{\"said\":{\(said.joined(separator: ","))}}")
    }
    return hash
  }

  /// How a flag stands (F3.30 to F3.34).
  static func flag(_ json: JSONTape, _ value: Int) -> FlagState {
    switch json.kind(value) {
    case .yes: return .on
    case .no: return .off
    case .null: return .null
    case .text: return .text
    case .object, .array: return .container
    case .integer, .unsigned, .real:
      guard let number = json.real(value) else { return .unknown }
      if number < 0 { return .negative }
      if number == 0 { return .off }
      return number < 1 ? .fraction : .on
    case .other: return .unknown
    }
  }

  private static func flagText(_ json: JSONTape, _ value: Int) -> String {
    flagText(flag(json, value))
  }

  private static func flagText(_ state: FlagState) -> String {
    switch state {
    case .on: "1"
    case .off: "0"
    case .fraction: "0.5"
    case .negative: "-1"
    case .text: "\"1\""
    case .container: "{}"
    case .null, .unknown, .absent: "null"
    }
  }

  /// Whether a text's value is kept whole, by its key: the system keys that rules read.
  private static func keepsText(_ key: Key, inAps: Bool) -> Bool {
    switch key {
    case .category, .sound, .interruptionLevel, .event, .attributesType, .name: inAps
    case .typeHint: true
    case .mutableContent, .contentAvailable: true
    default: false
    }
  }

  /// Whether a number cannot be Unix seconds: they have eleven digits from the year 5138 on.
  private static func isTooLargeForSeconds(_ json: JSONTape, _ value: Int) -> Bool {
    switch json.kind(value) {
    case .integer, .unsigned: json.wholeNumber(value).map { $0 >= 100_000_000_000 } ?? true
    case .real: json.real(value).map { $0 >= 1e11 } ?? false
    default: false
    }
  }

  private static func keepsNumber(_ key: Key) -> Bool {
    switch key {
    case .mutableContent, .contentAvailable, .otherMutable, .otherAvailable, .critical, .relevance:
      true
    default: false
    }
  }

  private static func isURL(_ text: ByteText) -> Bool {
    guard text.count > 7, text[0] | 0x20 == 0x68, text[1] | 0x20 == 0x74 else {
      // Another scheme is worth knowing where the text is long enough to be an address.
      return false
    }
    return text[2] | 0x20 == 0x74 && text[3] | 0x20 == 0x70
  }

  @inline(__always) private static func bucket(_ count: Int) -> Int {
    count == 0 ? 0 : 64 - UInt64(count).leadingZeroBitCount
  }

  // MARK: Hash

  private static func hashObject(
    _ json: JSONTape, _ object: Int, _ inside: Key, _ depth: Int, _ hash: inout UInt64
  ) {
    var place = json.first(object)
    let end = json.end(object)
    hash = StableHash.mix(hash ^ 0x7b, StableHash.k1)
    while place < end {
      let key = json.text(place)
      let value = place + 1
      place = json.next(value)
      let keyHash = StableHash.of(key.base, key.count)
      hash = StableHash.mix(hash ^ keyHash, StableHash.k2)
      let code = Key(rawValue: keys.code(hash: keyHash)) ?? .none
      hashValue(json, value, code, inside, depth, &hash)
    }
    hash = StableHash.mix(hash ^ 0x7d, StableHash.k1)
  }

  private static func hashValue(
    _ json: JSONTape, _ value: Int, _ key: Key, _ inside: Key, _ depth: Int, _ hash: inout UInt64
  ) {
    let kind = json.kind(value)
    switch kind {
    case .object:
      if depth >= deepest {
        hash = StableHash.mix(hash ^ 0x7b7b, StableHash.k2)
        return
      }
      hashObject(json, value, key == .none ? inside : key, depth + 1, &hash)
    case .array:
      hash = StableHash.mix(hash ^ 0x5b, StableHash.k1)
      if depth >= deepest { return }
      var place = json.first(value)
      let end = json.end(value)
      var count = 0
      while place < end {
        if count < 4 { hashValue(json, place, .none, inside, depth + 1, &hash) }
        place = json.next(place)
        count += 1
      }
      hash = StableHash.mix(hash ^ UInt64(bucket(count)) ^ 0x5d, StableHash.k1)
    case .text:
      let text = json.text(value)
      if keepsText(key, inAps: inside == .aps || inside == .sound) && text.count <= 128 {
        hash = StableHash.mix(hash ^ StableHash.of(text.base, text.count), StableHash.k1)
      } else if isURL(text) {
        hash = StableHash.mix(hash ^ urlHash(text), StableHash.k2)
      } else {
        hash = StableHash.mix(hash ^ UInt64(0x2200 + bucket(text.count)), StableHash.k1)
      }
    case .integer, .unsigned, .real:
      let state = keepsNumber(key) ? UInt64(flag(json, value).rawValue) : 0
      // Seconds and finer units are two shapes: only one of them is what iOS reads (F9.3).
      let unit: UInt64 = key == .timestamp && isTooLargeForSeconds(json, value) ? 0x100 : 0
      hash = StableHash.mix(hash ^ (0x6c00 + state + unit), StableHash.k1)
    default:
      hash = StableHash.mix(hash ^ UInt64(kind.rawValue), StableHash.k1)
    }
  }

  /// What of a URL is in the shape: all but path and query, of which form and ending stay.
  private static func urlHash(_ text: ByteText) -> UInt64 {
    var index = 0
    var slashes = 0
    var hostHash: UInt64 = 0
    var flags: UInt64 = 0
    var lastDot = -1
    var query = text.count
    while index < text.count {
      let byte = text[index]
      if byte == 0x2f, query == text.count {
        slashes += 1
        lastDot = -1
        if slashes == 3 { hostHash = StableHash.of(text.base, index) }
      } else if byte == 0x2e, query == text.count {
        lastDot = index
      } else if byte == 0x3f || byte == 0x23 {
        if query == text.count { query = index }
      } else if byte <= 0x20 || byte == 0x7f {
        flags |= 1
      } else if byte >= 0x80 || byte == 0x22 || byte == 0x3c || byte == 0x3e || byte == 0x5c
        || byte == 0x5e || byte == 0x60 || byte == 0x7b || byte == 0x7c || byte == 0x7d
      {
        flags |= 2
      } else if byte == 0x25 {
        let isEscape = index + 2 < text.count && isHex(text[index + 1]) && isHex(text[index + 2])
        if !isEscape { flags |= 2 }
      }
      index += 1
    }
    if slashes < 3 { hostHash = StableHash.of(text.base, query) }
    var ending: UInt64 = 0
    if lastDot >= 0, slashes >= 3, query - lastDot <= 6 {
      ending = StableHash.of(text.base + lastDot, query - lastDot)
    }
    return StableHash.mix(
      hostHash ^ flags, ending ^ StableHash.k1 ^ UInt64(bucket(text.count)))
  }

  private static func isHex(_ byte: UInt8) -> Bool {
    byte &- 0x30 < 10 || byte &- 0x61 < 6 || byte &- 0x41 < 6
  }

  // MARK: Text of the shape

  /// Adds the shape of a payload as JSON.
  static func writeShape(
    _ json: JSONTape, _ payload: Int, _ workspace: ParseWorkspace, _ out: inout [UInt8]
  ) {
    write(json, payload, .none, 0, workspace, &out)
  }

  private static func write(
    _ json: JSONTape, _ value: Int, _ key: Key, _ depth: Int, _ workspace: ParseWorkspace,
    _ out: inout [UInt8], inside: Key = .none
  ) {
    switch json.kind(value) {
    case .object:
      if depth > deepest { return out.append(contentsOf: "\"object\"".utf8) }
      out.append(0x7b)
      var place = json.first(value)
      let end = json.end(value)
      var isFirst = true
      while place < end {
        let name = json.text(place)
        let inner = place + 1
        place = json.next(inner)
        if !isFirst { out.append(0x2c) }
        isFirst = false
        if let masked = SecretText.masked(name.buffer) {
          quote(masked.prefix(64), into: &out)
        } else {
          quote(name.buffer.prefix(64), into: &out)
        }
        out.append(0x3a)
        let code = Key(rawValue: keys.code(name.base, name.count)) ?? .none
        write(json, inner, code, depth + 1, workspace, &out, inside: key == .none ? inside : key)
      }
      out.append(0x7d)
    case .array:
      out.append(0x5b)
      var place = json.first(value)
      let end = json.end(value)
      var count = 0
      while place < end {
        if count < 4 {
          if count > 0 { out.append(0x2c) }
          write(json, place, .none, depth + 1, workspace, &out, inside: inside)
        }
        count += 1
        place = json.next(place)
      }
      out.append(0x5d)
    case .text:
      let text = json.text(value)
      if keepsText(key, inAps: inside == .aps || inside == .sound) && text.count <= 128 {
        quoteMasked(text, into: &out)
      } else if isURL(text) {
        let form = workspace.urlForm(text)
        let place = "\(workspace.text(form.scheme))://\(workspace.text(form.host))"
        let ending = "\(workspace.text(form.ending))\(form.parses ? "" : " malformed")"
        quote("url \(place) \(bucketText(text.count)) .\(ending)".utf8, into: &out)
      } else {
        quote("text \(bucketText(text.count))".utf8, into: &out)
      }
    case .integer, .unsigned, .real:
      if keepsNumber(key) {
        out.append(contentsOf: flagText(json, value).utf8)
      } else if key == .timestamp, isTooLargeForSeconds(json, value) {
        out.append(contentsOf: "\"number too large for seconds\"".utf8)
      } else {
        out.append(contentsOf: "\"number\"".utf8)
      }
    case .yes: out.append(contentsOf: "true".utf8)
    case .no: out.append(contentsOf: "false".utf8)
    case .null, .other: out.append(contentsOf: "null".utf8)
    }
  }

  private static func bucketText(_ count: Int) -> String {
    let bits = bucket(count)
    return bits == 0 ? "0" : bits == 1 ? "1" : "\(1 << (bits - 1))-\((1 << bits) - 1)"
  }

  /// Adds a text from a log, without the tokens and credentials in it.
  static func quoteMasked(_ text: ByteText, into out: inout [UInt8]) {
    guard let masked = SecretText.masked(text.buffer) else {
      return quote(text.buffer, into: &out)
    }
    quote(masked, into: &out)
  }

  @inline(__always)
  static func quote(_ bytes: some Collection<UInt8>, into out: inout [UInt8]) {
    out.append(0x22)
    // Nearly no text needs an escape.
    if bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x22 && $0 != 0x5c }) {
      out.append(contentsOf: bytes)
      out.append(0x22)
      return
    }
    for byte in bytes {
      switch byte {
      case 0x22, 0x5c:
        out.append(0x5c)
        out.append(byte)
      case 0..<0x20:
        out.append(contentsOf: "\\u00".utf8)
        let digits = Array("0123456789abcdef".utf8)
        out.append(digits[Int(byte >> 4)])
        out.append(digits[Int(byte & 15)])
      default: out.append(byte)
      }
    }
    out.append(0x22)
  }

  // MARK: What rules need

  private struct FactReader {
    let json: JSONTape
    let workspace: ParseWorkspace
    var facts: Payload
    var hasTextOutside = false

    mutating func read(_ payload: Int) {
      for (name, value) in json.fields(payload) {
        let key = Key(rawValue: keys.code(name.base, name.count)) ?? .none
        if key == .aps {
          facts.parts.insert(.aps)
          if json.kind(value) == .object { readAps(value) }
          continue
        }
        facts.parts.insert(.custom)
        readCustom(name, key, value, depth: 0)
      }
      if hasTextOutside, facts.alert != .visible { facts.parts.insert(.misplacedText) }
    }

    private mutating func readAps(_ aps: Int) {
      var hasTimestamp = false
      var hasType = false
      var event: ByteText?
      for (name, value) in json.fields(aps) {
        switch Key(rawValue: keys.code(name.base, name.count)) ?? .none {
        case .alert: readAlert(value)
        case .mutableContent: facts.mutableContent = flag(json, value)
        case .contentAvailable: facts.contentAvailable = flag(json, value)
        case .otherMutable: facts.misplacedMutable.insert(.spelling)
        case .otherAvailable: facts.misplacedAvailable.insert(.spelling)
        case .category: facts.category = text(value)
        case .interruptionLevel: facts.interruptionLevel = text(value)
        case .badge: facts.parts.insert(.badge)
        case .sound:
          switch json.kind(value) {
          case .text:
            facts.sound = text(value)
            if json.text(value).count == 0 { facts.parts.insert(.emptySound) }
          case .object: readSound(value)
          default: break
          }
        case .title, .body, .subtitle, .strayText: hasTextOutside = true
        case .event:
          facts.parts.insert(.liveActivity)
          if json.kind(value) == .text { event = json.text(value) }
        case .contentState: facts.parts.insert(.liveActivity)
        case .timestamp:
          hasTimestamp = true
          if isTooLargeForSeconds(json, value) { facts.parts.insert(.timestampTooLarge) }
        case .attributesType: hasType = true
        default: break
        }
      }
      guard facts.parts.contains(.liveActivity) else {
        facts.parts.remove(.timestampTooLarge)
        return
      }
      if !hasTimestamp { facts.parts.insert(.activityWithoutTimestamp) }
      guard let event else {
        facts.parts.insert(.activityWithoutEvent)
        return
      }
      if event.string == "end" { facts.parts.insert(.endsActivity) }
      if event.string == "start", !hasType { facts.parts.insert(.startWithoutType) }
    }

    private mutating func readSound(_ sound: Int) {
      facts.parts.insert(.soundDictionary)
      facts.sound = .known(Symbol(.empty))
      for (name, value) in json.fields(sound) {
        switch Key(rawValue: keys.code(name.base, name.count)) ?? .none {
        case .critical where flag(json, value).isOn == true: facts.parts.insert(.criticalSound)
        case .name: facts.sound = text(value)
        default: break
        }
      }
    }

    /// Visible is a text that is not empty, or a key of a localised one (F3.35, F3.37).
    private mutating func readAlert(_ alert: Int) {
      switch json.kind(alert) {
      case .text: facts.alert = json.text(alert).count > 0 ? .visible : .empty
      case .object:
        facts.parts.insert(.alertDictionary)
        facts.alert = .empty
        for (name, value) in json.fields(alert) {
          switch Key(rawValue: keys.code(name.base, name.count)) ?? .none {
          case .title, .subtitle, .body, .locKey:
            if json.kind(value) == .text, json.text(value).count > 0 { facts.alert = .visible }
            // A Live Activity's alert has dictionaries here (F3.20).
            if json.kind(value) == .object { facts.alert = .visible }
          case .mutableContent, .otherMutable: facts.misplacedMutable.insert(.insideAlert)
          case .contentAvailable, .otherAvailable: facts.misplacedAvailable.insert(.insideAlert)
          default: break
          }
        }
      default: facts.alert = .empty
      }
    }

    private mutating func readCustom(_ name: ByteText, _ key: Key, _ value: Int, depth: Int) {
      switch key {
      case .mutableContent, .otherMutable: facts.misplacedMutable.insert(.besideAps)
      case .contentAvailable, .otherAvailable: facts.misplacedAvailable.insert(.besideAps)
      case .category: facts.parts.insert(.misplacedCategory)
      case .alert, .title, .body, .strayText: hasTextOutside = hasTextOutside || depth == 0
      case .sender: facts.parts.insert(.sender)
      case .ownID: facts.parts.insert(.ownIdentifier)
      case .vendor:
        // A vendor's block of attachments. The ids that it puts into every push say nothing of what
        // was meant (F11.9).
        if json.kind(value) == .object { facts.parts.insert(.vendor) }
      case .typeHint:
        if json.kind(value) == .text { facts.typeHint = text(value) }
      default:
        if ends(name, "mutable-content") || ends(name, "mutable_content") {
          facts.misplacedMutable.insert(.prefixed)
        } else if ends(name, "content-available") || ends(name, "content_available") {
          facts.misplacedAvailable.insert(.prefixed)
        }
      }
      switch json.kind(value) {
      case .text:
        let content = json.text(value)
        let isKnown = key == .knownMedia
        if isKnown || key == .mediaLike {
          facts.parts.insert(isKnown ? .knownMediaKey : .guessedMediaKey)
          if facts.media.value == nil { facts.media = .known(workspace.urlForm(content)) }
        }
      case .object where depth < deepest:
        var place = json.first(value)
        let end = json.end(value)
        while place < end {
          let innerName = json.text(place)
          let inner = place + 1
          place = json.next(inner)
          var innerKey = Key(rawValue: keys.code(innerName.base, innerName.count)) ?? .none
          // FCM documents fcm_options.image (F11.9).
          if innerKey == .mediaLike, name.equals("fcm_options") { innerKey = .knownMedia }
          // Inside a block of the team's own these words mean nothing.
          if innerKey == .title || innerKey == .body || innerKey == .alert { innerKey = .none }
          if key == .sender, innerKey == .mediaLike { innerKey = .none }
          readCustom(innerName, innerKey, inner, depth: depth + 1)
        }
      default: break
      }
    }

    private func ends(_ name: ByteText, _ ending: StaticString) -> Bool {
      let count = ending.utf8CodeUnitCount
      guard name.count > count else { return false }
      return ByteText(base: name.base + (name.count - count), count: count).equals(ending)
    }

    private func text(_ value: Int) -> Known<Symbol> {
      switch json.kind(value) {
      case .text:
        let text = json.text(value)
        // An empty or non-text value is dropped by the device (F3.39).
        return text.count == 0 ? .missing : .known(workspace.interner.intern(text.base, text.count))
      default: return .missing
      }
    }
  }
}
