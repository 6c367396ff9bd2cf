/// `store`: where accounts are kept.
package struct StoreSettings: Equatable, Sendable {
  /// A name from `StoreBackends`.
  package var backend: String
  package var sqlitePath: String
  /// How long a change waits for another program's lock.
  package var sqliteLockMilliseconds: Int32
  /// Nil for as large as there is room.
  package var sqliteMaximumKiB: Int?
  package var sqliteIsReadOnly: Bool

  static let defaultLockMilliseconds: Int32 = 5000

  init(_ reader: inout SettingsReader) {
    backend = reader.choice("store.backend", default: "sqlite", of: StoreBackends.names)
    sqlitePath = reader.path("store.sqlite.path", default: "/var/lib/regd/regd.db")
    let range: ClosedRange<Duration> = .milliseconds(1)...(.seconds(3600))
    let lock = reader.seconds("store.sqlite.lockSeconds", default: .milliseconds(Self.defaultLockMilliseconds), range)
      .components
    sqliteLockMilliseconds = Int32(lock.seconds * 1000 + lock.attoseconds / 1_000_000_000_000_000)
    let maximum = reader.integer("store.sqlite.maximumKiB", default: 0, 0...(1 << 32))
    sqliteMaximumKiB = maximum == 0 ? nil : maximum
    sqliteIsReadOnly = reader.flag("store.sqlite.readOnly", default: false)
  }
}
