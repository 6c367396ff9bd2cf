internal import Glibc

/// Whether the machine gives as many descriptors as the configuration has connections.
enum DescriptorBudget {
  /// What regd needs besides: the store, the event loops, callers that are being refused.
  private static let ownDescriptors = 128

  /// How many are missing; nil where there are enough, or the machine does not say.
  static func missing(for connections: Int) -> Int? {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return nil }
    let needed = connections + ownDescriptors
    let given = Int(clamping: limit.rlim_cur)
    return given < needed ? needed - given : nil
  }
}
