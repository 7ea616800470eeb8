import Glibc

/// Reads an app or an extension: archive, folder, or loose facts about one.
public enum BundleReader {
  /// Reads what stands at a path.
  ///
  /// Understands `.ipa` and other zip and tar archives, `.xcarchive`, `.app` and `.appex` folders,
  /// a single Info.plist, an entitlements file, a provisioning profile, and facts as JSON. Archives
  /// of several apps and facts of several releases give as many.
  /// - Throws: a problem that leaves nothing to inspect. Parts that cannot be read are in
  ///   ``BuiltApp/problems``.
  public static func read(_ path: String) throws(BundleProblem) -> [BuiltApp] {
    var status = stat()
    guard stat(path, &status) == 0 else { throw BundleProblem(.system(errno), at: path) }
    if status.st_mode & S_IFMT == S_IFDIR {
      var assembly = BundleAssembly(tree: try BundleTree.folder(path), source: path)
      return try assembly.apps()
    }
    let file = try FileSource(path: path, place: path, followsLink: true)
    let head = try file.read(at: 0, count: 512)
    if isArchive(head) {
      var assembly = BundleAssembly(
        tree: try BundleTree.archive(path, place: path), source: path)
      return try assembly.apps()
    }
    guard (file.sizeBytes ?? 0) <= BundleLimits.smallFileBytes else {
      throw BundleProblem(.notABundle, at: path)
    }
    return try LooseFacts.read(
      try file.read(at: 0, count: BundleLimits.smallFileBytes), source: path)
  }

  /// Reads facts of one release as JSON, such as those that a database keeps.
  public static func read(facts bytes: [UInt8], source: String) throws(BundleProblem) -> BuiltApp {
    try LooseFacts.read(bytes, source: source)[0]
  }

  private static func isArchive(_ head: [UInt8]) -> Bool {
    head.starts(with: [0x50, 0x4B]) || head.starts(with: [0x1F, 0x8B])
      || head.count > 262 && head[257..<262].elementsEqual("ustar".utf8)
  }
}

/// Puts an app together from what was read of its files.
struct BundleAssembly {
  private let tree: BundleTree
  private let source: String
  private var problems: [BundleProblem]
  /// Apps and extensions by their path.
  private let roots: [String: [String]]

  init(tree: BundleTree, source: String) {
    self.tree = tree
    self.source = source
    problems = tree.problems
    var roots: [String: [String]] = [:]
    for file in tree.files {
      guard let path = BundlePath(file), !path.root.hasSuffix(".framework") else { continue }
      roots[path.root, default: []].append(path.rest)
    }
    self.roots = roots
  }

  /// The apps that stand side by side; without any, the extension that stands alone.
  mutating func apps() throws(BundleProblem) -> [BuiltApp] {
    let outer = roots.keys.filter { root in
      !roots.keys.contains { $0 != root && root.hasPrefix($0 + "/") }
    }.sorted()
    let apps = outer.filter { $0.hasSuffix(".app") }
    var builts: [BuiltApp] = []
    for root in apps {
      guard tree.files.contains(root + "/Info.plist") else {
        throw BundleProblem(.missingFile, at: root + "/Info.plist")
      }
      var built = BuiltApp(source: source)
      try fill(&built, root)
      built.problems = problems.filter { problem in
        !apps.contains { $0 != root && problem.place.hasPrefix($0 + "/") }
      }
      builts.append(built)
    }
    return try apps.isEmpty ? [loneExtension(outer)] : builts
  }

  private mutating func loneExtension(_ outer: [String]) throws(BundleProblem) -> BuiltApp {
    guard let root = outer.first(where: { $0.hasSuffix(".appex") }) else {
      throw BundleProblem(.notABundle, at: source)
    }
    guard let part = try part(root, app: nil, isApp: false) else {
      throw BundleProblem(.missingFile, at: root + "/Info.plist")
    }
    var built = BuiltApp(source: source)
    built.extensions = [part]
    built.problems = problems
    return built
  }

  private mutating func fill(_ built: inout BuiltApp, _ root: String) throws(BundleProblem) {
    built.app = try part(root, app: root, isApp: true)
    var extensions: [BuiltPart] = []
    for inner in roots.keys.sorted() where inner.hasPrefix(root + "/") {
      let below = inner.dropFirst(root.count + 1).split(separator: "/")
      let isAppex = inner.hasSuffix(".appex")
      let isPlugIn = below.count == 2 && (below[0] == "PlugIns" || below[0] == "Extensions")
      if inner.hasSuffix(".app"), !isPlugIn {
        if let part = try part(inner, app: root, isApp: true) { built.inner.append(part) }
      } else if isAppex, below.dropLast().contains(where: { $0.hasSuffix(".app") }) {
        // An extension of an inner app is that app's.
        continue
      } else if let part = try part(inner, app: root, isApp: false) {
        if isPlugIn && isAppex {
          extensions.append(part)
        } else if part.isExtension {
          built.misplaced.append(part)
        }
      }
    }
    built.extensions = extensions
    built.frameworks = frameworks(root)
    for name in built.frameworks ?? [] {
      let path = "\(root)/Frameworks/\(name)/Info.plist"
      built.frameworkVersions[name] = table(path)?["CFBundleShortVersionString"]?.text
    }
    built.distribution = distribution(built.app)
  }

  private func frameworks(_ root: String) -> [String] {
    var names: Set<String> = []
    for file in tree.files where file.hasPrefix(root + "/Frameworks/") {
      let parts = file.dropFirst(root.count + 12).split(separator: "/")
      if let first = parts.first { names.insert(String(first)) }
    }
    return names.sorted()
  }

