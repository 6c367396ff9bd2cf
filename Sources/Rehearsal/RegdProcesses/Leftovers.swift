internal import Linux
internal import Synchronization

/// The temporary directories and processes that a task and its child tasks have made. A test suite checks at its end that
/// none of them remains.
package final class Leftovers: Sendable {
  /// The record of the current task, or nil if leftovers are not checked.
  @TaskLocal package static var current: Leftovers?

  private struct Made {
    var directories: [String] = []
    var processes: [(id: Int32, start: String, program: String)] = []
  }

  private let made = Mutex(Made())

  package init() {}

  package func note(directory: String) { made.withLock { $0.directories.append(directory) } }

  package func note(process: Int32, program: String) {
    guard let start = Self.start(of: process) else { return }
    made.withLock { $0.processes.append((process, start, program)) }
  }

  /// Describes each directory that still exists, and each process that still runs.
  package func remaining() -> [String] {
    made.withLock { made in
      made.directories.filter { (try? FileSystem.names(in: $0)) != nil }.map { "the directory \($0)" }
        + made.processes.filter { Self.start(of: $0.id) == $0.start }.map { "the process \($0.id), \($0.program)" }
    }
  }

  /// When a process was started, in the kernel's own unit (proc_pid_stat(5): starttime). The time distinguishes the
  /// process from a later one with the same id. Nil if it has ended.
  private static func start(of process: Int32) -> String? {
    guard let bytes = try? FileReading.bytes("/proc/\(process)/stat", atMost: 4096) else { return nil }
    let text = String(decoding: bytes, as: UTF8.self)
    // the program's name may contain anything, and ends with the last parenthesis
    let fields = text[(text.lastIndex(of: ")") ?? text.startIndex)...].split(separator: " ")
    return fields.count > 20 && fields[1] != "Z" ? String(fields[20]) : nil
  }
}
