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

  typealias Make =
    @Sendable (StoreSettings, @escaping DamageObserver, @escaping AuditObserver) throws(StoreFailure) -> Open

  private static let table: [(name: String, make: Make)] = [
    (
      "memory",
      { (_, _, observer) throws(StoreFailure) in Open(store: MemoryStore(observer: observer), path: nil, close: {}) }
    ),
    ("sqlite", sqlite),
  ]

  static var names: [String] { table.map(\.name) }

  /// - Parameters:
  ///   - damaged: Is told of each row that cannot be read.
  ///   - observer: Is told of each change of an account.
  static func open(
    _ settings: StoreSettings, damaged: @escaping DamageObserver, observer: @escaping AuditObserver
  ) throws(StoreFailure) -> Open {
    guard let row = table.first(where: { $0.name == settings.backend }) else {
      throw .unavailable(detail: "there is no store backend \(settings.backend)")
    }
    return try row.make(settings, damaged, observer)
  }

  @Sendable private static func sqlite(
    _ settings: StoreSettings, _ damaged: @escaping DamageObserver, _ observer: @escaping AuditObserver
  ) throws(StoreFailure) -> Open {
    let store = try SQLiteStore(
      path: settings.sqlitePath, busyMilliseconds: settings.sqliteLockMilliseconds,
      maximumBytes: settings.sqliteMaximumKiB.map { $0 * 1024 }, isReadOnly: settings.sqliteIsReadOnly,
      damaged: damaged, observer: observer)
    return Open(store: store, path: settings.sqlitePath, close: { await store.close() })
  }
}
