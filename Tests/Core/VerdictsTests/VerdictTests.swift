import JSONRPC
import Methods
import Testing
import Verdicts

struct VerdictTests {
  @Test("only regd's own decisions are `wrong` or `refused`; any other reason, known or unknown, is `away`")
  func reasons() {
    var byVerdict: [Verdict: Set<String>] = [:]
    for reason in ErrorReason.ofProtocol + ErrorReason.ofApplication {
      byVerdict[Verdict(reason: reason.name), default: []].insert(reason.name)
    }
    #expect(byVerdict[.right] == nil)
    #expect(byVerdict[.wrong] == ["credentials.rejected", "validation.failed", "rpc.invalidParams"])
    #expect(byVerdict[.refused] == ["account.disabled", "account.pending", "account.waiting", "group.required"])
    #expect(Verdict(reason: "store.dreaming") == .away)
    #expect(Verdict(reason: "") == .away)
  }
}
