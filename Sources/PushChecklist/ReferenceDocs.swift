import PushModel

/// What `explain` finds: pages of everything that has a name, and the nearest names of what has
/// none. Text only; the same pages make the documentation.
public enum ReferenceDocs {
  /// One thing that was found, with the word by which it is asked for without doubt.
  public struct Found: Sendable {
    /// What it is: "step", "cause", "reason of APNs", …
    public let kind: String
    /// Its name.
    public let id: String
    /// Its page.
    public let page: ReferencePage
  }

  /// Everything that is called so, best first: kinds of push, steps, causes, reasons of APNs,
  /// statuses, headers, keys, points and codes.
  public static func find(_ text: String) -> [Found] {
    var found: [Found] = []
    if let example = PushExample.find(text) {
      found.append(Found(kind: "kind of push", id: example.id, page: page(of: example)))
    }
    let lower = text.lowercased()
    if let step = StepID(rawValue: lower).flatMap(Checklist.step) {
      found.append(Found(kind: "step", id: lower, page: ChecklistDocs.page(of: step)))
    }
    if let cause = CauseID(rawValue: lower), let page = ChecklistDocs.page(of: cause) {
      found.append(Found(kind: "cause", id: lower, page: page))
    }
    for reason in APNsReason.all where reason.reason.lowercased() == lower {
      found.append(
        Found(kind: "reason of APNs", id: reason.reason, page: page(of: reason)))
    }
    for reason in BroadcastReason.all where reason.reason.lowercased() == lower {
      found.append(
        Found(kind: "reason of APNs for broadcasts", id: reason.reason, page: page(of: reason)))
    }
    if let status = Int(text), (100...599).contains(status) || status == 0,
      ReferenceEntry.find(text).isEmpty || APNsReason.all.contains(where: { $0.status == status })
    {
      found.append(Found(kind: "status of APNs", id: text, page: page(ofStatus: status)))
    }
    for entry in ReferenceEntry.find(text) {
      found.append(Found(kind: entry.kind.text, id: entry.id, page: page(of: entry)))
    }
    if let fact = Fact.all.first(where: { $0.id.text.lowercased() == lower }) {
      found.append(Found(kind: "fact", id: fact.id.text, page: page(of: fact)))
    }
    return found
  }

  /// Every name that `explain` knows, in the order of its list.
  public static var names: [String] {
    PushExample.all.map(\.id) + Checklist.allSteps.map(\.id.rawValue)
      + CauseID.allCases.map(\.rawValue) + APNsReason.all.map(\.reason)
      + BroadcastReason.all.map(\.reason)
      + ReferenceEntry.all.flatMap { [$0.id] + $0.aliases }
  }

  /// The name that differs from a text in nothing but capitals, spaces, hyphens and underscores.
  public static func respelled(_ text: String) -> String? {
    func plain(_ text: String) -> [UInt8] {
      text.lowercased().utf8.filter { !" -_.".utf8.contains($0) }
    }
    let wanted = plain(text)
    guard wanted.count > 3 else { return nil }
    return names.first { plain($0) == wanted }
  }

  /// Steps and causes whose texts speak of a word that has no page of its own, causes first.
  public static func speaking(of text: String) -> [String] {
    let wanted = text.lowercased()
    guard wanted.utf8.count > 2 else { return [] }
    func speaks(_ texts: String...) -> Bool {
      texts.contains { $0.lowercased().contains(wanted) }
    }
    let causes = Checklist.allSteps.flatMap(\.causes)
      .filter { speaks($0.meaning, $0.toldApartBy, $0.repair) }.map(\.id.rawValue)
    let steps = Checklist.allSteps
      .filter { speaks($0.title, $0.question, $0.decidedBy, $0.knownLimits) }.map(\.id.rawValue)
    return causes + steps
  }

  // MARK: Reasons and statuses

  static func page(of reason: APNsReason) -> ReferencePage {
    var page = ReferencePage()
    page.heading(1, "`\(reason.reason)`")
    page.line(
      "A reason with which APNs refuses a request, status \(reason.status): \(APNsReason.meaning(ofStatus: reason.status))."
    )
    page.line(reason.meaning)
    page.line("**It concerns** \(reason.classes.map(\.text).joined(separator: ", or ")).")
    page.line("**To send it again:** \(reason.retry.text)")
    page.heading(2, "How it is decided")
    if let step = Checklist.step(reason.step) {
      page.line("It is read at step `\(step.id.rawValue)`: \(step.question)")
      page.line(step.decidedBy)
    }
    page.heading(2, "Causes and repairs")
    if reason.causes.isEmpty {
      page.line("It has no cause of its own: open a new connection and send again.")
    }
    page.table(
      ["cause", "what it is", "repair"],
      reason.causes.compactMap(Checklist.cause).map {
        ["`\($0.cause.id.rawValue)`", $0.cause.meaning, $0.cause.repair]
      })
    facts(["F2.0", "F1.62"], into: &page)
    return page
  }

