package import Registration

/// `store`: where accounts are kept. Each store reads its own keys.
package struct StoreSettings: Equatable, Sendable {
  package let chosen: any StoreBackend
  /// All backends, including the chosen one.
  let backends: [any StoreBackend]

  init(_ reader: inout SettingsReader) {
    let name = reader.choice("store.backend", default: Backends.defaultStore.name, of: Backends.stores.map { $0.name })
    backends = Backends.stores.map { $0.init(&reader, isChosen: $0.name == name) }
    let chosen = backends.first { type(of: $0).name == name }
    self.chosen = chosen ?? Backends.defaultStore.init(&reader, isChosen: true)
  }

  /// The directory that the systemd unit of the package makes before each start (`StateDirectory=`).
  static let unitsDirectory = "/var/lib/regd"

  /// The chosen store's name.
  package var backend: String { type(of: chosen).name }

  package static func == (one: StoreSettings, other: StoreSettings) -> Bool {
    one.backend == other.backend && areEqual(one.backends, other.backends)
  }
}

/// Whether both lists have the same backends with the same values.
func areEqual(_ one: [any Backend], _ other: [any Backend]) -> Bool {
  one.count == other.count && zip(one, other).allSatisfy { $0.isEqual(to: $1) }
}

extension Backend {
  fileprivate func isEqual(to other: any Backend) -> Bool { self == other as? Self }
}
