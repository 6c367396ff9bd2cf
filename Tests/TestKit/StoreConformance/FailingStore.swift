package import Registration
import TestDoubles

/// A store whose commits can be made to fail, and whose process can be killed.
package struct FailingStore: Sendable {
  /// The part of a commit that fails.
  package enum Fault: Sendable, CaseIterable {
    /// The commit is not written.
    case write
    /// The commit is written, but may not be on the disk.
    case sync
  }

  package let store: Accounts
  /// The entries that the store's observer received.
  package let observed: @Sendable () -> [AuditEntry]
  /// From now on the next `times` commits fail, or all of them if `times` is nil.
  package let fail: @Sendable (_ fault: Fault, _ times: Int?) -> Void
  /// From now on commits succeed.
  package let heal: @Sendable () -> Void
  /// Opens the store as another process would find it if this process had been killed at the last failed commit.
  package let killedThen: @Sendable () async throws -> Accounts
  /// Opens the store as another process would find it if this process were killed now.
  package let killedNow: @Sendable () async throws -> Accounts

  package init(
    store: Accounts, observed: @escaping @Sendable () -> [AuditEntry],
    fail: @escaping @Sendable (_ fault: Fault, _ times: Int?) -> Void, heal: @escaping @Sendable () -> Void,
    killedThen: @escaping @Sendable () async throws -> Accounts,
    killedNow: @escaping @Sendable () async throws -> Accounts
  ) {
    self.store = store
    self.observed = observed
    self.fail = fail
    self.heal = heal
    self.killedThen = killedThen
    self.killedNow = killedNow
  }
}