  static func page(of reason: BroadcastReason) -> ReferencePage {
    var page = ReferencePage()
    page.heading(1, "`\(reason.reason)`")
    page.line(
      "A reason with which APNs refuses a broadcast or a request about channels, status \(reason.status): \(APNsReason.meaning(ofStatus: reason.status))."
    )
    page.line(reason.meaning)
    page.line("**Repair:** \(reason.repair)")
    page.line(
      "**How it is decided:** no step names a cause for it: it is kept as it came, and the request counts as refused."
    )
    facts(["F2.3", "F1.20"], into: &page)
    return page
  }

  /// The page of a status: what it means, and the reasons that come with it.
  static func page(ofStatus status: Int) -> ReferencePage {
    var page = ReferencePage()
    page.heading(1, "Status \(status)")
    page.line("APNs' answer \(status): \(APNsReason.meaning(ofStatus: status)).")
    page.table(
      ["reason", "meaning", "repeat"],
      APNsReason.all.filter { $0.status == status }.map {
        ["`\($0.reason)`", $0.meaning, $0.retry.rawValue]
      })
    facts(status == 200 ? ["F1.62", "F1.64"] : ["F1.62", "F2.0", "F2.5"], into: &page)
    return page
  }

  /// Whether a text has the form of a reason: words in one, each with a capital. Apple's own classes,
  /// plist keys and error domains begin with capitals in a row or end in `Domain`.
  public static func looksLikeReason(_ text: String) -> Bool {
    guard let first = text.utf8.first, (0x41...0x5a).contains(first), text.utf8.count > 5 else {
      return false
    }
    if text.utf8.prefix(3).allSatisfy({ (0x41...0x5a).contains($0) }) { return false }
    if text.hasSuffix("Domain") { return false }
    var capitals = 0
    for byte in text.utf8 {
      if (0x41...0x5a).contains(byte) { capitals += 1 }
      let isLetter = (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte)
      if !isLetter { return false }
    }
    return capitals > 1 && capitals < text.utf8.count
  }

  /// The page of a reason that stands in no table: that it is unknown, and what the status says.
  public static func page(ofUnknownReason text: String) -> ReferencePage {
    var page = ReferencePage()
    page.heading(1, "`\(text)`")
    page.line(
      """
      This reason is in no table: neither Apple's documentation nor reports know it. APNs may add \
      reasons at any time; it is kept as it came and reported as unknown, and no cause is named for \
      it. Its status tells whose turn it is:
      """)
    page.table(
      ["status", "what it means", "what to do"],
      [
        ["400, 404, 405", "the request is wrong", "repair the request; do not repeat it as it is"],
        ["403", "the credential is not accepted", "check key, team, environment and clock"],
        ["410", "the token is not active", "drop the token; never repeat"],
        ["413", "the payload is too large", "shorten it; never repeat as it is"],
        ["429", "too many requests", "wait, then repeat with growing pauses"],
        ["5xx", "Apple's side failed", "wait 15 minutes, then repeat with growing pauses"],
      ])
    let near = nearest(to: text, in: APNsReason.all.map(\.reason), count: 3)
    if !near.isEmpty {
      page.line(
        "Known reasons that look like it: \(near.map { "`\($0)`" }.joined(separator: ", ")).")
    }
    facts(["F2.0", "F2.5"], into: &page)
    return page
  }

  // MARK: Tables of reference

  static func page(of entry: ReferenceEntry) -> ReferencePage {
    var page = ReferencePage()
    page.heading(1, "`\(entry.id)`")
    describe(entry, into: &page)
    if !entry.steps.isEmpty {
      page.heading(2, "Steps that read it")
      page.table(
        ["step", "question"],
        entry.steps.compactMap(Checklist.step).map { ["`\($0.id.rawValue)`", $0.question] })
    }
    if !entry.causes.isEmpty {
      page.heading(2, "Causes that it leads to")
      page.table(
        ["cause", "what it is"],
        entry.causes.compactMap(Checklist.cause).map {
          ["`\($0.cause.id.rawValue)`", $0.cause.meaning]
        })
    }
    facts(entry.facts, into: &page)
    return page
  }

