internal import Linux
internal import Synchronization

/// A private PostgreSQL server in a temporary directory, on a Unix socket there and on a port of 127.0.0.1 that survives
/// restarts. It trusts every client. It ends with this process, however this process ends.
///
/// All methods block, and they may be called from any thread.
package final class PostgreSQLServer: Sendable {
  package typealias Failure = RegdProcess.Failure

  /// How to stop a server (pg_ctl(1)).
  package enum Stop: Sendable {
    /// Ends the sessions (57P01) and shuts down cleanly.
    case fast
    /// Ends at once. The next start recovers.
    case immediate
  }

  /// The place of the server's files.
  package enum Medium: String, Sendable {
    /// In memory if there is room, for a server that need not outlive the machine. It still calls fsync(2), which costs nothing
    /// there.
    case memory
    /// On the disk, for measurements.
    case disk
  }

  let programs: PostgreSQLPrograms
  let medium: Medium
  let files: ClusterDirectory
  private let starter: [String]
  private let wrapper: [String]
  private let reserved: ReservedPort
  /// The server's process, or nil while it does not run.
  private let process = Mutex<Int32?>(nil)

  package var port: UInt16 { reserved.number }
  /// The directory of the server's socket.
  package var directory: String { files.path }
  package var isRunning: Bool { process.withLock { $0 != nil } }
  /// The server's log.
  package var log: String {
    String(decoding: (try? FileReading.bytes("\(directory)/log", atMost: .max)) ?? [], as: UTF8.self)
  }

  /// Makes a cluster and starts it.
  ///
  /// - Parameters:
  ///   - medium: The place of the files.
  ///   - settings: For postgresql.conf, besides the usual ones. `fsync` is on.
  ///   - wrapper: The words before the server's command line: a program that starts the server, and its arguments. It
  ///     runs as root if this process does.
  /// - Throws: If the programs are missing, or the server does not start. Nothing is left then.
  package convenience init(
    on medium: Medium = .memory, settings: [String: String] = [:], startedBy wrapper: [String] = [],
    programs: PostgreSQLPrograms? = nil
  ) throws {
    try self.init(programs ?? .find(), medium, wrapper)
    switch medium {
    case .memory: try run(["cp", "-R", try template().data, files.data])
    case .disk: try makeCluster(files)
    }
    try append(Self.settings.merging(settings) { $1 }.merging(places) { $1 })
    try start()
  }

  /// Only makes the directory and reserves the port.
  init(_ programs: PostgreSQLPrograms, _ medium: Medium, _ wrapper: [String]) throws {
    self.programs = programs
    self.medium = medium
    self.wrapper = wrapper
    starter = try PostgreSQLUser.starter()
    files = try ClusterDirectory(medium, starter: starter)
    reserved = try ReservedPort()
  }

  /// Template clusters in memory, by the directory of their programs. They last as long as this process.
  private static let templates = Mutex<[String: ClusterDirectory]>([:])

  /// A cluster without a running server, which `init` copies: a copy takes a tenth of the time of initdb(1).
  private func template() throws -> ClusterDirectory {
    try Self.templates.withLock { templates in
      if let made = templates[programs.directory] { return made }
      let template = try ClusterDirectory(.memory, starter: starter)
      try makeCluster(template)
      templates[programs.directory] = template
      return template
    }
  }

  private func makeCluster(_ files: ClusterDirectory) throws {
    try Command.run(
      starter + [
        programs.path("initdb"), "--pgdata", files.data, "--auth", "trust", "--username", "postgres", "--no-sync",
        "--no-instructions", "--encoding", "UTF8", "--locale", "C.UTF-8",
      ], in: files.path)
  }

  deinit {
    // killing the server would leave its System V segment of shared memory, which nothing removes
    stop(.immediate)
  }

  /// Makes servers small, but large enough for all tests at once. Dynamic shared memory is in the server's files, so that a
  /// killed server leaves none of it elsewhere.
  private static let settings = [
    "dynamic_shared_memory_type": "mmap",
    "max_connections": "800", "superuser_reserved_connections": "10", "shared_buffers": "32MB", "max_wal_size": "256MB",
    "max_wal_senders": "10", "log_timezone": "UTC", "timezone": "UTC", "log_line_prefix": "%m %p %u %d %e ",
  ]

  /// The settings that depend on the server's place.
  var places: [String: String] {
    ["listen_addresses": "127.0.0.1", "port": "\(port)", "unix_socket_directories": directory]
  }

  /// Runs a command as the server's user.
  @discardableResult
  func run(_ words: [String]) throws -> String { try Command.run(starter + words, in: directory) }

  /// - Parameter file: The file to append to. In each file, the last value of a setting applies. postgresql.auto.conf
  ///   overrides postgresql.conf.
  func append(_ settings: [String: String], to file: String = "postgresql.conf") throws {
    let path = "\(files.data)/\(file)"
    let lines = settings.sorted { $0.key < $1.key }.map { "\($0.key) = '\($0.value)'\n" }
    try FileWriting.write(try FileReading.text(path) + lines.joined(), to: path)
  }

  /// Starts the server, and waits until it accepts sessions. A no-op if it runs.
  package func start() throws {
    try process.withLock { process in
      guard process == nil else { return }
      let pid = try Command.start(
        wrapper + starter + [programs.path("postgres"), "-D", files.data], in: files.data,
        [0: .null, 1: .appended(path: "\(directory)/log"), 2: .child(1)])
      process = pid
      Leftovers.current?.note(server: pid)
      for _ in 0..<30_000 {
        if status(of: pid) == "ready" { return }
        if ChildProcess.hasEnded(pid, within: .milliseconds(10)) { break }
      }
      Signal.kill.send(to: pid)
      ChildProcess.reap(pid)
      process = nil
      throw Failure(description: "PostgreSQL did not start: \(log)")
    }
  }

  /// The state in postmaster.pid, whose first line has the server's id and whose eighth has its state, or nil if the file
  /// is another server's.
  private func status(of pid: Int32) -> Substring? {
    let lines = ((try? FileReading.text("\(files.data)/postmaster.pid")) ?? "").split(
      separator: "\n", omittingEmptySubsequences: false)
    guard lines.count > 7, lines[0] == "\(pid)" else { return nil }
    return lines[7].prefix { $0 != " " }
  }

  /// Stops the server, and waits for its end. After five minutes, kills it.
  package func stop(_ how: Stop = .fast) {
    process.withLock { process in
      guard let pid = process else { return }
      switch how {
      case .fast: Signal.interrupt.send(to: pid)
      case .immediate: Signal.quit.send(to: pid)
      }
      if !ChildProcess.hasEnded(pid, within: .seconds(300)) { Signal.kill.send(to: pid) }
      ChildProcess.reap(pid)
      process = nil
    }
  }

  /// Kills all processes of the server, as a loss of power would, and waits for their end.
  package func kill() {
    process.withLock { process in
      guard let pid = process else { return }
      // SIGSTOP first, so that the server starts no more processes
      Signal.stop.send(to: pid)
      let children = (try? FileReading.text("/proc/\(pid)/task/\(pid)/children")) ?? ""
      let sessions = children.split(separator: " ").compactMap { Int32($0) }
      for session in sessions { Signal.kill.send(to: session) }
      Signal.kill.send(to: pid)
      for session in sessions { _ = ChildProcess.hasEnded(session, within: .seconds(60)) }
      ChildProcess.reap(pid)
      process = nil
      removeSegment()
    }
  }

  /// Removes the killed server's System V segment of shared memory. A loss of power removes it, but the end of its
  /// processes does not.
  private func removeSegment() {
    let lines = ((try? FileReading.text("\(files.data)/postmaster.pid")) ?? "").split(
      separator: "\n", omittingEmptySubsequences: false)
    // the seventh line has the segment's key and id
    guard lines.count > 6, let id = lines[6].split(separator: " ").last else { return }
    _ = try? run(["ipcrm", "--shmem-id", String(id)])
  }

  /// Stops and starts the server.
  package func restart(_ how: Stop = .fast) throws {
    stop(how)
    try start()
  }
}

