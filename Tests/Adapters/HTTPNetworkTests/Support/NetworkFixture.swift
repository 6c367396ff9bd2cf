import Glibc
import Registration
import Synchronization
import TestDoubles
import TestKit

@testable import HTTPNetwork

/// Runs `body` with an upstream and an `HTTPNetwork` that talks to it.
func withUpstream(
  _ change: (inout HTTPNetwork.Configuration) -> Void,
  serving serve: @escaping @Sendable (RawConnection) -> Void,
  body: (HTTPNetwork, RawServer, Reports) async throws -> Void
) async throws {
  let server = try RawServer(serve)
  try await withNetwork(port: server.port, change) { try await body($0, server, $1) }
  server.close()
}

func withNetwork(
  port: Int, _ change: (inout HTTPNetwork.Configuration) -> Void = { _ in },
  body: (HTTPNetwork, Reports) async throws -> Void
) async throws {
  // no test waits for these timeouts unless it sets them
  var configuration = HTTPNetwork.Configuration(
    baseURL: "http://127.0.0.1:\(port)", connect: .seconds(3600), total: .seconds(3600), idle: .seconds(86_400))
  change(&configuration)
  let reports = Reports()
  let network = try HTTPNetwork(configuration, time: FixedTime()) { reports.add($0) }
  defer { network.stop() }
  try await body(network, reports)
}

final class Reports: Sendable {
  private let list = Mutex<[HTTPReport]>([])
  func add(_ report: HTTPReport) { list.withLock { $0.append(report) } }
  var all: [HTTPReport] { list.withLock { $0 } }
}

let someID = AccountID(at: Fixtures.time)

extension HTTPNetwork {
  /// The result of a registration.
  func registerSomebody(_ id: AccountID = someID) async -> Result<UpstreamAnswer, NetworkFailure> {
    let registration = UpstreamRegistration(
      id: id, email: .of("name@example.com"), passwordHash: PasswordHash(phc: "$made-up$hash"))
    do throws(NetworkFailure) {
      return .success(try await register(registration))
    } catch {
      return .failure(error)
    }
  }

  func signInSomebody(_ email: String = "name@example.com") async -> Result<UpstreamSession, NetworkFailure> {
    do throws(NetworkFailure) {
      return .success(try await signIn(.of(email), Password(utf8: Array("a secret".utf8))))
    } catch {
      return .failure(error)
    }
  }

  func askAboutSomebody() async -> Result<Bool, NetworkFailure> {
    do throws(NetworkFailure) {
      return .success(try await isAvailable(.of("name@example.com")))
    } catch {
      return .failure(error)
    }
  }
}
