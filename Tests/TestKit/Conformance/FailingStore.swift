package import Registration

/// A store whose commits can be made to fail, and whose process can be killed.
package struct FailingStore: Sendable {
  /// What of a commit fails.
  package enum Fault: Sendable, CaseIterable {
    /// It is not written.
    case write
    /// It is written, and not known to be on the disk.
    case sync
  }

  package let store: any AccountStore
  /// What the store's observer was told.
  package let observed: @Sendable () -> [AuditEntry]
  /// From here on commits fail: the next ones, or all where `times` is nil.
  package let fail: @Sendable (_ fault: Fault, _ times: Int?) -> Void
  /// From here on they do not.
  package let heal: @Sendable () -> Void
  /// The store as a process would find it, had this one been killed when a commit failed last.
  package let killedThen: @Sendable () async throws -> any AccountStore
  /// The store as a process would find it, were this one killed now.
  package let killedNow: @Sendable () async throws -> any AccountStore

  package init(
    store: any AccountStore, observed: @escaping @Sendable () -> [AuditEntry],
    fail: @escaping @Sendable (_ fault: Fault, _ times: Int?) -> Void, heal: @escaping @Sendable () -> Void,
    killedThen: @escaping @Sendable () async throws -> any AccountStore,
    killedNow: @escaping @Sendable () async throws -> any AccountStore
  ) {
    self.store = store
    self.observed = observed
    self.fail = fail
    self.heal = heal
    self.killedThen = killedThen
    self.killedNow = killedNow
  }
}
