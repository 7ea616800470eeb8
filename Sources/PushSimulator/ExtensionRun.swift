extension PhoneSimulation {
  private static let second = microsecondsPerSecond

  /// One run of the service extension, with the faults that wait in `note.candidates`. Those that
  /// were met go to `note.faults`; when and with what the notification is then shown goes to
  /// `shownAt` and `shownAttachments`.
  func runExtension(_ index: Int, _ note: inout Note) {
    let began = note.arrival + Int64(random.between(60, 400)) * 1000
    func planted(_ cause: PlantedCause) -> Bool { note.candidates.contains(cause) }
    if planted(.extCrashAtLaunch) {
      // Nothing records it; only a system log or a crash report would (F4.23).
      note.faults.insert(.extCrashAtLaunch)
      note.shownAt = began + 300_000
      return
    }
    let locked = planted(.keychainLocked) || random.chance(550_000)
    // A kept process is used again (F4.40).
    let uptime = random.chance(600_000) ? random.between(20, 90) : random.between(9000, 900_000)
    emit(.didReceive, began, index, 1, uptime, locked ? 1 : 0)
    var time = began + Int64(random.between(4, 20)) * 1000
    if phone.app == 2 || planted(.sdkRouting) {
      emit(.routed, time, index, planted(.sdkRouting) ? 0 : 1)
      time += 2000
    }
    if planted(.sdkRouting) {
      note.faults.insert(.sdkRouting)
      finish(index, &note, began, time, attachments: 0)
    } else if planted(.keychainLocked) {
      note.faults.insert(.keychainLocked)
      emit(.keychainFailed, time, index)
      finish(index, &note, began, time + 5000, fallback: 1, attachments: 0)
    } else if note.kind == .communication {
      communicate(index, &note, began, time)
    } else {
      download(index, &note, began, time)
    }
  }

  private func finish(
    _ index: Int, _ note: inout Note, _ began: Int64, _ time: Int64, fallback: Int = 0,
    attachments: Int, count: Int = 1
  ) {
    emit(
      .handlerCalled, time, index, Int((time - began) / 1000), fallback, attachments, count)
    note.shownAt = time + Int64(random.between(20, 120)) * 1000
    note.shownAttachments = attachments
  }

  /// Handler faults that are met whatever the extension had to do. True if there was one.
  private func endLate(
    _ index: Int, _ note: inout Note, _ began: Int64, _ time: Int64, attachments: Int
  ) -> Bool {
    let expiry = began + 29 * PhoneSimulation.second
    if note.candidates.contains(.contentHandlerNever) {
      note.faults.insert(.contentHandlerNever)
      // The original is shown at 30 s (F4.20, F4.21).
      if note.variant % 2 == 0 { emit(.willExpire, expiry, index, 29_000) }
      note.shownAt = began + 30 * PhoneSimulation.second
      return true
    }
    if note.candidates.contains(.contentHandlerLate) {
      note.faults.insert(.contentHandlerLate)
      emit(.willExpire, expiry, index, 29_000)
      finish(
        index, &note, began, began + Int64(random.between(30_200, 44_000)) * 1000,
        attachments: attachments)
      note.shownAt = began + 30 * PhoneSimulation.second
      note.shownAttachments = 0
      return true
    }
    return false
  }

  private func communicate(_ index: Int, _ note: inout Note, _ began: Int64, _ start: Int64) {
    func planted(_ cause: PlantedCause) -> Bool { note.candidates.contains(cause) }
    var time = start + Int64(random.between(8, 120)) * 1000
    for cause in [
      PlantedCause.interactionNotDonated, .intentParticipants, .intentNotApplied, .intentImage,
      .updatedContentModified,
    ] where planted(cause) {
      note.faults.insert(cause)
    }
    if planted(.interactionNotDonated) {
      if note.variant % 2 == 0 {
        emit(.intentFailed, time, index, 1)
      }
    } else {
      // One-to-one: no recipients, the image is the sender's (F6.4, F6.5).
      let wrong = planted(.intentParticipants) ? 1 : 0
      emit(.intentDonated, time, index, planted(.intentImage) ? 0 : 1, wrong, wrong)
    }
    time += Int64(random.between(10, 90)) * 1000
    if !planted(.intentNotApplied) {
      emit(.contentUpdated, time, index, planted(.updatedContentModified) ? 1 : 0)
    }
    time += Int64(random.between(2, 20)) * 1000
    if !endLate(index, &note, began, time, attachments: 0) {
      finish(index, &note, began, time, attachments: 0)
    }
  }

  private func download(_ index: Int, _ note: inout Note, _ began: Int64, _ start: Int64) {
    func planted(_ cause: PlantedCause) -> Bool { note.candidates.contains(cause) }
    var time = start
    if planted(.urlInvalid) {
      // No request is made.
      note.faults.insert(.urlInvalid)
      finish(index, &note, began, time + 3000, fallback: 1, attachments: 0)
      return
    }
    emit(.downloadStarted, time, index)
    if planted(.downloadTooSlow) {
      note.faults.insert(.downloadTooSlow)
      emit(.willExpire, began + 29 * PhoneSimulation.second, index, 29_000)
      finish(
        index, &note, began, began + 29 * PhoneSimulation.second + 40_000, fallback: 1,
        attachments: 0)
      return
    }
    let took = random.skewed(unit: 110, doublings: 6)
    time += Int64(took) * 1000
    let bytes = random.skewed(unit: 40_000, doublings: 5)
    if let failure = networkFailure(note) {
      note.faults.insert(failure.cause)
      emit(.downloadFinished, time, index, failure.status, failure.bytes, took, failure.code)
      finish(index, &note, began, time + 4000, fallback: 1, attachments: 0)
      return
    }
    let fileFailure = attachmentFailure(note)
    let size = planted(.attachmentTooLarge) ? random.between(10_600_000, 24_000_000) : bytes
    emit(.downloadFinished, time, index, 200, size, took, planted(.unsupportedFormat) ? 1 : 0)
    time += Int64(random.between(3, 30)) * 1000
    if planted(.extMemory) {
      // Killed while it decodes: neither expiry nor handler (F4.26, F4.27).
      note.faults.insert(.extMemory)
      note.shownAt = time + 500_000
      return
    }
    if let fileFailure {
      note.faults.insert(fileFailure.cause)
      emit(.attachmentFailed, time, index, fileFailure.code)
      finish(index, &note, began, time + 2000, fallback: 1, attachments: 0)
      return
    }
    if planted(.contentHandlerTwice) {
      // The first call wins, and it came before the file was there.
      note.faults.insert(.contentHandlerTwice)
      finish(index, &note, began, time, attachments: 0)
      let shownAt = note.shownAt
      time += Int64(random.between(30, 400)) * 1000
      emit(.attachmentCreated, time, index, bytes, note.variant % 2)
      finish(index, &note, began, time + 3000, attachments: 1, count: 2)
      note.shownAt = shownAt
      note.shownAttachments = 0
      return
    }
    emit(.attachmentCreated, time, index, bytes, note.variant % 2)
    time += 2000
    if planted(.expiryReturnsWrongContent) {
      note.faults.insert(.expiryReturnsWrongContent)
      let expiry = began + 29 * PhoneSimulation.second
      emit(.willExpire, expiry, index, 29_000)
      finish(index, &note, began, expiry + 20_000, fallback: 1, attachments: 0)
      return
    }
    if !endLate(index, &note, began, time, attachments: 1) {
      finish(index, &note, began, time, attachments: 1)
    }
  }

  private func networkFailure(
    _ note: Note
  ) -> (cause: PlantedCause, status: Int, bytes: Int, code: Int)? {
    let pick = note.variant / 7
    if note.candidates.contains(.atsBlocked) { return (.atsBlocked, 0, 0, -1022) }
    if note.candidates.contains(.mediaHostUnreachable) {
      return (.mediaHostUnreachable, 0, 0, [-1009, -1001, -1003, -1004][pick % 4])
    }
    if note.candidates.contains(.mediaTls) {
      return (.mediaTls, 0, 0, [-1200, -1202, -1203, -1206][pick % 4])
    }
    if note.candidates.contains(.mediaHttpStatus) {
      return (.mediaHttpStatus, [403, 404, 500][pick % 3], 512 + pick % 3000, 2)
    }
    return nil
  }

  /// Codes of `UNErrorDomain` (F5.12).
  private func attachmentFailure(_ note: Note) -> (cause: PlantedCause, code: Int)? {
    let rows: [(PlantedCause, Int)] = [
      (.fileExtensionMissing, 101), (.typeHintNotUti, 101), (.unsupportedFormat, 101),
      (.attachmentTooLarge, 102), (.attachmentUrlInvalid, 100),
    ]
    for row in rows where note.candidates.contains(row.0) { return (row.0, row.1) }
    return nil
  }
}
