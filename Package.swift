// swift-tools-version: 6.2
// The sections are floors, and folders in Sources and Tests. A module says what it is for, what it may see, its tests.
import PackageDescription

let package = Package(
  name: "regd",
  products: [
    .executable(name: "regd", targets: ["regd"]),
    .executable(name: "regctl", targets: ["regctl"]),
    .library(name: "RegdClient", targets: ["RegdClient"]),
    .library(name: "slow-sync", type: .dynamic, targets: ["SlowSync"]),
  ],
  dependencies: [
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

/// Adds the modules of a floor, which stand in the folder of its name. `make floors` holds who may import whom.
@MainActor func floor(_ name: String, _ targets: [Target]) {
  for target in targets { target.path = "\(target.type == .test ? "Tests" : "Sources")/\(name)/\(target.name)" }
  package.targets += targets
}

// MARK: - C: Debian's libraries as modules, each for the one that imports it

floor(
  "C",
  [
    // What Swift's Glibc module leaves out of the C library.
    .systemLibrary(name: "CLinux"),
    .systemLibrary(name: "CArgon2"),
    .systemLibrary(name: "CCrypt"),
    // this one and the three below that are targets are loaded when they are called, and not with the program
    .target(name: "CLibCrypto"),
    .target(name: "CCurl"),
    .systemLibrary(name: "CIDN2"),
    // likewise
    .target(name: "CLBER"),
    .systemLibrary(name: "CMessageDigest"),
    // likewise
    .target(name: "CPostgreSQL"),
    .systemLibrary(name: "CSQLite"),
    .systemLibrary(name: "CSodium"),
    .systemLibrary(name: "CSystemd"),
    .systemLibrary(name: "CUnistring"),
    .systemLibrary(name: "CYAML"),
    // An mmap(2) that keeps the memory of libsodium's hashes: the one thing here that no library has. For PasswordHashing only.
    .target(name: "CHashingMemory"),
    // The machine that regd-simulate plays: clock, chance, disk, and callers' ends of sockets.
    .target(name: "CSimulation", linkerSettings: [.linkedLibrary("sqlite3")]),
    // Which build this is. Nothing else is compiled anew for a version of its own.
    .target(
      name: "CVersion",
      cSettings: Context.environment["BUILD_VERSION"].map { [.define("REGD_VERSION", to: "\"\($0)\"")] } ?? []),
  ])

// MARK: - Core: what regd is about. The standard library only

floor(
  "Core",
  [
    // What is spoken on a connection, by whom, and how much of regd each may have: the port of wire protocols.
    .target(name: "Dialogues", dependencies: ["Wiping"]),
    .testTarget(name: "DialoguesTests", dependencies: ["Dialogues"]),

    // JSON and JSON-RPC: bytes in, replies out, no socket. JSON is a folder in it: as a module of its own it was measured to
    // cost a pipelined message a quarter more processor time, for the compiler specialises and inlines within a module only.
    .target(name: "JSONRPC", dependencies: ["Dialogues", "Sentences", "Tracing", "Waiting", "Wiping"]),
    .testTarget(name: "JSONRPCTests", dependencies: ["Dialogues", "JSONRPC", "Sentences", "TestKit", "Tracing"]),

    // What registering means.
    .target(
      name: "Registration",
      dependencies: ["FairSharing", "Heartbeat", "Sentences", "Tracing", "Waiting", "Wiping"]),
    .testTarget(
      name: "RegistrationTests",
      dependencies: [
        "AddressNormalization", "PasswordHashing", "Registration", "RehearsedNetworks", "Sentences", "TestKit",
        "Tracing",
      ]),

    // A mail as text: headers that no caller's words reach, and a body in lines that every mail server takes.
    .target(name: "MailComposition", dependencies: ["Registration"]),
    .testTarget(
      name: "MailCompositionTests",
      dependencies: ["AddressNormalization", "MailComposition", "Registration", "TestKit"]),

    // The methods of the wire: params to domain to result.
    .target(
      name: "Methods",
      dependencies: ["Dialogues", "JSONRPC", "Registration", "Sentences", "Verdicts", "Waiting", "Wiping"]),
    .testTarget(
      name: "MethodsTests",
      dependencies: [
        "AddressNormalization", "Dialogues", "JSONRPC", "Methods", "PasswordHashing", "RegdClient", "Registration",
        "RehearsedNetworks", "Sentences", "TestKit",
      ]),

    // Protocols of other programs, each on a socket of its own: the port; a door is a folder.
    .target(name: "Doors", dependencies: ["Dialogues", "JSONRPC", "Methods", "Registration", "Verdicts", "Waiting"]),
    .testTarget(
      name: "DoorsTests",
      dependencies: [
        "AddressNormalization", "Dialogues", "Doors", "JSONRPC", "Methods", "Registration",
        "TestKit",
        "Verdicts",
      ]),

    // The verdict on a login, and which reasons make which: for doors, and for programs beside regd.
    .target(name: "Verdicts"),
    .testTarget(name: "VerdictsTests", dependencies: ["Methods", "JSONRPC", "Verdicts"]),

    // The name that a mistyped one resembles most.
    .target(name: "NearestName"),
    .testTarget(name: "NearestNameTests", dependencies: ["NearestName"]),

    // Sentences for persons, by key, and the languages that they are said in.
    .target(name: "Sentences", dependencies: ["NearestName"]),
    .testTarget(name: "SentencesTests", dependencies: ["Sentences", "TestKit"]),

    // Queues that users share: who waits behind whom.
    .target(name: "FairSharing", dependencies: ["Waiting"]),
    .testTarget(name: "FairSharingTests", dependencies: ["FairSharing"]),

    // What one piece of work is known by, in the log and at the upstream.
    .target(name: "Tracing"),
    .testTarget(name: "TracingTests", dependencies: ["Tracing"]),

    // Whether the parts of the process that must go round still do.
    .target(name: "Heartbeat"),
    .testTarget(name: "HeartbeatTests", dependencies: ["Heartbeat"]),

    // The one way to overwrite a secret.
    .target(name: "Wiping"),
    .testTarget(name: "WipingTests", dependencies: ["Wiping"]),

    // The one way to suspend a task until another part of the program lets it go on.
    .target(name: "Waiting"),
    .testTarget(name: "WaitingTests", dependencies: ["Waiting"]),
  ])

// MARK: - System: Linux

floor(
  "System",
  [
    // The kernel and the C library: files, sockets, signals, terminals, threads, and programs that are started. No other
    // module names a system call.
    .target(name: "Linux", dependencies: ["CLinux"]),
    .testTarget(name: "LinuxTests", dependencies: ["Linux", "RegdProcesses", "TestKit"]),

    // Threads that may block, beside the event loops and the cooperative pool.
    .target(name: "WorkerThreads", dependencies: ["Linux"]),
    .testTarget(name: "WorkerThreadsTests", dependencies: ["Waiting", "WorkerThreads"]),

    // Debian's libunistring: the lines that a text is broken into, in mails and on terminals.
    .target(name: "LineBreaking", dependencies: ["CUnistring"]),

    // Debian's libcurl, as far as HTTP and SMTP have it in common: one thread, its options, its URLs.
    .target(name: "CurlTransfers", dependencies: ["CCurl", "Linux", "WorkerThreads"]),
  ])

// MARK: - Adapters: one foreign thing each, and never one another

floor(
  "Adapters",
  [
    // Connections of callers: event loops of our own on epoll(7). SwiftNIO takes twice the processor time of a connection
    // (`make bench`): it has options, pipelines and buffers for any protocol, and this one needs none of them.
    .target(
      name: "UnixSocket",
      dependencies: [
        "Dialogues", "FairSharing", "Heartbeat", "Linux", "Waiting", "WorkerThreads", "Wiping",
      ]),
    .testTarget(
      name: "UnixSocketTests",
      dependencies: [
        "Dialogues", "Heartbeat", "JSONRPC", "Linux", "RegdClient", "RegdProcesses", "TestKit", "UnixSocket", "Waiting",
        "WorkerThreads",
      ]),

    // Networks for rehearsing, played from the configuration; nothing foreign in them.
    .target(name: "RehearsedNetworks", dependencies: ["Registration"]),
    .testTarget(
      name: "RehearsedNetworksTests", dependencies: ["Registration", "RehearsedNetworks", "TestKit"]),

    // Mail systems for rehearsing, likewise.
    .target(name: "RehearsedMails", dependencies: ["Registration"]),
    .testTarget(name: "RehearsedMailsTests", dependencies: ["Registration", "RehearsedMails", "TestKit"]),

    // Mail systems of this machine: its sendmail, and a directory.
    .target(
      name: "LocalMail", dependencies: ["Linux", "MailComposition", "Registration", "Waiting", "WorkerThreads"]),
    .testTarget(
      name: "LocalMailTests",
      dependencies: ["Linux", "LocalMail", "RegdProcesses", "Registration", "TestKit", "Waiting", "WorkerThreads"],
      exclude: ["sendmail"]),

    // Debian's libcurl: the upstream over HTTP. Its errors tell whether a request was sent.
    .target(
      name: "HTTPNetwork",
      dependencies: [
        "CCurl", "CurlTransfers", "FairSharing", "JSONRPC", "Linux", "Registration", "Tracing", "Waiting", "Wiping",
      ]),
    .testTarget(
      name: "HTTPNetworkTests",
      dependencies: [
        "CCurl", "CurlTransfers", "HTTPNetwork", "JSONRPC", "Linux", "RegdProcesses", "Registration",
        "RehearsedNetworks",
        "RehearsedUpstream", "TestKit", "Tracing", "Waiting", "WorkerThreads",
      ]),

    // Debian's libcurl, again: mails by SMTP.
    .target(
      name: "SMTPMail", dependencies: ["CCurl", "CurlTransfers", "Linux", "MailComposition", "Registration", "Waiting"]),
    .testTarget(
      name: "SMTPMailTests",
      dependencies: [
        "CCurl", "CurlTransfers", "Linux", "MailComposition", "RegdProcesses", "Registration", "RehearsedMailServer",
        "RehearsedMails", "RehearsedPorts", "SMTPMail", "TestKit", "Waiting",
      ]),

    // Debian's libsodium: Argon2id, as regd hashes. For hashes that were imported: libargon2, which has more than one
    // lane, libxcrypt, which has bcrypt, sha-crypt and yescrypt, and libcrypto, which libcurl brings, for PBKDF2 and digests.
    .target(
      name: "PasswordHashing",
      dependencies: [
        "CArgon2", "CCrypt", "CHashingMemory", "CLibCrypto", "CSodium", "FairSharing", "Heartbeat", "Linux",
        "Registration", "Sentences", "Waiting", "WorkerThreads",
        "Wiping",
      ]),
    .testTarget(
      name: "PasswordHashingTests",
      dependencies: [
        "CHashingMemory", "CSodium", "Heartbeat", "MovingIn", "PasswordHashing", "Registration", "TestKit",
      ]),

    // Debian's libmd: SHA-1, by which leaked passwords are published.
    .target(
      name: "BreachedPasswords", dependencies: ["CMessageDigest", "Linux", "Registration", "Sentences", "Wiping"]),
    .testTarget(name: "BreachedPasswordsTests", dependencies: ["BreachedPasswords", "Registration", "Sentences"]),

    // Debian's libidn2 and libunistring: IDNA, NFC, case folding, the widths of characters in mails.
    .target(
      name: "AddressNormalization", dependencies: ["CIDN2", "CUnistring", "LineBreaking", "Registration", "Wiping"]),
    .testTarget(
      name: "AddressNormalizationTests", dependencies: ["AddressNormalization", "Registration"]),

    // Debian's liblber: LDAP at a door. Its messages are read and written by liblber alone.
    .target(name: "LDAPDoor", dependencies: ["CLBER", "Dialogues", "Doors", "JSONRPC", "Registration"]),
    .testTarget(
      name: "LDAPDoorTests",
      dependencies: [
        "AddressNormalization", "Dialogues", "Doors", "JSONRPC", "LDAPDoor", "Methods", "Registration", "TestKit",
      ]),

    // Debian's SQLite.
    .target(
      name: "SQLiteStore",
      dependencies: [
        "CSQLite", "FairSharing", "Heartbeat", "Linux", "Registration", "Sentences", "WorkerThreads",
      ]),
    .testTarget(
      name: "SQLiteStoreTests",
      dependencies: [
        "AddressNormalization", "CSQLite", "Heartbeat", "Linux", "PasswordHashing", "Registration",
        "SQLiteStore", "TestKit", "Waiting",
      ]),

    // Debian's libpq: a database that several regd share. It decides nothing of its own: it waits where it is told to, and tells
    // each answer, warning and SQLSTATE apart, which a commit needs.
    .target(
      name: "PostgreSQLStore",
      dependencies: ["CPostgreSQL", "FairSharing", "Heartbeat", "Linux", "Registration", "WorkerThreads"]),
    .testTarget(
      name: "PostgreSQLStoreTests",
      dependencies: [
        "AddressNormalization", "Linux", "PasswordHashing", "PostgreSQLStore", "RegdProcesses", "Registration",
        "SQLiteStore", "TestKit", "Waiting",
      ]),

    // Counters and histograms of swift-metrics, as OpenMetrics text.
    .target(name: "OpenMetrics", dependencies: [.product(name: "CoreMetrics", package: "swift-metrics")]),
    .testTarget(
      name: "OpenMetricsTests",
      dependencies: ["OpenMetrics", .product(name: "CoreMetrics", package: "swift-metrics")]),

    // Debian's libyaml: its events carry the line and column of every key. The configuration and the catalogues of sentences.
    .target(name: "ConfigurationFile", dependencies: ["CYAML", "Linux", "Sentences"]),
    .testTarget(
      name: "ConfigurationFileTests",
      dependencies: [
        "AddressNormalization", "ConfigurationFile", "Linux", "RegdProcesses", "Registration", "Sentences", "TestKit",
      ]),

    // Debian's libsystemd: readiness, the watchdog, sockets that were passed in, the journal.
    .target(name: "Systemd", dependencies: ["CSystemd", "Linux"]),
    .testTarget(
      name: "SystemdTests", dependencies: ["RegdProcesses", "Systemd", "TestKit"],
      exclude: [
        "facts.sh", "journal.sh", "package-test", "package.sh", "promises.sh", "running.sh", "service.sh",
        "with-systemd",
      ]),
  ])

// MARK: - Client: the other side of the socket

floor(
  "Client",
  [
    // A client that others may use.
    .target(name: "RegdClient", dependencies: ["JSONRPC", "Linux", "Sentences", "Wiping"]),
    .testTarget(name: "RegdClientTests", dependencies: ["Linux", "RegdClient", "RegdProcesses", "TestKit"]),

    // A terminal as a screen that is drawn in place, and its keys; numbers as people read them.
    .target(name: "FullScreen", dependencies: ["LineBreaking", "Linux", "Sentences"]),
    .testTarget(name: "FullScreenTests", dependencies: ["FullScreen"]),

    // `regctl client`: the table of methods as a client in other languages.
    .target(name: "ClientWriting", dependencies: ["JSONRPC"]),

    // A form of regd's on a terminal: keys to regd, what regd tells to the screen.
    .target(name: "FormTerminal", dependencies: ["FullScreen", "Linux", "RegdClient", "Sentences", "Wiping"]),
    .testTarget(
      name: "FormTerminalTests", dependencies: ["FormTerminal", "FullScreen", "RegdClient", "Sentences", "TestKit"]),

    // What regd does now, on a terminal: status and metrics to rates, latencies and a screen.
    .target(name: "TopTerminal", dependencies: ["FullScreen", "JSONRPC", "Linux", "RegdClient", "Sentences"]),
    .testTarget(
      name: "TopTerminalTests",
      dependencies: ["FullScreen", "Linux", "RegdClient", "RegdProcesses", "Sentences", "TestKit", "TopTerminal"]),

    // Exports of other systems, read as accounts that regd imports. Debian's libmd: SHA-1, which version 5 of a UUID is made by.
    .target(name: "MovingIn", dependencies: ["CMessageDigest", "Linux", "RegdClient", "Registration", "Sentences"]),
    .testTarget(
      name: "MovingInTests",
      dependencies: [
        "AddressNormalization", "Linux", "MovingIn", "PasswordHashing", "RegdProcesses", "Registration", "Sentences",
        "TestKit",
      ],
      exclude: ["Corpus", "Exports"]),

    // Protocols of programs that start a helper, and the questions that they have for regd; nothing of the programs themselves.
    .target(name: "DoorHelpers", dependencies: ["Linux", "RegdClient", "Verdicts", "Wiping"]),
    .testTarget(
      name: "DoorHelpersTests",
      dependencies: ["DoorHelpers", "Linux", "RegdClient", "RegdProcesses", "TestKit", "Verdicts"]),

    // Load for a regd that runs: many calls at once, their latencies, and how they are told.
    .target(name: "LoadGenerator", dependencies: ["FullScreen", "Linux", "RegdClient", "Sentences"]),
    .testTarget(
      name: "LoadGeneratorTests",
      dependencies: ["FullScreen", "LoadGenerator", "RegdClient", "TestKit"]),
  ])

// MARK: - Daemon: the one place that sees everything that runs in regd

floor(
  "Daemon",
  [
    .target(
      name: "Daemon",
      dependencies: [
        "AddressNormalization", "BreachedPasswords", "ConfigurationFile", "CVersion", "Dialogues", "Doors", "Heartbeat",
        "HTTPNetwork", "JSONRPC", "LDAPDoor", "Linux", "LocalMail",
        "Methods", "NearestName", "OpenMetrics", "PasswordHashing", "PostgreSQLStore", "Registration",
        "RehearsedMails", "RehearsedNetworks", "Sentences", "SMTPMail",
        "SQLiteStore", "Systemd", "Tracing", "UnixSocket", "Verdicts", "Waiting", "WorkerThreads",
        .product(name: "Configuration", package: "swift-configuration"),
        .product(name: "CoreMetrics", package: "swift-metrics"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        .product(name: "UnixSignals", package: "swift-service-lifecycle"),
      ]),
    .testTarget(
      name: "DaemonTests",
      dependencies: [
        "AddressNormalization", "CLinux", "ConfigurationFile", "CurlTransfers", "Daemon", "Dialogues", "Doors",
        "HTTPNetwork", "Heartbeat", "JSONRPC", "Linux", "Methods", "PasswordHashing", "RegdClient", "RegdProcesses",
        "Registration", "RehearsedMailServer", "RehearsedNetworks", "RehearsedUpstream", "SQLiteStore", "Systemd",
        "TestKit", "Tracing", "UnixSocket", "Waiting", "WorkerThreads",
        .product(name: "Logging", package: "swift-log"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ]),
  ])

// MARK: - Rehearsal: environments, and what callers see in them

floor(
  "Rehearsal",
  [
    // Ports of this machine that refuse, swallow, reset, or speak TLS with valid and invalid certificates.
    .target(name: "RehearsedPorts", dependencies: ["Linux", "WorkerThreads"]),
    .testTarget(name: "RehearsedPortsTests", dependencies: ["Linux", "RegdProcesses", "RehearsedPorts", "TestKit"]),

    // An upstream on a real socket that plays a script of faults.
    .target(
      name: "RehearsedUpstream",
      dependencies: ["JSONRPC", "RehearsedNetworks", "RehearsedPorts"]),
    .testTarget(
      name: "RehearsedUpstreamTests",
      dependencies: [
        "CLinux", "Linux", "RegdProcesses", "RehearsedNetworks", "RehearsedUpstream", "TestKit", "WorkerThreads",
      ]),

    // A mail server on a real socket that misbehaves on demand.
    .target(name: "RehearsedMailServer", dependencies: ["RehearsedPorts"]),
    .testTarget(
      name: "RehearsedMailServerTests",
      dependencies: ["Linux", "RegdProcesses", "RehearsedMailServer", "RehearsedPorts", "TestKit"]),

    // A regd as a process: started, ready, ended; and the directory that it writes to. PostgreSQL servers, likewise.
    .target(name: "RegdProcesses", dependencies: ["Linux"]),
    .testTarget(name: "RegdProcessesTests", dependencies: ["Linux", "RegdProcesses", "TestKit"]),

    // Environments × flows: what a caller sees, cell by cell, as a report.
    .target(
      name: "Matrix",
      dependencies: [
        "ConfigurationFile", "FullScreen", "Linux", "RegdClient", "RegdProcesses", "RehearsedMailServer",
        "RehearsedMails", "RehearsedNetworks", "RehearsedPorts", "RehearsedUpstream", "Sentences", "WorkerThreads",
      ]),
    .testTarget(
      name: "MatrixTests",
      dependencies: [
        "FullScreen", "Linux", "Matrix", "RegdProcesses", "RehearsedMails", "RehearsedNetworks", "TestKit",
      ]),
  ])

// MARK: - Programs

floor(
  "Programs",
  [
    .executableTarget(
      name: "regd",
      dependencies: ["Daemon", "Linux", .product(name: "ArgumentParser", package: "swift-argument-parser")]),
    .executableTarget(
      name: "regctl",
      dependencies: [
        "AddressNormalization", "BreachedPasswords", "ClientWriting", "ConfigurationFile", "CurlTransfers", "CVersion",
        "Dialogues", "DoorHelpers",
        "FormTerminal", "FullScreen", "HTTPNetwork", "JSONRPC", "Linux", "LoadGenerator", "Matrix", "Methods",
        "MovingIn",
        "NearestName",
        "PasswordHashing",
        "PostgreSQLStore", "RegdClient", "RegdProcesses", "Registration", "Sentences", "SQLiteStore", "TopTerminal",
        "Verdicts", "Wiping",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
    .testTarget(
      name: "RegctlTests",
      dependencies: [
        "ConfigurationFile", "DoorHelpers", "JSONRPC", "Linux", "Methods", "RegdClient", "RegdProcesses",
        "RehearsedNetworks", "RehearsedUpstream", "Sentences", "TestKit", "Verdicts",
        "regctl", .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ], exclude: ["Doctor/doctor.sh"]),

    // `make simulate`: the daemon's own parts on one thread, in a world that a seed decides. `regctl simulate` starts it.
    .executableTarget(
      name: "regd-simulate",
      dependencies: [
        "AddressNormalization", "CSimulation", "Daemon", "Dialogues", "Linux", "MailComposition", "Methods",
        "PasswordHashing",
        "RegdClient",
        "Registration", "SQLiteStore", "UnixSocket", "WorkerThreads",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ]),

    .testTarget(name: "RegdSimulateTests", dependencies: ["Linux", "RegdProcesses", "TestKit"]),

    // `make man`: the articles, the configuration and the programs' own words as man pages. Installed nowhere.
    .executableTarget(
      name: "regd-manual",
      dependencies: [
        "Linux", "RegdClient", "RegdProcesses", .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
    .testTarget(
      name: "RegdManualTests",
      dependencies: ["ConfigurationFile", "Linux", "RegdClient", "RegdProcesses", "TestKit", "regd-manual"]),
  ])

// MARK: - For tests and measurements only

package.targets += [
  .target(
    name: "TestKit",
    dependencies: [
      "CLinux", "Dialogues", "JSONRPC", "Linux", "RegdClient", "RegdProcesses", "Registration", "RehearsedNetworks",
      "Sentences", "WorkerThreads",
    ],
    path: "Tests/TestKit"),

  // `make bench`: regd against a C floor of the wire and against raw libsodium, on the same cores.
  .executableTarget(name: "wire-floor", path: "Tests/Benchmarks/WireFloor"),
  .executableTarget(name: "wire-load", path: "Tests/Benchmarks/WireLoad"),
  .executableTarget(name: "hash-floor", path: "Tests/Benchmarks/HashFloor", linkerSettings: [.linkedLibrary("sodium")]),
  // a daemon that signs in by PAM
  .executableTarget(name: "pam-caller", path: "Tests/Programs/PamCaller", linkerSettings: [.linkedLibrary("pam")]),
  // preloaded, for disks whose syncs take longer
  .target(name: "SlowSync", path: "Tests/Benchmarks/SlowSync", publicHeadersPath: "."),
  .executableTarget(
    name: "regd-bench",
    dependencies: ["AddressNormalization", "Linux", "RegdClient", "RegdProcesses", "Registration", "WorkerThreads"],
    path: "Tests/Benchmarks/RegdBench"),
]

for target in package.targets where target.type != .system {
  // C
  guard
    ![
      "CCurl", "CHashingMemory", "CLBER", "CPostgreSQL", "CSimulation", "CVersion", "SlowSync", "hash-floor",
      "pam-caller",
      "wire-floor",
      "wire-load",
    ]
    .contains(target.name)
  else {
    continue
  }
  target.swiftSettings = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  ]
  // Tests start regd and regctl some thousand times, read texts cut at each byte, and import a million records. The optimizer is for these
  // modules alone: with all of them a first `make run` takes twice as long to build. SwiftPM has no other setting for that; since 6.2 it lets
  // packages depend on one with such flags.
  if [
    "AddressNormalization", "ConfigurationFile", "Dialogues", "JSONRPC", "MovingIn", "PasswordHashing", "RegdClient",
    "Registration",
    "Sentences",
  ].contains(target.name) {
    target.swiftSettings?.append(.unsafeFlags(["-O"], .when(configuration: .debug)))
  }
}

// Each access to a variable of an object is checked against others that last (SE-0176): 30 checks and a sixth of the instructions of
// a request that comes alone. Debug builds, which the tests run in, keep the checks.
for target in package.targets where ["JSONRPC", "UnixSocket"].contains(target.name) {
  target.swiftSettings?.append(.unsafeFlags(["-enforce-exclusivity=unchecked"], .when(configuration: .release)))
}

// REGD_TESTS=RegistrationTests,MethodsTests builds and runs these modules' tests alone, without compiling the others'.
if let named = Context.environment["REGD_TESTS"] {
  let names = named.split(separator: ",").map(String.init)
  package.targets.removeAll { $0.type == .test && !names.contains($0.name) }
}
