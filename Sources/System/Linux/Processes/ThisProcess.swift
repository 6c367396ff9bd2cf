internal import CLinux
internal import Glibc

/// The process that this code runs in.
package enum ThisProcess {
  package static var id: Int32 { getpid() }
  package static var user: UInt32 { getuid() }
  package static var effectiveUser: UInt32 { geteuid() }

  /// The effective group and the supplementary ones (getgroups(2)), as the session got them when it began.
  package static var groups: Set<UInt32> {
    var groups = [gid_t](repeating: 0, count: 65_536)
    let count = getgroups(Int32(groups.count), &groups)
    return Set([getegid()] + groups.prefix(Int(max(0, count))))
  }

  /// Path of the running program. Without /proc, it is the path by which the program was started, which may be relative.
  package static var program: String {
    FileSystem.linkTarget("/proc/self/exe") ?? linux_started_program().map { String(cString: $0) } ?? ""
  }

  /// Value of an environment variable, or nil if it is not set.
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

  /// Processor time that all threads of the process have taken, or nil if the kernel does not report it.
  package static var processorTime: Duration? {
    var time = timespec()
    guard clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time) == 0 else { return nil }
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  /// Flushes standard output and ends the process.
  package static func exit(_ status: Int32) -> Never { Glibc.exit(status) }

  /// - Parameter mask: Permissions that new files do not get (umask(2)).
  package static func setFileMask(_ mask: UInt32) { umask(mask) }

  /// Flushes standard output. Returns true if this or an earlier write failed.
  package static var hasLostOutput: Bool { linux_standard_output_failed() != 0 }

  /// Opens /dev/null for each standard descriptor that is closed, because the next opened file would take its number.
  package static func openStandardDescriptors() {
    var descriptor = open("/dev/null", O_RDWR)
    while descriptor >= 0, descriptor <= STDERR_FILENO { descriptor = open("/dev/null", O_RDWR) }
    if descriptor >= 0 { close(descriptor) }
  }
}

/// Limits and memory.
extension ThisProcess {
  /// Most descriptors that the process may have, or nil if the kernel does not report it.
  package static var descriptorLimit: Int? {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return nil }
    return Int(clamping: limit.rlim_cur)
  }

  /// Number of descriptors that the process can still open, found by trying, at most `count`.
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

  /// Raises the soft limit of descriptors to the hard limit. Ignores failures.
  package static func raiseDescriptorLimit() {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
    limit.rlim_cur = limit.rlim_max
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }

  /// Makes the allocator return freed blocks of `threshold` bytes and more to the system (mallopt(3)).
  package static func giveMemoryBack(threshold: Int32) { linux_give_memory_back(threshold) }

  /// Whether the process could get this many more bytes now: whether its limit of addresses (RLIMIT_AS) and the
  /// kernel's accounting (`vm.overcommit_memory`) allow such a mapping (mmap(2)). Tries it, and gives the bytes back.
  package static func mayHave(bytes: Int) -> Bool {
    let start = mmap(nil, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    guard let start, start != MAP_FAILED else { return false }
    munmap(start, bytes)
    return true
  }

  /// Drops the program's code and constants from memory (madvise(2)). The kernel reads pages again at their next use.
  package static func forgetStartupPages() { linux_forget_startup_pages() }

  /// Limits the size of the files that the process `pid` can write from now on (RLIMIT_FSIZE).
  package static func limitFileSize(of pid: Int32, toBytes bytes: Int) throws(SystemError) {
    _ = try checked("prlimit") { linux_limit_file_size(pid, UInt(bytes)) }
  }
}

/// Variables from the program that started this process, and the change into another program.
extension ThisProcess {
  /// Bytes of an environment variable, UTF-8 or not. Nil if it is not set.
  package static func bytes(ofVariable name: String) -> [UInt8]? {
    getenv(name).map { text in UnsafeBufferPointer(start: text, count: strlen(text)).map { UInt8(bitPattern: $0) } }
  }

  /// Replaces this process's program by another one (execvp(3)). The new program keeps the environment, and all
  /// descriptors except those that close on exec.
  ///
  /// - Parameters:
  ///   - program: A path, or a name to look up in PATH.
  ///   - arguments: Without the program's own name.
  ///   - variables: Environment variables to set first.
  /// - Throws: If the other program cannot be started. The present program continues.
  package static func become(
    _ program: String, _ arguments: [String], setting variables: [String: String]
  ) throws(SystemError) -> Never {
    for (name, value) in variables { setenv(name, value, 1) }
    throw replace("execvp", [program] + arguments) { execvp(program, $0) }
  }

  /// Like `become`, but for the program in a file (execv(3)). Fails if the file is not a program. execvp(3) would make a shell
  /// run it, and if it is empty, the shell would end with exit status 0.
  ///
  /// - Parameter name: The name that the new program gets as its own (argument 0). The default is the path.
  package static func become(
    programAt path: String, _ arguments: [String], named name: String? = nil
  ) throws(SystemError) -> Never {
    throw replace("execv", [name ?? path] + arguments) { execv(path, $0) }
  }

  /// Passes the words to an exec function, which returns only if it fails.
  private static func replace(
    _ call: String, _ words: [String], _ execute: ([UnsafeMutablePointer<CChar>?]) -> Int32
  ) -> SystemError {
    let words = words.map { strdup($0) } + [nil]
    _ = execute(words)
    let failure = errno
    for word in words { free(word) }
    return SystemError(call, failure)
  }
}
