import Foundation
import PushSimulator

/// A corpus in a temporary folder, read back line by line.
struct Corpus {
  let summary: SimulatorSummary
  let provider: [Data]
  let device: [Data]
  let truth: [Data]
  let facts: Data

  init(_ configuration: SimulatorConfiguration) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    summary = try Simulator.run(configuration, to: folder.path)
    provider = try Corpus.lines(folder, "provider.ndjson")
    device = try Corpus.lines(folder, "device.ndjson")
    truth = try Corpus.lines(folder, "truth.ndjson")
    facts = try Data(contentsOf: folder.appending(path: "facts.json"))
  }

  private static func lines(_ folder: URL, _ name: String) throws -> [Data] {
    var lines = try Data(contentsOf: folder.appending(path: name))
      .split(separator: 0x0A, omittingEmptySubsequences: false).map { Data($0) }
    // The last line ends in a line feed too.
    if lines.last?.isEmpty == true { lines.removeLast() }
    return lines
  }

  static func object(_ line: Data) throws -> [String: Any] {
    try JSONSerialization.jsonObject(with: line) as? [String: Any] ?? [:]
  }
}

/// The corpus that most tests read: made once, because it is not small.
enum Shared {
  static let seed: UInt64 = 7
  static let notifications = 20_000
  static let corpus = Result {
    try Corpus(SimulatorConfiguration(notifications: notifications, seed: seed))
  }
  static let truth = Result { try corpus.get().truth.map(TruthLine.init) }
}

/// One line of the truth, as far as the tests ask about it.
struct TruthLine {
  struct Deciding {
    var file: String
    var line: Int?
    var what: String
    var survived: Bool
    var sequence: Int?
  }

  var notificationID: String?
  var apnsIDs: [String]
  var collapseID: String?
  var requestID: String?
  var deviceID: String
  var step: String?
  var cause: String?
  var also: [String]
  var meant: [String]
  var deciding: [Deciding]
  var decidable: Bool
  var why: String?
  var defects: [String]
  var stage: String

  init(_ line: Data) throws {
    let object = try Corpus.object(line)
    notificationID = object["notification_id"] as? String
    apnsIDs = object["apns_ids"] as? [String] ?? []
    collapseID = object["collapse_id"] as? String
    requestID = object["request_id"] as? String
    deviceID = object["device_id"] as? String ?? ""
    step = object["step"] as? String
    cause = object["cause"] as? String
    also = (object["also"] as? [[String: String]] ?? []).compactMap { $0["cause"] }
    meant = object["meant"] as? [String] ?? []
    deciding = (object["deciding"] as? [[String: Any]] ?? []).map { entry in
      Deciding(
        file: entry["file"] as? String ?? "", line: entry["line"] as? Int,
        what: entry["what"] as? String ?? "", survived: entry["survived"] as? Bool ?? false,
        sequence: entry["seq"] as? Int)
    }
    decidable = object["decidable"] as? Bool ?? false
    why = object["why"] as? String
    defects = object["defects"] as? [String] ?? []
    stage = object["stage"] as? String ?? ""
  }
}
