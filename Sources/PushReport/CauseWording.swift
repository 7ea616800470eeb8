public import PushModel

/// The words of the checklist that reports show; the command fills them from the checklist.
public struct CauseWording: Sendable {
  /// Title of a step, for example "The media was downloaded".
  public let title: @Sendable (StepID) -> String
  /// What a cause is, one sentence.
  public let meaning: @Sendable (CauseID) -> String
  /// What to do about a cause.
  public let repair: @Sendable (CauseID) -> String
  /// What a kind of evidence is, and where it comes from.
  public let need: @Sendable (Need) -> String

  /// Words from functions; an empty text means that there are none.
  public init(
    title: @escaping @Sendable (StepID) -> String,
    meaning: @escaping @Sendable (CauseID) -> String,
    repair: @escaping @Sendable (CauseID) -> String,
    need: @escaping @Sendable (Need) -> String = { $0.text }
  ) {
    self.title = title
    self.meaning = meaning
    self.repair = repair
    self.need = need
  }

  /// Ids alone, without further words.
  public static let idsOnly = CauseWording(
    title: { $0.rawValue }, meaning: { _ in "" }, repair: { _ in "" })
}
