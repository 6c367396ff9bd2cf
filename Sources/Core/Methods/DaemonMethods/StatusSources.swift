package import LoginVerdicts
package import Registration

/// The sources of `daemon.status`, which reads each of them at every call.
package struct StatusSources: Sendable {
  /// The load of the password hasher.
  package struct Hashing: Sendable {
    /// Passwords that are being hashed or wait.
    package let pending: Int
    /// The number of hashes in progress at once.
    package let workers: Int
    /// The most passwords that may wait.
    package let queue: Int

    package init(pending: Int, workers: Int, queue: Int) {
      self.pending = pending
      self.workers = workers
      self.queue = queue
    }
  }

  /// The list of breached passwords.
  package struct BreachedList: Sendable {
    package let path: String
    /// The figures of the loaded list, or nil if the file is missing or was cut short. In that case, regd refuses none or
    /// only some of the breached passwords.
    package let found: @Sendable () -> (entries: Int, falsePositiveRate: Double)?

    package init(path: String, found: @escaping @Sendable () -> (entries: Int, falsePositiveRate: Double)?) {
      self.path = path
      self.found = found
    }
  }

  /// The registrations that wait for the upstream, and the state of the breaker.
  package struct Delivery: Sendable {
    /// The state of the circuit breaker, or nil without an upstream, or without a breaker.
    package let breaker: CircuitBreaker.State?
    /// Registrations that wait to be delivered.
    package let waiting: Int

    package init(breaker: CircuitBreaker.State?, waiting: Int) {
      self.breaker = breaker
      self.waiting = waiting
    }
  }

  /// Waiting accounts and usable invitations, as last counted.
  package struct Admission: Equatable, Sendable {
    /// Accounts that wait for an administrator's approval.
    package let waiting: Int
    /// Invitations with a free use that have neither expired nor been revoked.
    package let invitations: Int

    package init(waiting: Int, invitations: Int) {
      (self.waiting, self.invitations) = (waiting, invitations)
    }
  }

  /// The mail system, and the mails that wait for it.
  package struct Mails: Sendable {
    /// The mail system's name, or "none".
    package let backend: String
    /// Mails that wait to be sent.
    package let waiting: Int
    package let counts: MailQueue.Counts

    package init(backend: String, waiting: Int, counts: MailQueue.Counts) {
      self.backend = backend
      self.waiting = waiting
      self.counts = counts
    }
  }

  /// Counts of the log's lines.
  package struct Log: Sendable {
    /// Lines that wait to be written.
    package let waiting: Int
    /// Lines dropped since the start, because the log's reader was too slow.
    package let dropped: Int
    /// Lines since the start that repeated others and were counted instead of written.
    package let heldBack: Int

    package init(waiting: Int, dropped: Int, heldBack: Int) {
      self.waiting = waiting
      self.dropped = dropped
      self.heldBack = heldBack
    }
  }

  /// Rows that the store could not read, counted since the start.
  package struct Damage: Sendable {
    private static let maximumNames = 100

    /// The names of the first 100 rows.
    private(set) var names: [String] = []
    private(set) var rows = 0
    private(set) var accounts = 0

    package init() {}

    package mutating func add(_ row: DamagedRow) {
      rows += 1
      if row.table == .account { accounts += 1 }
      if names.count < Self.maximumNames { names.append(row.name) }
    }

    package var count: Int { rows }
  }

  /// A listening point other than regd's own socket.
  package struct Door: Sendable {
    package let name: String
    package let wire: String
    package let address: String
    package let connections: Int
    /// Returns how many logins had this verdict.
    package let verdicts: @Sendable (LoginVerdict) -> Int

    package init(
      name: String, wire: String, address: String, connections: Int, verdicts: @escaping @Sendable (LoginVerdict) -> Int
    ) {
      (self.name, self.wire, self.address, self.connections) = (name, wire, address, connections)
      self.verdicts = verdicts
    }
  }

  /// A socket that the service manager passed in for a door that the configuration no longer has. regd accepts no connection
  /// there.
  package struct HeldSocket: Sendable {
    package let name: String
    package let address: String

    package init(name: String, address: String) { (self.name, self.address) = (name, address) }
  }

  /// The configuration in force.
  package struct Configuration: Sendable {
    /// A key whose value differs from the default.
    package struct Key: Sendable {
      package let name: String
      /// The value and the default (`shipped`), as a configuration file would have them, or nil for a secret.
      package let values: (value: String, shipped: String)?

      package init(name: String, values: (value: String, shipped: String)?) {
        self.name = name
        self.values = values
      }
    }

    /// The number of the configuration: 1 at the start, and one more after each successful reload.
    package let generation: Int
    /// The path of the file that was read, or nil if no file was read.
    package let file: String?
    package let loadedAt: Timestamp
    package let keys: [Key]

    package init(generation: Int, file: String?, loadedAt: Timestamp, keys: [Key]) {
      self.generation = generation
      self.file = file
      self.loadedAt = loadedAt
      self.keys = keys
    }
  }

  let health: Health
  let delivery: @Sendable () -> Delivery
  let mails: @Sendable () -> Mails
  /// The counts of waiting accounts and usable invitations, or nil if neither invitations nor approval are in force,
  /// and both counts are zero.
  let admission: @Sendable () -> Admission?
  let hashing: @Sendable () -> Hashing
  /// The list of breached passwords, or nil if the configuration names no list.
  let breachedList: @Sendable () -> BreachedList?
  /// The path of the database, for `regctl backup`, or nil if the store is not a file.
  let storePath: @Sendable () -> String?
  /// Whether the store may be a copy (`StoreEngine.isCopied`).
  let isCopied: @Sendable () -> Bool
  /// How the store's database has gone back to an earlier state, or nil if it has not.
  let setback: @Sendable () -> StoreSetback?
  let log: @Sendable () -> Log
  let damage: @Sendable () -> Damage
  let configuration: @Sendable () -> Configuration
  let doors: @Sendable () -> [Door]
  let heldSockets: @Sendable () -> [HeldSocket]
  let failingTasks: @Sendable () -> [BackgroundHealth.Failing]

  package init(
    health: Health, delivery: @escaping @Sendable () -> Delivery, mails: @escaping @Sendable () -> Mails,
    admission: @escaping @Sendable () -> Admission? = { nil },
    hashing: @escaping @Sendable () -> Hashing,
    breachedList: @escaping @Sendable () -> BreachedList?, storePath: @escaping @Sendable () -> String?,
    isCopied: @escaping @Sendable () -> Bool = { false },
    setback: @escaping @Sendable () -> StoreSetback? = { nil },
    configuration: @escaping @Sendable () -> Configuration,
    log: @escaping @Sendable () -> Log = { Log(waiting: 0, dropped: 0, heldBack: 0) },
    damage: @escaping @Sendable () -> Damage = { Damage() }, doors: @escaping @Sendable () -> [Door] = { [] },
    heldSockets: @escaping @Sendable () -> [HeldSocket] = { [] },
    failingTasks: @escaping @Sendable () -> [BackgroundHealth.Failing] = { [] }
  ) {
    self.doors = doors
    self.heldSockets = heldSockets
    self.failingTasks = failingTasks
    self.health = health
    self.delivery = delivery
    self.mails = mails
    self.admission = admission
    self.hashing = hashing
    self.breachedList = breachedList
    self.storePath = storePath
    self.isCopied = isCopied
    self.setback = setback
    self.log = log
    self.damage = damage
    self.configuration = configuration
  }
}
