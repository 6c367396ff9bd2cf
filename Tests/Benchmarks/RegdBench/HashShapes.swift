internal import Glibc
internal import Linux
internal import RegdClient
internal import RegdProcesses

/// Registrations compared with the same number of threads that only hash with libsodium, the kernel's work per hash in
/// both, and the effect of hashing on other callers' `registration.validate`.
enum HashShapes {
  /// The results of one program in one round.
  private struct Round {
    /// Hashes, or acknowledged registrations, per second.
    var rate: Double
    /// Page faults per hash.
    var faults: Double
    /// The kernel's processor time per hash, in milliseconds.
    var kernel: Double
  }

  static func measure(_ regd: RegdProcess, socket: String, floor: String, _ directory: String) throws {
    try registrations(regd.pid, socket, floor: floor, directory)
    try latencies(socket)
  }

  /// Runs the baseline and regd in turn, so that drift of the machine affects both.
  private static func registrations(_ pid: Int32, _ socket: String, floor: String, _ directory: String) throws {
    var (floors, ours): ([Round], [Round]) = ([], [])
    for _ in 0..<RegdBench.rounds {
      floors.append(try hashes(floor, directory))
      ours.append(try registrations(pid, socket))
    }
    let ratio = RegdBench.median(zip(ours, floors).map { $0.rate / $1.rate })
    print("registrations / raw libsodium        \(RegdBench.decimal(ratio, 3)) (aim 1.5 or more)")
    row("raw libsodium, hashes", floors)
    row("regd, acknowledged registrations", ours)
  }

  private static func row(_ name: String, _ rounds: [Round]) {
    func median(_ value: (Round) -> Double, _ places: Int) -> String {
      RegdBench.decimal(RegdBench.median(rounds.map(value)), places)
    }
    let title = name + String(repeating: " ", count: max(1, 37 - name.count))
    print(
      title
        + "\(median(\.rate, 1)) a second; each \(median(\.faults, 0)) faults, \(median(\.kernel, 2)) ms of the kernel")
  }

  private static func hashes(_ floor: String, _ directory: String) throws -> Round {
    unlink("\(directory)/run.log")
    let (status, output) = try RegdProcess.run(
      program: floor, arguments: ["\(RegdBench.memoryKiB)", "\(RegdBench.passes)", "\(RegdBench.cores)", "4"],
      directory: directory)
    let numbers = output.split { $0 == " " || $0 == "\n" }.compactMap { Double($0) }
    guard status == 0, numbers.count == 3 else { throw Load.Failed(description: "hash-floor failed: \(output)") }
    return Round(rate: numbers[0], faults: numbers[1], kernel: numbers[2])
  }

  private static func registrations(_ pid: Int32, _ socket: String) throws -> Round {
    let before = try hashingThreads(of: pid)
    let seconds = 4.0
    let rate = try Load.register(socket, connections: RegdBench.cores * 4, for: .seconds(seconds)) {}
    let after = try hashingThreads(of: pid)
    // the rate excludes the hashes of the first second, which are made all the same
    let hashes = rate * (seconds + 1)
    return Round(
      rate: rate, faults: (after.faults - before.faults) / hashes, kernel: (after.kernel - before.kernel) / hashes)
  }

  /// The page faults of the hashing threads so far, and the kernel's milliseconds for them, which count whole ticks.
  private static func hashingThreads(of pid: Int32) throws -> (faults: Double, kernel: Double) {
    var sum = (faults: 0.0, kernel: 0.0)
    for thread in try FileSystem.names(in: "/proc/\(pid)/task") {
      let text = try FileReading.text("/proc/\(pid)/task/\(thread)/stat")
      guard text.contains("(regd-hash)"), let end = text.lastIndex(of: ")") else { continue }
      // proc(5): fields 10 and 15. The first field after the name is field 3.
      let fields = text[text.index(after: end)...].split(separator: " ")
      guard fields.count > 12, let faults = Double(fields[7]), let ticks = Double(fields[12]) else {
        throw Load.Failed(description: "/proc does not say what a hashing thread has taken")
      }
      sum.faults += faults
      sum.kernel += ticks * 1000 / Double(sysconf(Int32(_SC_CLK_TCK)))
    }
    return sum
  }

  private static func latencies(_ socket: String) throws {
    var (idles, busies, ratios): ([Double], [Double], [Double]) = ([], [], [])
    for _ in 0..<RegdBench.rounds {
      let idle = try Load.validate(socket, for: .seconds(3))
      var busy = Latencies()
      _ = try Load.register(socket, connections: RegdBench.cores * 4, for: .seconds(5)) {
        busy = try Load.validate(socket, for: .seconds(3))
      }
      idles.append(idle.percentile(99))
      busies.append(busy.percentile(99))
      ratios.append(busy.percentile(99) / idle.percentile(99))
    }
    print("validate's p99, hashing full / idle  \(RegdBench.decimal(RegdBench.median(ratios), 2)) (aim 3 or less)")
    print("validate, p99 when idle              \(RegdBench.decimal(RegdBench.median(idles), 1)) us")
    print("validate, p99 while hashing is full  \(RegdBench.decimal(RegdBench.median(busies), 1)) us")
  }
}
