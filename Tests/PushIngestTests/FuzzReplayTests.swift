import Foundation
import TestSupport
import Testing

@testable import PushIngest

/// Inputs that once made an adapter trap are read again for good; `Fuzz/run` puts them there.
@Test func inputsThatTrappedOnceAreRead() throws {
  for file in Repository.files(below: "Fuzz/Crashes/adapters") {
    let parts = file.split(separator: "/")
    let adapter = try #require(
      AdapterRegistry.adapter(id: String(parts[3])), "\(file) is of no adapter")
    let bytes = try Data(contentsOf: Repository.root.appending(path: file))
    let run = AdapterRun(Array(bytes), named: adapter)
    #expect(!run.readings.isEmpty || bytes.isEmpty, "\(file)")
  }
}
