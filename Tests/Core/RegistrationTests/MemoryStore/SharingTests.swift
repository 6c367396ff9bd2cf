import Registration
import StoreConformance
import TestDoubles
import Testing

@Suite("A memory store that several regd processes share")
struct SharingTests {
  @Test("a shared memory store keeps the store's promises", arguments: StoreConformance.sharing)
  func conforms(_ rule: ConformanceRule<SharedStore>) async throws {
    let memory = MemoryStore()
    try await rule.check(SharedStore { ColleagueStore(memory, Claimant($0, lease: $1)).accounts })
  }
}
