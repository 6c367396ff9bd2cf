// swift-tools-version: 6.2
// A layer is a folder in Sources and in Tests. Each module is declared once: its purpose, what it imports, what its tests import.
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
    // Layers of configuration. Its JSON and YAML traits are off because they would link full Foundation into regd.
    .package(url: "https://github.com/apple/swift-configuration", from: "1.4.0", traits: ["CommandLineArguments"]),
    // Options, usage and completions of the programs.
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    // Log levels and handlers.
    .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
    // Counters and histograms. regd exports them itself (OpenMetrics).
    .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
    // From signals to an ordered graceful shutdown.
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    // Double-ended queues and heaps. swift-service-lifecycle needs the package too, so this adds no checkout.
    .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
  ]
)

// MARK: - How modules are declared

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  // Otherwise only a build from nothing shows a warning, and those who build incrementally do not see it.
  .treatAllWarnings(as: .error),
  // By default, a process of the compiler compiles at most 25 files of a module, but it expands the @Test macros of all of them. With
  // one process for each module, each macro is expanded once.
  .unsafeFlags(["-driver-batch-count", "1"], .when(configuration: .debug)),
]

/// The release build does not check each access to a variable of an object against overlapping ones (SE-0176): 30 checks, and a
/// sixth of the instructions of a request that comes alone. Debug builds keep the checks, and so do the tests of these modules.
let unchecked: [SwiftSetting] = [.unsafeFlags(["-enforce-exclusivity=unchecked"], .when(configuration: .release))]

/// Dependencies by name, separated by spaces: targets, and products as `package/product`.
@MainActor func named(_ names: [String]) -> [Target.Dependency] {
  names.flatMap { $0.split(separator: " ") }.map { name in
    let parts = name.split(separator: "/").map(String.init)
    return parts.count == 2 ? .product(name: parts[1], package: parts[0]) : .byName(name: parts[0])
  }
}

/// A target and its tests. They are in the folders `name` and `NameTests` of the layer, import the target and what `tests` names, and do
/// not exist if `tests` is left out.
@MainActor func declared(_ target: Target, _ tests: [String], _ excluded: String) -> [Target] {
  guard !tests.isEmpty else { return [target] }
  let name = target.name.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined() + "Tests"
  return [
    target,
    .testTarget(
      name: name, dependencies: [.byName(name: target.name)] + named(tests),
      exclude: excluded.split(separator: " ").map(String.init), swiftSettings: settings),
  ]
}

@MainActor func module(
  _ name: String, needs: String..., tests: String..., excluding: String = "", extra: [SwiftSetting] = []
) -> [Target] {
  declared(.target(name: name, dependencies: named(needs), swiftSettings: settings + extra), tests, excluding)
}

@MainActor func program(_ name: String, needs: String..., tests: String..., excluding: String = "") -> [Target] {
  declared(.executableTarget(name: name, dependencies: named(needs), swiftSettings: settings), tests, excluding)
}

/// System libraries, and our own C code, by their names, which spaces separate.
@MainActor func library(_ names: String) -> [Target] {
  names.split(separator: " ").map { .systemLibrary(name: String($0)) }
}
@MainActor func code(_ names: String) -> [Target] { names.split(separator: " ").map { .target(name: String($0)) } }

/// Adds a layer's modules. `make floors` checks which layer may import which.
@MainActor func layer(_ folder: String, _ modules: [[Target]]) {
  for target in modules.joined() {
    target.path = "\(target.type == .test ? "Tests" : "Sources")/\(folder)/\(target.name)"
  }
  package.targets += modules.joined()
}

// MARK: - C: Debian's libraries as modules, each for the one that imports it

layer(
  "C",
  [
    // The part of the C library that Swift's Glibc module leaves out.
    library("CLinux"),
    // Debian's libraries, each for the one module that imports it.
    library("CArgon2 CCrypt CIDN2 CMessageDigest CSQLite CSodium CSystemd CUnistring CYAML"),
    // Each loads its library at the first call instead of at startup.
    code("CLibCrypto CCurl CLBER CPostgreSQL"),
    // An mmap(2) that keeps the memory of libsodium's hashes. No library offers this. Only PasswordHashing uses it.
    code("CHashingMemory"),
    // The simulated machine of regd-simulate: clock, randomness, disk, and the callers' ends of sockets.
    [.target(name: "CSimulation", linkerSettings: [.linkedLibrary("sqlite3")])],
    // Arguments of a program for machines without /proc, from which Swift reads them.
    code("CCommandLine"),
    // The version of the build, in a separate module, so that a new version does not compile anything else again.
    [
      .target(
        name: "CVersion",
        cSettings: Context.environment["BUILD_VERSION"].map { [.define("REGD_VERSION", to: "\"\($0)\"")] } ?? [])
    ],
  ])

