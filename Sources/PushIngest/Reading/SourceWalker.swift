import Glibc

/// An open source whose content is about to be read.
struct OpenSource {
  var identity: SourceIdentity
  /// The content from its first byte.
  var bytes: any ByteStream
  /// The first bytes, which `bytes` gives again.
  var head: [UInt8]
  /// The file itself, where its bytes are the content.
  var plainFile: FileBytes?
  /// The peeked stream, where `bytes` is one.
  var peeked: PeekedBytes?
  /// Opens the content a second time, for a compressed file that is not an archive.
  var reopen: (() throws(StreamFailure) -> any ByteStream)?
  var fileSizeBytes: Int64?
  /// Whether it is a file that its writer may still be adding to: no pipe, which has ended, and nothing
  /// that was packed when it was whole.
  var mayGrow: Bool
}

/// Goes through the inputs and into archives, and opens one source after the other.
final class SourceWalker {
  enum Step {
    case source(OpenSource)
    case inputSkipped(inputOrdinal: Int, name: String, known: Int64)
    case inputEnded(InputEnding)
    case problem(ReadingProblem)
  }

  static let headBytes = 1 << 16
  /// Layers of archives and compression, a tar.gz in a zip being three.
  private static let maximumLayers = 6

  /// The same as zstd allows by default; xz -9 takes 64 MiB.
  private static let maximumWindowBytes: Int64 = 128 << 20

  private let inputs: [Input]
  private let known: KnownSources
  private let totalBytes: Int64?
  private var nextInput = 0
  private var containers: [(members: ArchiveMembers, layers: [String])] = []
  private var file: FileBytes?
  private var isPlain = true
  private var isReadWell = true
  private var finishedBytes: Int64 = 0
  private(set) var skippedBytes: Int64 = 0

  init(_ inputs: [Input], known: KnownSources) {
    self.inputs = inputs
    self.known = known
    totalBytes = inputs.reduce(Int64?.some(0)) { total, input in
      total.flatMap { total in input.sizeBytes.map { total + $0 } }
    }
  }

  var progress: ReadingProgress {
    let current = file.map { min($0.accountedBytes, $0.sizeBytes ?? Int64.max) } ?? 0
    return ReadingProgress(
      doneBytes: finishedBytes + current, skippedBytes: skippedBytes, totalBytes: totalBytes,
      doneInputs: file == nil ? nextInput : nextInput - 1, totalInputs: inputs.count)
  }

  /// Counts a part of the current plain file as done without reading.
  func skip(_ bytes: Int64, of file: FileBytes) {
    file.accountFor(bytes)
    skippedBytes += bytes
  }

  /// The reader met a failure in a source of the current input.
  func noteFailure(_ kind: ReadingProblem.Kind) {
    // A damaged file is the same damaged file the next time; a failing disk is not.
    if case .cannotRead = kind { isReadWell = false }
  }

  /// The next source, after the previous one was read to its end; nil when all is done.
  func next() -> Step? {
    while true {
      if let container = containers.last {
        switch container.members.next() {
        case .member(let name, let bytes)?:
          let path = container.members.name + "/" + name
          if let archive = logArchive(path) {
            guard logArchives.insert(archive).inserted else { continue }
            return problem(archive, .logArchive)
          }
          if let step = open(bytes, path, container.layers) { return step }
        case .skipped(let name, let kind)?:
          return problem(container.members.name + "/" + name, kind)
        case .failed(let failure)?:
          return problem(container.members.name, failure.kind)
        case nil:
          containers.removeLast()
        }
        continue
      }
      if let ending = finishInput() { return .inputEnded(ending) }
      guard nextInput < inputs.count else { return nil }
      nextInput += 1
      if let step = openInput(inputs[nextInput - 1]) { return step }
    }
  }

  /// Log archives that were met: their many files are told of once.
  private var logArchives: Set<String> = []

  /// The log archive that a path leads into; nil if there is none.
  private func logArchive(_ path: String) -> String? {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard let place = parts.firstIndex(where: { $0.hasSuffix(".logarchive") }),
      place < parts.count - 1
    else { return nil }
    return parts[...place].joined(separator: "/")
  }

  private func openInput(_ input: Input) -> Step? {
    isPlain = true
    isReadWell = true
    if let archive = logArchive(input.name) {
      finishedBytes += input.sizeBytes ?? 0
      return logArchives.insert(archive).inserted ? problem(archive, .logArchive) : nil
    }
    do {
      let opened =
        input.isStandardInput
        ? FileBytes(descriptor: STDIN_FILENO) : try FileBytes(path: input.path)
      file = opened
      return open(opened, input.name, [])
    } catch {
      finishedBytes += input.sizeBytes ?? 0
      return problem(input.name, error.kind)
    }
  }

