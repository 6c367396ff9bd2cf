internal import Linux

/// The proxy's thread: waits for bytes of all connections, and for the test's commands.
final class ProxyLoop {
  private let listener: Descriptor
  private let woken: Descriptor
  private let server: UInt16
  private var links: [ProxyLink] = []
  /// Whether bytes are forwarded. False for a black hole.
  private var passes = true

  init(listener: consuming Descriptor, woken: consuming Descriptor, server: UInt16) {
    self.listener = listener
    self.woken = woken
    self.server = server
  }

  /// Runs until it gets the command to stop, or the proxy is gone.
  func run(_ control: ProxyControl) {
    while true {
      wait(control)
      for (command, continuation) in control.takeCommands() {
        defer { continuation?.resume() }
        switch command {
        case .cutAll: links = []
        case .releaseHeld: for link in links { link.release() }
        case .pass(let passes): self.passes = passes
        case .stop: return
        }
      }
    }
  }

  /// Waits until there is something to forward, and forwards it.
  private func wait(_ control: ProxyControl) {
    guard passes else { return takeAlarm() }
    let clients = links.filter(\.waitsForClient)
    let sockets = [woken.number, listener.number] + links.map { $0.server.number } + clients.map { $0.client.number }
    let isReady = Polling.wait(for: sockets.map { .readable($0) })
    if isReady[0] { takeAlarm() }
    var ended: Set<ObjectIdentifier> = []
    for (link, isReady) in zip(links, isReady.dropFirst(2)) where isReady {
      if !link.takeFromServer() { ended.insert(ObjectIdentifier(link)) }
    }
    for (link, isReady) in zip(clients, isReady.dropFirst(2 + links.count)) where isReady {
      if !ended.contains(ObjectIdentifier(link)) { link.takeFromClient(control.verdict) }
    }
    links.removeAll { ended.contains(ObjectIdentifier($0)) }
    if isReady[1] { accept() }
  }

  private func takeAlarm() { _ = try? woken.receive(atMost: 64) }

  /// Accepts a client, or closes its connection if the server refuses one.
  private func accept() {
    guard let client = try? listener.accept(), let server = try? Descriptor.socket(.internetStream),
      (try? server.connect(to: SocketAddress(loopbackPort: self.server))) != nil
    else { return }
    links.append(ProxyLink(client: client, server: server))
  }
}
