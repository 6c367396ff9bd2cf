import JSONRPC
import Linux
import Testing
import WireProtocols

@testable import UnixSocket

@Suite("Queues of a connection")
struct QueueTests {
  /// #expect splits its expression, and cannot call mutating methods.
  private func check(_ isSo: Bool, at location: SourceLocation = #_sourceLocation) {
    #expect(isSo, sourceLocation: location)
  }

  private let start = MonotonicInstant.now

  @Test("a caller that reads a little now and then is not stalled, and a caller that reads nothing for the limit is")
  func progress() {
    var queue = OutgoingQueue(Limits(stalledSeconds: 30), PeerQuota(uid: 1, requestsPerSecond: 0))
    queue.handOver(1000)
    check(queue.beginWatch(at: start))
    check(!queue.beginWatch(at: start))
    check(queue.progress(left: 9000, at: start + .seconds(1)) == .going)
    check(queue.progress(left: 9000, at: start + .seconds(30)) == .going)
    check(queue.progress(left: 8999, at: start + .seconds(31)) == .going)
    check(queue.progress(left: 8999, at: start + .seconds(60)) == .going)
    check(queue.progress(left: 8999, at: start + .seconds(61)) == .stalled)
    queue.hasGone()
    check(queue.progress(left: 8999, at: start + .seconds(61)) == .done)
    check(queue.beginWatch(at: start))
  }

  @Test(
    "queued bytes count for the connection and its user, and past the user's limit each connection keeps a short queue")
  func room() {
    let limits = Limits(responseBytes: 500_000, queuedBytesPerConnection: 100_000, queuedBytesPerUID: 150_000)
    let quota = PeerQuota(uid: 1, requestsPerSecond: 0)
    var one = OutgoingQueue(limits, quota)
    var other = OutgoingQueue(limits, quota)
    check(one.room == 100_000 && one.roomForResponse == 500_000)
    one.handOver(60_000)
    one.update(waiting: 90_000)
    check(one.room == 40_000)
    check(quota.queuedBytes == 150_000)
    check(other.room == 16_384 && other.roomForResponse == 16_384)
    one.hasGone()
    one.update(waiting: 10)
    check(quota.queuedBytes == 10 && other.room == 100_000)
    other.update(waiting: 5)
    one.end()
    other.end()
    check(quota.queuedBytes == 0)
  }

  @Test("notifications are sent if all of them fit within the limit, or if nothing else waits")
  func notifications() {
    let limits = Limits(queuedBytesPerConnection: 100_000)
    var queue = OutgoingQueue(limits, PeerQuota(uid: 1, requestsPerSecond: 0))
    check(queue.takes(notifications: 200_000, behind: 0))
    check(queue.takes(notifications: 60_000, behind: 40_000))
    check(!queue.takes(notifications: 60_001, behind: 40_000))
    queue.handOver(30_000)
    check(queue.takes(notifications: 60_000, behind: 10_000))
    check(!queue.takes(notifications: 60_000, behind: 10_001))
    check(!queue.takes(notifications: 70_001, behind: 0))
    queue.hasGone()
    check(queue.takes(notifications: 200_000, behind: 0))
  }

  @Test("request deadlines expire in order and once each, and ended requests do not expire")
  func deadlines() {
    var deadlines = RequestDeadlines(.seconds(10))
    #expect(deadlines.next == nil)
    check(deadlines.add(1, at: start))
    check(!deadlines.add(2, at: start + .seconds(1)))
    #expect(deadlines.next == start + .seconds(10))
    check(deadlines.expired(at: start + .seconds(9)).map(\.number) == [])
    check(deadlines.expired(at: start + .seconds(10)).map(\.number) == [1])
    #expect(deadlines.next == start + .seconds(11))
    check(deadlines.expired(at: start + .seconds(20)).map(\.number) == [2])
    #expect(deadlines.next == nil)
    for number in 0..<200 { _ = deadlines.add(number, at: start) }
    for number in 0..<190 { deadlines.end(number) }
    deadlines.end(1000)
    check(deadlines.expired(at: start + .seconds(10)).map(\.number) == Array(190..<200))
    #expect(deadlines.next == nil)
  }
}
