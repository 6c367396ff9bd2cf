internal import Synchronization

/// The settings and observers that a store gets in addition to its configuration.
package struct StoreContext: Sendable {
  /// The regd that opens the store.
  package let claimant: Claimant
  /// Hashes the audit's entries, and signs the heads of their tree.
  package let cryptography: any AuditCryptography
  /// Called once with each row that cannot be read.
  package let damaged: DamageObserver
  /// Called with the audit entry of each change of this regd, once the change is committed.
  package let observer: AuditObserver
  /// Called with a description of work that takes long, such as "bringing its schema from version 2 to 4", and must not
  /// block.
  package let doing: @Sendable (_ what: String) -> Void

  package init(
    _ claimant: Claimant = Claimant(), cryptography: any AuditCryptography,
    damaged: @escaping DamageObserver = { _ in }, observer: @escaping AuditObserver = { _ in },
    doing: @escaping @Sendable (_ what: String) -> Void = { _ in }
  ) {
    self.claimant = claimant
    self.cryptography = cryptography
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

/// Called by the store, on its own thread, with each audit entry after the commit. Must not block.
package typealias AuditObserver = @Sendable (AuditEntry) -> Void

/// A row of a store that cannot be read: edited by hand, or damaged by the disk.
package struct DamagedRow: Hashable, Sendable {
  package enum Table: String, Sendable {
    case account, audit, released, delivery, claim, mail, invitation
  }

  package let table: Table
  /// The row's key in its table: the id of an account, or the number of an entry.
  package let key: String
  /// Which of the row's values is impossible, for the log.
  package let problem: String

  package init(_ table: Table, key: String, problem: String) {
    self.table = table
    self.key = key
    self.problem = problem
  }

  /// The table and the key, for example "account 0193…" or "audit 17".
  package var name: String { "\(table.rawValue) \(key)" }

  /// Cuts the quoted key and text, because a damaged value can have any length.
  package init(_ table: Table, _ key: String, _ column: String, _ text: String) {
    self.init(table, key: "\(key.prefix(64))", problem: "its \(column) is \"\(text.prefix(64))\"")
  }
}

/// Called once with each damaged row, on one of the store's threads, and must not block.
package typealias DamageObserver = @Sendable (DamagedRow) -> Void

/// Reports each damaged row once, however often the store finds it.
package final class DamageLog: Sendable {
  /// The most rows that are reported. The log remembers each one, so without a limit a badly damaged database would
  /// fill the memory.
  package static let most = 10_000

  private let told = Mutex<Set<String>>([])
  private let observer: DamageObserver

  package init(_ observer: @escaping DamageObserver) { self.observer = observer }

  package func note(_ row: DamagedRow) {
    let isNew = told.withLock { $0.count < Self.most && $0.insert(row.name).inserted }
    if isNew { observer(row) }
  }
}
