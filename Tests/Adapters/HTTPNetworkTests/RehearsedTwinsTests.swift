import Linux
import RegdProcesses
import Registration
import RehearsedNetworks
import RehearsedUpstream
import TestDoubles
import Testing

@testable import HTTPNetwork

/// The same script, run by the built-in network and by a real server behind HTTPNetwork. Both must look the same to the
/// code that calls them.
@Suite("A script, built in and over HTTP", .timeLimit(.minutes(10)))
struct RehearsedTwinsTests {
  private static let email = Fixtures.account("a@example.com").account.email

  /// All possible steps, with their options.
  private static let steps: [String] =
    ["accept", "taken", "at-work", "accept delay=20ms", "unavailable retryAfter=7", "throttle retryAfter=9"]
    + UpstreamFault.allCases.flatMap { $0.mayHideSuccess ? [$0.rawValue, "\($0.rawValue) acted"] : [$0.rawValue] }

  /// - Parameter total: The timeout of a call. It can be long unless the upstream hangs.
  private func withNetwork<Value>(
    _ script: Script, total: Duration = .seconds(3600), _ body: (HTTPNetwork, UpstreamServer) async throws -> Value
  ) async throws -> Value {
    let directory = try TemporaryDirectory.make()
    defer { FileSystem.removeDirectory(directory) }
    let server = try UpstreamServer(script, directory: directory)
    defer { server.stop() }
    let configuration = HTTPNetwork.Configuration(
      baseURL: server.baseURL, allowsPlaintext: true, caFile: server.caFile, connect: total, total: total)
    let network = try HTTPNetwork(configuration, time: FixedTime())
    defer { network.stop() }
    return try await body(network, server)
  }

  /// The results of three registrations, two availability checks and a sign-in, in order.
  private func seen(_ network: any NetworkService) async -> [String] {
    let ids = [AccountID(at: Fixtures.time), AccountID(at: Fixtures.time)]
    var seen: [String] = []
    func note<Answer>(_ body: () async throws(NetworkFailure) -> Answer) async {
      do { seen.append("\(try await body())") } catch { seen.append("\(error), may have acted: \(error.mayHaveActed)") }
    }
    for id in [ids[0], ids[0], ids[1]] {
      let registration = UpstreamRegistration(id: id, email: Self.email, passwordHash: PasswordHash(phc: "$h"))
      await note { () async throws(NetworkFailure) in try await network.register(registration) }
    }
    await note { () async throws(NetworkFailure) in try await network.isAvailable(Self.email) }
    await note { () async throws(NetworkFailure) in
      try await network.isAvailable(Fixtures.account("b@example.com").account.email)
    }
    await note { () async throws(NetworkFailure) in
      switch try await network.signIn(Self.email, Fixtures.password("a fine phrase")) {
      case .accepted: "accepted"
      case .rejected: "rejected"
      case .refused: "refused"
      }
    }
    return seen
  }

  @Test("each step gives the same results built in and over HTTP", arguments: steps)
  func twins(_ word: String) async throws {
    let step = try Script.Step(word)
    let signIn = step.isAnswer(to: .signIn) ? step : Script.Step(.wrong)
    let script = Script(checkEmail: [step], register: [step], signIn: [signIn])
    let builtIn = await seen(ScriptedNetwork(script))
    let hangs = ["unroutable", "timeout", "stall"].contains { word.hasPrefix($0) }
    let overHTTP = try await withNetwork(script, total: .seconds(hangs ? 1 : 3600)) { network, server in
      let seen = await seen(network)
      #expect(server.ledger.complaints.isEmpty, "\(server.ledger.complaints)")
      return seen
    }
    #expect(builtIn == overHTTP)
  }

  @Test(
    "a script of several steps gives the same results built in and over HTTP, with and without repeats",
    arguments: [false, true],
    [
      ["unavailable", "fail acted", "accept"], ["fail acted", "at-work", "accept"], ["accept", "at-work", "at-work"],
      ["unavailable acted", "accept"],
    ])
  func lists(_ repeats: Bool, _ words: [String]) async throws {
    let steps = try words.map { try Script.Step($0) }
    let script = Script(checkEmail: steps, register: steps, signIn: steps, repeats: repeats)
    let builtIn = await seen(ScriptedNetwork(script))
    let overHTTP = try await withNetwork(script) { network, _ in await seen(network) }
    #expect(builtIn == overHTTP)
  }
}
