import PushBundle
import PushModel

/// Turns a built app and its findings into the tables of the report.
enum InspectionSheet {
  static func tables(_ built: BuiltApp, _ findings: [Finding]) -> InspectionTables {
    InspectionTables(
      title: title(built), source: built.source, sheets: sheets(built),
      entitlements: entitlements(built), checks: checks(built, findings),
      names: names(built), findings: findings.map(row),
      problems: built.problems.map { .init($0.place, $0.description) })
  }

  static func title(_ built: BuiltApp) -> String {
    guard let app = built.app else {
      return built.extensions?.first.map { $0.bundleID ?? $0.name } ?? built.source
    }
    let version = [built.version, built.build.map { "(\($0))" }].compactMap { $0 }.joined()
    return [app.bundleID ?? app.name, version].filter { !$0.isEmpty }.joined(separator: " ")
  }

  static func row(_ finding: Finding) -> InspectionTables.FindingRow {
    InspectionTables.FindingRow(
      severity: mark(finding.severity), step: finding.step, cause: finding.cause,
      part: lastPart(finding.part),
      place: finding.file + (finding.key.map { ", key \($0)" } ?? ""),
      sentence: finding.sentence, facts: finding.facts)
  }

  static func lastPart(_ path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }

  private static func mark(_ severity: Severity) -> InspectionTables.Mark {
    switch severity {
    case .breaks: .breaks
    case .warns: .warns
    case .informs: .informs
    }
  }

  // MARK: Sheets

  private static func sheets(_ built: BuiltApp) -> [InspectionTables.Sheet] {
    var sheets: [InspectionTables.Sheet] = []
    if let app = built.app {
      var rows = common(app)
      rows.append(.init("Distribution", built.distribution ?? "not known"))
      rows += list("Background modes", app.info?["UIBackgroundModes"], knows: app.info != nil)
      rows += list("Activity types", app.info?["NSUserActivityTypes"], knows: app.info != nil)
      let types = app.info?["CFBundleURLTypes"]?.array ?? []
      let schemes = types.flatMap { $0.dictionary?["CFBundleURLSchemes"]?.texts ?? [] }
      if !schemes.isEmpty { rows.append(.init("Address schemes", joined(schemes))) }
      if let frameworks = built.frameworks {
        let names = frameworks.map { name in
          built.frameworkVersions[name].map { "\(name) \($0)" } ?? name
        }
        rows.append(.init("Frameworks", names.isEmpty ? "none" : joined(names)))
      }
      if let extensions = built.extensions {
        rows.append(
          .init("Extensions", extensions.isEmpty ? "none" : joined(extensions.map(\.name))))
      }
      if !built.inner.isEmpty { rows.append(.init("Inner apps", joined(built.inner.map(\.path)))) }
      // An entitlements file or a profile alone does not say whose it is.
      let title = app.bundleID == nil ? app.name : "App \(app.name)"
      sheets.append(.init(title: title, path: app.path, rows: rows))
    }
    for part in built.extensions ?? [] {
      sheets.append(
        .init(
          title: "\(part.name): \(part.kind?.rawValue ?? "unknown") extension", path: part.path,
          rows: common(part) + ofExtension(part)))
    }
    return sheets
  }

  private static func common(_ part: BuiltPart) -> [InspectionTables.Row] {
    var rows: [InspectionTables.Row] = []
    rows.append(.init("Bundle id", part.bundleID ?? "not known"))
    rows.append(.init("Minimum OS", part.minimumOS ?? "not known"))
    if let program = part.program {
      rows.append(.init("Processors", joined(program.slices.map(\.architecture))))
      let uuids = program.slices.compactMap(\.uuid)
      if !uuids.isEmpty { rows.append(.init("UUID", joined(uuids))) }
      if let signature = program.main?.signature {
        let team = signature.team.map { "team \($0)" } ?? "no team (ad hoc)"
        rows.append(.init("Signed as", "\(signature.identifier ?? "?"), \(team)"))
      } else {
        rows.append(.init("Signed as", "not signed"))
      }
    } else if part.hasProgram == false {
      rows.append(.init("Program", "not there"))
    }
    if let profile = part.profile {
      let end = profile.expiresAt.map { "ends \(Instant.text($0).prefix(10))" } ?? "without end"
      let phones = profile.deviceCount.map { ", \($0) phones" } ?? ""
      rows.append(
        .init("Profile", "\(profile.name ?? "unnamed"), \(profile.distribution), \(end)\(phones)"))
    } else if part.hasProfile == false {
      rows.append(.init("Profile", "none"))
    }
    return rows
  }