  private static func describe(_ entry: ReferenceEntry, into page: inout ReferencePage) {
    let kind = entry.kind.text
    let article = kind.hasPrefix("e") ? "An" : "A"
    page.line("\(article) \(kind): \(entry.form)")
    page.line(entry.meaning)
    page.line("**How it is decided:** \(entry.decided)")
    page.line("**Repair:** \(entry.repair)")
    if !entry.aliases.isEmpty {
      page.line("Also written \(entry.aliases.map { "`\($0)`" }.joined(separator: ", ")).")
    }
  }

  /// The page of one or more tables: all their rows.
  public static func tablePage(_ kinds: [ReferenceEntry.Kind]) -> String {
    var page = ReferencePage()
    page.heading(1, kinds.map(\.plural).joined(separator: ", and "))
    page.line("`pushtriage explain` tells the same of each.")
    let rows = kinds.flatMap(ReferenceEntry.rows)
    for row in rows {
      page.heading(2, "`\(row.id)`")
      describe(row, into: &page)
      if !row.steps.isEmpty {
        let steps = row.steps.map { "[`\($0.rawValue)`](steps/\($0.rawValue).md)" }
        page.line("Steps: \(steps.joined(separator: ", ")).")
      }
      if !row.causes.isEmpty {
        let causes = row.causes.map { "[`\($0.rawValue)`](causes/\($0.rawValue).md)" }
        page.line("Causes: \(causes.joined(separator: ", ")).")
      }
      page.line("Facts: \(row.facts.map(\.text).joined(separator: ", ")).")
    }
    facts(ordered(rows.flatMap(\.facts)), into: &page)
    return page.markdown
  }

  static func page(of fact: Fact) -> ReferencePage {
    var page = ReferencePage()
    page.heading(1, "Fact \(fact.id.text)")
    page.line(fact.claim)
    page.line("How sure: \(fact.marks.map(\.text).joined(separator: "; ")).")
    page.line("Source: \(fact.source). Read in stored copies, last on \(fact.checked).")
    let causes = Checklist.allSteps.flatMap(\.causes).filter { $0.facts.contains(fact.id) }
    page.table(
      ["cause that rests on it", "what it is"],
      causes.map { ["`\($0.id.rawValue)`", $0.meaning] })
    return page
  }

  // MARK: Facts

  static func facts(_ ids: [FactID], into page: inout ReferencePage) {
    page.heading(2, "Facts")
    guard !ids.isEmpty else {
      page.line("No documented fact, only reports: a record has to show it.")
      return
    }
    page.facts(ids.compactMap(Fact.find))
  }

  /// Facts once each, in the order of the table of facts.
  static func ordered(_ ids: [FactID]) -> [FactID] {
    let wanted = Set(ids)
    return Fact.all.map(\.id).filter(wanted.contains)
  }

  // MARK: Kinds of push

  static func page(of example: PushExample) -> ReferencePage {
    var page = ReferencePage()
    page.heading(1, example.title)
    page.line(example.summary)
    describe(example, level: 2, into: &page)
    facts(example.facts, into: &page)
    return page
  }

  private static func describe(
    _ example: PushExample, level: Int, into page: inout ReferencePage
  ) {
    page.heading(level, "The request")
    let head = ["POST \(example.path)"] + example.headers.map { "\($0.name): \($0.value)" }
    page.code("http", (head + ["", example.payload.lines]).joined(separator: "\n"))
    if let kind = example.tokenKind {
      page.line("Token: kind `\(kind)`. Production host, or sandbox for builds from Xcode.")
    } else {
      page.line("No token and no topic: the channel names the receivers.")
    }
    if !example.settings.isEmpty {
      page.heading(level, "Keys of the app")
      page.table(
        ["where", "key", "value"],
        example.settings.map {
          [$0.place.rawValue, "`\($0.path.joined(separator: "` → `"))`", "`\($0.value.line)`"]
        })
    }
    if !example.extensions.isEmpty || !example.categories.isEmpty || !example.duties.isEmpty {
      page.heading(level, "What the app does")
      if !example.extensions.isEmpty {
        let files = example.extensions.map { "`PlugIns/\($0.file)` (\($0.kind))" }
        page.line("Embedded: \(files.joined(separator: ", ")).")
      }
      if !example.categories.isEmpty {
        let names = example.categories.map { "`\($0)`" }
        page.line("Registered categories: \(names.joined(separator: ", ")).")
      }
      for duty in example.duties { page.line(duty) }
    }
    page.heading(level, "What a good run logs")
    guard !example.events.isEmpty else {
      page.line("Of this kind only the request is judged: APNs' own 200 is all that is asked for.")
      return
    }
    page.table(
      ["after", "event", "attributes"],
      example.events.map {
        [time($0.at), "`\($0.name)`", $0.attributes == [:] ? "" : "`\($0.attributes.line)`"]
      })
  }

