internal import Linux
internal import RegdProcesses

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
