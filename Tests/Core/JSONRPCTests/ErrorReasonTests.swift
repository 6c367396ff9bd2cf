import Testing

@testable import JSONRPC

@Suite("Error reasons")
struct ErrorReasonTests {
  /// The table of contract §4, written out a second time, so that a slip of the finger is seen.
  static let table: [(code: Int, reason: String)] = [
    (-32700, "rpc.parse"), (-32600, "rpc.invalidRequest"), (-32601, "rpc.methodNotFound"),
    (-32602, "rpc.invalidParams"),
    (-32603, "rpc.internal"), (-32000, "server.draining"), (-32001, "access.denied"), (-32002, "request.timeout"),
    (-32003, "rate.limited"), (-32007, "request.tooLarge"), (-32007, "request.tooDeep"), (-32008, "response.tooLarge"),
    (-32009, "server.busy"), (-32010, "batch.tooLarge"), (-32800, "request.cancelled"), (1001, "validation.failed"),
    (1002, "email.taken"), (1003, "credentials.rejected"), (1004, "account.notFound"), (1005, "account.disabled"),
    (1006, "request.conflict"), (1007, "form.notFound"), (1008, "account.pending"), (2001, "network.offline"),
    (2002, "network.unavailable"), (2003, "network.timeout"), (2004, "network.emptyResponse"),
    (2005, "network.malformedResponse"), (2006, "network.rejected"), (2007, "network.untrusted"),
    (2008, "network.failed"),
    (3001, "store.unavailable"), (3002, "store.full"), (3003, "store.readOnly"),
  ]

  @Test("codes and reasons are the contract's, all of them and no others")
  func contract() {
    #expect(ErrorReason.allCases.map(\.rawValue) == Self.table.map(\.reason))
    #expect(ErrorReason.allCases.map(\.code) == Self.table.map(\.code))
  }
}
