import Registration
import TestDoubles
import Testing
import WireProtocols

@testable import Doors

@Suite("Fair shares of calls at doors")
struct DoorShareTests {
  @Test(
    "a store look-up for a call at a jsonrpc door counts against the caller and its origin",
    arguments: [
      (
        #"{"jsonrpc":"2.0","id":1,"method":"session.signIn","params":{"email":"you@example.org","password":"x","origin":"o"}}"#,
        "o"
      ),
      (#"{"jsonrpc":"2.0","id":1,"method":"registration.checkEmail","params":["you@example.org"]}"#, nil),
    ])
  func jsonrpc(_ request: String, _ origin: String?) async throws {
    let stage = await LoginServiceStage()
    var keys = NoKeys(lists: ["doors.d.allow": ["exists"]])
    let wire = JSONRPCDoor(&keys, at: "doors.d", DoorTerms()).open(stage.context())
    let quota = PeerQuota(uid: 7, requestsPerSecond: 0)
    let session = wire.session(with: Peer(uid: 7, gid: 7, pid: 9), quota, Limits()) {}
    var deferredWork: [DeferredWork] = []
    _ = Array("\(request)\n".utf8).withUnsafeBytes { bytes in
      session.receive(bytes, within: OutputBudget(output: 1 << 20, response: 1 << 20)) { deferredWork.append($0) }
    }
    #expect(deferredWork.count == 1)
    for deferred in deferredWork {
      switch deferred.kind {
      case .waiting(let work), .lookingUp(let work): _ = await Task { await work {} }.value
      case .computing: Issue.record("a call that computes")
      }
    }
    #expect(stage.faulty.shares == [Share(uid: 7, origin: origin.flatMap { Origin($0) })])
  }
}
