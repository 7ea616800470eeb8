/// What rules need of a topic's text: the suffix of a push type that it ends with (F1.16, §1.3).
public struct TopicForm: Equatable, Sendable, BitwiseCopyable {
  /// The suffixes that exist; a plain `.pushkit` is none of them (F1.30).
  public enum Suffix: UInt8, Sendable, BitwiseCopyable, CaseIterable {
    case none, voip, complication, fileprovider, location, liveactivity, pushtotalk, widgets
    case controls

    /// The text of the suffix, with its dot.
    public var text: String {
      switch self {
      case .none: ""
      case .voip: ".voip"
      case .complication: ".complication"
      case .fileprovider: ".pushkit.fileprovider"
      case .location: ".location-query"
      case .liveactivity: ".push-type.liveactivity"
      case .pushtotalk: ".voip-ptt"
      case .widgets: ".push-type.widgets"
      case .controls: ".push-type.controls"
      }
    }
  }

  /// Which suffix it ends with.
  public var suffix: Suffix
  /// Whether two suffixes follow each other.
  public var isDoubled: Bool
  /// Whether it holds characters that no bundle id has: spaces, quotes, control characters.
  public var hasStrayCharacters: Bool

  /// A form with these values.
  public init(suffix: Suffix, isDoubled: Bool = false, hasStrayCharacters: Bool = false) {
    self.suffix = suffix
    self.isDoubled = isDoubled
    self.hasStrayCharacters = hasStrayCharacters
  }

  /// Reads a topic: its form, and the text before the suffixes.
  public static func read(_ topic: String) -> (form: TopicForm, base: String) {
    var rest = Substring(topic)
    var found: [Suffix] = []
    search: while true {
      for suffix in Suffix.allCases where suffix != .none && rest.hasSuffix(suffix.text) {
        found.append(suffix)
        rest = rest.dropLast(suffix.text.count)
        continue search
      }
      break
    }
    // Letters, digits, hyphen and dot are what a bundle id may hold; underscores are tolerated.
    let isStray = topic.utf8.contains { byte in
      switch byte {
      case 45, 46, 48...57, 65...90, 95, 97...122: false
      default: true
      }
    }
    let form = TopicForm(
      suffix: found.first ?? .none, isDoubled: found.count > 1, hasStrayCharacters: isStray)
    return (form, String(rest))
  }
}

/// Reads each topic once; the form of a topic is the same for millions of sends.
public struct TopicForms {
  private var known: [UInt32: (form: TopicForm, base: Symbol)] = [:]

  /// A reader that has seen nothing.
  public init() {}

  /// Fills ``Send/topicForm`` and ``Send/topicBase`` from the topic of a send.
  public mutating func describe(_ send: inout Send, in table: SymbolTable) {
    guard case .known(let topic) = send.topic else { return }
    if let entry = known[topic.index] {
      send.topicForm = .known(entry.form)
      send.topicBase = .known(entry.base)
      return
    }
    let (form, base) = TopicForm.read(table[topic])
    let symbol = table.intern(base)
    known[topic.index] = (form, symbol)
    send.topicForm = .known(form)
    send.topicBase = .known(symbol)
  }
}
