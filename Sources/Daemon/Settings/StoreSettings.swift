/// `store`: where accounts are kept.
package struct StoreSettings: Equatable, Sendable {
  /// A name from `StoreBackends`.
  package var backend: String
  package var sqlitePath: String

  init(_ reader: inout SettingsReader) {
    backend = reader.choice("store.backend", default: "sqlite", of: StoreBackends.names)
    sqlitePath = reader.string("store.sqlite.path", default: "/var/lib/regd/regd.db")
    if !sqlitePath.hasPrefix("/") {
      reader.refuse("store.sqlite.path", "must be an absolute path, not \"\(sqlitePath)\"")
    }
  }
}
