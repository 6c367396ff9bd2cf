import JSONRPC
import TestKit
import Testing

@testable import Methods

@Suite("daemon.reload")
struct ReloadMethodTests {
  private func call(_ method: String, _ params: String, _ access: Access) async -> String {
    let caller = Caller(uid: 7, gid: 7, pid: 7, access: access)
    return await Talk(Subject().dispatcher, caller: caller).call(method, params).last ?? ""
  }

  @Test("a refused configuration is an error with every problem's place, key and message")
  func refused() async {
    let reply = await call("daemon.reload", #"{"dryRun":true}"#, .admin)
    #expect(reply.contains(#""code":1011"#) && reply.contains(#""reason":"configuration.refused""#))
    #expect(reply.contains(#""problems":[{"place":"/f:1","key":"k","message":"is wrong"}]"#), "\(reply)")
  }

  @Test("the daemon's own user may call it, and no more than that; others may not")
  func owner() async {
    #expect(await call("daemon.reload", "null", .open).contains("access.denied"))
    #expect(await call("daemon.status", "null", .owner).contains("access.denied"))
    for access in [Access.owner, .admin] {
      let reply = await call("daemon.reload", "null", access)
      #expect(reply.contains(#""result":{"generation":4,"changed":["k"]}"#), "\(reply)")
    }
  }
}

@Suite("Access of the daemon's own user")
struct OwnerTests {
  @Test("is less than an administrator's and more than none")
  func order() {
    let rules = AccessRules(uids: [10], owner: 11)
    #expect(rules.access(uid: 12, gid: 11, groups: [11]) == .open)
    #expect(rules.access(uid: 11, gid: 1, groups: []) == .owner)
    #expect(rules.access(uid: 10, gid: 1, groups: []) == .admin)
    #expect(AccessRules(uids: [11], owner: 11).access(uid: 11, gid: 1, groups: []) == .admin)
    #expect(Access.open < .owner && .owner < .admin && Access.open < .admin)
    #expect(!(Access.owner < .open) && !(Access.admin < .owner))
  }
}
