import PushModel

/// Masks a text of which reading gave records: only what those hold, and the fixed words of its
/// shape, stay as they are.
///
/// Free text has no keys that say what is private, so the question is asked the other way round. What
/// the records of a line hold is stored anyway; everything else of the line is in doubt, and its
/// place is taken by type and length.
struct LineMask {
  /// What the records hold, in lower case; words of one piece.
  private var values: Set<[UInt8]> = []
  private var numbers: Set<Int64> = []
  private var tokens: Set<TokenRecord> = []
  private var times: Set<Int64> = []
  /// Texts of more than one word that stay: in lower case, a blank stands for a run of blanks; the
  /// longest first.
  private var phrases: [[UInt8]] = []
  private let workspace: ParseWorkspace

  /// The mask of the line that was read last into a workspace without other records.
  init(_ workspace: ParseWorkspace, wordings: [StaticString]) {
    self.workspace = workspace
    var phrases: Set<[UInt8]> = [Array("<private>".utf8)]
    for wording in wordings { phrases.insert(Array(wording.description.lowercased().utf8)) }
    if let row = workspace.lastRow {
      for piece in row.pointee.pattern.pieces {
        if case .text(let bytes) = piece { phrases.insert((0..<bytes.count).map { bytes[$0] }) }
      }
      for field in row.pointee.pattern.fields {
        phrases.insert((0..<field.key.count).map { field.key[$0] })
      }
      for process in row.pointee.shape.processes {
        phrases.insert(Array(process.lowercased().utf8))
      }
    }
    if workspace.lastNumber >= 0 { numbers.insert(workspace.lastNumber) }
    for place in workspace.records.sends.indices { take(workspace.records.sends[place]) }
    for place in workspace.records.events.indices { take(workspace.records.events[place]) }
    for value in values where value.contains(0x20) { phrases.insert(value) }
    self.phrases = phrases.map { LineMask.trimmed($0) }.filter { $0.count > 2 }
      .sorted { $0.count > $1.count }
  }

  // MARK: What the records hold

  private mutating func take(_ text: String) {
    let bytes = Array(text.lowercased().utf8)
    if !bytes.isEmpty, bytes.count <= 1024 { values.insert(bytes) }
  }

  private mutating func take(_ value: TextValue) {
    if let symbol = value.symbol { take(workspace.text(symbol)) }
  }

  private mutating func take(_ identifier: Identifier) {
    if identifier.isPresent { take(workspace.records.text(identifier.text)) }
  }

  private mutating func take(_ value: HeaderValue) {
    switch value.kind {
    case .number: numbers.insert(value.bits)
    case .text: take(workspace.texts[Int(value.bits)])
    case .absent, .null: break
    }
  }

  private mutating func take(_ send: SendRecord) {
    times.insert(send.at)
    for identifier in [send.notification, send.apns, send.collapse] { take(identifier) }
    for text in [
      send.reason, send.environment, send.host, send.topic, send.pushType, send.channel,
      send.provider, send.campaign, send.error, send.tokenKind, send.keyID, send.teamID,
      send.sender, send.receiptStatus, send.receiptReason,
    ] { take(text) }
    for number in [send.status, send.attempt, send.payloadBytes] where number > 0 {
      numbers.insert(Int64(number))
    }
    take(send.priority)
    take(send.expiration)
    if send.installation != 0 { take(workspace.records.text(send.installationText)) }
    take(workspace.records.text(send.uniqueID))
    if send.token.isPresent { tokens.insert(send.token) }
  }

  private mutating func take(_ event: EventRecord) {
    for identifier in [event.notification, event.apns, event.request, event.collapse] {
      take(identifier)
    }
    take(workspace.text(event.name))
    take(event.log)
    if event.installation != 0 { take(workspace.records.text(event.installationText)) }
    if event.token.isPresent { tokens.insert(event.token) }
    let origin = workspace.records.origins[Int(event.origin)]
    for symbol in [origin.bundle, origin.version, origin.build, origin.os, origin.model] {
      take(workspace.text(symbol))
    }
    let first = Int(event.firstAttribute)
    for attribute in first..<first + Int(event.attributeCount) {
      let attribute = workspace.records.attributes[attribute]
      switch attribute.kind {
      case .text: take(workspace.texts[Int(attribute.bits)])
      case .integer: numbers.insert(attribute.bits)
      case .boolean: for word in ["0", "1", "yes", "no", "true", "false"] { take(word) }
      case .real, .url, .emptyArray, .null: break
      }
    }
  }

  /// Whether what a path ends with is held by a record.
  func holds(_ text: ByteText) -> Bool { values.contains(text.buffer.map(LineMask.lower)) }

  private static func trimmed(_ phrase: [UInt8]) -> [UInt8] {
    var slice = phrase[...]
    while slice.first == 0x20 { slice.removeFirst() }
    while slice.last == 0x20 { slice.removeLast() }
    return Array(slice)
  }

  // MARK: Masking

