// swift-tools-version: 6.2
// Each module has a section: what it is for, what it may see, its tests. Arrows point inwards (see README.md).
import PackageDescription

let package = Package(
  name: "regd",
  products: [
    .executable(name: "regd", targets: ["regd"]),
    .executable(name: "regctl", targets: ["regctl"]),
    .library(name: "RegdClient", targets: ["RegdClient"]),
  ],
  dependencies: [
    // Sockets and event loops: the fastest way to many connections that Swift has.
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
    // Layers of configuration. Without its JSON and YAML traits, which would bring full Foundation into regd.
    .package(
      url: "https://github.com/apple/swift-configuration", from: "1.4.0", traits: ["CommandLineArguments"]),
    // Options, usage and completions of the two programs.
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    // Log levels and handlers.
    .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
    // Counters and histograms; where they go is ours (OpenMetrics).
    .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
    // Signals to graceful shutdown, in order.
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
  ]
)

// MARK: - Inner: knows nothing foreign

package.targets += [
  // JSON and JSON-RPC: bytes in, replies out, no socket. The standard library only.
  .target(name: "JSONRPC"),
  .testTarget(name: "JSONRPCTests", dependencies: ["JSONRPC", "TestKit"]),

  // What registering means. The standard library only.
  .target(name: "Registration"),
  .testTarget(
    name: "RegistrationTests",
    dependencies: ["AddressNormalization", "Registration", "RehearsedNetworks", "TestKit"]),

  // The methods of the contract: params to domain to result.
  .target(name: "Methods", dependencies: ["JSONRPC", "Registration"]),
  .testTarget(
    name: "MethodsTests",
    dependencies: [
      "AddressNormalization", "JSONRPC", "Methods", "RegdClient", "Registration", "RehearsedNetworks", "TestKit",
    ]),

  // What somebody meant who mistyped a name. The standard library only.
  .target(name: "NearestName"),
  .testTarget(name: "NearestNameTests", dependencies: ["NearestName"]),

  // Queues that users share: who waits behind whom. The standard library only.
  .target(name: "FairSharing"),
  .testTarget(name: "FairSharingTests", dependencies: ["FairSharing"]),

  // What Swift's Glibc module leaves out of the C library.
  .systemLibrary(name: "CLinux"),
  // Threads that may block, beside the event loops and the cooperative pool. The C library only.
  .target(name: "WorkerThreads", dependencies: ["CLinux"]),
  .testTarget(name: "WorkerThreadsTests", dependencies: ["WorkerThreads"]),
  // Programs that are started: each in a session of its own, and none left behind. The C library only.
  .target(name: "ChildProcesses", dependencies: ["CLinux"]),
  .testTarget(name: "ChildProcessesTests", dependencies: ["Matrix", "TestKit"]),
]

// MARK: - Leaves: one foreign thing each, and never one another

package.targets += [
  .target(
    name: "UnixSocket",
    dependencies: [
      "CLinux", "JSONRPC", "WorkerThreads",
      .product(name: "NIOCore", package: "swift-nio"),
      .product(name: "NIOPosix", package: "swift-nio"),
    ]),
  .testTarget(
    name: "UnixSocketTests",
    dependencies: [
      "JSONRPC", "Matrix", "RegdClient", "TestKit", "UnixSocket", .product(name: "NIOCore", package: "swift-nio"),
    ]),

  // Networks for rehearsing, played from the configuration; nothing foreign in them.
  .target(name: "RehearsedNetworks", dependencies: ["Registration"]),
  .testTarget(
    name: "RehearsedNetworksTests", dependencies: ["Registration", "RehearsedNetworks", "TestKit"]),

  // Debian's libcurl: the upstream over HTTP. Its errors tell whether a request was sent.
  .systemLibrary(name: "CCurl"),
  .target(name: "HTTPNetwork", dependencies: ["CCurl", "FairSharing", "JSONRPC", "Registration", "WorkerThreads"]),
  .testTarget(
    name: "HTTPNetworkTests",
    dependencies: [
      "CCurl", "HTTPNetwork", "JSONRPC", "Matrix", "Registration", "RehearsedNetworks", "RehearsedUpstream", "TestKit",
      "WorkerThreads",
    ]),

  // The other end of that: a registration service on a real socket that misbehaves on demand. Nothing foreign in it.
  .target(
    name: "RehearsedUpstream",
    dependencies: ["ChildProcesses", "CLinux", "JSONRPC", "RehearsedNetworks", "WorkerThreads"]),
  .testTarget(
    name: "RehearsedUpstreamTests",
    dependencies: ["CLinux", "Matrix", "RehearsedNetworks", "RehearsedUpstream", "TestKit", "WorkerThreads"]),

  // Debian's libsodium: Argon2id, as regd hashes. For hashes that were imported: libargon2, which has more than one lane,
  // and libxcrypt, which has bcrypt.
  .systemLibrary(name: "CSodium"),
  .systemLibrary(name: "CArgon2"),
  .systemLibrary(name: "CCrypt"),
  .target(
    name: "PasswordHashing",
    dependencies: ["CArgon2", "CCrypt", "CSodium", "FairSharing", "Registration", "WorkerThreads"]),
  .testTarget(name: "PasswordHashingTests", dependencies: ["PasswordHashing", "Registration", "TestKit"]),

  // Debian's libmd: SHA-1, by which leaked passwords are published.
  .systemLibrary(name: "CMessageDigest"),
  .target(name: "BreachedPasswords", dependencies: ["CMessageDigest", "Registration"]),
  .testTarget(name: "BreachedPasswordsTests", dependencies: ["BreachedPasswords", "Registration"]),

  // Debian's libidn2 and libunistring: IDNA, NFC, case folding.
  .systemLibrary(name: "CIDN2"),
  .systemLibrary(name: "CUnistring"),
  .target(name: "AddressNormalization", dependencies: ["CIDN2", "CUnistring", "Registration"]),
  .testTarget(
    name: "AddressNormalizationTests", dependencies: ["AddressNormalization", "Registration"]),

  // Debian's SQLite.
  .systemLibrary(name: "CSQLite"),
  .target(name: "SQLiteStore", dependencies: ["CSQLite", "FairSharing", "Registration", "WorkerThreads"]),
  .testTarget(
    name: "SQLiteStoreTests",
    dependencies: ["AddressNormalization", "CSQLite", "Matrix", "Registration", "SQLiteStore", "TestKit"]),

  // Counters and histograms of swift-metrics, as OpenMetrics text.
  .target(name: "OpenMetrics", dependencies: [.product(name: "CoreMetrics", package: "swift-metrics")]),
  .testTarget(
    name: "OpenMetricsTests",
    dependencies: ["OpenMetrics", .product(name: "CoreMetrics", package: "swift-metrics")]),

  // Debian's libyaml: its events carry the line and column of every key.
  .systemLibrary(name: "CYAML"),
  .target(name: "ConfigurationFile", dependencies: ["CYAML"]),
  .testTarget(name: "ConfigurationFileTests", dependencies: ["ConfigurationFile"]),

  // Debian's libsystemd: readiness and sockets that were passed in.
  .systemLibrary(name: "CSystemd"),
  .target(name: "Systemd", dependencies: ["CSystemd"]),
  .testTarget(
    name: "SystemdTests", dependencies: ["Matrix", "Systemd", "TestKit"],
    exclude: ["service.sh", "with-systemd"]),
]

