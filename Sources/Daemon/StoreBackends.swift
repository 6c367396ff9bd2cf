internal import Registration
internal import SQLiteStore

/// The table that names store backends. A new one is a file that conforms to `AccountStore`, and a line here.
enum StoreBackends {
  /// A store that is open, and how it is closed.
  struct Open: Sendable {
    let store: any AccountStore
    let close: @Sendable () async -> Void
  }

  typealias Make = @Sendable (StoreSettings) throws(StoreFailure) -> Open

  private static let table: [(name: String, make: Make)] = [
    ("memory", { (_) throws(StoreFailure) in Open(store: MemoryStore(), close: {}) }),
    ("sqlite", sqlite),
  ]

  static var names: [String] { table.map(\.name) }

  static func open(_ settings: StoreSettings) throws(StoreFailure) -> Open {
    guard let row = table.first(where: { $0.name == settings.backend }) else {
      throw .unavailable(detail: "there is no store backend \(settings.backend)")
    }
    return try row.make(settings)
  }

  @Sendable private static func sqlite(_ settings: StoreSettings) throws(StoreFailure) -> Open {
    let store = try SQLiteStore(path: settings.sqlitePath)
    return Open(store: store, close: { await store.close() })
  }
}
