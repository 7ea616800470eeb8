import Foundation
import TestSupport
import Testing

@Test func theFormatterHasNothingToSayAboutTheSources() throws {
  let run = try BuiltProgram(at: URL(fileURLWithPath: "/usr/bin/env")).run(
    ["swift", "format", "lint", "--strict", "--recursive"]
      + ["Sources", "Tests", "Queries", "Reports", "Package.swift"],
    in: Repository.root)
  #expect(run.exitCode == 0, "\(run.error)\n'make format' repairs most of it")
}
