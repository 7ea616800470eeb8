import PushModel

/// What iOS attaches, by the words that case files use: magic, endings, MIME types (F5.1, F5.2).
enum MediaKinds {
  private static let attachable: Set<String> = [
    "jpeg", "jpg", "png", "gif", "heic", "heif", "mp3", "wav", "aiff", "aif", "m4a", "mp4", "m4v",
    "mpeg", "mpg", "mpeg-4", "mpeg-2", "mov", "avi", "caf", "quicktime", "jpe", "3gp", "3gpp",
    "3g2", "3gpp2", "aifc", "amr", "au", "snd", "ac3", "ac-3", "eac3", "ec3", "e-ac-3",
    "image/jpeg", "image/jpg", "image/png", "image/gif", "image/heic", "image/heif", "audio/mpeg",
    "audio/mp4", "audio/wav", "audio/x-wav", "audio/aiff", "audio/x-aiff", "audio/x-m4a",
    "audio/x-caf", "audio/amr", "audio/basic", "audio/ac3", "audio/eac3", "video/mp4",
    "video/x-m4v", "video/mpeg", "video/3gpp", "video/3gpp2", "video/quicktime", "video/x-msvideo",
  ]
  private static let others: Set<String> = [
    "webp", "svg", "avif", "bmp", "tiff", "tif", "html", "xhtml", "json", "text", "xml", "webm",
    "ogg", "ogv", "mkv", "flv", "pdf", "ico", "zip", "gzip",
    "image/webp", "image/svg+xml", "image/avif", "image/bmp", "image/tiff", "text/html",
    "text/plain", "application/json", "application/xhtml+xml", "application/pdf", "video/webm",
    "video/ogg", "audio/ogg", "image/x-icon",
  ]

  /// Whether iOS attaches such bytes; nil where the word tells nothing.
  static func isAttachable(_ word: String) -> Bool? {
    let text = word.lowercased().prefix { $0 != ";" && $0 != " " }
    if attachable.contains(String(text)) { return true }
    if others.contains(String(text)) { return false }
    return nil
  }

  /// Whether a file ending tells iOS a type that it attaches.
  static func isKnownEnding(_ ending: String) -> Bool {
    !ending.contains("/") && isAttachable(ending) == true
  }

  /// Whether a file name says no type at all: no ending, or one that programs give to any bytes.
  /// Other endings may be known to iOS though they are not in these lists.
  static func isTypeless(_ ending: String?) -> Bool {
    guard let ending else { return true }
    let untyped: Set<String> = [
      "tmp", "temp", "bin", "dat", "data", "file", "part", "php", "asp", "aspx", "ashx", "jsp",
      "cgi",
    ]
    return untyped.contains(ending)
  }

  /// The ending of a file name or of the path of an address, in lower case; nil without one.
  static func ending(of text: String) -> String? {
    var path = Substring(text)
    if let cut = path.firstIndex(where: { $0 == "?" || $0 == "#" }) { path = path[..<cut] }
    if let scheme = path.firstRange(of: "://") {
      path = path[scheme.upperBound...]
      guard let slash = path.firstIndex(of: "/") else { return nil }
      path = path[slash...]
    }
    let name = path.split(separator: "/").last ?? path
    guard let dot = name.lastIndex(of: ".") else { return nil }
    let ending = name[name.index(after: dot)...].lowercased()
    return ending.isEmpty || ending.count > 5 ? nil : ending
  }

  /// Whether a text is an address.
  static func isAddress(_ text: String) -> Bool { text.contains("://") }

  /// The host of an address.
  static func host(of text: String) -> String? {
    guard let scheme = text.firstRange(of: "://") else { return nil }
    return String(text[scheme.upperBound...].prefix { $0 != "/" && $0 != "?" && $0 != ":" })
  }

  /// Whether a file is over Apple's limit for its kind (F5.1); the largest limit where the kind is
  /// not known.
  static func isTooLarge(_ bytes: Double, _ media: MediaFacts) -> Bool {
    let kind =
      media.magic.value ?? media.contentType.value
      ?? media.fileName.value.flatMap { ending(of: $0) }
      ?? media.url.value.flatMap { ending(of: $0) } ?? ""
    let text = kind.lowercased()
    let isAudio =
      text.hasPrefix("audio")
      || [
        "mp3", "wav", "aiff", "aif", "aifc", "m4a", "caf", "amr", "au", "ac3", "eac3",
      ].contains(text)
    let isImage =
      text.hasPrefix("image")
      || ["jpeg", "jpg", "jpe", "png", "gif", "heic", "heif"].contains(text)
    // Ten binary megabytes, so that a file between the two readings is not accused.
    if isAudio { return bytes > 5_242_880 }
    if isImage { return bytes > 10_485_760 }
    return bytes > 52_428_800
  }
}
