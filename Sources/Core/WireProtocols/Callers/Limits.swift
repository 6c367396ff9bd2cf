/// How much callers may ask for. Each limit but `wholeSeconds` has a configuration key.
package struct Limits: Equatable, Sendable {
  /// Bytes of one message.
  package var messageBytes: Int
  /// Arrays and objects nested in one message.
  package var depth: Int
  /// Requests in one batch.
  package var batchItems: Int
  /// Bytes of a request's id, because every reply echoes it.
  package var idBytes: Int
  /// Bytes of one result, and of all results of a batch together.
  package var responseBytes: Int
  /// Requests of one connection that have no reply yet. At the limit regd stops reading the connection.
  package var inFlightPerConnection: Int
  /// Requests of one user that have no reply yet.
  package var inFlightPerUID: Int
  /// Connections at once.
  package var connections: Int
  /// Connections of one user at once.
  package var connectionsPerUID: Int
  /// Bytes of replies that wait for one connection's client to read them. At the limit regd stops reading the connection.
  package var queuedBytesPerConnection: Int
  /// Bytes of replies that wait for all clients of one user. At the limit regd reads only the user's connections with a
  /// short queue.
  package var queuedBytesPerUID: Int
  /// Bytes that regd holds for one user: unfinished messages on all connections, forms, and the params of requests
  /// without a reply (counted twice, because a method may make a second copy). At the limit regd refuses long messages.
  package var heldBytesPerUID: Int
  /// How long, in seconds, a client may read none of the bytes that wait for it before regd closes its connection.
  package var stalledSeconds: Int
  /// How long, in seconds, a connection may be without a request. 0 means unlimited.
  package var idleSeconds: Int
  /// How long, in seconds, a message may take from its first byte to its last. 0 means unlimited. Set by the protocol,
  /// not by a configuration key.
  package var wholeSeconds = 0
  /// Requests of one user per second. 0 means unlimited.
  package var requestsPerSecondPerUID: Int
  /// How long a request may take, in seconds.
  package var requestSeconds: Int

  package init(
    messageBytes: Int = 1 << 20, depth: Int = 64, batchItems: Int = 100, idBytes: Int = 1024,
    responseBytes: Int = 1 << 20,
    inFlightPerConnection: Int = 64, inFlightPerUID: Int = 8192, connections: Int = 4096, connectionsPerUID: Int = 1024,
    queuedBytesPerConnection: Int = 1 << 20, queuedBytesPerUID: Int = 8 << 20,
    heldBytesPerUID: Int = 32 << 20, stalledSeconds: Int = 30,
    idleSeconds: Int = 0, requestsPerSecondPerUID: Int = 0, requestSeconds: Int = 30
  ) {
    self.messageBytes = messageBytes
    self.depth = depth
    self.batchItems = batchItems
    self.idBytes = idBytes
    self.responseBytes = responseBytes
    self.inFlightPerConnection = inFlightPerConnection
    self.inFlightPerUID = inFlightPerUID
    self.connections = connections
    self.connectionsPerUID = connectionsPerUID
    self.queuedBytesPerConnection = queuedBytesPerConnection
    self.queuedBytesPerUID = queuedBytesPerUID
    self.heldBytesPerUID = heldBytesPerUID
    self.stalledSeconds = stalledSeconds
    self.idleSeconds = idleSeconds
    self.requestsPerSecondPerUID = requestsPerSecondPerUID
    self.requestSeconds = requestSeconds
  }

  /// Requests of one connection whose work continues although the client already got the reply that they have timed
  /// out. They do not stop regd from reading the connection. At the limit, regd refuses further requests, so that one
  /// connection cannot use up all requests in flight of its user.
  package var latePerConnection: Int { 8 * inFlightPerConnection }

  /// Every limit that has a configuration key, under its name there, in `rpc.serverInfo` and in the document of
  /// `rpc.discover`.
  package var all: [(name: StaticString, value: Int, unit: StaticString)] {
    [
      ("messageBytes", messageBytes, "Bytes of one message."),
      ("depth", depth, "Nested arrays and objects."),
      ("batchItems", batchItems, "Requests in one batch."),
      ("idBytes", idBytes, "Bytes of a request's id."),
      ("responseBytes", responseBytes, "Bytes of one result, and of all results of a batch together."),
      ("inFlightPerConnection", inFlightPerConnection, "Requests of one connection that have no reply yet."),
      ("inFlightPerUID", inFlightPerUID, "Requests of one user that have no reply yet."),
      ("connections", connections, "Open connections."),
      ("connectionsPerUID", connectionsPerUID, "Open connections of one user."),
      (
        "queuedBytesPerConnection", queuedBytesPerConnection,
        "Bytes of replies that wait for one connection to read them."
      ),
      ("queuedBytesPerUID", queuedBytesPerUID, "Bytes of replies that wait for one user to read them."),
      ("heldBytesPerUID", heldBytesPerUID, "Bytes of one user's unfinished messages, forms and params in flight."),
      ("stalledSeconds", stalledSeconds, "Seconds that a connection may leave waiting replies unread."),
      ("idleSeconds", idleSeconds, "Seconds without a request; 0: no limit."),
      ("requestsPerSecondPerUID", requestsPerSecondPerUID, "Requests of one user per second; 0: no limit."),
      ("requestSeconds", requestSeconds, "Seconds that a request may take."),
    ]
  }
}