  private static func ofExtension(_ part: BuiltPart) -> [InspectionTables.Row] {
    guard let info = part.info else { return [] }
    var rows: [InspectionTables.Row] = []
    let nested = info["NSExtension"]?.dictionary
    let attributes = nested?["NSExtensionAttributes"]?.dictionary
    let point =
      nested?["NSExtensionPointIdentifier"]?.text
      ?? info.value("EXAppExtensionAttributes", "EXExtensionPointIdentifier")?.text
    rows.append(.init("Extension point", point ?? "none"))
    if let name = nested?["NSExtensionPrincipalClass"]?.text {
      rows.append(.init("Principal class", name))
    }
    if let name = nested?["NSExtensionMainStoryboard"]?.text {
      rows.append(.init("Storyboard", name))
    }
    for (key, label) in [
      ("UNNotificationExtensionCategory", "Categories"),
      ("UNNotificationExtensionInitialContentSizeRatio", "Size ratio"),
      ("UNNotificationExtensionDefaultContentHidden", "Default content hidden"),
      ("UNNotificationExtensionUserInteractionEnabled", "Touches"),
      ("UNNotificationExtensionOverridesDefaultTitle", "Own title"),
      ("NSExtensionActivationRule", "Activation rule"),
    ] {
      guard let value = attributes?[key] else { continue }
      rows.append(.init(label, value.texts.map(joined) ?? JSONText.write(value)))
    }
    if let missing = part.missingLibraries, !missing.isEmpty {
      rows.append(.init("Libraries missing", joined(missing.map(\.name))))
    }
    return rows
  }

  private static func list(
    _ label: String, _ value: PlistValue?, knows: Bool
  ) -> [InspectionTables.Row] {
    guard knows else { return [] }
    return [.init(label, value.map { $0.texts.map(joined) ?? $0.kindName } ?? "none")]
  }

  private static func joined(_ texts: [String]) -> String { texts.joined(separator: ", ") }

  // MARK: Grids

  private static func entitlements(_ built: BuiltApp) -> InspectionTables.Grid<String> {
    let parts = [built.app].compactMap { $0 } + (built.extensions ?? [])
    let known = parts.filter { $0.entitlements != nil }
    let keys = Set(known.flatMap { $0.entitlements?.keys ?? [] }).sorted()
    return .init(
      columns: parts.map { shortName($0) },
      rows: keys.map { key in
        (
          key,
          parts.map { part in
            guard let own = part.entitlements else { return "?" }
            guard let value = own[key] else { return "–" }
            return value.texts.map(joined) ?? JSONText.write(value)
          }
        )
      })
  }

  private static func shortName(_ part: BuiltPart) -> String {
    part.name.hasSuffix(".appex") ? String(part.name.dropLast(6)) : part.name
  }

  private static let checkNames: [(CheckColumn, String)] = [
    (.place, "stands in its place, id of the app"), (.point, "extension point"),
    (.entry, "class or storyboard"), (.minimumOS, "minimum OS"), (.version, "version as the app"),
    (.program, "program"), (.libraries, "libraries"), (.signing, "profile and signature"),
    (.entitlements, "entitlements"), (.groups, "App Group, keychain"), (.keys, "keys of its plist"),
    (.rule, "activation rule"), (.name, "display names"), (.handOff, "opens the app"),
  ]

