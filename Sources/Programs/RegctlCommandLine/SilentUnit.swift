internal import Linux
internal import Localization
package import RegdClient
internal import RegdProcesses
internal import Synchronization
internal import UserMessages

/// Finds out from regd's unit why regd does not answer although systemd holds the socket.
package final class SilentUnit: Sendable {
  /// The durations of silence after which to look at the unit. After the first look, regctl tells the user why it
  /// waits. After the last, it gives up if regd cannot start.
  private static let looks: [Duration] = [2, 4, 6, 8, 10].map { .seconds($0) }

  private let path: String
  /// How often systemd had restarted regd at the first look, and why a start failed, from the latest look that showed
  /// the reason.
  private let seen = Mutex((restarts: 0, reason: ""))

  private init(_ path: String) { self.path = path }

  /// - Parameter givesUp: Whether to give up on a regd that cannot start.
  package static func patience(_ path: String, givesUp: Bool) -> Patience {
    let unit = SilentUnit(path)
    return Patience(looks: givesUp ? looks : [looks[0]]) { number, listener in
      // Process 1 is systemd, which holds the socket. Any other listener is a regd that runs, and may need more time.
      listener == 1 ? unit.look(number) : nil
    }
  }

  /// Why a regd that has not answered in time cannot start, or nil if its unit shows no failure.
  package static func failure(_ path: String) -> RegdClientFailure? {
    guard let name = RegdUnit.shipped(for: path) else { return nil }
    let verdict = judge(RegdUnit.state(of: name), restartsBefore: nil)
    guard verdict.cannotStart else { return nil }
    return .cannotConnect(
      path: path,
      reason: Speech.text(ConnectionMessageKey.cannotStart, values(path, name, verdict, verdict.reason)))
  }

  private static func values(
    _ path: String, _ name: String, _ verdict: Verdict, _ reason: String
  ) -> KeyValuePairs<String, LocalizedMessage.Content> {
    ["path": .text(path), "unit": .text(name), "state": .text(verdict.state), "reason": .text(reason)]
  }

  private func look(_ number: Int) -> RegdClientFailure? {
    guard let name = RegdUnit.shipped(for: path) else {
      if number == 0 { Terminal.report(ConnectionMessageKey.waiting, ["path": .text(path)]) }
      return nil
    }
    let before = number == 0 ? nil : seen.withLock { $0.restarts }
    let verdict = Self.judge(RegdUnit.state(of: name), restartsBefore: before)
    let reason = seen.withLock { seen in
      if number == 0 { seen.restarts = verdict.restarts }
      // while a start is in progress, the unit does not show why earlier starts failed
      if verdict.cannotStart, !verdict.isStarting || seen.reason.isEmpty { seen.reason = verdict.reason }
      return seen.reason
    }
    let values = Self.values(path, name, verdict, reason)
    if number == 0 {
      let key = verdict.cannotStart ? ConnectionMessageKey.waitingForFailed : .waitingForUnit
      Terminal.report(key, values)
    }
    guard number == Self.looks.count - 1, verdict.cannotStart else { return nil }
    return .cannotConnect(path: path, reason: Speech.text(ConnectionMessageKey.cannotStart, values))
  }

  struct Verdict: Equatable {
    var state: String
    /// Why the last start failed, or "" if it did not fail, or the reason is unknown.
    var reason = ""
    var restarts = 0
    var cannotStart = false
    var isStarting = false
  }

  /// - Parameters:
  ///   - state: The unit's properties (systemctl show). Empty if systemd does not return them.
  ///   - before: The unit's restarts at the first look, or nil at the first look. If they have grown, a start in progress
  ///     counts as failed.
  static func judge(_ state: [String: String], restartsBefore before: Int?) -> Verdict {
    let (active, sub) = (state["ActiveState"] ?? "?", state["SubState"] ?? "?")
    var verdict = Verdict(state: "\(active) (\(sub))", restarts: Int(state["NRestarts"] ?? "") ?? 0)
    verdict.isStarting = active == "activating" && sub == "start"
    let hasFailed = active == "failed" || sub == "auto-restart" || (before.map { verdict.restarts > $0 } ?? false)
    guard hasFailed else { return verdict }
    let status = state["StatusText"] ?? ""
    verdict.reason = status.isEmpty ? state["Result"] ?? "?" : status
    verdict.cannotStart = true
    return verdict
  }
}

/// systemd's unit that runs a regd.
package enum RegdUnit {
  /// The unit that the package installs for a socket: /run/regd/regd.sock, and /run/regd/NAME/regd.sock for regd@NAME. Nil for
  /// any other socket.
  package static func shipped(for socket: String) -> String? {
    if socket == "/run/regd/regd.sock" { return "regd.service" }
    return socket.wholeMatch(of: /\/run\/regd\/([^\/]+)\/regd\.sock/).map { "regd@\($0.output.1).service" }
  }

  /// The unit's properties (systemctl show). Empty if systemd does not return them.
  package static func state(of unit: String) -> [String: String] {
    guard FileSystem.exists("/run/systemd/system") else { return [:] }
    let properties =
      "ActiveState,SubState,LoadState,MainPID,Result,NRestarts,StatusText,User,ProtectSystem,ProtectHome,ReadWritePaths,StateDirectory"
    let run = try? TemporaryDirectory.with {
      try RegdProcess.run(program: "systemctl", arguments: ["show", unit, "--property", properties], directory: $0)
    }
    guard let run, run.status == 0 else { return [:] }
    let pairs = run.output.split(separator: "\n").compactMap { line -> (String, String)? in
      let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return parts.count == 2 ? (String(parts[0]), String(parts[1])) : nil
    }
    return Dictionary(pairs) { first, _ in first }
  }
}
