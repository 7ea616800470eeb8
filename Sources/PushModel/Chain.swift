/// Which checklist a chain walks.
public enum ChainKind: UInt8, Sendable, BitwiseCopyable, CaseIterable {
  case richAlert, background, liveActivity, voip, requestOnly, response, handoff

  /// The word used in output and in the database.
  public var text: String {
    switch self {
    case .richAlert: "alert"
    case .background: "background"
    case .liveActivity: "live-activity"
    case .voip: "voip"
    case .requestOnly: "request"
    case .response: "response"
    case .handoff: "handoff"
    }
  }
}

/// Everything linked to one notification, in order of the path, and its context.
///
/// Rows of the database, case files and examples all become this one type. The buffers are reused
/// from chain to chain, so that judging allocates nothing.
public struct Chain: Sendable {
  /// Which checklist it walks.
  public var kind: ChainKind = .richAlert
  /// What it was meant to be.
  public var meaning: Meaning = []
  /// How that is known.
  public var meaningSource: MeaningSource = .none
  /// The attempts, oldest first. The last answer counts.
  public var sends: ContiguousArray<Send> = []
  /// Device events in the order in which they happened (by counter and monotonic durations).
  public var events: ContiguousArray<DeviceEvent> = []
  /// Attributes of all events.
  public var attributes: ContiguousArray<Attribute> = []
  /// Forms of the URLs in attributes; an attribute of kind `url` holds a place in here.
  public var urls: ContiguousArray<URLForm> = []
  /// The payload as the device received it.
  public var received = Payload()
  /// Facts of the release.
  public var release = Release()
  /// Facts of the installation.
  public var installation = Installation()
  /// What the sources are known to have recorded.
  public var coverage = Coverage()
  /// Other sends.
  public var traffic = Traffic()
  /// What only a case file knows; nil in a pipeline, where nothing of it exists.
  public var scrap: CaseScrap?

  /// An empty chain.
  public init() {}

  /// Empties the chain, keeping its buffers.
  public mutating func reset() {
    kind = .richAlert
    meaning = []
    meaningSource = .none
    sends.removeAll(keepingCapacity: true)
    events.removeAll(keepingCapacity: true)
    attributes.removeAll(keepingCapacity: true)
    urls.removeAll(keepingCapacity: true)
    received = Payload()
    release = Release()
    installation = Installation()
    coverage = Coverage()
    traffic = Traffic()
    scrap = nil
  }

  /// Place of the first event of a name, or nil.
  @inlinable public func firstEvent(_ name: Word) -> Int? {
    let symbol = Symbol(name)
    for index in events.indices where events[index].name == symbol { return index }
    return nil
  }

  /// Place of the last event of a name, or nil.
  @inlinable public func lastEvent(_ name: Word) -> Int? {
    let symbol = Symbol(name)
    for index in events.indices.reversed() where events[index].name == symbol { return index }
    return nil
  }

  /// Number of events of a name.
  @inlinable public func eventCount(_ name: Word) -> Int {
    let symbol = Symbol(name)
    var count = 0
    for index in events.indices where events[index].name == symbol { count += 1 }
    return count
  }

  /// The first attribute of a key of an event, or nil.
  @inlinable public func attribute(_ key: Word, of event: Int) -> Attribute? {
    let symbol = Symbol(key)
    let first = Int(events[event].firstAttribute)
    // The range is checked once: rules ask for attributes more often than for anything else.
    let own = attributes.span.extracting(first..<first + Int(events[event].attributeCount))
    for index in own.indices where unsafe own[unchecked: index].key == symbol {
      return unsafe own[unchecked: index]
    }
    return nil
  }

  /// A whole number of an event: an integer, or a real number without its fraction.
  @inlinable public func integer(_ key: Word, of event: Int) -> Int64? {
    guard let attribute = attribute(key, of: event) else { return nil }
    switch attribute.kind {
    case .integer: return attribute.bits
    case .real:
      let value = Double(bitPattern: UInt64(bitPattern: attribute.bits))
      // Converting drops the fraction; NaN and what no Int64 holds fail the comparison.
      return abs(value) < 9e18 ? Int64(value) : nil
    default: return nil
    }
  }

  /// A truth value of an event: a Boolean, or the numbers 0 and 1.
  @inlinable public func boolean(_ key: Word, of event: Int) -> Bool? {
    guard let attribute = attribute(key, of: event) else { return nil }
    switch attribute.kind {
    case .boolean, .integer: return attribute.bits != 0
    default: return nil
    }
  }

  /// A text of an event.
  @inlinable public func text(_ key: Word, of event: Int) -> Symbol? {
    guard let attribute = attribute(key, of: event), attribute.kind == .text else { return nil }
    return Symbol(index: UInt32(truncatingIfNeeded: attribute.bits))
  }

  /// The form of a URL of an event.
  @inlinable public func url(_ key: Word, of event: Int) -> URLForm? {
    guard let attribute = attribute(key, of: event), attribute.kind == .url else { return nil }
    return urls[Int(attribute.bits)]
  }

  /// Whether an attribute is there and null.
  @inlinable public func isNull(_ key: Word, of event: Int) -> Bool {
    attribute(key, of: event)?.kind == .null
  }
}
