public import PushModel

/// The triage of one notification: its whole way, step by step, with the lines that decided.
public enum TriageReport {
  /// Writes the triage in one format.
  ///
  /// - Parameters:
  ///   - tables: everything known of the notification.
  ///   - format: the form of the result.
  ///   - wording: words of steps and causes.
  public static func render(_ tables: TriageTables, format: ReportFormat, wording: CauseWording)
    -> String
  {
    switch format {
    case .html: HTMLWriter.write(page(tables, wording))
    case .markdown: MarkdownWriter.write(page(tables, wording))
    case .text: TextWriter.write(page(tables, wording))
    case .json: json(tables, wording).written
    }
  }

  static func page(_ tables: TriageTables, _ wording: CauseWording) -> Page {
    let definition = Definition(named: "triage")
    return definition.page(
      name: "triage", title: "\(definition.value("title")) \(tables.asked)",
      subtitle: subtitle(tables), summary: verdict(tables, wording),
      replacements: [(name: "id", text: tables.asked)]
    ) { id in
      switch id {
      case "coverage": ([.facts(coverage(tables))], false)
      case "identity": ([.facts(identity(tables.identity))], false)
      case "steps": (steps(tables, wording), false)
      case "timeline": ([timeline(tables.timeline)], false)
      case "attempts": ([attempts(tables.attempts)], false)
      case "links": ([links(tables.links)], false)
      case "matches": (matches(tables), false)
      default: ([], false)
      }
    }
  }

  private static func subtitle(_ tables: TriageTables) -> String {
    let identity = tables.identity
    var parts: [String] = []
    if let bundle = identity.bundle {
      parts.append([bundle, release(identity)].compactMap { $0 }.joined(separator: " "))
    }
    if let device = identity.deviceID { parts.append("device \(device)") }
    let sent = tables.attempts.compactMap(\.sentAt).min()
    if let sent { parts.append("sent \(Shown.time(sent))") }
    return parts.joined(separator: " · ")
  }

  private static func release(_ identity: IdentityTable) -> String? {
    guard let version = identity.version else { return identity.build.map { "build \($0)" } }
    return identity.build.map { "\(version) (\($0))" } ?? version
  }

  // MARK: Verdict

  /// The verdict as a sentence.
  ///
  /// - Parameter row: what the step that the verdict names says.
  static func sentence(_ verdict: VerdictTable, _ row: StepRow?, _ wording: CauseWording) -> String
  {
    let step = verdict.step.map { step in
      let title = wording.title(step)
      return title.isEmpty || title == step.rawValue ? step.rawValue : "\(title) (\(step.rawValue))"
    }
    switch verdict.judgement {
    case .asMeant:
      return verdict.isReplaced
        ? "As meant: a newer notification with its collapse id replaced it"
        : verdict.confidence == .possible
          ? "As meant as far as APNs' answer tells; nothing is known of the phone" : "As meant"
    case .broken: return "Broken at: \(step ?? "a step that is not named")"
    case .cannotTell:
      guard let step else { return "Cannot tell" }
      switch row?.outcome {
      case .broken:
        return row?.cause == nil
          ? "Cannot tell why it broke at: \(step)" : "Cannot tell whether it broke before: \(step)"
      case .unknown: return "Cannot tell: sight was lost at: \(step)"
      case .holds, .notApplicable, nil: return "Cannot tell: sight was lost behind: \(step)"
      }
    case .conflicting:
      return step.map { "Conflicting evidence at: \($0)" } ?? "Conflicting evidence"
    }
  }

