import Foundation
import TestSupport
import Testing

@testable import pushtriage

/// A wrong command line, and what it prints before the usage.
struct WrongUse: Sendable, CustomTestStringConvertible {
  var words: [String]
  var message: String
  /// The command whose usage follows; nil for the program's.
  var command: String?
  var testDescription: String { words.joined(separator: " ") }

  init(_ line: String, _ message: String, of command: String? = nil) {
    words = line.split(separator: " ").map(String.init)
    self.message = message
    self.command = command
  }
}

private let token = String(repeating: "0123456789abcdef", count: 4)

private let wrongUses = [
  WrongUse("", "error: a command is missing"),
  WrongUse("trage x", "error: unknown command 'trage'\nhelp: did you mean 'triage'?"),
  WrongUse("something", "error: unknown command 'something'"),
  WrongUse("--quiet", "error: unknown option '--quiet'"),
  WrongUse("--versoin", "error: unknown option '--versoin'\nhelp: did you mean '--version'?"),
  WrongUse("help nothing", "error: unknown command 'nothing'"),
  WrongUse(
    "triage x --fromat json", "error: unknown option '--fromat'\nhelp: did you mean '--format'?",
    of: "triage"),
  WrongUse(
    "triage x --fromat=json", "error: unknown option '--fromat'\nhelp: did you mean '--format'?",
    of: "triage"),
  WrongUse("triage x --campaign=1", "error: unknown option '--campaign'", of: "triage"),
  WrongUse("triage x -x", "error: unknown option '-x'", of: "triage"),
  WrongUse(
    "query --no-format x", "error: unknown option '--no-format'\nhelp: did you mean '--format'?",
    of: "query"),
  WrongUse("triage x --format", "error: missing value for '--format <format>'", of: "triage"),
  WrongUse(
    "triage x --db --format json", "error: missing value for '--db <file>'", of: "triage"),
  WrongUse("triage x --db -- y", "error: missing value for '--db <file>'", of: "triage"),
  WrongUse(
    "query --list=yes", "error: option '--list' takes no value, but 'yes' was given", of: "query"),
  WrongUse(
    "triage x --format xml",
    """
    error: value 'xml' is invalid for '--format <format>'
    help: allowed values: text, json, md, html
    """, of: "triage"),
  WrongUse(
    "report daily --date 2026-02-29",
    """
    error: value '2026-02-29' is invalid for '--date <day>'
    help: expected a day such as 2026-11-29
    """, of: "report"),
  WrongUse(
    "report daily --zone Europe/Berlim",
    """
    error: value 'Europe/Berlim' is invalid for '--zone <zone>'
    help: expected a zone such as UTC, +01:00 or Europe/Berlin
    """, of: "report"),
  WrongUse(
    "report weekly", "error: value 'weekly' is invalid for '<report>'\nhelp: allowed values: daily",
    of: "report"),
  WrongUse(
    "ingest x --threads 0",
    """
    error: value '0' is invalid for '--threads <count>'
    help: expected a whole number from 1 to 64
    """, of: "ingest"),
  WrongUse(
    "ingest x --threads=two",
    """
    error: value 'two' is invalid for '--threads <count>'
    help: expected a whole number from 1 to 64
    """, of: "ingest"),
  WrongUse(
    "ingest x --db=",
    """
    error: value '' is invalid for '--db <file>'
    help: expected the path of a file; ./ before a name that begins with 'file:'
    """, of: "ingest"),
  WrongUse(
    "report daily --db :memory:",
    """
    error: value ':memory:' is invalid for '--db <file>'
    help: expected the path of a file; ./ before a name that begins with 'file:'
    """, of: "report"),
  WrongUse(
    "inspect x --db file:push?mode=memory",
    """
    error: value 'file:push?mode=memory' is invalid for '--db <file>'
    help: expected the path of a file; ./ before a name that begins with 'file:'
    """, of: "inspect"),
  WrongUse(
    "check --device-os abc",
    """
    error: value 'abc' is invalid for '--device-os <version>'
    help: expected a version such as 17.4
    """, of: "check"),
  WrongUse(
    "simulate --lost 1.5",
    """
    error: value '1.5' is invalid for '--lost <share>'
    help: expected a share from 0 to 1, such as 0.05
    """, of: "simulate"),
  WrongUse(
    "query verdicts --param day",
    """
    error: value 'day' is invalid for '--param <name=value>'
    help: expected name=value, such as day=2026-11-29
    """, of: "query"),
  WrongUse("triage", "error: missing argument '<id>'", of: "triage"),
  WrongUse("compare 5.1.0", "error: missing argument '<candidate>'", of: "compare"),
  WrongUse(
    "compare 5.1.0 5.2.0 --since 2026-11-25 --until 2026-11-22",
    """
    error: '--since 2026-11-25' is after '--until 2026-11-22'
    help: no day lies between them; turn them
    """, of: "compare"),
  WrongUse("ingest --keep-payloads", "error: missing argument '<path>'", of: "ingest"),
  WrongUse("query", "error: missing argument '<name>'", of: "query"),
  WrongUse("triage x y", "error: unexpected argument 'y'", of: "triage"),
  WrongUse(
    "triage x \(token)", "error: unexpected argument '0123…cdef'", of: "triage"),
  WrongUse(
    "query verdicts --list",
    "error: '--list' and '<name>' exclude each other\nhelp: give one of the two", of: "query"),
]

