/// Where an extension's code begins: class or storyboard, and whether it is there.
struct EntryPoint {
  /// Class of `NSExtensionPrincipalClass`.
  var className: String?
  /// Storyboard of `NSExtensionMainStoryboard`.
  var storyboard: String?
  /// Whether the class or storyboard is there; nil if that cannot be seen.
  var isFound: Bool?
  /// The class that was probably meant.
  var suggestion: String?

  init(_ part: BuiltPart) {
    let info = part.info?["NSExtension"]?.dictionary
    className = info?["NSExtensionPrincipalClass"]?.text
    storyboard = info?["NSExtensionMainStoryboard"]?.text
    if let className {
      isFound = Self.find(className, in: part, &suggestion)
    } else if let storyboard {
      isFound = part.storyboards.map { $0.contains(storyboard) }
    }
  }

  /// A setting that the build would replace.
  var isPlaceholder: Bool { className.map(Self.isPlaceholder) ?? false }

  private static func isPlaceholder(_ name: String) -> Bool {
    name.contains("$(") || name.contains("${")
  }

  private static func find(
    _ name: String, in part: BuiltPart, _ suggestion: inout String?
  ) -> Bool? {
    // A plist that no build has touched still holds its settings.
    if isPlaceholder(name) { return part.hasProgram == nil ? nil : false }
    guard let main = part.program?.main, let names = main.names, !names.classes.isEmpty else {
      return byLanguage(name, part)
    }
    if names.classes.contains(name) { return true }
    // Older compilers keep the names of renamed Swift classes among the texts.
    if names.words.contains(name) { return nil }
    // It may come from a framework of the app's own, which is not looked into.
    if main.libraries.contains(where: { library in
      library.name.hasPrefix("@") && !library.name.contains("libswift")
    }) {
      let base = name.split(separator: ".").last.map(String.init) ?? name
      let near = names.classes.filter {
        $0 == base || $0.hasSuffix("." + base)
      }.sorted()
      // A class of that name with another prefix says what went wrong all the same.
      guard let found = near.first else { return nil }
      suggestion = found
      return false
    }
    let base = name.split(separator: ".").last.map(String.init) ?? name
    suggestion = names.classes.filter { $0 == base || $0.hasSuffix("." + base) }.sorted().first
    return false
  }

  /// Without the program: Swift needs the module before the name, Objective-C must not have it
  /// (F7.13).
  private static func byLanguage(_ name: String, _ part: BuiltPart) -> Bool? {
    if let noted = part.noted["principal_class_found"]?.boolean { return noted }
    switch part.noted["language"]?.text {
    case "swift": return name.contains(".") ? nil : false
    case "objc": return name.contains(".") ? false : nil
    default: return nil
    }
  }
}

extension BuiltPart {
  /// Whether the class or storyboard that its plist names is there; nil if that cannot be seen.
  public var hasEntryPoint: Bool? { EntryPoint(self).isFound }

  /// Whether its profile or signature could be read.
  public var isSigningKnown: Bool { profile != nil || program?.main?.signature != nil }
}
