import RegdProcesses
import TestDoubles
import TestKit
import Testing

/// Commands as an operator types them, with `$regctl` for the regctl that was built.
enum Shell {
  /// - Parameter directory: Where the command runs. The default is a new directory.
  static func run(
    _ command: String, _ socket: String, in directory: String? = nil, _ variables: [String: String] = [:]
  ) throws -> (status: Int32, output: String) {
    try TemporaryDirectory.with { scratch in
      let own = ["REGD_SOCKET_PATH": socket, "regctl": Places.regctl, "NO_COLOR": "1", "LC_ALL": "C.UTF-8"]
      return try RegdProcess.run(
        program: "/bin/sh", arguments: ["-c", "cd \(directory ?? scratch) && \(command)"],
        environment: own.merging(variables) { _, given in given }, directory: scratch)
    }
  }

  /// Runs commands in order, and expects the exit status and the text of each.
  static func check(
    _ commands: [(command: String, status: Int32, says: String)], _ socket: String, in directory: String? = nil
  ) throws {
    for (command, status, says) in commands {
      let (seen, output) = try run(command, socket, in: directory)
      #expect(seen == status, "\(command): \(output)")
      #expect(output.contains(says), "\(command): \(output)")
    }
  }
}
