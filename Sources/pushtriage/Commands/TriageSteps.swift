import PushChecklist
import PushModel
import PushStore

/// What the steps of a checklist say about one chain, as rows with their lines.
enum TriageSteps {
  /// The rows of a walk, in the order of the path.
  ///
  /// - Parameters:
  ///   - chain: the chain that was walked.
  ///   - walk: its results.
  ///   - texts: the texts of the chain's symbols.
  ///   - row: the stored notification, whose records are written out where no line was kept.
  ///   - lines: opens lines.
  static func rows(
    of chain: Chain, _ walk: Walk, texts: SymbolTable, row: TriageRow, lines: LineFinder
  ) throws -> [PushModel.StepRow] {
    var rows: [PushModel.StepRow] = []
    for (step, result) in zip(Checklist.of(walk.kind).steps, walk.results) {
      let evidence = [result.evidence.0, result.evidence.1, result.evidence.2]
      rows.append(
        PushModel.StepRow(
          step: step.id, outcome: result.outcome,
          sentence: result.outcome == .notApplicable
            ? "" : step.explain(chain, result, texts),
          cause: result.outcome == .broken ? result.cause : nil,
          confidence: result.outcome == .broken ? result.confidence : nil,
          evidence: try evidence.compactMap { try line(of: $0, chain, row, lines) },
          missing: result.outcome == .unknown ? result.needs.all : [],
          isDecisive: step.id == walk.verdict.step))
    }
    return rows
  }

  /// The verdict of a walk as it is shown.
  static func verdict(of walk: Walk, isReplaced: Bool) -> VerdictTable {
    var table = VerdictTable()
    table.judgement = walk.verdict.judgement
    table.step = walk.verdict.step
    table.cause = walk.verdict.cause
    table.confidence = walk.verdict.confidence
    table.stage = walk.verdict.stage
    table.needs = walk.verdict.needs.all
    table.isReplaced = isReplaced
    return table
  }

  /// The broken steps that are stored, where no chain is at hand.
  static func stored(_ row: TriageRow) -> [PushModel.StepRow] {
    row.broken.map { broken in
      PushModel.StepRow(
        step: broken.step, outcome: .broken, sentence: "", cause: broken.cause,
        confidence: broken.confidence, isDecisive: broken.step == row.verdict.step)
    }
  }

  private static func line(
    of evidence: Evidence, _ chain: Chain, _ row: TriageRow, _ lines: LineFinder
  ) throws -> StoredLine? {
    let place = Int(evidence.place)
    func at(_ reference: RecordReference, _ fact: String) throws -> StoredLine {
      reference == .none
        ? StoredLine(file: nil, line: 0, text: fact, origin: .fact)
        : try lines.line(reference) { row.record(reference) }
    }
    switch evidence.kind {
    case .none: return nil
    case .send:
      return chain.sends.indices.contains(place)
        ? try at(chain.sends[place].reference, "a send") : nil
    case .event:
      return chain.events.indices.contains(place)
        ? try at(chain.events[place].reference, "a device record") : nil
    case .release: return try at(chain.release.reference, "facts of the built app")
    case .installation:
      return StoredLine(file: nil, line: 0, text: "the installation", origin: .fact)
    case .newerToken:
      return try at(chain.installation.newerTokenReference, "a newer token")
    case .settings: return try at(chain.installation.settingsReference, "settings in force")
    case .categories:
      return try at(chain.installation.categoriesReference, "registered categories")
    case .replacement:
      return try at(chain.installation.replacedReference, "the send that replaced it")
    case .coverage: return try at(chain.coverage.lastReference, "a counter without a gap")
    case .nextSend:
      return try at(chain.traffic.nextAcceptedReference, "the next send to this phone")
    case .storedArrival:
      return try at(
        chain.traffic.storedArrivalReference, "the arrival of a later one that had waited")
    case .activityEnd:
      return try at(
        chain.traffic.activityEndedReference, "the send that ended this activity")
    case .fact, .comparison:
      // Chains of a database rest on records alone.
      return nil
    }
  }
}
