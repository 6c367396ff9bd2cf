import TestDoubles
import TestKit
import Testing

/// `regctl form` in a pane.
extension TmuxPane {
  static let password = "a fine phrase"

  /// Starts the form in a pane. At the end, the screen shows the exit status, and files contain the terminal's settings
  /// before and after.
  static func form(
    _ regd: RunningRegd, _ arguments: String = "", columns: Int = 80, rows: Int = 24, variables: [String: String] = [:]
  ) throws -> TmuxPane {
    let command = """
      cd \(regd.directory); stty -g >before
      sh -c 'echo $$ >pid; exec \(Places.regctl) form \(arguments)'
      echo "ended with $?"; stty -g >after; echo settled; exec cat
      """
    let variables = variables.merging(["REGD_SOCKET_PATH": regd.socket]) { given, _ in given }
    return try TmuxPane(regd.directory, columns: columns, rows: rows, command, variables)
  }

  /// Expects that the form ended with this status, restored the terminal and never showed a password.
  func expectEnd(of regd: RunningRegd, status: Int) throws {
    let screen = try wait(for: "settled")
    #expect(screen.contains("ended with \(status)"), "\(screen)")
    let before = try #require(TextFile.read("\(regd.directory)/before"))
    #expect(before.contains(":") && TextFile.read("\(regd.directory)/after") == before)
    #expect(!screen.contains { $0.contains("[ Register ]") || $0.contains("[ Sign in ]") })
    for part in [Self.password, "a fine", "phrase"] { #expect(!seen.contains { $0.contains(part) }) }
  }

  /// Whether a field has this mark.
  static func mark(_ field: String, _ mark: String) -> ([String]) -> Bool {
    { screen in screen.contains { $0.contains(field) && $0.hasSuffix("] \(mark)") } }
  }

  /// Types a valid address and a valid password, and moves to the button.
  func fill(email: String) throws {
    try wait(for: "> Email address")
    try type(email)
    try press("Tab")
    try type(Self.password)
    try press("Tab")
    try type(Self.password)
    try press("Tab")
    try wait(for: "an enabled button") { $0.contains("> [ Register ]") }
  }
}
