import CArchive
import Glibc

/// libarchive reading from one of our streams.
///
/// Only filters and formats that are asked for by name are switched on: libarchive's "all" would
/// also start outside programs for some formats, which hostile input could make use of.
final class ArchiveHandle {
  let archive: OpaquePointer?
  private let feed: ArchiveFeed

  init(_ inner: any ByteStream) {
    archive = archive_read_new()
    feed = ArchiveFeed(inner)
  }

  deinit {
    archive_read_free(archive)
  }

  /// Connects the callbacks and opens; filters and formats have to be set before.
  func open() throws(StreamFailure) {
    archive_read_set_callback_data(archive, Unmanaged.passUnretained(feed).toOpaque())
    archive_read_set_read_callback(archive, readCallback)
    if feed.file != nil {
      archive_read_set_seek_callback(archive, seekCallback)
      archive_read_set_skip_callback(archive, skipCallback)
    }
    if archive_read_open1(archive) < ARCHIVE_WARN { throw failure(format: "archive") }
  }

  /// The failure behind the last return code: of the stream below, else libarchive's own.
  ///
  /// - Parameter isStream: true for a single compressed stream, which is cut if its decoder asked
  ///   for bytes behind the end; an archive's reader does that in good health too.
  func failure(format: String, isStream: Bool = false) -> StreamFailure {
    if let below = feed.failure { return below }
    let detail = errorText
    let isCut = isStream && feed.hasEnded || detail.lowercased().contains("truncated")
    return StreamFailure(
      kind: isCut ? .truncated(format: format) : .damaged(format: format, detail: detail))
  }

  var errorText: String {
    archive_error_string(archive).map { String(cString: $0) } ?? "no further detail"
  }

  /// Copies content of the current member.
  ///
  /// Works on libarchive's blocks rather than through `archive_read_data`, which would invent
  /// zero bytes for the holes of a sparse member, exabytes of them if a header says so.
  func readData(
    _ block: inout UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer,
    format: String, isStream: Bool = false, remark: (String) -> Void
  ) throws(StreamFailure) -> Int {
    while block.isEmpty {
      var start: UnsafeRawPointer?
      var size = 0
      var offset: la_int64_t = 0
      let code = archive_read_data_block(archive, &start, &size, &offset)
      if code == ARCHIVE_EOF { return 0 }
      if code == ARCHIVE_RETRY { continue }
      if code < ARCHIVE_WARN { throw failure(format: format, isStream: isStream) }
      if code == ARCHIVE_WARN {
        remark(errorText)
        // A warning at a member's end may repeat without progress.
        if size == 0 { return 0 }
      }
      block = UnsafeRawBufferPointer(start: start, count: size)
    }
    let count = min(block.count, target.count)
    target.copyMemory(from: UnsafeRawBufferPointer(rebasing: block[..<count]))
    block = UnsafeRawBufferPointer(rebasing: block[count...])
    return count
  }
}

/// What the callbacks see: the stream below, one buffer, and the failure to remember.
private final class ArchiveFeed {
  let inner: any ByteStream
  /// The stream itself if it can be read anywhere (zip keeps its table at the end).
  let file: FileBytes?
  let buffer: UnsafeMutableRawBufferPointer
  var failure: StreamFailure?
  /// True once the stream below gave its end.
  var hasEnded = false

  init(_ inner: any ByteStream) {
    self.inner = inner
    file = (inner as? FileBytes).flatMap { $0.isRegular ? $0 : nil }
    buffer = .allocate(byteCount: 1 << 17, alignment: 64)
  }

  deinit {
    buffer.deallocate()
  }
}

private func feed(_ context: UnsafeMutableRawPointer?) -> ArchiveFeed? {
  context.map { Unmanaged<ArchiveFeed>.fromOpaque($0).takeUnretainedValue() }
}

