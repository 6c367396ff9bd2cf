internal import Linux

/// One connection through the proxy.
final class ProxyLink {
  enum State {
    case open
    /// The client sends nothing more. The server reads the forwarded bytes, and ends. Only then does the client see the
    /// end.
    case ending
    /// The client has lost the connection. The server waits for the held message.
    case held([UInt8])
    /// Bytes from the client are read and dropped.
    case deaf
  }

  let client: Descriptor
  let server: Descriptor
  private(set) var state = State.open
  private var reader = FrontendReader()
  /// The bytes for the server, sent together: TCP waits for an answer to the first of several small segments before it
  /// sends the second (RFC 896).
  private var unsent: [UInt8] = []

  init(client: consuming Descriptor, server: consuming Descriptor) {
    self.client = client
    self.server = server
  }

  /// Whether to wait for bytes from the client.
  var waitsForClient: Bool {
    switch state {
    case .open, .deaf: true
    case .ending, .held: false
    }
  }

  /// Forwards what the client has sent, as far as `decide` lets it.
  func takeFromClient(_ decide: (FrontendMessage) -> PostgreSQLProxy.Verdict) {
    let bytes = (try? client.receive(atMost: 65_536)) ?? []
    guard !bytes.isEmpty else { return end() }
    if case .deaf = state { return }
    reader.append(bytes)
    defer { flush() }
    while case .open = state, let piece = reader.next() {
      switch piece {
      case .start(let bytes): forward(bytes)
      case .message(let message):
        switch decide(message) {
        case .forward: forward(message.bytes)
        case .cutBefore: end()
        case .cutAfter:
          forward(message.bytes)
          end()
        case .hold:
          state = .held(message.bytes)
          client.shutdown(.both)
        case .swallow: state = .deaf
        }
      }
    }
  }

  /// Forwards bytes from the server. Returns whether the server's side is still open.
  func takeFromServer() -> Bool {
    guard let bytes = try? server.receive(atMost: 65_536), !bytes.isEmpty else { return false }
    // a cut also loses the answers to messages that were forwarded before it
    if case .open = state, (try? client.sendAll(bytes)) == nil { end() }
    return true
  }

  /// Gives the server the held message, if there is one.
  func release() {
    guard case .held(let bytes) = state else { return }
    forward(bytes)
    end()
  }

  func end() {
    flush()
    state = .ending
    server.shutdown(.writing)
  }

  private func forward(_ bytes: [UInt8]) { unsent += bytes }

  private func flush() {
    // ignores a failure: `takeFromServer` finds the server's end
    if !unsent.isEmpty { try? server.sendAll(unsent) }
    unsent = []
  }
}