// MARK: - The one place that sees everything, and the daemon's program

package.targets += [
  .target(
    name: "Daemon",
    dependencies: [
      "AddressNormalization", "BreachedPasswords", "CLinux", "ConfigurationFile", "HTTPNetwork", "JSONRPC", "Methods",
      "NearestName",
      "OpenMetrics",
      "PasswordHashing", "Registration", "RehearsedNetworks", "SQLiteStore", "Systemd", "UnixSocket", "WorkerThreads",
      .product(name: "Configuration", package: "swift-configuration"),
      .product(name: "CoreMetrics", package: "swift-metrics"),
      .product(name: "Logging", package: "swift-log"),
      .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      .product(name: "UnixSignals", package: "swift-service-lifecycle"),
    ]),
  .testTarget(
    name: "DaemonTests",
    dependencies: [
      "CLinux", "ConfigurationFile", "Daemon", "JSONRPC", "Matrix", "RegdClient", "RehearsedNetworks",
      "RehearsedUpstream", "TestKit",
      .product(name: "Logging", package: "swift-log"),
    ]),
  .executableTarget(
    name: "regd",
    dependencies: ["CLinux", "Daemon", .product(name: "ArgumentParser", package: "swift-argument-parser")]),
]

// MARK: - The other side of the socket

package.targets += [
  // A client that others may use.
  .target(name: "RegdClient", dependencies: ["JSONRPC"]),
  .testTarget(name: "RegdClientTests", dependencies: ["Matrix", "RegdClient", "TestKit"]),

  // Environments and flows: what a caller sees, cell by cell.
  .target(
    name: "Matrix",
    dependencies: [
      "ChildProcesses", "CLinux", "ConfigurationFile", "RegdClient", "RehearsedNetworks", "RehearsedUpstream",
      "WorkerThreads",
    ]),
  .testTarget(name: "MatrixTests", dependencies: ["Matrix", "TestKit"]),

  // A form of regd's on a terminal: keys to regd, what regd tells to the screen. The C library only.
  .target(name: "FormTerminal", dependencies: ["CLinux", "RegdClient"]),
  .testTarget(name: "FormTerminalTests", dependencies: ["FormTerminal", "RegdClient"]),

  .executableTarget(
    name: "regctl",
    dependencies: [
      "AddressNormalization", "BreachedPasswords", "CLinux", "FormTerminal", "Matrix", "NearestName", "RegdClient",
      "Registration", "SQLiteStore",
      .product(name: "ArgumentParser", package: "swift-argument-parser"),
    ]),
  .testTarget(name: "RegctlTests", dependencies: ["Matrix", "RegdClient", "TestKit"]),
]

// MARK: - For tests and measurements only

package.targets += [
  .target(
    name: "TestKit",
    dependencies: ["ChildProcesses", "CLinux", "JSONRPC", "Matrix", "RegdClient", "Registration"],
    path: "Tests/TestKit"),

  // `make bench`: regd against a C floor of the wire and against raw libsodium, on the same cores.
  .executableTarget(name: "wire-floor", path: "Tests/Benchmarks/WireFloor"),
  .executableTarget(name: "wire-load", path: "Tests/Benchmarks/WireLoad"),
  .executableTarget(name: "hash-floor", path: "Tests/Benchmarks/HashFloor", linkerSettings: [.linkedLibrary("sodium")]),
  .executableTarget(
    name: "regd-bench", dependencies: ["ChildProcesses", "Matrix", "RegdClient", "WorkerThreads"],
    path: "Tests/Benchmarks/RegdBench"),
]

for target in package.targets where target.type != .system {
  guard !["hash-floor", "wire-floor", "wire-load"].contains(target.name) else { continue }  // C
  target.swiftSettings = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  ]
}
