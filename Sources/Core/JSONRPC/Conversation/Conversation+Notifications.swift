/// Notifications from methods to the caller (JSON-RPC 2.0 §4.1). Mostly they are about what a reply says, and come behind it.
extension Conversation {
  /// Whether notifications wait that may be sent now: not while a call is offloaded, and beside a batch only if so much
  /// waits that the batch cannot continue.
  ///
  /// - Parameter room: Bytes that may wait.
  package func hasNotifications(within room: Int) -> Bool {
    let session = requests.session
    guard session.isWaiting, !isOffloading else { return false }
    return requests.batch == nil || session.waitingBytes >= room
  }

  /// Whether the batch that is under way may continue: the notifications of its items leave room.
  package func batchHasRoom(besides bytes: Int, within room: Int) -> Bool {
    !requests.session.isWaiting || bytes + requests.session.waitingBytes < room
  }

  /// Sends what waits, unless a batch or an offloaded call is under way.
  @inline(never)
  package func sendNotifications(into output: inout JSONWriter) {
    guard !isOffloading, requests.batch == nil else { return }
    writeNotifications(into: &output)
  }

  /// Sends what waits, whatever is under way.
  package func writeNotifications(into output: inout JSONWriter) {
    for text in requests.session.takeTexts() { send(text, &output) }
  }
}
