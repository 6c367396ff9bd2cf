import TestDoubles
import Testing
import WireProtocols

@testable import JSONRPC

/// Tests callers of JSON-RPC that leave after every byte and at every stage.
@Suite("Release of callers' resources", .timeLimit(.minutes(10)))
struct GivenBackTests: Talking {
  private var wire: any WireProtocol { JSONRPCProtocol(Dispatcher(table: SampleMethods.table, limits: Limits())) }

  /// A text so costly that a worker thread reads it.
  private let costly = "[\"\(String(repeating: "\u{FDFA}", count: 30))\"]"

  @Test("regd frees all resources of a caller that leaves at any point", arguments: [false, true])
  func everywhere(_ hasHeaders: Bool) async {
    let batch = [request("4", "later", "[\"x\"]"), request("5", "weighs", costly), request("6", "looksUp", costly)]
    let texts = [
      request("1", "later", "[\"x\"]"), request("2", "looksUp", costly), request("3", "tells"),
      "[\(batch.joined(separator: ","))]", request("7", "weighs", costly), "{\"jsonrpc\":\"2.0\",\"id\":8,\"meth",
    ]
    let text = texts.map { hasHeaders ? framed($0) : $0 }.joined(separator: hasHeaders ? "" : "\n")
    #expect(await LeavingCallers(wire).leave(after: Array(text.utf8)) == [])
  }

  @Test("regd frees all resources of a caller that leaves while its requests wait or commit")
  func silent() async {
    let texts = [
      request("1", "waits"), "[\(request("2", "waits")),\(request("3", "commits"))]", request("4", "commits"),
    ]
    let text = Array(texts.joined(separator: "\n").utf8)
    #expect(await LeavingCallers(wire, isSilent: true).leave(after: text) == [])
  }
}
