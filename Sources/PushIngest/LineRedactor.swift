import PushModel

/// Takes private values out of a line before it is stored: their place is taken by type and length.
///
/// Only values of keys that the format knows are kept as they are; a payload becomes its shape, a
/// token its form and ends, a URL its scheme and host. Whatever is not known is private.
public final class LineRedactor {
  private let workspace: ParseWorkspace
  /// How many texts inside texts are open.
  private var textDepth = 0

  /// A redactor with a parser of its own.
  public init(tokenKey: TokenKey) { workspace = ParseWorkspace(tokenKey: tokenKey) }

  /// What is done with the value of a key.
  private enum Treatment: UInt8 {
    case hide, keep, token, url, word, payload, nested, inside
  }

  private static let plainKeys = [
    "ts", "time", "timestamp", "sent_at", "status", "unregistered_at", "apns_id",
    "apns-id", "apns_unique_id", "apns-unique-id", "notification_id", "id", "attempt",
    "environment", "env", "host", "topic", "apns-topic", "push_type", "apns-push-type",
    "priority", "apns-priority", "expiration", "apns-expiration", "collapse_id",
    "apns-collapse-id", "channel_id", "payload_bytes", "mutable_content", "has_alert", "category",
    "provider", "campaign_id", "installation_id", "expects", "token_kind", "key_id", "team_id",
    "jwt_issued_at", "sender", "duration_ms", "headers", "response", "receipt", "event", "seq",
    "log_id", "device_id", "bundle_id", "app_version", "build", "os_version", "device_model",
    "request_id", "attrs", "aps_environment", "authorization", "free_mb", "kind", "error_domain",
    "error_code", "alerts", "sounds", "lock_screen", "time_sensitive", "critical",
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
  ]
  private static let treatments = KeyTable(
    (plainKeys + otherKeys).map { ($0, Treatment.keep.rawValue) }
      + [
        "device_token", "token", "device", "deviceToken", "DeviceToken", "instance_id", "channel",
        "ios_channel", "subscription_id", "client_id", "PnsHandle",
      ].map { ($0, Treatment.token.rawValue) }
      + ["url", "server_url"].map { ($0, Treatment.url.rawValue) }
      // APNs' reasons are words; what apps write here may name people.
      + [
        "reason", "error", "Reason", "error_description", "providerResponse",
      ].map { ($0, Treatment.word.rawValue) }
      + ["msg", "message", "log", "textPayload", "@message"].map { ($0, Treatment.nested.rawValue) }
      + [
        "sent", "failed", "res", "jsonPayload", "notification", "delivery", "body",
        "triggering_push", "application", "attributes", "subscription", "client",
      ].map { ($0, Treatment.inside.rawValue) }
      + [("payload", Treatment.payload.rawValue)])

  /// Adds the redacted line to `out`; 64 bytes behind the line must be readable. False if the line
  /// is not JSON: then nothing is added, since nothing is known of what is in it.
  public func redact(_ line: UnsafeRawBufferPointer, into out: inout [UInt8]) -> Bool {
    guard let base = line.baseAddress, line.count > 0,
      case .tape(let json) = workspace.parser.parse(base, line.count),
      json.kind(json.root) == .object
    else { return false }
    textDepth = 0
    write(json, json.root, .keep, &out)
    return true
  }

  /// The redacted form of a line that is shown and not stored; nil if it is not JSON.
  public static func shown(_ line: String) -> String? {
    guard let key = TokenKey(bytes: [UInt8](repeating: 0, count: 16)) else { return nil }
    let bytes = Array(line.utf8)
    var padded = bytes
    padded.append(contentsOf: [UInt8](repeating: 0, count: ChunkBuffer.paddingBytes))
    var out: [UInt8] = []
    let isDone = padded.withUnsafeBytes { buffer in
      LineRedactor(tokenKey: key).redact(
        UnsafeRawBufferPointer(rebasing: buffer[0..<bytes.count]), into: &out)
    }
    return isDone ? String(decoding: out, as: UTF8.self) : nil
  }

  private func write(
    _ json: JSONTape, _ value: Int, _ treatment: Treatment, _ out: inout [UInt8]
  ) {
    switch json.kind(value) {
    case .object:
      if treatment == .payload { return PayloadReader.writeShape(json, value, workspace, &out) }
      guard treatment == .keep || treatment == .inside || treatment == .nested else {
        return word("object", &out)
      }
      out.append(0x7b)
      var isFirst = true
      for (name, inner) in json.fields(value) {
        if !isFirst { out.append(0x2c) }
        isFirst = false
        PayloadReader.quote(name.buffer, into: &out)
        out.append(0x3a)
        let code = LineRedactor.treatments.code(name.base, name.count)
        write(json, inner, Treatment(rawValue: code) ?? .hide, &out)
      }
      out.append(0x7d)
    case .array:
      guard treatment == .keep || treatment == .inside else { return word("array", &out) }
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
      guard treatment == .keep || treatment == .word else { return word("number", &out) }
      write(number: json, value, &out)
    case .yes: out.append(contentsOf: "true".utf8)
    case .no: out.append(contentsOf: "false".utf8)
    case .null, .other: out.append(contentsOf: "null".utf8)
    }
  }

  private func write(number json: JSONTape, _ value: Int, _ out: inout [UInt8]) {
    let bits = json.tape[value + 1]
    switch json.kind(value) {
    case .integer: out.append(contentsOf: String(Int64(bitPattern: bits)).utf8)
    case .unsigned: out.append(contentsOf: String(bits).utf8)
    default: out.append(contentsOf: "\(Double(bitPattern: bits))".utf8)
    }
  }

  private func write(_ text: ByteText, _ treatment: Treatment, _ out: inout [UInt8]) {
    switch treatment {
    case .keep: PayloadReader.quote(text.buffer, into: &out)
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
      PayloadReader.quote(text.buffer, into: &out)
    case .nested where writeNested(text, &out): break
    case .hide, .token, .word, .payload, .nested, .inside: word("text \(text.count)", &out)
    }
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
