internal import JSONRPC

/// `daemon.status`: how the daemon is, and who takes what of it.
enum StatusMethod {
  static func make(_ info: ServerInfo, _ accounts: PeerAccounts) -> Method {
    Method(
      "daemon.status", "Says how the daemon is, and what each user takes of it.", access: .admin,
      result: .object(
        [
          .init("version", .string("")), .init("uptimeSeconds", .integer("")), .init("connections", .integer("")),
          .init("users", .array(user, "By uid; all who have connected since the start.")),
        ], ""),
      .immediate { _, _, result in
        write(info, accounts.all, &result)
        return nil
      })
  }

  private static let user = Schema.object(
    [
      .init("uid", .integer("")), .init("connections", .integer("Open now.")),
      .init("requests", .integer("Since the start, notifications and what was refused included.")),
      .init("inFlight", .integer("Requests without a reply yet.")),
      .init("queuedBytes", .integer("Of replies that wait to be taken.")),
    ], "")

  private static func write(_ info: ServerInfo, _ accounts: [PeerAccount], _ writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("version", info.version)
      writer.member("uptimeSeconds", info.uptimeSeconds())
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
}