// MARK: - Core: what regd is about. The standard library and swift-collections only

layer(
  "Core",
  [
    // The port of wire protocols: the bytes and answers of a connection, and each caller's quota of regd's resources.
    module("WireProtocols", needs: "SecureMemory", tests: ""),
    // JSON and JSON-RPC: bytes in, replies out, no socket. JSON is a folder here: as a separate module it took a quarter more
    // processor time per pipelined message, because the compiler specializes and inlines only within a module.
    module(
      "JSONRPC", needs: "AsyncPrimitives Localization Reasons SecureMemory Tracing WireFormats WireProtocols",
      tests: "Localization Reasons RegdClient TestDoubles Tracing WireProtocols", extra: unchecked),
    // The rules of registering.
    module(
      "Registration",
      needs: "AsyncPrimitives FairQueues Liveness Localization SecureMemory Tracing WireFormats",
      "swift-collections/HeapModule",
      tests: "AddressNormalization Localization PasswordHashing RehearsedNetworks StoreConformance StoreModels",
      "TestDoubles Tracing WireFormats"),
    // A mail as text: no caller's text reaches a header, and every mail server accepts the lines of the body.
    module(
      "MailComposition", needs: "Registration WireFormats", tests: "AddressNormalization Registration TestDoubles"),
    // The methods of the wire: from parameters to the domain to a result.
    module(
      "Methods",
      needs: "AsyncPrimitives JSONRPC Localization LoginVerdicts Reasons Registration SecureMemory WireFormats",
      "WireProtocols",
      tests: "AddressNormalization JSONRPC Localization PasswordHashing Reasons RegdClient Registration",
      "RehearsedNetworks StoreConformance TestDoubles TestKit WireProtocols"),
    // The port of doors, which are other programs' protocols on separate sockets. Each door is a folder. Only the door that
    // speaks JSON-RPC imports it.
    module(
      "Doors", needs: "AsyncPrimitives JSONRPC LoginVerdicts Methods Reasons Registration WireFormats WireProtocols",
      tests: "AddressNormalization JSONRPC LoginVerdicts Methods Reasons Registration TestDoubles WireFormats",
      "WireProtocols"),
    // The verdict on a login, by the kind of its error. For doors, and for programs that call regd.
    module("LoginVerdicts", needs: "Reasons", tests: "Reasons"),
    // Every error's name, code and kind, for all protocols.
    module("Reasons", tests: ""),
    // Forms of bytes that several protocols share.
    module("WireFormats", tests: ""),
    // The known name that is closest to a mistyped one.
    module("NearestName", tests: ""),
    // Messages for people, by key and language.
    module("Localization", needs: "NearestName", tests: "TestKit"),
    // Queues that users share fairly.
    module("FairQueues", needs: "AsyncPrimitives swift-collections/DequeModule", tests: ""),
    // The identifiers of one piece of work, in the log and at the upstream.
    module("Tracing", tests: ""),
    // Checks that the parts of the process that must make progress still do so.
    module("Liveness", tests: ""),
    // The one way to overwrite a secret.
    module("SecureMemory", tests: ""),
    // The one way to suspend a task until another part of the program resumes it.
    module("AsyncPrimitives", tests: ""),
  ])

// MARK: - System: Linux

layer(
  "System",
  [
    // The kernel and the C library: files, sockets, signals, terminals, threads, child processes. No other module names a
    // system call.
    module("Linux", needs: "CCommandLine CLinux", tests: "RegdProcesses TestKit"),
    // Threads that may block, separate from the event loops and the cooperative pool.
    module("WorkerThreads", needs: "Linux swift-collections/DequeModule", tests: "AsyncPrimitives"),
    // Debian's libunistring: line breaks in mails and on terminals.
    module("LineBreaking", needs: "CUnistring"),
    // Debian's libcurl, as far as HTTP and SMTP share it: one thread, its options, its URLs.
    module("CurlTransfers", needs: "CCurl Linux WorkerThreads"),
  ])

