import Registration
import StoreConformance
import TestDoubles
import Testing

@Suite("A clock that was ahead, in memory")
struct ClockTests {
  @Test("mails that it has counted are in nobody's way for longer than an hour after it is right again")
  func mails() async throws { try await StoreConformance.expectCountsSetBack(MemoryStore()) }
}
