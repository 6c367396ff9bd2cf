import TestDoubles
import TestKit
import Testing

/// `regctl top` in a pane.
extension TmuxPane {
  /// Starts regctl top in a pane. At the end, the screen shows the exit status. Files contain the process id, and the
  /// terminal's settings before and after.
  static func top(
    _ regd: RunningRegd, _ arguments: String = "--interval 0.5", columns: Int = 80, rows: Int = 24,
    variables: [String: String] = [:]
  ) throws -> TmuxPane {
    let command = """
      cd \(regd.directory); stty -g >before
      sh -c 'echo $$ >pid; exec \(Places.regctl) top \(arguments)'
      echo "ended with $?"; stty -g >after; echo settled; exec cat
      """
    let variables = variables.merging(["REGD_SOCKET_PATH": regd.socket]) { given, _ in given }
    return try TmuxPane(regd.directory, columns: columns, rows: rows, command, variables)
  }

  /// The process id of regctl top.
  static func process(_ regd: RunningRegd) throws -> Int32 {
    try #require(TextFile.read("\(regd.directory)/pid")?.split(separator: "\n").first.flatMap { Int32($0) })
  }

  /// Expects that regctl top ended with this status and restored the terminal.
  func expectTopEnd(of regd: RunningRegd, status: Int) throws {
    let screen = try wait(for: "settled")
    #expect(screen.contains("ended with \(status)"), "\(screen)")
    let before = try #require(TextFile.read("\(regd.directory)/before"))
    #expect(before.contains(":") && TextFile.read("\(regd.directory)/after") == before)
    #expect(!screen.contains { $0.contains("METHOD") })
  }
}
