internal import CLinux
internal import Glibc

/// Signals as something to read, so that a screen can be left in order before they do what they do.
struct TerminalSignals {
  /// Readable when a signal has come.
  let descriptor: Int32
  private let former: sigset_t

  static let endings = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]

  /// Holds the signals back from now on: those that end the program, that stop it and wake it, and that tell of another
  /// size.
  init() {
    var held = sigset_t()
    var former = sigset_t()
    sigemptyset(&held)
    for number in Self.endings + [SIGWINCH, SIGTSTP, SIGCONT] { sigaddset(&held, number) }
    sigprocmask(SIG_BLOCK, &held, &former)
    self.former = former
    descriptor = signalfd(-1, &held, Int32(SFD_CLOEXEC))
  }

  /// The signal that has come.
  func read() -> Int32 {
    var signal = signalfd_siginfo()
    let count = Glibc.read(descriptor, &signal, MemoryLayout<signalfd_siginfo>.size)
    return count > 0 ? Int32(signal.ssi_signo) : 0
  }

  /// Lets signals do again what they do.
  func end() {
    var former = former
    close(descriptor)
    sigprocmask(SIG_SETMASK, &former, nil)
  }
}