  /// A time after the request as people say it.
  private static func time(_ milliseconds: Int64) -> String {
    if milliseconds >= 120_000 { return "\(milliseconds / 60_000) min" }
    return milliseconds >= 10_000 ? "\(milliseconds / 1000) s" : "\(milliseconds) ms"
  }

  /// The page of all kinds of push.
  public static func typesPage() -> String {
    var page = ReferencePage()
    page.heading(1, "Kinds of push, each one that is right")
    page.line(
      """
      Request, keys of the app, and the events that a good run logs. `pushtriage explain media \
      --case` prints one as a case file.
      """)
    for example in PushExample.all {
      page.heading(2, "`\(example.id)`: \(example.title)")
      page.line(example.summary)
      describe(example, level: 3, into: &page)
      page.line("Facts: \(example.facts.map(\.text).joined(separator: ", ")).")
    }
    facts(ordered(PushExample.all.flatMap(\.facts)), into: &page)
    return page.markdown
  }

  // MARK: Lists and suggestions

  /// The list of everything that has a page.
  public static func list() -> ReferencePage {
    var page = ReferencePage()
    page.heading(1, "Kinds of push")
    page.table(["name", "what it is"], PushExample.all.map { [$0.id, $0.title + "."] })
    page.heading(1, "Steps and their causes")
    for step in Checklist.allSteps {
      page.heading(2, step.id.rawValue)
      page.line(step.question)
      page.table(["cause", "what it is"], step.causes.map { [$0.id.rawValue, $0.meaning] })
    }
    page.heading(1, "Reasons of APNs")
    page.table(
      ["status", "reason", "what it means"],
      APNsReason.all.map { ["\($0.status)", $0.reason, $0.meaning] })
    for kind in ReferenceEntry.Kind.allCases {
      page.heading(1, kind.plural)
      page.table(
        ["name", "what it means"], ReferenceEntry.rows(kind).map { [$0.id, $0.meaning] })
    }
    return page
  }

  /// Names that look like a text: those that hold it, then those that differ in the fewest letters.
  public static func nearest(to text: String, count: Int = 5) -> [String] {
    nearest(to: text, in: names, count: count)
  }

  static func nearest(to text: String, in names: [String], count: Int) -> [String] {
    let wanted = plain(text)
    var rated: [(distance: Int, place: Int, name: String)] = []
    var known: Set<String> = []
    for (place, name) in names.enumerated() where known.insert(name).inserted {
      let candidate = plain(name)
      var distance = editDistance(Array(wanted.utf8), Array(candidate.utf8))
      if wanted.utf8.count >= 4, candidate.contains(wanted) || wanted.contains(candidate),
        candidate.utf8.count >= 4
      {
        distance = min(distance, 2)
      }
      if distance <= max(1, wanted.utf8.count / 3) { rated.append((distance, place, name)) }
    }
    rated.sort { ($0.distance, $0.place) < ($1.distance, $1.place) }
    return rated.prefix(count).map(\.name)
  }

  /// Lower case, without what people put between words.
  private static func plain(_ text: String) -> String {
    String(text.lowercased().filter { $0 != "-" && $0 != "_" && $0 != " " && $0 != "." })
  }

  private static func editDistance(_ left: [UInt8], _ right: [UInt8]) -> Int {
    var row = Array(0...right.count)
    for (place, letter) in left.enumerated() {
      var diagonal = row[0]
      row[0] = place + 1
      for (column, other) in right.enumerated() {
        let cost = min(
          diagonal + (letter == other ? 0 : 1), row[column] + 1, row[column + 1] + 1)
        diagonal = row[column + 1]
        row[column + 1] = cost
      }
    }
    return row[right.count]
  }
}
