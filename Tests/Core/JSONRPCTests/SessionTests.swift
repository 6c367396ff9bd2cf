import TestDoubles
import Testing
import WireProtocols

@testable import JSONRPC

@Suite("Session")
struct SessionTests {
  private final class Kept: Sendable {
    let deed: @Sendable () -> Void
    init(_ deed: @escaping @Sendable () -> Void) { self.deed = deed }
    deinit { deed() }
  }

  private func session() -> Session { Session(caller: Peer(uid: 7, gid: 8, pid: 9)) }

  private func texts(_ session: Session) -> [String] {
    session.takeTexts().map { String(decoding: $0, as: UTF8.self) }
  }

  @Test("a session whose connection has ended sends nothing more and releases its attachments")
  func ended() {
    let session = session()
    var count = 0
    withUnsafeMutablePointer(to: &count) { pointer in
      nonisolated(unsafe) let pointer = pointer
      // an attachment may notify the session when it ends, and the session ignores it
      _ = session.attachment { Kept { pointer.pointee += session.notify("bye") { $0.null() } ? 100 : 1 } }
      session.notify("early") { $0.null() }
      session.end()
      #expect(pointer.pointee == 1)
      #expect(!session.notify("late") { $0.null() })
      #expect(texts(session) == [])
      _ = session.attachment { Kept { pointer.pointee += 1 } }
      #expect(pointer.pointee == 2)
    }
  }

  @Test("a session keeps one attachment of a kind until it is detached")
  func attachments() {
    let session = session()
    let first = session.attachment { Kept {} }
    #expect(session.attachment { Kept {} } === first)
    session.detach(Kept.self)
    #expect(session.existing(Kept.self) == nil)
  }

  @Test("an action after a reply runs once, and not after the session has ended")
  func behindReply() {
    let session = session()
    session.afterReply { session.notify("b") { $0.value(2) } }
    session.notify("a") { $0.value(1) }
    #expect(texts(session) == [#"{"jsonrpc":"2.0","method":"a","params":1}"#])
    for _ in 0..<2 { session.hasReplied() }
    #expect(texts(session) == [#"{"jsonrpc":"2.0","method":"b","params":2}"#])
    session.end()
    session.afterReply { Issue.record("done for nobody") }
    session.hasReplied()
  }

  @Test("a session counts waiting bytes and refuses notifications beyond the limit")
  func limits() {
    let session = session()
    session.notify("a") { $0.value(1) }
    #expect(session.waitingBytes == 41)
    #expect(!session.notify("c", unlessWaiting: 41) { $0.value(3) })
    #expect(texts(session) == [#"{"jsonrpc":"2.0","method":"a","params":1}"#])
    #expect(!session.isWaiting)
    #expect(session.waitingBytes == 0)
  }

  @Test("a session wakes its sender once for several notifications, and reports when they are taken")
  func waking() {
    let session = session()
    var woken = 0
    var taken = 0
    withUnsafeMutablePointer(to: &woken) { woken in
      withUnsafeMutablePointer(to: &taken) { taken in
        nonisolated(unsafe) let (woken, taken) = (woken, taken)
        session.whenWaiting { woken.pointee += 1 }
        session.whenTaken { taken.pointee += 1 }
        for _ in 0..<3 { session.notify("a") { $0.null() } }
        #expect(woken.pointee == 1)
        #expect(texts(session).count == 3)
        #expect(taken.pointee == 1)
        session.notify("a") { $0.null() }
        #expect(woken.pointee == 2)
        session.whenTaken(nil)
        _ = texts(session)
        #expect(taken.pointee == 1)
      }
    }
  }

  @Test("of several notifications, a session takes those for which it has room, and wakes its sender once")
  func several() {
    let session = session()
    let text = Session.text("a") { $0.value(1) }
    var woken = 0
    withUnsafeMutablePointer(to: &woken) { pointer in
      nonisolated(unsafe) let pointer = pointer
      session.whenWaiting { pointer.pointee += 1 }
      #expect(session.send(all: [], unlessWaiting: 42) == 0)
      #expect(!session.isWaiting)
      #expect(session.send(all: [text, text, text], unlessWaiting: 42) == 2)
      #expect(session.send(all: [text], unlessWaiting: 42) == 0)
      #expect(pointer.pointee == 1)
      #expect(session.waitingBytes == 82)
      #expect(texts(session).count == 2)
      session.end()
      #expect(session.send(all: [text], unlessWaiting: 42) == 0)
      #expect(pointer.pointee == 1)
    }
  }

  @Test("only the last notification of a state waits, after all events before it")
  func lastState() {
    let session = session()
    for number in 1...3 {
      session.notify("changed", stateOf: 1) { $0.value(number) }
      session.notify("changed", stateOf: 2) { $0.value(number * 10) }
      session.notify("event") { $0.value(number) }
    }
    let kept = session.waitingBytes
    let told = texts(session)
    #expect(
      told.map { String($0.dropFirst(27)) } == [
        #"event","params":1}"#, #"event","params":2}"#, #"changed","params":3}"#, #"changed","params":30}"#,
        #"event","params":3}"#,
      ])
    #expect(kept == told.reduce(0) { $0 + $1.utf8.count })
    #expect(session.waitingBytes == 0)
    session.notify("changed", stateOf: 1) { $0.value(4) }
    #expect(texts(session).count == 1)
  }

  @Test("frequent state changes do not lengthen the queue, and its order and byte count stay correct")
  func manyStates() {
    let session = session()
    var woken = 0
    withUnsafeMutablePointer(to: &woken) { pointer in
      nonisolated(unsafe) let pointer = pointer
      session.whenWaiting { pointer.pointee += 1 }
      for number in 0..<1000 {
        if number % 100 == 0 { session.notify("event") { $0.value(number) } }
        session.notify("changed", stateOf: number % 7) { $0.value(number) }
      }
      #expect(pointer.pointee == 1)
    }
    let kept = session.waitingBytes
    let told = texts(session)
    #expect(told.count == 17)
    #expect(kept == told.reduce(0) { $0 + $1.utf8.count })
    let changed = told.filter { $0.contains("changed") }.map { String($0.dropFirst(45).dropLast()) }
    #expect(changed == (993..<1000).map { "\($0)" })
  }
}
