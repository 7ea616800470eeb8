import Glibc

/// Why a result could not be written.
enum OutputFailure: Error, Equatable, Sendable {
  /// Nobody reads any more (`| head`): not an error, the run ends quietly.
  case closed
  /// `errno` of the call.
  case failed(path: String, code: Int32)

  var diagnostic: Diagnostic {
    switch self {
    case .closed: Diagnostic("the output was closed")
    case .failed(let path, let code):
      Diagnostic("cannot write '\(path)'", reason: systemReason(code))
    }
  }
}

/// What the system says about an error number, in lower case.
func systemReason(_ code: Int32) -> String {
  let text = String(cString: strerror(code))
  return text.prefix(1).lowercased() + text.dropFirst()
}

/// Writes a result to standard output or to a file, in blocks.
///
/// A file appears under its name only when it is complete (`finish`), so a failed run never leaves
/// half a report behind.
final class OutputWriter {
  private let path: String
  private let descriptor: Int32
  /// Nil where bytes go straight to their place.
  private let temporaryPath: String?
  private var buffer: [UInt8] = []
  private var isFinished = false
  private static let blockBytes = 1 << 16

  /// Nil and `-` are standard output.
  init(to file: String?) throws(OutputFailure) {
    guard let file, file != "-" else {
      path = "standard output"
      descriptor = STDOUT_FILENO
      temporaryPath = nil
      return
    }
    path = file
    var status = stat()
    if stat(file, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
      // A pipe or a device cannot be replaced by a file.
      temporaryPath = nil
      descriptor = open(file, O_WRONLY | O_CLOEXEC)
    } else {
      let temporary = "\(file).\(getpid()).part"
      temporaryPath = temporary
      descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
    }
    if descriptor < 0 { throw .failed(path: file, code: errno) }
  }

  func write(_ text: String) throws(OutputFailure) {
    buffer.append(contentsOf: text.utf8)
    if buffer.count >= Self.blockBytes { try flush() }
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws(OutputFailure) {
    buffer.append(contentsOf: bytes)
    if buffer.count >= Self.blockBytes { try flush() }
  }

  /// Must be called once all is written; without it a file is thrown away.
  func finish() throws(OutputFailure) {
    try flush()
    isFinished = true
    guard descriptor != STDOUT_FILENO else { return }
    if close(descriptor) != 0 { throw .failed(path: path, code: errno) }
    if let temporaryPath, rename(temporaryPath, path) != 0 {
      let code = errno
      unlink(temporaryPath)
      throw .failed(path: path, code: code)
    }
  }

  deinit {
    guard !isFinished, descriptor != STDOUT_FILENO, descriptor >= 0 else { return }
    close(descriptor)
    if let temporaryPath { unlink(temporaryPath) }
  }

  private func flush() throws(OutputFailure) {
    var written = 0
    while written < buffer.count {
      let result = buffer[written...].withUnsafeBytes {
        Glibc.write(descriptor, $0.baseAddress, $0.count)
      }
      if result >= 0 {
        written += result
      } else if errno == EPIPE {
        buffer.removeAll()
        throw .closed
      } else if errno != EINTR {
        throw .failed(path: path, code: errno)
      }
    }
    buffer.removeAll(keepingCapacity: true)
  }
}

/// Writes to standard error; what cannot be written there is nobody's to hear.
func writeToStandardError(_ text: String) {
  var bytes = Array(text.utf8)[...]
  while !bytes.isEmpty {
    let result = bytes.withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
    if result < 0, errno != EINTR { return }
    bytes = bytes.dropFirst(max(0, result))
  }
}
