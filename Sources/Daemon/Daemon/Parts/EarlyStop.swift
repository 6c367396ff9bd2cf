internal import Linux

/// Catches SIGTERM and SIGINT from before the socket is bound until the service group handles signals. Otherwise they
/// would end the process at once and leave the socket's file behind.
enum EarlyStop {
  static func listen() { NotedSignal.listen(for: [.terminate, .interrupt], once: false) }

  /// Sends a caught signal again, to the service group, which handles signals from now on.
  static func handOver() {
    if NotedSignal.take() != nil { Signal.terminate.send(to: ThisProcess.id) }
  }
}
