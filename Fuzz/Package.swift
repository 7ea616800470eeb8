// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that the program's package knows nothing of sanitizers. Built by `run`,
// which gives the flags: everything that is fuzzed has to be compiled with them.
let package = Package(
  name: "Fuzz",
  dependencies: [.package(name: "pushtriage", path: "..")],
  targets: [
    .executableTarget(
      name: "fuzz",
      dependencies: [
        .product(name: "PushIngest", package: "pushtriage"),
        .product(name: "PushBundle", package: "pushtriage"),
        .product(name: "PushSimulator", package: "pushtriage"),
      ],
      swiftSettings: [.swiftLanguageMode(.v6)])
  ],
  cxxLanguageStandard: .cxx17
)
