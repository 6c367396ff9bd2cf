internal import Linux
internal import Synchronization

/// The temporary directories, the processes, and the servers' segments of shared memory that a task and its child tasks have
/// made. A test suite checks at its end that none of them remains.
package final class Leftovers: Sendable {
  /// The record of the current task, or nil if leftovers are not checked.
  @TaskLocal package static var current: Leftovers?

  private struct Made {
    var directories: [String] = []
    var processes: [(id: Int32, start: String, program: String)] = []
    var servers: Set<Int32> = []
  }

  private struct Segment {
    let id: String
    let creator: Int32
    let isAttached: Bool
  }

  private let made = Mutex(Made())
  /// The segments of shared memory that are older than this record. The id of their creator may be given to another
  /// process.
  private let earlier = Set(Leftovers.segments().map(\.id))

  package init() {}

  package func note(directory: String) { made.withLock { $0.directories.append(directory) } }

  package func note(process: Int32, program: String) {
    guard let start = Self.start(of: process) else { return }
    made.withLock { $0.processes.append((process, start, program)) }
  }

  /// Notes a process that makes a System V segment of shared memory and removes it when it stops.
  package func note(server: Int32) { made.withLock { _ = $0.servers.insert(server) } }

  /// Describes each directory that still exists, each process that still runs, and each segment that no process uses.
  package func remaining() -> [String] {
    made.withLock { made in
      let directories = made.directories.filter { (try? FileSystem.names(in: $0)) != nil }
      let processes = made.processes.filter { Self.start(of: $0.id) == $0.start }
      let segments = Self.segments().filter {
        !$0.isAttached && made.servers.contains($0.creator) && !earlier.contains($0.id)
      }
      return directories.map { "the directory \($0)" }
        + processes.map { "the process \($0.id), \($0.program)" }
        + segments.map { "the shared memory segment \($0.id) of the process \($0.creator)" }
    }
  }

  /// The System V segments of shared memory (proc(5): /proc/sysvipc). Empty if the kernel does not support them.
  private static func segments() -> [Segment] {
    let table = (try? FileReading.bytes("/proc/sysvipc/shm")) ?? []
    return String(decoding: table, as: UTF8.self).split(separator: "\n").dropFirst().compactMap { line in
      let fields = line.split(separator: " ")
      guard fields.count > 6, let creator = Int32(fields[4]) else { return nil }
      return Segment(id: String(fields[1]), creator: creator, isAttached: fields[6] != "0")
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
