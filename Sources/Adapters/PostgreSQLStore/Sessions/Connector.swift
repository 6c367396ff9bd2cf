internal import Registration

/// How sessions come to be: where the server is, what is set in each of them, and what a server must be like.
struct Connector: Sendable {
  let address: ServerAddress
  let durability: Durability
  /// How long making a connection may take, over all hosts.
  let connectLimit: Duration
  /// How long one answer may take.
  var answerLimit: Duration
  let reachability = Reachability()
  let damage: DamageLog
  /// The database that was opened (`Installation.id`); nil before.
  var installation: String?

  /// A session that is ready for statements. While the server is away, one session at a time waits for it.
  func connect() throws(ServerFailure) -> Connection {
    let first = try reachability.beginTry()
    var failure: ServerFailure?
    for step in 0..<address.hostCount {
      do throws(ServerFailure) {
        let connection = try address.connect(
          first + step, within: connectLimit / address.hostCount, answers: answerLimit)
        connection.damage = damage
        try prepare(connection)
        connection.era = reachability.succeeded(on: (first + step) % address.hostCount)
        return connection
      } catch {
        // of several hosts that refuse, what the first one says is most likely what is wrong
        failure = failure ?? error
      }
    }
    let last = failure ?? .disconnected("there is no host to connect to")
    reachability.failed(last)
    throw last
  }

  private func prepare(_ connection: Connection) throws(ServerFailure) {
    let milliseconds = max(1, Int(answerLimit / .milliseconds(1)))
    _ = try connection.run([
      Statement("SET synchronous_commit = on"),
      Statement("SET default_transaction_isolation = 'read committed'"),
      // before this process gives up: a statement that waits for a lock is then undone by the server
      Statement("SET lock_timeout = '\(max(1, milliseconds * 9 / 10))ms'"),
      // a regd that stands still must not keep the others from the row that all of them lock last
      Statement("SET idle_in_transaction_session_timeout = '\(max(milliseconds, 5000))ms'"),
    ])
    try durability.check(connection)
    guard let installation else { return }
    guard try Installation.find(connection)?.id == installation else { throw Installation.replaced }
  }
}
