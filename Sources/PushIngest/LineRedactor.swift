import PushModel

/// Takes private values out of a line before it is stored: their place is taken by type and length.
///
/// Only values of keys that the format knows are kept as they are; a payload becomes its shape, a
/// token its form and ends, a URL its scheme and host. Whatever is not known is private. A line that
/// is no JSON is read again by its format: what its records hold and its format's fixed words stay.
public final class LineRedactor {
  private let workspace: ParseWorkspace
  /// How many texts inside texts are open.
  private var textDepth = 0
  /// How many objects of the line are open.
  private var objectDepth = 0
  /// Whether the line is of a phone.
  private var isDevice = false
  /// What stays of free text in the line; nil in JSON of a format that has none.
  private var mask: LineMask?
  /// Fields of a row.
  private var row = RowFields()
  /// Names of columns, by the header that they stand in.
  private var columns: (header: [UInt8], treatments: [UInt8]) = ([], [])

  deinit { row.free() }

  /// A redactor with a parser of its own.
  public init(tokenKey: TokenKey) { workspace = ParseWorkspace(tokenKey: tokenKey) }

  /// What is done with the value of a key.
  private enum Treatment: UInt8 {
    case hide, keep, token, url, word, payload, nested, inside, path
    /// A machine that sent; on phones, and inside of objects, it may be a person.
    case sender
    /// What was meant, in the words of the send log.
    case meaning
    /// What a phone says of the permission to notify; of a request it is the credential.
    case authorization
    /// Attributes of a device event: only their own names mean something in it, and no object.
    case attributes
    case attribute
  }

  private static let plainKeys = [
    "ts", "time", "timestamp", "sent_at", "status", "unregistered_at", "apns_id",
    "apns-id", "apns_unique_id", "apns-unique-id", "notification_id", "id", "attempt",
    "environment", "env", "host", "topic", "apns-topic", "push_type", "apns-push-type",
    "priority", "apns-priority", "expiration", "apns-expiration", "collapse_id",
    "apns-collapse-id", "channel_id", "payload_bytes", "mutable_content", "has_alert", "category",
    "provider", "campaign_id", "installation_id", "token_kind", "key_id", "team_id",
    "jwt_issued_at", "duration_ms", "event", "seq",
    "log_id", "device_id", "bundle_id", "app_version", "build", "os_version", "device_model",
    "request_id", "aps_environment", "free_mb", "kind", "error_domain", "error_code", "alerts",
    "sounds", "lock_screen", "time_sensitive", "critical",
    "scheduled_summary", "focus", "background_refresh", "low_power", "identifiers",
    "since_launch_ms", "process_uptime_ms", "locked", "keys", "has_media", "bytes", "mime", "uti",
    "code", "what", "recognised", "sdk", "type", "image_parameter", "recipients", "is_me",
    "group", "modified_after", "elapsed_ms", "fallback", "attachments", "count", "signal",
    "footprint_mb", "options", "state", "by", "style", "sound", "trigger", "title_modified",
    "height", "action", "cold_start", "answer", "completed", "result", "activity_id", "job_id",
    "entry", "source", "items", "in_group", "opened",
  ]
  /// The same for formats of others. Names that hold texts for people anywhere are not among them.
  private static let otherKeys = [
    "StatusCode", "statusCode", "status_code", "ApnsID", "apnsId", "Timestamp", "ApnsUniqueID",
    "messageId",
    "dwellTimeMs", "attempts", "notif_id", "platform", "level", "severity", "stream",
    "event_timestamp", "message_id", "message_type", "sdk_platform", "app_name", "collapse_key",
    "bulk_id", "analytics_label", "project_number", "ttl", "app_id", "expiry", "delivered",
    "delivered_at", "failed_at", "retries", "content_available", "created_at", "updated_at",
    "deliver_after", "fail_after", "processing", "dry_run", "datetime", "event_id",
    "subscription_device_type", "device_type", "event_kind", "offset", "occurred", "processed",
    "push_id", "group_id", "variant_id", "alerting", "event_type",
    "arrival_timestamp", "event_version", "campaign_activity_id",
    "treatment_id", "delivery_type", "campaign_send_status", "journey_id", "journey_activity_id",
    "journey_send_status", "ingestionTime", "eventId", "collapseId", "pushType", "notificationId",
    "eventType", "messageType", "log_type", "subsystem", "processID", "pid", "machTimestamp",
    "mach_timestamp", "thread_id", "threadID", "boot_uuid", "bootUUID", "lossCount",
  ]
  private static let treatments: KeyTable = {
    var entries: [(String, UInt8)] = []
    func add(_ treatment: Treatment, _ keys: [String]) {
      entries += keys.map { ($0, treatment.rawValue) }
    }
    add(.keep, plainKeys + otherKeys)
    add(
      .token,
      [
        "device_token", "token", "device", "deviceToken", "DeviceToken", "instance_id", "channel",
        "ios_channel", "subscription_id", "client_id", "PnsHandle",
      ])
    add(.url, ["url", "server_url"])
    // APNs' reasons are words; what apps write here may name people.
    add(.word, ["reason", "error", "Reason", "error_description", "providerResponse"])
    add(
      .nested,
      [
        "msg", "message", "log", "textPayload", "@message", "eventMessage", "headers", "response",
        "receipt",
      ])
    add(.path, ["process", "processImagePath", "filename"])
    add(
      .inside,
      [
        "sent", "failed", "res", "jsonPayload", "notification", "delivery", "body",
        "triggering_push", "application", "attributes", "subscription", "client", "label",
      ])
    add(.payload, ["payload"])
    add(.attributes, ["attrs"])
    add(.sender, ["sender"])
    add(.meaning, ["expects"])
    add(.authorization, ["authorization"])
    return KeyTable(entries)
  }()
  /// How a phone may say whether it may notify: the cases of `UNAuthorizationStatus`, and what other
  /// recorders make of them.
  private static let permissions: Set<String> = [
    "authorized", "denied", "provisional", "ephemeral", "notdetermined", "granted", "unknown",
  ]

