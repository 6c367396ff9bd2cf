internal import WireProtocols

/// Work that another thread or task does for the event loop, and whose answer comes back to the loop.
extension Connection {
  func begin(_ deferred: DeferredWork, _ loop: EventLoop) {
    switch deferred.kind {
    case .computing(let compute):
      parts.offloadThreads.answer(compute, of: caller.uid) { [handle = loop.handle, place] answer in
        handle.post(.answered(place, deferred.number, answer))
      }
    case .waiting(let work): begin(deferred.number, work, in: parts.work, on: nil, loop)
    case .lookingUp(let work):
      begin(deferred.number, work, in: loop.handle.lookUps, on: loop.executor(of: user), loop)
    }
  }

  private func begin(
    _ number: Int, _ work: @escaping @Sendable (@escaping DeferredWork.Turn) async -> any Sendable, in queue: WorkQueue,
    on executor: LoopExecutor?, _ loop: EventLoop
  ) {
    if timers.deadlines.add(number, at: loop.now) { schedule(loop) }
    queue.submit(
      { [handle = loop.handle, place, uid = caller.uid] in
        let answer = await work { await queue.turn(of: uid) }
        handle.post(.answered(place, number, answer))
      }, of: caller.uid, on: executor)
  }

  /// Takes the answer of deferred work.
  func take(_ answer: any Sendable, to number: Int, _ loop: EventLoop) {
    timers.deadlines.end(number)
    session.take(answer, to: number) { begin($0, loop) }
    guard state.phase == .closed else { return loop.serveSoon(self) }
    session.removeOutput()
    loop.forgetIfDone(self)
  }
}