/// One server for all tests of a process, started at first use. It makes 50 databases at a time, because one run of
/// psql(1) takes longer than making them.
package final class SharedPostgreSQLServer: Sendable {
  private struct State {
    var server: Result<PostgreSQLServer, any Error>?
    var made = 0
    var free: [PostgreSQLDatabase] = []
  }

  private let state = Mutex(State())

  package init() {}

  /// Returns an empty database that no other caller gets.
  package func database() throws -> PostgreSQLDatabase {
    try state.withLock { state in
      let server = state.server ?? Result { try PostgreSQLServer() }
      state.server = server
      if state.free.isEmpty {
        let names = (state.made + 1...state.made + 50).map { "test\($0)" }
        state.made += names.count
        state.free = try server.get().makeDatabases(names)
      }
      return state.free.removeLast()
    }
  }
}

/// A port of 127.0.0.1 that remains reserved while nothing listens on it, because a socket is bound to it and never
/// used. SO_REUSEADDR lets a server listen in addition to that socket.
final class ReservedPort: Sendable {
  let number: UInt16
  private let holder: Descriptor

  init() throws(SystemError) {
    holder = try Descriptor.socket(.internetStream)
    holder.allowReuseOfAddress()
    try holder.bind(to: SocketAddress(loopbackPort: 0))
    number = try holder.localAddress().port ?? 0
  }
}

