internal import JSONRPC
internal import Localization
internal import Registration
internal import WireProtocols

/// `events.subscribe`, `events.unsubscribe` and `events.list`: subscribe to events, and list the audit of changes.
enum EventMethods {
  /// - Parameter subscribed: Called after each subscription of an administrator. It must not block.
  static func subscribe(_ feed: EventFeed, _ subscribed: @escaping @Sendable () -> Void) -> Method {
    Method(
      "events.subscribe",
      "Subscribes this connection to events.happened notifications, until it closes or calls events.unsubscribe.",
      access: .observe,
      result: .object(.init("sequence", .integer("The number of the last event before the subscription."))),
      .immediate { _, session, result in
        let sequence = feed.subscribe(session)
        // only administrators get `mail.wanted`, and so can send mails
        if session.access == .admin { subscribed() }
        result.object { $0.member("sequence", sequence) }
      })
  }

  static let unsubscribe = Method(
    "events.unsubscribe", "Ends the subscription of this connection.", access: .observe,
    .immediate { _, session, result in
      session.detach(SubscriptionOwner.self)
      result.object { _ in }
    })

  static func list(_ administrator: Administrator, _ info: Reloadable<ServerInfo>) -> Method {
    Listing<EntryNumber, AuditEntry>(
      name: "events.list",
      about:
        "Lists the audit, one page at a time: each change to an account or an invitation, with its time and its caller.",
      access: .observe, member: "events", order: "The events in their order.", element: EventReplies.schema, info: info
    ) { (after: EntryNumber?, limit) async throws(StoreFailure) in
      let page = try await administrator.audit(after: after?.number ?? 0, limit: limit)
      return Page(elements: page.elements, hasMore: page.hasMore)
    } position: {
      EntryNumber(number: $0.number)
    } write: { entry, access, writer in
      EventReplies.write(entry, withAddresses: access == .admin, to: &writer)
    }.method
  }
}

struct EntryNumber: ListPosition {
  let number: Int

  static let after = Parameter(
    "after", .integer, required: false, "The value of \"next\" from the previous page; omit it for the first page.",
    .between(0, nil))
  static let next = Schema.integer("The \"after\" for the next page; absent on the last page.")
  static let wrong = ParameterMessageKey.pageAfterEntry

  init(number: Int) { self.number = number }

  init?(_ after: JSONView) {
    guard let number = after.integer, number >= 0 else { return nil }
    self.number = Int(number)
  }

  func write(to writer: inout JSONWriter) { writer.member("next", number) }
}

/// Writes audit entries as callers see them.
enum EventReplies {
  static let schema = Schema.named(
    "AuditEntry",
    .object(
      [
        .init("event", .named("AuditedChange", .choice(AuditEntry.Change.allCases.map(\.rawValue), ""))),
        .init("time", .time()), .init("entry", .integer("The number of the entry in the audit.")),
      ] + members, ""))

  /// The members that entries of the audit share with events.
  static let members: [Schema.Member] = [
    .init("account", .uuid("Absent for an invitation."), required: false),
    .init("invitation", .uuid("Absent for an account."), required: false),
    .init("terms", .string("The version that was accepted."), required: false),
    .init("added", .array(GroupParameters.schema, "The groups to which the account was added."), required: false),
    .init("removed", .array(GroupParameters.schema, "The groups from which the account was removed."), required: false),
    .init("email", .email("The address as typed; absent after its erasure, and for observers."), required: false),
    .init("uid", .integer("The uid of the calling process; absent if regd itself acted."), required: false),
    .init("pid", .integer("The pid of the calling process; absent if regd itself acted."), required: false),
    .init(
      "origin", .string("The caller's identifier for the end user; absent for observers."),
      required: false),
    .init("door", .string("The door through which the request came; absent for regd's own socket."), required: false),
    .init("regd", .string("The regd that made the change: its host and socket."), required: false),
  ]

  /// - Parameter hasAddresses: Whether the reader may see the address, and the origin, which may be an address too.
  static func write(_ entry: AuditEntry, withAddresses hasAddresses: Bool = true, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("event", entry.change.rawValue)
      writer.member("time", entry.time.rfc3339)
      writeMembers(of: entry, withAddresses: hasAddresses, to: &writer)
    }
  }

  static func writeMembers(of entry: AuditEntry, withAddresses hasAddresses: Bool, to writer: inout JSONWriter) {
    writer.member("entry", entry.number)
    if let account = entry.account { writer.member("account", account.description) }
    if let invitation = entry.invitation { writer.member("invitation", invitation.description) }
    if let terms = entry.terms { writer.member("terms", terms) }
    if let groups = entry.groups {
      AccountReply.write(groups.added, as: "added", to: &writer)
      AccountReply.write(groups.removed, as: "removed", to: &writer)
    }
    if hasAddresses, let email = entry.email { writer.member("email", email) }
    if let by = entry.by {
      writer.member("uid", by.uid)
      writer.member("pid", by.pid)
      if hasAddresses, let origin = by.origin { writer.member("origin", origin.text) }
      if let door = by.door { writer.member("door", door) }
    }
    if let regd = entry.regd { writer.member("regd", regd) }
  }
}