  private static func verdict(_ tables: TriageTables, _ wording: CauseWording) -> [Block] {
    let verdict = tables.verdict
    let decisive = tables.steps.first(where: \.isDecisive)
    var lines: [Labelled] = []
    // One phone's answer must not be taken for that of all.
    let others = tables.others
    if others.total > 0 {
      lines.append(
        Labelled(
          "Same id",
          "\(Shown.counted(others.total, "other notification has", "other notifications have")) it, "
            + "\(Shown.count(others.broken)) of them broken; see the end"))
    }
    if verdict.judgement == .broken || verdict.judgement == .conflicting {
      if let cause = verdict.cause {
        let meaning = wording.meaning(cause)
        lines.append(
          Labelled(
            "Cause",
            Cell(lines: [meaning.isEmpty ? [] : [Span(text: meaning)], [.code(cause.rawValue)]])))
      } else {
        lines.append(Labelled("Cause", "not determined"))
      }
      lines.append(Labelled("How sure", verdict.confidence.text))
    }
    if let step = decisive {
      if !step.sentence.isEmpty { lines.append(Labelled("Because", step.sentence)) }
      if !step.evidence.isEmpty {
        lines.append(
          Labelled("Evidence", Cell(lines: step.evidence.map { [.code(place($0))] })))
      }
    }
    lines.append(
      Labelled("Last stage seen", verdict.stage == .none ? "none" : verdict.stage.text))
    if let cause = verdict.cause {
      let repair = wording.repair(cause)
      if !repair.isEmpty { lines.append(Labelled("Repair", repair)) }
    }
    if !verdict.needs.isEmpty {
      lines.append(
        Labelled("Would decide", Cell(lines: verdict.needs.map { need($0, wording) })))
    }
    let tone: Tone =
      switch verdict.judgement {
      case .asMeant: .good
      case .broken: .bad
      case .cannotTell: .unsure
      case .conflicting: .conflict
      }
    return [.callout(tone, title: sentence(verdict, decisive, wording), lines: lines)]
  }

  private static func need(_ need: Need, _ wording: CauseWording) -> [Span] {
    let words = wording.need(need)
    return words.isEmpty || words == need.text
      ? [.code(need.text)] : [.code(need.text), Span(text: words)]
  }

  // MARK: Coverage and identity

  private static func coverage(_ tables: TriageTables) -> [Labelled] {
    let coverage = tables.coverage
    let device =
      switch coverage.installationLogs {
      case nil: "it is not known whether this installation has ever logged"
      case false?: "this installation has never logged anything, so nothing follows from silence"
      case true? where coverage.isGapless:
        "the log has no gap around this notification, "
          + DailyReport.period(coverage.runFrom, coverage.runTo)
      case true?: "the log has a gap, or ends, around this notification; silence proves nothing"
      }
    var lines = [
      Labelled(
        "Send log",
        coverage.sendLogComplete.map {
          $0 ? "records every accepted send" : "records only some of the accepted sends"
        } ?? "it is not known whether every accepted send is recorded"),
      Labelled("Device log", device),
    ]
    if coverage.isGapless {
      let holders = [
        coverage.holdsApp ? "the app" : nil,
        coverage.holdsExtension ? "the service extension" : nil,
      ].compactMap { $0 }
      lines.append(
        Labelled(
          "Records of",
          holders.isEmpty ? "neither app nor extension" : holders.joined(separator: " and ")
        ))
    }
    let identity = tables.identity
    if let offset = identity.clockOffset {
      let error = identity.clockError.map { ", give or take \(Shown.duration($0))" } ?? ""
      let direction =
        offset == 0
        ? "agrees with the server's"
        : "is \(Shown.duration(offset < 0 ? -offset : offset)) "
          + (offset > 0 ? "ahead of the server's" : "behind the server's")
      lines.append(Labelled("Device clock", direction + error))
    } else {
      lines.append(Labelled("Device clock", "its offset is not known"))
    }
    return lines + coverage.assumedClocks.map(assumed)
  }

  private static func assumed(_ clock: AssumedClock) -> Labelled {
    let zone = clock.zone.map { "times of \(clock.file) have no zone and were taken as \($0)" }
    let time = clock.time.map {
      let moment = Shown.moment($0)
      return "records of \(clock.file) have no time and were taken as of \(moment.date) "
        + moment.seconds
    }
    let year = clock.year.map { "times of \(clock.file) have no year and were taken as of \($0)" }
    return Labelled("Assumed", [zone, year, time].compactMap { $0 }.joined(separator: "; "))
  }

