internal import CSimulation
internal import RegdClient

/// Finds the requests to which regd's replies belong, and checks the replies by their form.
extension Callers {
  /// Handles a text that regd has sent to a caller.
  func take(_ text: [UInt8], _ caller: SimulatedCaller) {
    let line = String(decoding: text, as: UTF8.self)
    Transcript.only.note("caller \(caller.number) reads \(line)")
    hold(.secrets, !Leaks.isLeak(line), line)
    if caller.collected != nil { return }
    guard let value = JSONValue(text) else { return hold(.oneReply, false, "no JSON came: \(line)") }
    if value["method"] != nil { return caller.notices.append(value) }
    if let replies = value.array { return takeBatch(replies, caller) }
    if value["id"] == .null { return takeNull(value, caller) }
    takeReply(value, caller)
  }

  private func takeReply(_ reply: JSONValue, _ caller: SimulatedCaller) {
    let id = reply["id"]?.text ?? "none"
    let candidates = caller.waiting.indices.filter { caller.waiting[$0].id == id }
    guard let first = candidates.first else {
      return hold(.oneReply, false, "caller \(caller.number) has a reply too many: \(reply.text)")
    }
    // if two requests have one id, the ping is the second one, which regd may have refused because of that
    let isPing = reply["result"] == .string("pong") || reply["error"]?["code"]?.integer == -32600
    let ping = candidates.first { caller.waiting[$0].method == "rpc.ping" }
    let place =
      candidates.count > 1 && isPing
      ? ping ?? first : candidates.first { isPing == (caller.waiting[$0].method == "rpc.ping") } ?? first
    if candidates.count > 1, isPing {
      hold(.idInFlight, reply["error"] != nil, "\(id) is in flight, and its second request is answered")
    }
    let request = caller.waiting.remove(at: place)
    hold(.oneReply, (reply["result"] == nil) != (reply["error"] == nil), "neither a result nor an error: \(reply.text)")
    hold(.echo, reply["id"]?.text == request.id, "\(reply.text) for \(request.id)")
    if let reason = Request.End.reply(reply).reason { oracle.judgeFailure(reason, request, caller) }
    if !caller.isAccepted, faultLog.hasWaited(caller) {
      hold(.accepted, true, "")
      caller.queuedUntil = faultLog.shortages.descriptors.last
    }
    caller.isAccepted = true
    let limit = Int64(scenario.terms.requestSeconds + 3) * 1_000_000_000
    if !faultLog.hasSlowLine, schedule.phase != .draining {
      let since = max(request.since, caller.readsAgain, daemons.all[caller.daemon].wakesAt, caller.queuedUntil)
      hold(
        .inTime, simulated_now() - since < limit + 2_000_000_000,
        "\(request.method) took \(simulated_now() - since) ns")
    }
    request.end(.reply(reply))
  }

  private func takeBatch(_ replies: [JSONValue], _ caller: SimulatedCaller) {
    let ids = replies.map { $0["id"]?.text ?? "none" }
    guard let place = caller.batches.firstIndex(of: ids) else {
      return hold(.batch, false, "\(ids) is the order of none of \(caller.batches)")
    }
    tally.met(.batch)
    caller.batches.remove(at: place)
    for reply in replies { takeReply(reply, caller) }
  }

  private func takeNull(_ reply: JSONValue, _ caller: SimulatedCaller) {
    let isExpected = caller.nulls > 0 && reply["error"]?["code"]?.integer == -32700
    if isExpected { caller.nulls -= 1 }
    let isDraining = reply["error"]?["data"]?["reason"]?.string == "server.draining"
    hold(.goesOn, isExpected || isDraining, "an error without an id: \(reply.text)")
  }
}

extension Request.End {
  var result: JSONValue? { if case .reply(let reply) = self { reply["result"] } else { nil } }
  /// The reason of an error, or nil for a result, and without a reply.
  var reason: String? {
    guard case .reply(let reply) = self, let error = reply["error"] else { return nil }
    return error["data"]?["reason"]?.string ?? "none"
  }
  var error: JSONValue? { if case .reply(let reply) = self { reply["error"] } else { nil } }
  /// Whether the reply was lost, so that regd may still do what was requested.
  var isLost: Bool { if case .lost = self { true } else { false } }
  var isPending: Bool { error?["data"]?["pending"] == .bool(true) }
}
