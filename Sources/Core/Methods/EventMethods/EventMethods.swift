internal import JSONRPC
internal import Localization
internal import Registration
internal import WireFormats
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

  static func list(_ administrator: Administrator, _ auditor: Auditor, _ info: Reloadable<ServerInfo>) -> Method {
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
      EventReplies.write(
        entry, withAddresses: access == .admin, commitment: auditor.commitment(of: entry), to: &writer)
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
      ] + members + ofTree, ""))

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

  /// The members that only `events.list` adds to entries of the audit.
  private static let ofTree: [Schema.Member] = [
    .init(
      "commitment",
      .string("Only in events.list: the SHA-256, in base64, that binds email and origin to the audit's tree."),
      required: false),
    .init(
      "salt",
      .string(
        "Only in events.list: the salt of the commitment, in base64; absent after its erasure, and for observers."),
      required: false),
  ]

  /// Writes an entry as an object.
  ///
  /// - Parameters:
  ///   - hasAddresses: Whether the reader may see the address, and the origin, which may also be an address.
  ///   - commitment: The entry's commitment, for a reader of the audit. The reader then also gets the salt.
  static func write(
    _ entry: AuditEntry, withAddresses hasAddresses: Bool = true, commitment: [UInt8]? = nil,
    to writer: inout JSONWriter
  ) {
    writer.object { writer in
      writeMembers(of: entry, withAddresses: hasAddresses, commitment: commitment, to: &writer)
    }
  }

  static func writeMembers(
    of entry: AuditEntry, withAddresses hasAddresses: Bool, commitment: [UInt8]? = nil, to writer: inout JSONWriter
  ) {
    for member in AuditEntry.Member.allCases
    where (hasAddresses || !member.isErasable) && (commitment != nil || !member.isOfTree) {
      guard let value = entry.value(of: member, commitment: commitment) else { continue }
      writer.name(member.rawValue)
      switch value {
      case .text(let text): writer.value(text)
      case .number(let number): writer.value(number)
      case .texts(let texts): writer.array { writer in for text in texts { writer.value(text) } }
      }
    }
  }
}
