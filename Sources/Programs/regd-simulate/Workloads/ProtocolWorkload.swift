internal import RegdClient

/// Callers who try out the wire protocol: batches, texts that are not JSON, ids that are in use.
final class ProtocolWorkload: Workload {
  let oracle: Oracle
  let callers: Callers
  private let seed: UInt64

  init(_ callers: Callers, seed: UInt64) { (self.callers, oracle, self.seed) = (callers, callers.oracle, seed) }

  func act(_ kind: Action.Kind, _ chance: inout Chance) {
    if kind == .twins { return beginTwins(&chance) }
    guard let caller = caller(&chance) else { return }
    switch kind {
    case .pings: for _ in 0..<chance.within(1...4) { ping(caller, &chance) }
    case .batch:
      let texts = (0..<chance.within(1...6)).map { _ in pingText(caller, &chance) }
      callers.sayBatch(texts, caller, &chance)
    case .garbage:
      tally.met(.garbage)
      caller.nulls += 1
      caller.queue("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":}\n")
      tally.met(.goesOn)
      ping(caller, &chance)
    case .sameId:
      guard let other = caller.waiting.last, !caller.batches.contains(where: { $0.contains(other.id) }),
        other.method != "rpc.ping"
      else { return }
      say(pingText(caller, id: other.id, &chance), caller, &chance)
    default:
      guard let other = caller.waiting.last(where: { $0.method == "registration.register" }) else { return }
      tally.met(.cancel)
      if chance.once(in: 2) {
        ask("rpc.cancel", "{\"id\":\(other.id)}", caller, &chance) { [unowned self] end in
          if case .reply = end {
            hold(.oneReply, end.result != nil || end.reason == "server.draining", "rpc.cancel has no result")
          }
        }
      } else {
        say("{\"jsonrpc\":\"2.0\",\"method\":\"$/cancelRequest\",\"params\":{\"id\":\(other.id)}}", caller, &chance)
      }
    }
  }

  private func ping(_ caller: SimulatedCaller, _ chance: inout Chance) {
    say(pingText(caller, &chance), caller, &chance)
  }

  private func pingText(_ caller: SimulatedCaller, id: String? = nil, _ chance: inout Chance) -> String {
    request("rpc.ping", "null", caller, id: id, &chance) { [unowned self] end in
      guard case .reply(let reply) = end else { return }
      let isRefused = end.reason == "server.draining" || end.reason == "rpc.invalidRequest"
      hold(.oneReply, end.result == .string("pong") || isRefused, "rpc.ping has \(reply.text)")
    }
  }

  /// Begins two callers that send the same bytes in different pieces, and must get the same replies.
  private func beginTwins(_ chance: inout Chance) {
    let pieces = [
      "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"rpc.ping\"}\n",
      "{\"jsonrpc\":\"2.0\",\"id\":2,\n\"method\":\"rpc.ping\"}",
      "{\"jsonrpc\":\"2.0\",\"id\":\"\\u0061\",\"method\":\"no.such\"}",
      "[{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"rpc.ping\"},1]\n",
      "{\"a\":}\n", "{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"rpc.ping\",\"params\":{\"x\":1}}\n", "[]\n",
      "nonsense\n",
      "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"registration.validate\",\"params\":{\"email\":\"a@b\",\"password\":\"x\"}}\n",
    ]
    let text = (0..<chance.within(2...8)).map { _ in chance.one(of: pieces) }.joined()
    var same = Chance(seed: seed, purpose: 7)
    var pair: [SimulatedCaller] = []
    for pace in [SimulatedCaller.Pace.whole, .drip] {
      guard let caller = callers.connect(&same, uid: 1001, pace: pace, isFramed: false, daemon: pair.first?.daemon)
      else {
        return
      }
      caller.collected = []
      caller.queue(text)
      caller.closesSoon = true
      pair.append(caller)
    }
    callers.watch(pair[0], pair[1])
  }
}
