internal import JSONRPC

/// `limits`: how much callers may ask for.
package struct LimitSettings: Equatable, Sendable {
  package var messageBytes: Int
  package var depth: Int
  package var batchItems: Int
  package var idBytes: Int
  package var responseBytes: Int
  package var inFlightPerConnection: Int
  package var inFlightPerUID: Int
  package var connections: Int
  package var connectionsPerUID: Int
  package var queuedBytesPerConnection: Int
  package var queuedBytesPerUID: Int
  package var heldBytesPerUID: Int
  package var stalledSeconds: Int
  package var idleSeconds: Int
  package var requestsPerSecondPerUID: Int
  package var requestSeconds: Int

  init(_ reader: inout SettingsReader) {
    messageBytes = reader.integer("limits.messageBytes", default: 1_048_576, 1024...268_435_456)
    depth = reader.integer("limits.depth", default: 64, 4...10_000)
    batchItems = reader.integer("limits.batchItems", default: 100, 1...100_000)
    idBytes = reader.integer("limits.idBytes", default: 1024, 64...65_536)
    responseBytes = reader.integer("limits.responseBytes", default: 1_048_576, 65_536...268_435_456)
    inFlightPerConnection = reader.integer("limits.inFlightPerConnection", default: 64, 1...10_000)
    inFlightPerUID = reader.integer("limits.inFlightPerUID", default: 8192, 1...1_000_000)
    connections = reader.integer("limits.connections", default: 4096, 1...1_000_000)
    connectionsPerUID = reader.integer("limits.connectionsPerUID", default: 1024, 1...1_000_000)
    queuedBytesPerConnection = reader.integer(
      "limits.queuedBytesPerConnection", default: 1_048_576, 65_536...268_435_456)
    queuedBytesPerUID = reader.integer("limits.queuedBytesPerUID", default: 8_388_608, 65_536...17_179_869_184)
    heldBytesPerUID = reader.integer("limits.heldBytesPerUID", default: 33_554_432, 65_536...17_179_869_184)
    stalledSeconds = reader.integer("limits.stalledSeconds", default: 30, 1...86_400)
    idleSeconds = reader.integer("limits.idleSeconds", default: 0, 0...31_536_000)
    requestsPerSecondPerUID = reader.integer("limits.requestsPerSecondPerUID", default: 0, 0...10_000_000)
    requestSeconds = reader.integer("limits.requestSeconds", default: 30, 1...86_400)
  }

  var limits: Limits {
    Limits(
      messageBytes: messageBytes, depth: depth, batchItems: batchItems, idBytes: idBytes, responseBytes: responseBytes,
      inFlightPerConnection: inFlightPerConnection, inFlightPerUID: inFlightPerUID, connections: connections,
      connectionsPerUID: connectionsPerUID,
      queuedBytesPerConnection: queuedBytesPerConnection, queuedBytesPerUID: queuedBytesPerUID,
      heldBytesPerUID: heldBytesPerUID,
      stalledSeconds: stalledSeconds, idleSeconds: idleSeconds, requestsPerSecondPerUID: requestsPerSecondPerUID,
      requestSeconds: requestSeconds)
  }
}
