import Foundation
import TestSupport
import Testing

@Test(arguments: [
  "alert", "media", "communication", "reply", "custom-view", "time-sensitive", "critical",
  "background", "live-activity-start", "live-activity-update", "live-activity-end", "voip",
  "location", "complication", "fileprovider", "mdm", "pushtotalk", "widgets", "controls",
  "broadcast",
])
func checkFindsNothingWrongWithThePrintedExample(_ id: String) throws {
  let shown = try BuiltProgram.pushtriage.run(["explain", id, "--case"])
  let folder = try ScratchFolder()
  try shown.output.write(
    to: folder.url.appending(path: "case.json"), atomically: true, encoding: .utf8)
  let checked = try BuiltProgram.pushtriage.run(
    ["check", "case.json", "--format", "json"], in: folder.url)
  #expect(checked.exitCode == 0, "\(checked.error)")
  #expect(checked.output.contains("\"causes\": []"), "\(checked.output.prefix(600))")
  #expect(checked.output.contains("\"undetermined\": false"), "\(checked.output.prefix(600))")
  #expect(!checked.output.contains("\"outcome\": \"broken\""))
}
