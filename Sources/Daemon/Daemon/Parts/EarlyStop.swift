internal import Glibc
internal import Synchronization

/// Notes SIGTERM and SIGINT from before the socket is bound until the service group handles them: by default they would end the
/// process there and leave the socket's file behind.
enum EarlyStop {
  private static let isAsked = Atomic<Bool>(false)

  /// From now on the two signals are noted.
  static func listen() {
    // the first look makes it: a signal's handler may not
    _ = isAsked.load(ordering: .relaxed)
    for number in [SIGTERM, SIGINT] { signal(number) { _ in EarlyStop.isAsked.store(true, ordering: .relaxed) } }
  }

  /// To be called when others listen: what was heard before is said to them.
  static func handOver() {
    if isAsked.exchange(false, ordering: .relaxed) { kill(getpid(), SIGTERM) }
  }
}
