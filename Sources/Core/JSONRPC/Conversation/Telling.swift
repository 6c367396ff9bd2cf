/// What methods have to tell that nobody asked for (notifications, JSON-RPC 2.0 §4.1).
extension Conversation {
  /// Whether methods have something to tell that may be sent now. Mostly it is about what a reply says, and comes behind
  /// it: not while a text is answered elsewhere, and beside a batch only where so much waits that it goes no further.
  ///
  /// - Parameter room: Bytes that may wait.
  package func hasNotifications(within room: Int) -> Bool {
    let session = requests.session
    guard session.isWaiting, !isAway else { return false }
    return requests.batch == nil || session.waitingBytes >= room
  }

  /// Whether the batch that is under way may go on: what its items have told is not more than there is room for.
  package func batchHasRoom(besides bytes: Int, within room: Int) -> Bool {
    !requests.session.isWaiting || bytes + requests.session.waitingBytes < room
  }

  /// Sends it.
  @inline(never)
  package func sendNotifications(into output: inout JSONWriter) {
    guard !isAway, requests.batch == nil else { return }
    tell(into: &output)
  }

  /// Sends it, beside a batch too.
  package func tell(into output: inout JSONWriter) {
    for text in requests.session.takeTexts() { send(text, &output) }
  }
}
