import CArchive
import Glibc

/// What was read of a folder or an archive: all names, and the few files that matter.
struct BundleTree {
  /// Paths of all files, with `/` between their parts.
  var files: Set<String> = []
  /// Contents of the files that matter.
  var contents: [String: [UInt8]] = [:]
  /// Programs.
  var programs: [String: MachO] = [:]
  /// Parts that could not be read.
  var problems: [BundleProblem] = []

  mutating func note(_ problem: BundleProblem) {
    if problems.count < BundleLimits.problems { problems.append(problem) }
  }

  /// Takes a file in; `open` is called only if its content is wanted.
  ///
  /// - Throws: what makes the rest unreadable too.
  fileprivate mutating func take(
    _ path: String, size: Int?, open: () throws(BundleProblem) -> any ByteSource
  ) throws(BundleProblem) {
    guard files.count < BundleLimits.entries else {
      throw BundleProblem(.tooManyEntries(BundleLimits.entries), at: path)
    }
    files.insert(path)
    guard let place = BundlePath(path), let use = place.use else { return }
    do throws(BundleProblem) {
      if use == .program {
        try takeProgram(path, place, try open())
      } else {
        if let size, size > BundleLimits.smallFileBytes {
          throw BundleProblem(.tooLarge(BundleLimits.smallFileBytes), at: path)
        }
        let bytes = try open().read(at: 0, count: BundleLimits.smallFileBytes + 1)
        guard bytes.count <= BundleLimits.smallFileBytes else {
          throw BundleProblem(.tooLarge(BundleLimits.smallFileBytes), at: path)
        }
        contents[path] = bytes
      }
    } catch {
      // A damaged archive is damaged for all that follows.
      switch error.kind {
      case .archive, .bomb: throw error
      default: note(error)
      }
    }
  }

  private mutating func takeProgram(
    _ path: String, _ place: BundlePath, _ source: any ByteSource
  ) throws(BundleProblem) {
    guard MachO.recognises(try source.read(at: 0, count: 4)) else { return }
    // Of the app itself only the signature and the load commands are needed; it may be huge.
    programs[path] = try MachO.read(
      source, place: path, namesToo: !place.root.hasSuffix(".app"))
  }
}

// MARK: Folders

extension BundleTree {
  /// Reads a folder; the paths start with its own name. Links are noted, never followed.
  static func folder(_ path: String) throws(BundleProblem) -> BundleTree {
    var tree = BundleTree()
    let trimmed = path.hasSuffix("/") && path.count > 1 ? String(path.dropLast()) : path
    let name = trimmed.split(separator: "/").last.map(String.init) ?? "."
    try tree.readFolder(trimmed, shown: name, depth: 0)
    return tree
  }

  private mutating func readFolder(
    _ path: String, shown: String, depth: Int
  ) throws(BundleProblem) {
    guard depth <= BundleLimits.depth else {
      throw BundleProblem(.tooDeep(BundleLimits.depth), at: shown)
    }
    guard let folder = opendir(path) else {
      let problem = BundleProblem(.system(errno), at: shown)
      if depth == 0 { throw problem }
      note(problem)
      return
    }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
      guard names.count <= BundleLimits.entries else { break }
    }
    closedir(folder)
    for name in names.sorted() {
      let inner = "\(path)/\(name)"
      let shownInner = "\(shown)/\(name)"
      var status = stat()
      guard lstat(inner, &status) == 0 else { continue }
      switch status.st_mode & S_IFMT {
      case S_IFDIR: try readFolder(inner, shown: shownInner, depth: depth + 1)
      case S_IFREG:
        try take(shownInner, size: Int(status.st_size)) { () throws(BundleProblem) in
          try FileSource(path: inner, place: shownInner)
        }
      case S_IFLNK: note(BundleProblem(.link, at: shownInner))
      default: break
      }
    }
  }
}

// MARK: Archives

extension BundleTree {
  /// Reads a zip or tar archive. Members that do not matter are skipped without being unpacked.
  static func archive(_ path: String, place: String) throws(BundleProblem) -> BundleTree {
    try checkEnd(path, place)
    if let missing = archive_missing() {
      throw BundleProblem(.archive(String(cString: missing)), at: place)
    }
    guard let archive = archive_read_new() else {
      throw BundleProblem(.system(ENOMEM), at: place)
    }
    defer { archive_read_free(archive) }
    // By name only: "all" would start outside programs for some formats.
    archive_read_support_format_zip(archive)
    archive_read_support_format_tar(archive)
    archive_read_support_filter_gzip(archive)
    guard archive_read_open_filename(archive, path, 1 << 17) == ARCHIVE_OK else {
      throw failure(archive, place)
    }
    var tree = BundleTree()
    var count = 0
    while true {
      var entry: OpaquePointer?
      let code = archive_read_next_header(archive, &entry)
      if code == ARCHIVE_EOF { break }
      if code == ARCHIVE_RETRY { continue }
      if code < ARCHIVE_WARN { throw failure(archive, place) }
      count += 1
      guard count <= BundleLimits.entries else {
        throw BundleProblem(.tooManyEntries(BundleLimits.entries), at: place)
      }
      try tree.take(entry, of: archive, number: count, place: place)
    }
    return tree
  }

