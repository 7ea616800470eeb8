/// A failure of the database, with the statement that failed. Bound values are left out: they may
/// be private.
public struct StoreError: Error, Sendable, CustomStringConvertible {
  /// What kind of failure it is.
  public enum Kind: Sendable, Equatable {
    /// The file cannot be opened or made.
    case cannotOpen
    /// The file is there, and its permissions forbid to read it.
    case notReadable
    /// The file is no database, or not one of this tool.
    case notADatabase
    /// The file was made by a newer version of this tool.
    case tooNew(found: Int, known: Int)
    /// Somebody else holds the lock.
    case locked
    /// The disk is full or the file cannot be written.
    case cannotWrite
    /// The key file beside the database is missing or unreadable.
    case keyFile
    /// A stored value is not what it must be.
    case damaged
    /// Anything else that SQLite reports.
    case failed
  }

  /// What kind of failure it is.
  public let kind: Kind
  /// SQLite's extended result code, 0 if it was not SQLite.
  public let code: Int32
  /// What SQLite or this module says.
  public let message: String
  /// Name or text of the statement; empty if there was none.
  public let statement: String
  /// Path of the database.
  public let path: String

  init(_ kind: Kind, code: Int32 = 0, message: String, statement: String = "", path: String) {
    self.kind = kind
    self.code = code
    self.message = message
    self.statement = statement
    self.path = path
  }

  /// For a developer; the command has its own wording.
  public var description: String {
    "\(path): \(message) (code \(code))\(statement.isEmpty ? "" : " in \(statement)")"
  }
}
