import TestDoubles
import Testing

@testable import JSONRPC

@Suite("Cancelling in a conversation")
struct CancellationTests: Talking {
  @Test("a cancelled request gets request.cancelled, and cancelling an unknown request has no effect")
  func cancels() async {
    let talk = talk()
    talk.send(request("1", "waits"))
    talk.send(#"{"jsonrpc":"2.0","method":"rpc.cancel","params":{"id":2}}"#)
    talk.send(request("3", "rpc.cancel", "{\"id\":1}"))
    talk.send(request("4", "rpc.cancel", "{\"id\":null}") + request("5", "rpc.cancel", "[\"1\"]"))
    let answers = talk.receive().split(separator: "\n")
    #expect(answers.first == #"{"jsonrpc":"2.0","id":3,"result":{}}"#)
    #expect(answers.count == 3 && answers[1].contains("-32602") && answers[1].contains(#""field":"id""#))
    #expect(answers.last == #"{"jsonrpc":"2.0","id":5,"result":{}}"#)
    await talk.settle()
    #expect(
      talk.receive()
        == #"{"jsonrpc":"2.0","id":1,"error":{"code":-32800,"message":"The request was cancelled before it had any effect.","data":{"reason":"request.cancelled","retryable":true}}}"#
        + "\n")
  }

  @Test("a batch item can cancel an earlier item, and cancelled work does not start")
  func cancelsWithinBatch() async {
    let talk = talk()
    talk.send("[\(request("1", "waits")),\(request("2", "rpc.cancel", "[1]"))]")
    await talk.settle()
    #expect(talk.receive().contains(#""id":1,"error":{"code":-32800"#))
    let cancellation = Cancellation()
    cancellation.cancel(.caller)
    let work: Method.Work = { _ in
      Issue.record("it was begun")
      return .result { $0.null() }
    }
    #expect(await cancellation.runAlone(work) == .error(.cancelled))
  }

