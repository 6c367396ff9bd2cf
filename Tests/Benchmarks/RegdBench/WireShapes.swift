internal import Glibc
internal import Linux
internal import RegdProcesses

/// `registration.validate` as fast as it is answered, compared with a C program that answers a fixed line without
/// reading the question: the minimum cost of a socket and epoll(7) on this machine.
enum WireShapes {
  private struct Shape {
    let connections: Int
    let inFlight: Int
    /// Whether all runs on one core. There, loader and server take turns, and no core waits for another to wake it.
    let isOneCore: Bool
    /// Whether each request has its own connection, as from PHP, CGI, cron and regctl.
    var isConnectionEach = false
    var name: String {
      isConnectionEach ? "a connection each" : "\(connections) x \(inFlight)\(isOneCore ? ", one core" : "")"
    }
  }

  private static let shapes = [
    Shape(connections: 1, inFlight: 1, isOneCore: true), Shape(connections: 1, inFlight: 64, isOneCore: true),
    Shape(connections: 16, inFlight: 16, isOneCore: false), Shape(connections: 256, inFlight: 4, isOneCore: false),
  ]

  private static let numbers = ["rate", "p50_us", "p99_us", "cpu_us", "rss_kib"]

  static func measure(_ regd: RegdProcess, socket: String, products: String, _ directory: String) throws {
    let floorSocket = "\(directory)/floor"
    let floor = try BackgroundProgram("\(products)/wire-floor", [floorSocket], directory)
    defer { floor.end() }
    print("                              messages/s    p50 us    p99 us  CPU us/message  resident MiB")
    for shape in shapes {
      var (ours, floors): ([[Double]], [[Double]]) = ([], [])
      for _ in 0..<RegdBench.rounds {
        floors.append(
          try load(shape, floorSocket, floor.pid, ["--in-order"], products: products, directory))
        ours.append(try load(shape, socket, regd.pid, [], products: products, directory))
      }
      let (our, least) = (medians(ours), medians(floors))
      row("\(shape.name): floor", least)
      row("\(shape.name): regd", our)
      let ratios = zip(our, least).map { RegdBench.decimal($0 / $1, 2) }
      print("  ratio: messages \(ratios[0]), p50 \(ratios[1]), p99 \(ratios[2]), CPU \(ratios[3])")
    }
  }

  private static func load(
    _ shape: Shape, _ socket: String, _ pid: Int32, _ options: [String], products: String, _ directory: String
  ) throws -> [Double] {
    let core = shape.isOneCore || RegdBench.cores < 2 ? 0 : 1
    _ = try run("/usr/bin/taskset", ["-a", "-p", "-c", "\(core)", "\(pid)"], directory)
    let output = try run(
      "/usr/bin/taskset",
      ["-c", "0", "\(products)/wire-load", socket, "\(shape.connections)", "\(shape.inFlight)", "2", "0.5", "\(pid)"]
        + options + (shape.isConnectionEach ? ["--connection-each"] : []), directory)
    return try numbers.map { name in
      let pair = output.split { $0 == " " || $0 == "\n" }.first { $0.hasPrefix("\(name)=") }
      guard let value = pair?.dropFirst(name.count + 1), let number = Double(value) else {
        throw Load.Failed(description: "wire-load does not say \(name): \(output)")
      }
      return number
    }
  }

  private static func run(_ program: String, _ arguments: [String], _ directory: String) throws -> String {
    unlink("\(directory)/run.log")
    let (status, output) = try RegdProcess.run(program: program, arguments: arguments, directory: directory)
    guard status == 0 else { throw Load.Failed(description: "\(program) failed: \(output)") }
    return output
  }

  private static func medians(_ rounds: [[Double]]) -> [Double] {
    numbers.indices.map { index in RegdBench.median(rounds.map { $0[index] }) }
  }

  private static func row(_ name: String, _ values: [Double]) {
    func column(_ value: Double, _ places: Int, _ width: Int) -> String {
      let text = RegdBench.decimal(value, places)
      return String(repeating: " ", count: max(1, width - text.count)) + text
    }
    let title = name + String(repeating: " ", count: max(0, 26 - name.count))
    print(
      title + column(values[0], 0, 14) + column(values[1], 1, 10) + column(values[2], 1, 10) + column(values[3], 2, 16)
        + column(values[4] / 1024, 1, 14))
  }
}

/// A program that runs until it is ended.
struct BackgroundProgram {
  let pid: Int32
  private let leash: Leash

  /// - Parameter announces: Whether the program closes its standard output when it is ready. The initializer waits for
  /// this.
  init(_ program: String, _ arguments: [String], _ directory: String, announces: Bool = true) throws {
    var pipeEnds: [Int32] = [-1, -1]
    guard pipe(&pipeEnds) == 0 else { throw Load.Failed(description: "a pipe for \(program): \(errno)") }
    defer { close(pipeEnds[0]) }
    pid = try ChildProcess.start(program, arguments, [0: .null, 1: .parents(pipeEnds[1])])
    close(pipeEnds[1])
    leash = try Leash(on: pid)
    var byte: UInt8 = 0
    while announces, read(pipeEnds[0], &byte, 1) > 0 {}
  }

  func end() {
    kill(pid, SIGKILL)
    ChildProcess.awaitEnd(of: pid)
    leash.release()
    var status: Int32 = 0
    waitpid(pid, &status, 0)
  }
}
