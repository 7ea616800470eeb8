import Foundation
import TestSupport
import Testing

@testable import PushBundle

/// Inputs that once made a reader trap are read again for good; `Fuzz/run` puts them there.
@Test func inputsThatTrappedOnceAreRead() throws {
  for file in Repository.files(below: "Fuzz/Crashes/bundles") {
    let bytes = try Array(Data(contentsOf: Repository.root.appending(path: file)))
    _ = try? PropertyList.read(bytes)
    _ = try? MachO.read(bytes)
    _ = try? Profile.read(bytes)
    _ = try? DEREntitlements.read(bytes)
  }
}
