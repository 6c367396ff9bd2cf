internal import Synchronization
internal import WorkerThreads

/// The open connections, each with its own thread.
package final class Connections: Sendable {
  private struct Entry {
    let socket: SharedSocket
    let thread: WorkerThreads
    var hasEnded = false
  }

  private struct State {
    var entries: [Int: Entry] = [:]
    var last = 0
  }

  private let state = Mutex(State())
  private let name: String

  /// - Parameter name: The threads' name in top(1), cut to 15 bytes.
  package init(named name: String) { self.name = name }

  /// Serves a connection on a new thread, or resets it if no thread can be started.
  ///
  /// - Parameter serve: Runs on the connection's thread, which closes the connection afterwards.
  package func add(_ socket: SharedSocket, _ serve: @escaping @Sendable (SharedSocket) -> Void) {
    reap()
    guard let thread = try? WorkerThreads(name: name, count: 1) else { return socket.reset() }
    let number = state.withLock { state in
      state.last += 1
      state.entries[state.last] = Entry(socket: socket, thread: thread)
      return state.last
    }
    thread.submit { [weak self] in
      serve(socket)
      socket.close()
      self?.state.withLock { $0.entries[number]?.hasEnded = true }
    }
  }

  /// Shuts all connections down. Their threads stop waiting, and soon close them.
  package func shutDown() {
    for entry in state.withLock({ $0.entries.values.map(\.self) }) { entry.socket.shutdown() }
  }

  /// Shuts all connections down, and waits until all threads have ended.
  package func stop() {
    shutDown()
    let entries = state.withLock { state in
      defer { state.entries = [:] }
      return state.entries.values.map(\.self)
    }
    for entry in entries { entry.thread.stop() }
  }

  private func reap() {
    let ended = state.withLock { state in
      let ended = state.entries.filter { $0.value.hasEnded }
      for number in ended.keys { state.entries[number] = nil }
      return ended.values.map(\.self)
    }
    for entry in ended { entry.thread.stop() }
  }
}
