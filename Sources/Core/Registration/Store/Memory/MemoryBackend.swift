/// Opens the store that `store.backend: memory` chooses.
package struct MemoryBackend: StoreBackend {
  package static let name = "memory"
  package static let isDurable = false

  package init(_ keys: inout some ConfigurationKeys, isChosen: Bool) {}

  package var path: String? { nil }

  package func open(_ context: StoreContext) throws(StoreFailure) -> OpenStore {
    OpenStore(MemoryStore(context.claimant, observer: context.observer))
  }
}
