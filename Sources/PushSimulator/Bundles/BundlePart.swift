import CArchive
import Foundation

/// An app that is to be written as a folder or an `.ipa`: nothing but files at paths.
public struct BundlePart: Sendable {
  /// Contents by path, `Courier.app/Info.plist`.
  public var files: [String: [UInt8]] = [:]

  /// No file.
  public init() {}

  /// Writes the files below a folder.
  public func write(folder: String) throws {
    for (path, bytes) in files {
      let url = URL(fileURLWithPath: "\(folder)/\(path)")
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(bytes).write(to: url)
    }
  }

  /// Writes an archive in which everything stands below `Payload`; the same files give the same
  /// bytes.
  public func write(ipa path: String, below prefix: String = "Payload/") throws(SimulatorError) {
    let archive = archive_write_new()
    defer { archive_write_free(archive) }
    archive_write_set_format_zip(archive)
    guard archive_write_open_filename(archive, path) == ARCHIVE_OK else {
      throw .file(path: path, operation: "make the archive", code: archive_errno(archive))
    }
    for (name, bytes) in files.sorted(by: { $0.key < $1.key }) {
      let entry = archive_entry_new()
      defer { archive_entry_free(entry) }
      archive_entry_set_pathname(entry, prefix + name)
      archive_entry_set_size(entry, Int64(bytes.count))
      // S_IFREG; libarchive's own constant is a cast, not importable.
      archive_entry_set_filetype(entry, 0o100000)
      archive_entry_set_perm(entry, 0o644)
      // The earliest day that zip can hold.
      archive_entry_set_mtime(entry, 315_532_800, 0)
      guard archive_write_header(archive, entry) == ARCHIVE_OK,
        bytes.withUnsafeBytes({ archive_write_data(archive, $0.baseAddress, $0.count) })
          == bytes.count
      else {
        throw .file(path: path, operation: "write the archive", code: archive_errno(archive))
      }
    }
    guard archive_write_close(archive) == ARCHIVE_OK else {
      throw .file(path: path, operation: "close the archive", code: archive_errno(archive))
    }
  }
}

/// The parts of an app or an extension that is to be written.
public struct ProgramPart: Sendable {
  /// Path of its folder, `Courier.app/PlugIns/Service.appex`.
  public var path: String
  /// Its Info.plist.
  public var info: PlistPart
  /// Its program; nil for none.
  public var program: MachOPart?
  /// More slices of the program.
  public var moreSlices: [MachOPart] = []
  /// Property list inside its profile; nil for no profile.
  public var profile: PlistPart?
  /// Display names by language.
  public var names: [String: String] = [:]
  /// Further files by their path in the folder.
  public var more: [String: [UInt8]] = [:]

  /// A part without a program.
  public init(path: String, info: PlistPart) {
    self.path = path
    self.info = info
  }

  /// Adds its files to a bundle. `binary` writes the plists in their binary form.
  public func add(to bundle: inout BundlePart, binary: Bool = true) {
    bundle.files[path + "/Info.plist"] = binary ? info.binaryFile : info.xmlFile
    if let program, case .text(let name)? = info["CFBundleExecutable"] {
      bundle.files["\(path)/\(name)"] =
        moreSlices.isEmpty ? program.build() : MachOPart.fat([program] + moreSlices)
    }
    if let profile {
      bundle.files[path + "/embedded.mobileprovision"] = DERPart.signedMessage(profile.xmlFile)
    }
    for (language, name) in names {
      let table = PlistPart.dictionary([("CFBundleDisplayName", .text(name))])
      bundle.files["\(path)/\(language).lproj/InfoPlist.strings"] =
        binary ? table.binaryFile : table.stringsFile
    }
    for (name, bytes) in more { bundle.files["\(path)/\(name)"] = bytes }
  }
}