  /// Opens what `bytes` holds: a source, or a container that is then asked for its members.
  private func open(_ bytes: any ByteStream, _ name: String, _ outer: [String]) -> Step? {
    var layers = outer
    var bytes = bytes
    let isOwnFile = outer.isEmpty
    while true {
      // A regular file is looked at without moving in it, so that zip may seek.
      let regular = (bytes as? FileBytes).flatMap { $0.isRegular ? $0 : nil }
      let peeked = regular == nil ? PeekedBytes(bytes, headBytes: SourceWalker.headBytes) : nil
      let head = regular.map { fileHead($0) } ?? peeked?.head ?? []
      let content = peeked ?? bytes
      let kind = ContentKind.of(head)
      if case .foreign(let what, let advice) = kind {
        return problem(name, .notALog(what: what, advice: advice))
      }
      if case .lines = kind {
        let compressions = layers.compactMap { ContentKind.Compression(rawValue: $0) }
        let canReopen = isOwnFile && regular == nil && file?.isRegular == true
        let ordinal = nextInput - 1
        let path = inputs[ordinal].path
        return .source(
          OpenSource(
            identity: SourceIdentity(name: name, inputOrdinal: ordinal, layers: layers),
            bytes: content, head: head, plainFile: regular, peeked: peeked,
            reopen: canReopen
              ? { () throws(StreamFailure) -> any ByteStream in
                var bytes: any ByteStream = try FileBytes(path: path)
                for compression in compressions { bytes = decoder(bytes, compression) }
                return bytes
              } : nil,
            fileSizeBytes: isOwnFile ? file?.sizeBytes : nil,
            mayGrow: isOwnFile && file?.isRegular == true
              && layers.allSatisfy { $0.hasPrefix("utf-16") }))
      }
      if case .tables = kind, !(isOwnFile && layers.isEmpty && regular != nil) {
        return problem(
          name,
          .notALog(
            what: "a SQLite database that is packed or comes through a pipe",
            advice: "unpack it and name the file"))
      }
      if let regular {
        isPlain = false
        if let match = knownFile(regular, head) {
          skip(regular.sizeBytes ?? 0, of: regular)
          // Nothing is to be remembered again.
          isPlain = true
          return .inputSkipped(inputOrdinal: nextInput - 1, name: name, known: match)
        }
      }
      guard layers.count < SourceWalker.maximumLayers else {
        return problem(name, .nestedTooDeep)
      }
      switch kind {
      case .compressed(let compression):
        if compression == .xz, let window = ContentKind.xzWindowBytes(head),
          window > SourceWalker.maximumWindowBytes
        {
          return problem(name, .needsTooMuchMemory(format: "xz", windowBytes: window))
        }
        layers.append(compression.rawValue)
        bytes = decoder(content, compression)
      case .tables: return openTables(name, layers + ["sqlite"])
      case .archive(let format):
        layers.append(format.rawValue)
        containers.append((ArchiveMembers(content, format, name: name), layers))
        return nil
      case .lines, .foreign:
        return nil
      }
    }
  }

  /// Opens the rows of the current input, a SQLite file.
  private func openTables(_ name: String, _ layers: [String]) -> Step {
    let ordinal = nextInput - 1
    let path = inputs[ordinal].path
    do {
      let rows = PeekedBytes(try SQLiteRows(path: path), headBytes: SourceWalker.headBytes)
      return .source(
        OpenSource(
          identity: SourceIdentity(name: name, inputOrdinal: ordinal, layers: layers),
          bytes: rows, head: rows.head, peeked: rows,
          reopen: { () throws(StreamFailure) -> any ByteStream in try SQLiteRows(path: path) },
          fileSizeBytes: file?.sizeBytes, mayGrow: false))
    } catch {
      return problem(name, error.kind)
    }
  }

  private func fileHead(_ file: FileBytes) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: SourceWalker.headBytes) { target, initialised in
      initialised = file.read(at: 0, into: UnsafeMutableRawBufferPointer(target))
    }
  }

  /// The number of a compressed file or archive that was read before, bytes and all.
  private func knownFile(_ file: FileBytes, _ head: [UInt8]) -> Int64? {
    head.withUnsafeBytes { known.candidates(head: $0) }.first {
      $0.state.contentLengthBytes == file.sizeBytes && $0.state.unterminatedLengthBytes == 0
        && Fingerprint.matches($0.state, file.read(at:into:))
    }?.id
  }

  private func finishInput() -> InputEnding? {
    guard let file else { return nil }
    self.file = nil
    finishedBytes += file.sizeBytes ?? file.accountedBytes
    if isPlain { return nil }
    let state =
      isReadWell
      ? file.sizeBytes.flatMap { size in
        Fingerprint.state(ofFirst: size, file.read(at:into:))
      } : nil
    return InputEnding(
      inputOrdinal: nextInput - 1, name: inputs[nextInput - 1].name, fileState: state)
  }

  private func problem(_ name: String, _ kind: ReadingProblem.Kind) -> Step {
    noteFailure(kind)
    return .problem(ReadingProblem(input: name, kind: kind))
  }
}

private func decoder(
  _ bytes: any ByteStream, _ compression: ContentKind.Compression
) -> any ByteStream {
  switch compression {
  case .zstd: ZstdBytes(bytes)
  case .utf16LittleEndian: UTF16Bytes(bytes, isBigEndian: false)
  case .utf16BigEndian: UTF16Bytes(bytes, isBigEndian: true)
  case .gzip, .xz, .bzip2: FilteredBytes(bytes, compression)
  }
}
