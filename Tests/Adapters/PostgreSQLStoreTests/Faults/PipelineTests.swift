import RegdProcesses
import Registration
import TestDoubles
import TestKit
import Testing

@testable import PostgreSQLStore

@Suite(
  "Many statements in one round trip to PostgreSQL",
  .enabled(if: PostgreSQL.isHere, "PostgreSQL's programs are not here: make deps"), .timeLimit(.minutes(10)))
struct PipelineTests {
  /// A server whose answers are not read stops reading statements. So a client must also read while both buffers are
  /// full.
  @Test("a connection reads answers while it is still sending statements", arguments: [false, true])
  func full(_ isTCP: Bool) async throws {
    try await withDatabase { database in
      try await PostgreSQL.onItsThread {
        let connector = Connector(
          address: try #require(ServerAddress(isTCP ? database.networkURL : database.url)), durability: .local,
          connectLimit: patience, answerLimit: .seconds(20), damage: DamageLog { _ in })
        let text = String(repeating: "x", count: 65_536)
        let answers = try connector.connect().run((0..<300).map { Statement("SELECT $1 || '\($0)'", [.text(text)]) })
        #expect(answers.map { $0.first?.text(0).count } == (0..<300).map { text.count + "\($0)".count })
      }
    }
  }

  @Test("a store imports a thousand records over a Unix socket")
  func imported() async throws {
    try await withDatabase { database in
      var settings = PostgreSQLStore.Settings(database)
      settings.answerLimit = .seconds(20)
      let store = try await opened(settings)
      let accounts = (0..<1000).map {
        Fixtures.account("\($0)@example.com", hash: String(repeating: "h", count: 400))
      }
      let answers = try await store.importing(accounts, ClaimCase.stamp(1))
      #expect(answers == accounts.map { _ in .imported })
      // all accounts exist already
      #expect(try await store.importing(accounts, ClaimCase.stamp(2)).count { $0 == .imported } == 0)
      await store.close()
    }
  }
}