// MARK: - Adapters: one foreign thing each, and never one another

layer(
  "Adapters",
  [
    // Callers' connections: our own event loops on epoll(7). SwiftNIO takes twice the processor time per connection
    // (`make bench`), because it has options, pipelines and buffers for any protocol.
    module(
      "UnixSocket",
      needs: "AsyncPrimitives FairQueues Linux Liveness SecureMemory WireProtocols WorkerThreads",
      "swift-collections/DequeModule",
      tests: "AsyncPrimitives JSONRPC Linux Liveness RegdClient RegdProcesses TestKit WireProtocols WorkerThreads",
      extra: unchecked),
    // Simulated networks that the configuration selects. They use no foreign library.
    module("RehearsedNetworks", needs: "Registration", tests: "Registration TestDoubles"),
    // Simulated mail systems that the configuration selects. They use no foreign library.
    module("RehearsedMails", needs: "Registration", tests: "Registration TestDoubles TestKit"),
    // This machine's mail systems: sendmail, and a directory.
    module(
      "LocalMail", needs: "AsyncPrimitives Linux MailComposition Registration WorkerThreads",
      tests: "AsyncPrimitives Linux RegdProcesses Registration TestDoubles TestKit WorkerThreads",
      excluding: "sendmail"),
    // Debian's libcurl: the upstream over HTTP. Its errors show whether a request was sent.
    module(
      "HTTPNetwork",
      needs: "AsyncPrimitives CCurl CurlTransfers FairQueues JSONRPC Linux Registration SecureMemory Tracing",
      tests: "AsyncPrimitives CCurl CurlTransfers JSONRPC Linux RegdProcesses Registration RehearsedNetworks",
      "RehearsedPorts RehearsedUpstream TestDoubles TestKit Tracing"),
    // Debian's libcurl again: mails by SMTP.
    module(
      "SMTPMail", needs: "AsyncPrimitives CCurl CurlTransfers Linux MailComposition Registration",
      tests: "AsyncPrimitives CCurl CurlTransfers Linux MailComposition RegdProcesses Registration RehearsedMails",
      "RehearsedMailServer RehearsedPorts TestDoubles TestKit"),
    // Debian's libsodium: Argon2id, regd's own hash. Imported hashes need libargon2 (more than one lane), libxcrypt (bcrypt,
    // sha-crypt, yescrypt) and libcrypto, which libcurl already needs (PBKDF2 and digests).
    module(
      "PasswordHashing",
      needs: "AsyncPrimitives CArgon2 CCrypt CHashingMemory CLibCrypto CSodium FairQueues Linux Liveness Localization",
      "Registration SecureMemory WorkerThreads",
      tests: "AccountImport CHashingMemory CSodium Liveness Registration TestDoubles"),
    // Debian's libmd: SHA-1, the form in which leaked passwords are published.
    module(
      "BreachedPasswords", needs: "CMessageDigest Linux Localization Registration SecureMemory",
      tests: "Localization Registration"),
    // Debian's libidn2 and libunistring: IDNA, NFC, case folding, the widths of characters in mails.
    module(
      "AddressNormalization", needs: "CIDN2 CUnistring LineBreaking Registration SecureMemory", tests: "Registration"),
    // Debian's liblber: LDAP as a door. Only liblber reads and writes LDAP messages.
    module(
      "LDAPDoor", needs: "CLBER Doors Reasons Registration WireProtocols",
      tests: "AddressNormalization Doors JSONRPC Methods Reasons Registration TestDoubles WireProtocols"),
    // Debian's SQLite.
    module(
      "SQLiteStore", needs: "CSQLite FairQueues Linux Liveness Localization Registration WorkerThreads",
      tests: "AddressNormalization AsyncPrimitives CSQLite Linux Liveness PasswordHashing Registration",
      "StoreConformance StoreModels TestDoubles TestKit"),
    // Debian's libpq: a database that several regd processes share. libpq makes no decisions itself, and distinguishes
    // every answer, warning and SQLSTATE, which commits need.
    module(
      "PostgreSQLStore", needs: "AsyncPrimitives CPostgreSQL FairQueues Linux Liveness Registration WorkerThreads",
      tests: "AddressNormalization AsyncPrimitives Linux Liveness PasswordHashing RegdProcesses Registration",
      "SQLiteStore StoreConformance StoreModels TestDoubles TestKit"),
    // Counters and histograms of swift-metrics, as OpenMetrics text.
    module("OpenMetrics", needs: "swift-metrics/CoreMetrics", tests: "swift-metrics/CoreMetrics"),
    // Debian's libyaml: configuration and message catalogues. Its events have the line and column of each key.
    module(
      "ConfigurationFile", needs: "CYAML Linux Localization",
      tests: "AddressNormalization Linux Localization RegdProcesses Registration TestDoubles TestKit"),
    // Debian's libsystemd: readiness, the watchdog, passed-in sockets, the journal.
    module(
      "Systemd", needs: "CSystemd Linux",
      tests: "RegdProcesses TestKit",
      excluding: "facts.sh journal.sh names.sh package-test package.sh promises.sh running.sh service.sh with-systemd"),
  ])