  private static func identity(_ identity: IdentityTable) -> [Labelled] {
    func code(_ label: String, _ value: String?) -> Labelled? {
      value.map { Labelled(label, .code($0)) }
    }
    let source =
      switch identity.meaningSource {
      case .stated: "stated by the send log"
      case .rule: "by a rule of the team"
      case .payload: "stated by the payload"
      case .guess: "guessed from the payload"
      case .none: "nothing says more"
      }
    let texts = identity.meaning.texts
    return [
      Labelled(
        "Meant to be", "\(texts.isEmpty ? "plain" : texts.joined(separator: ", ")) (\(source))"),
      Labelled("Checklist", identity.kind.text), code("Notification id", identity.notificationID),
      identity.apnsIDs.isEmpty
        ? nil : Labelled("apns-id", Cell(lines: identity.apnsIDs.map { [.code($0)] })),
      code("Collapse id", identity.collapseID), code("Request id", identity.requestID),
      code("Job or activity", identity.jobID), code("Device", identity.deviceID),
      code("Token, shortened", identity.token), code("App", identity.bundle),
      release(identity).map { Labelled("Release", $0) },
      identity.osVersion.map { Labelled("OS version", $0) },
      identity.model.map { Labelled("Device model", $0) }, code("Topic", identity.topic),
      code("Campaign", identity.campaign),
    ].compactMap { $0 }
  }

  // MARK: Steps

  /// `file:line`, or what stands in for it.
  static func place(_ line: StoredLine) -> String {
    guard let file = line.file else { return line.line > 0 ? "line \(line.line)" : "derived" }
    return line.line > 0 ? "\(file):\(line.line)" : file
  }

  static func shown(_ line: StoredLine) -> ShownLine {
    let remark =
      switch line.origin {
      case .stored: line.text == nil ? "the line was not kept" : ""
      case .source: "read again from the source"
      case .record: "the line was not kept; this is its record"
      case .fact: line.line > 0 ? "" : "a fact, not a line"
      }
    return ShownLine(place: place(line), text: line.text ?? "", remark: remark)
  }

  private static func steps(_ tables: TriageTables, _ wording: CauseWording) -> [Block] {
    guard !tables.steps.isEmpty else { return [.sentence("No step was judged.")] }
    var shownPlaces: Set<String> = []
    return [
      .steps(
        tables.steps.map { row in
          var details: [Labelled] = []
          if row.outcome == .broken {
            if let cause = row.cause {
              let meaning = wording.meaning(cause)
              details.append(
                Labelled(
                  "Cause",
                  Cell(lines: [
                    [.code(cause.rawValue), Span(text: meaning)].filter { !$0.text.isEmpty }
                  ])))
            } else {
              details.append(Labelled("Cause", "not determined"))
            }
          }
          if let confidence = row.confidence {
            details.append(Labelled("How sure", confidence.text))
          }
          if !row.missing.isEmpty {
            details.append(
              Labelled("Missing", Cell(lines: row.missing.map { need($0, wording) })))
          }
          let tone: Tone =
            switch row.outcome {
            case .holds: .good
            case .broken: .bad
            case .unknown: .unsure
            case .notApplicable: .quiet
            }
          let title = wording.title(row.step)
          return ShownStep(
            title: title.isEmpty ? row.step.rawValue : title, id: row.step.rawValue,
            outcome: row.outcome.text + (row.isDecisive ? " (decides)" : ""), tone: tone,
            sentence: row.sentence, details: details,
            evidence: row.evidence.map { line in
              // Several steps rest on the same line; its text is needed once.
              var shown = shown(line)
              if !shown.text.isEmpty, !shownPlaces.insert(shown.place + "\n" + shown.text).inserted
              {
                shown.text = ""
                shown.remark = "shown above"
              }
              return shown
            }, isDecisive: row.isDecisive)
        })
    ]
  }

  // MARK: Timeline and the rest