private func readCallback(
  archive: OpaquePointer?, context: UnsafeMutableRawPointer?,
  block: UnsafeMutablePointer<UnsafeRawPointer?>?
) -> la_ssize_t {
  guard let feed = feed(context) else { return -1 }
  do {
    block?.pointee = UnsafeRawPointer(feed.buffer.baseAddress)
    let count = try feed.inner.read(into: feed.buffer)
    if count == 0 { feed.hasEnded = true }
    return count
  } catch {
    feed.failure = error
    return -1
  }
}

private func seekCallback(
  archive: OpaquePointer?, context: UnsafeMutableRawPointer?, offset: la_int64_t, whence: Int32
) -> la_int64_t {
  guard let file = feed(context)?.file, let size = file.sizeBytes else {
    return la_int64_t(ARCHIVE_FATAL)
  }
  let start = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? file.positionBytes : size
  let (target, overflow) = start.addingReportingOverflow(Int64(offset))
  guard !overflow, target >= 0 else { return la_int64_t(ARCHIVE_FATAL) }
  file.move(to: target)
  return la_int64_t(target)
}

private func skipCallback(
  archive: OpaquePointer?, context: UnsafeMutableRawPointer?, request: la_int64_t
) -> la_int64_t {
  guard let file = feed(context)?.file, let size = file.sizeBytes, request > 0 else { return 0 }
  // Never beyond the end, so that a cut archive is noticed by the read that follows.
  let count = max(0, min(Int64(request), size - file.positionBytes))
  file.move(to: file.positionBytes + count)
  file.accountFor(count)
  return la_int64_t(count)
}

/// Decodes one gzip, xz or bzip2 stream (with all its concatenated members) through libarchive.
///
/// Limit: when a gzip, xz or bzip2 stream is cut or damaged, libarchive drops its current block,
/// up to 64 KiB of content before the damage.
final class FilteredBytes: ByteStream {
  private let handle: ArchiveHandle
  private let compression: ContentKind.Compression
  private var block = UnsafeRawBufferPointer(start: nil, count: 0)
  private var isOpen = false
  private var isEmpty = false

  init(_ inner: any ByteStream, _ compression: ContentKind.Compression) {
    handle = ArchiveHandle(inner)
    self.compression = compression
  }

  func read(into target: UnsafeMutableRawBufferPointer) throws(StreamFailure) -> Int {
    if !isOpen { try open() }
    if isEmpty { return 0 }
    return try handle.readData(
      &block, into: target, format: compression.rawValue, isStream: true
    ) { _ in }
  }

  private func open() throws(StreamFailure) {
    isOpen = true
    let expected: Int32
    switch compression {
    case .gzip:
      archive_read_support_filter_gzip(handle.archive)
      expected = ARCHIVE_FILTER_GZIP
    case .xz:
      archive_read_support_filter_xz(handle.archive)
      expected = ARCHIVE_FILTER_XZ
    case .bzip2:
      archive_read_support_filter_bzip2(handle.archive)
      expected = ARCHIVE_FILTER_BZIP2
    case .zstd:
      archive_read_support_filter_zstd(handle.archive)
      expected = ARCHIVE_FILTER_ZSTD
    case .utf16LittleEndian, .utf16BigEndian:
      // Decoded by UTF16Bytes, never here.
      expected = ARCHIVE_FILTER_NONE
    }
    archive_read_support_format_raw(handle.archive)
    archive_read_support_format_empty(handle.archive)
    try handle.open()
    var entry: OpaquePointer?
    let code = archive_read_next_header(handle.archive, &entry)
    // A stream cut within its header is not recognised and would come through undecoded.
    guard archive_filter_code(handle.archive, 0) == expected else {
      throw StreamFailure(kind: .truncated(format: compression.rawValue))
    }
    if code == ARCHIVE_EOF {
      isEmpty = true
    } else if code < ARCHIVE_WARN {
      throw handle.failure(format: compression.rawValue, isStream: true)
    }
  }
}

/// The members of a tar or zip archive, one after the other.
final class ArchiveMembers {
  enum Step {
    /// A file; its bytes are valid until the next step is asked for.
    case member(name: String, bytes: any ByteStream)
    case skipped(name: String, ReadingProblem.Kind)
    case failed(StreamFailure)
  }

