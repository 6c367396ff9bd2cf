import Registration
import StoreConformance
import TestDoubles
import Testing

@Suite("A clock that was ahead, in memory")
struct ClockTests {
  @Test("mails counted by a clock that was ahead delay others for at most an hour after the clock is corrected")
  func mails() async throws { try await StoreConformance.expectCountsSetBack(MemoryStore().accounts) }
}
