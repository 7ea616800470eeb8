import Foundation
import PackagePlugin

/// Turns every text file below a target's folder into a Swift string literal.
///
/// The built program then needs no folder beside it: `Bundle.module` crashes as soon as a program
/// is copied away from its build folder, and `.embedInCode` flattens folders.
@main
struct EmbedText: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    guard let target = target as? SourceModuleTarget else { return [] }
    let output = context.pluginWorkDirectoryURL.appending(path: "EmbeddedText.swift")
    let endings: Set<String> = ["sql", "html", "css", "md", "json", "js", "txt"]
    var inputs: [URL] = []
    let root = target.directoryURL
    if let walk = FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil) {
      for case let file as URL in walk where endings.contains(file.pathExtension) {
        inputs.append(file)
      }
    }
    inputs.sort { $0.path < $1.path }
    return [
      .buildCommand(
        displayName: "Embedding the texts of \(target.name)",
        executable: try context.tool(named: "embed-text").url,
        arguments: [root.path, output.path] + inputs.map(\.path),
        inputFiles: inputs,
        outputFiles: [output])
    ]
  }
}
