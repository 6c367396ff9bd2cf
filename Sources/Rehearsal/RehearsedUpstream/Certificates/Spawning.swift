internal import ChildProcesses
internal import Glibc

/// Programs of the system as they are started here: no signals blocked, nothing inherited but what is named.
enum Spawning {
  /// - Parameters:
  ///   - log: Gets standard error; the rest goes nowhere.
  ///   - third: What is descriptor 3 there.
  static func start(
    _ program: String, _ arguments: [String], log: String, third: Int32? = nil
  ) throws(Hindrance) -> pid_t {
    var descriptors: [Int32: ChildProcess.Descriptor] = [0: .null, 1: .null, 2: .appended(path: log)]
    if let third { descriptors[3] = .parents(third) }
    do throws(ChildProcess.Failure) {
      return try ChildProcess.start(program, arguments, descriptors, resetsSignals: true)
    } catch {
      throw Hindrance(error.description)
    }
  }

  /// Waits for a process's end.
  ///
  /// - Returns: Whether it ended by itself, with success.
  @discardableResult
  static func wait(for pid: pid_t) -> Bool {
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0 { guard errno == EINTR else { return false } }
    return status == 0
  }

  /// Runs a program to its end.
  static func run(_ program: String, _ arguments: [String], log: String) throws(Hindrance) {
    guard wait(for: try start(program, arguments, log: log)) else {
      throw Hindrance("\(program) \(arguments.joined(separator: " ")) failed: \(TextFile.read(log) ?? "")")
    }
  }
}
