internal import Glibc
internal import Linux
internal import RegdClient
internal import RegdProcesses
internal import WorkerThreads

/// `make bench`: the wire compared with a C baseline, registrations compared with raw libsodium, their effect on other
/// callers' `registration.validate`, `session.check` compared with `registration.checkEmail`, the memory and processor
/// time of idle callers, and the time of a start.
///
/// Prints ratios to a baseline that was measured in the same run, and does not judge them.
@main
struct RegdBench {
  static let cores = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
  static let memoryKiB = 19_456
  static let passes = 2

  static func main() throws {
    let products = ProgramDirectory.own
    if CommandLine.arguments.dropFirst().first == "stores" {
      let sizes = CommandLine.arguments.dropFirst(2).compactMap { Int($0) }
      return try StoreShapes.measure(products, sizes: sizes.isEmpty ? [10_000, 100_000, 1_000_000, 10_000_000] : sizes)
    }
    if CommandLine.arguments.dropFirst().first == "conceal" {
      try ImportedShapes.measure(products, rounds: 30)
      return try ConcealShapes.measure(
        products, rounds: CommandLine.arguments.dropFirst(2).first.flatMap { Int($0) } ?? 600)
    }
    if CommandLine.arguments.dropFirst().first == "commits" {
      let waits = CommandLine.arguments.dropFirst(2).compactMap { Int($0) }
      return try CommitShapes.measure(products, milliseconds: waits.isEmpty ? [0, 1, 5] : waits)
    }
    if CommandLine.arguments.dropFirst().first == "domains" { return try DomainShapes.measure(products) }
    if CommandLine.arguments.dropFirst().first == "events" { return try EventShapes.measure(products) }
    if CommandLine.arguments.dropFirst().first == "doors" { return try DoorShapes.measure(products) }
    if CommandLine.arguments.dropFirst().first == "sessions" {
      return try with(products) { _, socket, _ in try SessionShapes.measure(socket: socket) }
    }
    if CommandLine.arguments.dropFirst().first == "start" { return try StartShapes.measure(products) }
    if CommandLine.arguments.dropFirst().first == "login" {
      return try with(products) { _, socket, _ in try LoginShapes(products: products, socket: socket).measure() }
    }
    if CommandLine.arguments.dropFirst().first == "connect" {
      return StormShapes.connect(CommandLine.arguments.dropFirst(2))
    }
    if CommandLine.arguments.dropFirst().first == "storm" { return try storm(products) }
    if CommandLine.arguments.dropFirst().first == "hashes" { return try hashes(products) }
    print("\(cores) cores; Argon2id m=\(memoryKiB) t=\(passes); SQLite; medians of \(rounds) rounds")
    // a separate regd for each, because the first is bound to a core with all its threads
    try with(products) { regd, socket, directory in
      // after a caller has come and gone, regd has completed its start
      _ = try RegdClient(path: socket).call("rpc.ping")
      print("idle: \(decimal(try CallerShapes.residentKiB(regd.pid) / 1024, 1)) MiB resident (aim 12 or less)")
      try WireShapes.measure(regd, socket: socket, products: products, directory)
    }
    try with(products) { regd, socket, directory in
      try NeighbourShapes.measure(regd, socket: socket, products: products, directory)
    }
    try with(products) { _, socket, _ in try SessionShapes.measure(socket: socket) }
    try with(products) { regd, socket, _ in try CallerShapes.measure(regd, socket: socket) }
    try TemporaryDirectory.with { directory in
      try CallerShapes.fullTable(products, configuration: configuration(directory), directory)
    }
    try storm(products)
    try hashes(products)
    try DomainShapes.measure(products)
    try StartShapes.measure(products)
  }

  private static func storm(_ products: String) throws {
    try TemporaryDirectory.with { directory in
      try StormShapes.measure(products, configuration: configuration(directory), directory)
    }
  }

  private static func hashes(_ products: String) throws {
    try with(products) { regd, socket, directory in
      try HashShapes.measure(regd, socket: socket, floor: "\(products)/hash-floor", directory)
    }
  }

  private static func with(_ products: String, _ body: (RegdProcess, String, String) throws -> Void) throws {
    try TemporaryDirectory.with { directory in
      let regd = try RegdProcess(
        program: "\(products)/regd", arguments: ["--config", configuration(directory)], environment: [:],
        directory: directory)
      defer { regd.end() }
      try body(regd, "\(directory)/s", directory)
    }
  }

  static let rounds = 3

  private static func configuration(_ directory: String) throws -> String {
    let path = "\(directory)/regd.yaml"
    try FileWriting.write(
      """
      socket: {path: \(directory)/s, group: ""}
      hashing: {memoryKiB: \(memoryKiB), passes: \(passes)}
      store: {backend: sqlite, sqlite: {path: \(directory)/regd.db}}
      log: {level: error}
      """, to: path)
    return path
  }

  static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

  static func decimal(_ value: Double, _ places: Int) -> String {
    let scale = (0..<places).reduce(1.0) { scale, _ in scale * 10 }
    let digits = String(Int((value * scale).rounded()))
    let padded = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
    return places == 0 ? digits : "\(padded.dropLast(places)).\(padded.suffix(places))"
  }
}
