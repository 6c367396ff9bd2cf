/// What methods have to tell that nobody asked for (notifications, JSON-RPC 2.0 §4.1).
extension Conversation {
  /// Whether methods have something to tell that nobody asked for.
  package var hasNotifications: Bool { requests.session.isWaiting }

  /// Sends it.
  @inline(never)
  package func sendNotifications(into output: inout JSONWriter) {
    for text in requests.session.takeTexts() { send(text, &output) }
  }
}
