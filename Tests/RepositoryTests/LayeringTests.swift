import Foundation
import TestSupport
import Testing

/// What a module may import: modules of this package, and modules of the system.
private struct Layer {
  var module: String
  var folder: String
  var package: Set<String>
  var system: Set<String>

  init(_ module: String, in folder: String? = nil, _ package: Set<String>, _ system: Set<String>) {
    self.module = module
    self.folder = folder ?? "Sources/\(module)"
    self.package = package
    self.system = system
  }
}

private let layers = [
  Layer("PushModel", [], ["Foundation"]),
  Layer(
    "PushIngest", ["PushModel", "CSQLite", "CZstd", "CArchive", "CSimdjson"],
    ["Foundation", "Glibc", "Synchronization"]),
  Layer("PushBundle", ["PushModel", "CArchive"], ["Foundation", "Glibc"]),
  Layer("Queries", in: "Queries", [], []),
  Layer(
    "PushStore", ["PushModel", "Queries", "CSQLite", "CZstd"],
    ["Foundation", "Glibc", "Synchronization"]),
  Layer("PushJoin", ["PushModel"], []),
  Layer("PushChecklist", ["PushModel"], []),
  Layer(
    "PushPipeline", ["PushModel", "PushIngest", "PushStore", "PushJoin", "PushChecklist"],
    ["Dispatch", "Foundation", "Glibc", "Synchronization"]),
  // Foundation for logarithms and the error function.
  Layer("PushAnalysis", ["PushModel"], ["Foundation"]),
  Layer("Reports", in: "Reports", [], []),
  Layer("PushReport", ["PushModel", "PushChecklist", "PushAnalysis", "Reports"], []),
  Layer(
    "PushSimulator", ["PushModel", "CArchive"],
    ["Dispatch", "Foundation", "Glibc", "Synchronization"]),
  Layer("PushRecorder", [], ["Foundation"]),
  Layer(
    "pushtriage",
    [
      "PushModel", "PushIngest", "PushBundle", "Queries", "PushStore", "PushJoin", "PushChecklist",
      "PushPipeline", "PushAnalysis", "Reports", "PushReport", "PushSimulator",
    ],
    ["Foundation", "Glibc", "Synchronization"]),
  Layer("embed-text", in: "Sources/Build/embed-text", [], ["Foundation"]),
  Layer("EmbedText", in: "Sources/Build/EmbedText", [], ["Foundation", "PackagePlugin"]),
]

@Test func modulesImportOnlyWhatTheTableAllows() throws {
  for layer in layers {
    for line in try swiftLines(below: layer.folder) {
      guard let module = line.importedModule else { continue }
      #expect(
        layer.package.contains(module) || layer.system.contains(module),
        "\(line): \(layer.module) may not import \(module)")
    }
  }
}

@Test func everySwiftFileBelongsToALayer() {
  let folders = layers.map { $0.folder + "/" }
  let files = ["Sources", "Queries", "Reports"].flatMap { Repository.files(below: $0) }
  for file in files where file.hasSuffix(".swift") {
    #expect(folders.contains { file.hasPrefix($0) }, "\(file) is in no folder of the table")
  }
}

@Test func thePackageDeclaresTheDependenciesOfTheTable() throws {
  struct Dump: Decodable {
    struct Target: Decodable {
      struct Dependency: Decodable {
        var name: String
        init(from decoder: any Decoder) throws {
          // `{"byName": ["PushModel", null]}`
          let kinds = try [String: [String?]](from: decoder)
          name = kinds.values.first.flatMap(\.first).flatMap { $0 } ?? ""
        }
      }
      var name: String
      var type: String
      var dependencies: [Dependency]
    }
    var targets: [Target]
  }
  let scratch = try ScratchFolder()
  // A folder of its own, because the build folder is locked while tests run.
  let run = try BuiltProgram(at: URL(fileURLWithPath: "/usr/bin/env")).run(
    ["swift", "package", "--scratch-path", scratch.url.path, "dump-package"], in: Repository.root)
  let dump = try JSONDecoder().decode(Dump.self, from: Data(run.output.utf8))
  let targets = dump.targets.filter { ["regular", "executable"].contains($0.type) }
  // Faces on C libraries depend on nothing here.
  for target in targets
  where !["CSimdjson", "CArchive", "TestSupport"].contains(target.name) {
    let layer = try #require(
      layers.first { $0.module == target.name }, "\(target.name) is not in the table")
    #expect(Set(target.dependencies.map(\.name)) == layer.package, "of \(target.name)")
  }
}

/// Modules that turn values into values.
private let pureModules = ["PushModel", "PushJoin", "PushChecklist", "PushAnalysis", "PushReport"]

@Test(arguments: pureModules)
func pureModulesTouchNoFileClockLocaleOrRandomness(_ module: String) throws {
  let outside =
    #/
      \b(FileManager|FileHandle|ProcessInfo|SystemRandomNumberGenerator)\b
      | \b(Process\(|Bundle\.(main|module))
      | \b(Date|Locale|TimeZone|Calendar)\.(now|current|autoupdatingCurrent)\b
      | \bDate\(\)
      | \b(fopen|getenv|clock_gettime|gettimeofday|localtime_r)\(
      | contentsOfFile|\((contentsOf:\ (URL|url|file))
      | \.(random|randomElement|shuffled|shuffle)\((in:\ [^,()]*)?\)
    /#
  for line in try swiftLines(below: "Sources/\(module)") where !line.isComment {
    #expect(!line.text.contains(outside), "\(line): \(line.text)")
  }
}

/// SQL about the own database has two homes. A file of another program's is read where it is read.
@Test func sqlTextIsWrittenInQueriesAndTheStoreOnly() throws {
  let statement = #/"\s*(SELECT|INSERT|UPDATE|DELETE|CREATE|PRAGMA|WITH|ALTER|DROP)\s+\w/#
  for layer in layers where layer.module != "PushStore" {
    for line in try swiftLines(below: layer.folder) where !line.isComment {
      if "\(line)".contains("PushIngest/Reading/SQLiteRows.swift") { continue }
      #expect(!line.text.contains(statement), "\(line): \(line.text)")
    }
  }
}

/// A line of a Swift file; prints as `file:line`.
private struct SwiftLine: CustomStringConvertible {
  var file: String
  var number: Int
  var text: Substring

  var description: String { "\(file):\(number)" }

  var isComment: Bool { text.drop { $0 == " " }.hasPrefix("//") }

  /// The module of an import declaration.
  var importedModule: String? {
    guard text.contains("import") else { return nil }
    let pattern =
      #/
      ^\s* (?:@\w+(?:\([^)]*\))?\s+)* (?:(?:public|package|internal|fileprivate|private)\s+)?
      import \s+ (?:(?:struct|class|enum|protocol|typealias|func|var|let)\s+)? (\w+)
      /#
    return text.prefixMatch(of: pattern).map { String($0.1) }
  }
}

private func swiftLines(below folder: String) throws -> [SwiftLine] {
  var lines: [SwiftLine] = []
  for file in Repository.files(below: folder) where file.hasSuffix(".swift") {
    let texts = try Repository.text(of: file).split(
      separator: "\n", omittingEmptySubsequences: false)
    for (index, text) in texts.enumerated() {
      lines.append(SwiftLine(file: file, number: index + 1, text: text))
    }
  }
  return lines
}
