internal import JSONRPC
internal import WireProtocols

/// `daemon.acceptStore`: continues with a database that has gone back to an earlier state (`StoreContinuity`).
enum AcceptStoreMethod {
  /// - Parameter accept: Accepts the database, and returns whether it had gone back.
  static func make(_ accept: @escaping @Sendable () -> Bool) -> Method {
    Method(
      "daemon.acceptStore",
      "Accepts the earlier state if the database has gone back to one; otherwise does nothing.", access: .admin,
      result: .object(.init("accepted", .boolean("Whether the database had gone back."))),
      .suspending { _, _ in
        return { cancellation in
          guard cancellation.beginCommit() else { return .error(.cancelled) }
          return .done { $0.member("accepted", accept()) }
        }
      })
  }
}
