import Liveness
import Synchronization
import Testing

@Suite("A round of probes")
struct ProbeRoundTests {
  /// A part that answers when the test makes it answer.
  private final class Part: Sendable {
    let awaited = Awaited()
    func probe(_ name: String) -> Probe { Probe(name) { self.awaited.append($0) } }
  }

  private final class Count: Sendable {
    private let number = Atomic<Int>(0)
    func add() { number.add(1, ordering: .relaxed) }
    var value: Int { number.load(ordering: .relaxed) }
  }

  @Test("a part that does not answer keeps the round incomplete, and the round names it")
  func silent() {
    let (loop, writer, whole) = (Part(), Part(), Count())
    let round = ProbeRound(asking: [loop.probe("loop"), writer.probe("writer")], whole: whole.add)
    #expect(round.silent == ["loop", "writer"])
    loop.awaited.answer()
    #expect(round.silent == ["writer"])
    #expect(whole.value == 0)
    writer.awaited.answer()
    #expect(round.silent == [])
    #expect(whole.value == 1)
  }

  @Test("a repeated or late answer counts once, for its own round")
  func repeated() {
    let (loop, writer, whole) = (Part(), Part(), Count())
    let probes = [
      Probe("twice") { answered in
        loop.awaited.append(answered)
        loop.awaited.append(answered)
      }, writer.probe("writer"),
    ]
    let first = ProbeRound(asking: probes, whole: whole.add)
    loop.awaited.answer()
    #expect(first.silent == ["writer"] && whole.value == 0)
    let second = ProbeRound(asking: probes, whole: whole.add)
    writer.awaited.answer()
    #expect(first.silent == [] && second.silent == ["twice"])
    #expect(whole.value == 1)
    loop.awaited.answer()
    #expect(whole.value == 2)
  }

  @Test("a round without parts is complete at once")
  func none() {
    let whole = Count()
    #expect(ProbeRound(asking: [], whole: whole.add).silent == [])
    #expect(whole.value == 1)
  }
}
