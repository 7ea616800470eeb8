import PushModel

extension LogAdapter {
  /// `.ips` reports: crashes, and the kernel's reports of memory kills (JetsamEvent).
  static let crashReport = LogAdapter(
    id: "ips",
    title: "Apple .ips report: a crash, or a JetsamEvent",
    formatSource: "Apple, Interpreting the JSON format of a crash report; public samples",
    side: .device,
    clock: "the phone's local time with an explicit offset; the moment of the crash or kill",
    absence: .neverProves(because: "a report may not have been written, kept or collected"),
    redacts: ["message texts, stacks, registers, paths, names of other processes"],
    samples: [
      AdapterSample(
        """
        {"app_name":"PushService","timestamp":"2026-03-01 11:00:32.00 +0100","app_version":"4.2.0","slice_uuid":"11111111-2222-3333-8444-555555555555","build_version":"991","platform":2,"bundleID":"com.example.courier.PushService","bug_type":"309","os_version":"iPhone OS 18.3 (22D63)","name":"PushService","incident_id":"A1B2C3D4-0000-4000-8000-0123456789AB"}
        {
          "captureTime" : "2026-03-01 11:00:32.7310 +0100",
          "procLaunch" : "2026-03-01 11:00:02.6010 +0100",
          "procName" : "PushService",
          "procPath" : "/private/var/containers/Bundle/Application/X/Courier.app/PlugIns/PushService.appex/PushService",
          "pid" : 812,
          "exception" : {"type":"EXC_CRASH","signal":"SIGKILL"},
          "termination" : {"namespace":"RUNNINGBOARD","code":2343432205,"flags":6}
        }
        """, expect: .record),
      AdapterSample(
        """
        {"bug_type":"298","timestamp":"2026-03-01 11:00:08.00 +0100","os_version":"iPhone OS 18.3 (22D63)","incident_id":"B1B2C3D4-0000-4000-8000-0123456789AB"}
        {"build":"iPhone OS 18.3 (22D63)","product":"iPhone15,2","date":"2026-03-01 11:00:08.12 +0100","memoryStatus":{"pageSize":16384},"processes":[{"name":"PushService","pid":812,"rpages":1540,"reason":"per-process-limit"}]}
        """, expect: .record),
      AdapterSample(
        """
        {"bug_type":"145","timestamp":"2026-03-01 11:00:08.00 +0100","incident_id":"B1B2C3D4-0000-4000-8000-0123456789AC"}
        {}
        """, expect: .skip),
      AdapterSample(
        #"{"bug_type":"309","timestamp":"some day","bundleID":"com.example.courier"}"#,
        expect: .unreadable),
    ],
    isOnePhone: true,
    prepare: { head, workspace in
      guard let first = head.lines.first, let base = first.baseAddress,
        case .tape(let json) = workspace.parser.parse(base, first.count),
        json.kind(json.root) == .object, json.member("bug_type", of: json.root) != nil,
        json.member("timestamp", of: json.root) != nil
      else { return nil }
      return SourceSetup(framing: .document)
    },
    read: { piece, workspace in ReportReader.read(piece, workspace) })
}

extension ByteText {
  /// The version in a text as reports write it: `iPhone OS 18.3 (22D63)` → `18.3`.
  var versionNumber: ByteText {
    var start = 0
    while start < count, !(self[start] &- 0x30 < 10) { start += 1 }
    var end = start
    while end < count, self[end] &- 0x30 < 10 || self[end] == 0x2e { end += 1 }
    return end > start ? part(start, end) : self
  }
}

private enum ReportReader {
  static func read(_ whole: UnsafeRawBufferPointer, _ workspace: ParseWorkspace) -> Reading {
    guard let start = whole.firstIndex(where: { $0 > 0x20 }) else {
      return .skip(because: .emptyLine)
    }
    let piece = UnsafeRawBufferPointer(rebasing: whole[start...])
    guard let base = piece.baseAddress else { return .skip(because: .emptyLine) }
    var end = piece.firstIndex(of: 0x0a) ?? piece.count
    guard case .tape(let header) = workspace.parser.parse(base, end),
      header.kind(header.root) == .object
    else { return .unreadable(field: "header", reason: "is not a JSON object") }
    let kind = header.member("bug_type", of: header.root)
    let isCrash = kind.map { isNumber(header, $0, "309", 309) } ?? false
    let isJetsam = kind.map { isNumber(header, $0, "298", 298) } ?? false
    guard isCrash || isJetsam else { return .skip(because: .otherRecord) }
    guard let stamp = header.memberText("timestamp", of: header.root),
      let at = LooseTime.microseconds(stamp, workspace)
    else {
      return .unreadable(field: "timestamp", reason: "is missing or not a date with a time")
    }
    var builder = EventBuilder(workspace, at: at, name: .systemAppCrashed)
    takeOrigin(header, &builder)
    let incident = header.memberText("incident_id", of: header.root)
      .flatMap { $0.count > 0 ? workspace.symbol($0) : nil }
    add(incident, &builder)
    end = min(end + 1, piece.count)
    let body = ByteText(base: base, count: piece.count).part(end, piece.count)
    guard case .tape(let json) = workspace.parser.parse(body.base, body.count),
      json.kind(json.root) == .object
    else {
      // Reports of other systems have a body of text: the header still says who died and when.
      guard isCrash else {
        return .unreadable(field: "body", reason: "is not a JSON object")
      }
      workspace.note("body", "is not JSON; only the header was read")
      builder.finish()
      return .event
    }
    if isCrash {
      crash(json, &builder)
      return .event
    }
    return jetsam(json, at, builder.origin, incident, workspace)
  }

