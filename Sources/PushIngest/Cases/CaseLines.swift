import PushModel

/// What one line of a device's log says, as an event of a chain.
struct LineEvent {
  var name: Word
  var attributes: [(key: Word, value: CaseValue)] = []

  init(_ name: Word, _ attributes: [(key: Word, value: CaseValue)] = []) {
    self.name = name
    self.attributes = attributes
  }
}

/// Lines of apps, SDKs and tools that stand beside the system's own messages. Reports quote them
/// loosely, so what counts is which words stand in the line, not their order.
enum CaseLines {
  fileprivate struct Row {
    /// All of these stand in the line, in lower case.
    let words: [String]
    let read: @Sendable (String) -> LineEvent?

    init(_ words: String..., read: @escaping @Sendable (String) -> LineEvent?) {
      self.words = words
      self.read = read
    }

    init(_ words: String..., event: Word) {
      self.words = words
      read = { _ in LineEvent(event) }
    }
  }

  /// Reads one line; nil if nothing in it is known.
  static func read(process: String, message: String) -> LineEvent? {
    let text = message.lowercased()
    for row in rows where row.words.allSatisfy(text.contains) {
      if let event = row.read(text) { return event }
    }
    return nil
  }

  private static let rows: [Row] = [
    // Errors with their code, whoever prints them (F5.12, F4.44, F10.8).
    Row("unerrordomain") { text in
      number(after: "code", in: text).map { code in
        LineEvent(
          code >= 1500 && code < 1600 ? .intentFailed : .nseAttachmentFailed,
          [(.errorDomain, .text("UNErrorDomain")), (.errorCode, .integer(code))])
      }
    },
    Row("unrecognized attachment file type") { _ in
      LineEvent(
        .nseAttachmentFailed, [(.errorDomain, .text("UNErrorDomain")), (.errorCode, .integer(101))])
    },
    Row("invalid attachment file url") { _ in
      LineEvent(
        .nseAttachmentFailed, [(.errorDomain, .text("UNErrorDomain")), (.errorCode, .integer(100))])
    },
    Row("no valid", "aps-environment") { _ in noEntitlement },
    Row("aps-environment", "code=3000") { _ in noEntitlement },
    Row("com.firebase.iid", "1001", event: .sdkTokenMissing),
    Row("no apns token", event: .sdkTokenMissing),
    Row("apns device token not set", event: .sdkTokenMissing),
    Row("i-fcm002022", event: .sdkTokenMissing),
    Row("nsurlerrordomain") { text in
      number(after: "code", in: text).map { download($0) }
    },
    Row("requires a client certificate") { _ in download(-1206) },
    Row("certificate for this server is invalid") { _ in download(-1202) },
    Row("ssl error has occurred") { _ in download(-1200) },
    Row("tls error caused the secure connection to fail") { _ in download(-1200) },
    Row("app transport security", "requires the use of a secure") { _ in download(-1022) },
    Row("app transport security", "block") { _ in download(-1022) },
    Row("could not connect to the server") { _ in download(-1004) },
    Row("hostname could not be found") { _ in download(-1003) },
    Row("internet connection appears to be offline") { _ in download(-1009) },
    Row("request timed out") { _ in download(-1001) },
    Row("-25308", event: .nseKeychainFailed).with(.code, -25308),
    Row("errsecinteractionnotallowed", event: .nseKeychainFailed).with(.code, -25308),
    Row("-34018", event: .nseKeychainFailed).with(.code, -34018),
    Row("errsecmissingentitlement", event: .nseKeychainFailed).with(.code, -34018),
    Row("appid not available from shared userdefaults", event: .sdkGroupMissing),
    // Building and installing.
    Row("0xe8008016", event: .systemInstallRefused),
    Row("not prefixed with the parent app", event: .systemPrefixRefused),
    Row("bundle identifier", "prefix", event: .systemPrefixRefused),
    // Libraries and classes.
    Row("library not loaded", event: .systemLibraryMissing),
    Row("unable to find nsextensionprincipalclass", event: .systemPrincipalClassMissing),
    // Live Activities and calls.
    Row("unable to decode content state", event: .liveActivityDecodeFailed),
    Row("baadca11", event: .systemAppCrashed).with(.code, 0xbaad_ca11),
    Row("killing app because it never posted an incoming call", event: .systemAppCrashed)
      .with(.code, 0xbaad_ca11),
    // The app's answer about the foreground; other completions are missed in the same words.
    Row("foreground", "completion", "not called", event: .sdkCompletionNotCalled),
    Row("willdisplay", "completion", "not called", event: .sdkCompletionNotCalled),
    Row("willpresent", "completion", "not called", event: .sdkCompletionNotCalled),
    Row("willpresent", "completion", "never called", event: .sdkCompletionNotCalled),
    // Downloads that were cut.
    Row("download", "not finished", event: .sdkDownloadOpen),
    Row("download", "still running", event: .sdkDownloadOpen),
    Row("download", "incomplete", event: .sdkDownloadOpen),
    Row("download", "cancelled", "expir", event: .sdkDownloadOpen),
  ]

  /// Registration without the entitlement for push (F10.8).
  private static let noEntitlement = LineEvent(
    .appRegistrationFailed,
    [(.errorDomain, .text("NSCocoaErrorDomain")), (.errorCode, .integer(3000))])

  private static func download(_ code: Int64) -> LineEvent {
    LineEvent(
      .nseDownloadFinished,
      [(.errorDomain, .text("NSURLErrorDomain")), (.errorCode, .integer(code))])
  }

  /// The first whole number behind a word: `Code=101`, `code: -1009`.
  private static func number(after word: String, in text: String) -> Int64? {
    var rest = Substring(text)
    while let found = rest.firstRange(of: word) {
      rest = rest[found.upperBound...]
      let start = rest.drop { " =:(".contains($0) }
      var digits = ""
      for character in start {
        if character == "-" && digits.isEmpty || character.isASCII && character.isNumber {
          digits.append(character)
        } else {
          break
        }
      }
      if let value = Int64(digits) { return value }
    }
    return nil
  }
}

extension CaseLines.Row {
  /// The same, with one attribute.
  fileprivate func with(_ key: Word, _ value: Int64) -> CaseLines.Row {
    let read = read
    return CaseLines.Row(words: words) { text in
      guard var event = read(text) else { return nil }
      event.attributes.append((key, .integer(value)))
      return event
    }
  }

  private init(words: [String], read: @escaping @Sendable (String) -> LineEvent?) {
    self.words = words
    self.read = read
  }
}
