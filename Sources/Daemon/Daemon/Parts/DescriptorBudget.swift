internal import Glibc

/// Whether the machine gives as many descriptors as the configuration has connections.
enum DescriptorBudget {
  /// What regd needs besides: the store, the event loops, callers that are being refused.
  private static let ownDescriptors = 128

  /// What regd opens from there on beside its socket: signals, files of the store, the first connections.
  private static let spare = 12

  /// Sees to it that the parts that come next get their descriptors. NIO's answer to having none is to end the process,
  /// which tells an operator nothing.
  ///
  /// - Throws: `operatingSystem` if fewer are left.
  static func require(_ count: Int) throws(StartupFailure) {
    var probes: [Int32] = []
    defer { for probe in probes { close(probe) } }
    for _ in 0..<(count + spare) {
      let probe = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3)
      guard probe >= 0 else {
        throw StartupFailure(
          .operatingSystem,
          "\(count + spare) more file descriptors are needed, and \(probes.count) are left: raise LimitNOFILE= or ulimit -Hn"
        )
      }
      probes.append(probe)
    }
  }

  /// How many are missing; nil if there are enough, or the machine does not say.
  static func missing(for connections: Int) -> Int? {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return nil }
    let needed = connections + ownDescriptors
    let given = Int(clamping: limit.rlim_cur)
    return given < needed ? needed - given : nil
  }
}
