import JSONRPC
import Linux
import Testing

@testable import UnixSocket

@Suite("Parts of an event loop")
struct LoopPartsTests {
  private let start = MonotonicInstant.now

  /// All expired owners, in the order in which they are called.
  private func expired(_ heap: inout TimerHeap, at seconds: Int) -> [Int] {
    var owners: [Int] = []
    while let owner = heap.takeExpired(at: start + .seconds(seconds)) { owners.append(owner) }
    return owners
  }

  @Test("the timer heap calls owners once, in the order of their times and not before")
  func timers() {
    var heap = TimerHeap()
    heap.set(7, to: nil)
    #expect(heap.next == nil && expired(&heap, at: 1000) == [])
    for (owner, seconds) in [(3, 30), (0, 10), (9, 20), (4, 40)] { heap.set(owner, to: start + .seconds(seconds)) }
    #expect(heap.next == start + .seconds(10))
    #expect(expired(&heap, at: 9) == [])
    #expect(expired(&heap, at: 30) == [0, 9, 3])
    #expect(expired(&heap, at: 1000) == [4])
    #expect(heap.next == nil)
  }

  @Test("a timer that is moved or removed no longer counts, compared with a dictionary of times")
  func moved() {
    var (heap, times) = (TimerHeap(), [Int: Int]())
    var random = SystemRandomNumberGenerator()
    for round in 0..<2000 {
      let (owner, seconds) = (Int.random(in: 0..<40, using: &random), round + Int.random(in: 0..<100, using: &random))
      times[owner] = round % 5 == 0 ? nil : seconds
      heap.set(owner, to: times[owner].map { start + .seconds($0) })
      #expect(heap.next == times.values.min().map { start + .seconds($0) })
      guard round % 10 == 9 else { continue }
      let due = times.filter { $0.value <= round }
      #expect(Set(expired(&heap, at: round)) == Set(due.keys))
      for owner in due.keys { times[owner] = nil }
    }
  }

  @Test("messages wake a waiting loop once, and a message that comes before the wait keeps the loop awake")
  func messages() throws {
    let handle = try LoopHandle()
    var (messages, jobs): ([LoopHandle.Message], [LoopExecutor.Job]) = ([], [])
    var events = EventPoll.Events()
    handle.post(.order(.drain))
    #expect(!handle.fallAsleep())
    handle.poll.wait(for: &events, atMost: .zero)
    #expect(events.count == 0)
    handle.take(&messages, &jobs)
    #expect(messages.count == 1)
    messages = []
    #expect(handle.fallAsleep())
    handle.post(.order(.drain))
    handle.post(.order(.shutDown))
    handle.poll.wait(for: &events, atMost: .seconds(300))
    #expect(events.count == 1 && events[0].token == LoopHandle.bellToken)
    handle.take(&messages, &jobs)
    #expect(messages.count == 2)
    handle.poll.wait(for: &events, atMost: .zero)
    #expect(events.count == 0)
  }
}
