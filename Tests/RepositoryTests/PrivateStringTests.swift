import Foundation
import TestSupport
import Testing

/// The line's first folder of a person or a machine, or mail address; nil if it has none.
private func privateString(in line: Substring) -> String? {
  let machinePath = #/(?:^|[^\w.])/(?:home|work|root|Users)/\w/#
  let mailAddress = #/[\w.+-]+@((?:[A-Za-z][\w-]*\.)+[A-Za-z]{2,})/#
  if let match = line.firstMatch(of: machinePath) { return String(match.0) }
  guard line.utf8.contains(UInt8(ascii: "@")) else { return nil }
  for match in line.matches(of: mailAddress) {
    let host = match.1.lowercased()
    let isReserved =
      ["example.com", "example.net", "example.org"].contains {
        host == $0 || host.hasSuffix(".\($0)")
      }
      || [".example", ".invalid", ".test"].contains { host.hasSuffix($0) }
    if !isReserved { return String(match.0) }
  }
  return nil
}

@Test func noFileHoldsAPathOfAMachineOrAMailAddress() throws {
  for file in Repository.files() {
    // What is not text cannot be read by eye either; fixtures of that kind are made by programs.
    guard let text = try? Repository.text(of: file) else { continue }
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      #expect(privateString(in: line) == nil, "\(file):\(index + 1)")
    }
  }
}

@Test(arguments: [
  ("see " + "/" + "home/somebody/x", true),
  ("\"" + "/" + "work/x\"", true),
  ("somebody" + "@" + "mail.net", true),
  ("somebody@example.com, other@sub.example.org, third@mail.test", false),
  ("Sources/wo" + "rk/x and icon@2x.png", false),
])
func pathsOfMachinesAndMailAddressesAreFound(_ text: String, _ isPrivate: Bool) {
  #expect((privateString(in: text[...]) != nil) == isPrivate)
}
