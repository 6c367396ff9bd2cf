internal import Glibc
package import Testing

extension Trait where Self == ConditionTrait {
  /// For a test that acts as other users, mounts a file system or boots systemd. An ordinary user's run skips it. With
  /// `CI` set nothing may be skipped, so that the test fails there without root.
  ///
  /// `Tests/Gate/needs-root` finds this word in the sources and names the tests, because `swift test --filter` knows
  /// names only.
  package static var needsRoot: Self {
    .enabled(if: geteuid() == 0 || getenv("CI") != nil, "needs root: sudo make test plays it")
  }
}

/// See `alsoAsRoot`.
package struct AlsoAsRoot: TestTrait, SuiteTrait {}

extension Trait where Self == AlsoAsRoot {
  /// For a test that checks more, or something else, if root runs it. `make bare` runs it as a user and as root.
  package static var alsoAsRoot: Self { Self() }
}
