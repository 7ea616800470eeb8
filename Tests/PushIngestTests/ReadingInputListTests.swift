import Foundation
import PushIngest
import Testing

@Suite("Input list")
struct ReadingInputListTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test("a folder is read through in the order of its paths' bytes, without hidden names")
  func folderOrder() throws {
    for name in ["b/2", "b/10", "a.log", "B", "é", "b-1", ".hidden", ".git/config", "c/.x/y"] {
      try folder.write("in/" + name, Array("x\n".utf8))
    }
    let root = folder.path + "/in"
    let (inputs, problems) = InputList.expand([root + "/"])
    // By hand: "B" 42, "a" 61, "b-" 62 2d, "b/" 62 2f, "é" c3.
    #expect(
      inputs.map(\.name) == ["B", "a.log", "b-1", "b/10", "b/2", "é"].map { root + "/" + $0 })
    #expect(problems.isEmpty)
    #expect(inputs.map(\.sizeBytes) == Array(repeating: 2, count: 6))
  }

  @Test("what cannot be read is a problem that says what to do, and the rest is read")
  func problems() throws {
    let file = try folder.write("a", Array("x\n".utf8))
    try FileManager.default.createDirectory(
      atPath: folder.path + "/empty", withIntermediateDirectories: true)
    let missing = folder.path + "/missing"
    let (inputs, problems) = InputList.expand([
      missing, file, folder.path + "/empty", "/dev/null", file, "-", "-", "",
    ])
    #expect(inputs.map(\.name) == [file, "-"])
    #expect(
      problems.map(\.kind) == [
        .pathMissing, .folderEmpty, .notAFile, .namedTwice, .namedTwice, .pathMissing,
      ])
    #expect(problems.first?.input == missing)
    #expect(problems.allSatisfy { !$0.reason.isEmpty && !$0.advice.isEmpty })
  }

  @Test("links to files are read, links to folders and pipes in a folder are not")
  func links() throws {
    try folder.write("real/a", Array("x\n".utf8))
    try folder.run(
      "mkdir in && ln -s ../real/a in/l && ln -s .. in/up && mkfifo in/p && ln -s no in/n")
    let root = folder.path + "/in"
    let (inputs, problems) = InputList.expand([root])
    #expect(inputs.map(\.name) == [root + "/l"])
    #expect(Set(problems.map(\.kind)) == [.linkedFolder, .notAFile, .pathMissing])
  }

  @Test("a file that disappears before it is opened is a problem, and the rest is read")
  func disappeared() throws {
    let first = try folder.write("1", Array("a\n".utf8))
    try folder.write("2", Array("b\n".utf8))
    let (inputs, _) = InputList.expand([folder.path])
    try FileManager.default.removeItem(atPath: first)
    let run = runReader(inputs)
    #expect(run.problems.map(\.input) == [first])
    #expect(run.lines() == ["0:b"])
    #expect(run.progress.doneBytes == run.progress.totalBytes)
  }

  @Test("names that are not UTF-8 can be opened")
  func oddNames() throws {
    try folder.run("printf 'x\\n' > \"$(printf 'in\\377')\"")
    let (inputs, problems) = InputList.expand([folder.path])
    #expect(problems.isEmpty)
    #expect(runReader(inputs).lines() == ["0:x"])
  }
}
