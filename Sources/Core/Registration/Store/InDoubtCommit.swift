/// A change whose commit is in doubt: the database gave no valid answer. The change was done, was not done, or will
/// still be done.
package struct InDoubtCommit: Sendable {
  package let scope: ChangeScope
  /// The change's audit entries, which the store gives to its observer if the change turns out to be done.
  package let entries: [AuditEntry]

  package init(scope: ChangeScope, entries: [AuditEntry]) {
    self.scope = scope
    self.entries = entries
  }
}
