internal import CLinux
internal import Glibc
internal import WorkerThreads

/// Accepts connections on a port, on a thread of its own, until it is stopped.
final class Listener: Sendable {
  private let descriptor: Descriptor
  private let thread: WorkerThreads

  /// - Parameter take: Gets each connection, on the listener's thread; soon done.
  init(_ port: Port, _ take: @escaping @Sendable (StreamSocket) -> Void) throws(Hindrance) {
    let descriptor = try port.listen(backlog: 128)
    do { thread = try WorkerThreads(name: "upstream-accept", count: 1) } catch {
      throw Hindrance("a thread", error.errorNumber)
    }
    self.descriptor = descriptor
    thread.submit {
      while let connection = Self.next(descriptor) { take(connection) }
    }
  }

  deinit { stop() }

  /// Refuses from now on. Connections that were not accepted yet are reset.
  func stop() {
    descriptor.shutdown()
    thread.stop()
    descriptor.close()
  }

  /// Nil when the listener was stopped.
  private static func next(_ descriptor: Descriptor) -> StreamSocket? {
    while true {
      let connection = linux_accept(descriptor.number)
      if connection >= 0 { return StreamSocket(connection) }
      switch errno {
      case EINTR, ECONNABORTED: continue
      case EMFILE, ENFILE, ENOBUFS, ENOMEM:
        // nothing tells when there is room again; a stop is told at once
        var event = pollfd(fd: descriptor.number, events: 0, revents: 0)
        poll(&event, 1, 10)
      default: return nil
      }
    }
  }
}