private let usages = [
  "check": "[<case>]",
  "ingest": "<path>...",
  "inspect": "<path>...",
  "report": "<report>",
  "triage": "<id>",
  "compare": "<baseline> <candidate>",
  "query": "[<name>]",
]

@Test(arguments: wrongUses)
func wrongUseSaysWhatIsWrongAndWhereHelpIs(_ use: WrongUse) throws {
  let run = try BuiltProgram.pushtriage.run(use.words)
  let program = use.command.map { "pushtriage \($0)" } ?? "pushtriage"
  var usage = use.command == nil ? "pushtriage <command> [options]" : "\(program) [options]"
  if let arguments = use.command.flatMap({ usages[$0] }) { usage += " \(arguments)" }
  #expect(run.error == "\(use.message)\n\nusage: \(usage)\nsee '\(program) --help'\n")
  #expect(run.output == "")
  #expect(run.exitCode == 64)
}

@Test func moreThanFiveAllowedValuesAreListedNearestFirst() {
  let values = Expectation.oneOf(["red", "green", "blue", "black", "white", "grey"])
  let problem = UsageProblem.invalidValue("gren", of: "--colour <colour>", values)
  #expect(
    problem.diagnostic.text() == """
      error: value 'gren' is invalid for '--colour <colour>'
      help: allowed values, nearest first:
        green
        grey
        red
        blue
        black
        white

      """)
}

@Test func inputsThatCannotBeReadAreNamedWithWhatToDo() throws {
  let folder = try ScratchFolder()
  let one = try BuiltProgram.pushtriage.run(["ingest", "missing.ndjson"], in: folder.url)
  #expect(
    one.error == """
      error: cannot read 'missing.ndjson'
      reason: no file or folder has this path
      help: check the spelling, or the folder the command runs in

      """)
  #expect(one.exitCode == 1)
  let two = try BuiltProgram.pushtriage.run(["ingest", "a.ndjson", "b.ndjson"], in: folder.url)
  #expect(
    two.error == """
      error: none of the inputs can be read
      note: 'a.ndjson': no file or folder has this path
      note: 'b.ndjson': no file or folder has this path
      help: check the spelling, or the folder the command runs in

      """)
  let format = try BuiltProgram.pushtriage.run(["ingest", "a.ndjson", "--as", "rpsh"])
  #expect(format.error.hasPrefix("error: unknown format 'rpsh'\nhelp: the nearest names: rpush"))
  #expect(format.exitCode == 64)
}

