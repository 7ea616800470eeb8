import Foundation
import TestSupport
import Testing

@Test func theProgramRunsWithoutAFolderBesideIt() throws {
  let scratch = try ScratchFolder()
  let copy = scratch.url.appending(path: "pushtriage")
  try FileManager.default.copyItem(at: BuiltProgram.pushtriage.executable, to: copy)
  for arguments in [["--help"], ["query", "--list"]] {
    let run = try BuiltProgram(at: copy).run(arguments, in: scratch.url, environment: [:])
    #expect(run.exitCode == 0, "\(arguments): \(run.error)")
    #expect(run.error == "")
  }
}

private let releaseProgram = Repository.root.appending(path: ".build/release/pushtriage")

@Test(
  .enabled(
    if: FileManager.default.fileExists(atPath: releaseProgram.path), "'make release' builds it"))
func theReleaseProgramNeedsOnlyTheLibrariesOfThePackages() throws {
  let run = try BuiltProgram(at: URL(fileURLWithPath: "/usr/bin/env")).run(
    ["readelf", "--dynamic", "--wide", releaseProgram.path])
  let libraries = run.output.matches(of: #/\(NEEDED\).*\[(.*?)\.so/#).map { String($0.1) }
  let packages: Set = ["libsqlite3", "libzstd", "libarchive", "libsimdjson"]
  let system: Set = [
    "libc", "libm", "libstdc++", "libgcc_s", "ld-linux-x86-64", "ld-linux-aarch64",
  ]
  #expect(!libraries.isEmpty)
  #expect(Set(libraries).subtracting(packages).subtracting(system) == [])
}
