internal import Glibc
internal import Linux
package import RegdClient
package import RegdProcesses

/// The paths of files, for tests.
package enum Places {
  /// The checkout: REGD_CHECKOUT, or else the one in which the tests were compiled.
  package static let root: String = {
    if let checkout = getenv("REGD_CHECKOUT") { return String(cString: checkout) }
    let parts = "\(#filePath)".split(separator: "/").dropLast(4)
    return "/" + parts.joined(separator: "/")
  }()

  /// The directory of the build's products, which also has the test bundle.
  package static let products = ProgramDirectory.own
  /// The directory of the programs that tests start: TEST_PROGRAMS, which `make test` sets to the release build,
  /// because the release build is shipped. The default is the test bundle's own directory.
  package static let programs = getenv("TEST_PROGRAMS").map { String(cString: $0) } ?? products

  package static var regd: String { "\(programs)/regd" }
  package static var regctl: String { "\(programs)/regctl" }
  /// The stores that regd supports.
  package static let stores = Result { try StoreRow.all(of: regd) }
  package static var environments: String { "\(root)/Config/environments" }
  /// The shipped configuration file.
  package static var configuration: String { "\(root)/Config/regd.yaml" }
}

/// How long a test waits for a process that may hang. Five minutes, because a busy machine may be slow.
package enum Patience {
  package static let seconds = 300
  /// The time in milliseconds, as poll(2) takes it.
  package static let milliseconds: Int32 = 300_000
}

/// A regd that a test has started.
package final class RunningRegd {
  package let directory: String
  package let configuration: String
  private let variables: [String: String]
  package private(set) var process: RegdProcess

  package var socket: String { "\(directory)/s" }
  package var database: String { "\(directory)/regd.db" }

  /// The words before regd's command line: a program that starts regd, and its arguments. Empty to start regd directly.
  private let starter: [String]

  fileprivate init(
    _ directory: String, configuration: String, variables: [String: String], starter: [String]
  ) throws {
    self.directory = directory
    self.starter = starter
    self.configuration = configuration
    let hashing = configuration == Places.configuration ? Self.leastHashing : [:]
    self.variables = variables.merging(try Self.places(directory).merging(hashing) { $1 }) { mine, _ in mine }
    process = try Self.start(directory, configuration, self.variables, starter)
  }

  /// The least memory that the configuration allows: a new regd hashes twice as fast as with `shippedHashing`.
  private static let leastHashing = ["REGD_HASHING_MEMORY_KI_B": "7168", "REGD_HASHING_PASSES": "5"]
  /// The shipped hashing, for tests of its cost.
  package static let shippedHashing = ["REGD_HASHING_MEMORY_KI_B": "19456", "REGD_HASHING_PASSES": "2"]

  private static func places(_ directory: String) throws -> [String: String] {
    let stores = try Places.stores.get().map { $0.files(in: directory) }
    let others = [
      "REGD_SOCKET_PATH": "\(directory)/s", "REGD_SOCKET_GROUP": "",
      // the user who runs the tests is an administrator
      "REGD_ACCESS_ADMIN_UIDS": "\(getuid())",
      // every possible log line, so that `SecretSearch` looks for passwords in all of them
      "REGD_LOG_LEVEL": "trace",
    ]
    return stores.reduce(others) { all, places in all.merging(places) { $1 } }
  }

  private static func start(
    _ directory: String, _ file: String, _ variables: [String: String], _ starter: [String]
  ) throws -> RegdProcess {
    let words = starter + [Places.regd, "--config", file]
    return try RegdProcess(
      program: words[0], arguments: Array(words.dropFirst()), environment: variables, directory: directory)
  }

  /// regd's memory in KiB: `VmRSS` is the current value, `VmHWM` the maximum so far (proc(5)).
  package func memoryKiB(_ name: String) throws -> Int {
    let lines = (TextFile.read("/proc/\(process.pid)/status") ?? "").split(separator: "\n")
    let line = lines.first { $0.hasPrefix("\(name):") } ?? ""
    guard let number = line.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else {
      throw RawCaller.Failure(reason: "/proc does not say how much memory regd has")
    }
    return number
  }

  /// How many descriptors regd has open.
  package func descriptors() throws -> Int { try DescriptorCount.of(process.pid) }

  /// How many sockets regd has open. A socket with several descriptors counts once. Unlike `descriptors`, does not
  /// count files that regd opens after its first answers.
  package func sockets() throws -> Int {
    let directory = "/proc/\(process.pid)/fd"
    let targets = try FileSystem.names(in: directory).compactMap { name -> [UInt8]? in
      var target = [UInt8](repeating: 0, count: 40)
      let count = readlink("\(directory)/\(name)", &target, target.count)
      return count > 0 ? Array(target.prefix(count)) : nil
    }
    return Set(targets.filter { $0.starts(with: "socket:".utf8) }).count
  }

  package func client() throws -> RegdClient { try RegdClient(path: socket, timeoutSeconds: Patience.seconds) }

  package func connect() throws -> RegdConnection {
    try RegdConnection(path: socket, timeoutSeconds: Patience.seconds)
  }

  /// Starts regd again on the same files.
  ///
  /// - Parameter signal: The number of the signal that ends the old process.
  package func restart(after signal: Int32) throws {
    process.end(Signal(rawValue: signal))
    process = try Self.start(directory, configuration, variables, starter)
  }
}

/// Runs a regd for `body`, with socket and database in a temporary directory. By default with the shipped configuration
/// and the quickest hashing. Afterwards fails the test if regd has written a password.
package func withRegd<Value>(
  configuration: String = Places.configuration, _ variables: [String: String] = [:],
  startedBy starter: [String] = [],
  _ body: (RunningRegd) throws -> Value
) throws -> Value {
  try TemporaryDirectory.with { directory in
    let regd = try RunningRegd(directory, configuration: configuration, variables: variables, starter: starter)
    defer {
      regd.process.end()
      SecretSearch.check(directory)
    }
    return try body(regd)
  }
}
