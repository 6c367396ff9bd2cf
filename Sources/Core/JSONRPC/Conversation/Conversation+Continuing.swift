/// What does not end where it began: a batch of many turns, and a call that a worker thread answers.
extension Conversation {
  mutating func continueBatch(
    _ output: inout JSONWriter, _ allowance: inout Allowance, _ begin: (PendingReply) -> Void
  ) {
    let start = beginReply(output)
    let outcome = requests.goOn(with: JSONView(batchText.bytes, batchTape), &output, &allowance)
    end(outcome, start, &output, begin)
    if requests.batch == nil {
      batchText.removeAll()
      batchTape.shrink()
    }
    if requests.session.isWaiting { sendNotifications(into: &output) }
  }

  /// Hands over the call that `receive` has left to a worker thread; its answer is to be given to `resume`.
  package mutating func takeOffloadedCall() -> OffloadedCall? { offloadedCall.take() }

  /// Continues with the answer to an offloaded call.
  package mutating func resume(
    _ call: OffloadedCall, with answer: OffloadedCall.Answer, into output: inout JSONWriter,
    begin: (PendingReply) -> Void
  ) {
    guard isOffloading else { return }
    isOffloading = false
    if isAbandoned {
      // the connection has gone: what the call would begin is not begun
      requests.usage.end(1)
    } else if requests.batch != nil {
      requests.takeItem(answer, to: call)
    } else {
      let start = beginReply(output)
      let outcome = requests.take(answer, to: call, &output)
      end(outcome, start, &output, begin)
    }
    requests.flushResults()
    if requests.session.isWaiting { sendNotifications(into: &output) }
  }
}
