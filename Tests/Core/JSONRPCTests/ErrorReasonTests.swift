import Testing

@testable import JSONRPC

@Suite("Error reasons of the protocol")
struct ErrorReasonTests {
  /// A second copy, so that a typo fails the test.
  static let table: [(code: Int, reason: String)] = [
    (-32700, "rpc.parse"), (-32600, "rpc.invalidRequest"), (-32601, "rpc.methodNotFound"),
    (-32602, "rpc.invalidParams"),
    (-32603, "rpc.internal"), (-32000, "server.draining"), (-32001, "access.denied"), (-32002, "request.timeout"),
    (-32003, "rate.limited"), (-32007, "request.tooLarge"), (-32007, "request.tooDeep"), (-32008, "response.tooLarge"),
    (-32009, "server.busy"), (-32010, "batch.tooLarge"), (-32800, "request.cancelled"),
  ]

  @Test("codes and reasons on the wire match this fixed table")
  func names() {
    #expect(ErrorReason.ofProtocol.map(\.name) == Self.table.map(\.reason))
    #expect(ErrorReason.ofProtocol.map(\.code) == Self.table.map(\.code))
  }
}
