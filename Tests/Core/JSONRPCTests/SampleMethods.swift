import Reasons
import Synchronization
import TestDoubles
import WireProtocols

@testable import JSONRPC

/// Methods of every kind, for conversations in tests.
enum SampleMethods {
  private static let word = Parameter("word", .string, required: true, "What to answer.")
  private static let text = Parameter("text", .string, required: true, "A text.")
  private static let id = Parameter("id", .id, required: true, "The id.")
  private static let oneOfEach = [
    Parameter("s", .string, required: false, "A string."), Parameter("i", .integer, required: false, "An integer."),
    Parameter("b", .boolean, required: false, "A boolean."), Parameter("o", .object, required: false, "An object."),
    Parameter("a", .array, required: false, "An array."),
  ]

  static let table = MethodTable([
    Method(
      "now", "Answers at once.",
      .immediate { _, _, result in
        result.value("done")
      }),
    Method(
      "later", "Answers later.", parameters: [word],
      .suspending { parameters, _ in
        let word = parameters[word]?.string ?? ""
        return { _ in .result { $0.value(word) } }
      }),
    Method(
      "all", "One of each.",
      parameters: oneOfEach,
      .immediate { parameters, _, result in
        result.value(oneOfEach.map { parameters[$0] == nil ? "-" : "x" }.joined())
      }),
    Method(
      "who", "The caller.",
      .immediate { _, session, result in
        result.value(session.caller.uid)
      }),
    Method(
      "fails", "An error.", errors: [.busy],
      .immediate { _, _, result throws(RPCError) in
        result.value("not to be seen")
        throw .busy("Too much.", retryAfter: 3)
      }),
    Method(
      "large", "A large answer.",
      .immediate { _, _, result in
        result.value(String(repeating: "x", count: 5000))
      }),
    Method(
      "largeLater", "A large answer, later.",
      .suspending { _, _ in
        { _ in .result { $0.value(String(repeating: "x", count: 5000)) } }
      }),
    Method(
      "looksUp", "Answers later, in short.", parameters: [text],
      .lookingUp { parameters, _ in
        let text = parameters[text]?.string ?? ""
        return { _ in .result { $0.value(text) } }
      }),
    // like a method whose texts are normalized
    Method(
      "weighs", "Answers elsewhere what is costly.",
      parameters: [text],
      .offloadable { parameters, session, result in
        if parameters.isCostly { return .offload }
        session.notify("weighed", stateOf: 1) { $0.value(parameters[text]?.source.count ?? 0) }
        result.value(parameters[text]?.source.count ?? 0)
        return .answered
      }),
    Method(
      "tells", "Tells a hundred bytes.",
      .immediate { _, session, result in
        session.notify("told") { $0.value(String(repeating: "x", count: 100)) }
        result.value(true)
      }),
    Method(
      "secret", "For administrators.", access: .admin,
      .immediate { _, _, result in
        result.value(true)
      }),
    // waits until it is cancelled, or its task is
    Method(
      "waits", "Does not end by itself.",
      .suspending { _, _ in
        { _ in
          await Gate().wait()
          return .result { $0.value("stopped") }
        }
      }),
    // begins to commit, and then waits
    Method(
      "commits", "Cannot be undone.",
      .suspending { _, _ in
        { cancellation in
          guard cancellation.beginCommit() else { return .result { $0.value("not begun") } }
          await Gate().wait()
          return .result { $0.value("committed") }
        }
      }),
    Method("rpc.cancel", "Cancels.", parameters: [id], .cancelling(id: id)),
    Method("rpc.discover", "Describes.", .discovering),
  ])
}

/// Waits for its task's cancellation.
struct Gate {
  func wait() async {
    let stream = AsyncStream<Void> { _ in }
    for await _ in stream {}
  }
}

/// For suites that call the sample methods.
protocol Talking {}

extension Talking {
  func talk(_ limits: Limits = Limits(), access: Access = .open) -> Talk {
    Talk(
      Dispatcher(table: SampleMethods.table, limits: limits), limits: limits,
      caller: Peer(uid: 7, gid: 8, pid: 9, access: access))
  }

  func request(_ id: String, _ method: String, _ params: String = "[]") -> String {
    "{\"jsonrpc\":\"2.0\",\"id\":\(id),\"method\":\"\(method)\",\"params\":\(params)}"
  }

  func framed(_ text: String) -> String { "Content-Length: \(text.utf8.count)\r\n\r\n\(text)" }
}
