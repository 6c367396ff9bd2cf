internal import Registration
internal import SQLiteStore

/// The table that names store backends. A new one is a file that conforms to `AccountStore`, and a line here.
enum StoreBackends {
  /// A store that is open, and how it is closed.
  struct Open: Sendable {
    let store: any AccountStore
    /// Where the accounts are, if they are in a file.
    let path: String?
    let close: @Sendable () async -> Void
  }

  typealias Make = @Sendable (StoreSettings, @escaping AuditObserver) throws(StoreFailure) -> Open

  private static let table: [(name: String, make: Make)] = [
    (
      "memory",
      { (_, observer) throws(StoreFailure) in Open(store: MemoryStore(observer: observer), path: nil, close: {}) }
    ),
    ("sqlite", sqlite),
  ]

  static var names: [String] { table.map(\.name) }

  /// - Parameter observer: Is told of each change of an account.
  static func open(
    _ settings: StoreSettings, observer: @escaping AuditObserver
  ) throws(StoreFailure) -> Open {
    guard let row = table.first(where: { $0.name == settings.backend }) else {
      throw .unavailable(detail: "there is no store backend \(settings.backend)")
    }
    return try row.make(settings, observer)
  }

  @Sendable private static func sqlite(
    _ settings: StoreSettings, _ observer: @escaping AuditObserver
  ) throws(StoreFailure) -> Open {
    let store = try SQLiteStore(
      path: settings.sqlitePath, busyMilliseconds: settings.sqliteLockMilliseconds,
      maximumBytes: settings.sqliteMaximumKiB.map { $0 * 1024 }, isReadOnly: settings.sqliteIsReadOnly,
      observer: observer)
    return Open(store: store, path: settings.sqlitePath, close: { await store.close() })
  }
}
