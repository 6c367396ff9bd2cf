import Linux
import RegdProcesses
import Registration
import StoreModels
import TestDoubles
import TestKit
import Testing

@testable import PostgreSQLStore

/// Answers that are given while something is not known yet.
@Suite(
  "PostgreSQL: early answers",
  .enabled(if: PostgreSQL.isHere, "PostgreSQL's programs are not here: make deps"), .timeLimit(.minutes(10)))
struct HurryTests {
  /// Waits until the query returns the text.
  private func wait(_ database: PostgreSQLDatabase, until sql: String, is text: String) async throws {
    try await PostgreSQL.onItsThread {
      while try database.administrator.query(sql) != text {}
    }
  }

  @Test("a request is not reported as missing while the proof of its claim is in doubt")
  func proof() async throws {
    try await withDatabase { database in
      let proxied = try ProxiedDatabase(database)
      var settings = proxied.settings
      // do not wait long for an answer that will not come
      settings.answerLimit = .seconds(5)
      let store = try await eventually { [settings] () async throws(StoreFailure) in
        try await openedAsStore(settings)
      }
      let claim = ClaimCase.claim("name@example.com", request: "r")
      let request = try #require(claim.request)
      let added = try await eventually { () async throws(StoreFailure) in try await store.add(claim) }
      #expect(added == .added || added == .requestKnown(claim))
      let left = FaultsLeft(1)
      proxied.proxy.decide { $0.commits && left.take() ? .hold : .forward }
      let proof = await failure { () async throws(StoreFailure) in
        _ = try await store.prove(claim.id, ClaimCase.account(claim), ClaimCase.stamp(1))
      }
      #expect(proof?.isUnknown == true)
      let look = await failure { () async throws(StoreFailure) in _ = try await store.find(request) }
      #expect(look?.isUnknown == true, "\(String(describing: look))")
      await proxied.proxy.releaseHeld()
      let known = try await eventually { () async throws(StoreFailure) in try await store.find(request) }
      #expect(known?.account.id == claim.account)
      await store.close()
    }
  }

  @Test("a caller waits for the commit of another regd, even if that regd was killed")
  func coordinator() async throws {
    try await withDatabase { database in
      let proxied = try ProxiedDatabase(database)
      let (one, other) = (try await opened(proxied.settings), try await proxied.another())
      let account = Fixtures.account()
      let request = try #require(RequestKey(uid: 7, id: "r"))
      let left = FaultsLeft(1)
      // like a regd that was killed while its server commits
      proxied.proxy.decide { $0.commits && left.take() ? .hold : .forward }
      let inserted = await failure { () async throws(StoreFailure) in
        _ = try await one.insert(account, request: request, ClaimCase.stamp())
      }
      #expect(inserted?.isUnknown == true)
      // no session can see it
      #expect(try await other.find(request) == nil)
      async let awaited: Void = other.awaitCommit(of: request)
      try await wait(
        database,
        until: """
          SELECT count(*) > 0 FROM pg_stat_activity
          WHERE usename = '\(database.role)' AND query LIKE '%pg_try_advisory_xact_lock_shared%'
          """, is: "t")
      await proxied.proxy.releaseHeld()
      try await awaited
      #expect(try await other.find(request)?.account == account.account)
      await one.close()
      await other.close()
    }
  }

  @Test(
    "a COMMIT without an answer makes the server unavailable to other callers, but puts no change of theirs in doubt")
  func away() throws {
    let reachability = Reachability()
    var failure = ServerFailure.deadline(.seconds(1))
    failure.isOfCommit = true
    reachability.doubt(failure)
    #expect(reachability.failure?.storeFailure.isUnavailable == true)
    // the next caller tries, and all others get the reason
    _ = try reachability.beginTry()
    #expect { _ = try reachability.beginTry() } throws: {
      ($0 as? ServerFailure)?.storeFailure.isUnavailable == true
    }
  }

  @Test("sessions connect one after another, and a session that waits too long for its turn fails with a deadline")
  func turns() async throws {
    let listening = try Descriptor.socket(.internetStream)
    try listening.bind(to: SocketAddress(loopbackPort: 0))
    try listening.listen(backlog: 9)
    let (number, port) = (listening.number, try listening.localAddress().port ?? 0)
    let address = try #require(ServerAddress("postgresql://regd@127.0.0.1:\(port)/regd"))
    let connector = Connector(
      address: address, durability: .local, connectLimit: patience, answerLimit: patience, damage: DamageLog { _ in })
    var hurried = connector
    hurried.connectLimit = .milliseconds(10)
    async let first = PostgreSQL.onItsThread { #expect(throws: ServerFailure.self) { try connector.connect() } }
    try await PostgreSQL.onItsThread { [hurried] in
      _ = Polling.isReady(.readable(number))
      let connected = try Descriptor(borrowing: number).accept()
      let failure = #expect(throws: ServerFailure.self) { try hurried.connect() }
      #expect(failure?.kind == .deadline)
      #expect(!Polling.isReady(.readable(number), atMost: .zero), "it has connected beside the first")
      try connected.close()
    }
    _ = try await first
    try listening.close()
  }

  @Test("each of many answers may take the time limit of one answer")
  func many() async throws {
    try await withDatabase { database in
      try await PostgreSQL.onItsThread {
        let address = try #require(ServerAddress(database.url))
        let connector = Connector(
          address: address, durability: .local, connectLimit: patience, answerLimit: .seconds(4),
          damage: DamageLog { _ in })
        let answers = try connector.connect().run(
          (0..<20).map { Statement("SELECT \($0) FROM pg_sleep(0.25)") })
        #expect(answers.compactMap { $0.first?.integer(0) } == Array(0..<20))
      }
    }
  }
}
