internal import Glibc
internal import Synchronization

/// A signal (signal(7)).
package struct Signal: RawRepresentable, Hashable, Sendable {
  package let rawValue: Int32
  package init(rawValue: Int32) { self.rawValue = rawValue }

  package static let interrupt = Signal(rawValue: SIGINT)
  package static let terminate = Signal(rawValue: SIGTERM)
  package static let hangUp = Signal(rawValue: SIGHUP)
  package static let quit = Signal(rawValue: SIGQUIT)
  package static let kill = Signal(rawValue: SIGKILL)
  package static let stop = Signal(rawValue: SIGSTOP)
  /// Control-Z.
  package static let suspend = Signal(rawValue: SIGTSTP)
  package static let resume = Signal(rawValue: SIGCONT)
  package static let windowSize = Signal(rawValue: SIGWINCH)
  package static let brokenPipe = Signal(rawValue: SIGPIPE)
  package static let fileSizeLimit = Signal(rawValue: SIGXFSZ)

  package func send(to pid: Int32) { Glibc.kill(pid, rawValue) }

  /// Has this process ignore it.
  package func ignore() { signal(rawValue, SIG_IGN) }

  /// Has it do what it does by default.
  package func restoreDefault() { signal(rawValue, SIG_DFL) }

  /// Has it do what it does by default, now, to this process. Returns where that does not end it.
  package func takeEffect() {
    restoreDefault()
    raise(rawValue)
  }

  /// Holds the signals back from the calling thread; as errors of calls remain what they would tell.
  package static func block(_ signals: [Signal]) {
    var set = sigset_t(of: signals)
    pthread_sigmask(SIG_BLOCK, &set, nil)
  }
}

/// Signals that are only noted, and asked for when it suits.
package enum NotedSignal {
  private static let noted = Atomic<Int32>(0)

  /// - Parameter once: Whether the second one does again what it does by default.
  package static func listen(for signals: [Signal], once: Bool) {
    // the first look makes the atomic: a signal's handler may not
    _ = noted.load(ordering: .relaxed)
    for number in signals {
      var action = sigaction()
      action.__sigaction_handler.sa_handler = { NotedSignal.noted.store($0, ordering: .relaxed) }
      action.sa_flags = Int32(bitPattern: UInt32(SA_RESTART) | (once ? UInt32(SA_RESETHAND) : 0))
      sigaction(number.rawValue, &action, nil)
    }
  }

  /// The last one that came.
  package static var last: Signal? {
    let number = noted.load(ordering: .relaxed)
    return number == 0 ? nil : Signal(rawValue: number)
  }

  /// Like `last`, and forgets it.
  package static func take() -> Signal? {
    let number = noted.exchange(0, ordering: .relaxed)
    return number == 0 ? nil : Signal(rawValue: number)
  }
}

extension sigset_t {
  init(of signals: [Signal]) {
    self.init()
    sigemptyset(&self)
    for number in signals { sigaddset(&self, number.rawValue) }
  }
}
