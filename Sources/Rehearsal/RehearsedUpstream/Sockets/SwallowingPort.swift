internal import Glibc

/// A port that swallows SYNs: its accept queue has room for one connection, which is our own and never accepted, and
/// Linux drops the SYN of every other (listen(2), tcp(7)). Whoever connects hears nothing.
final class SwallowingPort: Sendable {
  private let listening: Descriptor
  private let filler: Descriptor

  init(_ port: Port) throws(Hindrance) {
    listening = try port.listen(backlog: 0)
    guard let filler = try port.connected() else { throw Hindrance("nobody listens on port \(port.number)") }
    self.filler = filler
    // our side is connected before the queue has it
    var event = pollfd(fd: listening.number, events: Int16(POLLIN), revents: 0)
    while poll(&event, 1, -1) < 0, errno == EINTR {}
  }

  func stop() {
    filler.close()
    // a process that is being spawned has a copy of the descriptor until it execs, and a listening socket keeps the port
    listening.shutdown()
    listening.close()
  }
}
