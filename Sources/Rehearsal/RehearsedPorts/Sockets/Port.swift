internal import Linux
internal import WorkerThreads

/// A port of 127.0.0.1 that remains reserved while nothing listens on it, because this object keeps a socket bound to
/// it. SO_REUSEADDR lets listening sockets come and go in addition. The kernel gives the port to no other process.
///
/// A single listening socket, shut down while connections are to be refused, would not keep the port: on shutdown, Linux
/// releases a port number that it has chosen itself.
package final class Port: Sendable {
  package let number: UInt16
  private let holder: Descriptor

  package init() throws {
    holder = try Self.bound(to: 0)
    number = try holder.localAddress().port ?? 0
  }

  /// Returns a socket that listens on the port.
  func listen(backlog: Int32) throws -> Descriptor {
    let descriptor = try Self.bound(to: number)
    try descriptor.listen(backlog: backlog)
    return descriptor
  }

  /// Connects to the port. Returns nil if nothing listens on it.
  package func connected() throws -> SharedSocket? {
    let descriptor = try Descriptor.socket(.internetStream)
    do throws(SystemError) {
      try descriptor.connect(to: SocketAddress(loopbackPort: number))
      return SharedSocket(descriptor)
    } catch {
      // a listening socket that is closed meanwhile resets the connection
      if [SystemError.connectionRefused, SystemError.connectionReset].contains(error.number) { return nil }
      throw error
    }
  }

  private static func bound(to number: UInt16) throws(SystemError) -> Descriptor {
    let descriptor = try Descriptor.socket(.internetStream)
    descriptor.allowReuseOfAddress()
    try descriptor.bind(to: SocketAddress(loopbackPort: number))
    return descriptor
  }
}

/// Why a port cannot be reserved, or cannot behave as asked. Names the Debian package of a missing program.
package struct PortFailure: Error, CustomStringConvertible {
  package let description: String

  package init(description: String) { self.description = description }
}

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

/// A port that drops SYNs: its accept queue has room for one connection, which this process makes and never accepts, and Linux
/// drops every other SYN (listen(2), tcp(7)). A client that connects gets no answer.
final class SwallowingPort: Sendable {
  private let listening: SharedSocket
  private let filler: SharedSocket

  init(_ port: Port) throws {
    listening = SharedSocket(try port.listen(backlog: 0))
    guard let filler = try port.connected() else {
      throw PortFailure(description: "nothing listens on port \(port.number)")
    }
    self.filler = filler
    // waits until the queue has the connection, because connect(2) may return earlier
    _ = Polling.isReady(.readable(listening.number))
  }

  func stop() {
    filler.close()
    // A process that is being spawned has a copy of the descriptor until it execs. Without the shutdown, the copy would
    // keep the port.
    listening.shutdown()
    listening.close()
  }
}
