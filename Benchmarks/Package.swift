// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Benchmarks",
  dependencies: [.package(name: "pushtriage", path: "..")],
  targets: [
    .executableTarget(
      name: "adapter-throughput",
      dependencies: [.product(name: "PushIngest", package: "pushtriage")],
      swiftSettings: [.swiftLanguageMode(.v6)])
  ],
  cxxLanguageStandard: .cxx17
)
