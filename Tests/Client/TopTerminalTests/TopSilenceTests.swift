import Linux
import RegdClient
import RegdProcesses
import TestDoubles
import TestKit
import Testing

@testable import TopTerminal

@Suite("regctl top and a silent regd", .blocking, .timeLimit(.minutes(10)))
struct TopSilenceTests {
  private static let cannotStart = RegdClientFailure.cannotConnect(path: "x", reason: "it cannot start")

  /// Calls `body` with the path of a socket that never answers.
  private func withSilence(_ body: (String) throws -> Void) throws {
    try TemporaryDirectory.with { directory in
      let silent = try Descriptor.socket(.localStream)
      try silent.bind(to: SocketAddress(path: "\(directory)/s"))
      try silent.listen(backlog: 2)
      try body("\(directory)/s")
    }
  }

  @Test("before its first screen, regctl top fails with the reason why regd cannot start, as other commands do")
  func first() throws {
    try withSilence { path in
      let patience = Patience(looks: [.milliseconds(1)]) { _, _ in Self.cannotStart }
      let stream = TopStream(TopPartner(path: path, timeoutSeconds: 300, patience: patience), period: 0.5)
      #expect(throws: Self.cannotStart) {
        try stream.run({ _, _ in false }, lost: { _ in })
      }
    }
  }

  @Test("a known reason for regd's silence replaces the timeout")
  func later() {
    #expect(TopPartner(path: "x", timeoutSeconds: 7).noAnswer == .timedOut(seconds: 7))
    let known = TopPartner(path: "x", timeoutSeconds: 7, silence: { Self.cannotStart })
    #expect(known.noAnswer == Self.cannotStart)
  }
}
