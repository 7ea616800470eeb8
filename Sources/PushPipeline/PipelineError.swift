public import PushIngest
public import PushStore

/// Why a run of ingest could not go on.
public enum PipelineError: Error, Sendable {
  /// The database.
  case store(StoreError)
  /// A temporary file beside the database.
  case temporaryFile(folder: String, reason: String)
  /// What was written into a temporary file cannot be read again.
  case temporaryFileLost(folder: String, reason: String)
  /// No format has this id.
  case unknownFormat(String)
  /// None of the inputs could be read.
  case nothingReadable([ReadingProblem])
  /// The key file of the token digests.
  case keyFile(path: String, reason: String)
  /// The key file that a database was made with is not there.
  case keyFileMissing(path: String)
  /// A batch has more different texts than the tables have room for.
  case tooManyTexts
  /// The sum of lines does not come out: a defect of this program.
  case unbalanced(source: String, read: Int64, accounted: Int64)
}
