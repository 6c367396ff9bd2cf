internal import CLinux
internal import Glibc

/// Signals as something to read (signalfd(2)), instead of what they do. As long as this lives, the calling thread's process
/// holds them back.
package struct SignalDescriptor: ~Copyable {
  private let descriptor: Descriptor
  private let former: sigset_t

  /// For threads that are started afterwards too; those that run already get the signals as before.
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

  /// Readable when a signal has come.
  package var number: Int32 { descriptor.number }

  /// The next signal that has come; waits for one. Nil where the kernel gives none.
  package func next() -> Signal? {
    var signal = signalfd_siginfo()
    let count = Glibc.read(descriptor.number, &signal, MemoryLayout<signalfd_siginfo>.size)
    return count > 0 ? Signal(rawValue: Int32(signal.ssi_signo)) : nil
  }
}
