import PushModel

/// What an activation rule accepts, and what is wrong with it (F12.2, F12.3).
enum RuleReading {
  /// What a rule accepts, as far as it shows.
  struct Accepted {
    /// Words for kinds of content, or the types that a predicate names.
    var kinds: Set<String> = []
  }

  /// Kind of value of each key.
  private enum KeyType { case count, minimum, boolean, version }

  private static let keys: [String: (type: KeyType, kind: String?)] = [
    "NSExtensionActivationSupportsAttachmentsWithMaxCount": (.count, nil),
    "NSExtensionActivationSupportsAttachmentsWithMinCount": (.minimum, nil),
    "NSExtensionActivationSupportsFileWithMaxCount": (.count, "file"),
    "NSExtensionActivationSupportsImageWithMaxCount": (.count, "image"),
    "NSExtensionActivationSupportsMovieWithMaxCount": (.count, "movie"),
    "NSExtensionActivationSupportsWebPageWithMaxCount": (.count, "web page"),
    "NSExtensionActivationSupportsWebURLWithMaxCount": (.count, "web address"),
    "NSExtensionActivationSupportsText": (.boolean, "text"),
    "NSExtensionActivationDictionaryVersion": (.version, nil),
    "NSExtensionActivationUsesStrictMatching": (.boolean, nil),
  ]

  /// The same content in the words of dictionaries and as types of predicates.
  private static let typeKinds: [String: String] = [
    "public.image": "image", "public.movie": "movie", "public.video": "movie",
    "public.file-url": "file", "public.data": "file", "public.text": "text",
    "public.plain-text": "text", "public.url": "web address",
    "com.apple.property-list": "web page",
  ]

  /// What is wrong with a rule in a build that is distributed in this way, and what it accepts.
  static func judge(
    _ rule: PlistValue?, distribution: String?
  ) -> (faults: [Finding.What], accepted: Accepted) {
    guard let rule else { return ([.ruleMissing], Accepted()) }
    switch rule {
    case .text(let text): return judge(predicate: text, distribution)
    case .dictionary(let dictionary): return judge(dictionary)
    default: return ([.ruleWrongType(rule.kindName)], Accepted())
    }
  }

  private static func judge(
    predicate text: String, _ distribution: String?
  ) -> (faults: [Finding.What], accepted: Accepted) {
    do throws(Predicate.Fault) {
      let predicate = try Predicate(text)
      var accepted = Accepted()
      accepted.kinds = Set(predicate.types.map { typeKinds[$0] ?? $0 })
      if predicate.isAlwaysTrue { return ([.truePredicate(distribution)], accepted) }
      return (predicate.isUnsatisfiable ? [.ruleUnsatisfiable] : [], accepted)
    } catch {
      return ([.predicateMalformed(error)], Accepted())
    }
  }

  private static func judge(
    _ dictionary: PlistDictionary
  ) -> (faults: [Finding.What], accepted: Accepted) {
    var faults: [Finding.What] = []
    var accepted = Accepted()
    var minimum = 0.0
    var maximum = Double.infinity
    for (key, value) in dictionary.members {
      guard let (type, kind) = keys[key] else {
        faults.append(.ruleUnknownKey(key))
        continue
      }
      switch (type, value) {
      case (.count, .integer(let number)):
        if kind == nil { maximum = Double(number) }
        if number > 0, let kind { accepted.kinds.insert(kind) }
        if number < 0 { faults.append(.ruleWrongValue(key, "a negative number")) }
      case (.minimum, .integer(let number)): minimum = Double(number)
      case (.boolean, .boolean(let value)):
        if value, let kind { accepted.kinds.insert(kind) }
      case (.version, .integer(let number)) where number == 1 || number == 2: break
      case (.version, .integer(let number)):
        faults.append(.ruleWrongValue(key, "\(number)"))
      default: faults.append(.ruleWrongValue(key, value.kindName))
      }
    }
    if faults.isEmpty, accepted.kinds.isEmpty || minimum > maximum || maximum == 0 {
      faults.append(.ruleUnsatisfiable)
    }
    return (faults, accepted)
  }
}
