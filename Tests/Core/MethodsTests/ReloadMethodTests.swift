import JSONRPC
import TestDoubles
import Testing
import WireProtocols

@testable import Methods

@Suite("daemon.reload")
struct ReloadMethodTests {
  private func call(_ method: String, _ params: String, _ access: Access) async -> String {
    let caller = Peer(uid: 7, gid: 7, pid: 7, access: access)
    return await Talk(Subject().dispatcher, caller: caller).call(method, params).last ?? ""
  }

  @Test("a refused configuration is an error with every problem's place, key and message")
  func refused() async {
    let reply = await call("daemon.reload", #"{"dryRun":true}"#, .admin)
    #expect(reply.contains(#""code":1011"#) && reply.contains(#""reason":"configuration.refused""#))
    #expect(reply.contains(#""problems":[{"place":"/f:1","key":"k","message":"is wrong"}]"#), "\(reply)")
  }

  @Test("only administrators may call daemon.reload")
  func access() async {
    #expect(await call("daemon.reload", "null", .open).contains("access.denied"))
    let reply = await call("daemon.reload", "null", .admin)
    #expect(reply.contains(#""result":{"generation":4,"changed":["limits.requestSeconds"]}"#), "\(reply)")
  }
}
