/// Opens the store that `store.backend: memory` chooses.
package struct MemoryBackend: StoreBackend {
  package static let name = "memory"
  package static let isDurable = false

  package init(_ keys: inout some ConfigurationKeys, isChosen: Bool) {}

  package var path: String? { nil }

  package func open(_ surroundings: StoreSurroundings) throws(StoreFailure) -> OpenStore {
    OpenStore(
      MemoryStore(surroundings.claimant, cryptography: surroundings.cryptography, observer: surroundings.observer))
  }
}
