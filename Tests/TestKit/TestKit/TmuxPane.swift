internal import Glibc
internal import RegdProcesses

/// A program in a pane of tmux: a test presses keys, and reads the screen as a person sees it. `PseudoTerminal` has
/// only the program's output. Blocks. Only one thread may use it at a time.
package final class TmuxPane {
  private let socket: String
  /// Every screen that was looked at.
  package private(set) var seen: [String] = []

  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }

  /// Starts a separate tmux with one pane.
  ///
  /// - Parameters:
  ///   - directory: The directory of its socket. Its path must be short, because socket paths are limited.
  ///   - command: Run by the shell.
  ///   - variables: Variables for the command, in addition to this process's.
  package init(
    _ directory: String, columns: Int = 80, rows: Int = 24, _ command: String, _ variables: [String: String] = [:]
  ) throws {
    socket = "\(directory)/tmux"
    try tmux(
      ["-f", "/dev/null", "new-session", "-d", "-x", "\(columns)", "-y", "\(rows)", "/bin/sh", "-c", command],
      variables.merging(["LC_ALL": "C.UTF-8", "NO_COLOR": ""]) { given, _ in given })
  }

  // tmux ends with its only session. `kill-server` would need a signal, and a test's threads block signals, also for
  // the processes that they start.
  deinit { _ = try? tmux(["kill-session"]) }

  /// Looks until the screen is as required, for at most five minutes.
  ///
  /// - Returns: The screen's lines, without the spaces at their ends.
  @discardableResult
  package func wait(for what: String, until isSo: ([String]) -> Bool) throws -> [String] {
    let deadline = ContinuousClock.now + .seconds(300)
    while true {
      let screen = try look()
      if isSo(screen) { return screen }
      guard ContinuousClock.now < deadline else {
        throw Failure(description: "there was never \(what):\n\(screen.joined(separator: "\n"))")
      }
    }
  }

  /// Looks until a line contains this text.
  @discardableResult
  package func wait(for text: String) throws -> [String] {
    try wait(for: text) { screen in screen.contains { $0.contains(text) } }
  }

  /// The text on the screen.
  ///
  /// - Parameter withAttributes: Whether to include the escape sequences of colours and similar attributes.
  package func look(withAttributes: Bool = false) throws -> [String] {
    let screen = try tmux(["capture-pane", "-p"] + (withAttributes ? ["-e"] : []))
    if seen.last != screen { seen.append(screen) }
    return screen.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  package func type(_ text: String) throws { try tmux(["send-keys", "-l", text]) }

  /// Presses keys by tmux's names for them: Enter, Tab, BTab, BSpace, Escape, C-u.
  package func press(_ keys: String...) throws { try tmux(["send-keys"] + keys) }

  /// Pastes the text, as a bracketed paste if the program has requested those.
  package func paste(_ text: String) throws {
    try tmux(["set-buffer", text])
    try tmux(["paste-buffer", "-p"])
  }

  /// The path of the pane's terminal.
  package func terminal() throws -> String {
    String(try tmux(["display-message", "-p", "#{pane_tty}"]).split(separator: "\n").first ?? "")
  }

  package func resize(columns: Int, rows: Int) throws {
    try tmux(["resize-window", "-x", "\(columns)", "-y", "\(rows)"])
  }

  @discardableResult
  private func tmux(_ words: [String], _ variables: [String: String] = ["LC_ALL": "C.UTF-8"]) throws -> String {
    try TemporaryDirectory.with { directory in
      let (status, output) = try RegdProcess.run(
        program: "/usr/bin/tmux", arguments: ["-u", "-S", socket] + words, environment: variables,
        directory: directory)
      guard status == 0 else { throw Failure(description: "tmux \(words.joined(separator: " ")): \(output)") }
      return output
    }
  }
}