// MARK: - Client: the other side of the socket

layer(
  "Client",
  [
    // A client for other Swift programs.
    module("RegdClient", needs: "JSONRPC Linux Localization SecureMemory", tests: "Linux RegdProcesses TestKit"),
    // Full-screen terminal output and key input, and numbers in readable form.
    module("FullScreen", needs: "LineBreaking Linux Localization", tests: ""),
    // The clients in other languages, as files of these languages, which become part of `regctl`.
    [.target(name: "ClientFiles", exclude: ["regd.go", "regd.php", "regd.py", "regd.ts"])],
    // `regctl client`: generates clients in other languages from the method table.
    module("ClientGenerator", needs: "ClientFiles JSONRPC Reasons", tests: "ClientFiles"),
    // `regctl form`: sends keys to regd and draws the form that regd returns.
    module(
      "FormTerminal", needs: "FullScreen Linux Localization RegdClient SecureMemory",
      tests: "FullScreen Localization RegdClient TestDoubles"),
    // `regctl top`: turns status and metrics into rates, latencies and a screen.
    module(
      "TopTerminal", needs: "FullScreen JSONRPC Linux Localization RegdClient",
      tests: "FullScreen Linux Localization RegdClient RegdProcesses TestDoubles TestKit"),
    // Reads exports of other systems as accounts for `account.import`. Debian's libmd: SHA-1, which UUIDs of version 5
    // need.
    module(
      "AccountImport", needs: "CMessageDigest Linux Localization RegdClient Registration WireFormats",
      tests: "AddressNormalization Linux Localization PasswordHashing RegdProcesses Registration TestKit",
      excluding: "Corpus Exports"),
    // The protocols of programs that start a helper, and the questions that these programs ask regd.
    module(
      "DoorHelpers", needs: "Linux LoginVerdicts Reasons RegdClient Registration SecureMemory",
      tests: "Linux LoginVerdicts RegdClient RegdProcesses TestKit"),
    // `regctl audit`: recomputes the tree of the audit from its entries, and compares it with signed heads. Debian's libsodium:
    // SHA-256 and Ed25519.
    module(
      "AuditVerification", needs: "CSodium JSONRPC Linux Localization RegdClient WireFormats",
      tests: "CSodium JSONRPC Linux Localization RegdClient RegdProcesses TestKit WireFormats"),
    // Load for a running regd: many calls at once, and reports of their latencies.
    module("LoadGenerator", needs: "FullScreen Linux Localization RegdClient", tests: "FullScreen RegdClient TestKit"),
  ])

// MARK: - Daemon: the one place that sees everything that runs in regd

layer(
  "Daemon",
  [
    module(
      "Daemon",
      needs: "AddressNormalization AsyncPrimitives BreachedPasswords ConfigurationFile CVersion Doors HTTPNetwork",
      "JSONRPC LDAPDoor Linux Liveness Localization LocalMail LoginVerdicts Methods NearestName OpenMetrics",
      "PasswordHashing PostgreSQLStore Reasons Registration RehearsedMails RehearsedNetworks SMTPMail SQLiteStore",
      "Systemd Tracing UnixSocket WireProtocols WorkerThreads swift-collections/DequeModule",
      "swift-configuration/Configuration swift-metrics/CoreMetrics swift-log/Logging",
      "swift-service-lifecycle/ServiceLifecycle swift-service-lifecycle/UnixSignals",
      tests: "AddressNormalization AsyncPrimitives CLinux ConfigurationFile CurlTransfers Doors HTTPNetwork JSONRPC",
      "Linux Liveness Methods PasswordHashing RegdClient RegdProcesses Registration RehearsedMailServer",
      "RehearsedNetworks RehearsedUpstream SQLiteStore StoreConformance StoreModels Systemd TestDoubles TestKit",
      "Tracing UnixSocket WireProtocols WorkerThreads swift-log/Logging swift-service-lifecycle/ServiceLifecycle")
  ])

