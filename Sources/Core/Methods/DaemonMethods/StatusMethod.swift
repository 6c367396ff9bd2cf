internal import JSONRPC
package import Registration

/// What `daemon.status` tells of the parts, each read when it is asked for.
package struct StatusSources: Sendable {
  /// The hashing of passwords: how many are being hashed or wait, how many at once, how many may wait.
  package struct Hashing: Sendable {
    package let pending: Int
    package let workers: Int
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
    /// Nil where there is no such file, or it is not whole any more, so that the rule is off.
    package let found: @Sendable () -> (entries: Int, falsePositiveRate: Double)?

    package init(path: String, found: @escaping @Sendable () -> (entries: Int, falsePositiveRate: Double)?) {
      self.path = path
      self.found = found
    }
  }

  /// The upstream.
  package struct Upstream: Sendable {
    /// Whether it is asked; nil where there is none, or where it always is.
    package let breaker: CircuitBreaker.State?
    /// Registrations that wait for it.
    package let waiting: Int

    package init(breaker: CircuitBreaker.State?, waiting: Int) {
      self.breaker = breaker
      self.waiting = waiting
    }
  }

  /// The log.
  package struct Log: Sendable {
    /// Lines that wait to be written.
    package let waiting: Int
    /// Lines that were lost since the start, for nobody read them.
    package let dropped: Int
    /// Lines that repeated others since the start, and were counted.
    package let heldBack: Int

    package init(waiting: Int, dropped: Int, heldBack: Int) {
      self.waiting = waiting
      self.dropped = dropped
      self.heldBack = heldBack
    }
  }

  /// Rows that the store could not read since the start.
  package struct Damage: Sendable {
    /// How many are named.
    static let mostNames = 100

    /// Those that were met first.
    private(set) var names: [String] = []
    private(set) var rows = 0
    private(set) var accounts = 0

    package init() {}

    package mutating func note(_ row: DamagedRow) {
      rows += 1
      if row.table == .account { accounts += 1 }
      if names.count < Self.mostNames { names.append(row.name) }
    }

    /// How many there are.
    package var count: Int { rows }
  }

  let health: Health
  let upstream: @Sendable () -> Upstream
  let hashing: @Sendable () -> Hashing
  /// Nil where the configuration names none.
  let breachedList: BreachedList?
  /// Where the accounts are, for `regctl backup`; nil where they are in no file.
  let storePath: String?
  let log: @Sendable () -> Log
  let damage: @Sendable () -> Damage

  package init(
    health: Health, upstream: @escaping @Sendable () -> Upstream, hashing: @escaping @Sendable () -> Hashing,
    breachedList: BreachedList?, storePath: String?,
    log: @escaping @Sendable () -> Log = { Log(waiting: 0, dropped: 0, heldBack: 0) },
    damage: @escaping @Sendable () -> Damage = { Damage() }
  ) {
    self.health = health
    self.upstream = upstream
    self.hashing = hashing
    self.breachedList = breachedList
    self.storePath = storePath
    self.log = log
    self.damage = damage
  }
}

/// `daemon.status`: how the daemon is, and who takes what of it.
enum StatusMethod {
  static func make(
    _ info: ServerInfo, _ accounts: PeerAccounts, _ sources: StatusSources, _ feed: EventFeed
  ) -> Method {
    Method(
      "daemon.status", "Says how the daemon is, and what each user takes of it.", access: .admin, result: schema,
      .immediate { _, _, result in
        result.object { writer in
          writer.member("version", info.version)
          writer.member("uptimeSeconds", info.uptimeSeconds())
          writer.member("store", object: { writePart(.store, info.store, sources, &$0) })
          writer.member("network", object: { writePart(.network, info.network, sources, &$0) })
          writer.member("outbox", object: { $0.member("waiting", sources.upstream().waiting) })
          writer.member("hashing", object: { write(sources.hashing(), &$0) })
          writer.member("breachedPasswords", object: { write(sources.breachedList, &$0) })
          writer.member("log", object: { write(sources.log(), &$0) })
          writer.member("subscribers", feed.subscribers)
          write(accounts.all, &writer)
        }
        return nil
      })
  }

