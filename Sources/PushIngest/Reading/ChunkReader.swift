import Glibc

/// Turns any number of inputs into one sequence of chunks of whole lines, in constant memory.
///
/// Several workers may call it in turn, each with a buffer of its own, while the caller holds a
/// lock; it has no threads and no lock itself. A call does little more than one read into the
/// buffer (and the decoding, for compressed inputs); only the cut line at a chunk's end is copied
/// once more, to the beginning of the next chunk. Events come in order: what is opened is told
/// before its first chunk, and what is ended after its last.
///
/// Nothing an input contains makes it throw: what cannot be read becomes a `problem` event.
public final class ChunkReader: @unchecked Sendable {
  private let walker: SourceWalker
  private let known: KnownSources
  private let chunkBytes: Int
  private let maximumLineBytes: Int
  private var waiting: [ReadingEvent] = []
  private var sourceCount = 0
  private var pieceCount = 0
  private var source: CurrentSource?
  /// The beginning of a line whose rest is still to come.
  private var carry: [UInt8] = []

  private struct CurrentSource {
    var ordinal: Int
    var name: String
    var bytes: any ByteStream
    var fingerprint: Fingerprint
    var state: SourceState
    var offsetBytes: Int64
    var isAtEnd = false
    var failure: StreamFailure?
    var framing = Framing.lines
    /// Whether a last line without its end is left for a longer version of the source.
    var holdsBack: Bool
    var waitingLines = 0
  }

  /// A reader over `inputs`.
  ///
  /// - Parameters:
  ///   - inputs: what to read, in this order.
  ///   - known: what was read before; sources and files that are recognised are skipped or
  ///     continued, whatever their names.
  ///   - chunkBytes: size of a chunk; only a longer line makes a chunk longer.
  ///   - maximumLineBytes: a line longer than this is passed over and reported.
  public init(
    _ inputs: [Input], known: KnownSources = KnownSources(), chunkBytes: Int = 1 << 20,
    maximumLineBytes: Int = 16 << 20
  ) {
    walker = SourceWalker(inputs, known: known)
    self.known = known
    self.maximumLineBytes = max(maximumLineBytes, 1)
    // A chunk that could hold a longer line than allowed would let it pass unnoticed.
    self.chunkBytes = min(max(chunkBytes, 1), self.maximumLineBytes)
  }

  /// How far reading has come; under the same lock as `next`.
  public var progress: ReadingProgress { walker.progress }

  /// How the source that was just opened falls into pieces; asked for between its opening and its
  /// first chunk. Chunks then end where pieces end.
  ///
  /// - Parameter isTakenWhole: whether the source means something only as a whole, so that nothing of
  ///   it is held back.
  public func setFraming(_ framing: Framing, isTakenWhole: Bool = false) {
    source?.framing = framing
    if isTakenWhole { source?.holdsBack = false }
  }

  /// What comes next; nil when everything has been read.
  ///
  /// - Parameter buffer: receives the lines if the event is a chunk; otherwise its content is
  ///   left undefined.
  public func next(into buffer: ChunkBuffer) -> ReadingEvent? {
    while true {
      if !waiting.isEmpty { return waiting.removeFirst() }
      if source != nil {
        if let event = readPiece(into: buffer) { return event }
        continue
      }
      switch walker.next() {
      case .source(let opened)?: open(opened)
      case .inputSkipped(let ordinal, let name, let known)?:
        return .inputSkipped(inputOrdinal: ordinal, name: name, known: known)
      case .inputEnded(let ending)?: return .inputEnded(ending)
      case .problem(let problem)?: return .problem(problem)
      case nil: return nil
      }
    }
  }

  // MARK: Opening

  private func open(_ opened: OpenSource) {
    let (start, decision) = Resumption(known: known, walker: walker, maximumLineBytes).decide(
      opened)
    let ordinal = sourceCount
    sourceCount += 1
    waiting.append(
      .sourceOpened(
        SourceOpening(
          ordinal: ordinal, identity: opened.identity, fileSizeBytes: opened.fileSizeBytes,
          head: opened.head, decision: decision)))
    if case .skip = decision {
      waiting.append(
        .sourceEnded(
          SourceEnding(source: ordinal, state: start.state, isComplete: true, waitingLines: 0)))
      return
    }
    carry.removeAll(keepingCapacity: true)
    source = CurrentSource(
      ordinal: ordinal, name: opened.identity.name, bytes: start.bytes,
      fingerprint: start.fingerprint, state: start.state,
      offsetBytes: start.fingerprint.positionBytes, holdsBack: opened.mayGrow)
  }