// MARK: - Rehearsal: environments, and what callers see in them

layer(
  "Rehearsal",
  [
    // Local ports that refuse, swallow, reset, or speak TLS with valid and invalid certificates.
    module("RehearsedPorts", needs: "Linux WorkerThreads", tests: "Linux RegdProcesses TestKit"),
    // An upstream on a real socket that follows a script of faults.
    module(
      "RehearsedUpstream", needs: "JSONRPC RehearsedNetworks RehearsedPorts WireFormats",
      tests: "CLinux Linux RegdProcesses RehearsedNetworks TestKit WorkerThreads"),
    // A mail server on a real socket that misbehaves on demand.
    module(
      "RehearsedMailServer", needs: "RehearsedPorts WireFormats",
      tests: "Linux RegdProcesses RehearsedPorts TestDoubles TestKit"),
    // Starts, awaits and ends regd and PostgreSQL servers as processes, with temporary directories.
    module("RegdProcesses", needs: "Linux", tests: "Linux TestKit"),
    // Environments × flows: what a caller sees in each cell, as a report.
    module(
      "Matrix",
      needs: "ConfigurationFile FullScreen Linux Localization RegdClient RegdProcesses RehearsedMails",
      "RehearsedMailServer RehearsedNetworks RehearsedPorts RehearsedUpstream WireFormats WorkerThreads",
      tests: "FullScreen Linux RegdProcesses RehearsedMails RehearsedNetworks TestKit"),
  ])

// MARK: - Programs

layer(
  "Programs",
  [
    program("regd", needs: "Daemon Linux swift-argument-parser/ArgumentParser"),
    // The user's language, and messages and results on the standard streams. For programs without ArgumentParser, too.
    module("UserMessages", needs: "ConfigurationFile Linux Localization RegdClient", tests: ""),
    // What regctl and the programs that run some of its commands share: options, help, failures, progress.
    module(
      "RegctlCommandLine",
      needs: "FullScreen Linux Localization RegdClient RegdProcesses UserMessages",
      "swift-argument-parser/ArgumentParser",
      tests: "Localization"),
    // Links no store and no environments (`make floors`). Commands that need them are in the programs that regctl becomes.
    program(
      "regctl",
      needs: "AccountImport AddressNormalization AuditVerification BreachedPasswords ClientGenerator",
      "ConfigurationFile CurlTransfers CVersion DoorHelpers FormTerminal FullScreen HTTPNetwork JSONRPC Linux",
      "LoadGenerator Localization LoginVerdicts Methods NearestName PasswordHashing RegctlCommandLine RegdClient",
      "RegdProcesses Registration SecureMemory TopTerminal UserMessages WireFormats WireProtocols",
      "swift-argument-parser/ArgumentParser",
      tests: "ConfigurationFile DoorHelpers Linux Localization LoginVerdicts Reasons RegdClient RegdProcesses",
      "RehearsedNetworks RehearsedUpstream TestDoubles TestKit WireFormats swift-argument-parser/ArgumentParser",
      excluding: "Doctor/doctor.sh"),
    // `regctl pam` and `regctl helper`, which other programs start for each sign-in. So it links little, and starts fast.
    program(
      "regd-login",
      needs: "AddressNormalization DoorHelpers Linux Localization LoginVerdicts RegdClient Registration UserMessages",
      tests: "Linux"),
    // The commands of regctl that open databases.
    program(
      "regd-tools",
      needs: "Linux Localization PasswordHashing PostgreSQLStore RegctlCommandLine RegdClient Registration",
      "SQLiteStore UserMessages swift-argument-parser/ArgumentParser"),
    // `regctl matrix`.
    program(
      "regd-matrix",
      needs: "FullScreen Linux Localization Matrix RegctlCommandLine RegdClient UserMessages",
      "swift-argument-parser/ArgumentParser"),
    // `make simulate` and `regctl simulate`: the daemon's own parts on one thread, in a world decided by a seed.
    program(
      "regd-simulate",
      needs: "AddressNormalization CSimulation Daemon Linux MailComposition Methods PasswordHashing RegdClient",
      "Registration SQLiteStore UnixSocket WireFormats WireProtocols WorkerThreads",
      "swift-argument-parser/ArgumentParser swift-log/Logging swift-service-lifecycle/ServiceLifecycle"),
    // They run it as a program, because its clock and its randomness replace the C library's.
    [
      .testTarget(
        name: "RegdSimulateTests", dependencies: named(["Linux RegdProcesses TestKit"]), swiftSettings: settings)
    ],
    // `make man`: man pages from the articles, the configuration and the programs' help. `make reference`: generated files of
    // the checkout. It is not installed.
    program(
      "regd-manual",
      needs: "Linux LoginVerdicts Reasons RegdClient RegdProcesses swift-argument-parser/ArgumentParser",
      tests: "ConfigurationFile Linux RegdClient RegdProcesses TestKit"),
  ])

