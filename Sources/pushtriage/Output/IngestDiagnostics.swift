import PushIngest
import PushPipeline

extension Diagnostic {
  /// What a failure of reading and joining means for the user.
  init(_ failure: PipelineError) {
    switch failure {
    case .store(let failure): self.init(failure)
    case .temporaryFile(let folder, let reason):
      self.init(
        "cannot write a temporary file beside the database, in \(quoted(folder))", reason: reason,
        help: ["check that the disk has room and that the folder may be written"])
    case .temporaryFileLost(let folder, let reason):
      self.init(
        "cannot read back a temporary file beside the database, in \(quoted(folder))",
        reason: reason, help: ["nothing of this batch was stored; check the disk and try again"])
    case .unknownFormat(let id):
      let known = AdapterRegistry.all.map(\.id)
      self.init(
        "unknown format \(quoted(id))",
        help: [
          "the nearest names: \(byDistance(to: id, known).prefix(5).joined(separator: ", "))",
          "'pushtriage formats' lists all",
        ])
    case .nothingReadable(let problems):
      self.init(
        problems.count == 1
          ? "cannot read \(quoted(problems[0].input))" : "none of the inputs can be read",
        reason: problems.count == 1 ? problems[0].reason : nil,
        notes: problems.count == 1 ? [] : problems.map { "\(quoted($0.input)): \($0.reason)" },
        help: Self.advice(problems))
    case .keyFile(let path, let reason):
      self.init(
        "the key file \(quoted(path)) cannot be used", reason: reason,
        help: ["put back the key file that belongs to this database, or name it with --key"])
    case .keyFileMissing(let path):
      self.init(
        "the key file \(quoted(path)) is missing",
        reason:
          "the tokens in this database are digested with its key; with another one they would "
          + "not be known again",
        help: ["put back the key file that belongs to this database, or name it with --key"])
    case .tooManyTexts:
      self.init(
        "too many different texts in one batch",
        reason:
          "names, versions, topics and values of fields are counted once each, and there are over 8 million",
        help: ["nothing of this batch was stored; read fewer files in one call"])
    case .unbalanced(let source, let read, let accounted):
      self.init(
        "the lines of \(quoted(source)) do not add up",
        reason: "\(read) were read and \(accounted) accounted for: a defect of this program",
        help: ["nothing of this run was stored; report it with the version of the program"])
    }
  }

  /// Each advice once, in the order of the problems.
  private static func advice(_ problems: [ReadingProblem]) -> [String] {
    var seen: Set<String> = []
    return problems.map(\.advice).filter { seen.insert($0).inserted }
  }
}
