package import Registration
package import RehearsedNetworks
import TestDoubles
internal import Testing

/// A network backend in front of an upstream that follows a script.
package struct NetworkStage: Sendable, CustomTestStringConvertible {
  /// The backend's name.
  package let name: String
  /// The steps that the upstream can perform.
  fileprivate let steps: [Script.Step]
  /// Opens the backend in front of an upstream that follows the script, while the closure runs.
  fileprivate let play: @Sendable (Script, (any NetworkService) async throws -> Void) async throws -> Void

  /// - Parameter steps: The steps that the upstream can perform, as in the configuration. Without `accept`, rules about
  ///   an upstream that recovers are skipped.
  package init(
    _ name: String, steps: [String] = NetworkStage.allSteps,
    play: @escaping @Sendable (Script, (any NetworkService) async throws -> Void) async throws -> Void
  ) throws {
    self.name = name
    self.steps = try steps.map { try Script.Step($0) }
    self.play = play
  }

  package var testDescription: String { name }

  /// All possible steps, with their options.
  package static let allSteps: [String] =
    ["accept", "taken", "at-work", "wrong", "accept delay=20ms", "wrong delay=20ms", "accept delay=3600000ms"]
    + ["unavailable retryAfter=7", "throttle retryAfter=9"]
    + UpstreamFault.allCases.flatMap { $0.mayHideSuccess ? [$0.rawValue, "\($0.rawValue) acted"] : [$0.rawValue] }

  /// Performs one step for every operation that can have this answer, and `accept` for the others.
  fileprivate func always(
    _ step: Script.Step, _ body: (any NetworkService) async throws -> Void
  ) async throws {
    func steps(_ operation: Script.Operation) -> [Script.Step] {
      [step.isAnswer(to: operation) ? step : Script.Step(.accept)]
    }
    let script = Script(checkEmail: steps(.checkEmail), register: steps(.register), signIn: steps(.signIn))
    do { try await play(script, body) } catch let broken as Broken {
      throw Broken(description: "\(step): \(broken)")
    }
  }

  /// Performs a step for the first registration, and `accept` for all later ones.
  fileprivate func first(
    _ step: Script.Step, _ body: (any NetworkService) async throws -> Void
  ) async throws {
    do { try await play(Script(register: [step, .init(.accept)]), body) } catch let broken as Broken {
      throw Broken(description: "\(step), then accept: \(broken)")
    }
  }

  /// The step, if the upstream can perform it, otherwise nil.
  fileprivate func has(_ text: String) throws -> Script.Step? {
    let step = try Script.Step(text)
    return steps.contains(step) ? step : nil
  }

  /// The faults from which an upstream can recover: it is reachable, and can perform `accept`.
  fileprivate var passingFaults: [Script.Step] {
    guard steps.contains(Script.Step(.accept)) else { return [] }
    return steps.filter { if case .fault(let fault) = $0.answer { !fault.isOfConnection } else { false } }
  }
}