  private static func add(_ incident: Symbol?, _ builder: inout EventBuilder) {
    if let incident { builder.add(.incident, .text, Int64(incident.index)) }
  }

  private static func isNumber(
    _ json: JSONTape, _ place: Int, _ text: StaticString, _ number: Int64
  ) -> Bool {
    json.kind(place) == .text ? json.text(place).equals(text) : json.wholeNumber(place) == number
  }

  private static func takeOrigin(_ json: JSONTape, _ builder: inout EventBuilder) {
    let workspace = builder.workspace
    func symbol(_ key: StaticString) -> Symbol {
      json.memberText(key, of: json.root).map { workspace.symbol($0) } ?? Symbol(.empty)
    }
    builder.origin.bundle = symbol("bundleID")
    builder.origin.version = symbol("app_version")
    builder.origin.build = symbol("build_version")
    if let os = json.memberText("os_version", of: json.root) {
      builder.origin.os = workspace.symbol(os.versionNumber)
    }
  }

  private static func crash(_ json: JSONTape, _ builder: inout EventBuilder) {
    let root = json.root
    let workspace = builder.workspace
    if let text = json.memberText("captureTime", of: root),
      let at = LooseTime.microseconds(text, workspace)
    {
      builder.event.at = at
      if let launch = json.memberText("procLaunch", of: root),
        let launched = LooseTime.microseconds(launch, workspace), launched <= at
      {
        builder.add(.uptimeMs, .integer, (at - launched) / 1000)
      }
    }
    if let path = json.memberText("procPath", of: root), contains(path, ".appex/") {
      builder.event.name = Symbol(.nseCrashed)
    }
    if let info = json.member("bundleInfo", of: root), builder.origin.bundle == .empty,
      let bundle = json.memberText("CFBundleIdentifier", of: info)
    {
      builder.bundle = bundle
    }
    if let name = json.memberText("procName", of: root) { builder.add(.process, text: name) }
    if let pid = json.memberNumber("pid", of: root) { builder.add(.pid, .integer, pid) }
    if let model = json.memberText("modelCode", of: root) {
      builder.origin.model = workspace.symbol(model)
    }
    if let exception = json.member("exception", of: root) {
      if let signal = json.memberText("signal", of: exception) {
        builder.add(.signal, text: signal)
      }
      if let type = json.memberText("type", of: exception) {
        builder.add(.exceptionText, text: type)
        // A limit on memory is named in the subtype; there are others, on time and on wake-ups.
        let isMemory =
          json.memberText("subtype", of: exception).map { contains($0, "MEMORY") } ?? false
        if type.equals("EXC_RESOURCE"), isMemory {
          builder.add(.reason, .text, Int64(Word.excResource.ordinal))
        }
      }
    }
    if let termination = json.member("termination", of: root) {
      if let space = json.memberText("namespace", of: termination) {
        builder.add(.namespace, text: space)
        if space.equals("JETSAM") { builder.add(.reason, .text, Int64(Word.jetsam.ordinal)) }
      }
      if let code = json.memberNumber("code", of: termination) {
        builder.add(.code, .integer, code)
      }
    }
    builder.finish()
  }

  /// One event for each process that was killed: only those have a reason.
  private static func jetsam(
    _ json: JSONTape, _ stamp: Int64, _ origin: Origin, _ incident: Symbol?,
    _ workspace: ParseWorkspace
  ) -> Reading {
    let root = json.root
    var at = stamp
    if let text = json.memberText("date", of: root),
      let found = LooseTime.microseconds(text, workspace)
    {
      at = found
    }
    let pageSize =
      json.member("memoryStatus", of: root).flatMap { json.memberNumber("pageSize", of: $0) }
    guard let list = json.member("processes", of: root), json.kind(list) == .array else {
      return .unreadable(field: "processes", reason: "is missing or not a list")
    }
    var count = 0
    for process in json.elements(list) {
      guard let reason = json.memberText("reason", of: process), reason.count > 0 else { continue }
      var event = EventBuilder(
        workspace, at: at,
        name: reason.equals("per-process-limit") ? .systemKilledForMemory : .systemMemoryPressure)
      event.origin = origin
      add(incident, &event)
      event.add(.reason, text: reason)
      if let name = json.memberText("name", of: process) { event.add(.process, text: name) }
      if let pid = json.memberNumber("pid", of: process) { event.add(.pid, .integer, pid) }
      if let pages = json.memberNumber("rpages", of: process), let pageSize, pages >= 0,
        pageSize > 0, pages < 1 << 40, pageSize < 1 << 20
      {
        event.add(.footprintMb, .integer, (pages * pageSize) >> 20)
      }
      if let model = json.memberText("product", of: root) {
        event.origin.model = workspace.symbol(model)
      }
      event.finish()
      count += 1
    }
    return count == 0 ? .skip(because: .otherRecord) : .records(count)
  }

  private static func contains(_ text: ByteText, _ wanted: StaticString) -> Bool {
    let count = wanted.utf8CodeUnitCount
    guard text.count >= count else { return false }
    return (0...(text.count - count)).contains { text.part($0, $0 + count).equals(wanted) }
  }
}
