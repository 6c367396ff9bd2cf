/// What a store is given besides its keys.
package struct StoreSurroundings: Sendable {
  /// Which regd opens it.
  package let claimant: Claimant
  /// Told once of each row that cannot be read.
  package let damaged: DamageObserver
  /// Told of each change that this regd has made, once it is committed.
  package let observer: AuditObserver
  /// Told in words what takes long, such as "bringing its schema from version 2 to 4"; must not block.
  package let doing: @Sendable (_ what: String) -> Void

  package var instance: String { claimant.instance }
  package var lease: Duration { claimant.lease }

  package init(
    _ claimant: Claimant = Claimant(), damaged: @escaping DamageObserver = { _ in },
    observer: @escaping AuditObserver = { _ in }, doing: @escaping @Sendable (_ what: String) -> Void = { _ in }
  ) {
    self.claimant = claimant
    self.damaged = damaged
    self.observer = observer
    self.doing = doing
  }

  package init(
    instance: String, lease: Duration, damaged: @escaping DamageObserver = { _ in },
    observer: @escaping AuditObserver = { _ in }, doing: @escaping @Sendable (_ what: String) -> Void = { _ in }
  ) {
    self.init(Claimant(instance, lease: lease), damaged: damaged, observer: observer, doing: doing)
  }
}

/// One regd among those that have a store open.
package struct Claimant: Sendable {
  /// Its name for claims and leases, no other's, and the same after a restart.
  package let instance: String
  /// Its name for the audit and for people.
  package let name: String
  private let leases: Live<Duration>

  /// How long a claim lasts that is made now: longer than any ask that it is made for. Zero or less: it has run out at once.
  package var lease: Duration { leases.value }

  package init(_ instance: String = "regd", lease: Duration = .seconds(35)) {
    self.init(instance, leases: Live(lease))
  }

  /// - Parameters:
  ///   - name: Nil for the instance's.
  ///   - leases: May be replaced while the store is open; claims that were made keep their length.
  package init(_ instance: String, name: String? = nil, leases: Live<Duration>) {
    self.instance = instance
    self.name = name ?? instance
    self.leases = leases
  }
}
