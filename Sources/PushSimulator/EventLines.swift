extension PhoneSimulation {
  /// Writes one line of `device.ndjson`, its line feed included.
  func writeEvent(_ event: Event, _ fate: Fate, into out: inout ByteWriter) {
    let app = Catalogue.apps[phone.app]
    out.text("{\"ts\":")
    let deviceTime = event.time + phone.clockOffset
    switch phone.app {
    case 0: out.instant(deviceTime)
    case 1: out.instant(deviceTime, fine: true)
    default: out.integer(Int(deviceTime / 1000))
    }
    out.text(",\"event\":\"")
    out.text(event.kind.name)
    if world.configuration.sequenceNumbers {
      out.text("\",\"seq\":")
      out.integer(fate.sequence)
      if phone.hasLogID {
        out.text(",\"log_id\":\"")
        out.hex(fate.log == 0 ? phone.logIDs.0 : phone.logIDs.1, digits: 8)
        out.byte(0x22)
      }
    } else {
      out.byte(0x22)
    }
    out.text(",\"device_id\":\"")
    out.uuid(phone.deviceID)
    out.text("\",\"bundle_id\":\"")
    switch event.kind {
    case .didReceive, .downloadStarted, .downloadFinished, .attachmentCreated, .attachmentFailed,
      .keychainFailed, .routed, .intentDonated, .intentFailed, .contentUpdated, .handlerCalled,
      .willExpire:
      out.text(app.service)
    case .contentShown, .contentFailed: out.text(app.content)
    default: out.text(app.bundle)
    }
    let release = Catalogue.releases[phone.release(at: event.time)]
    let system = Catalogue.systems[phone.system]
    out.text("\",\"app_version\":\"")
    out.text(release.version)
    out.text("\",\"build\":\"")
    out.text(release.build)
    out.text("\",\"os_version\":\"")
    out.text(system.version)
    out.text("\",\"device_model\":\"")
    out.text(system.models[phone.model])
    out.byte(0x22)
    if event.note >= 0 { writeIDs(notes[event.note], into: &out) }
    writeAttributes(event, into: &out)
    out.text("}\n")
  }

  private func writeIDs(_ note: Note, into out: inout ByteWriter) {
    if note.identity == .notificationID {
      out.text(",\"notification_id\":\"")
      writeNotificationID(note, into: &out)
      out.byte(0x22)
    } else if note.identity == .apnsIDInPayload {
      out.text(",\"apns_id\":\"")
      out.uuid(note.chosenAPNsID)
      out.byte(0x22)
    }
    if note.kind == .silent { return }
    out.text(",\"request_id\":\"")
    writeRequestID(note, into: &out)
    out.byte(0x22)
  }

  /// The request's identifier on the phone (F11.1, F11.2).
  func writeRequestID(_ note: Note, into out: inout ByteWriter) {
    if note.collapse == .none {
      out.uuid(note.requestID, upper: true)
    } else {
      writeCollapseID(note, into: &out)
    }
  }

  private func writeAttributes(_ event: Event, into out: inout ByteWriter) {
    out.text(",\"attrs\":{")
    switch event.kind {
    case .heartbeat:
      writeRegistration(event, into: &out)
      out.text(",\"free_mb\":")
      out.integer(event.a)
      out.byte(0x2C)
      writeSettings(event, into: &out)
    case .registered:
      writeRegistration(event, into: &out)
      out.text(",\"kind\":\"alert\"")
    case .settings: writeSettings(event, into: &out)
    case .categories: writeCategories(event, into: &out)
    case .didReceive, .downloadStarted, .downloadFinished, .attachmentCreated, .attachmentFailed,
      .keychainFailed, .routed, .intentDonated, .intentFailed, .contentUpdated, .handlerCalled,
      .willExpire, .crashed:
      writeRunAttributes(event, notes[event.note], into: &out)
    default: writeScreenAttributes(event, notes[event.note], into: &out)
    }
    out.byte(0x7D)
  }

  private func writeRegistration(_ event: Event, into out: inout ByteWriter) {
    out.text("\"device_token\":\"")
    writeToken(event.time >= phone.rotatesAt ? phone.laterToken : phone.token, into: &out)
    out.text("\",\"aps_environment\":\"")
    out.text(phone.isSandbox ? "development\"" : "production\"")
  }

  private func writeSettings(_ event: Event, into out: inout ByteWriter) {
    let denied = event.time >= phone.deniedFrom
    out.text("\"authorization\":\"")
    out.text(denied ? "denied" : "authorized")
    out.text("\",\"alerts\":")
    out.boolean(!denied)
    out.text(",\"sounds\":")
    out.boolean(!denied)
    out.text(",\"background_refresh\":")
    out.boolean(!phone.backgroundRefreshOff)
  }

  private func writeCategories(_ event: Event, into out: inout ByteWriter) {
    let app = Catalogue.apps[phone.app]
    out.text("\"identifiers\":[\"")
    if event.a == 0 {
      out.text(app.actionCategory)
      out.text("\",\"")
    }
    out.text(app.viewCategory)
    out.text("\",\"")
    out.text(app.viewCategory)
    out.text("_V2\"],\"since_launch_ms\":")
    out.integer(event.b)
  }

  private func writeRunAttributes(_ event: Event, _ note: Note, into out: inout ByteWriter) {
    switch event.kind {
    case .didReceive: writeReceived(event, note, into: &out)
    case .downloadStarted: out.text("\"url\":\"media.example.com\"")
    case .downloadFinished: writeDownload(event, note, into: &out)
    case .attachmentCreated:
      out.text("\"bytes\":")
      out.integer(event.a)
      out.text(event.b == 0 ? ",\"uti\":\"public.jpeg\"" : ",\"uti\":\"public.png\"")
    case .attachmentFailed:
      out.text("\"error_domain\":\"UNErrorDomain\",\"error_code\":")
      out.integer(event.a)
    case .keychainFailed: out.text("\"code\":-25308")
    case .routed:
      out.text("\"recognised\":")
      out.boolean(event.a == 1)
      out.text(",\"sdk\":\"VendorPush 4.2\"")
    case .intentDonated:
      out.text("\"type\":\"INSendMessageIntent\",\"image_parameter\":")
      out.text(event.a == 1 ? "\"sender\"" : "null")
      out.text(",\"recipients\":")
      out.integer(event.b)
      out.text(",\"is_me\":")
      out.boolean(event.c == 1)
      out.text(",\"group\":false")
    case .intentFailed:
      out.text("\"error_domain\":\"IntentsErrorDomain\",\"error_code\":")
      out.integer(event.a)
    case .contentUpdated:
      out.text("\"modified_after\":")
      out.boolean(event.a == 1)
    case .handlerCalled:
      out.text("\"elapsed_ms\":")
      out.integer(event.a)
      out.text(",\"fallback\":")
      out.boolean(event.b == 1)
      out.text(",\"attachments\":")
      out.integer(event.c)
      out.text(",\"count\":")
      out.integer(event.d)
    case .willExpire:
      out.text("\"elapsed_ms\":")
      out.integer(event.a)
    default:
      out.text("\"signal\":9,\"reason\":\"per-process-limit\",\"footprint_mb\":")
      out.integer(event.a)
    }
  }

  private func writeReceived(_ event: Event, _ note: Note, into out: inout ByteWriter) {
    out.text("\"attempt\":")
    out.integer(event.a)
    out.text(",\"process_uptime_ms\":")
    out.integer(event.b)
    out.text(",\"locked\":")
    out.boolean(event.c == 1)
    out.text(",\"mutable_content\":1,\"category\":")
    if note.kind == .customView, !note.faults.contains(.categoryMissing) {
      out.byte(0x22)
      writeCategoryName(note, into: &out)
      out.byte(0x22)
    } else {
      out.text("null")
    }
    out.text(",\"keys\":[\"aps\"")
    if note.kind.hasMedia {
      out.text(",\"media-url\"")
      if note.candidates.contains(.typeHintNotUti) { out.text(",\"media-type-hint\"") }
    } else {
      out.text(",\"sender\"")
    }
    out.text(",\"link\"")
    if note.identity == .notificationID { out.text(",\"notification_id\"") }
    if note.identity == .apnsIDInPayload { out.text(",\"apns_id\"") }
    out.text("],\"has_media\":")
    out.boolean(note.kind.hasMedia)
  }

  private func writeDownload(_ event: Event, _ note: Note, into out: inout ByteWriter) {
    if event.a == 0 {
      out.text("\"error_domain\":\"NSURLErrorDomain\",\"error_code\":")
      out.integer(event.d)
      out.text(",\"duration_ms\":")
      out.integer(event.c)
      return
    }
    out.text("\"status\":")
    out.integer(event.a)
    out.text(",\"bytes\":")
    out.integer(event.b)
    out.text(",\"mime\":\"")
    if event.d == 1 {
      out.text("image/webp")
    } else if event.d == 2 {
      out.text("text/html")
    } else {
      out.text(note.variant % 2 == 0 ? "image/jpeg" : "image/png")
    }
    out.text("\",\"duration_ms\":")
    out.integer(event.c)
  }

  private func writeScreenAttributes(_ event: Event, _ note: Note, into out: inout ByteWriter) {
    switch event.kind {
    case .willPresent:
      out.text(
        event.a == 0 ? "\"options\":[]" : "\"options\":[\"banner\",\"list\",\"sound\"]")
      out.text(",\"state\":\"foreground\"")
    case .presented:
      out.text(event.a == 0 ? "\"by\":\"will_present\"" : "\"by\":\"delivered_list\"")
      out.text(",\"style\":\"banner\",\"sound\":")
      out.boolean(event.d == 1)
      out.text(",\"attachments\":")
      out.integer(event.b)
      out.text(event.c == 1 ? ",\"trigger\":\"local\"" : ",\"trigger\":\"push\"")
      out.text(",\"title_modified\":")
      out.boolean(note.faults.isEmpty && note.kind == .communication)
    case .contentShown:
      out.text("\"category\":\"")
      writeCategoryName(note, into: &out)
      out.text("\",\"elapsed_ms\":")
      out.integer(event.a)
      out.text(event.b > 0 ? ",\"attachments\":[\"media\"]" : ",\"attachments\":[]")
      out.text(",\"height\":")
      out.integer(180 + note.variant % 90)
    case .contentFailed:
      out.text("\"category\":\"")
      writeCategoryName(note, into: &out)
      out.text("\",\"reason\":\"")
      out.text(event.a == 0 ? "class" : event.a == 1 ? "attachment" : "security-scope")
      out.byte(0x22)
    case .opened:
      out.text("\"cold_start\":")
      out.boolean(event.a == 1)
    case .action:
      out.text("\"action\":\"")
      out.text(Catalogue.apps[phone.app].action)
      out.text("\",\"cold_start\":")
      out.boolean(event.a == 1)
      out.text(",\"completed\":true")
    case .backgroundLaunch:
      out.text("\"elapsed_ms\":")
      out.integer(event.a)
    default:
      out.text("\"elapsed_ms\":")
      out.integer(event.a)
      out.text(",\"result\":\"newData\"")
    }
  }
}

extension ByteWriter {
  mutating func boolean(_ value: Bool) {
    if value { text("true") } else { text("false") }
  }
}
