public import PushChecklist
public import PushModel

/// Everything that `check` shows of one chain.
public struct CheckTables: Sendable {
  /// What the input is called.
  public var title: String
  /// The chain.
  public var chain: Chain
  /// Its walk.
  public var walk: Walk
  /// The answer and all causes.
  public var causes: CauseList
  /// What each step says, in the order of the path; empty where it does not apply.
  public var sentences: [StepID: String]
  /// What the gateway's request turns into: label and text.
  public var translation: [(label: String, text: String)]
  /// The notifications of the logs, where they hold several.
  public var notifications: [Notification] = []

  /// One of several notifications of a log, and what was found of it.
  public struct Notification: Sendable {
    /// Its id.
    public var name: String
    /// Its short id, if known.
    public var shortID: String?
    /// Its first line in the logs, from 1.
    public var firstLine: Int
    /// What is said of it.
    public var judgement: Judgement
    /// The step that is broken, or behind which sight was lost.
    public var step: StepID?
    /// The cause, if one is named.
    public var cause: CauseID?
    /// Whether it is the one that the rest of the report is about.
    public var isShown = false

    /// A notification with these values.
    public init(
      name: String, shortID: String?, firstLine: Int, judgement: Judgement, step: StepID?,
      cause: CauseID?
    ) {
      self.name = name
      self.shortID = shortID
      self.firstLine = firstLine
      self.judgement = judgement
      self.step = step
      self.cause = cause
    }
  }

  /// Tables with these values.
  public init(
    title: String, chain: Chain, walk: Walk, causes: CauseList, sentences: [StepID: String],
    translation: [(label: String, text: String)] = []
  ) {
    self.title = title
    self.chain = chain
    self.walk = walk
    self.causes = causes
    self.sentences = sentences
    self.translation = translation
  }
}

/// The diagnosis of one notification without a database.
public enum CheckReport {
  /// Version of the JSON form; it changes when a key goes or changes its meaning.
  static let jsonVersion = 1

  /// Writes the diagnosis in one format.
  public static func render(_ tables: CheckTables, format: ReportFormat, wording: CauseWording)
    -> String
  {
    switch format {
    case .json: json(tables).written
    case .html: HTMLWriter.write(page(tables, wording))
    case .markdown: MarkdownWriter.write(page(tables, wording))
    case .text: TextWriter.write(page(tables, wording))
    }
  }

  // MARK: Where evidence stands

  /// The dotted path of a piece of evidence, with what it is.
  static func place(_ evidence: Evidence, _ chain: Chain) -> String {
    let place = Int(evidence.place)
    switch evidence.kind {
    case .none: return ""
    case .send:
      let isList = chain.scrap?.facts.evidence["sends"] != nil
      return isList ? "sends.\(place)" : "send"
    case .event:
      guard chain.events.indices.contains(place) else { return "events" }
      let event = chain.events[place]
      let name = event.name.word?.rawValue ?? "event"
      let part = event.reference.source == 4 ? "log" : "events"
      return "\(part).\(max(0, Int(event.reference.line) - 1)) (\(name))"
    case .release: return "app, extensions"
    case .installation: return "device"
    case .settings: return "device.settings"
    case .categories: return "app.registered_categories"
    case .newerToken: return "send.newer_token_at"
    case .replacement, .nextSend, .storedArrival, .activityEnd: return "sends"
    case .coverage: return "events (a log without gaps)"
    case .fact:
      return Need(rawValue: UInt8(truncatingIfNeeded: place)).map(\.text) ?? ""
    case .comparison: return "observed.\(place)"
    }
  }

  private static func places(_ evidence: [Evidence], _ chain: Chain) -> [String] {
    var found: [String] = []
    for one in evidence where one != .none && !found.contains(place(one, chain)) {
      found.append(place(one, chain))
    }
    return found
  }

  // MARK: Page