/// The promises of every `NetworkService`.
package enum NetworkConformance {
  package typealias Rule = ConformanceRule<NetworkStage>

  package static let rules = answering + failing + signingIn + cancelling

  static let answering: [Rule] = [
    Rule("a repeat with the same id gets the same answer, and another id gets the answer that the address is taken") {
      stage in
      guard let accept = try stage.has("accept") else { return }
      try await stage.always(accept) { network in
        let id = AccountID(at: Fixtures.time)
        for attempt in 1...2 { try same(await register("a", id, network), .success(.registered), "attempt \(attempt)") }
        try same(await register("a", other, network), .success(.taken), "another id")
      }
    },
    Rule("an address is available until it is registered") { stage in
      guard let accept = try stage.has("accept") else { return }
      try await stage.always(accept) { network in
        try same(await isAvailable("a", network), .success(true), "before")
        _ = await register("a", other, network)
        try same(await isAvailable("a", network), .success(false), "afterwards")
        try same(await isAvailable("b", network), .success(true), "another address")
      }
    },
    Rule("a taken address is an answer, not a failure") { stage in
      guard let taken = try stage.has("taken") else { return }
      try await stage.always(taken) { network in
        try same(await isAvailable("a", network), .success(false), "availability")
        try same(await register("a", other, network), .success(.taken), "registration")
      }
    },
    Rule("at most one id can register an address, whatever the upstream does") { stage in
      for step in stage.steps where step.delay < .seconds(1) {
        try await stage.always(step) { network in
          var registered = 0
          for _ in 0..<3 where await register("a", other, network) == .success(.registered) { registered += 1 }
          try same(registered <= 1, true, "at most one")
        }
      }
    },
    Rule("a slow answer within the deadline is accepted") { stage in
      guard let slow = try stage.has("accept delay=20ms") else { return }
      try await stage.always(slow) { network in
        try same(await isAvailable("a", network), .success(true), "availability")
        try same(await register("a", other, network), .success(.registered), "registration")
        try same(await isSignedIn("a", network), .success(true), "sign-in")
      }
    },
  ]

  static let failing: [Rule] = [
    Rule("each fault is reported as its own failure, including its Retry-After") { stage in
      for step in stage.steps {
        guard case .fault(let fault) = step.answer, let failure = step.failure else { continue }
        try await stage.always(step) { network in
          try same(await isAvailable("a", network), .failure(failure), "availability")
          try same(await register("a", other, network), .failure(failure), "registration")
          let signedIn = await signIn("a", network)
          try same(signedIn, fault.refusesSession ? .success(.refused) : .failure(failure), "sign-in")
        }
      }
    },
    Rule("after a failure that excludes an effect, the address is not registered") { stage in
      for step in stage.passingFaults where !step.hasActed && step.failure?.mayHaveActed == false {
        try await stage.first(step) { network in
          _ = await register("a", other, network)
          try same(await isAvailable("a", network), .success(true), "the address")
          try same(await register("a", other, network), .success(.registered), "another id")
        }
      }
    },
    Rule("after a failure that hides a success, the same id is registered and the address is taken for another id") {
      stage in
      for step in stage.passingFaults where step.hasActed {
        try await stage.first(step) { network in
          let id = AccountID(at: Fixtures.time)
          try same(await register("a", id, network), step.failure.map { .failure($0) }, "the first time")
          try same(await isAvailable("a", network), .success(false), "the address")
          try same(await register("a", other, network), .success(.taken), "another id")
          try same(await register("a", id, network), .success(.registered), "the same id")
        }
      }
    },
  ]

  static let signingIn: [Rule] = [
    Rule("a correct password is accepted with an account id, which is the same at the next sign-in") { stage in
      guard let accept = try stage.has("accept") else { return }
      try await stage.always(accept) { network in
        _ = await register("a", other, network)
        let first = await signIn("a", network)
        guard case .success(.accepted(let id)) = first, !id.isEmpty else {
          throw Broken(description: "not accepted with an id: \(first)")
        }
        try same(await signIn("a", network), first, "a second time")
      }
    },
    Rule("an incorrect password is an answer, not a failure") { stage in
      guard let wrong = try stage.has("wrong") else { return }
      try await stage.always(wrong) { network in
        try same(await signIn("a", network), .success(.rejected), "sign-in")
      }
    },
    Rule("a sign-in registers nothing") { stage in
      guard let accept = try stage.has("accept") else { return }
      try await stage.always(accept) { network in
        _ = await signIn("a", network)
        try same(await isAvailable("a", network), .success(true), "the address")
      }
    },
  ]

  static let cancelling: [Rule] = [
    Rule("a cancelled availability check or registration fails before the upstream answers") { stage in
      guard let slow = try stage.has("accept delay=3600000ms") else { return }
      try await stage.always(slow) { network in
        let asked = await cancelled { await isAvailable("a", network) }
        try same(asked.map { if case .failure = $0 { true } else { false } }, true, "availability")
        let registered = await cancelled { await register("a", other, network) }
        try same(registered.map { if case .failure = $0 { true } else { false } }, true, "registration")
      }
    },
    Rule("a cancelled sign-in still completes and returns its answer") { stage in
      guard let slow = try stage.has("wrong delay=20ms") else { return }
      try await stage.always(slow) { network in
        try same(await cancelled { await signIn("a", network) }, .success(.rejected), "sign-in")
      }
    },
  ]

  // MARK: Asking

  private static var other: AccountID { AccountID(at: Fixtures.time) }

  private static func email(_ name: String) -> EmailAddress { Fixtures.account("\(name)@example.com").account.email }

  private static func isAvailable(
    _ name: String, _ network: any NetworkService
  ) async -> Result<Bool, NetworkFailure> {
    do { return .success(try await network.isAvailable(email(name))) } catch { return .failure(error) }
  }

  private static func register(
    _ name: String, _ id: AccountID, _ network: any NetworkService
  ) async -> Result<UpstreamAnswer, NetworkFailure> {
    let registration = UpstreamRegistration(id: id, email: email(name), passwordHash: PasswordHash(phc: "$h"))
    do { return .success(try await network.register(registration)) } catch { return .failure(error) }
  }

  private static func signIn(
    _ name: String, _ network: any NetworkService
  ) async -> Result<UpstreamSession, NetworkFailure> {
    do { return .success(try await network.signIn(email(name), Fixtures.password("a fine phrase"))) } catch {
      return .failure(error)
    }
  }

  private static func isSignedIn(
    _ name: String, _ network: any NetworkService
  ) async -> Result<Bool, NetworkFailure> {
    await signIn(name, network).map { if case .accepted = $0 { true } else { false } }
  }

  /// The result of a call that was cancelled before it began.
  private static func cancelled<Answer: Sendable>(
    _ call: @escaping @Sendable () async -> Result<Answer, NetworkFailure>
  ) async -> Result<Answer, NetworkFailure>? {
    await withTaskGroup(of: Result<Answer, NetworkFailure>.self) { group in
      // in this order, because a task that was added before might end before it is cancelled
      group.cancelAll()
      group.addTask { await call() }
      return await group.next()
    }
  }
}
