internal import JSONRPC
internal import Registration
internal import WireProtocols

/// `daemon.status`: the state of the daemon, and the resources that each user holds.
enum StatusMethod {
  static func make(
    _ info: Reloadable<ServerInfo>, _ quotas: PeerQuotas, _ sources: StatusSources, _ feed: EventFeed
  ) -> Method {
    Method(
      "daemon.status", "Returns the health and the load of regd, and the load of each user.", access: .observe,
      result: schema, repetition: .yes,
      .immediate { _, session, result in
        let info = info.value
        // a mail system's words may quote an address, so observers see no such words, as in events
        let isAdministrator = session.access == .admin
        result.object { writer in
          writer.member("version", info.version)
          writer.member("uptimeSeconds", info.uptimeSeconds())
          writer.object("store") { writePart(.store, info.store, sources, &$0, withWords: isAdministrator) }
          writer.object("network") { writePart(.network, info.network, sources, &$0, withWords: isAdministrator) }
          writer.object("outbox") { $0.member("waiting", sources.delivery().waiting) }
          if let admission = sources.admission() { write(admission, &writer) }
          writer.object("mail") { writeMails(sources, &$0, withWords: isAdministrator) }
          writer.object("hashing") { write(sources.hashing(), &$0) }
          writer.object("breachedPasswords") { write(sources.breachedList(), &$0) }
          writer.object("log") { write(sources.log(), &$0) }
          writer.object("configuration") { write(sources.configuration(), &$0) }
          write(sources.doors(), &writer)
          write(sources.heldSockets(), &writer)
          write(sources.failingTasks(), &writer)
          writer.member("subscribers", feed.subscribers)
          write(quotas.survey(listing: mostUsers), &writer)
        }
      })
  }

  /// The most users that are listed individually.
  static let mostUsers = 100
  /// The most bytes of a configuration value that is shown whole.
  private static let longestValue = 4096

  private static var schema: Schema {
    .named("DaemonStatus", .object(members + [doors, heldSockets, failingTasks], ""))
  }

  private static let members: [Schema.Member] = [

    .init("version", .string("")), .init("uptimeSeconds", .integer("")),
    .init(
      "store",
      .object(part + storeMembers, "")),
    .init(
      "network",
      .object(
        part + [
          .init(
            "breaker",
            .choice(
              ["closed", "halfOpen", "open"],
              "The state of the circuit breaker; open means that regd does not ask the upstream, because it is down."),
            required: false)
        ], "")),
    .init(
      "outbox", .object([.init("waiting", .integer("Registrations that wait for the upstream."))], "")),
    admission,
    .init("mail", .object(part + mailMembers, "")),
    .init(
      "hashing",
      .object(
        [
          .init("pending", .integer("Passwords that are being hashed or wait to be hashed.")),
          .init("workers", .integer("How many passwords are hashed at a time.")),
          .init("queue", .integer("How many passwords may wait at most.")),
        ], "")),
    .init(
      "breachedPasswords",
      .object(
        [
          .init("active", .boolean("Whether the rule password.breached is on.")),
          .init("path", .string("The configured file; \"\" if none.")),
          .init("entries", .integer(""), required: false),
          .init(
            "falsePositiveRate",
            .number("The proportion of passwords that are refused although they are not on the list."),
            required: false),
        ], "")),
    .init(
      "log",
      .object(
        [
          .init("waiting", .integer("Lines that wait to be written.")),
          .init("dropped", .integer("Lines lost since the start because the log's reader was too slow.")),
          .init("heldBack", .integer("Repeated lines that were counted instead of written, since the start.")),
        ], "")),
    .init("configuration", .object(configurationMembers, "The configuration in force.")),
    .init("subscribers", .integer("Connections subscribed to events.")), .init("connections", .integer("")),
    .init("users", .array(user, "The 100 users with the highest load, by uid.")),
    .init(
      "others",
      .object(
        [.init("users", .integer("How many other users are counted."))] + figures,
        "The sum over all other users, including disconnected ones; absent if there are none."), required: false),
  ]

  private static let configurationMembers: [Schema.Member] = [
    .init("generation", .integer("1 at startup; each reload adds 1.")),
    .init("file", .string("The file that regd read; absent if there was none."), required: false),
    .init("loadedAt", .time()),
    .init(
      "changed",
      .array(
        .object(
          [
            .init("key", .string("")),
            .init(
              "value", .string("The value as a configuration file contains it; a long one is cut."), required: false),
            .init("shipped", .string("The default value, in the same form."), required: false),
            .init("secret", .boolean("True if the values are withheld."), required: false),
          ], ""), "The keys whose values are not the defaults.")),
  ]

