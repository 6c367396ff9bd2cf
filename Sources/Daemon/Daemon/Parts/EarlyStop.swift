internal import Linux

/// Notes SIGTERM and SIGINT from before the socket is bound until the service group handles them, because their default would
/// end the process and leave the socket's file behind.
enum EarlyStop {
  static func listen() { NotedSignal.listen(for: [.terminate, .interrupt], once: false) }

  /// Passes a noted signal to the service group, which handles signals from now on.
  static func handOver() {
    if NotedSignal.take() != nil { Signal.terminate.send(to: ThisProcess.id) }
  }
}
