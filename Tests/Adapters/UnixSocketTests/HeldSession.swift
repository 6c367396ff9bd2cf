import AsyncPrimitives
import Synchronization
import TestKit
import WireProtocols

@testable import UnixSocket

/// A line protocol whose work ends only when the test opens the hold, even after a cancellation. The line `?` asks a
/// question, and the answer is `done`, or `late` after the deadline. Any other line is echoed at once.
struct HeldWire: WireProtocol {
  let name: String
  /// The work of each question ends when the test opens this hold.
  let held: Hold

  init(_ name: String = "held", until held: Hold) { (self.name, self.held) = (name, held) }

  func session(
    with caller: Peer, _ quota: PeerQuota, _ limits: Limits, wake: @escaping @Sendable () -> Void
  ) -> any ProtocolSession {
    HeldSession(held)
  }
}

/// Waits that only `open` ends.
final class Hold: Sendable {
  private let waiting = Mutex<[Promise<Void>]?>([])

  func wait() async {
    let promise = Promise<Void>()
    let isOpen = waiting.withLock { waiting in
      waiting?.append(promise)
      return waiting == nil
    }
    if !isOpen { await promise.value() }
  }

  func open() {
    let promises = waiting.withLock { waiting in
      defer { waiting = nil }
      return waiting ?? []
    }
    for promise in promises { promise.fulfill(()) }
  }
}

private final class HeldSession: ProtocolSession {
  private let held: Hold
  private var line: [UInt8] = []
  private var waiting = SecureBuffer()
  /// The unanswered questions, and whether the caller has already got `late`.
  private var asked: [Int: Bool] = [:]
  private var last = 0
  private var isEnding = false

  init(_ held: Hold) { self.held = held }

  var output: UnsafeRawBufferPointer { waiting.bytes }
  func removeOutput() { waiting.removeAll() }
  var pendingBytes: Int { waiting.count }
  var inFlight: Int { asked.count }

  func readiness(within room: Int) -> SessionReadiness {
    let untold = asked.values.count { !$0 }
    return SessionReadiness(output: waiting.count, inFlight: untold, takesInput: !isEnding, isEnding: isEnding)
  }

  func receive(_ bytes: UnsafeRawBufferPointer, within budget: OutputBudget, _ start: (DeferredWork) -> Void)
    -> Progress
  {
    guard !isEnding else { return Progress(bytes: bytes.count, requests: 0) }
    var requests = 0
    for byte in bytes {
      guard byte == UInt8(ascii: "\n") else {
        line.append(byte)
        continue
      }
      requests += 1
      let text = String(decoding: line, as: UTF8.self)
      line = []
      guard text == "?" else {
        say(text)
        continue
      }
      last += 1
      asked[last] = false
      start(DeferredWork(last, .waiting { [held] _ in await held.wait() }))
    }
    return Progress(bytes: bytes.count, requests: requests)
  }

  func take(_ answer: any Sendable, to number: Int, _ start: (DeferredWork) -> Void) {
    if asked.removeValue(forKey: number) == false { say("done") }
  }

  func expire(_ number: Int, afterSeconds seconds: Int) {
    guard asked[number] == false else { return }
    asked[number] = true
    say("late")
  }

  func finish(_ start: (DeferredWork) -> Void) { isEnding = true }
  func end(because refusal: Refusal) { isEnding = true }
  func adopt(_ limits: Limits, _ access: Access) {}
  func drain() { isEnding = true }
  func shutDown() {}
  func abandon() {}

  private func say(_ text: String) { Array("\(text)\n".utf8).withUnsafeBytes { waiting.append($0) } }
}

/// A server in this process with work that the test holds.
struct HeldServer {
  let directory: String
  let server: Server
  let quotas: PeerQuotas
  let held: Hold
  var path: String { "\(directory)/s" }

  /// Serves until `body` returns, then ends all work.
  ///
  /// - Parameters:
  ///   - caller: The caller of each connection, or nil to ask the kernel.
  ///   - drains: False if `body` stops the server.
  static func with(
    _ limits: Limits, loops: Int = 1, caller: Peer? = nil, access: AccessRules = AccessRules(), drains: Bool = true,
    _ body: @Sendable (HeldServer) async throws -> Void
  ) async throws {
    try await withTemporaryDirectory { directory in
      let held = Hold()
      let socket = try ListeningSocket(path: "\(directory)/s", mode: 0o600, group: nil)
      let quotas = PeerQuotas(limits)
      let point = ListeningPoint(
        "held", socket, HeldWire(until: held), peer: caller.map { caller in { @Sendable _ in caller } })
      let server = Server([point], loops: loops, limits: limits, access: access, quotas: quotas, report: { _ in })
      let ready = Promise<Void>()
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await server.run { _ in ready.fulfill(()) } }
        await ready.value()
        let outcome: Result<Void, any Error>
        do {
          outcome = .success(
            try await body(HeldServer(directory: directory, server: server, quotas: quotas, held: held)))
        } catch {
          outcome = .failure(error)
        }
        held.open()
        if drains { await server.drain(within: .zero) }
        try await group.waitForAll()
        try outcome.get()
      }
    }
  }
}
