/// What does not end where it began: a batch of many turns, and a text that is answered elsewhere.
extension Conversation {
  mutating func goOnWithBatch(
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

  /// What `receive` has left to be answered elsewhere; whoever takes it hands its answer to `comeBack`.
  package mutating func takeCostlyText() -> CostlyText? { costlyText.take() }

  /// A costly text has been answered: its connection may be gone on with.
  package mutating func comeBack(
    _ text: CostlyText, _ answer: CostlyText.Answer, into output: inout JSONWriter, begin: (PendingReply) -> Void
  ) {
    guard isAway else { return }
    isAway = false
    if isAbandoned {
      // what it would begin nobody has begun, and nobody waits for it
      requests.account.end(1)
    } else if requests.batch != nil {
      requests.takeItem(answer, to: text)
    } else {
      let start = beginReply(output)
      let outcome = requests.take(answer, to: text, &output)
      end(outcome, start, &output, begin)
    }
    requests.tellObserver()
    if requests.session.isWaiting { sendNotifications(into: &output) }
  }
}
