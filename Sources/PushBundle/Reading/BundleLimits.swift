/// How much is read of one bundle before it is refused.
enum BundleLimits {
  /// Entries of an archive or files of a folder.
  static let entries = 300_000
  /// Nesting of folders.
  static let depth = 40
  /// A profile, a table of texts.
  static let smallFileBytes = PropertyList.sizeLimit
  /// Bytes that one program may unpack to while its parts are looked for.
  static let programBytes = 2 << 30
  /// Bytes out for each byte in, once more than ``bombBytes`` came out.
  static let bombRatio = 400
  static let bombBytes = 64 << 20
  /// Problems that are kept of one bundle.
  static let problems = 100
}