  @Test("the ids of a batch stay in flight until the whole batch is answered")
  func idsOfBatch() async {
    let talk = talk()
    talk.send("[\(request("1", "now")),\(request("2", "later", "[\"x\"]"))]" + request("1", "now"))
    #expect(talk.receive().contains(#""id":1,"error":{"code":-32600"#))
    await talk.settle()
    #expect(talk.receive().hasPrefix(#"[{"jsonrpc":"2.0","id":1,"result":"done"},"#))
    talk.send(request("1", "now"))
    #expect(talk.receive().contains("done"))
  }

  @Test("if a batch reuses an id in flight, the id still belongs to the first request")
  func refusedIDsOfBatch() async {
    let talk = talk()
    talk.send(request("1", "waits") + "[\(request("1", "now")),\(request("2", "later", "[\"x\"]"))]")
    // the batch ends, the first request does not
    await talk.settle(1)
    #expect(talk.receive().hasPrefix(#"[{"jsonrpc":"2.0","id":1,"error":{"code":-32600"#))
    talk.send(request("1", "now"))
    #expect(talk.receive().contains("-32600"))
    talk.send(request("3", "rpc.cancel", "[1]"))
    await talk.settle()
    #expect(talk.receive().contains(#""id":1,"error":{"code":-32800"#))
  }

  @Test("replies that wait for the rest of their batch count as waiting output")
  func waitingBytes() async {
    let talk = talk()
    let batch = "[\(request("1", "large")),\(request("2", "later", "[\"x\"]"))]"
    var allowance = Conversation.Allowance(requests: 100, outputBytes: 5000)
    #expect(talk.send(batch + request("3", "now"), within: &allowance) == batch.utf8.count)
    await talk.settle()
    #expect(talk.receive().utf8.count > 5000)
    #expect(talk.send(request("3", "now"), within: &allowance) > 0)
  }

  @Test("at the end of the shutdown time, requests get server.draining, and work that commits stops waiting")
  func hurries() async {
    let talk = talk()
    talk.send(request("1", "waits") + "[\(request("2", "waits"))]")
    talk.hurry()
    talk.send(request("3", "now"))
    await talk.settle()
    let replies = talk.receive().split(separator: "\n")
    #expect(replies.count == 3 && replies.allSatisfy { $0.contains("-32000") })
    let cancellation = Cancellation()
    #expect(cancellation.beginCommit())
    cancellation.cancel(.shutdown)
    let waiting: Method.Work = { _ in
      await Gate().wait()
      return .result { $0.value("ended its waiting") }
    }
    #expect(await cancellation.runAlone(waiting) == .result { $0.value("ended its waiting") })
  }

  @Test("cancelling one item of a batch leaves the other items running")
  func cancelsInBatch() async {
    let talk = talk()
    talk.send("[\(request("1", "waits")),\(request("\"b\"", "later", "[\"x\"]"))]")
    talk.send(#"{"jsonrpc":"2.0","method":"rpc.cancel","params":{"id":1}}"#)
    await talk.settle()
    let reply = talk.receive()
    #expect(reply.hasPrefix(#"[{"jsonrpc":"2.0","id":1,"error":{"code":-32800"#))
    #expect(reply.hasSuffix(",{\"jsonrpc\":\"2.0\",\"id\":\"b\",\"result\":\"x\"}]\n"))
  }

  @Test("a request cancelled before its commit commits nothing, and its caller cannot cancel it afterwards")
  func commits() async {
    let early = talk()
    early.send(request("1", "commits") + request("2", "rpc.cancel", "[1]"))
    await early.settle()
    #expect(early.receive().contains(#""id":1,"error":{"code":-32800"#))

    let cancellation = Cancellation()
    #expect(cancellation.beginCommit())
    cancellation.cancel(.caller)
    cancellation.cancel(.disconnection)
    #expect(cancellation.beginCommit())
    let work: Method.Work = { _ in
      // time for anything that would cancel the task
      for _ in 0..<1000 { await Task.yield() }
      return .result { $0.value(Task.isCancelled ? "disturbed" : "committed") }
    }
    #expect(await cancellation.runAlone(work) == .result { $0.value("committed") })

    let late: Method.Work = { cancellation in
      cancellation.cancel(.caller)
      return .result { $0.value(cancellation.beginCommit()) }
    }
    #expect(await Cancellation().runAlone(late) == .error(.cancelled))
    let refused = Cancellation()
    refused.cancel(.caller)
    #expect(!refused.beginCommit())
  }

  @Test("a request past its deadline gets request.timeout with the limit, and one that commits returns its own result")
  func deadline() async {
    let talk = talk()
    talk.send(request("1", "waits"))
    if let number = talk.pending.first?.number { talk.expire(number, afterSeconds: 30) }
    talk.expire(4711, afterSeconds: 30)
    let reply = talk.receive()
    await talk.settle()
    #expect(talk.receive() == "")
    #expect(reply.contains(#""code":-32002"#))
    #expect(reply.contains(#""data":{"reason":"request.timeout","retryable":true,"limit":30}"#))

    let cancellation = Cancellation()
    #expect(cancellation.beginCommit())
    cancellation.cancel(.deadline(seconds: 30))
    let waiting: Method.Work = { _ in
      await Gate().wait()
      return .result { $0.value("ended its waiting") }
    }
    #expect(await cancellation.runAlone(waiting) == .result { $0.value("ended its waiting") })
  }

  @Test("a request that was stopped during its commit but had no effect returns the reason of the stop")
  func undone() async {
    let undone: Method.Work = { _ in
      await Gate().wait()
      return .error(.cancelled)
    }
    for (reason, error) in [
      (Cancellation.Reason.deadline(seconds: 30), RPCError.requestTimeout(limit: 30)), (.shutdown, .draining),
    ] {
      let cancellation = Cancellation()
      #expect(cancellation.beginCommit())
      cancellation.cancel(reason)
      #expect(await cancellation.runAlone(undone) == .error(error))
    }
  }

  @Test("a caller that leaves cancels its requests in flight, and their deadlines send nothing")
  func abandons() async {
    let talk = talk()
    talk.send(request("1", "waits") + "[\(request("2", "waits"))]")
    talk.abandon()
    for pending in talk.pending { talk.expire(pending.number, afterSeconds: 30) }
    #expect(talk.receive() == "")
    await talk.settle()
    #expect(talk.receive().split(separator: "\n").count { $0.contains("-32800") } == 2)
  }
}

extension Cancellation {
  /// Runs the work as a loop does, in a separate task. Cancelling the work cancels its task, which would otherwise be
  /// the test's.
  fileprivate func runAlone(_ work: @escaping Method.Work) async -> Reply {
    await Task { await run(work) }.value
  }
}
