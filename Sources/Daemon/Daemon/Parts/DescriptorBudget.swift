internal import Linux

/// Checks whether the machine grants as many descriptors as the configured connections need.
enum DescriptorBudget {
  /// Descriptors that regd needs besides its connections: the store, the event loops, callers that are being refused.
  private static let ownDescriptors = 128

  /// Descriptors that regd opens after the check, besides those of the server: for signals, the store's files, the
  /// first connections, and a reserve that callers cannot take.
  private static let spare = 20

  /// Checks that `count` descriptors are left, in addition to those that the rest of the start opens. Otherwise the
  /// start would fail with the error of some system call, which is less useful to an operator.
  ///
  /// - Throws: `operatingSystem` if too few are left.
  static func require(_ count: Int) throws(StartupFailure) {
    let (needed, left) = (count + spare, ThisProcess.freeDescriptors(upTo: count + spare))
    guard left >= needed else {
      throw StartupFailure(
        .operatingSystem,
        "\(needed) more file descriptors are needed, but only \(left) are left; raise LimitNOFILE= or ulimit -Hn")
    }
  }

  /// Makes Swift's pool open the descriptors of its timers, which it does at the first sleep. Must return before
  /// callers are accepted: they may take the last descriptors, and libdispatch ends the process if a timer gets none.
  static func openTimers() async { try? await Task.sleep(for: .milliseconds(1)) }

  /// How many descriptors are missing. Nil means that there are enough, or that the limit is unknown.
  static func missing(for connections: Int) -> Int? {
    guard let given = ThisProcess.descriptorLimit else { return nil }
    let needed = connections + ownDescriptors
    return given < needed ? needed - given : nil
  }
}
