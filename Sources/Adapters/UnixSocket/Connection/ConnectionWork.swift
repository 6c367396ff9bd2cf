internal import JSONRPC

/// Work that leaves the event loop and comes back: slow requests, and texts that other threads parse.
extension Connection {
  func begin(_ pending: PendingReply, _ loop: EventLoop) {
    if timers.deadlines.add(pending.number, at: loop.now) { schedule(loop) }
    let (width, uid) = (limits.inFlightPerConnection, caller.uid)
    let work = pending.isLookUp ? loop.handle.lookUps : parts.work
    work.submit(
      { [handle = loop.handle, place] in
        let response = await pending.finish(width: width) { await work.turn(of: uid) }
        handle.post(.completed(place, pending, response))
      }, of: uid, on: pending.isLookUp ? loop.executor(of: user) : nil)
  }

  func offload(_ call: OffloadedCall, _ loop: EventLoop) {
    parts.offloadThreads.answer(call, of: caller.uid) { [handle = loop.handle, place] answer in
      handle.post(.answered(place, call, answer))
    }
  }

  /// An offloaded call was answered.
  func resume(_ call: OffloadedCall, _ answer: OffloadedCall.Answer, _ loop: EventLoop) {
    conversation.resume(call, with: answer, into: &output) { begin($0, loop) }
    goOn(loop)
  }

  /// A slow request has its response.
  func complete(_ pending: PendingReply, _ response: [UInt8]?, _ loop: EventLoop) {
    conversation.complete(pending, response, into: &output)
    timers.deadlines.forget(besides: conversation.inFlight) { conversation.isInFlight($0) }
    goOn(loop)
  }

  private func goOn(_ loop: EventLoop) {
    guard state.phase == .closed else { return loop.serveSoon(self) }
    output.removeAll()
    loop.forgetIfDone(self)
  }
}
