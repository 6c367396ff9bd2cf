import LoginVerdicts
import Registration
import Testing
import WireProtocols

@testable import Doors

/// Tests the part of a connection that all doors share. The protocol reads lines `name password` and answers with the
/// question's number and the verdict.
struct DoorSessionTests {
  struct Lines: LoginProtocol {
    static var isConcurrent: Bool { true }
    private var last = 0

    mutating func greet() -> [UInt8] { Array("hello\n".utf8) }

    mutating func receive(_ bytes: UnsafeRawBufferPointer) -> Received {
      guard let end = bytes.firstIndex(of: 10) else { return .unfinished }
      let words = bytes[..<end].split(separator: 32, maxSplits: 1).map(Array.init)
      guard words.count == 2 else { return .message(end + 1, .text("what?\n")) }
      last += 1
      return .message(end + 1, Output(asks: (last, .signIn(Login(name: words[0], password: words[1])))))
    }

    mutating func write(_ answer: DoorAnswer, to number: Int) -> Output {
      .text("\(number) \(answer.verdict?.rawValue ?? "-")\n")
    }
  }

  final class Connection {
    let stage: LoginServiceStage
    let session: DoorSession<Lines>
    let quota: PeerQuota
    private(set) var deferredWork: [DeferredWork] = []
    var limits: Limits

    init(
      _ stage: LoginServiceStage, _ limits: Limits = Limits(), requestsPerSecond: Int = 0, access: Access = .open
    ) {
      (self.stage, self.limits) = (stage, limits)
      quota = PeerQuota(uid: 7, requestsPerSecond: requestsPerSecond)
      let caller = Peer(uid: 7, gid: 7, pid: 9, access: access)
      session = DoorSession(Lines(), stage.service(), with: caller, quota, limits)
    }

    /// - Returns: The output since the last call.
    @discardableResult
    func send(_ text: String) -> String {
      _ = Array(text.utf8).withUnsafeBytes { bytes in
        session.receive(bytes, within: OutputBudget(output: 1 << 20, response: 1 << 20)) { deferredWork.append($0) }
      }
      return said()
    }

    func said() -> String {
      defer { session.removeOutput() }
      return String(decoding: session.output, as: UTF8.self)
    }

    /// Does the work of the first question.
    func work() async -> (answer: any Sendable, number: Int) {
      let deferred = deferredWork.removeFirst()
      guard case .waiting(let work) = deferred.kind else { return ((), deferred.number) }
      // as a loop does, in a separate task: cancelling the work cancels its task, which would otherwise be the test's
      return (await Task { await work {} }.value, deferred.number)
    }

    func answer() async -> String {
      let (answer, number) = await work()
      session.take(answer, to: number) { deferredWork.append($0) }
      return said()
    }
  }

  private static let right = "you@example.org \(LoginServiceStage.password)\n"

  @Test("a question past its time is answered `away` once, and its late answer is dropped")
  func expired() async {
    let connection = Connection(await LoginServiceStage())
    #expect(connection.send(Self.right) == "")
    connection.session.expire(1, afterSeconds: 8)
    #expect(connection.said() == "1 away\n")
    #expect(connection.session.readiness(within: 100).inFlight == 0 && connection.session.inFlight == 1)
    #expect(await connection.answer() == "")
    #expect(connection.stage.counts[.away] == 1 && connection.stage.counts[.right] == 0)
    #expect(connection.quota.inFlight == 0 && connection.quota.heldBytes == 0)
  }

  @Test("a caller that leaves ends its questions, and none of its usage stays counted")
  func abandoned() async {
    let connection = Connection(await LoginServiceStage())
    connection.send(Self.right + "half a l")
    #expect(connection.quota.inFlight == 1 && connection.quota.heldBytes > 0)
    connection.session.abandon()
    #expect(connection.session.inFlight == 1, "the connection is kept until the answer comes")
    #expect(await connection.answer() == "")
    #expect(connection.session.inFlight == 0)
    #expect(connection.quota.inFlight == 0 && connection.quota.heldBytes == 0)
  }