  /// Checks are rows: there are more of them than an app has extensions.
  private static func checks(
    _ built: BuiltApp, _ findings: [Finding]
  ) -> InspectionTables.Grid<InspectionTables.Mark> {
    guard let extensions = built.extensions, !extensions.isEmpty else {
      return .init(columns: [], rows: [])
    }
    return .init(
      columns: extensions.map { shortName($0) },
      rows: checkNames.map { column, name in
        (
          name,
          extensions.map { part in
            let own = findings.filter { $0.part == part.path && $0.column == column }
            let worst = Severity.allCases.first { severity in
              own.contains { $0.severity == severity }
            }
            return worst.map(mark) ?? sound(part, built, column)
          }
        )
      })
  }

  /// What a cell without a finding says: sound, not known, or no question.
  private static func sound(
    _ part: BuiltPart, _ built: BuiltApp, _ column: CheckColumn
  ) -> InspectionTables.Mark {
    let isHandOff = part.kind == .action || part.kind == .share
    let isKnown: Bool
    switch column {
    case .place: isKnown = part.bundleID != nil && built.app?.bundleID != nil
    case .point, .keys: isKnown = part.info != nil
    case .entry:
      guard [.service, .content, .action, .share].contains(part.kind) else { return .none }
      return part.hasEntryPoint.map { $0 ? .sound : .unknown } ?? .unknown
    case .minimumOS: isKnown = part.minimumOS != nil && built.app?.minimumOS != nil
    case .version:
      isKnown = part.info?["CFBundleVersion"] != nil && built.app?.info?["CFBundleVersion"] != nil
    case .program: isKnown = part.hasProgram != nil
    case .libraries: isKnown = part.missingLibraries != nil
    case .signing: isKnown = part.isSigningKnown
    case .entitlements, .groups:
      isKnown = part.entitlements != nil && built.app?.entitlements != nil
    case .rule:
      guard isHandOff else { return .none }
      isKnown = part.info != nil
    case .name:
      guard isHandOff else { return .none }
      isKnown = part.displayNames != nil
    case .handOff:
      guard isHandOff || part.kind == .content else { return .none }
      isKnown = part.program?.main?.names != nil
    }
    return isKnown ? .sound : .unknown
  }

  private static func names(_ built: BuiltApp) -> InspectionTables.Grid<InspectionTables.Mark> {
    let parts =
      [built.app].compactMap { $0 }
      + (built.extensions ?? []).filter { $0.kind == .action || $0.kind == .share }
    let missing = parts.map { $0.kind == nil ? [] : Inspection.missingNames($0, in: built) }
    let languages = Set(missing.joined() + parts.flatMap { ($0.displayNames ?? [:]).keys }).sorted()
    guard !languages.isEmpty else { return .init(columns: [], rows: []) }
    return .init(
      columns: parts.map { shortName($0) },
      rows: languages.map { language in
        (
          language,
          zip(parts, missing).map { part, missing in
            guard let names = part.displayNames else { return .unknown }
            if names[language] != nil { return .sound }
            return missing.contains(language) ? .warns : .none
          }
        )
      })
  }

  // MARK: JSON

  static func json(_ built: BuiltApp, _ findings: [Finding]) -> String {
    var facts = built.facts
    let extensions = facts["extensions"] ?? .array([])
    facts["extensions"] = nil
    let whole = PlistDictionary([
      ("version", .integer(1)), ("source", .text(built.source)), ("app", .dictionary(facts)),
      ("extensions", extensions), ("findings", .array(findings.map(json))),
      (
        "problems",
        .array(
          built.problems.map {
            .dictionary(
              PlistDictionary([("place", .text($0.place)), ("reason", .text($0.description))]))
          })
      ),
    ])
    return JSONText.write(.dictionary(whole), isPretty: true) + "\n"
  }

  static func json(_ finding: Finding) -> PlistValue {
    .dictionary(
      PlistDictionary([
        ("step", .text(finding.step.rawValue)),
        ("cause", finding.cause.map { .text($0.rawValue) } ?? .null),
        ("severity", .text(finding.severity.rawValue)), ("part", .text(finding.part)),
        (
          "place",
          .dictionary(
            PlistDictionary([
              ("file", .text(finding.file)), ("key", finding.key.map { .text($0) } ?? .null),
            ]))
        ),
        ("fact", .array(finding.facts.map { .text($0) })),
        ("sentence", .text(finding.sentence)),
      ]))
  }
}
