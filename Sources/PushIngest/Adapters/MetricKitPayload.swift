import PushModel

extension LogAdapter {
  /// MetricKit payloads as apps upload them.
  static let metricKit = LogAdapter(
    id: "metrickit",
    title: "MetricKit payloads (metrics and diagnostics), as JSON",
    formatSource: "Apple, MXMetricPayload and MXDiagnosticPayload; public samples",
    side: .device,
    clock: "end of the period that the payload covers; explicit offset, else UTC",
    absence: .neverProves(
      because:
        """
        payloads are sums of a day, and reach only apps that ran afterwards
        """),
    redacts: ["call stacks, exception texts, region; measured values with units are not read"],
    samples: [
      AdapterSample(
        #"{"timeStampBegin":"2026-02-28 23:00:00 +0000","timeStampEnd":"2026-03-01 22:59:00 +0000","appVersion":"4.2.0","applicationExitMetrics":{"backgroundExitData":{"cumulativeMemoryResourceLimitExitCount":2,"cumulativeNormalAppExitCount":5},"foregroundExitData":{}},"metaData":{"appBuildVersion":"991","osVersion":"iPhone OS 18.3 (22D63)","deviceType":"iPhone15,2"}}"#,
        expect: .record),
      AdapterSample(
        #"{"timeStampBegin":"2026-03-01 09:00:00 +0000","timeStampEnd":"2026-03-01 10:05:00 +0000","crashDiagnostics":[{"version":"1.0.0","diagnosticMetaData":{"appVersion":"4.2.0","appBuildVersion":"991","osVersion":"iPhone OS 18.3 (22D63)","deviceType":"iPhone15,2","bundleIdentifier":"com.example.courier.PushService","pid":812,"exceptionType":1,"exceptionCode":0,"signal":11}}]}"#,
        expect: .record),
      AdapterSample(
        #"{"timeStampBegin":"2026-03-01 09:00:00 +0000","timeStampEnd":"later","crashDiagnostics":[]}"#,
        expect: .unreadable),
      AdapterSample(
        #"{"timeStampBegin":"2026-03-01 09:00:00 +0000","timeStampEnd":"2026-03-01 10:05:00 +0000","hangDiagnostics":[]}"#,
        expect: .skip),
    ],
    isOnePhone: true,
    prepare: { head, workspace in
      SystemJSON.setup(head, workspace, having: ["timeStampBegin", "timeStampEnd"])
    },
    read: { piece, workspace in MetricReader.read(piece, workspace) })
}

private enum MetricReader {
  static let counters: [(key: StaticString, word: Word)] = [
    ("cumulativeNormalAppExitCount", .exitsNormal),
    ("cumulativeAbnormalExitCount", .exitsAbnormal),
    ("cumulativeAppWatchdogExitCount", .exitsWatchdog),
    ("cumulativeMemoryResourceLimitExitCount", .exitsMemoryLimit),
    ("cumulativeMemoryPressureExitCount", .exitsMemoryPressure),
    ("cumulativeCPUResourceLimitExitCount", .exitsCpu),
    ("cumulativeBadAccessExitCount", .exitsBadAccess),
    ("cumulativeIllegalInstructionExitCount", .exitsIllegalInstruction),
    ("cumulativeSuspendedWithLockedFileExitCount", .exitsLockedFile),
    ("cumulativeBackgroundTaskAssertionTimeoutExitCount", .exitsBackgroundTask),
  ]

  private static let counterKeys = KeyTable(
    counters.enumerated().map { ($0.element.key.description, UInt8($0.offset + 1)) })

