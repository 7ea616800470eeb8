/// A path inside a bundle, taken apart: which app or extension it belongs to, and what it is there.
struct BundlePath {
  /// What a file of a bundle is needed for.
  enum Use: Equatable {
    case info, profile
    /// Names of a language: `InfoPlist.strings` in `xx.lproj`.
    case names(language: String)
    /// Names of all languages in one file.
    case nameTable
    /// Maybe the program.
    case program
  }

  /// Path of the app or extension that holds the file.
  var root: String
  /// The rest.
  var rest: String
  var use: Use?

  /// Nil for a file outside of any app or extension.
  init?(_ path: String) {
    let parts = path.split(separator: "/", omittingEmptySubsequences: true)
    guard parts.count >= 2 else { return nil }
    if parts.count >= 3, parts[parts.count - 1] == "Info.plist",
      parts[parts.count - 2].hasSuffix(".framework"), parts[parts.count - 3] == "Frameworks"
    {
      root = parts.dropLast().joined(separator: "/")
      rest = "Info.plist"
      use = .info
      return
    }
    var count = 0
    for (place, part) in parts.dropLast().enumerated()
    where part.hasSuffix(".app") || part.hasSuffix(".appex") || Self.isPlugInFolder(parts, place) {
      count = place + 1
    }
    guard count > 0 else { return nil }
    root = parts[..<count].joined(separator: "/")
    let below = parts[count...]
    rest = below.joined(separator: "/")
    let name = String(below.last ?? "")
    if below.count == 1 {
      switch name {
      case "Info.plist": use = .info
      case "embedded.mobileprovision": use = .profile
      case "InfoPlist.loctable": use = .nameTable
      default:
        let folder = parts[count - 1]
        let base = folder.prefix(upTo: folder.lastIndex(of: ".") ?? folder.endIndex)
        if !name.contains(".") || name == base { use = .program }
      }
    } else if below.count == 2, name == "InfoPlist.strings", let folder = below.first,
      folder.hasSuffix(".lproj")
    {
      use = .names(language: String(folder.dropLast(6)))
    }
  }

  /// A folder in PlugIns that should be an extension, whatever its suffix.
  private static func isPlugInFolder(_ parts: [Substring], _ place: Int) -> Bool {
    guard place >= 2, parts[place - 2].hasSuffix(".app") else { return false }
    let isPlugIns = parts[place - 1] == "PlugIns" || parts[place - 1] == "Extensions"
    return isPlugIns && !parts[place].hasSuffix(".framework")
  }
}
