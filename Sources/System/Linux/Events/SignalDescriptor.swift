internal import CLinux
internal import Glibc

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