  /// The format of a line, and how its source is read.
  public struct Form: Sendable {
    let adapter: LogAdapter
    let setup: SourceSetup

    /// A form.
    public init(adapter: LogAdapter, setup: SourceSetup) {
      self.adapter = adapter
      self.setup = setup
    }

    /// Whether the format has texts of its own, outside of JSON or in it.
    var hasTexts: Bool { adapter.isOnePhone || !adapter.wordings.isEmpty }
  }

  /// Adds the redacted line to `out`, without line ends; 64 bytes behind the line must be readable.
  /// False if the line is not JSON and its form is not known: then nothing is added, since nothing
  /// is known of what is in it.
  public func redact(
    _ line: UnsafeRawBufferPointer, of form: Form? = nil, into out: inout [UInt8]
  ) -> Bool {
    guard let base = line.baseAddress, line.count > 0 else { return false }
    textDepth = 0
    objectDepth = 0
    isDevice = form?.adapter.side == .device
    mask = nil
    if let form, case .csv(let delimiter) = form.setup.framing {
      read(line, form)
      return redact(row: line, form, delimiter: delimiter, &out)
    }
    let isObject = line.first { $0 > 0x20 } == 0x7b
    if let form, !isObject || form.hasTexts { read(line, form) }
    if isObject, case .tape(let json) = workspace.parser.parse(base, line.count),
      json.kind(json.root) == .object
    {
      write(json, json.root, .keep, &out)
      return true
    }
    guard let form else { return false }
    if mask == nil { read(line, form) }
    redact(text: ByteText(base: base, count: line.count), &out)
    return true
  }

  /// Reads a line again, so that the mask knows what its records hold.
  private func read(_ line: UnsafeRawBufferPointer, _ form: Form) {
    workspace.clearRecords()
    workspace.setup = form.setup
    _ = form.adapter.read(line: line, into: workspace)
    mask = LineMask(workspace, wordings: form.adapter.wordings)
  }

  /// A line of text, with objects of JSON in it or without.
  private func redact(text: ByteText, _ out: inout [UInt8]) {
    var start = 0
    // A report may be several objects, one behind the other.
    for _ in 0..<8 {
      guard let open = (start..<text.count).first(where: { text[$0] == 0x7b }),
        let end = JSONFraming.objectEnd(text.base, open, text.count), end <= text.count
      else { break }
      let mark = out.count
      write(text: text.part(start, open), isLine: start == 0, &out)
      guard writeNested(text.part(open, end), &out) else {
        // Braces that hold no JSON are text.
        out.removeSubrange(mark...)
        break
      }
      start = end
    }
    write(text: text.part(start, text.count), isLine: start == 0, &out)
  }

  private func write(text: ByteText, isLine: Bool, _ out: inout [UInt8]) {
    guard text.buffer.contains(0x1b) else {
      return mask?.write(text.buffer, isLine: isLine, &out) ?? ()
    }
    _ = LogLineText.plain(text.buffer) { plain in
      mask?.write(plain.buffer, isLine: isLine, &out)
      return .skip(because: .otherRecord)
    }
  }