  static func page(_ tables: CheckTables, _ wording: CauseWording) -> Page {
    var page = Page(
      name: "triage", title: "Check \(tables.title)", subtitle: subtitle(tables), about: [],
      sections: [])
    add("notifications", "Notifications of the logs", notifications(tables), to: &page)
    page.sections.append(
      Section(id: "verdict", title: "Verdict", blocks: verdict(tables, wording)))
    add("others", "Other causes that hold", others(tables, wording, isBroken: true), to: &page)
    let fits = tables.causes.cause == nil ? "What fits" : "What fits too"
    add("candidates", fits, others(tables, wording, isBroken: false), to: &page)
    add("needs", "What would decide, cheapest first", needs(tables), to: &page)
    add("unchecked", "What could not be checked", unchecked(tables, wording), to: &page)
    add("gateway", "What the gateway makes of it", translation(tables), to: &page)
    let steps = steps(tables, wording)
    if steps != .steps([]) {
      page.sections.append(Section(id: "steps", title: "Steps that say something", blocks: [steps]))
    }
    return page
  }

  private static func add(
    _ id: String, _ title: String, _ blocks: [Block], to page: inout Page
  ) {
    if !blocks.isEmpty { page.sections.append(Section(id: id, title: title, blocks: blocks)) }
  }

  private static func subtitle(_ tables: CheckTables) -> String {
    let meaning = tables.chain.meaning.texts.joined(separator: ", ")
    let source =
      switch tables.chain.meaningSource {
      case .stated: "as the complaint or the sender says"
      case .rule: "by a rule of the team"
      case .payload: "as the payload says"
      case .guess: "guessed from the payload"
      case .none: "nothing says more"
      }
    return "Meant to be \(meaning) (\(source)); checklist: \(tables.chain.kind.text)"
  }

  private static func title(_ step: StepID, _ wording: CauseWording) -> String {
    let title = wording.title(step)
    return title.isEmpty ? step.rawValue : "\(title) (\(step.rawValue))"
  }

  private static func verdict(_ tables: CheckTables, _ wording: CauseWording) -> [Block] {
    let causes = tables.causes
    var lines: [Labelled] = []
    if let cause = causes.cause {
      lines.append(
        Labelled(
          "Cause",
          Cell(lines: [
            [.code(cause.rawValue), Span(text: "(\(causes.confidence.text))")],
            [Span(text: wording.meaning(cause))],
          ])))
      if let entry = causes.entries.first(where: { $0.cause == cause }), !entry.support.isEmpty {
        lines.append(
          Labelled(
            "Rests on", Cell(lines: places(entry.support, tables.chain).map { [.code($0)] })))
      }
    }
    if let step = causes.step, let sentence = tables.sentences[step], !sentence.isEmpty {
      lines.append(Labelled("Because", sentence))
    }
    if let cause = causes.cause { lines.append(Labelled("Repair", wording.repair(cause))) }
    let stage = tables.walk.seen.stage
    if stage != .none { lines.append(Labelled("Last stage seen", stage.text)) }
    return [.callout(tone(causes), title: sentence(causes, wording), lines: lines)]
  }

  private static func tone(_ causes: CauseList) -> Tone {
    switch causes.judgement {
    case .asMeant: .good
    case .broken: .bad
    case .cannotTell: .unsure
    case .conflicting: .conflict
    }
  }

  private static func sentence(_ causes: CauseList, _ wording: CauseWording) -> String {
    let step = causes.step.map { title($0, wording) }
    switch causes.judgement {
    case .asMeant: return "Nothing wrong was found in what was given"
    case .broken: return "Broken at: \(step ?? "a step that is not named")"
    case .cannotTell:
      if let step { return "Cannot tell: it is about: \(step)" }
      return causes.entries.isEmpty
        ? "Cannot tell: nothing that was given is wrong, and it does not show what happened"
        : "Cannot tell: what was given fits more than one cause"
    case .conflicting:
      return step.map { "Conflicting evidence at: \($0)" } ?? "Conflicting evidence"
    }
  }

