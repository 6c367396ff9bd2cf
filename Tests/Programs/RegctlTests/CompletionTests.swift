import Linux
import RegdProcesses
import TestDoubles
import TestKit
import Testing

@Suite("Completions", .blocking, .timeLimit(.minutes(10)))
struct CompletionTests {
  /// Completes command lines with bash.
  ///
  /// - Returns: The completions, one line for each command line.
  private func bash(_ lines: [String], _ socket: String, in directory: String) throws -> (status: Int32, output: String)
  {
    let script = """
      export PATH=${regctl%/*}:$PATH
      eval "$(regctl --generate-completion-script bash)"
      complete_words() {
        COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMP_LINE="$*"; COMP_POINT=${#COMP_LINE}; COMPREPLY=()
        _regctl regctl "${!#}" "${COMP_WORDS[COMP_CWORD - 1]}"
        echo "${COMPREPLY[@]}"
      }
      \(lines.map { "complete_words \($0)" }.joined(separator: "\n"))
      """
    try TextFile.write(script, to: "\(directory)/complete")
    return try Shell.run("/bin/bash \(directory)/complete", socket, in: directory)
  }

  @Test("bash completes methods and their parameters, as regd describes them")
  func offered() throws {
    try withRegd { regd in
      let (status, output) = try bash(
        ["regctl call session.s", "regctl call session.signIn pass", "regctl call '$'"], regd.socket, in: regd.directory
      )
      #expect(status == 0 && output == "session.signIn\npassword=\n$/cancelRequest\n", "\(output)")
    }
  }

  /// Names that create the file `made` if a shell expands them.
  private static let hostile = [
    "rpc.ping$(touch made)", "rpc.ping`touch made`", "$(touch made)", "rpc.a${x:=$(touch made)}",
    "rpc.b$[$(touch made)]",
    "rpc.c;touch made", "rpc.d\\u000atouch made", "rpc.e\\u001b[2J", "-x", "~", "rpc.f'", "rpc.$HOME", "$HOME", "",
  ]

  /// Runs a daemon whose methods and parameters have hostile names, except two.
  private func withHostileDaemon(
    _ connections: Int, _ body: (_ socket: String, _ directory: String) throws -> Void
  ) throws {
    let names = Self.hostile + ["rpc.good", "$/good"]
    let params = names.map { "{\"name\":\"\($0)\",\"schema\":{}}" }.joined(separator: ",")
    let methods = names.map { "{\"name\":\"\($0)\",\"params\":[\(params)]}" }.joined(separator: ",")
    let answer = ["\"result\":{\"methods\":[\(methods)]}"]
    try PlayedDaemon.with(Array(repeating: answer, count: connections)) { socket, directory in
      try body(socket, directory)
      #expect(!FileSystem.exists("\(directory)/made"))
    }
  }

  @Test("bash runs no part of the names of a daemon's methods and parameters")
  func hostileNames() throws {
    try withHostileDaemon(3) { socket, directory in
      let (status, output) = try bash(
        ["regctl call ''", "regctl call rpc.", "regctl call rpc.good ''"], socket, in: directory)
      #expect(status == 0)
      let lines = output.split(separator: "\n", omittingEmptySubsequences: false).prefix(3)
      #expect(
        lines.map { $0.split(separator: " ").filter { !$0.hasPrefix("--") }.joined(separator: " ") } == [
          "rpc.good $/good", "rpc.good", "rpc.good= $/good=",
        ], "\(output)")
    }
  }

  @Test("the completions for zsh and fish contain only the good names", arguments: ["zsh", "fish"])
  func otherShells(_ shell: String) throws {
    try withHostileDaemon(1) { socket, directory in
      let (status, output) = try Shell.run(
        "$regctl ---completion call -- positional@0 2 0 regctl call ''", socket, in: directory,
        ["SAP_SHELL": shell, "SAP_SHELL_VERSION": "5"])
      #expect(status == 0)
      let words = output.split(whereSeparator: \.isWhitespace).map { $0.replacing("\\", with: "") }
      #expect(words.filter { !$0.isEmpty } == ["rpc.good", "$/good"], "\(output)")
    }
  }
}
