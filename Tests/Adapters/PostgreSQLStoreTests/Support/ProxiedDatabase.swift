import RegdProcesses
import Registration
import Synchronization
import TestDoubles
import TestKit

@testable import PostgreSQLStore

/// A database, and a proxy between it and the store.
struct ProxiedDatabase: Sendable {
  let database: PostgreSQLDatabase
  let proxy: PostgreSQLProxy

  init(_ database: PostgreSQLDatabase) throws {
    self.database = database
    proxy = try PostgreSQLProxy(to: database.port)
  }

  /// Of a store behind the proxy.
  var settings: PostgreSQLStore.Settings {
    var settings = PostgreSQLStore.Settings(database)
    settings.url = database.url(port: proxy.port)
    return settings
  }

  /// A store beside the proxy, as the same regd has it after a restart.
  func another() async throws -> PostgreSQLStore {
    try await opened(PostgreSQLStore.Settings(database))
  }
}

/// Opens a store; the failure is the store's own.
func openedAsStore(
  _ settings: PostgreSQLStore.Settings, observer: @escaping AuditObserver = { _ in }
) async throws(StoreFailure) -> PostgreSQLStore {
  do { return try await opened(settings, observer: observer) } catch {
    throw error as? StoreFailure ?? .unavailable(detail: "\(error)")
  }
}

/// Faults that are still to come.
final class FaultsLeft: Sendable {
  private let left: Mutex<Int?>

  /// - Parameter count: Nil for no end of them.
  init(_ count: Int?) { left = Mutex(count) }

  /// Whether one comes now.
  func take() -> Bool {
    left.withLock { left in
      guard let some = left else { return true }
      left = max(0, some - 1)
      return some > 0
    }
  }
}

/// How an operation has failed; nil if it has not.
func failure(_ body: () async throws(StoreFailure) -> Void) async -> StoreFailure? {
  do throws(StoreFailure) {
    try await body()
    return nil
  } catch {
    return error
  }
}
