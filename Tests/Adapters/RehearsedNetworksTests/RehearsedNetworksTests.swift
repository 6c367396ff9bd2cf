import Registration
import RehearsedNetworks
import TestDoubles
import Testing

@Suite("Rehearsed networks")
struct RehearsedNetworksTests {
  private let email = Fixtures.account("a@example.com").account.email

  private func registration() -> UpstreamRegistration {
    UpstreamRegistration(id: AccountID(at: Fixtures.time), email: email, passwordHash: PasswordHash(phc: "h"))
  }

  @Test("a failing network throws its own failure")
  func faults() async {
    await #expect(throws: NetworkFailure.offline) { try await FailingNetwork(.offline).isAvailable(email) }
    await #expect(throws: NetworkFailure.offline) { try await FailingNetwork(.offline).register(registration()) }
    let unavailable = FailingNetwork(.unavailable(retryAfterSeconds: 7))
    await #expect(throws: NetworkFailure.unavailable(retryAfterSeconds: 7)) { try await unavailable.isAvailable(email) }
    await #expect(throws: NetworkFailure.unavailable(retryAfterSeconds: 7)) {
      try await unavailable.register(registration())
    }
  }

  @Test("each operation runs its own steps call by call, and repeats its last step")
  func script() async throws {
    let network = ScriptedNetwork(
      Script(
        checkEmail: [.init(.taken), .init(.accept)],
        register: [.init(.fault(.timeout)), .init(.taken), .init(.accept)]))
    await #expect(throws: NetworkFailure.timeout) { try await network.register(registration()) }
    #expect(try await network.isAvailable(email) == false)
    #expect(try await network.isAvailable(email))
    #expect(try await network.isAvailable(email))
    #expect(try await network.register(registration()) == .taken)
    let mine = registration()
    #expect(try await network.register(mine) == .registered)
    #expect(try await network.register(mine) == .registered)
    #expect(try await network.register(registration()) == .taken)
    #expect(try await network.isAvailable(email) == false)
  }

  @Test("a registration whose step acted exists, even if its answer was a fault")
  func acted() async throws {
    let network = ScriptedNetwork(Script(register: [.init(.fault(.timeout), hasActed: true), .init(.accept)]))
    let mine = registration()
    await #expect(throws: NetworkFailure.timeout) { try await network.register(mine) }
    #expect(try await network.isAvailable(email) == false)
    #expect(try await network.register(registration()) == .taken)
    #expect(try await network.register(mine) == .registered)
  }

  @Test("a 503 may hide a successful registration")
  func hidden() async throws {
    let network = ScriptedNetwork(Script(register: [.init(.fault(.unavailable), hasActed: true), .init(.accept)]))
    let mine = registration()
    await #expect(throws: NetworkFailure.unavailable(retryAfterSeconds: nil)) { try await network.register(mine) }
    #expect(try await network.isAvailable(email) == false)
    #expect(try await network.register(mine) == .registered)
  }

  @Test("`at-work` answers a repeat of the first request with taken, and changes nothing")
  func atWork() async throws {
    let steps = try ["timeout acted", "at-work", "at-work", "accept"].map { try Script.Step($0) }
    let network = ScriptedNetwork(Script(register: steps))
    let mine = registration()
    await #expect(throws: NetworkFailure.timeout) { try await network.register(mine) }
    for _ in 0..<2 { #expect(try await network.register(mine) == .taken) }
    #expect(try await network.register(mine) == .registered)
    let other = ScriptedNetwork(Script(register: [.init(.atWork), .init(.accept)]))
    #expect(try await other.register(registration()) == .taken)
    #expect(try await other.isAvailable(email), "nobody has it")
  }

  @Test("a sign-in is refused for an account that is forbidden, not found, gone or locked; other calls are rejected")
  func refused() async throws {
    for word in ["forbidden", "not-found", "gone", "locked"] {
      let step = try Script.Step(word)
      let network = ScriptedNetwork(Script(checkEmail: [step], register: [step], signIn: [step]))
      #expect(try await network.signIn(email, Fixtures.password("a fine phrase")) == .refused)
      await #expect(throws: NetworkFailure.rejected) { try await network.isAvailable(email) }
      await #expect(throws: NetworkFailure.rejected) { try await network.register(registration()) }
    }
    for word in ["request-timeout", "too-early"] {
      let step = try Script.Step(word)
      let network = ScriptedNetwork(Script(checkEmail: [step], register: [step], signIn: [step]))
      await #expect(throws: NetworkFailure.tooEarly) {
        try await network.signIn(email, Fixtures.password("a fine phrase"))
      }
      await #expect(throws: NetworkFailure.tooEarly) { try await network.isAvailable(email) }
      await #expect(throws: NetworkFailure.tooEarly) { try await network.register(registration()) }
    }
  }

  @Test("a sign-in gets its answer even if its caller is cancelled meanwhile")
  func cancelledSignIn() async {
    let network = ScriptedNetwork(Script(signIn: [.init(.wrong, delay: .seconds(3600))]))
    let email = email
    let answer = await withTaskGroup(of: UpstreamSession?.self) { group in
      group.addTask { try? await network.signIn(email, Fixtures.password("a fine phrase")) }
      group.cancelAll()
      return await group.next()
    }
    #expect(answer == .some(.rejected))
  }

  @Test("a repeating script starts again after its last step")
  func repeats() async throws {
    let network = ScriptedNetwork(Script(checkEmail: [.init(.accept), .init(.fault(.offline))], repeats: true))
    for _ in 0..<2 {
      #expect(try await network.isAvailable(email))
      await #expect(throws: NetworkFailure.offline) { try await network.isAvailable(email) }
    }
  }

  @Test("sign-ins have their own steps")
  func signIn() async throws {
    let network = ScriptedNetwork(Script(signIn: [.init(.fault(.fail)), .init(.wrong), .init(.accept)]))
    let password = Fixtures.password("a fine phrase")
    await #expect(throws: NetworkFailure.failed) { try await network.signIn(email, password) }
    #expect(try await network.signIn(email, password) == .rejected)
    let mine = registration()
    #expect(try await network.register(mine) == .registered)
    #expect(try await network.signIn(email, password) == .accepted(id: mine.id.description))
  }

  @Test("cancelling its caller ends a delay")
  func cancelled() async {
    let network = ScriptedNetwork(
      Script(checkEmail: [.init(.accept, delay: .seconds(3600))], register: [.init(.accept)]))
    let email = email
    let answer = await withTaskGroup(of: Result<Bool, NetworkFailure>.self) { group in
      group.addTask {
        do throws(NetworkFailure) { return .success(try await network.isAvailable(email)) } catch {
          return .failure(error)
        }
      }
      group.cancelAll()
      return await group.next()
    }
    #expect(answer == .failure(.timeout))
  }

  @Test(
    "an invalid step is refused",
    arguments: [
      "", " ", "acept", "accept delay", "accept delay=", "accept delay=5", "accept delay=5s", "accept delay=-5ms",
      "accept retryAfter=5", "unavailable retryAfter=x", "unavailable retryAfter=", "taken taken",
      "timeout delay=99999999999999999999ms", "accept acted", "offline acted", "at-work acted", "throttle acted",
      "timeout Acted",
      "timeout retryAfter=1",
    ])
  func malformed(_ text: String) {
    #expect(throws: Script.Step.Malformed.self) { try Script.Step(text) }
  }

  @Test("a step is read with its options")
  func steps() throws {
    #expect(try Script.Step("accept") == .init(.accept))
    #expect(try Script.Step("timeout  delay=200ms") == .init(.fault(.timeout), delay: .milliseconds(200)))
    #expect(
      try Script.Step("unavailable retryAfter=30 delay=1ms")
        == .init(.fault(.unavailable), delay: .milliseconds(1), retryAfterSeconds: 30))
    #expect(try Script.Step("unavailable") == .init(.fault(.unavailable)))
    #expect(try Script.Step("unavailable acted") == .init(.fault(.unavailable), hasActed: true))
    #expect(try Script.Step("at-work") == .init(.atWork))
    #expect(try Script.Step("reset-after acted") == .init(.fault(.resetAfter), hasActed: true))
    for word in Script.Step.words { #expect(throws: Never.self) { try Script.Step(word) } }
  }
}
