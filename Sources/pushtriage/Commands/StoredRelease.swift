import PushBundle
import PushIngest
import PushModel
import PushPipeline
import PushStore

/// Facts of built apps in a database.
enum StoredRelease {
  /// Whether `5.1.0` or `5.1.0(5101)` names this version and build.
  static func matches(_ text: String, _ version: String?, _ build: String?) -> Bool {
    text == version || text == "\(version ?? "")(\(build ?? ""))"
  }

  /// Stores facts the way an ingest of a file of facts does: what was judged without them is judged
  /// again.
  static func store(_ built: BuiltApp, in database: String, _ context: CommandContext) throws {
    guard let bundle = built.app?.bundleID, let version = built.version else {
      throw Diagnostic(
        "the facts of \(quoted(built.source)) cannot be stored",
        reason: "it does not say for which app and version they are",
        help: ["give the whole app, or facts with bundle_id and version"])
    }
    // As a file of facts would have them, so that they are read and stored in one way only.
    let file = #"{"version":1,"releases":[\#(built.factsText)]}"#
    var options = IngestOptions(inputs: [], databasePath: database)
    do throws(ReleaseFactsReader.Problem) {
      options.facts = try ReleaseFactsReader.read(Array(file.utf8)).map {
        GivenFacts(facts: $0, source: built.source)
      }
    } catch {
      throw Diagnostic(
        "the facts of \(quoted(built.source)) cannot be stored",
        reason: "\(error.field) \(error.reason)")
    }
    _ = try IngestRun.run(options)
    let build = built.build.map { "(\($0))" } ?? ""
    context.say("facts of \(bundle) \(version)\(build) are in \(database)")
  }

  /// The stored facts of a release.
  static func find(_ text: String, app: String?, in path: String) throws -> BuiltApp {
    let database = try Database(path: path, mode: .read)
    try database.forbidWriting()
    let rows = try StoredRows(database: database, pool: TextPool()).releaseFacts()
    let found = rows.filter {
      matches(text, $0.version, $0.build)
        && (app.map { [bundle = $0.bundle] in $0 == bundle } ?? true)
    }
    let known = rows.map { "\($0.bundle) \($0.version)\($0.build.isEmpty ? "" : "(\($0.build))")" }
    guard let row = found.first else {
      throw Diagnostic(
        "\(quoted(text)) is neither a file nor a release with facts in \(quoted(path))",
        help: [
          known.isEmpty
            ? "no facts are stored yet: 'pushtriage inspect <app> --db <file>' stores them"
            : "releases with facts: \(known.joined(separator: ", "))"
        ])
    }
    guard found.count == 1 else {
      throw Diagnostic(
        "several releases are called \(quoted(text))",
        help: [
          "choose one with --app or as version(build): "
            + found.map { "\($0.bundle) \($0.version)(\($0.build))" }.joined(separator: ", ")
        ])
    }
    return try BundleReader.read(facts: Array(row.facts.utf8), source: path)
  }
}
