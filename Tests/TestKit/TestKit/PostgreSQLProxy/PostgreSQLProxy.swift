internal import Linux
internal import Synchronization
internal import WorkerThreads

/// A TCP proxy in front of a PostgreSQL server, on a separate thread, that reads the messages of clients and cuts
/// connections on the test's demand. It does not support encryption: a client that asks for it gets the server's
/// refusal.
package final class PostgreSQLProxy: Sendable {
  /// The treatment of a message.
  package enum Verdict: Sendable {
    case forward
    /// The server never gets the message, and undoes the transaction. Then the client loses the connection.
    case cutBefore
    /// The server gets the message, performs it, and ends. Then the client loses the connection, without the answer.
    case cutAfter
    /// The client loses the connection at once. The server gets the message when the test releases it.
    case hold
    /// No further message gets through from this client, which keeps the connection and gets no answer.
    case swallow
  }

  /// The proxy's port of 127.0.0.1.
  package let port: UInt16
  private let control = ProxyControl()
  private let alarm: Descriptor
  private let thread: WorkerThreads

  /// - Parameter server: The port of 127.0.0.1 on which the server listens.
  package init(to server: UInt16) throws {
    let listener = try Descriptor.socket(.internetStream)
    listener.allowReuseOfAddress()
    try listener.bind(to: SocketAddress(loopbackPort: 0))
    try listener.listen(backlog: 128)
    port = try listener.localAddress().port ?? 0
    // a socket and not a pipe: writing to it after the thread has ended must not raise SIGPIPE
    let pair = try Descriptor.socketPair()
    let woken = pair.first.release()
    alarm = pair.second
    thread = try WorkerThreads(name: "pg-proxy", count: 1)
    // the loop is made on its thread, and owns both descriptors
    let listening = listener.release()
    thread.submit { [control] in
      ProxyLoop(listener: Descriptor(owning: listening), woken: Descriptor(owning: woken), server: server).run(control)
    }
  }

  deinit {
    control.add(.stop, nil)
    _ = try? alarm.sendSome([0])
  }

  /// Sets the treatment of messages from the next one on. `decide` runs on the proxy's thread.
  package func decide(_ decide: @escaping @Sendable (FrontendMessage) -> Verdict) {
    control.set(decide)
  }

  /// From now on all messages are forwarded.
  package func heal() { decide { _ in .forward } }

  /// Ends all present connections.
  package func cutAll() async { await perform(.cutAll) }

  /// Gives the server the messages that were held, and then ends their connections.
  package func releaseHeld() async { await perform(.releaseHeld) }

  /// Becomes a black hole: connections are made and kept, but nothing is forwarded in either direction.
  package func swallow() async { await perform(.pass(false)) }

  /// Stops being a black hole. Bytes that were sent meanwhile are forwarded.
  package func pass() async { await perform(.pass(true)) }

  /// Lets the proxy's thread perform a command, and waits until it has done so.
  private func perform(_ command: ProxyControl.Command) async {
    await withCheckedContinuation { continuation in
      control.add(command, continuation)
      _ = try? alarm.sendSome([0])
    }
  }
}

/// The test's commands to the proxy's thread.
final class ProxyControl: Sendable {
  enum Command: Sendable {
    case cutAll, releaseHeld, stop
    case pass(Bool)
  }

  private struct State {
    var decide: @Sendable (FrontendMessage) -> PostgreSQLProxy.Verdict = { _ in .forward }
    var commands: [(Command, CheckedContinuation<Void, Never>?)] = []
  }

  private let state = Mutex(State())

  func set(_ decide: @escaping @Sendable (FrontendMessage) -> PostgreSQLProxy.Verdict) {
    state.withLock { $0.decide = decide }
  }

  func verdict(_ message: FrontendMessage) -> PostgreSQLProxy.Verdict { state.withLock { $0.decide }(message) }

  func add(_ command: Command, _ continuation: CheckedContinuation<Void, Never>?) {
    state.withLock { $0.commands.append((command, continuation)) }
  }

  func takeCommands() -> [(Command, CheckedContinuation<Void, Never>?)] {
    state.withLock { state in
      defer { state.commands = [] }
      return state.commands
    }
  }
}