  // MARK: Reading

  /// The next chunk or oversized line of the current source; nil once it is at its end.
  private func readPiece(into buffer: ChunkBuffer) -> ReadingEvent? {
    // A line may take up to this, and one byte tells whether it is longer.
    let limit = maximumLineBytes + 1
    var filled = carry.count
    buffer.ensureCapacity(max(chunkBytes, filled))
    carry.withUnsafeBytes { bytes in
      if let start = bytes.baseAddress { buffer.base.copyMemory(from: start, byteCount: filled) }
    }
    var searched = 0
    var target = max(chunkBytes, filled)
    while true {
      filled += fill(buffer, from: filled, to: target)
      let end = lastPieceEnd(buffer.base, from: searched, to: filled)
      if let end { return chunk(buffer, length: end, filled: filled) }
      if source?.isAtEnd == true { break }
      if filled >= limit { return oversizedLine(buffer, filled) }
      searched = filled
      target = min(limit, target * 2)
      buffer.ensureCapacity(target, keeping: filled)
    }
    carry.removeAll(keepingCapacity: true)
    guard filled > 0, let current = source, current.failure == nil else {
      end(droppedBytes: Int64(filled))
      return nil
    }
    if filled > maximumLineBytes { return oversizedLine(buffer, filled) }
    let bytes = UnsafeRawBufferPointer(start: buffer.base, count: filled)
    switch current.holdsBack ? current.framing.openEnd(bytes) : .readable {
    case .readable: return chunk(buffer, length: filled, filled: filled, isWhole: false)
    case .upTo(let length): return chunk(buffer, length: length, filled: filled)
    case .waits:
      holdBack(bytes)
      return nil
    }
  }

  /// Ends the source before its last bytes, which are known again but not handed out.
  private func holdBack(_ bytes: UnsafeRawBufferPointer) {
    guard var held = source else { return }
    held.fingerprint.update(bytes)
    held.waitingLines = 1 + bytes.count { $0 == newline }
    held.state.addOpenEnd(Int64(bytes.count), in: held.fingerprint)
    source = held
    end(droppedBytes: 0)
  }

  /// Whether every line of the current source is a piece.
  private var isLines: Bool {
    if case .lines? = source?.framing { return true }
    return false
  }

  /// Whether the current source is one piece.
  private var isDocument: Bool {
    if case .document? = source?.framing { return true }
    return false
  }

  /// Index behind the last piece that ends in the buffer; nil if none does.
  private func lastPieceEnd(_ base: UnsafeRawPointer, from searched: Int, to filled: Int) -> Int? {
    guard let current = source else { return nil }
    if case .lines = current.framing { return lastLineEnd(base, from: searched, to: filled) }
    return current.framing.lastEnd(
      UnsafeRawBufferPointer(start: base, count: filled), isSourceStart: current.offsetBytes == 0)
  }

  private func fill(_ buffer: ChunkBuffer, from start: Int, to end: Int) -> Int {
    guard let current = source, !current.isAtEnd, end > start else { return 0 }
    let got = current.bytes.fill(
      UnsafeMutableRawBufferPointer(start: buffer.base + start, count: end - start))
    if got.count < end - start {
      source?.isAtEnd = true
      source?.failure = got.failure
    }
    return got.count
  }

  /// - Parameter isWhole: whether the bytes end with a piece; the last ones of a source may not,
  ///   and are read again with what a longer version of the source has behind them.
  private func chunk(_ buffer: ChunkBuffer, length: Int, filled: Int, isWhole: Bool = true)
    -> ReadingEvent?
  {
    carry.replaceSubrange(
      0..., with: UnsafeRawBufferPointer(start: buffer.base + length, count: filled - length))
    buffer.setLength(length)
    let endsWithNewline = buffer.bytes.last == newline
    let isSourceEnd = source?.isAtEnd == true && length == filled
    // Pieces that are no lines may end without a line end.
    let isTerminated = isLines ? endsWithNewline : isWhole || isDocument
    guard let piece = consume(buffer.bytes, isTerminated: isTerminated) else { return nil }
    return .chunk(
      Chunk(
        source: piece.source, index: piece.index, offsetBytes: piece.offsetBytes, length: length,
        endsWithNewline: endsWithNewline, isSourceEnd: isSourceEnd, isOpen: !isTerminated,
        stateAfter: piece.state))
  }

