/// What a notification was meant to be: one or more.
public struct Meaning: OptionSet, Hashable, Sendable, BitwiseCopyable {
  /// The bits.
  public let rawValue: UInt16
  /// The set of these bits.
  @inlinable public init(rawValue: UInt16) { self.rawValue = rawValue }
  /// Text alone.
  @inlinable public static var plain: Meaning { Meaning(rawValue: 1) }
  /// Changed by the service extension.
  @inlinable public static var modified: Meaning { Meaning(rawValue: 2) }
  /// With a picture, film or sound attached.
  @inlinable public static var media: Meaning { Meaning(rawValue: 4) }
  /// From a person: name in front, avatar.
  @inlinable public static var communication: Meaning { Meaning(rawValue: 8) }
  /// With buttons.
  @inlinable public static var actions: Meaning { Meaning(rawValue: 16) }
  /// With a view of a content extension.
  @inlinable public static var customView: Meaning { Meaning(rawValue: 32) }
  /// To be heard.
  @inlinable public static var sound: Meaning { Meaning(rawValue: 64) }
  /// To wake the app, without anything shown.
  @inlinable public static var silent: Meaning { Meaning(rawValue: 128) }
  /// An update of a Live Activity.
  @inlinable public static var liveActivity: Meaning { Meaning(rawValue: 256) }
  /// A VoIP call.
  @inlinable public static var call: Meaning { Meaning(rawValue: 512) }

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
  @inlinable public static var needsExtension: Meaning { Meaning(rawValue: 2 | 4 | 8) }
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
