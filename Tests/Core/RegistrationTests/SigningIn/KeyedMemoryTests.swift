import Synchronization
import TestDoubles
import Testing

@testable import Registration

@Suite("Keyed memory of typed passwords")
struct KeyedMemoryTests {
  private let memory = KeyedMemory(milliseconds: 300_000) { .zero }
  private let password = Fixtures.password("wrong")

  @Test("a password is found only under the texts and the number under which it was noted")
  func keys() {
    #expect(memory[memory.key(password, ["a", "h"], 1)] == nil)
    memory.note(memory.key(password, ["a", "h"], 1), mark: 7)
    #expect(memory[memory.key(Fixtures.password("wrong"), ["a", "h"], 1)] == 7)
    for texts in [["b", "h"], ["a", "g"], ["a"], ["ah"], ["a", "h", ""], ["", "ah"], ["ah", ""], ["h", "a"]] {
      #expect(memory[memory.key(password, texts, 1)] == nil, "\(texts)")
    }
    #expect(memory[memory.key(password, ["a", "h"])] == nil)
    #expect(memory[memory.key(Fixtures.password("other"), ["a", "h"], 1)] == nil)
  }

  @Test("no memory finds what another has noted, because each has a separate key")
  func separate() {
    let other = KeyedMemory(milliseconds: 300_000) { .zero }
    #expect(memory.key(password, []) != other.key(password, []))
    #expect(memory.print("a", after: 0) != other.print("a", after: 0))
  }

  @Test("an entry expires after its time, which a repeat begins again, with another mark")
  func expiry() {
    let milliseconds = Mutex(0)
    let memory = KeyedMemory(milliseconds: 2000) { .milliseconds(milliseconds.withLock { $0 }) }
    let key = memory.key(password, ["a"])
    memory.note(key)
    milliseconds.withLock { $0 = 1999 }
    #expect(memory[key] == 0)
    memory.note(key, mark: 1)
    milliseconds.withLock { $0 = 3998 }
    #expect(memory[key] == 1)
    milliseconds.withLock { $0 = 3999 }
    #expect(memory[key] == nil)
  }
}