// MARK: - For tests and measurements only

@MainActor func kit(_ name: String, needs: String) -> Target {
  .target(name: name, dependencies: named([needs]), path: "Tests/TestKit/\(name)", swiftSettings: settings)
}

package.targets += [
  // Code that tests share, in four parts, so that a changed test double compiles only the tests that use doubles.
  kit("TestKit", needs: "CLinux Linux RegdClient RegdProcesses WorkerThreads"),
  kit("TestDoubles", needs: "JSONRPC Localization Registration WireFormats WireProtocols"),
  kit("StoreConformance", needs: "Registration RehearsedNetworks TestDoubles"),
  kit("StoreModels", needs: "Linux Registration StoreConformance TestDoubles TestKit"),

  // `make bench`: regd against a minimal server in C and against plain libsodium, on the same cores, and logins against /bin/true.
  .executableTarget(name: "wire-floor", path: "Tests/Benchmarks/WireFloor"),
  .executableTarget(name: "wire-load", path: "Tests/Benchmarks/WireLoad"),
  .executableTarget(name: "hash-floor", path: "Tests/Benchmarks/HashFloor", linkerSettings: [.linkedLibrary("sodium")]),
  .executableTarget(name: "login-floor", path: "Tests/Benchmarks/LoginFloor"),
  .executableTarget(
    name: "regd-bench",
    dependencies: named(["AddressNormalization Linux RegdClient RegdProcesses Registration WireFormats WorkerThreads"]),
    path: "Tests/Benchmarks/RegdBench", swiftSettings: settings),
  // A preloaded library that makes syncs of a disk take longer.
  .target(name: "SlowSync", path: "Tests/Benchmarks/SlowSync", publicHeadersPath: "."),
  // A daemon that signs users in through PAM.
  .executableTarget(name: "pam-caller", path: "Tests/Programs/PamCaller", linkerSettings: [.linkedLibrary("pam")]),
]

// MARK: - A part of the package

/// Leaves only the targets of these names, the targets that they need, and the products of both.
@MainActor func keep(_ names: Set<String>) {
  var needed = names
  for _ in package.targets {
    for target in package.targets where needed.contains(target.name) {
      for case .byNameItem(let name, _) in target.dependencies { needed.insert(name) }
    }
  }
  package.targets.removeAll { !needed.contains($0.name) }
  package.products.removeAll { product in
    let targets = (product as? Product.Executable)?.targets ?? (product as? Product.Library)?.targets ?? []
    return !needed.isSuperset(of: targets)
  }
}

/// The programs that tests start.
let programs = ["regd", "regctl", "regd-login", "regd-tools", "regd-matrix", "regd-simulate", "regd-manual"]

// REGD_TARGETS='regd regctl' builds only these targets and those that they need. (SwiftPM's option --product takes only one name.)
// REGD_TESTS=RegistrationTests,MethodsTests builds only these tests and the targets that they need. Tests outside Core
// also start programs.
if let wanted = Context.environment["REGD_TARGETS"] {
  keep(Set(wanted.split(separator: " ").map(String.init)))
} else if let wanted = Context.environment["REGD_TESTS"] {
  var needed = Set(wanted.split(separator: ",").map(String.init))
  let isCore = package.targets.allSatisfy { !needed.contains($0.name) || $0.path?.hasPrefix("Tests/Core/") == true }
  if !isCore { needed.formUnion(programs + ["pam-caller", "SlowSync"]) }
  keep(needed)
}
