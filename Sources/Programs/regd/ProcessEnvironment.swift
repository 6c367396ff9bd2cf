internal import CLinux
internal import Glibc

/// What the process was started with.
enum ProcessEnvironment {
  static var all: [String: String] {
    var variables: [String: String] = [:]
    var next = environ
    while let entry = next.pointee {
      let text = String(cString: entry)
      if let equals = text.firstIndex(of: "=") {
        variables[String(text[..<equals])] = String(text[text.index(after: equals)...])
      }
      next += 1
    }
    return variables
  }

  /// So that no file or socket of ours becomes standard error by taking a number that was free.
  static func openStandardDescriptors() {
    var descriptor = open("/dev/null", O_RDWR)
    while descriptor >= 0, descriptor <= STDERR_FILENO { descriptor = open("/dev/null", O_RDWR) }
    if descriptor >= 0 { close(descriptor) }
  }

  /// Has the C library give memory back that is not needed any more. Left alone it learns from a large block that is
  /// freed to keep the next ones, and a moment with many callers stays in the daemon's size for ever.
  static func giveMemoryBack() {
    linux_give_memory_back(131_072)
  }

  /// As many connections as the machine lets us have, whatever a shell's soft limit is.
  static func raiseDescriptorLimit() {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
    limit.rlim_cur = limit.rlim_max
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }
}