  /// Passes over a line whose beginning fills the buffer, up to its newline.
  private func oversizedLine(_ buffer: ChunkBuffer, _ filled: Int) -> ReadingEvent? {
    guard let start = source?.offsetBytes, let stateBefore = source?.state else { return nil }
    var lengthBytes: Int64 = 0
    var part = filled
    var isTerminated = false
    carry.removeAll(keepingCapacity: true)
    while part > 0 {
      let bytes = UnsafeRawBufferPointer(start: buffer.base, count: part)
      if let found = memchr(buffer.base, Int32(newline), part) {
        let length = UnsafeRawPointer(found) - UnsafeRawPointer(buffer.base)
        source?.fingerprint.update(UnsafeRawBufferPointer(rebasing: bytes[...length]))
        carry += bytes[(length + 1)...]
        lengthBytes += Int64(length)
        isTerminated = true
        break
      }
      source?.fingerprint.update(bytes)
      lengthBytes += Int64(part)
      part = fill(buffer, from: 0, to: chunkBytes)
    }
    guard let current = source else { return nil }
    var state = stateBefore
    if isTerminated {
      state = current.fingerprint.state()
    } else {
      state.addOpenEnd(lengthBytes, in: current.fingerprint)
    }
    source?.state = state
    source?.offsetBytes = start + lengthBytes + (isTerminated ? 1 : 0)
    // A cut line is not known to have been read: the rest may come another time.
    if !isTerminated, current.failure != nil {
      source?.state = stateBefore
      source?.offsetBytes = start
      end(droppedBytes: lengthBytes)
      return nil
    }
    defer { pieceCount += 1 }
    return .oversizedLine(
      OversizedLine(
        source: current.ordinal, index: pieceCount, offsetBytes: start, lengthBytes: lengthBytes,
        isOpen: !isTerminated, stateAfter: state))
  }

  private struct Consumed {
    var source: Int
    var index: Int
    var offsetBytes: Int64
    var state: SourceState
  }

  /// Takes lines into the fingerprint and moves on behind them.
  private func consume(_ bytes: UnsafeRawBufferPointer, isTerminated: Bool) -> Consumed? {
    guard source != nil, var state = source?.state, let offset = source?.offsetBytes else {
      return nil
    }
    var complete = bytes.count
    if !isTerminated {
      // A last piece of several lines is kept whole for the time when its rest is there.
      complete = isLines ? lastLineEnd(bytes.baseAddress, from: 0, to: bytes.count) ?? 0 : 0
    }
    if complete > 0 {
      source?.fingerprint.update(UnsafeRawBufferPointer(rebasing: bytes[..<complete]))
      state = source?.fingerprint.state() ?? state
    }
    if complete < bytes.count {
      source?.fingerprint.update(UnsafeRawBufferPointer(rebasing: bytes[complete...]))
      state.addOpenEnd(Int64(bytes.count - complete), in: source?.fingerprint)
    }
    source?.state = state
    source?.offsetBytes = offset + Int64(bytes.count)
    defer { pieceCount += 1 }
    return Consumed(
      source: source?.ordinal ?? 0, index: pieceCount, offsetBytes: offset, state: state)
  }

  /// Ends the current source: its failure, if it had one, and then its state.
  private func end(droppedBytes: Int64) {
    guard let current = source else { return }
    if let failure = current.failure {
      walker.noteFailure(failure.kind)
      waiting.append(
        .problem(
          ReadingProblem(
            input: current.name, contentOffsetBytes: current.offsetBytes,
            droppedBytes: droppedBytes, kind: failure.kind)))
    }
    waiting.append(
      .sourceEnded(
        SourceEnding(
          source: current.ordinal, state: current.state, isComplete: current.failure == nil,
          waitingLines: current.waitingLines)))
    source = nil
  }
}

private let newline: UInt8 = 0x0A

/// Index behind the last newline in a range; nil if there is none.
///
/// A plain loop: the newline is at most one line away, and a longer search happens once per
/// doubling of the buffer.
private func lastLineEnd(_ base: UnsafeRawPointer?, from start: Int, to end: Int) -> Int? {
  guard let base else { return nil }
  var index = end
  while index > start {
    if base.load(fromByteOffset: index - 1, as: UInt8.self) == newline { return index }
    index -= 1
  }
  return nil
}
