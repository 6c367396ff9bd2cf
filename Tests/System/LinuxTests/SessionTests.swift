import Glibc
import RegdProcesses
import TestKit
import Testing

/// Tests run in the background of the terminal in which `make test` was typed. The programs that they start must not
/// use that terminal, because the kernel would stop them for good.
@Suite("Sessions of started processes", .blocking, .timeLimit(.minutes(10)))
struct SessionTests {
  /// Prints whether the shell leads a session, and whether it can open a terminal.
  private static let question = """
    read -r _ _ _ _ group session _ </proc/$$/stat
    [ $group = $$ ] && [ $session = $$ ] && echo leads || echo follows
    (: </dev/tty) 2>/dev/null && echo terminal || echo none
    """

  @Test("a process that a test starts leads a session without a terminal")
  func withoutTerminal() throws {
    try TemporaryDirectory.with { directory in
      let (status, output) = try RegdProcess.run(
        program: "/bin/sh", arguments: ["-c", Self.question], directory: directory)
      #expect(status == 0)
      #expect(output == "leads\nnone\n")
      #expect(try Program.run(["sh", "-c", Self.question], in: directory) == "leads\nnone\n")
    }
  }

  @Test("a process that a test starts on a terminal leads a session and can open the terminal")
  func withTerminal() throws {
    let terminal = try PseudoTerminal(program: "/bin/sh", arguments: ["-c", Self.question])
    #expect(terminal.finish() == 0)
    #expect(terminal.screen == "leads\r\nterminal\r\n")
  }

  @Test("a child inherits only the standard descriptors")
  func descriptors() throws {
    let stray = dup(STDERR_FILENO)
    defer { close(stray) }
    try #require(stray > 2)
    try TemporaryDirectory.with { directory in
      // the shell's own descriptors are closed on exec
      let (status, output) = try RegdProcess.run(
        program: "/bin/sh",
        arguments: ["-c", "for n in $(seq 3 999); do [ -e /proc/$$/fd/$n ] && echo $n; done; true"],
        directory: directory)
      #expect(status == 0)
      #expect(output == "")
    }
  }

  @Test("a program that cannot be started causes an error with its path and the reason")
  func missing() throws {
    try TemporaryDirectory.with { directory in
      let failure = #expect(throws: (any Error).self) {
        try RegdProcess.run(program: "/nonexistent/program", arguments: [], directory: directory)
      }
      #expect(failure.map { "\($0)" } == "/nonexistent/program cannot be started: No such file or directory")
      #expect(throws: (any Error).self) { try PseudoTerminal(program: "/nonexistent/program", arguments: []) }
    }
  }
}
