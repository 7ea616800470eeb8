extension Checklist {
  /// Raised with every change that may give the same chain another verdict; a database that was
  /// judged with another version is judged again by the next ingest.
  public static let version = 9
}
