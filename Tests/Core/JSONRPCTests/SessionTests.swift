import Dialogues
import TestDoubles
import Testing

@testable import JSONRPC

@Suite("Session")
struct SessionTests {
  private final class Kept: Sendable {
    let deed: @Sendable () -> Void
    init(_ deed: @escaping @Sendable () -> Void) { self.deed = deed }
    deinit { deed() }
  }

  private func session() -> Session { Session(caller: Caller(uid: 7, gid: 8, pid: 9)) }

  private func texts(_ session: Session) -> [String] {
    session.takeTexts().map { String(decoding: $0, as: UTF8.self) }
  }

  @Test("a session whose connection has gone tells nothing more, and lets go of what it kept")
  func ended() {
    let session = session()
    var count = 0
    withUnsafeMutablePointer(to: &count) { pointer in
      nonisolated(unsafe) let pointer = pointer
      // what ends may have something to say to the session, which it then does not hear
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

  @Test("one of a kind is kept, until it is let go of")
  func attachments() {
    let session = session()
    let first = session.attachment { Kept {} }
    #expect(session.attachment { Kept {} } === first)
    session.detach(Kept.self)
    #expect(session.existing(Kept.self) == nil)
  }

  @Test("what is to be done behind a reply is done once, and not for one that has gone")
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

  @Test("past the limit nothing is taken; bytes are counted")
  func limits() {
    let session = session()
    session.notify("a") { $0.value(1) }
    #expect(session.waitingBytes == 41)
    #expect(!session.notify("c", unlessWaiting: 41) { $0.value(3) })
    #expect(texts(session) == [#"{"jsonrpc":"2.0","method":"a","params":1}"#])
    #expect(!session.isWaiting)
    #expect(session.waitingBytes == 0)
  }

  @Test("a sender that waits is woken once for what comes together, and told when it was taken")
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

  @Test("of what tells a state only the last one waits, behind all that happened before it")
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

  @Test("however often a state changes, what waits is as long as what is told, and order and bytes are kept")
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
