import Testing

@testable import Reasons

@Suite("Error reasons")
struct ErrorReasonTests {
  /// A second copy, so that a typo fails the test.
  private static let ofProtocol: [(code: Int, reason: String)] = [
    (-32700, "rpc.parse"), (-32600, "rpc.invalidRequest"), (-32601, "rpc.methodNotFound"),
    (-32602, "rpc.invalidParams"),
    (-32603, "rpc.internal"), (-32000, "server.draining"), (-32001, "access.denied"), (-32002, "request.timeout"),
    (-32003, "rate.limited"), (-32007, "request.tooLarge"), (-32007, "request.tooDeep"), (-32008, "response.tooLarge"),
    (-32009, "server.busy"), (-32010, "batch.tooLarge"), (-32800, "request.cancelled"),
  ]

  /// The reasons of each kind, written out a second time. Every verdict, result code and report follows from the kind.
  private static let kinds: [(kind: ErrorReason.Kind, reasons: Set<String>)] = [
    (.credentials, ["credentials.rejected"]),
    (.input, ["rpc.invalidParams", "validation.failed"]),
    (.refusal, ["account.disabled", "account.pending", "account.waiting", "group.required"]),
    (
      .denial,
      [
        "access.denied", "account.notFound", "claim.notFound", "code.rejected", "configuration.refused", "email.taken",
        "feature.off", "form.notFound", "groups.tooMany", "invitation.notFound", "invitation.rejected",
        "mail.notFound", "registration.closed", "request.conflict", "session.ended",
      ]
    ),
    (.limit, ["rate.limited", "server.busy"]),
    (
      .outage,
      [
        "network.emptyResponse", "network.failed", "network.malformedResponse", "network.offline", "network.rejected",
        "network.timeout", "network.unavailable", "network.untrusted", "request.cancelled", "request.timeout",
        "rpc.internal", "server.draining", "store.full", "store.readOnly", "store.unavailable",
      ]
    ),
    (
      .protocol,
      [
        "batch.tooLarge", "request.tooDeep", "request.tooLarge", "response.tooLarge", "rpc.invalidRequest",
        "rpc.methodNotFound", "rpc.parse",
      ]
    ),
  ]

  @Test("an unknown name has no reason", arguments: ["", "x", "store.", "store.Full", "store.full "])
  func unknown(_ name: String) {
    #expect(ErrorReason.named(name) == nil)
  }

  @Test("no two reasons have the same name, and each is found by its name")
  func names() {
    #expect(Set(ErrorReason.all.map(\.name)).count == ErrorReason.all.count)
    for reason in ErrorReason.all {
      let found = ErrorReason.named(reason.name)
      #expect(found?.code == reason.code && found?.kind == reason.kind, "\(reason.name)")
    }
  }

  @Test("the codes and reasons of the protocol match this fixed table")
  func protocolReasons() {
    #expect(ErrorReason.ofProtocol.map(\.name) == Self.ofProtocol.map(\.reason))
    #expect(ErrorReason.ofProtocol.map(\.code) == Self.ofProtocol.map(\.code))
  }

  @Test("each kind has exactly the listed reasons")
  func kinds() {
    #expect(Self.kinds.map(\.kind) == ErrorReason.Kind.allCases)
    for (kind, reasons) in Self.kinds {
      #expect(Set(ErrorReason.all.filter { $0.kind == kind }.map(\.name)) == reasons, "\(kind)")
    }
  }
}
