import PushModel

/// The process that wrote a quoted line: an extension of the app, or something else.
///
/// A log shows the name of the program alone. What the case knows of the built app says whose that is;
/// without it, the words of the name do, and there are apps with such words in their names too.
struct ProcessName {
  private let path: String
  /// The program's name without folders, and without the process id that some logs put behind it.
  private let name: Substring

  init(_ text: String) {
    path = text.lowercased()
    let program = text.split(separator: "/").last ?? ""
    name = program.prefix { $0 != "(" && $0 != "[" }.trimmedEnd
  }

  var isEmpty: Bool { name.isEmpty }

  /// The loader and the kernel write about others.
  var isOfSystem: Bool {
    let lower = name.lowercased()
    return lower.hasPrefix("dyld") || lower == "kernel"
  }

  /// Whether it is an extension; false where that is open.
  func isExtension(of facts: CaseFacts) -> Bool {
    if path.contains(".appex/") { return true }
    if path.contains(".app/") { return false }
    let lower = name.lowercased()
    let isOfApp = Self.names(facts.app).contains(lower)
    let isOfExtension = Self.namesOfExtensions(facts).contains(lower)
    if isOfApp || isOfExtension { return isOfExtension && !isOfApp }
    return saysExtension
  }

  /// Whether the words of the name are those of an extension: one that nothing else is called by, or
  /// what it is for at the end, as in "CourierPush", where "PushUps" and "ServiceBook" have it in front.
  private var saysExtension: Bool {
    let words = Self.words(of: name)
    if words.contains(where: { ["extension", "ext", "appex", "nse"].contains($0) }) { return true }
    let purposes: Set<String> = [
      "push", "notification", "notifications", "notify", "notif", "rich",
    ]
    guard let last = words.last else { return false }
    return purposes.contains(last)
      || (words.contains("service") && !purposes.isDisjoint(with: words))
  }

  /// The words of a name, in small letters: parts between other characters, and those that a capital
  /// begins; capitals in a row are one word.
  private static func words(of name: Substring) -> [String] {
    var words: [String] = []
    var word = ""
    let letters = Array(name)
    for (place, letter) in letters.enumerated() {
      guard letter.isLetter else {
        if !word.isEmpty { words.append(word) }
        word = ""
        continue
      }
      let before = place > 0 ? letters[place - 1] : nil
      let isNextSmall = place + 1 < letters.count && letters[place + 1].isLowercase
      if letter.isUppercase, !word.isEmpty, before?.isUppercase != true || isNextSmall {
        words.append(word)
        word = ""
      }
      word += letter.lowercased()
    }
    if !word.isEmpty { words.append(word) }
    return words
  }

  // MARK: What the case calls them

  private static func namesOfExtensions(_ facts: CaseFacts) -> Set<String> {
    var names: Set<String> = []
    for file in facts.app.plugins.value ?? [] { names.insert(withoutSuffix(file)) }
    for one in facts.extensions {
      if case .known(let file) = one.part.text("file") { names.insert(withoutSuffix(file)) }
      names.formUnion(self.names(one.part))
    }
    return names
  }

  private static func names(_ app: AppFacts) -> Set<String> { names(app.part) }

  /// What a program with these facts may be called: its executable, its name, and the last part of its
  /// bundle id, as the name often is.
  private static func names(_ part: CasePart) -> Set<String> {
    var names: Set<String> = []
    for key in ["CFBundleExecutable", "CFBundleName"] {
      if let name = part.known("info.\(key)").value?.text { names.insert(name.lowercased()) }
    }
    if case .known(let bundle) = part.text("bundle_id") {
      names.insert(bundle.lowercased())
      if let last = bundle.split(separator: ".").last { names.insert(last.lowercased()) }
    }
    // A plist that was not built yet: "$(PRODUCT_NAME)".
    return names.filter { !$0.contains("$") }
  }

  private static func withoutSuffix(_ file: String) -> String {
    let name = (file.split(separator: "/").last ?? "").lowercased()
    return name.hasSuffix(".appex") ? String(name.dropLast(6)) : name
  }
}

extension Substring {
  fileprivate var trimmedEnd: Substring {
    var rest = self
    while rest.last?.isWhitespace == true { rest.removeLast() }
    return rest
  }
}
