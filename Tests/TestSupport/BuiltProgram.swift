public import Foundation

/// Runs programs as a user would: whole command lines, in a folder of their own.
public struct BuiltProgram: Sendable {
  /// What a run left behind.
  public struct Run: Sendable {
    /// Everything on standard output.
    public var output: String
    /// Everything on standard error.
    public var error: String
    /// As the shell sees it.
    public var exitCode: Int32
  }

  /// Where standard output goes.
  public enum Output: Sendable {
    /// Into `Run.output`.
    case kept
    /// Into a pipe that nobody reads.
    case closedPipe
    /// Into this file.
    case file(String)
  }

  /// The program.
  public var executable: URL

  /// A program at a place.
  public init(at executable: URL) {
    self.executable = executable
  }

  /// `pushtriage`, built by the same build as the running tests.
  public static let pushtriage = BuiltProgram(at: buildFolder.appending(path: "pushtriage"))

  /// The folder of the running test bundle.
  public static let buildFolder = URL(fileURLWithPath: CommandLine.arguments[0])
    .resolvingSymlinksInPath().deletingLastPathComponent()

  /// Runs to the end. `environment` nil keeps that of the tests.
  public func run(
    _ arguments: [String], in folder: URL? = nil, environment: [String: String]? = nil,
    output: Output = .kept
  ) throws -> Run {
    // Files instead of pipes: nothing blocks, however much is written to either.
    let scratch = try ScratchFolder()
    let outputFile = scratch.url.appending(path: "output")
    let errorFile = scratch.url.appending(path: "error")
    for file in [outputFile, errorFile] { try Data().write(to: file) }

    let process = Process()
    process.executableURL = executable
    process.arguments = arguments
    process.currentDirectoryURL = folder ?? scratch.url
    if let environment { process.environment = environment }
    process.standardInput = FileHandle.nullDevice
    process.standardError = try FileHandle(forWritingTo: errorFile)
    switch output {
    case .kept:
      process.standardOutput = try FileHandle(forWritingTo: outputFile)
    case .file(let path):
      process.standardOutput = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    case .closedPipe:
      let pipe = Pipe()
      try pipe.fileHandleForReading.close()
      process.standardOutput = pipe
    }
    try process.run()
    process.waitUntilExit()
    return Run(
      output: String(decoding: try Data(contentsOf: outputFile), as: UTF8.self),
      error: String(decoding: try Data(contentsOf: errorFile), as: UTF8.self),
      exitCode: process.terminationStatus)
  }
}
