import PushModel

/// The keys of a case file and the type of each, as a tree; what is not in it is kept with a note.
indirect enum CaseSchema: Sendable {
  case text, number, truth, any, texts, time
  /// A text that may also be a truth value: settings are written both ways.
  case setting
  /// A header's value: a number or a text, as it was sent.
  case header
  /// An object whose keys are the world's own: payloads, plists, entitlements.
  case open(of: CaseSchema)
  case list(of: CaseSchema)
  case object([(String, CaseSchema)])

  /// What a value of this type looks like, to follow "expected".
  var expectation: String {
    switch self {
    case .text: "a string"
    case .number: "a number"
    case .truth: "true or false"
    case .any: "any value"
    case .texts: "an array of strings"
    case .time: "an RFC 3339 time with a zone"
    case .setting: "true, false or a string"
    case .header: "a number or a string"
    case .open, .object: "an object"
    case .list: "an array"
    }
  }

  /// An answer of APNs, or the body of a gateway's: they wrap what they say of a device in their
  /// own ways.
  static let answer = CaseSchema.object([
    ("status", .header), ("reason", .text), ("message", .text), ("apns_id", .text),
    ("timestamp", .any), ("body", .any), ("data", .any), ("details", .any), ("error", .any),
    ("errors", .any), ("failure", .any), ("logs", .any), ("rejected", .any), ("results", .any),
    ("success", .any),
  ])

  static let send = CaseSchema.object([
    ("provider", .text), ("environment", .text), ("host", .text), ("headers", .open(of: .header)),
    ("request", .any), ("payload", .any), ("payload_bytes", .number), ("token", .text),
    ("token_kind", .text), ("token_environment", .text), ("token_registered_at", .text),
    ("newer_token_at", .text),
    (
      "credential",
      .object([
        ("kind", .text), ("environment", .text), ("topics", .any), ("key_scope", .text),
      ])
    ),
    (
      "jwt",
      .object([
        ("kid", .text), ("iss", .text), ("age_s", .number), ("distinct_per_request", .truth),
      ])
    ),
    ("server_clock_offset_s", .number), ("sent_at", .text), ("response", answer),
    ("receipt", answer),
  ])

  static let app = CaseSchema.object([
    ("bundle_id", .text), ("version", .text), ("build", .text), ("min_os", .text),
    ("distribution", .text), ("info", .open(of: .any)), ("entitlements", .open(of: .any)),
    ("plugins", .texts), ("registered_categories", .texts), ("frameworks", .open(of: .any)),
    ("state", .text),
    (
      "delegate",
      .object([("owner", .text), ("will_present", .text), ("presentation_options", .texts)])
    ),
    ("callbacks", .object([("registration", .text)])),
  ])

  static let appex = CaseSchema.object([
    ("file", .text), ("kind", .text), ("bundle_id", .text), ("min_os", .text),
    ("language", .text), ("info", .open(of: .any)), ("entitlements", .open(of: .any)),
    ("links", .texts), ("executable_present", .truth), ("principal_class_found", .truth),
    ("missing_links", .texts), ("profile_fits", .truth), ("missing_names", .texts),
    ("unregistered_schemes", .texts), ("old_open_selector", .truth),
    (
      "code",
      .object([
        ("did_receive", .text), ("handler_paths", .text), ("expiry_handler", .text),
        ("expiry_returns", .text), ("init_work", .text), ("download", .text),
      ])
    ),
  ])

  static let device = CaseSchema.object([
    ("os", .text), ("model", .text), ("locked", .truth), ("unlocked_since_boot", .truth),
    ("network", .text), ("vpn_or_filter", .setting), ("online_since", .text),
    ("last_seen_online", .text),
    (
      "settings",
      .object([
        ("authorization", .text), ("alerts", .setting), ("sounds", .setting),
        ("lock_screen", .setting), ("time_sensitive", .setting), ("critical", .setting),
        ("scheduled_summary", .setting), ("focus", .setting), ("background_refresh", .setting),
        ("low_power", .setting),
      ])
    ),
  ])

  static let media = CaseSchema.object([
    ("url", .text), ("http_status", .number), ("redirects", .number), ("content_type", .text),
    ("bytes", .number), ("file_name", .text), ("magic", .text), ("tls", .text),
    ("type_hint", .text),
  ])

  static let evidence = CaseSchema.object([
    ("send", send), ("sends", .list(of: send)), ("payload", .open(of: .any)), ("app", app),
    ("extensions", .list(of: appex)), ("device", device),
    (
      "events",
      .list(
        of: .object([
          ("event", .text), ("t", .number), ("ts", .time), ("attrs", .open(of: .any)),
          ("seq", .number), ("log_id", .text), ("device_id", .text), ("bundle_id", .text),
          ("app_version", .text), ("build", .text), ("os_version", .text),
          ("device_model", .text), ("apns_id", .text), ("request_id", .text),
          ("notification_id", .text), ("collapse_id", .text),
        ]))
    ),
    (
      "log",
      .list(
        of: .object([
          ("process", .text), ("message", .text), ("t", .number), ("ts", .time),
          ("subsystem", .text), ("category", .text),
        ]))
    ),
    ("media", media),
    (
      "observed",
      .list(
        of: .object([
          ("with", .open(of: .any)), ("arrived", .truth), ("rich", .truth), ("avatar", .truth),
          ("image", .truth), ("extension_ran", .truth), ("actions", .truth), ("sound", .truth),
          ("custom_ui", .truth), ("updated", .truth), ("duplicate", .truth),
        ]))
    ),
    ("claims", .texts), ("symptom", .text),
  ])

  static let file = CaseSchema.object([
    ("case", .any), ("title", .text), ("source", .text), ("evidence", evidence),
    ("expect", .open(of: .any)),
  ])

  /// Checks a value and lists the keys that no case file has; null is right everywhere.
  func check(
    _ value: CaseValue, at path: String, notes: inout [FieldNote]
  ) throws(CaseProblem) {
    if value.isNull { return }
    func wrong() -> CaseProblem {
      CaseProblem(
        path: path, reason: "is \(value.kind)",
        help: "expected \(expectation); leave the key out where it is not known")
    }
    func inside(_ key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }
    switch self {
    case .any: return
    case .text: guard value.text != nil else { throw wrong() }
    case .number: guard value.number != nil else { throw wrong() }
    case .truth: guard value.bool != nil else { throw wrong() }
    case .setting: guard value.bool != nil || value.text != nil else { throw wrong() }
    case .header: guard value.number != nil || value.text != nil else { throw wrong() }
    case .time: guard value.text != nil || value.number != nil else { throw wrong() }
    case .texts:
      guard case .list(let items) = value else { throw wrong() }
      for (place, item) in items.enumerated() where item.text == nil {
        throw CaseProblem(
          path: inside("\(place)"), reason: "is \(item.kind)", help: "expected a string")
      }
    case .open(let element):
      guard case .object(let members) = value else { throw wrong() }
      for member in members {
        try element.check(member.value, at: inside(member.key), notes: &notes)
      }
    case .list(let element):
      guard case .list(let items) = value else { throw wrong() }
      for (place, item) in items.enumerated() {
        if item.isNull {
          throw CaseProblem(path: inside("\(place)"), reason: "is null", help: "leave it out")
        }
        try element.check(item, at: inside("\(place)"), notes: &notes)
      }
    case .object(let keys):
      guard case .object(let members) = value else { throw wrong() }
      for member in members {
        guard let key = keys.first(where: { $0.0 == member.key }) else {
          notes.append(
            FieldNote(
              field: inside(member.key), reason: "is no key of case files; kept and not read"))
          continue
        }
        try key.1.check(member.value, at: inside(member.key), notes: &notes)
      }
    }
  }
}
