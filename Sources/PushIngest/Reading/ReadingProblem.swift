/// Something about an input that kept part of it from being read; never a reason to stop the rest.
///
/// The wording of every problem is in this file: `reason` says why, `advice` what to do about it.
public struct ReadingProblem: Error, Sendable, Hashable {
  /// The kinds of problem, each with the data that its wording needs.
  public enum Kind: Sendable, Hashable {
    /// No file or folder has this path.
    case pathMissing
    /// The system refused; `detail` is its own wording.
    case cannotOpen(detail: String)
    /// A read failed in the middle; `detail` is the system's wording.
    case cannotRead(detail: String)
    /// A socket, a device, or a pipe found inside a folder.
    case notAFile
    /// A folder is reached through a symbolic link inside another folder.
    case linkedFolder
    /// A folder holds no file that would be read.
    case folderEmpty
    /// The same file was named before in this run.
    case namedTwice
    /// The compressed stream ends too early.
    case truncated(format: String)
    /// The compressed stream or archive is damaged; `detail` is the decoder's wording.
    case damaged(format: String, detail: String)
    /// The content came, but its checksum or size is not what the archive says.
    case doubtful(format: String, detail: String)
    /// A member of an archive is a link, device or similar.
    case memberNotAFile
    /// A member of an archive is encrypted.
    case memberEncrypted
    /// Archives or compression are nested deeper than is read.
    case nestedTooDeep
    /// Decoding would take more memory than is allowed.
    case needsTooMuchMemory(format: String, windowBytes: Int64?)
    /// A folder or member is an Apple log archive, whose files are binary.
    case logArchive
    /// The content is said to be facts about built apps, and is not.
    case notFacts
    /// The content is recognised as something that holds no log lines.
    case notALog(what: String, advice: String)
  }

  /// The input, as the person who named it would write it; members behind the archive's name.
  public var input: String
  /// Offset in the uncompressed content up to which lines were handed out; nil if none was opened.
  public var contentOffsetBytes: Int64?
  /// Bytes of a cut line that were dropped because the content ended in the middle of it.
  public var droppedBytes: Int64
  /// What happened.
  public var kind: Kind

  /// A problem with `input`; `contentOffsetBytes` says how far its lines were read.
  public init(
    input: String, contentOffsetBytes: Int64? = nil, droppedBytes: Int64 = 0, kind: Kind
  ) {
    self.input = input
    self.contentOffsetBytes = contentOffsetBytes
    self.droppedBytes = droppedBytes
    self.kind = kind
  }

  /// True if nothing that could hold log lines was left unread, so that it is only worth a remark.
  public var isRemark: Bool {
    switch kind {
    case .linkedFolder, .namedTwice, .memberNotAFile, .notALog, .notAFile: true
    default: false
    }
  }

  /// True if the input holds nothing that is ever read: a remark where it was come across, but not
  /// where a person names it.
  public var isNoLog: Bool {
    switch kind {
    case .notALog, .notAFile: true
    default: false
    }
  }

  /// Why, in lower case and without a full stop.
  public var reason: String {
    switch kind {
    case .pathMissing: return "no file or folder has this path"
    case .cannotOpen(let detail): return "cannot be opened: \(detail)"
    case .cannotRead(let detail): return "reading stopped\(position): \(detail)"
    case .notAFile: return "is not a file that can be read to an end"
    case .linkedFolder: return "is a symbolic link to a folder, which is not followed"
    case .folderEmpty: return "the folder holds no file to read"
    case .namedTwice: return "is the same file as one named before"
    case .truncated(let format): return "the \(format) data ends too early\(position)"
    case .damaged(let format, let detail):
      return "the \(format) data is damaged\(position): \(detail)"
    case .doubtful(let format, let detail):
      return "the \(format) data may be damaged: \(detail)"
    case .memberNotAFile: return "is a link or device inside the archive"
    case .memberEncrypted: return "is encrypted"
    case .nestedTooDeep: return "archives are nested too deep"
    case .needsTooMuchMemory(let format, let windowBytes):
      let size = windowBytes.map { " of \($0 >> 20) MiB" } ?? ""
      return "decoding the \(format) data needs a window\(size), more than is allowed"
    case .logArchive: return "is a binary log archive, which is not read here"
    case .notFacts: return "is not a file of facts about built apps"
    case .notALog(let what, _): return "is \(what), not a log"
    }
  }

  /// What to do next, in lower case and without a full stop.
  public var advice: String {
    switch kind {
    case .pathMissing: "check the spelling, or the folder the command runs in"
    case .cannotOpen: "check that the file may be read by this account"
    case .cannotRead: "check the disk or the connection, then run the same command again"
    case .notAFile: "name a file, a folder or - for standard input"
    case .linkedFolder: "name the linked folder itself if it is wanted"
    case .folderEmpty: "name a folder with logs; names that begin with a dot are passed over"
    case .namedTwice: "nothing, it is read once"
    case .truncated:
      "copy the file again and run the same command; what was readable is in, the rest is added"
    case .damaged:
      "copy or export the file again and run the same command; whole lines before this are in"
    case .doubtful: "copy or export the file again; its lines were read as they are"
    case .memberNotAFile: "nothing, unless the log it stands for is not in the archive"
    case .memberEncrypted: "unpack it with its password and name the unpacked file"
    case .nestedTooDeep: "unpack the outer archives and name the folder"
    case .needsTooMuchMemory(let format, _):
      "unpack it with the \(format) command and name the unpacked file"
    case .logArchive: ReadingProblem.conversion
    case .notFacts: "name a log without --facts; 'pushtriage inspect --format json' shows facts"
    case .notALog(_, let advice): advice
    }
  }

  /// How a log archive becomes a log that is read.
  static let conversion = """
    convert it and name the result; on a Mac: log show --archive NAME.logarchive --info --debug \
    --style ndjson > log.ndjson; elsewhere: unifiedlog_iterator --mode log-archive --input \
    NAME.logarchive --format jsonl --output log.jsonl
    """

  private var position: String {
    guard let contentOffsetBytes else { return "" }
    let dropped = droppedBytes > 0 ? ", \(droppedBytes) bytes of a cut line dropped" : ""
    return " at byte \(contentOffsetBytes) of the content\(dropped)"
  }
}

/// A failure inside a stream of bytes, before it is known which source and offset it concerns.
struct StreamFailure: Error {
  var kind: ReadingProblem.Kind

  /// Wraps the system's last error.
  static func system(_ code: Int32) -> StreamFailure {
    StreamFailure(kind: .cannotRead(detail: systemErrorText(code)))
  }
}