  static func read(_ piece: UnsafeRawBufferPointer, _ workspace: ParseWorkspace) -> Reading {
    guard let base = piece.baseAddress, piece.contains(where: { $0 > 0x20 }) else {
      return .skip(because: .emptyLine)
    }
    let json: JSONTape
    switch workspace.parser.parse(base, piece.count) {
    case .tape(let tape): json = tape
    case .failure(let code): return .unreadable(field: "line", reason: JSONParser.message(code))
    }
    guard json.kind(json.root) == .object else { return .skip(because: .wrapper) }
    guard let stamp = json.memberText("timeStampEnd", of: json.root),
      let until = LooseTime.microseconds(stamp, workspace, isUTC: true)
    else {
      return .unreadable(field: "timeStampEnd", reason: "is missing or not a date with a time")
    }
    let from = json.memberText("timeStampBegin", of: json.root).flatMap {
      LooseTime.microseconds($0, workspace, isUTC: true)
    }
    var count = 0
    if let metrics = json.member("applicationExitMetrics", of: json.root) {
      count += exits(json, metrics, workspace, from, until)
    }
    if let list = json.member("crashDiagnostics", of: json.root), json.kind(list) == .array {
      for diagnostic in json.elements(list) {
        guard let data = json.member("diagnosticMetaData", of: diagnostic) else { continue }
        crash(json, data, workspace, from, until)
        count += 1
      }
    }
    return count == 0 ? .skip(because: .otherRecord) : .records(count)
  }

  /// One event for the background, where extensions live too, and one for the foreground.
  private static func exits(
    _ json: JSONTape, _ metrics: Int, _ workspace: ParseWorkspace, _ from: Int64?, _ until: Int64
  ) -> Int {
    var count = 0
    guard json.kind(metrics) == .object else { return 0 }
    for (key, data) in json.fields(metrics) {
      let state: Word
      if key.equals("backgroundExitData") {
        state = .background
      } else if key.equals("foregroundExitData") {
        state = .foreground
      } else {
        continue
      }
      guard json.kind(data) == .object else { continue }
      var builder = EventBuilder(workspace, at: until, name: .systemMetrics)
      builder.add(.state, .text, Int64(state.ordinal))
      if let from { builder.add(.from, .integer, from) }
      var hasCounter = false
      for (name, value) in json.fields(data) {
        let code = counterKeys.code(name.base, name.count)
        guard code > 0, let number = json.wholeNumber(value) else { continue }
        builder.add(counters[Int(code) - 1].word, .integer, number)
        hasCounter = true
      }
      guard hasCounter else { continue }
      takeOrigin(json, json.member("metaData", of: json.root) ?? json.root, &builder)
      if let version = json.memberText("appVersion", of: json.root) {
        builder.origin.version = workspace.symbol(version)
      }
      builder.finish()
      count += 1
    }
    return count
  }

  private static func crash(
    _ json: JSONTape, _ data: Int, _ workspace: ParseWorkspace, _ from: Int64?, _ until: Int64
  ) {
    var builder = EventBuilder(workspace, at: until, name: .systemAppCrashed)
    builder.add(.source, .text, Int64(workspace.interner.intern("metrickit").index))
    if let from { builder.add(.from, .integer, from) }
    takeOrigin(json, data, &builder)
    if let pid = json.memberNumber("pid", of: data) { builder.add(.pid, .integer, pid) }
    if let signal = json.memberNumber("signal", of: data) {
      builder.add(.signal, .integer, signal)
    }
    if let code = json.memberNumber("exceptionCode", of: data) {
      builder.add(.code, .integer, code)
    }
    builder.finish()
  }

  private static func takeOrigin(_ json: JSONTape, _ data: Int, _ builder: inout EventBuilder) {
    let workspace = builder.workspace
    func symbol(_ key: StaticString) -> Symbol {
      json.memberText(key, of: data).map { workspace.symbol($0) } ?? Symbol(.empty)
    }
    builder.origin.bundle = symbol("bundleIdentifier")
    builder.origin.version = symbol("appVersion")
    builder.origin.build = symbol("appBuildVersion")
    builder.origin.model = symbol("deviceType")
    if let os = json.memberText("osVersion", of: data) {
      builder.origin.os = workspace.symbol(os.versionNumber)
    }
  }
}
