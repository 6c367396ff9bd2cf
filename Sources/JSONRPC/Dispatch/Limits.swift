/// How much one message may ask for. Each limit is a configuration key and has an error of its own.
package struct Limits: Equatable, Sendable {
  /// Bytes of one message.
  package var messageBytes: Int
  /// Arrays and objects open at once.
  package var depth: Int
  /// Requests in one batch.
  package var batchItems: Int
  /// Requests of one connection that have no reply yet; past it regd reads no further.
  package var inFlightPerConnection: Int
  /// Connections at once.
  package var connections: Int

  package init(
    messageBytes: Int = 1 << 20, depth: Int = 64, batchItems: Int = 100, inFlightPerConnection: Int = 64,
    connections: Int = 4096
  ) {
    self.messageBytes = messageBytes
    self.depth = depth
    self.batchItems = batchItems
    self.inFlightPerConnection = inFlightPerConnection
    self.connections = connections
  }
}