  private static let storeMembers: [Schema.Member] = [
    .init("path", .string("The database's file; absent for other stores."), required: false),
    .init(
      "copied",
      .boolean(
        "True if the database's file is another one than the one in which the stamps' key was made; else absent."),
      required: false),
    wentBack,
    .init(
      "damaged", .array(.string(""), "The first 100 rows that were found unreadable since the start."), required: false),
    .init("damagedRows", .integer("The number of unreadable rows; absent if none."), required: false),
    .init("damagedAccounts", .integer("How many of those are accounts."), required: false),
  ]

  private static let mailMembers: [Schema.Member] = [
    .init("waiting", .integer("Mails that wait to be sent.")),
    .init("sent", .integer("Mails sent since the start.")),
    .init("refused", .integer("Mails that the mail system refused permanently, since the start.")),
    .init("outdated", .integer("Mails not sent because their code was no longer valid, since the start.")),
  ]

  private static let part: [Schema.Member] = [
    .init("backend", .string("")),
    .init("healthy", .boolean("Whether the last operation succeeded.")),
    .init("since", .time("When healthy last changed.")),
    .init(
      "failure", .string("Why the last operation failed; observers get it without a mail system's words."),
      required: false),
  ]

  private static let user = Schema.object([.init("uid", .integer(""))] + figures, "")

  private static let figures: [Schema.Member] = [
    .init("connections", .integer("Open connections.")),
    .init("requests", .integer("Requests since the start, including notifications and refused ones.")),
    .init("inFlight", .integer("Requests that have no reply yet.")),
    .init("queuedBytes", .integer("Bytes of replies that wait to be read.")),
  ]

  /// - Parameter hasWords: Whether a failure is shown with the words of other systems.
  private static func writePart(
    _ part: Health.Part, _ backend: String, _ sources: StatusSources, _ writer: inout JSONWriter,
    withWords hasWords: Bool
  ) {
    let condition = sources.health[part]
    writer.member("backend", backend)
    writer.member("healthy", condition.failure == nil)
    writer.member("since", condition.since.rfc3339)
    if let failure = hasWords ? condition.failure : condition.plainFailure { writer.member("failure", failure) }
    if part == .network, let breaker = sources.delivery().breaker { writer.member("breaker", breaker.name) }
    guard part == .store else { return }
    if let path = sources.storePath() { writer.member("path", path) }
    if sources.isCopied() { writer.member("copied", true) }
    if let setback = sources.setback() { write(setback, &writer) }
    let damage = sources.damage()
    guard damage.rows > 0 else { return }
    writer.array("damaged") { writer in for name in damage.names { writer.value(name) } }
    writer.member("damagedRows", damage.rows)
    writer.member("damagedAccounts", damage.accounts)
  }

  private static func writeMails(_ sources: StatusSources, _ writer: inout JSONWriter, withWords hasWords: Bool) {
    let mails = sources.mails()
    writePart(.mail, mails.backend, sources, &writer, withWords: hasWords)
    writer.member("waiting", mails.waiting)
    writer.member("sent", mails.counts.sent)
    writer.member("refused", mails.counts.refused)
    writer.member("outdated", mails.counts.outdated)
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

  private static func write(_ configuration: StatusSources.Configuration, _ writer: inout JSONWriter) {
    writer.member("generation", configuration.generation)
    if let file = configuration.file { writer.member("file", file) }
    writer.member("loadedAt", configuration.loadedAt.rfc3339)
    writer.array("changed") { writer in
      for key in configuration.keys {
        writer.object { writer in
          writer.member("key", key.name)
          guard let values = key.values else { return writer.member("secret", true) }
          writer.member("value", cut(values.value))
          writer.member("shipped", cut(values.shipped))
        }
      }
    }
  }

  /// Shortens a long value, because a list in the configuration may have very many items.
  private static func cut(_ value: String) -> String {
    value.utf8.count <= longestValue ? value : value.prefix(longestValue / 4) + "…"
  }

  private static func write(_ survey: PeerQuotas.Survey, _ writer: inout JSONWriter) {
    writer.member("connections", survey.all.connections)
    writer.array("users") { writer in
      for user in survey.listed {
        writer.object { writer in
          writer.member("uid", user.uid)
          write(user.figures, &writer)
        }
      }
    }
    guard survey.unlistedUsers > 0 || survey.unlisted.requests > 0 else { return }
    writer.object("others") { writer in
      writer.member("users", survey.unlistedUsers)
      write(survey.unlisted, &writer)
    }
  }

  private static func write(_ figures: PeerQuotas.Figures, _ writer: inout JSONWriter) {
    writer.member("connections", figures.connections)
    writer.member("requests", figures.requests)
    writer.member("inFlight", figures.inFlight)
    writer.member("queuedBytes", figures.queuedBytes)
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
