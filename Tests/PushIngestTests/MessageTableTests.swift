import PushModel
import Testing

@testable import PushIngest

@Suite struct MessageTableTests {
  @Test(
    "every row matches its own sample, and no row before it does",
    arguments: MessageTable.rows.indices)
  func samples(_ place: Int) throws {
    let row = MessageTable.rows[place]
    guard row.reading == .line else { return try quotedSample(row) }
    let found = MessageTable.match(
      process: row.processes.first ?? "", category: row.category, message: row.sample)
    #expect(found?.event == row.event, "\(row.pattern): \(row.sample)")
    #expect(found?.shape.pattern == row.pattern, "\(row.sample)")
    // The words are what counts: case, longer runs of spaces and what stands around do not.
    let shouted = "  x  " + row.sample.replacing(" ", with: "  ").uppercased() + " y"
    #expect(
      MessageTable.match(
        process: row.processes.first ?? "", category: row.category, message: shouted)?
        .shape.pattern == row.pattern, "\(shouted)")
  }

  private func quotedSample(_ row: MessageShape) throws {
    // Whole logs are not read by these rows.
    let alone = MessageTable(MessageTable.rows.filter { $0.reading == .quote })
    #expect(alone.match(message: row.sample) == nil, "\(row.sample)")
    let found = try #require(alone.quoted(message: row.sample), "\(row.sample)")
    #expect(found.shape.pattern == row.pattern, "\(row.sample): \(found.shape.pattern)")
    for (key, value) in row.codes { #expect(found[key] == .integer(value), "\(row.sample)") }
    if let only = row.only {
      guard case .integer(let number)? = found[only.attribute] else {
        Issue.record("\(row.sample) has no number")
        return
      }
      #expect(only.values.contains(number))
    }
  }

  @Test("only rows of quotes have numbers by their wording, and limits")
  func numbersByWording() {
    for row in MessageTable.rows where row.reading == .line {
      #expect(row.codes.isEmpty && row.only == nil, "\(row.pattern)")
    }
  }

  @Test("a quoted line may leave values out, and join keys and values in other ways")
  func quotedLines() throws {
    let request = try #require(
      MessageTable.quoted(
        message: "Received remote notification request … [hasAlertContent=1, hasMutableContent 0]"))
    #expect(request.event == .systemRequestReceived)
    #expect(request.digest == nil)
    #expect(request[.hasAlert] == .flag(true))
    #expect(request[.mutableContent] == .flag(false))
    #expect(request[.hasSound] == nil)
    let modifiable = MessageTable.quoted(message: "notification request can be modified: 0")
    #expect(modifiable?.event != .systemRequestReceived)
    // Word for word, as whole logs are read, neither is a line of the system.
    #expect(MessageTable.match(message: "Received remote notification request … [ x ]") == nil)
  }

  @Test("an error's number decides what a quoted line is about")
  func quotedNumbers() {
    func event(_ text: String) -> Word? { MessageTable.quoted(message: text)?.event }
    #expect(event("Error: UNErrorDomain (code 1501)") == .intentFailed)
    #expect(event("UNErrorDomain code:101") == .nseAttachmentFailed)
    #expect(event("UNErrorDomain") == nil)
    #expect(event("NSURLErrorDomain errorCode=-1009") == .nseDownloadFinished)
    #expect(event("see NSURLErrorDomain in the docs") == nil)
  }

  @Test("every capture of a row has room, and captures of its sample are filled")
  func captures() {
    for row in MessageTable.rows {
      let pattern = MessagePattern(row)
      #expect(pattern.pieces.count + pattern.fields.count <= MessageCaptures.room, "\(row.pattern)")
      // A word that a step or a report is to know must be one of the list.
      #expect(row.event.rawValue.contains("."))
    }
  }

  @Test("a row that names a cause rests on a fact or on what was published")
  func causesHaveGrounds() {
    for row in MessageTable.rows where row.cause != nil {
      #expect(
        !row.facts.isEmpty || row.grade == .published || row.grade == .source, "\(row.pattern)")
      #expect(row.step != nil, "\(row.pattern)")
    }
  }

  @Test("the anchor line gives bundle, digest and flags")
  func requestReceived() throws {
    let found = try #require(
      MessageTable.match(
        process: "SpringBoard",
        message: """
          [com.example.courier] Received remote notification request DC15-EBDB [ waking: 0, \
          hasAlertContent: 1, hasSound: 1 hasBadge: 0 hasContentAvailable: 0 hasMutableContent: 1 \
          pushType: Alert]
          """))
    #expect(found.event == .systemRequestReceived)
    #expect(found.app == "com.example.courier")
    #expect(found.digest == "DC15-EBDB")
    #expect(found[.waking] == .flag(false))
    #expect(found[.hasAlert] == .flag(true))
    #expect(found[.hasSound] == .flag(true))
    #expect(found[.hasBadge] == .flag(false))
    #expect(found[.contentAvailable] == .flag(false))
    #expect(found[.mutableContent] == .flag(true))
    #expect(found[.pushType] == .text("Alert"))
    #expect(!found.hasHidden)
  }

  @Test("older lines print fewer fields; those are not known, not false")
  func fewerFields() throws {
    let found = try #require(
      MessageTable.match(
        message:
          "[com.example.courier] Received remote notification request 15DD-0D22 [ hasSound: 1 ]"
      ))
    #expect(found[.hasSound] == .flag(true))
    #expect(found[.mutableContent] == nil)
    #expect(found[.waking] == nil)
  }

  @Test("degradation: digest, error and run time")
  func notApplied() throws {
    let found = try #require(
      MessageTable.match(
        message: """
          [com.example.courier] Did not mutate content for notification request, will deliver \
          original content; notificationRequest=DC15-EBDB, error=Error Domain=NSCocoaErrorDomain \
          Code=4097 "connection to service", runtime: 0.0312
          """))
    #expect(found.event == .systemContentNotApplied)
    #expect(found.digest == "DC15-EBDB")
    #expect(found[.errorDomain] == .text("NSCocoaErrorDomain"))
    #expect(found[.errorCode] == .integer(4097))
    #expect(found[.elapsedMs] == .integer(31))
  }

  @Test("the limit is read from the line, with process and pid")
  func memory() throws {
    let found = try #require(
      MessageTable.match(
        process: "kernel",
        message: "EXC_RESOURCE -> PushService[812] exceeded mem limit: ActiveHard 24 MB (fatal)"))
    #expect(found.event == .systemMemoryExceeded)
    #expect(found.process == "PushService")
    #expect(found.pid == 812)
    #expect(found[.limitMb] == .integer(24))
    #expect(found[.reason] == .text("EXC_RESOURCE"))
  }

  @Test("a session ties host and extension")
  func sessions() throws {
    let session = "3C1E9A52-7C1B-4B57-8B58-6E0D2E7E4C11"
    let host = try #require(
      MessageTable.match(
        message:
          "[com.example.courier.PushService] Entering grace time: sessionUUID=\(session)"))
    #expect(host.extension == "com.example.courier.PushService")
    #expect(host.session == session)
    let own = try #require(
      MessageTable.match(
        message: "[\(session)] Request replacement content for notification request DC15-EBDB"))
    #expect(own.session == session)
    #expect(own.digest == "DC15-EBDB")
  }

  @Test("hidden values are not known and said to be hidden")
  func hidden() throws {
    let found = try #require(
      MessageTable.match(
        process: "apsd",
        message:
          "Received message for enabled topic '<private>' with payload '<private>' onInterface: WWAN with priority 5"
      ))
    #expect(found.event == .systemDaemonReceived)
    #expect(found.app == nil)
    #expect(found.hasHidden)
    #expect(found[.interface] == .text("WWAN"))
    #expect(found[.priority] == .integer(5))
  }

  @Test("negations are not taken for the statement they contain")
  func negations() {
    #expect(
      MessageTable.match(
        message: "NOT delivering user visible push notification DC15-EBDB [ error=x ]")?
        .event == .systemNotPresented)
    #expect(
      MessageTable.match(message: "Remote notification request DC15-EBDB can be modified: 0")?[
        .allowed] == .flag(false))
    #expect(
      MessageTable.match(
        message:
          "Mutated notification request will not visibly alert the user, will supress original content"
      )?.event == .systemFilteredOut)
  }

  @Test("common words count only where their process says them")
  func processes() {
    #expect(MessageTable.match(process: "assertiond", message: "Acquiring assertion 4") == nil)
    #expect(MessageTable.match(process: "runningboardd", message: "Acquiring assertion 4") != nil)
    #expect(
      MessageTable.match(process: "/usr/libexec/runningboardd", message: "Acquiring assertion 4")
        != nil)
    #expect(MessageTable.match(process: "Courier", message: "New request received") == nil)
  }

  @Test("other lines are of no shape, whatever they hold")
  func nothing() {
    for message in [
      "", "x", "[com.example.courier] Received remote notif",
      "Received remote notification request",
      "Received remote notification request DC15-EBDBFF [ x ]", "[[[[[[[[",
      String(repeating: "Received incoming message on topic ", count: 3),
      String(repeating: "notificationRequest=", count: 4000),
    ] {
      #expect(MessageTable.match(message: message) == nil, "\(message.prefix(60))")
    }
  }

  @Test("hostile lines cost time that grows with their length only")
  func hostile() {
    // A search that tried again from every "killed" to the end would take minutes here.
    let message = String(repeating: "killed because its use of the ", count: 60_000)
    #expect(MessageTable.match(message: message) == nil)
  }

  @Test("the search finds what a plain search finds", arguments: 0..<40)
  func likePlainSearch(_ seed: UInt64) {
    var random = SplitMix(state: seed &* 0x9E37_79B9_7F4A_7C15 &+ 1)
    let rows = MessageTable.rows.filter { $0.reading == .line }
    var text = ""
    let row = rows[Int(random.next() % UInt64(rows.count))]
    for _ in 0..<(random.next() % 30) {
      text += ["no", "notif", "ication ", "[", "DC15-", " "][Int(random.next() % 6)]
    }
    let whole = text + " " + row.sample
    let found = MessageTable.match(
      process: row.processes.first ?? "", category: row.category, message: whole)
    // What stands before may add a match of an earlier row, but cannot hide the row's own.
    #expect(found != nil, "seed \(seed): \(whole)")
  }
}

private struct SplitMix {
  var state: UInt64
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
