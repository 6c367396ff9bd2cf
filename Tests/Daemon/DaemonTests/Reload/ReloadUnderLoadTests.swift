import Glibc
import RegdClient
import RegdProcesses
import RehearsedNetworks
import RehearsedUpstream
import Synchronization
import TestDoubles
import TestKit
import Testing

/// Many reloads during many calls.
@Suite("Reload: under load", .blocking, .timeLimit(.minutes(10)))
struct ReloadUnderLoadTests {
  @Test("300 reloads, each with another network, fail no call and leave no descriptor and no thread behind")
  func hundreds() throws {
    try TemporaryDirectory.with { directory in
      let upstream = try UpstreamServer(Script(), directory: directory)
      defer { upstream.stop() }
      try ReloadableRegd.with(Self.yaml(upstream, 0)) { it in
        try it.reload(Self.yaml(upstream, 1))
        let before = (try it.regd.descriptors(), try threads(of: it.regd.process.pid).count)
        let callers = try (0..<4).map { _ in try LoadingCaller(it.regd.socket) }
        for number in 2..<302 {
          for caller in callers { try caller.ask() }
          #expect(try !it.reload(Self.yaml(upstream, number)).isEmpty)
          for caller in callers { try caller.answers() }
        }
        #expect(callers.map(\.failures) == [[], [], [], []])
        #expect(try it.generation() == 302)
        try reached { try threads(of: it.regd.process.pid).count <= before.1 }
        // The connections that the upstream keeps open belong to the current network.
        try reached { try it.regd.descriptors() <= before.0 + callers.count * 2 }
      }
    }
  }

  /// A different network each time, with other timeouts, and other rules for registrations.
  private static func yaml(_ upstream: UpstreamServer, _ number: Int) -> String {
    let mode = ["open", "invited", "closed"][number % 3]
    let approval = ["none", "administrator", "uninvited"][number / 3 % 3]
    return """
      store: {backend: memory}
      registration: {mode: \(mode), approval: \(approval), approvedDomains: [d\(number).example], invitationSeconds: \(60 + number), terms: {version: "\(number)", url: "/\(number)"}}
      email: {allowedDomains: [example.com, d\(number).example]}
      limits: {depth: \(20 + number % 10)}
      password: {minimumLength: \(6 + number % 3)}
      network: {backend: http, http: {baseURL: "\(upstream.baseURL)", allowPlaintext: true, totalSeconds: \(10 + number % 7)}}
      """
  }
}

/// Makes a call that is answered at once and another that takes time, and notes the failures.
private final class LoadingCaller {
  private let conversation: RegdConversation
  private(set) var failures: [String] = []
  private var asked = 0

  init(_ path: String) throws { conversation = try RegdConversation(path: path) }

  func ask() throws {
    try conversation.send(
      "registration.validate",
      RegdClient.entry(email: "name@example.com", password: "a fine phrase", confirmation: "a fine phrase"))
    try conversation.send("registration.checkEmail", ["email": .string("name\(asked)@example.com")])
    asked += 2
  }

  func answers() throws {
    while asked > 0 {
      guard case .reply(_, let answer) = try conversation.receive() else { continue }
      asked -= 1
      if case .failure(let error) = answer { failures.append(error.reason) }
    }
  }
}