  /// A row of comma-separated values: the names of the columns say what is done with its fields.
  private func redact(
    row line: UnsafeRawBufferPointer, _ form: Form, delimiter: UInt8, _ out: inout [UInt8]
  ) -> Bool {
    if columns.header != form.setup.header {
      columns = (form.setup.header, treatments(ofHeader: form.setup.header, delimiter))
    }
    row.split(line, delimiter: delimiter)
    guard row.fields.count == columns.treatments.count else { return false }
    for place in row.fields.indices {
      if place > 0 { out.append(delimiter) }
      var field: [UInt8] = []
      let treatment = Treatment(rawValue: columns.treatments[place]) ?? .hide
      write(field: row.fields[place], treatment, &field)
      let isQuoted = field.contains { $0 == delimiter || $0 == 0x22 || $0 == 0x0a || $0 == 0x0d }
      guard isQuoted else {
        out.append(contentsOf: field)
        continue
      }
      out.append(0x22)
      for byte in field {
        if byte == 0x22 { out.append(0x22) }
        out.append(byte < 0x20 ? 0x20 : byte)
      }
      out.append(0x22)
    }
    return true
  }

  private func treatments(ofHeader header: [UInt8], _ delimiter: UInt8) -> [UInt8] {
    var names = RowFields()
    defer { names.free() }
    return header.withUnsafeBytes { bytes in
      names.split(bytes, delimiter: delimiter)
      return names.fields.map { name in
        let code = LineRedactor.treatments.code(name.base, name.count)
        if code != 0 { return code }
        var plain = name.string.lowercased().replacing(" ", with: "_")
        return plain.withUTF8 { text in
          text.baseAddress.map { LineRedactor.treatments.code(UnsafeRawPointer($0), text.count) }
            ?? 0
        }
      }
    }
  }

  private func write(field: ByteText, _ treatment: Treatment, _ out: inout [UInt8]) {
    guard field.count > 0 else { return }
    switch treatment {
    case .token: out.append(contentsOf: LineMask.form(ofToken: field).utf8)
    case .nested where writeNested(field, &out): break
    case .inside, .word:
      if Cell(field).flag != nil { return out.append(contentsOf: field.buffer) }
      mask?.write(field.buffer, isLine: false, &out)
    // A column of any name may hold what a person wrote.
    case .keep
    where field.count <= 64 && !field.buffer.contains { $0 <= 0x20 || $0 >= 0x7f }
      && SecretText.masked(field.buffer) == nil:
      out.append(contentsOf: field.buffer)
    case .keep where LooseTime.parse(field, at: 0) != nil && field.count <= 40:
      out.append(contentsOf: field.buffer)
    default: mask?.write(field.buffer, isLine: false, &out)
    }
  }

  /// The redacted form of a line that is shown and not stored; nil if nothing is known of it: if it
  /// is neither JSON nor of a format whose lines say all themselves.
  ///
  /// - Parameter adapter: id of its format.
  public static func shown(_ line: String, of adapter: String = "") -> String? {
    let form = AdapterRegistry.adapter(id: adapter).map { Form(adapter: $0, setup: SourceSetup()) }
    guard let key = TokenKey(bytes: [UInt8](repeating: 0, count: 16)) else { return nil }
    let bytes = Array(line.utf8)
    var padded = bytes
    padded.append(contentsOf: [UInt8](repeating: 0, count: ChunkBuffer.paddingBytes))
    var out: [UInt8] = []
    let isDone = padded.withUnsafeBytes { buffer in
      LineRedactor(tokenKey: key).redact(
        UnsafeRawBufferPointer(rebasing: buffer[0..<bytes.count]), of: form, into: &out)
    }
    return isDone ? String(decoding: out, as: UTF8.self) : nil
  }

  private func write(
    _ json: JSONTape, _ value: Int, _ treatment: Treatment, _ out: inout [UInt8]
  ) {
    switch json.kind(value) {
    case .object:
      if treatment == .payload { return PayloadReader.writeShape(json, value, workspace, &out) }
      guard
        treatment == .keep || treatment == .inside || treatment == .nested
          || treatment == .attributes
      else { return word("object", &out) }
      objectDepth += 1
      defer { objectDepth -= 1 }
      out.append(0x7b)
      var isFirst = true
      for (name, inner) in json.fields(value) {
        if !isFirst { out.append(0x2c) }
        isFirst = false
        PayloadReader.quoteMasked(name, into: &out)
        out.append(0x3a)
        write(json, inner, LineRedactor.treatment(of: name, in: treatment), &out)
      }
      out.append(0x7d)
    case .array:
      guard
        treatment == .keep || treatment == .inside || treatment == .attribute
          || treatment == .meaning
      else { return word("array", &out) }
      out.append(0x5b)
      var isFirst = true
      for element in json.elements(value) {
        if !isFirst { out.append(0x2c) }
        isFirst = false
        write(json, element, treatment, &out)
      }
      out.append(0x5d)
    case .text: write(json.text(value), treatment, &out)
    case .integer, .unsigned, .real:
      // Customer and telephone numbers are numbers too.
      switch treatment {
      case .keep, .word, .attribute: write(number: json, value, &out)
      case .authorization where json.wholeNumber(value).map { (0...9).contains($0) } == true:
        write(number: json, value, &out)
      default: word("number", &out)
      }
    case .yes: out.append(contentsOf: "true".utf8)
    case .no: out.append(contentsOf: "false".utf8)
    case .null, .other: out.append(contentsOf: "null".utf8)
    }
  }