  private func distribution(_ app: BuiltPart?) -> String? {
    if app?.program?.main?.platform == 7 { return "simulator" }
    if let profile = app?.profile { return profile.distribution }
    if app?.program?.slices.contains(where: \.isEncrypted) == true { return "app-store" }
    return nil
  }

  /// An app or extension; nil (with a problem noted) if its plist cannot be used.
  private mutating func part(
    _ root: String, app: String?, isApp: Bool
  ) throws(BundleProblem) -> BuiltPart? {
    var part = BuiltPart(path: root)
    guard let bytes = tree.contents[part.infoPath] else {
      if root.hasSuffix(".appex"), !problems.contains(where: { $0.place == part.infoPath }) {
        problems.append(BundleProblem(.missingFile, at: part.infoPath))
      }
      return nil
    }
    do throws(FormatFault) {
      part.info = try PropertyList.dictionary(bytes)
    } catch {
      let problem = BundleProblem(.damaged(error), at: part.infoPath)
      if isApp, root == app { throw problem }
      problems.append(problem)
      return nil
    }
    readProgram(&part)
    readProfile(&part)
    readNames(&part, isApp: isApp)
    part.storyboards = Set(
      (roots[root] ?? []).flatMap { rest in
        rest.split(separator: "/").filter { $0.hasSuffix(".storyboardc") || $0.hasSuffix(".nib") }
          .map { String($0.prefix(upTo: $0.lastIndex(of: ".") ?? $0.endIndex)) }
      })
    if !isApp { part.kind = ExtensionKind.of(part) }
    if let app { part.missingLibraries = missingLibraries(part, app: app) }
    return part
  }

  private func readProgram(_ part: inout BuiltPart) {
    let name = part.info?["CFBundleExecutable"]?.text
    let root = part.path
    part.hasProgram = name.map { tree.files.contains("\(root)/\($0)") } ?? false
    part.program = name.flatMap { tree.programs["\(root)/\($0)"] }
    guard let main = part.program?.main else { return }
    if let signature = main.signature {
      // A signature without entitlements asks for none; an ad-hoc one was made to be replaced.
      part.entitlements = signature.inForce ?? (signature.isAdHoc ? nil : PlistDictionary())
    }
    if part.entitlements == nil { part.entitlements = main.simulatorEntitlements }
  }

  private mutating func readProfile(_ part: inout BuiltPart) {
    let path = part.path + "/embedded.mobileprovision"
    part.hasProfile = tree.files.contains(path)
    guard let bytes = tree.contents[path] else { return }
    do throws(FormatFault) {
      part.profile = try Profile.read(bytes)
    } catch {
      problems.append(BundleProblem(.damaged(error), at: path))
    }
  }

  private mutating func readNames(_ part: inout BuiltPart, isApp: Bool) {
    var languages: Set<String> = []
    var names: [String: String] = [:]
    for rest in roots[part.path] ?? [] {
      guard let folder = rest.split(separator: "/").first, folder.hasSuffix(".lproj"),
        folder != "Base.lproj"
      else { continue }
      let language = String(folder.dropLast(6))
      languages.insert(language)
      let path = "\(part.path)/\(folder)/InfoPlist.strings"
      if let table = table(path), let name = table["CFBundleDisplayName"]?.text {
        names[language] = name
      }
    }
    // Newer tools put all languages into one table.
    if let table = table(part.path + "/InfoPlist.loctable") {
      for (language, value) in table.members where language != "LocProvenance" {
        guard let texts = value.dictionary, language != "Base" else { continue }
        languages.insert(language)
        if let name = texts["CFBundleDisplayName"]?.text { names[language] = name }
      }
    }
    part.languages = languages.sorted()
    part.displayNames = names
  }

  private var tables: [String: PlistDictionary] = [:]

  /// A property list that nothing depends on; nil (with a problem noted) if it cannot be read.
  private mutating func table(_ path: String) -> PlistDictionary? {
    if let known = tables[path] { return known }
    guard let bytes = tree.contents[path] else { return nil }
    do throws(FormatFault) {
      let read = try PropertyList.dictionary(bytes)
      tables[path] = read
      return read
    } catch {
      let problem = BundleProblem(.damaged(error), at: path)
      if !problems.contains(problem) { problems.append(problem) }
      return nil
    }
  }

  /// Libraries that none of the run paths leads to. System libraries are the phone's.
  private func missingLibraries(_ part: BuiltPart, app: String) -> [MachO.Library]? {
    guard let main = part.program?.main else { return nil }
    return main.libraries.filter { library in
      let name = library.name
      if name.hasPrefix("/") { return false }
      guard name.hasPrefix("@") else { return false }
      let isSwift = name.hasPrefix("@rpath/libswift")
      let candidates =
        name.hasPrefix("@rpath/")
        ? main.runPaths.map { $0 + name.dropFirst(6) } : [name]
      return !candidates.contains { candidate in
        if candidate.hasPrefix("/") { return isSwift }
        guard let slash = candidate.firstIndex(of: "/"),
          ["@executable_path", "@loader_path"].contains(candidate[..<slash])
        else { return false }
        return tree.files.contains(
          Self.normalised(part.path + String(candidate[slash...])))
      }
    }
  }

  /// A path without `.` and `..`.
  static func normalised(_ path: String) -> String {
    var parts: [Substring] = []
    for part in path.split(separator: "/") where part != "." {
      if part == ".." { _ = parts.popLast() } else { parts.append(part) }
    }
    return parts.joined(separator: "/")
  }
}
