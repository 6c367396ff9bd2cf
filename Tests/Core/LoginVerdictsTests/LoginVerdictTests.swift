import LoginVerdicts
import Reasons
import Testing

struct LoginVerdictTests {
  @Test("only regd's own decisions are `wrong` or `refused`; any other reason, known or unknown, is `away`")
  func reasons() {
    #expect(LoginVerdict(reason: "store.dreaming") == .away)
    #expect(LoginVerdict(reason: "") == .away)
    var byVerdict: [LoginVerdict: Set<String>] = [:]
    for reason in ErrorReason.all {
      #expect(LoginVerdict(reason: reason.name) == LoginVerdict(reason.kind))
      byVerdict[LoginVerdict(reason.kind), default: []].insert(reason.name)
    }
    #expect(byVerdict[.right] == nil)
    #expect(byVerdict[.wrong] == ["credentials.rejected", "validation.failed", "rpc.invalidParams"])
    #expect(byVerdict[.refused] == ["account.disabled", "account.pending", "account.waiting", "group.required"])
  }
}
