import Foundation
import PushIngest
import PushPipeline
import TestSupport
import Testing

/// Small files of formats, and the databases of a scratch folder that they are read into.
struct FormatFiles {
  let folder: ScratchFolder
  /// What a person says about the files.
  var hints = SourceHints()

  init() throws {
    folder = try ScratchFolder()
    try Data((0..<16).map { UInt8($0) }).write(to: URL(fileURLWithPath: folder.path + "/key"))
  }

  /// The place of a file of the repository.
  static func path(_ file: String) -> String { Repository.root.appending(path: file).path }

  func options(_ inputs: [String], _ name: String) -> IngestOptions {
    var options = IngestOptions(inputs: inputs, databasePath: database(name))
    options.keyPath = folder.path + "/key"
    options.hints = hints
    return options
  }

  func database(_ name: String) -> String { "\(folder.path)/\(name).db" }

  /// All rows of the database of this name, after as many runs as there are lists of inputs.
  func dump(_ name: String, _ calls: [[String]], chunkBytes: Int = 1 << 20) throws -> [String] {
    for inputs in calls {
      var options = options(inputs, name)
      options.chunkBytes = chunkBytes
      _ = try IngestRun.run(options)
    }
    return try DatabaseDump.lines(path: database(name))
  }

  /// Compares what a dry run says of a file with what is expected of it in a folder of
  /// `Tests/Golden`.
  func expectGolden(_ file: String, in golden: String) throws {
    let path = FormatFiles.path(file)
    let name = file.split(separator: "/").last.map(String.init) ?? file
    var lines: [String] = []
    let result = try DryRun.run(options([path], "none")) { lines.append($0) }
    let source = try #require(result.sources.first)
    lines = lines.map { $0.replacingOccurrences(of: path, with: name) }
    lines.insert("# \(source.format ?? "of no known format"): \(source.title)", at: 0)
    lines.append(
      "# \(source.records) records, \(source.noted) not understood, \(source.skipped) passed over")
    lines += source.firstNotes.map { "# \($0)" }
    let difference = Golden.difference(
      lines.joined(separator: "\n") + "\n", from: "\(golden)/\(name).txt")
    #expect(difference == nil, "\(difference ?? "")")
  }

  /// Reads all files and looks for texts in the bytes of the database: token digests and stored lines
  /// are bytes, so the whole file is looked through.
  func expectNone(of secrets: [String], from files: [String]) throws {
    let summary = try IngestRun.run(options(files.map(FormatFiles.path), "private"))
    #expect(summary.unrecognised == [])
    var bytes = Data()
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path)
    where name.hasPrefix("private.db") {
      bytes += try Data(contentsOf: URL(fileURLWithPath: folder.path + "/" + name))
    }
    #expect(bytes.count > 4096)
    for secret in secrets { #expect(bytes.range(of: Data(secret.utf8)) == nil, "\(secret)") }
  }
}