  @Test("a draining door takes no new questions and answers those in flight")
  func draining() async {
    let connection = Connection(await LoginServiceStage())
    connection.send(Self.right)
    connection.session.drain()
    #expect(connection.send("you@example.org other\n") == "")
    #expect(await connection.answer() == "1 right\n")
    #expect(connection.session.readiness(within: 100).isEnding)
    #expect(connection.stage.counts[.wrong] == 0)
  }

  @Test("at the end of the shutdown time, every question in flight is answered `away`")
  func shutDown() async {
    let connection = Connection(await LoginServiceStage())
    connection.send(Self.right + Self.right)
    connection.session.shutDown()
    #expect(connection.said() == "1 away\n2 away\n")
    #expect(await connection.answer() == "")
    #expect(await connection.answer() == "")
    #expect(connection.quota.inFlight == 0)
  }

  @Test("a question beyond a user's rate or limit in flight is answered `away`")
  func bounds() async {
    var limits = Limits()
    limits.inFlightPerUID = 2
    let busy = Connection(await LoginServiceStage(), limits)
    #expect(busy.send(Self.right + Self.right + Self.right) == "3 away\n")
    let limited = Connection(await LoginServiceStage(), requestsPerSecond: 1)
    #expect(limited.send(Self.right + Self.right) == "2 away\n")
    #expect(limited.deferredWork.count == 1)
  }

  @Test("the rate does not limit an administrator, and a reload grants and removes this exemption")
  func rateOfAdministrators() async {
    let connection = Connection(await LoginServiceStage(), requestsPerSecond: 1, access: .admin)
    #expect(connection.send(Self.right + Self.right + Self.right) == "")
    connection.session.adopt(connection.limits, .observe)
    #expect(connection.send(Self.right + Self.right) == "5 away\n")
    connection.session.adopt(connection.limits, .admin)
    #expect(connection.send(Self.right + Self.right) == "")
  }

  @Test("a connection at its limit of questions takes no input until one of them is answered")
  func inFlight() async {
    var limits = Limits()
    limits.inFlightPerConnection = 2
    let connection = Connection(await LoginServiceStage(), limits)
    connection.send(Self.right + Self.right + "you@example.org other\n")
    #expect(connection.deferredWork.count == 2 && !connection.session.readiness(within: 100).takesInput)
    #expect(await connection.answer() == "1 right\n")
    #expect(connection.deferredWork.count == 2)
    #expect(await connection.answer() == "2 right\n")
    #expect(await connection.answer() == "3 wrong\n")
    #expect(connection.session.readiness(within: 100).takesInput)
  }

  @Test("expired questions do not block the connection up to a bound, beyond which a new question gets `away` at once")
  func late() async {
    var limits = Limits()
    limits.inFlightPerConnection = 1
    let connection = Connection(await LoginServiceStage(), limits)
    for number in 1...8 {
      #expect(connection.send(Self.right) == "" && connection.deferredWork.count == number)
      connection.session.expire(number, afterSeconds: 8)
      #expect(connection.said() == "\(number) away\n")
    }
    #expect(connection.send(Self.right) == "9 away\n")
    #expect(connection.session.readiness(within: 100).takesInput)
    #expect(await connection.answer() == "")
    #expect(connection.send(Self.right) == "" && connection.deferredWork.count == 8)
    for _ in 1...7 { #expect(await connection.answer() == "") }
    #expect(await connection.answer() == "10 right\n")
    #expect(connection.quota.inFlight == 0)
  }

  @Test("a connection reports the number of the message that has begun, and nil between messages")
  func begun() async {
    let connection = Connection(await LoginServiceStage())
    #expect(connection.session.readiness(within: 100).begunMessage == nil)
    connection.send("y")
    #expect(connection.session.readiness(within: 100).begunMessage == 0)
    connection.send("ou\nand")
    #expect(connection.session.readiness(within: 100).begunMessage == 1)
    connection.send("\n")
    #expect(connection.session.readiness(within: 100).begunMessage == nil)
  }

  @Test("a connection takes many messages of one read in steps of 32")
  func steps() async {
    let connection = Connection(await LoginServiceStage())
    #expect(connection.send(String(repeating: "x\n", count: 40)).count == 32 * 6)
    #expect(connection.session.readiness(within: 1000).unfinished == .ready)
    #expect(connection.send("").count == 8 * 6)
    #expect(connection.session.readiness(within: 1000).unfinished == .nothing)
  }
}
