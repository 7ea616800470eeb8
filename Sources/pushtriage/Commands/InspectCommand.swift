import Foundation
import PushBundle
import PushIngest
import PushModel
import PushPipeline
import PushReport
import PushStore

/// `pushtriage inspect`: facts about a built app.
struct InspectCommand: Subcommand {
  enum Format: String, ArgumentChoice {
    case text
    case json
    case md
  }
  enum Condition: String, ArgumentChoice {
    /// A finding breaks something.
    case breaks
    /// A finding breaks something or warns.
    case warns
  }

  var paths: [String] = []
  /// Database that the facts go to; nil stores nothing.
  var database: String?
  /// Version, where a file of facts holds several releases.
  var release: String?
  var app: String?
  var failOn: [Condition] = []
  var format = Format.text
  var output: String?

  static let row = CommandRow<InspectCommand>(
    name: "inspect",
    summary: "Read what a built app says, and find what is wrong in it.",
    discussion: [
      """
      Reads .ipa, .xcarchive, .app and .appex (folder or archive), a single Info.plist, an \
      entitlements file, a profile, or facts as JSON. Two of them are compared. With --db the facts \
      are stored for that app, version and build, its notifications are judged again, and releases \
      in the database may be named instead of files.
      """
    ],
    arguments: [
      .oneOrMore("path", \.paths, "A built app, or a release in the database; two are compared.")
    ],
    options: [
      .optional(
        "db", "file", \.database, otherwise: "nothing is stored",
        "Database that the facts are stored in."
      ).limitedToFiles(),
      .optional(
        "release", "version", \.release, "Release, where a file of facts holds several."),
      .optional("app", "bundle-id", \.app, "App, where several have a release of that name."),
      .failOn(\.failOn, "End with exit code 3 if a finding breaks something, or warns."),
      .format(\.format),
      .output(\.output),
    ],
    example: "pushtriage inspect corpus/bundles/courier-5.3.0.ipa")

  func check() throws(UsageProblem) {
    if paths.count > 2 { throw .unexpectedArgument(paths[2]) }
  }

  func run(_ context: CommandContext) throws -> ExitCode {
    var builts: [BuiltApp] = []
    var isFromFile: [Bool] = []
    for path in paths {
      if let database, !FileManager.default.fileExists(atPath: path) {
        builts.append(try StoredRelease.find(path, app: app, in: database))
        isFromFile.append(false)
      } else {
        builts.append(try read(path))
        isFromFile.append(true)
      }
    }
    if let database {
      for (built, isFile) in zip(builts, isFromFile) where isFile {
        try StoredRelease.store(built, in: database, context)
      }
    }
    let now = Int64(Date().timeIntervalSince1970)
    let findings = builts.map { Inspection.findings(of: $0, now: now) }
    let output = try OutputWriter(to: output)
    if builts.count == 2 {
      try output.write(Self.changes(builts, findings, format))
    } else if let built = builts.first {
      try output.write(Self.sheet(built, findings[0], format))
    }
    try output.finish()
    return exitCode(builts, findings.last ?? [], context)
  }

  private func exitCode(
    _ builts: [BuiltApp], _ findings: [Finding], _ context: CommandContext
  ) -> ExitCode {
    let problems = builts.flatMap(\.problems)
    for problem in problems {
      context.say("note: \(problem.place) was left out: \(problem.description)")
    }
    let fails = findings.contains { finding in
      switch finding.severity {
      case .breaks: !failOn.isEmpty
      case .warns: failOn.contains(.warns)
      case .informs: false
      }
    }
    if fails { return .conditionHolds }
    return problems.isEmpty ? .done : .partlyUnderstood
  }

  /// The one app in a file, or the release that was asked for.
  private func read(_ path: String) throws -> BuiltApp {
    let all = try BundleReader.read(path)
    let wanted = all.filter { built in
      (release.map { StoredRelease.matches($0, built.version, built.build) } ?? true)
        && (app.map { $0 == built.app?.bundleID } ?? true)
    }
    if let built = wanted.first, wanted.count == 1 { return built }
    let names = all.map { InspectionSheet.title($0) }
    throw Diagnostic(
      wanted.isEmpty ? "no such release is in \(quoted(path))" : "\(quoted(path)) holds several",
      help: ["choose one with --release or --app: \(names.joined(separator: ", "))"])
  }

  private static func sheet(_ built: BuiltApp, _ findings: [Finding], _ format: Format) -> String {
    switch format {
    case .json: InspectionSheet.json(built, findings)
    case .text, .md:
      InspectionReport.render(
        InspectionSheet.tables(built, findings), isMarkdown: format == .md, wording: .checklist())
    }
  }

  private static func changes(
    _ builts: [BuiltApp], _ findings: [[Finding]], _ format: Format
  ) -> String {
    let changes = BundleChange.between(builts[0], builts[1])
    func isIn(_ finding: Finding, _ others: [Finding]) -> Bool {
      others.contains {
        $0.what == finding.what
          && InspectionSheet.lastPart($0.part) == InspectionSheet.lastPart(finding.part)
      }
    }
    let new = findings[1].filter { !isIn($0, findings[0]) }
    let gone = findings[0].filter { !isIn($0, findings[1]) }
    let names = (InspectionSheet.title(builts[0]), InspectionSheet.title(builts[1]))
    guard format == .json else {
      return InspectionReport.render(
        BundleChangeTables(
          names: names,
          changes: changes.map {
            .init(
              part: $0.part, what: $0.aspect.rawValue + ($0.key.isEmpty ? "" : " \($0.key)"),
              before: $0.before ?? "", after: $0.after ?? "", meaning: $0.meaning ?? "")
          },
          newFindings: new.map(InspectionSheet.row), goneFindings: gone.map(InspectionSheet.row)),
        isMarkdown: format == .md, wording: .checklist())
    }
    func text(_ value: String?) -> PlistValue { value.map { .text($0) } ?? .null }
    let whole = PlistDictionary([
      ("version", .integer(1)), ("before", .text(names.0)), ("after", .text(names.1)),
      (
        "changes",
        .array(
          changes.map {
            .dictionary(
              PlistDictionary([
                ("part", .text($0.part)), ("what", .text($0.aspect.rawValue)),
                ("key", $0.key.isEmpty ? .null : .text($0.key)), ("before", text($0.before)),
                ("after", text($0.after)), ("meaning", text($0.meaning)),
              ]))
          })
      ),
      ("new_findings", .array(new.map(InspectionSheet.json))),
      ("gone_findings", .array(gone.map(InspectionSheet.json))),
    ])
    return JSONText.write(.dictionary(whole), isPretty: true) + "\n"
  }
}
