import Testing

@testable import PostgreSQLStore

struct SQLStateTests {
  @Test("SQLState gives each code of the server its meaning")
  func meanings() {
    for (state, meaning) in [
      ("40001", SQLState.Meaning.repeat), ("40P01", .repeat), ("23505", .conflict), ("53100", .full),
      ("25006", .reconnect), ("57P01", .reconnect), ("57P02", .reconnect), ("57P03", .reconnect), ("08006", .reconnect),
      ("08001", .reconnect), ("53300", .unavailable), ("55P03", .unavailable), ("XX001", .unavailable),
      ("", .unavailable), ("?", .unavailable),
    ] {
      #expect(SQLState.meaning(state) == meaning, "\(state)")
    }
  }

  @Test("a server that starts, stops, is a standby or lacks resources may accept the same store later")
  func passing() {
    for state in ["28P01", "28000", "3D000", "42501", "42704", "53100", "58030", "23505", "XX001"] {
      #expect(!SQLState.mayPass(state), "\(state)")
    }
    for state in ["57P01", "57P02", "57P03", "25006", "53300", "53200", "08006", "40001", "55P03"] {
      #expect(SQLState.mayPass(state), "\(state)")
    }
  }
}
