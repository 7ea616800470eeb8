/// Which content a source is.
public struct SourceIdentity: Sendable, Hashable {
  /// Path as given; members behind their archive: "dir/a.tar.gz/member.ndjson". "-" is standard
  /// input.
  public var name: String
  /// The input it comes from, counted from 0 in the order of the list.
  public var inputOrdinal: Int
  /// What it was unpacked from, outermost first: ["gzip", "tar"]; empty for a plain file.
  public var layers: [String]

  /// An identity.
  public init(name: String, inputOrdinal: Int, layers: [String] = []) {
    self.name = name
    self.inputOrdinal = inputOrdinal
    self.layers = layers
  }
}

/// What is done with a source, given what was read before.
public enum ResumeDecision: Sendable, Hashable {
  /// Nothing known is a beginning of it.
  case readAll
  /// It is what was read as `known`; no chunk follows.
  case skip(known: Int64)
  /// It begins with what was read as `known`; chunks start at this offset of its content.
  case continueReading(known: Int64, fromContentOffsetBytes: Int64)
  /// It is, or begins with, what was read as `known`, and is read once more from its start.
  case readAgain(known: Int64)
}

/// A source was opened; its chunks follow.
public struct SourceOpening: Sendable, Hashable {
  /// Number of the source, from 0 in order of opening.
  public var ordinal: Int
  /// Name and origin.
  public var identity: SourceIdentity
  /// Size of the file as it lies on disk, if it is a file of its own (not an archive's member).
  public var fileSizeBytes: Int64?
  /// The first bytes of the content, up to 64 KiB cut anywhere, to find its format by; they come
  /// again in the first chunk if everything is read.
  public var head: [UInt8]
  /// Read, skipped or continued.
  public var decision: ResumeDecision
}

/// A piece of one source: whole lines, in the buffer that was passed in.
public struct Chunk: Sendable, Hashable {
  /// Number of the source.
  public var source: Int
  /// Place in the run, counted over chunks and oversized lines of all sources together.
  public var index: Int
  /// Offset of the first byte in the uncompressed content.
  public var offsetBytes: Int64
  /// Bytes in the buffer.
  public var length: Int
  /// False for the last chunk of a source whose last line has no newline.
  public var endsWithNewline: Bool
  /// Whether nothing of the source follows. A chunk of pieces that are no lines may end within one.
  public var isSourceEnd: Bool
  /// Whether what follows in a longer version of the source may belong to its last piece: then all of
  /// the chunk comes again.
  public var isOpen: Bool
  /// What to remember once the lines up to the end of this chunk are stored.
  public var stateAfter: SourceState
}

/// A line longer than allowed, passed over; it counts as one line.
public struct OversizedLine: Sendable, Hashable {
  /// Number of the source.
  public var source: Int
  /// Place in the run, in one sequence with the chunks.
  public var index: Int
  /// Offset of its first byte in the uncompressed content.
  public var offsetBytes: Int64
  /// Bytes without the newline.
  public var lengthBytes: Int64
  /// Whether it has no newline yet, so that it comes again when more follows.
  public var isOpen: Bool
  /// What to remember once it is accounted for.
  public var stateAfter: SourceState
}

/// A source has no more chunks.
public struct SourceEnding: Sendable, Hashable {
  /// Number of the source.
  public var source: Int
  /// How far it was read.
  public var state: SourceState
  /// False if a problem ended it before its end.
  public var isComplete: Bool
  /// Lines at its end that were not handed out, because the last one has no line end yet.
  public var waitingLines: Int
}

/// A compressed file or an archive has been read to its end.
///
/// Its own bytes have a state too: stored beside those of its sources, it lets the next run skip
/// the file without unpacking it.
public struct InputEnding: Sendable, Hashable {
  /// The input, counted from 0.
  public var inputOrdinal: Int
  /// Its name.
  public var name: String
  /// State of the file's own bytes; nil for pipes and for files that could not be read whole.
  public var fileState: SourceState?
}

/// What `ChunkReader.next` has to say, in order.
public enum ReadingEvent: Sendable {
  /// A source begins.
  case sourceOpened(SourceOpening)
  /// The buffer holds lines.
  case chunk(Chunk)
  /// A line was passed over.
  case oversizedLine(OversizedLine)
  /// A source ended.
  case sourceEnded(SourceEnding)
  /// A compressed file or an archive is byte for byte one that was read before as `known`.
  case inputSkipped(inputOrdinal: Int, name: String, known: Int64)
  /// A compressed file or an archive was read to its end.
  case inputEnded(InputEnding)
  /// Something could not be read; reading goes on with what follows.
  case problem(ReadingProblem)
}

/// How far reading has come; raw bytes, as they lie on disk.
public struct ReadingProgress: Sendable, Hashable {
  /// Bytes read, decoded or skipped so far.
  public var doneBytes: Int64
  /// The part of `doneBytes` that was known from before and not read again.
  public var skippedBytes: Int64
  /// Bytes of all inputs; nil if one of them is a pipe.
  public var totalBytes: Int64?
  /// Inputs finished.
  public var doneInputs: Int
  /// Inputs in the list.
  public var totalInputs: Int
}