/// A server's temporary directory. A shell next to this process ends the server and removes the directory, on `release`
/// or at the end of this process, however it ends.
final class ClusterDirectory: Sendable {
  let path: String
  /// The cluster itself. initdb(1) makes all of it.
  var data: String { "\(path)/data" }
  private let keeper: Int32
  /// This process's end of the pipe, or nil after `release`. The keeper shell cleans up when this end is closed.
  private let leash: Mutex<Descriptor?>

  // a killed server leaves its id in postmaster.pid, and another process may get that id: -ef checks that the process
  // works in the cluster's directory
  private static let script = """
    read -r _
    server=$(head -n 1 "$0/data/postmaster.pid")
    runs() { [ -n "$server" ] && [ "/proc/$server/cwd" -ef "$0/data" ]; }
    runs "$0" && kill -s QUIT "$server"
    tries=0
    while runs "$0" && [ $tries -lt 100 ]; do sleep 0.1; tries=$((tries + 1)); done
    runs "$0" && kill -s KILL "$server"
    rm -rf "$0"
    """

  // uses /dev/shm only with 2 GiB free, and mode 755, because other users need access to the socket
  private static let making = #"""
    base=/tmp
    [ "$0" = disk ] || [ "$(stat -f -c %T /dev/shm)" != tmpfs ] ||
      [ "$(df --output=avail -k /dev/shm | tail -n 1)" -lt 2097152 ] || base=/dev/shm
    place=$(mktemp -d $base/regd-XXXXXX) && chmod 755 "$place" && echo "$place"
    """#

  /// - Parameter starter: The words before a command that make the server's user run it.
  init(_ medium: PostgreSQLServer.Medium, starter: [String]) throws {
    path = try Command.run(starter + ["sh", "-c", Self.making, medium.rawValue], in: "/")
    let pair = try Descriptor.pipe()
    keeper = try ChildProcess.start(
      "/bin/sh", ["-c", Self.script, path], [0: .parents(pair.first.number), 1: .null, 2: .null], resetsSignals: true)
    leash = Mutex(consume pair.second)
  }

  deinit { release() }

  /// Ends a server that still runs, removes everything, and returns when done.
  func release() {
    let isHeld = leash.withLock { leash in
      defer { leash = nil }
      return leash != nil
    }
    if isHeld { ChildProcess.reap(keeper) }
  }
}
