public import PushModel

/// Number of a fact in `Reference/`, for example `F4.20`, or a section of it, for example `§3.2`.
public struct FactID: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
  /// The number as it is written.
  public let text: String

  /// The number with this text.
  public init(_ text: String) { self.text = text }

  /// The number with this text.
  public init(stringLiteral value: String) { text = value }

  /// The number as it is written.
  public var description: String { text }
}

/// One thing that can be wrong at a step.
public struct Cause: Sendable {
  /// Stable id.
  public let id: CauseID
  /// What it is, for a person who has never heard of it.
  public let meaning: String
  /// The evidence that tells it from its neighbours.
  public let toldApartBy: String
  /// What to do about it.
  public let repair: String
  /// Facts that it rests on; empty where only reports exist, then a record must show it.
  public let facts: [FactID]
  /// Further steps where it is seen.
  public let alsoAt: [StepID]
  /// Whether records of a chain can show it; the others need a comparison, a system log or a look
  /// at the phone, and are here for the person who reads on.
  public let isJudged: Bool

  /// A cause with these texts.
  public init(
    _ id: CauseID, meaning: String, toldApartBy: String, repair: String, facts: [FactID],
    alsoAt: [StepID] = [], isJudged: Bool = true
  ) {
    self.id = id
    self.meaning = meaning
    self.toldApartBy = toldApartBy
    self.repair = repair
    self.facts = facts
    self.alsoAt = alsoAt
    self.isJudged = isJudged
  }
}

/// What an outcome of a step means to a reader.
public struct OutcomeText: Sendable {
  /// Which outcome.
  public let outcome: Outcome
  /// What it means.
  public let text: String

  /// An outcome and what it means.
  public init(_ outcome: Outcome, _ text: String) {
    self.outcome = outcome
    self.text = text
  }
}

/// A chain and what a step says about it: run as a test, shown on the step's page.
public struct Example: Sendable {
  /// What the chain shows.
  public let title: String
  /// What the step says.
  public let outcome: Outcome
  /// The cause that it names.
  public let cause: CauseID?
  /// The cause that this example just misses: it differs in one thing from one that shows it.
  public let nearMiss: CauseID?
  /// Whether the step's page shows it.
  public let inDocs: Bool
  /// File of the example.
  public let fileID: String
  /// Line of the example.
  public let line: Int
  /// Column of the example.
  public let column: Int
  /// The ready-made chain that it changes.
  let start: ExampleChain.Start
  /// The change.
  let change: @Sendable (inout ExampleChain) -> Void

  /// An example that changes a ready-made chain.
  init(
    _ title: String, _ outcome: Outcome, _ cause: CauseID? = nil, nearMiss: CauseID? = nil,
    from start: ExampleChain.Start = .media, inDocs: Bool = true, fileID: String = #fileID,
    line: Int = #line, column: Int = #column,
    _ change: @escaping @Sendable (inout ExampleChain) -> Void = { _ in }
  ) {
    self.title = title
    self.outcome = outcome
    self.cause = cause
    self.nearMiss = nearMiss
    self.inDocs = inDocs
    self.fileID = fileID
    self.line = line
    self.column = column
    self.start = start
    self.change = change
  }

  /// The chain, with the texts of its symbols.
  public func build() -> (chain: Chain, texts: SymbolTable) {
    var example = ExampleChain(start)
    change(&example)
    return example.build()
  }
}

/// One question about a chain, with everything that a reader and the engine need of it.
public struct ChecklistStep: Sendable, CustomStringConvertible {
  /// Stable id.
  public let id: StepID
  /// Name for headings.
  public let title: String
  /// What it asks.
  public let question: String
  /// How the answer is found, in plain words.
  public let decidedBy: String
  /// Facts that it leans on.
  public let facts: [FactID]
  /// Kinds of evidence that it reads.
  public let needs: [Need]
  /// Meanings that depend on it; for others the question does not arise.
  public let matters: Meaning
  /// What each outcome means.
  public let outcomes: [OutcomeText]
  /// What can be wrong here.
  public let causes: [Cause]
  /// What to do next when it is broken.
  public let nextAction: String
  /// What it cannot tell.
  public let knownLimits: String
  /// Examples, run as tests.
  public let examples: [Example]
  /// The sentence behind a result, made when somebody reads it.
  public let explain: @Sendable (Chain, StepResult, SymbolTable) -> String

  init(
    id: StepID, title: String, question: String, decidedBy: String, facts: [FactID],
    needs: [Need], matters: Meaning = .everything, outcomes: [OutcomeText], causes: [Cause],
    nextAction: String, knownLimits: String, examples: [Example],
    explain: @escaping @Sendable (Chain, StepResult, SymbolTable) -> String
  ) {
    self.id = id
    self.title = title
    self.question = question
    self.decidedBy = decidedBy
    self.facts = facts
    self.needs = needs
    self.matters = matters
    self.outcomes = outcomes
    self.causes = causes
    self.nextAction = nextAction
    self.knownLimits = knownLimits
    self.examples = examples
    self.explain = explain
  }

  /// Its id.
  public var description: String { id.rawValue }

  /// The sentence behind a result; where its cause is not of this step's own rule, what the cause is.
  public func sentence(_ chain: Chain, _ result: StepResult, _ texts: SymbolTable) -> String {
    let own = explain(chain, result, texts)
    if result.outcome == .broken, result.cause == nil, result.candidates.0 != nil {
      return "It broke here, and what is known fits more than one cause."
    }
    guard let cause = result.cause, result.outcome == .broken,
      ScrapJudge.speaksFor(result)
    else { return own }
    return Checklist.cause(cause).map { $0.cause.meaning } ?? own
  }

  /// A cause that is listed here.
  public func cause(_ id: CauseID) -> Cause? { causes.first { $0.id == id } }
}

extension Meaning {
  /// Every meaning: for steps that all notifications depend on.
  public static var everything: Meaning { Meaning(rawValue: .max) }
  /// Whatever is meant to be seen or heard.
  public static var visible: Meaning { Meaning(rawValue: .max & ~(128 | 256 | 512)) }
}
