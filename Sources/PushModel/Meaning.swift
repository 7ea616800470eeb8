/// What a notification was meant to be: one or more.
public struct Meaning: OptionSet, Hashable, Sendable, BitwiseCopyable {
  public let rawValue: UInt16
  public init(rawValue: UInt16) { self.rawValue = rawValue }
  /// Text alone.
  public static let plain = Meaning(rawValue: 1)
  /// Changed by the service extension.
  public static let modified = Meaning(rawValue: 2)
  /// With a picture, film or sound attached.
  public static let media = Meaning(rawValue: 4)
  /// From a person: name in front, avatar.
  public static let communication = Meaning(rawValue: 8)
  /// With buttons.
  public static let actions = Meaning(rawValue: 16)
  /// With a view of a content extension.
  public static let customView = Meaning(rawValue: 32)
  /// To be heard.
  public static let sound = Meaning(rawValue: 64)
  /// To wake the app, without anything shown.
  public static let silent = Meaning(rawValue: 128)
  /// An update of a Live Activity.
  public static let liveActivity = Meaning(rawValue: 256)
  /// A VoIP call.
  public static let call = Meaning(rawValue: 512)

  /// All single meanings with their words, in the order of output.
  public static let words: [(meaning: Meaning, word: String)] = [
    (.plain, "plain"), (.modified, "modified"), (.media, "media"),
    (.communication, "communication"), (.actions, "actions"), (.customView, "custom-view"),
    (.sound, "sound"), (.silent, "silent"), (.liveActivity, "live-activity"), (.call, "call"),
  ]

  /// The meaning of one word, or nil.
  public init?(word: String) {
    guard let match = Meaning.words.first(where: { $0.word == word }) else { return nil }
    self = match.meaning
  }

  /// Words in the order of output.
  public var texts: [String] { Meaning.words.filter { contains($0.meaning) }.map(\.word) }

  /// Everything that needs the service extension to have run.
  public static let needsExtension: Meaning = [.modified, .media, .communication]
}

/// How it is known what a notification was meant to be, best first.
public enum MeaningSource: UInt8, Sendable, BitwiseCopyable, CaseIterable {
  /// The send log's `expects`, or a case file's symptom.
  case stated
  /// A rule that the team gave.
  case rule
  /// The payload states it: the flag, a vendor's documented key, a key that the team named.
  case payload
  /// Guessed from the payload beyond its statements; a verdict is `likely` at most.
  case guess
  /// Nothing says more than that it was sent: plain.
  case none

  /// The word used in output and in the database.
  public var text: String {
    switch self {
    case .stated: "stated"
    case .rule: "rule"
    case .payload: "payload"
    case .guess: "guess"
    case .none: "default"
    }
  }
}