  /// At most this many notifications are listed, the last ones.
  private static let mostListed = 40

  private static func notifications(_ tables: CheckTables) -> [Block] {
    let all = tables.notifications
    guard !all.isEmpty else { return [] }
    let shown = all.suffix(mostListed)
    let rows = shown.map { one -> [Cell] in
      let said: String =
        switch one.judgement {
        case .asMeant: "nothing wrong found"
        case .broken: "broken"
        case .cannotTell: "cannot tell"
        case .conflicting: "conflicting"
        }
      return [
        Cell(one.isShown ? "shown" : ""), .code(one.name), Cell(one.shortID ?? ""),
        Cell("\(one.firstLine)"), Cell(said), Cell(one.step?.rawValue ?? ""),
        Cell(one.cause?.rawValue ?? ""),
      ]
    }
    var blocks: [Block] = [
      .table(
        Table(
          caption: "",
          columns: [
            Table.Column(title: ""), Table.Column(title: "Notification"),
            Table.Column(title: "Short id"), Table.Column(title: "Line", alignment: .right),
            Table.Column(title: "Verdict"), Table.Column(title: "Step"),
            Table.Column(title: "Cause"),
          ], rows: rows))
    ]
    if shown.count < all.count {
      blocks.append(.sentence("\(all.count - shown.count) earlier ones are not listed."))
    }
    return blocks
  }

  private static func others(
    _ tables: CheckTables, _ wording: CauseWording, isBroken: Bool
  ) -> [Block] {
    let entries = tables.causes.entries.filter {
      $0.isBroken == isBroken && $0.cause != tables.causes.cause
    }
    guard !entries.isEmpty else { return [] }
    return [
      .facts(
        entries.map { entry in
          var lines: [[Span]] = [
            [Span(text: "\(wording.title(entry.step)), \(entry.confidence.text):")],
            [Span(text: wording.meaning(entry.cause))],
          ]
          let rests = places(entry.support, tables.chain)
          if !rests.isEmpty { lines.append([.quiet("rests on " + rests.joined(separator: "; "))]) }
          return Labelled(entry.cause.rawValue, Cell(lines: lines))
        })
    ]
  }

  private static func needs(_ tables: CheckTables) -> [Block] {
    guard !tables.causes.needs.isEmpty else { return [] }
    return [.facts(tables.causes.needs.map { Labelled($0.text, $0.howToGet) })]
  }

  private static func unchecked(_ tables: CheckTables, _ wording: CauseWording) -> [Block] {
    let steps = Checklist.of(tables.walk.kind).steps
    let open = zip(steps, tables.walk.results).filter { $0.1.outcome == .unknown }
    guard !open.isEmpty else { return [] }
    return [
      .sentence(
        open.map { $0.0.id.rawValue }.joined(separator: ", ")
          + ": the evidence for them was not given; nothing is said about them.")
    ]
  }

  private static func translation(_ tables: CheckTables) -> [Block] {
    guard !tables.translation.isEmpty else { return [] }
    return [.facts(tables.translation.map { Labelled($0.label, $0.text) })]
  }