@Test func aLogThatIsGivenAsFactsIsToldOf() throws {
  let folder = try ScratchFolder()
  let send = #"{"v":1,"ts":"2026-03-01T10:00:00Z","notification_id":"n-1","status":200}"#
  let facts =
    #"{"version":1,"releases":[{"bundle_id":"com.example.app","version":"1.0","build":"1"}]}"#
  for (name, text) in [("a.ndjson", send), ("b.ndjson", send + "\n"), ("facts.json", facts)] {
    try Data((text + "\n").utf8).write(to: folder.url.appending(path: name))
  }
  for extra in [["--dry-run"], [], []] {
    for (file, code, isTold) in [
      ("a.ndjson", Int32(2), true), ("b.ndjson", 2, true), ("facts.json", 0, false),
    ] {
      let run = try BuiltProgram.pushtriage.run(
        ["ingest", "a.ndjson", "--facts", file, "--as", "send-log"] + extra, in: folder.url)
      #expect(run.exitCode == code, "\(file): \(run.error)")
      #expect(
        run.error.contains("reason: is not a file of facts about built apps") == isTold,
        "\(run.error)")
    }
  }
}

@Test func aMissingKeyFileIsNamedAndNoneIsMade() throws {
  let folder = try ScratchFolder()
  let send = #"{"v":1,"ts":"2026-03-01T10:00:00Z","notification_id":"n-1","status":200}"#
  try Data((send + "\n").utf8).write(to: folder.url.appending(path: "sends.ndjson"))
  let ingest = ["ingest", "sends.ndjson", "--db", "push.db"]
  #expect(try BuiltProgram.pushtriage.run(ingest, in: folder.url).exitCode == 0)
  let key = folder.url.appending(path: "push.db-key")
  let bytes = try Data(contentsOf: key)
  try FileManager.default.removeItem(at: key)
  for _ in 0..<2 {
    let run = try BuiltProgram.pushtriage.run(ingest, in: folder.url)
    #expect(run.error.hasPrefix("error: the key file 'push.db-key' is missing\n"), "\(run.error)")
    #expect(run.exitCode == 1)
    #expect(!FileManager.default.fileExists(atPath: key.path))
  }
  try bytes.write(to: key)
  #expect(try BuiltProgram.pushtriage.run(ingest, in: folder.url).exitCode == 0)
}

/// What comes of files of which nothing, a part or all can be read.
@Test func theExitCodeSaysWhetherAnythingUsableWasRead() throws {
  let folder = try ScratchFolder()
  func write(_ name: String, _ bytes: [UInt8]) throws {
    try Data(bytes).write(to: folder.url.appending(path: name))
  }
  let send =
    #"{"v":1,"ts":"2026-03-01T10:00:00Z","notification_id":"n-1","status":200,"#
    + #""device_token":"\#(token)","environment":"production","topic":"com.example.courier"}"#
  try write("sends.ndjson", Array((send + "\n").utf8))
  try write("words.txt", Array("only words of which nobody knows the format\n".utf8))
  try write("binary", [0x7F, 0x45, 0x4C, 0x46, 0, 0, 0, 0] + [UInt8](repeating: 0, count: 600))
  try write("cut.gz", [0x1F, 0x8B])
  try write("half.log", Array("2026-03-01 10:00".utf8))
  try write("empty.log", [])
  try FileManager.default.createDirectory(
    at: folder.url.appending(path: "pictures"), withIntermediateDirectories: true)
  try write("pictures/binary", [0x89, 0x50, 0x4E, 0x47] + [UInt8](repeating: 0, count: 600))
  let cases: [(words: [String], code: Int32)] = [
    (["binary"], 1), (["words.txt"], 1), (["cut.gz"], 1), (["half.log"], 1), (["pictures"], 1),
    (["sends.ndjson", "--as", "device-log"], 1), (["empty.log"], 0), (["sends.ndjson"], 0),
    (["sends.ndjson", "binary"], 2), (["sends.ndjson", "words.txt"], 2),
    (["sends.ndjson", "pictures"], 0), (["sends.ndjson", "half.log"], 0),
  ]
  for (number, row) in cases.enumerated() {
    for extra in [["--dry-run"], ["--db", "\(number).db"], ["--db", "\(number).db"]] {
      let run = try BuiltProgram.pushtriage.run(["ingest"] + row.words + extra, in: folder.url)
      #expect(run.exitCode == row.code, "\(row.words) \(extra): \(run.error)")
    }
  }
}
