// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Benchmarks",
  dependencies: [.package(name: "pushtriage", path: "..")],
  targets: [
    .executableTarget(
      name: "adapter-throughput",
      dependencies: [.product(name: "PushIngest", package: "pushtriage")],
      swiftSettings: [.swiftLanguageMode(.v6)]),
    .executableTarget(
      name: "judge-throughput",
      dependencies: [
        .product(name: "PushChecklist", package: "pushtriage"),
        .product(name: "PushModel", package: "pushtriage"),
      ],
      swiftSettings: [.swiftLanguageMode(.v6)]),
  ],
  cxxLanguageStandard: .cxx17
)
