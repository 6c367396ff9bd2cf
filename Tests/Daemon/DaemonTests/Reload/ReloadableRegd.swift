import Linux
import RegdClient
import RegdProcesses
import Synchronization
import TestDoubles
import TestKit

/// A regd with a configuration file that a test may rewrite.
struct ReloadableRegd {
  let regd: RunningRegd
  /// The configuration file.
  let file: String

  /// - Parameters:
  ///   - yaml: The file's first text.
  ///   - variables: They override the file.
  static func with(
    _ yaml: String = "", _ variables: [String: String] = [:], _ body: (ReloadableRegd) throws -> Void
  ) throws {
    try TemporaryDirectory.with { directory in
      let file = "\(directory)/regd.yaml"
      try TextFile.write(yaml, to: file)
      try withRegd(configuration: file, variables) { regd in
        try body(ReloadableRegd(regd: regd, file: file))
      }
    }
  }

  /// A new client each time, because an idle limit may have ended an earlier one.
  var client: RegdClient { get throws { try regd.client() } }

  func write(_ yaml: String) throws { try TextFile.write(yaml, to: file) }

  /// Writes the file and reloads it.
  ///
  /// - Returns: The keys that have changed.
  @discardableResult
  func reload(_ yaml: String, dryRun: Bool = false) throws -> [String] {
    try write(yaml)
    let result = try client.call("daemon.reload", ["dryRun": .bool(dryRun)]).get()
    return (result["changed"]?.array ?? []).compactMap(\.string)
  }

  /// Writes the file, which regd must refuse.
  ///
  /// - Returns: The problems, a line each.
  func refused(_ yaml: String) throws -> [String] {
    try write(yaml)
    return try refusal()
  }

  func refusal() throws -> [String] {
    guard case .failure(let error) = try client.call("daemon.reload") else { return [] }
    return
      ([error.reason]
      + (error.data["problems"]?.array ?? []).map {
        "\($0["place"]?.string ?? "?"): \($0["key"]?.string ?? "-"): \($0["message"]?.string ?? "?")"
      })
  }

  func status() throws -> JSONValue { try client.call("daemon.status").get() }
  func generation() throws -> Int? { try status()["configuration"]?["generation"]?.integer }
  func limit(_ name: String) throws -> Int? { try client.call("rpc.serverInfo").get()["limits"]?[name]?.integer }

  /// The reasons for which an entry is refused.
  func problems(_ email: String, _ password: String) throws -> [String] {
    let entry = RegdClient.entry(email: email, password: password, confirmation: password)
    let result = try client.call("registration.validate", entry).get()
    return (result["problems"]?.array ?? []).compactMap { $0["reason"]?.string }
  }
}

/// Asks until the condition holds, as long as tests wait for regd. A suite's time limit cannot end a test that does not
/// return.
func reached(_ isSo: () throws -> Bool) throws {
  let begun = ContinuousClock.now
  while !(try isSo()) {
    guard ContinuousClock.now - begun < .seconds(Patience.seconds) else { throw NeverReached() }
  }
}

private struct NeverReached: Error {}

/// The names of a process's threads (proc(5)).
func threads(of pid: Int32) throws -> [String] {
  try FileSystem.names(in: "/proc/\(pid)/task").compactMap { try? FileReading.text("/proc/\(pid)/task/\($0)/comm") }
}

/// A gate at which the threads of an upstream wait while it is closed.
final class Gate: Sendable {
  private let isClosed = Mutex(false)
  private let arrived: EventCounter
  private let opened: EventCounter

  init() throws { (arrived, opened) = (try EventCounter(), try EventCounter()) }

  func close() { isClosed.withLock { $0 = true } }

  /// Lets the waiting thread pass, and all later ones.
  func open() {
    isClosed.withLock { $0 = false }
    opened.signal()
  }

  func pass() {
    guard isClosed.withLock({ $0 }) else { return }
    arrived.signal()
    opened.wait()
  }

  /// Waits until a thread waits at the gate.
  func awaitArrival() { arrived.wait() }
}
