import Reasons
import Testing
import Verdicts

struct VerdictTests {
  @Test("only regd's own decisions are `wrong` or `refused`; any other reason, known or unknown, is `away`")
  func reasons() {
    #expect(Verdict(reason: "store.dreaming") == .away)
    #expect(Verdict(reason: "") == .away)
    var byVerdict: [Verdict: Set<String>] = [:]
    for reason in ErrorReason.all {
      #expect(Verdict(reason: reason.name) == Verdict(reason.kind))
      byVerdict[Verdict(reason.kind), default: []].insert(reason.name)
    }
    #expect(byVerdict[.right] == nil)
    #expect(byVerdict[.wrong] == ["credentials.rejected", "validation.failed", "rpc.invalidParams"])
    #expect(byVerdict[.refused] == ["account.disabled", "account.pending", "account.waiting", "group.required"])
  }
}
