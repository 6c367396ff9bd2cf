internal import Linux

/// Whether the machine gives as many descriptors as the configuration has connections.
enum DescriptorBudget {
  /// What regd needs besides: the store, the event loops, callers that are being refused.
  private static let ownDescriptors = 128

  /// What regd opens from there on beside its socket: signals, files of the store, the first connections; and what callers leave to it.
  private static let spare = 20

  /// Sees to it that the parts that come next get their descriptors: a part that gets none can only say which call has
  /// failed, which tells an operator less.
  ///
  /// - Throws: `operatingSystem` if fewer are left.
  static func require(_ count: Int) throws(StartupFailure) {
    let (needed, left) = (count + spare, ThisProcess.freeDescriptors(upTo: count + spare))
    guard left >= needed else {
      throw StartupFailure(
        .operatingSystem,
        "\(needed) more file descriptors are needed, and \(left) are left: raise LimitNOFILE= or ulimit -Hn")
    }
  }

  /// Has Swift's pool open the descriptors of its timers, which it does with the first sleep that is not over at once. It is
  /// to have returned before callers are accepted: they may take the last descriptors, and libdispatch ends the process where
  /// a timer gets none.
  static func openTimers() async { try? await Task.sleep(for: .milliseconds(1)) }

  /// How many are missing; nil if there are enough, or the machine does not say.
  static func missing(for connections: Int) -> Int? {
    guard let given = ThisProcess.descriptorLimit else { return nil }
    let needed = connections + ownDescriptors
    return given < needed ? needed - given : nil
  }
}
