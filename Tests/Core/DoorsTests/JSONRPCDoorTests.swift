import LoginVerdicts
import Registration
import TestDoubles
import Testing
import WireProtocols

@testable import Doors

@Suite("The jsonrpc door", .timeLimit(.minutes(10)))
struct JSONRPCDoorTests {
  private static let signIn =
    #"{"jsonrpc":"2.0","id":1,"method":"session.signIn","params":["you@example.org","\#(LoginServiceStage.password)"]}"#
    + "\n"

  /// A caller whose sign-in waits for the hash.
  private final class Waiting {
    let stage: LoginServiceStage
    let hasher = StagedHasher()
    let quota = PeerQuota(uid: 7, requestsPerSecond: 0)
    let session: any ProtocolSession
    private let work: Task<any Sendable, Never>
    private let number: Int

    init() async throws {
      stage = await LoginServiceStage()
      await hasher.hold()
      let wire = NoKeys.door(JSONRPCDoor.self).open(stage.context(hashing: hasher))
      let session = wire.session(with: Peer(uid: 7, gid: 7, pid: 9), quota, wire.limits(Limits())) {}
      self.session = session
      var asked: [DeferredWork] = []
      _ = Array(JSONRPCDoorTests.signIn.utf8).withUnsafeBytes { bytes in
        session.receive(bytes, within: OutputBudget(output: 1 << 20, response: 1 << 20)) { asked.append($0) }
      }
      let deferred = try #require(asked.first)
      number = deferred.number
      work = Task {
        switch deferred.kind {
        case .computing(let compute): compute()
        case .waiting(let work), .lookingUp(let work): await work {}
        }
      }
      await hasher.reached()
    }

    func said() -> String {
      defer { session.removeOutput() }
      return String(decoding: session.output, as: UTF8.self)
    }

    func expire() { session.expire(number, afterSeconds: 8) }

    /// Lets the hash finish.
    func end() async {
      await hasher.open()
      session.take(await work.value, to: number) { _ in }
    }
  }

  @Test("a sign-in times out after answerSeconds although its work continues, and its late answer is dropped")
  func deadline() async throws {
    let waiting = try await Waiting()
    waiting.expire()
    let said = waiting.said()
    #expect(said.contains(#""reason":"request.timeout""#) && said.contains(#""limit":8"#))
    #expect(waiting.session.readiness(within: 100).inFlight == 0 && waiting.session.inFlight == 1)
    #expect(waiting.quota.inFlight == 1)
    await waiting.end()
    #expect(waiting.said() == "")
    #expect(waiting.quota.inFlight == 0 && waiting.quota.heldBytes == 0 && waiting.session.inFlight == 0)
    #expect(waiting.stage.counts[.away] == 1 && waiting.stage.counts[.right] == 0)
  }