  private static func lower(_ byte: UInt8) -> UInt8 { byte &- 0x41 < 26 ? byte | 0x20 : byte }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 26 || byte >= 0x80
  }

  /// Bytes that words end at, whatever they are.
  private static func isBreak(_ byte: UInt8) -> Bool {
    switch byte {
    case 0...0x20, 0x7f, UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "("),
      UInt8(ascii: ")"), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "{"),
      UInt8(ascii: "}"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: ","),
      UInt8(ascii: ";"), UInt8(ascii: "|"):
      true
    default: false
    }
  }

  /// Adds the masked text to `out`, as one line.
  ///
  /// - Parameter isLine: whether it is the beginning of a line, where its level and time stand.
  func write(_ text: UnsafeRawBufferPointer, isLine: Bool, _ out: inout [UInt8]) {
    var beginning = LineBeginning(isOpen: isLine)
    /// What is masked now begins and ends here; what follows may be masked with it.
    var hidden: Range<Int>?
    /// Breaks behind something masked, not yet written.
    var pending = 0..<0
    func flush() {
      if let range = hidden { out.append(contentsOf: "<text \(range.count)>".utf8) }
      hidden = nil
      for index in pending {
        out.append(text[index] < 0x20 || text[index] == 0x7f ? 0x20 : text[index])
      }
      pending = 0..<0
    }
    func keep(_ range: Range<Int>) {
      flush()
      for index in range { out.append(text[index] < 0x20 ? 0x20 : text[index]) }
    }
    func hide(_ range: Range<Int>) {
      hidden = (hidden?.lowerBound ?? range.lowerBound)..<range.upperBound
      pending = 0..<0
    }
    func pass(_ index: Int) {
      if hidden == nil {
        keep(index..<index + 1)
      } else {
        pending = (pending.isEmpty ? index : pending.lowerBound)..<index + 1
      }
    }
    var index = 0
    while index < text.count {
      let isBehind = index > 0 && LineMask.isLetterOrDigit(text[index - 1])
      if let end = phrase(text, index, isBehindLetter: isBehind) {
        keep(index..<end)
        beginning.isOpen = false
        index = end
      } else if text[index] == 0x2f, index + 1 < text.count,
        phrase(text, index + 1, isBehindLetter: false) != nil
      {
        // The end of an element whose beginning stays.
        pass(index)
        index += 1
      } else if LineMask.isBreak(text[index]) {
        pass(index)
        index += 1
      } else {
        var end = index + 1
        while end < text.count, !LineMask.isBreak(text[end]) { end += 1 }
        let word = index..<end
        if beginning.takes(text, word) || LineBeginning.isLevel(text, word) {
          keep(word)
        } else {
          beginning.isOpen = false
          split(text, word) { part, verdict in
            switch verdict {
            case .keep: keep(part)
            case .pass: for index in part { pass(index) }
            case .hide: hide(part)
            case .replace(let by):
              flush()
              out.append(contentsOf: by.utf8)
            }
          }
        }
        index = end
      }
    }
    flush()
  }

  private enum Verdict {
    case keep, pass, hide
    case replace(String)
  }

  /// Place behind the longest phrase that stands at a place.
  private func phrase(
    _ text: UnsafeRawBufferPointer, _ start: Int, isBehindLetter: Bool
  ) -> Int? {
    for phrase in phrases where LineMask.lower(text[start]) == phrase[0] {
      if isBehindLetter, LineMask.isLetterOrDigit(phrase[0]) { continue }
      var place = start
      var isSame = true
      for byte in phrase {
        guard place < text.count, LineMask.lower(text[place] == 0x09 ? 0x20 : text[place]) == byte
        else {
          isSame = false
          break
        }
        place += 1
        if byte == 0x20 { while place < text.count, text[place] == 0x20 { place += 1 } }
      }
      guard isSame else { continue }
      let isWhole =
        place == text.count || !LineMask.isLetterOrDigit(text[place - 1])
        || !LineMask.isLetterOrDigit(text[place])
      if isWhole { return place }
    }
    return nil
  }

  /// Takes a word apart at its marks, so far as parts of it are known.
  private func split(
    _ text: UnsafeRawBufferPointer, _ word: Range<Int>, _ body: (Range<Int>, Verdict) -> Void
  ) {
    // Such a word is no id, and trying its parts would take long.
    guard word.count <= 512 else {
      if let form = url(text, word) { return body(word, .replace(form)) }
      return body(word, .hide)
    }
    if let verdict = known(text, word) { return body(word, verdict) }
    if let form = url(text, word) { return body(word, .replace(form)) }
    let marks = word.filter { !LineMask.isLetterOrDigit(text[$0]) && text[$0] != 0x5f }
    guard !marks.isEmpty, marks.count <= 24 else { return body(word, .hide) }
    let ends = marks.reversed()
    var start = word.lowerBound
    while start < word.upperBound {
      var found: (Range<Int>, Verdict)?
      for end in [word.upperBound] + ends where end > start {
        if let verdict = known(text, start..<end) {
          found = (start..<end, verdict)
          break
        }
      }
      if let found {
        body(found.0, found.1)
        start = found.0.upperBound
      } else if marks.contains(start) {
        body(start..<start + 1, .pass)
        start += 1
      } else {
        let end = marks.first { $0 > start } ?? word.upperBound
        body(start..<end, .hide)
        start = end
      }
    }
  }

  private func known(_ text: UnsafeRawBufferPointer, _ range: Range<Int>) -> Verdict? {
    let bytes = UnsafeRawBufferPointer(rebasing: text[range])
    if values.contains(bytes.map(LineMask.lower)) { return .keep }
    guard let base = bytes.baseAddress else { return nil }
    let word = ByteText(base: base, count: bytes.count)
    if word.count > 18, word.count < 40, let time = LooseTime.parse(word, at: 0),
      time.end == word.count, times.contains(time.microseconds)
    {
      return .keep
    }
    if !tokens.isEmpty, word.count >= 4, isToken(word) {
      return .replace(LineMask.form(ofToken: word))
    }
    guard bytes[0] &- 0x30 < 10 || bytes[0] == 0x2d, bytes.count <= 20, !numbers.isEmpty else {
      return nil
    }
    let digits = String(decoding: bytes, as: UTF8.self)
    if let whole = Int64(digits) { return numbers.contains(whole) ? .keep : nil }
    // Seconds are kept as milliseconds.
    guard let real = Double(digits), abs(real) < 1e9 else { return nil }
    return numbers.contains(Int64((real * 1000).rounded())) ? .keep : nil
  }

  private func isToken(_ word: ByteText) -> Bool {
    tokens.contains(TokenRecord(text: word, key: workspace.tokenKey))
      || word.count > 16 && tokens.contains(workspace.pushKey(word))
  }

  /// Length and ends of a token, as `<token 64 4650…ef78>`.
  static func form(ofToken text: ByteText) -> String {
    guard text.count > 12 else { return "<token \(text.count)>" }
    let head = String(decoding: text.buffer.prefix(4), as: UTF8.self)
    let tail = String(decoding: text.buffer.suffix(4), as: UTF8.self)
    return "<token \(text.count) \(head)…\(tail)>"
  }

  private func url(_ text: UnsafeRawBufferPointer, _ range: Range<Int>) -> String? {
    let bytes = UnsafeRawBufferPointer(rebasing: text[range])
    guard bytes.contains(0x3a), let base = bytes.baseAddress else { return nil }
    let form = workspace.urlForm(ByteText(base: base, count: bytes.count))
    guard form.scheme != .empty else { return nil }
    let ending = workspace.text(form.ending)
    return "<url \(workspace.text(form.scheme))://\(workspace.text(form.host)) \(form.length)"
      + (ending.isEmpty ? ">" : " .\(ending)>")
  }
}