  private static func treatment(of name: ByteText, in outer: Treatment) -> Treatment {
    let code = treatments.code(name.base, name.count)
    guard outer == .attributes else { return Treatment(rawValue: code) ?? .hide }
    guard DeviceLogReader.attributes.code(name.base, name.count) != 0 else { return .hide }
    let treatment = Treatment(rawValue: code) ?? .hide
    return treatment == .keep ? .attribute : treatment
  }

  private func write(number json: JSONTape, _ value: Int, _ out: inout [UInt8]) {
    let bits = json.tape[value + 1]
    switch json.kind(value) {
    case .integer:
      let number = Int64(bitPattern: bits)
      if number < 0 { out.append(0x2d) }
      write(digits: number.magnitude, &out)
    case .unsigned: write(digits: bits, &out)
    default: out.append(contentsOf: "\(Double(bitPattern: bits))".utf8)
    }
  }

  /// A number in decimal; a text of each would be an allocation.
  private func write(digits number: UInt64, _ out: inout [UInt8]) {
    let start = out.count
    var rest = number
    repeat {
      out.append(0x30 + UInt8(truncatingIfNeeded: rest % 10))
      rest /= 10
    } while rest > 0
    out[start...].reverse()
  }

  private func write(_ text: ByteText, _ treatment: Treatment, _ out: inout [UInt8]) {
    switch treatment {
    case .keep, .attribute: PayloadReader.quoteMasked(text, into: &out)
    case .sender where !isDevice && objectDepth == 1: PayloadReader.quoteMasked(text, into: &out)
    case .meaning where Meaning(word: text.string) != nil:
      PayloadReader.quote(text.buffer, into: &out)
    case .authorization where isPermission(text): PayloadReader.quote(text.buffer, into: &out)
    case .token where text.count > 12:
      let head = String(decoding: text.buffer.prefix(4), as: UTF8.self)
      let tail = String(decoding: text.buffer.suffix(4), as: UTF8.self)
      word("token \(text.count) \(head)…\(tail)", &out)
    case .url:
      let form = workspace.urlForm(text)
      let scheme = workspace.text(form.scheme)
      let host = workspace.text(form.host)
      word(
        form.scheme == .empty
          ? "host \(host)"
          : "url \(scheme)://\(host) \(form.length) .\(workspace.text(form.ending))", &out)
    case .word where text.count <= 40 && !text.buffer.contains(0x20):
      PayloadReader.quoteMasked(text, into: &out)
    case .nested where writeNested(text, &out): break
    case .nested where mask != nil:
      var masked: [UInt8] = []
      mask?.write(text.buffer, isLine: false, &masked)
      PayloadReader.quote(masked, into: &out)
    case .path where mask?.holds(text.lastPathPart) == true:
      PayloadReader.quote(text.lastPathPart.buffer, into: &out)
    default: word("text \(text.count)", &out)
    }
  }

  private func isPermission(_ text: ByteText) -> Bool {
    guard text.count <= 16 else { return false }
    let plain = text.string.lowercased().filter { $0 != "_" && $0 != "-" }
    return LineRedactor.permissions.contains(plain)
  }

  /// Writes JSON that stands in a text in its redacted form, without what stands around it. False if
  /// there is none.
  private func writeNested(_ text: ByteText, _ out: inout [UInt8]) -> Bool {
    guard textDepth < Envelope.deepestText, let start = text.buffer.firstIndex(of: 0x7B),
      let end = text.buffer.lastIndex(of: 0x7D), end > start
    else { return false }
    let inner = workspace.innerTexts[textDepth]
    inner.set(text.part(start, end + 1))
    guard case .tape(let json) = inner.parser.parse(inner.base, end - start + 1),
      json.kind(json.root) == .object
    else { return false }
    textDepth += 1
    write(json, json.root, .keep, &out)
    textDepth -= 1
    return true
  }

  private func word(_ text: String, _ out: inout [UInt8]) {
    PayloadReader.quote(text.utf8, into: &out)
  }
}
