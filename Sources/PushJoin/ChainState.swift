public import PushModel

/// What is in force at a time: settings, categories, releases, until the phone says otherwise.
extension ChainBuilder {
  mutating func advance(
    to deviceAt: Int64, join: borrowing InstallationJoin, records: RecordSet
  ) {
    while nextContext < join.installationEvents.count {
      let event = records.events[Int(join.installationEvents[nextContext])]
      guard event.at <= deviceAt else { break }
      apply(event, records)
      nextContext += 1
    }
  }

  mutating func apply(_ event: EventRecord, _ records: RecordSet) {
    if event.name == .appCategories {
      categories = (
        event.firstAttribute, Int(event.attributeCount), event.reference
      )
      return
    }
    let first = Int(event.firstAttribute)
    var hasSettings = false
    for index in first..<first + Int(event.attributeCount) {
      let attribute = records.attributes[index]
      switch attribute.key.word {
      case .authorization:
        if let text = text(attribute) {
          installation.authorization = .known(text)
          hasSettings = true
        }
      case .apsEnvironment:
        if let text = text(attribute) { installation.apsEnvironment = .known(text) }
        if attribute.kind == .null { installation.apsEnvironment = .missing }
      case .alerts: set(&installation.alerts, attribute, &hasSettings)
      case .sounds: set(&installation.sounds, attribute, &hasSettings)
      case .focus:
        set(&installation.focus, attribute, &hasSettings)
        focusRecordedAt = event.at
      case .scheduledSummary: set(&installation.scheduledSummary, attribute, &hasSettings)
      case .timeSensitive: set(&installation.timeSensitive, attribute, &hasSettings)
      case .backgroundRefresh: set(&installation.backgroundRefresh, attribute, &hasSettings)
      case .lowPower: set(&installation.lowPower, attribute, &hasSettings)
      default: break
      }
    }
    if hasSettings { installation.settingsReference = event.reference }
  }

  /// What a record says that stays in force until another one says it anew.
  public struct Saying: OptionSet, Sendable {
    /// One bit for each thing.
    public var rawValue: UInt16
    /// What these bits say.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// The release and the version of the OS; any record may say it.
    public static let release = Saying(rawValue: 1 << 0)
    static let categories = Saying(rawValue: 1 << 1)
    /// What is looked for further back than the last days of a phone's own records.
    public static let essential: Saying = [.release, .categories, Saying(rawValue: 1 << 2)]
    /// The settings, in their order here; the authorization first.
    static let settings: [Word] = [
      .authorization, .apsEnvironment, .alerts, .sounds, .focus, .scheduledSummary, .timeSensitive,
      .backgroundRefresh, .lowPower,
    ]
  }

  /// What of an event stays in force.
  public static func saying(of event: EventRecord, _ records: RecordSet) -> Saying {
    var saying: Saying = []
    let origin = records.origins[Int(event.origin)]
    if origin.version != .empty || origin.os != .empty { saying.insert(.release) }
    guard InstallationJoin.isInstallationEvent(event.name) else { return saying }
    if event.name == .appCategories { return saying.union(.categories) }
    let first = Int(event.firstAttribute)
    for index in first..<first + Int(event.attributeCount) {
      guard let word = records.attributes[index].key.word,
        let place = Saying.settings.firstIndex(of: word)
      else { continue }
      saying.insert(Saying(rawValue: 1 << UInt16(place + 2)))
    }
    return saying
  }

  func text(_ attribute: Attribute) -> Symbol? {
    attribute.kind == .text ? Symbol(index: UInt32(truncatingIfNeeded: attribute.bits)) : nil
  }

  /// A switch as recorders write it: a Boolean, 0 or 1, or one of the words for on and off.
  func set(_ field: inout Known<Bool>, _ attribute: Attribute, _ changed: inout Bool) {
    switch attribute.kind {
    case .boolean, .integer: field = .known(attribute.bits != 0)
    case .text:
      let symbol = Symbol(index: UInt32(truncatingIfNeeded: attribute.bits))
      if symbol == .on || symbol == .trueText || symbol == .authorized || symbol == .active {
        field = .known(true)
      } else if symbol == .off || symbol == .falseText || symbol == .denied {
        field = .known(false)
      } else {
        return
      }
    default: return
    }
    changed = true
  }
}
