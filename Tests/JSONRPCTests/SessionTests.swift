import TestKit
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

  @Test("nobody is left to be told when the connection has gone, and what was kept is let go of")
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

  @Test("who waits is woken once for what comes together, and told when it was taken")
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
}
