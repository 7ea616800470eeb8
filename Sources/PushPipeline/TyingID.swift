import PushModel
import PushStore

/// An id that may tie a token which no phone registered to the phone that has a record of it: what a
/// sender gives to one message only.
///
/// That is its own id, the `apns-id`, and a collapse id that is a UUID, which senders give to one
/// message so that both sides can be joined (F11.7). Any other collapse id repeats by design and is
/// the same on many phones. On the phone a collapse id is the identifier of the request (F11.1), so
/// those two compare with each other, and never with the others.
struct TyingID: Hashable {
  /// The hash of the id; its lowest bit tells which of the two sorts it is of.
  private let bits: UInt64

  /// The sender's own id, or an `apns-id`.
  init(own hash: UInt64) { bits = hash & ~1 }

  /// From ``hash``.
  init(bits: UInt64) { self.bits = bits }

  /// A collapse id, or the identifier of a request.
  init(request hash: UInt64) { bits = hash | 1 }

  /// A hash to look it up by in the index of ids, which does not know the lowest bits.
  var hash: UInt64 { bits }

  /// Whether a stored notification, whose records are in the set, has this id.
  static func has(_ id: TyingID, _ entry: StoredNotification, _ records: RecordSet) -> Bool {
    let identity = entry.identity
    return id == TyingID(own: identity.notification.hash) || id == TyingID(own: identity.apns.hash)
      || id == TyingID(request: identity.collapse.hash)
      || id == TyingID(request: identity.request.hash)
      || entry.sends.contains { id == TyingID(own: records.sends[Int($0)].apns.hash) }
  }

  /// Whether a collapse id or an identifier of a request looks like one message's own.
  static func isOfOneMessage(_ id: Identifier, _ records: RecordSet) -> Bool {
    guard id.isPresent, id.text.length == 36 else { return false }
    return records.texts.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return false }
      return UUIDBytes(base + Int(id.text.offset)) != nil
    }
  }
}