  private static let schema = Schema.object(
    [
      .init("version", .string("")), .init("uptimeSeconds", .integer("")),
      .init(
        "store",
        .object(part + storeMembers, "")),
      .init(
        "network",
        .object(
          part + [
            .init(
              "breaker", .choice(["closed", "halfOpen", "open"], "Open: it is down and not asked."), required: false)
          ], "")),
      .init(
        "outbox", .object([.init("waiting", .integer("Registrations that wait for the upstream."))], "")),
      .init(
        "hashing",
        .object(
          [
            .init("pending", .integer("Passwords that are hashed or wait.")),
            .init("workers", .integer("Hashes at once.")), .init("queue", .integer("How many may wait.")),
          ], "")),
      .init(
        "breachedPasswords",
        .object(
          [
            .init("active", .boolean("Whether the rule password.breached is on.")),
            .init("path", .string("As configured; \"\" for none.")),
            .init("entries", .integer(""), required: false),
            .init("falsePositiveRate", .number("Of passwords that are not on it."), required: false),
          ], "")),
      .init(
        "log",
        .object(
          [
            .init("waiting", .integer("Lines that wait to be written.")),
            .init("dropped", .integer("Lines that were lost since the start, for nobody read them.")),
            .init("heldBack", .integer("Lines that repeated others since the start, and were counted.")),
          ], "")),
      .init("subscribers", .integer("Of events.")), .init("connections", .integer("")),
      .init("users", .array(user, "By uid; all who have connected since the start.")),
    ], "")

  private static let storeMembers: [Schema.Member] = [
    .init("path", .string("Of the database, where it is a file."), required: false),
    .init(
      "damaged", .array(.string(""), "Rows that could not be read since the start; the first 100."), required: false),
    .init("damagedRows", .integer("How many they are; absent for none."), required: false),
    .init("damagedAccounts", .integer("How many of them are accounts."), required: false),
  ]

  private static let part: [Schema.Member] = [
    .init("backend", .string("")),
    .init("healthy", .boolean("Whether the last thing that was asked of it was done.")),
    .init("since", .string("Since when it is as it is: RFC 3339, UTC.")),
    .init("failure", .string("What was wrong."), required: false),
  ]

  private static let user = Schema.object(
    [
      .init("uid", .integer("")), .init("connections", .integer("Open now.")),
      .init("requests", .integer("Since the start, notifications and what was refused included.")),
      .init("inFlight", .integer("Requests without a reply yet.")),
      .init("queuedBytes", .integer("Of replies that wait to be taken.")),
    ], "")

  private static func writePart(
    _ part: Health.Part, _ backend: String, _ sources: StatusSources, _ writer: inout JSONWriter
  ) {
    let condition = sources.health[part]
    writer.member("backend", backend)
    writer.member("healthy", condition.failure == nil)
    writer.member("since", condition.since.rfc3339)
    if let failure = condition.failure { writer.member("failure", failure) }
    if part == .network, let breaker = sources.upstream().breaker { writer.member("breaker", breaker.name) }
    guard part == .store else { return }
    if let path = sources.storePath { writer.member("path", path) }
    let damage = sources.damage()
    guard damage.rows > 0 else { return }
    writer.member("damaged", array: { writer in for name in damage.names { writer.value(name) } })
    writer.member("damagedRows", damage.rows)
    writer.member("damagedAccounts", damage.accounts)
  }

  private static func write(_ hashing: StatusSources.Hashing, _ writer: inout JSONWriter) {
    writer.member("pending", hashing.pending)
    writer.member("workers", hashing.workers)
    writer.member("queue", hashing.queue)
  }

  private static func write(_ log: StatusSources.Log, _ writer: inout JSONWriter) {
    writer.member("waiting", log.waiting)
    writer.member("dropped", log.dropped)
    writer.member("heldBack", log.heldBack)
  }

  private static func write(_ list: StatusSources.BreachedList?, _ writer: inout JSONWriter) {
    let found = list?.found()
    writer.member("active", found != nil)
    writer.member("path", list?.path ?? "")
    guard let found else { return }
    writer.member("entries", found.entries)
    writer.name("falsePositiveRate")
    writer.raw("\(found.falsePositiveRate)".utf8)
  }

  private static func write(_ accounts: [PeerAccount], _ writer: inout JSONWriter) {
    writer.member("connections", accounts.reduce(0) { $0 + $1.connections })
    writer.member(
      "users",
      array: { writer in
        for account in accounts {
          writer.object { writer in
            writer.member("uid", account.uid)
            writer.member("connections", account.connections)
            writer.member("requests", account.requests)
            writer.member("inFlight", account.inFlight)
            writer.member("queuedBytes", account.queuedBytes)
          }
        }
      })
  }
}

extension CircuitBreaker.State {
  fileprivate var name: String {
    switch self {
    case .closed: "closed"
    case .open: "open"
    case .halfOpen: "halfOpen"
    }
  }
}
