internal import Linux

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
    let (needed, left) = (count + spare, ThisProcess.freeDescriptors(upTo: count + spare))
    guard left >= needed else {
      throw StartupFailure(
        .operatingSystem,
        "\(needed) more file descriptors are needed, and \(left) are left: raise LimitNOFILE= or ulimit -Hn")
    }
  }

  /// How many are missing; nil if there are enough, or the machine does not say.
  static func missing(for connections: Int) -> Int? {
    guard let given = ThisProcess.descriptorLimit else { return nil }
    let needed = connections + ownDescriptors
    return given < needed ? needed - given : nil
  }
}
