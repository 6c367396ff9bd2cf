/// Sends notifications of methods to the caller (JSON-RPC 2.0 §4.1). Most report a state that a reply also reports, and are
/// sent after that reply.
extension Conversation {
  /// Whether notifications are waiting that can be sent now. None is sent while a worker thread answers a call. While a
  /// batch is in flight, they are sent only once they fill the room that the batch needs to continue.
  ///
  /// - Parameter room: The most bytes of notifications that may wait.
  package func hasNotifications(within room: Int) -> Bool {
    let session = requests.session
    guard session.isWaiting, !isOffloading else { return false }
    return requests.batch == nil || session.waitingBytes >= room
  }

  /// Whether the batch in flight may continue. It may not while notifications wait that, together with `bytes` of
  /// output, reach `room` bytes, unless its other items are refused.
  package func batchHasRoom(besides bytes: Int, within room: Int) -> Bool {
    requests.isRefusing || !requests.session.isWaiting || bytes + requests.session.waitingBytes < room
  }

  /// Sends the waiting notifications, unless a batch or an offloaded call is in flight.
  @inline(never)
  package func sendNotifications(into output: inout JSONWriter) {
    guard !isOffloading, requests.batch == nil else { return }
    writeNotifications(into: &output)
  }

  /// Sends the waiting notifications, whatever is in flight.
  package func writeNotifications(into output: inout JSONWriter) {
    for text in requests.session.takeTexts() { send(text, &output) }
  }
}
