import Linux
import RegdProcesses
import TestDoubles

/// regctl in the invented language of `MarkedCatalog`.
enum MarkedRegctl {
  /// Runs a command for the shell, with `$regctl`.
  static func run(_ command: String, _ socket: String = "/nowhere") throws -> (status: Int32, output: String) {
    try TemporaryDirectory.with { directory in
      try FileWriting.write(MarkedCatalog.yaml, to: "\(directory)/qaa.yaml")
      return try Shell.run(
        command, socket,
        ["LC_ALL": "qaa.UTF-8", "REGD_MESSAGES_DIRECTORY": directory])
    }
  }
}
