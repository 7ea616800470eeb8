import Glibc
import PushBundle
import PushChecklist
import PushIngest
import PushModel
import PushPipeline
import PushReport

/// `pushtriage check`: a diagnosis without a database.
struct CheckCommand: Subcommand {
  enum Format: String, ArgumentChoice {
    case text
    case json
    case md

    fileprivate var ofReport: ReportFormat {
      switch self {
      case .text: .text
      case .md: .markdown
      case .json: .json
      }
    }
  }

  var caseFile: String?
  var payload: String?
  var headers: String?
  var response: String?
  var logs: [String] = []
  var bundle: String?
  var id: String?
  var deviceOS: SystemVersion?
  var symptom: String?
  var format = Format.text
  var output: String?

  static let row = CommandRow<CheckCommand>(
    name: "check",
    summary: "Diagnose one notification from whatever scraps of evidence there are.",
    discussion: [
      """
      Takes a case file, or '-' for one on standard input, or any mix of the options, and walks \
      the same checklist as 'triage'. What is not given is unknown and never counts against \
      anything; where the evidence does not tell, the answer says what would.
      """
    ],
    arguments: [
      .atMostOne("case", \.caseFile, "A case file (JSON), or '-' for standard input.")
    ],
    options: [
      .optional("payload", "file", \.payload, "The payload as sent: JSON or an .apns file."),
      .optional(
        "headers", "file", \.headers, "Request headers: JSON or one 'name: value' a line."),
      .optional(
        "response", "file", \.response, "The answer: status and reason as JSON, or curl -i."),
      .list("log", "file", \.logs, "A log of the phone: own device log or system log."),
      .optional(
        "bundle", "path", \.bundle,
        "The built app: .ipa, .xcarchive, .app, .appex, an Info.plist, or facts as JSON."),
      .optional(
        "id", "id", \.id,
        "Which notification of the logs: an id that the app or the sender gave it, or a short id."),
      .optional("device-os", "version", \.deviceOS, "Version of iOS on the phone, such as 17.4."),
      .optional(
        "symptom", "symptom", \.symptom, "What was seen, such as plain-instead-of-rich."),
      .format(\.format),
      .output(\.output),
    ],
    example: "pushtriage check --symptom no-image --device-os 17.4")

  func check() throws(UsageProblem) {
    if let symptom, Symptom(rawValue: symptom) == nil {
      throw .invalidValue(
        symptom, of: "--symptom <symptom>", .oneOf(Symptom.allCases.map(\.rawValue)))
    }
    let hasInput =
      caseFile != nil || payload != nil || headers != nil || response != nil || !logs.isEmpty
      || bundle != nil || deviceOS != nil || symptom != nil
    if !hasInput { throw .missingArgument("<case>") }
  }

  func run(_ context: CommandContext) throws -> ExitCode {
    var title = caseFile == "-" ? "standard input" : caseFile ?? "what was given"
    var notes: [FieldNote] = []
    var inputs = CheckInputs()
    if let caseFile {
      // Types are checked before anything is added, so that a path names the file's own place.
      let file = try reading(caseFile) { bytes throws(CaseProblem) -> CaseValue in
        let file = try CaseJSON.read(bytes)
        notes = try CaseReader.read(file: file).notes
        return file
      }
      inputs = CheckInputs(evidence: file["evidence"] ?? .object([]))
      if let name = file["title"]?.text { title = "\(title): \(name)" }
    }
    if let payload {
      try reading(payload) { bytes throws(CaseProblem) in try inputs.add(payload: bytes) }
    }
    if let headers {
      try reading(headers) { bytes throws(CaseProblem) in try inputs.add(headers: bytes) }
    }
    if let response {
      try reading(response) { bytes throws(CaseProblem) in try inputs.add(response: bytes) }
    }
    if let bundle { try add(bundle: bundle, to: &inputs, context) }
    if let deviceOS { inputs.add(deviceOS: deviceOS.argumentText) }
    if let symptom = symptom.flatMap(Symptom.init(rawValue:)) { inputs.add(symptom: symptom) }
    let notifications = try addLogs(to: &inputs, context)
    let reading = try CaseReader.read(evidence: inputs.evidence)
    if caseFile == nil { notes += reading.notes }
    for note in notes { context.say("note: \(note.field) \(note.reason)") }
    var tables = CheckCommand.tables(reading, title: title)
    tables.notifications = notifications
    let output = try OutputWriter(to: output)
    try output.write(
      CheckReport.render(tables, format: format.ofReport, wording: .checklist()))
    try output.finish()
    return .done
  }

