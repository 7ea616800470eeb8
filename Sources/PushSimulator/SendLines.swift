extension PhoneSimulation {
  /// Writes one line of `provider.ndjson`, its line feed included.
  func writeSend(_ send: Send, into out: inout ByteWriter) {
    let note = notes[send.note]
    let faults = note.requestFaults
    out.text("{\"ts\":")
    out.instant(send.at)
    if note.identity == .notificationID {
      out.text(",\"notification_id\":\"")
      writeNotificationID(note, into: &out)
      out.text("\",\"attempt\":")
      out.integer(send.attempt)
    }
    if note.campaign >= 0 {
      out.text(",\"campaign_id\":\"")
      writeCampaign(note.campaign, into: &out)
      out.byte(0x22)
    }
    out.text(",\"provider\":\"apns\"")
    writeSender(send, note, into: &out)
    writeAddress(note, into: &out)
    writeHeaders(send, note, into: &out)
    if note.hasExpectation {
      out.text(",\"expects\":")
      writeMeant(note, into: &out)
    }
    out.text(",\"payload\":")
    writePayload(note, into: &out)
    out.text(",\"status\":")
    out.integer(send.status)
    if send.status == 0 {
      out.text(",\"error\":\"")
      out.text(send.reason)
      out.byte(0x22)
    } else if send.status != 200 {
      out.text(",\"reason\":\"")
      out.text(send.reason)
      out.byte(0x22)
    }
    if send.status == 410 {
      // Milliseconds since 1970 (F1.62); APNs knew from the moment of the new registration.
      out.text(",\"unregistered_at\":")
      out.integer(Int(phone.rotatesAt / 1000))
    }
    let hasAnswerID =
      send.status != 0 && !(faults.contains(.requestMalformed) && note.variant % 4 == 0)
    if note.identity != .none, hasAnswerID {
      out.text(",\"apns_id\":\"")
      // An id that the sender chose comes back as it was sent, one that APNs made in upper case
      // (F1.12, F1.13).
      out.uuid(send.apnsID, upper: note.identity != .apnsIDInPayload)
      out.byte(0x22)
      if phone.isSandbox, send.status == 200 {
        // F1.61
        out.text(",\"apns_unique_id\":\"")
        out.uuid(note.requestID)
        out.byte(0x22)
      }
    }
    out.text(",\"duration_ms\":")
    out.integer(send.durationMilliseconds)
    out.text("}\n")
  }

  func writeNotificationID(_ note: Note, into out: inout ByteWriter) {
    if note.isSharedID {
      writeCampaign(note.campaign, into: &out)
    } else {
      out.uuid(note.id)
    }
  }

  private func writeCampaign(_ campaign: Int, into out: inout ByteWriter) {
    out.text("cmp-")
    out.digits(campaign + 1, width: 4)
    out.byte(0x2D)
    // "com.example." is twelve bytes long; the rest names the app.
    let bundle = Catalogue.apps[phone.app].bundle
    out.bytes(bundle.utf8Start + 12, bundle.utf8CodeUnitCount - 12)
  }

  private func writeSender(_ send: Send, _ note: Note, into out: inout ByteWriter) {
    let faults = note.requestFaults
    out.text(",\"sender\":\"")
    out.text(Catalogue.workers[note.variant / 16 % 4])
    out.text("\",\"team_id\":\"T4EXAMPLE9\",\"key_id\":\"")
    if faults.contains(.providerAuthInvalid) {
      out.text("T4EXAMPLE9")
    } else if faults.contains(.providerKeyScope) {
      out.text("S8OTHERKEY")
    } else {
      out.text(Catalogue.keys[phone.app % 2])
    }
    out.text("\",\"jwt_issued_at\":")
    let now = Int(send.at / microsecondsPerSecond)
    if faults.contains(.providerJwtExpired) {
      out.integer(now - 3660 - note.variant % 5000)
    } else if faults.contains(.providerJwtChurn) {
      out.integer(now - note.variant % 2)
    } else {
      // Renewed every forty minutes (F2.1).
      out.integer(now - now % 2400)
    }
  }

  private func writeAddress(_ note: Note, into out: inout ByteWriter) {
    let mixed = note.requestFaults.contains(.tokenEnvMismatch)
    let sandbox = phone.isSandbox != mixed
    if note.variant / 64 % 5 == 0 {
      out.text(",\"host\":\"")
      out.text(sandbox ? "api.sandbox.push.apple.com" : "api.push.apple.com")
    } else {
      out.text(",\"environment\":\"")
      out.text(sandbox ? "sandbox" : "production")
    }
    out.text("\",\"device_token\":\"")
    writeSentToken(note, into: &out)
    out.byte(0x22)
    if note.requestFaults.contains(.tokenKindMismatch) {
      out.text(",\"token_kind\":\"voip\"")
    }
    if note.hasInstallationID {
      out.text(",\"installation_id\":\"")
      out.uuid(phone.deviceID)
      out.byte(0x22)
    }
  }

  /// The token's text as it was sent, planted damage included.
  func writeSentToken(_ note: Note, into out: inout ByteWriter) {
    let token = note.usesOldToken ? phone.token : phone.laterToken
    if note.requestFaults.contains(.tokenWrongSystem) {
      // Form of a token of another service: a colon, and letters beyond f (F10.6).
      out.text("dK")
      out.hex(token.0)
      out.text("wq:APA91b")
      for word in [token.1, token.2, token.3, token.0, token.1 ^ token.2, token.2 ^ token.3] {
        out.hex(word)
        out.text("Zt_x")
      }
    } else if note.requestFaults.contains(.tokenMalformed) {
      switch note.variant % 3 {
      case 0:
        out.text("{length=32,bytes=0x")
        out.hex(token.0)
        out.text("...")
        out.hex(token.3)
        out.byte(0x7D)
      case 1:
        out.byte(0x3C)
        for word in [token.0, token.1, token.2, token.3] {
          if word != token.0 { out.byte(0x20) }
          out.hex(word >> 32, digits: 8)
          out.byte(0x20)
          out.hex(word, digits: 8)
        }
        out.byte(0x3E)
      default:
        // One digit was cut off.
        out.hex(token.0)
        out.hex(token.1)
        out.hex(token.2)
        out.hex(token.3, digits: 15)
      }
    } else if note.requestFaults.contains(.tokenKindMismatch) {
      writeToken((~token.0, ~token.1, ~token.2, ~token.3), into: &out)
    } else {
      writeToken(token, into: &out)
    }
  }

  func writeToken(_ token: (UInt64, UInt64, UInt64, UInt64), into out: inout ByteWriter) {
    out.hex(token.0)
    out.hex(token.1)
    out.hex(token.2)
    out.hex(token.3)
  }

  private func writeHeaders(_ send: Send, _ note: Note, into out: inout ByteWriter) {
    let faults = note.requestFaults
    let app = Catalogue.apps[phone.app]
    if faults.contains(.topicMissing) {
      out.text(",\"topic\":null")
    } else {
      out.text(",\"topic\":\"")
      out.text(app.topicName)
      if faults.contains(.topicSuffix) { out.text(".voip") }
      if faults.contains(.topicWrong) { out.text(".beta") }
      out.byte(0x22)
    }
    let isSilent = note.kind == .silent
    let typeIsBackground = isSilent != faults.contains(.pushTypeMismatch)
    let malformed = faults.contains(.requestMalformed) ? note.variant % 4 : -1
    out.text(",\"push_type\":\"")
    out.text(malformed == 1 ? "alerts" : typeIsBackground ? "background" : "alert")
    out.byte(0x22)
    if faults.contains(.priorityMissingForBackground) {
      out.text(",\"priority\":null")
    } else {
      out.text(",\"priority\":")
      let low = typeIsBackground || isSilent || note.variant / 320 % 7 == 0
      out.integer(malformed == 2 ? 7 : low && !faults.contains(.priorityBackground) ? 5 : 10)
    }
    writeExpiration(send, note, into: &out)
    if faults.contains(.collapseIdTooLong) {
      out.text(",\"collapse_id\":\"")
      if note.variant % 2 == 0 {
        out.text("order-status-update-for-the-customer-reference-")
        out.uuid(note.id)
      } else {
        // 44 characters, 80 bytes: the limit counts bytes (F1.18).
        out.hex(note.id.high, digits: 8)
        for _ in 0..<36 { out.text("ж") }
      }
      out.byte(0x22)
    } else if note.collapse != .none {
      out.text(",\"collapse_id\":\"")
      writeCollapseID(note, into: &out)
      out.byte(0x22)
    }
  }

  private func writeExpiration(_ send: Send, _ note: Note, into out: inout ByteWriter) {
    let faulty = note.requestFaults.contains(.expirationInMilliseconds)
    if note.lifetimeSeconds < 0, !faulty { return }
    out.text(",\"expiration\":")
    if note.lifetimeSeconds == 0, !faulty {
      out.byte(0x30)
      return
    }
    let seconds = Int(send.at / microsecondsPerSecond) + max(note.lifetimeSeconds, 3600)
    out.integer(seconds)
    if faulty { out.text("000") }
  }

  func writeCollapseID(_ note: Note, into out: inout ByteWriter) {
    if note.collapse == .topical {
      out.text("order-")
      out.hex(phone.deviceID.high, digits: 6)
      out.byte(0x2D)
      out.integer(note.slot)
    } else if note.identity == .notificationID {
      writeNotificationID(note, into: &out)
    } else {
      out.uuid(note.id)
    }
  }

  /// What the sender meant, as a JSON array.
  func writeMeant(_ note: Note, into out: inout ByteWriter) {
    switch note.kind {
    case .plain:
      out.text(
        note.requestFaults.contains(.soundMissing) ? "[\"plain\",\"sound\"]" : "[\"plain\"]")
    case .media: out.text("[\"modified\",\"media\"]")
    case .communication: out.text("[\"modified\",\"communication\"]")
    case .actions: out.text("[\"actions\"]")
    case .customView: out.text("[\"modified\",\"media\",\"custom-view\"]")
    case .silent: out.text("[\"silent\"]")
    }
  }

  // MARK: The payload

  private func writePayload(_ note: Note, into out: inout ByteWriter) {
    let faults = note.requestFaults
    out.text("{\"aps\":{")
    if note.kind == .silent {
      out.text("\"content-available\":1")
      if faults.contains(.alertInBackgroundPush) { out.text(",\"alert\":\"\",\"sound\":\"\"") }
    } else {
      writeAlert(note, into: &out)
      let wantsSound = note.variant / 2240 % 3 != 0
      if wantsSound, !faults.contains(.soundMissing) { out.text(",\"sound\":\"default\"") }
      out.text(",\"thread-id\":\"")
      out.text(Catalogue.threads[note.variant / 6720 % 4])
      out.byte(0x22)
      if note.variant / 26_880 % 3 == 0 {
        out.text(",\"badge\":")
        out.integer(1 + note.variant % 9)
      }
      writeFlag(note, into: &out)
      writeCategory(note, into: &out)
    }
    out.byte(0x7D)
    if faults.contains(.mutableKeySpellingNesting), note.variant % 3 == 2 {
      out.text(",\"mutable-content\":1")
    }
    if note.kind.hasMedia {
      out.text(",\"media-url\":\"")
      writeMediaURL(note, into: &out)
      out.byte(0x22)
      if note.candidates.contains(.typeHintNotUti) {
        out.text(",\"media-type-hint\":\"image/jpeg\"")
      }
    }
    if note.kind == .communication {
      out.text(",\"sender\":{\"id\":\"u-")
      out.hex(note.id.low, digits: 6)
      out.text("\",\"name\":\"Contact ")
      out.integer(note.variant % 90)
      out.text("\",\"conversation_id\":\"c-")
      out.hex(note.id.high, digits: 6)
      out.text("\",\"avatar-url\":\"https://media.example.com/avatars/")
      out.hex(note.id.low, digits: 8)
      out.text(".png\"}")
    }
    out.text(",\"link\":\"/open/")
    out.hex(note.id.low, digits: 10)
    out.byte(0x22)
    if note.identity == .notificationID {
      out.text(",\"notification_id\":\"")
      writeNotificationID(note, into: &out)
      out.byte(0x22)
    } else if note.identity == .apnsIDInPayload {
      out.text(",\"apns_id\":\"")
      out.uuid(note.chosenAPNsID)
      out.byte(0x22)
    }
    out.byte(0x7D)
  }

  private func writeAlert(_ note: Note, into out: inout ByteWriter) {
    if note.requestFaults.contains(.noAlert) {
      // F3.35: nothing of this is visible text.
      switch note.variant % 3 {
      case 0: out.text("\"alert\":\"\"")
      case 1: out.text("\"alert\":{\"title\":\"\",\"body\":\"\"}")
      default: out.text("\"text\":\"Your order has shipped\"")
      }
      return
    }
    out.text("\"alert\":{\"title\":\"")
    out.text(Catalogue.titles[note.variant / 80_640 % Catalogue.titles.count])
    out.text("\",\"body\":\"")
    out.text(Catalogue.bodies[note.variant / 645_120 % Catalogue.bodies.count])
    out.integer(note.variant)
    if note.requestFaults.contains(.payloadTooLarge) {
      // Over 4096 bytes with what stands around it (F3.1).
      for _ in 0..<64 {
        out.text(" and the whole text of the article, which should have been fetched there")
      }
    }
    out.text("\"}")
  }

  private func writeFlag(_ note: Note, into out: inout ByteWriter) {
    guard note.kind.isMutable else { return }
    if note.requestFaults.contains(.mutableContentOff) {
      switch note.variant % 3 {
      case 0: out.text(",\"mutable-content\":0")
      case 1: out.text(",\"mutable-content\":false")
      default: break
      }
    } else if note.requestFaults.contains(.mutableContentFraction) {
      out.text(note.variant % 2 == 0 ? ",\"mutable-content\":0.5" : ",\"mutable-content\":-1")
    } else if note.requestFaults.contains(.mutableKeySpellingNesting) {
      switch note.variant % 3 {
      case 0: out.text(",\"mutable_content\":1")
      case 1: out.text(",\"mutableContent\":1")
      default: break
      }
    } else {
      out.text(",\"mutable-content\":1")
    }
  }

  private func writeCategory(_ note: Note, into out: inout ByteWriter) {
    guard note.kind == .actions || note.kind == .customView,
      !note.requestFaults.contains(.categoryMissing)
    else { return }
    out.text(",\"category\":\"")
    writeCategoryName(note, into: &out)
    out.byte(0x22)
  }

  func writeCategoryName(_ note: Note, into out: inout ByteWriter) {
    let app = Catalogue.apps[phone.app]
    if note.kind == .actions {
      out.text(app.actionCategory)
    } else if note.requestFaults.contains(.categoryNotInPlist) {
      // The match is exact (F7.7).
      out.text(app.viewCategory)
      out.text("_V2")
    } else {
      out.text(app.viewCategory)
    }
  }

  private func writeMediaURL(_ note: Note, into out: inout ByteWriter) {
    if note.candidates.contains(.urlInvalid) {
      // A nested address that was not encoded.
      out.text("https://media.example.com/resize?src=https://img.example.com/a b ")
      out.hex(note.id.low, digits: 8)
      out.text(".jpg&w=600")
      return
    }
    out.text(note.candidates.contains(.atsBlocked) ? "http" : "https")
    out.text("://media.example.com/2026/11/")
    out.hex(note.id.high, digits: 12)
    if note.candidates.contains(.fileExtensionMissing) {
      out.text("/original")
    } else if note.candidates.contains(.unsupportedFormat) {
      out.text(".webp")
    } else {
      out.text(note.variant % 2 == 0 ? ".jpg" : ".png")
    }
  }
}
