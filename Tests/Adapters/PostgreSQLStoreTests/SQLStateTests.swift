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
}