  // MARK: Logs

  /// So many notifications of a log are judged and listed beside the one that is asked for.
  private static let mostParts = 100

  /// Adds what the logs say of one notification: the one that was asked for, or that the request's
  /// headers name; else, of several, the last broken one.
  ///
  /// - Returns: all notifications of the logs with their verdicts, where there are several.
  private func addLogs(
    to inputs: inout CheckInputs, _ context: CommandContext
  ) throws -> [CheckTables.Notification] {
    var split = LogSplit()
    for log in logs { try add(log: log, to: &split, context) }
    let parts = split.parts
    if parts.isEmpty {
      if id != nil, !logs.isEmpty {
        context.say("note: no line of the logs names a notification; '--id' chooses nothing")
      }
      inputs.add(split.whole)
      return []
    }
    var chosen = parts.count == 1 ? 0 : nil
    if let id {
      guard let place = LogSplit.part(id, of: parts) else {
        let names = parts.suffix(5).map { quoted($0.name) }.joined(separator: ", ")
        throw Diagnostic(
          "no line of the logs belongs to \(quoted(id))",
          reason: "they hold \(parts.count) notification\(parts.count == 1 ? "" : "s"): "
            + (parts.count > 5 ? "…, " : "") + names,
          help: ["name one of them with '--id', or leave it out"])
      }
      chosen = place
      let phones = parts.filter { $0.ids.contains(parts[place].name) }.count
      if phones > 1 {
        context.say(
          "note: \(phones) phones have \(quoted(parts[place].name)); the first is shown, its "
            + "'apns_id' or 'request_id' names another")
      }
    }
    if parts.count == 1 {
      inputs.add(split.whole)
      return []
    }
    chosen = chosen ?? inputs.sentIDs.lazy.compactMap { LogSplit.part($0, of: parts) }.first
    if parts.count > Self.mostParts {
      guard let chosen else {
        throw Diagnostic(
          "the logs hold \(parts.count) notifications",
          help: [
            "name one of them with '--id'",
            "'pushtriage ingest' reads logs of many, and 'pushtriage report daily' counts them",
          ])
      }
      inputs.add(parts[chosen])
      return []
    }
    var rows: [CheckTables.Notification] = []
    for part in parts {
      var inputs = inputs
      inputs.add(part)
      let reading = try CaseReader.read(evidence: inputs.evidence)
      let causes = CauseList(of: reading.chain, Checklist.walk(reading.chain))
      rows.append(
        CheckTables.Notification(
          name: part.name, shortID: part.shortID, firstLine: part.firstLine,
          judgement: causes.judgement, step: causes.step, cause: causes.cause))
    }
    if chosen == nil {
      let broken = rows.lastIndex { $0.judgement == .broken }
      chosen = broken ?? rows.indices.last
      context.say(
        "note: the logs hold \(parts.count) notifications; "
          + "the last \(broken == nil ? "" : "broken ")one is shown, '--id' chooses another")
    }
    rows[chosen ?? 0].isShown = true
    inputs.add(parts[chosen ?? 0])
    return rows
  }

  /// Adds a log of the phone: line by line, or where no line says anything, as `ingest` would read it
  /// (reports, compressed files, archives).
  private func add(log: String, to split: inout LogSplit, _ context: CommandContext) throws {
    var found = split.add(try FileBytes.read(log))
    if found.known == 0, log != "-" {
      var records: [UInt8] = []
      let read = try DryRun.run(IngestOptions(inputs: [log], databasePath: ""), isAllThereIs: true)
      {
        records.append(contentsOf: $0.utf8)
        records.append(0x0a)
      }
      if read.sources.contains(where: { $0.records > 0 }) {
        found = split.add(records)
      }
    }
    let name = log == "-" ? "standard input" : quoted(log)
    context.say("note: \(found.known) of \(found.all) lines of \(name) say something known")
  }

