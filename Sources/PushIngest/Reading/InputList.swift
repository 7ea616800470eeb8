import Glibc

/// One thing to read: a file (plain, compressed or an archive) or standard input.
public struct Input: Sendable, Hashable {
  /// The path as it was given or found, readable; "-" for standard input.
  public var name: String
  /// The same path as the system's bytes; names need not be UTF-8. Empty for standard input.
  public var path: [UInt8]
  /// Size in bytes; nil for standard input and pipes.
  public var sizeBytes: Int64?

  /// Standard input.
  public static let standardInput = Input(name: "-", path: [], sizeBytes: nil)

  /// True for standard input.
  public var isStandardInput: Bool { path.isEmpty }

  init(name: String, path: [UInt8], sizeBytes: Int64?) {
    self.name = name
    self.path = path
    self.sizeBytes = sizeBytes
  }
}

/// Turns what stands on a command line into the list of inputs.
public struct InputList: Sendable {
  /// The inputs in the order in which they are read, and what could not be used.
  ///
  /// Folders are searched through, their files ordered by the bytes of their paths, names that
  /// begin with a dot passed over (unless named themselves). "-" is standard input. A file that
  /// is reached twice is read once.
  ///
  /// - Parameter arguments: paths and "-", as given.
  public static func expand(_ arguments: [String]) -> (
    inputs: [Input], problems: [ReadingProblem]
  ) {
    var expansion = Expansion()
    for argument in arguments { expansion.add(argument) }
    return (expansion.inputs, expansion.problems)
  }
}

private struct FileIdentity: Hashable {
  var device: UInt64
  var node: UInt64
}

private struct Expansion {
  var inputs: [Input] = []
  var problems: [ReadingProblem] = []
  private var seen: Set<FileIdentity> = []
  private var hasStandardInput = false

  mutating func add(_ argument: String) {
    if argument == "-" {
      if hasStandardInput { report("-", .namedTwice) } else { inputs.append(.standardInput) }
      hasStandardInput = true
      return
    }
    let path = Array(argument.utf8)
    guard let information = status(of: path, followsLinks: true) else {
      let code = errno
      report(
        argument,
        path.isEmpty || code == ENOENT || code == ENOTDIR
          ? .pathMissing : .cannotOpen(detail: systemErrorText(code)))
      return
    }
    switch information.st_mode & S_IFMT {
    case S_IFDIR: addFolder(path)
    case S_IFREG: addFile(path, information)
    // A pipe that somebody names is meant, as in <(command).
    case S_IFIFO: inputs.append(Input(name: argument, path: path, sizeBytes: nil))
    default: report(argument, .notAFile)
    }
  }

  private mutating func addFile(_ path: [UInt8], _ information: stat) {
    let name = String(decoding: path, as: UTF8.self)
    let identity = FileIdentity(
      device: UInt64(information.st_dev), node: UInt64(information.st_ino))
    guard seen.insert(identity).inserted else { return report(name, .namedTwice) }
    guard withPath(path, { access($0, R_OK) }) == 0 else {
      return report(name, .cannotOpen(detail: systemErrorText(errno)))
    }
    inputs.append(Input(name: name, path: path, sizeBytes: Int64(information.st_size)))
  }

  private mutating func addFolder(_ path: [UInt8]) {
    var root = path
    while root.count > 1, root.last == UInt8(ascii: "/") { root.removeLast() }
    var files: [(path: [UInt8], information: stat)] = []
    var found = 0
    var waiting = [root]
    while let folder = waiting.popLast() {
      guard let names = entries(of: folder) else {
        report(
          String(decoding: folder, as: UTF8.self), .cannotOpen(detail: systemErrorText(errno)))
        found += 1
        continue
      }
      for name in names where name.first != UInt8(ascii: ".") {
        let child = (folder == [UInt8(ascii: "/")] ? [] : folder) + [UInt8(ascii: "/")] + name
        guard let itself = status(of: child, followsLinks: false) else { continue }
        var information = itself
        if itself.st_mode & S_IFMT == S_IFLNK {
          guard let behind = status(of: child, followsLinks: true) else {
            report(String(decoding: child, as: UTF8.self), .pathMissing)
            continue
          }
          if behind.st_mode & S_IFMT == S_IFDIR {
            // Following it could lead round in circles.
            report(String(decoding: child, as: UTF8.self), .linkedFolder)
            continue
          }
          information = behind
        }
        switch information.st_mode & S_IFMT {
        case S_IFDIR: waiting.append(child)
        case S_IFREG: files.append((child, information))
        default: report(String(decoding: child, as: UTF8.self), .notAFile)
        }
      }
    }
    files.sort { $0.path.lexicographicallyPrecedes($1.path) }
    for file in files { addFile(file.path, file.information) }
    if files.isEmpty, found == 0 {
      report(String(decoding: root, as: UTF8.self), .folderEmpty)
    }
  }

  private mutating func report(_ input: String, _ kind: ReadingProblem.Kind) {
    problems.append(ReadingProblem(input: input, kind: kind))
  }
}

private func withPath<Result>(
  _ path: [UInt8], _ body: (UnsafePointer<CChar>) -> Result
) -> Result {
  let text = path.map { CChar(bitPattern: $0) } + [0]
  return text.withUnsafeBufferPointer { buffer in
    // An array with a terminating zero is never empty, so that its pointer is never nil.
    guard let base = buffer.baseAddress else { preconditionFailure("a path without bytes") }
    return body(base)
  }
}

private func status(of path: [UInt8], followsLinks: Bool) -> stat? {
  var information = stat()
  let code = withPath(path) {
    followsLinks ? stat($0, &information) : lstat($0, &information)
  }
  return code == 0 ? information : nil
}

/// Names in a folder without "." and ".."; nil if it cannot be opened.
private func entries(of folder: [UInt8]) -> [[UInt8]]? {
  guard let stream = withPath(folder, { opendir($0) }) else { return nil }
  defer { closedir(stream) }
  var names: [[UInt8]] = []
  while let entry = readdir(stream) {
    let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
      Array(bytes.prefix { $0 != 0 })
    }
    if name != [0x2E], name != [0x2E, 0x2E] { names.append(name) }
  }
  return names
}
