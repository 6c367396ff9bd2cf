internal import Linux

/// Notes SIGTERM and SIGINT from before the socket is bound until the service group handles them: by default they would end the
/// process there and leave the socket's file behind.
enum EarlyStop {
  static func listen() { NotedSignal.listen(for: [.terminate, .interrupt], once: false) }

  /// Sends a signal that was noted to the service group, which handles signals from now on.
  static func handOver() {
    if NotedSignal.take() != nil { Signal.terminate.send(to: ThisProcess.id) }
  }
}
