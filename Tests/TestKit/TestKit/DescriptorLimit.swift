internal import Glibc
package import Testing

extension Trait where Self == ConditionTrait {
  /// A condition for a test that opens this many descriptors. Raises the limit of this process and its children as far
  /// as the user may. Swift Testing evaluates conditions, and so raises the limit, before any test begins.
  package static func descriptors(_ count: Int) -> Self {
    .enabled(
      if: DescriptorLimit.raised >= count || getenv("CI") != nil,
      "needs \(count) descriptors (ulimit -Hn), and may have \(DescriptorLimit.raised)")
  }
}

private enum DescriptorLimit {
  /// The number of descriptors that is enough for every test.
  private static let enough: rlim_t = 8192

  static let raised: Int = {
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    limit.rlim_cur = max(limit.rlim_cur, min(limit.rlim_max, enough))
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    return Int(clamping: limit.rlim_cur)
  }()
}
