import Synchronization
import TestKit
import Testing
import WireProtocols

@testable import UnixSocket

/// Deadlines, callers that leave and callers that hold connections, while the work of requests never ends.
@Suite("Work that does not end", .blocking, .timeLimit(.minutes(10)))
struct HeldWorkTests {
  private func send(_ caller: RawCaller, _ text: String) throws { try caller.send(Array("\(text)\n".utf8)) }

  @Test("at the deadline the server sends the error although the work continues", arguments: [1, 2])
  func deadline(_ loops: Int) async throws {
    try await HeldServer.with(Limits(requestSeconds: 1), loops: loops) { stage in
      let caller = try RawCaller(stage.path)
      try send(caller, "?")
      #expect(try caller.readLine() == "late")
      try send(caller, "still here")
      #expect(try caller.readLine() == "still here")
    }
  }

  @Test(
    "a new caller without a uid gets in although other callers of the same door hold all its connections",
    arguments: [1, 2])
  func nameless(_ loops: Int) async throws {
    let nobody = Peer(uid: 0xFFFE_0001, gid: .max, pid: 0)
    let limits = Limits(connectionsPerUID: 4, requestSeconds: 3600)
    try await HeldServer.with(limits, loops: loops, caller: nobody) { stage in
      let holders = try (0..<4).map { _ in try RawCaller(stage.path) }
      for holder in holders {
        try send(holder, "here")
        #expect(try holder.readLine() == "here")
      }
      // the second holder has a request in flight, and the first holder was served last
      try send(holders[1], "?")
      try send(holders[0], "again")
      #expect(try holders[0].readLine() == "again")
      try send(holders[1], "behind")
      #expect(try holders[1].readLine() == "behind")
      let newcomer = try RawCaller(stage.path)
      repeat {
        try send(newcomer, "new")
        #expect(try newcomer.readLine() == "new")
      } while stage.quotas.survey(listing: 1).all.connections > 4
      let open = holders.map { (try? send($0, "still here")) != nil && (try? $0.readLine()) == "still here" }
      // with two loops the ends of the two longest-idle connections may come in either order
      #expect(open == [true, true, false, true] || loops == 2 && open == [true, true, true, false])
    }
  }

  @Test("a denied caller gets no byte if the protocol has no words for it, and callers without a uid are never denied")
  func denied() async throws {
    let (limits, rules) = (Limits(requestSeconds: 3600), AccessRules(denied: .init(uids: [7])))
    try await HeldServer.with(limits, caller: Peer(uid: 7, gid: 8, pid: 9), access: rules) { stage in
      let caller = try RawCaller(stage.path)
      #expect(try caller.readAll() == [])
    }
    try await HeldServer.with(limits, caller: Peer(uid: 7, gid: .max, pid: 0), access: rules) { stage in
      let caller = try RawCaller(stage.path)
      try send(caller, "here")
      #expect(try caller.readLine() == "here")
    }
  }

  @Test(
    "the connections of a user whom new rules deny end once their requests in flight are answered", arguments: [1, 2])
  func deniedLater(_ loops: Int) async throws {
    let limits = Limits(requestSeconds: 3600)
    try await HeldServer.with(limits, loops: loops, caller: Peer(uid: 7, gid: 8, pid: 9)) { stage in
      let (asking, idle) = (try RawCaller(stage.path), try RawCaller(stage.path))
      try send(asking, "?\nhere")
      try send(idle, "here")
      #expect(try asking.readLine() == "here" && idle.readLine() == "here")
      await stage.server.adopt(limits, AccessRules(denied: .init(gids: [8])))
      #expect(try idle.readAll() == [])
      stage.held.open()
      #expect(try asking.readLine() == "done" && asking.readLine() == nil)
    }
  }

  @Test(
    "the connection of a denied user closes `stalledSeconds` after its last answer, even if the user goes on reading slowly",
    arguments: [1, 2])
  func deniedSlowReader(_ loops: Int) async throws {
    // while the caller fills the queue, it reads nothing, for as long as that takes
    var limits = Limits(stalledSeconds: 3600, requestSeconds: 3600)
    limits.queuedBytesPerConnection = 16 << 20
    let before = limits
    limits.stalledSeconds = 1
    let after = limits
    try await HeldServer.with(Limits()) { other in
      let pace = other.path
      try await HeldServer.with(before, loops: loops, caller: Peer(uid: 7, gid: 8, pid: 9)) { stage in
        let (caller, beat) = (try RawCaller(stage.path), try RawCaller(pace))
        let line = [UInt8](repeating: UInt8(ascii: "x"), count: 1023) + [UInt8(ascii: "\n")]
        for _ in 0..<8192 { try caller.send(line) }
        while !caller.isTaken {}
        await stage.server.adopt(after, AccessRules(denied: .init(uids: [7])))
        var count = 0
        // slow, but so steady that the caller never stalls: another server answers between two reads
        while case let bytes = try caller.read(16), !bytes.isEmpty {
          count += bytes.count
          try send(beat, "here")
          #expect(try beat.readLine() == "here")
        }
        #expect(count < 8192 * 1024)
      }
    }
  }

  @Test("the server does not close connections with requests in flight for a new caller", arguments: [1, 2])
  func busy(_ loops: Int) async throws {
    let nobody = Peer(uid: 0xFFFE_0001, gid: .max, pid: 0)
    let limits = Limits(connectionsPerUID: 2, requestSeconds: 3600)
    try await HeldServer.with(limits, loops: loops, caller: nobody) { stage in
      let holders = try (0..<2).map { _ in try RawCaller(stage.path) }
      for holder in holders {
        try send(holder, "?")
        try send(holder, "here")
        #expect(try holder.readLine() == "here")
      }
      #expect(try RawCaller(stage.path).readLine() == nil)
      for holder in holders {
        try send(holder, "still here")
        #expect(try holder.readLine() == "still here")
      }
    }
  }

  @Test("drain calls back once, when no caller can connect any more", arguments: [1, 2])
  func stopping(_ loops: Int) async throws {
    try await HeldServer.with(Limits(requestSeconds: 3600), loops: loops, drains: false) { stage in
      let caller = try RawCaller(stage.path)
      try send(caller, "here")
      #expect(try caller.readLine() == "here")
      let told = Atomic<Int>(0)
      await stage.server.drain(within: .zero) {
        told.add(1, ordering: .relaxed)
        #expect(throws: RawCaller.Failure.self) { try RawCaller(stage.path) }
      }
      #expect(told.load(ordering: .relaxed) == 1)
      #expect(try caller.readLine() == nil)
    }
  }

  @Test("at its limit a user with a uid is refused, and keeps its connections", arguments: [1, 2])
  func named(_ loops: Int) async throws {
    try await HeldServer.with(Limits(connectionsPerUID: 2, requestSeconds: 3600), loops: loops) { stage in
      let holders = try (0..<2).map { _ in try RawCaller(stage.path) }
      for holder in holders {
        try send(holder, "here")
        #expect(try holder.readLine() == "here")
      }
      #expect(try RawCaller(stage.path).readLine() == nil)
      for holder in holders {
        try send(holder, "still here")
        #expect(try holder.readLine() == "still here")
      }
    }
  }
}
