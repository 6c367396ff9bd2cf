internal import Glibc
internal import Linux
internal import RegdProcesses

package struct ProgramFailure: Error, CustomStringConvertible {
  package let description: String
  package init(description: String) { self.description = description }
}

/// A program that runs during a test. It has no terminal, gets none of the variables that configure regd or the tests
/// (`REGD_…`), and does not outlive the test's process.
package struct Program {
  private let processID: Int32
  /// This process's end of the socket that is the program's standard output.
  private let output: Int32
  private let leash: Leash

  /// - Parameters:
  ///   - words: The program, by its path or its name, and its arguments.
  ///   - directory: The working directory. Standard error goes to the file `errors` there.
  package static func start(_ words: [String], in directory: String) throws -> Program {
    var ends: [Int32] = [0, 0]
    // not a pipe: sockets are close-on-exec from the start, so that no other program inherits them and keeps them open
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { throw ProgramFailure(description: "socketpair: \(errno)") }
    defer { close(ends[1]) }
    var processID: Int32?
    do {
      let started = try ChildProcess.start(
        "sh", ["-c", #"cd "$0" && exec "$@""#, directory] + words,
        environment: ThisProcess.environment.filter { !$0.key.hasPrefix("REGD_") },
        [0: .null, 1: .parents(ends[1]), 2: .appended(path: "\(directory)/errors")], resetsSignals: true)
      processID = started
      Leftovers.current?.note(process: started, program: words.joined(separator: " "))
      return Program(processID: started, output: ends[0], leash: try Leash(on: started))
    } catch {
      // the leash, which ends the program with this process, may have failed
      if let processID {
        kill(processID, SIGKILL)
        ChildProcess.reap(processID)
      }
      close(ends[0])
      throw error
    }
  }

  /// Reads the output until the program ends, or `isEnough` is true. Kills a program that writes nothing for five
  /// minutes (`Patience`).
  package func read(until isEnough: (String) -> Bool = { _ in false }) -> String {
    var bytes: [UInt8] = []
    var room = [UInt8](repeating: 0, count: 4096)
    while true {
      var events = [pollfd(fd: output, events: Int16(POLLIN), revents: 0)]
      if poll(&events, 1, Patience.milliseconds) == 0 { kill(processID, SIGKILL) }
      let count = Glibc.read(output, &room, room.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      bytes += room.prefix(count)
      if isEnough(String(decoding: bytes, as: UTF8.self)) { break }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  @discardableResult
  package func wait() -> Int32 {
    ChildProcess.awaitEnd(of: processID)
    leash.release()
    var status: Int32 = 0
    waitpid(processID, &status, 0)
    close(output)
    return status
  }

  package func end() {
    kill(processID, SIGKILL)
    wait()
  }

  /// Runs a program to its end.
  ///
  /// - Returns: Its standard output.
  /// - Throws: If it ended without success.
  @discardableResult
  package static func run(_ words: [String], in directory: String) throws -> String {
    let program = try start(words, in: directory)
    let output = program.read()
    let status = program.wait()
    guard status == 0 else {
      let errors = TextFile.read("\(directory)/errors").map { ": \($0.suffix(2000))" } ?? ""
      throw ProgramFailure(description: "\(words.joined(separator: " ")) ended with \(status)\(errors)")
    }
    return output
  }
}
