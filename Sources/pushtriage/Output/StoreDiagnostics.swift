import PushBundle
import PushStore
import Queries

extension Diagnostic {
  /// What to say where something is not found that may have been pruned.
  static func pruningNote(_ database: Database) throws(StoreError) -> [String] {
    try database.prunedBefore().map {
      ["notifications sent before \(CivilDay.text(of: $0)) were pruned"]
    } ?? []
  }

  /// What a failure of the database means for the user.
  init(_ failure: StoreError) {
    let path = quoted(failure.path)
    switch failure.kind {
    case .cannotOpen:
      self.init(
        "cannot open the database \(path)", reason: failure.message,
        help: ["name it with --db, or make one: pushtriage ingest <logs> --db <file>"])
    case .notReadable:
      self.init(
        "cannot open the database \(path)", reason: failure.message,
        help: ["give this account the permission to read it, or name another with --db"])
    case .notADatabase:
      self.init(
        "\(path) is not a database of pushtriage", reason: failure.message,
        help: ["name the file that an ingest wrote with --db"])
    case .tooNew:
      self.init(
        "the database \(path) is of a newer pushtriage",
        reason: failure.message,
        help: ["use the newer program, or ingest the logs into another file"])
    case .locked:
      self.init(
        "the database \(path) is locked",
        reason: failure.code == 0 ? failure.message : "another program is writing to it",
        help: ["wait until that is done and try again"])
    case .cannotWrite:
      self.init(
        "the database \(path) cannot be read or written", reason: failure.message,
        help: ["check that the disk has room and that the file and its folder may be written"])
    case .keyFile:
      self.init(
        "the key file beside the database \(path) cannot be used", reason: failure.message,
        help: ["put back the key file that belongs to this database"])
    case .damaged:
      self.init(
        "the database \(path) is damaged", reason: failure.message,
        help: ["ingest the logs again, into another file"])
    case .failed:
      self.init(
        "the database \(path) gave an error", reason: failure.message,
        notes: failure.code == 0 ? [] : ["SQLite's code is \(failure.code)"])
    }
  }

  /// What is wrong with how a query was asked for.
  init(_ problem: QueryProblem) {
    switch problem {
    case .unknownQuery(let name, let known):
      let nearest = byDistance(to: name, known).prefix(5)
      self.init(
        "unknown query \(quoted(name))",
        help: [
          nearest.isEmpty ? nil : "the nearest names: \(nearest.joined(separator: ", "))",
          "'pushtriage query --list' lists all",
        ].compactMap { $0 })
    case .missingParameter(let parameter, let query):
      self.init(
        "the query '\(query)' needs the parameter '\(parameter.name)'",
        reason: parameter.meaning,
        help: ["add --param \(parameter.name)=<value>: \(Diagnostic.form(parameter.type))"])
    case .unknownParameter(let name, let query, let known):
      self.init(
        "the query '\(query)' has no parameter \(quoted(name))",
        help: [
          known.isEmpty
            ? "it takes none"
            : "its parameters: \(byDistance(to: name, known).joined(separator: ", "))"
        ])
    case .repeatedParameter(let name, let query):
      self.init(
        "the parameter \(quoted(name)) of the query '\(query)' is given twice",
        help: ["give it once"])
    case .illTypedParameter(let parameter, let given, let query):
      self.init(
        "\(quoted(given)) is no value for the parameter '\(parameter.name)' of the query '\(query)'",
        reason: parameter.meaning, help: ["expected \(Diagnostic.form(parameter.type))"])
    case .damagedHeader(let header):
      self.init("the query cannot be used", reason: header.description)
    }
  }

  private static func form(_ type: QueryHeader.ValueType) -> String {
    switch type {
    case .text: "a text"
    case .integer: "a whole number"
    case .real: "a number"
    case .blob: "hex digits"
    case .json: "JSON"
    case .boolean: "true or false"
    case .time: "a time such as 2026-11-29T08:15:00Z"
    case .day: "a day such as 2026-11-29"
    }
  }

  /// Why two releases cannot be compared.
  init(_ problem: ComparisonProblem) {
    switch problem {
    case .notARelease(let text):
      self.init(
        "\(quoted(text)) is no release", help: ["expected a version such as 5.1.0 or 5.1.0(5101)"])
    case .unknownRelease(let release, let app, let known):
      let names = byDistance(to: release, known)
      let nearest = names.prefix(8)
      let more = names.count > nearest.count ? ", …" : ""
      self.init(
        "no notification of the release \(quoted(release)) is in the database",
        reason: app.map { "the app is limited to \(quoted($0))" },
        help: [
          nearest.isEmpty
            ? "no release is known: the device logs say which one is installed"
            : "the releases there are: \(nearest.joined(separator: ", "))\(more)"
        ])
    case .notInDays(let release, let first, let last):
      self.init(
        "no notification of the release \(quoted(release)) was sent in the days of --since and --until",
        reason: "its notifications were sent from \(CivilDay.text(of: first)) to "
          + CivilDay.text(of: last),
        help: ["choose other days"])
    case .severalApps(let apps):
      self.init(
        "several apps have both releases",
        help: ["choose one with --app: \(apps.joined(separator: ", "))"])
    case .noCommonApp(let baseline, let candidate):
      self.init(
        "no app has both \(quoted(baseline)) and \(quoted(candidate))",
        help: ["'pushtriage query releases' lists the releases of each app"])
    case .severalBuilds(let version, let builds):
      self.init(
        "the version \(quoted(version)) has several builds",
        help: ["choose one: \(builds.joined(separator: ", "))"])
    case .sameRelease(let release):
      self.init(
        "\(quoted(release)) is given twice", help: ["name the two releases to be compared"])
    }
  }
}

extension Diagnostic {
  /// For a database without notifications.
  static func noNotifications(in database: String) -> Diagnostic {
    Diagnostic(
      "the database \(quoted(database)) has no notifications yet",
      help: ["read logs into it: pushtriage ingest <logs> --db <file>"])
  }

  /// Days since 1970 in order, as stretches: `2026-11-01 to 2026-11-14, 2026-11-29`; the newest
  /// five stretches.
  static func spans(of days: [Int64]) -> String {
    var spans: [ClosedRange<Int64>] = []
    for day in days {
      if let last = spans.last, last.upperBound + 1 == day {
        spans[spans.count - 1] = last.lowerBound...day
      } else {
        spans.append(day...day)
      }
    }
    let texts = spans.suffix(5).map { span in
      span.count == 1
        ? CivilDay.text(of: span.lowerBound)
        : "\(CivilDay.text(of: span.lowerBound)) to \(CivilDay.text(of: span.upperBound))"
    }
    return (spans.count > 5 ? "…, " : "") + texts.joined(separator: ", ")
  }
}

extension Diagnostic {
  /// Why a built app cannot be inspected.
  init(_ problem: BundleProblem) {
    let help: String?
    let reason: String
    switch problem.kind {
    case .system(let code):
      (reason, help) = (systemReason(code), nil)
    case .notABundle:
      (reason, help) = (
        problem.description,
        "give an .ipa, .xcarchive, .app or .appex, an Info.plist, entitlements, or facts as JSON"
      )
    case .archive, .damaged, .missingFile, .missingKey:
      (reason, help) = (problem.description, "export or copy the app again")
    default: (reason, help) = (problem.description, nil)
    }
    self.init(
      "the app cannot be inspected", reason: reason, at: Place(source: problem.place),
      help: help.map { [$0] } ?? [])
  }
}