/// What stands at the beginning of log lines: a level, a date and a time, an offset. Nothing that an
/// app writes can be among it, so it stays as it is.
private struct LineBeginning {
  /// Whether only such words came so far.
  var isOpen: Bool
  private var hasTime = false
  private var hasMonth = false

  init(isOpen: Bool) { self.isOpen = isOpen }

  private static let levels: Set<String> = [
    "default", "debug", "info", "notice", "error", "fault", "warning", "warn", "verbose", "trace",
  ]
  private static let months: Set<String> = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
  ]

  /// Whether a word is a level as `<Notice>:`, as live logs write it behind the process.
  static func isLevel(_ text: UnsafeRawBufferPointer, _ range: Range<Int>) -> Bool {
    guard range.lowerBound > 0, range.upperBound + 1 < text.count,
      text[range.lowerBound - 1] == 0x3c, text[range.upperBound] == 0x3e,
      text[range.upperBound + 1] == 0x3a
    else { return false }
    return levels.contains(String(decoding: text[range], as: UTF8.self).lowercased())
  }

  /// Whether the next word is one of them.
  mutating func takes(_ text: UnsafeRawBufferPointer, _ range: Range<Int>) -> Bool {
    guard isOpen, range.count <= 36 else { return false }
    let word = String(decoding: text[range], as: UTF8.self).lowercased()
    if LineBeginning.levels.contains(word) { return true }
    if hasTime {
      // Milliseconds behind a comma, and the offset.
      if range.lowerBound > 0, text[range.lowerBound - 1] == 0x2c, word.count == 3 {
        return word.utf8.allSatisfy { $0 &- 0x30 < 10 }
      }
      if word == "utc" || word == "z" { return true }
      return word.count == 5 && (word.first == "+" || word.first == "-")
        && word.utf8.dropFirst().allSatisfy { $0 &- 0x30 < 10 }
    }
    if LineBeginning.months.contains(word) {
      hasMonth = true
      return true
    }
    let isTimeLike = word.utf8.allSatisfy {
      $0 &- 0x30 < 10 || [0x2d, 0x3a, 0x2e, 0x2b, 0x2f, 0x74, 0x7a].contains($0)
    }
    guard isTimeLike, let first = word.utf8.first, first &- 0x30 < 10 else { return false }
    if word.contains(":") {
      hasTime = true
      return true
    }
    if hasMonth { return word.count <= 2 }
    return word.count == 10 && !word.utf8.allSatisfy { $0 &- 0x30 < 10 }
  }
}