  /// Signs in at a door of its own.
  ///
  /// - Returns: The reason of the error, or "signed in" if there is no error.
  private func signIn(
    _ stage: LoginServiceStage, at door: [GroupName], groups: String = "null",
    _ password: String = LoginServiceStage.password
  ) async -> String {
    let wire = NoKeys.door(JSONRPCDoor.self).open(stage.context(DoorTerms(groups: door)))
    let session = wire.session(
      with: Peer(uid: 7, gid: 7, pid: 9), PeerQuota(uid: 7, requestsPerSecond: 0), Limits()
    ) {}
    let params = #"{"email":"you@example.org","password":"\#(password)","groups":\#(groups)}"#
    let request = #"{"jsonrpc":"2.0","id":1,"method":"session.signIn","params":\#(params)}"# + "\n"
    var asked: [DeferredWork] = []
    _ = Array(request.utf8).withUnsafeBytes { bytes in
      session.receive(bytes, within: OutputBudget(output: 1 << 20, response: 1 << 20)) { asked.append($0) }
    }
    for deferred in asked {
      let answer: any Sendable
      switch deferred.kind {
      case .computing(let compute): answer = compute()
      case .waiting(let work), .lookingUp(let work): answer = await work {}
      }
      session.take(answer, to: deferred.number) { _ in }
    }
    let reply = String(decoding: session.output, as: UTF8.self)
    guard let start = reply.firstRange(of: #""reason":""#)?.upperBound else {
      return reply.contains(#""result":{"account":"#) ? "signed in" : reply
    }
    return String(reply[start...].prefix { $0 != "\"" })
  }

  @Test("the door's groups and the caller's groups both apply, and another password stays wrong")
  func groups() async {
    let stage = await LoginServiceStage()
    let door: [GroupName] = .named("staff", "guests")
    #expect(await signIn(stage, at: door, groups: #"["Staff"]"#) == "rpc.invalidParams")
    #expect(await signIn(stage, at: door, groups: #"["staff"]"#, "other horse") == "credentials.rejected")
    #expect(await signIn(stage, at: door) == "group.required")
    #expect(await signIn(stage, at: [], groups: #"["staff"]"#) == "group.required")
    #expect(await signIn(stage, at: [], groups: "[]") == "signed in")
    await stage.changeGroups(adding: .named("guests", "other"))
    #expect(await signIn(stage, at: door) == "signed in")
    #expect(await signIn(stage, at: door, groups: #"["other"]"#) == "signed in")
    #expect(await signIn(stage, at: door, groups: #"["staff"]"#) == "group.required")
    #expect(await signIn(stage, at: .named("staff"), groups: #"["other"]"#) == "group.required")
    #expect(stage.counts[.right] == 3 && stage.counts[.wrong] == 2 && stage.counts[.refused] == 4)
  }

  @Test("the door has words for a refused caller, except for a denied one")
  func denied() async {
    let wire = NoKeys.door(JSONRPCDoor.self).open(await LoginServiceStage().context())
    #expect(wire.text(of: .denied(7)).isEmpty && !wire.text(of: .draining).isEmpty)
  }

  /// Sends a text, and drops the questions that it leads to.
  private func send(_ text: String, to session: any ProtocolSession) {
    _ = Array(text.utf8).withUnsafeBytes { bytes in
      session.receive(bytes, within: OutputBudget(output: 1 << 20, response: 1 << 20)) { _ in }
    }
  }

  @Test("a caller that the door denies later gets the answer to its request in flight, and not a byte more")
  func deniedLater() async throws {
    let waiting = try await Waiting()
    waiting.session.end(because: .denied(7))
    send(#"{"jsonrpc":"2.0","id":2,"method":"rpc.none"}"# + "\n", to: waiting.session)
    #expect(waiting.said() == "" && waiting.session.readiness(within: 100).isEnding)
    await waiting.end()
    let said = waiting.said().split(separator: "\n")
    #expect(said.count == 1 && said.first?.contains(#""id":1,"result""#) == true, "\(said)")
  }

  @Test("the rate does not limit an administrator, although the door grants no rights, and a reload changes this")
  func rate() async {
    let wire = NoKeys.door(JSONRPCDoor.self).open(await LoginServiceStage().context())
    for (before, after) in [(Access.open, Access.admin), (.observe, .open), (.admin, .observe)] {
      let caller = Peer(uid: 7, gid: 7, pid: 9, access: before)
      let session = wire.session(with: caller, PeerQuota(uid: 7, requestsPerSecond: 1), Limits()) {}
      for access in [before, after] {
        send(String(repeating: #"{"jsonrpc":"2.0","id":1,"method":"rpc.none"}"# + "\n", count: 4), to: session)
        let said = String(decoding: session.output, as: UTF8.self)
        #expect(said.contains("rate.limited") == (access != .admin), "\(before), \(access): \(said)")
        session.removeOutput()
        session.adopt(Limits(), after)
      }
    }
  }

  @Test("a door does not count a caller that has left as `away`")
  func left() async throws {
    let waiting = try await Waiting()
    waiting.session.abandon()
    await waiting.end()
    #expect(waiting.stage.counts[.away] == 0 && waiting.stage.counts[.right] == 0)
    #expect(waiting.quota.inFlight == 0)
  }
}
