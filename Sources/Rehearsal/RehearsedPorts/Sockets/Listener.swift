internal import Linux
internal import WorkerThreads

/// Accepts connections on a port, on a separate thread, until it is stopped.
package final class Listener: Sendable {
  private let socket: SharedSocket
  private let thread: WorkerThreads

  /// - Parameter take: Gets each connection, on the listener's thread. Must return soon.
  package init(_ port: Port, _ take: @escaping @Sendable (SharedSocket) -> Void) throws {
    let socket = SharedSocket(try port.listen(backlog: 128))
    thread = try WorkerThreads(name: "rehearsed-port", count: 1)
    self.socket = socket
    thread.submit {
      while let connection = Self.next(socket) { take(connection) }
    }
  }

  deinit { stop() }

  /// Refuses connections from now on. The kernel resets connections that were not accepted yet.
  package func stop() {
    socket.shutdown()
    thread.stop()
    socket.close()
  }

  /// Waits for the next connection. Returns nil once the listener is stopped.
  private static func next(_ socket: SharedSocket) -> SharedSocket? {
    while true {
      do throws(SystemError) { return SharedSocket(try socket.descriptor.accept()) } catch {
        // No event reports free descriptors, so this waits a little. A stop ends the wait.
        if error.isExhaustion { _ = Polling.isReady(.broken(socket.number), atMost: .milliseconds(10)) }
        guard error.isExhaustion || error.number == SystemError.connectionAborted else { return nil }
      }
    }
  }
}
