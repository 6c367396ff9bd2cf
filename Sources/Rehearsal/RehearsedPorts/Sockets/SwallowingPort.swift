internal import Linux

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
