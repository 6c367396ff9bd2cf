internal import CLinux
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

  /// Makes this process ignore the signal.
  package func ignore() { signal(rawValue, SIG_IGN) }

  /// Restores the signal's default action.
  package func restoreDefault() { signal(rawValue, SIG_DFL) }

  /// Takes the signal's default action on this process now. Returns only if that does not end the process.
  package func takeEffect() {
    restoreDefault()
    raise(rawValue)
  }

  /// Blocks the signals for the calling thread. While SIGPIPE is blocked, a write without a reader fails with an error.
  package static func block(_ signals: [Signal]) {
    var set = sigset_t(of: signals)
    pthread_sigmask(SIG_BLOCK, &set, nil)
  }
}

/// Handles signals by noting the latest one, for the whole process, instead of taking their default actions.
package enum NotedSignal {
  private static let noted = Atomic<Int32>(0)

  /// - Parameter once: Whether a second signal of the same kind takes its default action.
  package static func listen(for signals: [Signal], once: Bool) {
    // initializes the static here, because a signal handler must not
    _ = noted.load(ordering: .relaxed)
    for number in signals {
      var action = sigaction()
      action.__sigaction_handler.sa_handler = { NotedSignal.noted.store($0, ordering: .relaxed) }
      action.sa_flags = Int32(bitPattern: UInt32(SA_RESTART) | (once ? UInt32(SA_RESETHAND) : 0))
      sigaction(number.rawValue, &action, nil)
    }
  }

  /// The last signal that came, or nil if no signal came.
  package static var last: Signal? {
    let number = noted.load(ordering: .relaxed)
    return number == 0 ? nil : Signal(rawValue: number)
  }

  /// Returns `last` and forgets it.
  package static func take() -> Signal? {
    let number = noted.exchange(0, ordering: .relaxed)
    return number == 0 ? nil : Signal(rawValue: number)
  }
}

/// Notes SIGHUP, so that it does not end the process before the part that handles it has started.
package enum NotedHangUp {
  private static let isNoted = Atomic<Bool>(false)

  package static func listen() {
    // initializes the static here, because a signal handler must not
    isNoted.store(false, ordering: .relaxed)
    var action = sigaction()
    action.__sigaction_handler.sa_handler = { _ in NotedHangUp.isNoted.store(true, ordering: .relaxed) }
    action.sa_flags = Int32(bitPattern: UInt32(SA_RESTART))
    sigaction(SIGHUP, &action, nil)
  }

  /// Returns whether SIGHUP has come since the last call.
  package static func take() -> Bool { isNoted.exchange(false, ordering: .relaxed) }
}

extension sigset_t {
  init(of signals: [Signal]) {
    self.init()
    sigemptyset(&self)
    for number in signals { sigaddset(&self, number.rawValue) }
  }
}

/// While this value exists, the process reads signals from a descriptor instead of taking their actions (signalfd(2)).
package struct SignalDescriptor: ~Copyable {
  private let descriptor: Descriptor
  private let former: sigset_t

  /// Blocks the signals in the calling thread and in threads that it starts later. Every other thread must block them
  /// already. Otherwise such a thread may get a signal and take its action.
  package init(_ signals: [Signal]) throws(SystemError) {
    var held = sigset_t(of: signals)
    var former = sigset_t()
    descriptor = Descriptor(owning: try checked("signalfd") { signalfd(-1, &held, Int32(SFD_CLOEXEC)) })
    sigprocmask(SIG_BLOCK, &held, &former)
    self.former = former
  }

  deinit {
    var former = former
    sigprocmask(SIG_SETMASK, &former, nil)
  }

  /// For poll(2): readable once a signal has come.
  package var number: Int32 { descriptor.number }

  /// Waits for the next signal. Returns nil if it cannot be read.
  package func next() -> Signal? {
    var signal = signalfd_siginfo()
    let count = Glibc.read(descriptor.number, &signal, MemoryLayout<signalfd_siginfo>.size)
    return count > 0 ? Signal(rawValue: Int32(signal.ssi_signo)) : nil
  }
}
