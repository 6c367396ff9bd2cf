/// The settings and observers that a store gets in addition to its configuration.
package struct StoreContext: Sendable {
  /// The regd that opens the store.
  package let claimant: Claimant
  /// Called once with each row that cannot be read.
  package let damaged: DamageObserver
  /// Called with the audit entry of each change of this regd, once the change is committed.
  package let observer: AuditObserver
  /// Called with a description of work that takes long, such as "bringing its schema from version 2 to 4", and must not
  /// block.
  package let doing: @Sendable (_ what: String) -> Void

  package init(
    _ claimant: Claimant = Claimant(), damaged: @escaping DamageObserver = { _ in },
    observer: @escaping AuditObserver = { _ in }, doing: @escaping @Sendable (_ what: String) -> Void = { _ in }
  ) {
    self.claimant = claimant
    self.damaged = damaged
    self.observer = observer
    self.doing = doing
  }
}

/// One regd among those that have a store open.
package struct Claimant: Sendable {
  /// The name that claims and leases record. No other regd has it. The name survives a restart of regd, but not a
  /// reboot of the machine.
  package let instance: String
  /// The name in the audit and for people.
  package let name: String
  private let leases: Reloadable<Duration>

  /// How long a new claim of an account or a new lease of a mail lasts: longer than any request or try that it covers.
  /// At zero or less, claims and leases expire at once.
  package var lease: Duration { leases.value }

  package init(_ instance: String = "regd", lease: Duration = .seconds(35)) {
    self.init(instance, leases: Reloadable(lease))
  }

  /// - Parameters:
  ///   - name: The name for people, or nil to use the instance's name.
  ///   - leases: The length of a new claim, which can be replaced while the store is open. Existing claims expire as
  ///     before.
  package init(_ instance: String, name: String? = nil, leases: Reloadable<Duration>) {
    self.instance = instance
    self.name = name ?? instance
    self.leases = leases
  }
}
