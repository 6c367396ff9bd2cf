internal import JSONRPC

/// `limits`: how much callers may ask for.
package struct LimitSettings: Equatable, Sendable {
  package var messageBytes: Int
  package var depth: Int
  package var batchItems: Int
  package var inFlightPerConnection: Int
  package var connections: Int

  init(_ reader: inout SettingsReader) {
    messageBytes = reader.integer("limits.messageBytes", default: 1_048_576, 1024...268_435_456)
    depth = reader.integer("limits.depth", default: 64, 4...10_000)
    batchItems = reader.integer("limits.batchItems", default: 100, 1...100_000)
    inFlightPerConnection = reader.integer("limits.inFlightPerConnection", default: 64, 1...10_000)
    connections = reader.integer("limits.connections", default: 4096, 1...1_000_000)
  }

  var limits: Limits {
    Limits(
      messageBytes: messageBytes, depth: depth, batchItems: batchItems, inFlightPerConnection: inFlightPerConnection,
      connections: connections)
  }
}
