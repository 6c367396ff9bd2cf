import JSONRPC
import Reasons
import Registration
import Testing

@testable import Methods

/// The lists of names that programs switch on.
@Suite("Names of errors and events")
struct NameTests {
  /// The codes of the protocol, written out a second time to catch typing errors.
  private static let errors: [(code: Int, reason: String)] = [
    (-32011, "feature.off"), (1001, "validation.failed"), (1002, "email.taken"), (1003, "credentials.rejected"),
    (1004, "account.notFound"),
    (1005, "account.disabled"), (1006, "request.conflict"), (1007, "form.notFound"), (1008, "account.pending"),
    (1009, "claim.notFound"), (1010, "code.rejected"), (1011, "configuration.refused"), (1012, "mail.notFound"),
    (1013, "registration.closed"), (1014, "invitation.rejected"), (1015, "account.waiting"),
    (1016, "invitation.notFound"), (1017, "session.ended"),
    (1018, "group.required"), (1019, "groups.tooMany"),
    (2001, "network.offline"), (2002, "network.unavailable"), (2003, "network.timeout"),
    (2004, "network.emptyResponse"), (2005, "network.malformedResponse"), (2006, "network.rejected"),
    (2007, "network.untrusted"), (2008, "network.failed"), (3001, "store.unavailable"), (3002, "store.full"),
    (3003, "store.readOnly"),
  ]

  @Test("the application's errors have exactly the listed codes and reasons")
  func applicationErrors() {
    let sorted = ErrorReason.ofApplication.sorted { $0.code < $1.code }
    #expect(sorted.map(\.name) == Self.errors.map(\.reason))
    #expect(sorted.map(\.code) == Self.errors.map(\.code))
  }

  @Test("every error that a method names is in a list, and no name has two codes")
  func namedErrors() {
    let all = ErrorReason.ofProtocol + ErrorReason.ofApplication
    #expect(Set(all.map(\.name)).count == all.count)
    let named = Subject().table.methods.flatMap(\.errors)
    #expect(Set(named).isSubset(of: Set(all)))
  }

  @Test("the events have exactly the listed names, each only once")
  func events() {
    #expect(Set(EventName.all).count == EventName.all.count)
    #expect(
      EventName.allCases.map(\.rawValue) == [
        "store.failed", "store.recovered", "store.damaged", "store.wentBack", "store.accepted", "network.failed",
        "network.recovered",
        "network.breakerOpened", "network.breakerClosed", "outbox.delivered", "outbox.refused", "outbox.delayed",
        "mail.wanted", "mail.sent", "mail.delayed", "mail.refused", "mail.failed", "mail.recovered", "daemon.reloaded",
        "events.missed",
      ])
  }
}
