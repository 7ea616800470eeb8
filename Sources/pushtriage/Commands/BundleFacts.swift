import PushBundle
import PushIngest
import PushModel

extension BuiltApp {
  /// The app and its extensions as a case file gives them: `{"evidence":{"app":…,"extensions":…}}`.
  var caseFile: String {
    var app = facts
    var evidence = PlistDictionary()
    let extensions = app["extensions"]
    app["extensions"] = nil
    evidence["app"] = .dictionary(app)
    evidence["extensions"] = extensions
    return JSONText.write(.dictionary(PlistDictionary([("evidence", .dictionary(evidence))])))
  }

  /// The facts of this release as the checklist reads them; `intern` makes symbols of texts.
  ///
  /// They go through the reader of stored facts, so a bundle says the same at once and later.
  /// `claimedCategories` are those that content extensions claim, by symbol; nil if not known.
  func release(
    intern: (String) -> Symbol
  ) -> (release: Release, claimedCategories: Set<UInt32>?)? {
    ReleaseFactsReader.release(factsText, intern: intern)
  }
}