  private static func timeline(_ rows: [TimelineRow]) -> Block {
    var lastDate = ""
    let cells = rows.map { row -> [Cell] in
      var time: [[Span]] = [[.quiet("not known")]]
      if let microseconds = row.time {
        let moment = Shown.moment(microseconds)
        time = moment.date == lastDate ? [] : [[.quiet(moment.date)]]
        time.append([Span(text: moment.clock)])
        lastDate = moment.date
      }
      if row.clock == .device { time.append([.quiet("device clock")]) }
      let attributes = row.attributes.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
      return [
        Cell(lines: time), Cell(row.sincePrevious.map { "+" + Shown.duration($0) } ?? ""),
        Cell(lines: [[.strong(row.what)], attributes.isEmpty ? [] : [Span(text: attributes)]]),
        Cell(lines: [
          [.code(place(row.line))], row.link.isGuess ? [.quiet("a guess (\(row.link.text))")] : [],
        ]),
      ]
    }
    return .table(
      Table(
        caption: "",
        columns: [
          .init(title: "Time (UTC)"), .init(title: "Since", alignment: .right),
          .init(title: "What", isElastic: true), .init(title: "Record", isElastic: true),
        ], rows: cells, emptySentence: "No record has a time."))
  }

  private static func attempts(_ attempts: [AttemptRow]) -> Block {
    .table(
      Table(
        caption: "",
        columns: [
          .init(title: "Attempt", alignment: .right), .init(title: "Sent"),
          .init(title: "To", isElastic: true), .init(title: "Headers", isElastic: true),
          .init(title: "Answer", isElastic: true), .init(title: "Record", isElastic: true),
        ],
        rows: attempts.map { row in
          let headers = [
            ("topic", row.topic), ("push-type", row.pushType), ("priority", row.priority),
            ("expiration", row.expiration),
          ].compactMap { name, value in value.map { [Span.quiet(name), Span.code($0)] } }
          let answer =
            switch row.status {
            case nil: "not logged"
            case 0?: "no answer"
            case let status?: String(status)
            }
          return [
            Cell(String(row.attempt)), Cell(Shown.time(row.sentAt)),
            Cell([row.provider, row.environment].compactMap { $0 }.joined(separator: ", ")),
            Cell(lines: headers),
            Cell(
              lines: [
                [.strong(answer)], row.reason.map { [.code($0)] } ?? [],
                row.answeredAfter.map { [.quiet("after \(Shown.duration($0))")] } ?? [],
              ], tone: row.status == 200 ? .good : row.status == nil ? .none : .bad),
            .code(place(row.line)),
          ]
        },
        emptySentence: "No send of it is known: only device records."))
  }

  private static func text(_ key: LinkKey) -> String {
    switch key {
    case .own: "the record that opened it"
    case .sameRun: "the same run or upload as a linked record"
    case .retry: "a retry: same token, payload shape and collapse id"
    case .collapseGuess: "guess: collapse id, newest of several sends"
    case .timeGuess: "guess: token, app and time only"
    default: key.text
    }
  }

  private static func links(_ links: [LinkRow]) -> Block {
    .table(
      Table(
        caption: "",
        columns: [
          .init(title: "Key", isElastic: true), .init(title: "Side"),
          .init(title: "Records", alignment: .right), .init(title: "Quality"),
        ],
        rows: links.map {
          [
            Cell(text($0.key)), Cell($0.side.text), Cell(Shown.count($0.records)),
            $0.key.isGuess
              ? Cell(lines: [[.strong("guess")]], tone: .conflict) : Cell("exact"),
          ]
        }, emptySentence: "It has one record only.", stacksWhenNarrow: false))
  }

  private static func matches(_ tables: TriageTables) -> [Block] {
    guard !tables.otherMatches.isEmpty else { return [] }
    var blocks: [Block] = [
      .table(
        Table(
          caption: "",
          columns: [
            .init(title: "Id", isElastic: true), .init(title: "Device", isElastic: true),
            .init(title: "Sent"), .init(title: "Judgement"),
            .init(title: "Step and cause", isElastic: true),
          ],
          rows: tables.otherMatches.map {
            [
              .code($0.id), $0.device.map { .code($0) } ?? Cell("not known", tone: .quiet),
              Cell(Shown.time($0.sentAt)), Cell(DailyReport.text($0.judgement)),
              Cell(lines: [
                $0.step.map { [.code($0.rawValue)] } ?? [],
                $0.cause.map { [.code($0.rawValue)] } ?? [],
              ]),
            ]
          }))
    ]
    if tables.otherMatchesLeftOut.total > 0 {
      blocks.append(
        .sentence(
          Shown.counted(tables.otherMatchesLeftOut.total, "further match is", "further matches are")
            + " not shown."))
    }
    return blocks
  }
}