  /// Adds what a built app says. Of several releases in one file of facts the first one counts.
  private func add(bundle: String, to inputs: inout CheckInputs, _ context: CommandContext) throws {
    let apps = try BundleReader.read(bundle)
    guard let app = apps.first else { return }
    if apps.count > 1 {
      context.say(
        "note: \(quoted(bundle)) holds \(apps.count) apps or releases, the first one is looked at")
    }
    for problem in app.problems {
      context.say("note: \(problem.place) was left out: \(problem.description)")
    }
    inputs.add(release: try CaseJSON.read(Array(app.factsText.utf8)))
  }

  /// Everything that is shown of one reading.
  static func tables(_ reading: CaseReading, title: String) -> CheckTables {
    let walk = Checklist.walk(reading.chain)
    var sentences: [StepID: String] = [:]
    for (step, result) in zip(Checklist.of(walk.kind).steps, walk.results)
    where result.outcome != .notApplicable {
      // What a later sighting presupposes was seen by nobody itself.
      let isPresupposed =
        result.outcome == .holds && result.evidence.0.kind == .event
        && walk.seen.settled.contains(StepSet(step.id))
      sentences[step.id] =
        isPresupposed
        ? "Follows from what was seen later." : step.sentence(reading.chain, result, reading.texts)
    }
    var translation: [(label: String, text: String)] = []
    if let gateway = reading.gateway, let message = reading.message {
      translation = [
        ("Gateway", gateway.title), ("mutable-content", "belongs at \(gateway.mutableContent)"),
        ("content-available", "belongs at \(gateway.contentAvailable)"),
        ("category", "belongs at \(gateway.category)"), ("Own keys", gateway.ownKeys),
      ]
      if let payload = message.payload {
        translation.append(
          ("APNs payload", String(decoding: CaseJSON.write(payload), as: UTF8.self)))
      }
      for header in message.headers {
        translation.append(
          (header.key, String(decoding: CaseJSON.write(header.value), as: UTF8.self)))
      }
      for remark in message.remarks { translation.append(("Note", remark)) }
    }
    return CheckTables(
      title: title, chain: reading.chain, walk: walk,
      causes: CauseList(of: reading.chain, walk), sentences: sentences, translation: translation)
  }

  // MARK: Files

  /// Reads a file and makes something of it; a problem in it becomes a diagnostic that names it.
  private func reading<Value>(
    _ path: String, _ make: ([UInt8]) throws(CaseProblem) -> Value
  ) throws -> Value {
    let bytes = try FileBytes.read(path)
    do {
      return try make(bytes)
    } catch {
      let name = path == "-" ? "standard input" : path
      let place = error.place ?? JSONPlaces.place(of: error.path, in: bytes)
      throw Diagnostic(
        error.path.isEmpty
          ? "\(quoted(name)) \(error.reason)" : "'\(error.path)' \(error.reason)",
        at: Diagnostic.Place(source: name, line: place?.line, text: nil, column: nil),
        help: error.help.isEmpty ? [] : [error.help])
    }
  }
}

/// Small files whole.
enum FileBytes {
  /// More is no scrap of evidence.
  private static let most = 512 << 20

  /// The bytes of a file; `-` is standard input.
  static func read(_ path: String) throws -> [UInt8] {
    let descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw Diagnostic(
        "cannot read \(quoted(path))", reason: systemReason(errno),
        help: ["check the path; '-' reads standard input"])
    }
    defer { if descriptor != STDIN_FILENO { close(descriptor) } }
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = block.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
      if count == 0 { return bytes }
      if count < 0 {
        if errno == EINTR { continue }
        throw Diagnostic("cannot read \(quoted(path))", reason: systemReason(errno))
      }
      bytes.append(contentsOf: block[..<count])
      if bytes.count > most {
        throw Diagnostic(
          "\(quoted(path)) is larger than \(most >> 20) MB",
          help: ["cut it to the minutes around the notification"])
      }
    }
  }
}
