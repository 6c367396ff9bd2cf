internal import CLinux
internal import Glibc

/// The process that this code runs in.
package enum ThisProcess {
  package static var id: Int32 { getpid() }
  package static var user: UInt32 { getuid() }
  package static var effectiveUser: UInt32 { geteuid() }

  /// Path of the running program.
  package static var program: String { FileSystem.linkTarget("/proc/self/exe") ?? "" }

  /// An environment variable; nil where it is not set.
  package static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

  /// All environment variables.
  package static var environment: [String: String] {
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

  /// Ends the process, after what was printed is written.
  package static func exit(_ status: Int32) -> Never { Glibc.exit(status) }

  /// - Parameter mask: Permissions that no new file has (umask(2)).
  package static func setFileMask(_ mask: UInt32) { umask(mask) }

  /// Writes what was printed. Whether that failed, now or before.
  package static var hasLostOutput: Bool { linux_standard_output_failed() != 0 }

  /// Opens /dev/null for those of the first three descriptors that are closed: else the next file would become one of them.
  package static func openStandardDescriptors() {
    var descriptor = open("/dev/null", O_RDWR)
    while descriptor >= 0, descriptor <= STDERR_FILENO { descriptor = open("/dev/null", O_RDWR) }
    if descriptor >= 0 { close(descriptor) }
  }
}

/// What the process may use, and what it keeps.
extension ThisProcess {
  /// How many descriptors it may have; nil where the kernel does not say.
  package static var descriptorLimit: Int? {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return nil }
    return Int(clamping: limit.rlim_cur)
  }

  /// How many more descriptors it can open now, found by trying; `count` where there are more.
  package static func freeDescriptors(upTo count: Int) -> Int {
    var probes: [Int32] = []
    defer { for probe in probes { close(probe) } }
    while probes.count < count {
      let probe = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3)
      guard probe >= 0 else { break }
      probes.append(probe)
    }
    return probes.count
  }

  /// Raises the limit of descriptors as far as the process may.
  package static func raiseDescriptorLimit() {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
    limit.rlim_cur = limit.rlim_max
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }

  /// Has memory given back to the system as soon as it is free, in blocks of `threshold` bytes and more (mallopt(3)).
  package static func giveMemoryBack(threshold: Int32) { linux_give_memory_back(threshold) }

  /// Takes the program's code and constants out of memory. What is used again comes back at the first touch.
  package static func forgetStartupPages() { linux_forget_startup_pages() }

  /// Writes no file beyond so many bytes from here on: such a write fails.
  package static func limitFileSize(of pid: Int32, toBytes bytes: Int) throws(SystemError) {
    _ = try checked("prlimit") { linux_limit_file_size(pid, UInt(bytes)) }
  }
}
