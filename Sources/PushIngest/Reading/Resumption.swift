/// Finds out whether an opened source was read before, and puts it where reading has to begin.
struct Resumption {
  /// Where reading begins.
  struct Start {
    var bytes: any ByteStream
    var fingerprint: Fingerprint
    var state: SourceState
  }

  /// How far the head of an archive's member is extended to recognise it.
  ///
  /// A member cannot be opened a second time without unpacking the archive again, so that only
  /// what fits into this is recognised; a longer one is read again, which adds nothing twice.
  private static let memberHeadBytes = 4 << 20

  private let known: KnownSources
  private let walker: SourceWalker
  private let maximumLineBytes: Int

  init(known: KnownSources, walker: SourceWalker, _ maximumLineBytes: Int) {
    self.known = known
    self.walker = walker
    self.maximumLineBytes = maximumLineBytes
  }

  /// Decides, longest known content first.
  func decide(_ opened: OpenSource) -> (Start, ResumeDecision) {
    let candidates = opened.head.withUnsafeBytes { known.candidates(head: $0) }
    if !candidates.isEmpty {
      if let file = opened.plainFile, let size = file.sizeBytes {
        return inFile(file, size, candidates) ?? readAll(opened)
      }
      opened.peeked?.extendHead(to: Resumption.memberHeadBytes)
      if let peeked = opened.peeked, peeked.headIsWhole {
        return inMemory(peeked, candidates) ?? readAll(opened)
      }
      if let reopen = opened.reopen { return inStream(opened, reopen, candidates) }
    }
    return readAll(opened)
  }

  private func readAll(_ opened: OpenSource) -> (Start, ResumeDecision) {
    let fingerprint = Fingerprint()
    return (
      Start(bytes: opened.bytes, fingerprint: fingerprint, state: fingerprint.state()), .readAll
    )
  }

  /// A source that is told as a problem, and of which nothing is read.
  private func unreadable(_ failure: StreamFailure) -> (Start, ResumeDecision) {
    let fingerprint = Fingerprint()
    let bytes = FailingBytes(failure)
    return (Start(bytes: bytes, fingerprint: fingerprint, state: fingerprint.state()), .readAll)
  }

  /// A plain file: what decides is read where it lies.
  private func inFile(
    _ file: FileBytes, _ size: Int64, _ candidates: [KnownSources.Entry]
  ) -> (Start, ResumeDecision)? {
    guard let found = match(size, candidates, file.read(at:into:)) else { return nil }
    file.move(to: found.start)
    walker.skip(found.start, of: file)
    return (
      Start(bytes: file, fingerprint: found.fingerprint, state: found.state), found.decision
    )
  }