  /// The archive's own name, which stands before its members' names.
  let name: String
  private let handle: ArchiveHandle
  private let format: ContentKind.ArchiveFormat
  private var isOpen = false
  private var isAtEnd = false
  private var memberCount = 0
  private var current: MemberBytes?

  init(_ inner: any ByteStream, _ format: ContentKind.ArchiveFormat, name: String) {
    handle = ArchiveHandle(inner)
    self.format = format
    self.name = name
  }

  /// The next member that could hold lines, or what is wrong; nil at the end of the archive.
  func next() -> Step? {
    if let doubt = current?.takeRemark() {
      return .skipped(
        name: current?.name ?? name, .doubtful(format: format.rawValue, detail: doubt))
    }
    let failureBefore = current?.failure?.kind
    current = nil
    do throws(StreamFailure) {
      if !isOpen { try open() }
      while !isAtEnd {
        var entry: OpaquePointer?
        var code = ARCHIVE_RETRY
        while code == ARCHIVE_RETRY { code = archive_read_next_header(handle.archive, &entry) }
        if code == ARCHIVE_EOF { break }
        if code < ARCHIVE_WARN { throw handle.failure(format: format.rawValue) }
        memberCount += 1
        if let step = step(for: entry) { return step }
      }
    } catch {
      isAtEnd = true
      // A stream that broke inside a member was reported there.
      return error.kind == failureBefore ? nil : .failed(error)
    }
    isAtEnd = true
    return nil
  }

  private func open() throws(StreamFailure) {
    isOpen = true
    switch format {
    case .tar: archive_read_support_format_tar(handle.archive)
    case .zip: archive_read_support_format_zip(handle.archive)
    }
    try handle.open()
  }

  private func step(for entry: OpaquePointer?) -> Step? {
    let name = memberName(entry)
    let parts = name.split(separator: "/")
    // Like in folders, hidden files are passed over, and with them what macOS adds to archives.
    let isHidden = parts.contains {
      $0 == "__MACOSX" || ($0.hasPrefix(".") && $0 != "." && $0 != "..")
    }
    if isHidden { return nil }
    // The file type bits of <sys/stat.h>; libarchive's own constants are casts, not importable.
    let type = archive_entry_filetype(entry)
    if type == S_IFDIR { return nil }
    if type != S_IFREG || archive_entry_hardlink(entry) != nil {
      return .skipped(name: name, .memberNotAFile)
    }
    if archive_entry_is_data_encrypted(entry) != 0 {
      return .skipped(name: name, .memberEncrypted)
    }
    let bytes = MemberBytes(handle, format: format.rawValue, name: name)
    current = bytes
    return .member(name: name, bytes: bytes)
  }

  private func memberName(_ entry: OpaquePointer?) -> String {
    if let text = archive_entry_pathname_utf8(entry) { return String(cString: text) }
    if let text = archive_entry_pathname(entry) { return String(cString: text) }
    return "member \(memberCount)"
  }
}

/// The content of the member an archive stands at.
private final class MemberBytes: ByteStream {
  let name: String
  private let handle: ArchiveHandle
  private let format: String
  private var block = UnsafeRawBufferPointer(start: nil, count: 0)
  private var remark: String?
  private var isAtEnd = false
  private(set) var failure: StreamFailure?

  init(_ handle: ArchiveHandle, format: String, name: String) {
    self.handle = handle
    self.format = format
    self.name = name
  }

  func takeRemark() -> String? {
    defer { remark = nil }
    return remark
  }

  func read(into target: UnsafeMutableRawBufferPointer) throws(StreamFailure) -> Int {
    if isAtEnd { return 0 }
    do {
      let count = try handle.readData(&block, into: target, format: format) { self.remark = $0 }
      isAtEnd = count == 0
      return count
    } catch {
      failure = error
      isAtEnd = true
      throw error
    }
  }
}
