@testable import PostgreSQLStore

/// A connection of another program that one thread at a time uses.
struct Held: Sendable {
  nonisolated(unsafe) let connection: Connection

  init(_ connection: sending Connection) { self.connection = connection }
}