  /// A content that is in memory whole.
  private func inMemory(
    _ peeked: PeekedBytes, _ candidates: [KnownSources.Entry]
  ) -> (Start, ResumeDecision)? {
    let head = peeked.head
    func read(_ offset: Int64, _ target: UnsafeMutableRawBufferPointer) -> Int {
      let start = Int(min(offset, Int64(head.count)))
      let count = min(target.count, head.count - start)
      head.withUnsafeBytes { bytes in
        target.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[start..<start + count]))
      }
      return count
    }
    guard let found = match(Int64(head.count), candidates, read) else { return nil }
    _ = pass(peeked, upTo: found.start) { _ in }
    return (
      Start(bytes: peeked, fingerprint: found.fingerprint, state: found.state), found.decision
    )
  }

  private struct Match {
    var start: Int64
    var fingerprint: Fingerprint
    var state: SourceState
    var decision: ResumeDecision
  }

  private func match(
    _ size: Int64, _ candidates: [KnownSources.Entry], _ read: Fingerprint.RandomReader
  ) -> Match? {
    for candidate in candidates where candidate.state.contentLengthBytes <= size {
      let state = candidate.state
      guard Fingerprint.matches(state, read) else { continue }
      let isSame =
        state.totalLengthBytes == size && Fingerprint.tailHash(at: size, read) == state.endHash
      if candidate.isReadAgain(isSame: isSame) {
        let fingerprint = Fingerprint()
        return Match(
          start: 0, fingerprint: fingerprint, state: fingerprint.state(),
          decision: .readAgain(known: candidate.id))
      }
      let fingerprint = Fingerprint.resuming(state, read)
      if isSame {
        return Match(
          start: size, fingerprint: fingerprint, state: state,
          decision: .skip(known: candidate.id))
      }
      return Match(
        start: state.contentLengthBytes, fingerprint: fingerprint, state: fingerprint.state(),
        decision: .continueReading(
          known: candidate.id, fromContentOffsetBytes: state.contentLengthBytes))
    }
    return nil
  }

  /// A compressed file: it is decoded up to the longest known content, checking on the way, and
  /// opened anew if that went too far.
  private func inStream(
    _ opened: OpenSource, _ reopen: () throws(StreamFailure) -> any ByteStream,
    _ candidates: [KnownSources.Entry]
  ) -> (Start, ResumeDecision) {
    var stream = opened.bytes
    var fingerprint = Fingerprint()
    var best: KnownSources.Entry?
    for candidate in candidates.reversed().sorted(by: isShorter) {
      let end = candidate.state.contentLengthBytes
      guard pass(stream, upTo: end - fingerprint.positionBytes, { fingerprint.update($0) })
      else { break }
      if fingerprint.state().hasSamePrefix(as: candidate.state) { best = candidate }
    }
    if best?.state.contentLengthBytes != fingerprint.positionBytes {
      fingerprint = Fingerprint()
      // It was open a moment ago. What was passed over does not come again, so that nothing of it can be
      // read at the right place.
      do throws(StreamFailure) { stream = try reopen() } catch { return unreadable(error) }
      let start = best?.state.contentLengthBytes ?? 0
      if !pass(stream, upTo: start, { fingerprint.update($0) }) {
        return unreadable(StreamFailure(kind: .cannotRead(detail: "it changed while it was read")))
      }
    }
    guard let best else {
      return (
        Start(bytes: stream, fingerprint: fingerprint, state: fingerprint.state()), .readAll
      )
    }
    let known = restOfStream(stream, fingerprint, best)
    guard best.isReadAgain(isSame: known.decision == .skip(known: best.id)) else {
      return (known.start, known.decision)
    }
    do throws(StreamFailure) { stream = try reopen() } catch { return unreadable(error) }
    fingerprint = Fingerprint()
    return (
      Start(bytes: stream, fingerprint: fingerprint, state: fingerprint.state()),
      .readAgain(known: best.id)
    )
  }

  /// Whether anything follows in a stream that was decoded up to the end of a known content.
  private func restOfStream(
    _ decoded: any ByteStream, _ fingerprint: Fingerprint, _ best: KnownSources.Entry
  ) -> (start: Start, decision: ResumeDecision) {
    var stream = decoded
    let state = fingerprint.state()
    let unterminated = best.state.unterminatedLengthBytes
    if unterminated <= Int64(maximumLineBytes) {
      let rest = PeekedBytes(stream, headBytes: Int(unterminated) + 1)
      var whole = fingerprint
      rest.head.withUnsafeBytes { whole.update($0) }
      stream = rest
      if rest.headIsWhole, rest.head.count == Int(unterminated),
        whole.tailHash == best.state.endHash
      {
        return (
          Start(bytes: stream, fingerprint: whole, state: best.state), .skip(known: best.id)
        )
      }
    }
    return (
      Start(bytes: stream, fingerprint: fingerprint, state: state),
      .continueReading(
        known: best.id, fromContentOffsetBytes: best.state.contentLengthBytes)
    )
  }

  private func isShorter(_ first: KnownSources.Entry, _ second: KnownSources.Entry) -> Bool {
    first.state.contentLengthBytes < second.state.contentLengthBytes
  }

  /// Reads and shows `count` bytes; false if the stream ends (or fails) before.
  private func pass(
    _ stream: any ByteStream, upTo count: Int64, _ show: (UnsafeRawBufferPointer) -> Void
  ) -> Bool {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 64)
    defer { buffer.deallocate() }
    var left = count
    while left > 0 {
      let part = UnsafeMutableRawBufferPointer(
        rebasing: buffer[..<Int(min(left, Int64(buffer.count)))])
      let got = stream.fill(part)
      show(UnsafeRawBufferPointer(rebasing: part[..<got.count]))
      left -= Int64(got.count)
      if got.count < part.count { return false }
    }
    return true
  }
}

extension KnownSources.Entry {
  /// Whether a source that is, or only begins with, what this describes is read from its start.
  fileprivate func isReadAgain(isSame: Bool) -> Bool {
    switch again {
    case .never: false
    case .ifLonger: !isSame
    case .always: true
    }
  }
}
