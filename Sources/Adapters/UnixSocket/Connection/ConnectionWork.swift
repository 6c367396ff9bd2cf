internal import Dialogues

/// Work that another thread or task does for the event loop, and whose answer comes back to the loop.
extension Connection {
  func begin(_ question: Question, _ loop: EventLoop) {
    switch question.work {
    case .computing(let compute):
      parts.offloadThreads.answer(compute, of: caller.uid) { [handle = loop.handle, place] answer in
        handle.post(.answered(place, question.number, answer))
      }
    case .waiting(let work): begin(question.number, work, in: parts.work, on: nil, loop)
    case .lookingUp(let work):
      begin(question.number, work, in: loop.handle.lookUps, on: loop.executor(of: user), loop)
    }
  }

  private func begin(
    _ number: Int, _ work: @escaping @Sendable (@escaping Question.Turn) async -> any Sendable, in queue: WorkQueue,
    on executor: LoopExecutor?, _ loop: EventLoop
  ) {
    if timers.deadlines.add(number, at: loop.now) { schedule(loop) }
    queue.submit(
      { [handle = loop.handle, place, uid = caller.uid] in
        let answer = await work { await queue.turn(of: uid) }
        handle.post(.answered(place, number, answer))
      }, of: caller.uid, on: executor)
  }

  /// Takes the answer to a question.
  func take(_ answer: any Sendable, to number: Int, _ loop: EventLoop) {
    timers.deadlines.end(number)
    dialogue.take(answer, to: number) { begin($0, loop) }
    guard state.phase == .closed else { return loop.serveSoon(self) }
    dialogue.removeOutput()
    loop.forgetIfDone(self)
  }
}
