import TestDoubles
import Testing

@testable import Registration

@Suite("Work in flight", .timeLimit(.minutes(10)))
struct SingleFlightTests {
  private let flights = SingleFlight<Int, String>()

  private func join(_ key: Int) async -> String {
    switch await flights.join(key) {
    case .ours: "ours"
    case .ended(let outcome): outcome
    case .gaveUp: "gave up"
    case .cancelled: "cancelled"
    }
  }

  @Test("callers that join get the outcome, and the next caller begins anew")
  func ended() async {
    #expect(await join(1) == "ours")
    async let second = join(1)
    async let third = join(1)
    while flights.joiners(of: 1) < 2 { await Task.yield() }
    // work for another key does not wait
    #expect(flights.beginIfFree(2))
    #expect(!flights.beginIfFree(1) && flights.joiners == 2)
    flights.end(1, "done")
    #expect(await [second, third] == ["done", "done"])
    #expect(!flights.isInFlight(1) && flights.isInFlight(2))
    #expect(await join(1) == "ours")
  }

  @Test("after work that was given up, the callers that have joined begin again")
  func givenUp() async {
    #expect(flights.beginIfFree(1))
    async let second = join(1)
    while flights.joiners(of: 1) == 0 { await Task.yield() }
    flights.giveUp(1)
    #expect(await second == "gave up")
    #expect(flights.beginIfFree(1))
  }

  @Test("a cancelled caller stops waiting, and the others still get the outcome")
  func cancelled() async {
    #expect(flights.beginIfFree(1))
    let second = Task { await join(1) }
    async let third = join(1)
    while flights.joiners(of: 1) < 2 { await Task.yield() }
    second.cancel()
    #expect(await second.value == "cancelled")
    #expect(flights.joiners(of: 1) == 1)
    flights.end(1, "done")
    #expect(await third == "done")
  }

  @Test("a caller that wants to be next waits for each other work, unless it is cancelled")
  func next() async {
    #expect(flights.beginIfFree(1))
    let second = Task { await flights.beginNext(1) }
    let third = Task { await flights.beginNext(1) }
    while flights.joiners(of: 1) < 2 { await Task.yield() }
    third.cancel()
    #expect(await !third.value)
    flights.end(1, "done")
    #expect(await second.value && flights.isInFlight(1))
  }

  @Test("guesses are equal if every comparison with a hash has the same result")
  func guesses() {
    func guess(_ account: String, _ password: Password) -> PasswordGuess {
      PasswordGuess(account: account, password: password)
    }
    func password(_ text: String, typed: String) -> Password {
      Password(utf8: Array(text.utf8), typed: Password(utf8: Array(typed.utf8)))
    }
    let one = guess("a", Fixtures.password("one"))
    #expect(one != guess("a", Fixtures.password("two")) && one != guess("b", Fixtures.password("one")))
    #expect(one == guess("a", Fixtures.password("one")))
    let composed = guess("a", Password(utf8: Array("\u{E9}".utf8)))
    let decomposed = guess("a", password("\u{E9}", typed: "e\u{301}"))
    #expect(composed != decomposed && decomposed == guess("a", password("\u{E9}", typed: "e\u{301}")))
    #expect(Set([one, composed, decomposed, one]).count == 3)
  }
}