  /// A zip ends with its table of contents; libarchive reads one without it too, as far as it goes,
  /// and would not say that something is missing.
  private static func checkEnd(_ path: String, _ place: String) throws(BundleProblem) {
    let file = try FileSource(path: path, place: place, followsLink: true)
    guard let size = file.sizeBytes, try file.read(at: 0, count: 2) == [0x50, 0x4B] else { return }
    // The record that ends it may have a comment of 64 KiB behind it.
    let tail = try file.read(at: max(0, size - 65_557), count: 65_557)
    let hasEnd = tail.indices.dropLast(21).contains { start in
      tail[start] == 0x50 && tail[start + 1] == 0x4B && tail[start + 2] == 5
        && tail[start + 3] == 6
    }
    if !hasEnd { throw BundleProblem(.archive("its table of contents is cut off"), at: place) }
  }

  private mutating func take(
    _ entry: OpaquePointer?, of archive: OpaquePointer, number: Int, place: String
  ) throws(BundleProblem) {
    guard
      let name = archive_entry_pathname_utf8(entry).map({ String(cString: $0) })
        ?? archive_entry_pathname(entry).map({ String(cString: $0) })
    else {
      note(BundleProblem(.escapingName, at: "\(place), member \(number)"))
      return
    }
    let parts = name.split(separator: "/")
    let path = parts.filter { $0 != "." }.joined(separator: "/")
    if name.hasPrefix("/") || parts.contains("..") {
      throw BundleProblem(.escapingName, at: "\(place): \(name)")
    }
    let type = archive_entry_filetype(entry)
    if type == S_IFDIR || parts.contains("__MACOSX") { return }
    if type != S_IFREG || archive_entry_hardlink(entry) != nil {
      note(BundleProblem(.link, at: path))
      return
    }
    if archive_entry_is_data_encrypted(entry) != 0 {
      note(BundleProblem(.encrypted, at: path))
      return
    }
    let size =
      archive_entry_size_is_set(entry) != 0 ? Int(exactly: archive_entry_size(entry)) : nil
    try take(path, size: size) { () throws(BundleProblem) in
      MemberSource(archive, place: path, sizeBytes: size)
    }
  }

  fileprivate static func failure(_ archive: OpaquePointer, _ place: String) -> BundleProblem {
    let detail = archive_error_string(archive).map { String(cString: $0) } ?? "no further detail"
    return BundleProblem(.archive(detail), at: place)
  }
}

/// The member that an archive stands at, read forwards only.
private final class MemberSource: ByteSource {
  private static let headLimit = 256 << 10
  private static let block = 128 << 10

  private let archive: OpaquePointer
  private let place: String
  let sizeBytes: Int?
  /// The first bytes, which are asked for more than once.
  private var head: [UInt8] = []
  private var position = 0
  private var isAtEnd = false
  private var pending: [UInt8] = []
  private var pendingStart = 0

  init(_ archive: OpaquePointer, place: String, sizeBytes: Int?) {
    self.archive = archive
    self.place = place
    self.sizeBytes = sizeBytes
  }

  func read(at offset: Int, count: Int) throws(BundleProblem) -> [UInt8] {
    guard offset >= 0, count > 0 else { return [] }
    var result: [UInt8] = []
    var from = offset
    if from < head.count {
      result += head[from..<min(head.count, from + count)]
      from += result.count
    }
    if result.count == count || from < position { return result }
    try skip(to: from)
    while result.count < count, let bytes = try next(atMost: count - result.count) {
      result += bytes
    }
    return result
  }

  private func skip(to offset: Int) throws(BundleProblem) {
    while position < offset, try next(atMost: offset - position) != nil {}
  }

  /// The next bytes of the member, at most so many; nil at its end.
  private func next(atMost limit: Int) throws(BundleProblem) -> ArraySlice<UInt8>? {
    if pendingStart == pending.count {
      guard !isAtEnd else { return nil }
      pending = try unpack()
      pendingStart = 0
      if pending.isEmpty {
        isAtEnd = true
        return nil
      }
    }
    let count = min(limit, pending.count - pendingStart)
    let bytes = pending[pendingStart..<pendingStart + count]
    pendingStart += count
    if head.count == position, head.count < Self.headLimit {
      head += bytes.prefix(Self.headLimit - head.count)
    }
    position += count
    return bytes
  }

  private func unpack() throws(BundleProblem) -> [UInt8] {
    var code = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: Self.block) { buffer, filled in
      code = archive_read_data(archive, buffer.baseAddress, buffer.count)
      filled = max(0, code)
    }
    if code < 0 {
      if code == Int(ARCHIVE_RETRY) { return try unpack() }
      throw BundleTree.failure(archive, place)
    }
    let unpacked = position + bytes.count
    guard unpacked <= BundleLimits.programBytes else {
      throw BundleProblem(.tooLarge(BundleLimits.programBytes), at: place)
    }
    // Bytes of the archive that were read so far; a zip is read nearly in order.
    let packed = max(1, Int(archive_filter_bytes(archive, -1)))
    if unpacked > BundleLimits.bombBytes, unpacked / packed > BundleLimits.bombRatio {
      throw BundleProblem(.bomb(BundleLimits.bombRatio), at: place)
    }
    return bytes
  }
}
