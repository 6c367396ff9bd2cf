internal import WireProtocols

/// Continues work that outlasts one turn of the connection on the event loop: a long batch, and a call on a worker
/// thread.
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

  /// Takes the call that `receive` left for a worker thread. Returns nil if no call was left. The connection passes
  /// the thread's answer to `resume`.
  package mutating func takeOffloadedCall() -> OffloadedCall? { offloadedCall.take() }

  /// Continues with the answer to an offloaded call.
  package mutating func resume(
    _ call: OffloadedCall, with answer: OffloadedCall.Answer, into output: inout JSONWriter,
    begin: (PendingReply) -> Void
  ) {
    guard isOffloading else { return }
    isOffloading = false
    if isAbandoned {
      // the connection has closed: work that the answer would begin does not begin
      requests.quota.end(1)
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