  private static func steps(_ tables: CheckTables, _ wording: CauseWording) -> Block {
    let list = Checklist.of(tables.walk.kind).steps
    // Steps of which nothing is known are named above; a line for each would hide the rest.
    let shown = zip(list, tables.walk.results).filter { _, result in
      switch result.outcome {
      case .notApplicable: false
      case .unknown: result.candidates.0 != nil || result.evidence.0 != .none
      case .holds, .broken: true
      }
    }
    return .steps(
      shown.map { step, result in
        var details: [Labelled] = []
        if result.outcome == .broken {
          // A refusal has its cause at the step that its reason is about.
          let isRefusal = result.cause == nil && step.id == .apnsAccepted
          let named = isRefusal ? tables.causes.step : nil
          details.append(
            Labelled(
              "Cause",
              result.cause?.rawValue ?? named.map { "see \($0.rawValue)" } ?? "not determined"))
          if result.cause != nil {
            details.append(Labelled("How sure", result.confidence.text))
          }
        }
        if result.outcome == .unknown, result.candidates.0 != nil {
          let fits = [result.candidates.0, result.candidates.1].compactMap { $0?.rawValue }
          details.append(Labelled("Fits", fits.joined(separator: ", ")))
        }
        let tone: Tone =
          switch result.outcome {
          case .holds: .good
          case .broken: .bad
          case .unknown: .unsure
          case .notApplicable: .quiet
          }
        let evidence = places(
          [result.evidence.0, result.evidence.1, result.evidence.2], tables.chain)
        if !evidence.isEmpty {
          details.append(Labelled("Rests on", evidence.joined(separator: "; ")))
        }
        return ShownStep(
          title: wording.title(step.id), id: step.id.rawValue, outcome: result.outcome.text,
          tone: tone, sentence: tables.sentences[step.id] ?? "", details: details, evidence: [],
          isDecisive: step.id == tables.causes.step)
      })
  }

  // MARK: JSON

  static func json(_ tables: CheckTables) -> JSONValue {
    let causes = tables.causes
    var members: [(key: String, value: JSONValue)] = [
      (key: "version", value: JSONValue(jsonVersion)),
      (
        "verdict",
        .object([
          ("step", JSONValue(causes.step?.rawValue)), ("cause", JSONValue(causes.cause?.rawValue)),
          ("undetermined", .boolean(causes.isUndetermined)),
          ("needs", .array(paths(causes.needs).map { .text($0) })),
          ("confidence", causes.cause == nil ? .null : .text(causes.confidence.text)),
        ])
      ),
      (
        "causes",
        .array(
          causes.entries.map { entry in
            .object([
              ("id", .text(entry.cause.rawValue)), ("step", .text(entry.step.rawValue)),
              ("confidence", .text(entry.confidence.text)),
              ("support", .array(places(entry.support, tables.chain).map { .text($0) })),
            ])
          })
      ),
      ("steps", .array(stepRows(tables))),
    ]
    guard !tables.notifications.isEmpty else { return .object(members) }
    members.append(
      (
        "notifications",
        .array(
          tables.notifications.map { one in
            .object([
              ("id", .text(one.name)), ("short_id", JSONValue(one.shortID)),
              ("line", JSONValue(one.firstLine)), ("judgement", .text(one.judgement.text)),
              ("step", JSONValue(one.step?.rawValue)), ("cause", JSONValue(one.cause?.rawValue)),
              ("shown", .boolean(one.isShown)),
            ])
          })
      ))
    return .object(members)
  }

  /// Parts of a case file, each once, in the order given.
  private static func paths(_ needs: [Need]) -> [String] {
    var found: [String] = []
    for need in needs where !found.contains(need.casePath) { found.append(need.casePath) }
    return found
  }

  private static func stepRows(_ tables: CheckTables) -> [JSONValue] {
    zip(Checklist.of(tables.walk.kind).steps, tables.walk.results).map { step, result in
      let evidence = [result.evidence.0, result.evidence.1, result.evidence.2]
      let isOpen = result.outcome == .unknown || result.outcome == .broken
      let fits = [result.candidates.0, result.candidates.1].compactMap { $0?.rawValue }
      return .object([
        ("step", .text(step.id.rawValue)), ("outcome", .text(result.outcome.text)),
        ("cause", JSONValue(result.outcome == .broken ? result.cause?.rawValue : nil)),
        (
          "confidence",
          result.outcome == .broken ? .text(result.confidence.text) : .null
        ),
        ("because", JSONValue(tables.sentences[step.id])),
        ("rests_on", .array(places(evidence, tables.chain).map { .text($0) })),
        ("fits", .array(fits.map { .text($0) })),
        (
          "needs",
          .array((isOpen ? paths(result.needs.all) : []).map { .text($0) })
        ),
      ])
    }
  }
}
