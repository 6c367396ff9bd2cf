import TestDoubles
import Testing
import WireProtocols

@testable import JSONRPC

/// Tests work that ignores cancellation, such as a call that waits for a silent database.
@Suite("Work that returns after the deadline", .timeLimit(.minutes(10)))
struct LateWorkTests: Talking {
  /// Holds the work of requests until the test opens it.
  private actor Held {
    private var isOpen = false
    private var held: [CheckedContinuation<Void, Never>] = []
    private var watcher: (count: Int, continuation: CheckedContinuation<Void, Never>)?

    func wait() async {
      guard !isOpen else { return }
      await withCheckedContinuation { continuation in
        held.append(continuation)
        guard let watcher, held.count >= watcher.count else { return }
        watcher.continuation.resume()
        self.watcher = nil
      }
    }

    /// Returns as soon as `count` requests are held.
    func reached(_ count: Int) async {
      guard held.count < count else { return }
      await withCheckedContinuation { watcher = (count, $0) }
    }

    func open() {
      isOpen = true
      for continuation in held { continuation.resume() }
      held = []
    }
  }

  private static func method(_ name: StaticString, commits: Bool, _ held: Held) -> Method {
    Method(
      name, "Returns once the test lets it.",
      .suspending { _, _ in
        { cancellation in
          if commits, !cancellation.beginCommit() { return .error(.cancelled) }
          await held.wait()
          return .result { $0.value("\(name)") }
        }
      })
  }

  private var table: MethodTable {
    MethodTable([
      Self.method("hangs", commits: false, held), Self.method("commits", commits: true, held),
      Method("now", "Answers at once.", .immediate { _, _, result in result.value("done") }),
      Method("soon", "Answers soon.", .suspending { _, _ in { _ in .result { $0.value("soon") } } }),
    ])
  }

  private let held = Held()

  private func caller(_ limits: Limits = Limits()) -> Talk {
    Talk(Dispatcher(table: table, limits: limits), limits: limits)
  }

  /// Begins the work of the first reply, and waits until `count` of its requests hang.
  private func begin(_ talk: Talk, _ count: Int = 1) async -> (PendingReply, Task<[UInt8]?, Never>) {
    let reply = talk.takeFirst()
    let work = Task { await reply.finish(width: 64) }
    await held.reached(count)
    return (reply, work)
  }

  private func end(_ talk: Talk, _ begun: (reply: PendingReply, work: Task<[UInt8]?, Never>)) async -> String {
    await held.open()
    talk.complete(begun.reply, await begun.work.value)
    return talk.receive()
  }

  @Test(
    "the caller gets request.timeout at the deadline, nothing afterwards, and the request counts until its work ends")
  func hangs() async {
    let talk = caller()
    talk.send(request("1", "hangs"))
    let begun = await begin(talk)
    talk.expire(begun.0.number, afterSeconds: 3)
    #expect(talk.receive().contains(#""id":1,"error":{"code":-32002"#))
    #expect(talk.inFlight == 1 && talk.usedInFlight == 1)
    talk.expire(begun.0.number, afterSeconds: 3)
    // the id is free, and a later request keeps it when the late work ends
    talk.send(request("1", "soon"))
    #expect(await end(talk, begun) == "")
    #expect(talk.inFlight == 1)
    talk.send(request("1", "now"))
    #expect(talk.receive().contains("-32600"))
    await talk.settle()
    #expect(talk.receive() == #"{"jsonrpc":"2.0","id":1,"result":"soon"}"# + "\n")
    #expect(talk.inFlight == 0 && talk.usedInFlight == 0 && talk.heldBytes == 0)
  }

  @Test("at the end of the shutdown time, the caller gets server.draining at once")
  func stops() async {
    let talk = caller()
    talk.send(request("1", "hangs"))
    let begun = await begin(talk)
    talk.hurry()
    #expect(talk.receive().contains(#""id":1,"error":{"code":-32000"#))
    #expect(await end(talk, begun) == "")
  }

  @Test("a batch is answered at the deadline with the responses that are ready")
  func batch() async {
    let talk = caller()
    talk.send("[\(request("1", "now")),\(request("2", "soon")),\(request("3", "hangs")),\(request("4", "hangs"))]")
    let reply = talk.takeFirst()
    // one at a time: the second is done when the third hangs, and the fourth has not begun
    let work = Task { await reply.finish(width: 1) }
    await held.reached(1)
    talk.expire(reply.number, afterSeconds: 3)
    let answers = talk.receive()
    #expect(
      answers.hasPrefix(
        #"[{"jsonrpc":"2.0","id":1,"result":"done"},{"jsonrpc":"2.0","id":2,"result":"soon"},{"jsonrpc":"2.0","id":3,"error"#
      ))
    #expect(answers.contains(#""id":4,"error":{"code":-32002"#) && answers.hasSuffix("]\n"))
    #expect(await end(talk, (reply, work)) == "")
    #expect(talk.usedInFlight == 0)
  }

  @Test("a request that may have changed something gets its own reply, alone and in a batch")
  func commits() async {
    let single = caller()
    single.send(request("1", "commits"))
    let begun = await begin(single)
    single.expire(begun.0.number, afterSeconds: 3)
    #expect(single.receive() == "")
    #expect(await end(single, begun) == #"{"jsonrpc":"2.0","id":1,"result":"commits"}"# + "\n")

    let stage = LateWorkTests()
    let talk = stage.caller()
    talk.send("[\(request("1", "commits")),\(request("2", "hangs"))]")
    let both = await stage.begin(talk, 2)
    talk.expire(both.0.number, afterSeconds: 3)
    #expect(talk.receive() == "")
    let reply = await stage.end(talk, both)
    #expect(
      reply.hasPrefix(#"[{"jsonrpc":"2.0","id":1,"result":"commits"},{"jsonrpc":"2.0","id":2,"error":{"code":-32002"#))
  }

  @Test("a notification gets no reply at its deadline")
  func notification() async {
    let talk = caller()
    talk.send(#"{"jsonrpc":"2.0","method":"hangs"}"#)
    let begun = await begin(talk)
    talk.expire(begun.0.number, afterSeconds: 3)
    #expect(talk.receive() == "")
    #expect(await end(talk, begun) == "")
  }

  @Test("late requests do not block a connection up to a bound, beyond which new requests get server.busy")
  func bound() async {
    let talk = caller(Limits(inFlightPerConnection: 1))
    for id in 1...8 {
      talk.send(request("\(id)", "soon"))
      talk.expire(talk.pending.last?.number ?? 0, afterSeconds: 3)
      #expect(talk.receive().contains(#""id":\#(id),"error":{"code":-32002"#))
    }
    talk.send(request("9", "soon"))
    let refusal = talk.receive()
    #expect(refusal.contains(#""reason":"server.busy""#) && refusal.contains(#""limit":8"#))
    await talk.settleFirst()
    talk.send(request("10", "soon"))
    await talk.settle()
    #expect(talk.receive().hasSuffix(#"{"jsonrpc":"2.0","id":10,"result":"soon"}"# + "\n"))
    #expect(talk.inFlight == 0)
  }
}
