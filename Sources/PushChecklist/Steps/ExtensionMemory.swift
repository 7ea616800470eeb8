import PushModel

extension ChecklistStep {
  /// Asks whether the extension stayed within its memory.
  static let extensionMemory = ChecklistStep(
    id: .extensionMemory,
    title: "The extension stays within its memory",
    question: "Did it stay within the memory limit?",
    decidedBy: """
      By crash records, and by later records of the same run: a process that writes on was not \
      killed. The limit is small (about 24 MB) and not published.
      """,
    facts: ["F4.23", "F4.26", "F4.27"],
    needs: [.crashReport, .log, .eventsExtension],
    matters: .needsExtension,
    outcomes: [
      OutcomeText(.holds, "The process lived until the handler or the warning."),
      OutcomeText(.broken, "iOS killed it for its memory."),
      OutcomeText(.unknown, "No later record and no crash record, or a crash of another kind."),
      OutcomeText(.notApplicable, "Nothing that was meant needs the extension."),
    ],
    causes: [
      Cause(
        .extMemory,
        meaning: """
          iOS killed the extension because it used too much memory, most often while decoding a \
          picture or holding a download in memory. The original is shown then.
          """,
        toldApartBy: """
          A record of the kill that names memory (`EXC_RESOURCE`, Jetsam `per-process-limit`), after \
          the run began. The size of a file alone proves nothing.
          """,
        repair: """
          Download to a file instead of into memory, do not decode pictures in the extension, attach \
          the file as it is.
          """,
        facts: ["F4.26", "F4.27"], alsoAt: [.contentExtension, .itemsLoaded])
    ],
    nextAction: "Look for Jetsam reports and `.ips` files of the extension's process.",
    knownLimits: "A kill leaves nothing but a crash record, which may come a day later or never.",
    examples: [
      Example("the handler was called", .holds),
      Example("the run ends without a word", .unknown) { $0.drop(.nseHandlerCalled) },
      Example("a plain notification needs none", .notApplicable, from: .plain),
      Example("killed at the limit", .broken, .extMemory) {
        $0.drop(.nseAttachmentCreated, .nseHandlerCalled)
        $0.add(
          .nseCrashed, at: 2000, [(.reason, .word(.perProcessLimit)), (.footprintMb, .int(24))])
      },
      Example("a crash of another kind", .unknown, nearMiss: .extMemory) {
        $0.drop(.nseAttachmentCreated, .nseHandlerCalled)
        $0.add(.nseCrashed, at: 2000, [(.signal, .text("SIGABRT"))])
      },
    ],
    explain: { _, result, _ in
      if result.outcome == .broken {
        return result.value > 0
          ? "iOS killed the extension for its memory (\(result.value) MB)."
          : "iOS killed the extension for its memory."
      }
      return result.plainSentence(
        holds: "The process lived on.",
        unknown: result.evidence.0.kind == .event
          ? "The extension ended without a record that says why."
          : "Nothing is known of the extension's process.")
    })
}

func judgeMemory(_ chain: Chain, _ seen: Sightings) -> StepResult {
  let crash = seen.holds(.nseCrashed) ? chain.firstEvent(.nseCrashed) : nil
  if let crash {
    if isMemoryKill(chain, crash) {
      return StepResult(
        .broken, cause: .extMemory, evidence: Evidence(.event, crash), chain.runEvidence(seen),
        value: chain.integer(.footprintMb, of: crash) ?? 0)
    }
    return StepResult(.unknown, evidence: Evidence(.event, crash), needs: Needs(.crashReport))
  }
  if seen.handler >= 0 { return StepResult(.holds, evidence: Evidence(.event, seen.handler)) }
  if seen.holds(.nseWillExpire), let place = chain.firstEvent(.nseWillExpire) {
    return StepResult(.holds, evidence: Evidence(.event, place))
  }
  return StepResult(
    .unknown, evidence: chain.runEvidence(seen), needs: [Needs(.crashReport), Needs(.log)])
}

/// Whether a crash record says that it was a kill for memory.
func isMemoryKill(_ chain: Chain, _ crash: Int) -> Bool {
  guard let reason = chain.text(.reason, of: crash) else { return false }
  return reason == .perProcessLimit || reason == .memory || reason == .excResource
    || reason == .jetsam
}
