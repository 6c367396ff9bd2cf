import Synchronization
import TestDoubles
import Testing
import Tracing
import WireProtocols

@testable import JSONRPC

@Suite("Traces of requests")
struct TraceTests: Talking {
  /// The traces under which methods ran.
  private final class Seen: Sendable {
    private let list = Mutex<[Trace?]>([])
    func add() { list.withLock { $0.append(Trace.current) } }
    var all: [Trace?] { list.withLock { $0 } }
  }

  private func talk(_ seen: Seen) -> Talk {
    Talk(
      Dispatcher(
        table: MethodTable([
          Method(
            "takes.time", "Answers later.",
            .suspending { _, _ in
              { _ in
                seen.add()
                return .result { $0.value(true) }
              }
            }),
          Method(
            "is.quick", "Answers at once.",
            .immediate { _, _, result in
              seen.add()
              result.value(true)
            }),
        ]), limits: Limits()))
  }

  @Test("a method that answers at once runs without a trace, to save time")
  func quick() {
    let seen = Seen()
    let talk = talk(seen)
    talk.send(request("1", "is.quick"))
    #expect(talk.receive().contains("true"))
    #expect(seen.all.map { $0 == nil } == [true])
  }

  @Test("each request that takes time has a trace with its own id, method and caller, even in a batch")
  func later() async {
    let seen = Seen()
    let talk = talk(seen)
    let call = request("1", "takes.time")
    talk.send(call)
    await talk.settle()
    talk.send("[\(request("2", "takes.time")),\(request("3", "takes.time"))]")
    await talk.settle()
    let traces = seen.all.compactMap { $0 }
    #expect(traces.count == 3)
    #expect(Set(traces.map(\.id)).count == 3)
    #expect(traces.allSatisfy { "\($0.operation)" == "takes.time" && $0.caller == .init(uid: 7, pid: 9) })
  }
}
