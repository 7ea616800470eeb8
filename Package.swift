// swift-tools-version: 6.2
import PackageDescription

/// Every Swift target: language mode 6 and the upcoming features that keep imports honest.
let base: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]
/// What runs once for every line or notification is built without checks of overlapping access:
/// they cost a tenth of a run. Debug builds, and so the tests, keep them.
let hot: [SwiftSetting] = [
  .unsafeFlags(["-enforce-exclusivity=unchecked"], .when(configuration: .release))
]
/// Targets without pointers also ask the compiler to prove it.
let safe: [SwiftSetting] = base + [.strictMemorySafety()]

let package = Package(
  name: "pushtriage",
  products: [
    .executable(name: "pushtriage", targets: ["pushtriage"]),
    // For the nested benchmark and fuzz packages only.
    .library(name: "PushIngest", targets: ["PushIngest"]),
    .library(name: "PushBundle", targets: ["PushBundle"]),
    .library(name: "PushJoin", targets: ["PushJoin"]),
    .library(name: "PushChecklist", targets: ["PushChecklist"]),
    .library(name: "PushModel", targets: ["PushModel"]),
    .library(name: "PushSimulator", targets: ["PushSimulator"]),
  ],
  targets: [
    // C libraries of the system: module maps, and one thin C face on a C++ library.
    .systemLibrary(
      name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CZstd", pkgConfig: "libzstd", providers: [.apt(["libzstd-dev"])]),
    // libarchive (libarchive-dev has its headers), loaded when an archive is first opened.
    .target(name: "CArchive", linkerSettings: [.linkedLibrary("dl")]),
    .target(
      name: "CSimdjson",
      cxxSettings: [.unsafeFlags(["-O3"], .when(configuration: .release))],
      linkerSettings: [.linkedLibrary("simdjson")]),

    // What all modules speak in: sends, device events, chains, outcomes, verdicts, result tables.
    .target(name: "PushModel", swiftSettings: safe + hot),
    // Bytes to records and ingest notes.
    .target(
      name: "PushIngest",
      dependencies: ["PushModel", "CSQLite", "CZstd", "CArchive", "CSimdjson"],
      swiftSettings: base + hot),
    // Built apps to release facts.
    .target(name: "PushBundle", dependencies: ["PushModel", "CArchive"], swiftSettings: base),
    // Rows of the database, embedded as text.
    .target(name: "Queries", path: "Queries", swiftSettings: base, plugins: ["EmbedText"]),
    .target(
      name: "PushStore", dependencies: ["PushModel", "Queries", "CSQLite", "CZstd"],
      swiftSettings: base + hot),
    // Records of one installation to chains.
    .target(name: "PushJoin", dependencies: ["PushModel"], swiftSettings: base + hot),
    // Chains to outcomes to a verdict.
    .target(name: "PushChecklist", dependencies: ["PushModel"], swiftSettings: safe + hot),
    // Ingest, join, judge and store as one run.
    .target(
      name: "PushPipeline",
      dependencies: ["PushModel", "PushIngest", "PushStore", "PushJoin", "PushChecklist"],
      swiftSettings: base + hot),
    // Counts to rates, intervals and comparisons.
    .target(name: "PushAnalysis", dependencies: ["PushModel"], swiftSettings: safe),
    // Results to HTML, Markdown, JSON and text.
    .target(name: "Reports", path: "Reports", swiftSettings: base, plugins: ["EmbedText"]),
    .target(
      name: "PushReport",
      dependencies: ["PushModel", "PushChecklist", "PushAnalysis", "Reports"],
      swiftSettings: safe),
    // Corpora with planted faults and their truth.
    .target(name: "PushSimulator", dependencies: ["PushModel", "CArchive"], swiftSettings: base),
    // What an app and its extensions link to write the device log.
    .target(name: "PushRecorder", swiftSettings: base),
    .executableTarget(
      name: "pushtriage",
      dependencies: [
        "PushModel", "PushIngest", "PushBundle", "Queries", "PushStore", "PushJoin",
        "PushChecklist", "PushPipeline", "PushAnalysis", "Reports", "PushReport",
        "PushSimulator",
      ],
      swiftSettings: base),

    // The build plugin that turns a folder of text files into Swift literals.
    .plugin(
      name: "EmbedText", capability: .buildTool(), dependencies: ["embed-text"],
      path: "Sources/Build/EmbedText"),
    .executableTarget(
      name: "embed-text", path: "Sources/Build/embed-text", swiftSettings: base),

    .target(
      name: "TestSupport", dependencies: ["PushModel", "PushStore", "Queries"],
      path: "Tests/TestSupport",
      swiftSettings: base),
    .testTarget(
      name: "PushModelTests", dependencies: ["PushModel", "TestSupport"], swiftSettings: base),
    .testTarget(
      name: "PushIngestTests", dependencies: ["PushIngest", "PushModel", "TestSupport"],
      swiftSettings: base),
    .testTarget(
      name: "PushBundleTests",
      dependencies: ["PushBundle", "PushModel", "PushChecklist", "PushSimulator", "TestSupport"],
      swiftSettings: base),
    .testTarget(
      name: "PushStoreTests",
      dependencies: ["PushStore", "PushModel", "Queries", "CZstd", "TestSupport"],
      swiftSettings: base),
    .testTarget(
      name: "PushJoinTests", dependencies: ["PushJoin", "PushModel", "TestSupport"],
      swiftSettings: base),
    .testTarget(
      name: "PushChecklistTests", dependencies: ["PushChecklist", "PushModel", "TestSupport"],
      swiftSettings: base),
    .testTarget(
      name: "CaseTests",
      dependencies: ["PushIngest", "PushChecklist", "PushModel", "TestSupport"],
      exclude: [
        "Cases", "reports.json", "scraps.json", "scraps-handoff.json", "scraps-pasted.json",
      ],
      swiftSettings: base),
    .testTarget(
      name: "PushPipelineTests",
      dependencies: [
        "PushPipeline", "PushIngest", "PushStore", "PushJoin", "PushChecklist", "PushModel",
        "PushSimulator", "TestSupport", "CSQLite",
      ],
      swiftSettings: base),
    .testTarget(
      name: "PushAnalysisTests", dependencies: ["PushAnalysis", "PushModel", "TestSupport"],
      swiftSettings: base),
    .testTarget(
      name: "PushReportTests",
      dependencies: ["PushReport", "PushModel", "PushAnalysis", "TestSupport"],
      swiftSettings: base),
    .testTarget(
      name: "PushSimulatorTests", dependencies: ["PushSimulator", "PushModel", "TestSupport"],
      swiftSettings: base),
    .testTarget(
      name: "CommandTests",
      dependencies: [
        "pushtriage", "PushBundle", "PushModel", "PushStore", "PushSimulator", "TestSupport",
      ],
      swiftSettings: base),
    .testTarget(
      name: "RepositoryTests",
      dependencies: ["Queries", "Reports", "PushStore", "PushChecklist", "TestSupport"],
      swiftSettings: base),
  ],
  cxxLanguageStandard: .cxx17
)
