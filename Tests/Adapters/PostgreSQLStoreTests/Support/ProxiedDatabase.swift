import RegdProcesses
import Registration
import Synchronization
import TestDoubles
import TestKit

@testable import PostgreSQLStore

/// A database with a proxy between it and the store.
struct ProxiedDatabase: Sendable {
  let database: PostgreSQLDatabase
  let proxy: PostgreSQLProxy

  init(_ database: PostgreSQLDatabase) throws {
    self.database = database
    proxy = try PostgreSQLProxy(to: database.port)
  }

  /// The settings of a store behind the proxy.
  var settings: PostgreSQLStore.Settings {
    var settings = PostgreSQLStore.Settings(database)
    settings.url = database.url(port: proxy.port)
    return settings
  }

  /// A store that bypasses the proxy, as the same regd would open it after a restart.
  func another() async throws -> PostgreSQLStore {
    try await opened(PostgreSQLStore.Settings(database))
  }
}

/// Opens a store, and throws a `StoreFailure`.
func openedAsStore(
  _ settings: PostgreSQLStore.Settings, observer: @escaping AuditObserver = { _ in }
) async throws(StoreFailure) -> PostgreSQLStore {
  do { return try await opened(settings, observer: observer) } catch {
    throw error as? StoreFailure ?? .unavailable(detail: "\(error)")
  }
}

/// The number of faults still to come.
final class FaultsLeft: Sendable {
  private let left: Mutex<Int?>

  /// - Parameter count: Nil for no limit.
  init(_ count: Int?) { left = Mutex(count) }

  /// Whether a fault comes now.
  func take() -> Bool {
    left.withLock { left in
      guard let some = left else { return true }
      left = max(0, some - 1)
      return some > 0
    }
  }
}

/// The failure of an operation, or nil if it succeeded.
func failure(_ body: () async throws(StoreFailure) -> Void) async -> StoreFailure? {
  do throws(StoreFailure) {
    try await body()
    return nil
  } catch {
    return error
  }
}
