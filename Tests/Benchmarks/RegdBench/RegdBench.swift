internal import Glibc
internal import Linux
internal import RegdClient
internal import RegdProcesses
internal import WorkerThreads

/// `make bench`: the wire beside a C floor, registrations beside raw libsodium, what they do to other callers'
/// `registration.validate`, and the memory and processor time of callers that ask for nothing.
///
/// Prints ratios against a floor that was measured in the same run; it judges nothing.
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
      return try ConcealShapes.measure(
        products, rounds: CommandLine.arguments.dropFirst(2).first.flatMap { Int($0) } ?? 600)
    }
    print("\(cores) cores; Argon2id m=\(memoryKiB) t=\(passes); SQLite; medians of \(rounds) rounds")
    // one regd each: the first is bound to a core, and its threads with it
    try with(products) { regd, socket, directory in
      // a caller has come and gone: regd is through with its start
      _ = try RegdClient(path: socket).call("rpc.ping")
      print("idle: \(decimal(try CallerShapes.residentKiB(regd.pid) / 1024, 1)) MiB resident (aim 15 or less)")
      try WireShapes.measure(regd, socket: socket, products: products, directory)
    }
    try with(products) { regd, socket, _ in try CallerShapes.measure(regd, socket: socket) }
    try TemporaryDirectory.with { directory in
      try CallerShapes.fullTable(products, configuration: configuration(directory), directory)
    }
    try with(products) { _, socket, directory in
      try registrations(socket, floor: "\(products)/hash-floor", directory)
      try latencies(socket)
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

  /// The floor and regd in turn, so that a drift of the machine meets both.
  private static func registrations(_ socket: String, floor: String, _ directory: String) throws {
    var (floors, rates, ratios): ([Double], [Double], [Double]) = ([], [], [])
    for _ in 0..<rounds {
      let bare = try hashes(floor, directory)
      let rate = try Load.register(socket, connections: cores * 4, for: .seconds(4)) {}
      floors.append(bare)
      rates.append(rate)
      ratios.append(rate / bare)
    }
    print("raw libsodium, hashes a second       \(decimal(median(floors), 1))")
    print("regd, acknowledged registrations     \(decimal(median(rates), 1))")
    print("ratio (aim 0.95 or more)             \(decimal(median(ratios), 3))")
  }

  private static func hashes(_ floor: String, _ directory: String) throws -> Double {
    unlink("\(directory)/run.log")
    let (status, output) = try RegdProcess.run(
      program: floor, arguments: ["\(memoryKiB)", "\(passes)", "\(cores)", "4"], directory: directory)
    guard status == 0, let rate = Double(output.prefix { $0 != "\n" }) else {
      throw Load.Failed(description: "hash-floor failed: \(output)")
    }
    return rate
  }

  private static func latencies(_ socket: String) throws {
    var (idles, busies, ratios): ([Double], [Double], [Double]) = ([], [], [])
    for _ in 0..<rounds {
      let idle = try Load.validate(socket, for: .seconds(3))
      var busy = Latencies()
      _ = try Load.register(socket, connections: cores * 4, for: .seconds(5)) {
        busy = try Load.validate(socket, for: .seconds(3))
      }
      idles.append(idle.percentile(99))
      busies.append(busy.percentile(99))
      ratios.append(busy.percentile(99) / idle.percentile(99))
    }
    print("validate, p99 when idle              \(decimal(median(idles), 1)) us")
    print("validate, p99 while hashing is full  \(decimal(median(busies), 1)) us")
    print("ratio (aim 3 or less)                \(decimal(median(ratios), 2))")
  }

  static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

  static func decimal(_ value: Double, _ places: Int) -> String {
    let scale = (0..<places).reduce(1.0) { scale, _ in scale * 10 }
    let digits = String(Int((value * scale).rounded()))
    let padded = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
    return places == 0 ? digits : "\(padded.dropLast(places)).\(padded.suffix(places))"
  }
}
